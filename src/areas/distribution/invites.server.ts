import { randomInt } from 'node:crypto'
import { and, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import { deliver } from '#src/areas/notice/notify.server.ts'
import type { Text } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import type { Db, Install, WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { ruled, type Refusal } from '#src/server/call/refuse.ts'
import { inviteCanSend, inviteLink, inviteOpen, SMS_MOST } from './invite.ts'
import { dist_invite, distributor } from './sellers.table.ts'

export type Invite = typeof dist_invite.$inferSelect
type One = { id: number; version: number }
const t = dist_invite

/** Invitations as handlers read, change and log them. */
export const invites = record(t, {
  object: 'dist_invite',
  label: row => row.name || row.code,
  keys: ['name', 'level_no', 'group_id', 'plus_bp', 'expire_at', 'sms_count', 'status', 'reason'],
  places: { city: t.city_id },
  told: ({ phone: _, ...row }) => row,
})
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const newCode = () =>
  `Y${Array.from({ length: 9 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`

/** Why a phone is not invited: an expert has it, or an invitation to it is open. */
export const phoneFaults = async (
  tx: Db,
  phones: readonly string[],
): Promise<ReadonlyMap<string, Text>> => {
  if (phones.length === 0) return new Map()
  const sellers = await tx
    .select({ phone: distributor.phone })
    .from(distributor)
    .where(
      and(
        inArray(distributor.phone, [...phones]),
        eq(distributor.kind, 'expert'),
        inArray(distributor.status, ['pending', 'active', 'frozen']),
      ),
    )
  const open = await tx
    .select({ phone: t.phone })
    .from(t)
    .where(and(inArray(t.phone, [...phones]), eq(t.status, 'active')))
  return new Map<string, Text>([
    ...open.map(
      row => [row.phone!, ['已有待使用的邀请', 'An invitation to it is open'] as Text] as const,
    ),
    ...sellers.map(
      row => [row.phone, ['已是达人或正在申请', 'It is an expert’s, or applies'] as Text] as const,
    ),
  ])
}
export const phoneTaken = (fault: Text): Refusal =>
  ruled('phone_taken', fault, {}, { fields: { phone: fault } })

type Terms = {
  name?: string
  phone?: string | null
  level_no: number
  group_id?: number | undefined
  city_id: number
  plus_bp: number
  expire_at: number
}
/** Invites somebody; the message goes out by the clock, where there is a phone. */
export const addInvite = (
  context: WriteContext,
  { group_id, phone = null, ...of }: Terms,
): Promise<Invite> =>
  invites.add(context, {
    ...of,
    phone,
    group_id: group_id ?? null,
    code: newCode(),
    maker_id: context.staff.id,
    ...(phone !== null && {
      sms_state: 'queued' as const,
      sms_count: 1,
      sms_day: dateOf(context.now),
      sms_at: context.now,
    }),
  })

/** Messages to a phone on a day, by all its invitations. */
const sentToday = async (tx: Db, phone: string, day: string): Promise<number> => {
  const [row] = await tx
    .select({ n: sql<number>`coalesce(sum(${t.sms_count}), 0)::int` })
    .from(t)
    .where(and(eq(t.phone, phone), eq(t.sms_day, day)))
  return row!.n
}
/** Sends the message once more: three times a phone and day at most. */
export const resendInvite = async (context: WriteContext, one: One): Promise<Invite> => {
  const { tx, now } = context
  const was = await invites.heldFast(context, one)
  const may = inviteCanSend({ ...was, has_phone: was.phone !== null })
  if (may !== true) throw ruled('wrong_state', may)
  const day = dateOf(now)
  // Invitations of one phone are counted together: two people who send at once wait for each other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`invite ${was.phone}`}))`)
  if ((await sentToday(tx, was.phone!, day)) >= SMS_MOST)
    throw ruled(
      'sms_quota',
      ['该手机号今天已发送 {n} 次，请明天再发', '{n} messages went to it today: try tomorrow'],
      { n: SMS_MOST },
    )
  return invites.save(context, was, {
    sms_state: 'queued',
    sms_count: was.sms_day === day ? was.sms_count + 1 : 1,
    sms_day: day,
    sms_at: now,
    sms_answer: '',
  })
}
/** Stops an invitation: its link is used no more. */
export const stopInvite = async (
  context: WriteContext,
  one: One,
  reason: string,
): Promise<Invite> => {
  const was = await invites.heldFast(context, one)
  const may = inviteOpen(was)
  if (may !== true) throw ruled('wrong_state', may)
  return invites.save(
    context,
    was,
    { status: 'stopped', reason, sms_state: settledSms(was) },
    reason,
  )
}
/** A message that waits goes out no more. */
const settledSms = (row: Invite) => (row.sms_state === 'queued' ? 'none' : row.sms_state)

/** Ends invitations whose time is over; answers how many. */
export const expireInvites = async (db: Db, now: number): Promise<number> =>
  (
    await db
      .update(t)
      .set({ status: 'expired', version: sql`${t.version} + 1` })
      .where(and(eq(t.status, 'active'), lt(t.expire_at, now)))
      .returning({ id: t.id })
  ).length

const SOME = 50
/**
 * Sends what is queued, each once: what a channel says to it stands at the invitation. Without a
 * gateway it says so at once, as nothing would come of waiting. Answers how many were tried.
 */
export const sendInvites = async (db: Db, install: Pick<Install, 'gateways'>): Promise<number> => {
  const queued = await db
    .select()
    .from(t)
    .where(and(eq(t.sms_state, 'queued'), eq(t.status, 'active')))
    .orderBy(t.id)
    .limit(SOME)
  for (const row of queued) {
    // Claimed before it is sent, so that two servers don't send it twice.
    const [mine] = await db
      .update(t)
      .set({ sms_state: 'sent' })
      .where(and(eq(t.id, row.id), eq(t.sms_state, 'queued'), ne(t.status, 'stopped')))
      .returning({ id: t.id })
    if (!mine) continue
    const text = `邀请您成为达人，点击小程序链接完成申请：${inviteLink(row.code)}`
    const said = await deliver(install, { channel: 'sms', target: row.phone! }, text)
    await db
      .update(t)
      .set({ sms_state: said.ok ? 'sent' : 'failed', sms_answer: said.answer.slice(0, 200) })
      .where(eq(t.id, row.id))
  }
  return queued.length
}
