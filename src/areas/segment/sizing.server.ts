import { sql, type SQL } from 'drizzle-orm'
import { member as m } from '#src/areas/member/member.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { faultOf } from '#src/server/db/faults.ts'
import type { Compiling } from './compile.server.ts'
import { drawnIds } from './drawing.ts'
import { conditionsOf, type Rule } from './rule.ts'
import { fieldOf, type FieldKey } from './ruleFields.ts'
import type { Sized } from './segment.ts'

/** Up to so many members all are looked at; beyond that some of them, and the answer says so. */
const EXACT_MOST = 20_000
const SAMPLE = 4000
const SAMPLE_LEAST = 1000
/** So few of the sample say little: the database is asked for all of them, for a moment only. */
const FEW = 20
const ALL_MS = 80
const SAMPLE_MS = 800
/** People who are shown beside a number. */
export const SHOWN_PEOPLE = 20

/** A rule of many conditions that each look elsewhere is tried on fewer members. */
const sampleOf = (rule: Rule): number => {
  const heavy = conditionsOf(rule).filter(node => {
    const { kind } = fieldOf(node.is as FieldKey)
    return kind === 'refs' || kind === 'orders' || node.is === 'last_use' || node.is === 'friend'
  }).length
  return Math.max(SAMPLE_LEAST, Math.floor((SAMPLE * 4) / Math.max(4, heavy)))
}
/** What a query answers within some milliseconds; undefined where it takes longer. */
const within = async <T>(db: Db, ms: number, run: (tx: Db) => Promise<T>) => {
  try {
    return await db.transaction(async tx => {
      await tx.execute(sql.raw(`set local statement_timeout = ${ms}`))
      return run(tx)
    })
  } catch (error) {
    if (faultOf(error)?.code === '57014') return undefined
    throw error
  }
}
const countAll = async (db: Db, where: SQL): Promise<number> =>
  (await db.execute<{ n: number }>(sql`select count(*)::int as n from ${m} where ${where}`))
    .rows[0]!.n
const firstOf = async (db: Db, where: SQL): Promise<number[]> =>
  (
    await db.execute<{ id: number }>(
      sql`select ${m.id} as id from ${m} where ${where} order by ${m.id} desc limit ${SHOWN_PEOPLE}`,
    )
  ).rows.map(row => row.id)

type Asked = { rule: Rule; now: number; where: (of: Compiling) => SQL | undefined }
/** How many members of a sample there are, told for all of them. */
const told = (hits: number, sampled: number, last: number): Sized => {
  const share = hits / sampled
  return {
    n: Math.round(share * last),
    how: 'sample',
    give: Math.round(1.96 * Math.sqrt((share * (1 - share)) / sampled) * last),
    sampled,
  }
}
/** The most that there can be where so few of the sample were found, 95 times of 100. */
const atMost = (hits: number, sampled: number, last: number): Sized => ({
  n: Math.ceil(((hits + 1.92 + 1.96 * Math.sqrt(hits + 0.96)) / sampled) * last),
  how: 'below',
  give: 0,
  sampled,
})
const everybody = async (db: Db, { where, now }: Asked) => {
  const all = where({ now, probe: false }) ?? sql`true`
  const n = await countAll(db, all)
  const size: Sized = { n, how: 'exact', give: 0, sampled: 0 }
  return { size, ids: n === 0 ? [] : await firstOf(db, all) }
}
/**
 * How many members a condition holds of, while somebody writes it, and some of them. Beyond
 * EXACT_MOST members it is estimated from a sample of all ids; what is rare is counted where the
 * database can do that in a moment.
 */
export const sizeOf = async (db: Db, asked: Asked): Promise<{ size: Sized; ids: number[] }> => {
  const { where, now, rule } = asked
  const { rows } = await db.execute<{ last: number }>(
    sql`select coalesce(max(${m.id}), 0)::int as last from ${m}`,
  )
  const { last } = rows[0]!
  if (last <= EXACT_MOST) return everybody(db, asked)
  const ids = drawnIds(last, sampleOf(rule))
  const tried = await within(db, SAMPLE_MS, tx =>
    tx.execute<{ id: number }>(
      sql`select ${m.id} as id from ${m}
        where ${m.id} = any(${sql.param(`{${ids.join()}}`)}::int[])
          and ${where({ now, probe: true }) ?? sql`true`}`,
    ),
  )
  // Nothing is known of it but that it takes too long.
  if (!tried) return { size: { n: last, how: 'below', give: 0, sampled: 0 }, ids: [] }
  const hits = tried.rows.map(row => row.id)
  if (hits.length >= FEW)
    return { size: told(hits.length, ids.length, last), ids: hits.slice(0, SHOWN_PEOPLE) }
  const rare = await within(db, ALL_MS, tx => everybody(tx, asked))
  return rare ?? { size: atMost(hits.length, ids.length, last), ids: hits }
}
