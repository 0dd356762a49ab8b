import { eq, sql } from 'drizzle-orm'
import { HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { channel_code, channel_scan } from './channelCode.table.ts'

/** How a code stands for whoever scans it. `none`: no printed code has that state. */
export type Scanned = {
  state: 'open' | 'early' | 'paused' | 'over' | 'nobody' | 'none'
  name: string
  /** WeCom's own picture of its code; empty unless it is open. */
  qr_url: string
}
const nothing: Scanned = { state: 'none', name: '', qr_url: '' }
/**
 * A printed code was scanned at a time (unix seconds): it is counted by its hour, and nothing is
 * kept of whoever did. `isCounted` is false for programs that only look behind a link. Answers how
 * the code stands.
 */
export const scanCode = async (
  db: Db,
  { state_key, now, isCounted }: { state_key: string; now: number; isCounted: boolean },
): Promise<Scanned> => {
  const [code] = await db.select().from(channel_code).where(eq(channel_code.state_key, state_key))
  if (!code || code.config_id === null) return nothing
  if (isCounted)
    await db
      .insert(channel_scan)
      .values({ code_id: code.id, at: now - (now % HOUR), n: 1 })
      .onConflictDoUpdate({
        target: [channel_scan.code_id, channel_scan.at],
        set: { n: sql`${channel_scan.n} + 1` },
      })
  const told = (state: Scanned['state']): Scanned => ({ state, name: code.name, qr_url: '' })
  if (code.status === 'paused') return told('paused')
  if (code.status !== 'enabled' || (code.end_at !== null && code.end_at <= now)) return told('over')
  if (code.start_at !== null && now < code.start_at) return told('early')
  if (code.health === 'no_staff' || code.qr_url === '') return told('nobody')
  return { state: 'open', name: code.name, qr_url: code.qr_url }
}
