import { memberOfCode, memberOfTicket, ticketOf } from '#src/areas/member/ticket.server.ts'
import { saveProfile } from '#src/areas/profile/profiles.server.ts'
import { deleteReview, writeReview } from '#src/areas/review/reviews.server.ts'
import { signIn } from '#src/areas/signIn/signing.server.ts'
import { checkIn, mallAt } from '#src/areas/signIn/spots.server.ts'
import { clientOf, noteUser, signInNo } from '#src/areas/userLog/noting.server.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { memberApp as contract } from '../contract/app.ts'

/** The member whose ticket was shown; undefined where it is over or wrong. */
const whose = ({ tx, install, now }: WriteContext, ticket: string) =>
  memberOfTicket(tx, install.sign, { ticket, now })

const handlers = {
  enter: async ({ code, device }, { tx, install, now, caller }) => {
    if (!install.wechat) return { state: 'off', ticket: '' }
    const who = await memberOfCode(tx, install.wechat, code)
    if (who)
      await noteUser(tx, {
        kind: who.may ? 'login' : 'login_fail',
        member_id: who.id,
        request_id: signInNo(code),
        from: clientOf(caller, device),
        at: now,
      })
    return who?.may
      ? { state: 'in', ticket: ticketOf(install.sign, who, now) }
      : { state: 'none', ticket: '' }
  },
  signIn: async ({ ticket, device, at }, context) => {
    const { tx, now } = context
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', streak: 0, points: 0, bonus: 0 }
    const mall_id = at && (await mallAt(tx, at, now))
    return signIn(tx, { member_id: who.id, ...(mall_id && { mall_id }), device, now })
  },
  checkIn: async ({ ticket, device, ...pin }, context) => {
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', points: 0, mall: '', distance_m: null }
    return checkIn(context.tx, { member_id: who.id, pin, device, now: context.now })
  },
  saveProfile: async ({ ticket, ...sent }, context) => {
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', earned: [] }
    const from = clientOf(context.caller)
    return saveProfile(context.tx, { member_id: who.id, sent, from, now: context.now })
  },
  writeReview: async ({ ticket, ...written }, context) => {
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', points: 0 }
    const from = clientOf(context.caller)
    return writeReview(context.tx, { member_id: who.id, ...written, from, now: context.now })
  },
  deleteReview: async ({ ticket, ...item }, context) => {
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', points: 0 }
    return deleteReview(context.tx, { member_id: who.id, ...item, now: context.now })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const memberAppServer = implement(contract, handlers)
