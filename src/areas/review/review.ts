import type { CommentConfig } from '#src/areas/pointsRule/earning.ts'
import type { Text } from '#src/domain/text.ts'

/** What is written about. */
export const commentTargets = {
  topic_post: ['话题帖子', 'Topic post'],
  community_post: ['社区动态', 'Community post'],
  blog: ['笔记', 'Article'],
  store: ['门店', 'Store'],
  goods: ['商品', 'Goods'],
  activity: ['活动', 'Activity'],
} as const satisfies Record<string, Text>
export type CommentTarget = keyof typeof commentTargets
export const commentStates = {
  pending: ['待审核', 'To be looked at'],
  shown: ['已展示', 'Shown'],
  rejected: ['已驳回', 'Turned down'],
  hidden: ['已隐藏', 'Hidden'],
} as const satisfies Record<string, Text>
export type CommentState = keyof typeof commentStates
export const machineVerdicts = {
  pass: ['通过', 'Passed'],
  review: ['需人工', 'To a person'],
  block: ['拦截', 'Blocked'],
} as const satisfies Record<string, Text>
export type MachineVerdict = keyof typeof machineVerdicts
/** The ways in which a comment goes away. */
export const deleters = {
  member: ['会员删除', 'By the member'],
  staff: ['违规删除', 'For abuse'],
} as const satisfies Record<string, Text>
export type Deleter = keyof typeof deleters

export const rewardStates = {
  paid: ['已发放', 'Paid'],
  none: ['未发放', 'Not paid'],
  revoked: ['已收回', 'Taken back'],
} as const satisfies Record<string, Text>
export type RewardState = keyof typeof rewardStates
/** Why a review earned nothing. */
export const noRewards = {
  rule_off: ['规则未启用', 'No rule was on'],
  item_paid: ['该商品已奖励过', 'The item was rewarded before'],
  duplicate: ['内容与本人旧评价重复', 'The same text as before'],
  refunded: ['未核销或已退款', 'Not redeemed, or refunded'],
  nothing: ['达到上限或无奖励', 'A cap was reached, or nothing is due'],
} as const satisfies Record<string, Text>
export type NoReward = keyof typeof noRewards
/** Within so many days a member who deletes a review gives its points back. */
export const GIVE_BACK_DAYS = 7

/** The parts of a reward, in points. */
export type RewardParts = { star: number; text: number; images: number; video: number }
export const rewardPartWords = {
  star: ['评分', 'Rating'],
  text: ['文字', 'Text'],
  images: ['图片', 'Pictures'],
  video: ['视频', 'Video'],
} as const satisfies Record<keyof RewardParts, Text>
type Written = { text_n: number; images_n: number; has_video: boolean }
/** What a review earns by a rule: the rating, and what else it has; all of it is added. */
export const rewardOf = (config: CommentConfig, of: Written): RewardParts => ({
  star: config.star,
  text: of.text_n >= config.text_min ? config.text : 0,
  images: of.images_n > 0 ? config.images : 0,
  video: of.has_video ? config.video : 0,
})
export const sumOf = (parts: RewardParts): number =>
  parts.star + parts.text + parts.images + parts.video

const EMOJI = /\p{Extended_Pictographic}/gu
// Signs and spaces say nothing: only letters and figures are counted.
const UNSAID = /[^\p{L}\p{N}]/gu
const REPEATED = /(.{1,20}?)\1+/gsu
/**
 * A review’s text as it is counted and compared: without emoji, signs and spaces, in one case, and
 * each repetition said once: 好吃好吃好吃！！😋 is 好吃.
 */
export const countedText = (text: string): string => {
  let said = text.replace(EMOJI, '').normalize('NFKC').replace(UNSAID, '').toLowerCase()
  for (let before = ''; before !== said;) {
    before = said
    said = said.replace(REPEATED, '$1')
  }
  return said
}
/** How many characters of a text count. */
export const countedLength = (text: string): number => [...countedText(text)].length

/** Words that a person looks at before a comment is shown. */
const heldWords = [
  '加微信',
  '加v',
  '微信号',
  '刷单',
  '返现',
  '好评返',
  '兼职',
  '代购',
  '赌博',
  '最低价',
]
const HELD = /https?:|www\.|1[3-9]\d{9}/i
/** Answers the words for which a comment is held back until a person has looked at it. */
export const heldFor = (text: string): string[] => {
  const plain = text.normalize('NFKC').toLowerCase()
  const found = heldWords.filter(word => plain.includes(word))
  const link = HELD.exec(plain)
  return link ? [...found, link[0]] : found
}

type RewardLook = {
  state: RewardState
  featured_at: number | null
  deleted_at: number | null
  comment_state: CommentState
}
/** Whether the points of a review can be taken back, or why not. */
export const mayRevoke = ({ state }: Pick<RewardLook, 'state'>): true | Text => {
  if (state === 'revoked') return ['已收回', 'They were taken back already']
  return state === 'paid' || ['没有发放积分', 'Nothing was paid']
}
/** Whether a review can be featured, or why not: it is shown, and was not featured before. */
export const mayFeature = (of: RewardLook): true | Text => {
  if (of.featured_at !== null) return ['已是精选', 'It was featured already']
  if (of.deleted_at !== null) return ['评价已删除', 'It was deleted']
  if (of.state === 'revoked') return ['积分已收回，不能设为精选', 'Its points were taken back']
  return of.comment_state === 'shown' || ['评价未展示', 'It is not shown']
}
/** What the mini-program is told of a review. */
export const writeStates = ['shown', 'pending', 'again', 'early', 'muted', 'none'] as const
export type WriteState = (typeof writeStates)[number]
