import { and, eq, gt, inArray, lte, ne, sql } from 'drizzle-orm'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import type { Plan } from './holding.server.ts'
import { fundPlan, releaseFund } from './planFund.server.ts'
import { subsidy_log, subsidy_plan as t } from './subsidy.table.ts'
import { clash, planStates, type PlanState, type ScopeKind } from './subsidy.ts'

/** What a draft says, and a copy takes over. */
export const writtenFields = [
  'scope_kind',
  'scope_ids',
  'product_kind',
  'levels',
  'formula',
  'unit_cents',
  'percent_bp',
  'cap_cents',
  'zero_price',
  'platform_bp',
  'mall_bp',
  'merchant_bp',
  'mall_id',
  'budget_cents',
  'day_budget_cents',
  'per_member_day_cents',
  'per_member_count',
  'stackable',
  'priority',
  'warn_bp',
  'start_at',
  'end_at',
] as const

export const plans = record(t, {
  object: 'subsidy_plan',
  label: row => row.name,
  keys: ['name', ...writtenFields, 'status', 'reason'],
  // A plan for everything is the house's own: nobody sees it who sees a part of the house.
  places: {
    city: { several: sql`select jsonb_array_elements_text(${t.city_ids})::int` },
    mall: { several: sql`select jsonb_array_elements_text(${t.mall_ids})::int` },
  },
})

type Placing = { city_ids: number[]; mall_ids: number[] }
const placedRows = async (
  db: Db,
  staff: Staff,
  { scope_kind, ids }: { scope_kind: ScopeKind; ids: number[] },
): Promise<{ city: number; mall: number }[] | undefined> => {
  if (scope_kind === 'all') return undefined
  const of = { product, store, mall }[scope_kind]
  const here = scope_kind === 'mall' ? mall.id : (of as typeof product).mall_id
  return db
    .select({ city: of.city_id, mall: here })
    .from(of)
    .where(and(inArray(of.id, ids), within(staff.scope, { city: of.city_id, mall: here })))
}
/** Where what a plan names stands. Throws 400 for what is not there, or not in the person's data. */
export const placesOf = async (
  db: Db,
  staff: Staff,
  of: { scope_kind: ScopeKind; scope_ids: readonly number[] },
): Promise<Placing> => {
  const ids = [...new Set(of.scope_ids)]
  const rows = await placedRows(db, staff, { scope_kind: of.scope_kind, ids })
  if (rows && rows.length < ids.length)
    throw invalid({
      scope_ids: ['有一项不存在，或不在你的数据范围内', 'One is not there, or not yours'],
    })
  // A plan about everything is not one city's to ask for.
  if (!rows && !seesAll(staff.scope))
    throw invalid({
      scope_kind: [
        '你只能为自己城市的商品、门店或商场申请补贴',
        'Ask for products, stores and malls of your own',
      ],
    })
  const unique = (values: number[]) => [...new Set(values.filter(one => one > 0))]
  return {
    city_ids: unique((rows ?? []).map(row => row.city)),
    mall_ids: unique((rows ?? []).map(row => row.mall)),
  }
}

/** Refuses a plan that leaves open, beside one that holds, which of them is meant. */
const refuseClash = async (tx: Db, plan: Plan): Promise<void> => {
  const others = await tx
    .select()
    .from(t)
    .where(
      and(
        inArray(t.status, ['on', 'paused']),
        ne(t.id, plan.id),
        eq(t.priority, plan.priority),
        gt(t.end_at, plan.start_at),
        lte(t.start_at, plan.end_at),
      ),
    )
  const rival = others.find(other => clash(plan, other))
  if (rival)
    throw ruled(
      'plans_clash',
      [
        '与「{name}」优先级相同且可能补贴同一商品；请改优先级，或两个计划都设为可叠加',
        '“{name}” has the same priority and may subsidise the same goods: change the priority, or let both stack',
      ],
      { name: rival.name },
    )
}
/** What may be done with a plan in each state; the words say why not. */
const from: Readonly<Record<PlanVerb, readonly PlanState[]>> = {
  edit: ['draft', 'rejected'],
  submit: ['draft', 'rejected'],
  approve: ['auditing'],
  reject: ['auditing'],
  pause: ['on'],
  resume: ['paused'],
  addBudget: ['on', 'paused'],
  cutBudget: ['on', 'paused'],
  end: ['on', 'paused'],
}
export type PlanVerb =
  | 'edit'
  | 'submit'
  | 'approve'
  | 'reject'
  | 'pause'
  | 'resume'
  | 'addBudget'
  | 'cutBudget'
  | 'end'
/** A plan as the person holds it, in a state in which it may be done; held until the end. */
export const heldFor = async (
  context: WriteContext,
  verb: PlanVerb,
  one: { id: number; version: number },
): Promise<Plan> => {
  const plan = await plans.heldFast(context, one)
  if (!from[verb].includes(plan.status)) {
    const [zh, en] = planStates[plan.status]
    const text: Text = [`计划${zh}，不能执行此操作`, `The plan is: ${en}`]
    throw ruled('wrong_state', text)
  }
  return plan
}
/** A person does not grant the money that they ask for (domain D, invariant 11). */
export const refuseOwn = ({ staff }: WriteContext, plan: Plan): void => {
  if (plan.maker_id === staff.id)
    throw ruled('own_plan', [
      '申请人不能审批自己的补贴计划，请由另一人处理',
      'Whoever asks for a plan does not grant it: another person decides',
    ])
}
/** Grants a plan: from now on it gives, within its time. The mall pays its share in. */
export const approvePlan = async (context: WriteContext, plan: Plan): Promise<Plan> => {
  refuseOwn(context, plan)
  if (plan.end_at <= context.now)
    throw ruled('over', ['结束时间已过，请驳回后修改', 'It is over: reject it'])
  await refuseClash(context.tx, plan)
  const after = await plans.save(context, plan, {
    status: 'on',
    approver_id: context.staff.id,
    reason: '',
  })
  await fundPlan(context, after, after.budget_cents)
  return after
}
/** Raises or cuts a budget, with its row in the log; money of a mall moves along. */
export const changeBudget = async (
  context: WriteContext,
  plan: Plan,
  of: { by_cents: number; reason: string },
): Promise<Plan> => {
  const { tx, now, staff } = context
  refuseOwn(context, plan)
  const budget_cents = plan.budget_cents + of.by_cents
  const bound = plan.used_cents + plan.locked_cents
  if (budget_cents < Math.max(bound, 1))
    throw ruled(
      'budget_bound',
      [
        '已用与锁定共 {bound} 元，预算最多调减到此数',
        '¥{bound} is used or promised: the budget is not cut below it',
      ],
      { bound: yuan(bound) },
    )
  const after = await plans.save(context, plan, { budget_cents }, of.reason)
  await tx.insert(subsidy_log).values({
    created_at: now,
    plan_id: plan.id,
    kind: of.by_cents > 0 ? 'budget_up' : 'budget_down',
    amount_cents: of.by_cents,
    used_after_cents: plan.used_cents,
    memo: of.reason.slice(0, 200),
    operator_id: staff.id,
  })
  if (of.by_cents > 0) await fundPlan(context, after, of.by_cents)
  else await releaseFund(tx, after, { now, by: staff.id, key: `v${after.version}` })
  return after
}
/** Ends the plans whose time is over; what malls paid in beyond what is promised goes back. */
export const endPlans = async (
  db: { transaction: <R>(run: (tx: Db) => Promise<R>) => Promise<R> },
  now: number,
): Promise<number> =>
  db.transaction(async tx => {
    const ended = await tx
      .update(t)
      .set({ status: 'ended', version: sql`${t.version} + 1` })
      .where(and(inArray(t.status, ['on', 'paused']), lte(t.end_at, now)))
      .returning()
    for (const plan of ended) await releaseFund(tx, plan, { now, key: `v${plan.version}` })
    return ended.length
  })
