import { useCallback, useState } from 'react'
import { userLogActions as actions } from '#commands/user/log.ts'
import { QUERY_DAYS, riskBands, riskReasons, userDeeds } from '#src/areas/userLog/userLog.ts'
import type { Text } from '#src/domain/text.ts'
import { textColumn, timeColumn, wordColumn } from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult } from '#src/kit/workbench.ts'
import {
  userLog as calls,
  type SharedAccounts,
  type Timeline,
  type UserLogRow as Row,
} from '../contract/log.ts'
import { StateOf } from '../parts/accountLooks.tsx'
import { About, Risk, Who } from '../parts/deedLooks.tsx'
import { SharedDrawer, TimelineDrawer } from '../parts/LogDrawers.tsx'

/** A column that who may not see the field does not find, but for a dash. */
const hidden = (key: 'client_ip' | 'client_device', title: Text, width: number): Column<Row> => ({
  key,
  title,
  width,
  priority: key === 'client_ip' ? 2 : 3,
  cell: row => <span className="m-num">{row[key] || '—'}</span>,
})
const columns: readonly Column<Row>[] = [
  timeColumn('at', ['时间', 'Time'], 116),
  {
    key: 'member',
    title: ['会员', 'Member'],
    width: 130,
    cell: row => <Who of={row} />,
    words: row => `${row.nickname} ${row.uid}`,
  },
  wordColumn('kind', ['行为', 'Activity'], 96, userDeeds),
  {
    key: 'about',
    title: ['内容', 'Details'],
    width: 240,
    grow: true,
    // An order's number and amount are figures: the list folds other columns before it cuts them.
    cell: row => (
      <span className={row.detail.cents === undefined ? undefined : 'm-num'}>
        <About of={row.detail} />
      </span>
    ),
  },
  {
    key: 'risk',
    title: ['风险分', 'Risk'],
    width: 76,
    align: 'end',
    cell: row => <Risk of={row.risk} />,
  },
  hidden('client_ip', ['IP', 'IP'], 116),
  { ...textColumn('region', ['地区', 'Region'], 84), priority: 4 },
  hidden('client_device', ['设备', 'Device'], 128),
  { ...textColumn('client', ['客户端', 'Client'], 128), priority: 4 },
]

/** One line: why it has its score, what it is about, and where it came from. */
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  const why = row.detail.why ?? []
  return (
    <Inspector
      title={
        row.nickname || say(['已注销用户 #{id}', 'Closed account #{id}'], { id: row.member_id })
      }
      aside={<StateOf row={row} />}
    >
      <Section
        title={say(['本条行为', 'This activity'])}
        aside={<Badge>{say(userDeeds[row.kind])}</Badge>}
      >
        <Facts>
          <Fact label={say(['时间', 'Time'])}>
            <When at={row.at} />
          </Fact>
          <Fact label={say(['会员号', 'Number'])}>{row.uid || `#${row.member_id}`}</Fact>
          <Fact wide label={say(['内容', 'Details'])}>
            <About of={row.detail} />
          </Fact>
          <Fact label={say(['IP', 'IP'])}>
            <span className="m-num">{row.client_ip || '—'}</span>
          </Fact>
          <Fact label={say(['地区', 'Region'])}>{row.region || '—'}</Fact>
          <Fact wide label={say(['设备', 'Device'])}>
            <span className="m-num">{row.client_device || '—'}</span>
          </Fact>
          <Fact wide label={say(['客户端', 'Client'])}>
            {row.client || '—'}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['风险', 'Risk'])} aside={<Risk of={row.risk} />}>
        {why.length === 0 ? (
          <p className="m-muted">{say(['没有命中风险特征', 'No risk signals'])}</p>
        ) : (
          <Facts>
            {why.map(key => (
              <Fact key={key} wide label={`+${riskReasons[key].points}`}>
                {say(riskReasons[key].text)}
              </Fact>
            ))}
          </Facts>
        )}
        {row.client_ip === undefined && (
          <p className="m-muted">
            {say(['IP 与设备仅风控人员可见', 'IP and device are visible to risk staff only'])}
          </p>
        )}
      </Section>
    </Inspector>
  )
}

/** What members did and what was done with accounts, for whoever says "it was not me". */
export default function UserLogPage() {
  const say = useSay()
  const list = useList(calls.lst)
  useExport(actions.export, calls.export, { list })
  const [timeline, setTimeline] = useState<Timeline | undefined>(undefined)
  const [shared, setShared] = useState<SharedAccounts | undefined>(undefined)
  const close = useCallback(() => {
    setTimeline(undefined)
    setShared(undefined)
  }, [])
  useResult(actions.timeline, told => {
    setTimeline(told)
    return true
  })
  const tellShared = (told: SharedAccounts) => {
    setShared(told)
    return true
  }
  useResult(actions.byDevice, tellShared)
  useResult(actions.byIp, tellShared)
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['用户行为日志', 'User activity log'])}
          columns={columns}
          actions={Object.values(actions)}
          filters={
            <>
              <Keyword
                of={list}
                placeholder={say(['手机号、会员号、昵称', 'Phone, number, name'])}
              />
              <Choice of={list} by="kind" label={say(['行为', 'Activity'])} words={userDeeds} />
              <Choice of={list} by="risk" label={say(['风险', 'Risk'])} words={riskBands} />
              <Period
                of={list}
                from="from"
                to="to"
                most={QUERY_DAYS}
                usual={['最近 31 天', 'Last 31 days']}
              />
            </>
          }
        />
        <Chosen
          of={list}
          none={say(['选择一条记录，查看风险与来源', 'Choose a record to see its risk and source'])}
        >
          {row => <Detail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {timeline && <TimelineDrawer of={timeline} close={close} />}
      {shared && <SharedDrawer of={shared} close={close} />}
    </>
  )
}
