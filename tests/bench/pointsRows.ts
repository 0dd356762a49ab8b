import type pg from 'pg'

const DAY = 86_400
/** The rows are spread over so many days, the newest last. */
const DAYS = 540
const STEP = 1_000_000
/** Points that only few rows moved. */
const RARE_POINTS = 50_000
/** The newest rows of growth are those of a ladder that was just published: one of so many. */
const LADDER_PART = 20
const UID = (of: string) => `'PB' || (${of})`

/** What the ledgers are filled with: a row of number `g`, of one of the members from `first` on. */
const ledgers = {
  points_ledger: (made: string) => `
    insert into points_ledger (member_id, kind, biz_kind, biz_no, delta, balance_after, rule_id, lots, title, operator_id, at)
    select member_id, kind, biz_kind, 'PB' || g, case when kind in ('earn', 'adjust') then size else -size end, 1000,
      case when kind = 'earn' then 1 + g % 5 end, '[]', '测试', case when kind = 'adjust' then 1 + g % 7 end, at
    from (select *, case when g % 9973 = 0 then 'adjust' when g % 4999 = 0 then 'reverse'
        when g % 10 = 0 then 'freeze' when g % 10 = 1 then 'expire' else 'earn' end kind,
      case when g % 9973 = 0 then 'admin' when g % 4999 = 0 then 'refund' when g % 10 = 0 then 'points_shop'
        when g % 10 = 1 then 'expire' when g % 10 < 7 then 'buy' when g % 10 < 9 then 'clocked' else 'comment' end biz_kind,
      case when g % 9973 = 0 then ${RARE_POINTS} else 1 + (g::bigint * 31 % 300)::int end size from (${made}) made) row`,
  growth_ledger: (made: string) => `
    insert into growth_ledger (member_id, delta, wanted, balance_after, kind, biz_no, level_before, level_after, operator_id, at)
    select member_id, delta, delta, 1000, kind, 'PB' || g, 1, case when kind = 'ladder' or g % 9001 = 0 then 2 else 1 end,
      case when kind = 'admin' then 1 + g % 7 end, at
    from (select *, case kind when 'ladder' then 0 when 'refund' then -50 else 1 + (g::bigint * 31 % 300)::int end delta
      from (select *, case when g > most - most / ${LADDER_PART} then 'ladder' when g % 9973 = 0 then 'admin'
        when g % 4999 = 0 then 'refund' when g % 10 < 7 then 'buy' else 'sign' end kind from (${made}) made) of) row`,
} as const
/** Makes `n` rows by a statement a million, without indexes and triggers; they stand again afterwards. */
const fill = async (
  client: pg.PoolClient,
  table: keyof typeof ledgers,
  { n, first, members }: { n: number; first: number; members: number },
): Promise<void> => {
  const { rows: indexes } = await client.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
      where indrelid = $1::regclass and not indisprimary`,
    [table],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  const now = Math.floor(Date.now() / 1000)
  for (let from = 1; from <= n; from += STEP)
    await client.query(
      ledgers[
        table
      ](`select g, ${n} most, ${first} + (g::bigint * 7919 % ${members})::int member_id,
        ${now} - (${n} - g)::bigint * ${DAYS * DAY} / ${n} as at
        from generate_series(${from}, ${Math.min(n, from + STEP - 1)}) g`),
    )
  for (const { made } of indexes) await client.query(made)
  await client.query(`vacuum analyze ${table}`)
}
/**
 * Grows the ledgers of points and of growth by `n` rows each, of `members` people of their own: one
 * of a hundred lives in the city `rare_city`.
 */
export const growPoints = async (
  pool: pg.Pool,
  { n, members, rare_city }: { n: number; members: number; rare_city: number },
  say: (line: string) => void = () => {},
): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(`set maintenance_work_mem = '512MB'`)
    await client.query('set session_replication_role = replica')
    const { rows } = await client.query<{ id: number }>(
      `with made as (insert into member (uid, nickname, phone, city_id, register_at)
        select ${UID('n')}, (array['会员', '林', '顾客'])[1 + n % 3] || n, (13000000000 + n)::text,
          case when n % 100 = 0 then ${rare_city} else 1 end, 1700000000
        from generate_series(1, ${members}) n order by n returning id)
       select min(id) id from made`,
    )
    await client.query('vacuum analyze member')
    for (const table of Object.keys(ledgers) as (keyof typeof ledgers)[]) {
      await fill(client, table, { n, first: rows[0]!.id, members })
      say(`${table}: ${n.toLocaleString('en')} rows`)
    }
  } finally {
    client.release(true)
  }
}
/**
 * Every filter that the ledgers' lists take, one of each kind, the values of rows that `growPoints`
 * made: a test compares them with the contracts. `member_id` is one of its members.
 */
export const pointsFiltersOffered = (now: number, member_id: number) => {
  const day = { from: now - 30 * DAY, to: now - 29 * DAY }
  const month = { from: now - 400 * DAY, to: now - 370 * DAY }
  return {
    points: {
      none: {},
      'a member’s UID': { member: 'PB77' },
      'a member’s ID': { member: String(member_id) },
      'nobody’s UID': { member: 'no such' },
      'a frequent kind': { kind: 'earn' },
      'a rare kind': { kind: 'adjust' },
      'a kind of none': { kind: 'debt_repay' },
      'a frequent business': { biz_kind: 'buy' },
      'a rare business': { biz_kind: 'admin' },
      rule: { rule_id: 3 },
      'a rule of none': { rule_id: 999_999 },
      number: { biz_no: 'PB77777' },
      'a number of none': { biz_no: 'no such' },
      person: { operator_id: 3 },
      'much at once': { min: RARE_POINTS },
      little: { max: 2 },
      'some at once': { min: 100, max: 110 },
      'a day': day,
      'an old month': month,
      'a kind of an old month': { ...month, kind: 'earn' },
    },
    growth: {
      none: {},
      member: { member_id },
      'a UID': { keyword: 'PB77' },
      'a nickname': { keyword: '林77' },
      'a nickname of many': { keyword: '林' },
      'a nickname of none': { keyword: '绝无此人' },
      'a frequent kind': { kind: 'buy' },
      'a rare kind': { kind: 'admin' },
      'a kind of none': { kind: 'merge' },
      up: { direction: 'up' },
      down: { direction: 'down' },
      'levels alone': { level_only: true },
      'a day': day,
      'an old month': month,
      'a kind of an old month': { ...month, kind: 'buy' },
    },
  } as const
}
