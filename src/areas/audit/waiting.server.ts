/** What the queues have in common whose rows wait for somebody's decision: tabs, filters and figures. */
import { and, eq, gt, gte, ilike, lt, lte, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { PRESSING_S, waits, type Wait } from '#src/areas/application/application.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { like } from '#src/server/db/like.ts'
import type { Queued } from './claiming.server.ts'

const tabs = ['open', 'mine', 'need_more', 'approved', 'rejected', 'withdrawn'] as const
export type WaitingTab = (typeof tabs)[number]
export type WaitingFilters = {
  keyword?: string | undefined
  kind?: string | undefined
  wait?: Wait | undefined
  city_id?: number | undefined
  flagged?: boolean | undefined
}
export type Asker = { staff: Pick<Staff, 'id' | 'scope'>; now: number }
/** True of a tab of which the newest decision comes first. */
export const isDecidedTab = (tab: WaitingTab): boolean =>
  tab === 'approved' || tab === 'rejected' || tab === 'withdrawn'

type Listed = Queued & { title: PgColumn; kind: PgColumn; flagged: PgColumn }
type Of<T extends Listed, F extends WaitingFilters> = {
  table: T
  /** Rows inside a person's data. */
  inScope: (scope: Staff['scope']) => SQL | undefined
  inCity: (city_id: number) => SQL
  /** What the filters mean that the queue has besides. */
  more?: (filters: F) => SQL | undefined
}

const conditions = <T extends Listed, F extends WaitingFilters>({
  table: t,
  inScope,
  inCity,
  more,
}: Of<T, F>) => {
  const inTab = (tab: WaitingTab, me: number, now: number): SQL | undefined => {
    const isOpen = eq(t.is_open, true)
    if (tab === 'open') return isOpen
    if (tab === 'mine') return and(isOpen, eq(t.claimed_by, me), gt(t.claim_until, now))
    return eq(t.state, tab)
  }
  const inWait = (wait: Wait, now: number): SQL | undefined => {
    if (wait === 'late') return lte(t.sla_at, now)
    const calm = gt(t.sla_at, now + PRESSING_S)
    return wait === 'fresh' ? calm : and(gt(t.sla_at, now), lte(t.sla_at, now + PRESSING_S))
  }
  const holds = (keyword: string): SQL | undefined =>
    or(
      ilike(t.title, like(keyword)),
      /^\d{1,9}$/.test(keyword) ? eq(t.id, Number(keyword)) : undefined,
    )
  /** The filters that stand beside the tabs, as a condition. */
  const matching = (filters: F, now: number): SQL | undefined => {
    const { keyword, kind, wait, city_id, flagged } = filters
    return and(
      keyword ? holds(keyword) : undefined,
      kind ? eq(t.kind, kind) : undefined,
      wait && inWait(wait, now),
      city_id === undefined ? undefined : inCity(city_id),
      flagged === undefined ? undefined : eq(t.flagged, flagged),
      more?.(filters),
    )
  }
  /** A queue's tab, its filters and the reader's data: for list, counts and export. */
  const where = (
    queue: string,
    asked: { state: WaitingTab } & F,
    { staff, now }: Asker,
  ): SQL | undefined =>
    and(
      eq(t.queue, queue),
      inTab(asked.state, staff.id, now),
      matching(asked, now),
      inScope(staff.scope),
    )
  return { matching, where }
}

const figures = <T extends Listed>({ table: t }: { table: T }) => {
  /** What I decided today; `seconds_each` is the mean from claim to decision. */
  const today = async (db: Db, queue: string, me: number, now: number) => {
    const [row] = await db
      .select({
        approved: sql<number>`count(*) filter (where ${t.state} = 'approved')::int`,
        rejected: sql<number>`count(*) filter (where ${t.state} = 'rejected')::int`,
        asked: sql<number>`count(*) filter (where ${t.state} = 'need_more')::int`,
        seconds_each: sql<
          number | null
        >`round(avg(${t.decided_at} - ${t.claimed_at}) filter (where ${t.decided_at} >= ${t.claimed_at}))::int`,
      })
      .from(t as PgTable)
      .where(and(eq(t.queue, queue), eq(t.decided_by, me), gte(t.decided_at, dayStart(now))))
    return row!
  }
  /** How often each code was given in the last thirty whole days. */
  const codesUsed = async (db: Db, queue: string, now: number): Promise<Record<string, number>> => {
    const to = dayStart(now)
    const rows = await db
      .select({ code: sql<string>`${t.reason_code}`, n: sql<number>`count(*)::int` })
      .from(t as PgTable)
      .where(
        and(
          eq(t.queue, queue),
          eq(t.state, 'rejected'),
          gte(t.decided_at, to - 30 * DAY),
          lt(t.decided_at, to),
        ),
      )
      .groupBy(t.reason_code)
    return Object.fromEntries(rows.map(row => [row.code, row.n]))
  }
  return { today, codesUsed }
}

/**
 * The conditions and figures of a queue over a table that has the columns of claimed.table.ts, and a
 * title, a kind and whether it is flagged.
 */
export const waitingOf = <T extends Listed, F extends WaitingFilters>(of: Of<T, F>) => {
  const { table: t } = of
  const asked = conditions(of)
  /** How many rows each tab has, and of what waits each kind and each age, in one query. */
  const counts = async (
    db: Db,
    queue: string,
    filters: F,
    { kinds, ...asker }: Asker & { kinds: object },
  ): Promise<Record<string, number>> => {
    const counted = (name: string, state: WaitingTab, more: WaitingFilters) =>
      sql`(select count(*)::int from ${t} where ${asked.where(queue, { ...filters, ...more, state }, asker) ?? sql`true`}) as ${sql.identifier(name)}`
    const columns = [
      ...tabs.map(tab => counted(tab, tab, {})),
      ...Object.keys(kinds).map(kind => counted(`kind_${kind}`, 'open', { kind })),
      ...Object.keys(waits).map(wait => counted(`wait_${wait}`, 'open', { wait: wait as Wait })),
    ]
    return (await db.execute<Record<string, number>>(sql`select ${sql.join(columns, sql`, `)}`))
      .rows[0]!
  }
  return { ...asked, counts, ...figures(of) }
}
