/** What became of texts to many, adviser by adviser. */
import { sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import type { PartState } from './sending.ts'

type AdviserFigures = {
  staff_id: number
  name: string
  /** How the adviser's part stands; null where nobody could be asked for. */
  state: PartState | null
  error: string
  errcode: number
  /** Receivers by what became of them; `stopped` were asked for and never sent. */
  sent: number
  unsent: number
  not_friend: number
  over_limit: number
  stopped: number
}
/**
 * The figures of texts by their ids, those who have most to send first. What WeCom told last
 * (`followMasses`) is what they say.
 */
export const advisersOfMasses = async (
  db: Db,
  task_ids: readonly number[],
): Promise<ReadonlyMap<number, AdviserFigures[]>> => {
  const found = new Map<number, AdviserFigures[]>(task_ids.map(id => [id, []]))
  if (task_ids.length === 0) return found
  const counted = (of: string) => sql.raw(`count(*) filter (where r.status ${of})::int`)
  const { rows } = await db.execute<AdviserFigures & { task_id: number }>(sql`
    select r.task_id, r.staff_id, s.name, p.state, coalesce(p.error, '') error,
      coalesce(p.errcode, 0) errcode, ${counted(`= 'sent'`)} sent, ${counted(`= 'unsent'`)} unsent,
      ${counted(`= 'not_friend'`)} not_friend, ${counted(`= 'over_limit'`)} over_limit,
      ${counted(`in ('failed', 'canceled')`)} stopped
    from wecom_send_result r join wecom_staff s on s.id = r.staff_id
      left join wecom_send_part p on p.task_id = r.task_id and p.staff_id = r.staff_id
    where r.task_id in ${[...task_ids]}
    group by r.task_id, r.staff_id, s.name, p.state, p.error, p.errcode
    order by unsent desc, sent desc, s.name, r.staff_id`)
  for (const { task_id, ...one } of rows) found.get(task_id)?.push(one)
  return found
}
