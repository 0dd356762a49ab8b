import { sendMessages } from '#src/server/services/orderMessages.ts'
import { tickOrders } from '#src/server/services/orderClock.ts'
import { heardFromChannel, sendPayouts } from '#src/server/services/payments.ts'
import { defineTimer } from '#src/server/timers.ts'

defineTimer('order.tick', '* * * * *', async ({ database, install, log, now }) => {
  const told = await install.pay.due(now)
  for (const notice of told) await database.transaction(tx => heardFromChannel(tx, notice, now))
  const moved = told.length + (await tickOrders(database, now)) + (await sendMessages(database.db, install, now)) + (await sendPayouts({ database, channel: install.pay, log, now }))
  return moved > 0 ? ['order', 'refund'] : []
})
