/** How codes of cards are locked, changed by one guarded UPDATE and counted, in the caller's transaction. */
import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { countedAs } from './codeLife.ts'
import { batchOfDay, makeCodes, type Code } from './codeMaking.server.ts'
import { ecard, ecard_attr, ecard_code, ecard_ledger } from './ecard.table.ts'

const t = ecard_code
export type Ledger = typeof ecard_ledger.$inferSelect
type Fields = Partial<Record<keyof Code, unknown>>
/** Codes, locked in the order of ids. */
export const lock = (tx: Db, where: SQL | undefined): Promise<Code[]> =>
  tx.select().from(t).where(where).orderBy(asc(t.id)).for('update')
/** Counts of faces follow their codes, one face after the other in the order of ids. */
const count = async (
  tx: Db,
  moved: readonly { was: Pick<Code, 'attr_id' | 'state' | 'before_freeze'>; is: Code }[],
): Promise<void> => {
  const faces = new Map<number, Record<string, number>>()
  for (const { was, is } of moved) {
    const face = faces.get(was.attr_id) ?? {}
    const [before, after] = [countedAs(was), countedAs(is)]
    face[before] = (face[before] ?? 0) - 1
    face[after] = (face[after] ?? 0) + 1
    faces.set(was.attr_id, face)
  }
  for (const [id, face] of [...faces].sort(([a], [b]) => a - b)) await countFace(tx, id, face)
}
const countFace = async (tx: Db, id: number, by: Record<string, number>): Promise<void> => {
  const a = ecard_attr
  const set = {
    free_n: sql`${a.free_n} + ${by['free_n'] ?? 0}`,
    held_n: sql`${a.held_n} + ${by['held_n'] ?? 0}`,
    sold_n: sql`${a.sold_n} + ${by['sold_n'] ?? 0}`,
    void_n: sql`${a.void_n} + ${by['void_n'] ?? 0}`,
  }
  const sold = by['sold_n'] ?? 0
  if (Object.values(by).some(n => n !== 0)) await tx.update(a).set(set).where(eq(a.id, id))
  if (sold !== 0)
    await tx
      .update(ecard)
      .set({ sold: sql`${ecard.sold} + ${sold}` })
      .where(sql`${ecard.id} = (select card_id from ecard_attr where id = ${id})`)
}
/** New free codes of a face, counted. */
export const addFree = (tx: Db, attr_id: number, n: number): Promise<void> =>
  countFace(tx, attr_id, { free_n: n })

/** Changes locked codes, all of which may have that now; their faces' counts follow. */
export const change = async (
  tx: Db,
  were: readonly Code[],
  set: Fields,
  now: number,
): Promise<Code[]> => {
  if (were.length === 0) return []
  const ids = were.map(one => one.id)
  const rows = await tx
    .update(t)
    .set({ ...(set as object), updated_at: now, version: sql`${t.version} + 1` })
    .where(and(inArray(t.id, ids), inArray(t.state, [...new Set(were.map(one => one.state))])))
    .returning()
  const by = new Map(rows.map(row => [row.id, row]))
  const done = were.map(was => ({ was, is: by.get(was.id)! }))
  await count(tx, done)
  return done.map(({ is }) => is)
}
/** A row of the ledger that a code's balance is told by. */
export const book = async (
  tx: Db,
  of: Pick<Code, 'id' | 'balance_cents'>,
  row: Pick<typeof ecard_ledger.$inferInsert, 'type' | 'amount_cents' | 'created_at'> &
    Partial<typeof ecard_ledger.$inferInsert>,
): Promise<Ledger> => {
  const [made] = await tx
    .insert(ecard_ledger)
    .values({ owner: 'code', code_id: of.id, balance_after_cents: of.balance_cents, ...row })
    .returning()
  return made!
}

const fewLeft = (n: number) =>
  ruled('few_codes', ['库存不足，仅剩 {n} 张，请减少数量或补充卡密', 'Only {n} codes are left'], {
    n,
  })
/**
 * Locks so many free codes of a face, all or none, past those that others are taking; where its
 * card's codes are made here, those that lack are made. Throws 422 `few_codes`.
 */
export const takeFree = async (
  tx: Db,
  sealer: Sealer,
  of: { attr_id: number; n: number; now: number },
): Promise<Code[]> => {
  const [found] = await tx
    .select({ face: ecard_attr, source: ecard.source })
    .from(ecard_attr)
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .where(eq(ecard_attr.id, of.attr_id))
  if (!found) throw missing()
  const free = await tx
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.attr_id, of.attr_id), eq(t.state, 'free')))
    .orderBy(asc(t.id))
    .limit(of.n)
    .for('update', { skipLocked: true })
  const ids = free.map(row => row.id)
  const lacking = of.n - ids.length
  if (lacking > 0) {
    if (found.source !== 'generate') throw fewLeft(ids.length)
    const made = await makeCodes(tx, sealer, {
      face: found.face,
      batch_no: batchOfDay(of.now),
      n: lacking,
      now: of.now,
    })
    await addFree(tx, of.attr_id, lacking)
    ids.push(...made)
  }
  return lock(tx, inArray(t.id, ids))
}
