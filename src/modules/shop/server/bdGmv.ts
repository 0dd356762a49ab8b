import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import {
  gmvOf,
  lockedMonth,
  ordersOf,
  storesOf,
  type OwnedSums,
} from '#src/areas/bdGmv/bdGmv.server.ts'
import { bd_month } from '#src/areas/bdGmv/bdGmv.table.ts'
import {
  addedUp,
  discountOf,
  lockFault,
  nameOf,
  netOf,
  NOBODY,
  noSums,
  periodFault,
  periodNamed,
  placesOf,
  type GmvPeriod,
  type GmvSums,
} from '#src/areas/bdGmv/bdGmv.ts'
import { bd_target } from '#src/areas/merchant/bd.table.ts'
import { monthOf, reached } from '#src/areas/merchant/bd.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { staffInScope } from '#src/areas/people/staff.server.ts'
import { percent } from '#src/domain/money.ts'
import { say } from '#src/domain/text.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { paged } from '#src/server/call/tree.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { bdGmv as contract, type GmvRow } from '../contract/bdGmv.ts'

type Reader = Pick<Staff, 'id' | 'scope' | 'lang'>
/** The stores `s` of which a person sees the orders. */
const seen = ({ scope }: Pick<Staff, 'scope'>): SQL =>
  within(scope, { city: sql`s.city_id`, mall: sql`s.mall_id` }) ?? sql`true`
/** Whose results a person sees: their own, those of colleagues they see, and with all data every one. */
const peopleSeen = async (db: Db, staff: Reader, ids: readonly number[]) =>
  new Map(
    (
      await db
        .select({ id: admin.id, name: admin.name, status: admin.status, version: admin.version })
        .from(admin)
        .where(and(inArray(admin.id, [...ids]), staffInScope(staff)))
    ).map(row => [row.id, row]),
  )
const figuresOf = (of: GmvSums) => ({
  paid_cents: of.paid_cents,
  redeemed_cents: of.redeemed_cents,
  refunded_cents: of.refunded_cents,
  adjust_cents: of.adjust_cents,
  net_cents: netOf(of),
  orders: of.orders,
  opened: of.opened,
  active_stores: of.active_stores,
  discount_bp: discountOf(of),
})
/**
 * What each counted, as far as the person sees it: a locked month as it was kept, though a person
 * who sees a part of the stores gets that part as it is now.
 */
const resultsOf = async (db: Db, staff: Reader, period: GmvPeriod): Promise<OwnedSums[]> => {
  const kept = seesAll(staff.scope) ? await lockedMonth(db, period) : undefined
  const all = kept?.rows ?? (await gmvOf(db, period, seen(staff)))
  const ids = all.flatMap(row => row.admin_id ?? [])
  const people = await peopleSeen(db, staff, ids)
  return all.filter(row =>
    row.admin_id === null ? seesAll(staff.scope) : people.has(row.admin_id),
  )
}
const targetsOf = async (db: Db, period: GmvPeriod): Promise<Map<number, number>> =>
  period.kind === 'week'
    ? new Map()
    : new Map(
        (
          await db
            .select()
            .from(bd_target)
            .where(eq(bd_target.month, monthOf(period.from)))
        ).map(row => [row.admin_id, row.gmv_target_cents]),
      )
type Asked = {
  period?: string | undefined
  versus?: string | undefined
  /** The rows that an export is of, where some were chosen. */
  ids?: readonly number[] | undefined
}
const checked = (staff: Reader, { period, versus }: Asked, now: number) => {
  const name = period ?? nameOf('month', now)
  faultless(staff as Staff, {
    period: periodFault(name, now),
    versus: versus === undefined ? undefined : periodFault(versus, now),
  })
  return {
    name,
    period: periodNamed(name)!,
    versus: versus === undefined ? undefined : periodNamed(versus)!,
  }
}
/** All rows of a report, the best first and stores of nobody last, with what they add up to. */
const reportOf = async (db: Db, staff: Reader, asked: Asked, now: number) => {
  const { name, period, versus } = checked(staff, asked, now)
  const results = await resultsOf(db, staff, period)
  const before = versus && (await resultsOf(db, staff, versus))
  const idOf = (row: OwnedSums) => row.admin_id ?? NOBODY
  const beforeOf = new Map((before ?? []).map(row => [idOf(row), row]))
  const nowOf = new Map(results.map(row => [idOf(row), row]))
  const ids = [...new Set([...nowOf.keys(), ...beforeOf.keys()])].filter(
    id => asked.ids?.includes(id) ?? true,
  )
  const people = await peopleSeen(db, staff, ids)
  const targets = await targetsOf(db, period)
  const netAt = (of: ReadonlyMap<number, GmvSums>) =>
    placesOf([...of].map(([id, row]) => ({ id, net_cents: netOf(row) })))
  const [places, placesBefore] = [netAt(nowOf), netAt(beforeOf)]
  const list = ids.map((id): GmvRow => {
    const of = nowOf.get(id) ?? noSums
    const was = beforeOf.get(id)
    const target_cents = targets.get(id) ?? null
    const nobody = say(['无 BD 的门店', 'No BD'], staff.lang)
    return {
      id,
      name: people.get(id)?.name ?? nobody,
      active: id === NOBODY || people.get(id)?.status === 'active',
      version: people.get(id)?.version ?? 0,
      ...figuresOf(of),
      target_cents,
      reached_bp: reached(netOf(of), target_cents) ?? null,
      place: places.get(id) ?? null,
      net_before_cents: before ? netOf(was ?? noSums) : null,
      place_before: placesBefore.get(id) ?? null,
    }
  })
  const key = (row: GmvRow) => (row.id === NOBODY ? -Infinity : (row.net_cents ?? 0))
  list.sort((a, b) => key(b) - key(a) || a.id - b.id)
  return { name, period, list, results, before }
}
/** What stands behind a row, unless it is of somebody whose results the person does not see. */
const behind = async (
  db: Db,
  staff: Reader,
  asked: { period: string; id: number },
  now: number,
) => {
  const { period } = checked(staff, asked, now)
  const admin_id = asked.id === NOBODY ? null : asked.id
  const may =
    admin_id === null
      ? seesAll(staff.scope)
      : (await peopleSeen(db, staff, [admin_id])).has(admin_id)
  if (!may) throw missing()
  return { period, of: { admin_id, also: seen(staff) } }
}
const wordsOf = (month: number) =>
  `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`
const needsAll = ({ staff }: WriteContext): void => {
  if (!seesAll(staff.scope))
    throw ruled('needs_all', [
      '锁定对全平台生效，需要全部数据范围',
      'It holds for the whole platform: that needs the whole data scope',
    ])
}

const handlers = {
  lst: async ({ page, pageSize, ...asked }, { db, staff, now }) => {
    const { name, period, list, results, before } = await reportOf(db, staff, asked, now)
    const kept = await lockedMonth(db, period)
    const [by] = kept
      ? await db.select({ name: admin.name }).from(admin).where(eq(admin.id, kept.by_admin))
      : []
    return {
      ...paged(list, { page, pageSize }),
      period: name,
      headline: figuresOf(addedUp(results)),
      headline_before_cents: before ? netOf(addedUp(before)) : null,
      locked: kept ? { at: kept.locked_at, by: by?.name ?? '' } : null,
    }
  },
  drill: async ({ page, pageSize, ...asked }, { db, staff, now }) => {
    const { period, of } = await behind(db, staff, asked, now)
    const rows = await storesOf(db, period, of)
    return paged(
      rows.map(row => ({ ...row, net_cents: netOf(row) })),
      { page, pageSize },
    )
  },
  orders: async ({ page, pageSize, store_id, ...asked }, { db, staff, now }) => {
    const { period, of } = await behind(db, staff, asked, now)
    return paged((await ordersOf(db, period, { ...of, store_id })) as never, { page, pageSize })
  },
  lockMonth: async ({ month }, context) => {
    const { tx, staff, now, log } = context
    needsAll(context)
    const name = `${month}`
    faultless(staff, { month: lockFault(month, now) })
    const period = periodNamed(name)!
    const rows = await gmvOf(tx, period, sql`true`)
    const values = { state: 'locked' as const, rows, locked_at: now, by_admin: staff.id }
    const [saved] = await tx
      .insert(bd_month)
      .values({ month, ...values })
      .onConflictDoUpdate({
        target: bd_month.month,
        set: { ...values, version: sql`${bd_month.version} + 1` },
        setWhere: eq(bd_month.state, 'open'),
      })
      .returning({ id: bd_month.id })
    if (!saved) {
      const [row] = await tx.select().from(bd_month).where(eq(bd_month.month, month))
      throw await staleRow(tx, 'bd_month', { id: row!.id })
    }
    const net_cents = netOf(addedUp(rows))
    log({
      object_type: 'bd_month',
      object_id: saved.id,
      object_label: wordsOf(month),
      before: { state: 'open' },
      after: { state: 'locked', net_cents },
    })
    return { month, net_cents }
  },
  unlockMonth: async ({ month, reason }, context) => {
    needsAll(context)
    const { tx, log } = context
    const [open] = await tx
      .update(bd_month)
      .set({ state: 'open', version: sql`${bd_month.version} + 1` })
      .where(and(eq(bd_month.month, month), eq(bd_month.state, 'locked')))
      .returning({ id: bd_month.id })
    if (!open) throw ruled('not_locked', ['该月没有锁定', 'It is not locked'])
    log({
      object_type: 'bd_month',
      object_id: open.id,
      object_label: wordsOf(month),
      before: { state: 'locked' },
      after: { state: 'open' },
      reason,
    })
    return { month }
  },
  export: async ({ format, columns, ...asked }, context) => {
    const { staff, now } = context
    const { name, list } = await reportOf(context.tx, staff, asked, now)
    return startExport(context, {
      page: 'shop.bd.gmv',
      filters: { ...asked, period: name },
      filters_text: [name, asked.versus]
        .filter(Boolean)
        .join(say([' 对比 ', ' versus '], staff.lang)),
      rows_expected: list.length,
      format,
      columns,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

const money = { kind: 'money', field: 'stat.gmv_cents' } as const
defineExport('shop.bd.gmv', {
  title: ['BD 业绩', 'BD results'],
  permit: contract.export.permit,
  columns: [
    { key: 'place', title: ['名次', 'Place'], kind: 'number' },
    { key: 'name', title: ['BD', 'BD'] },
    { key: 'paid_cents', title: ['支付', 'Paid'], ...money },
    { key: 'redeemed_cents', title: ['核销', 'Redeemed'], ...money },
    { key: 'refunded_cents', title: ['退款', 'Refunded'], ...money },
    { key: 'adjust_cents', title: ['其中调整', 'Incl. adjustments'], ...money },
    { key: 'net_cents', title: ['净额', 'Net'], ...money },
    { key: 'opened', title: ['新开门店', 'Opened'], kind: 'number' },
    { key: 'active_stores', title: ['动销门店', 'Active stores'], kind: 'number' },
    { key: 'discount', title: ['平均优惠', 'Discount'] },
    { key: 'target_cents', title: ['目标', 'Target'], ...money },
    { key: 'reached', title: ['达成率', 'Achieved'] },
    { key: 'net_before_cents', title: ['对比期净额', 'Previous net'], ...money },
  ],
  rows: async ({ db, staff, filters, now, after }) => {
    if (after !== undefined) return { rows: [], next: undefined }
    const { list } = await reportOf(db, staff, filters as Asked, now)
    const rows = list.map(row => ({
      place: row.place,
      name: row.name,
      paid_cents: row.paid_cents ?? null,
      redeemed_cents: row.redeemed_cents ?? null,
      refunded_cents: row.refunded_cents ?? null,
      adjust_cents: row.adjust_cents ?? null,
      net_cents: row.net_cents ?? null,
      opened: row.opened,
      active_stores: row.active_stores,
      discount: row.discount_bp === null ? '—' : percent(row.discount_bp),
      target_cents: row.target_cents ?? null,
      reached: row.reached_bp == null ? '—' : percent(row.reached_bp),
      net_before_cents: row.net_before_cents ?? null,
    }))
    return { rows, next: undefined }
  },
})

export const bdGmvServer = implement(contract, handlers)
