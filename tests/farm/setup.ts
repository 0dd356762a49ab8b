import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { CODE_KEYS } from './codeKeys.ts'
import { inMemory } from './inMemory.ts'
import { startPostgres } from './postgres.ts'

/** Where the copies of a flavour are made from. */
export type Template =
  | { flavour: 'lite'; folder: string; copies: string }
  | { flavour: 'postgres'; version: string; admin: string; template: string; pid: number }
declare module 'vitest' {
  interface ProvidedContext {
    template: Template
  }
}

/**
 * Once a run and flavour: a database with the schema and a small set of demo data, from which every
 * test file gets a copy of its own.
 */
export default async function setup(project: TestProject) {
  const flavour = project.config.env.TEST_FLAVOUR
  if (flavour === 'lite') {
    const copies = mkdtempSync(join(inMemory(), 'mallet-lite-'))
    const folder = join(copies, 'template')
    await fill({ folder })
    project.provide('template', { flavour, folder, copies })
    return () => rmSync(copies, { recursive: true, force: true, maxRetries: 5 })
  }
  const server = await startPostgres()
  const admin = new pg.Client(server.url('postgres'))
  await admin.connect()
  await admin.query('create database template_farm')
  await admin.end()
  await fill({ url: server.url('template_farm') })
  project.provide('template', {
    flavour: 'postgres',
    version: server.version,
    admin: server.url('postgres'),
    template: 'template_farm',
    pid: server.pid,
  })
  return () => server.stop()
}

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
  for (const { told } of rows) await db.execute(sql.raw(told))
}

const fill = async (where: { folder: string } | { url: string }) => {
  const database = await openDatabase(where)
  await migrate(database)
  await onTestsTime(database)
  await database.unhurried(() =>
    seedDemo(database.db, { seed: 7, scale: 0.02, codeKeys: CODE_KEYS }),
  )
  // Tests go back to days of long ago, when nobody had closed them; who asks of closed days closes
  // some.
  await database.db.execute(sql`delete from settle_day`)
  await database.close()
}
