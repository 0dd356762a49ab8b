import {
  BranchChoice,
  Choice,
  FilterBar,
  FilterButton,
  Keyword,
  useFilters,
} from '#src/kit/filters.tsx'
import { RangeFilter } from '#src/kit/range-filter.tsx'
import type { ListState } from '#src/kit/uselist.ts'
import { Filtered } from '../frame.tsx'
import type { Specimen } from '../specimen.ts'

const words = { on: ['在售', 'On sale'], off: ['停售', 'Not on sale'] } as const
const branches = [
  { id: 1, level: 1, name: '美食' },
  { id: 2, level: 2, name: '火锅' },
  { id: 3, level: 1, name: '丽人' },
]
const Folding = ({ of }: { of: ListState<unknown> }) => {
  const folding = useFilters()
  const list = { ...of, inputOf: () => ({}) }
  return (
    <div className="m-list">
      <FilterBar of={folding}>
        <Keyword of={of} placeholder="名称" />
        <RangeFilter
          asked="100-200"
          rangeOf={typed => (/^\d+-\d+$/.test(typed) ? typed : undefined)}
          send={() => undefined}
          label={['积分，如 100-200', 'Points: 100-200']}
          fault={['写法如 100-200', 'Such as 100-200']}
        />
        <Choice of={of} by="state" label="状态" words={words} />
      </FilterBar>
      <div className="m-toolbar">
        <FilterButton of={folding} list={list} />
      </div>
    </div>
  )
}
export const specimen: Specimen = {
  part: 'filters',
  title: ['筛选栏', 'Filters of a list'],
  states: [
    {
      name: ['放得下', 'With room'],
      height: 140,
      draw: () => <Filtered>{of => <Folding of={of} />}</Filtered>,
    },
    {
      name: ['树中一项', 'A node of a tree'],
      draw: () => (
        <Filtered first={{ category_id: 2 }}>
          {of => <BranchChoice of={of} by="category_id" label="分类" nodes={branches} />}
        </Filtered>
      ),
    },
    {
      name: ['窄，已用一项', 'Narrow, one is set'],
      height: 140,
      draw: () => (
        <div style={{ width: 320, height: '100%' }}>
          <Filtered first={{ state: 'on' }}>{of => <Folding of={of} />}</Filtered>
        </div>
      ),
    },
  ],
}
