import type { PayAnswer, PayChannel } from '#src/areas/payment/pay.channel.ts'
import { sendPayouts } from '#src/areas/payment/payments.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'

const paid = (amount_cents: number, at: number): PayAnswer => ({
  state: 'success',
  channel_no: `T${at}`,
  at,
  amount_cents,
})
/** A channel that pays at once, or says what the test says. */
export const channelOf = (says: Partial<PayChannel> = {}): PayChannel => ({
  name: 'embedded',
  refund: async ({ amount_cents }) => paid(amount_cents, 1),
  queryRefund: async () => ({ state: 'unknown', text: '' }),
  queryPayment: async () => ({ state: 'pending' }),
  notice: () => null,
  due: async () => [],
  ...says,
})
/** Sends all that is due to a channel, until nothing is. */
export const finishPayouts = async (
  database: Database,
  now: number,
  channel = channelOf(),
): Promise<void> => {
  while ((await sendPayouts({ database, channel, log: { warn: () => {} }, now })) > 0);
}
/** A member gives all that is unused back and has the money; false when it is refused. */
export const refundUnused = async (
  database: Database,
  of: { order_id: number; reason: string; now: number },
): Promise<boolean> => {
  try {
    await database.transaction(tx =>
      openRefund(tx, {
        ...of,
        wanted: 'all',
        source: 'member',
        cause: 'compensate',
        actor: { type: 'member' },
      }),
    )
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
  await finishPayouts(database, of.now)
  return true
}
