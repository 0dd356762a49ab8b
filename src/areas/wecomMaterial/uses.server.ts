/** What carries a material: messages in use, and those that are to go. */
import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import type { HolderKind } from './material.ts'

/** A message that carries a material; `live` where it is sent to customers as it stands. */
export type MaterialUse = {
  holder: HolderKind
  id: number
  name: string
  live: boolean
  /** Live codes that greet by it. */
  codes: number
}
type Found = MaterialUse & { material_id: number }
/** Messages with the materials that each carries. Few are kept, so they are read as a whole. */
const carried = sql`
  select (a.one ->> 'id')::int material_id, 'welcome' holder, w.id, w.name,
    w.status = 'enabled' live,
    (select count(*)::int from channel_code k
      where k.welcome_id = coalesce(w.base_id, w.id) and k.status <> 'archived') codes
    from wecom_welcome w cross join lateral jsonb_array_elements(w.attachments) a(one)
    where a.one ->> 'kind' = 'material'
  union all
  select (g.attachment ->> 'id')::int, 'group', g.id, g.name, true, 0
    from wecom_group_welcome g
    where g.attachment ->> 'kind' = 'material' and g.gone_at is null
  union all
  select (m.one ->> 'id')::int, 'mass', s.id, left(s.content, 40), true, 0
    from wecom_send_task s cross join lateral jsonb_array_elements(s.materials) m(one)
    where s.status in ('scheduled', 'sending')`
/** The messages that carry each of these materials, those of customers first. */
export const usesOf = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, MaterialUse[]>> => {
  const found = new Map<number, MaterialUse[]>(ids.map(id => [id, []]))
  if (ids.length === 0) return found
  const { rows } = await db.execute<Found>(sql`
    select * from (${carried}) held where material_id in ${[...ids]}
    order by live desc, holder desc, id`)
  for (const { material_id, ...use } of rows) found.get(material_id)?.push(use)
  return found
}
/** True of the materials that some message carries; `id` is the column of the material's id. */
export const isCarried = (id: SQL): SQL => sql`${id} in (select material_id from (${carried}) held)`
