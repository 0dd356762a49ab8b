import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Without these no PostgreSQL opens a folder; the first of them missing, PGlite makes a new one. */
const VITAL = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal'] as const
/** Folders beside the database whose files its rows tell of. */
const BESIDE = ['uploads', 'exports'] as const

const isEmpty = (folder: string) => !existsSync(folder) || readdirSync(folder).length === 0
const advice = (folder: string) =>
  `Nothing was changed. Put ${folder} back from a backup, or set MALLET_DATA to another folder to begin anew.`

/**
 * True where there is no database yet and one may be made. Throws, in words that say what to do,
 * where one has been: files that belong to it stand beside its place.
 */
export const isNew = (folder: string): boolean => {
  if (!isEmpty(folder)) return false
  const left = BESIDE.map(name => join(dirname(folder), name)).find(beside => !isEmpty(beside))
  if (left)
    throw new Error(
      `the database in ${folder} is gone, while its files in ${left} are there. ${advice(folder)}`,
    )
  return true
}

/** Throws, in words that say what to do, where a file is missing that every database has. */
export const refuseDamaged = (folder: string): void => {
  const missing = VITAL.find(name => !existsSync(join(folder, name)))
  if (missing)
    throw new Error(
      `the database in ${folder} is damaged: ${missing} is missing. ${advice(folder)}`,
    )
}

/** What to say where the engine could not open the folder; it has no words of its own for that. */
export const unopened = (folder: string, error: unknown): Error =>
  new Error(
    `the database in ${folder} can not be opened (${error instanceof Error ? error.message : String(error)}): files of it are damaged, missing or not to be read. ${advice(folder)}`,
  )
