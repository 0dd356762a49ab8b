import { InputGroup, SegmentedControl, Switch } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useDeferredValue, useState } from 'react'
import { facilityActions as actions } from '#commands/shop/facility.ts'
import {
  facilityGroups,
  facilityScopes,
  mayHave,
  type FacilityHolder,
} from '#src/areas/merchant/facility.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import { Board } from '#src/kit/board.tsx'
import { skipToken, sourceOf, useRead, useWrite } from '#src/kit/data.ts'
import { Thumb } from '#src/kit/image.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Shelf, usePaging } from '#src/kit/shelf.tsx'
import { Empty, Failed } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import { useAction, usePane, useResult, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import { shopFacility as calls, type FacilityRow, type HolderRow } from '../contract/facility.ts'
import '../parts/facility.css'

const all = Object.values(actions)
const Line = ({ of }: { of: FacilityRow }) => {
  const say = useSay()
  return (
    <div className="sf-line">
      <Thumb of={of.icon} />
      <div>
        <div className="sf-name">{of.name}</div>
        <div className="sf-meta">
          <span>{say(facilityGroups[of.group])}</span>
          <span>{say(facilityScopes[of.scope])}</span>
          {mayHave(of.scope, 'store') && (
            <span>
              {say(['门店', 'Stores'])} <b>{of.store_count}</b>
            </span>
          )}
          {mayHave(of.scope, 'mall') && (
            <span>
              {say(['商场', 'Malls'])} <b>{of.mall_count}</b>
            </span>
          )}
        </div>
      </div>
    </div>
  )
}
/** Which of the stores and malls beside are shown: those that have the facility, or the others. */
const useHolders = (shown: FacilityRow | undefined) => {
  const [wanted, setOf] = usePaneState<FacilityHolder>('of', 'store')
  const [marked, setMarked] = usePaneState('marked', true)
  const [typed, setTyped] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const isNotIts = shown !== undefined && !mayHave(shown.scope, wanted)
  const other = wanted === 'store' ? 'mall' : 'store'
  const of = isNotIts ? other : wanted
  const { turn, ...page } = usePaging(JSON.stringify([shown?.id, of, marked, keyword]), 100)
  const read = useRead(
    calls.holders,
    shown ? { facility_id: shown.id, of, marked, ...page, ...(keyword && { keyword }) } : skipToken,
  )
  return { of, setOf, marked, setMarked, typed, setTyped, read, paging: { ...page, turn } }
}
type Holders = ReturnType<typeof useHolders>
const Bar = ({ of, scope }: { of: Holders; scope: FacilityRow['scope'] | undefined }) => {
  const say = useSay()
  return (
    <>
      {scope === 'both' && (
        <SegmentedControl
          size="small"
          options={[
            { label: say(['门店', 'Stores']), value: 'store' },
            { label: say(['商场', 'Malls']), value: 'mall' },
          ]}
          value={of.of}
          onValueChange={value => of.setOf(value as FacilityHolder)}
        />
      )}
      <InputGroup
        size="small"
        leftIcon={<Search />}
        placeholder={say(['搜索名称', 'Search names'])}
        aria-label={say(['搜索门店或商场', 'Search stores or malls'])}
        value={of.typed}
        maxLength={40}
        onValueChange={of.setTyped}
      />
      <Switch
        inline
        className="sf-switch"
        checked={!of.marked}
        label={say(['只看未标注', 'Unmarked only'])}
        onChange={event => of.setMarked(!event.currentTarget.checked)}
      />
    </>
  )
}
const HolderColumn = ({ shown }: { shown: FacilityRow | undefined }) => {
  const say = useSay()
  const holders = useHolders(shown)
  const { read, of, marked, paging } = holders
  const words = of === 'store' ? (['门店', 'Stores'] as const) : (['商场', 'Malls'] as const)
  const title = shown
    ? say(
        marked
          ? ['{name}：已标注的{of}', '{of} with {name}']
          : ['{name}：未标注的{of}', '{of} without {name}'],
        {
          name: shown.name,
          of: say(words),
        },
      )
    : say(words)
  return (
    <Column
      name="holders"
      title={title}
      aside={<span className="m-muted">{read.data?.total ?? ''}</span>}
      bar={<Bar of={holders} scope={shown?.scope} />}
    >
      <Shelf<HolderRow>
        name="holders"
        label={title}
        of={{ ...sourceOf(read), rows: shown ? read.data?.list : [] }}
        labelOf={row => row.name}
        paging={{ ...paging, total: read.data?.total }}
        row={row => (
          <div className="sf-holder">
            <span className="sf-name">{row.name}</span>
            <span className="m-muted">{row.place}</span>
          </div>
        )}
        empty={
          <Empty
            title={
              shown
                ? say(['这里没有{of}', 'No {of} here'], { of: say(words) })
                : say(['选择一个设施', 'Choose a facility'])
            }
          />
        }
      />
    </Column>
  )
}
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(actions.merge, ({ moved, had }) => {
    toast(
      say(['已合并：{n} 处改为目标设施，{m} 处原已有', 'Merged: {n} moved, {m} already had it'], {
        n: moved,
        m: had,
      }),
      'success',
    )
    return true
  })
}

/** What stores and malls offer besides, in the order of the filter, and who has it. */
export default function Facilities() {
  const say = useSay()
  const { stage } = usePane()
  const subject = useStageSubject(stage)
  const read = useRead(calls.lst, {})
  const [sort] = useWrite(calls.sort)
  const board = useBoard<FacilityRow>({
    name: 'facility',
    ...sourceOf(read),
    save: (order, list_version) => sort({ order, list_version }),
  })
  useAction(actions.sort, () => void board.save())
  useTold()
  if (read.error && !read.data) return <Failed error={read.error} retry={read.refetch} />
  return (
    <div className="sf-page">
      <Toolbar actions={all} rows={subject.rows} plain={board.dirty} />
      <Columns widths="minmax(320px, 1.2fr) minmax(280px, 1fr)" first="facilities">
        <Column
          name="facilities"
          title={say(['设施', 'Facilities'])}
          aside={<span className="m-muted">{board.rows?.length ?? ''}</span>}
        >
          <Board
            of={board}
            label={say(['设施', 'Facilities'])}
            labelOf={row => row.name}
            saves={actions.sort}
            dim={row => row.status === 'off'}
            flags={row =>
              row.status === 'off' ? [{ tone: 'plain', text: say(['已隐藏', 'Hidden']) }] : []
            }
            row={row => <Line of={row} />}
            empty={<Empty title={say(['还没有设施', 'No facilities yet'])} />}
          />
        </Column>
        <HolderColumn shown={board.rows?.find(row => row.id === board.focused)} />
      </Columns>
    </div>
  )
}
