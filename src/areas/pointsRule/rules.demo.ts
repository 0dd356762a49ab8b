import { eq, sql } from 'drizzle-orm'
import { DAY, dayStart, SHANGHAI } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { points_rule } from './rule.table.ts'
import { rateAtFirst, type BuyConfig, type RateConfig } from './rule.ts'

/** The midnight that begins the month after that of `now`. */
const nextMonth = (now: number): number => {
  const day = new Date((now + SHANGHAI) * 1000)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1) / 1000 - SHANGHAI
}
const versions: readonly [ago: number, why: string, config: Partial<RateConfig>][] = [
  [900, '上线初始比例', {}],
  [620, '首年促活，会员日双倍', { multipliers: [{ by: 'monthday', day: 8, times_bp: 20_000 }] }],
  [410, '控制成本，抵现上限下调', { offset_share_bp: 2000 }],
  [230, '黄金及以上等级加速积分', { multipliers: [{ by: 'level', level: 4, times_bp: 12_000 }] }],
  [
    60,
    '付费会员与会员日倍率并行，取高',
    {
      offset_share_bp: 2000,
      multipliers: [
        { by: 'vip', times_bp: 15_000 },
        { by: 'level', level: 4, times_bp: 12_000 },
        { by: 'level', level: 5, times_bp: 13_000 },
        { by: 'monthday', day: 8, times_bp: 20_000 },
      ],
    },
  ],
]
const buy: BuyConfig = {
  kinds: ['bulks', 'roll_buy', 'voucher', 'goods', 'elist', 'film', 'visitor', 'combo'],
  at: 'used',
  exclude: { shop_category: [], e_category: [], store: [] },
}
/**
 * The rate with five versions, one that begins next month and one that waits for a second person; a
 * rule for each way to earn, and one of a mall's own.
 */
const seedRules = async (db: Db, _: unknown, world: World): Promise<void> => {
  await seedRates(db, world)
  await seedEarning(db, world)
}
const seedRates = async (db: Db, { now, people }: World): Promise<void> => {
  const finance = people.filter(one => one.role === 'finance' && one.status === 'active')
  const ops = people.filter(one => one.role === 'ops_director' && one.status === 'active')
  const maker = (finance[0] ?? people[1]!).id
  const other = (ops[0] ?? people[0]!).id
  const rate = (name: string, config: Partial<RateConfig>, effective_at: number, why: string) => ({
    kind: 'rate' as const,
    name,
    config: { ...rateAtFirst, ...config },
    status: 'on' as const,
    effective_at,
    reason: why,
    maker_id: maker,
    approved_by: other,
    approved_at: effective_at - DAY,
    created_at: effective_at - 2 * DAY,
  })
  const next = nextMonth(now)
  const last = versions.at(-1)![2]
  await db
    .insert(points_rule)
    .values(
      versions.map(([ago, why, config], at) =>
        rate(`第 ${at + 1} 版比例`, config, dayStart(now - ago * DAY), why),
      ),
    )
  await db.insert(points_rule).values([
    {
      ...rate('下月比例', { ...last, offset_share_bp: 1500 }, next, '下月起收紧抵现上限'),
      approved_at: now - 2 * DAY,
      created_at: now - 4 * DAY,
    },
    {
      ...rate(
        '年度清零方案',
        { ...last, validity: { by: 'year_end', years: 1 } },
        next + 31 * DAY,
        '改为次年年底清零，便于核算',
      ),
      status: 'waiting',
      approved_by: null,
      approved_at: null,
      created_at: now - DAY,
    },
  ])
  await db.insert(points_rule).values({
    ...rate(
      '三倍会员日',
      { ...last, multipliers: [{ by: 'monthday', day: 8, times_bp: 30_000 }] },
      next,
      '会员日加码',
    ),
    status: 'draft',
    approved_by: null,
    approved_at: null,
    reject_reason: '测算成本超出预算，请下调倍率',
    created_at: now - 20 * DAY,
  })
}
/** Rules of the first months that others took the place of. */
const past = [
  {
    kind: 'clocked' as const,
    name: '上线初期签到',
    config: { ladder: [1, 1, 1, 2, 2, 2, 5], month_bonus: 20 },
  },
  {
    kind: 'profile' as const,
    name: '上线初期完善资料',
    config: { avatar: 10, birthday: 10, gender: 5, city: 5, malls: 0, wecom: 0 },
  },
  {
    kind: 'comment' as const,
    name: '上线初期评价',
    config: { star: 1, text: 2, text_min: 10, images: 2, video: 0, featured: 20 },
  },
]
/** A rule for each way to earn, and one of a mall's own. */
const seedEarning = async (db: Db, { now, storeIds }: World): Promise<void> => {
  const { rows: malls } = await db.execute<{ id: number }>(
    sql`select id from mall order by id limit 1`,
  )
  // The migration made it, and left it off.
  await db.delete(points_rule).where(eq(points_rule.kind, 'buy'))
  const since = { status: 'on' as const, created_at: now - 500 * DAY, start_at: now - 500 * DAY }
  await db.insert(points_rule).values([
    {
      kind: 'buy',
      name: '消费送积分',
      config: { ...buy, exclude: { ...buy.exclude, store: storeIds.slice(0, 2) } },
      daily_cap: 5000,
      sort: 1,
      ...since,
    },
    {
      kind: 'buy',
      name: '上线初期消费积分',
      config: buy,
      sort: 9,
      status: 'off',
      off_reason: '改用新规则，按核销发放',
      created_at: now - 900 * DAY,
      start_at: now - 900 * DAY,
      end_at: now - 500 * DAY,
    },
    {
      kind: 'clocked',
      name: '每日签到',
      config: { ladder: [1, 2, 3, 5, 5, 8, 10], month_bonus: 50 },
      daily_cap: 100,
      sort: 2,
      ...since,
    },
    {
      kind: 'comment',
      name: '评价送积分',
      config: { star: 2, text: 5, text_min: 20, images: 5, video: 10, featured: 50 },
      daily_cap: 50,
      sort: 3,
      ...since,
    },
    {
      kind: 'profile',
      name: '完善资料',
      config: { avatar: 20, birthday: 30, gender: 10, city: 10, malls: 20, wecom: 50 },
      sort: 4,
      ...since,
    },
    ...malls.map(one => ({
      kind: 'clocked' as const,
      name: '周年庆到店签到',
      config: { ladder: [5, 5, 5, 10, 10, 15, 20], month_bonus: 100 },
      daily_cap: 200,
      sort: 5,
      ...since,
      mids: [one.id],
      start_at: now - 10 * DAY,
      end_at: now + 20 * DAY,
    })),
    ...past.map(of => ({
      ...of,
      sort: 9,
      status: 'off' as const,
      off_reason: '改用新规则',
      created_at: now - 900 * DAY,
      start_at: now - 900 * DAY,
      end_at: now - 500 * DAY,
    })),
  ])
}
export const demo: readonly DemoStep[] = [{ place: 45, branch: 'points rules', run: seedRules }]
