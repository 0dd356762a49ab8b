import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import type { Database } from './database.ts'

/** Any number will do, as long as every process of ours takes the same. */
const LOCK = 4_180_001

/**
 * Brings the database to the newest schema. Several processes may start at once: one migrates, the
 * others wait for it.
 */
export const migrate = (database: Database): Promise<void> =>
  database.unhurried(async () => {
    const client = await database.pool.connect()
    try {
      await client.query('set statement_timeout = 0')
      await client.query('select pg_advisory_lock($1)', [LOCK])
      await runMigrations(drizzle(client), { migrationsFolder: migrationsFolder() })
      await client.query('select pg_advisory_unlock($1)', [LOCK])
      await client.query('reset statement_timeout')
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    }
  })

/** The folder of migrations, found from the source and from the built bundle alike. */
const migrationsFolder = () => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, 'src/server/db/migrations')
    if (existsSync(found)) return found
    if (folder === dirname(folder)) throw new Error('src/server/db/migrations is missing')
  }
}
