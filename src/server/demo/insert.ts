import { getTableName, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { DatabaseError } from 'pg'
import type { Db } from '#src/server/call/implement.ts'
import { copyIn } from '../db/copy.ts'

const ROWS = 2000
/** From so many on a load makes its indexes afterwards. */
export const LOAD = 20_000
/** Some rows of a table, as COPY takes them. */
type Part = { text: string | Buffer; rows: number }
type Load = { table: PgTable; names: readonly string[]; rows: number; parts: Iterable<Part> }
const columnsOf = (table: PgTable, keys: readonly string[]): PgColumn[] => {
  const wanted = new Set(keys)
  return getTableConfig(table).columns.filter(column => wanted.has(column.name))
}
const namesOf = (columns: readonly PgColumn[]) => columns.map(column => column.name)
/** Written down while the database takes those before. */
const partsOf = function* (
  rows: readonly Readonly<Record<string, unknown>>[],
  line: ReturnType<typeof lineOf>,
): Iterable<Part> {
  for (let at = 0; at < rows.length; at += ROWS) {
    const end = Math.min(rows.length, at + ROWS)
    let text = ''
    for (let n = at; n < end; n++) text += line(rows[n]!)
    yield { text, rows: end - at }
  }
}
/**
 * Inserts many rows as COPY takes them. The rows all have the keys of the first. Inside a
 * transaction that nobody else waits for: a large load takes the table's indexes away meanwhile.
 */
export const insertRows = async <T extends PgTable>(
  db: Db,
  table: T,
  rows: readonly T['$inferInsert'][],
  done: (rows: number) => void = () => {},
): Promise<void> => {
  if (rows.length === 0) return
  const given = columnsOf(table, Object.keys(rows[0]!))
  const parts = partsOf(rows, lineOf(given))
  await load(db, { table, names: namesOf(given), rows: rows.length, parts }, done)
}
/** Bytes of a part that is filled row by row. */
const PART = 256 * 1024
/**
 * Takes rows one by one, with values for the columns `keys`, to insert them later: as bytes they weigh
 * a tenth of what they do as objects, and none is swept over again and again meanwhile.
 */
export const newLoad = <T extends PgTable>(
  table: T,
  keys: readonly (keyof T['$inferInsert'] & string)[],
) => {
  const given = columnsOf(table, keys)
  const line = lineOf(given)
  const parts: Part[] = []
  let bytes = Buffer.allocUnsafe(PART)
  let [end, own, rows] = [0, 0, 0]
  const close = (): void => {
    if (own > 0) parts.push({ text: bytes.subarray(0, end), rows: own })
    end = 0
    own = 0
  }
  return {
    add: (row: T['$inferInsert']): void => {
      const text = line(row)
      // A sign takes three bytes at most.
      const most = text.length * 3
      if (end + most > bytes.length) {
        close()
        bytes = Buffer.allocUnsafe(Math.max(PART, most))
      }
      end += bytes.write(text, end)
      own++
      rows++
    },
    insert: async (db: Db): Promise<void> => {
      close()
      if (rows > 0) await load(db, { table, names: namesOf(given), rows, parts })
    },
  }
}
const load = async (
  db: Db,
  { table, names, rows, parts }: Load,
  done: (rows: number) => void = () => {},
): Promise<void> => {
  const into = `copy "${getTableName(table)}" (${names.map(name => `"${name}"`).join(', ')}) from stdin`
  const indexes =
    rows < LOAD
      ? []
      : (
          await db.execute<{ name: string; made: string }>(sql`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index where indrelid = ${`"${getTableName(table)}"`}::regclass and not exists (select 1 from pg_constraint where conindid = indexrelid)`)
        ).rows
  for (const { name } of indexes) await db.execute(sql.raw(`drop index ${name}`))
  // While the database takes some, the next are written down; one more set at a time, so that
  // memory stays small.
  let taken: Promise<unknown> = Promise.resolve()
  for (const part of parts) {
    await taken
    taken = copyIn(db, into, part.text).then(
      () => done(part.rows),
      (error: DatabaseError) => {
        throw new Error(
          `demo data for ${getTableName(table)}: ${error.message} ${error.detail ?? ''}`,
        )
      },
    )
    taken.catch(() => {})
  }
  await taken
  // Rows are found by their order or their member before the end, and what is written next may lean
  // on a key that stands once; PostgreSQL uses no index that is made after the changes that follow,
  // and every other index would be written again with each of them.
  for (const { made } of indexes)
    if (/^create unique|\((?:order|member)_id/i.test(made)) await db.execute(sql.raw(made))
    else later.set(db, [...(later.get(db) ?? []), made])
  // Plans are made for what is there now, not for the empty table of before.
  if (rows >= LOAD) await db.execute(sql`analyze ${table}`)
}

/** A row as a line of COPY's own text. */
const lineOf = (columns: readonly PgColumn[]) => {
  const fields = columns.map(({ name, columnType }, at) => ({
    name,
    before: at === 0 ? '' : '\t',
    list: columnType === 'PgArray',
    json: columnType === 'PgJsonb' || columnType === 'PgJson',
  }))
  return (row: Readonly<Record<string, unknown>>): string => {
    let line = ''
    for (const { name, before, list, json } of fields) {
      const value = row[name]
      line += before
      if (value === null || value === undefined) line += '\\N'
      else if (typeof value === 'number') line += value
      else if (json) line += escaped(JSON.stringify(value))
      else line += escaped(list ? listOf(value as readonly unknown[]) : String(value))
    }
    return `${line}\n`
  }
}
const marks: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
}
const escaped = (text: string): string =>
  /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, mark => marks[mark]!) : text
const listOf = (values: readonly unknown[]): string =>
  `{${values.map(value => (value === null ? 'null' : `"${String(value).replace(/["\\]/g, '\\$&')}"`)).join(',')}}`

const later = new WeakMap<Db, string[]>()
/** Makes the indexes that large loads left for the end. */
export const makeIndexes = async (db: Db): Promise<void> => {
  for (const made of later.get(db) ?? []) await db.execute(sql.raw(made))
  later.delete(db)
}

/**
 * Makes empty tables anew inside this transaction, where that saves writing all that follows a
 * second time into the journal: whoever finds half of it finds no such table.
 */
export const makeAnew = async (db: Db, tables: readonly PgTable[]): Promise<void> => {
  const [journal] = (await db.execute<{ wal_level: string }>(sql`show wal_level`)).rows
  if (journal?.wal_level !== 'minimal') return
  for (const table of tables) {
    const key = sql.identifier(`${getTableName(table)}_pkey`)
    await db.execute(sql`cluster ${table} using ${key}`)
    await db.execute(sql`alter table ${table} set without cluster`)
  }
}

/**
 * Rows brought their own ids; in every table the next one made comes after them. Steps ask for it in
 * between, so that a table is looked at alone: a query over all of them takes longest to plan.
 */
export const afterIds = async (db: Db): Promise<void> => {
  await db.execute(sql`
    do $$ declare one record; last bigint; begin
      for one in select t.oid::regclass as name, s.oid::regclass as sequence
        from pg_class s join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.deptype in ('a', 'i')
          join pg_class t on d.refclassid = 'pg_class'::regclass and t.oid = d.refobjid
          join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
        where s.relkind = 'S' and a.attname = 'id' and t.relnamespace = 'public'::regnamespace
      loop
        -- An empty table has no last id: its sequence stays where it is.
        continue when pg_relation_size(one.name) = 0;
        execute format('select max(id) from %s', one.name) into last;
        if last is not null then perform setval(one.sequence, last); end if;
      end loop;
    end $$`)
}
