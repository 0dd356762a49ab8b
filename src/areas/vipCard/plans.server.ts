import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { isGiven } from '#src/areas/coupon/claiming.server.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { holding, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { countOf } from '#src/server/db/paging.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { vip_card } from './vipCard.table.ts'
import { leftOf, planCan, type Plan, type PlanVerb } from './vipCard.ts'

export type PlanRow = typeof vip_card.$inferSelect
/** What is written of a plan. */
export const writtenOfPlan = [
  'name',
  'kind',
  'days',
  'price_cents',
  'first_price_cents',
  'original_cents',
  'auto_renew',
  'contract_template',
  'cover',
  'buy_limit',
  'stock',
  'refund_policy',
] as const
export const planRecord = record(vip_card, {
  object: 'vip_card',
  label: row => row.name,
  keys: [...writtenOfPlan, 'benefits', 'gift_coupon_ids', 'status', 'off_reason'],
  places: 'all',
})
/** Changes of what is on sale wait for each other: the last plan and the gifts are counted over all. */
export const lockPlans = (tx: Db) => lockSequence(tx, 'vip_card')
/** The plan as the person holds it; 404, 409, or 422 where that can't be done with it now. */
export const planFor = async (
  context: WriteContext,
  verb: PlanVerb,
  one: { id: number; version: number },
): Promise<PlanRow> => {
  await lockPlans(context.tx)
  const was = await planRecord.heldFast(context, one)
  const may = planCan(verb, was)
  if (may !== true) throw ruled(`plan_${verb}`, may)
  return was
}

export type Gift = { id: number; name: string; left: number; given: boolean }
/** Coupons that come with plans: how many pieces are left, and whether they are given out now. */
export const giftsOf = async (
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<Map<number, Gift>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({
      id: coupon.id,
      name: coupon.name,
      left: sql<number>`${coupon.total} - ${coupon.claimed_count}`,
      given: sql<boolean>`${isGiven(now)}`,
    })
    .from(coupon)
    .where(inArray(coupon.id, [...new Set(ids)]))
  return new Map(rows.map(row => [row.id, row]))
}
type Gifted = Pick<Plan, 'gift_coupon_ids' | 'stock'> & { sold_count: number }
/**
 * Throws 422 unless every gift of a plan is given out now, and has pieces for all that may still be
 * sold of it and of the other plans on sale that give it.
 */
export const needGifts = async (
  tx: Db,
  plan: Gifted & { id: number },
  now: number,
): Promise<void> => {
  if (plan.gift_coupon_ids.length === 0) return
  const left = leftOf(plan)
  if (left === null)
    throw ruled('gifts_without_stock', [
      '送券的卡种须先设库存，才能核对券量',
      'A plan that gives coupons needs a stock, so that the coupons cover it',
    ])
  const others = await tx
    .select({
      ids: vip_card.gift_coupon_ids,
      stock: vip_card.stock,
      sold_count: vip_card.sold_count,
    })
    .from(vip_card)
    .where(and(eq(vip_card.status, 'on'), sql`${vip_card.id} <> ${plan.id}`))
  const gifts = await giftsOf(tx, plan.gift_coupon_ids, now)
  for (const id of plan.gift_coupon_ids) {
    const gift = gifts.get(id)
    const promised = others
      .filter(one => one.ids.includes(id))
      .reduce((sum, one) => sum + (leftOf(one) ?? 0), 0)
    refuseGift(gift, { id, needed: left + promised })
  }
}
const refuseGift = (gift: Gift | undefined, of: { id: number; needed: number }): void => {
  if (!gift?.given)
    throw ruled(
      'gift_not_given',
      [
        '礼券「{name}」未在发放中，请更换或恢复发放',
        '“{name}” is not given out now: choose another, or give it out again',
      ],
      { name: gift?.name ?? `#${of.id}` },
    )
  if (gift.left < of.needed)
    throw ruled(
      'gift_short',
      [
        '礼券「{name}」剩余 {left} 张，不够在售卡种的 {needed} 份，请增发或调低卡种库存',
        '“{name}” has {left} left, the plans on sale need {needed}: add pieces, or lower the stock',
      ],
      { name: gift.name, left: gift.left, needed: of.needed },
    )
}
/** Throws 422 where no other plan is on sale: the entry of members would lead to nothing. */
export const needAnother = async (tx: Db, id: number): Promise<void> => {
  const others = await tx.$count(
    vip_card,
    and(eq(vip_card.status, 'on'), sql`${vip_card.id} <> ${id}`),
  )
  if (others === 0)
    throw ruled('last_plan', [
      '这是最后一个在售卡种，会员入口展示期间至少保留一个；请先上架另一个',
      'It is the last plan on sale, and the entry shows one at least: put another on sale first',
    ])
}
/** The place behind all plans; the caller holds them (`lockPlans`). */
export const lastPlace = async (tx: Db): Promise<number> =>
  (
    await tx
      .select({ sort: sql<number>`coalesce(max(${vip_card.sort}), 0)::int + 1` })
      .from(vip_card)
  )[0]!.sort
export const plansInOrder = (db: Db) =>
  db
    .select({ id: vip_card.id, name: vip_card.name })
    .from(vip_card)
    .orderBy(asc(vip_card.sort), asc(vip_card.id))

/** Plans to choose from, by name or number, in their order: a page of them and how many there are. */
export const pickPlans = async (
  {
    keyword,
    page,
    pageSize,
    status,
  }: {
    keyword?: string | undefined
    page: number
    pageSize: number
    status?: PlanRow['status']
  },
  { db }: { db: Db },
) => {
  const where = and(
    holding(keyword, [vip_card.name], vip_card.id),
    status && eq(vip_card.status, status),
  )
  const list = await db
    .select({ id: vip_card.id, name: vip_card.name })
    .from(vip_card)
    .where(where)
    .orderBy(asc(vip_card.sort), asc(vip_card.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, vip_card, where)) }
}

type Sold = {
  id: number
  active_n: number
  renews_n: number
  opened_30d: number
  opened_n: number
  paid_cents: number
  renewed_bp: number
  ended_bp: number
}
/** How plans sell: who has them now, what was opened, renewed and given back. Unix seconds. */
export const planFigures = async (
  db: Db,
  ids: readonly number[],
  of: { now: number; since: number },
): Promise<Sold[]> => {
  const { rows } = await db.execute<Record<keyof Sold, string | number>>(sql`
    select c.id, (select count(*)::int from vip_subscription s where s.card_id = c.id
      and s.status in ('active', 'grace') and s.end_at > ${of.now}) active_n,
      (select count(*)::int from vip_subscription s where s.card_id = c.id
        and s.status in ('active', 'grace') and s.end_at > ${of.now} and s.auto_renew) renews_n,
      coalesce(o.recent, 0) opened_30d, coalesce(o.n, 0) opened_n, coalesce(o.paid, 0) paid_cents,
      case when coalesce(o.n, 0) = 0 then 0 else o.again * 10000 / o.n end renewed_bp, case when coalesce(o.n, 0) = 0 then 0 else o.ended * 10000 / o.n end ended_bp
    from vip_card c left join lateral (select count(*)::int n,
      (count(*) filter (where x.created_at >= ${of.since}))::int recent, sum(x.pay_cents)::bigint paid,
      (count(*) filter (where x.kind = 'renew'))::int again, (count(*) filter (where x.ended_at is not null))::int ended
      from vip_card_order x where x.card_id = c.id and x.subscription_id is not null) o on true
    where c.id = any(${sql.param([...ids])}::int[])`)
  return rows.map(row =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Number(value)])),
  ) as Sold[]
}
