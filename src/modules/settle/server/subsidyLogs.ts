import { and, desc, eq, gte, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { LOG_DAYS, spanOf } from '#src/areas/log/logs.ts'
import { tooLong } from '#src/areas/log/tooLong.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import {
  approveClaim,
  askClaim,
  leftOfGrants,
  rejectClaim,
} from '#src/areas/subsidy/claims.server.ts'
import type { SubsidyRow } from '#src/areas/subsidy/granting.server.ts'
import {
  subsidy_claim,
  subsidy_flag,
  subsidy_log as t,
  subsidy_plan,
} from '#src/areas/subsidy/subsidy.table.ts'
import { logKinds, type LogKind } from '#src/areas/subsidy/subsidy.ts'
import { joined, say, type Text } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, exporting, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { byIds } from '#src/server/db/byIds.ts'
import { subsidyLogs as contract, type Grouping } from '../contract/subsidyLogs.ts'

const GROUPS_MOST = 100
type Filters = {
  plan_id?: number
  order_no?: string
  member_id?: number
  merchant_id?: number
  kind?: LogKind
  mid?: number
  from?: number
  to?: number
}
const logs = record(t, {
  object: 'subsidy_log',
  label: row => joined([`补贴记录 ${row.id}`, `Subsidy record ${row.id}`]),
  keys: ['amount_cents'],
  places: { city: t.city_id, mall: t.mall_id },
})
const where = (
  { order_no, mid, from, to, ...same }: Filters,
  { now }: { now: number },
): SQL | undefined => {
  const span = spanOf({ from, to }, LOG_DAYS, now)
  if (!span) throw tooLong(LOG_DAYS)
  return and(
    gte(t.created_at, span.from),
    lte(t.created_at, span.to),
    equal(t, { ...same, mall_id: mid }),
    order_no
      ? sql`${t.order_id} = (select o.id from "order" o where o.order_no = ${order_no.trim().toUpperCase()})`
      : undefined,
  )
}
/** What rows of the log name: plans, orders, members, merchants, transactions. */
const namesOf = async (db: Db, rows: readonly SubsidyRow[]) => ({
  plans: await byIds(
    rows.map(row => row.plan_id),
    ids =>
      db
        .select({ id: subsidy_plan.id, name: subsidy_plan.name })
        .from(subsidy_plan)
        .where(inArray(subsidy_plan.id, ids)),
  ),
  orders: await byIds(
    rows.map(row => row.order_id),
    ids =>
      db
        .select({ id: order.id, order_no: order.order_no, kind: order.kind })
        .from(order)
        .where(inArray(order.id, ids)),
  ),
  members: await byIds(
    rows.map(row => row.member_id),
    ids =>
      db
        .select({ id: member.id, name: member.nickname })
        .from(member)
        .where(inArray(member.id, ids)),
  ),
  merchants: await byIds(
    rows.map(row => row.merchant_id),
    ids =>
      db
        .select({ id: merchant.id, name: merchant.name })
        .from(merchant)
        .where(inArray(merchant.id, ids)),
  ),
  txns: await byIds(
    rows.map(row => row.txn_id),
    ids =>
      db
        .select({ id: ledger_txn.id, no: ledger_txn.no })
        .from(ledger_txn)
        .where(inArray(ledger_txn.id, ids)),
  ),
})
/** The last claim of each grant, with the people of it. */
const claimsOf = async (db: Db, ids: readonly number[]) => {
  if (ids.length === 0) return new Map<number, never>()
  const rows = await db
    .selectDistinctOn([subsidy_claim.log_id])
    .from(subsidy_claim)
    .where(inArray(subsidy_claim.log_id, [...ids]))
    .orderBy(subsidy_claim.log_id, desc(subsidy_claim.id))
  const people = await byIds(
    rows.flatMap(row => [row.maker_id, row.checker_id]),
    some =>
      db.select({ id: admin.id, name: admin.name }).from(admin).where(inArray(admin.id, some)),
  )
  const name = (id: number | null) => people.get(id ?? 0)?.name ?? ''
  return new Map(
    rows.map(row => [
      row.log_id,
      { ...row, maker: name(row.maker_id), checker: name(row.checker_id) },
    ]),
  )
}
const flagsOf = async (db: Db, rows: readonly SubsidyRow[]): Promise<Set<string>> => {
  const members = [...new Set(rows.flatMap(row => row.member_id ?? []))]
  const found =
    members.length === 0
      ? []
      : await db.select().from(subsidy_flag).where(inArray(subsidy_flag.member_id, members))
  return new Set(found.map(one => `${one.plan_id}/${one.member_id}`))
}
const shown = async (db: Db, rows: SubsidyRow[]) => {
  const names = await namesOf(db, rows)
  const grants = rows.filter(row => row.kind === 'grant')
  const left = await leftOfGrants(db, grants)
  const claims = await claimsOf(
    db,
    grants.map(row => row.id),
  )
  const flags = await flagsOf(db, rows)
  return rows.map(row => {
    const of = left.get(row.id)
    return {
      ...row,
      plan_name: names.plans.get(row.plan_id)!.name,
      order: names.orders.get(row.order_id ?? 0) ?? null,
      nickname: names.members.get(row.member_id ?? 0)?.name ?? '',
      merchant_name: names.merchants.get(row.merchant_id ?? 0)?.name ?? '',
      device_id: row.device_id ?? '',
      txn: names.txns.get(row.txn_id ?? 0) ?? null,
      left_cents: of ? of.platform_cents + of.mall_cents : 0,
      flagged: flags.has(`${row.plan_id}/${row.member_id}`),
      claim: claims.get(row.id) ?? null,
    }
  })
}
const list = listing(logs, { by: t.created_at, down: true, where, shown })
const granted = sql<string>`coalesce(sum(${t.amount_cents}) filter (where ${t.kind} = 'grant'), 0)`
const back = sql<string>`coalesce(-sum(${t.amount_cents}) filter (where ${t.kind} in ('reverse', 'clawback')), 0)`
const borne = sql<string>`coalesce(sum(${t.platform_cents}) filter (where ${t.kind} in ('grant', 'reverse', 'clawback')), 0)`

const keyOf: Readonly<Record<Grouping, SQL>> = {
  plan: sql`${t.plan_id}::text`,
  day: sql`to_char(to_timestamp(${t.created_at} + 28800) at time zone 'UTC', 'YYYY-MM-DD')`,
  merchant: sql`${t.merchant_id}::text`,
  member: sql`${t.member_id}::text`,
  device: sql`${t.device_id}`,
}
const nameIn: Readonly<Record<Grouping, SQL>> = {
  plan: sql`(select p.name from subsidy_plan p where p.id::text = g.key)`,
  day: sql`g.key`,
  merchant: sql`(select m.name from merchant m where m.id::text = g.key)`,
  member: sql`(select m.nickname from member m where m.id::text = g.key)`,
  device: sql`g.key`,
}
const noMember: Text = ['这一行没有会员', 'There is no member in this row']
/** Flags a member for a plan, or takes the flag away; refused where it is so already. */
const setFlag = async (context: WriteContext, id: number, of: { on: boolean; reason: string }) => {
  const { tx, staff } = context
  const row = await logs.read(tx, staff, id)
  if (row.member_id === null) throw ruled('no_member', noMember)
  const { plan_id, member_id } = row
  const changed = of.on
    ? await tx
        .insert(subsidy_flag)
        .values({ plan_id, member_id, reason: of.reason, admin_id: staff.id })
        .onConflictDoNothing()
        .returning()
    : await tx
        .delete(subsidy_flag)
        .where(and(eq(subsidy_flag.plan_id, plan_id), eq(subsidy_flag.member_id, member_id)))
        .returning()
  if (changed.length === 0)
    throw ruled(
      'wrong_state',
      of.on ? ['该会员已标记', 'Already flagged'] : ['该会员未标记', 'Not flagged'],
    )
  logs.log(context, row, {
    before: { flagged: !of.on },
    after: { flagged: of.on },
    reason: of.reason,
  })
}
const handlers = {
  lst: async (input, context) => {
    const { db, staff, now } = context
    const { page: _, pageSize: __, ...filters } = input
    const [sums] = await db
      .select({ granted, back, borne })
      .from(t)
      .where(list.where(filters as Filters, { staff, now }))
    return {
      ...(await list.page(input as never, context)),
      sums: {
        granted_cents: Number(sums!.granted),
        back_cents: Number(sums!.back),
        platform_cents: Number(sums!.borne),
      },
    }
  },
  groups: async ({ by, ...filters }, { db, staff, now }) => {
    const those = list.where(filters as Filters, { staff, now })
    const order_by = by === 'day' ? sql`key desc` : sql`granted desc, key`
    const { rows } = await db.execute<{
      key: string
      name: string | null
      granted: string
      back: string
      orders: number
      members: number
    }>(sql`
      select g.*, ${nameIn[by]} as name from (
        select ${keyOf[by]} as key, ${granted} as granted, ${back} as back,
          count(distinct ${t.order_id})::int orders, count(distinct ${t.member_id})::int members
        from ${t} where ${and(those, sql`${keyOf[by]} is not null`)} group by 1 order by ${order_by} limit ${GROUPS_MOST}
      ) g order by ${by === 'day' ? sql`g.key desc` : sql`g.granted desc, g.key`}`)
    return {
      rows: rows.map(row => ({
        key: row.key,
        name: row.name ?? row.key,
        granted_cents: Number(row.granted),
        back_cents: Number(row.back),
        orders: row.orders,
        members: row.members,
      })),
    }
  },
  flag: ({ ids, reason }, context) =>
    eachRow(context, ids, (inside, id) => setFlag(inside, id, { on: true, reason })),
  unflag: ({ ids, reason }, context) =>
    eachRow(context, ids, (inside, id) => setFlag(inside, id, { on: false, reason })),
  clawback: ({ ids, reason }, context) =>
    eachRow(context, ids, async (inside, id) => {
      const row = await logs.read(inside.tx, inside.staff, id)
      const claim = await askClaim(inside, row, reason)
      logs.log(inside, row, { before: null, after: { amount_cents: claim.amount_cents }, reason })
    }),
  approveClaim: async ({ id }, context) => {
    const row = await logs.read(context.tx, context.staff, id)
    const claim = await approveClaim(context, row)
    logs.log(context, row, { before: null, after: { amount_cents: claim.amount_cents } })
    return { id, state: claim.state }
  },
  rejectClaim: async ({ id, reason }, context) => {
    const row = await logs.read(context.tx, context.staff, id)
    const claim = await rejectClaim(context, row)
    logs.log(context, row, { before: { amount_cents: claim.amount_cents }, after: null, reason })
    return { id, state: claim.state }
  },
  export: exporting(list, {
    page: 'settle.subsidyLogs',
    title: ['补贴记录', 'Subsidy log'],
    permit: contract.export.permit,
    columns: [
      { key: 'created_at', title: ['时间', 'Time'], kind: 'time' },
      { key: 'plan_name', title: ['计划', 'Plan'] },
      { key: 'kind', title: ['类型', 'Kind'] },
      { key: 'order_no', title: ['订单号', 'Order'] },
      { key: 'qty', title: ['件数', 'Units'], kind: 'number' },
      { key: 'member_id', title: ['会员编号', 'Member ID'], kind: 'number' },
      { key: 'nickname', title: ['会员', 'Member'] },
      { key: 'merchant_name', title: ['商户', 'Merchant'] },
      { key: 'amount_cents', title: ['金额', 'Amount'], kind: 'money' },
      { key: 'platform_cents', title: ['平台承担', 'Platform'], kind: 'money' },
      { key: 'mall_cents', title: ['商场承担', 'Mall'], kind: 'money' },
      { key: 'merchant_cents', title: ['商户承担', 'Merchant’s'], kind: 'money' },
      { key: 'used_after_cents', title: ['计划已用', 'Plan used'], kind: 'money' },
      { key: 'txn_no', title: ['凭证号', 'Journal no.'] },
      { key: 'memo', title: ['备注', 'Note'] },
    ],
    words: ({ kind, order_no }, lang) => [kind && say(logKinds[kind], lang), order_no],
    cells: (row, { lang }) => ({
      ...row,
      kind: say(logKinds[row.kind], lang),
      order_no: row.order?.order_no ?? '',
      txn_no: row.txn?.no ?? '',
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const subsidyLogsServer = implement(contract, handlers)
