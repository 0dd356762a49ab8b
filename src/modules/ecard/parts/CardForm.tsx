import { useMemo, type ReactNode } from 'react'
import { useDispatch } from 'react-redux'
import { to, type Action } from '#commands/command.ts'
import { cardAddActions, cardEditActions } from '#commands/ecard/cardForm.ts'
import { cardEdit as editPage, cardList, cardPreview } from '#commands/pages/ecard.ts'
import type { CardTemplate } from '#src/areas/ecard/card.ts'
import { readFaceLines } from '#src/areas/ecard/faceLines.ts'
import type { Text } from '#src/domain/text.ts'
import { State } from '#src/kit/cells.tsx'
import { dispatchRead, useWrite } from '#src/kit/data.ts'
import { Changes } from '#src/kit/form-changes.tsx'
import { FormNotes, useUnsaved, type FormState } from '#src/kit/form.tsx'
import { FormFields, FormPage, PageForm, useDraftForm, useRecordForm } from '#src/kit/formpage.tsx'
import { Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useAnswered, useResult, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { cardAdd, cardEdit } from '../contract/form.ts'
import { cards, type CardWhole } from '../contract/list.ts'
import { Beside, EXAMPLE_ID, Locked } from './beside.tsx'
import { boundBy, cardAsks, newAsks } from './cardAsks.ts'
import { cardLooks } from './looks.tsx'
import { answersOf, lockedOf, namesHere, writtenOf, type CardAnswers } from './written.ts'

const goTo = (id: string) => {
  const part = document.getElementById(id)
  part?.scrollIntoView({ block: 'nearest' })
  part?.focus()
}
/** The parts of the form, with the questions of each; `wide` ones take a line of their own. */
const parts: readonly { title: Text; names?: readonly string[]; wide?: readonly string[] }[] = [
  { title: ['卡', 'Card'], names: ['name', 'type', 'named', 'store_id', 'source', 'supplier'] },
  { title: ['图片', 'Pictures'], wide: ['cover', 'arts'] },
  {
    title: ['面值与库存', 'Face values and stock'],
    names: ['custom_min_cents', 'custom_max_cents', 'custom_step_cents', 'bonus', 'stock_alert'],
    wide: ['faces'],
  },
  {
    title: ['有效期与适用范围', 'Validity and scope'],
    names: ['valid_type', 'valid_until', 'valid_days'],
    wide: ['malls', 'stores', 'categories'],
  },
  {
    title: ['购买与赠送', 'Purchase and gifting'],
    names: ['limit_order', 'limit_day', 'limit_person', 'refund_rule', 'gift'],
    wide: ['greetings', 'notice', 'agreement', 'reason'],
  },
]
/** Those of some questions that are asked now. */
const asked = ({ asks, answers, rows }: FormState, names: readonly string[] = []) =>
  names.filter(name => asks[name] && (asks[name].shown?.(answers, rows) ?? true))

type FieldsProps = {
  form: FormState
  now: CardWhole | undefined
  actions: readonly Action[]
  label: string
  notes?: ReactNode
  aside?: ReactNode
}
const Fields = ({ form, now, actions, label, notes, aside }: FieldsProps) => {
  const say = useSay()
  const answers = form.answers as CardAnswers | undefined
  const rows = useMemo(() => (now ? [now] : []), [now])
  const card = useMemo(() => writtenOf({ ...lockedOf(boundBy(now)), ...answers }), [now, answers])
  const faces = useMemo(
    () =>
      now?.face_list ??
      readFaceLines(answers?.faces ?? '').faces.map(face => ({
        ...face,
        bonus_cents: 0,
        free_n: 0,
        status: 'on' as const,
      })),
    [now, answers],
  )
  useSubject(useMemo(() => ({ rows }), [rows]))
  useUnsaved(form)
  if (!answers) return <Loading lines={16} />
  return (
    <FormPage
      actions={actions}
      rows={rows}
      notes={
        <>
          {notes}
          <FormNotes of={form} />
        </>
      }
      aside={
        <>
          <Beside card={card} faces={faces} now={now} />
          {aside}
        </>
      }
    >
      <PageForm of={form} label={label}>
        {parts.map(part => (
          <fieldset key={part.title[0]}>
            <legend>{say(part.title)}</legend>
            <FormFields of={form} names={asked(form, part.names)} />
            <FormFields of={form} names={asked(form, part.wide)} wide />
          </fieldset>
        ))}
      </PageForm>
    </FormPage>
  )
}
type BesideActions = { uploadArt: Action; example: Action; preview: Action }
const useBeside = (
  { uploadArt, example, preview }: BesideActions,
  form: FormState,
  id?: number,
) => {
  const { open } = useWorkbench()
  useAction(preview, () =>
    open(to(cardPreview, { ...(id !== undefined && { id }), draft: '1' }), 'beside'),
  )
  useAction(uploadArt, () => goTo(form.idOf('arts')))
  useAction(example, () => goTo(EXAMPLE_ID))
}
const onSale: Text = ['已保存并上架', 'Saved, and on sale']
const useLed = () => {
  const { open } = useWorkbench()
  return (id: number, { isNew, isSent }: { isNew: boolean; isSent: boolean }) => {
    if (isSent) open(to(cardList), 'here')
    else if (isNew) open(to(editPage, { id }), 'here')
  }
}
/** A template is kept of what is written, and fills what is written next. */
const useTemplates = (form: FormState) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const dispatch = useDispatch()
  const [keep] = useWrite(cardAdd.saveAsTemplate)
  useAnswered(cardAddActions.saveAsTemplate, ({ name }) => {
    const { name: _, store_id: __, ...body } = writtenOf((form.answers ?? {}) as CardAnswers)
    void keep({
      name,
      body: { ...body, arts: [...body.arts], greetings: [...body.greetings] },
    }).then(
      () => toast(say(['已存为模板“{name}”', 'Saved as template “{name}”'], { name }), 'success'),
      () => {},
    )
  })
  useAnswered(cardAddActions.useTemplate, ({ template_id }) => {
    void dispatchRead(dispatch as never, cardAdd.templates, { pageSize: 200 }, true).then(
      ({ list }) => {
        const found = list.find(one => one.id === template_id)
        if (found) form.fill(answersOf(found.body as CardTemplate) as Record<string, unknown>)
      },
      () => {},
    )
  })
}
const NEW_DRAFT = 'ecard-form:new'
/** A card that is not there yet, with its faces. */
export const NewCard = () => {
  const say = useSay()
  const [save] = useWrite(cardAdd.save)
  const [submit] = useWrite(cardAdd.submit)
  const asks = useMemo(() => newAsks(), [])
  const { form, sending } = useDraftForm<CardWhole>({
    now: undefined,
    asks,
    draft: NEW_DRAFT,
    as: namesHere,
    sent: onSale,
    read: () => Promise.reject(new Error('A new card is not read')),
    send: (raw, _, isSent) => {
      const of = raw as CardAnswers
      const { arts, greetings, ...written } = writtenOf(of)
      const { faces } = readFaceLines(of.faces ?? '')
      const body = { ...written, arts: [...arts], greetings: [...greetings], faces }
      return (isSent ? submit : save)(body, { quiet: true })
    },
    done: useLed(),
  })
  useAction(cardAddActions.save, sending(false))
  useAction(cardAddActions.submit, sending(true))
  useBeside(cardAddActions, form)
  useTemplates(form)
  return (
    <Fields
      form={form}
      now={undefined}
      actions={Object.values(cardAddActions)}
      label={say(['新增电子卡', 'New e-card'])}
    />
  )
}
const bodyOf = (now: CardWhole, of: CardAnswers) => {
  const { arts, greetings, ...written } = writtenOf({ ...lockedOf(boundBy(now)), ...of })
  return { ...written, arts: [...arts], greetings: [...greetings] }
}
/** The actions that both forms of a card that stands have besides saving. */
const useStanding = (form: FormState, id: number) => {
  const { open } = useWorkbench()
  useBeside(cardEditActions, form, id)
  useAction(cardEditActions.diff, () => goTo('ec-changes'))
  useResult(cardEditActions.newVersion, ({ id }) => {
    open(to(editPage, { id }), 'here')
    return true
  })
}
const Standing = ({ form, now }: { form: FormState; now: CardWhole }) => {
  const say = useSay()
  return (
    <Fields
      form={form}
      now={now}
      actions={Object.values(cardEditActions)}
      label={say(['编辑电子卡', 'Edit e-card'])}
      notes={
        <>
          <State of={now.state} in={cardLooks} /> <b>{now.name}</b>
        </>
      }
      aside={
        <>
          {form.dirty && <Changes form={form} id="ec-changes" />}
          {boundBy(now) && <Locked of={now} />}
        </>
      }
    />
  )
}
/** A draft, or a card off sale: it is kept as it is, or put on the shelf. */
export const DraftCard = ({ now }: { now: CardWhole }) => {
  const dispatch = useDispatch()
  const [save] = useWrite(cardEdit.save)
  const [submit] = useWrite(cardEdit.submit)
  const asks = useMemo(() => cardAsks(now), [now])
  const { form, sending } = useDraftForm<CardWhole>({
    now,
    asks,
    draft: `ecard-form:${now.id}`,
    as: namesHere,
    sent: onSale,
    read: id => dispatchRead(dispatch as never, cards.detail, { id }, true),
    send: (raw, held, isSent) =>
      (isSent ? submit : save)({ ...held!, ...bodyOf(now, raw as CardAnswers) }, { quiet: true }),
    done: useLed(),
  })
  useAction(cardEditActions.save, sending(false))
  useAction(cardEditActions.submit, sending(true))
  useStanding(form, now.id)
  return <Standing form={form} now={now} />
}
/** A card on sale: each change says why, and what was promised to its buyers stays. */
export const SoldCard = ({ now }: { now: CardWhole }) => {
  const dispatch = useDispatch()
  const [save] = useWrite(cardEdit.save)
  const asks = useMemo(() => cardAsks(now), [now])
  const form = useRecordForm<CardWhole>({
    page: cardList,
    now,
    asks,
    draft: `ecard-form:${now.id}`,
    as: namesHere,
    read: id => dispatchRead(dispatch as never, cards.detail, { id }, true),
    done: ['已保存', 'Saved'],
    send: (raw, held) => {
      const of = raw as CardAnswers
      return save({ ...held, ...bodyOf(now, of), reason: of.reason ?? '' }, { quiet: true })
    },
  })
  useAction(cardEditActions.save, form.go)
  useStanding(form, now.id)
  return <Standing form={form} now={now} />
}
