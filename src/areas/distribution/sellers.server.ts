import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { releaseCustomers } from '#src/areas/binding/binding.server.ts'
import { distributors } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import { joined } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { dist_group, dist_group_member, distributor } from './sellers.table.ts'
import { sellerCan, type SellerVerb } from './sellers.ts'
import { joinTeam, leadTeam, lockTeams } from './teams.server.ts'

const sellerQuit = joined(['分销员清退', 'The seller quit'])

export type Seller = typeof distributor.$inferSelect
type One = { id: number; version: number }

/** Sellers as handlers read, change and log them. */
export const sellers = record(distributor, {
  object: 'distributor',
  label: row => row.name,
  keys: [
    'name',
    'phone',
    'level_no',
    'group_id',
    'is_leader',
    'store_id',
    'wecom_userid',
    'plus_bp',
    'rate_bp',
    'product_ids',
    'paused',
    'quitting',
    'status',
    'reason',
  ],
  places: { city: distributor.city_id, mall: distributor.mall_id },
  // A refusal shows the row to whoever was late: neither the phone nor the papers of a person.
  told: ({ id_no: _, phone, ...row }) => ({
    ...row,
    phone: `${phone.slice(0, 3)}****${phone.slice(-4)}`,
  }),
})

/** Whoever decided on an application, and when. */
const decidedBy = async (db: Db, row: Seller): Promise<string | undefined> => {
  if (row.reviewer_id === null) return undefined
  const [who] = await db
    .select({ name: admin.name })
    .from(admin)
    .where(eq(admin.id, row.reviewer_id))
  return who?.name
}
/**
 * The seller as the person holds it, locked, where its state allows the verb. Whoever decides an
 * application a second time is told who decided it first.
 */
export const heldSeller = async (
  context: WriteContext,
  verb: SellerVerb,
  one: One,
): Promise<Seller> => {
  const was = await sellers.heldFast(context, one)
  const may = sellerCan(verb, was)
  if (may === true) return was
  const current = { current: { status: was.status } }
  const who = verb === 'approve' || verb === 'reject' ? await decidedBy(context.tx, was) : undefined
  if (who === undefined) throw ruled('wrong_state', may, {}, current)
  throw ruled(
    'decided',
    [
      '该申请已由{who}于 {when} 审核，请刷新后查看',
      '{who} decided it at {when}: load it again to see how',
    ],
    { who, when: timeFull(was.joined_at ?? was.updated_at) },
    current,
  )
}
/** Refuses a decision on one's own account: the phone of the seller, or of its member, is one's own. */
export const refuseOwn = async ({ tx, staff }: WriteContext, row: Seller): Promise<void> => {
  const [own] = await tx
    .select({ id: admin.id })
    .from(admin)
    .where(
      and(
        eq(admin.id, staff.id),
        or(
          eq(admin.phone, row.phone),
          row.member_id === null
            ? undefined
            : sql`${admin.phone} = (select ${member.phone} from ${member} where ${member.id} = ${row.member_id})`,
        ),
      ),
    )
  if (own)
    throw ruled('own_account', [
      '不能审核自己的分销账号，请由其他同事处理',
      'Nobody decides on their own account: ask a colleague',
    ])
}

/** Refuses a chain of inviters that comes back to the seller. */
const refuseLoop = async (tx: Db, row: Seller): Promise<void> => {
  if (row.inviter_id === null) return
  const { rows } = await tx.execute(
    sql`with recursive chain(id) as (select ${row.inviter_id}::int union select d.inviter_id from distributor d join chain c on d.id = c.id where d.inviter_id is not null) select 1 from chain where id = ${row.id}`,
  )
  if (rows.length > 0)
    throw ruled('inviter_loop', [
      '邀请关系形成了循环，请先更正邀请人',
      'The chain of inviters comes back to itself: mend the inviter first',
    ])
}
/** Lets an applicant sell, at a level, and in a team where one is named. */
export const approveSeller = async (
  context: WriteContext,
  one: One,
  { level_no, group_id }: { level_no: number; group_id?: number | undefined },
): Promise<Seller> => {
  await lockTeams(context.tx, [group_id])
  const was = await heldSeller(context, 'approve', one)
  await refuseOwn(context, was)
  await refuseLoop(context.tx, was)
  const after = await sellers.save(context, was, {
    status: 'active',
    level_no,
    reason: '',
    joined_at: context.now,
    reviewer_id: context.staff.id,
  })
  return group_id === undefined ? after : joinTeam(context, after, { group_id, reason: '' })
}
export const rejectSeller = async (
  context: WriteContext,
  one: One,
  reason: string,
): Promise<Seller> => {
  const was = await heldSeller(context, 'reject', one)
  await refuseOwn(context, was)
  return sellers.save(
    context,
    was,
    { status: 'rejected', reason, reviewer_id: context.staff.id },
    reason,
  )
}
/** Gives a seller another level: what is booked stays as it is. */
export const setLevel = async (
  context: WriteContext,
  one: One,
  { level_no, reason }: { level_no: number; reason: string },
): Promise<Seller> => {
  const was = await heldSeller(context, 'setLevel', one)
  if (was.level_no === level_no) throw ruled('same_level', ['已是该等级', 'It is of that level'])
  await refuseOwn(context, was)
  return sellers.save(context, was, { level_no }, reason)
}

/** Puts a seller into a team, or into another from tomorrow on (`joinTeam`). */
export const setTeam = async (
  context: WriteContext,
  one: One,
  of: { group_id: number; reason: string },
): Promise<Seller> => {
  await lockTeams(context.tx, [of.group_id])
  return joinTeam(context, await heldSeller(context, 'setGroup', one), of)
}
/** Makes a seller the leader of its team (`leadTeam`). */
export const setLeader = async (
  context: WriteContext,
  one: One,
  reason: string,
): Promise<Seller> => {
  const { group_id } = await sellers.held(context, one)
  await lockTeams(context.tx, [group_id])
  const was = await heldSeller(context, 'change', one)
  if (was.group_id === null) throw ruled('no_team', ['不在任何团队中', 'It is in no team'])
  return leadTeam(context, was, { group_id: was.group_id, reason })
}

/** Stops new bindings, new commission and withdrawals; what was earned stays. */
export const freezeSeller = async (
  context: WriteContext,
  one: One,
  reason: string,
): Promise<Seller> => {
  const was = await heldSeller(context, 'freeze', one)
  return sellers.save(context, was, { status: 'frozen', reason }, reason)
}
/** Lets a frozen seller go on, once no case of risk about it is open. */
export const unfreezeSeller = async (context: WriteContext, one: One): Promise<Seller> => {
  const was = await heldSeller(context, 'unfreeze', one)
  await refuseOwn(context, was)
  const open = await context.tx.$count(
    risk_hit,
    and(
      was.member_id === null
        ? eq(risk_hit.store_id, was.store_id!)
        : eq(risk_hit.member_id, was.member_id),
      inArray(risk_hit.state, ['open', 'claimed']),
    ),
  )
  if (open > 0)
    throw ruled(
      'risk_open',
      [
        '有 {n} 个风险命中未处理完，请先在风控中处理',
        '{n} cases of risk are open: close them first',
      ],
      { n: open },
    )
  return sellers.save(context, was, { status: 'active', reason: '' })
}

/** Commission on hold of a seller, in cents: what keeps it from quitting. */
const onHoldOf = async (db: Db, id: number): Promise<number> =>
  -(await balanceOf(db, distributors('distributor_frozen', id)))

/** Ends the seller's periods in teams at a moment; one that has not begun is ended as it begins. */
const leaveTeams = (tx: Db, id: number, at: number, reason: string) =>
  tx
    .update(dist_group_member)
    .set({ end_at: sql`greatest(${dist_group_member.start_at}, ${at})`, reason })
    .where(
      and(
        eq(dist_group_member.distributor_id, id),
        sql`(${dist_group_member.end_at} is null or ${dist_group_member.end_at} > ${at})`,
      ),
    )
/**
 * Ends a seller's part, whose customers are released at once. It quits when no commission of it is
 * on hold, and waits (`quitting`) until then: `endQuitting` ends it.
 */
export const quitSeller = async (
  context: WriteContext,
  one: One,
  reason: string,
): Promise<Seller & { released: number; on_hold_cents: number }> => {
  const { tx, staff, now } = context
  const was = await heldSeller(context, 'quit', one)
  await refuseOwn(context, was)
  const on_hold_cents = await onHoldOf(tx, was.id)
  const released = await releaseCustomers(tx, {
    distributor_id: was.id,
    by: staff.id,
    now,
    reason: sellerQuit,
  })
  if (on_hold_cents > 0)
    return {
      ...(await sellers.save(context, was, { quitting: true, reason }, reason)),
      released,
      on_hold_cents,
    }
  await leaveTeams(tx, was.id, now, reason)
  const after = await sellers.save(
    context,
    was,
    { status: 'quit', reason, group_id: null, quitting: false, quit_at: now },
    reason,
  )
  return { ...after, released, on_hold_cents }
}
/** Ends the sellers that wait to quit and of whom nothing is on hold any more; answers how many. */
export const endQuitting = async (db: Db, now: number): Promise<number> => {
  const waiting = await db
    .select({ id: distributor.id, reason: distributor.reason })
    .from(distributor)
    .where(eq(distributor.quitting, true))
  let ended = 0
  for (const { id, reason } of waiting)
    await db.transaction(async tx => {
      if ((await onHoldOf(tx, id)) > 0) return
      const [gone] = await tx
        .update(distributor)
        .set({
          status: 'quit',
          quit_at: now,
          quitting: false,
          group_id: null,
          is_leader: false,
          version: sql`${distributor.version} + 1`,
        })
        .where(and(eq(distributor.id, id), eq(distributor.quitting, true)))
        .returning({ id: distributor.id })
      if (!gone) return
      await leaveTeams(tx, id, now, reason)
      await releaseCustomers(tx, { distributor_id: id, by: null, now, reason: sellerQuit })
      ended++
    })
  return ended
}

/** The names of teams by their id. */
export const teamNames = async (
  db: Db,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, string>> => {
  const wanted = [...new Set(ids)].filter(id => id !== null)
  if (wanted.length === 0) return new Map()
  const rows = await db
    .select({ id: dist_group.id, name: dist_group.name })
    .from(dist_group)
    .where(inArray(dist_group.id, wanted))
  return new Map(rows.map(row => [row.id, row.name]))
}
