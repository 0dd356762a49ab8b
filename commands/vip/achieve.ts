import {
  badgeCan,
  badgeGroups,
  badgeMetrics,
  ownerCan,
  REWARD_POINTS_MOST,
  THRESHOLD_MOST,
  type BadgeGroup,
  type BadgeMetric,
  type BadgeVerb,
  type OwnerVerb,
} from '#src/areas/achievement/achievement.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  achieve as calls,
  badgeRow,
  ownerRow,
  type BadgeRow,
  type OwnerRow,
} from '#src/modules/vip/contract/achieve.ts'
import { ask, called, inAll } from '../command.ts'
import { achievePage as at } from '../pages/vip.ts'
import {
  asking,
  createAction,
  formOf,
  idsOf,
  one,
  pageAction,
  reason,
  rowActions,
} from '../record.ts'

/** A board holds badges and members side by side: each action says which of them it takes. */
const isBadge = ({ is }: { is: string }): true | Text =>
  is === 'badge' || ['请先选中一枚勋章', 'Choose a badge first']
const can =
  (verb: BadgeVerb) =>
  (of: BadgeRow): true | Text => {
    const is = isBadge(of)
    return is === true ? badgeCan(verb, of, unixNow()) : is
  }
const ownerMay =
  (verb: OwnerVerb) =>
  (of: OwnerRow): true | Text => {
    if (of.is !== 'owner') return ['请先选中一位会员', 'Choose a member first']
    return ownerCan(verb, of)
  }
type Badges = readonly (BadgeRow | undefined)[]
const isSeason = (of: { group?: BadgeGroup }): boolean => of.group === 'season'
const isMoney = (of: { metric?: BadgeMetric }): boolean => of.metric === 'paid_cents'
const form = formOf(
  {
    name: ask.text({ label: ['名称', 'Name'], max: 12 }),
    group: ask.choice({
      label: ['分组', 'Group'],
      options: badgeGroups,
      initial: ([row]: Badges) => row?.group ?? 'consume',
    }),
    metric: ask.choice({
      label: ['统计指标', 'Metric'],
      options: badgeMetrics,
      initial: ([row]: Badges) => row?.metric ?? 'order_count',
      hint: [
        '退款的订单、作废的打卡、删除的评价不计入',
        'Refunded orders, voided check-ins and deleted reviews don’t count',
      ],
    }),
    threshold: ask.number({
      label: ['门槛', 'Threshold'],
      min: 1,
      max: 100_000,
      shown: of => !isMoney(of),
      hint: [
        '有会员获得后不能再改，请复制一枚新的',
        'Can’t be changed once earned; copy the badge instead',
      ],
    }),
    threshold_cents: ask.money({
      label: ['金额门槛', 'Amount threshold'],
      min: 1,
      max: THRESHOLD_MOST,
      initial: ([row]: Badges) => (row && isMoney(row) ? row.threshold : undefined),
      shown: isMoney,
      field: 'threshold',
    }),
    start_at: ask.time({ label: ['开始时间', 'From'], shown: isSeason }),
    end_at: ask.time({
      label: ['结束时间', 'Until'],
      shown: isSeason,
      hint: ['只统计这段时间内的行为', 'Only activity in this period counts'],
    }),
    reward_points: ask.number({
      label: ['奖励积分', 'Points'],
      min: 0,
      max: REWARD_POINTS_MOST,
      initial: ([row]: Badges) => row?.reward_points ?? 0,
      hint: ['0 为不送；成长值按等级规则另计', '0: none; growth follows the level rules'],
    }),
    reward_coupon_id: ask.entity({
      label: ['奖励优惠券', 'Coupon'],
      find: calls.coupons,
      labelOf: (of: { name: string }) => of.name,
      named: ([row]) => (row as BadgeRow | undefined)?.coupon?.name,
      none: ['没有发放中的优惠券', 'No coupon is being issued'],
      optional: true,
    }),
    icon_on: ask.images({ label: ['点亮图标', 'Earned icon'], max: 1, optional: true }),
    icon_off: ask.images({ label: ['未点亮图标', 'Locked icon'], max: 1, optional: true }),
  },
  ({ threshold, threshold_cents, icon_on, icon_off, reward_coupon_id, ...of }) => ({
    ...of,
    threshold: (of.metric === 'paid_cents' ? threshold_cents : threshold) ?? 0,
    start_at: of.group === 'season' ? (of.start_at ?? null) : null,
    end_at: of.group === 'season' ? (of.end_at ?? null) : null,
    reward_coupon_id: reward_coupon_id ?? null,
    icon_on: icon_on?.[0] ?? null,
    icon_off: icon_off?.[0] ?? null,
  }),
)
const memberAsk = ask.entity({
  label: ['会员', 'Member'],
  find: calls.members,
  labelOf: (of: { name: string }) => of.name,
  by: ['昵称开头或会员号', 'start of nickname, or member number'],
})
const badge = rowActions(at, badgeRow)
const owner = rowActions(at, ownerRow)
called(ownerRow, of => of.nickname || of.uid)

/** What is done with badges. */
export const badgeActions = {
  create: createAction(calls.create, ['新增成就', 'New badge'], at, form as never),
  edit: badge.row(calls.edit, ['编辑成就', 'Edit badge'], {
    key: 'e',
    when: isBadge,
    asks: form.asks,
    input: asking(form.input) as never,
  }),
  copy: badge.row(calls.copy, ['复制成就', 'Copy badge'], {
    key: 'shift+c',
    when: isBadge,
    input: one,
    takenBack: 'again',
  }),
  enable: badge.row(calls.enable, ['上线', 'Put online'], {
    key: 'u',
    main: 'plain',
    when: can('enable'),
    input: one,
    takenBack: 'opposite',
  }),
  disable: badge.row(calls.disable, ['下线', 'Take offline'], {
    key: 'r',
    danger: true,
    when: can('disable'),
    tells: ([of]) => [
      [
        '下线后不再统计和发放；已获得的 {n} 位会员仍能看到勋章',
        'No longer counted or awarded; {n} members who earned it still see it',
      ],
      { n: (of?.held ?? 0).toLocaleString('en') },
    ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  sort: pageAction('vip.achieve.saveOrder', ['保存顺序', 'Save the order'], at, {
    key: 's',
    permit: calls.sort.permit,
  }),
  grant: badge.row(calls.grant, ['手动授予', 'Grant'], {
    key: 'a',
    main: 'plain',
    when: can('grant'),
    asks: { member_id: memberAsk, reason },
    input: ([of], asked) => ({ achievement_id: of!.id, ...asked }),
    takenBack: 'opposite',
  }),
  recount: pageAction(calls.recount, ['重新统计进度', 'Recount progress'], at, {
    key: 'n',
    input: () => ({}),
    takenBack: 'final',
  }),
}
/** What is done with members and their badges. */
export const ownerActions = {
  retryReward: owner.row(calls.retryReward, ['补发失败奖励', 'Reissue failed rewards'], {
    key: 't',
    main: 'plain',
    takes: 'rows',
    most: 200,
    when: ownerMay('retry'),
    tells: inAll,
    input: rows => idsOf(rows),
    takenBack: 'final',
  }),
  revoke: owner.row(calls.revoke, ['收回勋章', 'Revoke badge'], {
    key: 'v',
    danger: true,
    when: ownerMay('revoke'),
    tells: ([of]) =>
      of && [
        [
          '收回 {name} 的「{badge}」：未用的优惠券和未花的积分一并收回',
          'Revokes “{badge}” from {name}, with the unused coupon and unspent points',
        ],
        { name: of.nickname, badge: of.badge },
      ],
    asks: { reason },
    input: asking(asked => asked),
    takenBack: 'final',
  }),
  lookUp: pageAction('vip.achieve.lookUp', ['查会员进度', 'Look a member up'], at, {
    key: 'm',
    main: 'plain',
    permit: calls.progress.permit,
    asks: { member_id: memberAsk },
    alias: ['会员成就', '差多少', 'progress'],
  }),
  showOwners: pageAction('vip.achieve.showOwners', ['回到勋章的会员', 'Back to the badge'], at, {
    key: 'b',
    permit: calls.owners.permit,
  }),
}
const groupAction = (group: BadgeGroup, key: string) =>
  pageAction(`vip.achieve.${group}`, badgeGroups[group], at, { key, permit: calls.badges.permit })
/** The parts of the wall; digits move a badge of the board to a place. */
export const groupActions: Readonly<Record<BadgeGroup, ReturnType<typeof groupAction>>> = {
  consume: groupAction('consume', 'p'),
  visit: groupAction('visit', 'f'),
  share: groupAction('share', 'd'),
  season: groupAction('season', 'l'),
}
