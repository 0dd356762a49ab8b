import { and, sql, type SQL } from 'drizzle-orm'
import { say, type Text } from '#src/domain/text.ts'
import { DAY, dateOf, SHANGHAI } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { SECOND_S } from './pullRules.ts'
import type { PullStatBy, PullSums } from './pullStat.ts'

export type PullStatAsked = {
  by: PullStatBy
  /** Scans from the first to before the second (unix seconds). */
  from: number
  to: number
  activity_id?: number | undefined
  distributor_id?: number | undefined
  city_id?: number | undefined
  mid?: number | undefined
}
/** `key`: the beginning of a day (unix), or the id of what a row is told for. */
export type PullStat = PullSums & { key: number; name: string }
const OUTSIDE: Text = ['商场外', 'Outside malls']
const keyOf = (by: PullStatBy): SQL => {
  switch (by) {
    case 'campaign':
      return sql`r.activity_id`
    case 'promoter':
      return sql`r.distributor_id`
    case 'mall':
      return sql`r.mall_id`
    case 'day':
      return sql`((r.scan_at + ${SHANGHAI}::int) / ${DAY}::int * ${DAY}::int - ${SHANGHAI}::int)::int`
  }
}
const wordsOf = (by: PullStatBy): SQL => {
  switch (by) {
    case 'campaign':
      return sql`(select x.name from film_pull_activity x where x.id = k.key)`
    case 'promoter':
      return sql`(select x.name from distributor x where x.id = k.key)`
    case 'mall':
      return sql`(select x.name from mall x where x.id = k.key)`
    case 'day':
      return sql`null`
  }
}
/** Records that a person sees and the filters match; a table called r. */
const matching = (asked: PullStatAsked, { scope }: Pick<Staff, 'scope'>): SQL => {
  const equal = (column: SQL, value: number | undefined) =>
    value === undefined ? undefined : sql`${column} = ${value}`
  return and(
    within(scope, { city: sql`r.city_id`, mall: sql`r.mall_id` }),
    sql`r.scan_at >= ${asked.from} and r.scan_at < ${asked.to}`,
    equal(sql`r.activity_id`, asked.activity_id),
    equal(sql`r.distributor_id`, asked.distributor_id),
    equal(sql`r.city_id`, asked.city_id),
    equal(sql`r.mall_id`, asked.mid),
  )!
}
/**
 * The figures of referrals scanned within the period. Every step is a part of the one before
 * (`stepsOf`), so that a funnel only narrows, and every number adds up over the rows of any view.
 */
export const pullStat = async (
  db: Db,
  asked: PullStatAsked,
  staff: Pick<Staff, 'scope' | 'lang'>,
): Promise<PullStat[]> => {
  const { by } = asked
  const { rows } = await db.execute<PullSums & { key: number; name: string | null }>(sql`
    with steps as (
      select ${keyOf(by)} as key, r.register_at is not null as registered,
        r.register_at is not null and r.ticketed_at is not null as ticketed,
        r.register_at is not null and r.ticketed_at is not null and r.valid_at is not null
          and r.status <> 'void' as valid,
        r.second_paid_at is not null
          and r.second_paid_at <= r.ticketed_at + ${SECOND_S}::int as again,
        r.reward_cents, r.status, r.flags <> '[]'::jsonb as flagged
      from film_pull_record r where ${matching(asked, staff)}),
    k as (
      select key, count(*)::int as scans, count(*) filter (where registered)::int as registered,
        count(*) filter (where ticketed)::int as ticketed,
        count(*) filter (where valid)::int as valid,
        count(*) filter (where valid and again)::int as second,
        coalesce(sum(reward_cents) filter (where status = 'valid'), 0)::float8 as due_cents,
        coalesce(sum(reward_cents) filter (where status = 'rewarded'), 0)::float8 as paid_cents,
        count(*) filter (where flagged)::int as flagged
      from steps group by key)
    select k.*, ${wordsOf(by)} as name from k
      order by ${by === 'day' ? sql`k.key desc` : sql`k.valid desc, k.scans desc, k.key`}`)
  return rows.map(row => ({ ...row, name: nameOf(by, row, staff.lang) }))
}
const nameOf = (
  by: PullStatBy,
  { key, name }: { key: number; name: string | null },
  lang: Staff['lang'],
): string => {
  if (by === 'day') return dateOf(key)
  return name ?? (by === 'mall' ? say(OUTSIDE, lang) : `#${key}`)
}
