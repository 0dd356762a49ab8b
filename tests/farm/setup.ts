import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { startPostgres } from './postgres.ts'

/** Where the copies of a flavour are made from. */
export type Template = { flavour: 'lite'; folder: string; copies: string } | { flavour: 'postgres'; version: string; admin: string; template: string; pid: number }
declare module 'vitest' {
  interface ProvidedContext { template: Template }
}

/** Once a run and flavour: a database with the schema and a small set of demo data, from which every test file gets a copy of its own. */
export default async function setup(project: TestProject) {
  const flavour = project.config.env.TEST_FLAVOUR
  if (flavour === 'lite') {
    const copies = mkdtempSync(join(tmpdir(), 'mallet-lite-'))
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
  project.provide('template', { flavour: 'postgres', version: server.version, admin: server.url('postgres'), template: 'template_farm', pid: server.pid })
  return () => server.stop()
}

const fill = async (where: { folder: string } | { url: string }) => {
  const database = await openDatabase(where)
  await migrate(database)
  await database.unhurried(() => seedDemo(database.db, { seed: 7, scale: 0.02 }))
  await database.close()
}
