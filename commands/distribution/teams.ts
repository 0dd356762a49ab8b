import { LEADER_MOST_BP, teamCan } from '#src/areas/distribution/sellers.ts'
import { monthFault, monthOf } from '#src/areas/merchant/bd.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  groupMembers as memberCalls,
  teamMemberRow,
  type TeamMemberRow,
} from '#src/modules/distribution/contract/groupMembers.ts'
import { sellersPage, teamRow, type TeamRow } from '#src/modules/distribution/contract/index.ts'
import { teamDetail as calls } from '#src/modules/distribution/contract/teamDetail.ts'
import { action, ask, byKeyword, inAll, recordFinder } from '../command.ts'
import { groupMembersPage, teamDetail as at } from '../pages/distribution.ts'
import { asking, exportAction, idsOf, pageAction, reason, rowActions } from '../record.ts'
import { askTeam } from './sellers.ts'

const team = rowActions(at, teamRow)
type Person = { name: string; city_name: string }
const when = (row: TeamRow) => teamCan(row)
const other = askTeam({ but: rows => rows[0]?.id ?? 0 })
/** What is done with a team, on its page. */
export const teamActions = {
  setTarget: team.row(calls.setTarget, ['设置目标', 'Set a target'], {
    key: 't',
    main: true,
    when,
    asks: {
      month: ask.number({
        label: ['月份', 'Month'],
        min: 200_001,
        max: 299_912,
        initial: () => monthOf(unixNow()),
        hint: ['例如 202611，不能是过去的月份', 'e.g. 202611; not a past month'],
        check: month => monthFault(month, unixNow()),
      }),
      target: ask.money({
        label: ['成交额目标', 'Sales'],
        min: 0,
        field: 'targets',
        initial: rows => rows[0]?.target_cents ?? undefined,
      }),
    },
    input: asking(({ month, target }) => ({ month, gmv_target_cents: target })),
  }),
  edit: team.row(calls.edit, ['编辑团队', 'Edit team'], {
    key: 'e',
    main: 'plain',
    when,
    asks: {
      name: ask.text({ label: ['团队名称', 'Name'], max: 20, initial: rows => rows[0]?.name }),
      bonus: ask.number({
        label: ['团长奖励（%）', 'Leader’s bonus (%)'],
        min: 0,
        max: LEADER_MOST_BP / 100,
        places: 2,
        field: 'leader_bp',
        initial: rows => (rows[0]?.leader_bp ?? 0) / 100,
        hint: [
          '之后的订单按此计算；超出可分佣金的部分按比例缩减',
          'Applies to later orders; scaled down if it exceeds the margin',
        ],
      }),
      limit: ask.number({
        label: ['人数上限', 'Member limit'],
        min: 1,
        max: 200,
        field: 'member_limit',
        initial: rows => rows[0]?.member_limit,
      }),
    },
    input: asking(({ name, bonus, limit }) => ({
      name,
      leader_bp: Math.round(bonus * 100),
      member_limit: limit,
    })),
  }),
  changeLeader: team.row(calls.changeLeader, ['更换团长', 'Change the leader'], {
    key: 'l',
    when,
    tells: () => [
      [
        '立即生效：此前的团长奖励仍归原团长，原团长转为成员',
        'Takes effect now: the bonus so far stays with the former leader, who becomes a member',
      ],
      {},
    ],
    asks: {
      person: ask.entity({
        label: ['新团长', 'New leader'],
        find: sellersPage.expertOptions,
        given: rows => ({ group_id: rows[0]?.id }),
        labelOf: (row: Person) => `${row.name} ${row.city_name}`,
        field: 'distributor_id',
        none: ['团队没有其他正常成员', 'The team has no other active member'],
      }),
      reason,
    },
    input: asking(({ person, reason: why }) => ({ distributor_id: person, reason: why })),
  }),
  merge: team.row(calls.merge, ['合并团队', 'Merge into another'], {
    key: 'm',
    danger: true,
    when,
    tells: ([of]) => [
      [
        '{n} 名成员立即转入所选团队，团长转为成员；「{name}」的历史业绩保留',
        '{n} members move now, the leader as a member; the history of {name} is kept',
      ],
      { n: of?.member_count ?? 0, name: of?.name ?? '' },
    ],
    asks: { team: other, reason },
    input: asking(({ team: to, reason: why }) => ({ target_group_id: to, reason: why })),
  }),
  dissolve: team.row(calls.dissolve, ['解散团队', 'Dissolve the team'], {
    key: 'd',
    danger: true,
    when,
    asks: {
      team: {
        ...askTeam({ optional: true, but: rows => rows[0]?.id ?? 0 }),
        label: ['成员转入', 'Members go to'],
        hint: ['有成员时必选', 'Required if it has members'],
      },
      reason,
    },
    input: asking(({ team: to, reason: why }) => ({ ...(to && { group_id: to }), reason: why })),
  }),
  export: team.row(calls.export, ['导出团队业绩', 'Export its sales'], { key: 'shift+e' }),
}

const member = rowActions(groupMembersPage, teamMemberRow)
const follows: Text = [
  '次日 00:00 生效，此前的团长奖励仍归原团长',
  'Takes effect at 00:00; the bonus until then stays with the leader',
]
const stays = (row: TeamMemberRow): true | Text => {
  if (row.is_leader) return ['团长须先更换', 'Name another leader first']
  return row.moves_to === null || ['已安排次日调整团队', 'Already set to change teams at 00:00']
}
const movable = (row: TeamMemberRow): true | Text => {
  const may = stays(row)
  if (may !== true) return may
  return row.status === 'active' || ['只有正常的成员可以转移', 'Only active members can be moved']
}
const away = askTeam({ but: rows => (rows[0] as TeamMemberRow | undefined)?.group_id ?? 0 })
/** What is done with the members of a team. */
export const teamMemberActions = {
  addMember: pageAction(memberCalls.addMember, ['添加成员', 'Add members'], groupMembersPage, {
    key: 'i',
    main: true,
    asks: {
      people: ask.entities({
        label: ['达人', 'Experts'],
        find: sellersPage.expertOptions,
        max: 200,
        labelOf: (row: Person) => `${row.name} ${row.city_name}`,
        field: 'distributor_ids',
        hint: ['正常且不在任何团队的达人', 'Active experts not in a team'],
        none: ['没有可添加的达人', 'No experts to add'],
      }),
    },
    input: (on, { people }) => ({
      group_id: (on[0] as { group_id: number } | undefined)?.group_id ?? 0,
      distributor_ids: people,
    }),
    takenBack: 'asked',
  }),
  move: member.row(memberCalls.move, ['转移到团队', 'Move'], {
    key: 'm',
    main: 'plain',
    when: movable,
    tells: () => [follows, {}],
    asks: { team: away, reason },
    input: asking(({ team: to, reason: why }) => ({ group_id: to, reason: why })),
  }),
  promote: member.row(memberCalls.promote, ['设为团长', 'Make leader'], {
    key: 'l',
    when: row => (row.is_leader ? ['已是团长', 'It leads the team'] : movable(row)),
    asks: { reason },
    input: asking(asked => asked),
  }),
  remove: member.row(memberCalls.remove, ['移出团队', 'Remove'], {
    key: 'd',
    danger: true,
    when: stays,
    tells: () => [follows, {}],
    asks: { reason },
    input: asking(asked => asked),
  }),
  batchMove: action(memberCalls.batchMove, {
    title: '批量转移',
    en: 'Move several',
    key: 'b',
    at: groupMembersPage,
    on: teamMemberRow,
    most: 200,
    when: movable,
    tells: inAll,
    asks: { team: away, reason },
    input: (rows, { team: to, reason: why }) => ({ ...idsOf(rows), group_id: to, reason: why }),
  }),
  export: exportAction(memberCalls.export, ['导出成员', 'Export members'], groupMembersPage),
}

/** The team of the pages about one, found by its name or number. */
export const teamsNamed = recordFinder({
  pages: [at, groupMembersPage],
  hint: ['团队名称或编号', 'Name or number of a team'],
  find: sellersPage.teams,
  asked: byKeyword,
  given: row => ({ type: 'dist_group', id: row.id, row }),
  title: row => row.name,
  byId: 'dist_group',
})
