import { and, eq, gt, gte, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { membersToPick, productsToPick, storesToPick } from '#src/areas/limit/picks.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { trySubsidies, type Plan } from '#src/areas/subsidy/holding.server.ts'
import { releaseFund } from '#src/areas/subsidy/planFund.server.ts'
import {
  approvePlan,
  changeBudget,
  endPlans,
  heldFor,
  placesOf,
  plans,
  refuseOwn,
  writtenFields,
  type PlanVerb,
} from '#src/areas/subsidy/plans.server.ts'
import { subsidy_log, subsidy_plan as t } from '#src/areas/subsidy/subsidy.table.ts'
import {
  bearersOf,
  formulas,
  lastsFor,
  leftOf,
  planFaults,
  planSentence,
  shownState,
  shownStates,
  type Formula,
  type ShownState,
} from '#src/areas/subsidy/subsidy.ts'
import type { Sent } from '#src/contract/call.ts'
import { say, type Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import {
  equal,
  exporting,
  faultless,
  holding,
  listing,
  unlessTaken,
} from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { subsidyPlans as contract } from '../contract/subsidy.ts'

type Filters = {
  keyword?: string
  status?: ShownState
  formula?: Formula
  mid?: number
  warns?: boolean
}
const spare = sql`${t.budget_cents} - ${t.used_cents} - ${t.locked_cents}`
/** The plans that are shown as being in a state (`shownState`, in SQL). */
const inState = (state: ShownState, now: number): SQL | undefined => {
  const open = gt(t.end_at, now)
  const on = and(eq(t.status, 'on'), open)
  switch (state) {
    case 'scheduled':
      return and(on, gt(t.start_at, now))
    case 'enabled':
      return and(on, lte(t.start_at, now), sql`${spare} > 0`)
    case 'exhausted':
      return and(on, lte(t.start_at, now), sql`${spare} <= 0`)
    case 'paused':
      return and(eq(t.status, 'paused'), open)
    case 'ended':
      return sql`(${t.status} = 'ended' or (${t.status} in ('on', 'paused') and ${t.end_at} <= ${now}))`
    default:
      return eq(t.status, state)
  }
}
const namesOf = async (
  db: Db,
  of: { table: typeof product | typeof store | typeof mall; ids: number[] },
): Promise<Map<number, string>> => {
  if (of.ids.length === 0) return new Map()
  const name = of.table === product ? product.title : (of.table as typeof mall).name
  const rows = await db
    .select({ id: of.table.id, name })
    .from(of.table)
    .where(inArray(of.table.id, [...new Set(of.ids)]))
  return new Map(rows.map(row => [row.id, row.name]))
}
/** What each plan spent in the last day, less what came back. */
const spentOf = async (db: Db, ids: number[], now: number): Promise<Map<number, number>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: subsidy_log.plan_id, cents: sql<string>`sum(${subsidy_log.amount_cents})` })
    .from(subsidy_log)
    .where(
      and(
        inArray(subsidy_log.plan_id, ids),
        gte(subsidy_log.created_at, now - DAY),
        inArray(subsidy_log.kind, ['grant', 'reverse']),
      ),
    )
    .groupBy(subsidy_log.plan_id)
  return new Map(rows.map(row => [row.id, Number(row.cents)]))
}
const peopleOf = async (db: Db, rows: readonly Plan[]): Promise<Map<number, string>> => {
  const ids = [...new Set(rows.flatMap(row => [row.maker_id, row.approver_id ?? row.maker_id]))]
  const found =
    ids.length === 0
      ? []
      : await db
          .select({ id: admin.id, name: admin.name })
          .from(admin)
          .where(inArray(admin.id, ids))
  return new Map(found.map(one => [one.id, one.name]))
}
const isWarned = sql`(${t.used_cents} + ${t.locked_cents}) * 10000 >= ${t.budget_cents} * ${t.warn_bp}`
const shown = async (db: Db, rows: Plan[], { now }: { now: number }) => {
  const idsOf = (kind: Plan['scope_kind']) =>
    rows.flatMap(row => (row.scope_kind === kind ? row.scope_ids : []))
  const names = {
    all: new Map<number, string>(),
    product: await namesOf(db, { table: product, ids: idsOf('product') }),
    store: await namesOf(db, { table: store, ids: idsOf('store') }),
    mall: await namesOf(db, {
      table: mall,
      ids: [...idsOf('mall'), ...rows.map(row => row.mall_id)],
    }),
  }
  const people = await peopleOf(db, rows)
  const spent = await spentOf(
    db,
    rows.map(row => row.id),
    now,
  )
  return rows.map(row => {
    const left_cents = leftOf(row)
    const spent_cents = spent.get(row.id) ?? 0
    return {
      ...row,
      scope: row.scope_ids.map(id => ({ id, name: names[row.scope_kind].get(id) ?? `#${id}` })),
      mall_name: names.mall.get(row.mall_id) ?? '',
      state: shownState(row, now),
      left_cents,
      spent_cents,
      lasts_s: lastsFor(left_cents, spent_cents),
      warns: (row.budget_cents - left_cents) * 10_000 >= row.budget_cents * row.warn_bp,
      maker: people.get(row.maker_id) ?? `#${row.maker_id}`,
      approver: people.get(row.approver_id ?? 0) ?? '',
    }
  })
}
const list = listing(plans, {
  by: t.id,
  down: true,
  where: ({ keyword, status, mid, warns, ...same }: Filters, { now }) =>
    and(
      holding(keyword, [t.name], t.id),
      equal(t, same),
      status && inState(status, now),
      mid === undefined ? undefined : sql`${t.mall_ids} @> ${`[${mid}]`}::jsonb`,
      warns ? isWarned : undefined,
    ),
  shown,
})

type Fields = Sent<typeof contract.create>
/** What a plan keeps of what was sent: nothing that its scope or formula does not name. */
const columnsOf = async ({ tx, staff }: WriteContext, sent: Fields) => {
  const isAll = sent.scope_kind === 'all'
  const isPercent = sent.formula === 'percent'
  const fields = {
    ...sent,
    scope_ids: isAll ? [] : [...new Set(sent.scope_ids)].sort((a, b) => a - b),
    levels: [...new Set(sent.levels)].sort((a, b) => a - b),
    unit_cents: isPercent ? 0 : sent.unit_cents,
    percent_bp: isPercent ? sent.percent_bp : 0,
    cap_cents: isPercent ? sent.cap_cents : null,
    mall_id: sent.mall_bp > 0 ? sent.mall_id : 0,
  }
  faultless(staff, planFaults(fields))
  return { ...fields, ...(await placesOf(tx, staff, fields)) }
}
const once = <R>(run: Promise<R>): Promise<R> =>
  unlessTaken(run, () => {
    const text: Text = ['已有同名的补贴计划', 'There is a plan of that name']
    return ruled('name_exists', text, {}, { fields: { name: text } })
  })
type One = { id: number; version: number }
/** Turns a plan to another state, from one in which that may be done. */
const turned =
  (verb: PlanVerb, status: Plan['status']) =>
  async ({ reason, ...one }: One & { reason?: string }, context: WriteContext) => {
    const plan = await heldFor(context, verb, one)
    return plans.save(context, plan, { status, reason: reason ?? '' }, reason)
  }

const handlers = {
  lst: async (input, context) => {
    const { db, staff, now } = context
    const { page: _, pageSize: __, status: ___, ...others } = input
    const all = list.where(others as never, { staff, now })
    const every = await db.select().from(t).where(all)
    const chosen = input.status
      ? every.filter(plan => shownState(plan, now) === input.status)
      : every
    const stat: Record<string, number> = {}
    for (const plan of every) stat[shownState(plan, now)] = (stat[shownState(plan, now)] ?? 0) + 1
    const sum = (key: 'budget_cents' | 'used_cents' | 'locked_cents') =>
      chosen.reduce((cents, plan) => cents + plan[key], 0)
    return {
      ...(await list.page(input as never, context)),
      stat,
      sums: {
        budget_cents: sum('budget_cents'),
        used_cents: sum('used_cents'),
        locked_cents: sum('locked_cents'),
      },
    }
  },
  products: productsToPick,
  stores: storesToPick,
  members: membersToPick,
  create: async (fields, context) =>
    once(
      plans.add(context, {
        ...(await columnsOf(context, fields)),
        maker_id: context.staff.id,
        status: 'draft',
      }),
    ),
  edit: async ({ id, version, ...fields }, context) => {
    const was = await heldFor(context, 'edit', { id, version })
    const columns = await columnsOf(context, fields)
    // Whoever writes it last asks for it.
    const asks = { maker_id: context.staff.id, status: 'draft' as const, approver_id: null }
    return once(plans.save(context, was, { ...columns, ...asks }))
  },
  copy: async ({ name, start_at, end_at, ...one }, context) => {
    const was = await plans.held(context, one)
    const said = Object.fromEntries(writtenFields.map(field => [field, was[field]])) as Omit<
      Fields,
      'name'
    >
    const columns = await columnsOf(context, { ...said, name, start_at, end_at })
    return once(plans.add(context, { ...columns, maker_id: context.staff.id, status: 'draft' }))
  },
  submit: turned('submit', 'auditing'),
  approve: async (one, context) => approvePlan(context, await heldFor(context, 'approve', one)),
  reject: async ({ reason, ...one }, context) => {
    const plan = await heldFor(context, 'reject', one)
    refuseOwn(context, plan)
    return plans.save(context, plan, { status: 'rejected', reason }, reason)
  },
  pause: turned('pause', 'paused'),
  resume: turned('resume', 'on'),
  addBudget: async ({ amount_cents, reason, ...one }, context) =>
    changeBudget(context, await heldFor(context, 'addBudget', one), {
      by_cents: amount_cents,
      reason,
    }),
  cutBudget: async ({ amount_cents, reason, ...one }, context) =>
    changeBudget(context, await heldFor(context, 'cutBudget', one), {
      by_cents: -amount_cents,
      reason,
    }),
  end: async (input, context) => {
    const after = await turned('end', 'ended')(input, context)
    const { now, staff } = context
    await releaseFund(context.tx, after, { now, by: staff.id, key: `v${after.version}` })
    return after
  },
  simulate: async ({ product_id, price_cents, member_id }, { db, now }) => {
    const [item] = await db.select().from(product).where(eq(product.id, product_id))
    if (!item) throw missing()
    const offered = await trySubsidies(
      db,
      {
        product_id,
        store_id: item.store_ids[0] ?? 0,
        mall_id: item.mall_id,
        kind: item.kind,
        price_cents,
        qty: 1,
      },
      { member_id: member_id ?? null, now },
    )
    const given = offered.filter(one => !one.short)
    return {
      product: item.title,
      price_cents,
      pays_cents: price_cents - given.reduce((sum, one) => sum + one.unit_cents, 0),
      plans: offered.map(({ plan, unit_cents, short }) => ({
        id: plan.id,
        name: plan.name,
        unit_cents,
        ...bearersOf(unit_cents, plan),
        short: short ?? null,
      })),
    }
  },
  export: exporting(list, {
    page: 'settle.subsidy',
    title: ['补贴计划', 'Subsidy plans'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'name', title: ['名称', 'Name'] },
      { key: 'said', title: ['规则', 'Rule'] },
      { key: 'state', title: ['状态', 'State'] },
      { key: 'budget_cents', title: ['预算', 'Budget'], kind: 'money' },
      { key: 'used_cents', title: ['已用', 'Used'], kind: 'money' },
      { key: 'locked_cents', title: ['锁定', 'Promised'], kind: 'money' },
      { key: 'left_cents', title: ['剩余', 'Left'], kind: 'money' },
      { key: 'orders', title: ['订单数', 'Orders'], kind: 'number' },
      {
        key: 'gmv_cents',
        title: ['带动实付', 'Paid for with it'],
        kind: 'money',
        field: 'stat.gmv_cents',
      },
      { key: 'start_at', title: ['开始', 'From'], kind: 'time' },
      { key: 'end_at', title: ['结束', 'Until'], kind: 'time' },
      { key: 'maker', title: ['申请人', 'Requested by'] },
      { key: 'approver', title: ['审批人', 'Approved by'] },
    ],
    words: ({ status, formula, keyword }, lang) => [
      status && say(shownStates[status], lang),
      formula && say(formulas[formula], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      said: say(planSentence(row), lang),
      state: say(shownStates[row.state], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineTimer('subsidy.ends', '* * * * *', async ({ database, now }) =>
  (await endPlans(database, now)) > 0 ? ['subsidy_plan'] : [],
)

export const subsidyPlansServer = implement(contract, handlers)
