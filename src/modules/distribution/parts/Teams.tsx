import { to } from '#commands/command.ts'
import { sellerActions as actions } from '#commands/distribution/sellers.ts'
import { groupMembersPage, teamDetail } from '#commands/pages/distribution.ts'
import { groupStates } from '#src/areas/distribution/sellers.ts'
import { percent } from '#src/domain/money.ts'
import { moneyColumn, State, stateColumn, textColumn, timeColumn } from '#src/kit/cells.tsx'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { sellersPage as calls, type TeamRow } from '../contract/index.ts'
import { Further, Way } from './SellerDetail.tsx'
import { groupLooks, Reached } from './sellerLooks.tsx'

const columns: readonly Column<TeamRow>[] = [
  { ...textColumn('name', ['团队', 'Team'], 140), grow: true },
  stateColumn('status', ['状态', 'State'], 84, groupLooks),
  textColumn('leader_name', ['团长', 'Leader'], 96),
  {
    key: 'members',
    title: ['成员', 'Members'],
    width: 84,
    align: 'end',
    cell: row => `${row.member_count} / ${row.member_limit}`,
  },
  moneyColumn('gmv_cents', ['本月成交额', 'GMV this month'], 120),
  {
    key: 'target',
    title: ['本月目标', 'Target'],
    width: 108,
    align: 'end',
    priority: 2,
    cell: row => (row.target_cents == null ? '—' : <Money cents={row.target_cents} />),
  },
  {
    key: 'reached',
    title: ['达成率', 'Achieved'],
    width: 76,
    align: 'end',
    cell: row => <Reached row={row} />,
  },
  {
    key: 'leader_bp',
    title: ['团长奖励', 'Bonus'],
    width: 84,
    align: 'end',
    priority: 2,
    cell: row => (row.leader_bp === undefined ? '—' : percent(row.leader_bp)),
  },
  { ...textColumn('city_name', ['城市', 'City'], 72), priority: 3 },
  { ...timeColumn('created_at', ['创建时间', 'Created'], 104), priority: 4 },
]
const TeamDetail = ({ row }: { row: TeamRow }) => {
  const say = useSay()
  const members = say(['{n} / {most} 人', '{n} of {most}'], {
    n: row.member_count,
    most: row.member_limit,
  })
  return (
    <Inspector
      title={row.name}
      aside={
        <>
          <State of={row.status} in={groupLooks} />
          <Further to={to(teamDetail, { id: row.id })}>
            {say(['团队详情', 'The team’s page'])}
          </Further>
        </>
      }
    >
      <Section title={say(['团队', 'Team'])}>
        <Facts>
          <Fact label={say(['团长', 'Leader'])}>{row.leader_name || '—'}</Fact>
          <Fact label={say(['成员', 'Members'])}>
            <Way to={to(groupMembersPage, { group_id: row.id })}>{members}</Way>
          </Fact>
          <Fact label={say(['城市', 'City'])}>{row.city_name}</Fact>
          <Fact label={say(['团长奖励', 'Bonus'])}>
            {row.leader_bp === undefined ? '—' : percent(row.leader_bp)}
          </Fact>
          <Fact label={say(['创建时间', 'Created'])}>
            <When at={row.created_at} />
          </Fact>
          {row.merged_into_name && (
            <Fact label={say(['并入', 'Merged into'])}>{row.merged_into_name}</Fact>
          )}
          {row.reason && (
            <Fact wide label={say(['原因', 'Why'])}>
              {row.reason}
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['本月', 'This month'])}>
        <Facts>
          <Fact label={say(['成交额', 'GMV'])}>
            <Money cents={row.gmv_cents} sign />
          </Fact>
          <Fact label={say(['达成率', 'Achieved'])}>
            <Reached row={row} />
          </Fact>
          <Fact wide label={say(['口径', 'Basis'])}>
            {say([
              '成员在队期间支付的直推成交，支付时归属的团队不再变化',
              'Direct sales paid while the member was in the team',
            ])}
          </Fact>
        </Facts>
      </Section>
    </Inspector>
  )
}
/** Teams: who leads them, how many they are, and how far they are this month. */
export const Teams = () => {
  const say = useSay()
  const list = useList(calls.teams)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['分销团队列表', 'Teams'])}
        columns={columns}
        actions={[actions.createGroup]}
        filters={
          <>
            <Keyword of={list} placeholder={say(['团队名称', 'Name of a team'])} />
            <CityFilter of={list} />
            <Choice of={list} by="status" label={say(['状态', 'State'])} words={groupStates} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一个团队', 'Choose a team'])}>
        {row => <TeamDetail key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
