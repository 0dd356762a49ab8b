import { claimAsMember, piecesOf, triedOn } from '#src/areas/coupon/memberCoupons.server.ts'
import { memberOfTicket } from '#src/areas/member/ticket.server.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { couponApp as contract } from '../contract/app.ts'

/** The member whose ticket was shown; undefined where it is over or wrong. */
const whose = ({ tx, install, now }: WriteContext, ticket: string) =>
  memberOfTicket(tx, install.sign, { ticket, now })

const handlers = {
  claim: async ({ ticket, coupon_id }, context) => {
    const { tx, staff, now } = context
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', why: '', piece: null }
    return claimAsMember(tx, { member_id: who.id, coupon_id, lang: staff.lang, now })
  },
  mine: async ({ ticket, usable = false, before }, context) => {
    const { tx, now } = context
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', list: [], next: null }
    return { state: 'ok', ...(await piecesOf(tx, { member_id: who.id, usable, before, now })) }
  },
  tryOn: async ({ ticket, lines }, context) => {
    const { tx, staff, now } = context
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', total_cents: 0, pieces: [] }
    const tried = await triedOn(tx, { member_id: who.id, lines, lang: staff.lang, now })
    return tried ? { state: 'ok', ...tried } : { state: 'refused', total_cents: 0, pieces: [] }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const couponAppServer = implement(contract, handlers)
