import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Verified } from '#src/areas/log/chain.server.ts'
import { op_log_seal } from '#src/areas/log/log.table.ts'
import { verifyLog } from '#src/areas/log/seal.server.ts'
import { readConfig } from '#src/server/http/config.ts'
import { openDatabase } from './server/db/database.ts'

/**
 * `npm run -s verify-log [-- <hash noted earlier>]`: compares the operation log with its seals;
 * ends with 1 where something was changed, with 2 where the noted hash is gone.
 */
const config = readConfig(process.env)
const database = await openDatabase(
  config.database_url ? { url: config.database_url } : { folder: join(config.data, 'database') },
)
const noted = process.argv[2]
let seals = 0
let rows = 0
let at: Verified = { seals: 0, rows: 0, next: 0, broken: null, head: null, unsealed: 0 }
while (at.next !== null && !at.broken) {
  at = await verifyLog(database.db, at.next)
  seals += at.seals
  rows += at.rows
}
const known =
  noted === undefined ||
  (
    await database.db
      .select({ id: op_log_seal.id })
      .from(op_log_seal)
      .where(eq(op_log_seal.hash, noted))
  ).length > 0
await database.close()
process.stdout.write(
  `${JSON.stringify({ ok: !at.broken && known, seals, rows, unsealed: at.unsealed, broken: at.broken, head: at.head, ...(noted !== undefined && { noted_hash_found: known }) }, null, 2)}\n`,
)
const whenWhole = known ? 0 : 2
process.exitCode = at.broken ? 1 : whenWhole
