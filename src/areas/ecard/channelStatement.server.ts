import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { momentNamed, unitEnd } from '#src/domain/calendar.ts'
import type { Db } from '#src/server/call/implement.ts'
import { invalid } from '#src/server/call/refuse.ts'
import { ecard_ledger } from './ecard.table.ts'
import type { LedgerType } from './ecard.ts'

export type Span = { from: number; to: number }
/** The Shanghai month of `2026-10` in unix seconds, its end not of it. Throws 400 for no month. */
export const spanOf = (month: string): Span => {
  const from = /^20\d{2}-\d{2}$/.test(month) ? momentNamed(month, 'YYYY-MM') : undefined
  if (from === undefined) throw invalid({ month: ['月份如 2026-10', 'A month such as 2026-10'] })
  return { from, to: unitEnd(from, 'month') }
}
export type MonthSums = {
  open_cents: number
  close_cents: number
  sums: { type: LedgerType; n: number; amount_cents: number }[]
}
/** What a channel's balance was before a span, what moved it within, and what it was then. */
export const monthSums = async (
  db: Db,
  channel_id: number,
  { from, to }: Span,
): Promise<MonthSums> => {
  const t = ecard_ledger
  const [before] = await db
    .select({ sum: sql<number>`coalesce(sum(${t.amount_cents}), 0)::float8` })
    .from(t)
    .where(and(eq(t.channel_id, channel_id), lt(t.created_at, from)))
  const sums = await db
    .select({
      type: t.type,
      n: sql<number>`count(*)::int`,
      amount_cents: sql<number>`sum(${t.amount_cents})::float8`,
    })
    .from(t)
    .where(and(eq(t.channel_id, channel_id), gte(t.created_at, from), lt(t.created_at, to)))
    .groupBy(t.type)
    .orderBy(t.type)
  const open_cents = before!.sum
  return {
    open_cents,
    close_cents: sums.reduce((all, one) => all + one.amount_cents, open_cents),
    sums,
  }
}
