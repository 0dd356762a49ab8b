import { useMemo, useState } from 'react'
import { useDispatch } from 'react-redux'
import { useSearch } from 'wouter'
import { codeEditActions as actions } from '#commands/channel/codeEdit.ts'
import { to } from '#commands/command.ts'
import { codeEditPage } from '#commands/pages/channel.ts'
import { codeStates } from '#src/areas/channelCode/channelCode.ts'
import { clock, weekdays } from '#src/areas/channelCode/codeRules.ts'
import type { PosterKind } from '#src/areas/channelCode/posters.ts'
import { comma, semicolon } from '#src/domain/text.ts'
import { SmallTable, State } from '#src/kit/cells.tsx'
import { dispatchRead, skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { FormNotes, useUnsaved, type FormState } from '#src/kit/form.tsx'
import { FormFields, FormPage, PageForm, useDraftForm } from '#src/kit/formpage.tsx'
import { Badge, Section, When } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { useSay, wecomSaid, type Say } from '#src/kit/text.ts'
import { useAction, useAnswered, useResult, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { codeEdit as calls, type CodeDetail, type CodePerson } from '../../contract/code.ts'
import {
  afterAsks,
  bodyOf,
  givenLines,
  namesHere,
  whatAsks,
  type CodeAnswers,
} from '../../parts/codeAsks.ts'
import {
  BackupLines,
  freshShift,
  MemberLines,
  ShiftLines,
  WindowLines,
} from '../../parts/CodeLines.tsx'
import { codeLooks } from '../../parts/codeLooks.tsx'
import { CodePoster } from '../../parts/CodePictures.tsx'
import { Replay } from '../../parts/Replay.tsx'

const REPLAY = 'ch-replay-day'
const asks = { ...whatAsks, ...afterAsks }
/** What the form holds beside its questions, in words. */
const lineWords = {
  members: {
    label: ['接待成员', 'Members'],
    told: (lines: CodeAnswers['members'], say: Say) =>
      lines
        .map(one => `${one.name} ×${one.weight}${one.day_cap ? ` ≤${one.day_cap}` : ''}`)
        .join(say(comma)),
  },
  backups: {
    label: ['备用成员', 'Backups'],
    told: (lines: CodeAnswers['backups'], say: Say) => lines.map(one => one.name).join(say(comma)),
  },
  shifts: {
    label: ['班次', 'Shifts'],
    told: (lines: CodeAnswers['shifts'], say: Say) =>
      lines
        .map(({ weekdays: on, from_min, to_min }) => {
          const days = on.map(day => say(weekdays[day - 1]!)).join(say(['', ' ']))
          return `${days} ${clock(from_min)}–${clock(to_min)}`
        })
        .join(say(semicolon)),
  },
  windows: {
    label: ['自动通过时段', 'Auto-accept hours'],
    told: (lines: CodeAnswers['windows'], say: Say) =>
      lines.map(one => `${clock(one.from_min)}–${clock(one.to_min)}`).join(say(semicolon)),
  },
} as const
const useCodeForm = (now: CodeDetail | undefined) => {
  const { open } = useWorkbench()
  const dispatch = useDispatch()
  const [save] = useWrite(calls.save)
  const [publish] = useWrite(calls.publish)
  return useDraftForm<CodeDetail>({
    now,
    asks,
    given: givenLines as never,
    words: lineWords,
    draft: `channel-code:${now?.id ?? 0}`,
    as: namesHere,
    sent: ['已提交企微，确认后生效', 'Submitted; takes effect once WeCom confirms'],
    read: id => dispatchRead(dispatch as never, calls.detail, { id }, true),
    send: (raw, held, isSent) =>
      (isSent ? publish : save)(
        { ...held, ...bodyOf(raw as unknown as CodeAnswers) },
        { quiet: true },
      ),
    done: (id, { isNew }) => {
      if (isNew) open(to(codeEditPage, { id }), 'here')
    },
  })
}
const goTo = (id: string) => {
  const part = document.getElementById(id)
  part?.scrollIntoView({ block: 'nearest' })
  part?.focus()
}
/** Colleagues that were chosen become lines of the form. */
const useAdding = (form: FormState, code_id: number | undefined) => {
  const dispatch = useDispatch()
  const [met, setMet] = useState<readonly CodePerson[]>([])
  const add = (as: 'members' | 'backups') => (answers: Record<string, unknown>) => {
    const ids = answers['staff_ids'] as number[]
    if (ids.length === 0) return
    const asked = { ids, ...(code_id !== undefined && { code_id }) }
    void dispatchRead(dispatch as never, calls.people, asked).then(
      ({ list }) => {
        const of = form.answers as unknown as CodeAnswers
        const known = new Set([...of.members, ...of.backups].map(one => one.userid))
        const fresh = list
          .filter(one => !known.has(one.userid))
          .map(({ id, userid, name, unable }) => ({ id, userid, name, unable }))
        setMet(before => [...before, ...list])
        if (as === 'backups') form.change('backups', [...of.backups, ...fresh])
        else
          form.change('members', [
            ...of.members,
            ...fresh.map(one => ({ ...one, weight: 1, day_cap: null })),
          ])
      },
      () => {},
    )
  }
  useAnswered(actions.addMembers, add('members'))
  useAnswered(actions.addBackups, add('backups'))
  return met
}
const Versions = ({ of }: { of: CodeDetail }) => {
  const say = useSay()
  if (of.versions.length === 0) return null
  const states = {
    waiting: say(['提交中', 'Submitting']),
    done: say(['已生效', 'Took effect']),
    failed: say(['失败', 'Failed']),
  }
  return (
    <Section title={say(['历史版本', 'Versions'])}>
      <SmallTable
        head={[
          ['版本', 'Version'],
          ['时间', 'When'],
          ['操作人', 'By'],
          ['结果', 'Result'],
        ]}
        rows={of.versions}
        keyOf={one => one.rev}
        cells={one => [
          `${one.rev}${one.rev === of.rev ? say(['（当前）', ' (now)']) : ''}`,
          <When key="at" at={one.live_at ?? one.created_at} />,
          one.by || '—',
          one.state === 'failed' ? (
            <Badge key="failed" tone="bad">
              {wecomSaid(say, one)}
            </Badge>
          ) : (
            states[one.state]
          ),
        ]}
      />
    </Section>
  )
}
const Notes = ({ of }: { of: CodeDetail }) => {
  const say = useSay()
  return (
    <>
      <State of={of.status} in={codeLooks} title={say(codeStates[of.status])} />
      {of.publishing && <Badge tone="info">{say(['正在提交企微', 'Submitting to WeCom'])}</Badge>}
      {of.way_state === 'failed' && (
        <Badge tone="bad">{wecomSaid(say, { error: of.way_error, errcode: of.way_errcode })}</Badge>
      )}
      {of.live && <Badge tone="warn">{say(['有未发布的修改', 'Unpublished changes'])}</Badge>}
    </>
  )
}
const Fields = ({ form }: { form: FormState }) => {
  const say = useSay()
  return (
    <PageForm of={form} label={say(['渠道活码', 'Channel code'])}>
      <fieldset>
        <legend>{say(['活码与投放', 'Code and placement'])}</legend>
        <FormFields of={form} names={Object.keys(whatAsks)} />
      </fieldset>
      <fieldset>
        <legend>{say(['接待成员', 'Members'])}</legend>
        <MemberLines form={form} />
      </fieldset>
      <fieldset>
        <legend>{say(['班次', 'Shifts'])}</legend>
        <ShiftLines form={form} />
      </fieldset>
      <fieldset>
        <legend>{say(['备用成员', 'Backups'])}</legend>
        <BackupLines form={form} />
      </fieldset>
      <fieldset>
        <legend>{say(['添加之后', 'After adding'])}</legend>
        <FormFields of={form} names={['verify_mode', 'remark_suffix']} />
        <WindowLines form={form} />
        <FormFields of={form} names={['tag_ids', 'welcome_id']} wide />
      </fieldset>
    </PageForm>
  )
}
const Form = ({ now }: { now: CodeDetail | undefined }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const { form, rows, sending } = useCodeForm(now)
  const [poster, setPoster] = useState<PosterKind | undefined>(undefined)
  useSubject(useMemo(() => ({ rows }), [rows]))
  useAction(actions.save, sending(false))
  useAction(actions.publish, sending(true))
  useAction(actions.simulate, () => goTo(REPLAY))
  useAction(actions.pickWelcome, () => goTo(form.idOf('welcome_id')))
  useAction(actions.addShift, () => {
    const of = form.answers as unknown as CodeAnswers
    form.change('shifts', [...of.shifts, freshShift(of)])
    setTimeout(() => {
      document
        .getElementById(form.idOf('shifts'))
        ?.querySelector<HTMLElement>('.ch-line:last-of-type button')
        ?.focus()
    })
  })
  useAnswered(actions.previewPoster, answers => setPoster(answers['template'] as PosterKind))
  useResult(actions.restore, () => {
    form.reset()
    toast(say(['已恢复为草稿，发布后生效', 'It is the draft now: publish it']), 'success')
    return true
  })
  const met = useAdding(form, now?.id)
  useUnsaved(form)
  if (!form.answers) return <Loading lines={16} />
  const body = bodyOf(form.answers as unknown as CodeAnswers)
  return (
    <>
      <FormPage
        actions={Object.values(actions)}
        rows={rows}
        notes={
          <>
            {now && <Notes of={now} />}
            <FormNotes of={form} />
          </>
        }
        aside={
          <>
            <Replay body={body} people={[...(now?.people ?? []), ...met]} fieldId={REPLAY} />
            {now && <Versions of={now} />}
          </>
        }
      >
        <Fields form={form} />
      </FormPage>
      {poster && now && <CodePoster id={now.id} kind={poster} close={() => setPoster(undefined)} />}
    </>
  )
}
/** A new code, or the code of `?id=`. */
export default function CodeForm() {
  const id = Number(new URLSearchParams(useSearch()).get('id')) || 0
  const detail = useRead(calls.detail, id > 0 ? { id } : skipToken)
  if (detail.error && !detail.data) return <Failed error={detail.error} retry={detail.refetch} />
  const now = id > 0 ? (detail.currentData ?? detail.data) : undefined
  if (id > 0 && now?.id !== id) return <Loading lines={16} />
  return <Form key={id} now={now} />
}
