import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { comboRefund, eRefundDetail, orderDetailOf } from '#commands/pages/order.ts'
import { chargePage, moneyJournal, settleDetail, withdrawPage } from '#commands/pages/settle.ts'
import { statementOf, traceOf } from '#commands/settle/flow.ts'
import { accountKinds, type Business } from '#src/areas/ledger/ledger.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import type { WithdrawalState } from '#src/areas/payout/withdrawing.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { flow as calls, type FlowLine } from '../contract/flow.ts'
import './flow.css'

/** The number of an order: to its own page for whoever may open it. */
export const OrderNo = ({ kind, id, no }: { kind: OrderKind; id: number; no: string }) => {
  const { me } = useWorkbench()
  const page = orderDetailOf(kind)
  const shown = <span className="m-num">{no}</span>
  return page && me.can(page.permit) ? <Link href={to(page, { id })}>{shown}</Link> : shown
}
/** What leads to a page for whoever may open it, and stands as it is for others. */
const Leading = ({ href, permit, no }: { href: string; permit: string; no: string }) => {
  const { me } = useWorkbench()
  const shown = <span className="m-num">{no}</span>
  return me.can(permit) ? <Link href={href}>{shown}</Link> : shown
}
/** The number of a transaction: to its lines. */
export const TxnNo = ({ no }: { no: string }) => (
  <Leading href={to(moneyJournal, { no })} permit={moneyJournal.permit} no={no} />
)
/** The number of a payment: to what the channel's bill says of it. */
export const BilledNo = ({ no }: { no: string }) => (
  <Leading href={to(moneyJournal, { view: 'recon', no })} permit={moneyJournal.permit} no={no} />
)
/** The number of a refund: to its own file, or to its order, where that shows it. */
export const RefundNo = ({ of, order }: RefundOf) => {
  if (order.kind === 'elist')
    return (
      <Leading
        href={to(eRefundDetail, { id: of.id })}
        permit={eRefundDetail.permit}
        no={of.refund_no}
      />
    )
  if (order.kind === 'combo')
    return (
      <Leading
        href={to(comboRefund, { keyword: of.refund_no })}
        permit={comboRefund.permit}
        no={of.refund_no}
      />
    )
  return <OrderNo kind={order.kind} id={order.id} no={of.refund_no} />
}
type RefundOf = {
  of: { id: number; refund_no: string }
  order: { id: number; kind: OrderKind }
}
const charges: readonly Business[] = ['charge_in', 'charge_out', 'deposit']
/** The number of the document of a transaction: to the batch, the withdrawal or the charge. */
export const DocumentNo = ({ biz, no, withdrawal }: DocumentOf) => {
  if (withdrawal)
    return (
      <Leading
        href={to(withdrawPage, { status: withdrawal, keyword: no })}
        permit={withdrawPage.permit}
        no={no}
      />
    )
  if (biz === 'settle')
    return <Leading href={to(settleDetail, { keyword: no })} permit={settleDetail.permit} no={no} />
  if (charges.includes(biz))
    return <Leading href={to(chargePage, { keyword: no })} permit={chargePage.permit} no={no} />
  return <span className="m-num">{no || '—'}</span>
}
type DocumentOf = { biz: Business; no: string; withdrawal: WithdrawalState | null }
/** The number of an order: to where its money is. */
export const Traced = ({ no }: { no: string }) => {
  const { me } = useWorkbench()
  const shown = <span className="m-num">{no}</span>
  return me.can(calls.trace.permit) ? <Link href={traceOf(no)}>{shown}</Link> : shown
}
/** An account by its name and its owner: to its statement. */
const AccountName = ({ of }: { of: Pick<FlowLine, 'account_id' | 'kind' | 'owner'> }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const shown: ReactNode = (
    <>
      {say(accountKinds[of.kind])}
      {of.owner && <span className="m-muted"> {of.owner}</span>}
    </>
  )
  return me.can(calls.accountView.permit) ? (
    <Link href={statementOf(of.account_id)}>{shown}</Link>
  ) : (
    shown
  )
}
/** The debit and credit lines of a transaction, each with what its account holds then. */
export const Lines = ({ lines }: { lines: readonly FlowLine[] }) => (
  <SmallTable
    head={[
      ['账户', 'Account'],
      ['借', 'Debit'],
      ['贷', 'Credit'],
      ['余额', 'Balance'],
    ]}
    rows={lines}
    keyOf={one => one.id}
    cells={one => [
      <AccountName key="account" of={one} />,
      one.amount_cents > 0 ? <Money key="debit" cents={one.amount_cents} /> : '',
      one.amount_cents < 0 ? <Money key="credit" cents={-one.amount_cents} /> : '',
      <Balance key="balance" cents={one.balance_after_cents} />,
    ]}
  />
)
/** A balance with the side it is on: 借 100.00, 贷 100.00, 平. */
export const Balance = ({ cents }: { cents: number | null }) => {
  const say = useSay()
  if (cents === null) return <Money cents={null} />
  if (cents === 0) return <span className="m-muted">{say(['平', 'Nil'])}</span>
  return (
    <span className="st-balance">
      <span className="m-muted">{cents > 0 ? say(['借', 'Dr']) : say(['贷', 'Cr'])}</span>{' '}
      <Money cents={Math.abs(cents)} />
    </span>
  )
}
