import { memberLevels } from '#src/areas/member/levels.ts'
import {
  ADJUST_ALONE,
  ADJUST_MAX,
  memberCan,
  mayDecide,
  type MemberVerb,
} from '#src/areas/member/member.ts'
import { unmergeMay } from '#src/areas/member/merge.ts'
import { segmentAs } from '#src/areas/segment/customerFilters.ts'
import { aside, say, type Lang, type Text } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { memberRow, membersPage as calls, type MemberRow } from '#src/modules/vip/contract/index.ts'
import { action, ask, called, inAll, type Me, type Told } from '../command.ts'
import { keptOf, tellsKept } from '../keptFilters.ts'
import { membersPage as at } from '../pages/vip.ts'
import { asking, exportAction, idOf, idsOf, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(at, memberRow)
// Nicknames are not unique, and many are WeChat's own.
called(memberRow, of => [of.nickname, of.uid].filter(Boolean).join(' · '))
const can = (verb: MemberVerb) => (of: MemberRow) => memberCan(verb, of)
/** The most rows that a batch takes; beyond some hundred they are a job. */
const most = 50_000
const second: Text = [
  `超过 ${ADJUST_ALONE.toLocaleString()} 须另一人复核后生效`,
  `Over ${ADJUST_ALONE.toLocaleString('en')} needs a second approver`,
]
const askDelta = (label: Text, field: string) =>
  ask.number({
    label,
    min: -ADJUST_MAX,
    max: ADJUST_MAX,
    field,
    hint: second,
    check: n => (n === 0 ? ['不能为 0', 'Can’t be 0'] : undefined),
  })
const standing = ([of]: readonly MemberRow[]): Told | undefined =>
  of && [
    ['现有积分 {points}、成长值 {growth}', 'Now {points} points and {growth} growth'],
    { points: of.points, growth: of.growth },
  ]
/** What waits to be decided of a member. */
const asked = ([of]: readonly MemberRow[]): Told | undefined => {
  if (!of?.adjust) return undefined
  const { maker: who, delta, reason: why } = of.adjust
  return of.adjust.kind === 'points'
    ? [
        [
          '{who} 申请积分 {delta}，现有 {n}：{why}',
          '{who} requests {delta} points, now {n}: {why}',
        ],
        { who, delta, why, n: of.points },
      ]
    : [
        [
          '{who} 申请成长值 {delta}，现有 {n}：{why}',
          '{who} requests {delta} growth, now {n}: {why}',
        ],
        { who, delta, why, n: of.growth },
      ]
}
const waiting = (rows: readonly MemberRow[]) => {
  const { id, version } = rows[0]!.adjust!
  return { id, version }
}
const mayAnswer = (of: MemberRow, me: Me): true | Text => {
  const may = memberCan('decide', of)
  return may === true ? mayDecide(of.adjust!, me.id) : may
}
const tagAsks = {
  tag_ids: ask.entities({
    label: ['标签', 'Tags'],
    max: 20,
    optional: true,
    find: calls.tags,
    labelOf: (of: { name: string }) => of.name,
    field: 'tags',
    none: ['还没有标签，可在下方新建', 'No tags yet; create one below'],
  }),
  new_tag: ask.text({
    label: ['新标签', 'New tag'],
    max: 12,
    optional: true,
    hint: [
      '名称唯一，已有同名标签则直接使用',
      'Names are unique; an existing tag of this name is used',
    ],
  }),
}
const tagged = ({ tag_ids, new_tag }: { tag_ids?: number[]; new_tag?: string }) => ({
  tag_ids: tag_ids ?? [],
  ...(new_tag && { new_tag }),
})
const couponAsks = {
  coupon_id: ask.entity({
    label: ['优惠券', 'Coupon'],
    find: calls.coupons,
    labelOf: (of: { name: string; left: number }, lang: Lang) =>
      `${of.name}${say(aside, lang, { it: of.left })}`,
    none: ['没有可发放的优惠券', 'No coupon to give'],
  }),
  quantity: ask.number({ label: ['每人张数', 'Per member'], min: 1, max: 20, initial: () => 1 }),
  reason,
}
const keptAsks = {
  name: ask.text({ label: ['名称', 'Name'], max: 40 }),
  as: ask.choice({
    label: ['保存为', 'Save as'],
    options: {
      rule: ['规则分群（随会员变化）', 'Dynamic segment (follows members)'],
      static: segmentAs.static,
    },
    initial: () => 'rule' as const,
    hint: ['保存后在「客户分群」中使用', 'Used under customer segments'],
  }),
}
/** A target is named by its member number, typed once more before the yes. */
const mergeAsks = {
  target: ask.entity({
    label: ['并入会员', 'Merge into'],
    find: calls.targets,
    given: rows => ({ but: rows[0]?.id }),
    labelOf: (of: {
      name: string
      uid: string
      level: number
      points: number
      order_count: number
    }) => `${of.name} ${of.uid} · V${of.level} · ${of.points} · ${of.order_count}`,
    by: ['昵称开头、会员号', 'start of nickname, or member number'],
    field: 'merged_into',
    hint: [
      '名称后依次为会员号、等级、积分、订单数',
      'After the name: member number, level, points, orders',
    ],
  }),
  typed: ask.text({
    label: ['输入被合并的会员号以确认', 'Type the number of the member being merged to confirm'],
    max: 12,
  }),
  reason,
}

/** What is done with members, one by one or many at a time. */
export const memberActions = {
  approveAdjust: row.row(calls.approveAdjust, ['通过调整', 'Approve the adjustment'], {
    key: 'a',
    main: true,
    // It is asked once more, as points move that no key brings back.
    danger: true,
    when: mayAnswer,
    tells: asked,
    input: waiting,
    takenBack: 'final',
  }),
  rejectAdjust: row.row(calls.rejectAdjust, ['驳回调整', 'Reject'], {
    key: 'r',
    danger: true,
    main: 'plain',
    when: mayAnswer,
    tells: asked,
    asks: { reason },
    input: (rows, answers) => ({ ...waiting(rows), ...answers }),
  }),
  adjustPoints: row.row(calls.adjustPoints, ['调整积分', 'Adjust points'], {
    key: 'p',
    main: true,
    when: can('adjust'),
    tells: standing,
    asks: { delta: askDelta(['增减积分', 'Points'], 'delta'), reason },
    input: asking(({ delta, reason: why }) => ({ points_delta: delta, reason: why })),
  }),
  adjustGrowth: row.row(calls.adjustGrowth, ['调整成长值', 'Adjust growth'], {
    key: 'b',
    when: can('adjust'),
    tells: standing,
    asks: { delta: askDelta(['增减成长值', 'Growth'], 'delta'), reason },
    input: asking(({ delta, reason: why }) => ({ growth_delta: delta, reason: why })),
  }),
  changeLevel: row.row(calls.changeLevel, ['指定等级', 'Set the level'], {
    key: 'l',
    when: can('changeLevel'),
    tells: () => [['到期后按成长值自动恢复', 'Afterwards the level follows growth again'], {}],
    asks: {
      level: ask.choice({
        label: ['等级', 'Level'],
        options: { 0: ['V0', 'V0'], ...memberLevels },
        field: 'level',
        initial: rows => String(rows[0]?.level ?? 0) as '0',
      }),
      keep_until_at: ask.time({
        label: ['保留至', 'Until'],
        field: 'level_keep_until',
        initial: () => unixNow() + 90 * DAY,
      }),
      reason,
    },
    input: asking(({ level, keep_until_at, reason: why }) => ({
      level: Number(level),
      keep_until_at: keep_until_at ?? 0,
      reason: why,
    })),
  }),
  setTags: row.row(calls.setTags, ['打标签', 'Set tags'], {
    key: 't',
    main: 'plain',
    when: can('setTags'),
    asks: {
      ...tagAsks,
      tag_ids: {
        ...tagAsks.tag_ids,
        initial: (rows: readonly MemberRow[]) => rows[0]?.tags.map(tag => tag.id),
        named: (rows: readonly MemberRow[]) =>
          Object.fromEntries((rows[0]?.tags ?? []).map(tag => [tag.id, tag.name])),
      } as typeof tagAsks.tag_ids,
    },
    input: asking(tagged),
  }),
  grantCoupon: row.row(calls.grantCoupon, ['发放优惠券', 'Issue a coupon'], {
    key: 'c',
    main: 'plain',
    when: can('grantCoupon'),
    asks: couponAsks,
    input: (rows, answers) => ({ ...idOf(rows), ...answers }),
  }),
  freezeBenefits: row.row(calls.freezeBenefits, ['冻结会员权益', 'Freeze benefits'], {
    key: 'f',
    danger: true,
    when: can('freezeBenefits'),
    tells: () => [
      [
        '停止获取与使用积分、优惠券和会员价；仍可下单，已付订单不受影响',
        'Stops earning and using points, coupons and member prices; ordering still works and paid orders are unaffected',
      ],
      {},
    ],
    asks: { reason },
    input: asking(answers => answers),
  }),
  unfreezeBenefits: row.row(calls.unfreezeBenefits, ['恢复会员权益', 'Restore benefits'], {
    key: 'u',
    when: can('unfreezeBenefits'),
    asks: { reason },
    input: asking(answers => answers),
  }),
  merge: row.row(calls.merge, ['合并重复账号', 'Merge into another account'], {
    key: 'm',
    danger: true,
    when: can('merge'),
    tells: ([of]) =>
      of && [
        [
          '{uid}（V{level}，{points} 积分，{n} 笔订单）并入目标账号：积分、成长值、优惠券、订单与绑定转移，本账号停用。7 天内且未使用可撤销',
          '{uid} (V{level}, {points} points, {n} orders) is merged into the target: points, growth, coupons, orders and bindings move, and this account is disabled. Can be undone within 7 days while unused',
        ],
        { uid: of.uid, level: of.level, points: of.points, n: of.order_count },
      ],
    asks: {
      ...mergeAsks,
      typed: {
        ...mergeAsks.typed,
        hint: ['见侧栏顶部的会员号', 'See the top of the side panel'],
      },
    },
    input: asking(({ target, typed, reason: why }) => ({
      target_member_id: target,
      typed_uid: typed,
      reason: why,
    })),
  }),
  undoMerge: row.row(calls.undoMerge, ['撤销合并', 'Undo the merge'], {
    key: 'shift+m',
    danger: true,
    when: of =>
      of.account_state === 'merged'
        ? unmergeMay(of, unixNow())
        : ['该账号没有被合并', 'This account was not merged'],
    tells: ([of]) =>
      of && [
        [
          '从“{into}”转回合并时转入的积分、成长值、券、订单与绑定；合并后的新订单不动。在客户去重中一起合并的账号一并撤销',
          'Returns what moved to {into}: points, growth, coupons, orders and bindings; later orders stay. Accounts merged together with it in de-duplication are undone too',
        ],
        { into: of.merged_name },
      ],
    asks: { reason },
    input: asking(answers => answers),
    alias: ['撤回合并', '恢复账号', 'unmerge'],
  }),
  revealPhone: row.row(calls.revealPhone, ['查看完整手机号', 'Reveal the phone'], {
    key: 'v',
    asks: { reason: { ...reason, hint: ['会记入操作日志', 'This is logged'] } },
    input: (rows, answers) => ({ ...idOf(rows), ...answers }),
  }),
  batchSetTags: action(calls.batchSetTags, {
    title: '批量打标签',
    en: 'Tag selected',
    key: 'shift+t',
    at,
    on: memberRow,
    most,
    when: can('setTags'),
    tells: inAll,
    asks: {
      how: ask.choice({
        label: ['方式', 'How'],
        options: { add: ['添加', 'Add'], remove: ['移除', 'Remove'] },
        initial: () => 'add',
      }),
      ...tagAsks,
    },
    input: (rows, { how, ...answers }) => ({ ...idsOf(rows), how, ...tagged(answers) }),
  }),
  batchGrantCoupon: action(calls.batchGrantCoupon, {
    title: '批量发券',
    en: 'Issue coupons to selected',
    key: 'shift+c',
    at,
    on: memberRow,
    most,
    when: can('grantCoupon'),
    tells: inAll,
    asks: couponAsks,
    input: (rows, answers) => ({ ...idsOf(rows), ...answers }),
  }),
  saveSegment: pageAction(calls.saveSegment, ['保存筛选为人群', 'Save as a segment'], at, {
    key: 'shift+s',
    tells: tellsKept(['会员', 'members']),
    asks: keptAsks,
    input: (rows, asked) => ({ ...keptOf(rows)?.filters, ...asked }),
    alias: ['人群包', '分群', 'audience'],
  }),
  export: exportAction(calls.export, ['导出会员', 'Export members'], at),
}
