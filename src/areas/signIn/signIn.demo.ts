import { sql } from 'drizzle-orm'
import { bookEarned, freeSince } from '#src/areas/points/earned.demo.ts'
import { BETWEEN, joined } from '#src/domain/text.ts'
import { DAY, dayStart, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { checkin_spot } from './signIn.table.ts'
import { makeUpDay, voidSign } from './signing.server.ts'

const SPOTS = 12
const DAYS = 30
/** Malls with a pin at which a visit earns; one was removed. */
const seedSpots = async (db: Db, random: Random, now: number): Promise<void> => {
  const { rows: malls } = await db.execute<{ id: number }>(
    sql`select id from mall where status = 'online' and lng_e6 is not null order by id limit ${SPOTS}`,
  )
  await insertRows(
    db,
    checkin_spot,
    malls.map(({ id }, at) => ({
      mall_id: id,
      radius_m: random.pick([200, 300, 300, 500]),
      points: random.pick([3, 5, 5, 8]),
      open_from: at % 4 === 1 ? '10:00' : null,
      open_to: at % 4 === 1 ? '21:30' : null,
      status: at > 0 && at === malls.length - 1 ? ('off' as const) : ('on' as const),
      created_at: now - (200 - at) * DAY,
      updated_at: now - (200 - at) * DAY,
    })),
  )
}
/** Streaks of up to 30 days; one device that nine members share; visits at malls. */
const seedSigns = async (db: Db, now: number): Promise<void> => {
  const today = dayStart(now)
  const since = today - DAYS * DAY
  const device = sql`case when m.n <= 9 then 'dv-shared-emulator-0001' else 'dv-' || md5('d' || m.id) end`
  const members = sql`select m.id, (row_number() over (order by m.id))::int n from member m
    where m.id % 4 = 1 and ${freeSince(since)}`
  await db.execute(sql`
    insert into sign_record (member_id, kind, day, streak, points, rule_id, ladder, device, at,
      created_at, updated_at)
    select m.id, 'daily', d.day, d.k, l.ladder[least(d.k, 7)], r.id, r.config->'ladder', ${device},
      d.day + d.second, d.day + d.second, d.day + d.second
    from (${members}) m
      join points_rule r on r.kind = 'clocked' and r.status = 'on' and r.mids = '[]'::jsonb
      cross join lateral (select array_agg(v::int) ladder from jsonb_array_elements_text(r.config->'ladder') v) l
      cross join lateral (select k, ${today} - (m.n % 5 / 3 + length - k) * ${DAY}::bigint as day,
        (${6 * HOUR} + (m.id * 977 + k * 613) % ${15 * HOUR})::bigint as second
        from (select 1 + (m.id * 37) % ${DAYS - 2} length) s, generate_series(1, length) k) d
    where d.day + d.second <= ${now} order by d.day + d.second, m.id`)
  await db.execute(sql`
    insert into sign_record (member_id, kind, day, streak, points, rule_id, ladder, device, spot_id,
      distance_m, rushed, at, created_at, updated_at)
    select m.id, 'spot', d.day, 0, p.points, r.id, '[]'::jsonb, ${device}, p.id,
      (m.id * 53 + d.k * 17) % p.radius_m, m.n % 40 = 7 and d.k = 1, d.at, d.at, d.at
    from (${members}) m join points_rule r on r.kind = 'clocked' and r.status = 'on' and r.mids = '[]'::jsonb
      cross join lateral (select k, ${today} - ((m.id + k * 5) % 20) * ${DAY}::bigint as day, ${today}
        - ((m.id + k * 5) % 20) * ${DAY}::bigint + ${11 * HOUR} + (m.id * 811 + k) % ${8 * HOUR} as at
        from generate_series(1, 2) k) d
      join (select id, points, radius_m, (row_number() over (order by id))::int n,
        (count(*) over ())::int most from checkin_spot) p on p.n = 1 + (m.id + d.k) % p.most
    where m.n % 2 = 1 and d.at <= ${now} order by d.at, m.id`)
  await bookEarned(
    db,
    sql`select s.member_id, s.at, s.points, s.rule_id, 'clocked' biz_kind, 'SIGN' || s.id biz_no,
      case s.kind when 'spot' then ${joined(['到店打卡', 'Visited'])}::text
      else '签到第 ' || s.streak || ' 天' || ${BETWEEN}::text || 'Signed in, day ' || s.streak end title from sign_record s`,
  )
}
/** Some of the shared device were found out, and a few members had a day made up for. */
const seedCases = async (db: Db, { now, people }: World): Promise<void> => {
  const by = (people.find(one => one.role === 'service_lead') ?? people[0]!).id
  const { rows: odd } = await db.execute<{ id: number }>(
    sql`select id from sign_record where device = 'dv-shared-emulator-0001' order by id desc limit 4`,
  )
  for (const { id } of odd)
    await voidSign(db, { id, reason: '同一设备批量签到', operator_id: by, now })
  const { rows: missed } = await db.execute<{ member_id: number; day: number }>(sql`
    select s.member_id, (min(s.day) - ${DAY})::float8 as day from sign_record s join member m
      on m.id = s.member_id where s.kind = 'daily' and not s.is_void and m.account_state = 'normal'
      and not m.benefits_frozen group by 1
      having min(s.day) > ${dayStart(now) - 25 * DAY} and min(s.day) <= ${dayStart(now)}
      order by 1 desc limit 3`)
  for (const one of missed)
    await makeUpDay(db, { ...one, reason: '系统升级当天无法签到', operator_id: by, now })
}
export const demo: readonly DemoStep[] = [
  {
    place: 151,
    branch: 'sign-ins',
    run: async (db, random, world) => {
      await seedSpots(db, random, world.now)
      await seedSigns(db, world.now)
      await seedCases(db, world)
    },
  },
]
