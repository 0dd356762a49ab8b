import { sql } from 'drizzle-orm'
import { DAY, HOUR } from '#src/domain/time.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { ledger_ask } from './ask.table.ts'
import type { AskLine, AskState } from './journal.ts'
import { lineOf, ours, reversalOf, type Posting } from './ledger.ts'
import type { MoneyPart } from './money.demo.ts'

type Ask = typeof ledger_ask.$inferInsert & { id: number }
const house = (kind: AskLine['kind'], amount_cents: number): AskLine => ({
  kind,
  owner_kind: 'platform',
  owner_id: 0,
  amount_cents,
})
/** What was asked for by hand: how long ago, in days, what it moves, why, and what became of it. */
const adjustments: readonly [ago: number, cents: number, why: string, state: AskState][] = [
  [52, 1200, '补记 9 月微信手续费差额，账单已核对', 'posted'],
  [31, 86_000, '误记的服务费调整至佣金收入', 'rejected'],
  [12, 350, '银行手续费由平台承担', 'posted'],
  [1, 4280, '昨日账单多出一笔手续费，待查款项转费用', 'pending'],
]
/** Money that was booked as settled to the bank twice, and taken back. */
const REVERSED = [70, 58, 44, 29, 17, 6]

/** What people do to the journal by hand: six reversals and four adjustments, one of them waiting. */
const byHand: MoneyPart = {
  place: 60,
  branch: 'hands',
  make: async ({ db, book, at, now, random }) => {
    const { rows: people } = await db.execute<{ id: number }>(
      sql`select a.id from admin a join role r on a.role_ids @> to_jsonb(r.id) where r.code in ('finance', 'senior_auditor') and a.status = 'active' order by r.code, a.id`,
    )
    const [maker, checker] = [people[0]!.id, people.at(-1)!.id]
    const asks: Ask[] = []
    REVERSED.forEach((ago, n) => {
      const made = now - ago * DAY - 3 * HOUR
      const cents = random.int(200, 9000) * 100
      at(made, () => {
        const swept: Posting = {
          biz: 'bank_sweep',
          biz_id: n + 1,
          biz_no: `SW${String(n + 1).padStart(8, '0')}`,
          idem_key: `demo:sweep:${n}`,
          at: made,
          memo: '微信结算到账（重复登记）',
          maker_id: maker,
          lines: [...lineOf(ours('bank_cash'), cents), ...lineOf(ours('wechat_cash'), -cents)],
        }
        const reverses_id = book.post(swept)
        const later = made + 2 * HOUR
        at(later, () =>
          book.post({
            ...swept,
            biz: 'reverse',
            idem_key: `reverse:${reverses_id}`,
            at: later,
            memo: '重复登记，红冲',
            reverses_id,
            lines: reversalOf(swept),
          }),
        )
      })
    })
    adjustments.forEach(([ago, cents, reason, state], n) => {
      const asked = now - ago * DAY - 2 * HOUR
      const decided = asked + HOUR
      const lines = [house('wechat_fee_expense', cents), house('suspense', -cents)]
      const id = n + 1
      const ask: Ask = {
        id,
        lines,
        amount_cents: cents,
        reason,
        state,
        maker_id: maker,
        checker_id: state === 'pending' ? null : checker,
        decided_at: state === 'pending' ? null : decided,
        reject_reason: state === 'rejected' ? '科目不符，请重新申请' : '',
        txn_id: null,
        created_at: asked,
        updated_at: decided,
      }
      asks.push(ask)
      if (state !== 'posted') return
      at(decided, () => {
        ask.txn_id = book.post({
          biz: 'adjust',
          biz_id: id,
          biz_no: `TZ${String(id).padStart(6, '0')}`,
          idem_key: `adjust:${id}`,
          at: decided,
          memo: reason,
          maker_id: maker,
          checker_id: checker,
          lines,
        })
      })
    })
    return { run: () => {}, insert: () => insertRows(db, ledger_ask, asks) }
  },
}
export const money: readonly MoneyPart[] = [byHand]
