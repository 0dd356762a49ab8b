import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { count, sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { admin } from '#src/areas/people/people.table.ts'
import { implementations } from '#src/implementations.ts'
import { alone } from '#src/server/db/alone.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { buildApp } from '#src/server/http/app.ts'
import { timers } from '#src/server/jobs/timers.ts'
import { ensureFirstAdmin } from '#src/server/sessions/firstAdmin.ts'
import { onlyOn } from '../farm.ts'

const TOGETHER = 3

onlyOn('postgres')('servers that start together on an empty PostgreSQL', () => {
  it('all start; the first administrator and every queue are made once', async () => {
    const { admin: address } = inject('template') as { admin: string }
    const name = `t_empty_${process.pid}`
    const client = new pg.Client(address)
    await client.connect()
    await client.query(`create database ${name}`)
    const url = new URL(address)
    url.pathname = `/${name}`
    const folder = mkdtempSync(join(tmpdir(), 'mallet-together-'))
    const databases = await Promise.all(
      // A start waits for its machine: what an answer may take is no bound of it.
      Array.from({ length: TOGETHER }, () => openDatabase({ url: url.href, deadlineMs: 1 })),
    )
    const start = async (database: (typeof databases)[number]) => {
      const first = await alone(database, async () => {
        await migrate(database)
        return ensureFirstAdmin(database, null)
      })
      const app = await buildApp({ database, modules: implementations, folder, pay: 'none' })
      await app.startJobs()
      return { app, first }
    }
    try {
      const begun = await Promise.allSettled(databases.map(start))
      expect(begun.map(one => (one.status === 'rejected' ? String(one.reason) : ''))).toEqual(
        databases.map(() => ''),
      )
      const started = begun.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
      expect(started.filter(({ first }) => first)).toHaveLength(1)
      const { db } = databases[0]!
      const [people] = await db.select({ n: count() }).from(admin)
      expect(people!.n).toBe(1)
      const { rows } = await db.execute<{ name: string }>(sql`select name from jobs.queue`)
      const names = rows.map(row => row.name)
      expect(new Set(names).size).toBe(names.length)
      expect(names).toEqual(
        expect.arrayContaining(['export', 'row-job', ...timers().map(one => one.name)]),
      )
      await Promise.all(started.map(({ app }) => app.close()))
    } finally {
      await Promise.all(databases.map(database => database.close()))
      await client.query(`drop database ${name} with (force)`)
      await client.end()
      rmSync(folder, { recursive: true, force: true })
    }
  }, 120_000)
})
