import { and, asc, desc, eq, ilike, inArray, ne, or, sql, type SQL } from 'drizzle-orm'
import { verify_record } from '#src/areas/code/code.table.ts'
import {
  FAR_M,
  codeRefusal,
  usesLeft,
  verifierCan,
  verifyKinds,
  type VerifierVerb,
  type VerifyKind,
} from '#src/areas/code/verifier.ts'
import { findCode, redeemForStore } from '#src/areas/code/verify.server.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { verifier } from '#src/areas/notice/duty.table.ts'
import { codeStates } from '#src/areas/order/order.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { mobileOf, phoneFault } from '#src/domain/phone.ts'
import { clause, comma, joined, keptWords, say } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineExport, startExport, chosenRows, type Chosen } from '#src/server/exports/exports.ts'
import { verify } from '../contract/verify.ts'

type Row = typeof verifier.$inferSelect
type Filters = {
  keyword?: string | undefined
  city_id?: number | undefined
  merchant_id?: number | undefined
  store_id?: number | undefined
  status?: 'active' | 'disabled' | undefined
  odd?: boolean | undefined
}
const MONTH_S = 30 * DAY
const inScope = (staff: Staff): SQL | undefined =>
  within(staff.scope, {
    city: verifier.city_id,
    mall: {
      several: sql`select s.mall_id from store s where verifier.store_ids @> to_jsonb(s.id)`,
    },
    owner: sql`(select m.bd_admin_id from merchant m where m.id = verifier.merchant_id)`,
  })
const far = (now: number) =>
  sql`(select count(*) from verify_record r where r.verifier_id = verifier.id and r.verified_at > ${now - MONTH_S} and r.distance_m > ${FAR_M})`
const reversed = (now: number) =>
  sql`(select count(*) from verify_record r where r.verifier_id = verifier.id and r.verified_at > ${now - MONTH_S} and r.state = 'reversed')`
const where = (of: Filters & Chosen, staff: Staff, now: number) =>
  and(
    chosenRows(verifier.id, of),
    of.keyword
      ? or(
          ilike(verifier.name, like(of.keyword)),
          eq(verifier.phone, mobileOf(of.keyword) ?? of.keyword),
        )
      : undefined,
    of.city_id === undefined ? undefined : eq(verifier.city_id, of.city_id),
    of.merchant_id === undefined ? undefined : eq(verifier.merchant_id, of.merchant_id),
    of.store_id === undefined
      ? undefined
      : sql`${verifier.store_ids} @> to_jsonb(${of.store_id}::int)`,
    of.status && eq(verifier.status, of.status),
    of.odd ? sql`${far(now)} + ${reversed(now)} >= 5` : undefined,
    inScope(staff),
  )
const rowsOf = async (db: Db, found: readonly Row[], now: number) => {
  if (found.length === 0) return []
  const ids = found.map(row => row.id)
  const { rows: numbers } = await db.execute<{
    id: number
    today: number
    cents: string
    reversed: number
    far: number
  }>(sql`
    select v.id, coalesce(sum(r.times) filter (where r.state = 'valid' and r.verified_at >= ${dayStart(now)}), 0)::int today, coalesce(sum(r.pay_cents) filter (where r.state = 'valid' and r.verified_at >= ${dayStart(now)}), 0)::bigint cents,
      count(r.id) filter (where r.state = 'reversed')::int reversed, count(r.id) filter (where r.distance_m > ${FAR_M})::int far
    from verifier v left join verify_record r on r.verifier_id = v.id and r.verified_at > ${now - MONTH_S} where v.id in ${ids} group by 1`)
  const of = new Map(numbers.map(row => [row.id, row]))
  const stores = new Map(
    (
      await db
        .select({ id: store.id, name: store.name, status: store.status })
        .from(store)
        .where(inArray(store.id, [...new Set(found.flatMap(row => row.store_ids))]))
    ).map(one => [one.id, one]),
  )
  const merchants = new Map(
    (
      await db
        .select({ id: merchant.id, name: merchant.name })
        .from(merchant)
        .where(inArray(merchant.id, [...new Set(found.map(row => row.merchant_id))]))
    ).map(one => [one.id, one.name]),
  )
  const cities = new Map(
    (await db.select({ id: city.id, name: city.city_name }).from(city)).map(one => [
      one.id,
      one.name,
    ]),
  )
  return found.map(row => ({
    id: row.id,
    name: row.name,
    phone: row.phone,
    bound: row.openid !== null,
    merchant_id: row.merchant_id,
    merchant_name: merchants.get(row.merchant_id) ?? '',
    stores: row.store_ids.flatMap(id => {
      const one = stores.get(id)
      return one ? [{ id, name: one.name, open: one.status === 'open' }] : []
    }),
    kinds: row.kinds as VerifyKind[],
    daily_count_limit: row.daily_count_limit,
    daily_amount_limit_cents: row.daily_amount_limit_cents,
    status: row.status,
    status_reason: row.status_reason,
    locked_until: row.locked_until !== null && row.locked_until > now ? row.locked_until : null,
    last_at: row.last_at,
    city_name: cities.get(row.city_id) ?? '',
    today_count: of.get(row.id)?.today ?? 0,
    today_cents: Number(of.get(row.id)?.cents ?? 0),
    reversed_30d: of.get(row.id)?.reversed ?? 0,
    far_30d: of.get(row.id)?.far ?? 0,
    version: row.version,
  }))
}
/** Stores of one merchant that are there, in the person's places. */
const soundStores = async (tx: Db, ids: readonly number[], staff: Staff, own?: number) => {
  const found = await tx
    .select({
      id: store.id,
      name: store.name,
      merchant_id: store.merchant_id,
      city_id: store.city_id,
      status: store.status,
    })
    .from(store)
    .where(
      and(
        inArray(store.id, [...ids]),
        within(staff.scope, { city: store.city_id, mall: store.mall_id }),
      ),
    )
  if (found.length < new Set(ids).size)
    throw invalid({
      store_ids: say(
        ['有门店不存在，或不在你的数据范围内', 'A store is missing, or not yours'],
        staff.lang,
      ),
    })
  const other = found.find(one => one.merchant_id !== (own ?? found[0]!.merchant_id))
  if (other)
    throw ruled(
      'one_merchant',
      [
        '一名核销员只能服务同一商户的门店，「{name}」属于其他商户',
        'A clerk serves stores of one merchant only; {name} is another’s',
      ],
      { name: other.name },
    )
  const closed = found.find(one => one.status === 'closed')
  if (closed)
    throw invalid({
      store_ids: say(['「{name}」已关店', '{name} is closed'], staff.lang, { name: closed.name }),
    })
  return found
}
const freePhone = async (tx: Db, phone: string, staff: Staff, own?: number) => {
  const fault = phoneFault(phone)
  if (fault) throw invalid({ phone: say(fault, staff.lang) })
  const [taken] = await tx
    .select({ name: verifier.name })
    .from(verifier)
    .where(and(eq(verifier.phone, phone), own === undefined ? undefined : ne(verifier.id, own)))
  if (taken)
    throw invalid({
      phone: say(
        [
          '该手机号已是核销员「{name}」，可改为绑定门店',
          'This phone is the clerk {name} already: bind stores instead',
        ],
        staff.lang,
        { name: taken.name },
      ),
    })
}
const readOne = async (tx: Db, id: number, staff: Staff): Promise<Row> => {
  const [row] = await tx
    .select()
    .from(verifier)
    .where(and(eq(verifier.id, id), inScope(staff)))
    .for('update')
  if (!row) throw missing()
  return row
}
const change = async (
  { tx, log, staff }: WriteContext,
  { id, version }: { id: number; version: number },
  set: Partial<Row>,
  reason?: string,
) => {
  const before = await readOne(tx, id, staff)
  const [after] = await tx
    .update(verifier)
    .set({ ...set, version: version + 1 })
    .where(and(eq(verifier.id, id), eq(verifier.version, version)))
    .returning()
  if (!after) {
    const { name, phone, kinds, status, store_ids } = before
    throw await staleRow(
      tx,
      'verifier',
      Object.assign({ id, version: before.version }, { name, phone, kinds, status, store_ids }),
    )
  }
  const names = Object.keys(set) as (keyof Row)[]
  log({
    object_type: 'verifier',
    object_id: id,
    object_label: after.name,
    before: Object.fromEntries(names.map(name => [name, before[name]])),
    after: Object.fromEntries(names.map(name => [name, after[name]])),
    ...(reason && { reason }),
  })
  return { id, version: after.version }
}
const guarded = async (
  context: WriteContext,
  verb: VerifierVerb,
  { reason, ...one }: { id: number; version: number; reason?: string },
  set: Partial<Row>,
) => {
  const row = await readOne(context.tx, one.id, context.staff)
  const may = verifierCan(verb, { status: row.status, bound: row.openid !== null })
  if (may !== true) throw ruled('state', may)
  return change(context, one, set, reason)
}

const server = implement(verify, {
  lst: async ({ page, pageSize, ...filters }, { db, staff, now }) => {
    const condition = where(filters, staff, now)
    const found = await db
      .select()
      .from(verifier)
      .where(condition)
      .orderBy(sql`${verifier.last_at} desc nulls last`, desc(verifier.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: await rowsOf(db, found, now), ...(await countOf(db, verifier, condition)) }
  },
  merchants: async ({ keyword, page, pageSize }, { db, staff }) => {
    const condition = and(
      eq(merchant.status, 'active'),
      keyword ? ilike(merchant.name, like(keyword)) : undefined,
      within(staff.scope, { city: merchant.city_id, owner: merchant.bd_admin_id }),
    )
    return {
      list: await db
        .select({ id: merchant.id, name: merchant.name })
        .from(merchant)
        .where(condition)
        .orderBy(asc(merchant.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      ...(await countOf(db, merchant, condition)),
    }
  },
  stores: async ({ keyword, merchant_id, code, page, pageSize }, { db, staff }) => {
    const sold = code ? await findCode(db, code) : undefined
    const condition = and(
      eq(store.status, 'open'),
      keyword ? ilike(store.name, like(keyword)) : undefined,
      merchant_id === undefined ? undefined : eq(store.merchant_id, merchant_id),
      sold && inArray(store.id, sold.store_ids.length ? sold.store_ids : [0]),
      within(staff.scope, { city: store.city_id, mall: store.mall_id }),
    )
    return {
      list: await db
        .select({ id: store.id, name: store.name })
        .from(store)
        .where(condition)
        .orderBy(asc(store.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      ...(await countOf(db, store, condition)),
    }
  },
  others: async ({ id, keyword, page, pageSize }, { db, staff }) => {
    const condition = and(
      ne(verifier.id, id),
      eq(verifier.status, 'active'),
      sql`${verifier.merchant_id} = (select v.merchant_id from verifier v where v.id = ${id})`,
      keyword ? ilike(verifier.name, like(keyword)) : undefined,
      inScope(staff),
    )
    return {
      list: await db
        .select({ id: verifier.id, name: verifier.name })
        .from(verifier)
        .where(condition)
        .orderBy(asc(verifier.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
      ...(await countOf(db, verifier, condition)),
    }
  },
  create: async ({ name, phone, store_ids, kinds }, { tx, staff, log }) => {
    await freePhone(tx, phone, staff)
    const stores = await soundStores(tx, store_ids, staff)
    const [row] = await tx
      .insert(verifier)
      .values({
        name,
        phone,
        store_ids: [...new Set(store_ids)],
        kinds,
        merchant_id: stores[0]!.merchant_id,
        city_id: stores[0]!.city_id,
      })
      .returning()
    log({
      object_type: 'verifier',
      object_id: row!.id,
      object_label: name,
      before: null,
      after: { name, phone, store_ids, kinds },
    })
    return { id: row!.id, version: row!.version }
  },
  edit: async ({ name, phone, kinds, ...one }, context) => {
    const row = await readOne(context.tx, one.id, context.staff)
    // A reader of the masked number sends it back masked: then it stays.
    const next = phone === undefined || phone.includes('*') ? row.phone : phone
    if (next !== row.phone) await freePhone(context.tx, next, context.staff, one.id)
    return change(context, one, {
      name,
      kinds,
      ...(next !== row.phone && { phone: next, openid: null }),
    })
  },
  bindStores: async ({ store_ids, ...one }, context) => {
    const row = await readOne(context.tx, one.id, context.staff)
    const stores = await soundStores(context.tx, store_ids, context.staff, row.merchant_id)
    return change(context, one, { store_ids: [...new Set(store_ids)], city_id: stores[0]!.city_id })
  },
  setLimit: ({ count, amount_cents, ...one }, context) =>
    change(context, one, { daily_count_limit: count, daily_amount_limit_cents: amount_cents }),
  unbindWechat: (one, context) => guarded(context, 'unbindWechat', one, { openid: null }),
  // Every redemption reads the clerk in its own transaction: a phone that is signed in is refused
  // from now on.
  disable: (one, context) =>
    guarded(context, 'disable', one, { status: 'disabled', status_reason: one.reason }),
  enable: (one, context) =>
    guarded(context, 'enable', one, { status: 'active', status_reason: null, locked_until: null }),
  lookupCode: async ({ code, store_id }, { db, staff, now }) => {
    const found = await findCode(db, code, store_id)
    const mine =
      found &&
      (
        await db.execute(
          sql`select 1 from "order" o join merchant m on m.id = o.merchant_id where o.id = ${found.order_id} and ${within(staff.scope, { city: sql`o.city_id`, mall: sql`o.mall_id`, owner: sql`m.bd_admin_id` }) ?? sql`true`}`,
        )
      ).rows.length > 0
    if (!found || !mine) throw missing()
    const uses = await db
      .select({
        at: verify_record.verified_at,
        store: store.name,
        clerk: verifier.name,
        staff: admin.name,
        times: verify_record.times,
        state: verify_record.state,
      })
      .from(verify_record)
      .innerJoin(store, eq(store.id, verify_record.store_id))
      .leftJoin(verifier, eq(verifier.id, verify_record.verifier_id))
      .leftJoin(admin, eq(admin.id, verify_record.admin_id))
      .where(eq(verify_record.code_id, found.id))
      .orderBy(desc(verify_record.verified_at))
      .limit(50)
    const stores =
      found.store_ids.length === 0
        ? []
        : await db
            .select({ id: store.id, name: store.name, status: store.status })
            .from(store)
            .where(inArray(store.id, found.store_ids))
            .orderBy(asc(store.id))
    const why = codeRefusal(found, now)
    return {
      code,
      kind: found.kind as VerifyKind,
      state: say(codeStates[found.state], staff.lang),
      product_title: found.product_title,
      order_no: found.order_no,
      merchant_name: found.merchant_name,
      stores: stores.map(({ status, ...one }) => ({ ...one, open: status === 'open' })),
      uses_left: Math.max(0, usesLeft(found)),
      times_total: found.times_total + found.times_bonus,
      times_used: found.times_used,
      valid_from: found.valid_from,
      valid_until: found.valid_until,
      refusal: why ? say(why.text, staff.lang, why.values) : null,
      rule: why?.rule ?? null,
      uses: uses.map(use => ({
        at: use.at,
        store: use.store,
        by: use.staff
          ? say(['平台代核销 {name}', 'Platform, {name}'], staff.lang, { name: use.staff })
          : (use.clerk ?? say(['门店', 'The store'], staff.lang)),
        times: use.times,
        reversed: use.state === 'reversed',
      })),
    }
  },
  verifyForStore: async ({ code, store_id, times, reason }, { tx, staff, now, log }) => {
    const found = await findCode(tx, code, store_id)
    const mine =
      found &&
      (
        await tx.execute(
          sql`select 1 from "order" o where o.id = ${found.order_id} and ${within(staff.scope, { city: sql`o.city_id`, mall: sql`o.mall_id` }) ?? sql`true`}`,
        )
      ).rows.length > 0
    if (!found || !mine) throw missing()
    if (!found.store)
      throw invalid({ store_id: say(['没有这家门店', 'No such store'], staff.lang) })
    await redeemForStore(tx, found, { store_id, times, now, admin_id: staff.id })
    log({
      object_type: 'order_code',
      object_id: found.id,
      object_label: found.product_title.slice(0, 64),
      before: { times_used: found.times_used },
      after: { times_used: found.times_used + times, store_id },
      reason,
    })
    return { code_id: found.id, uses_left: usesLeft(found) - times }
  },
  transfer: async ({ verifier_id, ...one }, context) => {
    const { tx, staff, log } = context
    const row = await readOne(tx, one.id, staff)
    const target = await readOne(tx, verifier_id, staff)
    if (
      target.id === row.id ||
      target.status !== 'active' ||
      target.merchant_id !== row.merchant_id
    )
      throw invalid({
        verifier_id: say(
          [
            '只能交接给同一商户的其他在用核销员',
            'Only to another active clerk of the same merchant',
          ],
          staff.lang,
        ),
      })
    const store_ids = [...new Set([...target.store_ids, ...row.store_ids])]
    await tx
      .update(verifier)
      .set({
        store_ids,
        kinds: [...new Set([...target.kinds, ...row.kinds])],
        version: target.version + 1,
      })
      .where(and(eq(verifier.id, target.id), eq(verifier.version, target.version)))
    log({
      object_type: 'verifier',
      object_id: target.id,
      object_label: target.name,
      before: { store_ids: target.store_ids, kinds: target.kinds },
      after: { store_ids, kinds: [...new Set([...target.kinds, ...row.kinds])] },
      reason: joined([`接替 ${row.name}`, `In place of ${row.name}`]),
    })
    return change(context, one, {
      status: 'disabled',
      status_reason: keptWords([`已交接给 ${target.name}`, `Handed over to ${target.name}`]),
    })
  },
  export: async ({ format, columns, ...filters }, context) => {
    const [row] = await context.tx
      .select({ n: sql<number>`count(*)::int` })
      .from(verifier)
      .where(where(filters, context.staff, context.now))
    const words = [
      filters.keyword,
      filters.status &&
        say(filters.status === 'active' ? ['在用', 'On'] : ['停用', 'Off'], context.staff.lang),
      filters.odd && say(['有异常', 'Odd'], context.staff.lang),
    ].filter(Boolean)
    return startExport(context, {
      page: 'system.verify',
      filters,
      filters_text:
        words.join(say(clause, context.staff.lang)) || say(['全部', 'All'], context.staff.lang),
      rows_expected: row!.n,
      format,
      columns,
    })
  },
})

defineExport('system.verify', {
  title: ['核销员', 'Verifiers'],
  permit: 'system.verify.export',
  columns: [
    { key: 'id', title: ['编号', 'ID'], kind: 'number' },
    { key: 'name', title: ['姓名', 'Name'] },
    { key: 'phone', title: ['手机号', 'Phone'], field: 'admin.phone' },
    { key: 'merchant_name', title: ['商户', 'Merchant'] },
    { key: 'city_name', title: ['城市', 'City'] },
    { key: 'stores', title: ['门店', 'Stores'] },
    { key: 'kinds', title: ['可核销类型', 'Kinds'] },
    { key: 'today_count', title: ['今日次数', 'Today'], kind: 'number' },
    {
      key: 'today_cents',
      title: ['今日金额', 'Today’s amount'],
      kind: 'money',
      field: 'stat.amount_cents',
    },
    { key: 'reversed_30d', title: ['近 30 天撤销', 'Reversed 30 d'], kind: 'number' },
    { key: 'far_30d', title: ['近 30 天远离门店', 'Far 30 d'], kind: 'number' },
    { key: 'last_at', title: ['最近核销', 'Last'], kind: 'time' },
    { key: 'status', title: ['状态', 'State'] },
  ],
  rows: async ({ db, staff, filters, now, after, limit }) => {
    const found = await db
      .select()
      .from(verifier)
      .where(
        and(
          where(filters as Filters, staff, now),
          after === undefined ? undefined : sql`${verifier.id} > ${after}`,
        ),
      )
      .orderBy(asc(verifier.id))
      .limit(limit)
    const rows = (await rowsOf(db, found, now)).map(row => ({
      ...row,
      stores: row.stores.map(one => one.name).join(say(comma, staff.lang)),
      kinds: row.kinds.map(kind => say(verifyKinds[kind], staff.lang)).join(say(comma, staff.lang)),
      status: say(row.status === 'active' ? ['在用', 'On'] : ['停用', 'Off'], staff.lang),
    }))
    return { rows, next: found.length < limit ? undefined : found.at(-1)?.id }
  },
})

// A new phone unbound the old WeChat: that is not taken back.
defineRevertBy('verifier', (db, staff, id) => readOne(db, id, staff), [
  way(verify.edit, server.handlers.edit, ['name', 'kinds'], ({ id, version, name, kinds }) => ({
    id,
    version,
    name,
    kinds,
  })),
  way(
    verify.setLimit,
    server.handlers.setLimit,
    ['daily_count_limit', 'daily_amount_limit_cents'],
    ({ id, version, daily_count_limit, daily_amount_limit_cents }) => ({
      id,
      version,
      count: daily_count_limit,
      amount_cents: daily_amount_limit_cents,
    }),
  ),
])
export default server
