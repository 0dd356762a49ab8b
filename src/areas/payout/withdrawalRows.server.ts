import { and, eq, inArray, like, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { dist_group, distributor } from '#src/areas/distribution/sellers.table.ts'
import { ledger_account } from '#src/areas/ledger/ledger.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { equal, record } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { withdrawal } from './withdrawal.table.ts'
import type { Withdrawal } from './withdrawals.server.ts'
import type { PayoutChannel, WithdrawalOwner, WithdrawalState } from './withdrawing.ts'

defineKinds({
  withdrawal: at('withdrawal', {
    city: 't.city_id',
    mall: 't.mall_id',
    owner: 't.owner_admin_id',
  }),
})
const places = {
  city: withdrawal.city_id,
  mall: withdrawal.mall_id,
  owner: withdrawal.owner_admin_id,
}
const kept = {
  object: 'withdrawal',
  label: (row: Withdrawal) => row.no,
  keys: [
    'status',
    'reviewer_id',
    'second_reviewer_id',
    'payer_id',
    'reason_code',
    'hold',
    'canceling',
    'out_bill_no',
    'channel_no',
    'proof',
  ],
} as const
export const withdrawalRecord = record(withdrawal, { ...kept, places })
export type WithdrawalRecord = typeof withdrawalRecord
/** Those of sellers alone: whoever reviews commission sees and touches no other. */
export const sellerWithdrawals = record(withdrawal, {
  ...kept,
  places: staff => and(within(staff.scope, places), eq(withdrawal.owner_kind, 'distributor')),
})

/** Those of film owners alone. */
export const filmWithdrawals = record(withdrawal, {
  ...kept,
  places: staff => and(within(staff.scope, places), eq(withdrawal.owner_kind, 'film')),
})

export type WithdrawalFilters = {
  status?: WithdrawalState | undefined
  keyword?: string | undefined
  owner_kind?: WithdrawalOwner | undefined
  channel?: PayoutChannel | undefined
  city_id?: number | undefined
  flagged?: boolean | undefined
}
/** A number of ours or the channel's, or how a payee's name begins. */
const found = (keyword: string | undefined): SQL | undefined => {
  if (!keyword) return undefined
  const begins = `${keyword.replace(/[\\%_]/g, '\\$&')}%`
  return or(
    eq(withdrawal.no, keyword),
    eq(withdrawal.out_bill_no, keyword),
    eq(withdrawal.channel_no, keyword),
    like(withdrawal.payee_name, begins),
  )
}
export const withdrawalsWhere = ({
  status,
  keyword,
  owner_kind,
  channel,
  city_id,
  flagged,
}: WithdrawalFilters): SQL | undefined =>
  and(
    equal(withdrawal, { status, owner_kind, channel, city_id }),
    flagged ? sql`risk_flags <> '[]'::jsonb` : undefined,
    found(keyword),
  )

const [first, second, payer] = ['first', 'second', 'payer'].map(name => alias(admin, name)) as [
  typeof admin,
  typeof admin,
  typeof admin,
]
const isSellers = eq(withdrawal.owner_kind, 'distributor')
const isMerchants = inArray(withdrawal.owner_kind, ['merchant', 'film'])
/** Rows with the names of their owners and people, and what was paid to the owner last. */
export const shownWithdrawals = async (db: Db, rows: readonly Withdrawal[]) => {
  if (rows.length === 0) return []
  const beside = await db
    .select({
      id: withdrawal.id,
      merchant: merchant.name,
      holder: merchant.bank_holder,
      bank_kind: merchant.bank_kind,
      member: member.nickname,
      seller: {
        kind: distributor.kind,
        status: distributor.status,
        name: distributor.name,
        level_no: distributor.level_no,
        group_name: sql<string>`coalesce(${dist_group.name}, '')`,
        real_name_ok: distributor.real_name_ok,
        debt_cents: sql<number>`coalesce(${ledger_account.balance_cents}, 0)`.mapWith(Number),
      },
      city: city.city_name,
      first: first.name,
      second: second.name,
      payer: payer.name,
      last_at: sql<string | null>`last.paid_at`,
      last_cents: sql<string | null>`last.amount_cents`,
    })
    .from(withdrawal)
    .leftJoin(merchant, and(isMerchants, eq(merchant.id, withdrawal.owner_id)))
    .leftJoin(member, and(eq(withdrawal.owner_kind, 'member'), eq(member.id, withdrawal.owner_id)))
    .leftJoin(distributor, and(isSellers, eq(distributor.id, withdrawal.owner_id)))
    .leftJoin(dist_group, eq(dist_group.id, distributor.group_id))
    .leftJoin(
      ledger_account,
      and(
        eq(ledger_account.kind, 'distributor_debt'),
        eq(ledger_account.owner_kind, 'distributor'),
        eq(ledger_account.owner_id, distributor.id),
      ),
    )
    .leftJoin(city, eq(city.id, withdrawal.city_id))
    .leftJoin(first, eq(first.id, withdrawal.reviewer_id))
    .leftJoin(second, eq(second.id, withdrawal.second_reviewer_id))
    .leftJoin(payer, eq(payer.id, withdrawal.payer_id))
    .leftJoin(
      sql`lateral (select w.paid_at, w.amount_cents from withdrawal w where w.owner_kind = ${withdrawal.owner_kind} and w.owner_id = ${withdrawal.owner_id} and w.status = 'paid' and w.id <> ${withdrawal.id} order by w.paid_at desc limit 1) last`,
      sql`true`,
    )
    .where(
      inArray(
        withdrawal.id,
        rows.map(row => row.id),
      ),
    )
  const by = new Map(beside.map(one => [one.id, one]))
  return rows.map(row => {
    const of = by.get(row.id)!
    const seller = row.owner_kind === 'distributor' ? of.seller : null
    return {
      ...row,
      title: of.merchant ?? seller?.name ?? of.member ?? `#${row.owner_id}`,
      // A seller's name is compared once their identity was verified.
      registered_name: of.holder ?? of.merchant ?? seller?.name ?? null,
      seller,
      needs_invoice: row.owner_kind === 'film' && of.bank_kind !== 'personal',
      city_name: of.city ?? '',
      balance_after_cents: row.balance_before_cents - row.amount_cents,
      reviewer_name: of.first ?? '',
      second_reviewer_name: of.second ?? '',
      payer_name: of.payer ?? '',
      last_paid_at: of.last_at === null ? null : Number(of.last_at),
      last_paid_cents: of.last_cents === null ? null : Number(of.last_cents),
    }
  })
}
