/**
 * From so many rows, or so much money, whoever does something to several at once that can't be
 * taken back types how many it is: a page holds 50 rows, so more than that were never all seen;
 * 10,000 yuan is what an auditor may approve alone (`refund_limit_cents`). Of one row its own
 * amount stands there, and a second person agrees above the limit.
 */
export const CONFIRM_ROWS = 50
export const CONFIRM_CENTS = 1_000_000
export const needsCount = (rows: number, cents: number | undefined): boolean =>
  rows > 1 && (rows > CONFIRM_ROWS || (cents ?? 0) >= CONFIRM_CENTS)
/** A typed count, in either width, with separators or the word for things behind it. */
export const saysCount = (typed: string, rows: number): boolean =>
  typed.normalize('NFKC').replace(/[\s,，]|[项条单个笔]$/g, '') === String(rows)
