import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { sealChain, verifyChain, type Chain } from './chain.server.ts'
import { op_log_seal } from './log.table.ts'

const chain: Chain = {
  table: 'op_log',
  digest: 'op_log_digest',
  seals: op_log_seal,
  lock: 41_810,
}
/** Seals the operation log (`sealChain`). */
export const sealLog = (database: Database, now: number) => sealChain(database, chain, now)
/** Compares the operation log with its seals (`verifyChain`). */
export const verifyLog = (db: Db, after = 0, most = 20) => verifyChain(db, chain, after, most)
