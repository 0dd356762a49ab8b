import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { ledger_account } from '#src/areas/ledger/ledger.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { at, defineKinds } from '#src/server/call/kinds.ts'
import { equal, record } from '#src/server/call/record.ts'
import type { Charge } from './charges.server.ts'
import { fund_charge } from './fund.table.ts'
import {
  debtOf,
  debtPart,
  movedBy,
  type ChargeKind,
  type ChargeOwner,
  type ChargeState,
} from './fund.ts'

defineKinds({ fund_charge: at('fund_charge', { city: 't.city_id', mall: 't.mall_id' }) })
export const chargeRecord = record(fund_charge, {
  object: 'fund_charge',
  label: row => row.no,
  keys: ['status', 'kind', 'amount_cents', 'debt_cents', 'bank_flow_no', 'memo'],
  places: { city: fund_charge.city_id, mall: fund_charge.mall_id },
})
export type ChargeFilters = {
  status?: ChargeState | undefined
  kind?: ChargeKind | undefined
  owner_kind?: ChargeOwner | undefined
  city_id?: number | undefined
  keyword?: string | undefined
  owing?: boolean | undefined
}
export const chargesWhere = ({
  status,
  kind,
  owner_kind,
  city_id,
  keyword,
  owing,
}: ChargeFilters): SQL | undefined =>
  and(
    equal(fund_charge, { status, kind, owner_kind, city_id }),
    owing ? sql`${fund_charge.debt_cents} > 0` : undefined,
    keyword ? or(eq(fund_charge.no, keyword), eq(fund_charge.bank_flow_no, keyword)) : undefined,
  )

const [maker, checker, reverser] = ['maker', 'checker', 'reverser'].map(name =>
  alias(admin, name),
) as [typeof admin, typeof admin, typeof admin]
const besides = (db: Db, ids: readonly number[]) =>
  db
    .select({
      id: fund_charge.id,
      merchant: merchant.name,
      mall: mall.name,
      member: member.nickname,
      city: city.city_name,
      maker: maker.name,
      checker: checker.name,
      reverser: reverser.name,
    })
    .from(fund_charge)
    .leftJoin(
      merchant,
      and(eq(fund_charge.owner_kind, 'merchant'), eq(merchant.id, fund_charge.owner_id)),
    )
    .leftJoin(mall, and(eq(fund_charge.owner_kind, 'mall'), eq(mall.id, fund_charge.owner_id)))
    .leftJoin(
      member,
      and(eq(fund_charge.owner_kind, 'member'), eq(member.id, fund_charge.owner_id)),
    )
    .leftJoin(city, eq(city.id, fund_charge.city_id))
    .leftJoin(maker, eq(maker.id, fund_charge.maker_id))
    .leftJoin(checker, eq(checker.id, fund_charge.checker_id))
    .leftJoin(reverser, eq(reverser.id, fund_charge.reversed_by))
    .where(inArray(fund_charge.id, [...ids]))
/** What the owners of rows have and owe now, by kind and owner of account. */
const balancesOf = async (db: Db, rows: readonly Charge[]) => {
  const found = await db
    .select()
    .from(ledger_account)
    .where(
      and(
        inArray(ledger_account.owner_id, [...new Set(rows.map(row => row.owner_id))]),
        inArray(ledger_account.owner_kind, [...new Set(rows.map(row => row.owner_kind))]),
      ),
    )
  const by = new Map(
    found.map(one => [`${one.kind}/${one.owner_kind}/${one.owner_id}`, one.balance_cents]),
  )
  return (of: { kind: string; owner_kind: string; owner_id: number } | undefined) =>
    of ? (by.get(`${of.kind}/${of.owner_kind}/${of.owner_id}`) ?? 0) : 0
}
/** Rows with the names of their owners and people, and what their owners have and owe now. */
export const shownCharges = async (db: Db, rows: readonly Charge[]) => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const by = new Map((await besides(db, ids)).map(one => [one.id, one]))
  const balance = await balancesOf(db, rows)
  return rows.map(row => {
    const of = by.get(row.id)!
    const has_cents = 0 - balance(movedBy(row))
    const becomes = row.direction === 'out' && row.kind !== 'deposit_refund'
    return {
      ...row,
      title: of.merchant ?? of.mall ?? of.member ?? `#${row.owner_id}`,
      city_name: of.city ?? '',
      maker_name: of.maker ?? '',
      checker_name: of.checker ?? '',
      reverser_name: of.reverser ?? '',
      has_cents,
      owes_cents: balance(debtOf(row)),
      /** What would become debt if it was posted now. */
      would_owe_cents:
        row.status === 'pending' && becomes ? debtPart(row.amount_cents, has_cents) : 0,
    }
  })
}
