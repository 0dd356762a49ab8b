import { and, asc, eq, inArray, isNotNull, lte, or, sql } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import { holdOrder, type Order } from '#src/areas/order/orderFacts.server.ts'
import { joined, keptAsSaid, keptWords, unjoined, type Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne, type Failed } from '#src/server/db/oneByOne.ts'
import { film_order, film_request, film_show } from './film.table.ts'
import { ticketProviders } from './film.ts'
import {
  issuingText,
  silentText,
  type ReturnAnswer,
  type TicketAnswer,
  type TicketProviders,
} from './provider.channel.ts'
import {
  askProvider,
  failTickets,
  holdFilm,
  issuedText,
  nextProvider,
  noteTickets,
  requestsOf,
  saveFilm,
  saveRequest,
  takeTickets,
  type TicketRequest,
} from './tickets.server.ts'

type Success = Extract<TicketAnswer, { state: 'success' }>
const lateText: Text = [
  '迟到的出票，订单已不需要，正在退回渠道',
  'Issued too late for its order: being given back',
]
const gaveBackText: Text = ['多出的票已退回渠道', 'The provider took these tickets back']
const isOpen = (one: TicketRequest) => one.state === 'pending' || one.state === 'success'
/** Whether the tickets of an order are still waited for: it is paid and does not go back. */
const isWanted = (row: Pick<Order, 'pay_state' | 'refund_state'>): boolean =>
  row.pay_state === 'paid' && row.refund_state !== 'refunding' && row.refund_state !== 'refunded'

/**
 * Tickets were issued. Those that nobody waits for any more are given back at the provider; so the
 * seats of an order are bought once, whichever number brings them.
 */
const succeed = async (
  tx: Db,
  of: { row: Order; request: TicketRequest; answer: Success; now: number },
): Promise<TicketRequest['state']> => {
  const { row, request, answer, now } = of
  if (request.state === 'surplus') return 'surplus'
  const film = await holdFilm(tx, row.id)
  const others = (await requestsOf(tx, row.id)).filter(one => one.id !== request.id && isOpen(one))
  const waits = film.ticket_state === 'issuing' || film.ticket_state === 'issue_failed'
  const { provider_no, ticket_code } = answer
  const said = { provider_no, answered_at: now }
  if (waits && isWanted(row) && others.length === 0) {
    await saveRequest(
      tx,
      request,
      { ...said, state: 'success', answer: joined(issuedText), ask_at: null },
      now,
    )
    await takeTickets(tx, row, { request, provider_no, ticket_code, now })
    return 'success'
  }
  await saveRequest(
    tx,
    request,
    { ...said, state: 'surplus', answer: joined(lateText), ask_at: now },
    now,
  )
  const [zh, en] = ticketProviders[request.provider]
  const memo = keptWords([
    `${zh}迟到的出票未使用，退回渠道：${provider_no}`,
    `${en} issued too late, it is given back: ${provider_no}`,
  ])
  await noteTickets(tx, { order_id: row.id, memo, out_no: request.out_no, now })
  return 'surplus'
}
/** A provider could not issue: the next one is asked under a new number, or nobody is left. */
const fail = async (
  tx: Db,
  of: { row: Order; request: TicketRequest; text: string; now: number },
): Promise<TicketRequest['state']> => {
  const { row, request, now } = of
  const answer = keptAsSaid(of.text)
  if (request.state !== 'pending') {
    if (request.state === 'ended')
      await saveRequest(tx, request, { answer, answered_at: now, ask_at: null }, now)
    return request.state
  }
  await saveRequest(tx, request, { state: 'failed', answer, answered_at: now, ask_at: null }, now)
  const film = await holdFilm(tx, row.id)
  if (film.ticket_state !== 'issuing' || !isWanted(row)) return 'failed'
  const asked = (await requestsOf(tx, row.id)).map(one => one.provider)
  const next = nextProvider(film.terms, asked)
  if (next === undefined)
    await failTickets(tx, row, { film, text: answer, actor: { type: 'channel' }, now })
  else {
    await askProvider(tx, film, { provider: next, now })
    const [was, is] = [ticketProviders[request.provider], ticketProviders[next]]
    const why = unjoined(answer)
    const memo = keptWords([
      `${was[0]}出票失败（${why[0]}），改由${is[0]}出票`,
      `${was[1]} could not issue (${why[1]}), ${is[1]} is asked`,
    ])
    await noteTickets(tx, { order_id: row.id, memo, out_no: request.out_no, now })
  }
  return 'failed'
}
/**
 * What came of a number: the seats of an order are bought once, whether the provider says so at
 * once, late or twice. Silence changes nothing but what it said last. Answers the request's state
 * then; undefined where nobody knows the number.
 */
export const settleTickets = async (
  tx: Db,
  of: { out_no: string; answer: TicketAnswer; now: number },
): Promise<TicketRequest['state'] | undefined> => {
  const { answer, now } = of
  const its = eq(film_request.out_no, of.out_no)
  const [known] = await tx.select({ order_id: film_request.order_id }).from(film_request).where(its)
  if (!known) return undefined
  const row = await holdOrder(tx, known.order_id)
  const [request] = await tx.select().from(film_request).where(its).for('update')
  if (request!.state === 'success') return 'success'
  if (answer.state === 'pending' || answer.state === 'unknown') {
    const text =
      answer.state === 'pending'
        ? joined(issuingText)
        : keptAsSaid(answer.text) || joined(silentText)
    await saveRequest(tx, request!, { answer: text }, now)
    if (request!.state === 'pending')
      await saveFilm(tx, await holdFilm(tx, row.id), { provider_status: text }, now)
    return request!.state
  }
  return answer.state === 'success'
    ? succeed(tx, { row, request: request!, answer, now })
    : fail(tx, { row, request: request!, text: answer.text, now })
}
/** What a provider says to tickets that nobody wanted. */
const settleSurplus = async (
  tx: Db,
  one: TicketRequest,
  of: { answer: ReturnAnswer; now: number },
): Promise<void> => {
  const { answer, now } = of
  if (answer.state === 'returned')
    await saveRequest(tx, one, { answer: joined(gaveBackText), ask_at: null }, now)
  if (answer.state === 'refused') {
    const [zh, en] = unjoined(answer.text)
    const kept = keptWords([
      `渠道拒收多出的票，请核对：${zh}`,
      `The provider does not take these back, check with it: ${en}`,
    ])
    await saveRequest(tx, one, { answer: kept, ask_at: null }, now)
  }
}

const HOLD_S = 60
const waitFor = (tries: number) => Math.min(600, 10 * 2 ** Math.min(tries, 6))
export type TicketWork = {
  database: Pick<Database, 'db' | 'transaction'>
  tickets: TicketProviders
  now: number
}
/** Takes what is due for a minute; a number of an order that goes back is asked for no more. */
const takeDue = ({ database, now }: TicketWork, limit: number): Promise<TicketRequest[]> =>
  database.transaction(async tx => {
    const due = await tx
      .select({ id: film_request.id })
      .from(film_request)
      .innerJoin(order, eq(order.id, film_request.order_id))
      .where(
        and(
          isNotNull(film_request.ask_at),
          lte(film_request.ask_at, now),
          or(eq(order.frozen, false), sql`${film_request.state} <> 'pending'`),
        ),
      )
      .orderBy(asc(film_request.ask_at), asc(film_request.id))
      .limit(limit)
      .for('update', { of: film_request, skipLocked: true })
    if (due.length === 0) return []
    return tx
      .update(film_request)
      .set({ ask_at: now + HOLD_S, tries: sql`${film_request.tries} + 1` })
      .where(
        inArray(
          film_request.id,
          due.map(one => one.id),
        ),
      )
      .returning()
  })
/**
 * A number whose order goes back meanwhile is ended: what was never sent for good, what a provider
 * may have heard once it has said what came of it. `heard`: from how many tries on one may have.
 * Answers what the request is then. `force`: also of an order that still waits.
 */
export const endRequest = async (
  tx: Db,
  id: number,
  of: { heard: number; force?: boolean; now: number },
): Promise<TicketRequest> => {
  const its = eq(film_request.id, id)
  const [known] = await tx.select().from(film_request).where(its)
  const row = await holdOrder(tx, known!.order_id)
  const [one] = await tx.select().from(film_request).where(its).for('update')
  if (one!.state !== 'pending' || (isWanted(row) && !of.force)) return one!
  const unheard = one!.tries < of.heard
  const set = {
    state: 'ended' as const,
    ...(unheard && { answer: joined(['未发送', 'Never sent']), ask_at: null }),
  }
  await saveRequest(tx, one!, set, of.now)
  return { ...one!, ...set }
}
const askFor = async (
  { database, tickets }: TicketWork,
  one: TicketRequest,
): Promise<TicketAnswer> => {
  const provider = tickets[one.provider]
  if (one.state === 'ended') return provider.query(one)
  if (one.tries > 1) {
    const said = await provider.query(one)
    if (said.state !== 'failed') return said
  }
  const [of] = await database.db
    .select({
      film: film_order,
      cinema_no: sql<string>`(select c.no from film_cinema c where c.id = ${film_show.cinema_id})`,
    })
    .from(film_order)
    .innerJoin(film_show, eq(film_show.id, film_order.show_id))
    .where(eq(film_order.order_id, one.order_id))
  const { film, cinema_no } = of!
  return provider.issue({ ...film, out_no: one.out_no, cinema_no })
}
const giveBack = async (work: TicketWork, one: TicketRequest): Promise<void> => {
  const { database, tickets, now } = work
  const [film] = await database.db
    .select({ cost_cents: film_order.cost_cents })
    .from(film_order)
    .where(eq(film_order.order_id, one.order_id))
  const answer = await tickets[one.provider].giveBack({
    provider_no: one.provider_no!,
    cost_cents: film!.cost_cents,
  })
  await database.transaction(tx => settleSurplus(tx, one, { answer, now }))
}
const sendOne = async (work: TicketWork, due: TicketRequest): Promise<void> => {
  const { database, now } = work
  // Its first try is this very one: until now nobody has heard of it.
  const one = await database.transaction(tx => endRequest(tx, due.id, { heard: 2, now }))
  if (one.ask_at === null) return
  if (one.state === 'surplus') await giveBack(work, one)
  else if (one.state === 'pending' || one.state === 'ended') {
    const answer = await askFor(work, one)
    await database.transaction(tx => settleTickets(tx, { out_no: one.out_no, answer, now }))
  }
  await database.db
    .update(film_request)
    .set({ ask_at: now + waitFor(one.tries) })
    .where(and(eq(film_request.id, one.id), eq(film_request.ask_at, now + HOLD_S)))
}
/**
 * Asks providers for what is due, each number taken for a minute by one process; a provider is asked
 * outside any transaction. What it kept silent about is asked for by its number before it is sent
 * again, and late tickets are given back. Answers how many.
 */
export const sendTicketRequests = async (
  work: TicketWork & { limit?: number; failed?: Failed },
): Promise<number> => {
  const due = await takeDue(work, work.limit ?? 50)
  await oneByOne(due, one => sendOne(work, one), work.failed)
  return due.length
}

export type Synced = 'issued' | 'failed' | 'pending' | 'silent'
/**
 * Asks what came of the numbers of an order that are not known for good, outside any transaction,
 * and takes what the providers say. Answers how it stands: `silent` where one did not say.
 */
export const syncTickets = async (work: TicketWork, order_id: number): Promise<Synced> => {
  const { database, tickets, now } = work
  const all = await requestsOf(database.db, order_id)
  let open: 'pending' | 'silent' | undefined
  for (const one of all.filter(each => each.state !== 'success' && each.state !== 'surplus')) {
    const answer = await tickets[one.provider].query(one)
    // What it may not have heard yet did not fail: the clock sends it.
    const fresh = one.tries === 0 || now - one.created_at < HOLD_S
    const unheard = answer.state === 'failed' && one.state === 'pending' && fresh
    if (!unheard)
      await database.transaction(tx => settleTickets(tx, { out_no: one.out_no, answer, now }))
    if (answer.state === 'pending' || unheard) open ??= 'pending'
    if (answer.state === 'unknown') open = 'silent'
  }
  const [film] = await database.db
    .select({ state: film_order.ticket_state })
    .from(film_order)
    .where(eq(film_order.order_id, order_id))
  if (film!.state === 'issued') return 'issued'
  return open ?? (film!.state === 'issuing' ? 'pending' : 'failed')
}
