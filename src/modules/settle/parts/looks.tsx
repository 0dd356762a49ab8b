import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { orderDetailOf } from '#commands/pages/order.ts'
import { statementOf, traceOf } from '#commands/settle/flow.ts'
import { accountKinds } from '#src/areas/ledger/ledger.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { flow as calls, type FlowLine } from '../contract/flow.ts'

/** The number of an order: to its own page for whoever may open it. */
export const OrderNo = ({ kind, id, no }: { kind: OrderKind; id: number; no: string }) => {
  const { me } = useWorkbench()
  const page = orderDetailOf(kind)
  const shown = <span className="m-num">{no}</span>
  return page && me.can(page.permit) ? <Link href={to(page, { id })}>{shown}</Link> : shown
}
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
