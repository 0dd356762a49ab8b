/**
 * The journal takes up given cards at their end: nobody paid for them, so the money that nobody spent
 * is owed no more. The money of a card that was paid for stays its holder's.
 */
import { and, eq, inArray } from 'drizzle-orm'
import { ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { ours, type Posting } from '#src/areas/ledger/ledger.ts'
import { intoOpenDays, postAll } from '#src/areas/ledger/post.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { lastly } from '#src/server/db/database.ts'
import type { Code } from './codeMaking.server.ts'
import { ecard } from './ecard.table.ts'

/** Cents of a card whose version names the change that they are about, once. */
type Ending = { code: Pick<Code, 'id' | 'card_id' | 'version'>; cents: number }
/** Posts at the end of the transaction, for accounts are held until then. */
export const postLast = (
  tx: Db,
  postings: readonly Posting[],
  { id, now }: { id: number; now: number },
): Promise<void> =>
  lastly(tx, {
    key: postings[0]!.idem_key,
    id,
    run: async last => {
      await postAll(last, await intoOpenDays(last, postings, now))
    },
  })
/**
 * Posts for those of the cards that were given what is owed on them no more (`card_expire`), or again
 * once their end is put off (`card_expire_back`).
 */
const post = async (
  tx: Db,
  biz: 'card_expire' | 'card_expire_back',
  endings: readonly Ending[],
  now: number,
): Promise<void> => {
  const left = new Map(endings.filter(one => one.cents > 0).map(one => [one.code.id, one]))
  if (left.size === 0) return
  const given = await tx
    .select({ code_id: ledger_txn.biz_id, no: ledger_txn.biz_no })
    .from(ledger_txn)
    .where(
      and(
        inArray(
          ledger_txn.idem_key,
          [...left.keys()].map(id => `card_gift:${id}`),
        ),
        eq(ledger_txn.biz, 'card_gift'),
      ),
    )
    .orderBy(ledger_txn.id)
  if (given.length === 0) return
  const cards = await tx
    .select({ id: ecard.id, city_id: ecard.city_id, mall_id: ecard.mall_id })
    .from(ecard)
    .where(inArray(ecard.id, [...new Set(endings.map(one => one.code.card_id))]))
  const places = new Map(cards.map(({ id, ...place }) => [id, place]))
  const postings = given.map(({ code_id, no }): Posting => {
    const { code, cents } = left.get(code_id)!
    const owed = biz === 'card_expire' ? cents : -cents
    return {
      biz,
      biz_id: code.id,
      biz_no: no,
      idem_key: `${biz}:${code.id}:${code.version}`,
      at: now,
      place: places.get(code.card_id)!,
      lines: [
        { ...ours('prepaid_card'), amount_cents: owed },
        { ...ours('card_income'), amount_cents: -owed },
      ],
    }
  })
  await postLast(tx, postings, { id: given[0]!.code_id, now })
}
const endingsOf = (codes: readonly Code[]): Ending[] =>
  codes.map(code => ({ code, cents: code.balance_cents }))
/** Given cards have come to their end: what is left on them becomes income. */
export const releaseGiven = (tx: Db, codes: readonly Code[], now: number): Promise<void> =>
  post(tx, 'card_expire', endingsOf(codes), now)
/** Cents come back onto a card that is past its end: they become income with the rest. */
export const releaseBack = (tx: Db, code: Code, cents: number, now: number): Promise<void> =>
  post(tx, 'card_expire', [{ code, cents }], now)
/** The end of given cards is put off: what is left on them is owed again. */
export const oweGiven = (tx: Db, codes: readonly Code[], now: number): Promise<void> =>
  post(tx, 'card_expire_back', endingsOf(codes), now)
