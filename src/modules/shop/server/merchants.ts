import { and, eq, inArray, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm'
import type { AuditState } from '#src/areas/audit/audit.ts'
import { creditCodeOf } from '#src/areas/merchant/identity.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import {
  ENDING_S,
  merchantCan,
  rateAt,
  type MerchantState,
  type MerchantVerb,
} from '#src/areas/merchant/merchant.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { masked } from '#src/domain/mask.ts'
import { say, type Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { equal, holding, listing, record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'

export type Merchant = typeof merchant.$inferSelect
export type Filters = {
  keyword?: string
  status?: MerchantState
  city_id?: number
  bd_admin_id?: number
  contract_ending?: boolean
  license_expiring?: boolean
  no_bank?: boolean
}
/** What an edit may change, and an undo gives back. */
export const edited = ['name', 'contact_name', 'contact_phone'] as const
const hide = (no: string | null, rule: 'bank' | 'id_no') => (no === null ? '' : masked(rule, no))

/** Merchants as handlers read, change and log them. */
export const merchants = record(merchant, {
  object: 'merchant',
  label: row => row.name,
  keys: [
    ...edited,
    'license_no',
    'license_image',
    'license_expire_at',
    'legal_name',
    'legal_id_no',
    'city_id',
    'category_ids',
    'licenses',
    'bank_kind',
    'bank_holder',
    'bank_name',
    'bank_no',
    'bank_verified_at',
    'bank_verified_by',
    'contract_no',
    'contract_start_at',
    'settle_cycle',
    'deposit_cents',
    'status',
    'status_reason',
    'contract_end_at',
    'commission_bp',
    'next_commission_bp',
    'commission_from_at',
    'bd_admin_id',
    'app_must_change',
  ],
  places: { city: merchant.city_id, owner: merchant.bd_admin_id },
  told: ({ app_password_hash: _, ...row }) => ({
    ...row,
    bank_no: hide(row.bank_no, 'bank'),
    legal_id_no: hide(row.legal_id_no, 'id_no'),
  }),
})

/** What ends soon or is over, of those that trade. */
const ending = (
  end_at: typeof merchant.contract_end_at | typeof merchant.license_expire_at,
  now: number,
) => and(inArray(merchant.status, ['active', 'frozen']), lte(end_at, now + ENDING_S))
const bdIs = (admin_id: number | undefined): SQL | undefined => {
  if (admin_id === 0) return isNull(merchant.bd_admin_id)
  return admin_id === undefined ? undefined : eq(merchant.bd_admin_id, admin_id)
}
/** The list of merchants, and what an export of it reads. */
export const list = listing(merchants, {
  by: merchant.id,
  down: true,
  where: (
    { keyword, bd_admin_id, contract_ending, license_expiring, no_bank, ...same }: Filters,
    { now },
  ) =>
    and(
      equal(merchant, same),
      keyword
        ? or(
            holding(keyword, [merchant.name], merchant.id),
            eq(merchant.merchant_no, keyword.toUpperCase()),
            eq(merchant.license_no, creditCodeOf(keyword)),
          )
        : undefined,
      bdIs(bd_admin_id),
      contract_ending ? ending(merchant.contract_end_at, now) : undefined,
      license_expiring ? ending(merchant.license_expire_at, now) : undefined,
      no_bank ? isNull(merchant.bank_no) : undefined,
    ),
  shown: async (db, rows, { now }) => {
    const beside = await besideOf(
      db,
      rows.map(row => row.id),
      now,
    )
    return rows.map(row => ({
      ...row,
      ...beside.get(row.id)!,
      commission_bp: rateAt(row, now),
      next_commission_bp:
        row.commission_from_at !== null && row.commission_from_at > now
          ? row.next_commission_bp
          : null,
      bank_name: row.bank_name ?? '',
      bank_no: hide(row.bank_no, 'bank'),
      status_reason: row.status_reason ?? '',
    }))
  },
})
type Beside = {
  id: number
  city_name: string
  bd_name: string
  open_store_count: number
  store_count: number
  on_sale_count: number
  gmv_30d_cents: number
  cases_30d: number
  applied: AuditState | null
}
/** What stands beside merchants: names, and figures of 30 days, each by the index of its merchant. */
const besideOf = async (
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<Map<number, Beside>> => {
  if (ids.length === 0) return new Map()
  const from = now - 30 * DAY
  const { rows } = await db.execute<Omit<Beside, 'gmv_30d_cents'> & { gmv: string }>(sql`
    select m.id, c.city_name, coalesce(a.name, '') bd_name, s.open open_store_count, s.n store_count, p.n on_sale_count, o.gmv, r.n cases_30d,
      (select x.state from application x where x.queue = 'shop' and x.merchant_id = m.id and x.store_id is null and x.state in ('pending', 'claimed', 'need_more')) applied
    from merchant m join city c on c.id = m.city_id left join admin a on a.id = m.bd_admin_id
      cross join lateral (select count(*)::int n, count(*) filter (where status = 'open')::int open from store where merchant_id = m.id) s
      cross join lateral (select count(*)::int n from product where merchant_id = m.id and state = 'on_sale') p
      cross join lateral (select coalesce(sum(paid_cents - refunded_cents), 0)::bigint gmv from "order" where merchant_id = m.id and created_at > ${from} and paid_at is not null) o
      cross join lateral (select count(*)::int n from refund where merchant_id = m.id and created_at > ${from}) r
    where m.id in ${ids}`)
  return new Map(rows.map(({ gmv, ...row }) => [row.id, { ...row, gmv_30d_cents: Number(gmv) }]))
}
/** How many there are in each state, whatever the tab. */
export const statOf = async (db: Db, where: SQL | undefined): Promise<Record<string, number>> => {
  const rows = await db
    .select({ status: merchant.status, n: sql<number>`count(*)::int` })
    .from(merchant)
    .where(where)
    .groupBy(merchant.status)
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

/** The merchant as the person holds it, locked, where its state allows the verb. */
export const heldFor = async (
  context: WriteContext,
  verb: MerchantVerb,
  one: { id: number; version: number },
): Promise<Merchant> => {
  const was = await merchants.heldFast(context, one)
  const may = merchantCan(verb, was)
  if (may !== true) throw ruled('wrong_state', may, {}, { current: { status: was.status } })
  return was
}
/** A draft as the person holds it: what is live is changed by an audit alone (applying.ts). */
export const heldDraft = async (
  context: WriteContext,
  one: { id: number; version: number },
): Promise<Merchant> => {
  const was = await merchants.heldFast(context, one)
  if (was.status !== 'draft')
    throw ruled('wrong_state', [
      '只有草稿可以在这里修改：正常商户的资料变更须经审核',
      'Only a draft is changed here: what is live is changed by an audit',
    ])
  return was
}
/** What a new draft is made of: a number of its own, and whoever makes it as its BD. */
export const draftOf = async <F extends object>({ tx, staff }: WriteContext, fields: F) => {
  const { rows } = await tx.execute<{ id: number }>(
    sql`select nextval(pg_get_serial_sequence('merchant', 'id'))::int id`,
  )
  const { id } = rows[0]!
  return {
    license_image: '',
    licenses: [],
    ...fields,
    id,
    merchant_no: `M${100_000 + id}`,
    bd_admin_id: staff.id,
    status: 'draft' as const,
  }
}
/** Refuses a credit code that a merchant has who is not terminated, and tells whose it is. */
export const refuseTaken = async (
  { tx, staff }: WriteContext,
  license_no: string,
): Promise<void> => {
  const [other] = await tx
    .select({ name: merchant.name, bd: admin.name })
    .from(merchant)
    .leftJoin(admin, eq(admin.id, merchant.bd_admin_id))
    .where(and(eq(merchant.license_no, license_no), ne(merchant.status, 'terminated')))
  if (!other) return
  const text: Text = ['已有商户「{name}」使用，BD：{bd}', 'It is of {name}, whose BD is {bd}']
  const of = { name: other.name, bd: other.bd ?? say(['无', 'none'], staff.lang) }
  throw ruled('license_taken', text, of, { fields: { license_no: say(text, staff.lang, of) } })
}

/** The number of its account as everybody sees it. */
export const shownBank = ({ bank_no }: Pick<Merchant, 'bank_no'>): string => hide(bank_no, 'bank')
