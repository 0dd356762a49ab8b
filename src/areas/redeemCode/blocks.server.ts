/** People who guess codes are kept out for a time: of codes to redeem and of cards alike. */
import { and, eq, gt, or, sql } from 'drizzle-orm'
import type { Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { redeem_block } from './redeemCode.table.ts'

/** A lock keeps out a member, a device, an address, or whoever tries one card. */
export type BlockKey = readonly [kind: (typeof redeem_block.$inferSelect)['kind'], value: string]
/** The lock that keeps one of these out now; undefined where there is none. */
export const blockOf = async (tx: Db, keys: readonly BlockKey[], now: number) => {
  const [row] = await tx
    .select()
    .from(redeem_block)
    .where(
      and(
        gt(redeem_block.until, now),
        or(
          ...keys.map(([kind, value]) =>
            and(eq(redeem_block.kind, kind), eq(redeem_block.value, value)),
          ),
        ),
      ),
    )
    .limit(1)
  return row
}
/** Nobody redeems by that until then; an end that is later already stays. */
export const block = (tx: Db, of: typeof redeem_block.$inferInsert) =>
  tx
    .insert(redeem_block)
    .values(of)
    .onConflictDoUpdate({
      target: [redeem_block.kind, redeem_block.value],
      set: {
        until: sql`greatest(${redeem_block.until}, excluded.until)`,
        reason: of.reason,
        admin_id: of.admin_id ?? null,
      },
    })
/** Tries that count each other wait for each other, always in the same order. */
export const inTurn = async (tx: Db, names: readonly string[]): Promise<void> => {
  for (const name of names.toSorted())
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`redeem ${name}`}, 0))`)
}
export const lockedText = (until: number): { text: Text; values: { when: string } } => ({
  text: ['已限制兑换，{when} 后可再试', 'Locked until {when}'],
  values: { when: timeFull(until).slice(0, 16) },
})
