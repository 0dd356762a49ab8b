import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { orderDetailOf } from '#commands/pages/order.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { useWorkbench } from '#src/kit/workbench.ts'

/**
 * A way to the page of an order of any kind, for whoever may open it; for others, and of kinds that
 * have no page, what it stands on.
 */
export const OrderLink = ({
  kind,
  id,
  children,
}: {
  kind: OrderKind
  id: number
  children: ReactNode
}) => {
  const { me } = useWorkbench()
  const page = orderDetailOf(kind)
  return page && me.can(page.permit) ? (
    <Link href={to(page, { id })}>{children}</Link>
  ) : (
    <>{children}</>
  )
}
