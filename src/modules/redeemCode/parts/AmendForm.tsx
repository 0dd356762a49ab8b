import { useMemo } from 'react'
import { useDispatch } from 'react-redux'
import { ask } from '#commands/command.ts'
import { batchEdit as page } from '#commands/pages/redeemCode.ts'
import { batchEditActions as actions } from '#commands/redeemCode/form.ts'
import { batchStates } from '#src/areas/redeemCode/redeemCode.ts'
import { dispatchRead, useWrite } from '#src/kit/data.ts'
import { Changes } from '#src/kit/form-changes.tsx'
import { FormNotes, useUnsaved } from '#src/kit/form.tsx'
import { FormFields, FormPage, PageForm, useRecordForm } from '#src/kit/formpage.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge } from '#src/kit/show.tsx'
import { Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useSubject } from '#src/kit/workbench.ts'
import { batchEdit } from '../contract/form.ts'
import { codeBatches, type BatchRow } from '../contract/index.ts'
import { amendAsks, amendOf, namesHere, type AmendAnswers } from './asks.ts'
import { BatchFacts } from './BatchFacts.tsx'
import { goTo, useBeside } from './BatchForm.tsx'
import { Estimate } from './beside.tsx'

const Out = ({ row }: { row: BatchRow }) => {
  const say = useSay()
  return (
    <Badge>
      {say(['已生成 {n}，已导出 {out}', '{n} made, {out} exported'], {
        n: row.generated.toLocaleString(),
        out: row.exported.toLocaleString(),
      })}
    </Badge>
  )
}
const useAmendment = (now: BatchRow) => {
  const dispatch = useDispatch()
  const [amend] = useWrite(batchEdit.amend)
  const asks = useMemo(
    () => ({
      ...amendAsks(rows => rows[0]),
      why: ask.text({ label: ['变更原因', 'Reason'], max: 255, min: 2, lines: 2 }),
    }),
    [],
  )
  return useRecordForm({
    page,
    now,
    asks,
    draft: `code-batch:amend:${now.id}`,
    as: { ...namesHere, reason: 'why' },
    read: id => dispatchRead(dispatch as never, codeBatches.detail, { id }, true),
    send: (raw, held) =>
      amend({ ...held, ...amendOf(raw as unknown as AmendAnswers, now) }, { quiet: true }),
    done: ['已提交变更审核，通过前按原条件执行', 'Submitted; current terms apply until approved'],
  })
}
/** The form by which an approved batch is changed, through an audit; it holds as it is until then. */
export const AmendForm = ({ now }: { now: BatchRow }) => {
  const say = useSay()
  const form = useAmendment(now)
  const rows = useMemo(() => [now], [now])
  useSubject(useMemo(() => ({ rows }), [rows]))
  useUnsaved(form)
  useAction(actions.amend, () => form.go())
  useAction(actions.diff, () => goTo('rc-changes'))
  useBeside(actions, form)
  if (!form.answers) return <Loading lines={12} />
  return (
    <FormPage
      actions={Object.values(actions)}
      rows={rows}
      notes={
        <>
          <Out row={now} />
          <FormNotes of={form} />
        </>
      }
      aside={
        <>
          <Changes form={form} id="rc-changes" />
          <Estimate
            but={now.id}
            gone={now.redeemed + now.voided}
            vip_cents={now.vip_cents}
            ecard_cents={now.ecard_cents}
            of={{
              ...(form.answers as object),
              partner: now.partner,
              code_kind: now.code_kind,
              start_at: now.start_at,
              new_only: now.new_only,
              malls: now.mall_ids,
              points: now.points,
              ...(now.vip_card_id !== null && {
                vip_card_id: now.vip_card_id,
                vip_days: now.vip_days,
              }),
              ...(now.ecard_attr_id !== null && { ecard_attr_id: now.ecard_attr_id }),
              goods: now.goods,
              goods_cents: now.goods_cents,
              coupons: now.coupon_ids,
            }}
          />
          <BatchFacts row={now} />
        </>
      }
    >
      <PageForm of={form} label={say(['变更兑换码批次', 'Change of a code batch'])}>
        <fieldset>
          <legend>{say(['可变更的内容（只能放宽）', 'Changes allowed (loosening only)'])}</legend>
          <FormFields
            of={form}
            names={[
              'name',
              'end_at',
              'quantity',
              'use_limit',
              'budget',
              'limit_member',
              'limit_phone',
              'limit_device',
            ]}
          />
          <FormFields of={form} names={['note', 'why']} wide />
        </fieldset>
      </PageForm>
    </FormPage>
  )
}
/** A batch that can't be changed now: it has ended, or waits for an audit. */
export const BatchShown = ({ now }: { now: BatchRow }) => {
  const say = useSay()
  const rows = useMemo(() => [now], [now])
  useSubject(useMemo(() => ({ rows }), [rows]))
  return (
    <FormPage
      actions={Object.values(actions)}
      rows={rows}
      notes={
        <>
          <Badge tone={now.status === 'ended' ? 'plain' : 'info'}>
            {now.status === 'ended'
              ? say(batchStates.ended)
              : say(['审核中，撤回后可修改', 'In audit: withdraw it to change it'])}
          </Badge>
          <Out row={now} />
        </>
      }
    >
      <Inspector title={now.name} still>
        <BatchFacts row={now} />
      </Inspector>
    </FormPage>
  )
}
