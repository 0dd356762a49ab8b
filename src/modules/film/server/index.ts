import { and, asc, count, eq, isNotNull, sql, sum } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { filmPage as page } from '#commands/pages/film.ts'
import { film_cinema, film_order } from '#src/areas/film/film.table.ts'
import { filmStages, ticketProviders, ticketStates } from '#src/areas/film/film.ts'
import {
  filmRecord as rows,
  filmWhere,
  shownFilms,
  type FilmFilters,
} from '#src/areas/film/filmRows.server.ts'
import { filmSettled, filmStage } from '#src/areas/film/filmStage.server.ts'
import { filmCan, type FilmVerb } from '#src/areas/film/filmVerbs.ts'
import { reTicket } from '#src/areas/film/rescue.server.ts'
import { syncTickets } from '#src/areas/film/ticketing.server.ts'
import { holdFilm, tellTickets, type FilmOrder } from '#src/areas/film/tickets.server.ts'
import { openFilmRefund } from '#src/areas/filmRefund/refund.server.ts'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import { freezeOrder, unfreezeOrder } from '#src/areas/order/freeze.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { holdOrder, noteOrder, type Order } from '#src/areas/order/orderFacts.server.ts'
import { phoneOf, RESEND_MAX } from '#src/areas/order/orderMessages.server.ts'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import { order_message } from '#src/areas/order/trail.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { joined, say } from '#src/domain/text.ts'
import { dayStart, timeFull } from '#src/domain/time.ts'
import { selfLogged, stepwise, type Apart } from '#src/server/call/apart.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, holding, listing } from '#src/server/call/record.ts'
import { missing, Refusal, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import { countOf } from '#src/server/db/paging.ts'
import { filmOrders as contract } from '../contract/index.ts'

type Calls = typeof contract
type One = { id: number; version?: number }
const of = {
  where: (filters: FilmFilters, { now }: { now: number }) => filmWhere(filters, now),
  shown: shownFilms,
}
const newest = listing(rows, { ...of, by: order.created_at, down: true })
/** Whatever waits for its tickets longest comes first: it is what must be rescued. */
const waiting = listing(rows, { ...of, by: order.paid_at })
const isRescue = ({ stage, stuck }: FilmFilters) => stage === 'pending_tickets' || stuck === true

type Held = { row: Order; film: FilmOrder; settled: boolean }
/** An order of films as the person held it, with its tickets; both held. */
export const heldFilm = async (context: WriteContext, one: One): Promise<Held> => {
  const { tx, staff } = context
  await rows.read(tx, staff, one.id)
  const row = await holdOrder(tx, one.id)
  if (row.kind !== 'film') throw missing()
  if (one.version !== undefined && row.version !== one.version) throw await rows.late(context, row)
  const film = await holdFilm(tx, row.id)
  const [is] = await tx
    .select({ settled: filmSettled })
    .from(film_order)
    .innerJoin(order, eq(order.id, film_order.order_id))
    .where(eq(film_order.order_id, row.id))
  return { row, film, settled: is!.settled }
}
/** Throws 422 with why an order can't have this now. */
export const allowed = (verb: FilmVerb, { row, film, settled }: Held, now: number): void => {
  const may = filmCan(verb, { ...row, ...film, settled, now })
  if (may !== true) throw ruled(`film_${verb}`, may)
}
export const staffActor = ({ staff }: Pick<WriteContext, 'staff'>) => ({
  type: 'staff' as const,
  id: staff.id,
})
const answerOf = ({ id, version }: Order) => ({ id, version })
const logged = (row: Order) => ({
  object_type: 'order',
  object_id: row.id,
  object_label: row.order_no,
})

const sync = async ({ id }: { id: number }, context: Apart) => {
  const { install, now, keep } = context
  const steps = stepwise(context)
  const was = await steps.transaction(async tx => {
    const held = await heldFilm({ ...context, tx }, { id })
    allowed('syncTicket', held, now)
    return held
  })
  const outcome = await syncTickets({ database: steps, tickets: install.tickets, now }, id)
  await steps.transaction(async tx =>
    keep(tx, {
      ...logged(was.row),
      before: { ticket_state: was.film.ticket_state },
      after: { ticket_state: (await holdFilm(tx, id)).ticket_state },
    }),
  )
  return { id, outcome }
}
const anew = async (
  { id, provider, reason }: Parameters<Handler<Calls['reTicket']>>[0],
  context: Apart,
) => {
  const { install, now, staff, keep } = context
  const steps = stepwise(context)
  const was = await steps.transaction(async tx => {
    const held = await heldFilm({ ...context, tx }, { id })
    allowed('reTicket', held, now)
    return held
  })
  const work = { database: steps, tickets: install.tickets, now }
  const made = await reTicket(work, id, { admin_id: staff.id, reason, provider })
  await steps.transaction(async tx =>
    keep(tx, {
      ...logged(was.row),
      before: { ticket_state: was.film.ticket_state, ticket_provider: was.film.provider },
      after: {
        ticket_state: (await holdFilm(tx, id)).ticket_state,
        ticket_provider: made.provider,
      },
      reason,
    }),
  )
  return { id, ...made }
}
/** Each by itself: providers are asked between the rows, and what is refused holds up no other. */
const syncEach = async ({ ids }: { ids: number[] }, context: Apart) => {
  const ok: number[] = []
  const failed: { id: number; code: string; msg: string }[] = []
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b))
    try {
      await sync({ id }, context)
      ok.push(id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const code = String(error.data['rule'] ?? error.status)
      failed.push({ id, code, msg: error.in(context.staff.lang) })
    }
  return { ok, failed }
}
type Refunding = Parameters<Handler<Calls['refund']>>[0]
/** Says why a cause does not fit an order, before any refund is opened. */
const refuseKind = async (tx: Db, { film }: Held, kind: Refunding['kind']): Promise<void> => {
  if (kind === 'ticket_failed' && film.ticket_state === 'issued')
    throw ruled('kind', [
      '该订单已出票，原因不能选“出票失败”',
      'It is issued: the cause can’t be that it is not',
    ])
  if (kind !== 'show_canceled') return
  const { rows: found } = await tx.execute<{ state: string }>(
    sql`select state from film_show where id = ${film.show_id}`,
  )
  if (found[0]!.state !== 'canceled')
    throw ruled('kind', [
      '该场次没有取消，请选择其他原因',
      'The show is not cancelled: choose another cause',
    ])
}
const refund = async (
  { kind, amount_cents, reason, ...one }: Omit<Refunding, 'version'> & { version?: number },
  context: WriteContext,
) => {
  const { tx, staff, now } = context
  const held = await heldFilm(context, one)
  allowed('refund', held, now)
  await refuseKind(tx, held, kind)
  const made = await openFilmRefund(tx, {
    order_id: held.row.id,
    kind,
    amount_cents,
    reason,
    source: 'staff',
    admin_id: staff.id,
    now,
  })
  rows.log(context, held.row, {
    after: {
      refund_no: made.refund_no,
      amount_cents: made.amount_cents,
      refund_status: made.state,
    },
    reason,
  })
  return {
    id: one.id,
    refund_id: made.id,
    refund_no: made.refund_no,
    amount_cents: made.amount_cents,
    state: made.state,
  }
}
/** What of an order is settled can't be frozen: its lines are held, so that no batch settles them now. */
const holdLines = (tx: Db, order_id: number) =>
  tx
    .select({ id: settle_line.id })
    .from(settle_line)
    .where(eq(settle_line.order_id, order_id))
    .orderBy(asc(settle_line.id))
    .for('update')
const frozenLog = (row: Order) => ({ status: row.status, frozen: row.frozen })
const resent = (tx: Db, order_id: number, now: number): Promise<number> =>
  tx.$count(
    order_message,
    and(
      eq(order_message.order_id, order_id),
      eq(order_message.kind, 'code'),
      isNotNull(order_message.admin_id),
      sql`${order_message.created_at} >= ${dayStart(now)}`,
    ),
  )
const noPhone = () => ruled('no_phone', ['没有登记手机号', 'No phone is on record'])

const handlers = {
  lst: (input, context) => (isRescue(input) ? waiting : newest).page(input, context),
  overview: async (filters, { db, staff, now }) => ({
    stages: await db
      .select({
        stage: filmStage,
        count: count(),
        pay_cents: sum(order.pay_cents).mapWith(Number),
      })
      .from(order)
      .innerJoin(film_order, eq(film_order.order_id, order.id))
      .where(and(rows.seen(staff), filmWhere(filters, now)))
      .groupBy(sql`1`),
  }),
  cinemas: async ({ keyword, page: at, pageSize }, { db, staff }) => {
    const t = film_cinema
    const where = and(
      within(staff.scope, { city: t.city_id, mall: t.mall_id }),
      holding(keyword, [t.name, t.no]),
    )
    const list = await db
      .select({ id: t.id, name: t.name })
      .from(t)
      .where(where)
      .orderBy(asc(t.id))
      .limit(pageSize)
      .offset((at - 1) * pageSize)
    return { list, ...(await countOf(db, t, where)) }
  },
  syncTicket: selfLogged(contract.syncTicket, sync),
  reTicket: selfLogged(contract.reTicket, anew),
  batchSync: selfLogged(contract.batchSync, syncEach),
  refund,
  batchRefund: ({ ids, reason }, context) =>
    eachRow(context, ids, async (inside, id) => {
      const { film } = await heldFilm(inside, { id })
      const kind = film.ticket_state === 'issued' ? 'user' : 'ticket_failed'
      await refund({ id, kind, reason }, inside)
    }),
  cancelUnpaid: async ({ reason, ...one }, context) => {
    const { tx, now } = context
    const held = await heldFilm(context, one)
    allowed('cancelUnpaid', held, now)
    await closeUnpaid(tx, one.id, now, { type: 'staff', actor: staffActor(context), reason })
    const after = await rows.read(tx, context.staff, one.id)
    rows.log(context, after, {
      before: { status: held.row.status },
      after: { status: after.status },
      reason,
    })
    return answerOf(after)
  },
  freeze: async ({ reason, ...one }, context) => {
    const { tx, now } = context
    await rows.read(tx, context.staff, one.id)
    await holdOrder(tx, one.id)
    await holdLines(tx, one.id)
    const held = await heldFilm(context, one)
    allowed('freeze', held, now)
    const of = { order_id: one.id, by: 'staff' as const, actor: staffActor(context), reason, now }
    const after = await freezeOrder(tx, of)
    rows.log(context, after, { before: frozenLog(held.row), after: frozenLog(after), reason })
    return answerOf(after)
  },
  unfreeze: async ({ reason, ...one }, context) => {
    const { tx, now } = context
    const held = await heldFilm(context, one)
    allowed('unfreeze', held, now)
    if (held.row.frozen_by === 'risk')
      throw ruled('risk_holds_it', [
        '由风控冻结，请在风控中心放行',
        'Risk control froze it: release it there',
      ])
    const by = held.row.frozen_by!
    const of = { order_id: one.id, by, actor: staffActor(context), reason, now }
    const after = (await unfreezeOrder(tx, of))!
    rows.log(context, after, { before: frozenLog(held.row), after: frozenLog(after), reason })
    return answerOf(after)
  },
  resendCode: async ({ id }, context) => {
    const { tx, staff, now } = context
    const held = await heldFilm(context, { id })
    allowed('resendCode', held, now)
    if ((await resent(tx, id, now)) >= RESEND_MAX)
      throw ruled(
        'too_often',
        ['同一订单每天最多重发 {n} 次，请明天再试', 'At most {n} times a day: try again tomorrow'],
        { n: RESEND_MAX },
      )
    const { row, film } = held
    if (!(await tellTickets(tx, row, { film, admin_id: staff.id, now }))) throw noPhone()
    await noteOrder(tx, {
      order_id: id,
      event: 'message',
      actor: staffActor(context),
      at: now,
      memo: joined(['重发取票码', 'Ticket code sent again']),
    })
    rows.log(context, row, { after: { codes_sent: 1 } })
    return { id, sent: film.code_sent_n + 1 }
  },
  revealPhone: async ({ id, reason }, context) => {
    const { row } = await heldFilm(context, { id })
    const phone = await phoneOf(context.tx, row)
    if (!phone) throw noPhone()
    return { id, phone, ...(await noteReveal(context, 'member.phone', logged(row), reason)) }
  },
  export: exporting(newest, {
    page: 'film.index',
    title: ['影票订单', 'Film ticket orders'],
    permit: contract.export.permit,
    columns: [
      { key: 'order_no', title: ['订单号', 'Order no.'] },
      { key: 'stage', title: ['状态', 'State'] },
      { key: 'film_name', title: ['影片', 'Film'] },
      { key: 'cinema_name', title: ['影院', 'Cinema'] },
      { key: 'show_at', title: ['场次', 'Show'], kind: 'time' },
      { key: 'seat_count', title: ['座位数', 'Seats'], kind: 'number' },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
      { key: 'sale_cents', title: ['票价', 'Sale'], kind: 'money' },
      { key: 'service_fee_cents', title: ['服务费', 'Service fee'], kind: 'money' },
      { key: 'coupon_cents', title: ['优惠券', 'Coupon'], kind: 'money' },
      { key: 'points_cents', title: ['积分抵扣', 'Points'], kind: 'money' },
      { key: 'pay_cents', title: ['实付', 'Paid'], kind: 'money' },
      { key: 'refunded_cents', title: ['已退', 'Refunded'], kind: 'money' },
      {
        key: 'cost_cents',
        title: ['成本', 'Cost'],
        kind: 'money',
        field: 'film_order.profit_cents',
      },
      {
        key: 'profit_cents',
        title: ['利润', 'Profit'],
        kind: 'money',
        field: 'film_order.profit_cents',
      },
      { key: 'provider', title: ['出票渠道', 'Provider'] },
      { key: 'ticket_state', title: ['出票', 'Tickets'] },
      { key: 'ticketed_at', title: ['出票时间', 'Issued at'], kind: 'time' },
      { key: 'created_at', title: ['下单时间', 'Ordered at'], kind: 'time' },
    ],
    words: ({ stage, keyword, provider, stuck, show_from, show_to }, lang) => [
      stage && say(filmStages[stage], lang),
      provider && say(ticketProviders[provider], lang),
      stuck && say(['超 5 分钟未出票', 'Not issued for 5 minutes'], lang),
      show_from !== undefined && timeFull(show_from).slice(0, 10),
      show_to !== undefined && timeFull(show_to).slice(0, 10),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      stage: say(filmStages[row.stage], lang),
      provider: say(ticketProviders[row.provider], lang),
      ticket_state: say(ticketStates[row.ticket_state], lang),
    }),
  }),
} satisfies { [K in keyof Calls]: Handler<Calls[K]> }
export const filmOrdersServer = implement(contract, handlers)

defineTodo({
  key: 'film_stuck',
  title: ['影票卡单', 'Stuck film orders'],
  permit: page.permit,
  target: ({ city_id }) => to(page, { stuck: true, city_id }),
  count: ({ db, staff, city_id, now }) =>
    countTodo(db, order, and(rows.seen(staff), filmWhere({ stuck: true, city_id }, now)), {
      since: order.paid_at,
      late: sql`exists (select 1 from film_order f where f.order_id = ${order.id} and f.show_at < ${now + 3600})`,
      money: order.paid_cents,
    }),
  beside: to(page, {}),
})
