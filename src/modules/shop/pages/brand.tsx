import { InputGroup, SegmentedControl } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useDeferredValue, useState, type DragEvent } from 'react'
import { storeBrandActions as actions } from '#commands/shop/brand.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import type { Flag } from '#src/kit/board-rows.tsx'
import { sourceOf, useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Thumb } from '#src/kit/image.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Shelf, usePaging } from '#src/kit/shelf.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { usePane, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import {
  mappedShows,
  shopBrand as calls,
  type MappedBrand,
  type MappedStore,
} from '../contract/brand.ts'
import '../parts/facility.css'
import '../parts/storeBrands.css'

const all = Object.values(actions)
const PAGE = 50
/** What a dragged store is called among what the browser carries. */
const CARRIED = 'application/x-mallet-store'
type Show = (typeof mappedShows)[number]
/** Something typed to search by, settled. */
const useTyped = () => {
  const [typed, setTyped] = useState('')
  return { typed, setTyped, keyword: useDeferredValue(typed.trim()) }
}
const SearchBox = ({
  of: { typed, setTyped },
  label,
}: {
  of: ReturnType<typeof useTyped>
  label: string
}) => (
  <InputGroup
    size="small"
    leftIcon={<Search />}
    placeholder={label}
    aria-label={label}
    value={typed}
    maxLength={40}
    onValueChange={setTyped}
  />
)

/** A brand, on which dragged stores are let go to give them to it. */
const BrandLine = ({
  of,
  drop,
}: {
  of: MappedBrand
  drop: (stores: readonly number[]) => void
}) => {
  const say = useSay()
  const [over, setOver] = useState(false)
  const carries = (event: DragEvent) => event.dataTransfer.types.includes(CARRIED)
  return (
    <div
      className="sf-line sb-brand"
      data-over={over || undefined}
      onDragOver={event => {
        if (!carries(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        setOver(false)
        if (carries(event)) drop(JSON.parse(event.dataTransfer.getData(CARRIED)) as number[])
      }}
    >
      <Thumb of={of.logo} />
      <div>
        <div className="sf-name">
          {of.name} {of.en_name && <span className="m-muted">{of.en_name}</span>}
        </div>
        <div className="sf-meta">
          <span>
            {say(['门店', 'Stores'])} <b>{of.stores}</b>
          </span>
          {of.suggested > 0 && (
            <span>
              {say(['建议', 'Suggested'])} <b>{of.suggested}</b>
            </span>
          )}
          <span>{of.company}</span>
        </div>
      </div>
    </div>
  )
}
const Brands = ({
  choose,
  drop,
}: {
  choose: (id: number) => void
  drop: (brand: MappedBrand, stores: readonly number[]) => void
}) => {
  const say = useSay()
  const search = useTyped()
  const { turn, ...page } = usePaging(search.keyword, PAGE)
  const read = useRead(calls.brands, {
    ...page,
    ...(search.keyword && { keyword: search.keyword }),
  })
  return (
    <Column
      name="brands"
      title={say(['品牌', 'Brands'])}
      aside={<span className="m-muted m-num">{read.data?.total ?? ''}</span>}
      bar={<SearchBox of={search} label={say(['品牌名称', 'Name of a brand'])} />}
    >
      <Shelf<MappedBrand>
        name="brands"
        label={say(['品牌', 'Brands'])}
        of={sourceOf(read)}
        labelOf={row => row.name}
        paging={{ ...page, turn, total: read.data?.total }}
        onFocused={choose}
        row={row => <BrandLine of={row} drop={ids => drop(row, ids)} />}
        empty={<Empty title={say(['没有品牌', 'No brands'])} />}
      />
    </Column>
  )
}

/** A store, its place, and the brand that it has or may have; it can be dragged onto a brand. */
const StoreLine = ({ of, carried }: { of: MappedStore; carried: readonly number[] }) => {
  const say = useSay()
  return (
    <div
      className="sf-line"
      draggable
      onDragStart={event => {
        event.dataTransfer.setData(CARRIED, JSON.stringify(carried))
        event.dataTransfer.effectAllowed = 'link'
      }}
    >
      <div>
        <div className="sf-name" title={of.name}>
          {of.name}
        </div>
        <div className="sf-meta">
          <span>{of.merchant_name}</span>
          <span>{[of.city_name, of.mall_name].filter(Boolean).join(' · ')}</span>
          {of.brand && (
            <span>
              {say(['品牌', 'Brand'])} <b>{of.brand.name}</b>
            </span>
          )}
        </div>
      </div>
    </div>
  )
}
const useFlags = () => {
  const say = useSay()
  return ({ status, brand, suggestion }: MappedStore): readonly Flag[] => [
    ...(status === 'open' ? [] : [{ tone: 'plain' as const, text: say(storeStates[status]) }]),
    ...(brand && !brand.is_on
      ? [{ tone: 'warn' as const, text: say(['品牌已停用', 'Brand is off']) }]
      : []),
    ...(suggestion
      ? [
          {
            tone: 'info' as const,
            text: `${suggestion.name} ${suggestion.percent}%`,
            title: say(['建议归属，采纳后才生效', 'Suggested; takes effect once accepted']),
          },
        ]
      : []),
  ]
}
const useStores = (brand_id: number | undefined) => {
  const [show, setShow] = usePaneState<Show>('show', 'free')
  const search = useTyped()
  const of = show === 'bound' ? brand_id : undefined
  const { turn, ...page } = usePaging(JSON.stringify([show, of, search.keyword]), PAGE)
  const filters = {
    show,
    ...(brand_id && { brand_id }),
    ...(search.keyword && { keyword: search.keyword }),
  }
  const read = useRead(calls.stores, { ...filters, ...page })
  return { show, setShow, search, read, filters, paging: { ...page, turn } }
}
type Stores = ReturnType<typeof useStores>
const StoresColumn = ({
  of: { show, setShow, search, read, paging },
  carried,
}: {
  of: Stores
  carried: readonly number[]
}) => {
  const say = useSay()
  const flags = useFlags()
  const counts = useRead(calls.counts, {}).data
  const chosen = read.data?.list[0]?.chosen?.name
  const labels: Record<Show, string> = {
    free: say(['无品牌 {n}', '{n} without a brand'], { n: counts?.free ?? '' }),
    suggested: say(['有建议 {n}', '{n} suggested'], { n: counts?.suggested ?? '' }),
    bound: say(['该品牌', 'This brand']),
  }
  const title =
    show === 'bound' && chosen
      ? say(['{name}的门店', 'Stores of {name}'], { name: chosen })
      : say(['门店', 'Stores'])
  return (
    <Column
      name="stores"
      title={title}
      aside={<span className="m-muted m-num">{read.data?.total ?? ''}</span>}
      bar={
        <>
          <SegmentedControl
            size="small"
            options={mappedShows.map(value => ({ value, label: labels[value] }))}
            value={show}
            onValueChange={value => setShow(value as Show)}
          />
          <SearchBox of={search} label={say(['门店名称或编号', 'Store or number'])} />
        </>
      }
    >
      <Shelf<MappedStore>
        name="stores"
        label={say(['门店', 'Stores'])}
        of={sourceOf(read)}
        labelOf={row => row.name}
        paging={{ ...paging, total: read.data?.total }}
        flags={flags}
        dim={row => row.status !== 'open'}
        row={row => <StoreLine of={row} carried={carried.includes(row.id) ? carried : [row.id]} />}
        empty={
          <Empty
            title={
              show === 'bound'
                ? say(['该品牌还没有门店', 'The brand has no stores yet'])
                : say(['没有这样的门店', 'No matching stores'])
            }
          />
        }
      />
    </Column>
  )
}

/** Which store is of which brand: brands left, stores right, with suggestions by their names. */
export default function StoreBrands() {
  const { run } = useWorkbench()
  const { stage, id: pane } = usePane()
  const subject = useStageSubject(stage)
  const [brand_id, choose] = usePaneState<number | undefined>('brand', undefined)
  const stores = useStores(brand_id)
  const { show, filters } = stores
  useExport(actions.export, calls.export, {
    filters: () => ({ ...filters, show: show === 'bound' ? 'bound' : 'free' }),
  })
  const carried = subject.rows.map(row => row.id)
  const drop = (of: MappedBrand, ids: readonly number[]) => {
    const rows = stores.read.data?.list.filter(row => ids.includes(row.id)) ?? []
    void run(actions.bind, rows, { pane, asked: { brand_id: of.id } })
  }
  return (
    <div className="sf-page">
      <Toolbar actions={all} rows={subject.rows} />
      <Columns widths="minmax(280px, 1fr) minmax(360px, 1.4fr)" first="stores">
        <Brands choose={choose} drop={drop} />
        <StoresColumn of={stores} carried={carried} />
      </Columns>
    </div>
  )
}
