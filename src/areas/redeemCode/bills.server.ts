import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { momentNamed, unitEnd } from '#src/domain/calendar.ts'
import type { Db } from '#src/server/call/implement.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { code_batch, code_bill, redeem_log } from './redeemCode.table.ts'

/** The Shanghai month of `2026-10`: its first second, and that of the next; undefined for no month. */
export const monthOf = (month: string): { from: number; to: number } | undefined => {
  const from = momentNamed(month, 'YYYY-MM')
  return from === undefined ? undefined : { from, to: unitEnd(from, 'month') }
}
/**
 * Counts what was redeemed of a partner's codes in a span, and what was taken back of that until
 * now.
 */
export const sumsOf = async (
  db: Db,
  partner: string,
  span: { from: number; to: number },
): Promise<{ successes: number; revokes: number; amount_cents: number }> => {
  const [sums] = await db
    .select({
      successes: sql<number>`count(*)::int`,
      revokes: sql<number>`(count(*) filter (where ${redeem_log.revoked_at} is not null))::int`,
      amount_cents: sql<number>`coalesce(sum((${redeem_log.granted}->>'cost_cents')::bigint) filter (where ${redeem_log.revoked_at} is null), 0)::float8`,
    })
    .from(redeem_log)
    .innerJoin(code_batch, eq(code_batch.id, redeem_log.batch_id))
    .where(
      and(
        eq(code_batch.partner, partner),
        eq(redeem_log.result, 'ok'),
        gte(redeem_log.created_at, span.from),
        lt(redeem_log.created_at, span.to),
      ),
    )
  return sums!
}
/** The month that was named; 400 for what is none. */
export const spanOfMonth = (month: string) => {
  const span = monthOf(month)
  if (!span) throw invalid({ month: ['月份如 2026-10', 'A month such as 2026-10'] })
  return span
}
/**
 * Bills a partner a month that is over: its successes, less what was taken back of them until now.
 * A month is billed once: the database refuses another bill.
 */
export const billPartner = async (
  tx: Db,
  of: { partner: string; month: string; admin_id: number; now: number },
): Promise<typeof code_bill.$inferSelect> => {
  const span = spanOfMonth(of.month)
  if (span.to > of.now)
    throw ruled('month_open', ['该月尚未结束，月末后再出账', 'The month is not over yet'])
  const sums = await sumsOf(tx, of.partner, span)
  if (sums.successes === 0)
    throw ruled('nothing_to_bill', ['该合作方当月没有成功兑换', 'Nothing was redeemed of it then'])
  const [made] = await tx
    .insert(code_bill)
    .values({ partner: of.partner, month: of.month, admin_id: of.admin_id, ...sums })
    .onConflictDoNothing()
    .returning()
  if (!made)
    throw ruled(
      'billed',
      ['{partner} {month} 已出过账单，不能重复生成', '{partner} was billed for {month} already'],
      { partner: of.partner, month: of.month },
    )
  return made
}
