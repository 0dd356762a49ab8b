import { and, eq, gte, ilike, lte, sql, type SQL } from 'drizzle-orm'
import { BATCH_TIME_UNDO_SECONDS } from '#src/areas/audit/audit.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { comma, say, type Lang } from '#src/domain/text.ts'
import { dateOf, timeFull } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevert } from '#src/server/call/reverts.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { begins } from '#src/server/db/like.ts'
import { countOf, pageOf } from '#src/server/db/paging.ts'
import { product, product_time_log, type TimeItem } from './product.table.ts'
import type { Window } from './product.ts'
import {
  applyRow,
  nowhere,
  plannedRow,
  subjects,
  undoItem,
  unknownRow,
  windowOf,
  type Doing,
  type TimeChange,
  type TimeRow,
} from './productTimes.server.ts'

/** `undone` and `skipped` tell of a batch that was taken back. */
export type TimeResult = {
  batch_no: string
  dry_run: boolean
  ok_count: number
  fail_count: number
  rows: TimeRow[]
  undone?: number
  skipped?: { product_id: number; reason: string; rule: string }[]
}
/**
 * Changes the four times of many group-buys, each by itself: those that a rule forbids stay as they
 * are and say why. A dry run only tells.
 */
const changeTimes = async (
  doing: Doing,
  of: {
    ids: readonly number[]
    change: TimeChange
    reason: string
    dry_run: boolean
    expect?: readonly { product_id: number; version: number }[] | undefined
  },
): Promise<TimeResult> => {
  const { tx, staff, now } = doing
  const ids = [...new Set(of.ids)]
  const expected = new Map(of.expect?.map(one => [one.product_id, one.version]))
  const found = await subjects(tx, ids, staff)
  const rows = ids.map((product_id): TimeRow => {
    const known = found.get(product_id)
    return known
      ? plannedRow(known, of.change, expected.get(product_id), doing)
      : unknownRow(product_id, staff.lang)
  })
  const ok = rows.filter(row => row.ok)
  const result = {
    dry_run: of.dry_run,
    ok_count: ok.length,
    fail_count: rows.length - ok.length,
    rows,
  }
  // Nothing stands in the log of what a person may not see.
  if (of.dry_run || found.size === 0) return { batch_no: '', ...result }
  for (const row of ok) await applyRow(doing, row, found.get(row.product_id)!, of.reason)
  const { mode, ...rest } = of.change
  const changes = {
    mode,
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
  }
  const batch_no = await nextBatchNo(tx, now)
  await tx.insert(product_time_log).values({
    batch_no,
    operator_id: staff.id,
    operator_name: staff.name,
    reason: of.reason,
    changes,
    product_count: rows.length,
    ok_count: result.ok_count,
    fail_count: result.fail_count,
    items: rows.map(({ version, rule: _, ...row }): TimeItem => ({
      ...row,
      ...(row.ok ? { version } : {}),
    })),
    product_ids: ids,
    created_at: now,
    status: result.fail_count > 0 ? 'partial' : 'done',
    undo_until_at: result.ok_count > 0 ? now + BATCH_TIME_UNDO_SECONDS : null,
  })
  return { batch_no, ...result }
}

type TimesAsked = TimeChange & {
  product_ids?: number[] | undefined
  ids?: number[] | undefined
  /** Another name of `sale_start_at`. */
  start_at?: number | undefined
  undo_batch_no?: string | undefined
  reason: string
  dry_run: boolean
  expect?: readonly { product_id: number; version: number }[] | undefined
}
/** A change of times as a page asks for it, or the undo of one. */
export const askedTimes = async (doing: Doing, of: TimesAsked): Promise<TimeResult> => {
  if (of.undo_batch_no) return undoTimes(doing, of.undo_batch_no, of.reason)
  const { mode, shift_days, sale_end_at, check_start_at, check_end_at, reason, dry_run, expect } =
    of
  const ids = of.product_ids ?? of.ids
  if (!ids) throw invalid({ product_ids: ['请选择商品', 'Choose products'] })
  const times = {
    sale_start_at: of.sale_start_at ?? of.start_at,
    sale_end_at,
    check_start_at,
    check_end_at,
  }
  const isEmpty =
    mode === 'shift' ? !shift_days : Object.values(times).every(at => at === undefined)
  if (isEmpty)
    throw invalid({
      [mode === 'shift' ? 'shift_days' : 'sale_start_at']: [
        '请至少填写一个时间',
        'Give at least one time',
      ],
    })
  const change = mode === 'shift' ? { mode, shift_days } : { mode, ...times }
  return changeTimes(doing, { ids, change, reason, dry_run, expect })
}

/** What a batch was asked to change, in words: the first two by name. */
const chosenText = (items: readonly TimeItem[], lang: Lang): string => {
  const named = items
    .flatMap(item => item.title || [])
    .slice(0, 2)
    .join(say(comma, lang))
  return say(
    items.length > 2 || named === ''
      ? ['{named}等 {n} 个团购', '{named} … {n} group-buys']
      : ['{named}', '{named}'],
    lang,
    { named, n: items.length },
  ).trim()
}

const nextBatchNo = async (tx: Db, now: number): Promise<string> => {
  const day = dateOf(now).replaceAll('-', '')
  // Two batches of one moment take their numbers one after the other.
  await tx.execute(sql`select pg_advisory_xact_lock(41802)`)
  const [last] = await tx
    .select({ n: sql<number>`count(*)::int` })
    .from(product_time_log)
    .where(sql`${product_time_log.batch_no} like ${`TG${day}-%`}`)
  return `TG${day}-${String(last!.n + 1).padStart(4, '0')}`
}

/**
 * Batches whose products all lie in the person's data; one that touched any other is not theirs to
 * read or take back.
 */
const batchInScope = (scope: Staff['scope']): SQL | undefined =>
  seesAll(scope)
    ? undefined
    : sql`not exists (
    select 1 from product p join merchant m on m.id = p.merchant_id where p.id = any(${product_time_log.product_ids})
    and not (${listed(scope.cities as readonly number[], sql`p.city_id`)} or ${listed(scope.malls as readonly number[], sql`p.mall_id`)} or ${listed(scope.owners, sql`m.bd_admin_id`)}))`
const listed = (ids: readonly number[], column: SQL) =>
  ids.length ? sql`coalesce(${column} in ${ids}, false)` : sql`false`

type LogsAsked = {
  page: number
  pageSize: number
  id?: number | undefined
  batch_no?: string | undefined
  product_id?: number | undefined
  operator_id?: number | undefined
  status?: 'done' | 'partial' | 'undone' | undefined
  start_at?: number | undefined
  end_at?: number | undefined
}
/**
 * The batches that lie in the person's data, newest first; their rows only where one is asked for.
 */
export const timeLogs = async (
  db: Db,
  staff: Pick<Staff, 'id' | 'scope' | 'lang'>,
  { page, pageSize, ...asked }: LogsAsked,
) => {
  const t = product_time_log
  const { id, batch_no, product_id, operator_id, status, start_at, end_at } = asked
  const where = and(
    id === undefined ? undefined : eq(t.id, id),
    batch_no ? ilike(t.batch_no, begins(batch_no)) : undefined,
    product_id === undefined ? undefined : sql`${t.product_ids} @> array[${product_id}]::int[]`,
    operator_id === undefined ? undefined : eq(t.operator_id, operator_id),
    status && eq(t.status, status),
    start_at === undefined ? undefined : gte(t.created_at, start_at),
    end_at === undefined ? undefined : lte(t.created_at, end_at),
    batchInScope(staff.scope),
  )
  const rows = await pageOf(db, t, {
    where,
    by: t.created_at,
    down: true,
    page,
    pageSize,
    reader: `${staff.id}|timeLogs|${JSON.stringify(asked)}`,
  })
  const list = rows.map(({ items, product_ids: _, ...row }) => ({
    ...row,
    filter_text: chosenText(items, staff.lang),
    ...(id === undefined ? {} : { items }),
  }))
  return { list, ...(await countOf(db, t, where)) }
}

/** A batch that may still be taken back, held until it is. */
const batchToUndo = async ({ tx, staff, now }: Doing, batch_no: string) => {
  const [batch] = await tx
    .select()
    .from(product_time_log)
    .where(and(eq(product_time_log.batch_no, batch_no), batchInScope(staff.scope)))
    .for('update')
  if (!batch) throw missing()
  if (batch.status === 'undone')
    throw ruled('undone', ['该批次已撤销', 'It was taken back already'])
  if ((batch.undo_until_at ?? 0) < now)
    throw ruled(
      'too_late',
      ['超过 24 小时（{when} 止），不能撤销', 'It could be taken back until {when}'],
      { when: timeFull(batch.undo_until_at ?? batch.created_at) },
    )
  return batch
}
/** Takes a batch back, product by product, where nothing changed since. */
export const undoTimes = async (
  doing: Doing,
  batch_no: string,
  reason: string,
): Promise<TimeResult> => {
  const { tx, staff } = doing
  const batch = await batchToUndo(doing, batch_no)
  const done = batch.items.filter(item => item.ok)
  const found = await subjects(
    tx,
    done.map(item => item.product_id),
    staff,
  )
  const rows: TimeRow[] = []
  for (const item of done)
    rows.push(await undoItem(doing, item, found.get(item.product_id), reason))
  await tx
    .update(product_time_log)
    .set({ status: 'undone', undo_until_at: null, version: batch.version + 1 })
    .where(eq(product_time_log.id, batch.id))
  const ok_count = rows.filter(row => row.ok).length
  const skipped = rows.flatMap(({ product_id, fail_reason, rule }) =>
    fail_reason && rule ? [{ product_id, reason: fail_reason, rule }] : [],
  )
  return {
    batch_no,
    dry_run: false,
    ok_count,
    fail_count: rows.length - ok_count,
    rows,
    undone: ok_count,
    skipped,
  }
}

// One product's times, taken back from the operation log: by the same rules as any change of them.
defineRevert('product', {
  permit: () => 'audit.bulks.batchUpdateStartAndCheckTime',
  fields: Object.keys(nowhere),
  current: async (db, staff, id) => {
    const [row] = await db
      .select({ product })
      .from(product)
      .innerJoin(merchant, eq(merchant.id, product.merchant_id))
      .where(
        and(
          eq(product.id, id),
          within(staff.scope, {
            city: product.city_id,
            mall: product.mall_id,
            owner: merchant.bd_admin_id,
          }),
        ),
      )
    return row && { ...windowOf(row.product), version: row.product.version }
  },
  apply: async (context, { row, before, now, reason }) => {
    const id = row.object_id!
    const done = await changeTimes(context, {
      ids: [id],
      change: { mode: 'set', ...(before as Partial<Window>) },
      reason,
      dry_run: false,
      expect: [{ product_id: id, version: now.version }],
    })
    if (done.ok_count === 0) {
      const why = done.rows[0]!.fail_reason!
      throw ruled('times', [why, why])
    }
  },
})
