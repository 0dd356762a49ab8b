import type { couponAuditActions, couponReading } from '#commands/coupon/audit.ts'
import { couponAuditCan } from '#src/areas/coupon/couponAudit.ts'
import { couponRefuseCodes, shortCouponRule } from '#src/areas/coupon/couponAuditRules.ts'
import { couponOffer } from '#src/areas/coupon/couponSentence.ts'
import { couponKinds } from '#src/areas/mall/recommend.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { Choice, Toggle } from '#src/kit/filters.tsx'
import { queueColumns, queuePage } from '#src/kit/queue-page.tsx'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { Filtered } from '#src/kit/uselist.ts'
import type { CouponAuditCalls, CouponAuditItem } from '../contract/audit.ts'
import { CouponSubmission } from './auditSubmission.tsx'

const names = {
  kinds: couponKinds,
  codes: couponRefuseCodes,
  flag: shortCouponRule,
  owner: ['创建人', 'Created by'],
} as const
const Offer = ({ row }: { row: CouponAuditItem }) => (
  // A sum in words is a number too: none of it is cut.
  <span className="m-num">{useSay()(couponOffer(row.terms))}</span>
)
const columns = queueColumns<CouponAuditItem>(
  names,
  ['优惠券', 'Coupon'],
  [
    {
      key: 'offer',
      title: ['优惠', 'Offer'],
      width: 160,
      cell: row => <Offer row={row} />,
    },
    {
      key: 'exposure',
      title: ['最大成本', 'Maximum cost'],
      width: 108,
      priority: 1,
      align: 'end',
      cell: row => <Money cents={row.exposure_cents} />,
    },
  ],
)
const More = ({ list }: { list: Filtered }) => {
  const say = useSay()
  return (
    <>
      <Choice
        of={list}
        by="sort"
        always
        label={say(['排序', 'Order'])}
        options={[
          { value: 'sla', label: say(['按时限', 'By deadline']) },
          { value: 'exposure', label: say(['按最大成本', 'By maximum cost']) },
        ]}
      />
      <Toggle of={list} by="second" label={say(['待财务复审', 'Awaiting finance'])} />
    </>
  )
}
type Of = {
  calls: CouponAuditCalls
  actions: typeof couponAuditActions
  reading: typeof couponReading
  label: Text
}
/** The page of a queue of coupons, whichever scope they have. */
export const couponQueuePage = ({ calls, actions, reading, label }: Of) =>
  queuePage({
    calls,
    actions,
    reading,
    decisions: [
      actions.approve,
      actions.approveKnowing,
      actions.finance,
      actions.reject,
      actions.askMore,
      actions.escalate,
    ],
    columns,
    kinds: couponKinds,
    label,
    placeholder: ['优惠券名称或编号', 'Coupon or number'],
    More,
    mine: (row, me) => couponAuditCan('approve', row, me, unixNow()) === true,
    pictured: () => false,
    View: CouponSubmission,
  })
