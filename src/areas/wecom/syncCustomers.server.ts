import { and, eq, lt, ne, notInArray, or, isNull, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { applyRelations } from './relations.server.ts'
import { staffIds, takeNotes, takeProfiles, type Told } from './taking.server.ts'
import { wecom_follow, wecom_tag, wecom_tag_group } from './wecom.table.ts'
import type { WecomExternalContact, WecomFollowInfo, WecomTagGroup } from './wire.channel.ts'

/** Takes the corp's groups of tags: what WeCom knows no more is invalid, and valid again when it does. */
export const takeTags = async (tx: Db, groups: readonly WecomTagGroup[]): Promise<void> => {
  const told: string[] = []
  const toldGroups: string[] = []
  for (const group of groups.filter(one => !one.deleted)) {
    toldGroups.push(group.group_id)
    const own = { name: group.group_name, sort: group.order ?? 0, status: 'active' as const }
    const [row] = await tx
      .insert(wecom_tag_group)
      .values({ group_id: group.group_id, ...own })
      .onConflictDoUpdate({ target: wecom_tag_group.group_id, set: own })
      .returning({ id: wecom_tag_group.id })
    const tags = group.tag.filter(one => !one.deleted)
    told.push(...tags.map(one => one.id))
    // A name that another id has now: the old one is gone in WeCom, whatever the sync said before.
    for (const one of tags)
      await tx
        .update(wecom_tag)
        .set({ status: 'deleted' })
        .where(
          and(
            eq(wecom_tag.group_id, row!.id),
            sql`lower(${wecom_tag.name}) = lower(${one.name})`,
            ne(wecom_tag.tag_id, one.id),
          ),
        )
    for (const one of tags) {
      const values = {
        group_id: row!.id,
        name: one.name,
        sort: one.order ?? 0,
        status: 'active' as const,
      }
      await tx
        .insert(wecom_tag)
        .values({ tag_id: one.id, ...values })
        .onConflictDoUpdate({ target: wecom_tag.tag_id, set: values })
    }
  }
  await tx
    .update(wecom_tag)
    .set({ status: 'invalid', version: sql`${wecom_tag.version} + 1` })
    .where(and(eq(wecom_tag.status, 'active'), notInArray(wecom_tag.tag_id, ['', ...told])))
  await tx
    .update(wecom_tag_group)
    .set({ status: 'deleted' })
    .where(notInArray(wecom_tag_group.group_id, ['', ...toldGroups]))
}

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
  await takeNotes(tx, pairs, run_id)
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
