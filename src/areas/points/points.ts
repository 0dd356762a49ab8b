import type { OrderLook } from '#src/areas/order/orderVerbs.ts'
import type { Text } from '#src/domain/text.ts'

/** What is exchanged for points. */
export const pointsKinds = {
  physical: ['实物', 'Goods'],
  coupon: ['优惠券', 'Coupon'],
  voucher: ['券码', 'Voucher code'],
  ecard: ['电子卡', 'E-card'],
} as const satisfies Record<string, Text>
export type PointsKind = keyof typeof pointsKinds
export const pointsMoves = {
  earn: ['获得', 'Earned'],
  spend: ['使用', 'Spent'],
  freeze: ['冻结', 'Frozen'],
  unfreeze: ['解冻', 'Unfrozen'],
  back: ['退回', 'Returned'],
  expire: ['过期', 'Expired'],
  adjust: ['调整', 'Adjusted'],
  reverse: ['冲正', 'Reversed'],
  debt_repay: ['抵扣欠分', 'Repaid debt'],
} as const satisfies Record<string, Text>
export type PointsMove = keyof typeof pointsMoves
/** What points came or went by. */
export const pointsBiz = {
  profile: ['完善资料', 'Profile'],
  clocked: ['签到打卡', 'Sign-in'],
  buy: ['消费', 'Purchase'],
  comment: ['评价', 'Review'],
  achieve: ['成就', 'Achievement'],
  activity: ['活动', 'Activity'],
  points_shop: ['积分商城', 'Points shop'],
  offset: ['积分抵现', 'Offset'],
  refund: ['退款', 'Refund'],
  admin: ['人工调整', 'By hand'],
  expire: ['到期', 'Expiry'],
  merge: ['会员合并', 'Merge'],
} as const satisfies Record<string, Text>
export type PointsBiz = keyof typeof pointsBiz

/** A member whose balance is not what the ledger and the lots say (points). */
export type WrongBalance = { member_id: number; balance: number; ledger: number; lots: number }
/** What tells whether a row of the ledger can be reversed. */
export type Reversible = {
  kind: PointsMove
  biz_kind: PointsBiz
  reversed_by: number | null
  /** Points of it that are over, were taken back before, and what it brought. */
  delta: number
  over: number
  taken: number
}
/**
 * Whether a row can be reversed, or why not: once, no reversal, and nothing of it that has ended
 * (domain B, points_ledger).
 */
export const canReverse = (row: Reversible): true | Text => {
  if (row.kind === 'reverse')
    return ['冲正流水不能再冲正', 'A reversal is not reversed: adjust by hand instead']
  if (row.reversed_by !== null) return ['这笔流水已冲正', 'It was reversed before']
  if (row.biz_kind === 'merge')
    return ['会员合并的流水不能冲正', 'A move of a merge is not reversed']
  if (row.kind === 'expire') return ['积分已过期，不能冲正', 'Expired points do not come back']
  if (row.kind !== 'earn' && row.kind !== 'adjust')
    return [
      '订单占用的积分随取消或退款退回，不能冲正',
      'Points of an order come back when it is cancelled or refunded',
    ]
  if (row.delta > 0 && row.delta - row.over - row.taken <= 0)
    return ['这批积分已过期或已收回，不能冲正', 'These points are over, or were taken back']
  return true
}
/** What was asked of a channel that issues, and what came of it. */
export const issueStates = {
  pending: ['等待渠道', 'Waiting for the channel'],
  success: ['已发放', 'Issued'],
  failed: ['失败', 'Failed'],
} as const satisfies Record<string, Text>
export type IssueState = keyof typeof issueStates
/** How long points are good for that come back after their time was over. */
export const BACK_DAYS = 30

/** So many points of one lot. */
export type Part = { lot_id: number; n: number }
/** Takes points out of lots, those that end first before the others. `left` must hold them. */
export const takeFrom = (points: number, left: readonly Part[]): Part[] => {
  let rest = points
  const taken = left.flatMap(({ lot_id, n }) => {
    const some = Math.min(rest, n)
    rest -= some
    return some > 0 ? [{ lot_id, n: some }] : []
  })
  if (rest > 0) throw new RangeError(`${points} points do not fit into these lots`)
  return taken
}
/**
 * Which lots get `n` points back, of those that were taken, when `before` of them are back already:
 * in the order in which they were taken.
 */
export const backTo = (taken: readonly Part[], before: number, n: number): Part[] => {
  let skip = before
  let rest = n
  return taken.flatMap(({ lot_id, n: all }) => {
    const from = Math.min(skip, all)
    skip -= from
    const some = Math.min(rest, all - from)
    rest -= some
    return some > 0 ? [{ lot_id, n: some }] : []
  })
}

export type ExchangeVerb = 'cancel' | 'refund' | 'reissue'
export type ExchangeLook = OrderLook & { points_kind: PointsKind | null; shipped: number }
/**
 * What staff may do with an exchange, beside what any order allows, or why not. What only the
 * channel or the coupon itself knows is the handler's.
 */
export const exchangeCan = (verb: ExchangeVerb, row: ExchangeLook): true | Text => {
  if (row.pay_state === 'closed') return ['订单已取消', 'It was cancelled']
  if (row.frozen) return ['订单已冻结，请先解冻', 'It is frozen: unfreeze it first']
  if (row.refund_state === 'refunded') return ['订单已全额退款', 'It was refunded']
  if (row.refund_state === 'refunding') return ['退款处理中', 'A refund is open']
  if (verb === 'reissue') {
    if (row.fulfil_state === 'issue_failed') return true
    return row.fulfil_state === 'issuing'
      ? ['正在等渠道结果', 'The channel has not answered yet']
      : ['没有发放失败的虚拟商品', 'Nothing failed to be issued']
  }
  if (row.fulfil_state === 'issuing')
    return ['正在等渠道结果，有结果后才能退', 'The channel has not answered yet']
  if (verb === 'cancel')
    return row.pay_state === 'unpaid' ||
      ['waiting_ship', 'waiting_use', 'waiting_pickup', 'issue_failed'].includes(row.fulfil_state)
      ? true
      : ['已发出或已发放，请改用「退积分与现金」', 'It was sent or issued: refund it instead']
  if (row.pay_state === 'unpaid')
    return ['订单未付款，请改用「取消并退积分」', 'It is not paid: cancel it instead']
  if (row.points_kind === 'ecard' && row.fulfil_state === 'finished')
    return ['电子卡已发放，不能退', 'The e-card was issued']
  return row.points_kind === 'voucher' &&
    (row.fulfil_state === 'finished' || row.fulfil_state === 'part_used')
    ? ['券码已使用，不能退', 'The code was used']
    : true
}
