import { and, asc, eq, lt, sql } from 'drizzle-orm'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { film_order } from '#src/areas/film/film.table.ts'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { DAY, HOUR, dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { everything } from '#src/server/call/scope.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import {
  film_pull_activity,
  film_pull_day,
  film_pull_person,
  film_pull_promoter,
  film_pull_record,
} from './pull.table.ts'
import type { PullFlag, PullRecordState, PullState } from './pull.ts'
import { budgetOf } from './pullRules.ts'
import { pullReasons } from './pullWords.ts'
import { settleRewards } from './rewards.server.ts'

type Campaign = typeof film_pull_activity.$inferInsert & { id: number }
type Plan = {
  name: string
  status: PullState
  /** Days from now that it begins and ends. */
  days: readonly [from: number, to: number]
  reason?: string
}
const plans: readonly Plan[] = [
  { name: '国庆首张 9.9 元', status: 'ended', days: [-90, -70], reason: pullReasons.over },
  { name: '双十一新客看电影', status: 'ended', days: [-70, -52], reason: pullReasons.used },
  { name: '周末首映 9.9', status: 'ended', days: [-52, -40], reason: pullReasons.over },
  { name: '校园新客首票', status: 'ended', days: [-40, -28], reason: '预算调整，提前结束' },
  { name: '商场会员首票', status: 'ended', days: [-28, -18], reason: pullReasons.over },
  { name: '冬季首票 9.9 元', status: 'running', days: [-18, 20] },
  { name: '岁末首张特惠', status: 'paused', days: [-12, 30], reason: '疑似刷单，核查中' },
  { name: '跨年首票', status: 'auditing', days: [30, 45] },
  { name: '春节首票（草案）', status: 'draft', days: [60, 80] },
  { name: '元宵首票', status: 'waiting', days: [85, 95] },
]
const terms = { price_cents: 990, subsidy_cents: 3500, reward_cents: 500 }
/** The running one is nearly out of places. */
const placesOf = (status: PullState, used: number): number =>
  status === 'running' ? used + 4 : Math.max(used + 20, 200)
const campaignRow = (
  plan: Plan,
  of: { at: number; used: number; people: readonly number[]; now: number },
): Campaign => {
  const { now, people } = of
  const quota = placesOf(plan.status, of.used)
  const decided = !['draft', 'auditing'].includes(plan.status)
  const [start_at, end_at] = plan.days.map(days => now + days * DAY) as [number, number]
  return {
    id: of.at + 1,
    name: plan.name,
    ...terms,
    quota,
    quota_day: Math.min(quota, 60),
    used_count: of.used,
    budget_cents: budgetOf({ quota, ...terms }),
    start_at,
    end_at,
    reason: plan.reason ?? '',
    maker_id: people[0]!,
    checker_id: decided ? people[1]! : null,
    status: plan.status,
    started_at: start_at < now ? start_at : null,
    ended_at: plan.status === 'ended' ? end_at : null,
    created_at: Math.min(start_at, now) - 10 * DAY,
    updated_at: Math.min(now, Math.max(start_at, now - DAY)),
  }
}
type Ticket = {
  order_id: number
  member_id: number
  city_id: number
  mall_id: number
  phone: string
  paid_at: number
  shown_at: number | null
  back: boolean
}
/** Cheap tickets of one seat, each the only one of its buyer. */
const ticketsOf = async (db: Db): Promise<Ticket[]> => {
  const { rows } = await db.execute<Ticket>(sql`
    select distinct on (m.phone) f.order_id, f.member_id, f.city_id, f.mall_id, m.phone, o.paid_at::int as paid_at, f.shown_at::int as shown_at, o.refund_state <> 'none' as back
    from film_order f join "order" o on o.id = f.order_id join member m on m.id = f.member_id where f.seat_count = 1 and f.sale_cents = 990 and o.paid_at is not null order by m.phone, o.paid_at`)
  return rows.sort((a, b) => a.paid_at - b.paid_at)
}
const stateOf = ({ back, shown_at }: Ticket): PullRecordState => {
  if (back) return 'void'
  return shown_at === null ? 'ticketed' : 'valid'
}
type Seller = { id: number; city_id: number; mall_id: number }
type Row = typeof film_pull_record.$inferInsert
const scanRow = (random: Random, of: { campaign: Campaign; seller: Seller; now: number }): Row => {
  const { campaign, seller, now } = of
  const last = Math.min(now - HOUR, campaign.end_at)
  return {
    activity_id: campaign.id,
    distributor_id: seller.id,
    city_id: seller.city_id,
    mall_id: seller.mall_id,
    member_id: null,
    device: '',
    scan_at: random.int(campaign.start_at, Math.max(campaign.start_at + 1, last)),
    register_at: null,
    order_id: null,
    ticketed_at: null,
    valid_at: null,
    rewarded_at: null,
    second_paid_at: null,
    reward_cents: 0,
    flags: [],
    before_void: null,
    reason: '',
    status: 'scanned',
  }
}
/** A scan that ended in a ticket. */
const boughtRow = (row: Row, ticket: Ticket): Row => {
  const status = stateOf(ticket)
  const scan_at = ticket.paid_at - HOUR
  return {
    ...row,
    member_id: ticket.member_id,
    city_id: ticket.city_id,
    mall_id: ticket.mall_id,
    scan_at,
    register_at: scan_at + 300,
    order_id: ticket.order_id,
    ticketed_at: ticket.paid_at,
    valid_at: status === 'valid' ? ticket.shown_at : null,
    reward_cents: terms.reward_cents,
    status,
    before_void: status === 'void' ? 'ticketed' : null,
    reason: status === 'void' ? pullReasons.refunded : '',
  }
}
/** Scans that came to nothing, or to an account; some look made up. */
const scansOf = (
  random: Random,
  of: { begun: readonly Campaign[]; promoter: () => Seller; world: World },
): Row[] => {
  const { begun, promoter } = of
  const { now, scale, memberCount } = of.world
  return Array.from({ length: sized(3740, scale, 60) }, (_, at): Row => {
    const row = scanRow(random, { campaign: begun[at % begun.length]!, seller: promoter(), now })
    if (at % 5 < 3) return row
    const flags: PullFlag[] = at % 85 === 4 ? ['same_device'] : []
    return {
      ...row,
      member_id: 1 + ((at * 7) % memberCount),
      device: flags.length > 0 ? 'dev-shared-01' : '',
      register_at: row.scan_at + 240,
      flags,
      status: 'registered',
    }
  })
}
type Sold = { open: (at: number) => number; now: number }
/** What the sold tickets took: their buyers' marks, and places of their days. */
const keepTaken = async (db: Db, sold: readonly Ticket[], { open, now }: Sold): Promise<void> => {
  await insertRows(
    db,
    film_pull_person,
    sold.map(({ phone, order_id, paid_at }) => ({
      mark: `p:${phone}`,
      order_id,
      created_at: paid_at,
      updated_at: paid_at,
    })),
  )
  const days = new Map<string, number>()
  for (const one of sold) {
    const key = `${open(one.paid_at) + 1} ${dateOf(one.paid_at)}`
    days.set(key, (days.get(key) ?? 0) + 1)
  }
  await insertRows(
    db,
    film_pull_day,
    [...days].map(([key, taken]) => {
      const [activity_id, day] = key.split(' ') as [string, string]
      return { activity_id: Number(activity_id), day, taken, created_at: now, updated_at: now }
    }),
  )
}
/** Ten campaigns in every state, their promoters, and referrals from scan to valid. */
const seedPulls = async (db: Db, random: Random, world: World): Promise<void> => {
  const { now, people } = world
  const sellers = await db
    .select({ id: distributor.id, city_id: distributor.city_id, mall_id: distributor.mall_id })
    .from(distributor)
    .where(eq(distributor.status, 'active'))
    .orderBy(asc(distributor.id))
    .limit(40)
  if (sellers.length === 0) return
  const tickets = await ticketsOf(db)
  const open = (at: number) =>
    plans.findIndex(({ days }) => now + days[0] * DAY <= at && at < now + days[1] * DAY)
  const sold = tickets.filter(one => open(one.paid_at) >= 0)
  const used = plans.map((_, at) => sold.filter(one => open(one.paid_at) === at).length)
  const ids = people.slice(0, 2).map(one => one.id)
  const campaigns = plans.map((plan, at) =>
    campaignRow(plan, { at, used: used[at]!, people: ids, now }),
  )
  await insertRows(db, film_pull_activity, campaigns)
  const begun = campaigns.filter(one => one.start_at < now)
  await insertRows(
    db,
    film_pull_promoter,
    begun.flatMap(({ id }) =>
      sellers.slice(0, 12).map((seller, at) => ({
        activity_id: id,
        distributor_id: seller.id,
        code: at < 10 ? `FP${String(100_000 + id * 97 + at * 7919)}` : null,
        created_at: now - 95 * DAY,
        updated_at: now - 95 * DAY,
      })),
    ),
  )
  const promoter = () => sellers[random.int(0, Math.min(11, sellers.length - 1))]!
  const scans = scansOf(random, { begun, promoter, world })
  const bought = sold.map(ticket => {
    const campaign = campaigns[open(ticket.paid_at)]!
    return boughtRow(scanRow(random, { campaign, seller: promoter(), now }), ticket)
  })
  // A record that a person voided can be restored at any time.
  const voided: Row[] = scans.slice(0, 3).map(row => ({
    ...row,
    before_void: 'scanned',
    reason: '同设备多账号',
    flags: ['self_scan'],
    status: 'void',
  }))
  await insertRows(db, film_pull_record, [...voided, ...scans.slice(3), ...bought])
  await keepTaken(db, sold, { open, now })
  await afterIds(db)
  for (const { order_id, paid_at } of sold)
    await db
      .update(film_order)
      .set({ pull_activity_id: open(paid_at) + 1 })
      .where(eq(film_order.order_id, order_id))
}
/** The campaigns that are over have been paid for, all but the last: what that one brought is due. */
const seedRewards = async (db: Db, _: Random, { now, people }: World): Promise<void> => {
  const r = film_pull_record
  const over = await db
    .select({ id: film_pull_activity.id })
    .from(film_pull_activity)
    .where(eq(film_pull_activity.status, 'ended'))
    .orderBy(asc(film_pull_activity.ended_at))
  await afterIds(db)
  for (const { id } of over.slice(0, -1)) {
    const due = and(eq(r.activity_id, id), eq(r.status, 'valid'), lt(r.valid_at, now))
    if ((await db.$count(r, due)) === 0) continue
    const staff = { id: people[1]!.id, scope: everything }
    await settleRewards(db, { activity_id: id, from: 0, to: now }, { staff, now })
  }
}
export const demo: readonly DemoStep[] = [
  { place: 98, branch: 'film campaigns', run: seedPulls },
  // The journal stands by then, and what is posted now comes last in it.
  { place: 102, branch: 'film rewards', run: seedRewards },
]
