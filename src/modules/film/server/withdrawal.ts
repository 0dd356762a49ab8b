import { and, eq, inArray, sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { filmWithdrawalPage as page } from '#commands/pages/film.ts'
import { film_order } from '#src/areas/film/film.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { filmAccounts } from '#src/areas/payout/filmAccounts.server.ts'
import {
  frozenOrders,
  linesOfRequest,
  ordersOfStatement,
  statementOf,
} from '#src/areas/payout/filmStatement.server.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { revealing, withdrawalHandlers } from '#src/areas/payout/withdrawalHandlers.server.ts'
import {
  filmWithdrawals as rows,
  shownWithdrawals,
  withdrawalsWhere,
} from '#src/areas/payout/withdrawalRows.server.ts'
import { uploadInvoice } from '#src/areas/payout/withdrawals.server.ts'
import { stepping } from '#src/areas/payout/withdrawalStep.server.ts'
import { settle_batch } from '#src/areas/settle/batch.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { lineStates } from '#src/areas/settle/settle.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Db } from '#src/server/call/implement.ts'
import { exporting, record } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import { filmWithdrawals as contract } from '../contract/withdrawal.ts'

const doing = stepping(rows)
/** The lines of settlements; whose request they are of is asked before. */
const lines = record(settle_line, {
  object: 'settle_line',
  label: row => `#${row.id}`,
  keys: [],
  places: { city: settle_line.city_id, mall: settle_line.mall_id },
})
const shownLines = async (db: Db, found: (typeof settle_line.$inferSelect)[]) => {
  const told = found.length
    ? await db
        .select({
          id: settle_line.id,
          order_no: order.order_no,
          film_name: film_order.film_name,
          show_at: film_order.show_at,
          batch_no: settle_batch.no,
        })
        .from(settle_line)
        .innerJoin(order, eq(order.id, settle_line.order_id))
        .leftJoin(film_order, eq(film_order.order_id, order.id))
        .leftJoin(settle_batch, eq(settle_batch.id, settle_line.batch_id))
        .where(
          inArray(
            settle_line.id,
            found.map(row => row.id),
          ),
        )
    : []
  const by = new Map(told.map(one => [one.id, one]))
  return found.map(row => ({ ...row, ...by.get(row.id)! }))
}
const filing = exporting(
  { of: lines, where: ({ id }: { id: number }) => linesOfRequest(id), shown: shownLines },
  {
    page: 'film.withdrawal.detail',
    title: ['影票对账明细', 'Film statement'],
    permit: contract.exportStatement.permit,
    columns: [
      { key: 'order_no', title: ['订单号', 'Order no.'] },
      { key: 'film_name', title: ['影片', 'Film'] },
      { key: 'show_at', title: ['开场时间', 'Show'], kind: 'time' },
      { key: 'unit_no', title: ['座位序号', 'Seat'], kind: 'number' },
      ...(
        [
          ['price_cents', ['售价', 'Price']],
          ['commission_cents', ['票房成本及平台部分', 'Cost and the house']],
          ['fee_cents', ['微信手续费', 'WeChat fee']],
          ['merchant_cents', ['入账', 'Income']],
          ['gone_merchant_cents', ['退款冲回', 'Refunded']],
        ] as const
      ).map(([key, title]) => ({
        key,
        title,
        kind: 'money' as const,
        field: 'withdrawal.amount_cents' as const,
      })),
      { key: 'batch_no', title: ['结算批次', 'Batch'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'settled_at', title: ['结算时间', 'Settled at'], kind: 'time' },
    ],
    words: ({ id }) => [`#${id}`],
    cells: (row, { lang }) => ({
      order_no: row.order_no,
      film_name: row.film_name ?? '',
      show_at: row.show_at,
      unit_no: row.unit_no,
      price_cents: row.price_cents,
      commission_cents: row.commission_cents,
      fee_cents: row.fee_cents,
      merchant_cents: row.merchant_cents,
      gone_merchant_cents: row.gone_merchant_cents,
      batch_no: row.batch_no ?? '',
      status: say(lineStates[row.status], lang),
      settled_at: row.settled_at,
    }),
  },
)

export const filmWithdrawalServer = implement(contract, {
  ...withdrawalHandlers({
    rows,
    page: 'film.withdrawal',
    title: ['影票提现打款', 'Film payouts'],
  }),
  revealAccount: revealing(rows),
  accounts: async (_, { db, staff }) => ({
    list: await filmAccounts(
      db,
      within(staff.scope, { city: sql`o.city_id`, mall: sql`o.mall_id` }),
    ),
  }),
  uploadInvoice: ({ image, amount_cents, ...one }, context) =>
    doing(context, one, (tx, step) => uploadInvoice(tx, { ...step, image, amount_cents })),
  detail: async ({ id }, { db, staff }) => {
    const row = await rows.read(db, staff, id)
    const [shown] = await shownWithdrawals(db, [row])
    return {
      row: shown!,
      statement: await statementOf(db, row),
      frozen: await frozenOrders(db, row),
    }
  },
  orders: async ({ id, ...at }, { db, staff }) =>
    ordersOfStatement(db, await rows.read(db, staff, id), at),
  recheck: async ({ id }, context) => {
    const row = await rows.read(context.tx, context.staff, id)
    const { difference_cents, lines_difference_cents } = await statementOf(context.tx, row)
    rows.log(context, row, { after: {} })
    return { id, version: row.version, difference_cents, lines_difference_cents }
  },
  exportStatement: async (input, context) => {
    await rows.read(context.tx, context.staff, input.id)
    return filing(input, context)
  },
})

defineTodo({
  key: 'film_withdrawal',
  title: [page.title, page.en],
  permit: page.permit,
  target: ({ city_id }) => to(page, { status: 'pending', city_id }),
  count: ({ db, staff, city_id }) =>
    countTodo(
      db,
      withdrawal,
      and(rows.seen(staff), withdrawalsWhere({ status: 'pending', city_id })),
      { since: withdrawal.applied_at, money: withdrawal.amount_cents },
    ),
  beside: to(page),
})
