import { and, eq, gte, inArray, isNull, lt, lte, ne, sql } from 'drizzle-orm'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { recon_bill, recon_item } from '#src/areas/reconcile/reconcile.table.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { dailySums } from './daily.server.ts'
import { dayChecks, mayAskReopen, mayClose, mayReopen, type DayCheckKey } from './days.ts'
import { settle_day, type DayCheck } from './ledger.table.ts'
import { holdDay } from './post.server.ts'

export type DayRow = typeof settle_day.$inferSelect
/** A payout that no channel answered for so long is stuck. */
const STUCK_S = DAY
const startOf = (day: string): number => Date.parse(`${day}T00:00:00+08:00`) / 1000
const before = (day: string): string => dateOf(startOf(day) - DAY)

/** The first day of the journal, or undefined where nothing is posted. */
const firstDay = async (db: Db): Promise<string | undefined> => {
  const { rows } = await db.execute<{ day: string | null }>(
    sql`select min(day) as day from ledger_txn`,
  )
  return rows[0]?.day ?? undefined
}
const isClosed = async (db: Db, day: string): Promise<boolean> => {
  const rows = await db
    .select({ id: settle_day.id })
    .from(settle_day)
    .where(and(eq(settle_day.day, day), eq(settle_day.status, 'closed')))
  return rows.length > 0
}
/** What a day moved of some kinds of accounts, both sides together, and what is uneven of it. */
const movedOn = async (db: Db, day: string) => {
  const { rows } = await db.execute<{ trial: number; wechat: number; bank: number }>(sql`
    select coalesce(sum(debit_cents - credit_cents), 0)::float8 trial,
      coalesce(sum(debits + credits) filter (where kind = 'wechat_cash'), 0)::int wechat,
      coalesce(sum(debits + credits) filter (where kind = 'bank_cash'), 0)::int bank
    from ${dailySums(sql`day = ${day}`)} s`)
  return rows[0]!
}
const billsOf = async (db: Db, day: string): Promise<Set<string>> => {
  const rows = await db
    .select({ channel: recon_bill.channel })
    .from(recon_bill)
    .where(and(eq(recon_bill.day, day), isNull(recon_bill.waiting)))
  return new Set(rows.map(row => row.channel))
}
const countOf = async (
  db: Db,
  table: typeof recon_item | typeof withdrawal,
  where: ReturnType<typeof and>,
) =>
  (
    await db
      .select({ n: sql<number>`count(*)::int` })
      .from(table)
      .where(where)
  )[0]!.n

/** Looks at everything that a day is closed by; `value` says how many, or how many cents. */
const checkDay = async (db: Db, day: string, now: number): Promise<DayCheck[]> => {
  const first = await firstDay(db)
  const moved = await movedOn(db, day)
  const bills = await billsOf(db, day)
  const open = await countOf(
    db,
    recon_item,
    and(eq(recon_item.day, day), ne(recon_item.status, 'resolved')),
  )
  const stuck = await countOf(
    db,
    withdrawal,
    and(eq(withdrawal.status, 'paying'), lt(withdrawal.reviewed_at, now - STUCK_S)),
  )
  const is = (key: DayCheckKey, ok: boolean, value = 0): DayCheck => ({ key, ok, value })
  return [
    is('over', startOf(day) + DAY <= now),
    is('previous', day === first || (await isClosed(db, before(day)))),
    is('trial', moved.trial === 0, moved.trial),
    is('wechat_bill', moved.wechat === 0 || bills.has('wechat'), moved.wechat),
    is('open_items', open === 0, open),
    is('bank_bill', moved.bank === 0 || bills.has('bank'), moved.bank),
    is('payouts', stuck === 0, stuck),
  ]
}

const faultOf = (day: string, first: string | undefined, now: number): Text | undefined => {
  const at = startOf(day)
  if (Number.isNaN(at) || dateOf(at) !== day)
    return ['日期不对，请输入如 2026-11-20', 'That is no day: write it as 2026-11-20']
  if (first === undefined) return ['账本还没有凭证', 'Nothing is posted yet']
  if (day < first)
    return [`账本从 ${first} 开始，更早的日期无需日结`, `The journal begins on ${first}`]
  return day > dateOf(now) ? ['日期还没有到', 'That day has not come'] : undefined
}
/**
 * A day as it stands, held until the transaction ends, with postings into it kept out. Throws 422
 * for one that the journal does not reach.
 */
const heldDay = async (tx: Db, day: string, now: number): Promise<DayRow> => {
  const fault = faultOf(day, await firstDay(tx), now)
  if (fault) throw ruled('no_such_day', fault)
  await holdDay(tx, day)
  await tx.insert(settle_day).values({ day, status: 'open' }).onConflictDoNothing()
  const [row] = await tx.select().from(settle_day).where(eq(settle_day.day, day)).for('update')
  return row!
}
const set = async (
  tx: Db,
  was: DayRow,
  values: Partial<typeof settle_day.$inferInsert>,
): Promise<{ was: DayRow; after: DayRow }> => {
  const [after] = await tx
    .update(settle_day)
    .set({ ...values, version: was.version + 1 })
    .where(eq(settle_day.id, was.id))
    .returning()
  return { was, after: after! }
}
const nameOf = async (db: Db, id: number | null): Promise<string> => {
  const [row] = id === null ? [] : await db.select().from(admin).where(eq(admin.id, id))
  return row?.name ?? ''
}
type Step = { day: string; me: number; now: number }
/** Checks a day and keeps what was found; a closed one is only looked at. */
export const runDayCheck = async (tx: Db, { day, now }: Omit<Step, 'me'>) => {
  const row = await heldDay(tx, day, now)
  const checks = await checkDay(tx, day, now)
  const status = row.status === 'closed' ? row.status : 'checking'
  return set(tx, row, { checks, checked_at: now, status })
}
/**
 * Closes a day: from then on it takes no posting. Throws 422 `day_open` with what keeps it open,
 * `day_closed` with whoever was quicker (domain D, invariant 10).
 */
export const closeDay = async (tx: Db, { day, me, now }: Step) => {
  const row = await heldDay(tx, day, now)
  if (mayClose(row) !== true) {
    const by = await nameOf(tx, row.closed_by)
    throw ruled('day_closed', [`${day} 已由${by}日结`, `${by} closed ${day} already`])
  }
  const checks = await checkDay(tx, day, now)
  const amiss = checks.filter(one => !one.ok && dayChecks[one.key].must)
  if (amiss.length > 0) {
    const told = (at: 0 | 1) => amiss.map(one => dayChecks[one.key].title[at]).join(comma[at])
    throw ruled('day_open', [
      `${day} 还不能日结，未通过：${told(0)}`,
      `${day} can’t be closed yet. Not so: ${told(1)}`,
    ])
  }
  return set(tx, row, {
    checks,
    checked_at: now,
    status: 'closed',
    closed_by: me,
    closed_at: now,
    asked_by: null,
    asked_at: null,
    reopened_by: null,
    reopen_reason: '',
  })
}
const refusing = (rule: string, may: true | Text): void => {
  if (may !== true) throw ruled(rule, may)
}
/** Asks for a closed day to be opened again. Only the last closed day is: they close in their order. */
export const askReopen = async (tx: Db, { day, me, now, reason }: Step & { reason: string }) => {
  const row = await heldDay(tx, day, now)
  refusing('reopen', mayAskReopen(row))
  const [later] = await tx
    .select({ day: settle_day.day })
    .from(settle_day)
    .where(and(eq(settle_day.status, 'closed'), sql`${settle_day.day} > ${day}`))
    .orderBy(settle_day.day)
    .limit(1)
  if (later)
    throw ruled('reopen_order', [
      `${later.day} 也已日结，请从最后一个已日结的日期开始反日结`,
      `${later.day} is closed too: open the last closed day first`,
    ])
  return set(tx, row, { asked_by: me, asked_at: now, reopen_reason: reason })
}
/** Opens a day again that somebody else asked for, or leaves it closed. */
export const decideReopen = async (tx: Db, { day, me, now }: Step, open: boolean) => {
  const row = await heldDay(tx, day, now)
  refusing('reopen', mayReopen(row, me))
  return set(
    tx,
    row,
    open
      ? { status: 'reopened', reopened_by: me }
      : { asked_by: null, asked_at: null, reopen_reason: '' },
  )
}

/** The days of the journal, the latest first, and what is known of each; without a row one is open. */
export const daysOf = async (
  db: Db,
  { now, page, pageSize }: { now: number; page: number; pageSize: number },
) => {
  const first = await firstDay(db)
  if (first === undefined) return { total: 0, days: [] }
  const today = dayStart(now)
  const total = Math.round((today - startOf(first)) / DAY) + 1
  const latest = today - (page - 1) * pageSize * DAY
  const days = Array.from(
    { length: Math.max(0, Math.min(pageSize, total - (page - 1) * pageSize)) },
    (_, at) => dateOf(latest - at * DAY),
  )
  const rows =
    days.length === 0
      ? []
      : await db
          .select()
          .from(settle_day)
          .where(and(gte(settle_day.day, days.at(-1)!), lte(settle_day.day, days[0]!)))
  const people = rows
    .flatMap(row => [row.closed_by, row.asked_by, row.reopened_by])
    .filter(id => id !== null)
  const names = new Map(
    people.length === 0
      ? []
      : (await db.select().from(admin).where(inArray(admin.id, people))).map(
          one => [one.id, one.name] as const,
        ),
  )
  const by = new Map(rows.map(row => [row.day, row]))
  return { total, days: days.map(day => ({ day, row: by.get(day), names })) }
}
