import type { Text } from '#src/domain/text.ts'
import {
  invoiceable,
  orderStatuses,
  statusOf,
  type FulfilState,
  type Invoice,
  type OrderFacts,
  type OrderKind,
  type OrderStatus,
  type OrderSubKind,
  type SettleState,
} from './order.ts'

const paid: Text = ['订单未付款', 'It is not paid']
const over: Text = ['订单已完结', 'It is over']
const cold: Text = ['订单已冻结，请先解冻', 'It is frozen: unfreeze it first']
/** How long past a product's end staff may extend a code, in days. */
export const EXTEND_DAYS = 365
/**
 * Why a redemption can't be taken back now, or undefined. Windows are in hours from the redemption.
 */
export const reverseRefusal = (
  record: {
    state: 'valid' | 'reversed'
    settle_state: SettleState
    verified_at: number
    way: string
    admin_id: number | null
  },
  of: { now: number; window_h: number; admin_id: number | null; frozen: boolean },
): Text | undefined => {
  if (record.state === 'reversed') return ['已撤销过', 'It was taken back already']
  if (record.settle_state !== 'holding' && record.settle_state !== 'available')
    return ['已进入结算，不能撤销', 'It is being settled']
  if (of.frozen) return cold
  if (of.now > record.verified_at + of.window_h * 3600)
    return ['已超过可撤销的时间', 'Its window is over']
  if (record.way === 'platform' && record.admin_id !== null && record.admin_id === of.admin_id)
    return ['平台代核销须由另一人撤销', 'Another person must take back what you redeemed']
  return undefined
}

export type OrderVerb =
  | 'cancel'
  | 'freeze'
  | 'unfreeze'
  | 'refund'
  | 'extendValidity'
  | 'resendCode'
  | 'redeem'
  | 'ship'
  | 'editReceiver'
  | 'adjustPrice'
  | 'confirmReceive'
  | 'extendReceive'
  | 'print'
  | 'addTimes'
  | 'changeStore'
  | 'bindMember'
  | 'unbindMember'
  | 'confirmReady'
  | 'dispatch'
  | 'confirmDelivered'
  | 'confirmPickup'
  | 'changeTime'
  | 'remind'
  | 'printSlip'
export type OrderLook = OrderFacts & {
  status: OrderStatus
  kind: OrderKind
  sub_kind: OrderSubKind
  adjust_cents?: number
  member_id?: number | null
  claimed_at?: number | null
  ready_at?: number | null
  reminded_at?: number | null
}

/**
 * True, or why an order can't be frozen: only one that is paid and not yet through can be held up.
 * Tickets are through when they are issued, long before they are settled: these can be.
 */
export const canFreeze = (facts: OrderFacts & { kind?: OrderKind }): true | Text => {
  const status = statusOf(facts)
  if (status === 'freezing') return ['订单已被冻结', 'It is frozen already']
  if (facts.pay_state === 'unpaid')
    return ['订单尚未付款，没有可冻结的款项', 'It is not paid: there is nothing to hold']
  const issued = facts.kind === 'film' && status === 'finished'
  if (!issued && ['finished', 'expired', 'refunded', 'cancelled'].includes(status)) {
    const [zh, en] = orderStatuses[status]
    return [`订单${zh}，不能冻结`, `${en}: it can’t be frozen any more`]
  }
  return true
}

/** Why a rule refuses an order as it is now, or undefined. */
type Rule = (row: OrderLook) => Text | undefined
const refuseIf =
  (refuses: (row: OrderLook) => boolean, why: Text): Rule =>
  row =>
    refuses(row) ? why : undefined
const isAt =
  (...states: readonly FulfilState[]) =>
  (row: OrderLook): boolean =>
    states.includes(row.fulfil_state)
const not =
  (test: (row: OrderLook) => boolean) =>
  (row: OrderLook): boolean =>
    !test(row)
const isRefunded = (row: OrderLook) => row.refund_state === 'refunded'
const isUnpaid = (row: OrderLook) => row.pay_state === 'unpaid'
const isClosed = (row: OrderLook) => row.pay_state === 'closed'

/**
 * The least advanced part names the state of a bundle: others of its parts may have codes, or be on
 * their way.
 */
const isBundleOnItsWay = (row: OrderLook) =>
  row.kind === 'combo' && isAt('waiting_ship', 'part_shipped', 'shipped')(row)
const hasCodes = (row: OrderLook) =>
  isBundleOnItsWay(row) || isAt('waiting_use', 'part_used', 'waiting_pickup')(row)
/** A bundle of which codes were used may still have a part to post; what has codes alone has not. */
const isToShip = (row: OrderLook) =>
  isAt('waiting_ship', 'part_shipped')(row) || (row.kind === 'combo' && isAt('part_used')(row))
/** All that can be received was sent; of a bundle its codes may still wait to be used. */
const isSent = (row: OrderLook) =>
  isAt('shipped')(row) || (row.kind === 'combo' && isAt('waiting_use', 'part_used')(row))
const isPickedUp = (row: OrderLook) =>
  isAt('waiting_pickup')(row) || (row.sub_kind === 'pickup' && isAt('part_used')(row))
const waitsForStore = (row: OrderLook) =>
  isAt('waiting_ship', 'part_shipped')(row) || (isAt('waiting_pickup')(row) && !row.ready_at)

/** Paid, not frozen, and not refunded as a whole. */
const live: readonly Rule[] = [
  refuseIf(isClosed, ['订单已取消', 'It was cancelled']),
  refuseIf(isUnpaid, paid),
  refuseIf(row => row.frozen, cold),
  refuseIf(isRefunded, ['订单已全额退款', 'It was refunded']),
]
/** What each verb asks of an order, in turn: the first rule that refuses says why. */
const rules: Readonly<Record<OrderVerb, readonly Rule[]>> = {
  cancel: [refuseIf(not(isUnpaid), ['只能关闭未支付的订单', 'Only an unpaid order can be closed'])],
  freeze: [
    row => {
      const may = canFreeze(row)
      return may === true ? undefined : may
    },
  ],
  unfreeze: [refuseIf(row => !row.frozen, ['订单未冻结', 'It is not frozen'])],
  refund: [...live, refuseIf(isAt('none'), over)],
  resendCode: [
    ...live,
    refuseIf(isAt('waiting_group'), [
      '成团后才有券码',
      'There are codes once the group has formed',
    ]),
    refuseIf(not(hasCodes), ['没有可用的券码', 'It has no code that can be used']),
  ],
  redeem: [...live, refuseIf(not(hasCodes), ['没有可用的券码', 'It has no code that can be used'])],
  extendValidity: [
    ...live,
    refuseIf(
      row => !hasCodes(row) && row.fulfil_state !== 'expired',
      ['没有可延期的券码', 'It has no code to extend'],
    ),
  ],
  addTimes: [
    ...live,
    refuseIf(row => row.kind !== 'card', ['只有卡券可补偿次数', 'Only a card can get more times']),
  ],
  changeStore: [
    ...live,
    refuseIf(isAt('delivering', 'part_shipped'), [
      '已出发配送，不能改派',
      'It is on its way already',
    ]),
    refuseIf(isAt('part_used', 'finished'), ['已使用，不能更换门店', 'It was used already']),
  ],
  ship: [
    ...live,
    refuseIf(
      row => isToShip(row) && row.pay_state === 'part_paid',
      ['尾款未付', 'The balance is not paid'],
    ),
    refuseIf(
      row => isAt('waiting_group')(row) && row.kind === 'raise',
      ['众筹尚未成功，不能发货', 'The campaign has not succeeded'],
    ),
    refuseIf(isAt('waiting_group'), ['尚未成团，不能发货', 'The group has not formed']),
    refuseIf(not(isToShip), ['没有待发的商品', 'Nothing is left to ship']),
  ],
  editReceiver: [
    refuseIf(row => isClosed(row) || isRefunded(row), over),
    refuseIf(not(isAt('none', 'waiting_ship', 'waiting_group')), [
      '已发货，不能修改收货信息',
      'It was shipped already',
    ]),
  ],
  adjustPrice: [
    refuseIf(not(isUnpaid), [
      '只能修改未支付订单的价格',
      'Only the price of an unpaid order can change',
    ]),
    refuseIf(
      row => Boolean(row.adjust_cents),
      ['每个订单只能改价一次', 'A price changes once only'],
    ),
  ],
  confirmReceive: [
    ...live,
    refuseIf(row => row.refund_state === 'refunding', ['有未完结的退款', 'A refund is open']),
    refuseIf(not(isSent), ['全部发货后才能确认收货', 'Not all of it was shipped']),
  ],
  extendReceive: [
    ...live,
    refuseIf(not(isAt('shipped')), ['不在待收货，不能延长', 'It is not on its way']),
  ],
  print: [
    refuseIf(isClosed, over),
    refuseIf(isUnpaid, paid),
    refuseIf(isRefunded, ['订单已全额退款', 'It was refunded']),
    refuseIf(isAt('waiting_group'), ['尚未成团，不能打印', 'The group has not formed']),
  ],
  bindMember: [
    refuseIf(row => row.kind !== 'visitor', ['不是游客订单', 'Not a visitor’s order']),
    refuseIf(row => Boolean(row.member_id), ['已绑定会员', 'It is bound already']),
    ...live,
  ],
  unbindMember: [
    refuseIf(row => row.kind !== 'visitor' || !row.member_id, ['未绑定会员', 'It is not bound']),
    refuseIf(row => row.frozen, cold),
  ],
  confirmReady: [
    ...live,
    refuseIf(row => Boolean(row.ready_at), ['已备货', 'It is ready already']),
    refuseIf(not(isAt('waiting_pickup', 'waiting_ship')), [
      '没有待备的商品',
      'Nothing is left to make ready',
    ]),
  ],
  dispatch: [
    ...live,
    refuseIf(row => row.sub_kind !== 'store_delivery', ['到店自提，不用配送', 'It is picked up']),
    refuseIf(not(isAt('waiting_ship', 'part_shipped')), [
      '没有待配送的商品',
      'Nothing is left to deliver',
    ]),
    refuseIf(row => !row.ready_at, ['备货完成后才能配送', 'It is not ready']),
  ],
  // What was sent before a refund of the rest was refused arrives while the rest waits.
  confirmDelivered: [
    ...live,
    refuseIf(not(isAt('delivering', 'part_shipped')), ['不在配送中', 'It is not on its way']),
  ],
  confirmPickup: [
    ...live,
    refuseIf(not(isPickedUp), ['没有待提的商品', 'Nothing is left to pick up']),
  ],
  changeTime: [
    ...live,
    refuseIf(not(isAt('waiting_pickup', 'waiting_ship')), [
      '已提货或已出发，不能改时间',
      'It was picked up, or is on its way',
    ]),
  ],
  remind: [
    ...live,
    refuseIf(not(waitsForStore), ['不用催：门店已备好或已完成', 'The store has done its part']),
  ],
  printSlip: [
    refuseIf(
      row => isUnpaid(row) || isClosed(row),
      ['付款后才能打印备货单', 'A slip is for what was paid'],
    ),
  ],
}
/**
 * What staff may do with an order as it is now, or why not; handlers, menus and tests all ask here.
 * Guards that need more rows are the handler's.
 */
export const orderCan = (verb: OrderVerb, row: OrderLook): true | Text => {
  for (const rule of rules[verb]) {
    const why = rule(row)
    if (why) return why
  }
  return true
}

/** What was posted, in whichever way it was sold, is reviewed. */
export const reviewedWays: readonly OrderSubKind[] = ['express', 'full', 'deposit']
/**
 * Why nothing can be reviewed now, or undefined: only what was posted, received and kept is, once;
 * what was sent again is part of the order it was sent again for.
 */
export const reviewRefusal = (
  row: Pick<OrderFacts, 'fulfil_state' | 'refund_state' | 'frozen'> & {
    sub_kind: OrderSubKind
    reviewed_at: number | null
    reissue_of: number | null
  },
): Text | undefined => {
  if (row.reviewed_at !== null) return ['已评价过', 'It was reviewed already']
  if (!reviewedWays.includes(row.sub_kind) || row.reissue_of !== null)
    return ['这类订单没有评价', 'Orders of this kind are not reviewed']
  if (row.frozen) return cold
  if (row.fulfil_state !== 'finished') return ['收货后才能评价', 'It was not received']
  return row.refund_state === 'refunding' || row.refund_state === 'refunded'
    ? ['有退款，不能评价', 'It is refunded, or in refund']
    : undefined
}
/**
 * Whether an invoice can be entered now, or why not: only one that was asked for, once, of an
 * amount that stands.
 */
export const invoiceCan = (
  row: Pick<OrderFacts, 'pay_state' | 'refund_state'> & {
    paid_cents: number
    refunded_cents: number
  },
  invoice: Pick<Invoice, 'issued'> | null,
): true | Text => {
  if (!invoice) return ['买家没有申请发票', 'No invoice was asked for']
  if (invoice.issued) return ['已登记过开票', 'It was issued already']
  if (row.pay_state !== 'paid') return ['付款后才能开票', 'It is not paid']
  if (row.refund_state === 'refunding')
    return ['有未完结的退款，金额未定', 'A refund is open: the amount is not known yet']
  return invoiceable(row) > 0 ? true : ['已全额退款，没有可开票的金额', 'All of it was refunded']
}
