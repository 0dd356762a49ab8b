import { and, eq, inArray, ne, notInArray, sql } from 'drizzle-orm'
import type { ComboFigures } from '#src/areas/combo/combo.ts'
import {
  figuresOf,
  partsOf,
  policyAgainst,
  soldCombo,
  stopped,
  type Part,
} from '#src/areas/combo/comboParts.server.ts'
import { returnCoupon } from '#src/areas/coupon/coupons.server.ts'
import { endGrants, lockGrants } from '#src/areas/coupon/issue.server.ts'
import { freeSeat, holdWithGroup, loseReward } from '#src/areas/group/groups.server.ts'
import { member, return_address } from '#src/areas/merchant/merchant.table.ts'
import { afterSaleUntil } from '#src/areas/order/afterSale.server.ts'
import { numberOf } from '#src/areas/order/numbers.server.ts'
import {
  order,
  order_code,
  order_item,
  order_message,
  payment,
  refund,
  refund_item,
  shipment,
  type RefundMessage,
} from '#src/areas/order/order.table.ts'
import {
  codeStateOf,
  leftOf,
  orderCan,
  partOf,
  STORE_ANSWER_HOURS,
} from '#src/areas/order/order.ts'
import {
  holdOrder,
  noteOrder,
  recount,
  rulesOf,
  system,
  type Actor,
  type Order,
  type OrderCode,
} from '#src/areas/order/orderFacts.server.ts'
import { promiseOf, promiseRefusal, type RefundPolicy } from '#src/areas/order/orderRules.ts'
import { redeemBill } from '#src/areas/order/trade.server.ts'
import { admin, setting } from '#src/areas/people/people.table.ts'
import { returnPoints } from '#src/areas/points/points.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { restock, takeStock } from '#src/areas/product/stock.server.ts'
import { keptOf, leftRaise } from '#src/areas/raise/raise.server.ts'
import { fitsCourier, trackingOf } from '#src/areas/shipping/courier.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { shares, yuan } from '#src/domain/money.ts'
import { say, type Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { conflict, missing, ruled } from '#src/server/call/refuse.ts'
import {
  afterApproval,
  batchCan,
  isOpen,
  needsEvidence,
  offlineCan,
  overPayments,
  pointsBack,
  refundCan,
  refundRejects,
  refundSettings,
  type RefundCause,
  type RefundReject,
  type RefundSettings,
  type RefundSource,
  type RefundType,
  type RefundVerb,
  type ReturnCondition,
} from './refund.ts'

export type Refund = typeof refund.$inferSelect
export type RefundLine = typeof refund_item.$inferSelect
/**
 * What is asked back: of codes their times (all that are left unless said), of items their units;
 * `all` that can be given back.
 */
export type Wanted =
  | 'all'
  | {
      codes?: readonly { id: number; times?: number | undefined }[]
      items?: readonly { id: number; qty: number }[]
    }
/** Whoever decides, and how much alone (cents). */
export type Decider = { id: number; limit_cents: number }

const HOUR = 3600
const ANSWER_HOURS = 48
const RETURN_DAYS = 7
const CLAIM_S = 900
/** How often a buyer may apply for the same units: once, and once more after a refusal. */
const APPLY_TIMES = 2
type Line = Omit<typeof refund_item.$inferInsert, 'refund_id' | 'amount_cents'> & {
  code?: OrderCode
}

/**
 * The lines of what can be given back now, each with what it is worth: from what is left, so that
 * shares meet to the cent and the last unit takes the rest.
 */
const linesOf = async (
  tx: Db,
  row: Order,
  wanted: Wanted,
  type: RefundType,
): Promise<{ lines: Line[]; nothingSent: boolean }> => {
  const items = await tx
    .select()
    .from(order_item)
    .where(eq(order_item.order_id, row.id))
    .orderBy(order_item.id)
  const codes = await tx
    .select()
    .from(order_code)
    .where(eq(order_code.order_id, row.id))
    .orderBy(order_code.id)
  const before = await tx
    .select({
      item_id: refund_item.item_id,
      code_id: refund_item.code_id,
      qty: sql<number>`sum(${refund_item.qty})::int`,
      shipped: sql<number>`sum(case when ${refund.state} = 'done' then 0 else ${refund_item.shipped_qty} end)::int`,
      came_back: sql<boolean>`bool_or(${refund.state} = 'done' and ${refund_item.shipped_qty} > 0)`,
      share_cents: sql<string>`sum(${refund_item.share_cents})`,
      platform_cents: sql<string>`sum(${refund_item.platform_cents})`,
    })
    .from(refund_item)
    .innerJoin(refund, eq(refund.id, refund_item.refund_id))
    .where(and(eq(refund.order_id, row.id), notInArray(refund.state, ['rejected', 'closed'])))
    .groupBy(refund_item.item_id, refund_item.code_id)
  const usable = (code: OrderCode) =>
    code.times_total +
    code.times_bonus -
    code.times_used -
    code.times_refunding -
    code.times_refunded
  const givable = (code: OrderCode) =>
    ['locked', 'unused', 'part_used', 'expired'].includes(code.state) &&
    code.gift_state !== 'sent' &&
    usable(code) > 0
  // What is picked up is counted by its code: so many units of the item are so many uses of that.
  const pickups =
    wanted === 'all'
      ? []
      : (wanted.items ?? []).flatMap(({ id, qty }) => {
          const code =
            items.find(item => item.id === id)?.fulfil === 'pickup'
              ? codes.find(one => one.item_id === id && one.state !== 'void')
              : undefined
          return code ? [{ item_id: id, id: code.id, times: qty }] : []
        })
  const ofCodes =
    wanted === 'all'
      ? codes.filter(givable).map(code => ({ id: code.id, times: undefined }))
      : [...(wanted.codes ?? []), ...pickups]
  const ofItems =
    wanted === 'all'
      ? items
          .filter(item => item.fulfil !== 'code' && item.fulfil !== 'pickup' && leftOf(item) > 0)
          .map(item => ({ id: item.id, qty: leftOf(item) }))
      : (wanted.items ?? []).filter(one => !pickups.some(pickup => pickup.item_id === one.id))
  const lines: Line[] = []
  for (const { id, times } of ofCodes) {
    const code = codes.find(one => one.id === id)
    if (!code) throw missing()
    if (code.gift_state === 'sent')
      throw ruled(
        'gift',
        ['券码 {code} 正在转赠，请先撤回', 'Code {code} is being given away: recall it first'],
        { code: code.code.slice(-4) },
      )
    if (!givable(code))
      throw ruled(
        'code_not_refundable',
        [
          '尾号 {code} 的券码已使用、已退款或退款中',
          'Code …{code} was used, refunded or is in refund',
        ],
        { code: code.code.slice(-4) },
        { code_id: id },
      )
    const left = usable(code)
    const n = times ?? left
    if (n < 1 || n > left)
      throw ruled(
        'too_many',
        ['尾号 {code} 的券码只剩 {n} 次可退', 'Code …{code} has only {n} uses left'],
        { code: code.code.slice(-4), n: left },
      )
    const paid_times = n === left ? code.left_times : Math.min(n, code.left_times)
    const part = (cents: number) => partOf(cents, code.left_times, paid_times)
    lines.push({
      item_id: code.item_id,
      code_id: id,
      qty: n,
      paid_times,
      share_cents: part(code.left_pay_cents),
      platform_cents: part(code.left_platform_cents),
      settle_cents: part(code.left_settle_cents),
      code,
    })
  }
  for (const { id, qty } of ofItems) {
    const item = items.find(one => one.id === id)
    if (!item || item.fulfil === 'code' || item.fulfil === 'pickup') throw missing()
    const left = leftOf(item)
    if (qty < 1 || qty > left)
      throw ruled(
        'too_many',
        ['「{title}」只剩 {n} 件可退', 'Only {n} of “{title}” can be refunded'],
        { title: item.title, n: left },
      )
    const taken = before.filter(one => one.item_id === id)
    const rest = (cents: number, key: 'share_cents' | 'platform_cents') =>
      cents - taken.reduce((all, one) => all + Number(one[key]), 0)
    const sent = item.shipped_qty - taken.reduce((all, one) => all + one.shipped, 0)
    const unsent = left - sent
    // What is returned was sent; what is only refunded stays where it is as long as it can.
    const shipped_qty = type === 'return_refund' ? Math.min(qty, sent) : Math.max(0, qty - unsent)
    lines.push({
      item_id: id,
      code_id: null,
      qty,
      shipped_qty,
      share_cents: partOf(rest(item.pay_cents, 'share_cents'), left, qty),
      platform_cents: partOf(rest(item.platform_cents, 'platform_cents'), left, qty),
    })
  }
  // What was sent and came back was sent all the same.
  return {
    lines,
    nothingSent:
      items.every(item => item.shipped_qty === 0 && item.used_qty === 0) &&
      !before.some(one => one.came_back),
  }
}

/** What a refund gives back, line by line. */
export const linesIn = (tx: Db, of: Pick<Refund, 'id'>): Promise<RefundLine[]> =>
  tx.select().from(refund_item).where(eq(refund_item.refund_id, of.id)).orderBy(refund_item.id)

/**
 * Locks (or gives free) the units of a refund's lines: they can't be used or shipped while it is
 * open.
 */
const lockUnits = async (
  tx: Db,
  lines: readonly Pick<
    RefundLine,
    'item_id' | 'code_id' | 'qty' | 'paid_times' | 'share_cents' | 'platform_cents' | 'settle_cents'
  >[],
  way: 1 | -1,
  now: number,
) => {
  for (const line of lines) {
    if (line.code_id === null) {
      await tx
        .update(order_item)
        .set({
          refunding_qty: sql`${order_item.refunding_qty} + ${way * line.qty}`,
          version: sql`${order_item.version} + 1`,
        })
        .where(eq(order_item.id, line.item_id))
      continue
    }
    const [code] = await tx.select().from(order_code).where(eq(order_code.id, line.code_id))
    const times_refunding = code!.times_refunding + way * line.qty
    await tx
      .update(order_code)
      .set({
        times_refunding,
        left_times: code!.left_times - way * line.paid_times,
        left_pay_cents: code!.left_pay_cents - way * line.share_cents,
        left_platform_cents: code!.left_platform_cents - way * line.platform_cents,
        left_settle_cents: code!.left_settle_cents - way * line.settle_cents,
        // A locked code stays locked: nothing of it can be used either way.
        state: codeStateOf(
          { ...code!, state: code!.state === 'locked' ? 'locked' : 'unused', times_refunding },
          now,
        ),
        version: code!.version + 1,
        updated_at: now,
      })
      .where(and(eq(order_code.id, line.code_id), eq(order_code.version, code!.version)))
  }
}

export type Asked = {
  order_id: number
  wanted: Wanted
  type?: RefundType
  source: RefundSource
  cause?: RefundCause
  reason: string
  reason_code?: string
  images?: string[]
  /** Less than the units are worth, where that was agreed; never more. Cents. */
  amount_cents?: number | undefined
  /**
   * Money of one payment alone, whatever became of the units: what came too late, a deposit that is
   * given back after all.
   */
  money?: { cents: number; payment_id: number }
  /** A deposit goes back too, though it might be kept. */
  waive?: boolean
  /** The freight too, though part of it was sent (the platform's fault). */
  freight?: boolean
  /** The goods came back already, and in what state. */
  returned?: ReturnCondition | undefined
  actor: Actor
  /**
   * Whoever opens it decides it in the same breath, up to their limit; above it another person must
   * agree.
   */
  by?: Decider
  /** Of a bundle: though its policy says no. */
  override?: boolean
  /** One of many: never against what was promised, not even by staff as an exception. */
  plain?: boolean
  /** The same key never opens a second refund. */
  idem_key?: string
  now: number
}
/**
 * Opens a refund. Its amount is never typed for codes: it is what the chosen units are worth. Their
 * units are locked at once. The system's own refunds and those of staff within their limit are paid
 * out; the others wait for a decision. A buyer gets back what was promised when it was sold; staff
 * may give back more, which is an exception that a second person agrees to. The group, if any, is
 * held first. Asked again with the same key, it answers the first.
 */
export const openRefund = async (tx: Db, of: Asked): Promise<Refund> => {
  const { now, type = 'refund_only', cause = 'apply' } = of
  const { row, group } = await holdWithGroup(tx, of.order_id)
  if (of.idem_key) {
    const [same] = await tx.select().from(refund).where(eq(refund.idem_key, of.idem_key))
    if (same && same.order_id === of.order_id) return same
  }
  const { money } = of
  const may = money !== undefined || orderCan('refund', row)
  if (may !== true) throw ruled(row.frozen ? 'frozen' : 'not_refundable', may)
  const forming = group?.state === 'forming'
  if (forming && of.source === 'member' && cause === 'apply')
    throw ruled('group_forming', [
      '拼团进行中不能退款：成团后按商品约定退，未成团自动退',
      'Not while its group forms: refunded by itself if it does not, and as promised once it has',
    ])
  const found = money ? { lines: [], nothingSent: false } : await linesOf(tx, row, of.wanted, type)
  const { nothingSent } = found
  const against =
    type === 'resend' || forming || (cause !== 'apply' && cause !== 'expired')
      ? new Map<Line, Text>()
      : await brokenPromises(tx, row, found.lines, now)
  const [why] = against.values()
  const exception = why !== undefined && of.by !== undefined
  // Whoever asks, or is asked for, by a case that is decided later; staff may give back of their
  // own accord within their limit.
  const until =
    cause === 'apply' && !of.by ? await afterSaleUntil(tx, row) : new Map<number, number>()
  const over = (line: Line) => now > (until.get(line.item_id) ?? now)
  const lines = exception
    ? found.lines
    : found.lines.filter(line => of.wanted !== 'all' || !(against.has(line) || over(line)))
  if (why && (exception ? of.plain : of.wanted !== 'all' || lines.length === 0))
    throw ruled(
      'refund_policy',
      exception ? [`${why[0]}，须逐单处理`, `${why[1]}: decide it by itself`] : why,
    )
  if (lines.some(over) || (lines.length === 0 && found.lines.some(over)))
    throw ruled('after_sale_over', ['已超过售后期，不能申请售后', 'The after-sale period is over'])
  if (lines.length === 0 && !money)
    throw ruled('nothing_left', ['没有可退的商品或券码', 'Nothing is left to refund'])
  if (of.source === 'member' && cause === 'apply')
    await mayApply(tx, type, lines, of.images?.length ?? 0)
  if (type === 'resend') await notSentAgain(tx, lines)
  // Sent again: nothing is paid back, and its units stay what they are.
  if (type === 'resend')
    for (const line of lines)
      Object.assign(line, { share_cents: 0, platform_cents: 0, settle_cents: 0, paid_times: 0 })
  const rest = money ? 0 : await restAfter(tx, row.id, lines)
  if (row.pay_state === 'part_paid' && rest > 0)
    throw ruled('whole_only', [
      '尾款未付的订单只能整单退',
      'While its balance is not paid, all of it or nothing',
    ])
  const wholeRest = (of.wanted === 'all' && lines.length === found.lines.length) || rest === 0
  if (row.kind === 'points' && !money) await giveExchangeBack(tx, row, lines, rest, now)
  const [taken] = await tx
    .select({
      cents: sql<string>`coalesce(sum(${refund.freight_cents}) filter (where ${refund.cause} <> 'late_pay'), 0)`,
      open: sql<string>`coalesce(sum(${refund.amount_cents}) filter (where ${refund.state} <> 'done'), 0)`,
    })
    .from(refund)
    .where(and(eq(refund.order_id, row.id), notInArray(refund.state, ['rejected', 'closed'])))
  const freight_cents =
    type !== 'resend' && (of.freight || (wholeRest && nothingSent))
      ? row.freight_cents - Number(taken!.cents)
      : 0
  const share = lines.reduce((all, line) => all + line.share_cents, 0)
  // Of an order that paid its deposit only, no more than that.
  const most =
    type === 'resend'
      ? 0
      : Math.min(
          money ? money.cents : share + freight_cents,
          row.paid_cents - row.refunded_cents - Number(taken!.open),
        )
  const unsent = lines.reduce((all, line) => all + line.qty - (line.shipped_qty ?? 0), 0)
  const deposit =
    money || type === 'resend' || unsent === 0
      ? { kept_cents: 0, payment_id: money?.payment_id ?? null }
      : await keptOf(tx, row, { n: unsent, left: unsent + rest })
  const kept_cents = of.waive || cause !== 'apply' ? 0 : Math.min(deposit.kept_cents, most)
  const cap_cents = most - kept_cents
  if (kept_cents > 0 && cap_cents === 0)
    throw ruled('deposit_kept', [
      '定金按约定不退，此单没有其他可退的款；确需退定金请在详情页用「退定金」',
      'Its deposit is kept, as was promised, and nothing else was paid: give it back on its page, if you must',
    ])
  const amount_cents = type === 'resend' ? 0 : (of.amount_cents ?? cap_cents)
  if (amount_cents > cap_cents || amount_cents < 0)
    throw ruled(
      'above_cap',
      ['退款金额不能超过可退的 {max} 元', 'At most {max} yuan can be refunded'],
      { max: (cap_cents / 100).toFixed(2) },
    )
  // What was agreed less comes off the freight last: the units' part is spread over them by what
  // they are worth.
  const amounts = shares(
    Math.min(amount_cents, share),
    lines.map(line => line.share_cents),
  )
  // Store goods: until they are made ready nobody need be asked; from then on the store is, whoever
  // wants it.
  const asks = row.kind === 'goods' && row.ready_at !== null && cause === 'apply'
  const by = asks ? undefined : of.by
  const state =
    cause !== 'apply' ||
    (row.kind === 'goods' && !asks && of.source === 'member' && type === 'refund_only')
      ? ('paying' as const)
      : by
        ? exception
          ? ('second_audit' as const)
          : afterApproval(amount_cents, by.limit_cents)
        : ('applied' as const)
  const [made] = await tx
    .insert(refund)
    .values({
      refund_no: numberOf('RF', now),
      order_id: row.id,
      order_kind: row.kind,
      city_id: row.city_id,
      mall_id: row.mall_id,
      merchant_id: await sellerOf(tx, row, lines, type),
      member_id: row.member_id,
      type,
      source: of.source,
      cause,
      reason: of.reason,
      reason_code: of.reason_code ?? null,
      images: of.images ?? [],
      amount_cents,
      freight_cents: money ? 0 : Math.max(0, amount_cents - share),
      cap_cents,
      payment_id:
        kept_cents > 0 || row.pay_state === 'part_paid' || money ? deposit.payment_id : null,
      kept_cents,
      coupon_back: type !== 'resend' && rest === 0 && (!money || cause === 'late_pay'),
      policy_override: of.override || exception,
      state,
      ...(of.returned && { return_received_at: now, return_condition: of.returned }),
      ...(by && { first_by: by.id, decided_at: state === 'paying' ? now : null }),
      deadline_at: now + (asks ? STORE_ANSWER_HOURS : ANSWER_HOURS) * HOUR,
      idem_key: of.idem_key ?? null,
      created_at: now,
      updated_at: now,
    })
    .returning()
  if (lines.length > 0)
    await tx.insert(refund_item).values(
      lines.map(({ code: _, ...line }, at) => ({
        ...line,
        refund_id: made!.id,
        amount_cents: amounts[at]!,
        created_at: now,
        updated_at: now,
      })),
    )
  if (type !== 'resend') await lockUnits(tx, await linesIn(tx, made!), 1, now)
  await recount(tx, row, {
    event: 'refund_open',
    actor: of.actor,
    now,
    memo: of.reason,
    data: { refund_id: made!.id, amount_cents },
  })
  return state === 'paying' ? pay(tx, made!, now) : made!
}
/**
 * Whose case it is: of a bundle the merchant's whose parts it is of. Goods go back to, and are sent
 * again by, each merchant in a case of its own; what is only paid back is decided together.
 */
const sellerOf = async (
  tx: Db,
  row: Order,
  lines: readonly Pick<RefundLine, 'item_id'>[],
  type: RefundType,
): Promise<number> => {
  if (row.kind !== 'combo') return row.merchant_id
  const sellers = await tx
    .selectDistinct({ id: product.merchant_id })
    .from(order_item)
    .innerJoin(product, eq(product.id, order_item.product_id))
    .where(
      inArray(
        order_item.id,
        lines.map(line => line.item_id),
      ),
    )
  if (sellers.length > 1 && type !== 'refund_only')
    throw ruled(
      'several_merchants',
      [
        '所选子项属于 {n} 个商户，请按商户分别申请',
        'The parts are of {n} merchants: ask for those of each by themselves',
      ],
      { n: sellers.length },
    )
  return sellers.length === 1 ? sellers[0]!.id : row.merchant_id
}
/**
 * Which lines do not go back by what their buyer was promised, each with why. Where the store shut,
 * or its merchant stopped trading, no promise is held against the buyer.
 */
const brokenPromises = async (
  tx: Db,
  row: Order,
  lines: readonly Line[],
  now: number,
): Promise<Map<Line, Text>> => {
  const broken = new Map<Line, Text>()
  const codes = lines.filter(line => line.code)
  if (codes.length === 0) return broken
  const rules = await rulesOf(tx, row)
  const items = await tx
    .select({
      id: order_item.id,
      fulfil: order_item.fulfil,
      policy: sql<RefundPolicy | null>`${order_item.snapshot}->>'refund_policy'`,
      shut: stopped(order_item.store_id),
    })
    .from(order_item)
    .where(
      inArray(
        order_item.id,
        codes.map(line => line.item_id),
      ),
    )
  for (const line of codes) {
    const item = items.find(one => one.id === line.item_id)!
    const promise = item.shut ? null : promiseOf(row, item.fulfil, item.policy, rules)
    const why = promise && promiseRefusal(promise, line.code!.valid_until, now)
    if (why) broken.set(line, why)
  }
  return broken
}
/**
 * An exchange is given back whole, never while a channel may still issue it; what it issued can't
 * be used meanwhile.
 */
const giveExchangeBack = async (
  tx: Db,
  row: Order,
  lines: readonly Line[],
  rest: number,
  now: number,
) => {
  if (rest > 0)
    throw ruled('whole_exchange', ['积分订单只能整单退', 'An exchange is given back whole'])
  const items = await tx
    .select({ issue_state: order_item.issue_state })
    .from(order_item)
    .where(
      inArray(
        order_item.id,
        lines.map(line => line.item_id),
      ),
    )
  if (items.some(item => item.issue_state === 'issuing'))
    throw ruled('issuing', ['正在等渠道结果，有结果后才能退', 'The channel has not answered yet'])
  await lockGrants(tx, row, now)
}
type Unit = Pick<RefundLine, 'item_id' | 'code_id' | 'qty' | 'shipped_qty'>
/**
 * A buyer who was refused may apply once more for the same units; for goods that arrived and are
 * kept, pictures are needed.
 */
const mayApply = async (tx: Db, type: RefundType, lines: readonly Line[], pictures: number) => {
  const [refused] = await tx
    .select({ n: sql<number>`count(distinct ${refund.id})::int` })
    .from(refund_item)
    .innerJoin(refund, eq(refund.id, refund_item.refund_id))
    .where(
      and(
        inArray(
          refund_item.item_id,
          lines.map(line => line.item_id),
        ),
        eq(refund.state, 'rejected'),
        eq(refund.source, 'member'),
      ),
    )
  if (refused!.n >= APPLY_TIMES)
    throw ruled(
      'refused_twice',
      ['该商品的售后申请已被拒绝 {n} 次，不能再次申请', 'It was refused {n} times already'],
      { n: refused!.n },
    )
  if (needsEvidence({ type, received: await anyReceived(tx, lines), pictures }))
    throw ruled('evidence', keptNeedsPictures)
}
const keptNeedsPictures: Text = [
  '已收货仅退款须有凭证：请补充图片，或改为退货退款',
  'Refund-only of goods that arrived needs pictures: add some, or let them be returned',
]
/** Whether some of the units have been sent and arrived. */
const anyReceived = async (
  tx: Db,
  lines: readonly { item_id: number; shipped_qty?: number | undefined }[],
): Promise<boolean> => {
  const sent = lines.filter(line => (line.shipped_qty ?? 0) > 0).map(line => line.item_id)
  return (
    sent.length > 0 &&
    (
      await tx
        .select({ id: order_item.id })
        .from(order_item)
        .where(and(inArray(order_item.id, sent), sql`${order_item.received_qty} > 0`))
        .limit(1)
    ).length > 0
  )
}
/** An item is sent again once; a case that waits counts too. */
const notSentAgain = async (tx: Db, lines: readonly Pick<Unit, 'item_id'>[], but = 0) => {
  const [again] = await tx
    .select({ title: order_item.title })
    .from(refund_item)
    .innerJoin(refund, eq(refund.id, refund_item.refund_id))
    .innerJoin(order_item, eq(order_item.id, refund_item.item_id))
    .where(
      and(
        inArray(
          refund_item.item_id,
          lines.map(line => line.item_id),
        ),
        eq(refund.type, 'resend'),
        notInArray(refund.state, ['rejected', 'closed']),
        ne(refund.id, but),
      ),
    )
    .limit(1)
  if (again)
    throw ruled(
      'sent_again',
      ['「{title}」已申请或已补发过一次', '“{title}” was sent again once, or is asked for already'],
      { title: again.title },
    )
}
/** How many units an order still has when these lines are gone. */
const restAfter = async (tx: Db, order_id: number, lines: readonly Line[]): Promise<number> => {
  const items = await tx.select().from(order_item).where(eq(order_item.order_id, order_id))
  const codes = await tx
    .select()
    .from(order_code)
    .where(and(eq(order_code.order_id, order_id), sql`${order_code.state} <> 'void'`))
  const all =
    items.reduce(
      (sum, item) => sum + (item.fulfil === 'code' || item.fulfil === 'pickup' ? 0 : leftOf(item)),
      0,
    ) +
    codes.reduce(
      (sum, code) =>
        sum + code.times_total + code.times_bonus - code.times_refunding - code.times_refunded,
      0,
    )
  return all - lines.reduce((sum, line) => sum + line.qty, 0)
}

/**
 * Money goes out: one row a payment that it came in by, in proportion to what is left on each. The
 * channel is asked after the commit (`services/payments.ts`).
 */
const pay = async (tx: Db, row: Refund, now: number): Promise<Refund> => {
  // What the channel refused is sent again under its own number, so that it can never be paid
  // twice; only a number that the channel closed needs another.
  await tx
    .update(payment)
    .set({
      state: 'pending',
      fail_code: null,
      fail_text: null,
      tries: 0,
      ask_at: now,
      updated_at: now,
    })
    .where(
      and(
        eq(payment.refund_id, row.id),
        eq(payment.state, 'failed'),
        ne(payment.fail_code, 'CLOSED'),
      ),
    )
  const { parts, mine, next } = await dueOf(tx, row)
  if (parts.length > 0)
    await tx.insert(payment).values(
      parts.map(({ amount_cents, parent }, at) => ({
        ...partOut(row, next(at), now),
        channel: parent.channel,
        amount_cents,
        parent_id: parent.id,
        state: 'pending' as const,
        ask_at: now,
      })),
    )
  return parts.length === 0 && mine.every(one => one.state === 'success')
    ? finish(tx, row, now)
    : row
}
/**
 * What of a refund is neither paid nor on its way, over the payments it goes back to; and the
 * numbers of new parts.
 */
const dueOf = async (tx: Db, row: Refund) => {
  const paid = await tx
    .select()
    .from(payment)
    .where(
      and(
        eq(payment.order_id, row.order_id),
        eq(payment.direction, 'in'),
        eq(payment.state, 'success'),
        row.payment_id === null ? undefined : eq(payment.id, row.payment_id),
      ),
    )
    .orderBy(payment.id)
  const out = await tx
    .select()
    .from(payment)
    .where(
      and(
        eq(payment.order_id, row.order_id),
        eq(payment.direction, 'out'),
        inArray(payment.state, ['pending', 'success']),
      ),
    )
  const mine = out.filter(one => one.refund_id === row.id)
  const due = row.amount_cents - mine.reduce((all, one) => all + one.amount_cents, 0)
  const open = paid.filter(one => !mine.some(part => part.parent_id === one.id))
  const left = open.map(
    one =>
      one.amount_cents -
      out
        .filter(part => part.parent_id === one.id)
        .reduce((all, part) => all + part.amount_cents, 0),
  )
  const parts = overPayments(due, left)
    .map((amount_cents, at) => ({ amount_cents, parent: open[at]! }))
    .filter(part => part.amount_cents > 0)
  const [{ tries } = { tries: 0 }] = await tx
    .select({ tries: sql<number>`count(*)::int` })
    .from(payment)
    .where(eq(payment.refund_id, row.id))
  return {
    parts,
    mine,
    next: (at: number) => `${row.refund_no}${tries + at === 0 ? '' : `-${tries + at + 1}`}`,
  }
}
const partOut = (row: Refund, out_no: string, now: number) => ({
  order_id: row.order_id,
  refund_id: row.id,
  direction: 'out' as const,
  stage: 'refund' as const,
  out_no,
  created_at: now,
  updated_at: now,
})
/**
 * Paid by hand what the channel would not: its refused parts are closed for good, so that nothing
 * asks it again.
 */
const payByHand = async (tx: Db, row: Refund, now: number): Promise<Refund> => {
  await tx
    .update(payment)
    .set({ state: 'closed', updated_at: now })
    .where(
      and(eq(payment.refund_id, row.id), eq(payment.direction, 'out'), eq(payment.state, 'failed')),
    )
  const { parts, next } = await dueOf(tx, row)
  if (parts.length > 0)
    await tx.insert(payment).values(
      parts.map(({ amount_cents, parent }, at) => ({
        ...partOut(row, next(at), now),
        channel: 'offline' as const,
        amount_cents,
        parent_id: parent.id,
        state: 'success' as const,
        success_at: now,
      })),
    )
  return finish(tx, row, now)
}

/**
 * All of it is back with its payer: the units are refunded, stock returns, the seat of a forming
 * group is free. Order and group must be held.
 */
export const finish = async (tx: Db, row: Refund, now: number): Promise<Refund> => {
  const [paid] = await tx
    .select({
      sub_kind: order.sub_kind,
      points_used: order.points_used,
      paid_cents: order.paid_cents,
      refunded_cents: order.refunded_cents,
    })
    .from(order)
    .where(eq(order.id, row.order_id))
  const points_back =
    row.type === 'resend' || row.cause === 'late_pay' || row.cause === 'leader_free'
      ? 0
      : pointsBack(paid!.points_used, paid!.paid_cents, paid!.refunded_cents, row.amount_cents)
  const [done] = await tx
    .update(refund)
    .set({
      state: 'done',
      done_at: now,
      points_back,
      version: sql`${refund.version} + 1`,
      updated_at: now,
    })
    .where(and(eq(refund.id, row.id), inArray(refund.state, ['paying', 'pay_failed', 'applied'])))
    .returning()
  if (!done) throw conflict(['退款单状态已变化', 'The refund has changed'], {}, row)
  const lines = row.type === 'resend' ? [] : await linesIn(tx, row)
  for (const line of lines) {
    const [item] = await tx.select().from(order_item).where(eq(order_item.id, line.item_id))
    let restocked = 0
    if (line.code_id !== null) {
      const [code] = await tx.select().from(order_code).where(eq(order_code.id, line.code_id))
      const counts = {
        times_refunding: code!.times_refunding - line.qty,
        times_refunded: code!.times_refunded + line.qty,
      }
      await tx
        .update(order_code)
        .set({
          ...counts,
          refunded_cents: code!.refunded_cents + line.amount_cents,
          state: codeStateOf(
            {
              ...code!,
              state:
                code!.state === 'locked' && counts.times_refunded < code!.times_total
                  ? 'locked'
                  : 'unused',
              ...counts,
            },
            now,
          ),
          version: code!.version + 1,
          updated_at: now,
        })
        .where(eq(order_code.id, line.code_id))
      // A code that was never used, and of which nothing is left, is a unit that can be sold again.
      restocked =
        item!.fulfil === 'pickup'
          ? line.qty
          : Number(counts.times_refunded === code!.times_total + code!.times_bonus)
      await tx
        .update(order_item)
        .set({
          refunded_cents: sql`${order_item.refunded_cents} + ${line.amount_cents}`,
          stock_returned: sql`${order_item.stock_returned} + ${restocked}`,
        })
        .where(eq(order_item.id, line.item_id))
    } else {
      // What came back sound is sold again; what was only refunded stays with its buyer.
      restocked =
        line.qty -
        (row.type === 'return_refund' && (row.return_condition ?? 'good') === 'good'
          ? 0
          : line.shipped_qty)
      await tx
        .update(order_item)
        .set({
          refunding_qty: sql`${order_item.refunding_qty} - ${line.qty}`,
          refunded_qty: sql`${order_item.refunded_qty} + ${line.qty}`,
          refunded_cents: sql`${order_item.refunded_cents} + ${line.amount_cents}`,
          stock_returned: sql`${order_item.stock_returned} + ${restocked}`,
          shipped_qty: sql`${order_item.shipped_qty} - ${line.shipped_qty}`,
          received_qty: sql`least(${order_item.received_qty}, ${order_item.shipped_qty} - ${line.shipped_qty})`,
        })
        .where(eq(order_item.id, line.item_id))
    }
    // What was sent again was never a sale.
    if (restocked > 0)
      await restock(tx, item!, restocked, paid!.sub_kind === 'reissue' ? 0 : restocked)
  }
  const held = await holdOrder(tx, row.order_id)
  if (points_back > 0)
    await returnPoints(tx, { order_id: held.id, points: points_back, biz_no: row.refund_no, now })
  if (held.kind === 'points') await endGrants(tx, held, 'revoked')
  const after = await recount(tx, held, {
    event: 'refund_done',
    actor: { type: 'channel' },
    now,
    data: { refund_id: row.id, amount_cents: row.amount_cents },
    set: {
      refunded_cents: held.refunded_cents + row.amount_cents,
      ...(held.balance_due && lines.length > 0 && { balance_due: false }),
    },
  })
  // The coupon comes back with the last unit, whichever case that was in.
  const coupon_back =
    lines.length > 0
      ? after.refund_state === 'refunded' && (await returnCoupon(tx, after, now))
      : done.coupon_back
  if (coupon_back !== done.coupon_back)
    await tx.update(refund).set({ coupon_back }).where(eq(refund.id, done.id))
  if (after.raise_batch_id !== null && row.type !== 'resend')
    await leftRaise(tx, after, {
      refund: row,
      units: lines.reduce((all, line) => all + line.qty, 0),
      now,
    })
  if (after.roll_group_id !== null && after.refund_state === 'refunded') {
    await freeSeat(tx, after.roll_group_id, now)
    await loseReward(tx, after.roll_group_id, now)
  }
  return { ...done, coupon_back }
}

/** Who decided, for whoever came second. */
const nameOf = async (tx: Db, id: number | null): Promise<string> =>
  id === null
    ? say(['系统', 'the system'], 'zh')
    : ((await tx.select({ name: admin.name }).from(admin).where(eq(admin.id, id)))[0]?.name ??
      String(id))

/**
 * One step of a case: its order (and group) is held, the step must be allowed now, and the row must
 * be as it was read. The loser of a race is told who won.
 */
const step = async (
  tx: Db,
  of: { id: number; version: number; verb: RefundVerb; by: Decider | null; now: number },
): Promise<{ row: Refund; held: Order }> => {
  const [known] = await tx
    .select({ order_id: refund.order_id })
    .from(refund)
    .where(eq(refund.id, of.id))
  if (!known) throw missing()
  const { row: held } = await holdWithGroup(tx, known.order_id)
  const [row] = await tx.select().from(refund).where(eq(refund.id, of.id)).for('update')
  const may = refundCan(
    of.verb,
    { ...row!, frozen: held.frozen },
    of.by ? { id: of.by.id, now: of.now } : undefined,
  )
  if (may !== true) {
    if (row!.version !== of.version)
      throw conflict(
        ['{who} 刚刚处理了此单：{what}', '{who} has just dealt with it: {what}'],
        {
          who: await nameOf(tx, row!.second_by ?? row!.first_by ?? row!.claimed_by),
          what: say(may, 'zh'),
        },
        row,
      )
    throw ruled(held.frozen && isOpen(row!.state) ? 'frozen' : 'stage', may)
  }
  if (row!.version !== of.version)
    throw conflict(
      ['此单刚刚被修改，请按最新内容处理', 'It has just changed: decide on what it is now'],
      {},
      row,
    )
  return { row: row!, held }
}
const write = async (
  tx: Db,
  row: Refund,
  now: number,
  set: Partial<typeof refund.$inferInsert>,
): Promise<Refund> => {
  const [after] = await tx
    .update(refund)
    .set({ ...set, version: row.version + 1, updated_at: now })
    .where(and(eq(refund.id, row.id), eq(refund.version, row.version)))
    .returning()
  if (!after)
    throw conflict(
      ['此单刚刚被修改，请按最新内容处理', 'It has just changed: decide on what it is now'],
      {},
      row,
    )
  return after
}
type Step = {
  id: number
  version: number
  now: number
  by: Decider
  /** Of a bundle: the figures that whoever decides has seen. */ seen?: ComboFigures | undefined
  /** Whoever it was, where it was no member of staff: the buyer who withdraws. */ actor?: Actor
}
/** Nobody (0) is the clock. */
const whoOf = (of: Pick<Step, 'by' | 'actor'>): Actor =>
  of.actor ?? (of.by.id === 0 ? system : { type: 'staff', id: of.by.id })
/** Writes a step into the order's log, for the negotiation file. */
const noted = (
  tx: Db,
  row: Refund,
  of: Pick<Step, 'by' | 'actor' | 'now'>,
  verb: RefundVerb,
  memo = '',
) =>
  noteOrder(tx, {
    order_id: row.order_id,
    event: verb === 'remark' ? 'remark' : 'refund_decide',
    actor: whoOf(of),
    at: of.now,
    memo,
    data: { refund_id: row.id, verb, state: row.state },
  })
/** Tells the buyer, by a message that is sent later. */
const tellBuyer = async (
  tx: Db,
  row: Refund,
  held: Order,
  text: string,
  of: Pick<Step, 'by' | 'now'>,
) => {
  const [buyer] =
    row.member_id === null
      ? []
      : await tx.select({ phone: member.phone }).from(member).where(eq(member.id, row.member_id))
  const phone = buyer?.phone ?? held.visitor_phone
  if (phone)
    await tx.insert(order_message).values({
      order_id: row.order_id,
      kind: 'refund',
      phone,
      text,
      admin_id: of.by.id || null,
      created_at: of.now,
      updated_at: of.now,
    })
}
const said = (row: Refund, message: RefundMessage): RefundMessage[] => [...row.messages, message]
const picturesOf = (row: Refund): number =>
  row.images.length + row.messages.reduce((n, one) => n + (one.images?.length ?? 0), 0)

/** Takes a case for a quarter of an hour. */
export const claimRefund = async (tx: Db, of: Step): Promise<Refund> => {
  const { row } = await step(tx, { ...of, verb: 'claim' })
  return write(tx, row, of.now, { claimed_by: of.by.id, claim_until: of.now + CLAIM_S })
}
/**
 * Agrees to pay: at once within the decider's own limit, else another person must agree too. What
 * is to be sent again becomes an order of its own.
 */
export const approveRefund = async (
  tx: Db,
  of: Step & { /** One of many: only what can't be wrong. */ batch?: boolean },
): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'approve' })
  const lines = await linesIn(tx, row)
  const parts = await refuseBundle(tx, row, held, lines, of)
  if (of.batch) {
    if (parts.some(part => part.units.used > 0))
      throw ruled('not_in_batch', [
        '有子项已使用或发货，须逐单处理',
        'A part was used or sent: decide it by itself',
      ])
    const may = batchCan(
      {
        type: row.type,
        shipped: lines.some(line => line.shipped_qty > 0),
        amount_cents: row.amount_cents,
      },
      of.by.limit_cents,
    )
    if (may !== true) throw ruled('not_in_batch', may)
  }
  if (
    needsEvidence({
      type: row.type,
      received: await anyReceived(tx, lines),
      pictures: picturesOf(row),
    })
  )
    throw ruled('evidence', keptNeedsPictures)
  if (row.type !== 'resend') return approved(tx, row, held, of)
  await sendAgain(tx, row, lines, held, of)
  return finish(
    tx,
    await write(tx, row, of.now, {
      first_by: of.by.id || null,
      decided_at: of.now,
      claimed_by: null,
      claim_until: null,
    }),
    of.now,
  )
}
const approved = async (
  tx: Db,
  row: Refund,
  held: Order,
  of: Step & { reason?: string },
  set: Partial<typeof refund.$inferInsert> = {},
  verb: RefundVerb = 'approve',
): Promise<Refund> => {
  // An exception from the policy is never one person's.
  const state =
    (set.policy_override ?? row.policy_override)
      ? 'second_audit'
      : afterApproval(set.amount_cents ?? row.amount_cents, of.by.limit_cents)
  const after = await write(tx, row, of.now, {
    ...set,
    state,
    first_by: of.by.id || null,
    second_by: null,
    ...(state === 'paying' && { decided_at: of.now }),
    claimed_by: null,
    claim_until: null,
  })
  await recount(tx, held, {
    event: 'refund_decide',
    actor: whoOf(of),
    now: of.now,
    ...(of.reason && { memo: of.reason }),
    data: { refund_id: row.id, verb, state },
  })
  return state === 'paying' ? pay(tx, after, of.now) : after
}

/**
 * Why the policy of its bundle refuses a case, or undefined; never for what is an exception
 * already.
 */
export const policyRefusesCase = async (tx: Db, row: Refund): Promise<Text | undefined> => {
  const [held] = await tx.select().from(order).where(eq(order.id, row.order_id))
  const parts = await partsOf(tx, row.order_id)
  return row.policy_override
    ? undefined
    : policyAgainst(
        (await soldCombo(tx, held!, parts)).policy,
        parts,
        new Set((await linesIn(tx, row)).map(line => line.item_id)),
        true,
      )
}
/**
 * A case of a bundle is decided on what its parts are now: a part may have been used since it was
 * read, which changes the sums and what the policy allows. Answers its parts.
 */
const refuseBundle = async (
  tx: Db,
  row: Refund,
  held: Order,
  lines: readonly RefundLine[],
  of: Pick<Step, 'seen'> & { override?: boolean },
): Promise<Part[]> => {
  if (held.kind !== 'combo') return []
  const parts = await partsOf(tx, held.id)
  const now = figuresOf(parts, row.amount_cents)
  if (
    of.seen &&
    (of.seen.amount_cents !== now.amount_cents ||
      of.seen.used_cents !== now.used_cents ||
      of.seen.single_cents !== now.single_cents)
  )
    throw conflict(
      [
        '子项刚有变化：可退 {amount} 元，已用 {used} 元，按单价折算可退 {single} 元。请核对后重新确认',
        'A part has changed: {amount} can be refunded, {used} was used, {single} at single prices. Look again and confirm',
      ],
      {
        amount: yuan(now.amount_cents),
        used: yuan(now.used_cents),
        single: yuan(now.single_cents),
      },
      row,
    )
  const why =
    row.policy_override || of.override
      ? undefined
      : policyAgainst(
          (await soldCombo(tx, held, parts)).policy,
          parts,
          new Set(lines.map(line => line.item_id)),
          true,
        )
  if (why) throw ruled('policy', why)
  return parts
}
/**
 * Agrees to some parts of a case: the others are free again, and it comes to what these are worth.
 * Against the policy it is an exception, which a second person decides.
 */
export const approvePartial = async (
  tx: Db,
  of: Step & { item_ids: readonly number[]; reason: string; override: boolean },
): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'approvePartial' })
  const lines = await linesIn(tx, row)
  const kept = lines.filter(line => of.item_ids.includes(line.item_id))
  const gone = lines.filter(line => !kept.includes(line))
  if (kept.length === 0 || of.item_ids.some(id => !lines.some(line => line.item_id === id)))
    throw missing()
  await refuseBundle(tx, row, held, lines, { seen: of.seen, override: true })
  if (gone.length > 0) {
    await lockUnits(tx, gone, -1, of.now)
    await tx.delete(refund_item).where(
      inArray(
        refund_item.id,
        gone.map(line => line.id),
      ),
    )
  }
  // The policy is asked once the parts that are not agreed to are free again: these are what stays
  // outside.
  const parts = await partsOf(tx, held.id)
  const why = policyAgainst(
    (await soldCombo(tx, held, parts)).policy,
    parts,
    new Set(kept.map(line => line.item_id)),
    true,
  )
  if (why && !of.override) throw ruled('policy', why)
  const sum = (n: (line: RefundLine) => number) => kept.reduce((all, line) => all + n(line), 0)
  const freight_cents = gone.length > 0 ? 0 : row.freight_cents
  const amount_cents = sum(line => line.amount_cents) + freight_cents
  return approved(
    tx,
    row,
    held,
    of,
    {
      amount_cents,
      cap_cents: Math.min(row.cap_cents, sum(line => line.share_cents) + freight_cents),
      freight_cents,
      merchant_id: await sellerOf(tx, held, kept, row.type),
      coupon_back: gone.length === 0 && row.coupon_back,
      policy_override: why !== undefined,
    },
    'approvePartial',
  )
}
/** The same goods to the same buyer, free of charge: an order of 0 cents, linked to the first. */
const sendAgain = async (
  tx: Db,
  row: Refund,
  lines: readonly RefundLine[],
  held: Order,
  of: Step,
): Promise<Order> => {
  await notSentAgain(tx, lines, row.id)
  const items = await tx
    .select()
    .from(order_item)
    .where(
      inArray(
        order_item.id,
        lines.map(line => line.item_id),
      ),
    )
  const { ship_promise_h } = await rulesOf(tx, held)
  const place = {
    member_id: held.member_id,
    visitor_phone: held.visitor_phone,
    city_id: held.city_id,
    mall_id: held.mall_id,
    merchant_id: row.merchant_id,
    store_id: held.kind === 'combo' ? items[0]!.store_id : held.store_id,
    receiver: held.receiver,
    config_version: held.config_version,
    agreements: held.agreements,
  }
  const [made] = await tx
    .insert(order)
    .values({
      ...place,
      order_no: numberOf('RS', of.now),
      kind: held.kind,
      sub_kind: 'reissue',
      source: 'admin',
      total_cents: 0,
      pay_cents: 0,
      pay_state: 'paid',
      fulfil_state: 'waiting_ship',
      refund_state: 'none',
      status: 'pending_ship',
      expire_pay_at: of.now,
      paid_at: of.now,
      promise_at: of.now + ship_promise_h * HOUR,
      reissue_of: held.id,
      remark: held.remark,
      created_at: of.now,
      updated_at: of.now,
    })
    .returning()
  for (const line of lines) {
    const item = items.find(one => one.id === line.item_id)!
    if (item.fulfil !== 'express' && item.fulfil !== 'delivery')
      throw ruled('not_posted', ['「{title}」不是邮寄商品，不能补发', '“{title}” is not posted'], {
        title: item.title,
      })
    if (item.qty - item.refunded_qty - item.refunding_qty < line.qty)
      throw ruled(
        'refunded',
        ['「{title}」已退款或退款中，不能补发', '“{title}” was refunded, or is in refund'],
        { title: item.title },
      )
    await takeStock(tx, item, line.qty)
    await tx.insert(order_item).values({
      order_id: made!.id,
      kind: item.kind,
      product_id: item.product_id,
      sku_id: item.sku_id,
      store_stock_id: item.store_stock_id,
      snapshot: item.snapshot,
      title: item.title,
      store_id: item.store_id,
      qty: line.qty,
      price_cents: 0,
      pay_cents: 0,
      fulfil: item.fulfil,
      created_at: of.now,
      updated_at: of.now,
    })
  }
  await noted(tx, row, of, 'approve', made!.order_no)
  return recount(tx, made!, {
    event: 'create',
    actor: whoOf(of),
    now: of.now,
    memo: row.refund_no,
    data: { refund_id: row.id, reissue_of: held.id },
  })
}
export const secondApprove = async (tx: Db, of: Step): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'secondApprove' })
  await refuseBundle(tx, row, held, await linesIn(tx, row), of)
  if (row.amount_cents > of.by.limit_cents)
    throw ruled(
      'limit',
      ['金额超过你的审批额度 {max} 元', 'It is above your limit of {max} yuan'],
      { max: yuan(of.by.limit_cents) },
    )
  const after = await write(tx, row, of.now, {
    state: 'paying',
    second_by: of.by.id,
    decided_at: of.now,
    claimed_by: null,
    claim_until: null,
  })
  await recount(tx, held, {
    event: 'refund_decide',
    actor: whoOf(of),
    now: of.now,
    data: { refund_id: row.id, verb: 'secondApprove', state: 'paying' },
  })
  return row.offline ? payByHand(tx, after, of.now) : pay(tx, after, of.now)
}
/** Back to whoever decided first; money that should go by hand waits for the channel again. */
export const secondReject = async (tx: Db, of: Step & { reason: string }): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'secondReject' })
  const back = row.offline
    ? { state: 'pay_failed' as const, offline: false, offline_account: null, offline_proof: null }
    : {
        state:
          row.return_received_at === null || row.return_tracking_no === null
            ? ('applied' as const)
            : ('returning' as const),
        deadline_at: of.now + ANSWER_HOURS * HOUR,
      }
  const after = await write(tx, row, of.now, {
    ...back,
    first_by: null,
    claimed_by: null,
    claim_until: null,
  })
  await recount(tx, held, {
    event: 'refund_decide',
    actor: whoOf(of),
    now: of.now,
    memo: of.reason,
    data: { refund_id: row.id, verb: 'secondReject', state: after.state },
  })
  return after
}
/**
 * Ends a case without paying: its units are free again, and what is past its time meanwhile is
 * expired.
 */
const end = async (
  tx: Db,
  row: Refund,
  held: Order,
  of: {
    state: 'rejected' | 'closed'
    verb?: RefundVerb
    now: number
    actor: Actor
    reason: string
    set?: Partial<typeof refund.$inferInsert>
  },
): Promise<Refund> => {
  const after = await write(tx, row, of.now, {
    ...of.set,
    state: of.state,
    decided_at: of.now,
    claimed_by: null,
    claim_until: null,
  })
  if (row.type !== 'resend') await lockUnits(tx, await linesIn(tx, row), -1, of.now)
  if (held.kind === 'points') await endGrants(tx, held, 'unused')
  await recount(tx, held, {
    event: of.state === 'rejected' ? 'refund_decide' : 'refund_end',
    actor: of.actor,
    now: of.now,
    memo: of.reason,
    data: { refund_id: row.id, verb: of.verb ?? 'close', state: of.state },
  })
  // A bill that is not given back after all stands as it was: used, in its store.
  if (held.sub_kind === 'pay_bill') await redeemBill(tx, held, of.now)
  return after
}
/** Refused, with words and pictures that the buyer gets to see. */
export const rejectRefund = async (
  tx: Db,
  of: Step & {
    reason_code: string
    reason: string
    images?: string[] | undefined
    name?: string
    verb?: 'reject' | 'refuseReceive'
  },
): Promise<Refund> => {
  const verb = of.verb ?? 'reject'
  const { row, held } = await step(tx, { ...of, verb })
  const after = await end(tx, row, held, {
    state: 'rejected',
    verb,
    now: of.now,
    actor: whoOf(of),
    reason: of.reason,
    set: {
      first_by: of.by.id || null,
      second_by: null,
      reject_code: of.reason_code,
      reject_reason: of.reason,
      messages: said(row, {
        by: 'staff',
        name: of.name ?? '',
        text: of.reason,
        ...(of.images?.length && { images: of.images }),
        at: of.now,
      }),
    },
  })
  const why = Object.hasOwn(refundRejects, of.reason_code)
    ? `${say(refundRejects[of.reason_code as RefundReject], 'zh')}：`
    : ''
  await tellBuyer(tx, row, held, `您的售后 ${row.refund_no} 未通过：${why}${of.reason}`, of)
  return after
}
/** Closed without a decision: by staff, by the clock, or by the buyer who withdraws. */
export const closeRefund = async (tx: Db, of: Step & { reason: string }): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'close' })
  return end(tx, row, held, { state: 'closed', now: of.now, actor: whoOf(of), reason: of.reason })
}
/** The goods come back first; the buyer has seven days to post them. */
export const approveReturn = async (
  tx: Db,
  of: Step & { return_address_id: number },
): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'approveReturn' })
  await refuseBundle(tx, row, held, await linesIn(tx, row), of)
  const [to] = await tx
    .select()
    .from(return_address)
    .where(
      and(
        eq(return_address.id, of.return_address_id),
        eq(return_address.merchant_id, row.merchant_id),
        eq(return_address.status, 'on'),
      ),
    )
  if (!to)
    throw ruled('address', [
      '退货地址不属于该商户或已停用',
      'The address is not this merchant’s, or is off',
    ])
  const after = await write(tx, row, of.now, {
    state: 'wait_return',
    first_by: of.by.id || null,
    second_by: null,
    return_address_id: to.id,
    deadline_at: of.now + RETURN_DAYS * 86_400,
    claimed_by: null,
    claim_until: null,
  })
  await recount(tx, held, {
    event: 'refund_decide',
    actor: whoOf(of),
    now: of.now,
    data: { refund_id: row.id, verb: 'approveReturn', state: after.state },
  })
  await tellBuyer(
    tx,
    row,
    held,
    `您的退货申请 ${row.refund_no} 已同意，请在 ${RETURN_DAYS} 天内寄至：${to.area}${to.address} ${to.name} ${to.phone}`,
    of,
  )
  return after
}
/**
 * The parcel that comes back: a number of the courier's form, and not the one that the goods were
 * sent by.
 */
export const returnTracking = async (
  tx: Db,
  of: Step & { courier: string; tracking_no: string },
): Promise<Refund> => {
  const { row } = await step(tx, { ...of, verb: 'fillReturnTracking' })
  const tracking_no = trackingOf(of.tracking_no)
  const [by] = await tx
    .select()
    .from(courier)
    .where(and(eq(courier.code, of.courier), eq(courier.status, 'on')))
  if (!by || !fitsCourier(tracking_no, by))
    throw ruled('tracking', ['{no} 不是该快递的单号', '{no} is no number of this courier'], {
      no: tracking_no,
    })
  const [outbound] = await tx
    .select({ id: shipment.id })
    .from(shipment)
    .where(and(eq(shipment.order_id, row.order_id), eq(shipment.tracking_no, tracking_no)))
  if (outbound)
    throw ruled('outbound', [
      '退货单号不能与发货单号相同',
      'It is the number that the goods were sent by',
    ])
  const after = await write(tx, row, of.now, {
    state: 'returning',
    return_courier: by.code,
    return_tracking_no: tracking_no,
    return_track: { state: 'shipped', traces: [], traced_at: null, sent_at: of.now, asked_at: 0 },
    deadline_at: of.now + RETURN_DAYS * 86_400,
  })
  await noted(tx, after, of, 'fillReturnTracking', `${by.name} ${tracking_no}`)
  return after
}
/**
 * The goods are back: now it is paid, above the limit after a second person's word. `verb`: where
 * no queue leads goods back, they may be there before anybody agreed to it.
 */
export const confirmReturn = async (
  tx: Db,
  of: Step & { condition?: ReturnCondition | undefined; verb?: 'takeBack' },
): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: of.verb ?? 'confirmReceive' })
  return approved(
    tx,
    row,
    held,
    of,
    { return_received_at: of.now, return_condition: of.condition ?? 'good' },
    'confirmReceive',
  )
}
/**
 * Another amount that the buyer agreed to, in the words and pictures that prove it: never above
 * what the units are worth.
 */
export const changeAmount = async (
  tx: Db,
  of: Step & {
    amount_cents: number
    consent?: { name: string; text: string; images?: string[] | undefined }
  },
): Promise<Refund> => {
  const { row } = await step(tx, { ...of, verb: 'changeAmount' })
  if (of.amount_cents > row.cap_cents || of.amount_cents < 1)
    throw ruled('above_cap', ['退款金额须在 0.01 至 {max} 元之间', 'Between 0.01 and {max} yuan'], {
      max: yuan(row.cap_cents),
    })
  const lines = await linesIn(tx, row)
  const share = lines.reduce((all, line) => all + line.share_cents, 0)
  const amounts = shares(
    Math.min(of.amount_cents, share),
    lines.map(line => line.share_cents),
  )
  for (const [at, line] of lines.entries())
    await tx
      .update(refund_item)
      .set({ amount_cents: amounts[at]! })
      .where(eq(refund_item.id, line.id))
  const { consent } = of
  const after = await write(tx, row, of.now, {
    amount_cents: of.amount_cents,
    freight_cents: Math.max(0, of.amount_cents - share),
    ...(consent && {
      messages: said(row, {
        by: 'staff',
        name: consent.name,
        text: `¥${yuan(row.amount_cents)} → ¥${yuan(of.amount_cents)}　${consent.text}`,
        ...(consent.images?.length && { images: consent.images }),
        at: of.now,
      }),
    }),
  })
  await noted(tx, after, of, 'changeAmount', `${yuan(row.amount_cents)} → ${yuan(of.amount_cents)}`)
  return after
}
export const intervene = async (tx: Db, of: Step & { reason: string }): Promise<Refund> => {
  const { row } = await step(tx, { ...of, verb: 'intervene' })
  const after = await write(tx, row, of.now, { intervened: true })
  await noted(tx, after, of, 'intervene', of.reason)
  return after
}
export const extendDeadline = async (
  tx: Db,
  of: Step & { hours: number; reason: string },
): Promise<Refund> => {
  const { row } = await step(tx, { ...of, verb: 'extendDeadline' })
  const after = await write(tx, row, of.now, {
    deadline_at: Math.max(row.deadline_at, of.now) + of.hours * HOUR,
  })
  await noted(tx, after, of, 'extendDeadline', of.reason)
  return after
}
export const replyTo = async (
  tx: Db,
  of: Step & { name: string; text: string; images?: string[] | undefined },
): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'reply' })
  const after = await write(tx, row, of.now, {
    messages: said(row, {
      by: 'staff',
      name: of.name,
      text: of.text,
      ...(of.images?.length && { images: of.images }),
      at: of.now,
    }),
  })
  await tellBuyer(tx, row, held, `您的售后 ${row.refund_no} 有新回复：${of.text}`, of)
  return after
}
/** A note for colleagues; the buyer never sees it. Decided cases take notes too. */
export const remarkOn = async (tx: Db, of: Step & { text: string }): Promise<Refund> => {
  const { row } = await step(tx, { ...of, verb: 'remark' })
  await noted(tx, row, of, 'remark', of.text)
  return row
}
/** Pays the parts again that failed; the others stay as they are. */
export const retryPay = async (tx: Db, of: Step): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'retryPay' })
  const after = await write(tx, row, of.now, { state: 'paying' })
  await recount(tx, held, {
    event: 'refund_decide',
    actor: whoOf(of),
    now: of.now,
    data: { refund_id: row.id, verb: 'retryPay', state: 'paying' },
  })
  return pay(tx, after, of.now)
}
export const readRefundSettings = async (db: Db): Promise<RefundSettings> => {
  const [row] = await db
    .select({ value: setting.value })
    .from(setting)
    .where(eq(setting.key, 'refund'))
  return { ...refundSettings, ...(row?.value as Partial<RefundSettings> | undefined) }
}
export type Payout = {
  fails: number
  pending: boolean
  paid_at: number
  parts: number
  fail_code: string | null
  fail_text: string | null
}
/**
 * How the channel took the refunds named: how often it refused, whether it still owes an answer,
 * and what it said last.
 */
export const payoutsOf = async (
  db: Db,
  refunds: readonly Pick<Refund, 'id' | 'order_id'>[],
): Promise<ReadonlyMap<number, Payout>> => {
  if (refunds.length === 0) return new Map()
  const { rows } = await db.execute<
    Record<'id' | 'fails' | 'parts' | 'paid_at', number> & {
      pending: boolean
      fail: { code: string; text: string } | null
    }
  >(sql`
    select r.id, (select coalesce(sum(p.fails), 0)::int from payment p where p.refund_id = r.id) fails, exists (select 1 from payment p where p.refund_id = r.id and p.state = 'pending') pending,
      (select coalesce(min(p.success_at), 0)::bigint from payment p where p.order_id = r.order_id and p.direction = 'in' and p.state = 'success') paid_at, (select count(*)::int from payment p where p.order_id = r.order_id and p.direction = 'out' and p.state = 'success') parts,
      (select jsonb_build_object('code', p.fail_code, 'text', p.fail_text) from payment p where p.refund_id = r.id and p.state = 'failed' order by p.id desc limit 1) fail
    from refund r where r.id in ${refunds.map(one => one.id)}`)
  return new Map(
    rows.map(row => [
      row.id,
      {
        fails: row.fails,
        pending: row.pending,
        paid_at: Number(row.paid_at),
        parts: row.parts,
        fail_code: row.fail?.code ?? null,
        fail_text: row.fail?.text ?? null,
      },
    ]),
  )
}
/**
 * Money by hand where the channel will not: asked for with a proof, paid when another person
 * agrees. Until then, and after, the channel is not asked again.
 */
export const offlinePay = async (
  tx: Db,
  of: Step & { account: string; proof: string; reason: string },
): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'offlinePay' })
  const payout = (await payoutsOf(tx, [row])).get(row.id)!
  const may = offlineCan(payout, of.now, await readRefundSettings(tx))
  if (may !== true) throw ruled('channel_first', may)
  const after = await write(tx, row, of.now, {
    state: 'second_audit',
    offline: true,
    offline_account: of.account,
    offline_proof: of.proof,
    first_by: of.by.id,
    second_by: null,
    claimed_by: null,
    claim_until: null,
  })
  await recount(tx, held, {
    event: 'refund_decide',
    actor: whoOf(of),
    now: of.now,
    memo: of.reason,
    data: { refund_id: row.id, verb: 'offlinePay', state: 'second_audit' },
  })
  return after
}
