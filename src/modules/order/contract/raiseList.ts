import { z } from 'zod'
import {
  depositRules,
  forfeitCauses,
  raiseEnds,
  raiseModes,
  raiseStates,
  targetTypes,
  type DepositRule,
  type ForfeitCause,
  type RaiseEnd,
  type RaiseMode,
  type RaiseState,
  type TargetType,
} from '#src/areas/raise/raise.ts'
import { refundStates, type RefundState } from '#src/areas/refund/refund.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { orderFinds } from '#src/contract/finds.ts'
import { cents, id, lines, listOf, page, searched, unix, version } from '#src/contract/shapes.ts'
import type { Text } from '#src/domain/text.ts'
import { orderRow, raiseLook } from './orderRow.ts'
import { decideCalls, orderCalls, sentGoods } from './shared.ts'
import { addressCalls, shipCalls } from './ship.ts'

const keys = <K extends string>(of: Readonly<Record<K, Text>>) =>
  z.enum(Object.keys(of) as [K, ...K[]])
/** Money paid and not given back, and the units behind it: counted from orders. */
const raised = z.object({ units: z.int(), cents })
/**
 * A campaign as a row of its own: where it stands, where it goes, what is still owed on either
 * side.
 */
const batchRow = z.object({
  id,
  batch_id: id,
  raise: raiseLook,
  product_id: id,
  product_title: z.string(),
  merchant_name: z.string(),
  city_name: z.string(),
  mall_name: z.string(),
  raised,
  /** The part of it that came in the last seven days. */ lately: raised,
  backers: z.int(),
  taken_units: z.int(),
  unpaid_n: z.int(),
  owed_n: z.int(),
  owed_cents: cents,
  to_ship_n: z.int(),
  shipped_n: z.int(),
  refund_open_n: z.int(),
  /** Payers of a failed campaign who have not got everything back, and refunds that the channel refused. */ owing_n:
    z.int(),
  payout_failed_n: z.int(),
  kept_cents: cents,
  declare_by: z.string(),
  declare_id: id.nullable(),
  declare_reason: z.string().nullable(),
  declare_at: unix.nullable(),
  end_by: keys<RaiseEnd>(raiseEnds).nullable(),
  ended_at: unix.nullable(),
  ended_by: z.string(),
  end_reason: z.string().nullable(),
  created_at: unix,
  version,
})
export type BatchRow = z.output<typeof batchRow>
/** What the actions on campaigns take: a row of either list. */
export const inRaise = z.object({ batch_id: id.nullable(), raise: raiseLook.nullable() })

export const batchQuicks = {
  ending: ['3 天内截止', 'Ending in 3 days'],
  declared: ['待确认成功', 'Success to be agreed to'],
  owing: ['失败、退款未完', 'Failed, refunds not finished'],
  late: ['已过发货日', 'Past its day of shipping'],
} as const satisfies Record<string, Text>
export type BatchQuick = keyof typeof batchQuicks
const batchFilters = {
  state: z.enum(['all', ...Object.keys(raiseStates)] as ['all', ...RaiseState[]]).default('all'),
  /** Words of its title, or whatever finds one of its orders. */
  q: searched(200).optional(),
  city_id: id.optional(),
  mode: keys<RaiseMode>(raiseModes).optional(),
  quick: keys<BatchQuick>(batchQuicks).optional(),
}

const reason = lines(255, 2)
const touches = ['order', 'refund']
const moved = z.object({ batch_id: id, state: keys<RaiseState>(raiseStates), version })
const permit = (verb: string) => `order.raiseList.${verb}`
const { couriers, ship, readSheet, batchShip } = shipCalls('raiseList')
export const raiseList = {
  ...orderCalls('raiseList', '众筹订单', 'Crowd presale orders'),
  ...decideCalls('raiseList'),
  couriers,
  ship,
  readSheet,
  batchShip,
  batches: read('order/raiseList/batches', ['众筹场次', 'Campaigns'], {
    input: z.object({ ...batchFilters, ...page }),
    output: listOf(batchRow),
    touches: ['order'],
    scope: placed('raise_batch'),
    finds: orderFinds,
    permit: permit('view'),
  }),
  batchCounts: read('order/raiseList/batchCounts', ['众筹场次计数', 'Campaign counts'], {
    input: z.object(batchFilters),
    output: z.record(z.string(), z.int()),
    touches: ['order'],
    scope: placed('raise_batch'),
    finds: orderFinds,
    permit: permit('view'),
  }),
  batch: read('order/raiseList/batch', ['一场众筹', 'A campaign'], {
    input: z.object({ batch_id: id }),
    output: batchRow,
    touches: ['order', 'refund'],
    scope: placed('raise_batch', { batch_id: 'raise_batch' }),
    permit: permit('view'),
  }),
  campaigns: read('order/raiseList/campaigns', ['可选场次', 'Campaigns to choose'], {
    input: z.object({ keyword: searched(60).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['order'],
    scope: placed('raise_batch'),
    permit: permit('view'),
  }),
  /**
   * What was promised to the buyer of one order, where its campaign stood when it was paid, what
   * became of its deposit, and what a refund would give back now.
   */
  terms: read('order/raiseList/terms', ['众筹约定', 'What was promised'], {
    input: z.object({ id }),
    output: z.object({
      batch: batchRow,
      promised: z
        .object({
          title: z.string(),
          mode: keys<RaiseMode>(raiseModes),
          target_type: keys<TargetType>(targetTypes),
          target: cents,
          deposit_cents: cents,
          deposit_rule: keys<DepositRule>(depositRules),
          end_at: unix,
          balance_end_at: unix.nullable(),
          ship_at: unix,
        })
        .nullable(),
      at_pay: raised.nullable(),
      forfeits: z.array(
        z.object({
          id,
          cause: keys<ForfeitCause>(forfeitCauses),
          amount_cents: cents,
          merchant_cents: cents,
          platform_cents: cents,
          state: z.enum(['valid', 'returned']),
          at: unix,
          returned_at: unix.nullable(),
        }),
      ),
      /** `free`: the goods are so late that everything goes back. */
      back: z.object({ cents, kept_cents: cents, free: z.boolean() }).nullable(),
    }),
    touches: ['order', 'refund'],
    scope: placed('order', 'id'),
    permit: permit('view'),
  }),
  extendRaise: write('order/raiseList/extendRaise', ['延长众筹', 'Extend campaign'], {
    input: z.object({ batch_id: id, until: unix, reason }),
    output: moved,
    touches,
    scope: placed('raise_batch', { batch_id: 'raise_batch' }),
    permit: permit('extendRaise'),
  }),
  /** Below the target the first person asks and another agrees, by the same call. */
  declareSuccess: write('order/raiseList/declareSuccess', ['宣布众筹成功', 'Declare success'], {
    input: z.object({ batch_id: id, reason }),
    output: moved,
    touches,
    scope: placed('raise_batch', { batch_id: 'raise_batch' }),
    permit: permit('declareSuccess'),
  }),
  closeRaise: write('order/raiseList/closeRaise', ['宣布失败并退款', 'Close and refund all'], {
    input: z.object({ batch_id: id, reason }),
    output: moved,
    touches,
    scope: placed('raise_batch', { batch_id: 'raise_batch' }),
    permit: permit('closeRaise'),
  }),
  remindBalance: write(
    'order/raiseList/remindBalance',
    ['提醒付尾款', 'Remind to pay the balance'],
    {
      input: z.object({ batch_id: id }),
      output: z.object({ batch_id: id, sent: z.int() }),
      touches: ['order'],
      scope: placed('raise_batch', { batch_id: 'raise_batch' }),
      permit: permit('remindBalance'),
    },
  ),
  delayShip: write('order/raiseList/delayShip', ['延期发货公告', 'Announce a shipping delay'], {
    input: z.object({ batch_id: id, new_ship_at: unix, reason }),
    output: moved,
    touches: ['order'],
    scope: placed('raise_batch', { batch_id: 'raise_batch' }),
    permit: permit('delayShip'),
  }),
}

const on = (verb: string) => `order.raiseList.detail.${verb}`
const refunded = z.object({
  id,
  refund_id: id,
  refund_no: z.string(),
  amount_cents: cents,
  state: keys<RefundState>(refundStates),
})
const { couriers: couriersHere, ship: shipHere, editTracking } = shipCalls('raiseList/detail')
export const raiseDetail = {
  couriers: couriersHere,
  ship: shipHere,
  editTracking,
  ...addressCalls('raiseList/detail'),
  extendBalance: write(
    'order/raiseList/detail/extendBalance',
    ['延长尾款期限', 'Extend balance deadline'],
    {
      input: z.object({ id, version, until: unix, reason }),
      output: z.object({ id, status: orderRow.shape.status, version }),
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: on('extendBalance'),
    },
  ),
  /** The deposit, though it might be kept: then another person must agree, by the same call. */
  refundDeposit: write('order/raiseList/detail/refundDeposit', ['退定金', 'Refund the deposit'], {
    input: z.object({ id, version, reason }),
    output: refunded,
    touches,
    scope: placed('order', 'id'),
    permit: on('refundDeposit'),
  }),
  /** Without an amount all that may go back by the campaign's word. */
  refund: write('order/raiseList/detail/refund', ['发起退款', 'Refund'], {
    input: z.object({ id, version, amount_cents: cents.min(1).optional(), ...sentGoods, reason }),
    output: refunded,
    touches,
    scope: placed('order', 'id'),
    permit: on('refund'),
  }),
}
