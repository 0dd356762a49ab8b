import { joined } from '#src/domain/text.ts'

/** Words that the clock writes into an order's log, in both languages (`unjoined`). */
export const reviewedByItself = (days: number): string =>
  joined([
    `收货 ${days} 天未评价，系统默认好评`,
    `Not reviewed within ${days} days: a good review by itself`,
  ])
/** So many days before its codes end, its buyer was reminded. */
export const remindedBefore = (days: number | string): string =>
  joined([`到期提醒：还有 ${days} 天`, `Reminder, days left: ${days}`])
/** Why the demo's orders are held up by risk control, and by a dispute. */
export const freezeWords = {
  risk: joined(['风控命中：同设备多号', 'Risk hit: several accounts on one device']),
  dispute: joined(['支付争议', 'The payment is disputed']),
}
