import { mayFeature, mayRevoke } from '#src/areas/review/review.ts'
import type { Text } from '#src/domain/text.ts'
import {
  commentRewards as rewardCalls,
  commentRow,
  commentRules as ruleCalls,
  rewardRow,
  type CommentRow,
  type RewardRow,
} from '#src/modules/vip/contract/scoreComment.ts'
import { ask } from '../command.ts'
import { scoreCommentPage as at } from '../pages/vip.ts'
import { exportAction, one, pageAction, reason, rowActions } from '../record.ts'
import { spanAsks, spanOf } from './ruleSpan.ts'

/** The two views of the page; one of them stands in its address. */
export const commentViews = {
  rules: ['规则与概况', 'Rules and figures'],
  rewards: ['评价奖励', 'Rewards'],
} as const
export const commentViewActions = {
  rules: pageAction('vip.score.comment.rules', commentViews.rules, at, { key: '1' }),
  rewards: pageAction('vip.score.comment.reward', commentViews.rewards, at, { key: '2' }),
}
const elsewhere = {
  rules: ['先切到规则与概况', 'Go to the rules first'],
  rewards: ['先切到评价奖励', 'Go to the rewards first'],
} as const
type Any = CommentRow | RewardRow
const isRule = (row: Any): row is CommentRow => 'star' in row
type Rules = readonly CommentRow[]
const pointsAsk = (
  key: 'star' | 'text' | 'images' | 'video' | 'featured',
  label: Text,
  hint?: Text,
) =>
  ask.number({
    label,
    min: 0,
    max: 1000,
    initial: ([of]: Rules) => of?.[key],
    field: 'config',
    ...(hint && { hint }),
  })
const rule = rowActions(at, commentRow)

/** What is done with the rules of reviews. */
export const commentRuleActions = {
  save: rule.row(ruleCalls.save, ['修改设置', 'Change settings'], {
    key: 'e',
    main: 'plain',
    when: of => isRule(of) || elsewhere.rules,
    asks: {
      star: pointsAsk(
        'star',
        ['仅评分', 'Rating only'],
        ['积分；各项累加，0 为不奖励', 'Points; all that apply add up; 0: none'],
      ),
      text: pointsAsk('text', ['文字达标', 'Long enough text']),
      text_min: ask.number({
        label: ['文字最少字数', 'Minimum characters'],
        min: 1,
        max: 200,
        initial: ([of]: Rules) => of?.text_min,
        field: 'config',
        hint: ['不计表情、标点与重复内容', 'Excludes emoji, punctuation and repeated text'],
      }),
      images: pointsAsk('images', ['带图片', 'With pictures']),
      video: pointsAsk('video', ['带视频', 'With a video']),
      featured: pointsAsk('featured', ['被设为精选', 'Featured'], ['只发一次', 'Once only']),
      ...spanAsks,
    },
    input: (rows, { star, text, text_min, images, video, featured, ...span }) => ({
      ...one(rows),
      star,
      text,
      text_min,
      images,
      video,
      featured,
      ...spanOf(span),
    }),
  }),
  enable: rule.enable(ruleCalls.enable, {
    key: 'b',
    when: of => (isRule(of) ? of.status === 'off' || ['已启用', 'Already on'] : elsewhere.rules),
  }),
  disable: rule.disable(ruleCalls.disable, {
    key: 'p',
    when: of => (isRule(of) ? of.status === 'on' || ['已停用', 'Already off'] : elsewhere.rules),
  }),
}

const reward = rowActions(at, rewardRow)
/** What is done with the rewards of reviews. */
export const commentRewardActions = {
  feature: reward.row(rewardCalls.feature, ['设为精选并加奖', 'Feature and reward'], {
    key: 'f',
    main: true,
    when: of => (isRule(of) ? elsewhere.rewards : mayFeature(of)),
    tells: ([of]) =>
      of && [
        ['「{name}」的评价设为精选', '{name}’s review will be featured'],
        { name: of.nickname },
      ],
    input: one,
    takenBack: 'final',
  }),
  revoke: reward.row(rewardCalls.revoke, ['收回评价积分', 'Take back review points'], {
    key: 'shift+r',
    danger: true,
    when: of => (isRule(of) ? elsewhere.rewards : mayRevoke(of)),
    tells: ([of]) =>
      of && [
        [
          '收回 {name} 的 {n} 积分；已用掉的记为欠分',
          'Takes back {n} points from {name}; points already spent become a debt',
        ],
        { name: of.nickname, n: of.points + of.bonus },
      ],
    asks: { reason },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
    takenBack: 'final',
  }),
  export: exportAction(rewardCalls.export, ['导出评价奖励', 'Export rewards'], at),
}
