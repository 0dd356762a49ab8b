import { headed, joined, type Text } from '#src/domain/text.ts'

/** What heads the rows that the system writes into the points ledger, in both languages (`joined`). */
export const pointsTitles = {
  debt: joined(['抵扣欠分', 'Repays what was owed']),
  shop: joined(['积分兑换', 'Points shop']),
  offset: joined(['积分抵现', 'Points as money']),
  closed: joined(['订单关闭退回', 'Order closed, given back']),
  refunded: joined(['退款退回', 'Refunded, given back']),
  adjusted: joined(['人工调整', 'Adjusted by hand']),
  bought: joined(['消费积分', 'Points of a purchase']),
  code: joined(['兑换码奖励', 'Reward of a code']),
  featured: joined(['评价被设为精选', 'Review featured']),
  mergedOut: joined(['合并转出', 'Merged, moved out']),
  mergedIn: joined(['合并转入', 'Merged, moved in']),
  unmergedOut: joined(['撤销合并转出', 'Merge undone, moved out']),
  unmergedIn: joined(['撤销合并转回', 'Merge undone, moved back']),
}
const over =
  (...words: Text) =>
  (title: string) =>
    joined(headed(words, title))
/** Heads a row that a person reversed. */
export const reversedTitle = over('冲正', 'Reversed')
/** Heads a row that was taken back as what earned it is gone. */
export const takenBackTitle = over('收回', 'Taken back')
/** Heads the points for a field of a profile, by its name. */
export const completedTitle = ([zh, en]: Text): string =>
  joined([`完善资料：${zh}`, `Profile: ${en}`])
