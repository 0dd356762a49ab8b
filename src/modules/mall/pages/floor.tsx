import { InputGroup, Switch } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useDeferredValue, useState } from 'react'
import { floorActions } from '#commands/mall/mall.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import { Board } from '#src/kit/board.tsx'
import { shownOf, skipToken, sourceOf, useRead, useWrite } from '#src/kit/data.ts'
import { Picture } from '#src/kit/image.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { Shelf, usePaging } from '#src/kit/shelf.tsx'
import { Badge } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard, type BoardState } from '#src/kit/useboard.ts'
import { useAction, usePane, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import { floor, type FloorRow, type FloorStore } from '../contract/floor.ts'
import { InMall, lastChange, PlaceBar, usePlace, type Where } from '../parts/place.tsx'
import { Thumb } from '../parts/thumb.tsx'

const actions = Object.values(floorActions)

const FloorBoard = ({
  of,
  set,
  closed,
}: {
  of: BoardState<FloorRow>
  set: string | undefined
  closed: boolean
}) => {
  const say = useSay()
  return (
    <Board
      of={of}
      label={say(['楼层', 'Floors'])}
      labelOf={row => row.name}
      saves={floorActions.sort}
      theirs={set}
      fixed={closed ? say(['商场已关闭', 'The mall is closed']) : undefined}
      dim={row => !row.is_show}
      flags={row => [
        ...(row.is_show ? [] : [{ tone: 'plain' as const, text: say(['已隐藏', 'Hidden']) }]),
        ...(row.map_image ? [] : [{ tone: 'warn' as const, text: say(['无平面图', 'No plan']) }]),
        ...(row.store_count === 0
          ? [{ tone: 'plain' as const, text: say(['无门店', 'No stores']) }]
          : []),
      ]}
      row={row => (
        <div className="ml-line">
          <div>
            <div className="ml-name">
              {row.name} <span className="m-muted">{row.alias}</span>
            </div>
            <div className="ml-meta">
              <span>
                {say(['层号', 'Level'])} <b>{row.level_no}</b>
              </span>
              <span>
                {say(['门店', 'Stores'])} <b>{row.store_count}</b>
              </span>
            </div>
          </div>
        </div>
      )}
      empty={
        <Empty title={say(['还没有楼层', 'No floors yet'])}>
          <p>
            <Keyed
              text={[
                '至少一个展示的楼层，商场才能上线。按 {add} 新增。',
                'A mall needs one shown floor to go online. {add} adds one.',
              ]}
              by={{ add: floorActions.create }}
            />
          </p>
        </Empty>
      }
    />
  )
}
const StoreLine = ({ of }: { of: FloorStore }) => {
  const say = useSay()
  return (
    <div className="ml-line">
      <Thumb of={of.logo} name={of.name} />
      <div>
        <div className="ml-name" title={of.name}>
          {of.name}
        </div>
        <div className="ml-meta">
          <span>{of.door_no || '—'}</span>
          <span>{of.category_name}</span>
          <span>
            {say(['在售', 'On sale'])} <b>{of.on_sale_count}</b>
          </span>
        </div>
      </div>
    </div>
  )
}
/** Stores of the floor in front, or of none, page by page. */
const useStores = ({
  where,
  unplaced,
  shown,
  keyword,
}: {
  where: Where | undefined
  unplaced: boolean
  shown: FloorRow | undefined
  keyword: string
}) => {
  const { turn, ...page } = usePaging(
    JSON.stringify([where?.mid, unplaced, shown?.id, keyword]),
    100,
  )
  const read = useRead(
    floor.stores,
    where && (unplaced || shown)
      ? {
          mid: where.mid,
          floor_id: unplaced ? 0 : shown!.id,
          ...page,
          ...(keyword ? { keyword } : {}),
        }
      : skipToken,
  )
  return {
    read,
    rows: unplaced || shown ? read.data?.list : [],
    paging: { ...page, turn, total: read.data?.total },
  }
}
const StoreShelf = ({
  mid,
  of: { read, rows, paging },
}: {
  mid: number
  of: ReturnType<typeof useStores>
}) => {
  const say = useSay()
  return (
    <Shelf<FloorStore>
      name={`stores:${mid}`}
      label={say(['门店', 'Stores'])}
      of={{ ...sourceOf(read), rows }}
      labelOf={row => row.name}
      dim={row => row.status !== 'open'}
      paging={paging}
      flags={row =>
        row.status === 'open'
          ? []
          : [
              {
                tone: 'warn' as const,
                text: say(storeStates[row.status as keyof typeof storeStates]),
              },
            ]
      }
      row={row => <StoreLine of={row} />}
      empty={<Empty title={say(['这里没有门店', 'No stores here'])} />}
    />
  )
}
const Plan = ({ of }: { of: FloorRow | undefined }) => {
  const say = useSay()
  return (
    <section className="m-column" aria-label={say(['平面图', 'Plan'])}>
      <header>
        <h3>{say(['平面图', 'Plan'])}</h3>
        <span className="m-fill" />
        {of && <span className="ml-count">{of.name}</span>}
      </header>
      <div className="ml-plan">
        {of?.map_image ? (
          <Picture
            of={of.map_image}
            label={say(['{name} 平面图', 'Plan of {name}'], { name: of.name })}
          />
        ) : (
          <p className="m-muted">
            {of ? (
              <Keyed
                text={['还没有平面图，按 {upload} 上传。', 'No plan yet: {upload} uploads one.']}
                by={{ upload: floorActions.uploadMap }}
              />
            ) : (
              say(['选择一个楼层', 'Choose a floor'])
            )}
          </p>
        )}
      </div>
    </section>
  )
}

export default function Floors() {
  const say = useSay()
  const place = usePlace('shop')
  const { where } = place
  const { run } = useWorkbench()
  const { stage, id } = usePane()
  const subject = useStageSubject(stage)
  const [typed, setTyped] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const [unplaced, setUnplaced] = useState(false)
  const read = useRead(floor.lst, where ? { mid: where.mid } : skipToken)
  const data = shownOf(read)
  const [sort] = useWrite(floor.sort)
  const board = useBoard<FloorRow>({
    name: `floor:${where?.mid ?? ''}`,
    ...sourceOf(read),
    save: (order, list_version) => sort({ mid: where!.mid, order, list_version }),
  })
  const shown = board.rows?.find(row => row.id === board.focused)
  const stores = useStores({ where, unplaced, shown, keyword })
  useAction(floorActions.sort, () => void board.save())
  useAction(floorActions.create, () => {
    if (where) void run(floorActions.create, [], { pane: id, asked: { mid: where.mid } })
  })
  const closed = data?.mall_status === 'closed'
  const set = lastChange(data)
  const storesTitle = shown
    ? say(['{name} 的门店', 'Stores on {name}'], { name: shown.name })
    : say(['门店', 'Stores'])
  return (
    <div className="ml-page-of">
      <PlaceBar of={place}>
        <InputGroup
          size="small"
          leftIcon={<Search />}
          placeholder={say(['搜索门店', 'Search stores'])}
          aria-label={say(['搜索门店', 'Search stores'])}
          value={typed}
          maxLength={40}
          style={{ width: 160 }}
          onValueChange={setTyped}
        />
        <Switch
          inline
          style={{ margin: 0 }}
          checked={unplaced}
          label={say(['未分配楼层的门店（{n}）', 'Stores without a floor ({n})'], {
            n: data?.no_floor_store_count ?? 0,
          })}
          onChange={event => setUnplaced(event.currentTarget.checked)}
        />
      </PlaceBar>
      <Toolbar actions={actions} rows={subject.rows} plain={board.dirty}>
        {closed && <Badge tone="warn">{say(['商场已关闭，只读', 'Closed: read-only'])}</Badge>}
      </Toolbar>
      <InMall of={place} read={{ ...read, data }}>
        {where => (
          <div className="ml-body">
            <Columns
              widths="minmax(260px, 1fr) minmax(300px, 1.3fr) minmax(220px, 300px)"
              first="floors"
            >
              <Column
                name="floors"
                title={say(['楼层', 'Floors'])}
                aside={set && <span className="ml-count">{set}</span>}
              >
                <FloorBoard of={board} set={set} closed={closed} />
              </Column>
              <Column
                name="stores"
                title={unplaced ? say(['未分配楼层', 'Without a floor']) : storesTitle}
                aside={<span className="ml-count">{stores.paging.total ?? ''}</span>}
              >
                <StoreShelf mid={where.mid} of={stores} />
              </Column>
              <Plan of={shown} />
            </Columns>
          </div>
        )}
      </InMall>
    </div>
  )
}
