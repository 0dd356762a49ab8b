import { joined } from '#src/domain/text.ts'

/** Why the clock or a refund ended a campaign or voided a record, in both languages (`joined`). */
export const pullReasons = {
  used: joined(['名额已用完', 'All places are taken']),
  over: joined(['活动时间已到', 'Its time is over']),
  refunded: joined(['首票已退款', 'The first ticket was refunded']),
}
