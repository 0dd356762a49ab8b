import { ladderFault, typedLadder } from '#src/areas/pointsRule/earning.ts'
import { makeUpFault, mayVoid, RADIUS_MAX, RADIUS_MIN } from '#src/areas/signIn/signIn.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import {
  checkinSpots as spotCalls,
  clockedRow,
  clockedRules as ruleCalls,
  signRecords as signCalls,
  signRow,
  spotRow,
  type ClockedRow,
  type SignRow,
  type SpotRow,
} from '#src/modules/vip/contract/scoreClocked.ts'
import { ask, called } from '../command.ts'
import { scoreClockedPage as at } from '../pages/vip.ts'
import { mallAsk } from '../places.ts'
import { exportAction, idOf, one, pageAction, reason, rowActions } from '../record.ts'
import { spanAsks, spanOf } from './ruleSpan.ts'

/** The three views of the page; one of them stands in its address. */
export const clockedViews = {
  rules: ['规则与概况', 'Rules and today'],
  records: ['签到打卡记录', 'Records'],
  spots: ['打卡商场', 'Spots'],
} as const
export const clockedViewActions = {
  rules: pageAction('vip.score.clocked.rules', clockedViews.rules, at, { key: '1' }),
  records: pageAction('vip.score.clocked.record', clockedViews.records, at, { key: '2' }),
  spots: pageAction('vip.score.clocked.spot', clockedViews.spots, at, { key: '3' }),
}
const elsewhere = {
  rules: ['先切到规则与概况', 'Go to the rules first'],
  records: ['先切到记录', 'Go to the records first'],
  spots: ['先切到打卡商场', 'Go to the spots first'],
} as const
type Any = ClockedRow | SignRow | SpotRow
const isRule = (row: Any): row is ClockedRow => 'ladder' in row
const isSign = (row: Any): row is SignRow => 'member_id' in row
const isSpot = (row: Any): row is SpotRow => 'visitors' in row
type Rules = readonly ClockedRow[]

const ladderWrong = (typed: string): Text | undefined => {
  const steps = typedLadder(typed)
  return steps ? ladderFault(steps) : ['如：1，2，3，5，5，8，10', 'Such as 1, 2, 3, 5, 5, 8, 10']
}
const rule = rowActions(at, clockedRow)
const isOff = (of: ClockedRow): true | Text =>
  isRule(of) ? of.status === 'off' || ['已启用', 'Already on'] : elsewhere.rules
const isOn = (of: ClockedRow): true | Text =>
  isRule(of) ? of.status === 'on' || ['已停用', 'Already off'] : elsewhere.rules

/** What is done with the rules of sign-ins. */
export const clockedRuleActions = {
  save: rule.row(ruleCalls.save, ['修改设置', 'Change settings'], {
    key: 'e',
    main: 'plain',
    when: of => isRule(of) || elsewhere.rules,
    asks: {
      ladder: ask.text({
        label: ['连续签到阶梯', 'Streak rewards'],
        max: 60,
        initial: ([of]: Rules) => of?.ladder.join('，'),
        check: ladderWrong,
        hint: [
          '第 1 天起每天的积分，最多 7 天、不递减；之后保持最后一档。进行中的连签不受影响',
          'Points for each day from day 1, up to 7 days, never decreasing; then the last value. Running streaks are unaffected',
        ],
        field: 'config',
      }),
      month_bonus: ask.number({
        label: ['签满整月奖励', 'Full-month reward'],
        min: 0,
        max: 10_000,
        initial: ([of]: Rules) => of?.month_bonus,
        hint: ['积分；0 为不奖励', 'Points; 0: none'],
        field: 'config',
      }),
      ...spanAsks,
    },
    input: (rows, { ladder, month_bonus, ...span }) => ({
      ...one(rows),
      ladder: typedLadder(ladder) ?? [],
      month_bonus,
      ...spanOf(span),
    }),
  }),
  enable: rule.enable(ruleCalls.enable, { key: 'b', when: isOff }),
  disable: rule.disable(ruleCalls.disable, { key: 'p', when: isOn }),
}

const sign = rowActions(at, signRow)
called(signRow, of => of.nickname || of.uid)
/** What is done about sign-ins and check-ins. */
export const signActions = {
  makeUp: pageAction(signCalls.makeUp, ['为会员补签', 'Make up a check-in'], at, {
    key: 'm',
    main: true,
    asks: {
      member_id: ask.entity({
        label: ['会员', 'Member'],
        find: signCalls.members,
        labelOf: (of: { name: string }) => of.name,
        by: ['昵称或会员号', 'nickname or member no.'],
      }),
      date: ask.time({
        label: ['补签日期', 'Day'],
        initial: () => dayStart(unixNow()) - DAY,
        check: value => makeUpFault(dayStart(value ?? 0), unixNow()),
        hint: [
          '最近 30 天内未签到的一天，只补一次',
          'A missed day within the last 30; once per day',
        ],
      }),
      reason,
    },
    input: (_, { member_id, date, reason: why }) => ({
      member_id,
      date: dateOf(date ?? unixNow() - DAY),
      reason: why,
    }),
    takenBack: 'opposite',
  }),
  voidRecord: sign.row(signCalls.voidRecord, ['作废打卡', 'Void check-in'], {
    key: 'shift+d',
    danger: true,
    when: of => (isSign(of) ? mayVoid(of) : elsewhere.records),
    tells: ([of]) =>
      of && [
        [
          '收回 {name} {day} 的 {n} 积分；已用掉的记为欠分',
          'Takes back {n} points of {day} from {name}; points already spent become a debt',
        ],
        { name: of.nickname, day: dateOf(of.day), n: of.points + of.month_bonus },
      ],
    asks: { reason },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
    takenBack: 'final',
  }),
  export: exportAction(signCalls.export, ['导出打卡记录', 'Export records'], at),
}

const spot = rowActions(at, spotRow)
called(spotRow, of => of.mall_name)
/** What is done with the malls that visits earn points at. */
export const spotActions = {
  addSpot: pageAction(spotCalls.addSpot, ['新增打卡商场', 'Add a spot'], at, {
    key: 'c',
    main: true,
    asks: {
      mid: mallAsk(),
      radius_m: ask.number({
        label: ['半径', 'Radius'],
        min: RADIUS_MIN,
        max: RADIUS_MAX,
        initial: () => 300,
        hint: ['米，以商场地图定位为圆心', 'Metres around the mall’s map pin'],
      }),
      points: ask.number({
        label: ['每次积分', 'Points per visit'],
        min: 1,
        max: 1000,
        initial: () => 5,
        hint: ['每人每天一次', 'Once per member per day'],
      }),
      open_from: ask.text({
        label: ['开放时间起', 'Open from'],
        max: 5,
        optional: true,
        hint: ['如 10:00；留空随商场营业时间', 'Such as 10:00; empty: the mall’s opening hours'],
      }),
      open_to: ask.text({ label: ['开放时间止', 'Open until'], max: 5, optional: true }),
    },
    input: (_, { open_from, open_to, ...asked }) => ({
      ...asked,
      open_from: open_from?.trim() || null,
      open_to: open_to?.trim() || null,
    }),
  }),
  removeSpot: spot.row(spotCalls.removeSpot, ['移除打卡商场', 'Remove the spot'], {
    key: 'shift+r',
    danger: true,
    when: of =>
      isSpot(of) ? of.status === 'on' || ['已移除', 'Already removed'] : elsewhere.spots,
    input: one,
    takenBack: 'opposite',
  }),
}
