import { sql } from 'drizzle-orm'
import { addTasks } from '#src/areas/wecom/tasks.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'

const AT_ONCE = 200
const REMARK_MOST = 20
/** A relation that is older got its marks, or was told too late for them. */
const FRESH = 2 * DAY
type Fresh = {
  follow_id: number
  customer_id: number
  staff_id: number
  code_id: number
  name: string
  remark: string
  tag_ids: number[]
  suffix: string
}
/**
 * Puts the tags and the remark of their codes on relations that came by one, once each: the work for
 * WeCom is written with the note that it was. Answers how many there were.
 */
export const markAdds = async (tx: Db, now: number): Promise<number> => {
  const { rows } = await tx.execute<Fresh>(sql`
    select f.id follow_id, f.customer_id, f.staff_id, c.id code_id, w.name, f.remark, c.tag_ids,
      c.body ->> 'remark_suffix' suffix
    from wecom_follow f join channel_code c on c.state_key = f.source_state
    join wecom_customer w on w.id = f.customer_id
    where f.source_state <> '' and f.added_at >= ${now - FRESH} and f.status = 'following'
      and not exists (select 1 from channel_add a where a.follow_id = f.id)
    order by f.id limit ${AT_ONCE}`)
  if (rows.length === 0) return 0
  const { rows: own } = await tx.execute<{ follow_id: number }>(sql`
    insert into channel_add (follow_id, code_id, at)
    select f, c, ${now} from unnest(
      ${sql.param(`{${rows.map(row => row.follow_id).join()}}`)}::int[],
      ${sql.param(`{${rows.map(row => row.code_id).join()}}`)}::int[]) as given(f, c)
    on conflict do nothing returning follow_id`)
  const mine = new Set(own.map(one => one.follow_id))
  await addTasks(
    tx,
    now,
    rows
      .filter(row => mine.has(row.follow_id))
      .flatMap(row => {
        const who = {
          customer_id: row.customer_id,
          follow_id: row.follow_id,
          staff_id: row.staff_id,
        }
        const name = (row.remark || row.name).slice(0, REMARK_MOST - row.suffix.length)
        return [
          ...(row.tag_ids.length > 0
            ? [{ ...who, kind: 'tag' as const, body: { add: row.tag_ids } }]
            : []),
          ...(row.suffix && !row.remark.endsWith(row.suffix)
            ? [{ ...who, kind: 'remark' as const, body: { remark: `${name}${row.suffix}` } }]
            : []),
        ]
      }),
  )
  return own.length
}
