import { and, eq, lt, ne, or, isNull, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { applyRelations } from './relations.server.ts'
import { staffIds, takeNotes, takeProfiles, type Told } from './taking.server.ts'
import { wecom_follow } from './wecom.table.ts'
import type { WecomExternalContact, WecomFollowInfo } from './wire.channel.ts'

export type Followed = { external_contact: WecomExternalContact; follow_info: WecomFollowInfo }
/** Takes one page of what advisers follow; answers how many relations it changed. */
export const takeFollowed = async (
  tx: Db,
  rows: readonly Followed[],
  { run_id, now }: { run_id: number; now: number },
): Promise<number> => {
  const profiles = [
    ...new Map(rows.map(one => [one.external_contact.external_userid, one.external_contact])),
  ].map(([, one]) => one)
  const customers = await takeProfiles(tx, profiles, now)
  const staff = await staffIds(
    tx,
    rows.map(one => one.follow_info.userid),
  )
  const pairs = rows.flatMap(({ external_contact, follow_info: { tag_id = [], ...told } }) => {
    const staff_id = staff.get(told.userid)
    return staff_id === undefined
      ? []
      : [
          {
            customer_id: customers.get(external_contact.external_userid)!,
            staff_id,
            told: { ...told, tag_ids: tag_id } satisfies Told,
          },
        ]
  })
  const changed = await applyRelations(
    tx,
    pairs.map(({ customer_id, staff_id, told }) => ({
      customer_id,
      staff_id,
      kind: 'add' as const,
      at: told.createtime,
    })),
  )
  await takeNotes(tx, pairs, { now, run: run_id })
  return changed.length
}
/**
 * Ends relations of advisers that their whole pull did not tell of, unless they began after it.
 * Answers how many.
 */
export const endUntold = async (
  tx: Db,
  staff_ids: readonly number[],
  { run_id, started_at }: { run_id: number; started_at: number },
): Promise<number> => {
  if (staff_ids.length === 0) return 0
  const gone = await tx
    .select({ customer_id: wecom_follow.customer_id, staff_id: wecom_follow.staff_id })
    .from(wecom_follow)
    .where(
      and(
        sql`${wecom_follow.staff_id} = any(${sql.param(`{${staff_ids.join()}}`)}::int[])`,
        eq(wecom_follow.status, 'following'),
        lt(wecom_follow.added_at, started_at),
        or(isNull(wecom_follow.seen_run), ne(wecom_follow.seen_run, run_id)),
      ),
    )
  await applyRelations(
    tx,
    gone.map(one => ({ ...one, kind: 'del_staff' as const, at: started_at })),
  )
  return gone.length
}
