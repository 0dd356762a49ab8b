import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import type { Batch } from './batches.server.ts'
import { inTurn } from './blocks.server.ts'
import type { RewardCard } from './card.ts'
import { cardShare, type CardPromise } from './promises.ts'
import { code_batch } from './redeemCode.table.ts'
import { rewardTimes } from './redeemCode.ts'

const leftOf = (of: Batch, now: number): number =>
  of.end_at > now ? Math.max(0, rewardTimes(of) - of.redeemed - of.voided) : 0
/**
 * What a batch may still give at `now`, approved and submitted; `next` is the batch as a change that
 * waits would make it.
 */
const promiseOf = (
  row: Batch,
  { next, now }: { next: Batch; now: number },
): Pick<CardPromise, 'n' | 'waiting'> => {
  if (row.status === 'auditing') return { n: 0, waiting: leftOf(row, now) }
  if (row.status !== 'running' && row.status !== 'paused') return { n: 0, waiting: 0 }
  const n = leftOf(row, now)
  return { n, waiting: Math.max(0, leftOf(next, now) - n) }
}

/**
 * What other batches may still give of an e-card, the largest first; those that give nothing more are
 * left out. `but` is the batch that is asked about.
 */
export const cardPromises = async (
  db: Db,
  { ecard_attr_id, but = 0 }: { ecard_attr_id: number | null; but?: number | undefined },
  now: number,
): Promise<CardPromise[]> => {
  if (ecard_attr_id === null) return []
  const rows = await db
    .select()
    .from(code_batch)
    .where(
      and(
        eq(code_batch.ecard_attr_id, ecard_attr_id),
        inArray(code_batch.status, ['auditing', 'running', 'paused']),
        ne(code_batch.id, but),
      ),
    )
    .orderBy(asc(code_batch.id))
  return rows
    .map(row => {
      const next = { ...row, ...row.amendment?.set }
      return { id: row.id, name: row.name, status: row.status, ...promiseOf(row, { next, now }) }
    })
    .filter(one => one.n + one.waiting > 0)
    .toSorted((a, b) => b.n + b.waiting - a.n - a.waiting)
}
/**
 * The stock of a card shared among all batches that promise it, for one that gives `times` cards; null
 * of a card whose stock never ends.
 */
export const sharedStock = async (
  db: Db,
  of: { card: RewardCard | undefined; times: number; but?: number | undefined },
  now: number,
) => {
  const { card, times, but } = of
  if (!card || card.left === null) return null
  const others = await cardPromises(db, { ecard_attr_id: card.id, but }, now)
  return { own: times, others, ...cardShare(card.left, times, others) }
}
/**
 * Puts decisions on batches of one e-card in line: of two that are approved at once the second counts
 * the first.
 */
export const holdCardPromises = (tx: Db, ecard_attr_id: number | null): Promise<unknown> =>
  ecard_attr_id === null ? Promise.resolve() : inTurn(tx, [`card promise ${ecard_attr_id}`])
