import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { subsidy_flag, subsidy_plan } from './subsidy.table.ts'
import { bearersOf, leftOf, reaches, subsidyOf, type Bought } from './subsidy.ts'

export type Plan = typeof subsidy_plan.$inferSelect
/** One line of a purchase, at the price of one unit (cents). */
export type SubsidyLine = Bought & { price_cents: number; qty: number }
export type Buyer = { member_id: number | null; now: number }
/** What a plan promises for one line of an order. */
export type HeldSubsidy = {
  plan_id: number
  /** The place of the line in its order. */
  at: number
  qty: number
  amount_cents: number
  platform_cents: number
  mall_cents: number
  merchant_cents: number
}
/** Why a plan that reaches a line gives nothing; undefined where it gives. */
type Short = 'budget' | 'day' | 'member_day' | 'member_count' | undefined

/** The plans that run now, the first to hold before the others. */
const runningPlans = (db: Db, now: number): Promise<Plan[]> =>
  db
    .select()
    .from(subsidy_plan)
    .where(
      and(
        eq(subsidy_plan.status, 'on'),
        lte(subsidy_plan.start_at, now),
        gt(subsidy_plan.end_at, now),
      ),
    )
    .orderBy(subsidy_plan.priority, subsidy_plan.id)
const levelOf = async (db: Db, member_id: number | null): Promise<number> => {
  if (member_id === null) return 0
  const [row] = await db
    .select({ level: member.level })
    .from(member)
    .where(eq(member.id, member_id))
  return row?.level ?? 0
}
/** What a member was promised under a plan: today (cents), and in how many orders. */
const promisedTo = async (db: Db, plan: Plan, { member_id, now }: Buyer) => {
  const asked = plan.per_member_count !== null || plan.per_member_day_cents !== null
  if (!asked || member_id === null) return { day_cents: 0, orders: 0 }
  const { rows } = await db.execute<{ day_cents: string; orders: number }>(sql`
    select coalesce(sum(amount_cents) filter (where created_at >= ${dayStart(now)} and kind in ('lock', 'unlock', 'reverse')), 0) day_cents,
      (count(distinct order_id) filter (where kind = 'lock') - count(distinct order_id) filter (where kind = 'unlock'))::int orders
    from subsidy_log where plan_id = ${plan.id} and member_id = ${member_id}`)
  return { day_cents: Number(rows[0]!.day_cents), orders: rows[0]!.orders }
}
type Standing = { plan: Plan; held_cents: number; promised: { day_cents: number; orders: number } }
/** Whether a plan can promise so much more: within its budgets, and within what one member may have. */
const shortOf = ({ plan, held_cents, promised }: Standing, cents: number, now: number): Short => {
  const wanted = held_cents + cents
  if (wanted > leftOf(plan)) return 'budget'
  const today = plan.day === dateOf(now) ? plan.day_cents : 0
  if (plan.day_budget_cents !== null && today + wanted > plan.day_budget_cents) return 'day'
  const { per_member_day_cents: day_most, per_member_count: most } = plan
  if (day_most !== null && promised.day_cents + wanted > day_most) return 'member_day'
  return most !== null && promised.orders >= most ? 'member_count' : undefined
}
export type Offered = { plan: Plan; unit_cents: number; cents: number; short: Short }
/**
 * What each plan gives for a line. Plans are asked in order; after one that gave, only plans that
 * stack give more, off what is left of the price. `standings` count along.
 */
const offersFor = (
  line: SubsidyLine,
  standings: readonly Standing[],
  of: { level: number; now: number },
): Offered[] => {
  const offers: Offered[] = []
  let price = line.price_cents
  for (const standing of standings) {
    const { plan } = standing
    const given = offers.filter(one => !one.short)
    const stacks = given.every(one => one.plan.stackable && plan.stackable)
    if (!stacks || !reaches(plan, line, of.level)) continue
    const unit_cents = subsidyOf(plan, price)
    if (unit_cents === 0) continue
    const cents = unit_cents * line.qty
    const short = shortOf(standing, cents, of.now)
    offers.push({ plan, unit_cents, cents, short })
    if (short) continue
    standing.held_cents += cents
    price -= unit_cents
  }
  return offers
}
const standingsOf = async (db: Db, plans: readonly Plan[], buyer: Buyer): Promise<Standing[]> => {
  const standings: Standing[] = []
  for (const plan of plans)
    standings.push({ plan, held_cents: 0, promised: await promisedTo(db, plan, buyer) })
  return standings
}
/** What the plans of now would give for one unit, each with why it gives nothing. Nothing is held. */
export const trySubsidies = async (db: Db, line: SubsidyLine, buyer: Buyer): Promise<Offered[]> => {
  const of = { level: await levelOf(db, buyer.member_id), now: buyer.now }
  const running = await runningPlans(db, buyer.now)
  const plans = running.filter(plan => reaches(plan, line, of.level))
  return offersFor(line, await standingsOf(db, plans, buyer), of)
}

const refuseFlagged = async (tx: Db, plans: readonly Plan[], member_id: number | null) => {
  if (member_id === null || plans.length === 0) return
  const [flag] = await tx
    .select({ plan_id: subsidy_flag.plan_id })
    .from(subsidy_flag)
    .where(
      and(
        eq(subsidy_flag.member_id, member_id),
        inArray(
          subsidy_flag.plan_id,
          plans.map(plan => plan.id),
        ),
      ),
    )
    .limit(1)
  const plan = plans.find(one => one.id === flag?.plan_id)
  if (plan)
    throw ruled(
      'subsidy_flagged',
      [
        '该会员已被标记为可疑，不能购买「{name}」补贴的商品；如有误请联系客服核实',
        'This member is marked as suspicious and can’t buy what “{name}” subsidises',
      ],
      { name: plan.name },
    )
}
/**
 * Promises the subsidies of a purchase out of their budgets: the plans are held until the end, so
 * that of two orders at once the second counts the first. A plan that can't pay all of a line gives
 * it nothing. Throws 422 for a member that one of the plans refuses.
 */
export const holdSubsidies = async (
  tx: Db,
  lines: readonly SubsidyLine[],
  buyer: Buyer,
): Promise<HeldSubsidy[]> => {
  const { now, member_id } = buyer
  const running = await runningPlans(tx, now)
  if (running.length === 0) return []
  const of = { level: await levelOf(tx, member_id), now }
  const ids = running
    .filter(plan => lines.some(line => reaches(plan, line, of.level)))
    .map(plan => plan.id)
  if (ids.length === 0) return []
  const locked = await tx
    .select()
    .from(subsidy_plan)
    .where(and(inArray(subsidy_plan.id, ids), eq(subsidy_plan.status, 'on')))
    .orderBy(subsidy_plan.id)
    .for('update')
  await refuseFlagged(tx, locked, member_id)
  const inOrder = locked.toSorted((a, b) => a.priority - b.priority || a.id - b.id)
  const standings = await standingsOf(tx, inOrder, buyer)
  const held = lines.flatMap((line, at) =>
    offersFor(line, standings, of)
      .filter(one => !one.short)
      .map(({ plan, cents }): HeldSubsidy => {
        const parts = bearersOf(cents, plan)
        return { plan_id: plan.id, at, qty: line.qty, amount_cents: cents, ...parts }
      }),
  )
  for (const { plan, held_cents } of standings)
    if (held_cents > 0)
      await tx
        .update(subsidy_plan)
        .set({
          locked_cents: sql`${subsidy_plan.locked_cents} + ${held_cents}`,
          day: dateOf(now),
          day_cents: sql`case when ${subsidy_plan.day} = ${dateOf(now)} then ${subsidy_plan.day_cents} else 0 end + ${held_cents}`,
        })
        .where(eq(subsidy_plan.id, plan.id))
  return held
}
