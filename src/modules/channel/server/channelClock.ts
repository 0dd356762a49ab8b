import { expireCodes, refreshCodes } from '#src/areas/channelCode/duties.server.ts'
import { markAdds } from '#src/areas/channelCode/marks.server.ts'
import { rebuildDays } from '#src/areas/channelCode/stat.server.ts'
import { pushWays } from '#src/areas/channelCode/ways.server.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'

/** Duty turns with the clock, with adds and with what becomes of people; WeCom hears of it. */
defineTimer(
  'channel.ways',
  '* * * * *',
  async ({ database, install, now }) => {
    const over = await expireCodes(database.db, now)
    const changed = await refreshCodes(database.db, now)
    const told = await pushWays({ database, client: install.wecom, now })
    return over + changed + told > 0 ? ['channel_code'] : []
  },
  ['channel_way', 'wecom_staff'],
)
/** Contacts that came by a code get its tags and its remark. */
defineTimer(
  'channel.marks',
  '* * * * *',
  async ({ database, now }) =>
    (await database.transaction(tx => markAdds(tx, now))) > 0 ? ['wecom_task'] : [],
  ['wecom_customer'],
)
/** Days that may still change: who is bound later, and who is lost within a week, count for their day. */
const NIGHTLY_DAYS = 35
defineTimer('channel.stat', '20 0 * * *', async ({ database, now }) => {
  const today = dayStart(now)
  await database.transaction(tx => rebuildDays(tx, { from: today - NIGHTLY_DAYS * DAY, to: today }))
  return ['channel_stat']
})
