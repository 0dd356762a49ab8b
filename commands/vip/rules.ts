import type { Text } from '#src/domain/text.ts'
import { levelRow, rules as calls, type LevelRow } from '#src/modules/vip/contract/rules.ts'
import { ask, type Asks, type Me } from '../command.ts'
import { levelRulesPage as page } from '../pages/vip.ts'
import { pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(page, levelRow)
type Rows = readonly LevelRow[]
const ladder = (rows: Rows) => ({ id: rows[0]!.ladder_id, version: rows[0]!.version })
const initial =
  <T extends number | string>(of: (row: LevelRow) => T) =>
  ([first]: Rows) =>
    first && of(first)
const whole = (label: Text, key: keyof LevelRow, of: { max: number; min?: number; hint?: Text }) =>
  ask.number({ label, min: 0, ...of, initial: initial(one => one[key] as number) })
const bp = (typed: number): number => Math.round(typed * 10_000)
const levelAsks = {
  name: ask.text({ label: ['名称', 'Name'], max: 8, initial: initial(one => one.name) }),
  growth_min: whole(['成长值门槛', 'Growth needed'], 'growth_min', { max: 100_000_000 }),
  keep_growth: whole(['保级成长值', 'Growth to keep it'], 'keep_growth', {
    max: 100_000_000,
    hint: ['不高于本级门槛', 'Not above this level’s threshold'],
  }),
  keep_days: whole(['保级周期（天）', 'Keep period (days)'], 'keep_days', {
    max: 3650,
    hint: [
      '到期时成长值不足则降级；0 级填 0',
      'Downgraded at the end if growth is too low; 0 for level 0',
    ],
  }),
  multiplier: ask.number({
    label: ['积分倍率', 'Points multiplier'],
    field: 'points_multiplier_bp',
    min: 1,
    max: 10,
    places: 2,
    initial: initial(one => one.points_multiplier_bp / 10_000),
  }),
  discount: ask.number({
    label: ['会员折扣（折）', 'Member discount (tenths)'],
    field: 'discount_bp',
    min: 1,
    max: 10,
    places: 2,
    initial: initial(one => one.discount_bp / 1000),
    hint: ['9.5 折填 9.5，无折扣填 10', '9.5 for 5% off, 10 for none'],
  }),
  benefits: ask.text({
    label: ['权益（每行一项）', 'Benefits, one per line'],
    max: 260,
    lines: 3,
    optional: true,
    initial: initial(one => one.benefits.join('\n')),
  }),
  gift_points: whole(['升级赠送积分', 'Upgrade bonus points'], 'gift_points', {
    max: 1_000_000,
  }),
} satisfies Asks
type Typed = {
  name: string
  growth_min: number
  keep_growth: number
  keep_days: number
  multiplier: number
  discount: number
  benefits: string
  gift_points: number
}
const levelOf = ({ multiplier, discount, benefits, ...asked }: Typed) => ({
  ...asked,
  points_multiplier_bp: bp(multiplier),
  discount_bp: Math.round(discount * 1000),
  benefits: (benefits ?? '')
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean),
})
const mayChange = ({ state }: LevelRow): true | Text =>
  state === 'draft' ||
  state === 'live' || [
    '只能修改草稿或生效中的版本',
    'Only a draft or the version in force can be edited',
  ]
const isDraft = ({ state }: LevelRow): true | Text =>
  state === 'draft' || ['只有草稿可以发布', 'Only a draft can be published']
/** The rules are changed and decided as one version, whichever level has the focus. */
const subject = ({ ladder_no }: LevelRow): Text => [`第 ${ladder_no} 版`, `Version ${ladder_no}`]
const waits = ({ state }: LevelRow): true | Text =>
  state === 'waiting' || ['该版本没有在等待生效', 'This version is not waiting to take effect']
const mayApprove = (of: LevelRow, me: Me): true | Text => {
  if (of.state !== 'waiting') return waits(of)
  if (of.checker)
    return ['已复核通过，到时自动生效', 'Already approved; takes effect automatically']
  return of.maker_id !== me.id || ['须由提交人以外的另一人复核', 'A second person must approve']
}
const earned = (key: keyof LevelRow['earns'], label: Text, max = 10_000) =>
  ask.number({ label, min: 0, max, initial: initial(one => one.earns[key]) })

export const levelRuleActions = {
  editLevel: row.row(calls.editLevel, ['编辑等级', 'Edit the level'], {
    key: 'e',
    main: true,
    when: mayChange,
    asks: levelAsks,
    input: (rows, asked) => ({ ...ladder(rows), no: rows[0]!.no, ...levelOf(asked) }),
  }),
  addLevel: row.row(calls.addLevel, ['新增等级', 'Add a level'], {
    key: 'c',
    when: of => mayChange(of),
    subject,
    asks: Object.fromEntries(
      Object.entries(levelAsks).map(([key, of]) => [key, { ...of, initial: undefined }]),
    ) as typeof levelAsks,
    input: (rows, asked) => ({ ...ladder(rows), ...levelOf(asked) }),
  }),
  removeLevel: row.row(calls.removeLevel, ['删除等级', 'Remove the level'], {
    key: 'shift+d',
    danger: true,
    when: of =>
      of.no === 0
        ? ['0 级是所有会员的起点，不能删除', 'Level 0 is every member’s start and can’t be removed']
        : mayChange(of),
    tells: ([of]) =>
      of && [
        [
          '「{name}」现有 {n} 名会员，发布后并入所选等级',
          '{name} has {n} members; they join the chosen level when published',
        ],
        { name: of.name, n: of.member_count.toLocaleString('en') },
      ],
    asks: {
      into: ask.number({
        label: ['会员并入的等级（0–5）', 'Level its members move to (0–5)'],
        min: 0,
        max: 5,
        initial: initial(one => Math.max(0, one.no - 1)),
      }),
    },
    input: (rows, { into }) => ({ ...ladder(rows), no: rows[0]!.no, into }),
  }),
  saveDraft: row.row(calls.saveDraft, ['修改成长值获取', 'Edit how growth is earned'], {
    key: 'm',
    when: mayChange,
    subject,
    asks: {
      buy_cents: ask.money({
        label: ['每消费多少元得 1 点', 'Yuan spent per growth point'],
        min: 1,
        max: 1_000_000,
        initial: initial(one => one.earns.buy_cents),
      }),
      sign: earned('sign', ['签到', 'Check-in']),
      comment: earned('comment', ['评价', 'Review']),
      comment_daily: earned('comment_daily', ['每日计入的评价数', 'Reviews counted per day'], 100),
      profile: earned('profile', ['完善资料', 'Profile']),
      achieve: earned('achieve', ['获得勋章', 'Badge']),
    },
    input: (rows, asked) => ({ ...ladder(rows), ...asked }),
  }),
  simulate: row.row('vip.rules.simulate', ['测算等级分布', 'Simulate level distribution'], {
    key: 't',
    main: 'plain',
    permit: calls.simulate.permit,
  }),
  publish: row.row(calls.publish, ['发布规则', 'Publish the rules'], {
    key: 'p',
    main: true,
    when: isDraft,
    subject,
    asks: {
      effective_at: ask.time({
        label: ['生效时间', 'Effective from'],
        optional: true,
        hint: ['留空则复核后立即生效', 'Empty: as soon as approved'],
      }),
      reason,
    },
    input: (rows, { effective_at, reason: why }) => ({
      ...ladder(rows),
      ...(effective_at !== undefined && { effective_at }),
      reason: why,
    }),
  }),
  approve: row.row(calls.approve, ['复核通过', 'Approve'], {
    key: 'a',
    main: true,
    when: mayApprove,
    subject,
    tells: ([of]) =>
      of && [
        [
          '生效后逐步重算会员等级：升级即时，降级到保级日',
          'Members’ levels are then recalculated: upgrades at once, downgrades at the end of their keep period',
        ],
        {},
      ],
    input: ladder,
    takenBack: 'final',
  }),
  reject: row.row(calls.reject, ['驳回', 'Reject'], {
    key: 'r',
    danger: true,
    when: waits,
    subject,
    asks: { reason },
    input: (rows, asked) => ({ ...ladder(rows), ...asked }),
  }),
  rollback: row.row(calls.rollback, ['回滚到此版本', 'Roll back to this version'], {
    key: 'b',
    subject,
    when: ({ state }) =>
      state === 'archived' ||
      state === 'rejected' || ['只能回滚到历史版本', 'Only past versions can be rolled back to'],
    asks: { reason },
    input: (rows, asked) => ({ ...ladder(rows), ...asked }),
  }),
  editAgreement: pageAction(
    calls.editAgreement,
    ['编辑会员协议', 'Edit the member agreement'],
    page,
    {
      key: 'shift+a',
      asks: {
        content: ask.text({
          label: ['协议正文（每行一段）', 'Text, one paragraph per line'],
          max: 20_000,
          min: 20,
          lines: 8,
          hint: [
            '发布后版本号加一，会员须重新同意',
            'Publishing makes a new version; members must agree again',
          ],
        }),
        summary: ask.text({ label: ['变更摘要', 'What changed'], max: 255, min: 2 }),
      },
      input: (_, asked) => asked,
    },
  ),
}
