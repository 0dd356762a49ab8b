import { Confirm, Cross, Edit, Pause, Pin, Stopwatch, Tick } from '@blueprintjs/icons'
import { activityActions as actions } from '#commands/shop/activity.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import {
  activityKinds,
  activityProblems,
  activityStates,
  weekdayNames,
  type ActivityState,
} from '#src/areas/storeActivity/activity.ts'
import { yuan } from '#src/domain/money.ts'
import { colon, comma, semicolon, type Text } from '#src/domain/text.ts'
import {
  numberColumn,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  wordColumn,
  type States,
} from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Portrait, Thumb } from '#src/kit/image.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { shopActivity as calls, type ActivityRow } from '../contract/activity.ts'
import '../parts/shop.css'

const states: States<ActivityState> = {
  draft: { text: activityStates.draft, icon: Edit },
  auditing: { text: activityStates.auditing, tone: 'info', icon: Stopwatch },
  rejected: { text: activityStates.rejected, tone: 'bad', icon: Cross },
  online: { text: activityStates.online, tone: 'good', icon: Tick },
  offline: { text: activityStates.offline, tone: 'warn', icon: Pause },
  ended: { text: activityStates.ended, icon: Confirm },
}
const marks: States<'top'> = { top: { text: ['置顶', 'Pinned'], tone: 'info', icon: Pin } }

/** What the activity gives, where a number says it. */
const offerOf = (row: ActivityRow): Text => {
  if (row.kind === 'full_reduce') {
    const [spend, off] = [row.threshold_cents, row.reduce_cents].map(cents =>
      yuan(cents ?? 0).replace(/\.00$/, ''),
    )
    return [`满${spend}减${off}`, `${off} off ${spend}`]
  }
  if (row.kind !== 'discount') return ['—', '—']
  const tenths = row.discount_x10 ?? 0
  return [`${tenths / 10} 折`, `${100 - tenths}% off`]
}
const Offer = ({ row }: { row: ActivityRow }) => useSay()(offerOf(row))
const Days = ({ row }: { row: ActivityRow }) => {
  const say = useSay()
  return row.weekdays.length === 0
    ? say(['每天', 'Every day'])
    : row.weekdays.map(day => say(weekdayNames[day as 1])).join(say(comma))
}
const Problems = ({ row }: { row: ActivityRow }) => {
  const say = useSay()
  if (row.problems.length === 0) return '—'
  return row.problems.map(key => (
    <Badge key={key} tone="warn">
      {say(activityProblems[key])}
    </Badge>
  ))
}
const columns: readonly Column<ActivityRow>[] = [
  {
    key: 'title',
    title: ['活动', 'Activity'],
    width: 200,
    grow: true,
    cell: row => (
      <>
        <Thumb of={row.image} /> {row.title} {row.is_top && <State of="top" in={marks} />}
      </>
    ),
    words: row => row.title,
  },
  stateColumn('status', ['状态', 'State'], 88, states),
  wordColumn('kind', ['类型', 'Kind'], 72, activityKinds),
  {
    key: 'offer',
    title: ['优惠', 'Offer'],
    width: 110,
    cell: row => <Offer row={row} />,
  },
  { ...textColumn('store_name', ['门店', 'Store'], 160), grow: true },
  textColumn('mall_name', ['商场', 'Mall'], 120),
  { ...timeColumn('end_at', ['结束', 'Until'], 104), priority: 1 },
  { ...numberColumn('view_count', ['浏览', 'Views'], 72), priority: 4 },
  { key: 'problems', title: ['问题', 'Problems'], width: 150, cell: row => <Problems row={row} /> },
  { ...timeColumn('start_at', ['开始', 'From'], 104), optional: true },
  {
    key: 'weekdays',
    title: ['星期', 'Days'],
    width: 110,
    cell: row => <Days row={row} />,
    optional: true,
  },
  { ...textColumn('city_name', ['城市', 'City'], 64), optional: true },
]

const ActivityDetail = ({ row }: { row: ActivityRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.title} aside={<State of={row.status} in={states} />}>
      <Section title={say(['活动', 'Activity'])}>
        <Portrait of={row.image} label={row.title} />
        <Facts>
          {row.reason && (
            <Fact wide label={say(['原因', 'Why'])}>
              {row.reason}
            </Fact>
          )}
          {row.problems.length > 0 && (
            <Fact wide label={say(['问题', 'Problems'])}>
              <Problems row={row} />
            </Fact>
          )}
          <Fact label={say(['类型', 'Kind'])}>{say(activityKinds[row.kind])}</Fact>
          <Fact label={say(['优惠', 'Offer'])}>
            <Offer row={row} />
          </Fact>
          <Fact wide label={say(['活动说明', 'Description'])}>
            {row.content}
          </Fact>
          <Fact label={say(['开始', 'From'])}>
            <When at={row.start_at} />
          </Fact>
          <Fact label={say(['结束', 'Until'])}>
            <When at={row.end_at} />
          </Fact>
          <Fact label={say(['星期', 'Days'])}>
            <Days row={row} />
          </Fact>
          <Fact label={say(['此刻展示', 'Shown now'])}>
            {row.is_shown ? say(['是', 'Yes']) : say(['否', 'No'])}
          </Fact>
          <Fact label={say(['浏览', 'Views'])}>{row.view_count}</Fact>
          <Fact label={say(['创建时间', 'Created'])}>
            <When at={row.created_at} />
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['门店', 'Store'])}>
        <Facts>
          <Fact wide label={say(['门店名称', 'Name'])}>
            {row.store_name}
          </Fact>
          <Fact label={say(['状态', 'State'])}>{say(storeStates[row.store_status])}</Fact>
          <Fact label={say(['位置', 'Location'])}>
            {row.city_name} · {row.mall_name || say(['商场外', 'Outside malls'])}
          </Fact>
        </Facts>
      </Section>
    </Inspector>
  )
}

/** Tells where an edit led, and which stores a copy did not reach. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(actions.edit, ({ status }) => {
    toast(
      status === 'auditing'
        ? say(['已保存，等待审核', 'Saved, awaiting audit'])
        : say(['图片已更新', 'Picture updated']),
      'success',
    )
    return true
  })
  useResult(actions.copyToStores, ({ made, failed }) => {
    const missed = failed.map(({ name, msg }) => `${name}${say(colon)}${msg}`).join(say(semicolon))
    toast(
      say(['已复制到 {n} 家门店', 'Copied to {n} stores'], { n: made }) +
        (missed && say(['，未复制：{missed}', '; not to: {missed}'], { missed })),
      missed ? 'warning' : 'success',
    )
    return true
  })
}

/** What stores announce: approved, taken offline, put at the top, and what misleads. */
export default function Activities() {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs, told } = useStateTabs(list, calls.lst, activityStates)
  useTold()
  useExport(actions.export, calls.export, { list })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['门店活动', 'Store activities'])}
        columns={columns}
        actions={Object.values(actions)}
        tabs={tabs}
        filters={
          <>
            <Keyword of={list} placeholder={say(['活动标题、门店名称', 'Title or store'])} />
            <CityFilter of={list} />
            <MallFilter of={list} />
            <Choice of={list} by="kind" label={say(['类型', 'Kind'])} words={activityKinds} />
            <Toggle of={list} by="ending" label={say(['周末前结束', 'Over by Sunday'])} />
            <Toggle of={list} by="topped" label={say(['置顶', 'Pinned'])} />
            <Toggle of={list} by="problem" label={say(['有问题', 'Has problems'])} />
            {told && (
              <span className="m-muted">
                {say(
                  [
                    '周日前无活动的营业门店 {n} 家',
                    '{n} open stores have no activity before Sunday',
                  ],
                  {
                    n: told.silent,
                  },
                )}
              </span>
            )}
          </>
        }
      />
      <Chosen of={list} none={say(['选择一个活动', 'Choose an activity'])}>
        {row => <ActivityDetail row={row} />}
      </Chosen>
    </ListDetail>
  )
}
