import { openDatabase, type Database } from '#src/server/db/database.ts'
import { patiently } from '#src/server/db/patiently.ts'

/** The database of the server whose pages a journey opens, by its socket's folder. */
export const openOfServer = async (socket: string): Promise<Database> => {
  const database = await openDatabase({
    url: `postgresql://postgres@/postgres?host=${encodeURIComponent(socket)}`,
    poolSize: 2,
  })
  // On a busy machine the first connection may be long in coming.
  await patiently(
    () => database.pool.query('select 1'),
    () => false,
  )
  return database
}
