/** What whoever has the code of an invitation does with it, by the mini-program. */
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { inviteOpen } from './invite.ts'
import { dist_invite } from './sellers.table.ts'
import type { InviteState } from './sellers.ts'

const t = dist_invite
export type Standing = { state: InviteState | 'none'; why: Text | undefined }
const unknown: Standing = {
  state: 'none',
  why: ['没有找到这个邀请', 'This invitation is not known'],
}
const isLive = (code: string, now: number) =>
  and(eq(t.code, code), eq(t.status, 'active'), gt(t.expire_at, now))
/** How an invitation stands; one whose time is over is over, though the clock has not said so yet. */
const standingOf = async (tx: Db, code: string, now: number): Promise<Standing> => {
  const [row] = await tx.select().from(t).where(eq(t.code, code))
  if (!row) return unknown
  const status = row.status === 'active' && row.expire_at <= now ? 'expired' : row.status
  const may = inviteOpen({ status })
  return { state: status, why: may === true ? undefined : may }
}
/** Notes that an invitation was opened, the first time; answers how it stands. */
export const openInvite = async (tx: Db, { code, now }: { code: string; now: number }) => {
  await tx
    .update(t)
    .set({ opened_at: now })
    .where(and(isLive(code, now), isNull(t.opened_at)))
  return standingOf(tx, code, now)
}
/**
 * Makes an invitation its applicant's: an expert who applied by this phone after it was made, and
 * whose phone it was bound to, where it was to one. Used once; anything else leaves it as it is.
 */
export const spendInvite = async (
  tx: Db,
  { code, phone, now }: { code: string; phone: string; now: number },
) => {
  await tx
    .update(t)
    .set({
      status: 'used',
      used_by: sql`d.id`,
      opened_at: sql`coalesce(${t.opened_at}, ${now})`,
      sms_state: sql`case ${t.sms_state} when 'queued' then 'none' else ${t.sms_state} end`,
      updated_at: now,
      version: sql`${t.version} + 1`,
    })
    .from(sql`distributor d`)
    .where(
      and(
        isLive(code, now),
        sql`d.phone = ${phone} and d.kind = 'expert' and d.status = 'pending' and d.created_at >= ${t.created_at}`,
        sql`coalesce(${t.phone}, d.phone) = d.phone`,
        sql`not exists (select 1 from dist_invite other where other.used_by = d.id)`,
      ),
    )
  return standingOf(tx, code, now)
}
