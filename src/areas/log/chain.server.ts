/**
 * Hash chains over append-only tables: the operation log and the journal. Writers are not held up
 * by one: rows carry the number of their transaction, and once no transaction below a number can
 * still commit, the rows below it are sealed in the order of (xid, id). What changes, goes or comes
 * below a seal is found by `verifyChain`. A row of the last minute may not be sealed yet. Somebody
 * who can rewrite rows and every seal after them is only found by a hash noted elsewhere: the
 * server's own log tells each new one, and `npm run -s verify-log -- <hash>` (`verify-ledger`) asks
 * whether it still stands in the chain.
 */
import { createHash } from 'node:crypto'
import { asc, desc, eq, gt, sql } from 'drizzle-orm'
import { setting } from '#src/areas/people/people.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { START_MS } from '#src/server/db/alone.ts'
import type { Database } from '#src/server/db/database.ts'
import type { op_log_seal } from './log.table.ts'

const SEAL_ROWS = 5000
const KEEP_LOCK = 41_810
const SHIFT = 'op_log_xid_shift'
const DIGEST = 32
const first = '0'.repeat(64)
const hashOf = (prev: string, digests: Buffer): string =>
  createHash('sha256').update(prev, 'hex').update(digests).digest('hex')
/** A table whose rows have `xid` and `id`, and never change. */
export type Chain = {
  table: string
  /** The function of the database that answers the digest of a row. */
  digest: string
  seals: typeof op_log_seal
  /** The number of the advisory lock that lets one process at a time seal it. */
  lock: number
  /** Hears of the rows of a new seal, in its transaction. */
  sealed?: (tx: Db, ids: readonly number[]) => Promise<unknown>
}
type Seal = typeof op_log_seal.$inferSelect
type Digested = { id: number; at: string; digest: Buffer }

/** Rows of a chain in the order of sealing, after one position and up to another. */
const digested = async (
  db: Db,
  { table, digest }: Chain,
  of: {
    after: Pick<Seal, 'to_xid' | 'to_id'> | undefined
    upTo: ReturnType<typeof sql>
    limit?: number
  },
): Promise<Digested[]> => {
  const { after, upTo, limit } = of
  // Another name for the number as text: ordering by a name means the output column's, and texts
  // sort otherwise.
  const found =
    await db.execute<Digested>(sql`select r.id, r.xid::text as at, ${sql.identifier(digest)}(r) as digest from ${sql.identifier(table)} r
    where ${after ? sql`(r.xid, r.id) > (${after.to_xid}, ${after.to_id}) and` : sql``} ${upTo} order by r.xid, r.id ${limit ? sql`limit ${limit}` : sql``}`)
  return found.rows
}
const numbers = async (db: Db) => {
  const {
    rows: [row],
  } = await db.execute<{ xmin: string; xmax: string; shift: string }>(sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text xmin, pg_snapshot_xmax(pg_current_snapshot())::text xmax, coalesce((select (value #>> '{}') from setting where key = ${SHIFT}), '0') shift`)
  const shift = Number(row!.shift)
  return {
    horizon: Number(row!.xmin) + shift,
    next: Number(row!.xmax) + shift,
    xmax: Number(row!.xmax),
  }
}

/**
 * After a restore into another cluster transaction numbers begin anew: from here on they go on
 * above those in the chains. Once at start-up, before anything is written.
 */
export const keepOrder = (database: Database): Promise<void> => {
  const keep = async (tx: Db) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${KEEP_LOCK})`)
    const { next, xmax } = await numbers(tx)
    const {
      rows: [last],
    } = await tx.execute<{ xid: string | null }>(
      sql`select greatest((select max(xid) from op_log), (select max(xid) from ledger_txn))::text xid`,
    )
    const highest = Number(last?.xid ?? 0)
    if (highest < next) return
    const value = String(highest + 1 - xmax)
    await tx
      .insert(setting)
      .values({ key: SHIFT, value })
      .onConflictDoUpdate({ target: setting.key, set: { value } })
  }
  return database.transaction(keep, { deadlineMs: START_MS })
}

/**
 * Seals what can't change any more, at most SEAL_ROWS rows a seal; answers the new seals. Of
 * several processes one does it.
 */
export const sealChain = async (
  database: Database,
  chain: Chain,
  now: number,
): Promise<{ id: number; rows: number; hash: string }[]> => {
  const made: { id: number; rows: number; hash: string }[] = []
  for (;;) {
    const seal = await database.transaction(async tx => {
      const {
        rows: [lock],
      } = await tx.execute<{ mine: boolean }>(
        sql`select pg_try_advisory_xact_lock(${chain.lock}) mine`,
      )
      if (!lock!.mine) return undefined
      // First the horizon, then the rows: what the later statement sees below it is all there will
      // ever be.
      const { horizon } = await numbers(tx)
      const [last] = await tx.select().from(chain.seals).orderBy(desc(chain.seals.id)).limit(1)
      const rows = await digested(tx, chain, {
        after: last,
        upTo: sql`r.xid < ${horizon}`,
        limit: SEAL_ROWS,
      })
      const end = rows.at(-1)
      if (!end) return undefined
      const digests = Buffer.concat(rows.map(row => row.digest))
      const prev_hash = last?.hash ?? first
      const hash = hashOf(prev_hash, digests)
      const [{ id } = { id: 0 }] = await tx
        .insert(chain.seals)
        .values({
          created_at: now,
          to_xid: Number(end.at),
          to_id: end.id,
          ids: rows.map(row => row.id),
          digests,
          prev_hash,
          hash,
        })
        .returning({ id: chain.seals.id })
      await chain.sealed?.(
        tx,
        rows.map(row => row.id),
      )
      return { id, rows: rows.length, hash }
    })
    if (!seal) return made
    made.push(seal)
    if (seal.rows < SEAL_ROWS) return made
  }
}

type Broken = {
  kind: 'changed' | 'deleted' | 'inserted' | 'seal'
  seal_id: number
  row_id: number | null
}
export type Verified = {
  /** Seals and rows looked at by this call. */
  seals: number
  rows: number
  /** Where to go on, or null at the end of the chain. */
  next: number | null
  broken: Broken | null
  head: { seal_id: number; hash: string; at: number } | null
  /** Rows not sealed yet. */
  unsealed: number
}

const brokenIn = async (
  db: Db,
  chain: Chain,
  before: Seal | undefined,
  seal: Seal,
): Promise<Broken | null> => {
  if (
    seal.prev_hash !== (before?.hash ?? first) ||
    seal.hash !== hashOf(seal.prev_hash, seal.digests) ||
    seal.digests.length !== seal.ids.length * DIGEST
  )
    return { kind: 'seal', seal_id: seal.id, row_id: null }
  const rows = await digested(db, chain, {
    after: before,
    upTo: sql`(r.xid, r.id) <= (${seal.to_xid}, ${seal.to_id})`,
  })
  const known = new Map(
    seal.ids.map((id, at) => [id, seal.digests.subarray(at * DIGEST, (at + 1) * DIGEST)]),
  )
  const there = new Set(rows.map(row => row.id))
  const faults: Broken[] = [
    ...rows.flatMap((row): Broken[] => {
      const digest = known.get(row.id)
      if (!digest) return [{ kind: 'inserted', seal_id: seal.id, row_id: row.id }]
      return digest.equals(row.digest)
        ? []
        : [{ kind: 'changed', seal_id: seal.id, row_id: row.id }]
    }),
    ...seal.ids
      .filter(id => !there.has(id))
      .map((row_id): Broken => ({ kind: 'deleted', seal_id: seal.id, row_id })),
  ]
  return faults.sort((a, b) => a.row_id! - b.row_id!)[0] ?? null
}

/**
 * Compares a table with its seals, from the one after `after`, at most `most` of them; stops at the
 * first that does not fit.
 */
export const verifyChain = async (
  db: Db,
  chain: Chain,
  after = 0,
  most = 20,
): Promise<Verified> => {
  const { seals } = chain
  const table = sql.identifier(chain.table)
  const [head] = await db.select().from(seals).orderBy(desc(seals.id)).limit(1)
  const at = sql`(xid, id) > (${head?.to_xid ?? -1}, ${head?.to_id ?? 0})`
  const {
    rows: [open],
  } = await db.execute<{ n: number }>(sql`select count(*)::int n from ${table} where ${at}`)
  let [before] = after > 0 ? await db.select().from(seals).where(eq(seals.id, after)) : []
  const verified: Verified = {
    seals: 0,
    rows: 0,
    next: null,
    broken: null,
    head: head ? { seal_id: head.id, hash: head.hash, at: head.created_at } : null,
    unsealed: open!.n,
  }
  while (verified.seals < most) {
    const [seal] = await db
      .select()
      .from(seals)
      .where(gt(seals.id, before?.id ?? after))
      .orderBy(asc(seals.id))
      .limit(1)
    if (!seal) {
      // A number that no transaction has had yet was written by hand.
      const { next } = await numbers(db)
      const {
        rows: [forged],
      } = await db.execute<{ id: number }>(
        sql`select id from ${table} where xid >= ${next} order by xid, id limit 1`,
      )
      if (forged) verified.broken = { kind: 'inserted', seal_id: 0, row_id: forged.id }
      return verified
    }
    verified.seals++
    verified.rows += seal.ids.length
    verified.broken = await brokenIn(db, chain, before, seal)
    if (verified.broken) return verified
    before = seal
    verified.next = seal.id
  }
  return verified
}
