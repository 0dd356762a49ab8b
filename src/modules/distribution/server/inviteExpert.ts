import { and, eq, ilike, inArray, or, sql, type SQL } from 'drizzle-orm'
import { phonesOf, PHONES_MOST, plusFault } from '#src/areas/distribution/invite.ts'
import {
  addInvite,
  expireInvites,
  invites,
  phoneFaults,
  phoneTaken,
  resendInvite,
  sendInvites,
  stopInvite,
  type Invite,
} from '#src/areas/distribution/invites.server.ts'
import { cityNames } from '#src/areas/distribution/sellerRows.server.ts'
import { teamNames } from '#src/areas/distribution/sellers.server.ts'
import { dist_group, dist_invite, distributor } from '#src/areas/distribution/sellers.table.ts'
import {
  inviteStates,
  levels,
  smsStates,
  type InviteState,
} from '#src/areas/distribution/sellers.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { needCity } from '#src/areas/place/places.server.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { say, type Text } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, exporting, faultless, listing, unlessTaken } from '#src/server/call/record.ts'
import { invalid } from '#src/server/call/refuse.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { like } from '#src/server/db/like.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { inviting as contract } from '../contract/inviteExpert.ts'

const t = dist_invite
type Filters = { keyword?: string; status?: InviteState; city_id?: number }
const found = (keyword: string | undefined): SQL | undefined => {
  if (!keyword) return undefined
  const phone = mobileOf(keyword)
  return phone
    ? eq(t.phone, phone)
    : or(ilike(t.name, like(keyword)), eq(t.code, keyword.toUpperCase()))
}
const usersOf = async (db: Db, rows: readonly Invite[]) => {
  const ids = rows.flatMap(row => row.used_by ?? [])
  if (ids.length === 0) return new Map()
  const users = await db
    .select({
      id: distributor.id,
      name: distributor.name,
      applied_at: distributor.created_at,
      passed_at: distributor.joined_at,
    })
    .from(distributor)
    .where(inArray(distributor.id, ids))
  return new Map(users.map(row => [row.id, row]))
}
const list = listing(invites, {
  by: t.id,
  down: true,
  where: ({ keyword, ...same }: Filters) => and(equal(t, same), found(keyword)),
  shown: async (db, rows) => {
    const users = await usersOf(db, rows)
    const groups = await teamNames(
      db,
      rows.map(row => row.group_id),
    )
    const cities = await cityNames(
      db,
      rows.map(row => row.city_id),
    )
    const makers = await db
      .select({ id: admin.id, name: admin.name })
      .from(admin)
      .where(inArray(admin.id, [0, ...rows.map(row => row.maker_id)]))
    const makerOf = new Map(makers.map(row => [row.id, row.name]))
    return rows.map(row => {
      const user = users.get(row.used_by ?? 0)
      return {
        ...row,
        has_phone: row.phone !== null,
        group_name: groups.get(row.group_id ?? 0) ?? '',
        city_name: cities.get(row.city_id) ?? '',
        used_name: user?.name ?? '',
        applied_at: user?.applied_at ?? null,
        passed_at: user?.passed_at ?? null,
        maker_name: makerOf.get(row.maker_id) ?? '',
      }
    })
  },
})

type Terms = { level_no: number; group_id?: number | undefined; plus_bp: number; expire_at: number }
const teamFault = async (tx: Db, group_id: number | undefined): Promise<Text | undefined> => {
  if (group_id === undefined) return undefined
  const living = await tx.$count(
    dist_group,
    and(eq(dist_group.id, group_id), eq(dist_group.status, 'active')),
  )
  return living === 1 ? undefined : ['团队已解散或合并', 'The team is dissolved or merged']
}
/** Names what is wrong with the terms of an invitation at their fields. */
const sound = async ({ tx, staff, now }: WriteContext, of: Terms): Promise<void> =>
  faultless(staff, {
    plus_bp: plusFault(of.plus_bp, of.level_no),
    group_id: await teamFault(tx, of.group_id),
    expire_at: of.expire_at > now ? undefined : ['失效时间须晚于现在', 'The time has passed'],
  })
const taken: Text = ['已有待使用的邀请', 'An invitation to it is open']

const handlers = {
  lst: async ({ page, pageSize, ...filters }, context) => {
    const { status: _, ...others } = filters
    const rows = await context.db
      .select({ status: t.status, n: sql<number>`count(*)::int` })
      .from(t)
      .where(and(invites.seen(context.staff), list.where(others as Filters, context)))
      .groupBy(t.status)
    return {
      ...(await list.page({ page, pageSize, ...filters } as never, context)),
      stat: Object.fromEntries(rows.map(({ status, n }) => [status, n])),
    }
  },
  create: async ({ phone: typed, ...of }, context) => {
    needCity(context.staff, of.city_id)
    await sound(context, of)
    const phone = typed === undefined ? null : mobileOf(typed)!
    const fault = phone === null ? undefined : (await phoneFaults(context.tx, [phone])).get(phone)
    if (fault) throw phoneTaken(fault)
    return unlessTaken(addInvite(context, { ...of, phone }), () => phoneTaken(taken))
  },
  batchCreate: async ({ phones: typed, ...of }, context) => {
    const { tx, staff } = context
    needCity(staff, of.city_id)
    await sound(context, of)
    const { phones, repeated, wrong } = phonesOf(typed)
    if (phones.length === 0)
      throw invalid({ phones: ['没有可用的手机号', 'There is no mobile number in it'] })
    if (phones.length > PHONES_MOST)
      throw invalid({
        phones: [
          `一次最多 ${PHONES_MOST} 个手机号，现有 ${phones.length} 个`,
          `${PHONES_MOST} phones at once, and there are ${phones.length}`,
        ],
      })
    const faults = await phoneFaults(tx, phones)
    const late: string[] = []
    let created = 0
    for (const phone of phones.filter(one => !faults.has(one)).sort())
      try {
        await tx.transaction(inner => addInvite({ ...context, tx: inner }, { ...of, phone }))
        created++
      } catch (error) {
        if (faultOf(error)?.kind !== 'unique') throw error
        late.push(phone)
      }
    const skipped = (texts: readonly string[], why: Text) =>
      texts.map(text => ({ text, why: say(why, staff.lang) }))
    return {
      created,
      skipped: [
        ...skipped(wrong, ['不是有效的手机号', 'Not a mobile number']),
        ...skipped(repeated, ['重复，已合并', 'There more than once: merged']),
        ...[...faults].flatMap(([phone, why]) => skipped([phone], why)),
        ...skipped(late, taken),
      ],
    }
  },
  resend: (one, context) => resendInvite(context, one),
  stop: ({ reason, ...one }, context) => stopInvite(context, one, reason),
  export: exporting(list, {
    page: 'distribution.index.inviteExpert',
    title: ['达人邀请', 'Invitations'],
    permit: contract.export.permit,
    columns: [
      { key: 'code', title: ['邀请码', 'Code'] },
      { key: 'name', title: ['姓名', 'Name'] },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'distributor.phone' },
      { key: 'level', title: ['等级', 'Level'] },
      { key: 'group_name', title: ['团队', 'Team'] },
      { key: 'city_name', title: ['城市', 'City'] },
      { key: 'sms', title: ['短信', 'Message'] },
      { key: 'opened_at', title: ['打开时间', 'Opened'], kind: 'time' },
      { key: 'applied_at', title: ['申请时间', 'Applied'], kind: 'time' },
      { key: 'passed_at', title: ['通过时间', 'Approved'], kind: 'time' },
      { key: 'expire_at', title: ['失效时间', 'Until'], kind: 'time' },
      { key: 'maker_name', title: ['邀请人', 'Invited by'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'reason', title: ['原因', 'Reason'] },
    ],
    words: ({ status, keyword }: Filters, lang) => [
      status && say(inviteStates[status], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      phone: row.phone ?? '',
      level: say(levels[row.level_no]!, lang),
      sms: say(smsStates[row.sms_state], lang),
      status: say(inviteStates[row.status], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

/** Messages go out and what is over ends, by the minute. */
defineTimer('distribution.invites', '* * * * *', async ({ database, install, now }) => {
  const ended = await expireInvites(database.db, now)
  return ended + (await sendInvites(database.db, install)) > 0 ? ['dist_invite'] : []
})

export const invitingServer = implement(contract, handlers)
