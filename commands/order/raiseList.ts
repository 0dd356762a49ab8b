import { z } from 'zod'
import { BALANCE_EXTEND_S, isMet, raiseCan, type RaiseVerb } from '#src/areas/raise/raise.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/orderRow.ts'
import {
  inRaise,
  raiseDetail as detailCalls,
  raiseList as calls,
  type BatchRow,
} from '#src/modules/order/contract/raiseList.ts'
import { action, ask, called, to, type Action, type Me, type Told } from '../command.ts'
import { raiseList, raiseListDetail } from '../pages/order.ts'
import {
  can,
  decidePosted,
  one,
  orderActions,
  reason,
  refundSent,
  atMost,
  sentBack,
  sentBackOf,
} from './shared.ts'
import { addressAction, sheetAction, shipAction, trackingAction } from './ship.ts'

/** The two views of the page; one of them stands in its address. */
export const raiseViews = {
  orders: ['订单', 'Orders'],
  batches: ['场次', 'Campaigns'],
} as const satisfies Record<string, Text>
export type RaiseView = keyof typeof raiseViews
export const raiseViewActions = {
  orders: action('order.raiseList.orders', {
    title: '看订单',
    en: 'Show orders',
    key: '1',
    at: raiseList,
  }),
  batches: action('order.raiseList.byBatch', {
    title: '看场次',
    en: 'Show campaigns',
    key: '2',
    at: raiseList,
  }),
}

const elsewhere: Text = ['先切到订单', 'Show the orders first']
/** A row of the campaigns is no order: an action on orders says where they are. */
const onOrders = <A extends Action>(of: A): A => ({
  ...of,
  when: (row: object, me: never) => ('kind' in row ? (of.when?.(row, me) ?? true) : elsewhere),
})
type InRaise = z.output<typeof inRaise>
called(inRaise, of => ('product_title' in of ? String(of.product_title) : undefined))
const raiseVerb =
  (verb: RaiseVerb) =>
  ({ raise }: InRaise): true | Text =>
    raise ? raiseCan(verb, raise) : ['不在任何众筹中', 'Not in a campaign']
const ofBatch = (rows: readonly InRaise[]) => ({ batch_id: rows[0]!.batch_id! })
const lookOf = (rows: readonly unknown[]) => (rows[0] as InRaise | undefined)?.raise
/** Whoever asked for success below the target waits for another person. */
const declare = (row: InRaise, me: Me): true | Text => {
  const may = raiseVerb('declareSuccess')(row)
  const batch = row as Partial<BatchRow>
  return may === true &&
    batch.raised &&
    batch.declare_id === me.id &&
    !isMet(row.raise!, batch.raised)
    ? ['你已提请宣布成功，须由另一人确认', 'Requested by you: a second person must confirm']
    : may
}
/** What campaigns can have: from a row of either list. */
export const batchActions = {
  extendRaise: action(calls.extendRaise, {
    title: '延长众筹',
    en: 'Extend campaign',
    key: 'e',
    main: true,
    at: raiseList,
    on: inRaise,
    takes: 'row',
    when: raiseVerb('extendRaise'),
    asks: {
      until: ask.time({
        label: ['新的截止时间', 'New end'],
        field: 'end_at',
        hint: [
          '只能延长一次，最多 30 天；发货日随之顺延，并通知全部支持者',
          'Once only, by at most 30 days; shipping moves accordingly and all backers are notified',
        ],
        initial: rows => {
          const look = lookOf(rows)
          return look ? look.end_at + 7 * DAY : undefined
        },
      }),
      ...reason,
    },
    input: (rows, asked) => ({ ...ofBatch(rows), until: asked.until!, reason: asked.reason }),
  }),
  declareSuccess: action(calls.declareSuccess, {
    title: '宣布成功',
    en: 'Declare success',
    key: 'a',
    main: true,
    at: raiseList,
    on: inRaise,
    takes: 'row',
    when: declare,
    asks: {
      reason: ask.text({
        label: ['原因', 'Reason'],
        max: 255,
        min: 2,
        lines: 2,
        hint: [
          '未达目标时须两人：第一人提请，另一人同样操作即确认',
          'Below target it takes two people: the first requests, the second confirms by doing the same',
        ],
      }),
    },
    input: (rows, asked) => ({ ...ofBatch(rows), ...asked }),
  }),
  closeRaise: action(calls.closeRaise, {
    title: '宣布失败并退款',
    en: 'Close and refund all',
    key: 'd',
    danger: true,
    main: true,
    at: raiseList,
    on: inRaise,
    takes: 'row',
    when: raiseVerb('closeRaise'),
    asks: {
      reason: ask.text({
        label: ['原因', 'Reason'],
        max: 255,
        min: 2,
        lines: 2,
        hint: [
          '全部支持者全额退款（含定金），不可撤回',
          'All backers are refunded in full, deposits included; can’t be undone',
        ],
      }),
    },
    input: (rows, asked) => ({ ...ofBatch(rows), ...asked }),
  }),
  remindBalance: action(calls.remindBalance, {
    title: '提醒付尾款',
    en: 'Remind to pay the balance',
    key: 'm',
    main: true,
    at: raiseList,
    on: inRaise,
    takes: 'row',
    when: raiseVerb('remindBalance'),
    input: ofBatch,
  }),
  delayShip: action(calls.delayShip, {
    title: '延期发货公告',
    en: 'Announce a shipping delay',
    key: 'l',
    main: true,
    at: raiseList,
    on: inRaise,
    takes: 'row',
    when: raiseVerb('delayShip'),
    asks: {
      new_ship_at: ask.time({
        label: ['新的发货时间', 'New shipping time'],
        field: 'ship_at',
        hint: [
          '比最初承诺晚 7 天以上，未发货的支持者都可免费全额退款',
          'If over 7 days later than first promised, backers not yet shipped to can get a full refund',
        ],
        initial: rows => {
          const look = lookOf(rows)
          return look ? look.ship_at + 7 * DAY : undefined
        },
      }),
      ...reason,
    },
    input: (rows, asked) => ({
      ...ofBatch(rows),
      new_ship_at: asked.new_ship_at!,
      reason: asked.reason,
    }),
  }),
}

const shared = orderActions(calls, raiseList, raiseListDetail)
const decide = decidePosted(calls, raiseList, raiseListDetail)
export const raiseActions = {
  ship: onOrders(shipAction(calls, raiseList)),
  batchShip: sheetAction(calls, raiseList),
  refund: onOrders(refundSent(calls, raiseList)),
  approveRefund: onOrders(decide.approveRefund),
  refuseRefund: onOrders(decide.refuseRefund),
  retryRefund: onOrders(decide.retryRefund),
  openBatch: action('order.raiseList.openBatch', {
    title: '看这一场',
    en: 'This campaign alone',
    key: 'c',
    at: raiseList,
    on: inRaise,
    takes: 'row',
    when: ({ batch_id }) => (batch_id === null ? ['不在任何众筹中', 'Not in a campaign'] : true),
    to: rows => to(raiseList, { batch_id: rows[0]!.batch_id! }),
  }),
  remark: onOrders(shared.remark),
  freeze: onOrders(shared.freeze),
  unfreeze: onOrders(shared.unfreeze),
  cancel: onOrders(shared.cancel),
  revealPhone: onOrders(shared.revealPhone),
  export: shared.export,
}

const balanceDue = (row: OrderRow): true | Text =>
  row.balance_due ? true : ['没有待付的尾款', 'No balance due']
const depositBack = ({ dues, pay_state, refund_state, raise }: OrderRow): true | Text => {
  if (!dues || dues.deposit_cents === 0) return ['没有付过定金', 'No deposit was paid']
  if (dues.kept_cents > 0 || pay_state === 'part_paid')
    return (
      raise?.state !== 'failed' || [
        '众筹失败，已自动全额退款',
        'The campaign failed; refunds are automatic',
      ]
    )
  return pay_state === 'paid' && refund_state !== 'refunded'
    ? ['尾款已付，请用「发起退款」', 'The balance is paid: refund the order']
    : ['没有可退的定金', 'No deposit left to refund']
}
const depositTold = ([row]: readonly OrderRow[]): Told | undefined => {
  const cents = row?.dues?.deposit_cents ?? 0
  return cents > 0
    ? [['定金 ¥{cents}', 'Deposit ¥{cents}'], { cents: yuan(cents) }, cents]
    : undefined
}
export const raiseDetailActions = {
  ship: shipAction(detailCalls, raiseListDetail),
  editTracking: { ...trackingAction(detailCalls, raiseListDetail), key: 'i' },
  editAddress: addressAction(detailCalls, raiseListDetail),
  refund: action(detailCalls.refund, {
    title: '发起退款',
    en: 'Refund',
    key: 'r',
    danger: true,
    main: true,
    at: raiseListDetail,
    on: orderRow,
    takes: 'row',
    tells: atMost,
    when: can('refund'),
    asks: {
      amount_cents: ask.money({
        label: ['金额', 'Amount'],
        min: 1,
        optional: true,
        hint: [
          '留空按约定退：众筹期内全退；成功后未发货按定金约定；延期超过 7 天全退',
          'Empty: as agreed. In full while raising or if over 7 days late; otherwise by the deposit’s terms',
        ],
      }),
      ...sentBack,
      ...reason,
    },
    input: (rows, asked) => ({
      ...one(rows),
      ...(asked.amount_cents && { amount_cents: asked.amount_cents }),
      ...sentBackOf(asked),
      reason: asked.reason,
    }),
  }),
  refundDeposit: action(detailCalls.refundDeposit, {
    title: '退定金',
    en: 'Refund the deposit',
    key: 'shift+r',
    danger: true,
    at: raiseListDetail,
    on: orderRow,
    takes: 'row',
    tells: depositTold,
    when: depositBack,
    asks: {
      reason: ask.text({
        label: ['原因', 'Reason'],
        max: 255,
        min: 2,
        lines: 2,
        hint: [
          '约定不退的定金须两人：第一人发起，另一人同样操作即确认',
          'A non-refundable deposit takes two people: the first requests, the second confirms by doing the same',
        ],
      }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  extendBalance: action(detailCalls.extendBalance, {
    title: '延长尾款期限',
    en: 'Extend balance deadline',
    key: 'e',
    main: true,
    at: raiseListDetail,
    on: orderRow,
    takes: 'row',
    when: balanceDue,
    asks: {
      until: ask.time({
        label: ['新的期限', 'Until'],
        field: 'balance_until',
        hint: [
          '只能延长，最多到本场尾款截止后 72 小时',
          'Can only be extended, to at most 72 hours past the campaign’s deadline',
        ],
        initial: rows => {
          const [row] = rows as OrderRow[]
          return row?.raise?.balance_end_at
            ? Math.min(row.raise.balance_end_at + BALANCE_EXTEND_S, (row.dues?.until ?? 0) + DAY)
            : undefined
        },
      }),
      ...reason,
    },
    input: (rows, asked) => ({ ...one(rows), until: asked.until!, reason: asked.reason }),
  }),
}
