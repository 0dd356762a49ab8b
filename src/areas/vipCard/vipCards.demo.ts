import { sql } from 'drizzle-orm'
import { isGiven } from '#src/areas/coupon/claiming.server.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { vip_card } from './vipCard.table.ts'

type New = typeof vip_card.$inferInsert
const plans: readonly (Partial<New> & Pick<New, 'name' | 'kind' | 'days'>)[] = [
  {
    name: '7 天体验卡',
    kind: 'trial',
    days: 7,
    price_cents: 190,
    original_cents: 990,
    buy_limit: 1,
  },
  {
    name: '畅享月卡',
    kind: 'month',
    days: 30,
    price_cents: 2500,
    first_price_cents: 990,
    original_cents: 3000,
    auto_renew: true,
    contract_template: 'WX20240311',
  },
  {
    name: '畅享季卡',
    kind: 'quarter',
    days: 90,
    price_cents: 6800,
    original_cents: 9000,
    auto_renew: true,
    contract_template: 'WX20240312',
  },
  {
    name: '畅享年卡',
    kind: 'year',
    days: 365,
    price_cents: 19_800,
    first_price_cents: 16_800,
    original_cents: 30_000,
    auto_renew: true,
    contract_template: 'WX20240313',
    stock: 5000,
    sold_count: 1260,
  },
  {
    name: '春节亲子家庭共享限定礼遇卡',
    kind: 'custom',
    days: 45,
    price_cents: 8800,
    original_cents: 12_800,
    stock: 300,
    sold_count: 300,
  },
  {
    name: '老会员回馈卡',
    kind: 'custom',
    days: 180,
    price_cents: 9900,
    original_cents: 15_000,
    status: 'off',
    off_reason: '回馈活动已结束',
    sold_count: 420,
  },
  {
    name: '双人畅享年卡',
    kind: 'custom',
    days: 365,
    price_cents: 29_900,
    original_cents: 39_900,
    status: 'draft',
  },
]

/** Plans of paid membership: six that were sold, one of them off sale with members, and a draft. */
const seedPlans = async (db: Db, now: number): Promise<void> => {
  const gifts = await db
    .select({ id: coupon.id })
    .from(coupon)
    .where(sql`${isGiven(now)} and ${coupon.total} - ${coupon.claimed_count} > 4000`)
    .orderBy(coupon.id)
    .limit(2)
  await insertRows(
    db,
    vip_card,
    plans.map(
      (plan, at): New =>
        ({
          first_price_cents: null,
          auto_renew: false,
          contract_template: '',
          buy_limit: 0,
          stock: null,
          sold_count: 200 + at * 30,
          refund_policy: (['none', 'prorate', 'prorate', 'unused_7d'] as const)[at % 4]!,
          status: 'on',
          off_reason: '',
          benefits: (
            ['price', 'points', 'freight', 'birthday', 'service', 'parking', 'early'] as const
          ).slice(0, 2 + (at % 5)) as New['benefits'],
          gift_coupon_ids: plan.kind === 'year' ? gifts.map(one => one.id) : [],
          sort: at + 1,
          created_at: now - (400 - at * 20) * DAY,
          updated_at: now - 20 * DAY,
          ...plan,
          ...(plan.status === 'draft' && { sold_count: 0 }),
        }) as New,
    ),
  )
}
export const demo: readonly DemoStep[] = [
  { place: 95, branch: 'vip cards', run: (db, _, { now }) => seedPlans(db, now) },
]
