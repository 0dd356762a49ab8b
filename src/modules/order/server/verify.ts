import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { reportCashOut, reverseBill } from '#src/areas/code/bills.server.ts'
import { verify_record } from '#src/areas/code/code.table.ts'
import { isCode } from '#src/areas/code/code.ts'
import { reverseRedemption, type Redemption } from '#src/areas/code/redemption.server.ts'
import { FAR_M } from '#src/areas/code/verifier.ts'
import { EQUAL_BILLS } from '#src/areas/code/voucher.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { verifier } from '#src/areas/notice/duty.table.ts'
import { settleStates, type OrderKind, type SettleState } from '#src/areas/order/order.ts'
import { holdOrder } from '#src/areas/order/orderFacts.server.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { clause, comma, say, type Lang } from '#src/domain/text.ts'
import { DAY, HOUR, dayStart, timeFull } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { conflict, invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { changedBy } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { countOf, counting, exactCount, listed, pageOf } from '#src/server/db/paging.ts'
import { defineExport, EXPORT_MAX_ROWS, startExport } from '#src/server/exports/exports.ts'
import { PERIOD_DAYS } from '../contract/shared.ts'
import {
  bulksVerify,
  rollBuyVerify,
  verifyFlags,
  verifyWays,
  voucherVerify,
  type VerifyCalls,
  type VerifyFlag,
  type VerifyPage,
  type VerifyRow,
  type VerifySums,
  type VerifyWay,
} from '../contract/verify.ts'

const TOGETHER_S = 300
const kindOf: Readonly<Record<VerifyPage, OrderKind>> = {
  bulks: 'bulks',
  voucher: 'voucher',
  rollBuy: 'roll_buy',
}
type Filters = {
  settle?: SettleState | 'all' | undefined
  q?: string | undefined
  city_id?: number | undefined
  store_id?: number | undefined
  verifier_id?: number | undefined
  way?: VerifyWay | undefined
  flag?: VerifyFlag | undefined
  group_id?: number | undefined
  from?: number | undefined
  to?: number | undefined
  ids?: readonly number[] | undefined
}
const r = verify_record
/** The Shanghai day of a moment, as a number. */
const dayOf = (at: SQL) => sql`((${at} + 28800) / 86400)`

/** Groups all of whose paid orders were redeemed within five minutes of each other. */
const togetherGroups = (among?: SQL) => sql`
  select o.roll_group_id from verify_record v join "order" o on o.id = v.order_id join roll_group g on g.id = o.roll_group_id where v.kind = 'roll_buy' and v.state = 'valid' and ${among ? sql`g.id in (${among})` : sql`true`}
  group by o.roll_group_id, g.joined_n having g.joined_n > 1 and count(distinct v.order_id) = g.joined_n and max(v.verified_at) - min(v.verified_at) <= ${TOGETHER_S}`
/**
 * Clerks and days with bills that were exactly as high as the faces of the vouchers on them, again
 * and again.
 */
const equalDays = (during: { from?: number | undefined; to?: number | undefined }) => sql`
  select b.who, b.day from (
    select coalesce(v.verifier_id, -v.admin_id) who, ${dayOf(sql`v.verified_at`)} as day from verify_record v join order_item i on i.id = v.item_id where v.kind = 'voucher' and v.state = 'valid' and v.bill_cents is not null and v.verified_at >= ${during.from === undefined ? 0 : dayStart(during.from)} and ${during.to === undefined ? sql`true` : sql`v.verified_at < ${dayStart(during.to) + DAY}`}
    group by 1, 2, v.store_id, coalesce(v.bill_no, v.id::text), v.bill_cents having v.bill_cents = sum((i.snapshot->>'face_cents')::bigint)) b
  where b.who is not null group by b.who, b.day having count(*) >= ${EQUAL_BILLS}`
/** In a store that does not sell it, nor was its order moved there. */
const wrongStore = (v: SQL) =>
  sql`(not exists (select 1 from product_store ps where ps.product_id = ${v}.product_id and ps.store_id = ${v}.store_id) and (select i.snapshot->>'moved_to' from order_item i where i.id = ${v}.item_id) is distinct from ${v}.store_id::text)`
const flagWhere: Readonly<Record<VerifyFlag, (of: Filters) => SQL>> = {
  far: () => sql`${r.distance_m} > ${FAR_M}`,
  wrong_store: () => wrongStore(sql`"verify_record"`),
  abnormal: () => sql`${r.abnormal}`,
  together: () =>
    sql`${r.order_id} in (select o.id from "order" o where o.roll_group_id in (${togetherGroups()}))`,
  equal_face: of =>
    sql`(coalesce(${r.verifier_id}, -${r.admin_id}), ${dayOf(sql`${r.verified_at}`)}) in (${equalDays(of)})`,
}
/** What was typed: a code, else the number of an order or bill. */
const searchWhere = (q: string): SQL => {
  const value = q.normalize('NFKC').trim()
  return isCode(value)
    ? sql`${r.code_id} = (select c.id from order_code c where c.code = ${value})`
    : sql`(${r.order_id} in (select o.id from "order" o where o.order_no = ${value}) or ${r.bill_no} = ${value})`
}
const recordWhere = (
  kind: OrderKind,
  of: Filters,
  staff: Pick<Staff, 'scope' | 'lang'>,
  now: number,
): SQL | undefined => {
  if (of.from !== undefined && (of.to ?? now) - of.from > PERIOD_DAYS * DAY)
    throw invalid({
      from: say(['时间范围最多 {n} 天，请缩短', 'At most {n} days'], staff.lang, {
        n: PERIOD_DAYS,
      }),
    })
  return foundWhere(kind, of, staff)
}
/**
 * The same for what was asked for before: a period that ends now has grown since, but a file that
 * waited its turn is made all the same.
 */
const foundWhere = (kind: OrderKind, of: Filters, staff: Pick<Staff, 'scope'>): SQL | undefined => {
  const { from, to } = of
  return and(
    eq(r.kind, kind),
    within(staff.scope, { city: r.city_id, mall: r.mall_id }),
    of.settle && of.settle !== 'all' ? eq(r.settle_state, of.settle) : undefined,
    of.q ? searchWhere(of.q) : undefined,
    of.city_id ? eq(r.city_id, of.city_id) : undefined,
    of.store_id ? eq(r.store_id, of.store_id) : undefined,
    of.verifier_id ? eq(r.verifier_id, of.verifier_id) : undefined,
    of.way ? eq(r.way, of.way) : undefined,
    of.flag ? flagWhere[of.flag](of) : undefined,
    of.group_id
      ? sql`${r.order_id} in (select o.id from "order" o where o.roll_group_id = ${of.group_id})`
      : undefined,
    from !== undefined ? sql`${r.verified_at} >= ${from}` : undefined,
    to !== undefined ? sql`${r.verified_at} < ${to}` : undefined,
    of.ids?.length ? inArray(r.id, [...of.ids]) : undefined,
  )
}

type Told = {
  order_no: string
  member_id: number | null
  frozen: boolean
  code: string
  title: string
  store_name: string
  merchant_name: string
  city_name: string
  clerk: string | null
  person: string | null
  reverser: string | null
  wrong_store: boolean
  together: boolean
  equal_face: boolean
  group_id: number | null
  group_no: string
  role: 'leader' | 'member' | null
  group_cents: string
  single_cents: string
  vouchers: number
  faces: string
  bill_limit: number | null
}
/** Redemptions with what a list shows of them: one read for a page of any size. */
const rowsOf = async (db: Db, records: readonly Redemption[]): Promise<VerifyRow[]> => {
  if (records.length === 0) return []
  const [{ kind }] = records as [Redemption]
  const times = records.map(one => one.verified_at)
  const { rows } = await db.execute<Told & { id: number }>(sql`
    select v.id, o.order_no, o.member_id, o.frozen, c.code, i.title, s.name store_name, m.name merchant_name, ct.city_name, vf.name clerk, a.name person, ra.name reverser, ${wrongStore(sql`v`)} wrong_store,
      ${kind === 'roll_buy' ? sql`o.roll_group_id in (${togetherGroups(sql`select x.roll_group_id from "order" x where x.id in ${records.map(one => one.order_id)}`)})` : sql`false`} together, ${kind === 'voucher' ? sql`(coalesce(v.verifier_id, -v.admin_id), ${dayOf(sql`v.verified_at`)}) in (${equalDays({ from: Math.min(...times), to: Math.max(...times) })})` : sql`false`} equal_face,
      g.id group_id, g.group_no, o.group_role as role, g.group_price_cents group_cents, g.single_price_cents single_cents, b.n vouchers, b.faces, (i.snapshot->>'per_bill_limit')::int bill_limit
    from verify_record v join "order" o on o.id = v.order_id join order_code c on c.id = v.code_id join order_item i on i.id = v.item_id join store s on s.id = v.store_id join merchant m on m.id = s.merchant_id join city ct on ct.id = v.city_id
      left join verifier vf on vf.id = v.verifier_id left join admin a on a.id = v.admin_id left join admin ra on ra.id = v.reversed_by left join roll_group g on g.id = o.roll_group_id
      left join lateral (select count(*)::int n, sum((bi.snapshot->>'face_cents')::bigint) faces from verify_record bv join order_item bi on bi.id = bv.item_id where v.bill_cents is not null and (bv.id = v.id or (bv.store_id = v.store_id and bv.bill_no = v.bill_no and ${dayOf(sql`bv.verified_at`)} = ${dayOf(sql`v.verified_at`)} and bv.state = 'valid'))) b on true
    where v.id in ${records.map(one => one.id)}`)
  const told = new Map(rows.map(row => [row.id, row]))
  return records.map(one => {
    const of = told.get(one.id)!
    return {
      id: one.id,
      order_id: one.order_id,
      order_no: of.order_no,
      member_id: of.member_id,
      code: of.code,
      title: of.title,
      store_id: one.store_id,
      store_name: of.store_name,
      merchant_name: of.merchant_name,
      city_name: of.city_name,
      by: of.person ?? of.clerk ?? '',
      way: one.way,
      times: one.times,
      pay_cents: one.pay_cents,
      platform_cents: one.platform_cents,
      commission_cents: one.commission_cents,
      settle_cents: one.settle_cents,
      state: one.state,
      settle_state: one.settle_state,
      frozen: of.frozen,
      distance_m: one.distance_m,
      abnormal: one.abnormal,
      abnormal_reason: one.abnormal_reason,
      flags: [
        ...((one.distance_m ?? 0) > FAR_M ? ['far' as const] : []),
        ...(of.wrong_store ? ['wrong_store' as const] : []),
        ...(one.abnormal ? ['abnormal' as const] : []),
        ...(of.together ? ['together' as const] : []),
        ...(of.equal_face ? ['equal_face' as const] : []),
      ],
      verified_at: one.verified_at,
      hold_until: one.hold_until,
      reversed_at: one.reversed_at,
      reversed_by: of.reverser,
      reverse_reason: one.reverse_reason,
      admin_id: one.admin_id,
      group:
        of.group_id === null
          ? null
          : {
              id: of.group_id,
              no: of.group_no,
              role: of.role,
              price_cents: Number(of.group_cents),
              single_cents: Number(of.single_cents),
            },
      bill:
        one.bill_cents === null
          ? null
          : {
              no: one.bill_no,
              cents: one.bill_cents,
              vouchers: of.vouchers,
              face_cents: Number(of.faces ?? 0),
              limit: of.bill_limit,
            },
      version: one.version,
    }
  })
}

/**
 * Sums over what matches: all of it, what was taken back as amounts below zero, and what stands.
 */
const sumsOf = async (
  db: Db,
  where: SQL | undefined,
): Promise<{ all: VerifySums; reversed: VerifySums; net: VerifySums }> => {
  const rows = await db
    .select({
      state: r.state,
      rows: sql<number>`count(*)::int`,
      times: sql<number>`sum(${r.times})::int`,
      pay: sql<string>`sum(${r.pay_cents})`,
      platform: sql<string>`sum(${r.platform_cents})`,
      commission: sql<string>`sum(${r.commission_cents})`,
      settle: sql<string>`sum(${r.settle_cents})`,
    })
    .from(r)
    .where(where)
    .groupBy(r.state)
  const of = (state: 'valid' | 'reversed', sign: number) => {
    const one = rows.find(each => each.state === state)
    const n = (value: string | number | undefined) => Number(value ?? 0) * sign || 0
    return {
      rows: n(one?.rows),
      times: n(one?.times),
      pay_cents: n(one?.pay),
      platform_cents: n(one?.platform),
      commission_cents: n(one?.commission),
      settle_cents: n(one?.settle),
    }
  }
  const [net, reversed] = [of('valid', 1), of('reversed', -1)]
  return {
    all: Object.fromEntries(
      Object.keys(net).map(key => [
        key,
        net[key as keyof typeof net] - reversed[key as keyof typeof net],
      ]),
    ) as typeof net,
    reversed,
    net,
  }
}

const logged = (one: Pick<Redemption, 'id'>, order_no: string) => ({
  object_type: 'verify_record',
  object_id: one.id,
  object_label: order_no,
})
const labelOf = async (tx: Db, id: number): Promise<string> =>
  (await tx.execute<{ order_no: string }>(sql`select order_no from "order" where id = ${id}`))
    .rows[0]!.order_no
/** A redemption of this kind within the reader's scope, or "not found". */
const findRecord = async (
  db: Db,
  kind: OrderKind,
  id: number,
  staff: Pick<Staff, 'scope'>,
): Promise<Redemption> => {
  const [one] = await db
    .select()
    .from(r)
    .where(
      and(
        eq(r.id, id),
        eq(r.kind, kind),
        within(staff.scope, { city: r.city_id, mall: r.mall_id }),
      ),
    )
  if (!one) throw missing()
  return one
}
const changedMeanwhile = async (tx: Db, one: Redemption) =>
  conflict(
    ['核销记录刚刚有变化，请按最新内容操作', 'It has just changed: act on what it is now'],
    {},
    (await rowsOf(tx, [one]))[0],
    await changedBy(tx, 'verify_record', one.id),
  )
/** Takes one back, as it was read by whoever asks. */
const reverseOne = async (
  { tx, staff, now, log }: WriteContext,
  one: Redemption,
  reason: string,
): Promise<Redemption> => {
  const after = await reverseRedemption(tx, {
    record_id: one.id,
    by: { admin_id: staff.id },
    reason,
    now,
  })
  log({
    ...logged(one, await labelOf(tx, one.order_id)),
    before: { state: one.state, settle_cents: one.settle_cents },
    after: { state: after.state },
    reason,
  })
  return after
}
/** Marks a redemption as abnormal for a reason; without one the mark is taken away. */
const mark = async (
  { tx, staff, now, log }: WriteContext,
  kind: OrderKind,
  { id, version }: { id: number; version: number },
  reason: string | null,
) => {
  const abnormal = reason !== null
  const one = await findRecord(tx, kind, id, staff)
  if (one.abnormal === abnormal)
    throw ruled(
      'no_change',
      abnormal ? ['已标记为异常', 'It is marked already'] : ['没有异常标记', 'It is not marked'],
    )
  const [after] = await tx
    .update(r)
    .set({ abnormal, abnormal_reason: reason, version: sql`${r.version} + 1`, updated_at: now })
    .where(and(eq(r.id, id), eq(r.version, version), eq(r.abnormal, !abnormal)))
    .returning()
  if (!after) throw await changedMeanwhile(tx, await findRecord(tx, kind, id, staff))
  log({
    ...logged(one, await labelOf(tx, one.order_id)),
    before: { abnormal: one.abnormal },
    after: { abnormal },
    ...(reason && { reason }),
  })
  return { id, version: after.version }
}

/** The handlers that every list of redemptions has. */
const verifyHandlers = (page: VerifyPage) => {
  const kind = kindOf[page]
  return {
    lst: async ({ page: at, pageSize, ...filters }, { db, staff, now }) => {
      const where = recordWhere(kind, filters, staff, now)
      const rows = await pageOf(db, r, {
        where,
        by: r.verified_at,
        down: true,
        page: at,
        pageSize,
        reader: `verify.${page}|${staff.id}|${JSON.stringify(filters)}`,
      })
      return listed({ page: at, pageSize }, rows, rowsOf(db, rows), () => countOf(db, r, where))
    },
    counts: async (filters, { db, staff, now }) => {
      const tabs = ['all', ...Object.keys(settleStates)] as ('all' | SettleState)[]
      const { rows } = await db.execute<Record<string, number>>(
        sql`select ${sql.join(
          tabs.map(
            settle =>
              sql`${counting(r, recordWhere(kind, { ...filters, settle }, staff, now))} as ${sql.identifier(settle)}`,
          ),
          sql`, `,
        )}`,
      )
      return Object.fromEntries(Object.entries(rows[0]!).map(([key, n]) => [key, Number(n)]))
    },
    sums: async (filters, { db, staff, now }) => {
      const where = recordWhere(kind, filters, staff, now)
      const bills =
        kind === 'voucher'
          ? (
              await db.execute<{ n: number; cents: string }>(
                sql`select count(*)::int n, coalesce(sum(b.cents), 0) cents from (select max(${r.bill_cents}) cents from ${r} where ${and(where, eq(r.state, 'valid'), sql`${r.bill_cents} is not null`)} group by ${r.store_id}, coalesce(${r.bill_no}, ${r.id}::text), ${dayOf(sql`${r.verified_at}`)}) b`,
              )
            ).rows[0]!
          : null
      return {
        ...(await sumsOf(db, where)),
        bills: bills && { n: bills.n, cents: Number(bills.cents) },
      }
    },
    stores: async ({ keyword, page: at, pageSize }, { db, staff }) => {
      const where = and(
        within(staff.scope, { city: store.city_id, mall: store.mall_id }),
        keyword ? sql`${store.name} ilike ${like(keyword)}` : undefined,
      )
      return {
        list: await db
          .select({ id: store.id, name: store.name, merchant_name: merchant.name })
          .from(store)
          .innerJoin(merchant, eq(merchant.id, store.merchant_id))
          .where(where)
          .orderBy(store.id)
          .limit(pageSize)
          .offset((at - 1) * pageSize),
        ...(await countOf(db, store, where)),
      }
    },
    clerks: async ({ keyword, page: at, pageSize }, { db, staff }) => {
      const mine = within(staff.scope, { city: store.city_id, mall: store.mall_id })
      const where = and(
        mine
          ? sql`exists (select 1 from ${store} where "store"."merchant_id" = "verifier"."merchant_id" and ${mine})`
          : undefined,
        keyword ? sql`${verifier.name} ilike ${like(keyword)}` : undefined,
      )
      return {
        list: await db
          .select({ id: verifier.id, name: verifier.name, merchant_name: merchant.name })
          .from(verifier)
          .innerJoin(merchant, eq(merchant.id, verifier.merchant_id))
          .where(where)
          .orderBy(verifier.id)
          .limit(pageSize)
          .offset((at - 1) * pageSize),
        ...(await countOf(db, verifier, where)),
      }
    },
    reverse: async ({ id, version, reason }, context) => {
      const one = await findRecord(context.tx, kind, id, context.staff)
      await holdOrder(context.tx, one.order_id)
      const held = await findRecord(context.tx, kind, id, context.staff)
      if (held.version !== version) throw await changedMeanwhile(context.tx, held)
      const after = await reverseOne(context, held, reason)
      return { id, version: after.version }
    },
    batchReverse: async ({ ids, reason }, context) => {
      // Their orders are held first, in the order in which everybody holds several.
      const known = await context.tx
        .selectDistinct({ order_id: r.order_id })
        .from(r)
        .where(
          and(
            inArray(r.id, ids),
            eq(r.kind, kind),
            within(context.staff.scope, { city: r.city_id, mall: r.mall_id }),
          ),
        )
        .orderBy(r.order_id)
      for (const { order_id } of known) await holdOrder(context.tx, order_id)
      return eachRow(context, ids, async (each, id) =>
        reverseOne(each, await findRecord(each.tx, kind, id, each.staff), reason),
      )
    },
    markAbnormal: ({ reason, ...one }, context) => mark(context, kind, one, reason),
    clearAbnormal: (one, context) => mark(context, kind, one, null),
    export: async ({ format, columns, ...filters }, context) => {
      const rows_expected = await exactCount(
        context.tx,
        r,
        recordWhere(kind, filters, context.staff, context.now),
        EXPORT_MAX_ROWS,
      )
      return startExport(context, {
        page: `order.${page}.verify`,
        filters,
        filters_text: filtersText(filters, context.staff.lang),
        rows_expected,
        format,
        columns,
      })
    },
  } satisfies { [K in keyof VerifyCalls]: Handler<VerifyCalls[K]> }
}
const filtersText = ({ settle, flag, way, q, from, to }: Filters, lang: Lang): string =>
  [
    settle && settle !== 'all' ? say(settleStates[settle], lang) : say(['全部', 'All'], lang),
    flag && say(verifyFlags[flag], lang),
    way && say(verifyWays[way], lang),
    q,
    from && `≥ ${timeFull(from)}`,
    to && `< ${timeFull(to)}`,
  ]
    .filter(Boolean)
    .join(say(clause, lang))

/** What only the redemptions of one kind have. */
const ownColumns = {
  bulks: [],
  voucher: [
    { key: 'bill_no', title: ['账单号', 'Bill no.'] },
    { key: 'bill_cents', title: ['账单金额', 'Bill'], kind: 'money' },
    { key: 'face_cents', title: ['面值合计', 'Total face value'], kind: 'money' },
  ],
  rollBuy: [
    { key: 'group_no', title: ['团号', 'Group no.'] },
    { key: 'single_cents', title: ['单买价', 'Solo price'], kind: 'money' },
  ],
} as const
const nowS = () => Math.floor(Date.now() / 1000)
for (const [page, title] of [
  ['bulks', ['团购核销记录', 'Group-buy redemptions']],
  ['voucher', ['代金券核销记录', 'Voucher redemptions']],
  ['rollBuy', ['拼团核销记录', 'Multi-person redemptions']],
] as const) {
  const kind = kindOf[page]
  defineExport(`order.${page}.verify`, {
    title,
    permit: `order.${page}.verify.export`,
    columns: [
      { key: 'verified_at', title: ['核销时间', 'Redeemed'], kind: 'time' },
      { key: 'order_no', title: ['订单号', 'Order no.'] },
      { key: 'code', title: ['券码', 'Code'], field: 'order.code' },
      { key: 'title', title: ['商品', 'Product'] },
      { key: 'store_name', title: ['门店', 'Store'] },
      { key: 'merchant_name', title: ['商户', 'Merchant'] },
      { key: 'by', title: ['核销人', 'By'] },
      { key: 'way', title: ['方式', 'How'] },
      { key: 'times', title: ['次数', 'Uses'], kind: 'number' },
      { key: 'pay_cents', title: ['实付分摊', 'Share'], kind: 'money' },
      { key: 'platform_cents', title: ['平台分摊', 'Platform share'], kind: 'money' },
      {
        key: 'commission_cents',
        title: ['佣金', 'Commission'],
        kind: 'money',
        field: 'product.commission_bp',
      },
      {
        key: 'settle_cents',
        title: ['结算', 'Settled'],
        kind: 'money',
        field: ['product.settle_price_cents', 'product.commission_bp'],
      },
      { key: 'settle_state', title: ['结算状态', 'Settlement'] },
      { key: 'distance_m', title: ['距离（米）', 'Distance (m)'], kind: 'number' },
      { key: 'flags', title: ['提示', 'Flags'] },
      { key: 'reversed_at', title: ['撤销时间', 'Reversed'], kind: 'time' },
      { key: 'reverse_reason', title: ['撤销原因', 'Why'] },
      ...ownColumns[page],
    ],
    count: ({ db, staff, filters }) =>
      exactCount(db, r, recordWhere(kind, filters, staff, nowS()), EXPORT_MAX_ROWS),
    rows: async ({ db, staff, filters, after, limit }) => {
      const rows = await db
        .select()
        .from(r)
        .where(
          and(
            foundWhere(kind, filters, staff),
            after === undefined ? undefined : sql`${r.id} > ${after}`,
          ),
        )
        .orderBy(r.id)
        .limit(limit)
      return {
        rows: (await rowsOf(db, rows)).map(row => ({
          ...row,
          way: say(verifyWays[row.way], staff.lang),
          settle_state: say(settleStates[row.settle_state], staff.lang),
          flags: row.flags
            .map(flag => say(verifyFlags[flag], staff.lang))
            .join(say(comma, staff.lang)),
          bill_no: row.bill?.no,
          bill_cents: row.bill?.cents,
          face_cents: row.bill?.face_cents,
          group_no: row.group?.no,
          single_cents: row.group?.single_cents,
        })),
        next: rows.length < limit ? undefined : rows.at(-1)!.id,
      }
    },
  })
}

export const bulksVerifyServer = implement(bulksVerify, {
  ...verifyHandlers('bulks'),
  dayReport: async ({ store_id, date }, { db, staff }) => {
    const [shop] = await db
      .select({ name: store.name })
      .from(store)
      .where(
        and(
          eq(store.id, store_id),
          within(staff.scope, { city: store.city_id, mall: store.mall_id }),
        ),
      )
    const from = momentNamed(date)
    if (!shop) throw missing()
    if (from === undefined)
      throw invalid({
        date: say(
          ['没有这一天，请按 2026-11-20 填写', 'There is no such day: write 2026-11-20'],
          staff.lang,
        ),
      })
    const where = and(
      eq(r.kind, 'bulks'),
      eq(r.store_id, store_id),
      sql`${r.verified_at} >= ${from} and ${r.verified_at} < ${from + DAY}`,
    )
    const clerks = await db.execute<{ by: string | null; rows: number; cents: string }>(
      sql`select coalesce(a.name, vf.name) as by, count(*)::int as rows, sum(v.settle_cents) cents from verify_record v left join verifier vf on vf.id = v.verifier_id left join admin a on a.id = v.admin_id where v.kind = 'bulks' and v.store_id = ${store_id} and v.verified_at >= ${from} and v.verified_at < ${from + DAY} and v.state = 'valid' group by 1 order by 3 desc`,
    )
    const hours = await db.execute<{ hour: number; rows: number; cents: string }>(
      sql`select ((v.verified_at - ${from}) / ${HOUR})::int as hour, count(*)::int as rows, sum(v.settle_cents) cents from verify_record v where v.kind = 'bulks' and v.store_id = ${store_id} and v.verified_at >= ${from} and v.verified_at < ${from + DAY} and v.state = 'valid' group by 1`,
    )
    const byHour = new Map(hours.rows.map(one => [one.hour, one]))
    return {
      store_name: shop.name,
      date,
      hours: Array.from({ length: 24 }, (_, hour) => ({
        rows: byHour.get(hour)?.rows ?? 0,
        settle_cents: Number(byHour.get(hour)?.cents ?? 0),
      })),
      ...(await sumsOf(db, where)),
      clerks: clerks.rows.map(one => ({
        by: one.by ?? '',
        rows: one.rows,
        settle_cents: Number(one.cents),
      })),
    }
  },
})
export const rollBuyVerifyServer = implement(rollBuyVerify, verifyHandlers('rollBuy'))
export const voucherVerifyServer = implement(voucherVerify, {
  ...verifyHandlers('voucher'),
  reverseBill: async ({ id, reason }, { tx, staff, now, log }) => {
    const one = await findRecord(tx, 'voucher', id, staff)
    const done = await reverseBill(tx, { record: one, by: { admin_id: staff.id }, reason, now })
    log({
      ...logged(one, await labelOf(tx, one.order_id)),
      after: { bill_no: one.bill_no, reversed_n: done.length },
      reason,
    })
    return { id, reversed: done.map(each => each.id) }
  },
  reportRisk: async ({ id, reason }, { tx, staff, now, log }) => {
    const one = await findRecord(tx, 'voucher', id, staff)
    const { hit_id } = await reportCashOut(tx, {
      order_ids: [one.order_id],
      code_ids: [one.code_id],
      store_id: one.store_id,
      by: staff.name,
      reason,
      now,
    })
    log({ ...logged(one, await labelOf(tx, one.order_id)), after: { risk_hit: hit_id }, reason })
    return { id, hit_id }
  },
})
