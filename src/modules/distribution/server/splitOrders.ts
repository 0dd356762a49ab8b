import { and, count, eq, sum } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { splitPage as page } from '#commands/pages/distribution.ts'
import { makeSplits } from '#src/areas/split/making.server.ts'
import { sendSplits } from '#src/areas/split/sharing.server.ts'
import { dist_split_order, dist_split_receiver } from '#src/areas/split/split.table.ts'
import { receiverRoles, receiverStates, splitStates, splitTabs } from '#src/areas/split/split.ts'
import {
  endsSoon,
  shownSplits,
  splitRecord as rows,
  splitsWhere,
  type SplitFilters,
} from '#src/areas/split/splitRows.server.ts'
import {
  giveBackSplit,
  retrySplit,
  settleSplit,
  skipReceiver,
  syncSplit,
  unfreezeSplit,
  type Split,
  type SplitMade,
  type SplitStep,
} from '#src/areas/split/splits.server.ts'
import { say, semicolon } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, holding, listing } from '#src/server/call/record.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import { difference } from '#src/server/call/versions.ts'
import { countOf, listed, pageOf } from '#src/server/db/paging.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { splitOrders as contract } from '../contract/splitOrders.ts'

type Calls = typeof contract
type One = { id: number; version: number }
const told = [
  'status',
  'doing',
  'out_no',
  'back_cents',
  'returned_cents',
] as const satisfies readonly (keyof Split)[]
/** A step as a call makes it, with its line in the log. */
const doing = async (
  context: WriteContext,
  { id, version }: One,
  run: (tx: Db, of: SplitStep) => Promise<SplitMade>,
  reason?: string,
) => {
  const { tx, staff, now } = context
  await rows.read(tx, staff, id)
  const { was, after } = await run(tx, { id, version, now })
  rows.log(context, after, { ...difference(was, after, told), ...(reason && { reason }) })
  return after
}
/** What is soonest for the channel comes first; of what is over the latest. */
const of = {
  where: (filters: SplitFilters, { now }: { now: number }) => splitsWhere(filters, now),
  shown: shownSplits,
  by: dist_split_order.deadline_at,
}
const list = listing(rows, of)
const ended = listing(rows, { ...of, down: true })
const isOver = (status: string | undefined): boolean =>
  status === 'finished' || status === 'unfrozen' || status === 'returned'
const handlers = {
  lst: (input, context) => (isOver(input.status) ? ended : list).page(input, context),
  totals: async (filters, { db, staff, now }) => ({
    states: await db
      .select({
        status: dist_split_order.status,
        count: count(),
        total_cents: sum(dist_split_order.total_cents).mapWith(Number),
      })
      .from(dist_split_order)
      .where(and(rows.seen(staff), splitsWhere(filters, now)))
      .groupBy(dist_split_order.status),
  }),
  receivers: async ({ id, status, keyword, ...at }, { db, staff }) => {
    if (id !== undefined) await rows.read(db, staff, id)
    const r = dist_split_receiver
    const where = and(
      eq(r.split_id, id ?? 0),
      status && eq(r.status, status),
      holding(keyword, [r.name]),
    )
    const found = await pageOf(db, r, {
      where,
      by: r.id,
      ...at,
      reader: `${staff.id}|receivers|${id}|${status}|${keyword}`,
    })
    return listed(at, found, Promise.resolve(found), () => countOf(db, r, where))
  },
  retry: (one, context) => doing(context, one, retrySplit),
  batchRetry: ({ tasks }, context) => {
    const versions = new Map(tasks.map(({ id, version }) => [id, version]))
    return eachRow(context, [...versions.keys()], (row, id) =>
      doing(row, { id, version: versions.get(id)! }, retrySplit),
    )
  },
  skipReceiver: ({ receiver_id, reason, ...one }, context) =>
    doing(context, one, (tx, of) => skipReceiver(tx, { ...of, receiver_id, reason }), reason),
  unfreeze: ({ reason, ...one }, context) =>
    doing(context, one, (tx, of) => unfreezeSplit(tx, { ...of, reason }), reason),
  returnSplit: ({ reason, receiver_id, amount_cents, ...one }, context) =>
    doing(
      context,
      one,
      (tx, of) => giveBackSplit(tx, { ...of, receiver_id, amount_cents, reason }),
      reason,
    ),
  syncResult: (one, context) => doing(context, one, syncSplit),
  export: exporting(list, {
    page: 'distribution.splitOrders',
    title: ['分账订单', 'Profit-sharing orders'],
    permit: contract.export.permit,
    columns: [
      { key: 'split_no', title: ['分账单号', 'Split no.'] },
      { key: 'order_no', title: ['订单号', 'Order no.'] },
      { key: 'merchant', title: ['商户', 'Merchant'] },
      { key: 'status', title: ['状态', 'State'] },
      ...(['order', 'splittable', 'total', 'returned'] as const).map(key => ({
        key: `${key}_cents` as const,
        title: (
          {
            order: ['订单实付', 'Paid'],
            splittable: ['可分金额', 'Shareable'],
            total: ['应分金额', 'Share due'],
            returned: ['已回退', 'Returned'],
          } as const
        )[key],
        kind: 'money' as const,
        field: 'withdrawal.amount_cents' as const,
      })),
      { key: 'receivers', title: ['接收方', 'Receivers'] },
      { key: 'deadline_at', title: ['分账期限', 'Deadline'], kind: 'time' },
      { key: 'fail_reason', title: ['失败原因', 'Failure reason'] },
      { key: 'finished_at', title: ['完成时间', 'Finished at'], kind: 'time' },
    ],
    words: ({ status, keyword, soon }, lang) => [
      status && say(splitTabs[status], lang),
      soon && say(['即将到期', 'Ends soon'], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      merchant: row.merchant_name,
      status: say(splitStates[row.status], lang),
      receivers: row.receivers
        .map(one =>
          [
            say(receiverRoles[one.role], lang),
            one.name,
            say(receiverStates[one.status], lang),
          ].join(' '),
        )
        .join(say(semicolon, lang)),
    }),
  }),
} satisfies { [K in keyof Calls]: Handler<Calls[K]> }
export const splitServer = implement(contract, handlers)

defineTodo({
  key: 'split_failed',
  title: ['分账失败', 'Profit sharing failed'],
  permit: page.permit,
  target: ({ city_id }) => to(page, { status: 'failed', city_id }),
  count: ({ db, staff, city_id, now }) =>
    countTodo(
      db,
      dist_split_order,
      and(rows.seen(staff), splitsWhere({ status: 'failed', city_id }, now)),
      { since: dist_split_order.created_at, money: dist_split_order.total_cents },
    ),
  beside: to(page),
})
defineTodo({
  key: 'split_soon',
  title: ['分账即将到期', 'Profit sharing ends soon'],
  permit: page.permit,
  target: ({ city_id }) => to(page, { soon: true, city_id }),
  count: ({ db, staff, city_id, now }) =>
    countTodo(
      db,
      dist_split_order,
      and(rows.seen(staff), endsSoon(now), splitsWhere({ city_id }, now)),
      { since: dist_split_order.created_at, money: dist_split_order.total_cents },
    ),
})

/**
 * Orders whose units are all used and past their freeze are shared, by the minute; what the channel
 * was asked is asked for again until it has answered.
 */
defineTimer(
  'distribution.splits',
  '* * * * *',
  async ({ database, install, log, now }) => {
    const failed = (error: unknown, id: number) =>
      log.error({ err: error, what: 'a split', id }, 'the clock could not do it')
    const channel = install.sharing
    const heard = await channel.due(now)
    for (const notice of heard)
      await database.transaction(tx => settleSplit(tx, { ...notice, now }))
    const made = await makeSplits(database, { own: channel.own, now, failed })
    const sent = await sendSplits({ database, channel, log, now, failed })
    return heard.length + made + sent > 0 ? ['dist_split_order', 'ledger'] : []
  },
  ['dist_split_order'],
)
