import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Caller, Db } from '#src/server/call/implement.ts'
import { user_log as t } from './userLog.table.ts'
import { ONLINE_DAYS, riskOf, type Client, type DeedDetail, type UserDeed } from './userLog.ts'

const REQUEST_MOST = 64
const SEEN_MOST = 8
export type Noting = {
  kind: UserDeed
  /** Absent for a visitor, of whom nothing is noted. */
  member_id: number | null
  /** Made of the number of what happened, so that a repeat is the same line. */
  request_id: string
  detail?: DeedDetail
  from?: Client | undefined
  /** The server's own clock, unix seconds. */
  at: number
}
/** Where a call of the mini-program came from, as the log keeps it. */
export const clientOf = (
  { ip, region, ua }: Pick<Caller, 'ip' | 'region' | 'ua'>,
  device_id?: string,
): Client => ({
  ip,
  region,
  client: ua,
  ...(device_id !== undefined && { device_id }),
})
const unknown = { others: 0, known: false, had: false, phone: false }
/** Whom the device was seen with before, whether by this member, and whether the phone is a new one. */
const factsOf = async (tx: Db, of: Noting & { member_id: number }) => {
  const device = of.from?.device_id ?? ''
  // Most of what is noted has no device: nothing is asked then while an order waits.
  if (device === '' && of.kind !== 'withdraw') return unknown
  const since = of.at - ONLINE_DAYS * DAY
  const { rows } = await tx.execute<{
    others: number
    known: boolean
    had: boolean
    phone: boolean
  }>(
    sql`
    select (select count(*)::int from (select distinct l.member_id from user_log l
        where ${device} <> '' and l.device_id = ${device} and l.device_id <> '' and l.at >= ${since}
          and l.member_id <> ${of.member_id} limit ${SEEN_MOST}) d) others,
      exists (select 1 from user_log l where ${device} <> '' and l.member_id = ${of.member_id}
        and l.device_id = ${device}) known,
      exists (select 1 from user_log l where ${device} <> '' and l.member_id = ${of.member_id}
        and l.device_id <> '') had,
      exists (select 1 from user_log l where ${of.kind} = 'withdraw' and l.kind = 'change_phone'
        and l.member_id = ${of.member_id} and l.at >= ${of.at - DAY}) phone`,
  )
  return rows[0]!
}
/**
 * What a line says of something that was done without a device, for a statement that writes it
 * itself: its `risk` and what it tells are those of `noteUser`.
 */
export const plainLine = ({ kind, detail, at }: Pick<Noting, 'kind' | 'detail' | 'at'>) => {
  const { risk, why } = riskOf({ kind, at, others: 0, newDevice: false, phoneChanged: false })
  return { kind, risk, detail: { ...detail, ...(why.length > 0 && { why }) } }
}
/**
 * Notes what a member did, in the transaction that does it; the same request is kept once. It scores
 * the risk from what the log knows. Of a visitor it notes nothing.
 */
export const noteUser = async (tx: Db, of: Noting): Promise<void> => {
  const { member_id, kind, at } = of
  if (member_id === null) return
  const { others, known, had, phone } = await factsOf(tx, { ...of, member_id })
  const { risk, why } = riskOf({
    kind,
    at,
    others,
    newDevice: had && !known,
    phoneChanged: phone,
  })
  const { ip = '', region = '', device_id, client = '' } = of.from ?? {}
  await tx
    .insert(t)
    .values({
      request_id: of.request_id.slice(0, REQUEST_MOST),
      member_id,
      kind,
      ip: ip.slice(0, 45),
      region: region.slice(0, 30),
      device_id: (device_id ?? '').slice(0, 64),
      client: client.slice(0, 60),
      risk,
      detail: { ...of.detail, ...(why.length > 0 && { why }) },
      at,
    })
    .onConflictDoNothing({ target: t.request_id })
}
/** The number of a sign-in: WeChat gives a code once, and nobody reads it from the log. */
export const signInNo = (code: string): string =>
  `login:${createHash('sha256').update(code).digest('hex').slice(0, 32)}`
