import { getTableName, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../implement.ts'

const ROWS = 2000
/** From so many on a load makes its indexes afterwards. */
const LOAD = 20_000
/** Inserts many rows with few statements: each carries its rows as one JSON value. The rows all have the keys of the first. Inside a transaction that nobody else waits for: a large load takes the table's indexes away meanwhile. */
export const insertRows = async <T extends PgTable>(db: Db, table: T, rows: readonly T['$inferInsert'][], done: (rows: number) => void = () => {}): Promise<void> => {
  if (rows.length === 0) return
  const { columns } = getTableConfig(table)
  const keys = new Set(Object.keys(rows[0]!))
  const given = columns.filter(column => keys.has(column.name))
  const names = sql.join(given.map(column => sql.identifier(column.name)), sql`, `)
  const typed = sql.join(given.map(column => sql`${sql.identifier(column.name)} ${sql.raw(column.getSQLType())}`), sql`, `)
  const indexes = rows.length < LOAD ? [] : (await db.execute<{ name: string; made: string }>(sql`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index where indrelid = ${`"${getTableName(table)}"`}::regclass and not exists (select 1 from pg_constraint where conindid = indexrelid)`)).rows
  for (const { name } of indexes) await db.execute(sql.raw(`drop index ${name}`))
  // While the database takes some, the next are written down; one more set at a time, so that memory stays small.
  let taken: Promise<unknown> = Promise.resolve()
  for (let at = 0; at < rows.length; at += ROWS) {
    const some = rows.slice(at, at + ROWS)
    const text = JSON.stringify(some)
    await taken
    taken = db.execute(sql`insert into ${table} (${names}) select ${names} from json_to_recordset(${text}::json) as given(${typed})`).then(() => done(some.length), (error: unknown) => {
      // The query's own text is megabytes; the database's answer says all.
      const cause = (error as { cause?: { message?: string; detail?: string } }).cause
      throw new Error(`demo data for ${getTableName(table)}: ${cause?.message ?? String(error)} ${cause?.detail ?? ''}`)
    })
    taken.catch(() => {})
  }
  await taken
  // Joins by the order come before the end; every other index would be written again with every change that follows.
  for (const { made } of indexes) if (/\(order_id/.test(made)) await db.execute(sql.raw(made)); else later.set(db, [...(later.get(db) ?? []), made])
}
const later = new WeakMap<Db, string[]>()
/** Makes the indexes that large loads left for the end. */
export const makeIndexes = async (db: Db): Promise<void> => {
  for (const made of later.get(db) ?? []) await db.execute(sql.raw(made))
  later.delete(db)
}

/** Makes empty tables anew inside this transaction, where that saves writing all that follows a second time into the journal: whoever finds half of it finds no such table. */
export const makeAnew = async (db: Db, tables: readonly PgTable[]): Promise<void> => {
  const [journal] = (await db.execute<{ wal_level: string }>(sql`show wal_level`)).rows
  if (journal?.wal_level !== 'minimal') return
  for (const table of tables) {
    const key = sql.identifier(`${getTableName(table)}_pkey`)
    await db.execute(sql`cluster ${table} using ${key}`)
    await db.execute(sql`alter table ${table} set without cluster`)
  }
}

/** Rows brought their own ids; the next one made comes after them. */
export const afterIds = async (db: Db, tables: readonly PgTable[]): Promise<void> => {
  for (const table of tables) await db.execute(sql`select setval(pg_get_serial_sequence(${`"${getTableName(table)}"`}, 'id'), greatest((select max(id) from ${table}), 1))`)
}
