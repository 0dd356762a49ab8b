import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { inMemory } from './inMemory.ts'
import { startPostgres, type Postgres } from './postgres.ts'

/** Where the copies of a flavour are made from. */
export type Template =
  | { flavour: 'lite'; folder: string; copies: string; admin: string; grown: string }
  | { flavour: 'postgres'; version: string; admin: string; template: string; pid: number }
declare module 'vitest' {
  interface ProvidedContext {
    template: Template
  }
}

const TEMPLATE = 'template_farm'
/** The server on which a run's demo data grows, and how many projects still need it. */
type Shared = { server: Promise<Postgres>; grown: Promise<string>; users: number }
const grow = async (server: Postgres): Promise<string> => {
  const admin = new pg.Client(server.url('postgres'))
  await admin.connect()
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const { grow: fill } = await import('./template.ts')
  await fill(server.url(TEMPLATE))
  return server.url(TEMPLATE)
}
// Each project has modules of its own, and this one so often.
const shared = globalThis as { [key: symbol]: Shared | undefined }
const key = Symbol.for('the template of the tests')
const share = (): Shared => {
  const begin = (): Shared => {
    const server = startPostgres()
    const grown = server.then(grow)
    // It is heard where it is waited for, after the embedded one has its schema.
    grown.catch(() => {})
    return { server, grown, users: 0 }
  }
  const of = (shared[key] ??= begin())
  of.users++
  return of
}
const leave = async (of: Shared): Promise<void> => {
  if (--of.users > 0) return
  delete shared[key]
  await (await of.server).stop()
}

/**
 * Once a run: a database with the schema and a small set of demo data, from which every test file
 * gets a copy of its own. It grows on PostgreSQL, and the embedded one takes it over.
 */
export default async function setup(project: TestProject) {
  const flavour = project.config.env.TEST_FLAVOUR
  const of = share()
  try {
    return await (flavour === 'lite' ? lite(project, of) : postgres(project, of))
  } catch (error) {
    await leave(of)
    throw error
  }
}
const lite = async (project: TestProject, of: Shared) => {
  const copies = mkdtempSync(join(inMemory(), 'mallet-lite-'))
  const folder = join(copies, 'template')
  const { copyInto } = await import('./template.ts')
  await copyInto(folder, of.grown)
  const admin = (await of.server).url('postgres')
  project.provide('template', { flavour: 'lite', folder, copies, admin, grown: TEMPLATE })
  return async () => {
    rmSync(copies, { recursive: true, force: true, maxRetries: 5 })
    await leave(of)
  }
}
const postgres = async (project: TestProject, of: Shared) => {
  await of.grown
  const server = await of.server
  project.provide('template', {
    flavour: 'postgres',
    version: server.version,
    admin: server.url('postgres'),
    template: TEMPLATE,
    pid: server.pid,
  })
  return () => leave(of)
}
