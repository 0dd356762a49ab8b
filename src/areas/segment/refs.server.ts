import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { refsOf, type Rule } from './rule.ts'
import type { RefKind } from './ruleFields.ts'
import { refKey, type RefNames } from './sentence.ts'

/** What each kind of row is called, and whether it still may be named. */
const found: Readonly<Record<RefKind, SQL>> = {
  city: sql`select 'city' as kind, id, city_name as name, true as live from city`,
  mall: sql`select 'mall' as kind, id, name, status <> 'closed' as live from mall`,
  member_tag: sql`select 'member_tag' as kind, id, name, true as live from member_tag`,
  wecom_tag: sql`select 'wecom_tag' as kind, id, name, status = 'active' as live from wecom_tag`,
  staff: sql`select 'staff' as kind, id, name, true as live from wecom_staff`,
  chat: sql`select 'chat' as kind, id, name, status <> 'dismissed' as live from wecom_group`,
  segment: sql`select 'segment' as kind, id, name, status in ('ready', 'computing') as live
    from segment`,
}
type Ref = { kind: RefKind; id: number }
/** The rows that a rule and what it leaves out name, each once, as `mall:3`. */
export const refKeysOf = (rule: Rule | null, without: readonly number[]): string[] => {
  const named = rule ? refsOf(rule).map(({ kind, id }) => refKey(kind, id)) : []
  return [...new Set([...named, ...without.map(id => refKey('segment', id))])]
}
const refOf = (key: string): Ref => {
  const [kind, id] = key.split(':') as [RefKind, string]
  return { kind, id: Number(id) }
}
/**
 * What the rows behind such keys are called, and which of them are gone: deleted, closed, dismissed,
 * or out of date themselves.
 */
export const namesOfRefs = async (
  db: Db,
  keys: readonly string[],
): Promise<{ names: RefNames; gone: readonly string[] }> => {
  const refs = [...new Set(keys)].map(key => refOf(key))
  const kinds = [...new Set(refs.map(ref => ref.kind))]
  if (kinds.length === 0) return { names: {}, gone: [] }
  const each = kinds.map(kind => {
    const ids = refs.filter(ref => ref.kind === kind).map(ref => ref.id)
    return sql`(select * from (${found[kind]}) r
      where r.id = any(${sql.param(`{${ids.join()}}`)}::int[]))`
  })
  const { rows } = await db.execute<Ref & { name: string; live: boolean }>(
    sql.join(each, sql` union all `),
  )
  const live = new Set(rows.filter(row => row.live).map(row => refKey(row.kind, row.id)))
  return {
    names: Object.fromEntries(rows.map(row => [refKey(row.kind, row.id), row.name])),
    gone: refs.map(ref => refKey(ref.kind, ref.id)).filter(key => !live.has(key)),
  }
}
