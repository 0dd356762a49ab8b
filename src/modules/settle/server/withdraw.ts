import { and } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { withdrawPage as page } from '#commands/pages/settle.ts'
import { bookWithdrawals } from '#src/areas/payout/oldWithdrawals.server.ts'
import { tellRejections } from '#src/areas/payout/rejections.server.ts'
import { awaitsTransfer, sendTransfers } from '#src/areas/payout/transfers.server.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { revealing, withdrawalHandlers } from '#src/areas/payout/withdrawalHandlers.server.ts'
import {
  withdrawalRecord as rows,
  withdrawalsWhere,
} from '#src/areas/payout/withdrawalRows.server.ts'
import { settleTransfer } from '#src/areas/payout/withdrawals.server.ts'
import { implement } from '#src/server/call/implement.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { withdrawals as contract } from '../contract/withdraw.ts'
import { importHandlers } from './withdrawImport.ts'

export const withdrawServer = implement(contract, {
  ...withdrawalHandlers({ rows, page: 'settle.withdraw', title: ['提现打款', 'Payouts'] }),
  ...importHandlers,
  revealPayee: revealing(rows),
})

defineTodo({
  key: 'withdraw_review',
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

/**
 * Transfers are sent and asked for: as soon as one was handed out, again while its channel is about
 * to answer, and by the minute for what was kept waiting.
 */
defineTimer(
  'settle.transfer',
  '* * * * *',
  async ({ database, install, log, now }) => {
    const failed = (error: unknown, id: number) =>
      log.error({ err: error, what: 'a transfer', id }, 'the clock could not do it')
    const heard = await install.transfer.due(now)
    for (const notice of heard)
      await database.transaction(tx => settleTransfer(tx, { ...notice, now }))
    const channel = install.transfer
    const sent = await sendTransfers({ database, channel, log, now, failed })
    return [
      ...(heard.length + sent > 0 ? ['withdrawal', 'ledger'] : []),
      ...((await awaitsTransfer(database.db, now)) ? ['transfer'] : []),
    ]
  },
  ['withdrawal', 'transfer'],
)

/** Applicants read why theirs was rejected: soon after it was, and again while nobody heard it. */
defineTimer(
  'settle.rejections',
  '* * * * *',
  async ({ database, install, now }) =>
    (await tellRejections(database.db, install, now)) > 0 ? ['withdrawal'] : [],
  ['withdrawal'],
)

/** Withdrawals of before the journal are posted after their orders; every new one is looked at once. */
defineTimer('settle.books', '* * * * *', async ({ database, log }) =>
  (await bookWithdrawals({ database, log })) > 0 ? ['ledger'] : [],
)
