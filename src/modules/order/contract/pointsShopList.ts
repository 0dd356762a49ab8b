import { z } from 'zod'
import {
  issueStates,
  pointsKinds,
  pointsMoves,
  type IssueState,
  type PointsKind,
  type PointsMove,
} from '#src/areas/points/points.ts'
import {
  refundStates,
  returnConditions,
  type RefundState,
  type ReturnCondition,
} from '#src/areas/refund/refund.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { batchResult, cents, id, lines, text, unix, version } from '#src/contract/shapes.ts'
import { orderStatus } from './orderRow.ts'
import { BATCH_MAX, decideCalls, orderCalls } from './shared.ts'
import { addressCalls, shipCalls } from './ship.ts'

const one = { id, version }
const reason = lines(255, 2)
const changed = z.object({ id, status: orderStatus, version })
const refunded = z.object({
  id,
  refund_no: z.string().nullable(),
  amount_cents: cents,
  points_back: z.int(),
  state: z.enum(Object.keys(refundStates) as [RefundState]).nullable(),
})
const permit = (verb: string) => `order.pointsShopList.${verb}`
/** Those of any order list; its own ways to give back stand below. */
export const ordersOfPoints = orderCalls('pointsShopList', '积分商城订单', 'Points-shop orders')
const { cancel: _, refund: __, ...shared } = ordersOfPoints
const { editTracking: ___, ...ship } = shipCalls('pointsShopList')

export const pointsShopList = {
  ...shared,
  ...ship,
  ...decideCalls('pointsShopList'),
  // Four that ask a channel between their steps: they log themselves (server/pointsShopList.ts).
  /** Unpaid, or nothing of it given out yet: points, and cash if some was paid, go back. */
  cancel: write('order/pointsShopList/cancel', ['取消并退积分', 'Cancel and return points'], {
    input: z.object({ ...one, reason }),
    output: refunded,
    touches: ['order', 'refund'],
    scope: placed('order', 'id'),
    permit: permit('cancel'),
    quiet: true,
    apart: true,
  }),
  /**
   * What was given out: goods must have come back, in what state is said; a coupon that nobody used
   * is taken back.
   */
  refund: write('order/pointsShopList/refund', ['退积分与现金', 'Refund points and cash'], {
    input: z.object({
      ...one,
      returned: z.enum(Object.keys(returnConditions) as [ReturnCondition]).optional(),
      reason,
    }),
    output: refunded,
    touches: ['order', 'refund'],
    scope: placed('order', 'id'),
    permit: permit('refund'),
    quiet: true,
    apart: true,
  }),
  /** Only what failed for good: the channel is asked first whether it was issued after all. */
  reissue: write('order/pointsShopList/reissue', ['重新发放', 'Issue again'], {
    input: z.object({ ...one, reason }),
    output: changed,
    touches: ['order', 'issue'],
    scope: placed('order', 'id'),
    permit: permit('reissue'),
    quiet: true,
    apart: true,
  }),
  batchReissue: write(
    'order/pointsShopList/batchReissue',
    ['批量重新发放', 'Issue several again'],
    {
      input: z.object({ ids: z.array(id).min(1).max(BATCH_MAX) }),
      output: batchResult,
      touches: ['order', 'issue'],
      scope: placed('order', 'ids'),
      permit: permit('batchReissue'),
      quiet: true,
      apart: true,
    },
  ),
  confirmPickup: write('order/pointsShopList/confirmPickup', ['确认领取', 'Picked up'], {
    input: z.object({ ...one, code: text(40) }),
    output: z.object({ id, record_id: id, units: z.int() }),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('confirmPickup'),
  }),
}

const move = z.object({
  id,
  kind: z.enum(Object.keys(pointsMoves) as [PointsMove]),
  delta: z.int(),
  balance_after: z.int(),
  biz_no: z.string(),
  at: unix,
})
export type Move = z.output<typeof move>
export const pointsShopDetail = {
  ...addressCalls('pointsShopList/detail'),
  /** What was exchanged, the moves of points that came of it, and what channels answered. */
  exchange: read('order/pointsShopList/detail/exchange', ['兑换详情', 'The exchange'], {
    input: z.object({ id }),
    output: z.object({
      goods: z
        .object({
          kind: z.enum(Object.keys(pointsKinds) as [PointsKind]),
          points_price: z.int(),
          cash_cents: cents,
          free: z.int(),
          limit_per_member: z.int().nullable(),
        })
        .nullable(),
      points_used: z.int(),
      points_returned: z.int(),
      balance: z.int(),
      moves: z.array(move),
      attempts: z.array(
        z.object({
          id,
          out_no: z.string(),
          state: z.enum(Object.keys(issueStates) as [IssueState]),
          answer: z.string(),
          channel_no: z.string().nullable(),
          by: z.string(),
          reason: z.string().nullable(),
          tries: z.int(),
          at: unix,
          answered_at: unix.nullable(),
        }),
      ),
    }),
    touches: ['order', 'refund'],
    scope: placed('order', 'id'),
    permit: permit('detail.view'),
  }),
  /** The last moves of the member's points, whatever they came of. */
  ledger: read('order/pointsShopList/detail/ledger', ['积分流水', 'Points ledger'], {
    input: z.object({ id }),
    output: z.object({ balance: z.int(), moves: z.array(move) }),
    touches: ['order', 'refund'],
    scope: placed('order', 'id'),
    permit: permit('detail.view'),
  }),
}
