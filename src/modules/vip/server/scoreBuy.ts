import { and, asc, eq, inArray } from 'drizzle-orm'
import { storesToPick } from '#src/areas/limit/picks.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { e_category, shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { issuedByRule } from '#src/areas/points/byRule.server.ts'
import {
  earnedBy,
  explainOrder,
  settleDue,
  settleOrder,
} from '#src/areas/points/settling.server.ts'
import type { PointsRule } from '#src/areas/pointsRule/inForce.server.ts'
import { points_rule as t } from '#src/areas/pointsRule/rule.table.ts'
import type { BuyConfig, ExcludeScope } from '#src/areas/pointsRule/rule.ts'
import {
  heldRule,
  ruleRecord,
  refuseOverlap,
  turnRuleOff,
  turnRuleOn,
} from '#src/areas/pointsRule/ruleRecord.server.ts'
import { joined } from '#src/domain/text.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { scoreBuy as contract } from '../contract/scoreBuy.ts'

const configOf = (row: PointsRule) => row.config as BuyConfig
const heldBuy = (context: WriteContext, one: { id: number; version: number }) =>
  heldRule(context, one, ['buy'])
const names = async (
  db: Db,
  table: typeof store | typeof shop_category | typeof e_category,
  ids: readonly number[],
): Promise<{ id: number; name: string }[]> =>
  ids.length === 0
    ? []
    : db
        .select({ id: table.id, name: table.name })
        .from(table as typeof store)
        .where(inArray(table.id, [...ids]))
        .orderBy(asc(table.id))
const tables = { shop_category, e_category, store }
const excluded = async (db: Db, of: BuyConfig['exclude']) => ({
  shop_category: await names(db, shop_category, of.shop_category),
  e_category: await names(db, e_category, of.e_category),
  store: await names(db, store, of.store),
})
/** An order by its number, of the person's own places; 404 otherwise. */
const orderOf = async (db: Db, staff: Staff, order_no: string): Promise<Order> => {
  const [row] = await db
    .select()
    .from(order)
    .where(
      and(
        eq(order.order_no, order_no.trim().toUpperCase()),
        within(staff.scope, { city: order.city_id, mall: order.mall_id }),
      ),
    )
  if (!row) throw missing()
  return row
}
const withExcluded = (of: BuyConfig, scope: ExcludeScope, ids: number[]): BuyConfig => ({
  ...of,
  exclude: { ...of.exclude, [scope]: ids },
})

const handlers = {
  lst: async ({ page, pageSize }, { db, now }) => {
    const where = eq(t.kind, 'buy')
    const rows = await db
      .select()
      .from(t)
      .where(where)
      .orderBy(t.sort, t.id)
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const issued = await issuedByRule(db, now)
    const list = await Promise.all(
      rows.map(async row => ({
        ...row,
        ...configOf(row),
        status: row.status === 'on' ? ('on' as const) : ('off' as const),
        exclude: await excluded(db, configOf(row).exclude),
        issued: issued.get(row.id) ?? 0,
      })),
    )
    return { list, ...(await countOf(db, t, where)) }
  },
  stores: storesToPick,
  categories: async ({ page, pageSize, keyword, tree }, { db }) => {
    const table = tables[tree] as typeof shop_category
    const where = holding(keyword, [table.name], table.id)
    const list = await db
      .select({ id: table.id, name: table.name })
      .from(table)
      .where(where)
      .orderBy(asc(table.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, table, where)) }
  },
  save: async ({ id, version, kinds, at, ...rest }, context) => {
    const was = await heldBuy(context, { id, version })
    await refuseOverlap(context, was, { ...rest, mids: was.mids })
    const config = { ...configOf(was), kinds: [...new Set(kinds)], at }
    return ruleRecord.save(context, was, { ...rest, config })
  },
  enable: async (one, context) => turnRuleOn(context, await heldBuy(context, one)),
  disable: async ({ reason, ...one }, context) =>
    turnRuleOff(context, await heldBuy(context, one), reason),
  addExclusion: async ({ scope, scope_ids, ...one }, context) => {
    const was = await heldBuy(context, one)
    const found = await names(context.tx, tables[scope], scope_ids)
    if (found.length < new Set(scope_ids).size) throw missing()
    const ids = [...new Set([...configOf(was).exclude[scope], ...scope_ids])]
    return ruleRecord.save(context, was, { config: withExcluded(configOf(was), scope, ids) })
  },
  removeExclusion: async ({ scope, scope_ids, ...one }, context) => {
    const was = await heldBuy(context, one)
    const ids = configOf(was).exclude[scope].filter(id => !scope_ids.includes(id))
    if (ids.length === configOf(was).exclude[scope].length)
      throw ruled('not_excluded', ['所选范围未被排除', 'None of these is excluded'])
    return ruleRecord.save(context, was, { config: withExcluded(configOf(was), scope, ids) })
  },
  testOrder: async ({ order_no }, { db, staff, now }) => {
    const row = await orderOf(db, staff, order_no)
    const { steps, points, waits } = await explainOrder(db, row, now)
    const booked = await earnedBy(db, row)
    const [who] = await db
      .select({ id: member.id, name: member.nickname })
      .from(member)
      .where(eq(member.id, row.member_id ?? 0))
    const told = steps.map(one => ({ zh: one.text[0], en: one.text[1], points: one.points }))
    return {
      ...row,
      member: who ?? null,
      steps: told,
      points,
      waits,
      booked: booked?.delta ?? null,
    }
  },
  reissue: async ({ order_no, reason }, context) => {
    const { tx, staff, now } = context
    const row = await orderOf(tx, staff, order_no)
    if (await earnedBy(tx, row))
      throw ruled('booked', ['该订单已发过积分，不能补发', 'Its points were issued before'])
    const { points, waits, steps } = await explainOrder(tx, row, now)
    if (waits || points === 0) throw ruled('nothing_due', steps.at(-1)!.text)
    const n = await settleOrder(tx, row, { now, operator_id: staff.id, note: reason })
    if (n === 0)
      throw ruled('earns_nothing', [
        '会员权益已冻结或账号异常，不能补发',
        'The member earns nothing now: benefits frozen or account off',
      ])
    const booked = (await earnedBy(tx, row))!
    context.log({
      object_type: 'points_ledger',
      object_id: booked.id,
      object_label: joined([`积分流水 ${booked.id}`, `Points entry ${booked.id}`]),
      before: null,
      after: { delta: n },
      reason,
    })
    return { order_no: row.order_no, points: n }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

// Whatever changes an order notes it; its points follow within a minute.
defineTimer('points.settle', '* * * * *', async ({ database, now }) =>
  (await settleDue(database, now)) > 0 ? ['points_ledger', 'member'] : [],
)

export const scoreBuyServer = implement(contract, handlers)
