import { sql } from 'drizzle-orm'
import { bookEarned } from '#src/areas/points/earned.demo.ts'
import { BETWEEN } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { achievement, achievement_count } from './achievement.table.ts'
import type { BadgeGroup, BadgeMetric } from './achievement.ts'
import { award, takeBadge } from './awarding.server.ts'
import { countMembers } from './counting.server.ts'

type Written = [
  name: string,
  group: BadgeGroup,
  metric: BadgeMetric,
  threshold: number,
  points: number,
]
const written: readonly Written[] = [
  ['初次下单', 'consume', 'order_count', 1, 10],
  ['五单达人', 'consume', 'order_count', 5, 50],
  ['十单老友', 'consume', 'order_count', 10, 100],
  ['百元起步', 'consume', 'paid_cents', 100_00, 10],
  ['千元之选', 'consume', 'paid_cents', 1000_00, 80],
  ['万元贵宾', 'consume', 'paid_cents', 10_000_00, 500],
  ['初来乍到', 'visit', 'checkin_days', 1, 5],
  ['常来常往', 'visit', 'checkin_days', 10, 60],
  ['双城漫步', 'visit', 'mall_count', 2, 30],
  ['商场猎人', 'visit', 'mall_count', 5, 100],
  ['一周不断', 'visit', 'sign_streak', 7, 20],
  ['廿八天坚持', 'visit', 'sign_streak', 28, 120],
  ['首次评价', 'share', 'comment_count', 1, 10],
  ['评价高手', 'share', 'comment_count', 10, 100],
  ['呼朋引伴', 'share', 'invite_count', 1, 50],
  ['人气召集人', 'share', 'invite_count', 5, 200],
  ['本季新客', 'season', 'order_count', 1, 20],
  ['本季常客', 'season', 'order_count', 3, 60],
  ['上季打卡王', 'season', 'checkin_days', 5, 80],
  ['年末心愿', 'season', 'paid_cents', 500_00, 0],
]
/** Badges that are not on; the second was turned off and its owners keep it. */
const DRAFT = '年末心愿'
const OFF = '廿八天坚持'
/** Badges with a coupon: one that can be given again by now, one that can't. */
const REFILLED = '十单老友'
const GONE = '千元之选'
const season = (name: string, now: number) => {
  if (name.startsWith('上季')) return { start_at: now - 120 * DAY, end_at: now - 10 * DAY }
  if (name === DRAFT) return { start_at: now + 10 * DAY, end_at: now + 40 * DAY }
  return { start_at: now - 60 * DAY, end_at: now + 30 * DAY }
}
/** The coupon of a badge: one that everybody may have, or one that is given out no more. */
const couponFor = async (db: Db, name: string, now: number): Promise<number | null> => {
  if (name !== REFILLED && name !== GONE) return null
  const given = sql`status = 'active' and claim_end_at > ${now + 30 * DAY} and not vip_only
    and not new_only and level_ids = '[]'::jsonb and total - claimed_count > 200`
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from coupon where ${name === REFILLED ? given : sql`status = 'ended'`}
    order by id limit 1`)
  return rows[0]?.id ?? null
}
const seedBadges = async (db: Db, now: number): Promise<void> => {
  const places = new Map<BadgeGroup, number>()
  const rows: (typeof achievement.$inferInsert)[] = []
  for (const [at, [name, group, metric, threshold, reward_points]] of written.entries()) {
    const sort = places.get(group) ?? 0
    places.set(group, sort + 1)
    const made = now - (150 - at) * DAY
    rows.push({
      name,
      group,
      metric,
      threshold,
      reward_points,
      reward_coupon_id: await couponFor(db, name, now),
      ...(group === 'season' ? season(name, now) : { start_at: null, end_at: null }),
      sort,
      status: name === DRAFT ? 'draft' : 'on',
      created_at: made,
      updated_at: made,
    })
  }
  await insertRows(db, achievement, rows)
}
const EACH = 3
const PIECE = 20
const FIRST = 60
/**
 * Some members were counted and got what they reached, each after the last move of their points;
 * rewards fail where a coupon was gone or benefits are frozen.
 */
const seedOwners = async (db: Db, { now, scale }: World): Promise<void> => {
  const since = now - 28 * DAY
  const most = Math.max(40, Math.round(1200 * scale))
  const { rows } = await db.execute<{ id: number }>(sql`
    select m.id from member m where m.id % ${EACH} = 0 and m.id > ${FIRST}
      and m.account_state = 'normal' and m.points_debt = 0 order by m.id limit ${most}`)
  // Plans are made for what was grown a moment ago.
  await db.execute(sql`analyze sign_record, comment, achievement`)
  for (let from = 0; from < rows.length; from += PIECE)
    await countMembers(
      db,
      rows.slice(from, from + PIECE).map(row => row.id),
      now,
    )
  const failed = sql`(m.benefits_frozen and a.reward_points > 0) or a.reward_coupon_id is not null`
  await db.execute(sql`
    update member_achievement k set state = 'held', round = 1, got_at = g.at, updated_at = g.at,
      reward_status = g.reward, reward_fault = g.fault
    from (select k.id, f.free + 1 + (${now - 60} - f.free) * row_number() over w
        / (1 + count(*) over (partition by k.member_id)) as at,
        case when ${failed} then 'failed' when a.reward_points > 0 then 'issued' else 'none' end reward,
        case when m.benefits_frozen and a.reward_points > 0 then '会员权益已冻结，积分未发放'
          when ${failed} then '优惠券“' || c.name || '”已领完' else '' end fault
      from member_achievement k join achievement a on a.id = k.achievement_id
        join member m on m.id = k.member_id left join coupon c on c.id = a.reward_coupon_id
        cross join lateral (select greatest(${since}::bigint, coalesce(max(e.at), 0)) free
          from points_ledger e where e.member_id = k.member_id) f
      where k.progress >= a.threshold and f.free < ${now - 120}
      window w as (partition by k.member_id order by k.id)) g where g.id = k.id`)
  await bookEarned(
    db,
    sql`select k.member_id, k.got_at at, a.reward_points points, null::int rule_id, 'achieve' biz_kind,
      'ACH' || k.id || '-1' biz_no, '获得勋章：' || a.name || ${BETWEEN}::text || 'Badge: ' || a.name title
    from member_achievement k join achievement a on a.id = k.achievement_id
      join member m on m.id = k.member_id and not m.benefits_frozen
    where k.state = 'held' and a.reward_points > 0`,
  )
}
/** Staff granted some by hand, took some back, and turned a badge off. */
const seedCases = async (db: Db, { now, people }: World): Promise<void> => {
  const by = (people.find(one => one.role === 'service_lead') ?? people[0]!).id
  const { rows } = await db.execute<{ id: number }>(sql`
    select k.id from member_achievement k where k.state = 'held' and k.reward_status = 'issued'
    order by k.id desc limit 3`)
  for (const { id } of rows)
    await takeBadge(db, { id, reason: '活动作弊，违规刷单', operator_id: by, now })
  const { rows: near } = await db.execute<{ member_id: number; achievement_id: number }>(sql`
    select k.member_id, k.achievement_id from member_achievement k
      join achievement a on a.id = k.achievement_id and a.reward_coupon_id is null
      join member m on m.id = k.member_id and not m.benefits_frozen
    where k.state = 'progress' and k.progress < a.threshold order by k.id limit 3`)
  for (const one of near)
    await award(db, {
      ...one,
      source: 'admin',
      reason: '活动补偿，客服核实后授予',
      operator_id: by,
      now,
    })
  await db.execute(sql`update achievement set status = 'off', off_reason = '门槛过高，改版后再上线'
    where name = ${OFF}`)
  await db.execute(sql`update achievement a set got_count = (select coalesce(sum(k.round), 0)
    from member_achievement k where k.achievement_id = a.id)`)
  const { rows: of } = await db.execute<{ n: number }>(
    sql`select count(distinct member_id)::int n from member_achievement`,
  )
  const members_n = of[0]?.n ?? 0
  await db.insert(achievement_count).values([
    { kind: 'all', since: 0, until: now, done: true, members_n, created_at: now },
    { kind: 'recent', since: now - 60, until: now, done: true, created_at: now },
  ])
}
export const demo: readonly DemoStep[] = [
  {
    place: 156,
    branch: 'achievements',
    run: async (db, _, world) => {
      await seedBadges(db, world.now)
      await seedOwners(db, world)
      await seedCases(db, world)
    },
  },
]
