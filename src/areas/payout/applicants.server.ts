import { and, desc, eq, gte, inArray, min, sql } from 'drizzle-orm'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { film_owner } from '#src/areas/film/film.table.ts'
import { distributors } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { orderKinds, type OrderKind } from '#src/areas/order/order.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { termsOf } from '#src/areas/settle/settleMerchant.server.ts'
import { payoutsFrozen } from '#src/areas/settle/settleMerchant.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { claimOver, sellerBarred, type PaidSeller } from './paidSeller.ts'
import { withdrawal } from './withdrawal.table.ts'
import {
  moneyOf,
  withdrawSettings,
  type RiskFacts,
  type WithdrawSettings,
  type WithdrawalOwner,
} from './withdrawing.ts'

export const readWithdrawSettings = async (db: Db): Promise<WithdrawSettings> => {
  const [row] = await db
    .select({ value: setting.value })
    .from(setting)
    .where(eq(setting.key, 'withdraw'))
  const set = row?.value as Partial<WithdrawSettings> | undefined
  return {
    ...withdrawSettings,
    ...set,
    sellers: { ...withdrawSettings.sellers, ...set?.sellers },
  }
}

type Owner = { owner_kind: WithdrawalOwner; owner_id: number }
export type Applicant = {
  name: string
  /** The name that an account must bear; null where the channel itself compares it. */
  registered_name: string | null
  city_id: number
  /** The mall whose tickets it sells; none for others. */
  mall_id?: number
  /** The member of staff whose own the applicant is. */
  owner_admin_id: number | null
  /** Why nothing is paid out to them now. */
  barred?: Text | undefined
  /** The least that they may ask for, and what they leave where it is (cents). */
  min_cents?: number
  reserve_cents?: number
}
const inactive: Text = ['商户已冻结或未生效，不能提现', 'The merchant is frozen or not active']
const merchantOf = async (db: Db, id: number): Promise<Applicant | undefined> => {
  const [row] = await db.select().from(merchant).where(eq(merchant.id, id))
  if (!row) return undefined
  const terms = (await termsOf(db, [id])).get(id)!
  return {
    name: row.name,
    registered_name: row.bank_holder ?? row.name,
    city_id: row.city_id,
    owner_admin_id: row.bd_admin_id,
    barred: row.status === 'active' ? payoutsFrozen(terms) : inactive,
    min_cents: terms.min_withdraw_cents,
    reserve_cents: terms.reserve_cents,
  }
}
/** A film owner is the merchant that sells a city's or a mall's tickets. */
const filmOwnerOf = async (db: Db, id: number): Promise<Applicant | undefined> => {
  const [owner] = await db.select().from(film_owner).where(eq(film_owner.merchant_id, id))
  const of = owner && (await merchantOf(db, id))
  return of && { ...of, mall_id: owner.mall_id }
}
const memberOf = async (db: Db, id: number): Promise<Applicant | undefined> => {
  const [row] = await db.select().from(member).where(eq(member.id, id))
  const fine = row?.account_state === 'normal' || row?.account_state === 'muted'
  return (
    row && {
      name: row.nickname,
      registered_name: null,
      city_id: row.city_id,
      owner_admin_id: null,
      ...(!fine && {
        barred: ['会员账号异常，不能提现', 'The member’s account is barred'] as const,
      }),
    }
  )
}
/**
 * A seller as they are paid; undefined where nobody is known by the id. `held`: nobody freezes them
 * until the transaction ends.
 */
export const paidSellerOf = async (
  db: Db,
  id: number,
  { held = false }: { held?: boolean } = {},
): Promise<(PaidSeller & { name: string; city_id: number }) | undefined> => {
  const { kind, status, quit_at, real_name_ok, name, city_id } = distributor
  const found = db
    .select({ kind, status, quit_at, real_name_ok, name, city_id })
    .from(distributor)
    .where(eq(distributor.id, id))
  const [row] = await (held ? found.for('share') : found)
  return row && { ...row, debt_cents: await balanceOf(db, distributors('distributor_debt', id)) }
}
const sellerOf = async (db: Db, id: number, now: number): Promise<Applicant | undefined> => {
  const row = await paidSellerOf(db, id, { held: true })
  return (
    row && {
      name: row.name,
      registered_name: row.name,
      city_id: row.city_id,
      owner_admin_id: null,
      barred: sellerBarred(row) ?? claimOver(row, now),
    }
  )
}
/** The applicant behind an id at a moment; undefined where nobody is known by it. */
export const applicantOf = async (
  db: Db,
  { owner_kind, owner_id }: Owner,
  now: number,
): Promise<Applicant | undefined> => {
  if (owner_kind === 'member') return memberOf(db, owner_id)
  if (owner_kind === 'film') return filmOwnerOf(db, owner_id)
  return owner_kind === 'distributor' ? sellerOf(db, owner_id, now) : merchantOf(db, owner_id)
}

/** What a merchant's terms keep back is not asked for. */
export const refuseReserve = async (
  tx: Db,
  of: Owner & { amount_cents: number },
  reserve_cents: number,
): Promise<void> => {
  if (reserve_cents === 0) return
  const left = -(await balanceOf(tx, moneyOf(of).balance)) - of.amount_cents
  if (left >= 0 && left < reserve_cents)
    throw ruled(
      'reserve',
      ['余额须保留 {reserve} 元，请减少提现金额', '¥{reserve} stay in the balance: ask for less'],
      { reserve: yuan(reserve_cents) },
    )
}

const PAID_BEFORE = 10
const ORDERS_S = 30 * DAY
/** What a seller sold in all, what of it went back, and their own orders of 30 days. */
export const salesOf = async (db: Db, { owner_kind, owner_id }: Owner, at: number) => {
  if (owner_kind !== 'distributor') return null
  const { gmv_cents, refunded_cents, member_id } = distributor
  const [row] = await db
    .select({ gmv_cents, refunded_cents, member_id })
    .from(distributor)
    .where(eq(distributor.id, owner_id))
  if (!row) return null
  const own_orders =
    row.member_id === null
      ? 0
      : await db.$count(
          order,
          and(
            eq(order.member_id, row.member_id),
            gte(order.created_at, at - ORDERS_S),
            eq(order.pay_state, 'paid'),
          ),
        )
  return { ...row, own_orders }
}
/** A merchant's paid orders of 30 days, and those that were or are being refunded. */
export const ordersOf = async (db: Db, { owner_kind, owner_id }: Owner, at: number) => {
  if (owner_kind !== 'merchant' && owner_kind !== 'film') return { orders: 0, refunded: 0 }
  const [row] = await db
    .select({
      orders: sql<number>`count(*)::int`,
      refunded: sql<number>`count(*) filter (where ${order.refund_state} in ('refunded', 'refunding'))::int`,
    })
    .from(order)
    .where(
      and(
        eq(order.merchant_id, owner_id),
        inArray(order.kind, Object.keys(orderKinds) as OrderKind[]),
        gte(order.created_at, at - ORDERS_S),
        eq(order.pay_state, 'paid'),
      ),
    )
  return row!
}
/** How much was sold and how much of it went back: orders of a merchant, yuan of a seller. */
const soldOf = async (db: Db, owner: Owner, at: number) => {
  const sales = await salesOf(db, owner, at)
  if (!sales) return ordersOf(db, owner, at)
  const inYuan = (cents: number) => Math.floor(cents / 100)
  return { orders: inYuan(sales.gmv_cents), refunded: inYuan(sales.refunded_cents) }
}
/** What is known of an applicant when they ask for so much to go to an account. */
export const riskFactsOf = async (
  db: Db,
  owner: Owner,
  of: { at: number; amount_cents: number; payee_no: string },
): Promise<RiskFacts> => {
  const paid = and(
    eq(withdrawal.owner_kind, owner.owner_kind),
    eq(withdrawal.owner_id, owner.owner_id),
    eq(withdrawal.status, 'paid'),
  )
  const before = await db
    .select({ cents: withdrawal.amount_cents })
    .from(withdrawal)
    .where(paid)
    .orderBy(desc(withdrawal.paid_at))
    .limit(PAID_BEFORE)
  const [card] = await db
    .select({ since: min(withdrawal.paid_at) })
    .from(withdrawal)
    .where(and(paid, eq(withdrawal.payee_no, of.payee_no)))
  return {
    at: of.at,
    amount_cents: of.amount_cents,
    account_since: card?.since ?? null,
    paid_before: before.map(row => row.cents),
    ...(await soldOf(db, owner, of.at)),
  }
}
