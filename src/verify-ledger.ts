import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { ledger_seal } from '#src/areas/ledger/ledger.table.ts'
import { recountLedger, verifyLedgerChain } from '#src/areas/ledger/verify.server.ts'
import { readConfig } from '#src/server/http/config.ts'
import { openDatabase } from './server/db/database.ts'

/**
 * `npm run -s verify-ledger [-- <hash noted earlier>]`: recounts the journal and compares it with
 * its seals; ends with 1 where a row does not fit, which it names, with 2 where the noted hash is
 * gone.
 */
const config = readConfig(process.env)
const database = await openDatabase(
  config.database_url ? { url: config.database_url } : { folder: join(config.data, 'database') },
)
const noted = process.argv[2]
const [seals, rows] = [{ n: 0 }, { n: 0 }]
let at = await verifyLedgerChain(database.db)
for (;;) {
  seals.n += at.seals
  rows.n += at.rows
  if (at.next === null || at.broken) break
  at = await verifyLedgerChain(database.db, at.next)
}
// A recount of millions of entries takes longer than a query of the server may.
const misfit = await database.snapshot(async db => {
  await db.execute(sql`set local statement_timeout = 0`)
  return recountLedger(db)
})
const known =
  noted === undefined ||
  (
    await database.db
      .select({ id: ledger_seal.id })
      .from(ledger_seal)
      .where(eq(ledger_seal.hash, noted))
  ).length > 0
await database.close()
const fits = !at.broken && !misfit
process.stdout.write(
  `${JSON.stringify({ ok: fits && known, seals: seals.n, transactions: rows.n, unsealed: at.unsealed, broken: at.broken, misfit: misfit ?? null, head: at.head, ...(noted !== undefined && { noted_hash_found: known }) }, null, 2)}\n`,
)
process.exitCode = fits ? Number(!known) * 2 : 1
