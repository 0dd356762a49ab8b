import { Button } from '@blueprintjs/core'
import { useEffect, useId, useMemo, useRef, useState, type RefObject } from 'react'
import { useDispatch } from 'react-redux'
import { settingsActions } from '#commands/order/settings.ts'
import { settings as page } from '#commands/pages/order.ts'
import { areaWords, freightGap } from '#src/areas/shipping/freight.ts'
import type { Text } from '#src/domain/text.ts'
import { useTrail } from '#src/kit/changed.tsx'
import { dispatchRead, useWrite, type CallError } from '#src/kit/data.ts'
import { FormField, FormNotes, useForm, useUnsaved, type FormState } from '#src/kit/form.tsx'
import { refusedBy, type Refused } from '#src/kit/refused.ts'
import { Keys } from '#src/kit/show.tsx'
import { Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { settings as calls, type TemplateRow } from '../contract/settings.ts'
import { FreeRules, Groups, PlacesField } from './freightGroups.tsx'
import {
  asks,
  besides,
  faultsOf,
  givenFrom,
  readTyped,
  unitOf,
  type Answers,
} from './freightTyped.ts'

const goToFault = (box: RefObject<HTMLElement | null>) =>
  requestAnimationFrame(() =>
    (
      box.current?.querySelector<HTMLElement>('[aria-invalid=true]') ??
      box.current?.querySelector<HTMLElement>('textarea')
    )?.focus(),
  )

const bodyOf = (answers: Answers) => {
  const { mode, regions, free_rules, no_delivery } = readTyped(answers)
  return {
    name: answers.name!,
    mode,
    regions: [...regions],
    free_rules: [...free_rules],
    no_delivery,
  }
}
type Done = (id: number | undefined) => void
const useTemplateForm = (
  row: TemplateRow | undefined,
  box: RefObject<HTMLElement | null>,
  done: Done,
) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [add] = useWrite(calls.addTemplate)
  const [edit] = useWrite(calls.editTemplate)
  const dispatch = useDispatch()
  // The newest reading: what the person did not touch follows it. One that was deleted meanwhile is
  // still that one, and not a new one.
  const last = useRef(row)
  if (row) last.current = row
  const rows = useMemo(() => (last.current ? [last.current] : []), [row])
  const [tried, setTried] = useState(false)
  const submit = async (
    raw: Record<string, unknown>,
    [began]: readonly TemplateRow[],
  ): Promise<true | Refused> => {
    const answers = raw as Answers
    setTried(true)
    const [wrong] = Object.keys(faultsOf(answers))
    if (wrong) {
      goToFault(box)
      return {}
    }
    const body = bodyOf(answers)
    try {
      const saved = began
        ? await edit({ id: began.id, version: began.version, ...body }, { quiet: true })
        : await add(body, { quiet: true })
      form.reset()
      toast(say(['已保存，只影响此后的订单', 'Saved: it holds for orders from now on']), 'success')
      done(saved.id)
      return true
    } catch (fault) {
      const { data, message } = fault as CallError
      const refused = await refusedBy(fault, {
        newest:
          began &&
          (async () =>
            (
              await dispatchRead(dispatch as never, calls.templates, { pageSize: 200 }, true)
            ).list.filter(one => one.id === began.id)),
      })
      return {
        ...refused,
        fields: (data?.fields ?? {}) as Record<string, string>,
        message: data?.fields?.name ? '' : message,
      }
    }
  }
  const form = useForm({
    asks,
    rows,
    given: givenFrom,
    words: besides,
    draft: `freight:${row?.id ?? 0}`,
    submit,
    trail: useTrail(page, rows),
  })
  const [began] = form.rows as readonly TemplateRow[]
  useUnsaved(form)
  useAction(settingsActions.save, form.go)
  return { form, began, tried }
}
/** While it is typed only places tell a fault, and that there are none is told at the saving. */
const isTold = (at: string, fault: Text, tried: boolean): boolean =>
  tried || ((at.endsWith('areas') || at === 'no_delivery') && fault[0] !== '请选择地区')
const EditorHead = ({
  form,
  began,
  done,
}: {
  form: FormState
  began: TemplateRow | undefined
  done: Done
}) => {
  const say = useSay()
  return (
    <header>
      <b>{began ? began.name : say(['新运费模板', 'New freight template'])}</b>
      <FormNotes of={form} />
      <span className="m-fill" />
      <Button size="small" intent="primary" loading={form.busy} onClick={form.go}>
        {say(['保存模板', 'Save the template'])}
        <Keys keys="Ctrl+S" />
      </Button>
      <Button
        size="small"
        onClick={() => {
          form.reset()
          done(began?.id)
        }}
      >
        {say(['取消', 'Cancel'])}
      </Button>
    </header>
  )
}
/**
 * A template being written: groups of places in words, with what is missing told as it is typed.
 */
export const FreightEditor = ({ row, done }: { row: TemplateRow | undefined; done: Done }) => {
  const say = useSay()
  const base = useId()
  const box = useRef<HTMLDivElement>(null)
  const { form, began, tried } = useTemplateForm(row, box, done)
  const answers = form.answers as unknown as Answers | undefined
  const ready = answers !== undefined
  useEffect(() => {
    if (ready) box.current?.querySelector<HTMLElement>('input')?.focus()
  }, [ready])
  if (!answers) return <Loading lines={12} />
  const faults = faultsOf(answers)
  const gap = freightGap(readTyped(answers))
  const unit = say(unitOf(answers.mode ?? 'piece'))
  const fault = (at: string) => {
    const found = faults[at]
    const told = found && isTold(at, found, tried) ? say(found) : undefined
    return told ?? form.refused?.fields?.[at]
  }
  const telling = { base, tried, fault }
  return (
    <div
      className="oc-editor m-ask"
      ref={box}
      role="form"
      aria-label={say(
        began ? ['编辑运费模板', 'Edit the template'] : ['新增运费模板', 'New template'],
      )}
    >
      <EditorHead form={form} began={began} done={done} />
      {form.refused?.message && (
        <div className="m-error" role="alert">
          {form.refused.message}
        </div>
      )}
      <div className="oc-head">
        <FormField of={form} name="name" />
        <FormField of={form} name="mode" />
      </div>
      <h4>{say(['地区运费', 'Fees by place'])}</h4>
      <Groups
        all={answers.regions}
        unit={unit}
        gap={gap}
        telling={telling}
        set={next => form.change('regions', next)}
      />
      {gap.length > 0 && (
        <p className="oc-note" data-tone="warn" role="status">
          {say(['还没有运费：{areas}', 'No fee yet for {areas}'], { areas: areaWords(gap) })}
        </p>
      )}
      <h4>{say(['包邮条件（选填）', 'Free from (optional)'])}</h4>
      <FreeRules
        all={answers.free_rules}
        unit={unit}
        telling={telling}
        set={next => form.change('free_rules', next)}
      />
      <h4>{say(['不配送（选填）', 'Nothing goes to (optional)'])}</h4>
      <PlacesField
        telling={telling}
        at="no_delivery"
        label={['不配送地区', 'No-delivery areas']}
        value={answers.no_delivery}
        change={next => form.change('no_delivery', next)}
      />
      {tried && faults.regions && (
        <div className="m-error" role="alert">
          {say(faults.regions)}
        </div>
      )}
    </div>
  )
}
