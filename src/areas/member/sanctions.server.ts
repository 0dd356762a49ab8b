import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { noteUser } from '#src/areas/userLog/noting.server.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { user_sanction } from './care.table.ts'
import { member } from './member.table.ts'
import { sanctionKinds, type AccountState, type BanScope, type SanctionKind } from './member.ts'
import { members, type Member } from './members.server.ts'

const t = user_sanction
type Sanction = typeof t.$inferSelect
/** Notes that a sanction began, lasts longer, or was lifted, in the member's own log. */
const noteSanction = (tx: Db, row: Sanction, step: 'begin' | 'lift', now: number): Promise<void> =>
  noteUser(tx, {
    kind: 'sanction',
    member_id: row.member_id,
    request_id: `sanction:${row.id}:${row.version}`,
    detail: {
      sanction: row.kind,
      step,
      until: row.end_at,
      by: row.by_id === null && step === 'begin' ? 'rule' : 'staff',
    },
    at: now,
  })
const inForce = (now: number) =>
  and(eq(t.status, 'active'), or(isNull(t.end_at), sql`${t.end_at} > ${now}`))

/** The sanction of a kind that a member has, if one is in force. */
const activeOf = async (tx: Db, member_id: number, kind: SanctionKind) =>
  (
    await tx
      .select()
      .from(t)
      .where(and(eq(t.member_id, member_id), eq(t.kind, kind), eq(t.status, 'active')))
      .for('update')
  )[0]

/** Refuses staff who would deal with an account of their own: the phone is theirs. */
export const refuseOwnAccount = async (
  { tx, staff }: Pick<WriteContext, 'tx' | 'staff'>,
  row: Pick<Member, 'phone'>,
): Promise<void> => {
  const [own] = await tx
    .select({ id: admin.id })
    .from(admin)
    .where(and(eq(admin.id, staff.id), eq(admin.phone, row.phone)))
  if (own)
    throw ruled('own_account', [
      '不能处置与自己手机号相同的账号，请由其他同事处理',
      'This account has your own phone: ask a colleague',
    ])
}

/**
 * What a member's account is by the sanctions in force. One that is closing, closed or merged stays
 * so.
 */
const stateBy = (was: AccountState, kinds: ReadonlySet<SanctionKind>): AccountState => {
  if (was === 'canceling' || was === 'canceled' || was === 'merged') return was
  if (kinds.has('ban')) return 'banned'
  return kinds.has('mute') ? 'muted' : 'normal'
}
/** Brings the account's state in step with its sanctions; the member must be held. */
export const deriveState = async (tx: Db, id: number, now: number): Promise<void> => {
  const [row] = await tx.select({ was: member.account_state }).from(member).where(eq(member.id, id))
  const active = await tx
    .select({ kind: t.kind })
    .from(t)
    .where(and(eq(t.member_id, id), inForce(now)))
  const account_state = stateBy(row!.was, new Set(active.map(one => one.kind)))
  if (account_state !== row!.was)
    await tx
      .update(member)
      .set({ account_state, version: sql`${member.version} + 1` })
      .where(eq(member.id, id))
}
/** The later of two ends; null is without an end. */
const later = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.max(a, b)

/**
 * Begins a sanction of a member who is held, or makes the one of its kind last longer and shut more.
 * `by_id` is null where a rule of the house begins it.
 */
export const beginSanction = async (
  tx: Db,
  row: Pick<Member, 'id' | 'city_id'>,
  of: {
    kind: SanctionKind
    scope?: readonly BanScope[]
    end_at: number | null
    reason: string
    by_id: number | null
    now: number
  },
): Promise<Sanction> => {
  const { now, kind, reason, by_id } = of
  const known = await activeOf(tx, row.id, kind)
  const isOver = known !== undefined && known.end_at !== null && known.end_at <= now
  if (isOver) await tx.update(t).set({ status: 'expired', ended_at: now }).where(eq(t.id, known.id))
  if (known && !isOver) {
    const [longer] = await tx
      .update(t)
      .set({
        end_at: later(known.end_at, of.end_at),
        scope: [...new Set([...known.scope, ...(of.scope ?? [])])],
        reason,
        by_id,
        version: known.version + 1,
      })
      .where(eq(t.id, known.id))
      .returning()
    await noteSanction(tx, longer!, 'begin', now)
    return longer!
  }
  const [made] = await tx
    .insert(t)
    .values({
      member_id: row.id,
      city_id: row.city_id,
      kind,
      scope: [...(of.scope ?? [])],
      reason,
      start_at: now,
      end_at: of.end_at,
      by_id,
    })
    .returning()
  await noteSanction(tx, made!, 'begin', now)
  return made!
}
type Beginning = Omit<Parameters<typeof beginSanction>[2], 'by_id' | 'now'>
/** Sanctions a member as staff: never one's own account, and only one that is still in use. */
export const sanction = async (
  context: WriteContext,
  was: Member,
  of: Beginning,
): Promise<Member> => {
  const { tx, staff, now } = context
  await refuseOwnAccount(context, was)
  if (of.end_at !== null && of.end_at <= now)
    throw ruled('until_past', ['截止时间须晚于现在', 'It must end later than now'])
  const made = await beginSanction(tx, was, { ...of, by_id: staff.id, now })
  await deriveState(tx, was.id, now)
  const after = await members.read(tx, staff, was.id)
  members.log(context, after, {
    before: { account_state: was.account_state },
    after: { account_state: after.account_state, sanction: of.kind, until: made.end_at },
    reason: of.reason,
  })
  return members.set(context, after, {})
}
/** Lifts a member's sanction of a kind, for a reason. */
export const liftSanction = async (
  context: WriteContext,
  was: Member,
  { kind, reason }: { kind: SanctionKind; reason: string },
): Promise<Member> => {
  const { tx, staff, now } = context
  await refuseOwnAccount(context, was)
  const known = await activeOf(tx, was.id, kind)
  if (!known)
    throw ruled('not_sanctioned', [
      `没有生效中的${sanctionKinds[kind][0]}`,
      `No such sanction is in force: ${sanctionKinds[kind][1].toLowerCase()}`,
    ])
  const [lifted] = await tx
    .update(t)
    .set({
      status: 'lifted',
      lifted_by: staff.id,
      lift_reason: reason,
      ended_at: now,
      version: known.version + 1,
    })
    .where(eq(t.id, known.id))
    .returning()
  await noteSanction(tx, lifted!, 'lift', now)
  await deriveState(tx, was.id, now)
  const after = await members.read(tx, staff, was.id)
  members.log(context, after, {
    before: { account_state: was.account_state, sanction: kind },
    after: { account_state: after.account_state },
    reason,
  })
  return members.set(context, after, {})
}
/** Ends sanctions whose time is over, some at a time; how many. */
export const expireSanctions = async (tx: Db, now: number, most = 500): Promise<number> => {
  const due = await tx
    .select({ id: t.id, member_id: t.member_id })
    .from(t)
    .where(and(eq(t.status, 'active'), lte(t.end_at, now)))
    .orderBy(t.member_id)
    .limit(most)
  for (const id of new Set(due.map(one => one.member_id))) {
    await tx.select({ id: member.id }).from(member).where(eq(member.id, id)).for('update')
    await tx
      .update(t)
      .set({ status: 'expired', ended_at: now })
      .where(and(eq(t.member_id, id), eq(t.status, 'active'), lte(t.end_at, now)))
    await deriveState(tx, id, now)
  }
  return due.length
}

/** What a sanction in force forbids: its kind, or a ban whose scope names it. */
const forbids = { order: 'no_order', payout: 'no_payout' } as const
/**
 * Refuses a member who may not order, or be paid out, just now. An account that is closed or merged
 * does neither.
 */
export const refuseSanctioned = async (
  tx: Db,
  member_id: number,
  what: keyof typeof forbids,
  now: number,
): Promise<void> => {
  const found = await tx
    .select({ kind: t.kind, scope: t.scope, end_at: t.end_at })
    .from(t)
    .where(and(eq(t.member_id, member_id), inForce(now), inArray(t.kind, [forbids[what], 'ban'])))
  const one = found.find(of => of.kind !== 'ban' || of.scope.includes(what))
  if (!one) return
  const until = one.end_at === null ? '' : timeFull(one.end_at)
  throw ruled(
    'sanctioned',
    what === 'order'
      ? [
          until ? '该账号禁止下单，截止 {until}' : '该账号禁止下单，请联系客服',
          until ? 'This account may not order until {until}' : 'This account may not order',
        ]
      : [
          until ? '该账号禁止提现，截止 {until}' : '该账号禁止提现，请联系客服',
          until ? 'Nothing is paid out to this account until {until}' : 'Nothing is paid out to it',
        ],
    { until },
  )
}
