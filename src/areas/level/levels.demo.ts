import { asc, eq, sql } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { BETWEEN, joined } from '#src/domain/text.ts'
import { DAY, dayStart, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { protectLevel, reverseGrowth, setLevel } from './growth.server.ts'
import { level_ladder, level_notice } from './level.table.ts'
import { standardEarns, standardLevels, type Level } from './level.ts'

const names = ['普通会员', '银卡会员', '金卡会员', '铂金会员', '钻石会员', '黑钻会员']
const benefits: readonly string[][] = [
  ['签到得成长值'],
  ['生日券', '专属客服'],
  ['生日券', '专属客服', '停车 1 小时'],
  ['生日券', '专属客服', '停车 2 小时', '免费包装'],
  ['生日券', '一对一客服', '停车 3 小时', '新品优先购'],
  ['生日券', '一对一客服', '免费停车', '新品优先购', '贵宾休息室'],
]
/** The ladder of the demo; thresholds are so many percent of the standard ones. */
const ladderOf = (percent: number): Level[] =>
  standardLevels.map(level => {
    const growth_min = Math.round((level.growth_min * percent) / 100)
    return {
      ...level,
      name: names[level.no]!,
      growth_min,
      keep_growth: Math.round(growth_min * 0.8),
      points_multiplier_bp: 10_000 + level.no * 1000,
      discount_bp: 10_000 - level.no * 100,
      benefits: benefits[level.no]!,
      gift_points: level.no * 100,
    }
  })
const LIVE = 100
type Version = typeof level_ladder.$inferInsert
const seedLadders = async (db: Db, people: readonly { id: number }[], now: number) => {
  // What an installation begins with makes way for a history.
  await db.delete(level_ladder)
  const [maker, checker] = [people[0]!.id, people[1]!.id]
  const past = (no: number, percent: number, days: number): Version => ({
    no,
    levels: ladderOf(percent),
    earns: { ...standardEarns, comment: 3 + no },
    state: 'archived',
    reason: ['上线初始规则', '降低入门门槛', '对齐竞品门槛', '春季调整'][no - 1]!,
    effective_at: now - days * DAY,
    published_at: now - days * DAY,
    archived_at: now - (days - 150) * DAY,
    maker_id: maker,
    checker_id: checker,
    recalc_done: true,
  })
  const rows: Version[] = [
    past(1, 150, 860),
    past(2, 120, 710),
    past(3, 110, 560),
    past(4, 105, 410),
    {
      ...past(5, LIVE, 260),
      state: 'live',
      reason: '周年庆下调门槛',
      archived_at: null,
    },
    {
      ...past(6, 95, 0),
      state: 'waiting',
      reason: '双十二前放宽保级',
      effective_at: dayStart(now) + 10 * DAY,
      published_at: null,
      archived_at: null,
      checker_id: null,
      based_on: 5,
      recalc_done: false,
    },
    {
      ...past(7, 130, 0),
      state: 'draft',
      reason: '',
      effective_at: null,
      published_at: null,
      archived_at: null,
      checker_id: null,
      based_on: 5,
      recalc_done: false,
    },
  ]
  await insertRows(db, level_ladder, rows)
}

/** The highest level that so much growth has earned, in SQL. */
const earnedOf = (growth: ReturnType<typeof sql>) =>
  sql`(width_bucket(${growth}, ${sql.raw(
    `array[${ladderOf(LIVE)
      .map(one => one.growth_min)
      .join()}]`,
  )}) - 1)`
/**
 * Every member's growth: what was carried over, orders of the last months, and what their refunds
 * took back. Balances and levels are running sums and maxima, so that they hold by construction.
 */
const seedGrowth = async (db: Db, now: number) => {
  const floors = sql.raw(
    `array[${ladderOf(LIVE)
      .map(one => one.growth_min)
      .join()}]`,
  )
  const since = now - 120 * DAY
  await db.execute(sql`update member set level = least(5, id * 7 % 19 / 3)`)
  await db.execute(sql`
    with moves as (
      select m.id member_id, 'admin' kind, 'OPEN' || m.id biz_no, null::int order_id,
        (${floors})[m.level + 1] + m.id * 37 % 90 delta, ${joined(['历史成长值结转', 'Growth of before'])}::text note, ${now - 200 * DAY}::bigint at,
        0 rank from member m
      union all
      select o.member_id, 'buy', o.order_no, o.id, (o.paid_cents / 100)::int, '', o.paid_at, 1
        from "order" o where o.member_id is not null and o.pay_state = 'paid' and o.paid_cents >= 100
        and o.paid_at > ${since} and o.id % 3 = 0
      union all
      select r.member_id, 'refund', r.refund_no, r.order_id, -r.due, '订单 ' || r.order_no || ' 退款' || ${BETWEEN}::text || 'Order ' || r.order_no || ' refunded', r.done_at, 2 from (
        select o.member_id, o.order_no, f.refund_no, f.order_id, f.done_at,
          floor((o.paid_cents / 100)::numeric * sum(f.amount_cents) over w / o.paid_cents)::int - floor((o.paid_cents / 100)::numeric * (sum(f.amount_cents) over w - f.amount_cents) / o.paid_cents)::int due
        from refund f join "order" o on o.id = f.order_id where f.state = 'done' and o.member_id is not null
          and o.pay_state = 'paid' and o.paid_cents >= 100 and o.paid_at > ${since} and o.id % 3 = 0
          and f.done_at >= o.paid_at window w as (partition by f.order_id order by f.done_at, f.id)) r
          where r.due > 0
    ), summed as (
      select *, sum(delta) over (partition by member_id
        order by at, rank, biz_no rows unbounded preceding)::int balance from moves
    ), reached as (
      select *, max(${earnedOf(sql`balance`)}) over (partition by member_id
        order by at, rank, biz_no rows unbounded preceding) level from summed
    )
    insert into growth_ledger (member_id, delta, wanted, balance_after, kind, biz_no, order_id,
      level_before, level_after, note, at)
    select member_id, delta, delta, balance, kind, biz_no, order_id,
      coalesce(lag(level) over (partition by member_id order by at, rank, biz_no), level), level, note, at
      from reached order by at, rank, biz_no`)
  // Some were a level higher until their keep date came.
  await db.execute(sql`
    insert into growth_ledger (member_id, delta, wanted, balance_after, kind, biz_no, level_before,
      level_after, note, at)
    select l.member_id, 0, 0, l.balance_after, 'expire', 'EXP' || l.member_id, l.level_after + 1,
      l.level_after, '等级到期', ${now}::bigint - (l.member_id % 60 + 1) * 3600 from growth_ledger l
    where l.kind = 'admin' and l.member_id % 90 = 5 and l.level_after < 5 and not exists (select 1
      from growth_ledger o where o.member_id = l.member_id and o.id <> l.id)`)
  await db.execute(sql`
    with last as (select distinct on (member_id) member_id, balance_after, level_after from growth_ledger
      order by member_id, id desc), changed as (select member_id, max(at) at from growth_ledger
      where level_before <> level_after group by 1)
    update member m set growth = l.balance_after, level = l.level_after, level_keep_until = case
      when l.level_after = 0 then null else coalesce(c.at,
      ${now - 200 * DAY}::bigint) + ${365 * DAY}::bigint end
    from last l left join changed c on c.member_id = l.member_id where m.id = l.member_id`)
  await db.execute(sql`
    insert into level_notice (ledger_id, member_id, text, state, tries, answer, sent_at, created_at, updated_at)
    select id, member_id, '您的会员等级已变为 V' || level_after, case when id % 25 = 3 then 'failed' else 'sent' end,
      case when id % 25 = 3 then 3 else 1 end, case when id % 25 = 3 then '号码停机或关机' else 'OK' end, case
      when id % 25 = 3 then null else at + 20 end, at, at + 20 from growth_ledger
      where level_before <> level_after`)
}
/** Levels that staff set, protections and reversals, by the work itself. */
const seedHands = async (
  db: Db,
  { random, operator_id, now }: { random: Random; operator_id: number; now: number },
) => {
  const { rows: members } = await db.execute<{ id: number }>(
    sql`select m.id from member m where m.account_state = 'normal' and m.id % 7 = 3 order by m.id limit 24`,
  )
  for (const [at, { id }] of members.entries()) {
    const then = now - (50 - at * 2) * HOUR
    const until = dayStart(now) + random.int(20, 90) * DAY
    if (at % 3 === 0)
      await protectLevel(db, {
        member_id: id,
        until_at: until,
        reason: '住院期间保级，客诉工单已核实',
        operator_id,
        now: then,
      })
    else
      await setLevel(db, {
        member_id: id,
        level: Math.min(5, 2 + (at % 4)),
        keep_until_at: until,
        reason: '商场联名活动赠送等级',
        operator_id,
        now: then,
      })
  }
  const { rows: bought } = await db.execute<{ id: number }>(
    sql`select id from growth_ledger where kind = 'buy' order by id desc limit 8`,
  )
  for (const { id } of bought)
    await reverseGrowth(db, { ledger_id: id, reason: '测试单误记', operator_id, now: now - HOUR })
  await db
    .update(level_notice)
    .set({ state: 'sent', tries: 1 })
    .where(eq(level_notice.state, 'queued'))
}
const seedLevels = async (db: Db, random: Random, { now }: World): Promise<void> => {
  const people = await db
    .select({ id: admin.id })
    .from(admin)
    .where(eq(admin.status, 'active'))
    .orderBy(asc(admin.id))
    .limit(2)
  await seedLadders(db, people, now)
  await seedGrowth(db, now)
  await seedHands(db, { random, operator_id: people[1]!.id, now })
}
/** After the orders, before whatever is paid by the work itself, which books growth of its own. */
export const demo: readonly DemoStep[] = [{ place: 61, branch: 'levels', run: seedLevels }]
