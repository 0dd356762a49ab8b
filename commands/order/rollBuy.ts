import { z } from 'zod'
import { groupCan, rewardEnds, type GroupVerb, type RewardEnd } from '#src/areas/group/rollGroup.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/orderRow.ts'
import {
  inGroup,
  ofReward,
  rollBuy as calls,
  rollBuyDetail as detailCalls,
} from '#src/modules/order/contract/rollBuy.ts'
import { codeDetailCalls } from '#src/modules/order/contract/shared.ts'
import { action, ask, to, type Action, inAll } from '../command.ts'
import { rollBuy, rollBuyDetail } from '../pages/order.ts'
import {
  ROWS_A_CALL,
  codeDetailActions,
  decidePosted,
  one,
  orderActions,
  payoutFailed,
  reason,
  refundSent,
  sentBack,
  sentBackOf,
} from './shared.ts'
import { shipAction } from './ship.ts'

/** The two views of the page; one of them stands in its address. */
export const rollBuyViews = {
  orders: ['订单', 'Orders'],
  groups: ['团', 'Groups'],
} as const satisfies Record<string, Text>
export type RollBuyView = keyof typeof rollBuyViews
export const rollBuyViewActions = {
  orders: action('order.rollBuy.orders', {
    title: '看订单',
    en: 'Show orders',
    key: '1',
    at: rollBuy,
  }),
  groups: action('order.rollBuy.byGroup', {
    title: '看团',
    en: 'Show groups',
    key: '2',
    at: rollBuy,
  }),
}

const elsewhere: Text = ['先切到订单', 'Show the orders first']
/** A row of the groups is no order: an action on orders says where they are. */
const onOrders = <A extends Action>(of: A): A => ({
  ...of,
  when: (row: object, me: never) => ('kind' in row ? (of.when?.(row, me) ?? true) : elsewhere),
})
const groupVerb =
  (verb: GroupVerb) =>
  ({ group }: z.output<typeof inGroup>): true | Text =>
    group ? groupCan(verb, group) : ['不在任何团中', 'Not in a group']
const ofGroup = (rows: readonly z.output<typeof inGroup>[]) => ({ group_id: rows[0]!.group_id! })
const also = [rollBuyDetail]
const shared = orderActions(calls, rollBuy, rollBuyDetail)
/** What groups can have: from a row of either list, and from the page of one order. */
export const groupActions = {
  forceSuccess: action(calls.forceSuccess, {
    title: '手动成团',
    en: 'Complete group',
    key: 'a',
    main: true,
    at: rollBuy,
    also,
    on: inGroup,
    takes: 'row',
    when: groupVerb('forceSuccess'),
    asks: reason,
    input: (rows, asked) => ({ ...ofGroup(rows), ...asked }),
  }),
  forceFail: action(calls.forceFail, {
    title: '手动解散',
    en: 'Dissolve group',
    key: 'd',
    danger: true,
    main: true,
    at: rollBuy,
    also,
    on: inGroup,
    takes: 'row',
    when: groupVerb('forceFail'),
    asks: reason,
    input: (rows, asked) => ({ ...ofGroup(rows), ...asked }),
  }),
  extendGroup: action(calls.extendGroup, {
    title: '延长拼团时间',
    en: 'Extend group time',
    key: 'e',
    at: rollBuy,
    also,
    on: inGroup,
    takes: 'row',
    when: groupVerb('extendGroup'),
    asks: {
      until: ask.time({
        label: ['新的截止时间', 'New end'],
        hint: [
          '只能延长，且不超过商品的售卖截止时间',
          'Can only be extended, not past the product’s sale end',
        ],
        initial: rows => {
          const group = (rows[0] as OrderRow | undefined)?.group
          return group ? group.expire_at + DAY : undefined
        },
      }),
      ...reason,
    },
    input: (rows, asked) => ({ ...ofGroup(rows), until: asked.until!, reason: asked.reason }),
  }),
}
const elsewhereGroups: Text = ['先切到团', 'Show the groups first']
/** What only a row of the groups can have. */
export const groupRowActions = {
  endReward: action(calls.endReward, {
    title: '了结团长免单',
    en: 'Settle the leader’s free order',
    key: 'q',
    danger: true,
    at: rollBuy,
    on: ofReward,
    takes: 'row',
    when: row => {
      if (row.reward_state === undefined) return elsewhereGroups
      return row.reward_state === 'clawed' || ['没有待追回的免单', 'No free order to recover']
    },
    tells: ([row]) =>
      row?.reward_cents
        ? [
            ['应追回 ¥{cents}', '¥{cents} to be recovered'],
            { cents: yuan(row.reward_cents) },
            row.reward_cents,
          ]
        : undefined,
    asks: { as: ask.choice({ label: ['结果', 'Outcome'], options: rewardEnds }), ...reason },
    input: (rows, asked) => ({
      group_id: rows[0]!.group_id!,
      as: asked.as as RewardEnd,
      reason: asked.reason,
    }),
  }),
}
type Sent = Parameters<typeof sentBackOf>[0] & { reason: string }
const decide = decidePosted(calls, rollBuy, rollBuyDetail)
export const rollBuyActions = {
  refund: onOrders(refundSent(calls, rollBuy)),
  retryRefund: onOrders(decide.retryRefund),
  approveRefund: onOrders(decide.approveRefund),
  refuseRefund: onOrders(decide.refuseRefund),
  batchRetryRefund: onOrders(
    action(calls.batchRetryRefund, {
      title: '批量重试退款',
      en: 'Retry selected refunds',
      key: 'shift+f',
      at: rollBuy,
      on: orderRow,
      most: ROWS_A_CALL,
      tells: inAll,
      when: payoutFailed,
      input: rows => ({ ids: rows.map(row => row.id) }),
    }),
  ),
  remark: onOrders(shared.remark),
  freeze: onOrders(shared.freeze),
  unfreeze: onOrders(shared.unfreeze),
  cancel: onOrders(shared.cancel),
  revealPhone: onOrders(shared.revealPhone),
  export: shared.export,
}

/** What was chosen on its page: codes, or of a posted order how many units. */
type Units = OrderRow & { code_ids?: number[]; items?: { id: number; qty: number }[] }
const {
  refund: whole,
  verifyForStore,
  reverseVerify,
} = codeDetailActions({ ...codeDetailCalls('rollBuy'), ...detailCalls }, calls, rollBuyDetail)
type Mate = OrderRow & { mate_id?: number }
export const rollBuyDetailActions = {
  refund: {
    ...whole,
    title: '发起退款',
    en: 'Refund',
    asks: { ...sentBack, ...reason },
    input: (rows: readonly OrderRow[], asked: Sent) => {
      const { code_ids, items } = rows[0] as Units
      return {
        ...one(rows),
        ...(code_ids?.length ? { code_ids } : items?.length && { items }),
        ...sentBackOf(asked),
        reason: asked.reason,
      }
    },
  },
  verifyForStore,
  reverseVerify,
  ship: shipAction(detailCalls, rollBuyDetail, { main: false }),
  openGroupMate: action('order.rollBuy.detail.openGroupMate', {
    title: '打开同团订单',
    en: 'Open a group order',
    key: 'o',
    at: rollBuyDetail,
    on: orderRow,
    takes: 'row',
    when: row =>
      (row as Mate).mate_id === undefined ? ['没有其他席位', 'No other members'] : true,
    to: rows => to(rollBuyDetail, { id: (rows[0] as Mate).mate_id! }),
  }),
}
