import { z } from 'zod'
import {
  groupStates,
  rewardEnds,
  rewardStates,
  type GroupState,
  type RewardEnd,
  type RewardState,
} from '#src/areas/group/rollGroup.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { orderFinds } from '#src/contract/finds.ts'
import {
  batchResult,
  cents,
  id,
  lines,
  listOf,
  page,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'
import type { Text } from '#src/domain/text.ts'
import { groupLook, orderRow } from './orderRow.ts'
import { BATCH_MAX, codeDetailCalls, decideCalls, orderCalls } from './shared.ts'
import { shipCalls } from './ship.ts'

/** A group of buyers as a row of its own: who leads it, who paid, what is still owed. */
const groupRow = z.object({
  id,
  group_id: id,
  group: groupLook,
  product_id: id,
  title: z.string(),
  city_name: z.string(),
  mall_name: z.string(),
  leader_name: z.string(),
  unpaid_n: z.int(),
  group_price_cents: cents,
  single_price_cents: cents,
  paid_cents: cents,
  refunded_cents: cents,
  /**
   * Payers of a failed group who have not got everything back yet, and refunds that the channel
   * refused.
   */
  owing_n: z.int(),
  payout_failed_n: z.int(),
  ended_at: unix.nullable(),
  ended_by: z.string(),
  end_reason: z.string().nullable(),
  extended: z.boolean(),
  /** Whether whoever leads it goes free, how that stands, and what it came to. */ leader_free:
    z.boolean(),
  reward_state: z.enum(Object.keys(rewardStates) as [RewardState]),
  reward_cents: cents.nullable(),
  created_at: unix,
  version,
})
export type GroupRow = z.output<typeof groupRow>
/** What the group actions take: a row of either list. */
export const inGroup = z.object({ group_id: id.nullable(), group: groupLook.nullable() })

/** A row of the groups; one of the orders knows nothing of the reward. */
export const ofReward = z.object({
  group_id: id.nullable(),
  reward_state: z.enum(Object.keys(rewardStates) as [RewardState]).optional(),
  reward_cents: cents.nullable().optional(),
})

/** Quick filters of the list of groups. */
export const groupQuicks = {
  ending: ['2 小时内到期', 'Ending in 2 h'],
  owing: ['未成团、退款未完', 'Failed, refund not finished'],
  unused: ['已成团未使用', 'Formed, not used'],
  reward_due: ['免单待返还', 'Leader’s reward due'],
  reward_back: ['免单待追回', 'Leader’s reward to take back'],
} as const satisfies Record<string, Text>
export type GroupQuick = keyof typeof groupQuicks
const groupFilters = {
  state: z.enum(['all', ...Object.keys(groupStates)] as ['all', ...GroupState[]]).default('all'),
  /** A group's number, or whatever finds one of its orders. */
  q: searched(200).optional(),
  city_id: id.optional(),
  quick: z.enum(Object.keys(groupQuicks) as [GroupQuick]).optional(),
}

const reason = lines(255, 2)
const ended = z.object({
  group_id: id,
  state: z.enum(Object.keys(groupStates) as [GroupState]),
  version,
})
const touches = ['order', 'refund'] as const
export const rollBuy = {
  ...orderCalls('rollBuy', '拼团订单', 'Multi-person orders'),
  ...decideCalls('rollBuy'),
  groups: read('order/rollBuy/groups', ['拼团列表', 'Groups'], {
    input: z.object({ ...groupFilters, ...page }),
    output: listOf(groupRow),
    touches: ['order'],
    finds: orderFinds,
    scope: placed('roll_group'),
    permit: 'order.rollBuy.view',
  }),
  groupCounts: read('order/rollBuy/groupCounts', ['拼团计数', 'Group counts'], {
    input: z.object(groupFilters),
    output: z.record(z.string(), z.int()),
    touches: ['order'],
    finds: orderFinds,
    scope: placed('roll_group'),
    permit: 'order.rollBuy.view',
  }),
  /** One group with all of its seats, closed and refunded ones too. */
  seats: read('order/rollBuy/seats', ['同团席位', 'Seats of a group'], {
    input: z.object({ group_id: id }),
    output: z.object({ group: groupRow, sale_end_at: unix, seats: z.array(orderRow) }),
    touches: ['order', 'refund'],
    scope: placed('roll_group', { group_id: 'roll_group' }),
    permit: 'order.rollBuy.view',
  }),
  forceSuccess: write('order/rollBuy/forceSuccess', ['手动成团', 'Complete group'], {
    input: z.object({ group_id: id, reason }),
    output: ended,
    touches: [...touches],
    scope: placed('roll_group', { group_id: 'roll_group' }),
    permit: 'order.rollBuy.forceSuccess',
  }),
  forceFail: write('order/rollBuy/forceFail', ['手动解散', 'Dissolve group'], {
    input: z.object({ group_id: id, reason }),
    output: ended,
    touches: [...touches],
    scope: placed('roll_group', { group_id: 'roll_group' }),
    permit: 'order.rollBuy.forceFail',
  }),
  extendGroup: write('order/rollBuy/extendGroup', ['延长拼团时间', 'Extend group time'], {
    input: z.object({ group_id: id, until: unix, reason }),
    output: ended,
    touches: [...touches],
    scope: placed('roll_group', { group_id: 'roll_group' }),
    permit: 'order.rollBuy.extendGroup',
  }),
  endReward: write('order/rollBuy/endReward', ['了结团长免单', 'Settle what a leader owes'], {
    input: z.object({ group_id: id, as: z.enum(Object.keys(rewardEnds) as [RewardEnd]), reason }),
    output: z.object({
      group_id: id,
      reward_state: z.enum(Object.keys(rewardStates) as [RewardState]),
      version,
    }),
    touches: ['order'],
    scope: placed('roll_group', { group_id: 'roll_group' }),
    permit: 'order.rollBuy.endReward',
  }),
  batchRetryRefund: write(
    'order/rollBuy/batchRetryRefund',
    ['批量重试退款', 'Pay failed refunds of several again'],
    {
      input: z.object({ ids: z.array(id).min(1).max(BATCH_MAX) }),
      output: batchResult,
      touches: [...touches],
      scope: placed('order', 'ids'),
      permit: 'order.rollBuy.batchRetryRefund',
    },
  ),
}
const { refund, verifyForStore, reverseVerify } = codeDetailCalls('rollBuy')
const { couriers, ship } = shipCalls('rollBuy/detail')
export const rollBuyDetail = {
  refund,
  verifyForStore,
  reverseVerify,
  couriers,
  ship,
}
