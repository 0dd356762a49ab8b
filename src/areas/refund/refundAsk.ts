import type { RefundPolicy } from '#src/areas/order/orderRules.ts'
import type { Text } from '#src/domain/text.ts'
import { afterApproval, type RefundSource, type RefundType } from './refund.ts'
import {
  counts,
  type AskedLine,
  type EarlierLine,
  type GivableItem,
  type Refused,
} from './refundLines.ts'

/** How often a buyer may apply for the same units: once, and once more after a refusal. */
const APPLY_TIMES = 2
const sum = <T>(of: readonly T[], n: (one: T) => number): number =>
  of.reduce((all, one) => all + n(one), 0)

/** A member does not get back what a forming group holds: the group decides that first. */
export const formingRefusal = (of: {
  forming: boolean
  source: RefundSource
  applied: boolean
}): Refused | undefined =>
  of.forming && of.source === 'member' && of.applied
    ? {
        rule: 'group_forming',
        text: [
          '拼团进行中不能退款：成团后按商品约定退，未成团自动退',
          'Not while its group forms: refunded by itself if it does not, and as promised once it has',
        ],
      }
    : undefined

/**
 * Which of the found lines are asked back, and why none may be. Someone who wants `all` gets the
 * lines that no promise and no period refuses; someone who names lines gets all of them or a
 * refusal. Staff who decide at once may go against a promise, which is an exception, but not for
 * one order among many (`plain`).
 */
export const chooseLines = <L extends AskedLine>(
  found: readonly L[],
  of: {
    all: boolean
    broken: ReadonlyMap<L, Text>
    isOver: (line: L) => boolean
    decides: boolean
    plain: boolean
    moneyOnly: boolean
  },
): { lines: readonly L[]; exception: boolean; refused?: Refused } => {
  const [why] = of.broken.values()
  const exception = why !== undefined && of.decides
  const lines =
    exception || !of.all ? found : found.filter(line => !of.broken.has(line) && !of.isOver(line))
  const refused =
    promiseRefused(why, { ...of, exception, none: lines.length === 0 }) ??
    periodRefused(found, lines, of)
  return { lines, exception, ...(refused && { refused }) }
}
const promiseRefused = (
  why: Text | undefined,
  of: { exception: boolean; plain: boolean; all: boolean; none: boolean },
): Refused | undefined => {
  if (!why) return undefined
  if (!of.exception) return !of.all || of.none ? { rule: 'refund_policy', text: why } : undefined
  return of.plain
    ? {
        rule: 'refund_policy',
        text: [`${why[0]}，须逐单处理`, `${why[1]}: decide it by itself`],
      }
    : undefined
}
const periodRefused = <L>(
  found: readonly L[],
  lines: readonly L[],
  of: { isOver: (line: L) => boolean; moneyOnly: boolean },
): Refused | undefined => {
  if (lines.some(of.isOver) || (lines.length === 0 && found.some(of.isOver)))
    return {
      rule: 'after_sale_over',
      text: ['已超过售后期，不能申请售后', 'The after-sale period is over'],
    }
  if (lines.length === 0 && !of.moneyOnly)
    return {
      rule: 'nothing_left',
      text: ['没有可退的商品或券码', 'Nothing is left to refund'],
    }
  return undefined
}
/** What a product itself promises of unused codes, as its snapshot keeps it. */
export const soldPolicy = (snapshot: Readonly<Record<string, unknown>>): RefundPolicy | null =>
  (snapshot['refund_policy'] as RefundPolicy | undefined) ?? null

/** A buyer who was refused may apply once more for the same units. */
export const appliedRefusal = (
  lines: readonly { item_id: number }[],
  earlier: readonly EarlierLine[],
): Refused | undefined => {
  const before = earlier.filter(
    line =>
      line.state === 'rejected' &&
      line.source === 'member' &&
      lines.some(one => one.item_id === line.item_id),
  )
  const n = new Set(before.map(line => line.refund_id)).size
  return n >= APPLY_TIMES
    ? {
        rule: 'refused_twice',
        text: ['该商品的售后申请已被拒绝 {n} 次，不能再次申请', 'It was refused {n} times already'],
        values: { n },
      }
    : undefined
}
/** The buyer keeps goods that arrived and gives no picture: somebody must have shown why. */
export const evidenceRefused = (least: number): Refused => ({
  rule: 'evidence',
  text: [
    '已收货仅退款须有凭证：请补充至少 {least} 张图片，或改为退货退款',
    'Refund-only of goods that arrived needs {least} pictures: add some, or let them be returned',
  ],
  values: { least },
})
/** An item is sent again once; a case that waits counts too. `but`: the case that asks. */
export const sentAgainRefusal = (
  lines: readonly { item_id: number }[],
  of: {
    items: readonly Pick<GivableItem, 'id' | 'title'>[]
    earlier: readonly EarlierLine[]
    but?: number
  },
): Refused | undefined => {
  const again = of.earlier.find(
    line =>
      line.type === 'resend' &&
      counts(line) &&
      line.refund_id !== of.but &&
      lines.some(one => one.item_id === line.item_id),
  )
  return (
    again && {
      rule: 'sent_again',
      text: [
        '「{title}」已申请或已补发过一次',
        '“{title}” was sent again once, or is asked for already',
      ],
      values: { title: of.items.find(item => item.id === again.item_id)!.title },
    }
  )
}
/** While the balance is not paid, an order goes back whole or not at all. */
export const wholeOnlyRefusal = (of: { part_paid: boolean; rest: number }): Refused | undefined =>
  of.part_paid && of.rest > 0
    ? {
        rule: 'whole_only',
        text: ['尾款未付的订单只能整单退', 'While its balance is not paid, all of it or nothing'],
      }
    : undefined
/** An exchange for points goes back whole, unused, and never while a channel may still issue it. */
export const exchangeRefusal = (of: {
  rest: number
  issuing: boolean
  couponUsed: boolean
}): Refused | undefined => {
  if (of.rest > 0)
    return {
      rule: 'whole_exchange',
      text: ['积分订单只能整单退', 'An exchange is given back whole'],
    }
  if (of.issuing)
    return {
      rule: 'issuing',
      text: ['正在等渠道结果，有结果后才能退', 'The channel has not answered yet'],
    }
  if (of.couponUsed)
    return {
      rule: 'coupon_used',
      text: ['优惠券已使用或正在使用，不能退', 'The coupon was used, or is being used'],
    }
  return undefined
}

/** What a refund may come to, in cents. */
export type RefundSums = {
  share_cents: number
  kept_cents: number
  cap_cents: number
  amount_cents: number
}
/**
 * What a refund comes to: the worth of its lines and the freight that is owed, or the one payment
 * that goes back; never more than the order still has, less a deposit that stays. `asked` is an
 * amount that was agreed, less than the most; cents throughout.
 */
export const sumsOf = (of: {
  lines: readonly AskedLine[]
  resend: boolean
  money?: number | undefined
  freight_cents: number
  left_cents: number
  kept_cents: number
  asked?: number | undefined
}): RefundSums => {
  const share_cents = sum(of.lines, line => line.share_cents)
  if (of.resend) return { share_cents, kept_cents: 0, cap_cents: 0, amount_cents: 0 }
  // An order that paid its deposit only gives back no more than that.
  const most = Math.min(of.money ?? share_cents + of.freight_cents, of.left_cents)
  const kept_cents = Math.min(of.kept_cents, most)
  const cap_cents = most - kept_cents
  return { share_cents, kept_cents, cap_cents, amount_cents: of.asked ?? cap_cents }
}
/** Why a refund can't come to its amount, or undefined. */
export const amountRefusal = (of: RefundSums): Refused | undefined => {
  if (of.kept_cents > 0 && of.cap_cents === 0)
    return {
      rule: 'deposit_kept',
      text: [
        '定金按约定不退，此单没有其他可退的款；确需退定金请在详情页用「退定金」',
        'Its deposit is kept, as was promised, and nothing else was paid: give it back on its page, if you must',
      ],
    }
  if (of.amount_cents > of.cap_cents || of.amount_cents < 0)
    return {
      rule: 'above_cap',
      text: ['退款金额不能超过可退的 {max} 元', 'At most ¥{max} can be refunded'],
      values: { max: (of.cap_cents / 100).toFixed(2) },
    }
  return undefined
}

/**
 * Goods go back to, and are sent again by, each merchant in a case of its own; what is only paid
 * back is decided together.
 */
export const sellersRefusal = (sellers: readonly number[], type: RefundType): Refused | undefined =>
  sellers.length > 1 && type !== 'refund_only'
    ? {
        rule: 'several_merchants',
        text: [
          '所选子项属于 {n} 个商户，请按商户分别申请',
          'The parts are of {n} merchants: ask for those of each by themselves',
        ],
        values: { n: sellers.length },
      }
    : undefined

/**
 * Where a new case begins. The system's own refunds are paid at once, and so is a buyer's order of
 * store goods that nobody has made ready; whoever decides in the same breath pays within their own
 * limit, an exception waits for a second person, and the rest waits for a decision.
 */
export const firstState = (of: {
  applied: boolean
  unreadyGoods: boolean
  limit_cents?: number | undefined
  exception: boolean
  amount_cents: number
}): 'applied' | 'second_audit' | 'paying' => {
  if (!of.applied || of.unreadyGoods) return 'paying'
  if (of.limit_cents === undefined) return 'applied'
  return of.exception ? 'second_audit' : afterApproval(of.amount_cents, of.limit_cents)
}
