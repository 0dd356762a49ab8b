import { levels, sellerCan, sellerKinds, type SellerVerb } from '#src/areas/distribution/sellers.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import {
  sellerRow,
  sellersPage as calls,
  type SellerRow,
  type TeamRow,
} from '#src/modules/distribution/contract/index.ts'
import { action, ask, inAll, to, type Told } from '../command.ts'
import { expertDetail, invitePage, sellersPage as at } from '../pages/distribution.ts'
import {
  asking,
  exportAction,
  idOf,
  idsOf,
  one,
  pageAction,
  reason,
  rowActions,
} from '../record.ts'

/** The views of the page; the first needs no word in its address. */
export const sellerViews = {
  experts: sellerKinds.expert,
  guides: sellerKinds.guide,
  stores: sellerKinds.store,
  teams: ['团队', 'Teams'],
} as const satisfies Record<string, Text>
const turn = (view: keyof typeof sellerViews, key: string) =>
  pageAction(`distribution.index.${view}View`, sellerViews[view], at, { key })
export const sellerViewActions = {
  experts: turn('experts', '1'),
  guides: turn('guides', '2'),
  stores: turn('stores', '3'),
  teams: turn('teams', '4'),
}

const notTeam: Text = ['请先切到达人、导购或门店（1–3）', 'Go to experts, guides or stores (1–3)']
/** Actions of sellers stay away from the teams, which the page shows in turn. */
const ofSeller =
  (when: (row: SellerRow) => true | Text) =>
  (row: SellerRow | TeamRow): true | Text =>
    row.kind === 'team' ? notTeam : when(row)
const can = (verb: SellerVerb) => ofSeller(row => sellerCan(verb, row))

/** The level of a seller, beginning with what it is. */
export const askLevel = ask.choice({
  label: ['等级', 'Level'],
  options: levels,
  field: 'level_no',
  initial: rows => String(rows[0]?.level_no ?? 1),
})
type TeamOption = { name: string; city_name: string; left: number }
/** A living team, but the one that is left. */
export const askTeam = (
  of: { optional?: boolean; but?: (rows: readonly { id: number }[]) => number } = {},
) =>
  ask.entity({
    label: ['团队', 'Team'],
    find: calls.teamOptions,
    given: rows => ({ but: of.but ? of.but(rows) : (rows[0]?.group_id ?? undefined) }),
    labelOf: (row: TeamOption) => `${row.name} ${row.city_name}`,
    field: 'group_id',
    none: ['没有可选的团队', 'No teams to choose'],
    ...(of.optional && { optional: true }),
  })
const effectsTell =
  (text: Text) =>
  ([row]: readonly SellerRow[]): Told | undefined =>
    row?.effects && [
      text,
      {
        n: row.effects.customers,
        held: yuan(row.effects.on_hold_cents),
        left: yuan(row.effects.balance_cents),
      },
    ]
const row = rowActions(at, sellerRow)
/** What the page of one seller offers too. */
const also = [expertDetail]
const many = { at, on: sellerRow, most: 500 } as const
/** What is done with sellers, on their list and on the page of one. */
export const sellerActions = {
  approve: row.row(calls.approve, ['通过申请', 'Approve'], {
    key: 'a',
    main: true,
    when: can('approve'),
    asks: { level: askLevel, team: askTeam({ optional: true }) },
    input: (rows, { level, team }) => ({
      ...one(rows),
      level_no: Number(level),
      ...(team && { group_id: team }),
    }),
  }),
  reject: row.row(calls.reject, ['驳回申请', 'Reject'], {
    key: 'r',
    danger: true,
    main: 'plain',
    when: can('reject'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  setLevel: row.row(calls.setLevel, ['调整等级', 'Set the level'], {
    key: 'l',
    also,
    when: can('setLevel'),
    tells: () => [
      [
        '之后的订单按新等级计算，已产生的佣金不变',
        'Applies to later orders; existing commission is unchanged',
      ],
      {},
    ],
    asks: { level: askLevel, reason },
    input: asking(({ level, reason: why }) => ({ level_no: Number(level), reason: why })),
  }),
  setGroup: row.row(calls.setGroup, ['调整团队', 'Set the team'], {
    key: 'm',
    also,
    when: can('setGroup'),
    tells: ([of]) =>
      of?.group_id
        ? [
            [
              '次日 00:00 转出「{name}」，之前的团长奖励仍归原团长',
              'Leaves {name} at 00:00; the bonus until then stays with its leader',
            ],
            { name: of.group_name },
          ]
        : [['立即加入团队', 'Joins the team now'], {}],
    asks: { team: askTeam(), reason },
    input: asking(({ team, reason: why }) => ({ group_id: team, reason: why })),
  }),
  setLeader: row.row(calls.setLeader, ['设为团长', 'Make leader'], {
    key: 'shift+l',
    when: ofSeller(of => {
      if (of.group_id === null) return ['不在任何团队中', 'It is in no team']
      return of.is_leader ? ['已是团长', 'It leads the team'] : sellerCan('setGroup', of)
    }),
    tells: ([of]) => [
      [
        '立即接任「{name}」团长，原团长转为普通成员',
        'Becomes leader of {name} now; the former leader becomes a member',
      ],
      { name: of?.group_name ?? '' },
    ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  freeze: row.row(calls.freeze, ['冻结资格', 'Freeze'], {
    key: 'f',
    also,
    danger: true,
    main: 'plain',
    when: can('freeze'),
    tells: effectsTell([
      '停止新绑定、新佣金与提现；{n} 位客户保留，冻结佣金 {held} 元、余额 {left} 元不变',
      'No new customers, commission or withdrawals; keeps {n} customers, ¥{held} on hold and a balance of ¥{left}',
    ]),
    asks: { reason },
    input: asking(asked => asked),
  }),
  unfreeze: row.row(calls.unfreeze, ['恢复资格', 'Unfreeze'], {
    key: 'u',
    also,
    main: 'plain',
    when: can('unfreeze'),
    input: one,
    takenBack: 'final',
  }),
  quit: row.row(calls.quit, ['清退', 'Remove'], {
    also,
    danger: true,
    when: can('quit'),
    tells: effectsTell([
      '{n} 位客户立即释放；冻结佣金 {held} 元清零后才完成清退，余额 {left} 元仍可提现',
      '{n} customers are released now; removal completes once the ¥{held} on hold is settled, and ¥{left} can still be withdrawn',
    ]),
    asks: { reason },
    input: asking(asked => asked),
  }),
  batchSetLevel: action(calls.batchSetLevel, {
    title: '批量调整等级',
    en: 'Set the level of several',
    key: 'b',
    ...many,
    when: can('setLevel'),
    tells: inAll,
    asks: { level: askLevel, reason },
    input: (rows, { level, reason: why }) => ({
      ...idsOf(rows),
      level_no: Number(level),
      reason: why,
    }),
  }),
  batchFreeze: action(calls.batchFreeze, {
    title: '批量冻结',
    en: 'Freeze several',
    key: 'shift+f',
    ...many,
    danger: true,
    when: can('freeze'),
    tells: inAll,
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  revealPhone: row.row(calls.revealPhone, ['查看手机号', 'Reveal the phone'], {
    key: 'v',
    also,
    when: ofSeller(() => true),
    asks: { reason: { ...reason, hint: ['会记入操作日志', 'This is logged'] } },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  invite: pageAction('distribution.index.invite', ['邀请达人', 'Invite experts'], at, {
    key: 'i',
    main: true,
    permit: invitePage.permit,
    to: () => to(invitePage),
  }),
  createGroup: pageAction(calls.createGroup, ['新增团队', 'New team'], at, {
    key: 'c',
    main: true,
    asks: {
      name: ask.text({ label: ['团队名称', 'Name'], max: 20 }),
      leader: ask.entity({
        label: ['团长', 'Leader'],
        find: calls.expertOptions,
        labelOf: (of: { name: string; city_name: string }) => `${of.name} ${of.city_name}`,
        field: 'leader_id',
        hint: ['正常且不在任何团队的达人', 'An active expert not in a team'],
        none: ['没有可选的达人', 'No experts to choose'],
      }),
      bonus: ask.number({
        label: ['团长奖励（%）', 'Leader’s bonus (%)'],
        min: 0,
        max: 10,
        places: 2,
        field: 'leader_bp',
        initial: () => 1,
        hint: ['商品未单独设置时按此计算', 'Used when the product has no rate of its own'],
      }),
    },
    input: (_, { name, leader, bonus }) => ({
      name,
      leader_id: leader,
      leader_bp: Math.round(bonus * 100),
    }),
  }),
  export: exportAction(calls.export, ['导出分销员', 'Export sellers'], at),
}
