import { and, eq } from 'drizzle-orm'
import { givenAlone, needReason } from '#src/areas/afterSalePolicy/reasons.server.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import {
  approveRefund,
  rejectRefund,
  secondApprove,
  secondReject,
} from '#src/areas/refund/refundCases.server.ts'
import type { Refund } from '#src/areas/refund/refundFacts.server.ts'
import { confirmReturn } from '#src/areas/refund/refundReturns.server.ts'
import type { Decider } from '#src/areas/refund/refunds.server.ts'
import type { Handler, WriteContext } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import type { decideCalls } from '../contract/shared.ts'
import { findOrder, logged } from './held.ts'
import { retryRefunds } from './refundBy.ts'

type Which = { id: number; refund_id: number; refund_version: number; reason?: string }
type Step = { id: number; version: number; by: Decider; now: number }
/** One word about a refund of an order that the reader may see, with its line in the log. */
const decide = async (
  { tx, staff, now, log }: WriteContext,
  kinds: readonly OrderKind[],
  of: Which,
  run: (row: Refund, step: Step) => Promise<Refund>,
) => {
  const order = await findOrder(tx, kinds, of.id, staff)
  const [row] = await tx
    .select()
    .from(refund)
    .where(and(eq(refund.id, of.refund_id), eq(refund.order_id, order.id)))
  if (!row) throw missing()
  const after = await run(row, {
    id: row.id,
    version: of.refund_version,
    by: { id: staff.id, limit_cents: staff.refund_limit_cents },
    now,
  })
  log({
    ...logged(order),
    before: { refund_status: row.state },
    after: {
      refund_no: row.refund_no,
      amount_cents: after.amount_cents,
      refund_status: after.state,
    },
    ...(of.reason && { reason: of.reason }),
  })
  return { id: order.id, refund_id: after.id, state: after.state }
}

/**
 * What whoever decides refunds of orders in stores may say: as the first, or as the second where it
 * is above the first one's limit.
 */
export const decideHandlers = (kinds: readonly OrderKind[]) =>
  ({
    approveRefund: ({ returned, ...of }, context) =>
      decide(context, kinds, of, (row, step) => {
        if (row.state === 'second_audit') return secondApprove(context.tx, step)
        if (row.type !== 'return_refund') return approveRefund(context.tx, step)
        if (!returned)
          throw ruled('return_first', [
            '退货退款：请先收到退货，并选择退货状况',
            'A return: the goods must have come back, say in what state',
          ])
        return confirmReturn(context.tx, { ...step, condition: returned, verb: 'takeBack' })
      }),
    refuseRefund: async ({ reason_code, reason, ...of }, context) => {
      await needReason(context.tx, context.staff, givenAlone(reason_code))
      return decide(context, kinds, { ...of, reason }, (row, step) =>
        row.state === 'second_audit'
          ? secondReject(context.tx, { ...step, reason })
          : rejectRefund(context.tx, { ...step, reason_code, reason, name: context.staff.name }),
      )
    },
    retryRefund: async ({ id }, context) => ({
      id,
      retried: await retryRefunds(context, kinds, id),
    }),
  }) satisfies {
    [K in keyof ReturnType<typeof decideCalls>]: Handler<ReturnType<typeof decideCalls>[K]>
  }
