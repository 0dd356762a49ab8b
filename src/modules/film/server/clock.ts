import type { Logger } from 'pino'
import { finishShows, giveUpTickets } from '#src/areas/film/rescue.server.ts'
import { sendTicketRequests } from '#src/areas/film/ticketing.server.ts'
import { openFilmRefund } from '#src/areas/filmRefund/refund.server.ts'
import { joined } from '#src/domain/text.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'

/** What could not be done is told, and tried again at the next turn; everything else goes on. */
const failure =
  (log: Logger, what: string) =>
  (error: unknown, id: number): void =>
    log.error({ err: error, what, id }, 'the clock could not do it')

/**
 * Tickets: as soon as they are paid or asked for again, and by the minute for what a provider kept
 * waiting; late ones go back to it.
 */
defineTimer(
  'film.tickets',
  '* * * * *',
  async ({ database, install, log, now }) =>
    (await sendTicketRequests({
      database,
      tickets: install.tickets,
      now,
      failed: failure(log, 'a request for tickets'),
    })) > 0
      ? ['order', 'film_order']
      : [],
  ['issue', 'ticket'],
)
/** Paid and not issued in time: the money goes back by itself. A show that is over is booked. */
defineTimer('film.tick', '* * * * *', async ({ database, log, now }) => {
  const failed = failure(log, 'tickets of an order')
  const given = await giveUpTickets({
    database,
    now,
    failed,
    open: (tx, order_id) =>
      openFilmRefund(tx, {
        order_id,
        kind: 'ticket_failed',
        reason: joined([
          '未能在开场前或 15 分钟内出票，自动退款',
          'No tickets before the show or within 15 minutes: refunded by itself',
        ]),
        source: 'system',
        now,
      }),
  })
  const shown = await finishShows({ database, now, failed })
  return given + shown > 0 ? ['order', 'refund', 'film_order'] : []
})
