import { sql } from 'drizzle-orm'
import pg, { type Connection, type Submittable } from 'pg'
import { copyIn } from '#src/server/db/copy.ts'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { CODE_KEYS } from './codeKeys.ts'

/**
 * PostgreSQL goes by a clock of its own, of which rows get their times where nobody says them: it
 * is set to the tests' (`clock.mjs`), to the millisecond.
 */
const onTestsTime = async ({ db }: Database) => {
  const {
    rows: [clock],
  } = await db.execute<{ at: number }>(sql`select extract(epoch from clock_timestamp())::float8 at`)
  const { rows } = await db.execute<{ told: string }>(sql`
    select format('alter table %I alter %I set default floor(extract(epoch from now()) + (%s))::bigint', table_name, column_name, ${(Date.now() / 1000 - clock!.at).toFixed(3)}::text) told
      from information_schema.columns where table_schema = 'public' and column_default like '%now()%'`)
  await db.execute(sql.raw(rows.map(({ told }) => told).join(';')))
}

/** Makes the schema and grows a small set of demo data in an empty database. */
export const grow = async (url: string): Promise<void> => {
  const database = await openDatabase({ url })
  try {
    await migrate(database)
    await onTestsTime(database)
    await seedDemo(database.db, { seed: 7, scale: 0.02, codeKeys: CODE_KEYS })
    // Tests go back to days of long ago, when nobody had closed them; who asks of closed days
    // closes some.
    await database.db.execute(sql`delete from settle_day`)
  } finally {
    await database.close()
  }
}

/** The rows of a table as COPY writes them. */
class CopyOut implements Submittable {
  readonly #parts: Buffer[] = []
  #done!: (text: string) => void
  #failed!: (why: Error) => void
  readonly text = new Promise<string>((done, failed) => {
    this.#done = done
    this.#failed = failed
  })
  constructor(readonly from: string) {}
  submit(connection: Connection) {
    connection.query(this.from)
  }
  handleCopyData({ chunk }: { chunk: Buffer }) {
    // What was read lies where the next is read to.
    this.#parts.push(Buffer.from(chunk))
  }
  handleCommandComplete() {}
  handleError(why: Error) {
    this.#failed(why)
  }
  handleReadyForQuery() {
    this.#done(Buffer.concat(this.#parts).toString())
  }
}
const rowsOf = (client: pg.Client, table: string): Promise<string> => {
  const copy = new CopyOut(`copy ${table} to stdout`)
  client.query(copy)
  return copy.text
}

type Table = { name: string; columns: string }
/** Every table by its name, with the columns that are written. */
const tablesOf = async (client: pg.Client): Promise<Table[]> =>
  (
    await client.query<Table>(`
      select format('%I', c.relname) as name, string_agg(format('%I', a.attname), ', ' order by a.attnum) as columns
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.oid order by 1`)
  ).rows

/** The triggers that work whatever a session says, with the table that each is on. */
const stubborn = sql`
  select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as off,
      format('alter table %s enable always trigger %I', tgrelid::regclass, tgname) as again
    from pg_trigger where tgenabled = 'A'`

/** Puts what a PostgreSQL holds into an embedded database that has its schema. */
const carry = async (url: string, { db }: Database): Promise<void> => {
  const from = new pg.Client(url)
  await from.connect()
  const tables = await tablesOf(from)
  const triggers = (await db.execute<{ off: string; again: string }>(stubborn)).rows
  const sequences = await from.query<{ set: string }>(`
    select format('setval(%L, %s)', format('%I.%I', schemaname, sequencename), last_value) as set
      from pg_sequences where schemaname = 'public' and last_value is not null`)
  await db.transaction(async tx => {
    // The rows are whole already: no reference is asked for, no trigger does its work again.
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql.raw(triggers.map(({ off }) => off).join(';')))
    await tx.execute(sql.raw(`truncate ${tables.map(({ name }) => name).join(', ')}`))
    for (const { name, columns } of tables) {
      const rows = await rowsOf(from, `${name} (${columns})`)
      if (rows) await copyIn(tx, `copy ${name} (${columns}) from stdin`, rows)
    }
    await tx.execute(sql.raw(triggers.map(({ again }) => again).join(';')))
    await tx.execute(sql.raw(`select ${sequences.rows.map(({ set }) => set).join(', ')}`))
  })
  await from.end()
}

/**
 * Makes an embedded database in a folder, with what a PostgreSQL has `grown`: growing the demo once
 * more takes five times as long there.
 */
export const copyInto = async (folder: string, grown: Promise<string>): Promise<void> => {
  const database = await openDatabase({ folder })
  try {
    await migrate(database)
    await database.unhurried(() => onTestsTime(database))
    const url = await grown
    await database.unhurried(async () => {
      await carry(url, database)
      await database.db.execute(sql`analyze`)
    })
  } finally {
    await database.close()
  }
}
