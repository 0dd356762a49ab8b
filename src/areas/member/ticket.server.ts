import { and, desc, eq, notInArray } from 'drizzle-orm'
import { askWeChat, wechatFailed, type WeChat } from '#src/areas/broadcast/wechat.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { isSameSecret } from '#src/server/sessions/sameSecret.ts'
import { member } from './member.table.ts'

type Sign = (text: string) => string
/** How long a member's ticket is good for, in seconds. */
const TICKET_S = DAY
type Of = { id: number; epoch: number; until: number }
const words = ({ id, epoch, until }: Of) => `member:${id}:${epoch}:${until}`
/**
 * What the mini-program shows in the place of a session: whose it is, until when and of which epoch
 * of the member's tickets, signed with the installation's own key.
 */
export const ticketOf = (sign: Sign, { id, epoch }: Omit<Of, 'until'>, now: number): string => {
  const of = { id, epoch, until: now + TICKET_S }
  const told = [id, of.until, epoch].map(one => one.toString(36))
  return `${told.join('.')}.${sign(words(of))}`
}
const off = ['banned', 'canceled', 'merged'] as const
/**
 * The member whose ticket it is; undefined where it is over or wrong, staff has signed the member
 * out since, or the account is off.
 */
export const memberOfTicket = async (
  db: Db,
  sign: Sign,
  { ticket, now }: { ticket: string; now: number },
): Promise<typeof member.$inferSelect | undefined> => {
  const found = /^([0-9a-z]{1,7})\.([0-9a-z]{1,8})\.([0-9a-z]{1,6})\.([\w-]{43})$/.exec(ticket)
  if (!found) return undefined
  const [id, until, epoch] = [1, 2, 3].map(at => parseInt(found[at]!, 36)) as [
    number,
    number,
    number,
  ]
  if (until <= now || id > 2_147_483_647) return undefined
  if (!isSameSecret(found[4]!, sign(words({ id, epoch, until })))) return undefined
  const [row] = await db
    .select()
    .from(member)
    .where(
      and(
        eq(member.id, id),
        eq(member.ticket_epoch, epoch),
        notInArray(member.account_state, [...off]),
      ),
    )
  return row
}
/**
 * The member who opened the mini-program, by the code that WeChat gave it, with the epoch of the
 * member's tickets and whether the account may be used; undefined where nobody has that union id.
 * Asks WeChat, so never inside a transaction; throws 422 where it does not answer.
 */
export const memberOfCode = async (
  db: Db,
  of: WeChat,
  code: string,
): Promise<{ id: number; epoch: number; may: boolean } | undefined> => {
  const asked = new URLSearchParams({
    appid: of.appid,
    secret: of.secret,
    js_code: code,
    grant_type: 'authorization_code',
  })
  const answered = await askWeChat(`${of.api}/sns/jscode2session?${asked}`)
  const body = (await answered.json().catch(() => undefined)) as { unionid?: string } | undefined
  if (!body) throw wechatFailed(String(answered.status))
  if (!body.unionid) return undefined
  const [row] = await db
    .select({
      id: member.id,
      epoch: member.ticket_epoch,
      may: notInArray(member.account_state, [...off]).mapWith(Boolean),
    })
    .from(member)
    .where(eq(member.unionid, body.unionid))
    .orderBy(desc(notInArray(member.account_state, [...off])), member.id)
    .limit(1)
  return row
}
