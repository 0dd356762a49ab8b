import { BanCircle as Ban, Endorsed, MobilePhone, People, Tick, Time } from '@blueprintjs/icons'
import { pullStatActions as actions } from '#commands/film/pullNewStat.ts'
import { pullFlags, pullRecordStates, type PullRecordState } from '#src/areas/filmPull/pull.ts'
import { PULL_STAT_DAYS } from '#src/areas/filmPull/pullStat.ts'
import { State, stateColumn, textColumn, timeColumn, Words, type States } from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { pullStats as calls, type PullRecordRow as Row } from '../contract/pullNewStat.ts'

const looks: States<PullRecordState> = {
  scanned: { text: pullRecordStates.scanned, icon: MobilePhone },
  registered: { text: pullRecordStates.registered, tone: 'info', icon: People },
  ticketed: { text: pullRecordStates.ticketed, tone: 'info', icon: Time },
  valid: { text: pullRecordStates.valid, tone: 'good', icon: Tick },
  rewarded: { text: pullRecordStates.rewarded, tone: 'good', icon: Endorsed },
  void: { text: pullRecordStates.void, tone: 'bad', icon: Ban },
}
const Flags = ({ of }: { of: Row['flags'] }) => (
  <>
    {of.map(flag => (
      <Badge key={flag} tone="warn">
        <Words of={pullFlags[flag]} />
      </Badge>
    ))}
  </>
)
const columns: readonly Column<Row>[] = [
  { ...textColumn('promoter', ['推广人', 'Promoter'], 96), grow: true },
  { ...textColumn('campaign', ['活动', 'Campaign'], 140), grow: true, priority: 2 },
  { ...textColumn('member_name', ['会员', 'Member'], 96, of => of || '—') },
  stateColumn('status', ['状态', 'State'], 92, looks),
  { key: 'flags', title: ['可疑标记', 'Marks'], width: 110, cell: row => <Flags of={row.flags} /> },
  {
    key: 'reward_cents',
    title: ['奖励', 'Reward'],
    width: 80,
    align: 'end',
    cell: row => <Money cents={row.reward_cents} />,
  },
  { ...timeColumn('scan_at', ['扫码时间', 'Scanned'], 104), priority: 1 },
  { ...timeColumn('ticketed_at', ['购票时间', 'Bought'], 104), priority: 3 },
  { ...timeColumn('valid_at', ['有效时间', 'Valid'], 104), priority: 3 },
]
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  const at = (when: number | null) => (when === null ? '—' : <When at={when} />)
  return (
    <Inspector
      title={`${row.promoter} · ${row.member_name || say(['未注册', 'Not registered'])}`}
      aside={<State of={row.status} in={looks} />}
    >
      <Section title={say(['经过', 'What happened'])}>
        <Facts>
          <Fact label={say(['扫码', 'Scanned'])}>{at(row.scan_at)}</Fact>
          <Fact label={say(['注册', 'Registered'])}>{at(row.register_at)}</Fact>
          <Fact label={say(['购票', 'Bought'])}>{at(row.ticketed_at)}</Fact>
          <Fact label={say(['有效', 'Valid'])}>{at(row.valid_at)}</Fact>
          <Fact label={say(['复购', 'Second purchase'])}>{at(row.second_paid_at)}</Fact>
          <Fact label={say(['奖励结算', 'Rewarded'])}>{at(row.rewarded_at)}</Fact>
          <Fact label={say(['奖励', 'Reward'])}>
            <Money cents={row.reward_cents} sign />
          </Fact>
          <Fact wide label={say(['订单', 'Order'])}>
            {row.order_no || '—'}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['来源', 'Where it comes from'])}>
        <Facts>
          <Fact wide label={say(['活动', 'Campaign'])}>
            {row.campaign}
          </Fact>
          <Fact label={say(['推广人', 'Promoter'])}>
            {row.promoter} {row.banned && <Badge tone="bad">{say(['已停用', 'Banned'])}</Badge>}
          </Fact>
          <Fact label={say(['商场', 'Mall'])}>{row.mall_name || '—'}</Fact>
          {row.flags.length > 0 && (
            <Fact wide label={say(['可疑标记', 'Marks'])}>
              <Flags of={row.flags} />
            </Fact>
          )}
          {row.reason && (
            <Fact wide label={say(['原因', 'Reason'])}>
              {row.reason}
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}
/** Referrals one by one: what is made up is voided, and its promoter banned. */
export const PullRecords = () => {
  const say = useSay()
  const list = useList(calls.records)
  const { tabs } = useStateTabs(list, calls.records, pullRecordStates)
  useExport(actions.export, calls.export, { list })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['拉新明细', 'Referrals'])}
        columns={columns}
        tabs={tabs}
        actions={Object.values(actions)}
        filters={
          <>
            <CityFilter of={list} />
            <MallFilter of={list} />
            <Period
              of={list}
              from="from"
              to="to"
              most={PULL_STAT_DAYS}
              usual={['近 90 天', 'Last 90 days']}
            />
            <Toggle of={list} by="flagged" label={say(['仅看可疑', 'Suspicious only'])} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一条记录', 'Choose a referral'])}>
        {row => <Detail key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
