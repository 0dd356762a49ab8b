import { sql } from 'drizzle-orm'
import { bookEarned, freeSince } from '#src/areas/points/earned.demo.ts'
import { completedTitle } from '#src/areas/points/titles.ts'
import { profileFields } from '#src/areas/pointsRule/earning.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { DemoStep } from '#src/server/demo/step.ts'

const DAYS = 30
/**
 * What members have completed: most of it before anybody paid for it, and in the last 30 days with
 * points.
 */
const seedProfiles = async (db: Db, now: number): Promise<void> => {
  const since = now - DAYS * DAY
  await db.execute(sql`
    insert into profile_field (member_id, field, first_at, changed_at, points, created_at, updated_at)
    select m.id, f.field, d.at, d.at, (r.config->>f.field)::int, d.at, d.at
    from member m join points_rule r on r.kind = 'profile' and r.status = 'on'
      cross join unnest(array['avatar', 'birthday', 'gender', 'city', 'malls']) with ordinality f (field, n)
      cross join lateral (select ${since + 2 * HOUR}::bigint
        + (m.id * 7919 % ${(DAYS - 3) * DAY}::bigint) + f.n * 41 as at) d
    where m.id % 4 = 3 and (m.id + f.n) % 3 > 0 and ${freeSince(since)} order by d.at, m.id`)
  await bookEarned(
    db,
    sql`select p.member_id, p.first_at as at, p.points, r.id rule_id, 'profile' biz_kind,
      'PROFILE' || p.member_id || '-' || p.field biz_no, w.title
      from profile_field p join points_rule r on r.kind = 'profile' and r.status = 'on'
      join (values ${sql.join(
        Object.entries(profileFields).map(
          ([field, name]) => sql`(${field}, ${completedTitle(name)})`,
        ),
        sql`, `,
      )}) w (field, title) on w.field = p.field`,
  )
  await db.execute(sql`
    update member m set birthday = coalesce(m.birthday, to_char(date '1985-03-01' + (m.id * 131) % 9000,
      'YYYY-MM-DD')) where m.id in (select member_id from profile_field where field = 'birthday')`)
  await db.execute(sql`
    insert into profile_field (member_id, field, first_at, changed_at, created_at, updated_at)
    select m.id, f.field, m.register_at, m.register_at, m.register_at, m.register_at from member m
      cross join lateral (values ('birthday', m.birthday is not null), ('gender', m.gender <> 'unknown'),
        ('wecom', m.register_source = 'wecom')) f (field, has)
    where f.has and m.account_state in ('normal', 'muted') and m.register_at < ${since}
    order by m.id on conflict do nothing`)
}
export const demo: readonly DemoStep[] = [
  { place: 152, branch: 'profiles', run: (db, _, { now }) => seedProfiles(db, now) },
]
