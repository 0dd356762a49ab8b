import { BanCircle as Ban, Edit, Flag, Pause, Play, Time } from '@blueprintjs/icons'
import { pullActions as actions } from '#commands/film/pullNew.ts'
import { pullStates, type PullState } from '#src/areas/filmPull/pull.ts'
import { pullSentence } from '#src/areas/filmPull/pullRules.ts'
import { comma } from '#src/domain/text.ts'
import {
  moneyColumn,
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  Words,
  type States,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, Span } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay, type Say } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { pullCampaigns as calls, type PullRow as Row } from '../contract/pullNew.ts'

const looks: States<PullState> = {
  draft: { text: pullStates.draft, icon: Edit },
  auditing: { text: pullStates.auditing, tone: 'warn', icon: Time },
  rejected: { text: pullStates.rejected, tone: 'bad', icon: Ban },
  waiting: { text: pullStates.waiting, tone: 'info', icon: Time },
  running: { text: pullStates.running, tone: 'good', icon: Play },
  paused: { text: pullStates.paused, tone: 'warn', icon: Pause },
  ended: { text: pullStates.ended, icon: Flag },
}
const LOW_BP = 1000
const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['活动', 'Campaign'], 170), grow: true },
  stateColumn('status', ['状态', 'State'], 92, looks),
  moneyColumn('price_cents', ['新客价', 'Price'], 80),
  { ...moneyColumn('reward_cents', ['奖励', 'Reward'], 80), priority: 2 },
  {
    key: 'left',
    title: ['剩余名额', 'Places left'],
    width: 96,
    align: 'end',
    cell: row => (
      <span className={row.left * 10_000 < row.quota * LOW_BP ? 'm-num m-bad' : 'm-num'}>
        {row.left}
      </span>
    ),
  },
  numberColumn('used_count', ['新客数', 'New buyers'], 80),
  moneyColumn('cost_per_new_cents', ['每新客成本', 'Cost per buyer'], 116),
  { ...moneyColumn('spent_cents', ['已花费', 'Spent'], 96), priority: 3 },
  { ...moneyColumn('budget_cents', ['预算', 'Budget'], 104), priority: 3 },
  { ...timeColumn('end_at', ['结束', 'Until'], 104), priority: 2 },
  { ...textColumn('maker', ['创建人', 'Made by'], 84), optional: true },
]
const Promoters = ({ row }: { row: Row }) => {
  const say = useSay()
  const read = useRead(calls.promoters, { id: row.id })
  return (
    <Section title={say(['推广人（{n}）', 'Promoters ({n})'], { n: row.promoters })}>
      <Answer of={read}>
        {({ list }) =>
          list.length === 0 ? (
            <p className="m-muted">
              <Keyed
                text={['还没有推广人，按 {add} 添加。', 'Nobody yet: {add} adds promoters.']}
                by={{ add: actions.addPromoters }}
              />
            </p>
          ) : (
            <SmallTable
              head={[
                ['推广人', 'Promoter'],
                ['推广码', 'Code'],
                ['扫码', 'Scans'],
                ['购票', 'Bought'],
              ]}
              rows={list}
              keyOf={one => one.id}
              cells={one => [
                <>
                  {one.name} {one.banned && <Badge tone="bad">{say(['已停用', 'Banned'])}</Badge>}
                </>,
                one.code || '—',
                one.scans,
                one.bought,
              ]}
            />
          )
        }
      </Answer>
    </Section>
  )
}
const named = (of: readonly { name: string }[], say: Say): string =>
  of.map(one => one.name).join(say(comma)) || say(['不限', 'Any'])
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={looks} />}>
      <Section title={say(['规则', 'Rule'])}>
        <p>
          <Words of={pullSentence(row)} />
        </p>
        {row.reason && (
          <Facts>
            <Fact wide label={say(['原因', 'Reason'])}>
              {row.reason}
            </Fact>
          </Facts>
        )}
      </Section>
      <Section title={say(['名额与花费', 'Places and money'])}>
        <Facts>
          <Fact label={say(['总名额', 'Places'])}>{row.quota}</Fact>
          <Fact label={say(['每日名额', 'Daily quota'])}>{row.quota_day}</Fact>
          <Fact label={say(['已使用', 'Used'])}>{row.used_count}</Fact>
          <Fact label={say(['待付款占用', 'Held, unpaid'])}>{row.locked_count}</Fact>
          <Fact label={say(['剩余', 'Left'])}>{row.left}</Fact>
          <Fact label={say(['每新客成本', 'Cost per buyer'])}>
            <Money cents={row.cost_per_new_cents} sign />
          </Fact>
          <Fact label={say(['已花费', 'Spent'])}>
            <Money cents={row.spent_cents} sign />
          </Fact>
          <Fact label={say(['预算', 'Budget'])}>
            <Money cents={row.budget_cents} sign />
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['范围', 'Where'])}>
        <Facts>
          <Fact wide label={say(['商场', 'Malls'])}>
            {named(row.malls, say)}
          </Fact>
          <Fact wide label={say(['城市', 'Cities'])}>
            {named(row.cities, say)}
          </Fact>
          <Fact wide label={say(['影片', 'Films'])}>
            {named(row.films, say)}
          </Fact>
          <Fact wide label={say(['影院', 'Cinemas'])}>
            {named(row.cinemas, say)}
          </Fact>
          <Fact wide label={say(['时间', 'Valid'])}>
            <Span from={row.start_at} to={row.end_at} />
          </Fact>
          <Fact label={say(['创建人', 'Made by'])}>{row.maker}</Fact>
          <Fact label={say(['审核人', 'Approved by'])}>{row.checker || '—'}</Fact>
        </Facts>
      </Section>
      <Promoters row={row} />
    </Inspector>
  )
}

/** Campaigns of cheap first tickets: what they cost, how far they are, who brings buyers. */
export default function PullCampaigns() {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, pullStates)
  useExport(actions.export, calls.export, { list })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['影票拉新活动', 'Film referral campaigns'])}
        columns={columns}
        tabs={tabs}
        actions={Object.values(actions)}
        filters={
          <>
            <Keyword of={list} placeholder={say(['活动名称或编号', 'Name or number'])} />
            <CityFilter of={list} />
            <MallFilter of={list} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一个活动', 'Choose a campaign'])}>
        {row => <Detail key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
