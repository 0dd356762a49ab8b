import { onWecomEvent } from '#src/areas/wecom/events.server.ts'
import { refreshMedia } from '#src/areas/wecomMaterial/media.server.ts'
import { giveGifts } from '#src/areas/welcome/gifts.server.ts'
import {
  endLeftSends,
  filesOnWay,
  WELCOME_TAGS,
  welcomeFriend,
} from '#src/areas/welcome/sending.server.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'

// It is told before the handler that reads the customer anew: 20 seconds are short.
onWecomEvent('change_external_contact.add_external_contact', welcomeFriend)

/** Sends that were left are ended, and coupons go to those who are members by now. */
defineTimer(
  'welcome.after',
  '* * * * *',
  async ({ database, now }) => {
    const left = await endLeftSends(database, now)
    const given = await giveGifts(database, now)
    return left + given > 0 ? [...WELCOME_TAGS, ...(given > 0 ? ['coupon'] : [])] : []
  },
  ['wecom_customer'],
)
/** Files are in WeCom before a message needs them, and never older than its three days. */
defineTimer(
  'welcome.media',
  '*/20 * * * *',
  async ({ database: { db }, install, now }) => {
    const around = { db, client: install.wecom, picture: install.picture, now }
    const tried = await refreshMedia(around, await filesOnWay(db, now))
    return tried > 0 ? ['wecom_welcome_send', 'wecom_media'] : []
  },
  ['wecom_welcome'],
)
