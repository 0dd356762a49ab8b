import { tryCard } from '#src/areas/ecard/codeTrying.server.ts'
import { receiveGift } from '#src/areas/ecard/gifts.server.ts'
import { buyAsMember, cancelAsMember, standingOf } from '#src/areas/ecard/purchases.server.ts'
import { shelfOf } from '#src/areas/ecard/shelf.server.ts'
import {
  activateOwn,
  cardsOwn,
  cardTold,
  giftAt,
  giveOwn,
  movesOwn,
  showOwn,
  takeBackOwn,
} from '#src/areas/ecard/wallet.server.ts'
import { memberOfTicket } from '#src/areas/member/ticket.server.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { cardApp as contract } from '../contract/app.ts'

/** The member whose ticket was shown; undefined where it is over or wrong. */
const whose = ({ tx, install, now }: WriteContext, ticket: string) =>
  memberOfTicket(tx, install.sign, { ticket, now })
const sealer = ({ tx, install }: WriteContext) => sealerOf(install.codeKeys, tx)
/** What a member did, or why they may not: a refusal leaves nothing behind. */
const refusable = async <T extends object>(
  { tx, staff }: WriteContext,
  run: (tx: Db) => Promise<T>,
): Promise<(T & { why: string }) | { state: 'refused'; why: string }> => {
  try {
    return { why: '', ...(await tx.transaction(run)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { state: 'refused', why: error.in(staff.lang) }
  }
}

const handlers = {
  onSale: ({ after }, { tx, now }) => shelfOf(tx, { after, now }),
  buy: async ({ ticket, buy_no, device, ...asked }, context) => {
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', why: '', order_no: '', pay_cents: 0, pay_until: null }
    const { tx, staff, now } = context
    return buyAsMember(tx, await sealer(context), {
      member_id: who.id,
      buy_no,
      asked,
      device,
      lang: staff.lang,
      now,
    })
  },
  order: async ({ ticket, order_no }, context) => {
    const who = await whose(context, ticket)
    const found = who && (await standingOf(context.tx, { member_id: who.id, order_no }))
    if (!found) return { state: 'none', order: null }
    const { state, code_ids, why: _, ...order } = found
    return { state, order: { ...order, ids: code_ids } }
  },
  cancel: async ({ ticket, order_no }, context) => {
    const { tx, staff, now } = context
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', why: '' }
    return cancelAsMember(tx, { member_id: who.id, order_no, lang: staff.lang, now })
  },
  mine: async ({ ticket, before }, context) => {
    const { tx, now } = context
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', list: [], next: null }
    return { state: 'ok', ...(await cardsOwn(tx, { member_id: who.id, before, now })) }
  },
  moves: async ({ ticket, id, before }, context) => {
    const { tx, now } = context
    const who = await whose(context, ticket)
    const found = who && (await movesOwn(tx, { member_id: who.id, id, before, now }))
    return found ? { state: 'ok', ...found } : { state: 'none', card: null, moves: [], next: null }
  },
  activate: async ({ ticket, id }, context) => {
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', why: '', card: null }
    return {
      card: null,
      ...(await refusable(context, async tx => ({
        state: 'active' as const,
        card: await activateOwn(tx, { member_id: who.id, id, now: context.now }),
      }))),
    }
  },
  bind: async ({ ticket, device = '', ...typed }, context) => {
    const { tx, staff, caller, now } = context
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', why: '', card: null }
    const from = { member_id: who.id, device_id: device, ip: caller.ip, now }
    const tried = await tryCard(tx, await sealer(context), { ...typed, ...from })
    if (tried.result === 'ok') {
      const card = await cardTold(tx, { member_id: who.id, id: tried.code.id, now })
      return { state: 'ok', why: '', card }
    }
    // Whether there is a card of the number is told to nobody.
    const state = tried.result === 'unknown' ? 'wrong' : tried.result
    return { state, why: say(tried.text, staff.lang, tried.values), card: null }
  },
  show: async ({ ticket, id }, context) => {
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', why: '', secret_code: '' }
    const sealed = await sealer(context)
    return {
      secret_code: '',
      ...(await refusable(context, async tx => ({
        state: 'shown' as const,
        secret_code: await showOwn(tx, sealed, { member_id: who.id, id, now: context.now }),
      }))),
    }
  },
  give: async ({ ticket, id, greeting = '' }, context) => {
    const who = await whose(context, ticket)
    const nothing = { token: '', until: null }
    if (!who) return { state: 'none', why: '', ...nothing }
    return {
      ...nothing,
      ...(await refusable(context, async tx => ({
        state: 'sent' as const,
        ...(await giveOwn(tx, { member_id: who.id, id, greeting, now: context.now })),
      }))),
    }
  },
  takeBack: async ({ ticket, id }, context) => {
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', why: '' }
    return refusable(context, async tx => {
      await takeBackOwn(tx, { member_id: who.id, id, now: context.now })
      return { state: 'returned' as const }
    })
  },
  gift: async ({ token }, { tx, now }) => {
    const found = await giftAt(tx, token, now)
    if (!found) return { state: 'none', gift: null }
    const { state, ...gift } = found
    return { state, gift }
  },
  receive: async ({ ticket, token }, context) => {
    const { now } = context
    const who = await whose(context, ticket)
    if (!who) return { state: 'none', why: '', card: null }
    return {
      card: null,
      ...(await refusable(context, async tx => {
        const { code_id } = await receiveGift(tx, { token, member_id: who.id, now })
        const card = await cardTold(tx, { member_id: who.id, id: code_id, now })
        return { state: 'received' as const, card }
      })),
    }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const cardAppServer = implement(contract, handlers)
