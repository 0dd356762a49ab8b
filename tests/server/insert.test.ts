// Run @embedded too: the statement has forms of its own.
import { sql } from 'drizzle-orm'
import { boolean, bigint, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { beforeAll, expect, it } from 'vitest'
import type { Database } from '#src/server/db/database.ts'
import { afterIds, insertRows, LOAD, makeIndexes } from '#src/server/demo/insert.ts'
import { openCopy } from '../farm.ts'

const odd = pgTable('odd', {
  note: text().notNull().default('as ever'),
  id: integer().notNull(),
  big: bigint({ mode: 'number' }),
  yes: boolean(),
  body: jsonb(),
  words: text().array(),
  numbers: integer().array(),
  kept: text().default('untold'),
})
const words = [
  '',
  'null',
  'NULL',
  '\\N',
  '\\.',
  'a\tb',
  'line\nbreak\r\n',
  'back\\slash',
  '"quoted"',
  '{braces, commas}',
  '中文 🙂',
  ' spaces ',
]

let database: Database
beforeAll(async () => {
  database = await openCopy()
})

const wordsOf = (word: string, at: number): string[] | null => {
  if (at === 2) return null
  return at === 3 ? [] : [word, 'x']
}
it('writes rows as they are, whatever their texts hold', async () => {
  const rows = words.map((word, at) => ({
    note: word,
    id: at,
    big: at % 2 ? 9_007_199_254_740_991 : null,
    yes: at % 3 === 0,
    body: at === 0 ? null : { word, list: [word, null, 1.5, true] },
    words: wordsOf(word, at),
    numbers: [at, -1 - at],
  }))
  await database.db.transaction(async tx => {
    await tx.execute(
      sql`create temp table odd (note text not null default 'as ever', id int not null, big bigint, yes boolean, body jsonb, words text[], numbers int[], kept text default 'untold') on commit drop`,
    )
    const told: number[] = []
    await insertRows(tx, odd, rows, n => told.push(n))
    expect(await tx.select().from(odd).orderBy(odd.id)).toEqual(
      rows.map(row => ({ ...row, kept: 'untold' })),
    )
    expect(told).toEqual([words.length])
  })
})
it('says which table refused what, undoes all of it, and leaves the connection whole', async () => {
  await expect(
    database.db.transaction(async tx => {
      await tx.execute(sql`create table odd (id int primary key)`)
      await insertRows(tx, pgTable('odd', { id: integer() }), [{ id: 1 }, { id: 2 }, { id: 1 }])
    }),
  ).rejects.toThrow(/demo data for odd: duplicate key .*\(id\)=\(1\)/)
  expect(
    (
      await database.db.execute<{ there: string | null }>(
        sql`select to_regclass('public.odd') as there`,
      )
    ).rows,
  ).toEqual([{ there: null }])
})
it('keeps what must be unique so while the rest of the demo grows on a large load', async () => {
  const keyed = pgTable('keyed', { key: text().notNull(), of: integer().notNull() })
  const rows = Array.from({ length: LOAD }, (_, at) => ({ key: `k${at}`, of: at }))
  await database.db.transaction(async tx => {
    await tx.execute(sql`create temp table keyed (key text not null, of int) on commit drop`)
    await tx.execute(sql`create unique index keyed_key on keyed (key)`)
    await tx.execute(sql`create index keyed_of on keyed (of)`)
    const indexes = async () =>
      (
        await tx.execute<{ indexname: string }>(
          sql`select indexname from pg_indexes where tablename = 'keyed' order by 1`,
        )
      ).rows.map(({ indexname }) => indexname)
    await insertRows(tx, keyed, rows)
    expect(await indexes()).toEqual(['keyed_key'])
    const again = await tx
      .insert(keyed)
      .values({ key: 'k1', of: 0 })
      .onConflictDoNothing({ target: keyed.key })
      .returning()
    expect(again).toEqual([])
    await makeIndexes(tx)
    expect(await indexes()).toEqual(['keyed_key', 'keyed_of'])
  })
})

it('the next id comes after those that rows brought, and an empty table begins as before', async () => {
  const run = (text: string) => database.db.execute<{ id: number }>(sql.raw(text))
  await run('create table "Own ids" (id serial primary key, n int)')
  await run('create table no_ids (id serial primary key, n int)')
  await run('insert into "Own ids" (id, n) values (7, 1), (3, 2)')
  await afterIds(database.db)
  const next = async (table: string) =>
    (await run(`insert into ${table} (n) values (3) returning id`)).rows[0]!.id
  expect(await next('"Own ids"')).toBe(8)
  expect(await next('no_ids')).toBe(1)
})
