import { and, count, eq, sum } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { filmRefundPage as page } from '#commands/pages/film.ts'
import { auditorsPage, auditorsWho } from '#src/areas/audit/auditors.server.ts'
import { film_refund } from '#src/areas/film/film.table.ts'
import { filmRefundKinds, returnStates, ticketProviders } from '#src/areas/film/film.ts'
import * as cases from '#src/areas/filmRefund/deciding.server.ts'
import { filmRefundTabs, type FilmRefundTab } from '#src/areas/filmRefund/filmRefund.ts'
import { sendReturns } from '#src/areas/filmRefund/returning.server.ts'
import {
  filmRefunds as rows,
  filmRefundsWhere,
  shownFilmRefunds,
  type FilmRefundFilters,
} from '#src/areas/filmRefund/rows.server.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { refundStates } from '#src/areas/refund/refund.ts'
import type { Refund } from '#src/areas/refund/refundFacts.server.ts'
import type { Step } from '#src/areas/refund/refundStep.server.ts'
import { say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { exporting, listing } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import { difference } from '#src/server/call/versions.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { filmRefunds as contract } from '../contract/refund.ts'

type One = { id: number; version: number }
const told = ['state', 'amount_cents', 'first_by', 'second_by', 'reject_reason'] as const
const kept = [
  'provider_state',
  'charge_cents',
  'cost_return_cents',
  'loss_cents',
  'assignee_id',
] as const
/** A step of a refund within my data, with a line of what it changed. */
const doing = async (
  context: WriteContext,
  { id, version }: One,
  run: (tx: Db, of: Step) => Promise<Refund>,
  reason?: string,
) => {
  const { tx, staff, now } = context
  const part = await rows.read(tx, staff, id)
  const [was] = await tx.select().from(refund).where(eq(refund.id, part.refund_id))
  const by = { id: staff.id, limit_cents: staff.refund_limit_cents }
  const after = await run(tx, { id: part.refund_id, version, by, now })
  const parts = difference(part, await rows.read(tx, staff, id), kept)
  const own = difference(was!, after, told)
  context.log({
    object_type: 'film_refund',
    object_id: id,
    object_label: after.refund_no,
    before: { ...own.before, ...parts.before },
    after: { ...own.after, ...parts.after },
    ...(reason && { reason }),
  })
  return { id, state: after.state, version: after.version }
}
/** What is soonest on screen comes first; of what is over the latest. */
const of = {
  where: (filters: FilmRefundFilters) => filmRefundsWhere(filters),
  shown: (
    db: Db,
    found: (typeof film_refund.$inferSelect)[],
    asker: { now: number; staff: Staff },
  ) => shownFilmRefunds(db, found, asker),
  by: film_refund.show_at,
}
const list = listing(rows, of)
const ended = listing(rows, { ...of, down: true })
const isOver = (state: FilmRefundTab | undefined): boolean =>
  state === 'done' || state === 'rejected'
const DECIDES = 'film.refund.approve'
const handlers = {
  lst: (input, context) => (isOver(input.state) ? ended : list).page(input, context),
  totals: async (filters, { db, staff }) => ({
    tabs: await Promise.all(
      (Object.keys(filmRefundTabs) as FilmRefundTab[]).map(async state => {
        const [found] = await db
          .select({ count: count(), amount_cents: sum(refund.amount_cents).mapWith(Number) })
          .from(film_refund)
          .innerJoin(refund, eq(refund.id, film_refund.refund_id))
          .where(and(rows.seen(staff), filmRefundsWhere({ ...filters, state })))
        return { state, count: found!.count, amount_cents: found!.amount_cents ?? 0 }
      }),
    ),
  }),
  people: (asked, { db }) => auditorsPage(db, asked, DECIDES),
  approve: (one, context) => doing(context, one, cases.approveFilm),
  batchApprove: ({ tasks }, context) => {
    const versions = new Map(tasks.map(({ id, version }) => [id, version]))
    return eachRow(context, [...versions.keys()], (row, id) =>
      doing(row, { id, version: versions.get(id)! }, (tx, step) =>
        cases.approveFilm(tx, { ...step, batch: true }),
      ),
    )
  },
  reject: ({ reason, ...one }, context) =>
    doing(
      context,
      one,
      (tx, step) => cases.rejectFilm(tx, { ...step, reason, name: context.staff.name }),
      reason,
    ),
  editAmount: ({ amount_cents, reason, ...one }, context) =>
    doing(
      context,
      one,
      (tx, step) =>
        cases.editFilmAmount(tx, { ...step, amount_cents, reason, name: context.staff.name }),
      reason,
    ),
  retry: (one, context) => doing(context, one, cases.retryFilm),
  confirmProvider: ({ cost_return_cents, ...one }, context) =>
    doing(context, one, (tx, step) => cases.confirmReturn(tx, { ...step, cost_return_cents })),
  assign: async ({ admin_id, ...one }, context) => {
    const people = await auditorsWho(context.tx, DECIDES)
    if (!people.some(person => person.id === admin_id))
      throw ruled('no_rights', ['此人不能处理影票退款', 'They may not decide film refunds'])
    return doing(context, one, (tx, step) => cases.assignFilm(tx, { ...step, admin_id }))
  },
  export: exporting(list, {
    page: 'film.refund',
    title: ['影票退款单', 'Film refunds'],
    permit: contract.export.permit,
    columns: [
      { key: 'refund_no', title: ['退款单号', 'Refund no.'] },
      { key: 'order_no', title: ['订单号', 'Order no.'] },
      { key: 'kind', title: ['原因', 'Cause'] },
      { key: 'state', title: ['阶段', 'Stage'] },
      { key: 'film_name', title: ['影片', 'Film'] },
      { key: 'cinema_name', title: ['影院', 'Cinema'] },
      { key: 'seats', title: ['座位', 'Seats'] },
      { key: 'show_at', title: ['开场时间', 'Show'], kind: 'time' },
      { key: 'pay_cents', title: ['实付', 'Paid'], kind: 'money' },
      { key: 'amount_cents', title: ['退款金额', 'Refund'], kind: 'money' },
      { key: 'charge_cents', title: ['手续费', 'Fee'], kind: 'money' },
      { key: 'provider', title: ['出票渠道', 'Provider'] },
      { key: 'provider_state', title: ['渠道退票', 'At the provider'] },
      { key: 'give_back_cents', title: ['渠道退回', 'Recovered'], kind: 'money' },
      { key: 'loss_cents', title: ['亏损', 'Loss'], kind: 'money' },
      { key: 'reason', title: ['说明', 'In words'] },
      { key: 'assignee_name', title: ['处理人', 'Assigned to'] },
      { key: 'first_name', title: ['初审人', 'First'] },
      { key: 'second_name', title: ['复审人', 'Second'] },
      { key: 'created_at', title: ['申请时间', 'Requested'], kind: 'time' },
      { key: 'done_at', title: ['完成时间', 'Done at'], kind: 'time' },
    ],
    words: ({ state, kind, keyword, refused }, lang) => [
      state && say(filmRefundTabs[state], lang),
      kind && say(filmRefundKinds[kind], lang),
      refused && say(['渠道拒绝', 'Refused by the provider'], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      kind: say(filmRefundKinds[row.kind], lang),
      state: say(refundStates[row.state], lang),
      provider: say(ticketProviders[row.provider], lang),
      provider_state: say(returnStates[row.provider_state], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
export const filmRefundServer = implement(contract, handlers)

defineTodo({
  key: 'film_refund',
  title: [page.title, page.en],
  permit: page.permit,
  target: ({ city_id }) => to(page, { state: 'open', city_id }),
  count: ({ db, staff, city_id }) =>
    countTodo(
      db,
      film_refund,
      and(rows.seen(staff), filmRefundsWhere({ state: 'open', city_id })),
      { since: film_refund.created_at, money: film_refund.loss_cents },
    ),
  beside: to(page),
})
/**
 * Tickets go back to their providers: as soon as a refund was agreed to, and by the minute for what
 * was kept waiting.
 */
defineTimer(
  'film.returns',
  '* * * * *',
  async ({ database, install, log, now }) => {
    const failed = (error: unknown, id: number) =>
      log.error({ err: error, what: 'a return of tickets', id }, 'the clock could not do it')
    return (await sendReturns({ database, tickets: install.tickets, now, failed })) > 0
      ? ['refund', 'order', 'payout']
      : []
  },
  ['refund'],
)
