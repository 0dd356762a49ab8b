import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { provePull } from '#src/areas/filmPull/pulls.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import {
  holdOrder,
  noteOrder,
  recount,
  system,
  type Order,
} from '#src/areas/order/orderFacts.server.ts'
import { staffNamed } from '#src/areas/order/orderWho.server.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal, ruled } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne, type Failed } from '#src/server/db/oneByOne.ts'
import { film_order } from './film.table.ts'
import { GIVE_UP_S, ticketProviders, type TicketProviderKey } from './film.ts'
import { filmCan } from './filmVerbs.ts'
import { endRequest, syncTickets, type TicketWork } from './ticketing.server.ts'
import {
  askProvider,
  holdFilm,
  nextProvider,
  requestsOf,
  saveFilm,
  saveRequest,
  type TicketRequest,
} from './tickets.server.ts'

/** What became of asking anew: issued after all, the old number again, or a new number. */
export type ReTicketed = { outcome: 'issued' | 'same' | 'new'; provider: TicketProviderKey }
type By = { admin_id: number; reason: string; provider?: TicketProviderKey | undefined }
/** The loser of two who ask at once is told who was quicker. */
const askedAlready = async (tx: Db, admin_id: number) => {
  const [zh, en] = await staffNamed(tx, admin_id)
  return ruled(
    'asked_already',
    [
      '{zh}刚刚已重新出票，请稍后查询结果',
      '{en} has just asked for it anew: ask later what came of it',
    ],
    { zh, en },
  )
}
/** Throws 422 where an order can't be asked for anew now. */
const refuseReTicket = async (tx: Db, order_id: number, now: number) => {
  const row = await holdOrder(tx, order_id)
  const film = await holdFilm(tx, order_id)
  const may = filmCan('reTicket', { ...row, ...film, now })
  if (may === true) return { row, film }
  // Whoever comes just after a colleague is told of them, not of the state that they left.
  const open = (await requestsOf(tx, order_id)).find(one => one.state === 'pending')
  if (open && open.asked_by !== null) throw await askedAlready(tx, open.asked_by)
  throw ruled('not_reTicket', may)
}
/** The number that is under way is asked for at once, whoever else could be asked. */
const sameAgain = async (
  tx: Db,
  of: { open: TicketRequest; row: Order; by: By; now: number },
): Promise<ReTicketed> => {
  const { open, row, by, now } = of
  await saveRequest(tx, open, { ask_at: now }, now)
  const [zh, en] = ticketProviders[open.provider]
  await noteOrder(tx, {
    order_id: row.id,
    event: 'issue',
    actor: { type: 'staff', id: by.admin_id },
    at: now,
    memo: joined([
      `用请求号 ${open.out_no} 向${zh}出票：${by.reason}`,
      `${en} is asked again by request ${open.out_no}: ${by.reason}`,
    ]),
    data: { out_no: open.out_no },
  })
  return { outcome: 'same', provider: open.provider }
}
const askAnew = async (tx: Db, of: { row: Order; by: By; now: number }): Promise<ReTicketed> => {
  const { row, by, now } = of
  const film = await holdFilm(tx, row.id)
  const asked = (await requestsOf(tx, row.id)).map(one => one.provider)
  const provider =
    by.provider ?? nextProvider(film.terms, asked) ?? nextProvider(film.terms, []) ?? film.provider
  await askProvider(tx, film, { provider, by, now })
  const [zh, en] = ticketProviders[provider]
  await recount(tx, row, {
    event: 'issue',
    actor: { type: 'staff', id: by.admin_id },
    now,
    memo: joined([`改由${zh}重新出票：${by.reason}`, `Issued anew by ${en}: ${by.reason}`]),
  })
  return { outcome: 'new', provider }
}
/**
 * Staff ask for the tickets of an order anew: only those that failed, or that nobody issued for five
 * minutes. All its numbers are asked for first, outside any transaction. Where the result of one is
 * unknown that very number is sent again, so that the seats are never bought twice; what failed is
 * asked for under a new number. Throws 422 where it is not to be asked for now.
 */
export const reTicket = async (work: TicketWork, order_id: number, by: By): Promise<ReTicketed> => {
  const { database, now } = work
  await database.transaction(tx => refuseReTicket(tx, order_id, now))
  const synced = await syncTickets(work, order_id)
  return database.transaction(async tx => {
    const row = await holdOrder(tx, order_id)
    const film = await holdFilm(tx, order_id)
    if (film.ticket_state === 'issued') return { outcome: 'issued', provider: film.provider }
    const open = (await requestsOf(tx, order_id)).find(one => one.state === 'pending')
    const heard = open !== undefined && open.tries > 0
    if (synced === 'silent' || (synced === 'pending' && heard)) {
      if (open) return sameAgain(tx, { open, row, by, now })
      throw ruled('provider_silent', [
        '渠道没有应答，不能确定上次是否已出票，请稍后再试',
        'The provider is silent: whether it was issued is not known, try again later',
      ])
    }
    if (open && open.asked_by !== null) throw await askedAlready(tx, open.asked_by)
    // What has just gone on to the next provider by itself is what was asked for.
    if (open && (by.provider ?? open.provider) === open.provider)
      return { ...(await sameAgain(tx, { open, row, by, now })), outcome: 'new' }
    await refuseReTicket(tx, order_id, now)
    for (const one of await requestsOf(tx, order_id))
      if (one.state === 'pending') await endRequest(tx, one.id, { heard: 1, force: true, now })
    return askAnew(tx, { row, by, now })
  })
}
const SOME = 200
type Clock = { database: Database; now: number; failed?: Failed }
/** Each in a transaction of its own; what is refused was done by somebody faster. */
const each = (
  { database, failed }: Clock,
  rows: readonly { id: number }[],
  act: (tx: Db, id: number) => Promise<unknown>,
) =>
  oneByOne(
    rows,
    ({ id }) =>
      database
        .transaction(tx => act(tx, id))
        .catch((error: unknown) => {
          if (error instanceof Refusal) return false
          throw error
        }),
    failed,
  )
const t = film_order
/**
 * Orders that were paid and not issued for fifteen minutes, or until their show begins, go back by
 * themselves: `open` opens the refund. One that is frozen waits until it is free. Answers how many
 * were due.
 */
export const giveUpTickets = async (
  of: Clock & { open: (tx: Db, order_id: number) => Promise<unknown> },
): Promise<number> => {
  const { database, now } = of
  const due = await database.db
    .select({ id: t.order_id })
    .from(t)
    .innerJoin(order, eq(order.id, t.order_id))
    .where(
      and(
        inArray(t.ticket_state, ['issuing', 'issue_failed']),
        or(lte(t.waiting_since, now - GIVE_UP_S), lte(t.show_at, now)),
        eq(order.pay_state, 'paid'),
        eq(order.frozen, false),
        inArray(order.refund_state, ['none', 'part_refunded']),
      ),
    )
    .orderBy(asc(t.waiting_since))
    .limit(SOME)
  await each(of, due, async (tx, id) => {
    const row = await holdOrder(tx, id)
    const film = await holdFilm(tx, id)
    if (film.ticket_state === 'issued' || row.refund_state === 'refunding') return
    await of.open(tx, id)
  })
  return due.length
}

/**
 * An order whose show is over has been received: its money goes to its owner, and is frozen for as
 * long as its terms say. One that is frozen or goes back waits. The order is held. Whether it was.
 */
const finishShow = async (tx: Db, order_id: number, now: number): Promise<boolean> => {
  const row = await holdOrder(tx, order_id)
  const film = await holdFilm(tx, order_id)
  const over = film.ticket_state === 'issued' && film.shown_at === null && film.show_end_at <= now
  if (!over || row.frozen || row.refund_state === 'refunding') return false
  const got = sql`${order_item.qty} - ${order_item.refunded_qty}`
  await tx
    .update(order_item)
    .set({ shipped_qty: got, received_qty: got, version: sql`${order_item.version} + 1` })
    .where(eq(order_item.order_id, order_id))
  await saveFilm(tx, film, { shown_at: now }, now)
  await provePull(tx, order_id, now)
  await recount(tx, row, {
    event: 'receive',
    actor: system,
    now,
    memo: joined(['放映结束', 'The show is over']),
  })
  return true
}
/** Books the orders whose shows are over; answers how many were due. */
export const finishShows = async (of: Clock): Promise<number> => {
  const { database, now } = of
  const due = await database.db
    .select({ id: t.order_id })
    .from(t)
    .innerJoin(order, eq(order.id, t.order_id))
    .where(
      and(
        eq(t.ticket_state, 'issued'),
        isNull(t.shown_at),
        lte(t.show_end_at, now),
        eq(order.frozen, false),
        sql`${order.refund_state} <> 'refunding'`,
      ),
    )
    .orderBy(asc(t.show_end_at))
    .limit(SOME)
  return each(of, due, (tx, id) => finishShow(tx, id, now))
}
