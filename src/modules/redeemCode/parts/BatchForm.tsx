import { useMemo, type ReactNode } from 'react'
import { useDispatch } from 'react-redux'
import { to, type Action } from '#commands/command.ts'
import { batchEdit, batches } from '#commands/pages/redeemCode.ts'
import { batchAddActions, batchCopyActions, batchEditActions } from '#commands/redeemCode/form.ts'
import { cardText } from '#src/areas/redeemCode/card.ts'
import { DAY } from '#src/domain/time.ts'
import { dispatchRead, useWrite } from '#src/kit/data.ts'
import { Changes } from '#src/kit/form-changes.tsx'
import { FormNotes, useUnsaved, type FormState } from '#src/kit/form.tsx'
import { FormFields, FormPage, PageForm, useDraftForm } from '#src/kit/formpage.tsx'
import { Badge, Money, Section } from '#src/kit/show.tsx'
import { Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useAnswered, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { batchAdd, batchCopy, batchEdit as editCalls } from '../contract/form.ts'
import { codeBatches, type BatchRow } from '../contract/index.ts'
import { batchAsks, bodyOf, namesHere, type BatchAnswers } from './asks.ts'
import { Estimate, Strength } from './beside.tsx'
import { Worked } from './Worked.tsx'

/** Goes to a part of the page by its id. */
export const goTo = (id: string) => {
  const part = document.getElementById(id)
  part?.scrollIntoView({ block: 'nearest' })
  part?.focus()
}
type Beside = { addReward: Action; estimate: Action; previewCode: Action }
/** The keys that lead to what stands beside the form. */
export const useBeside = (actions: Beside, form: FormState) => {
  useAction(actions.addReward, () => goTo(form.idOf('coupons')))
  useAction(actions.estimate, () => goTo('rc-estimate'))
  useAction(actions.previewCode, () => goTo('rc-sample'))
}
type Send = Parameters<typeof useDraftForm<BatchRow>>[0]['send']
const useBatchForm = (of: {
  now?: BatchRow
  source?: BatchRow
  draft: string
  send: (
    body: ReturnType<typeof bodyOf>,
    ...more: [Parameters<Send>[1], boolean]
  ) => ReturnType<Send>
}) => {
  const { open } = useWorkbench()
  const dispatch = useDispatch()
  const asks = useMemo(() => batchAsks(of.source), [of.source])
  return useDraftForm<BatchRow>({
    now: of.now,
    asks,
    draft: of.draft,
    as: namesHere,
    read: id => dispatchRead(dispatch as never, codeBatches.detail, { id }, true),
    send: (raw, held, isSent) => of.send(bodyOf(raw as unknown as BatchAnswers), held, isSent),
    done: (id, { isNew, isSent }) => {
      if (isSent) open(to(batches), 'here')
      else if (isNew) open(to(batchEdit, { id }), 'here')
    },
  })
}
type FieldsProps = {
  form: FormState
  rows: readonly BatchRow[]
  actions: readonly Action[]
  label: string
  notes?: ReactNode
  aside?: ReactNode
}
const Fields = ({ form, rows, actions, label, notes, aside }: FieldsProps) => {
  const say = useSay()
  useSubject(useMemo(() => ({ rows }), [rows]))
  useUnsaved(form)
  const answers = form.answers as unknown as Partial<BatchAnswers> | undefined
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
          {aside}
          <Strength of={answers} />
          <Estimate of={answers} />
          <Worked of={{ ...answers, coupon_ids: answers.coupons }} />
        </>
      }
    >
      <PageForm of={form} label={label}>
        <fieldset>
          <legend>{say(['批次与合作方', 'Batch and partner'])}</legend>
          <FormFields of={form} names={['name', 'partner', 'contract_no', 'bearer']} />
        </fieldset>
        <fieldset>
          <legend>{say(['兑换码', 'Codes'])}</legend>
          <FormFields
            of={form}
            names={['code_kind', 'quantity', 'use_limit', 'prefix', 'length', 'alphabet']}
          />
        </fieldset>
        <fieldset>
          <legend>{say(['奖励与预算', 'Rewards and budget'])}</legend>
          <FormFields of={form} names={['coupons']} wide />
          <FormFields
            of={form}
            names={[
              'film',
              'ecard_attr_id',
              'points',
              'points_days',
              'vip_card_id',
              'vip_days',
              'goods',
              'goods_cents',
              'budget',
            ]}
          />
        </fieldset>
        <fieldset>
          <legend>{say(['期限与限制', 'Period and limits'])}</legend>
          <FormFields
            of={form}
            names={['start_at', 'end_at', 'limit_member', 'limit_phone', 'limit_device']}
          />
          <FormFields of={form} names={['new_only', 'malls', 'note']} wide />
        </fieldset>
      </PageForm>
    </FormPage>
  )
}

/** A batch that is not there yet. */
export const NewForm = () => {
  const say = useSay()
  const [save] = useWrite(batchAdd.saveDraft)
  const [submit] = useWrite(batchAdd.submit)
  const { form, rows, sending } = useBatchForm({
    draft: 'code-batch:new',
    send: (body, _, isSent) => (isSent ? submit : save)(body, { quiet: true }),
  })
  useAction(batchAddActions.saveDraft, sending(false))
  useAction(batchAddActions.submit, sending(true))
  useBeside(batchAddActions, form)
  return (
    <Fields
      form={form}
      rows={rows}
      actions={Object.values(batchAddActions)}
      label={say(['新增兑换码批次', 'New code batch'])}
    />
  )
}
/** A draft as it stands. */
export const DraftForm = ({ now }: { now: BatchRow }) => {
  const say = useSay()
  const [save] = useWrite(editCalls.saveDraft)
  const [submit] = useWrite(editCalls.submit)
  const { form, rows, sending } = useBatchForm({
    now,
    draft: `code-batch:${now.id}`,
    send: (body, held, isSent) => (isSent ? submit : save)({ ...held!, ...body }, { quiet: true }),
  })
  useAction(batchEditActions.saveDraft, sending(false))
  useAction(batchEditActions.submit, sending(true))
  useAction(batchEditActions.diff, () => goTo('rc-changes'))
  useBeside(batchEditActions, form)
  return (
    <Fields
      form={form}
      rows={rows}
      actions={Object.values(batchEditActions)}
      label={say(['编辑兑换码批次', 'Edit code batch'])}
      aside={form.dirty && <Changes form={form} id="rc-changes" />}
      notes={
        now.reason && (
          <Badge tone="bad" title={now.reason}>
            {say(['被驳回：{why}', 'Rejected: {why}'], { why: now.reason })}
          </Badge>
        )
      }
    />
  )
}
/** The next order of a partner; it names what of the last one is gone. */
export const CopyForm = ({ source }: { source: BatchRow }) => {
  const say = useSay()
  const [save] = useWrite(batchCopy.saveDraft)
  const [submit] = useWrite(batchCopy.submit)
  const { form, rows, sending } = useBatchForm({
    source,
    draft: `code-batch:copy:${source.id}`,
    send: (body, _, isSent) =>
      (isSent ? submit : save)({ copy_from_id: source.id, ...body }, { quiet: true }),
  })
  useAction(batchCopyActions.saveDraft, sending(false))
  useAction(batchCopyActions.submit, sending(true))
  useAction(batchCopyActions.renewPrefix, () => {
    form.change('prefix', undefined)
    document.getElementById(form.idOf('prefix'))?.focus()
  })
  useAnswered(batchCopyActions.shiftDates, ({ days }) =>
    form.fill({ start_at: source.start_at + days * DAY, end_at: source.end_at + days * DAY }),
  )
  useBeside(batchCopyActions, form)
  const { membership, card } = source
  const ended = [
    ...source.coupons.filter(one => one.ended).map(one => one.name),
    ...(membership?.ended ? [membership.plan] : []),
    ...(card?.ended ? [cardText(card, say)] : []),
  ]
  return (
    <Fields
      form={form}
      rows={rows}
      actions={Object.values(batchCopyActions)}
      label={say(['复制兑换码批次', 'Copy code batch'])}
      notes={<Badge>{say(['复制自「{name}」', 'Copy of {name}'], { name: source.name })}</Badge>}
      aside={
        <Section title={say(['原批次', 'Original batch'])}>
          <p>
            {say(['每次兑换成本', 'Cost per redemption'])}{' '}
            <Money cents={source.unit_cost_cents} sign />
          </p>
          {ended.length > 0 && (
            <ul aria-label={say(['须更换的奖励', 'Rewards to replace'])}>
              {ended.map(name => (
                <li key={name}>
                  {name}{' '}
                  <Badge tone="bad">{say(['已不在发放，须更换', 'Ended: replace it'])}</Badge>
                </li>
              ))}
            </ul>
          )}
        </Section>
      }
    />
  )
}
