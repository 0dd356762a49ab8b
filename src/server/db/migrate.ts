import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import type { Database } from './database.ts'

/**
 * Brings the database to the newest schema. Several processes may start at once: each does it
 * `alone` (alone.ts).
 */
export const migrate = (database: Database): Promise<void> =>
  database.unhurried(async () => {
    const client = await database.pool.connect()
    try {
      await client.query('set statement_timeout = 0')
      await runMigrations(drizzle(client), { migrationsFolder: migrationsFolder() })
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
