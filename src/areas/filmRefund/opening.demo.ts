import { asc, eq } from 'drizzle-orm'
import { film_owner } from '#src/areas/film/film.table.ts'
import { lineOf, merchants, ours } from '#src/areas/ledger/ledger.ts'
import type { MoneyPart } from '#src/areas/ledger/money.demo.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { financeOf } from '#src/areas/payout/withdrawals.demo.ts'
import { joined } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

const AGO_S = 85 * DAY
/** What film owners had earned before their tickets were sold here comes into their balances. */
const openings: MoneyPart = {
  place: 15,
  branch: 'film openings',
  make: async ({ db, book, at, now, random }) => {
    const owners = await db
      .select({ id: film_owner.merchant_id, city_id: film_owner.city_id })
      .from(film_owner)
      .innerJoin(merchant, eq(merchant.id, film_owner.merchant_id))
      .orderBy(asc(film_owner.id))
    const [maker, checker] = (await financeOf(db)).map(one => one.id)
    for (const { id, city_id } of owners) {
      const cents = random.int(60, 300) * 100_00
      at(now - AGO_S, () =>
        book.post({
          biz: 'adjust',
          biz_id: id,
          biz_no: `TZ${String(900_000 + id)}`,
          idem_key: `adjust:film:${id}`,
          at: now - AGO_S,
          memo: joined(['上线前影票结余转入', 'What was left of tickets before the launch']),
          place: { city_id, mall_id: 0 },
          ...(maker && { maker_id: maker }),
          ...(checker && { checker_id: checker }),
          lines: [
            ...lineOf(ours('bank_cash'), cents),
            ...lineOf(merchants('merchant_balance', id), -cents),
          ],
        }),
      )
    }
    return { run: () => {}, insert: async () => {} }
  },
}
export const money: readonly MoneyPart[] = [openings]
