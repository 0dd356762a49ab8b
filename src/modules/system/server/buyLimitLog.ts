import { and, asc, desc, eq, gte, inArray, isNotNull, lte, ne, sql, type SQL } from 'drizzle-orm'
import { countedOrders, itemsOf, shownBlocks } from '#src/areas/limit/blockRows.server.ts'
import { buy_limit_log as t, buy_limit_rule } from '#src/areas/limit/limit.table.ts'
import {
  boughtOf,
  canRelease,
  limitResults,
  limitRules,
  limitStands,
  overLimit,
  RELEASE_HOURS,
  uncounted,
  type LimitResult,
  type LimitRule,
} from '#src/areas/limit/limits.ts'
import { dropLateReleases, needOnSale, stockOf } from '#src/areas/limit/releases.server.ts'
import { keyOf, usedOf } from '#src/areas/limit/usage.server.ts'
import { LOG_DAYS, spanOf } from '#src/areas/log/logs.ts'
import { tooLong } from '#src/areas/log/tooLong.server.ts'
import { click_log } from '#src/areas/log/trace.table.ts'
import { filterText } from '#src/areas/log/words.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { orderStatuses } from '#src/areas/order/order.ts'
import { product } from '#src/areas/product/product.table.ts'
import { blackMember, blackOf } from '#src/areas/risk/blacklisting.server.ts'
import { joined, say, type Lang } from '#src/domain/text.ts'
import { HOUR } from '#src/domain/time.ts'
import { implement, type Db, type Staff } from '#src/server/call/implement.ts'
import { conflict, missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf, exactCount, listed, pageOf } from '#src/server/db/paging.ts'
import {
  EXPORT_MAX_ROWS,
  defineExport,
  startExport,
  chosenRows,
  type Chosen,
} from '#src/server/exports/exports.ts'
import { buyLimitLog } from '../contract/buyLimitLog.ts'

const TOP = 20
const ORDERS_MAX = 200
type Stored = typeof t.$inferSelect
type Filters = {
  member_id?: number | undefined
  product_id?: number | undefined
  rule?: LimitRule | undefined
  result?: LimitResult | undefined
  from?: number | undefined
  to?: number | undefined
}

/** A release that ran out is a block again, by condition and not by a job. */
const resultIs = (result: LimitResult, now: number): SQL => {
  if (result === 'released') return sql`${t.result} = 'released' and ${t.release_until} > ${now}`
  if (result === 'blocked')
    return sql`${t.result} in ('blocked', 'released') and (${t.result} = 'blocked' or ${t.release_until} <= ${now})`
  return eq(t.result, result)
}
const limitsWhere = (
  { member_id, product_id, rule, result, from, to, ids }: Filters & Chosen,
  scope: Staff['scope'],
  now: number,
): SQL => {
  const span = spanOf({ from, to }, LOG_DAYS, now)
  if (!span) throw tooLong(LOG_DAYS)
  return and(
    chosenRows(t.id, { ids }),
    gte(t.created_at, span.from),
    lte(t.created_at, span.to),
    member_id === undefined ? undefined : eq(t.member_id, member_id),
    product_id === undefined ? undefined : eq(t.product_id, product_id),
    rule && eq(t.rule, rule),
    result && resultIs(result, now),
    within(scope, { city: t.city_id, mall: t.mall_id }),
  )!
}
const limitsPage = (
  db: Db,
  staff: Pick<Staff, 'id' | 'scope'>,
  { page, pageSize, ...filters }: Filters & { page: number; pageSize: number },
  now: number,
) =>
  pageOf(db, t, {
    where: limitsWhere(filters, staff.scope, now),
    by: t.created_at,
    down: true,
    page,
    pageSize,
    reader: `${staff.id}|limits|${JSON.stringify(filters)}`,
  })

const one = async (db: Db, id: number, staff: Staff, hold = false): Promise<Stored> => {
  const query = db
    .select()
    .from(t)
    .where(and(eq(t.id, id), within(staff.scope, { city: t.city_id, mall: t.mall_id })))
  const [row] = await (hold ? query.for('update') : query)
  if (!row) throw missing()
  return row
}

/** The member of a block, for what is done to members: a visitor is none. */
const memberIn = (row: Stored): number => {
  if (row.member_id === null)
    throw ruled('visitor', ['访客没有会员账号，不能执行', 'A visitor has no account'])
  return row.member_id
}
const knownMember = async (db: Db, id: number, staff: Staff): Promise<number> =>
  memberIn(await one(db, id, staff))

const filterNames = {
  rule: { title: ['限购规则', 'Rule'], kind: 'enum', options: limitRules },
  result: { title: ['结果', 'Result'], kind: 'enum', options: limitResults },
} as const
defineExport('system.buyLimitLog', {
  title: ['限购拦截记录', 'Purchase-limit blocks'],
  permit: 'system.buyLimitLog.export',
  filters: () => filterNames,
  columns: [
    { key: 'created_at', title: ['时间', 'Time'], kind: 'time' },
    { key: 'nickname', title: ['会员', 'Member'] },
    { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
    { key: 'member_id', title: ['会员编号', 'Member ID'], kind: 'number' },
    { key: 'product_title', title: ['商品', 'Product'] },
    { key: 'product_id', title: ['商品编号', 'Product ID'], kind: 'number' },
    { key: 'rule', title: ['限购规则', 'Rule'] },
    { key: 'limit_n', title: ['上限', 'Limit'], kind: 'number' },
    { key: 'bought_n', title: ['已购', 'Bought'], kind: 'number' },
    { key: 'asked_n', title: ['本次', 'Asked'], kind: 'number' },
    { key: 'result', title: ['结果', 'Result'] },
    { key: 'release_by_name', title: ['放行人', 'Released by'] },
    { key: 'release_reason', title: ['放行原因', 'Why'] },
    { key: 'release_until', title: ['放行至', 'Until'], kind: 'time' },
    { key: 'device_id', title: ['设备', 'Device'] },
  ],
  count: ({ db, staff, filters }) =>
    exactCount(db, t, limitsWhere(filters, staff.scope, Number(filters['to'])), EXPORT_MAX_ROWS),
  rows: async ({ db, staff, filters, after, limit }) => {
    const [at, id] = (after as [number, number] | undefined) ?? [0, 0]
    const now = Number(filters['to'])
    const rows = await db
      .select()
      .from(t)
      .where(
        and(
          limitsWhere(filters, staff.scope, now),
          sql`(${t.created_at}, ${t.id}) > (${at}, ${id})`,
        ),
      )
      .orderBy(asc(t.created_at), asc(t.id))
      .limit(limit)
    const last = rows.at(-1)
    return {
      rows: (await shownBlocks(db, rows, now)).map(row => ({
        ...row,
        rule: say(limitRules[row.rule], staff.lang),
        result: say(limitResults[row.result], staff.lang),
      })),
      next: rows.length < limit ? undefined : [last!.created_at, last!.id],
    }
  },
})

/** The accounts whose purchases count towards a block: the member, or everybody on the device. */
const accountsOf = async (db: Db, row: Stored) => {
  if (row.rule !== 'per_device' || !row.device_id)
    return row.member_id === null ? [] : [row.member_id]
  const seen = await db
    .selectDistinct({ id: click_log.member_id })
    .from(click_log)
    .where(and(eq(click_log.device_id, row.device_id), isNotNull(click_log.member_id)))
    .limit(50)
  const blocked = await db
    .selectDistinct({ id: t.member_id })
    .from(t)
    .where(eq(t.device_id, row.device_id))
    .limit(50)
  const all = [row.member_id, ...seen.map(each => each.id), ...blocked.map(each => each.id)]
  return [...new Set(all.filter(each => each !== null))]
}

/** How a limit that products have themselves was reckoned, order by order. */
const reckonOwn = async (
  db: Db,
  row: Stored,
  of: { accounts: number[]; now: number; lang: Lang },
) => {
  // For "new members only" every order of theirs counts, whatever was bought.
  const bought = await db
    .select({
      id: order.id,
      order_no: order.order_no,
      member_id: order.member_id,
      status: order.status,
      refund_state: order.refund_state,
      created_at: order.created_at,
      qty: sql<number>`sum(${order_item.qty})::int`,
      refunded_qty: sql<number>`sum(${order_item.refunded_qty})::int`,
    })
    .from(order)
    .innerJoin(order_item, eq(order_item.order_id, order.id))
    .where(
      and(
        inArray(order.member_id, of.accounts),
        row.rule === 'new_only' ? undefined : itemsOf(row),
      ),
    )
    .groupBy(order.id)
    .orderBy(desc(order.created_at))
    .limit(ORDERS_MAX)
  const bought_now = boughtOf(row.rule, bought, of.now)
  return {
    bought_then: boughtOf(row.rule, bought, row.created_at),
    bought_now,
    would_pass_now: !overLimit(row.rule, row.limit_n, bought_now, row.asked_n),
    orders: bought.map(each => {
      const why = uncounted(row.rule, each, row.created_at)
      return {
        ...each,
        at: each.created_at,
        status: say(orderStatuses[each.status], of.lang),
        counts: !why,
        why: why ? say(why, of.lang) : null,
      }
    }),
  }
}
/** How a rule that was set up was reckoned: the orders that count under it now. */
const reckonRule = async (db: Db, row: Stored, of: { now: number; lang: Lang }) => {
  const [rule] =
    row.rule_id === null
      ? []
      : await db.select().from(buy_limit_rule).where(eq(buy_limit_rule.id, row.rule_id))
  const value = row.dim_value
  const bought = rule
    ? await countedOrders(db, rule, { value, at: row.created_at, most: ORDERS_MAX })
    : []
  const bought_now = rule ? await usedOf(db, keyOf(rule, value, of.now)) : 0
  return {
    bought_then: row.bought_n,
    bought_now,
    // A rule that is gone or off stops nobody.
    would_pass_now: rule?.status !== 'on' || bought_now + row.asked_n <= rule.qty,
    orders: bought.map(each => {
      const counts = each.refunded_qty < each.qty
      return {
        ...each,
        at: each.created_at,
        status: say(orderStatuses[each.status], of.lang),
        counts,
        why: counts ? null : say(['额度已返还', 'Given back'], of.lang),
      }
    }),
  }
}

export default implement(buyLimitLog, {
  lst: async (input, { db, staff, now }) => {
    const rows = await limitsPage(db, staff, input, now)
    const { page: _, pageSize: __, ...filters } = input
    return listed(input, rows, shownBlocks(db, rows, now), () =>
      countOf(db, t, limitsWhere(filters, staff.scope, now), t.created_at),
    )
  },
  explain: async ({ id }, { db, staff, now }) => {
    const row = await one(db, id, staff)
    const accounts = await accountsOf(db, row)
    const people = await db
      .select({ id: member.id, nickname: member.nickname })
      .from(member)
      .where(inArray(member.id, accounts))
    const blocks = await db
      .select({
        id: t.member_id,
        n: sql<number>`sum(${t.folded})::int`,
        first: sql<number>`min(${t.created_at})`.mapWith(Number),
      })
      .from(t)
      .where(inArray(t.member_id, accounts))
      .groupBy(t.member_id)
    const of = new Map(blocks.map(found => [found.id, found]))
    const { lang } = staff
    return {
      row: (await shownBlocks(db, [row], now))[0]!,
      ...(row.rule === 'rule'
        ? await reckonRule(db, row, { now, lang })
        : await reckonOwn(db, row, { accounts, now, lang })),
      stock: await stockOf(db, row),
      accounts: people.map(person => ({
        ...person,
        blocks: of.get(person.id)?.n ?? 0,
        first_at: of.get(person.id)?.first ?? row.created_at,
      })),
    }
  },
  releaseOnce: async ({ id, version, reason, expire_at }, { tx, staff, now, log }) => {
    const row = await one(tx, id, staff, true)
    const member_id = memberIn(row)
    const may = canRelease(row, now)
    if (may !== true) throw ruled('not_releasable', may)
    if (row.version !== version)
      throw conflict(
        ['记录已有变化，请刷新后重试', 'It changed meanwhile: refresh and try again'],
        {},
        (await shownBlocks(tx, [row], now))[0],
      )
    if (expire_at <= now || expire_at > now + RELEASE_HOURS * HOUR)
      throw ruled(
        'release_period',
        ['放行有效期须在现在之后、{n} 小时之内', 'A release lasts from now for at most {n} hours'],
        { n: RELEASE_HOURS },
        { fields: { expire_at: `≤ ${RELEASE_HOURS} h` } },
      )
    const [who] = await tx
      .select({ id: member.id, phone: member.phone })
      .from(member)
      .where(eq(member.id, member_id))
    if ((await blackOf(tx, [{ ...who!, device_id: row.device_id }], now)).size > 0)
      throw ruled('blacklisted', ['会员在黑名单中，不能放行', 'The member is on the black list'])
    await needOnSale(tx, row)
    const goods = { product_id: row.product_id ?? 0, card_id: row.ecard_id ?? undefined }
    await dropLateReleases(tx, { member_id, ...goods }, now)
    const [other] = await tx
      .select({ id: t.id })
      .from(t)
      .where(
        and(
          eq(t.member_id, member_id),
          row.product_id === null
            ? eq(t.ecard_id, row.ecard_id!)
            : eq(t.product_id, row.product_id),
          eq(t.result, 'released'),
          ne(t.id, id),
        ),
      )
    if (other)
      throw ruled('released_other', [
        '该会员对此商品已有未使用的放行',
        'The member has an unused release for this product already',
      ])
    const [after] = await tx
      .update(t)
      .set({
        result: 'released',
        release_by: staff.id,
        release_reason: reason,
        release_until: expire_at,
        version: sql`${t.version} + 1`,
      })
      .where(eq(t.id, id))
      .returning()
    log({
      object_type: 'buy_limit_log',
      object_id: id,
      object_label: joined([
        `会员 ${member_id} ${row.product_id === null ? `电子卡 ${row.ecard_id}` : `商品 ${row.product_id}`}`,
        `Member ${member_id}, ${row.product_id === null ? `e-card ${row.ecard_id}` : `product ${row.product_id}`}`,
      ]),
      before: { result: limitStands(row, now), release_until: row.release_until },
      after: { result: 'released', release_until: expire_at },
      reason,
    })
    return { id, version: after!.version, release_until: expire_at }
  },
  addBlack: async ({ id, reason, days }, context) =>
    blackMember(context, await knownMember(context.tx, id, context.staff), { reason, days }),
  topProducts: async ({ rule, ...asked }, { db, staff, now }) => {
    const span = spanOf(asked, LOG_DAYS, now)
    if (!span) throw tooLong(LOG_DAYS)
    const where = limitsWhere({ ...span, rule }, staff.scope, now)
    const figures = {
      blocks: sql<number>`count(*)::int`,
      asked: sql<number>`sum(${t.asked_n})::int`,
      last_at: sql<number>`max(${t.created_at})`.mapWith(Number),
    }
    const products = await db
      .select({
        id: product.id,
        name: product.title,
        members: sql<number>`count(distinct ${t.member_id})::int`,
        ...figures,
      })
      .from(t)
      .innerJoin(product, eq(product.id, t.product_id))
      .where(where)
      .groupBy(product.id, product.title)
      .orderBy(desc(sql`count(*)`), product.id)
      .limit(TOP)
    const rules =
      products.length === 0
        ? []
        : await db
            .select({ id: t.product_id, rule: t.rule, blocks: sql<number>`count(*)::int` })
            .from(t)
            .where(
              and(
                where,
                inArray(
                  t.product_id,
                  products.map(each => each.id),
                ),
              ),
            )
            .groupBy(t.product_id, t.rule)
    const members = await db
      .select({ id: member.id, name: member.nickname, members: sql<number>`1`, ...figures })
      .from(t)
      .innerJoin(member, eq(member.id, t.member_id))
      .where(where)
      .groupBy(member.id, member.nickname)
      .orderBy(desc(sql`count(*)`), member.id)
      .limit(TOP)
    return {
      products: products.map(each => ({
        ...each,
        by_rule: rules
          .filter(found => found.id === each.id)
          .map(found => ({ rule: found.rule, blocks: found.blocks })),
      })),
      members,
      ...span,
    }
  },
  export: async ({ format, columns, ...asked }, context) => {
    const span = spanOf(asked, LOG_DAYS, context.now)
    if (!span) throw tooLong(LOG_DAYS)
    const filters = { ...asked, ...span }
    const rows_expected = await exactCount(
      context.tx,
      t,
      limitsWhere(filters, context.staff.scope, context.now),
      EXPORT_MAX_ROWS,
    )
    return startExport(context, {
      page: 'system.buyLimitLog',
      filters,
      filters_text: await filterText(context.tx, context.staff, filters, filterNames),
      rows_expected,
      format,
      columns,
      same: asked,
    })
  },
})
