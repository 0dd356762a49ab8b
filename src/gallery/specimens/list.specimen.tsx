import { Button } from '@blueprintjs/core'
import {
  numberColumn,
  onOff,
  stateColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#src/kit/cells.tsx'
import { Choice, Keyword, Named, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { add, denied, edit, refuse, turnOff } from '../actions.ts'
import { lists } from '../answers.ts'
import { Filtered } from '../frame.tsx'
import type { Row } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const words = { on: ['在售', 'On sale'], off: ['停售', 'Not on sale'] } as const
const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['名称', 'Name'], 200), sort: 'name' },
  stateColumn('state', ['状态', 'State'], 80, onOff),
  { ...wordColumn('state', ['售卖', 'Sale'], 90, words), key: 'sale' },
  numberColumn('count', ['数量', 'Count'], 80),
  timeColumn('at', ['时间', 'At'], 140),
]
const actions = [add, edit, refuse, turnOff]
const tabs = {
  by: 'state',
  all: [
    { key: '', title: ['全部', 'All'], count: 60 },
    { key: 'on', title: ['启用', 'On'], count: 40 },
  ],
} as const
const filters = (of: ListState<Row>) => (
  <>
    <Keyword of={of} placeholder="名称" />
    <Choice of={of} by="state" label="状态" words={words} />
    <Toggle of={of} by="only" label="只看我的" />
  </>
)
/** A list whose call is answered as its name says; `selects` ticks its first rows. */
const Full = ({ call, selects = 0 }: { call: (typeof lists)['full']; selects?: number }) => {
  const of = useList(call)
  const chosen = of.rows.slice(0, selects)
  const shown =
    selects > 0 && of.selected.size === 0
      ? { ...of, selected: new Map(chosen.map(row => [row.id, row])) }
      : of
  return (
    <List
      of={shown as ListState<Row>}
      label="商品"
      columns={columns}
      actions={actions}
      tabs={tabs}
      filters={filters(of)}
      empty={
        <Empty title="还没有商品">
          <Button size="small">新增</Button>
        </Empty>
      }
    />
  )
}
const Denied = () => (
  <List of={useList(lists.denied)} label="商品" columns={columns} actions={[denied]} />
)
const state = (zh: string, en: string, call: (typeof lists)['full'], selects = 0) =>
  ({ name: [zh, en], height: 340, draw: () => <Full call={call} selects={selects} /> }) as const
export const specimen: Specimen = {
  part: 'list',
  title: ['列表', 'A list'],
  states: [
    state('满', 'Full', lists.full),
    state('已选三行', 'Three rows selected', lists.full, 3),
    state('长名称', 'Long names', lists.long),
    state('空', 'Empty', lists.empty),
    state('加载中', 'Loading', lists.loading),
    state('加载失败', 'Failed', lists.failing),
    state('连接中断', 'Connection lost', lists.lost),
    { name: ['没有权限', 'No permission'], height: 340, draw: () => <Denied /> },
    {
      name: ['带名的筛选', 'A named filter'],
      draw: () => (
        <Filtered>
          {of => (
            <Named label="状态">
              <Choice of={of} by="state" label="状态" words={words} always />
            </Named>
          )}
        </Filtered>
      ),
    },
  ],
}
