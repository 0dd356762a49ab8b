import { and, eq, inArray, sql } from 'drizzle-orm'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { hasOpenStore, holdSellers, sellerMaySell } from '#src/areas/merchant/sales.server.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import type { Db, LogEntry, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { product, product_version, type TimeItem } from './product.table.ts'
import { timeFault, timeFaults, type TimeFault, type Window } from './product.ts'

export type Doing = {
  tx: Db
  staff: Pick<Staff, 'id' | 'name' | 'scope' | 'lang'>
  now: number
  log: (entry: LogEntry) => void
}
/** `rule` is the code of the fault that `fail_reason` says in words. */
export type TimeRow = {
  product_id: number
  title: string
  version: number
  before: Window
  after: Window
  ok: boolean
  fail_reason?: string
  rule?: string
}
export type TimeChange = { mode: 'set' | 'shift'; shift_days?: number | undefined } & {
  [K in keyof Window]?: number | undefined
}

export const windowOf = (of: Window): Window => ({
  sale_start_at: of.sale_start_at,
  sale_end_at: of.sale_end_at,
  check_start_at: of.check_start_at,
  check_end_at: of.check_end_at,
})
export const nowhere: Window = {
  sale_start_at: 0,
  sale_end_at: 0,
  check_start_at: 0,
  check_end_at: 0,
}
const told = (fault: TimeFault, lang: Lang, until?: number | null): string =>
  say(timeFaults[fault] as Text, lang, { until: until ? dateOf(until) : '' })

const moved = (before: Window, change: TimeChange): Window =>
  change.mode === 'shift'
    ? (Object.fromEntries(
        Object.entries(before).map(([key, at]) => [key, at + (change.shift_days ?? 0) * DAY]),
      ) as Window)
    : {
        sale_start_at: change.sale_start_at ?? before.sale_start_at,
        sale_end_at: change.sale_end_at ?? before.sale_end_at,
        check_start_at: change.check_start_at ?? before.check_start_at,
        check_end_at: change.check_end_at ?? before.check_end_at,
      }

/**
 * The products named that lie in the person's data, locked in one order, with what the rules need.
 */
export const subjects = async (tx: Db, ids: readonly number[], staff: Doing['staff']) => {
  await holdSellers(tx, ids)
  const rows = await tx
    .select({ product, contract_end_at: merchant.contract_end_at })
    .from(product)
    .innerJoin(merchant, eq(merchant.id, product.merchant_id))
    .where(
      and(
        inArray(product.id, [...ids]),
        within(staff.scope, {
          city: product.city_id,
          mall: product.mall_id,
          owner: merchant.bd_admin_id,
        }),
      ),
    )
    .orderBy(product.id)
    .for('update', { of: product })
  const sold = await tx.execute<{ product_id: number; codes: number; until: string }>(sql`
    select product_id, count(*)::int codes, max(valid_until) until from order_code where product_id in ${ids} and state in ('locked', 'unused', 'part_used') group by product_id`)
  const promised = new Map(
    sold.rows.map(row => [
      row.product_id,
      { unused_codes: row.codes, promised_until: Number(row.until) },
    ]),
  )
  return new Map(
    rows.map(row => [
      row.product.id,
      {
        item: row.product,
        contract_end_at: row.contract_end_at,
        ...(promised.get(row.product.id) ?? { unused_codes: 0, promised_until: null }),
      },
    ]),
  )
}

type Subject = NonNullable<ReturnType<Awaited<ReturnType<typeof subjects>>['get']>>

/** What changing a product's times would come to; `expected` is the version that was shown. */
export const plannedRow = (
  known: Subject,
  change: TimeChange,
  expected: number | undefined,
  { staff, now }: Doing,
): TimeRow => {
  const { item } = known
  const before = windowOf(item)
  const after = moved(before, change)
  const faultOf = (): TimeFault | null => {
    if (item.kind !== 'bulks') return 'not_bulks'
    if (expected !== undefined && expected !== item.version) return 'changed_meanwhile'
    const { state, in_activity } = item
    return timeFault(before, after, { ...known, state, in_activity }, now)
  }
  const fault = faultOf()
  return {
    product_id: item.id,
    title: item.title,
    version: item.version,
    before,
    after,
    ok: fault === null,
    ...(fault ? { fail_reason: told(fault, staff.lang, known.promised_until), rule: fault } : {}),
  }
}
export const unknownRow = (product_id: number, lang: Lang): TimeRow => ({
  product_id,
  title: '',
  version: 0,
  before: nowhere,
  after: nowhere,
  ok: false,
  fail_reason: told('not_found', lang),
  rule: 'not_found',
})
/**
 * Product and live version tell the same times; sold codes keep the validity they were promised.
 */
const setTimes = async (
  tx: Db,
  read: { id: number; version: number },
  to: Window,
  now: number,
): Promise<boolean> => {
  const [done] = await tx
    .update(product)
    .set({ ...to, version: read.version + 1, updated_at: now })
    .where(and(eq(product.id, read.id), eq(product.version, read.version)))
    .returning({ id: product.id })
  if (!done) return false
  await tx
    .update(product_version)
    .set({
      body: sql`${product_version.body} || ${JSON.stringify(to)}::jsonb`,
      version: sql`${product_version.version} + 1`,
    })
    .where(and(eq(product_version.product_id, read.id), eq(product_version.state, 'live')))
  return true
}

/** Carries a planned row out, and says in the log what it was. */
export const applyRow = async (
  { tx, now, log }: Doing,
  row: TimeRow,
  was: Subject,
  reason: string,
) => {
  await setTimes(tx, { id: row.product_id, version: row.version }, row.after, now)
  // An ended product with a later end sells again, where its merchant and a store may.
  if (was.item.state === 'ended' && row.after.sale_end_at > now)
    await tx
      .update(product)
      .set({ state: 'on_sale', taken_off: [] })
      .where(and(eq(product.id, row.product_id), sellerMaySell(now), hasOpenStore))
  row.version += 1
  log(logged(row, reason))
}
const logged = (
  { product_id, title, before, after }: Omit<TimeItem, 'ok'>,
  reason: string,
): LogEntry => ({
  object_type: 'product',
  object_id: product_id,
  object_label: title.slice(0, 64),
  before,
  after,
  reason,
})
/** Why a product's times can't go back to what they were, or null. */
const undoFault = (item: TimeItem, known: Subject | undefined): TimeFault | null => {
  if (!known) return 'not_found'
  if (known.item.version !== item.version) return 'changed_meanwhile'
  // Codes sold since were promised the new end.
  const was_longer = item.before.check_end_at < item.after.check_end_at
  const is_promised =
    known.unused_codes > 0 && item.before.check_end_at < (known.promised_until ?? 0)
  return was_longer && is_promised ? 'earlier_than_sold_codes' : null
}
/** Gives a product of a batch its times back, and says in the log that it did. */
export const undoItem = async (
  { tx, staff, now, log }: Doing,
  item: TimeItem,
  known: Subject | undefined,
  reason: string,
): Promise<TimeRow> => {
  const { product_id, title, before, after } = item
  const version = known?.item.version ?? 0
  const fault = undoFault(item, known)
  const back = { product_id, title, before: after, after: before }
  if (fault === null && (await setTimes(tx, { id: product_id, version }, before, now))) {
    log(logged(back, reason))
    return { ...back, version: version + 1, ok: true }
  }
  const why = fault ?? 'changed_meanwhile'
  const fail_reason = told(why, staff.lang, known?.promised_until)
  return { ...back, version, ok: false, fail_reason, rule: why }
}
