import { type SQL, and, sql } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { COUNT_MAX } from '#src/domain/count.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { countAmong, counting, isAmong } from '#src/server/db/paging.ts'
import { type Searched, besides, ofKind, placedIn, refuseLong } from './where.ts'

/**
 * Filters whose rows an index has by status: each tab counts its own there, and stops at the bound.
 */
const byStatus: readonly (keyof Searched)[] = [
  'status',
  'stage',
  'city_id',
  'mid',
  'store_id',
  'merchant_id',
  'source',
  'from',
  'to',
]
/**
 * How many rows each tab has, in one read, exactly up to the bound of a list. What another filter
 * makes few of is found once and told apart by tab; of more than that bound the tabs are not
 * counted, but all of them together: the least of them could only be counted through all the
 * others.
 */
export const countTabs = async <T extends string>(
  db: Db,
  tabs: readonly T[],
  { among, ...rest }: Searched,
  of: {
    kinds: readonly OrderKind[]
    staff: Pick<Staff, 'scope' | 'lang'>
    now: number
    tab: (tab: T) => SQL | undefined
  },
): Promise<Record<string, number>> => {
  const numbers = (row: Record<string, number>, keys: readonly string[]) =>
    Object.fromEntries(keys.map(key => [key, Math.min(Number(row[key]), COUNT_MAX + 1)]))
  refuseLong(rest, of.staff, of.now)
  const asked = {
    own: ofKind(of.kinds),
    where: besides(rest, of.now),
    placed: placedIn(rest, of.staff),
    among,
  }
  const all = and(asked.own, asked.placed(), asked.where)
  if (among && (await countAmong(db, order, asked)).capped) return { all: COUNT_MAX + 1 }
  if (
    among ||
    (Object.keys(rest) as (keyof typeof rest)[]).some(
      key => rest[key] !== undefined && !byStatus.includes(key),
    )
  ) {
    const each = tabs.map(
      tab =>
        sql`count(*) filter (where ${of.tab(tab) ?? sql`true`})::int as ${sql.identifier(tab)}`,
    )
    const found = among
      ? sql`${order} where ${isAmong(order, asked)}`
      : sql`(select * from ${order} where ${all} order by ${order.created_at} desc limit ${COUNT_MAX + 1}) "order"`
    const {
      rows: [row],
    } = await db.execute<Record<string, number>>(
      sql`select ${sql.join(each, sql`, `)} from ${found}`,
    )
    return numbers(row!, row!['all']! > COUNT_MAX ? ['all'] : tabs)
  }
  const { rows } = await db.execute<Record<string, number>>(
    sql`select ${sql.join(
      tabs.map(tab => sql`${counting(order, and(all, of.tab(tab)))} as ${sql.identifier(tab)}`),
      sql`, `,
    )}`,
  )
  return numbers(rows[0]!, tabs)
}
