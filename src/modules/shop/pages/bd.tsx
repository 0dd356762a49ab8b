import { BanCircle as Ban, Tick, WarningSign } from '@blueprintjs/icons'
import { bdActions as actions } from '#commands/shop/bd.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { bdStates, reached, type BdState } from '#src/areas/merchant/bd.ts'
import { percent } from '#src/domain/money.ts'
import { dateOf } from '#src/domain/time.ts'
import {
  SmallTable,
  State,
  stateColumn,
  textColumn,
  numberColumn,
  timeColumn,
  type States,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { CityFilter } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Money, Section, Span } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { Tabs } from '#src/kit/tabs.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { shopBd as calls, type BdRow, type BdStoreRow } from '../contract/bd.ts'

const states: States<BdState> = {
  owned: { text: bdStates.owned, tone: 'good', icon: Tick },
  left: { text: bdStates.left, tone: 'bad', icon: Ban },
  none: { text: bdStates.none, tone: 'warn', icon: WarningSign },
}
/** How far a person is with their target. */
const Reached = ({ row }: { row: BdRow }) => {
  const bp =
    row.gmv_cents === undefined ? undefined : reached(row.gmv_cents, row.gmv_target_cents ?? null)
  return bp === undefined ? <span className="m-muted">—</span> : percent(bp)
}
const Name = ({ row }: { row: BdRow }) => {
  const say = useSay()
  return (
    <>
      {row.name} {!row.active && <Badge tone="bad">{say(['已停用', 'Disabled'])}</Badge>}
    </>
  )
}
const peopleColumns: readonly Column<BdRow>[] = [
  {
    key: 'name',
    title: ['BD', 'BD'],
    width: 140,
    cell: row => <Name row={row} />,
    words: row => row.name,
    grow: true,
  },
  numberColumn('stores', ['门店', 'Stores'], 72),
  numberColumn('open_stores', ['营业中', 'Open'], 72),
  numberColumn('merchants', ['商户', 'Merchants'], 72),
  {
    key: 'gmv',
    title: ['本月成交额', 'Sales this month'],
    width: 120,
    align: 'end',
    cell: row => <Money cents={row.gmv_cents} />,
  },
  {
    key: 'target',
    title: ['本月目标', 'Target'],
    width: 120,
    align: 'end',
    cell: row => (row.gmv_target_cents == null ? '—' : <Money cents={row.gmv_target_cents} />),
  },
  {
    key: 'reached',
    title: ['达成率', 'Achieved'],
    width: 76,
    align: 'end',
    cell: row => <Reached row={row} />,
  },
  {
    key: 'new_stores',
    title: ['本月新开', 'New this month'],
    width: 84,
    align: 'end',
    cell: row =>
      `${row.new_stores}${row.new_store_target == null ? '' : ` / ${row.new_store_target}`}`,
  },
  numberColumn('contracts_ending', ['合同将到期', 'Contracts ending'], 92),
]
const storeColumns: readonly Column<BdStoreRow>[] = [
  { ...textColumn('name', ['门店', 'Store'], 180), grow: true },
  textColumn('bd_name', ['BD', 'BD'], 84),
  stateColumn('bd_state', ['归属', 'BD status'], 108, states),
  { ...textColumn('merchant_name', ['商户', 'Merchant'], 160), grow: true },
  textColumn('city_name', ['城市', 'City'], 64),
  textColumn('mall_name', ['商场', 'Mall'], 120),
  {
    key: 'status',
    title: ['门店状态', 'State'],
    width: 84,
    cell: row => <StoreState of={row.status} />,
  },
  timeColumn('since_at', ['起始时间', 'Since'], 140),
]
const StoreState = ({ of }: { of: BdStoreRow['status'] }) => useSay()(storeStates[of])

/** What changed hands of a store or of a person, the newest first. */
const History = ({
  of,
  store,
}: {
  of: { store_id: number } | { admin_id: number }
  store: boolean
}) => {
  const say = useSay()
  const read = useRead(calls.history, { ...of, page: 1, pageSize: 20 })
  return (
    <Section title={say(['移交记录', 'Handover records'])}>
      <Answer of={read} none={say(['还没有记录', 'No records yet'])}>
        {({ list }) => (
          <SmallTable
            head={[
              store ? ['BD', 'BD'] : ['门店', 'Store'],
              ['期间', 'Period'],
              ['原因', 'Reason'],
            ]}
            rows={list}
            keyOf={row => row.id}
            cells={row => [
              store ? row.bd_name : row.store_name,
              row.end_at === null ? (
                say(['{day} 至今', 'Since {day}'], { day: dateOf(row.start_at) })
              ) : (
                <Span from={row.start_at} to={row.end_at} />
              ),
              row.reason || '—',
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
const PersonDetail = ({ row }: { row: BdRow }) => {
  const say = useSay()
  return (
    <Inspector
      title={row.name}
      aside={!row.active && <Badge tone="bad">{say(['已停用', 'Disabled'])}</Badge>}
    >
      <Section title={say(['本月', 'This month'])}>
        <Facts>
          <Fact label={say(['成交额', 'Sales'])}>
            <Money cents={row.gmv_cents} sign />
          </Fact>
          <Fact label={say(['达成率', 'Achieved'])}>
            <Reached row={row} />
          </Fact>
          <Fact label={say(['新开门店', 'New stores'])}>{row.new_stores}</Fact>
          <Fact label={say(['合同将到期', 'Contracts ending'])}>{row.contracts_ending}</Fact>
          <Fact wide label={say(['口径', 'Basis'])}>
            {say([
              '支付时归其管辖的门店的实付减退款',
              'Paid less refunds, for stores assigned to them at payment',
            ])}
          </Fact>
        </Facts>
      </Section>
      <History of={{ admin_id: row.id }} store={false} />
    </Inspector>
  )
}
const StoreDetail = ({ row }: { row: BdStoreRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.name} aside={<State of={row.bd_state} in={states} />}>
      <Section title={say(['门店', 'Store'])}>
        <Facts>
          <Fact label={say(['门店号', 'Number'])}>{row.store_no}</Fact>
          <Fact label={say(['状态', 'State'])}>
            <StoreState of={row.status} />
          </Fact>
          <Fact wide label={say(['商户', 'Merchant'])}>
            {row.merchant_name}
          </Fact>
          <Fact wide label={say(['位置', 'Location'])}>
            {[row.city_name, row.mall_name].filter(Boolean).join(' · ')}
          </Fact>
        </Facts>
      </Section>
      <History of={{ store_id: row.id }} store />
    </Inspector>
  )
}

const People = () => {
  const say = useSay()
  const list = useList(calls.lst)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['BD', 'BDs'])}
        columns={peopleColumns}
        actions={[actions.handover, actions.setTarget]}
        filters={<Keyword of={list} placeholder={say(['姓名或账号', 'Name or account'])} />}
      />
      <Chosen of={list} none={say(['选择一位 BD', 'Choose a BD'])}>
        {row => <PersonDetail row={row} />}
      </Chosen>
    </ListDetail>
  )
}
/** All that there are: their names are a filter, and the number of orphans stands beside. */
const everybody = { page: 1, pageSize: 200 }
const Stores = () => {
  const say = useSay()
  const list = useList(calls.stores)
  const people = useRead(calls.lst, everybody).data
  useExport(actions.export, calls.export, { list })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['门店归属', 'Stores'])}
        columns={storeColumns}
        actions={[actions.assign, actions.claimOrphan, actions.export]}
        tabs={{
          by: 'bd_state',
          all: [
            { key: '', title: ['全部', 'All'] },
            { key: 'owned', title: bdStates.owned },
            {
              key: 'orphan',
              title: ['无主', 'Unassigned'],
              ...(people && { count: people.orphans }),
            },
          ],
        }}
        filters={
          <>
            <Keyword of={list} placeholder={say(['门店名称', 'Name of a store'])} />
            <CityFilter of={list} />
            <Choice
              of={list}
              by="admin_id"
              label={say(['BD', 'BD'])}
              options={(people?.list ?? []).map(one => ({ value: one.id, label: one.name }))}
            />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一家门店', 'Choose a store'])}>
        {row => <StoreDetail row={row} />}
      </Chosen>
    </ListDetail>
  )
}

/** The stores and merchants that people look after: by person, and by store. */
export default function BdAssignments() {
  const say = useSay()
  const { toast } = useWorkbench()
  const [view, turnTo] = usePaneState<'people' | 'stores'>('view', 'people')
  const orphans = useRead(calls.lst, everybody).data?.orphans ?? 0
  useResult(actions.handover, ({ stores, merchants }) => {
    toast(
      say(['已移交 {n} 家门店、{m} 个商户', 'Handed over {n} stores and {m} merchants'], {
        n: stores,
        m: merchants,
      }),
      'success',
    )
    return true
  })
  return (
    <div className="m-list">
      <Tabs
        label={say(['按人或按门店', 'By person or by store'])}
        at={view}
        go={turnTo}
        all={[
          { key: 'people', title: say(['按人', 'By person']) },
          {
            key: 'stores',
            title: (
              <>
                {say(['按门店', 'By store'])}{' '}
                {orphans > 0 && (
                  <Badge tone="warn">{say(['无主 {n}', '{n} unassigned'], { n: orphans })}</Badge>
                )}
              </>
            ),
          },
        ]}
      />
      {view === 'people' ? <People /> : <Stores />}
    </div>
  )
}
