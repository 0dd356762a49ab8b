import type { Logger } from 'pino'
import { expireCoupons } from '#src/areas/coupon/coupons.server.ts'
import { sendIssues } from '#src/areas/coupon/issue.server.ts'
import { sendRequests } from '#src/areas/ecard/supplier.server.ts'
import { remindOrders, tickOrders } from '#src/areas/order/orderClock.server.ts'
import { sendMessages } from '#src/areas/order/orderMessages.server.ts'
import { awaitsAnswer, heardFromChannel, sendPayouts } from '#src/areas/payment/payments.server.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { bookRest } from '#src/areas/settle/backfill.server.ts'
import { trackMoving, trackReturns } from '#src/areas/shipping/tracking.server.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'

/** What could not be done is told, and tried again at the next turn; everything else goes on. */
const failure =
  (log: Logger, what: string) =>
  (error: unknown, id: number): void =>
    log.error({ err: error, what, id }, 'the clock could not do it')

/**
 * What is issued: as soon as an exchange is paid, and by the minute for what a channel kept
 * waiting.
 */
defineTimer(
  'order.issue',
  '* * * * *',
  async ({ database, install, log, now }) =>
    (await sendIssues({
      database,
      channel: install.issue,
      now,
      failed: failure(log, 'an issue'),
    })) > 0
      ? ['order']
      : [],
  ['issue'],
)
/** E-cards of suppliers: as soon as they are paid, and by the minute for what was kept waiting. */
defineTimer(
  'order.supply',
  '* * * * *',
  async ({ database, install, log, now }) =>
    (await sendRequests({
      database,
      supplier: install.supplier,
      sealer: () => sealerOf(install.codeKeys, database.db),
      now,
      failed: failure(log, 'a request to a supplier'),
    })) > 0
      ? ['order']
      : [],
  ['issue'],
)
defineTimer('order.tick', '* * * * *', async ({ database, log, now }) =>
  (await tickOrders(database, now, failure(log, 'the clock'))) > 0 ? ['order', 'refund'] : [],
)

/** Orders that nobody has paid for yet get their lines, and older databases their books. */
defineTimer('order.books', '* * * * *', async ({ database, log, now }) =>
  (await bookRest({ database, log, now })) > 0 ? ['settle'] : [],
)

/** Reminders go out by day: nobody is woken by one. */
defineTimer('order.remind', '*/10 9-20 * * *', async ({ database, log, now }) =>
  (await remindOrders(database, now, failure(log, 'a reminder'))) > 0 ? ['order'] : [],
)

/**
 * What goes out and what comes back: payouts, the channel's word, messages. As soon as a refund has
 * changed, again while a channel is about to answer, and by the minute for what was kept waiting.
 */
defineTimer(
  'order.send',
  '* * * * *',
  async ({ database, install, log, now }) => {
    const told = await install.pay.due(now)
    for (const notice of told) await database.transaction(tx => heardFromChannel(tx, notice, now))
    const moved =
      told.length +
      (await sendPayouts({
        database,
        channel: install.pay,
        log,
        now,
        failed: failure(log, 'a payout'),
      })) +
      (await sendMessages(database.db, install, now))
    return [
      ...(moved > 0 ? ['order', 'refund'] : []),
      ...((await awaitsAnswer(database.db, now)) ? ['payout'] : []),
    ]
  },
  ['refund', 'payout'],
)

/** Where parcels under way are now: some at every turn, each once in four hours. */
defineTimer('order.track', '*/2 * * * *', async ({ database, install, log, now }) => [
  ...((await trackMoving(database.db, install.track, now, failure(log, 'a parcel'))) > 0
    ? ['order']
    : []),
  ...((await trackReturns(database, install.track, now, failure(log, 'a return'))) > 0
    ? ['refund']
    : []),
])

/**
 * The checkout looks at the time itself: what is told of coupons need not be true to the second.
 */
defineTimer('coupon.expire', '*/10 * * * *', async ({ database, now }) => {
  let all = 0
  for (let n = -1; n !== 0; all += n) n = await database.transaction(tx => expireCoupons(tx, now))
  return all > 0 ? ['coupon'] : []
})
