import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { MoneyPart } from '#src/areas/ledger/money.demo.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { joined } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { bank_check } from './bankCheck.table.ts'
import { CENTS_MOST, checkPosting } from './bankCheck.ts'

type Check = typeof bank_check.$inferInsert & { id: number; created_at: number }
/** How the demo's payments ended, from the first merchant with an account on. */
const ends = ['verified', 'waiting', 'failed'] as const
const MINUTE = 60
const LEFT = 2 * MINUTE

/** Three payments to accounts: one verified, one that awaits its amount, one that failed. */
const checks: MoneyPart = {
  place: 70,
  branch: 'bankChecks',
  make: async ({ db, book, at, now, random }) => {
    const owners = await db
      .select()
      .from(merchant)
      .where(and(eq(merchant.status, 'active'), isNotNull(merchant.bank_no)))
      .orderBy(desc(merchant.id))
      .limit(ends.length)
    const { rows: people } = await db.execute<{ id: number }>(
      sql`select a.id from admin a join role r on a.role_ids @> to_jsonb(r.id) where r.code = 'ops_director' and a.status = 'active' order by a.id limit 1`,
    )
    const by = people[0]!.id
    const rows = owners.map((of, n): Check => {
      const created_at = now - (50 - 10 * n) * MINUTE
      const state = ends[n]!
      const has_left = state !== 'failed'
      return {
        id: n + 1,
        created_at,
        updated_at: created_at + LEFT,
        merchant_id: of.id,
        day: dateOf(created_at),
        nth: 1,
        amount_cents: random.int(1, CENTS_MOST),
        bank_kind: of.bank_kind!,
        bank_holder: of.bank_holder!,
        bank_name: of.bank_name!,
        bank_no: of.bank_no!,
        state,
        void_why: null,
        wrong: 0,
        asked_by: by,
        answered_by: state === 'verified' ? by : null,
        answered_at: state === 'verified' ? created_at + 5 * LEFT : null,
        sent_at: has_left ? created_at + LEFT : null,
        posted_at: state === 'verified' ? created_at + 5 * LEFT : null,
        channel_no: has_left ? `70${created_at}${of.id}` : null,
        channel_error: has_left
          ? ''
          : joined(['收款账户不存在', 'The payee’s account does not exist']),
        tries: 1,
        ask_at: null,
      }
    })
    for (const row of rows) {
      const { sent_at, posted_at } = row
      if (sent_at && posted_at)
        at(posted_at, () => book.post(checkPosting({ ...row, sent_at }, posted_at)))
    }
    return {
      run: () => {},
      insert: async () => {
        await insertRows(db, bank_check, rows)
        for (const row of rows.filter(one => one.state === 'verified'))
          await db
            .update(merchant)
            .set({ bank_verified_at: row.answered_at!, bank_verified_by: by })
            .where(eq(merchant.id, row.merchant_id))
      },
    }
  },
}
export const money: readonly MoneyPart[] = [checks]
