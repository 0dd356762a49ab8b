import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { holdOrder, noteOrder, type Actor, type Order } from '#src/areas/order/orderFacts.server.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { hitWaits } from '#src/areas/risk/risk.server.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import { yuan } from '#src/domain/money.ts'
import { explained, joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { conflict, missing, ruled } from '#src/server/call/refuse.ts'
import { order_code, verify_record } from './code.table.ts'
import { lockBill, reverseRedemption, type Redemption } from './redemption.server.ts'
import {
  findCode,
  onBill,
  redeemCode,
  refuseOnBill,
  tellRedeemed,
  type FoundCode,
} from './verify.server.ts'
import { voucherRule } from './voucher.ts'

/**
 * Redeems vouchers of an order, which is held, for one bill of a store, all or none: the bill
 * reaches their minimum spend, holds no more of them than is allowed, and it is no excluded day. A
 * number means one bill of the store and day: whoever adds to it must mean the same amount. Two
 * tills at one bill come one after the other.
 */
export const redeemOnBill = async (
  tx: Db,
  row: Order,
  of: {
    code_ids: readonly number[]
    store_id: number
    bill: { no: string | undefined; cents: number }
    admin_id: number
    now: number
  },
): Promise<Redemption[]> => {
  const { now, store_id } = of
  const ids = [...new Set(of.code_ids)]
  const no = of.bill.no || `PT${row.id}-${now}`
  const codes = await tx
    .select({ code: order_code, snapshot: order_item.snapshot })
    .from(order_code)
    .innerJoin(order_item, eq(order_item.id, order_code.item_id))
    .where(and(eq(order_code.order_id, row.id), inArray(order_code.id, ids)))
    .orderBy(order_code.id)
  if (codes.length !== ids.length) throw missing()
  await refuseOnBill(
    tx,
    codes.map(one => one.snapshot),
    { store_id, bill: { no, cents: of.bill.cents }, now },
  )
  const made: Redemption[] = []
  let one: FoundCode | undefined
  for (const { code } of codes) {
    one = (await findCode(tx, code.code, store_id))!
    made.push(
      await redeemCode(tx, one, {
        store_id,
        times: 1,
        now,
        way: 'platform',
        by: { admin_id: of.admin_id },
        bill: { no, cents: of.bill.cents },
      }),
    )
  }
  // One bill is one message, however many vouchers are on it.
  await tellRedeemed(tx, one!, { store_id, times: made.length, now, admin_id: of.admin_id })
  return made
}

/**
 * Takes every voucher on the bill of a redemption back, all or none, each under the guards of its
 * own.
 */
export const reverseBill = async (
  tx: Db,
  of: { record: Redemption; by: { admin_id: number }; reason: string; now: number },
): Promise<Redemption[]> => {
  const records = await onBill(tx, of.record)
  if (records.length === 0) throw ruled('not_reversible', ['已撤销过', 'It was taken back already'])
  const done: Redemption[] = []
  // All orders before the bill, in the order of their ids: as everybody holds them.
  for (const order_id of new Set(records.map(one => one.order_id))) await holdOrder(tx, order_id)
  for (const { id } of records)
    done.push(
      await reverseRedemption(tx, { record_id: id, by: of.by, reason: of.reason, now: of.now }),
    )
  return done
}

/**
 * Puts a bill's amount right from what it was, for all the vouchers on it and before any of them is
 * settled; whoever comes second is told who was first. What is settled is what the vouchers are
 * worth: the bill never changes it.
 */
export const fixBill = async (
  tx: Db,
  of: {
    record: Redemption
    was_cents: number
    cents: number
    reason: string
    actor: Actor
    now: number
  },
): Promise<Redemption[]> => {
  const { record, was_cents, cents, now } = of
  if (record.state !== 'valid')
    throw ruled('reversed', ['核销已撤销，不能更正账单', 'It was taken back'])
  if (record.bill_no !== null)
    await lockBill(tx, { store_id: record.store_id, no: record.bill_no, at: record.verified_at })
  const records = await onBill(tx, record)
  const other = records.find(one => (one.bill_cents ?? 0) !== was_cents)
  if (other) {
    const [last] = await tx
      .select({ who: admin.name })
      .from(order_log)
      .innerJoin(admin, eq(admin.id, order_log.actor_id))
      .where(and(eq(order_log.order_id, other.order_id), eq(order_log.event, 'bill')))
      .orderBy(desc(order_log.id))
      .limit(1)
    throw conflict(
      [
        '账单金额已由{who}改为 {cents} 元，请按最新金额更正',
        '{who} has changed the bill to ¥{cents}: correct that one',
      ],
      { who: last?.who ?? joined(['他人', 'Somebody']), cents: yuan(other.bill_cents ?? 0) },
    )
  }
  for (const one of records) {
    const [item] = await tx
      .select({ snapshot: order_item.snapshot })
      .from(order_item)
      .where(eq(order_item.id, one.item_id))
    const rule = voucherRule(item!.snapshot)
    if (rule && cents < rule.min_spend_cents)
      throw ruled(
        'min_spend',
        [
          '更正后 {bill} 元低于最低消费 {min} 元，请改为撤销核销',
          '¥{bill} is below the least of ¥{min}: reverse the redemption instead',
        ],
        { bill: yuan(cents), min: yuan(rule.min_spend_cents) },
      )
  }
  const after = await tx
    .update(verify_record)
    .set({ bill_cents: cents, version: sql`${verify_record.version} + 1`, updated_at: now })
    .where(
      and(
        inArray(
          verify_record.id,
          records.map(one => one.id),
        ),
        eq(verify_record.state, 'valid'),
        inArray(verify_record.settle_state, ['holding', 'available']),
      ),
    )
    .returning()
  if (after.length !== records.length || after.length === 0)
    throw ruled('settled', [
      '账单中有券码已进入结算，不能更正',
      'A voucher of the bill is being settled',
    ])
  for (const order_id of new Set(after.map(one => one.order_id)))
    await noteOrder(tx, {
      order_id,
      event: 'bill',
      actor: of.actor,
      at: now,
      memo: explained(`${yuan(was_cents)} → ${yuan(cents)}`, of.reason),
    })
  return after
}

type Hit = typeof risk_hit.$inferSelect
/** The report of a buyer at a store that waits still, locked. */
const openReport = async (
  tx: Db,
  store_id: number,
  member_id: number | null,
): Promise<Hit | undefined> => {
  const [open] = await tx
    .select()
    .from(risk_hit)
    .where(
      and(
        eq(risk_hit.store_id, store_id),
        eq(risk_hit.rule, 'cash_out'),
        isNull(risk_hit.rule_id),
        member_id === null ? isNull(risk_hit.member_id) : eq(risk_hit.member_id, member_id),
        hitWaits,
      ),
    )
    .limit(1)
    .for('update')
  return open
}
type Reported = { order_ids: number[]; code_ids: number[]; note: string; now: number }
const addToReport = async (tx: Db, open: Hit, said: Reported): Promise<void> => {
  const { order_ids, code_ids, note, now } = said
  const [sum] = await tx
    .select({ cents: sql<string>`coalesce(sum(${order.pay_cents}), 0)` })
    .from(order)
    .where(inArray(order.id, order_ids))
  await tx
    .update(risk_hit)
    .set({
      order_ids,
      code_ids,
      value: code_ids.length,
      amount_cents: Number(sum!.cents),
      note,
      last_at: now,
      merged_count: open.merged_count + 1,
      version: open.version + 1,
      updated_at: now,
    })
    .where(eq(risk_hit.id, open.id))
}
/**
 * Somebody suspects that vouchers are cashed out: a hit for risk control, or more for the one that
 * waits. Answers it, and whether it is new.
 */
export const reportCashOut = async (
  tx: Db,
  of: {
    order_ids: readonly number[]
    code_ids: readonly number[]
    store_id: number
    by: string
    reason: string
    now: number
  },
): Promise<{ hit_id: number; fresh: boolean }> => {
  const { now } = of
  const rows: Order[] = []
  for (const id of [...new Set(of.order_ids)].sort((a, b) => a - b))
    rows.push(await holdOrder(tx, id))
  const [first] = rows
  const open = await openReport(tx, of.store_id, first!.member_id)
  const order_ids = [...new Set([...(open?.order_ids ?? []), ...rows.map(row => row.id)])]
  const fresh = rows.filter(row => !open?.order_ids.includes(row.id))
  if (open && fresh.length === 0)
    throw ruled(
      'reported',
      ['已提交过风控（命中 {id}），正在等待处理', 'It was reported already (hit {id}) and waits'],
      { id: open.id },
    )
  const code_ids = [...new Set([...(open?.code_ids ?? []), ...of.code_ids])]
  const note = joined([`${of.by}提交：${of.reason}`, `From ${of.by}: ${of.reason}`])
  if (open) {
    await addToReport(tx, open, { order_ids, code_ids, note, now })
    return { hit_id: open.id, fresh: false }
  }
  const [hit] = await tx
    .insert(risk_hit)
    .values({
      domain: 'platform',
      rule: 'cash_out',
      scene: 'verify',
      level: 'mid',
      score: 60,
      city_id: first!.city_id,
      mall_id: first!.mall_id,
      merchant_id: first!.merchant_id,
      store_id: of.store_id,
      member_id: first!.member_id,
      device_id: first!.device_id,
      order_ids,
      code_ids,
      value: code_ids.length,
      amount_cents: rows.reduce((sum, row) => sum + row.pay_cents, 0),
      note,
      state: 'open',
      hit_at: now,
      last_at: now,
      created_at: now,
      updated_at: now,
    })
    .returning()
  return { hit_id: hit!.id, fresh: true }
}
