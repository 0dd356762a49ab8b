import { randomInt } from 'node:crypto'
import { and, eq, inArray, ne, notInArray, sql } from 'drizzle-orm'
import { codeStateOf, orderCan, partOf } from '#src/domain/order.ts'
import { shares } from '#src/domain/money.ts'
import { afterApproval, overPayments, refundCan, type RefundCause, type RefundSource, type RefundType, type RefundVerb } from '#src/domain/refund.ts'
import { say } from '#src/domain/text.ts'
import type { Db } from '../implement.ts'
import { conflict, missing, ruled } from '../refuse.ts'
import { order, order_code, order_item, payment, refund, refund_item } from '../tables/order.ts'
import { admin } from '../tables/people.ts'
import { product, product_sku } from '../tables/product.ts'
import { freeSeat, holdGroup } from './groups.ts'
import { holdOrder, recount, system, type Actor, type Order, type OrderCode } from './orderFacts.ts'

export type Refund = typeof refund.$inferSelect
export type RefundLine = typeof refund_item.$inferSelect
/** What is asked back: of codes their times (all that are left unless said), of items their units; `all` that can be given back. */
export type Wanted = 'all' | { codes?: readonly { id: number; times?: number | undefined }[]; items?: readonly { id: number; qty: number }[] }
/** Whoever decides, and how much alone (cents). */
export type Decider = { id: number; limit_cents: number }

const HOUR = 3600
export const ANSWER_HOURS = 48
const RETURN_DAYS = 7
const CLAIM_S = 900
type Line = Omit<typeof refund_item.$inferInsert, 'refund_id' | 'amount_cents'> & { code?: OrderCode }

/** The lines of what can be given back now, each with what it is worth: from what is left, so that shares meet to the cent and the last unit takes the rest. */
const linesOf = async (tx: Db, row: Order, wanted: Wanted, type: RefundType): Promise<{ lines: Line[]; nothingSent: boolean }> => {
  const items = await tx.select().from(order_item).where(eq(order_item.order_id, row.id)).orderBy(order_item.id)
  const codes = await tx.select().from(order_code).where(eq(order_code.order_id, row.id)).orderBy(order_code.id)
  const before = await tx.select({ item_id: refund_item.item_id, code_id: refund_item.code_id, qty: sql<number>`sum(${refund_item.qty})::int`, shipped: sql<number>`sum(case when ${refund.state} = 'done' then 0 else ${refund_item.shipped_qty} end)::int`, share_cents: sql<string>`sum(${refund_item.share_cents})`, platform_cents: sql<string>`sum(${refund_item.platform_cents})` })
    .from(refund_item).innerJoin(refund, eq(refund.id, refund_item.refund_id)).where(and(eq(refund.order_id, row.id), notInArray(refund.state, ['rejected', 'closed']))).groupBy(refund_item.item_id, refund_item.code_id)
  const usable = (code: OrderCode) => code.times_total + code.times_bonus - code.times_used - code.times_refunding - code.times_refunded
  const givable = (code: OrderCode) => ['locked', 'unused', 'part_used', 'expired'].includes(code.state) && code.gift_state !== 'sent' && usable(code) > 0
  const leftOf = (item: (typeof items)[number]) => item.qty - item.refunding_qty - item.refunded_qty
  const ofCodes = wanted === 'all' ? codes.filter(givable).map(code => ({ id: code.id, times: undefined })) : wanted.codes ?? []
  const ofItems = wanted === 'all' ? items.filter(item => item.fulfil !== 'code' && item.fulfil !== 'pickup' && leftOf(item) > 0).map(item => ({ id: item.id, qty: leftOf(item) })) : wanted.items ?? []
  const lines: Line[] = []
  for (const { id, times } of ofCodes) {
    const code = codes.find(one => one.id === id)
    if (!code) throw missing()
    if (code.gift_state === 'sent') throw ruled('gift', ['券码 {code} 正在转赠，请先撤回', 'Code {code} is being given away: recall it first'], { code: code.code.slice(-4) })
    if (!givable(code)) throw ruled('code_not_refundable', ['尾号 {code} 的券码已使用、已退款或退款中', 'Code …{code} was used, refunded or is in refund'], { code: code.code.slice(-4) }, { code_id: id })
    const left = usable(code)
    const n = times ?? left
    if (n < 1 || n > left) throw ruled('too_many', ['尾号 {code} 的券码只剩 {n} 次可退', 'Code …{code} has only {n} uses left'], { code: code.code.slice(-4), n: left })
    const paid_times = n === left ? code.left_times : Math.min(n, code.left_times)
    const part = (cents: number) => partOf(cents, code.left_times, paid_times)
    lines.push({ item_id: code.item_id, code_id: id, qty: n, paid_times, share_cents: part(code.left_pay_cents), platform_cents: part(code.left_platform_cents), settle_cents: part(code.left_settle_cents), code })
  }
  for (const { id, qty } of ofItems) {
    const item = items.find(one => one.id === id)
    if (!item || item.fulfil === 'code' || item.fulfil === 'pickup') throw missing()
    const left = leftOf(item)
    if (qty < 1 || qty > left) throw ruled('too_many', ['「{title}」只剩 {n} 件可退', 'Only {n} of “{title}” can be refunded'], { title: item.title, n: left })
    const taken = before.filter(one => one.item_id === id)
    const rest = (cents: number, key: 'share_cents' | 'platform_cents') => cents - taken.reduce((all, one) => all + Number(one[key]), 0)
    const sent = item.shipped_qty - taken.reduce((all, one) => all + one.shipped, 0)
    const unsent = left - sent
    // What is returned was sent; what is only refunded stays where it is as long as it can.
    const shipped_qty = type === 'return_refund' ? Math.min(qty, sent) : Math.max(0, qty - unsent)
    lines.push({ item_id: id, code_id: null, qty, shipped_qty, share_cents: partOf(rest(item.pay_cents, 'share_cents'), left, qty), platform_cents: partOf(rest(item.platform_cents, 'platform_cents'), left, qty) })
  }
  return { lines, nothingSent: items.every(item => item.shipped_qty === 0 && item.used_qty === 0) }
}

/** What a refund gives back, line by line. */
export const linesIn = (tx: Db, of: Pick<Refund, 'id'>): Promise<RefundLine[]> => tx.select().from(refund_item).where(eq(refund_item.refund_id, of.id)).orderBy(refund_item.id)

/** Locks (or gives free) the units of a refund's lines: they can't be used or shipped while it is open. */
const lockUnits = async (tx: Db, lines: readonly Pick<RefundLine, 'item_id' | 'code_id' | 'qty' | 'paid_times' | 'share_cents' | 'platform_cents' | 'settle_cents'>[], way: 1 | -1, now: number) => {
  for (const line of lines) {
    if (line.code_id === null) {
      await tx.update(order_item).set({ refunding_qty: sql`${order_item.refunding_qty} + ${way * line.qty}`, version: sql`${order_item.version} + 1` }).where(eq(order_item.id, line.item_id))
      continue
    }
    const [code] = await tx.select().from(order_code).where(eq(order_code.id, line.code_id))
    const times_refunding = code!.times_refunding + way * line.qty
    await tx.update(order_code).set({
      times_refunding, left_times: code!.left_times - way * line.paid_times, left_pay_cents: code!.left_pay_cents - way * line.share_cents, left_platform_cents: code!.left_platform_cents - way * line.platform_cents, left_settle_cents: code!.left_settle_cents - way * line.settle_cents,
      // A locked code stays locked: nothing of it can be used either way.
      state: codeStateOf({ ...code!, state: code!.state === 'locked' ? 'locked' : 'unused', times_refunding }, now), version: code!.version + 1, updated_at: now,
    }).where(and(eq(order_code.id, line.code_id), eq(order_code.version, code!.version)))
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
  /** The freight too, though part of it was sent (the platform's fault). */
  freight?: boolean
  actor: Actor
  /** Whoever opens it decides it in the same breath, up to their limit; above it another person must agree. */
  by?: Decider
  /** The same key never opens a second refund. */
  idem_key?: string
  now: number
}
/**
 * Opens a refund. Its amount is never typed for codes: it is what the chosen units are worth. Their units are locked at once. The system's own refunds and those of
 * staff within their limit are paid out; the others wait for a decision. The group, if any, is held first. Asked again with the same key, it answers the first.
 */
export const openRefund = async (tx: Db, of: Asked): Promise<Refund> => {
  const { now, type = 'refund_only', cause = 'apply' } = of
  const row = await holdWithGroup(tx, of.order_id)
  if (of.idem_key) {
    const [same] = await tx.select().from(refund).where(eq(refund.idem_key, of.idem_key))
    if (same && same.order_id === of.order_id) return same
  }
  const may = cause === 'late_pay' ? true : orderCan('refund', row)
  if (may !== true) throw ruled(row.frozen ? 'frozen' : 'not_refundable', may)
  const late = cause === 'late_pay'
  const { lines, nothingSent } = late ? { lines: [], nothingSent: false } : await linesOf(tx, row, of.wanted, type)
  if (lines.length === 0 && !late) throw ruled('nothing_left', ['没有可退的商品或券码', 'Nothing is left to refund'])
  // Sent again: nothing is paid back, and its units stay what they are.
  if (type === 'resend') for (const line of lines) Object.assign(line, { share_cents: 0, platform_cents: 0, settle_cents: 0, paid_times: 0 })
  const wholeRest = of.wanted === 'all' || (await restAfter(tx, row.id, lines)) === 0
  const [taken] = await tx.select({ cents: sql<string>`coalesce(sum(${refund.freight_cents}), 0)`, open: sql<string>`coalesce(sum(${refund.amount_cents}) filter (where ${refund.state} <> 'done'), 0)` }).from(refund).where(and(eq(refund.order_id, row.id), notInArray(refund.state, ['rejected', 'closed'])))
  const freight_cents = type !== 'resend' && (of.freight || (wholeRest && nothingSent)) ? row.freight_cents - Number(taken!.cents) : 0
  const share = lines.reduce((all, line) => all + line.share_cents, 0)
  // Of an order that paid its deposit only, no more than that.
  const cap_cents = type === 'resend' ? 0 : Math.min(late ? of.amount_cents! : share + freight_cents, row.paid_cents - row.refunded_cents - Number(taken!.open))
  const amount_cents = type === 'resend' ? 0 : of.amount_cents ?? cap_cents
  if (amount_cents > cap_cents || amount_cents < 0) throw ruled('above_cap', ['退款金额不能超过可退的 {max} 元', 'At most {max} yuan can be refunded'], { max: (cap_cents / 100).toFixed(2) })
  // What was agreed less comes off the freight last: the units' part is spread over them by what they are worth.
  const amounts = shares(Math.min(amount_cents, share), lines.map(line => line.share_cents))
  const by = of.by
  const state = cause !== 'apply' ? 'paying' as const : by ? afterApproval(amount_cents, by.limit_cents) : 'applied' as const
  const [made] = await tx.insert(refund).values({
    refund_no: `RF${now}${randomInt(100_000, 999_999)}`, order_id: row.id, order_kind: row.kind, city_id: row.city_id, mall_id: row.mall_id, merchant_id: row.merchant_id, member_id: row.member_id, type, source: of.source, cause, reason: of.reason, reason_code: of.reason_code ?? null, images: of.images ?? [],
    amount_cents, freight_cents: Math.max(0, amount_cents - share), cap_cents, coupon_back: wholeRest && row.refund_state === 'none', state, ...(by && { first_by: by.id, decided_at: state === 'paying' ? now : null }), deadline_at: now + ANSWER_HOURS * HOUR, idem_key: of.idem_key ?? null, created_at: now, updated_at: now,
  }).returning()
  if (lines.length > 0) await tx.insert(refund_item).values(lines.map(({ code: _, ...line }, at) => ({ ...line, refund_id: made!.id, amount_cents: amounts[at]!, created_at: now, updated_at: now })))
  if (type !== 'resend') await lockUnits(tx, await linesIn(tx, made!), 1, now)
  await recount(tx, row, { event: 'refund_open', actor: of.actor, now, memo: of.reason, data: { refund_id: made!.id, amount_cents } })
  return state === 'paying' ? pay(tx, made!, now) : made!
}
/** The group first, then the order: as everybody holds them. */
const holdWithGroup = async (tx: Db, order_id: number): Promise<Order> => {
  const [known] = await tx.select({ roll_group_id: order.roll_group_id }).from(order).where(eq(order.id, order_id))
  if (!known) throw missing()
  if (known.roll_group_id !== null) await holdGroup(tx, known.roll_group_id)
  return holdOrder(tx, order_id)
}
/** How many units an order still has when these lines are gone. */
const restAfter = async (tx: Db, order_id: number, lines: readonly Line[]): Promise<number> => {
  const items = await tx.select().from(order_item).where(eq(order_item.order_id, order_id))
  const codes = await tx.select().from(order_code).where(and(eq(order_code.order_id, order_id), sql`${order_code.state} <> 'void'`))
  const all = items.reduce((sum, item) => sum + (item.fulfil === 'code' || item.fulfil === 'pickup' ? 0 : item.qty - item.refunding_qty - item.refunded_qty), 0) + codes.reduce((sum, code) => sum + code.times_total + code.times_bonus - code.times_refunding - code.times_refunded, 0)
  return all - lines.reduce((sum, line) => sum + line.qty, 0)
}

/** Money goes out: one row a payment that it came in by, in proportion to what is left on each. The channel is asked after the commit (`services/payments.ts`). */
const pay = async (tx: Db, row: Refund, now: number): Promise<Refund> => {
  const paid = await tx.select().from(payment).where(and(eq(payment.order_id, row.order_id), eq(payment.direction, 'in'), eq(payment.state, 'success'))).orderBy(payment.id)
  // What the channel refused is sent again under its own number, so that it can never be paid twice; only a number that the channel closed needs another.
  await tx.update(payment).set({ state: 'pending', fail_code: null, fail_text: null, tries: 0, ask_at: now, updated_at: now }).where(and(eq(payment.refund_id, row.id), eq(payment.state, 'failed'), ne(payment.fail_code, 'CLOSED')))
  const out = await tx.select().from(payment).where(and(eq(payment.order_id, row.order_id), eq(payment.direction, 'out'), inArray(payment.state, ['pending', 'success'])))
  const mine = out.filter(one => one.refund_id === row.id)
  const due = row.amount_cents - mine.reduce((all, one) => all + one.amount_cents, 0)
  const open = paid.filter(one => !mine.some(part => part.parent_id === one.id))
  const left = open.map(one => one.amount_cents - out.filter(part => part.parent_id === one.id).reduce((all, part) => all + part.amount_cents, 0))
  const parts = overPayments(due, left).map((amount_cents, at) => ({ amount_cents, parent: open[at]! })).filter(part => part.amount_cents > 0)
  const [{ tries } = { tries: 0 }] = await tx.select({ tries: sql<number>`count(*)::int` }).from(payment).where(eq(payment.refund_id, row.id))
  if (parts.length > 0) await tx.insert(payment).values(parts.map(({ amount_cents, parent }, at) => ({ order_id: row.order_id, refund_id: row.id, direction: 'out' as const, stage: 'refund' as const, channel: parent.channel, amount_cents, out_no: `${row.refund_no}${tries + at === 0 ? '' : `-${tries + at + 1}`}`, parent_id: parent.id, state: 'pending' as const, ask_at: now, created_at: now, updated_at: now })))
  return parts.length === 0 && mine.every(one => one.state === 'success') ? finish(tx, row, now) : row
}

/** All of it is back with its payer: the units are refunded, stock returns, the seat of a forming group is free. Order and group must be held. */
export const finish = async (tx: Db, row: Refund, now: number): Promise<Refund> => {
  const [done] = await tx.update(refund).set({ state: 'done', done_at: now, version: sql`${refund.version} + 1`, updated_at: now }).where(and(eq(refund.id, row.id), inArray(refund.state, ['paying', 'pay_failed', 'applied']))).returning()
  if (!done) throw conflict(['退款单状态已变化', 'The refund has changed'], {}, row)
  for (const line of row.type === 'resend' ? [] : await linesIn(tx, row)) {
    const [item] = await tx.select().from(order_item).where(eq(order_item.id, line.item_id))
    let restocked = 0
    if (line.code_id !== null) {
      const [code] = await tx.select().from(order_code).where(eq(order_code.id, line.code_id))
      const counts = { times_refunding: code!.times_refunding - line.qty, times_refunded: code!.times_refunded + line.qty }
      await tx.update(order_code).set({ ...counts, refunded_cents: code!.refunded_cents + line.amount_cents, state: codeStateOf({ ...code!, state: code!.state === 'locked' && counts.times_refunded < code!.times_total ? 'locked' : 'unused', ...counts }, now), version: code!.version + 1, updated_at: now }).where(eq(order_code.id, line.code_id))
      // A code that was never used is a unit that can be sold again.
      restocked = item!.fulfil === 'pickup' ? line.qty : code!.times_used === 0 ? 1 : 0
      await tx.update(order_item).set({ refunded_cents: sql`${order_item.refunded_cents} + ${line.amount_cents}`, stock_returned: sql`${order_item.stock_returned} + ${restocked}` }).where(eq(order_item.id, line.item_id))
    } else {
      restocked = line.qty - (row.type === 'return_refund' ? 0 : line.shipped_qty)
      await tx.update(order_item).set({
        refunding_qty: sql`${order_item.refunding_qty} - ${line.qty}`, refunded_qty: sql`${order_item.refunded_qty} + ${line.qty}`, refunded_cents: sql`${order_item.refunded_cents} + ${line.amount_cents}`, stock_returned: sql`${order_item.stock_returned} + ${restocked}`,
        shipped_qty: sql`${order_item.shipped_qty} - ${line.shipped_qty}`, received_qty: sql`least(${order_item.received_qty}, ${order_item.shipped_qty} - ${line.shipped_qty})`,
      }).where(eq(order_item.id, line.item_id))
    }
    if (restocked > 0) {
      for (const { table, id } of [{ table: product, id: item!.product_id }, { table: product_sku, id: item!.sku_id }]) if (id !== null) await tx.update(table).set({ stock: sql`${table.stock} + ${restocked}`, sold: sql`greatest(${table.sold} - ${restocked}, 0)` }).where(eq(table.id, id))
    }
  }
  const held = await holdOrder(tx, row.order_id)
  const after = await recount(tx, held, { event: 'refund_done', actor: { type: 'channel' }, now, data: { refund_id: row.id, amount_cents: row.amount_cents }, set: { refunded_cents: held.refunded_cents + row.amount_cents } })
  if (after.roll_group_id !== null && after.refund_state === 'refunded') await freeSeat(tx, after.roll_group_id, now)
  return done
}

/** Who decided, for whoever came second. */
const nameOf = async (tx: Db, id: number | null): Promise<string> => (id === null ? say(['系统', 'the system'], 'zh') : (await tx.select({ name: admin.name }).from(admin).where(eq(admin.id, id)))[0]?.name ?? String(id))

/** One step of a case: its order (and group) is held, the step must be allowed now, and the row must be as it was read. The loser of a race is told who won. */
const step = async (tx: Db, of: { id: number; version: number; verb: RefundVerb; by: Decider | null; now: number }): Promise<{ row: Refund; held: Order }> => {
  const [known] = await tx.select({ order_id: refund.order_id }).from(refund).where(eq(refund.id, of.id))
  if (!known) throw missing()
  const held = await holdWithGroup(tx, known.order_id)
  const [row] = await tx.select().from(refund).where(eq(refund.id, of.id)).for('update')
  const may = refundCan(of.verb, row!, of.by ? { id: of.by.id, now: of.now } : undefined)
  if (may !== true) {
    if (row!.version !== of.version) throw conflict(['{who} 刚刚处理了此单：{what}', '{who} has just dealt with it: {what}'], { who: await nameOf(tx, row!.second_by ?? row!.first_by ?? row!.claimed_by), what: say(may, 'zh') }, row)
    throw ruled('stage', may)
  }
  if (row!.version !== of.version) throw conflict(['此单刚刚被修改，请按最新内容处理', 'It has just changed: decide on what it is now'], {}, row)
  if (held.frozen && of.verb !== 'claim') throw ruled('frozen', ['订单已冻结，解冻后才能处理退款', 'The order is frozen'])
  return { row: row!, held }
}
const write = async (tx: Db, row: Refund, now: number, set: Partial<typeof refund.$inferInsert>): Promise<Refund> => {
  const [after] = await tx.update(refund).set({ ...set, version: row.version + 1, updated_at: now }).where(and(eq(refund.id, row.id), eq(refund.version, row.version))).returning()
  if (!after) throw conflict(['此单刚刚被修改，请按最新内容处理', 'It has just changed: decide on what it is now'], {}, row)
  return after
}
type Step = { id: number; version: number; now: number; by: Decider }
/** Nobody (0) is the clock. */
const staffOf = (by: Decider): Actor => (by.id === 0 ? system : { type: 'staff', id: by.id })

/** Takes a case for a quarter of an hour. */
export const claimRefund = async (tx: Db, of: Step): Promise<Refund> => {
  const { row } = await step(tx, { ...of, verb: 'claim' })
  return write(tx, row, of.now, { claimed_by: of.by.id, claim_until: of.now + CLAIM_S })
}
/** Agrees to pay: at once within the decider's own limit, else another person must agree too. */
export const approveRefund = async (tx: Db, of: Step): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'approve' })
  if (row.type === 'resend') { const after = await write(tx, row, of.now, { first_by: of.by.id || null, decided_at: of.now, claimed_by: null, claim_until: null }); return finish(tx, after, of.now) }
  return approved(tx, row, held, of)
}
const approved = async (tx: Db, row: Refund, held: Order, of: Step, set: Partial<typeof refund.$inferInsert> = {}): Promise<Refund> => {
  const state = afterApproval(row.amount_cents, of.by.limit_cents)
  const after = await write(tx, row, of.now, { ...set, state, first_by: of.by.id || null, second_by: null, ...(state === 'paying' && { decided_at: of.now }), claimed_by: null, claim_until: null })
  await recount(tx, held, { event: 'refund_decide', actor: staffOf(of.by), now: of.now, data: { refund_id: row.id, state } })
  return state === 'paying' ? pay(tx, after, of.now) : after
}
export const secondApprove = async (tx: Db, of: Step): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'secondApprove' })
  if (row.amount_cents > of.by.limit_cents) throw ruled('limit', ['金额超过你的审批额度 {max} 元', 'It is above your limit of {max} yuan'], { max: (of.by.limit_cents / 100).toFixed(2) })
  const after = await write(tx, row, of.now, { state: 'paying', second_by: of.by.id, decided_at: of.now, claimed_by: null, claim_until: null })
  await recount(tx, held, { event: 'refund_decide', actor: staffOf(of.by), now: of.now, data: { refund_id: row.id, state: 'paying' } })
  return pay(tx, after, of.now)
}
export const secondReject = async (tx: Db, of: Step & { reason: string }): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'secondReject' })
  const after = await write(tx, row, of.now, { state: 'applied', first_by: null, claimed_by: null, claim_until: null, deadline_at: of.now + ANSWER_HOURS * HOUR })
  await recount(tx, held, { event: 'refund_decide', actor: staffOf(of.by), now: of.now, memo: of.reason, data: { refund_id: row.id, state: 'applied' } })
  return after
}
/** Ends a case without paying: its units are free again, and what is past its time meanwhile is expired. */
const end = async (tx: Db, row: Refund, held: Order, of: { state: 'rejected' | 'closed'; now: number; actor: Actor; reason: string; set?: Partial<typeof refund.$inferInsert> }): Promise<Refund> => {
  const after = await write(tx, row, of.now, { ...of.set, state: of.state, decided_at: of.now, claimed_by: null, claim_until: null })
  if (row.type !== 'resend') await lockUnits(tx, await linesIn(tx, row), -1, of.now)
  await recount(tx, held, { event: of.state === 'rejected' ? 'refund_decide' : 'refund_end', actor: of.actor, now: of.now, memo: of.reason, data: { refund_id: row.id, state: of.state } })
  return after
}
export const rejectRefund = async (tx: Db, of: Step & { reason_code: string; reason: string; verb?: 'reject' | 'refuseReceive' }): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: of.verb ?? 'reject' })
  return end(tx, row, held, { state: 'rejected', now: of.now, actor: staffOf(of.by), reason: of.reason, set: { first_by: of.by.id, reject_code: of.reason_code, reject_reason: of.reason } })
}
export const closeRefund = async (tx: Db, of: Step & { reason: string }): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'close' })
  return end(tx, row, held, { state: 'closed', now: of.now, actor: staffOf(of.by), reason: of.reason })
}
/** The goods come back first; the buyer has seven days to post them. */
export const approveReturn = async (tx: Db, of: Step & { return_address_id: number }): Promise<Refund> => {
  const { row } = await step(tx, { ...of, verb: 'approveReturn' })
  return write(tx, row, of.now, { state: 'wait_return', first_by: of.by.id, return_address_id: of.return_address_id, deadline_at: of.now + RETURN_DAYS * 86_400, claimed_by: null, claim_until: null })
}
export const returnTracking = async (tx: Db, of: Step & { courier: string; tracking_no: string }): Promise<Refund> => {
  const { row } = await step(tx, { ...of, verb: 'fillReturnTracking' })
  return write(tx, row, of.now, { state: 'returning', return_courier: of.courier, return_tracking_no: of.tracking_no })
}
/** The goods are back: now it is paid, above the limit after a second person's word. */
export const confirmReturn = async (tx: Db, of: Step): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'confirmReceive' })
  return approved(tx, row, held, of, { return_received_at: of.now })
}
/** Another amount, agreed with the buyer: never above what it is worth. */
export const changeAmount = async (tx: Db, of: Step & { amount_cents: number }): Promise<Refund> => {
  const { row } = await step(tx, { ...of, verb: 'changeAmount' })
  if (of.amount_cents > row.cap_cents || of.amount_cents < 1) throw ruled('above_cap', ['退款金额须在 0.01 至 {max} 元之间', 'Between 0.01 and {max} yuan'], { max: (row.cap_cents / 100).toFixed(2) })
  const lines = await linesIn(tx, row)
  const share = lines.reduce((all, line) => all + line.share_cents, 0)
  const amounts = shares(Math.min(of.amount_cents, share), lines.map(line => line.share_cents))
  for (const [at, line] of lines.entries()) await tx.update(refund_item).set({ amount_cents: amounts[at]! }).where(eq(refund_item.id, line.id))
  return write(tx, row, of.now, { amount_cents: of.amount_cents, freight_cents: Math.max(0, of.amount_cents - share) })
}
export const intervene = async (tx: Db, of: Step): Promise<Refund> => { const { row } = await step(tx, { ...of, verb: 'intervene' }); return write(tx, row, of.now, { intervened: true }) }
export const extendDeadline = async (tx: Db, of: Step & { hours: number }): Promise<Refund> => { const { row } = await step(tx, { ...of, verb: 'extendDeadline' }); return write(tx, row, of.now, { deadline_at: row.deadline_at + of.hours * HOUR }) }
export const replyTo = async (tx: Db, of: Step & { name: string; text: string; images?: string[] }): Promise<Refund> => {
  const { row } = await step(tx, { ...of, verb: 'reply' })
  return write(tx, row, of.now, { messages: [...row.messages, { by: 'staff', name: of.name, text: of.text, ...(of.images && { images: of.images }), at: of.now }] })
}
/** Pays the parts again that failed; the others stay as they are. */
export const retryPay = async (tx: Db, of: Step): Promise<Refund> => {
  const { row, held } = await step(tx, { ...of, verb: 'retryPay' })
  if (row.offline) throw ruled('offline', ['已转线下打款，不能再走渠道', 'It is being paid by hand'])
  const after = await write(tx, row, of.now, { state: 'paying' })
  await recount(tx, held, { event: 'refund_decide', actor: staffOf(of.by), now: of.now, data: { refund_id: row.id, state: 'paying' } })
  return pay(tx, after, of.now)
}
export { end as endRefund, pay as payRefund }
