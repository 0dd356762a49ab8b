import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, inject } from 'vitest'
import { openDatabase, type Database, type DatabaseOptions } from '#src/server/db/database.ts'
import { atEnd } from './farm/ends.ts'

export const flavour = () => inject('template').flavour
/**
 * `describe` for what only one flavour has: real concurrency, another process on the same database.
 */
export const onlyOn = (which: 'lite' | 'postgres') => describe.runIf(flavour() === which)

/** A name no other test has. */
let made = 0
const fresh = () => `t_${process.pid}_${Date.now()}_${++made}`

/**
 * Where a new copy of the template is: the options that open it. For tests that open, kill and open
 * again.
 */
export const copyOfTemplate = async (): Promise<{
  options: DatabaseOptions
  remove: () => Promise<void>
}> => {
  const template = inject('template')
  const name = fresh()
  if (template.flavour === 'lite') {
    const folder = join(template.copies, name)
    cpSync(template.folder, folder, { recursive: true })
    return {
      options: { folder },
      remove: async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
    }
  }
  const run = async (sql: string) => {
    const admin = new pg.Client(template.admin)
    await admin.connect()
    await admin.query(sql)
    await admin.end()
  }
  // Copying files is half the work of writing each page to the log of a server that is thrown away.
  await run(`create database ${name} template ${template.template} strategy file_copy`)
  const url = new URL(template.admin)
  url.pathname = `/${name}`
  return {
    options: { url: url.href },
    remove: () => run(`drop database if exists ${name} with (force)`),
  }
}

/**
 * What hangs, or takes too long, has tests of its own (db/embedded.test.ts, db/database.test.ts); a
 * busy machine is no fault.
 */
const PATIENT_MS = 60_000
const patient = { watchdogMs: PATIENT_MS, deadlineMs: PATIENT_MS, connectMs: PATIENT_MS }

/** A database of the file's own, with the demo data; it goes when the file's tests are done. */
export const openCopy = async (more: Partial<DatabaseOptions> = {}): Promise<Database> => {
  const copy = await copyOfTemplate()
  const database = await openDatabase({ ...copy.options, ...patient, ...more })
  atEnd(async () => {
    await database.close()
    await copy.remove()
  })
  return database
}
