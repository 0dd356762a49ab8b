import { eq, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { periodsAt } from './channel.ts'
import { ecard_channel } from './ecard.table.ts'

/**
 * Channels whose contract is over go on with the period that follows, or end. Answers how many
 * changed; none the second time.
 */
export const turnPeriods = async (tx: Db, now: number): Promise<number> => {
  const t = ecard_channel
  const rows = await tx
    .select()
    .from(t)
    .where(
      sql`${t.end_at} <= ${now} and (${t.status} = 'on' or exists (select 1 from jsonb_array_elements(${t.periods}) p where (p->>'start_at')::bigint <= ${now} and (p->>'end_at')::bigint > ${now}))`,
    )
    .for('update', { skipLocked: true })
  for (const { id, status, start_at, end_at, contract, periods } of rows) {
    const held = { start_at: start_at ?? 0, end_at: end_at!, contract }
    const { current, others } = periodsAt(now, held, periods)
    const runs = current.end_at > now
    const open = runs ? 'on' : 'ended'
    await tx
      .update(t)
      .set({
        ...current,
        periods: others,
        // A channel that staff stopped stays stopped.
        status: status === 'off' ? 'off' : open,
        version: sql`${t.version} + 1`,
      })
      .where(eq(t.id, id))
  }
  return rows.length
}
