import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'

/** What film owners have, in cents: where the money of their orders is, and what left it. */
export type FilmAccount = {
  id: number
  name: string
  city_name: string
  mall_name: string
  frozen: boolean
  not_settled_cents: number
  freezing_cents: number
  balance_cents: number
  withdrawing_cents: number
  withdrawn_cents: number
  refunded_cents: number
  fee_cents: number
}
/**
 * The accounts of film owners (domain B, film_account; invariant 25): not settled are their lines
 * before the show is over, on hold and in the balance is what the journal says, withdrawn is what
 * was paid out, and refunds and the channel's fee are those of their orders. `seen`: a condition on
 * the owner `o`.
 */
export const filmAccounts = async (db: Db, seen: SQL | undefined): Promise<FilmAccount[]> => {
  const held = (kind: string) =>
    sql`coalesce((select -a.balance_cents from ledger_account a where a.kind = ${kind}
      and a.owner_kind = 'merchant' and a.owner_id = o.merchant_id), 0)::float8`
  const { rows } = await db.execute<FilmAccount>(sql`
    select o.merchant_id id, m.name, coalesce(c.city_name, '') city_name,
      coalesce(l.name, '') mall_name, m.status <> 'active' frozen,
      coalesce((select sum(s.merchant_cents - s.gone_merchant_cents) from settle_line s
        where s.merchant_id = o.merchant_id and s.status = 'not_settled' and s.paid_at is not null), 0)::float8
        not_settled_cents,
      ${held('merchant_frozen')} freezing_cents, ${held('merchant_balance')} balance_cents,
        ${held('merchant_withdrawing')} withdrawing_cents,
      coalesce((select sum(w.amount_cents) from withdrawal w
        where w.owner_kind in ('film', 'merchant') and w.owner_id = o.merchant_id
        and w.status = 'paid'), 0)::float8 withdrawn_cents,
      coalesce((select sum(d.refunded_cents) from "order" d where d.merchant_id = o.merchant_id
        and d.kind = 'film' and d.refunded_cents > 0), 0)::float8 refunded_cents,
      coalesce((select sum(s.fee_cents - s.gone_fee_cents) from settle_line s
        where s.merchant_id = o.merchant_id and s.paid_at is not null), 0)::float8 fee_cents
    from film_owner o join merchant m on m.id = o.merchant_id left join city c on c.id = o.city_id
      left join mall l on l.id = o.mall_id
    where ${seen ?? sql`true`} order by o.city_id, o.mall_id, o.id`)
  return rows
}
