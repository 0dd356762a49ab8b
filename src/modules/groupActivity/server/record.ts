import { and, desc, eq, gte, inArray, lte, or, sql, type SQL } from 'drizzle-orm'
import {
  countedOrders,
  itemsOf,
  shownBlocks,
  type BlockRow,
} from '#src/areas/limit/blockRows.server.ts'
import { buy_limit_log as t, buy_limit_rule } from '#src/areas/limit/limit.table.ts'
import { limitResults, limitRules as ownLimits } from '#src/areas/limit/limits.ts'
import { exemptUntil, limitDimensions, type LimitDimension } from '#src/areas/limit/rule.ts'
import { exemptMember } from '#src/areas/limit/rules.server.ts'
import { saidOf } from '#src/areas/limit/usage.server.ts'
import { LOG_DAYS, spanOf } from '#src/areas/log/logs.ts'
import { tooLong } from '#src/areas/log/tooLong.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { blackMember } from '#src/areas/risk/blacklisting.server.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { joined, say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, exporting, listing, record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { limitHits as contract } from '../contract/record.ts'

const TOP = 20
const ORDERS_MOST = 200
/** The first order of the product within so long after a hit tells how it ended. */
const LATER = 7 * DAY
type Filters = {
  phone?: string
  member_id?: number
  product_id?: number
  rule_id?: number
  dimension?: LimitDimension
  mid?: number
  from?: number
  to?: number
}
const blocks = record(t, {
  object: 'buy_limit_log',
  label: ({ member_id, product_id, ecard_id }) =>
    joined([
      `会员 ${member_id ?? '访客'} ${product_id === null ? `电子卡 ${ecard_id}` : `商品 ${product_id}`}`,
      `${member_id === null ? 'Visitor' : `Member ${member_id}`}, ${product_id === null ? `e-card ${ecard_id}` : `product ${product_id}`}`,
    ]),
  keys: ['result'],
  places: { city: t.city_id, mall: t.mall_id },
})
/** The blocks of group-buys and e-cards in a period of at most 92 days. Throws 422 for a longer one. */
const within = (of: { from?: number | undefined; to?: number | undefined }, now: number) => {
  const span = spanOf(of, LOG_DAYS, now)
  if (!span) throw tooLong(LOG_DAYS)
  const { from, to } = span
  return {
    span,
    where: and(
      inArray(t.product_kind, ['bulks', 'ecard']),
      gte(t.created_at, from),
      lte(t.created_at, to),
    ),
  }
}
/** The blocks of everybody with that phone, members and visitors; none where it is no phone. */
const ofPhone = (typed: string): SQL => {
  const phone = mobileOf(typed)
  if (!phone) return sql`false`
  return or(
    sql`${t.member_id} in (select m.id from ${member} m where m.phone = ${phone})`,
    eq(t.visitor_phone, phone),
  )!
}
/** The first order of the product that each buyer made within a week after. */
const laterOrders = async (db: Db, ids: readonly number[]) => {
  if (ids.length === 0) return new Map<number, { id: number; order_no: string; kind: OrderKind }>()
  const { rows } = await db.execute<{ log: number; id: number; order_no: string; kind: OrderKind }>(
    sql`select l.id log, o.id, o.order_no, o.kind from buy_limit_log l cross join lateral (select o.id, o.order_no, o.kind from "order" o where o.member_id = l.member_id and o.created_at > l.created_at and o.created_at <= l.created_at + ${LATER} and exists (select 1 from order_item i where i.order_id = o.id and (i.product_id = l.product_id or i.ecard_attr_id in (select a.id from ecard_attr a where a.card_id = l.ecard_id))) order by o.created_at limit 1) o where l.id in ${[...ids]}`,
  )
  return new Map(rows.map(({ log, ...of }) => [log, of]))
}
const rulesIn = async (db: Db, rows: readonly BlockRow[]) => {
  const ids = [...new Set(rows.flatMap(row => row.rule_id ?? []))]
  const found =
    ids.length === 0
      ? []
      : await db.select().from(buy_limit_rule).where(inArray(buy_limit_rule.id, ids))
  return new Map(found.map(rule => [rule.id, rule]))
}
const list = listing(blocks, {
  by: t.created_at,
  down: true,
  where: ({ phone, mid, from, to, ...same }: Filters, { now }) =>
    and(
      within({ from, to }, now).where,
      equal(t, { ...same, mall_id: mid }),
      phone ? ofPhone(phone) : undefined,
    ),
  shown: async (db, rows, { now }) => {
    const later = await laterOrders(
      db,
      rows.map(row => row.id),
    )
    const rules = await rulesIn(db, rows)
    return (await shownBlocks(db, rows, now)).map(row => ({
      ...row,
      dim_value: row.dimension === 'member' ? undefined : row.dim_value,
      later: later.get(row.id) ?? null,
      exempt_until:
        exemptUntil(rules.get(row.rule_id ?? 0)?.exempt ?? [], row.member_id, now) ?? null,
    }))
  },
})
/** The member of a block, for what is done to members. */
const memberOf = async ({ tx, staff }: WriteContext, id: number) => {
  const row = await blocks.read(tx, staff, id)
  if (row.member_id === null)
    throw ruled('visitor', ['访客没有会员账号，不能执行', 'A visitor has no account'])
  return { row, member_id: row.member_id }
}
/** Orders of the product that the member made before a product's own limit stopped them. */
const boughtBefore = async (db: Db, row: BlockRow) => {
  if (row.member_id === null) return []
  return db
    .select({
      id: order.id,
      order_no: order.order_no,
      kind: order.kind,
      status: order.status,
      created_at: order.created_at,
      qty: order_item.qty,
      refunded_qty: order_item.refunded_qty,
    })
    .from(order)
    .innerJoin(order_item, eq(order_item.order_id, order.id))
    .where(
      and(eq(order.member_id, row.member_id), itemsOf(row), lte(order.created_at, row.created_at)),
    )
    .orderBy(desc(order.created_at))
    .limit(ORDERS_MOST)
}

const handlers = {
  lst: list.page as never,
  ranking: async (asked, { db, staff, now }) => {
    const { span, where } = within(asked, now)
    const seen = and(where, blocks.seen(staff))
    const hits = sql<number>`sum(${t.folded})::int`
    const rules = await db
      .select({
        id: buy_limit_rule.id,
        name: buy_limit_rule.name,
        hits,
        buyers: sql<number>`count(distinct ${t.dim_value})::int`,
      })
      .from(t)
      .innerJoin(buy_limit_rule, eq(buy_limit_rule.id, t.rule_id))
      .where(seen)
      .groupBy(buy_limit_rule.id)
      .orderBy(desc(hits), buy_limit_rule.id)
      .limit(TOP)
    const members = await db
      .select({ id: member.id, name: member.nickname, hits, buyers: sql<number>`1` })
      .from(t)
      .innerJoin(member, eq(member.id, t.member_id))
      .where(seen)
      .groupBy(member.id)
      .orderBy(desc(hits), member.id)
      .limit(TOP)
    return { rules, members, ...span }
  },
  viewRule: async ({ id }, { db, staff }) => {
    const row = await blocks.read(db, staff, id)
    const rule = (await rulesIn(db, [row])).get(row.rule_id ?? 0)
    const now = rule && { ...saidOf(rule), version: rule.version, status: rule.status }
    return { was: row.rule_said, now: now ?? null }
  },
  orders: async ({ id }, { db, staff }) => {
    const row = await blocks.read(db, staff, id)
    const rule = (await rulesIn(db, [row])).get(row.rule_id ?? 0)
    const bought = rule
      ? await countedOrders(db, rule, {
          value: row.dim_value,
          at: row.created_at,
          most: ORDERS_MOST,
        })
      : await boughtBefore(db, row)
    return {
      list: bought.map(({ created_at, refunded_qty, ...of }) => ({
        ...of,
        at: created_at,
        returned: refunded_qty,
      })),
    }
  },
  exempt: async ({ id, days, reason }, context) => {
    const { row, member_id } = await memberOf(context, id)
    if (row.rule_id === null)
      throw ruled('own_limit', [
        '商品自带的限购不能豁免，可在限购拦截记录中放行一次',
        'A product’s own limit exempts nobody: release it once in the log of blocks',
      ])
    const [was] = await context.tx
      .select()
      .from(buy_limit_rule)
      .where(eq(buy_limit_rule.id, row.rule_id))
      .for('update')
    if (!was) throw missing()
    const { until } = await exemptMember(context, was, { member_id, days, reason })
    return { id, until }
  },
  addList: async ({ id, days, reason }, context) => {
    const { member_id } = await memberOf(context, id)
    return blackMember(context, member_id, { days, reason })
  },
  export: exporting(list, {
    page: 'groupActivity.record',
    title: ['团购限购记录', 'Group-buy limit records'],
    permit: contract.export.permit,
    columns: [
      { key: 'created_at', title: ['时间', 'Time'], kind: 'time' },
      { key: 'nickname', title: ['会员', 'Member'] },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
      { key: 'product_title', title: ['商品', 'Product'] },
      { key: 'product_id', title: ['商品编号', 'Product ID'], kind: 'number' },
      { key: 'rule_name', title: ['规则', 'Rule'] },
      { key: 'rule_version', title: ['规则版本', 'Version'], kind: 'number' },
      { key: 'dimension', title: ['维度', 'Counted by'] },
      { key: 'dim_value', title: ['维度值', 'Counted value'], field: 'member.phone' },
      { key: 'asked_n', title: ['要买', 'Wanted'], kind: 'number' },
      { key: 'bought_n', title: ['已购', 'Bought'], kind: 'number' },
      { key: 'allowed_n', title: ['还可购', 'Left'], kind: 'number' },
      { key: 'limit_n', title: ['上限', 'Limit'], kind: 'number' },
      { key: 'folded', title: ['次数', 'Times'], kind: 'number' },
      { key: 'result', title: ['结果', 'Result'] },
      { key: 'later_no', title: ['之后订单', 'Later order'] },
    ],
    words: ({ dimension }, lang) => [dimension && say(limitDimensions[dimension], lang)],
    cells: (row, { lang }) => ({
      ...row,
      phone: row.phone ?? '',
      dim_value: row.dim_value ?? '',
      rule_name: row.rule_said?.name ?? say(ownLimits[row.rule], lang),
      dimension: say(limitDimensions[row.dimension], lang),
      result: say(limitResults[row.result], lang),
      later_no: row.later?.order_no ?? '',
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const limitHitsServer = implement(contract, handlers)
