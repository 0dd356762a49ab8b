import { and } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { commissionPayouts as page } from '#commands/pages/distribution.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { revealing, withdrawalHandlers } from '#src/areas/payout/withdrawalHandlers.server.ts'
import {
  sellerWithdrawals as rows,
  withdrawalsWhere,
} from '#src/areas/payout/withdrawalRows.server.ts'
import { implement } from '#src/server/call/implement.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import { commissionWithdrawals as contract } from '../contract/withdrawal.ts'

export const commissionWithdrawalServer = implement(contract, {
  ...withdrawalHandlers({
    rows,
    page: 'distribution.withdrawal',
    title: ['佣金提现打款', 'Commission payouts'],
  }),
  revealAccount: revealing(rows),
})

defineTodo({
  key: 'commission_review',
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
