import { and, eq, gt, gte, lte, sql, type SQL } from 'drizzle-orm'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { keyGrams, searchable } from '#src/domain/search.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { countedLately, countOf, counting, listed, pageOf } from '#src/server/db/paging.ts'
import { audit_task, type AuditTask } from './audit.table.ts'
import { holderOf, rankedCodes, stateAt, type AuditQueue, type SubmitType } from './audit.ts'
import { decidedOf, namesIn, pricesOf, redeemedOf, roundsOf, toldTo } from './auditDetail.server.ts'
import { judge, siblingsOf } from './submission.server.ts'
import { soldOf } from './submissionFacts.server.ts'
import { inScope, viewersOf } from './taskClaims.server.ts'

export const queueTabs = [
  'open',
  'mine',
  'pending',
  'claimed',
  'need_more',
  'second_audit',
  'approved',
  'rejected',
  'withdrawn',
] as const
export type QueueTab = (typeof queueTabs)[number]
export type QueueFilters = {
  keyword?: string | undefined
  city_id?: number | undefined
  mid?: number | undefined
  submit_type?: SubmitType | undefined
  kind?: 'goods' | 'elist' | undefined
  flagged?: boolean | undefined
  over_sla?: boolean | undefined
  decided_by?: number | undefined
  submitted_from?: number | undefined
  submitted_to?: number | undefined
}
type Reader = Pick<Staff, 'id' | 'scope'>
const t = audit_task

/** A tab, as a condition. A claim that ran out counts as pending, here as in every answer. */
const inTab = (tab: QueueTab, me: number, now: number): SQL | undefined => {
  const lapsed = sql`(${t.state} = 'claimed' and ${t.claim_until} <= ${now})`
  switch (tab) {
    case 'open':
      return eq(t.is_open, true)
    case 'pending':
      return and(eq(t.is_open, true), sql`(${t.state} = 'pending' or ${lapsed})`)
    case 'claimed':
      return and(eq(t.is_open, true), eq(t.state, 'claimed'), gt(t.claim_until, now))
    case 'mine':
      return and(eq(t.is_open, true), eq(t.claimed_by, me), gt(t.claim_until, now))
    default:
      return eq(t.state, tab)
  }
}

/** The filters that stand beside the tabs, as a condition. */
export const matching = (filters: QueueFilters, now: number): SQL | undefined => {
  const {
    keyword,
    city_id,
    mid,
    submit_type,
    kind,
    flagged,
    over_sla,
    decided_by,
    submitted_from,
    submitted_to,
  } = filters
  return and(
    keyword ? holding(keyword) : undefined,
    city_id === undefined ? undefined : eq(t.city_id, city_id),
    mid === undefined ? undefined : eq(t.mall_id, mid),
    submit_type && eq(t.submit_type, submit_type),
    kind && eq(t.product_kind, kind),
    flagged === undefined ? undefined : eq(t.flagged, flagged),
    over_sla === true ? and(eq(t.is_open, true), lte(t.sla_at, now)) : undefined,
    over_sla === false ? sql`not (${t.is_open} and ${t.sla_at} <= ${now})` : undefined,
    decided_by === undefined
      ? undefined
      : sql`(${t.decided_by} = ${decided_by} or ${t.first_by} = ${decided_by})`,
    submitted_from === undefined ? undefined : gte(t.submitted_at, submitted_from),
    submitted_to === undefined ? undefined : lte(t.submitted_at, submitted_to),
  )
}
const array = (of: readonly string[]) =>
  sql`array[${sql.join(
    of.map(one => sql`${one}`),
    sql`, `,
  )}]::text[]`
/**
 * Rows that hold every word of the keyword in title, merchant or store; a whole number is also
 * looked for as the task's or the product's id.
 */
const holding = (keyword: string): SQL => {
  const words = searchable(keyword).split(' ').filter(Boolean)
  if (words.length === 0) return sql`true`
  const held = words.map(word => sql`position(${word} in ${t.search}) > 0`)
  const text = sql`(${t.grams} @> ${array(keyGrams(keyword))} and ${sql.join(held, sql` and `)})`
  const id = /^\d{1,9}$/.test(words[0]!) && words.length === 1 ? Number(words[0]) : undefined
  return id === undefined ? text : sql`(${text} or ${t.id} = ${id} or ${t.product_id} = ${id})`
}

/**
 * One queue, one tab, the filters and the reader's data scope: the list, its count, its to-do and
 * its export all use this.
 */
export const queueWhere = (
  { queue, tab }: { queue: AuditQueue; tab: QueueTab },
  filters: QueueFilters,
  reader: Reader,
  now: number,
): SQL | undefined =>
  and(eq(t.queue, queue), inTab(tab, reader.id, now), matching(filters, now), inScope(reader.scope))

const sorts = { sla: t.sla_at, newest: t.submitted_at, price: t.price_cents } as const
/** What a list does not show, and of a page of rows takes as long to read as all that it does. */
const unlisted = [
  'grams',
  'search',
  'snapshot',
  'live_snapshot',
  'undo',
  'image_faults',
  'field_marks',
  'store_ids',
] as const
/**
 * A page of a tab. The open tabs begin with what is over its SLA; decided ones with the newest
 * decision.
 */
export const queuePage = async (
  db: Db,
  queue: AuditQueue,
  of: { state: QueueTab; sort: keyof typeof sorts; page: number; pageSize: number } & QueueFilters,
  reader: Reader,
  now: number,
) => {
  const { state, sort, page, pageSize, ...filters } = of
  const where = queueWhere({ queue, tab: state }, filters, reader, now)
  const decided = state === 'approved' || state === 'rejected' || state === 'withdrawn'
  const by = sort === 'sla' && decided ? t.decided_at : sorts[sort]
  const whose = [state === 'mine' && reader.id, reader.scope, filters]
  const [rows, counted] = await Promise.all([
    pageOf(db, t, {
      where,
      by,
      down: decided || sort !== 'sla',
      page,
      pageSize,
      but: unlisted,
      reader: `${reader.id}|${queue}|${state}|${JSON.stringify(filters)}`,
    }),
    countedLately(db, `audit.${queue}|${state}|${JSON.stringify(whose)}`, () =>
      countOf(db, t, where),
    ),
  ])
  return listed(
    of,
    rows,
    rows.map(row => itemOf(row, now)),
    async () => counted,
  )
}

/** How many rows each tab has, in one query; each equals the total of its list. */
export const queueCounts = async (
  db: Db,
  queue: AuditQueue,
  filters: QueueFilters,
  reader: Reader,
  now: number,
): Promise<Record<string, number>> => {
  const columns = queueTabs.map(
    tab =>
      sql`least(${counting(t, queueWhere({ queue, tab }, filters, reader, now))}, 10000) as ${sql.identifier(tab)}`,
  )
  return (await db.execute<Record<string, number>>(sql`select ${sql.join(columns, sql`, `)}`))
    .rows[0]!
}

const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined
/** A task as its queue shows it. */
export const itemOf = (task: Omit<AuditTask, (typeof unlisted)[number]>, now: number) => {
  const body = task.listed
  const holder = holderOf(task, now)
  return {
    id: task.id,
    queue: task.queue,
    product_id: task.product_id,
    product_kind: task.product_kind,
    product_version: task.product_version,
    submit_type: task.submit_type,
    title: task.title,
    image: given(task.image),
    merchant_id: task.merchant_id,
    merchant_name: task.merchant_name,
    store_name: task.store_name,
    store_count: task.store_count,
    city_id: task.city_id,
    city_name: task.city_name,
    mid: task.mall_id,
    mall_name: task.mall_name,
    category_name: task.category_name,
    brand_name: given(task.brand_name),
    price_cents: task.price_cents,
    price_max_cents: given(task.price_max_cents),
    list_price_cents: body.list_price_cents,
    settle_price_cents: body.settle_price_cents,
    commission_bp: body.commission_bp,
    stock: body.stock,
    sale_start_at: body.sale_start_at,
    sale_end_at: body.sale_end_at,
    check_start_at: body.check_start_at,
    check_end_at: body.check_end_at,
    times_total: body.times_total,
    valid_days: body.valid_days,
    face_cents: body.face_cents,
    min_spend_cents: body.min_spend_cents,
    per_bill_limit: body.per_bill_limit,
    sku_count: given(task.sku_count),
    changed: task.changed,
    flags: task.flags,
    round: task.round,
    priority: task.priority,
    state: stateAt(task, now),
    submitted_at: task.submitted_at,
    submitted_by: task.submitted_by,
    sla_at: task.sla_at,
    claimed_by: holder,
    claimer_name: holder === null ? null : task.claimer_name,
    claim_until: holder === null ? null : task.claim_until,
    first_by: task.first_by,
    decided_by: task.decided_by,
    decider_name: task.decider_name,
    decided_at: task.decided_at,
    reason_code: task.reason_code,
    more_codes: task.more_codes,
    reason: task.reason,
    version: task.version,
  }
}

/**
 * All that a person reads before deciding: the submission beside what is live, the rules' findings,
 * and who sells it.
 */
export const detailOf = async (db: Db, task: AuditTask, staff: Staff, now: number) => {
  const body = task.snapshot
  const [
    { found, live: onSale },
    [seller],
    record,
    prices,
    sold,
    [item],
    redeemed_30d,
    rounds,
    siblings,
    viewers,
  ] = await Promise.all([
    judge(db, task, body, now),
    db.select().from(merchant).where(eq(merchant.id, task.merchant_id)),
    decidedOf(db, task.merchant_id, now - 90 * DAY),
    pricesOf(db, task.product_id),
    soldOf(db, task.product_id),
    db.select({ sold: product.sold }).from(product).where(eq(product.id, task.product_id)),
    redeemedOf(db, task, now - 30 * DAY),
    roundsOf(db, task, staff),
    siblingsOf(db, task),
    viewersOf(db, task.id, staff.id, now),
  ])
  // A decided task shows what it replaced; an open one what is on sale now.
  const live = task.is_open || task.state === 'need_more' ? onSale : task.live_snapshot
  const { names, stores } = await namesIn(db, body, live)
  return {
    task: itemOf(task, now),
    body,
    live,
    findings: found.map(finding => toldTo(staff, finding)),
    names,
    merchant: {
      id: task.merchant_id,
      name: seller!.name,
      status: seller!.status,
      license_no: seller!.license_no,
      license_expire_at: seller!.license_expire_at,
      contact_phone: seller!.contact_phone,
      qualifications: seller!.licenses,
      approved_90d: record.approved,
      rejected_90d: record.rejected,
    },
    stores,
    prices,
    rounds,
    siblings: siblings.map(one => ({ ...one, face_cents: given(one.face_cents) })),
    redeemed_30d,
    sold: {
      paid: item!.sold,
      unused_codes: sold.unused_codes,
      latest_valid_until: sold.latest_valid_until,
    },
    field_marks: task.field_marks,
    viewers,
  }
}

/** What I have done today in a queue; `seconds_each` is the mean from claim to decision. */
export const todayOf = async (db: Db, queue: AuditQueue, me: number, now: number) => {
  const day = dayStart(now)
  const counted = await db.execute<{
    approved: number
    rejected: number
    asked: number
    seconds_each: number | null
  }>(sql`
    select (count(*) filter (where state = 'approved') + (select count(*) from audit_task f where f.queue = ${queue} and f.first_by = ${me} and f.first_at >= ${day} and f.decided_by is distinct from ${me}))::int approved,
      count(*) filter (where state = 'rejected')::int rejected, count(*) filter (where state = 'need_more')::int asked,
      round(avg(decided_at - claimed_at) filter (where claimed_at is not null and decided_at >= claimed_at))::int seconds_each
    from audit_task where queue = ${queue} and decided_by = ${me} and decided_at >= ${day}`)
  return counted.rows[0]!
}

/** Reject codes, the team's most used of the last 30 whole days first. */
export const topReasons = async (db: Db, queue: AuditQueue, now: number) => {
  const to = dayStart(now)
  const { rows } = await db.execute<{ code: string; n: number }>(sql`
    select c.code, count(*)::int n from audit_task x cross join lateral unnest(array_append(x.more_codes, x.reason_code)) c(code)
    where x.queue = ${queue} and x.state = 'rejected' and x.decided_at >= ${to - 30 * DAY} and x.decided_at < ${to} and c.code is not null group by c.code`)
  return rankedCodes(Object.fromEntries(rows.map(row => [row.code, row.n])))
}
