import { asc, eq, inArray } from 'drizzle-orm'
import { mall } from '#src/areas/place/place.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { countOf } from '#src/server/db/paging.ts'
import type { PointsRule } from './inForce.server.ts'
import { points_rule as t } from './rule.table.ts'
import type { PointsRuleKind } from './rule.ts'

type Named = { id: number; name: string }
/** The names of the malls that some rules are for, by the mall’s id. */
const mallsOf = async (db: Db, rows: readonly PointsRule[]): Promise<Map<number, Named>> => {
  const ids = [...new Set(rows.flatMap(row => row.mids))]
  const found =
    ids.length === 0
      ? []
      : await db.select({ id: mall.id, name: mall.name }).from(mall).where(inArray(mall.id, ids))
  return new Map(found.map(one => [one.id, one]))
}
export type RuleRow = PointsRule & { status: 'on' | 'off'; malls: Named[]; issued: number }
/**
 * A page of the rules of a kind in the order in which members see them, each with its malls and what
 * it issued lately (points, by the rule’s id).
 */
export const ruleRows = async (
  db: Db,
  kind: PointsRuleKind,
  { page, pageSize }: { page: number; pageSize: number },
  issued: ReadonlyMap<number, number>,
): Promise<{ list: RuleRow[]; total: number; capped?: boolean }> => {
  const where = eq(t.kind, kind)
  const rows = await db
    .select()
    .from(t)
    .where(where)
    .orderBy(asc(t.sort), asc(t.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const malls = await mallsOf(db, rows)
  const list = rows.map(row => ({
    ...row,
    status: row.status === 'on' ? ('on' as const) : ('off' as const),
    malls: row.mids.flatMap(id => malls.get(id) ?? []),
    issued: issued.get(row.id) ?? 0,
  }))
  return { list, ...(await countOf(db, t, where)) }
}
