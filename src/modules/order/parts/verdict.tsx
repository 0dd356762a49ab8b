import type { ReactNode } from 'react'
import { payWays, type PayWay } from '#src/areas/order/order.ts'
import { refundRejects } from '#src/areas/refund/refund.ts'
import { yuan } from '#src/domain/money.ts'
import { comma } from '#src/domain/text.ts'
import type { ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ERefundRow } from '../contract/eRefundRow.ts'
import { useFault, useWord } from './cases.tsx'

/** What a decision on a case would do, in the tone of its weight. */
export const VerdictLine = ({ tone, children }: { tone: ToneName; children: ReactNode }) => (
  <div className="r-verdict" data-tone={tone} role="status">
    {children}
  </div>
)
export const Sum = ({ cents }: { cents: number }) => <b>¥{yuan(cents)}</b>
export const Frozen = () => {
  const say = useSay()
  return <>{say(['订单已冻结，解冻前不能处理', 'The order is frozen: nothing can be decided'])}</>
}
/** Where the money goes at once, or that another person must agree to it. */
export const PaysBack = ({
  amount_cents,
  limit_cents,
  paid,
}: {
  amount_cents: number
  limit_cents: number
  paid: readonly { channel: PayWay }[]
}) => {
  const say = useSay()
  const way = [...new Set(paid.map(one => say(payWays[one.channel])))].join(say(comma))
  return (
    <>
      {amount_cents > limit_cents
        ? say(
            [
              '超过你的额度 ¥{max}，同意后转他人复核',
              'Above your ¥{max}: another person must agree to',
            ],
            { max: yuan(limit_cents) },
          )
        : say(
            [
              '同意后立即原路退回{way}，不可撤回',
              'Approving pays it back at once by {way}; it can’t be undone',
            ],
            { way },
          )}{' '}
      <Sum cents={amount_cents} />
    </>
  )
}
/** The first person agreed: a second one decides. */
export const AgreedOnce = ({ by }: { by: string }) => {
  const say = useSay()
  return (
    <>{say(['{who} 已同意，须另一人复核', '{who} agreed; another person must too'], { who: by })}</>
  )
}
export const FailedPay = ({
  row,
}: {
  row: Pick<ERefundRow, 'fail_code' | 'fail_text' | 'fails' | 'amount_cents'>
}) => {
  const say = useSay()
  const fault = useFault()
  return (
    <>
      {fault(row)} {say(['（失败 {n} 次）', '(failed {n} times)'], { n: row.fails })}{' '}
      <Sum cents={row.amount_cents} />
    </>
  )
}
export const Refusal = ({ row }: { row: Pick<ERefundRow, 'reject_code' | 'reject_reason'> }) => {
  const word = useWord()
  return (
    <>
      {word(refundRejects, row.reject_code, '')}
      {row.reject_reason && <span>{row.reject_reason}</span>}
    </>
  )
}
