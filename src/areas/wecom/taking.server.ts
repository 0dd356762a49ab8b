import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { matchByUnionid } from './matching.server.ts'
import { applyRelations, liveFollow, type Happened } from './relations.server.ts'
import { wecom_customer, wecom_follow, wecom_staff, wecom_tag } from './wecom.table.ts'
import { addWayCodes } from './wecom.ts'
import { wecom_tag_given } from './wecomTag.table.ts'
import type { WecomExternal, WecomExternalContact, WecomFollowInfo } from './wire.channel.ts'

const genders = ['unknown', 'male', 'female'] as const
/** The columns that WeCom tells of a person. */
const profileOf = (of: WecomExternalContact) => ({
  name: of.name.slice(0, 64),
  avatar: of.avatar ?? '',
  type: of.type === 2 ? ('wecom' as const) : ('wechat' as const),
  gender: genders[of.gender ?? 0] ?? ('unknown' as const),
  corp_name: of.corp_name ?? '',
  // What WeCom leaves out for want of a right is no news.
  ...(of.unionid && { unionid: of.unionid }),
})
/** The customers with these profiles, made where they are new; their ids by external id. */
export const takeProfiles = async (
  tx: Db,
  all: readonly WecomExternalContact[],
  now: number,
): Promise<Map<string, number>> => {
  const byId = new Map<string, number>()
  for (const of of all.toSorted((a, b) => (a.external_userid < b.external_userid ? -1 : 1))) {
    const profile = profileOf(of)
    const [row] = await tx
      .insert(wecom_customer)
      .values({
        external_userid: of.external_userid,
        ...profile,
        state: 'lost',
        synced_at: now,
        created_at: now,
      })
      .onConflictDoUpdate({
        target: wecom_customer.external_userid,
        set: { ...profile, synced_at: now },
      })
      .returning({ id: wecom_customer.id })
    byId.set(of.external_userid, row!.id)
  }
  return byId
}

export type Told = Omit<WecomFollowInfo, 'tag_id'> & { tag_ids: readonly string[] }
/** Colleagues by their userid; one who is not known yet comes with the next sync of the directory. */
export const staffIds = async (
  tx: Db,
  userids: readonly string[],
): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (userids.length === 0
      ? []
      : await tx
          .select({ id: wecom_staff.id, userid: wecom_staff.userid })
          .from(wecom_staff)
          .where(inArray(wecom_staff.userid, [...new Set(userids)]))
    ).map(one => [one.userid, one.id]),
  )
const tagIds = async (tx: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (ids.length === 0
      ? []
      : await tx
          .select({ id: wecom_tag.id, tag_id: wecom_tag.tag_id })
          .from(wecom_tag)
          .where(inArray(wecom_tag.tag_id, [...new Set(ids)]))
    ).map(one => [one.tag_id, one.id]),
  )

type Noted = { customer_id: number; staff_id: number; told: Told }
/** Notes when a relation got tags. */
export const noteGiven = async (
  tx: Db,
  of: { follow_id: number; tag_ids: readonly number[]; at: number },
): Promise<void> => {
  const { follow_id, tag_ids, at } = of
  if (tag_ids.length === 0) return
  await tx
    .insert(wecom_tag_given)
    .values(tag_ids.map(tag_id => ({ follow_id, tag_id, at })))
    .onConflictDoUpdate({
      target: [wecom_tag_given.follow_id, wecom_tag_given.tag_id],
      set: { at },
    })
}
/** Writes what advisers noted of customers into their live relations. */
export const takeNotes = async (
  tx: Db,
  noted: readonly Noted[],
  { now, run }: { now: number; run?: number },
): Promise<void> => {
  const tags = await tagIds(
    tx,
    noted.flatMap(one => one.told.tag_ids),
  )
  for (const { customer_id, staff_id, told } of noted) {
    const live = await liveFollow(tx, { customer_id, staff_id })
    if (!live) continue
    const set = {
      remark: told.remark ?? '',
      description: told.description ?? '',
      remark_corp_name: told.remark_corp_name ?? '',
      remark_phones: told.remark_mobiles ?? [],
      tag_ids: told.tag_ids.flatMap(id => tags.get(id) ?? []).sort((a, b) => a - b),
      add_way: addWayCodes[told.add_way ?? 0] ?? ('unknown' as const),
      oper_userid: told.oper_userid ?? '',
      source_state: told.state ?? '',
      ...(run !== undefined && { seen_run: run }),
    }
    await tx.update(wecom_follow).set(set).where(eq(wecom_follow.id, live.id))
    const fresh = set.tag_ids.filter(tag => !live.tag_ids.includes(tag))
    // What a first look finds was given while nobody looked: not before they were added.
    const isFirst = live.seen_run === null && live.tag_ids.length === 0
    await noteGiven(tx, { follow_id: live.id, tag_ids: fresh, at: isFirst ? live.added_at : now })
  }
}
/**
 * Takes one customer as WeCom tells it now (`said`; undefined: nobody follows them any more), asked
 * at a time: relations that are not told have ended, those since then are left alone.
 */
export const takeExternal = async (
  tx: Db,
  of: {
    external_userid: string
    said: WecomExternal | undefined
    asked_at: number
    now: number
  },
): Promise<number | undefined> => {
  const { external_userid, said, asked_at, now } = of
  const id = said
    ? (await takeProfiles(tx, [said.external_contact], now)).get(external_userid)
    : (
        await tx
          .update(wecom_customer)
          .set({ synced_at: now })
          .where(eq(wecom_customer.external_userid, external_userid))
          .returning({ id: wecom_customer.id })
      )[0]?.id
  if (id === undefined) return undefined
  const followers = said?.follow_user ?? []
  const known = await staffIds(
    tx,
    followers.map(one => one.userid),
  )
  const present = followers.flatMap(one => {
    const staff_id = known.get(one.userid)
    return staff_id === undefined ? [] : [{ staff_id, one }]
  })
  const live = await tx
    .select({ staff_id: wecom_follow.staff_id, added_at: wecom_follow.added_at })
    .from(wecom_follow)
    .where(and(eq(wecom_follow.customer_id, id), eq(wecom_follow.status, 'following')))
  const told = new Set(present.map(one => one.staff_id))
  const happened: Happened[] = [
    ...present.map(({ staff_id, one }) => ({
      customer_id: id,
      staff_id,
      kind: 'add' as const,
      at: one.createtime,
    })),
    ...live
      .filter(one => !told.has(one.staff_id) && one.added_at < asked_at)
      .map(one => ({
        customer_id: id,
        staff_id: one.staff_id,
        kind: 'del_staff' as const,
        at: asked_at,
      })),
  ]
  await applyRelations(tx, happened)
  await takeNotes(
    tx,
    present.map(({ staff_id, one: { tags = [], ...rest } }) => ({
      customer_id: id,
      staff_id,
      told: { ...rest, tag_ids: tags.flatMap(tag => (tag.type === 1 && tag.tag_id) || []) },
    })),
    { now },
  )
  await matchByUnionid(tx, [id])
  await tx
    .update(wecom_customer)
    .set({ version: sql`${wecom_customer.version} + 1` })
    .where(eq(wecom_customer.id, id))
  return id
}
