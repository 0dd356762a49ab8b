import { useMemo } from 'react'
import { Link, useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import { teamMemberActions as actions } from '#commands/distribution/teams.ts'
import { expertDetail, sellersPage, teamDetail } from '#commands/pages/distribution.ts'
import { levels } from '#src/areas/distribution/sellers.ts'
import { percent } from '#src/domain/money.ts'
import { moneyColumn, numberColumn, timeColumn, Words } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { groupMembers as calls, type TeamMemberRow } from '../../contract/groupMembers.ts'
import { teamDetail as teamCalls } from '../../contract/teamDetail.ts'
import { Further } from '../../parts/SellerDetail.tsx'
import { StateOf } from '../../parts/sellerLooks.tsx'
import '../../parts/share.css'

type Props = { row: TeamMemberRow }
/** Whether a member leads its team, and where it goes at 00:00. */
const As = ({ row }: Props) => {
  const say = useSay()
  const next = row.moves_to === '' ? say(['移出', 'leaves']) : row.moves_to
  return (
    <>
      {row.is_leader ? (
        <Badge tone="info">{say(['团长', 'Leader'])}</Badge>
      ) : (
        say(['成员', 'Member'])
      )}
      {row.moves_to !== null && (
        <span
          className="m-muted"
          title={say(['次日 00:00 生效', 'Takes effect at 00:00'])}
        >{` → ${next}`}</span>
      )}
    </>
  )
}
/** A member's part of the team's sales, as a bar beside the figure. */
const Share = ({ row }: Props) => (
  <span className="di-share">
    <meter min={0} max={10_000} value={row.share_bp} aria-hidden="true" />
    <span className="m-num">{percent(Math.round(row.share_bp / 10) * 10)}</span>
  </span>
)
const columns: readonly Column<TeamMemberRow>[] = [
  {
    key: 'name',
    title: ['姓名', 'Name'],
    width: 120,
    grow: true,
    cell: row => row.name,
    words: row => row.name,
  },
  { key: 'as', title: ['身份', 'Role'], width: 108, cell: row => <As row={row} /> },
  { key: 'status', title: ['状态', 'State'], width: 92, cell: row => <StateOf row={row} /> },
  moneyColumn('gmv_cents', ['在队成交额', 'GMV in team'], 108),
  {
    key: 'share',
    title: ['贡献', 'Share'],
    width: 132,
    align: 'end',
    cell: row => <Share row={row} />,
  },
  { ...moneyColumn('bonus_cents', ['带来团长奖励', 'Bonus brought'], 108), priority: 2 },
  { ...numberColumn('active_days', ['30 天活跃', 'Active days'], 84), priority: 2 },
  { ...numberColumn('customer_count', ['绑定客户', 'Customers'], 76), priority: 3 },
  {
    key: 'level',
    title: ['等级', 'Level'],
    width: 64,
    priority: 3,
    cell: row => <Words of={levels[row.level_no]!} />,
  },
  { ...timeColumn('last_sale_at', ['最近成交', 'Last sale'], 104), priority: 3 },
  { ...timeColumn('since_at', ['入队时间', 'Joined'], 104), priority: 4 },
]
const Member = ({ row }: Props) => {
  const say = useSay()
  return (
    <Inspector
      title={row.name}
      aside={
        <>
          <StateOf row={row} />
          <Further to={to(expertDetail, { id: row.id })}>
            {say(['完整详情', 'Full details'])}
          </Further>
        </>
      }
    >
      <Section title={say(['在队表现', 'In this team'])}>
        <Facts>
          <Fact label={say(['身份', 'Role'])}>
            <As row={row} />
          </Fact>
          <Fact label={say(['入队时间', 'Joined'])}>
            <When at={row.since_at} />
          </Fact>
          <Fact label={say(['在队成交额', 'GMV in team'])}>
            <Money cents={row.gmv_cents} sign />
          </Fact>
          <Fact label={say(['贡献', 'Share'])}>
            <Share row={row} />
          </Fact>
          <Fact label={say(['带来团长奖励', 'Bonus brought'])}>
            <Money cents={row.bonus_cents} sign />
          </Fact>
          <Fact label={say(['30 天活跃', 'Active days'])}>
            {say(['{n} 天', '{n} days'], { n: row.active_days })}
          </Fact>
          <Fact label={say(['绑定客户', 'Customers'])}>{row.customer_count}</Fact>
          <Fact label={say(['最近成交', 'Last sale'])}>
            <When at={row.last_sale_at} />
          </Fact>
        </Facts>
      </Section>
    </Inspector>
  )
}
const Members = ({ group_id }: { group_id: number }) => {
  const say = useSay()
  const { id: pane } = usePane()
  const { run } = useWorkbench()
  const list = useList(
    calls.lst,
    useMemo(() => ({ group_id }), [group_id]),
  )
  const team = useRead(teamCalls.detail, { id: group_id }).data?.row
  useExport(actions.export, calls.export, { list })
  useAction(actions.addMember, () => void run(actions.addMember, [], { pane, on: { group_id } }))
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['团队成员', 'Members'])}
        columns={columns}
        actions={Object.values(actions)}
        aside={
          team && (
            <Link href={to(teamDetail, { id: group_id })}>
              {say(['{name}：{n} / {most} 人', '{name}: {n} of {most}'], {
                name: team.name,
                n: team.member_count,
                most: team.member_limit,
              })}
            </Link>
          )
        }
        filters={
          <>
            <Keyword of={list} placeholder={say(['姓名', 'Name'])} />
            <Toggle of={list} by="idle" label={say(['30 天无成交', 'No sales in 30 days'])} />
          </>
        }
        empty={
          <Empty title={say(['没有符合条件的成员', 'No matching members'])}>
            <p>
              {say([
                '可添加正常且不在任何团队的达人。',
                'Active experts who are not in a team can be added.',
              ])}
            </p>
          </Empty>
        }
      />
      <Chosen of={list} none={say(['选择一位成员', 'Choose a member'])}>
        {row => <Member key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
/** The members of the team of `?group_id=`. */
export default function GroupMembers() {
  const say = useSay()
  const group_id = Number(new URLSearchParams(useSearch()).get('group_id'))
  return Number.isInteger(group_id) && group_id > 0 ? (
    <Members key={group_id} group_id={group_id} />
  ) : (
    <Empty title={say(['没有指定团队', 'No team named'])}>
      <Link href={to(sellersPage, { view: 'teams' })}>
        {say(['回到团队列表', 'Back to the teams'])}
      </Link>
    </Empty>
  )
}
