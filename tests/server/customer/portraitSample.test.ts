import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { countBars, sampleOfAudience } from '#src/areas/portrait/buckets.server.ts'
import { compareAudiences, drillInto } from '#src/areas/portrait/comparing.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { portraitServer } from '#src/modules/customer/server/portrait.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { everything, nothing } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { exportNamed } from '#src/server/exports/exports.ts'
import { openCopy } from '../../farm.ts'

// A city of its own for a hundredth of all, one for nearly half, one for the others.
const [SMALL, HALF, REST] = [91, 92, 93]
const N = 40_000
const FIRST = 600_000
const now = unixNow()
const staff = { id: 1, scope: everything, lang: 'zh', field: () => 'show' } as unknown as Staff
const of = (city: number): Staff => ({ ...staff, scope: { ...nothing, cities: [city] } })
let database: Database
let part: number
beforeAll(async () => {
  expect(portraitServer).toBeDefined()
  database = await openCopy()
  const { pool } = database
  // Most ids up to a million belong to nobody: the members of a large house, a few of them made.
  await pool.query(
    `insert into member (id, uid, nickname, phone, city_id, register_at, gender)
     select g::bigint * 15, 'PS' || g, '样本' || g, '', case when g % 100 = 0 then ${SMALL} when g % 2 = 0 then ${HALF} else ${REST} end,
       ${now}, (array['male', 'female', 'unknown'])[1 + g % 3] from generate_series(1000, ${FIRST / 15 + 1000}) g`,
  )
  const { rows } = await pool.query<{ id: number }>(
    `insert into segment (name, kind, status, gen, customer_count, owner_id, refreshed_at)
     values ('样本分群', 'static', 'ready', 1, 400, 1, ${now}) returning id`,
  )
  part = rows[0]!.id
  await pool.query(
    `insert into segment_person (segment_id, gen, member_id) select ${part}, 1, id from member where city_id = ${SMALL}`,
  )
  await pool.query('analyze member, segment_person')
}, 120_000)
const countOf = async (where = 'true'): Promise<number> =>
  (
    await database.pool.query<{ n: number }>(
      `select count(*)::int n from member m where account_state not in ('canceled', 'merged') and ${where}
        and not exists (select 1 from wecom_customer c where c.member_id = m.id and c.state = 'lost')`,
    )
  ).rows[0]!.n
const cityOf = async (ids: readonly number[]): Promise<number[]> =>
  (
    await database.db.execute<{ city_id: number }>(
      sql`select distinct city_id from member where id = any(${sql.param(`{${ids.join()}}`)}::int[])`,
    )
  ).rows.map(row => row.city_id)
const everybody = { segment_id: 0, lost: false }

it('everybody of a large house is estimated from people who are drawn, the same each time', async () => {
  const sample = await sampleOfAudience(database.db, everybody, { staff })
  expect(sample.estimated).toBe(true)
  expect(Math.abs(sample.people - (await countOf())) / N).toBeLessThan(0.03)
  expect(sample.ids!.length).toBeGreaterThan(2000)
  expect(sample.ids!.length).toBeLessThan(6000)
  await database.db.execute(
    sql`insert into member (uid, nickname, phone, city_id, register_at) values ('PSnew', '新会员', '', ${REST}, ${now})`,
  )
  expect(await sampleOfAudience(database.db, everybody, { staff })).toEqual(sample)
})
it('bars of a dimension come to the people, and a bar opens as many as it says', async () => {
  const { rows, sides } = await compareAudiences(
    database.db,
    { a: 0, b: part, lost: false },
    { staff, now },
  )
  const people = sides.map(side => side.n)
  for (const dim of new Set(rows.map(row => row.dim))) {
    if (dim === 'tag') continue
    const own = rows.filter(row => row.dim === dim && row.a.hidden === null)
    if (own.length < rows.filter(row => row.dim === dim).length) continue
    const sum = own.reduce((all, row) => all + row.a.n!, 0)
    // Each is rounded by itself.
    expect([dim, Math.abs(sum - people[0]!) <= own.length / 2]).toEqual([dim, true])
  }
  const male = rows.find(row => row.dim === 'gender' && row.value === 'male')!
  const found = await drillInto(
    database.db,
    { ...everybody, dim: 'gender', value: 'male' },
    { staff, now },
  )
  expect(found!.n).toBe(male.a.n)
  expect(Math.abs(male.a.tenths! - 333)).toBeLessThan(30)
  expect(sides).toMatchObject([
    { estimated: true },
    { estimated: false, sampled: null, n: await countOf(`city_id = ${SMALL}`) },
  ])
})
it('shares of a sample are those of all, within what chance leaves', async () => {
  const sample = await sampleOfAudience(database.db, everybody, { staff })
  const bars = await countBars(database.db, { ...everybody, sample }, { staff, now })
  const exact = await database.db.execute<{ dim: string; value: string; share: number }>(sql`
    with all_of as (select m.*, c.id as customer_id from member m left join wecom_customer c on c.member_id = m.id
      where m.account_state not in ('canceled', 'merged') and c.state is distinct from 'lost')
    select d.dim, d.value, count(*)::float8 / (select count(*) from all_of) as share
    from all_of a cross join lateral (values ('gender', nullif(a.gender, 'unknown')), ('city', a.city_id::text),
      ('level', a.level::text)) d(dim, value) where d.value is not null group by 1, 2`)
  expect(exact.rows.length).toBeGreaterThan(5)
  for (const { dim, value, share } of exact.rows) {
    const n = bars.find(bar => bar.dim === dim && bar.value === value)?.n ?? 0
    // Four times the deviation of a share in a sample of so many, and one person of it.
    const bound = 4 * Math.sqrt((share * (1 - share)) / sample.ids!.length) + 1 / sample.ids!.length
    const within = Math.abs(n / sample.people - share) <= bound
    expect([dim, value, within]).toEqual([dim, value, true])
  }
})
it('who is drawn of a segment that was just counted is looked up, and its list is not read whole', async () => {
  const { pool } = database
  const { rows: made } = await pool.query<{ id: number }>(
    `insert into segment (name, kind, status, gen, customer_count, owner_id, refreshed_at)
     values ('刚算好的分群', 'static', 'ready', 3, 1, 1, ${now}) returning id`,
  )
  const { id } = made[0]!
  // No statistics tell of it; the list before it was of other people.
  await pool.query(
    `insert into segment_person (segment_id, gen, member_id)
     select ${id}, case when city_id = ${HALF} then 3 else 2 end, id from member where city_id in (${HALF}, ${REST})`,
  )
  const read = async (db: Db) =>
    Number(
      (
        await db.execute<{ n: string }>(sql`
          select sum(pg_stat_get_xact_tuples_returned(indexrelid)) + pg_stat_get_xact_tuples_returned('segment_person'::regclass) as n
          from pg_index where indrelid = 'segment_person'::regclass`)
      ).rows[0]!.n,
    )
  const [drawn, touched] = await database.transaction(async tx => {
    const before = await read(tx)
    const sample = await sampleOfAudience(tx, { segment_id: id, lost: false }, { staff })
    return [sample, (await read(tx)) - before]
  })
  expect(drawn.estimated).toBe(true)
  expect(Math.abs(drawn.people - (await countOf(`city_id = ${HALF}`))) / N).toBeLessThan(0.03)
  expect(await cityOf(drawn.ids!)).toEqual([HALF])
  // Those of the first draw are found once more by the second.
  expect(touched).toBeLessThan(drawn.ids!.length * 1.5)
  expect(touched).toBeGreaterThanOrEqual(drawn.ids!.length)
})
it('who sees one city is told of its people alone, counted where they are few', async () => {
  const small = await sampleOfAudience(database.db, everybody, { staff: of(SMALL) })
  expect(small).toEqual({
    people: await countOf(`city_id = ${SMALL}`),
    estimated: false,
    ids: null,
  })
  const half = await sampleOfAudience(database.db, everybody, { staff: of(HALF) })
  expect(half.estimated).toBe(true)
  expect(await cityOf(half.ids!)).toEqual([HALF])
  expect(Math.abs(half.people - (await countOf(`city_id = ${HALF}`))) / N).toBeLessThan(0.03)
})
it('a file says that its number of people is an estimate', async () => {
  const { rows } = await exportNamed('customer.portrait')!.rows({
    db: database.db,
    staff,
    now,
    filters: { a: 0, lost: false, dim: 'gender' },
    after: undefined,
    limit: 500,
  } as never)
  expect(String(rows[0]!['read'])).toMatch(/按 \d+ 人抽样估算 总人数为估算/)
})
