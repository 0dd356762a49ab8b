import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { verifier } from '#src/areas/notice/duty.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { holdOrder } from '#src/areas/order/orderFacts.server.ts'
import { queueMessage } from '#src/areas/order/orderMessages.server.ts'
import { yuan } from '#src/domain/money.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled, type Refusal } from '#src/server/call/refuse.ts'
import { order_code, verify_record } from './code.table.ts'
import { lockBill, redeem, type Redemption } from './redemption.server.ts'
import {
  WRONG_CODES_MAX,
  WRONG_CODES_WINDOW_S,
  LOCK_S,
  codeRefusal,
  type CodeFacts,
} from './verifier.ts'
import { billRefusal, voucherRule } from './voucher.ts'

/**
 * Ids of the stores that take a code (`c`), open or not: where its product is sold, and where its
 * order was moved to.
 */
const taking = sql`select ps.store_id id from product_store ps where ps.product_id = c.product_id and ps.status = 'on' union all select (i.snapshot->>'moved_to')::int from order_item i where i.id = c.item_id and i.snapshot->>'moved_to' is not null`
/** Those that take any code of an order, or the one code of it. A subquery. */
export const storesTaking = (of: { order_id: number; code_id?: number | undefined }) =>
  sql`(select t.id from order_code c, lateral (${taking}) t where c.order_id = ${of.order_id} and c.state <> 'void' and ${of.code_id === undefined ? sql`true` : sql`c.id = ${of.code_id}`})`
export type FoundCode = CodeFacts & {
  id: number
  code: string
  kind: string
  product_id: number
  product_title: string
  order_id: number
  order_no: string
  store_ids: number[]
  city_id: number
  mall_id: number
  merchant_id: number
  merchant_name: string
  pay_cents: number
}
type CodeRow = Record<string, unknown>
/** The store where a code is to be redeemed; one that nobody knows sells nothing. */
const storeAsked = (row: CodeRow, store_id: number): NonNullable<FoundCode['store']> => {
  if (row['store_id'] === null) return { name: `#${store_id}`, open: false, sells: false }
  return {
    name: String(row['store_name']),
    // A resting store sells nothing new, and still takes what was sold.
    open: row['store_status'] === 'open' || row['store_status'] === 'resting',
    sells: (row['store_ids'] as number[]).includes(Number(row['store_id'])),
    excluded: (row['store_dates'] as string[] | null) ?? [],
  }
}
/**
 * A code with all that decides whether it can be used, in a store if one is named; undefined when
 * there is none.
 */
export const findCode = async (
  db: Db,
  code: string,
  store_id?: number,
): Promise<FoundCode | undefined> => {
  const { rows } = await db.execute<CodeRow>(sql`
    select c.*, o.order_no, o.pay_state, o.frozen, o.fulfil_state, o.freeze_reason, o.city_id, o.mall_id, o.merchant_id, m.name merchant_name, p.title product_title,
      (select coalesce(jsonb_agg(distinct t.id order by t.id), '[]') from (${taking}) t) store_ids, v.verified_at last_used_at, vs.name last_store, coalesce(vc.name, va.name) last_by, s.id store_id, s.name store_name, s.status store_status, (select ps.unavailable_dates from product_store ps where ps.product_id = c.product_id and ps.store_id = s.id) store_dates
    from order_code c join "order" o on o.id = c.order_id join product p on p.id = c.product_id join merchant m on m.id = o.merchant_id
      left join lateral (select r.verified_at, r.store_id, r.verifier_id, r.admin_id from verify_record r where r.code_id = c.id and r.state = 'valid' order by r.verified_at desc limit 1) v on true left join store vs on vs.id = v.store_id left join verifier vc on vc.id = v.verifier_id left join admin va on va.id = v.admin_id left join store s on s.id = ${store_id ?? 0}
    where c.code = ${code}`)
  const row = rows[0]
  if (!row) return undefined
  const n = (name: string) => Number(row[name])
  const text = (name: string) => (row[name] === null ? null : String(row[name]))
  const store_ids = row['store_ids'] as number[]
  return {
    id: n('id'),
    code,
    kind: String(row['kind']),
    product_id: n('product_id'),
    product_title: String(row['product_title']),
    order_id: n('order_id'),
    order_no: String(row['order_no']),
    store_ids,
    city_id: n('city_id'),
    mall_id: n('mall_id'),
    merchant_id: n('merchant_id'),
    merchant_name: String(row['merchant_name']),
    pay_cents: n('pay_cents'),
    state: row['state'] as FoundCode['state'],
    times_total: n('times_total'),
    times_bonus: n('times_bonus'),
    times_used: n('times_used'),
    times_refunding: n('times_refunding'),
    times_refunded: n('times_refunded'),
    valid_from: n('valid_from'),
    valid_until: n('valid_until'),
    order: {
      pay_state: row['pay_state'] as 'paid',
      frozen: row['frozen'] === true,
      fulfil_state: row['fulfil_state'] as 'waiting_use',
    },
    freeze_reason: text('freeze_reason'),
    last_used_at: row['last_used_at'] === null ? null : n('last_used_at'),
    last_store: text('last_store'),
    last_by: text('last_by'),
    ...(store_id !== undefined && { store: storeAsked(row, store_id) }),
  }
}
const refused = (why: NonNullable<ReturnType<typeof codeRefusal>>): Refusal =>
  ruled(why.rule, why.text, why.values)
/**
 * What the platform redeemed for a store is told to the buyer and to the merchant: neither of them
 * was there. Never the code itself.
 */
export const tellRedeemed = async (
  tx: Db,
  found: FoundCode,
  of: { store_id: number; times: number; now: number; admin_id: number },
): Promise<void> => {
  const { now, admin_id } = of
  const {
    rows: [to],
  } = await tx.execute<{ buyer: string | null; merchant: string; store: string }>(sql`
    select coalesce(o.visitor_phone, u.phone) buyer, m.contact_phone merchant, s.name store from "order" o join merchant m on m.id = o.merchant_id join store s on s.id = ${of.store_id} left join member u on u.id = o.member_id where o.id = ${found.order_id}`)
  const what = `「${found.product_title}」${of.times} 次`
  if (to!.buyer)
    await queueMessage(tx, {
      order_id: found.order_id,
      kind: 'redeem',
      phone: to!.buyer,
      text: `平台已代${to!.store}为您核销${what}，如非您本人使用请联系客服。订单 ${found.order_no}`,
      admin_id,
      now,
    })
  await queueMessage(tx, {
    order_id: found.order_id,
    kind: 'redeem_store',
    phone: to!.merchant,
    text: `平台已代${to!.store}核销${what}，如有疑问请联系平台。订单 ${found.order_no}`,
    admin_id,
    now,
  })
}
/**
 * The vouchers on one bill: of a store, a number and a Shanghai day. One without a number stands
 * alone.
 */
export const onBill = (
  tx: Db,
  of: Pick<Redemption, 'id' | 'store_id' | 'bill_no' | 'verified_at'>,
): Promise<Redemption[]> => {
  const from = dayStart(of.verified_at)
  return tx
    .select()
    .from(verify_record)
    .where(
      of.bill_no === null
        ? eq(verify_record.id, of.id)
        : and(
            eq(verify_record.store_id, of.store_id),
            eq(verify_record.bill_no, of.bill_no),
            gte(verify_record.verified_at, from),
            lt(verify_record.verified_at, from + DAY),
            eq(verify_record.state, 'valid'),
          ),
    )
    .orderBy(verify_record.order_id, verify_record.id)
}

/**
 * Refuses vouchers that can't be used for a bill of a store: it means another amount today, is too
 * small, holds too many with them, or it is no time for one. Their order must be held; the bill is
 * from here on. One without a number stands alone.
 */
export const refuseOnBill = async (
  tx: Db,
  snapshots: readonly Record<string, unknown>[],
  { store_id, bill, now }: { store_id: number; bill: Bill; now: number },
): Promise<void> => {
  const { no, cents } = bill
  if (no !== undefined) await lockBill(tx, { store_id, no, at: now })
  const before =
    no === undefined ? [] : await onBill(tx, { id: 0, store_id, bill_no: no, verified_at: now })
  const other = before.find(one => one.bill_cents !== cents)
  if (other)
    throw ruled(
      'bill_differs',
      [
        '账单号 {no} 今天已登记为 {cents} 元，请核对账单号或金额',
        'Bill {no} was entered as ¥{cents} today: check its number or amount',
      ],
      { no: no!, cents: yuan(other.bill_cents ?? 0) },
    )
  for (const snapshot of snapshots) {
    const rule = voucherRule(snapshot)
    const why =
      rule &&
      billRefusal(rule, { bill_cents: cents, on_bill: before.length + snapshots.length, at: now })
    if (why) throw ruled(why.rule, why.text, why.values)
  }
}
type Bill = { no?: string | undefined; cents: number }
/**
 * Redeems a code in a store, or says why not; of two at once one is told that it was used a moment
 * ago.
 */
export const redeemCode = async (
  tx: Db,
  found: FoundCode,
  of: {
    store_id: number
    times: number
    now: number
    way: 'input' | 'platform'
    by: { verifier_id?: number; admin_id?: number }
    bill?: Bill | undefined
  },
): Promise<Redemption> => {
  const why = codeRefusal(found, of.now, of.times)
  if (why) throw refused(why)
  // Whether a voucher may be used depends on its bill: nobody uses one without.
  if (found.kind === 'voucher' && !of.bill)
    throw ruled(
      'bill_needed',
      of.way === 'platform'
        ? [
            '代金券须填写账单金额：请到代金券订单详情代核销',
            'A voucher needs its bill: redeem it on the page of its order',
          ]
        : ['代金券须填写账单金额', 'A voucher needs the amount of its bill'],
    )
  const { bill, ...use } = of
  const record = await redeem(tx, { code_id: found.id, ...use, ...(bill && { bill }) })
  if (record) return record
  const now = await findCode(tx, found.code, of.store_id)
  throw refused(
    (now && codeRefusal(now, of.now, of.times)) ?? {
      rule: 'used',
      text: ['券码刚刚被使用，请重新查询', 'It was used a moment ago, look it up again'],
    },
  )
}

/** The platform redeems a code for a store, and says so. */
export const redeemForStore = async (
  tx: Db,
  found: FoundCode,
  {
    admin_id,
    ...of
  }: {
    store_id: number
    times: number
    now: number
    admin_id: number
    bill?: { no?: string | undefined; cents: number }
  },
): Promise<Redemption> => {
  const record = await redeemCode(tx, found, { ...of, way: 'platform', by: { admin_id } })
  await tellRedeemed(tx, found, { ...of, admin_id })
  return record
}

/**
 * A clerk redeems a code on a phone. The clerk is read in the same transaction: one that was
 * switched off a moment ago is refused at once. Ten wrong codes in five minutes lock the clerk for
 * half an hour: `wrong_code` leaves that to `countWrong`, as a refusal takes back what its
 * transaction wrote.
 */
export const redeemByVerifier = async (
  tx: Db,
  of: {
    verifier_id: number
    code: string
    store_id: number
    now: number
    times?: number
    /** What a voucher is used for. */ bill?: Bill
  },
): Promise<{ code_id: number }> => {
  const { now, times = 1 } = of
  const [clerk] = await tx
    .select()
    .from(verifier)
    .where(eq(verifier.id, of.verifier_id))
    .for('update')
  if (!clerk || clerk.status !== 'active')
    throw ruled('disabled', ['核销员已停用，不能核销', 'This clerk is switched off'])
  if (clerk.locked_until !== null && clerk.locked_until > now)
    throw ruled(
      'locked_out',
      ['输错次数过多，请 {n} 分钟后再试', 'Too many wrong codes: try again in {n} minutes'],
      { n: Math.ceil((clerk.locked_until - now) / 60) },
    )
  if (!clerk.store_ids.includes(of.store_id))
    throw ruled('not_my_store', ['你未绑定该门店', 'You do not work in this store'])
  const found = await findCode(tx, of.code, of.store_id)
  if (!found) throw ruled('wrong_code', ['没有这个券码，请核对', 'There is no such code'])
  if (!clerk.kinds.includes(found.kind))
    throw ruled('not_my_kind', ['你不能核销此类券码', 'You may not redeem this kind'])
  const [today] = await tx
    .select({
      n: sql<number>`coalesce(sum(${verify_record.times}), 0)::int`,
      cents: sql<string>`coalesce(sum(${verify_record.pay_cents}), 0)`,
    })
    .from(verify_record)
    .where(
      and(
        eq(verify_record.verifier_id, clerk.id),
        eq(verify_record.state, 'valid'),
        sql`${verify_record.verified_at} >= ${dayStart(now)}`,
      ),
    )
  if (clerk.daily_count_limit !== null && today!.n + times > clerk.daily_count_limit)
    throw ruled('day_count', ['今日核销次数已达上限 {n}', 'The day’s limit of {n} is reached'], {
      n: clerk.daily_count_limit,
    })
  const cents = Math.round((found.pay_cents * times) / found.times_total)
  if (
    clerk.daily_amount_limit_cents !== null &&
    Number(today!.cents) + cents > clerk.daily_amount_limit_cents
  )
    throw ruled('day_amount', ['今日核销金额已达上限', 'The day’s amount is reached'])
  const bill = found.kind === 'voucher' ? of.bill : undefined
  if (bill) {
    await holdOrder(tx, found.order_id)
    const [item] = await tx
      .select({ snapshot: order_item.snapshot })
      .from(order_code)
      .innerJoin(order_item, eq(order_item.id, order_code.item_id))
      .where(eq(order_code.id, found.id))
    await refuseOnBill(tx, [item!.snapshot], { store_id: of.store_id, bill, now })
  }
  await redeemCode(tx, found, {
    store_id: of.store_id,
    times,
    now,
    way: 'input',
    by: { verifier_id: clerk.id },
    bill,
  })
  await tx
    .update(verifier)
    .set({ last_at: now, updated_at: clerk.updated_at })
    .where(eq(verifier.id, clerk.id))
  return { code_id: found.id }
}
/**
 * Counts a wrong code of a clerk; the tenth within five minutes locks. Answers whether it did. One
 * statement, so that no two at once are counted as one.
 */
export const countWrong = async (db: Db, verifier_id: number, now: number): Promise<boolean> => {
  const recent = sql`(select array_agg(at order by at) from unnest(${verifier.wrong_at} || ${now}::bigint) at where at > ${now - WRONG_CODES_WINDOW_S})`
  const full = sql`coalesce(cardinality(${recent}), 0) >= ${WRONG_CODES_MAX}`
  const [after] = await db
    .update(verifier)
    .set({
      wrong_at: sql`case when ${full} then '{}'::bigint[] else ${recent} end`,
      locked_until: sql`case when ${full} then ${now + LOCK_S}::bigint else ${verifier.locked_until} end`,
      version: sql`${verifier.version} + case when ${full} then 1 else 0 end`,
    })
    .where(eq(verifier.id, verifier_id))
    .returning({ locked_until: verifier.locked_until })
  return after?.locked_until === now + LOCK_S
}
