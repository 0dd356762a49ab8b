import { HTMLSelect, InputGroup } from '@blueprintjs/core'
import { Pin, Search } from '@blueprintjs/icons'
import { useDeferredValue, useMemo, useState } from 'react'
import { useDispatch } from 'react-redux'
import type { Action } from '#commands/command.ts'
import { wallActions as actions, type WallGiven } from '#commands/config/categoryBrands.ts'
import { one } from '#commands/record.ts'
import { PINNED_MOST, tileFaults, WALL_MOST } from '#src/areas/brandWall/brandWall.ts'
import { semicolon } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import type { Flag } from '#src/kit/board-rows.tsx'
import { Board } from '#src/kit/board.tsx'
import { dispatchRead, shownOf, skipToken, sourceOf, useRead, useWrite } from '#src/kit/data.ts'
import { Thumb } from '#src/kit/image.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Phone } from '#src/kit/phone.tsx'
import { useCities } from '#src/kit/places.tsx'
import { Shelf, usePaging } from '#src/kit/shelf.tsx'
import { Badge, When } from '#src/kit/show.tsx'
import { Empty, Failed } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import { useAction, usePane, useResult, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import {
  categoryBrands as calls,
  type TileRow,
  type WallCandidate,
  type WallCategory,
} from '../../contract/categoryBrands.ts'
import '../../parts/wall.css'

const all = Object.values(actions)
const CANDIDATES = 50
/** The same list each time: another one would be drawn anew for ever. */
const NONE: never[] = []

const Line = ({ of, children }: { of: TileRow | WallCandidate; children: React.ReactNode }) => (
  <div className="cw-line">
    <Thumb of={of.logo} />
    <div>
      <div className="cw-name">
        {of.name} {of.en_name && <span className="m-muted">{of.en_name}</span>}
      </div>
      <div className="cw-meta">{children}</div>
    </div>
  </div>
)
const Goods = ({ n }: { n: number }) => (
  <span>
    {useSay()(['在售', 'On sale'])} <b>{n}</b>
  </span>
)
const Tile = ({ of }: { of: TileRow }) => {
  const say = useSay()
  return (
    <Line of={of}>
      <Goods n={of.goods} />
      <span>
        {say(['7 天点击', 'Clicks, 7 d'])} <b>{of.clicks_7d}</b>
      </span>
      {(of.start_at !== null || of.end_at !== null) && (
        <span>
          {of.start_at === null ? say(['即日', 'Now']) : dateOf(of.start_at)} –{' '}
          {of.end_at === null ? say(['长期', 'no end date']) : dateOf(of.end_at)}
        </span>
      )}
    </Line>
  )
}
const useFlags = () => {
  const say = useSay()
  return (of: TileRow): readonly Flag[] => [
    ...(of.is_pinned && of.pinned_until !== null
      ? [
          {
            tone: 'info' as const,
            text: say(['置顶至 {at}', 'Pinned to {at}'], { at: dateOf(of.pinned_until).slice(5) }),
          },
        ]
      : []),
    ...(of.fault ? [{ tone: 'bad' as const, text: say(tileFaults[of.fault]) }] : []),
  ]
}

/** Chooses whose wall is arranged: the country's, or a city's own. */
const CityChoice = ({ city, choose }: { city: number; choose: (city: number) => void }) => {
  const say = useSay()
  const { data = [] } = useCities()
  return (
    <HTMLSelect
      aria-label={say(['城市', 'City'])}
      value={city}
      options={[
        { value: 0, label: say(['全国', 'Nationwide']) },
        ...data.map(one => ({ value: one.id, label: one.city_name })),
      ]}
      onChange={event => choose(Number(event.currentTarget.value))}
    />
  )
}
const Finder = ({
  label,
  typed,
  type,
}: {
  label: string
  typed: string
  type: (typed: string) => void
}) => (
  <InputGroup
    size="small"
    leftIcon={<Search />}
    placeholder={label}
    aria-label={label}
    value={typed}
    maxLength={40}
    onValueChange={type}
  />
)

type Where = { category_id: number; city_id?: number }
const Categories = ({ city, onFocused }: { city: number; onFocused: (of: number) => void }) => {
  const say = useSay()
  const [typed, type] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const read = useRead(calls.categories, city ? { city_id: city } : {})
  const rows = useMemo(
    () => read.data?.list.filter(row => row.name.includes(keyword)),
    [read.data, keyword],
  )
  return (
    <Column
      name="categories"
      title={say(['分类', 'Categories'])}
      bar={<Finder label={say(['搜索分类', 'Search categories'])} typed={typed} type={type} />}
    >
      <Shelf<WallCategory>
        name="categories"
        label={say(['分类', 'Categories'])}
        of={{ rows, error: read.error, refetch: read.refetch }}
        labelOf={row => row.name}
        onFocused={onFocused}
        dim={row => !row.is_shown}
        flags={row =>
          row.gone > 0
            ? [{ tone: 'bad', text: say(['{n} 失效', '{n} unavailable'], { n: row.gone }) }]
            : []
        }
        row={row => (
          <div className="cw-category" style={{ paddingInlineStart: (row.level - 1) * 12 }}>
            <span className="cw-name" title={row.name}>
              {row.name.split(/[/›>]/).at(-1)!.trim()}
            </span>
            <span>
              {row.tiles || '—'}
              {row.tiles > 0 && !row.is_published && ` ${say(['未发布', 'not published'])}`}
            </span>
          </div>
        )}
        empty={<Empty title={say(['没有符合的分类', 'No such category'])} />}
      />
    </Column>
  )
}
const Candidates = ({ where }: { where: Where | undefined }) => {
  const say = useSay()
  const [typed, type] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const { turn, ...page } = usePaging(JSON.stringify([where, keyword]), CANDIDATES)
  const read = useRead(
    calls.candidates,
    where ? { ...where, ...page, ...(keyword && { keyword }) } : skipToken,
  )
  const title = say(['可添加的品牌（按销量）', 'Brands to add, best sellers first'])
  return (
    <Column
      name="candidates"
      title={title}
      aside={<span className="m-muted">{read.data?.total ?? ''}</span>}
      bar={<Finder label={say(['搜索品牌', 'Search brands'])} typed={typed} type={type} />}
    >
      <Shelf<WallCandidate>
        name="candidates"
        label={title}
        of={{ ...sourceOf(read), rows: where ? read.data?.list : NONE }}
        labelOf={row => row.name}
        paging={{ ...page, turn, total: read.data?.total }}
        row={row => (
          <Line of={row}>
            <Goods n={row.goods} />
            <span>
              {say(['已售', 'Sold'])} <b>{row.sold}</b>
            </span>
          </Line>
        )}
        empty={
          <Empty title={say(['该分类在售的品牌都已在墙上', 'Every brand that sells is on it'])} />
        }
      />
    </Column>
  )
}
/** The wall as consumers would see it, were it published now. */
const Preview = ({ title, tiles }: { title: string; tiles: readonly TileRow[] }) => {
  const say = useSay()
  const shown = tiles.filter(tile => tile.fault === null)
  return (
    <Column name="candidates" title={say(['手机预览', 'Preview'])}>
      <Phone label={say(['手机预览', 'Preview'])} title={title}>
        {shown.length === 0 ? (
          <Empty title={say(['消费者看不到任何品牌', 'Consumers see no brand'])} />
        ) : (
          <ol className="cw-tiles" aria-label={say(['消费者看到的品牌', 'What consumers see'])}>
            {shown.map(tile => (
              <li key={tile.id}>
                <Thumb of={tile.logo} />
                <span>
                  {tile.is_pinned && <Pin size={10} aria-hidden="true" />} {tile.name}
                </span>
              </li>
            ))}
          </ol>
        )}
      </Phone>
    </Column>
  )
}

/** The wall in sight, and the order of it that is not saved yet. */
const useWall = (where: Where | undefined) => {
  const read = useRead(calls.lst, where ?? skipToken)
  const answer = shownOf(read)
  const [sort] = useWrite(calls.sort)
  const board = useBoard<TileRow>({
    name: `wall:${where?.category_id ?? 0}/${where?.city_id ?? 0}`,
    ...sourceOf(read),
    rows: where ? answer?.list : NONE,
    save: (order, list_version) => sort({ ...where!, order, list_version }),
  })
  useAction(actions.sort, () => void board.save())
  return { answer, board, tiles: answer?.list ?? NONE, wall: answer?.wall ?? undefined, read }
}
type InSight = ReturnType<typeof useWall>
const brandsIn = (rows: readonly TileRow[] = NONE) => rows.map(row => row.brand_id).join()
/** Starts the actions of the page with the wall in sight. */
const useGiving = (where: Where | undefined, { board }: InSight) => {
  const say = useSay()
  const dispatch = useDispatch()
  const { id: pane } = usePane()
  const { run, toast } = useWorkbench()
  const start = (action: Action, wall?: { id: number; version: number }) => {
    if (!where) return
    const on: WallGiven = { ...where, wall: wall && one([wall]) }
    void run(action, [], { pane, on })
  }
  useAction(actions.autoFill, () => start(actions.autoFill))
  useAction(actions.copyToCategories, () => start(actions.copyToCategories))
  // What is published is what is in sight: a save of a moment ago may not have come back yet.
  useAction(actions.publish, () => {
    if (!where) return
    if (board.dirty) {
      toast(say(['请先保存顺序', 'Save the order first']), 'warning')
      return
    }
    dispatchRead(dispatch as never, calls.lst, where, true).then(
      fresh => {
        if (!fresh.wall?.is_changed) toast(say(['没有待发布的修改', 'Nothing to publish']))
        else if (brandsIn(fresh.list) !== brandsIn(board.rows))
          toast(
            say(['品牌墙刚刚有变化，请核对后再发布', 'The wall changed: look again']),
            'warning',
          )
        else start(actions.publish, fresh.wall)
      },
      () => {},
    )
  })
}
const Published = ({ of }: { of: NonNullable<InSight['wall']> }) => {
  const say = useSay()
  return (
    <>
      {of.is_changed && <Badge tone="warn">{say(['有未发布的修改', 'Unpublished changes'])}</Badge>}
      {of.published_at !== null && (
        <span className="m-muted">
          {say(['上次发布', 'Last published'])} <When at={of.published_at} /> {of.by}
        </span>
      )}
    </>
  )
}
const Counts = ({ of }: { of: readonly TileRow[] }) => (
  <span className="m-muted">
    {useSay()(['{n} / {max}，置顶 {pinned} / {most}', '{n} of {max}, {pinned} of {most} pinned'], {
      n: of.length,
      max: WALL_MOST,
      pinned: of.filter(tile => tile.is_pinned).length,
      most: PINNED_MOST,
    })}
  </span>
)
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(actions.autoFill, ({ added, removed, total }) => {
    toast(
      say(
        [
          '新增 {added} 个、换下 {removed} 个，共 {total} 个',
          '{added} new, {removed} gone, {total} total',
        ],
        {
          added,
          removed,
          total,
        },
      ),
      'success',
    )
    return true
  })
  useResult(actions.copyToCategories, ({ list }) => {
    const words = list.map(({ name, added, left }) =>
      say(['{name}：添加 {added} 个，{left} 个未添加', '{name}: {added} added, {left} not'], {
        name,
        added,
        left,
      }),
    )
    toast(words.join(say(semicolon)), list.some(one => one.left > 0) ? 'warning' : 'success')
    return true
  })
}

/** Which brands appear under each category: their order, time and place at the top. */
export default function CategoryBrands() {
  const say = useSay()
  const { stage } = usePane()
  const subject = useStageSubject(stage)
  const flags = useFlags()
  const [city, setCity] = usePaneState('city', 0)
  const [category, setCategory] = usePaneState<number | undefined>('category', undefined)
  const [previewing, setPreviewing] = usePaneState('preview', false)
  const where =
    category === undefined ? undefined : { category_id: category, ...(city && { city_id: city }) }
  const inSight = useWall(where)
  const { read, answer, board, tiles, wall } = inSight
  useAction(actions.preview, () => setPreviewing(!previewing))
  useGiving(where, inSight)
  useTold()
  if (read.error && !answer) return <Failed error={read.error} retry={read.refetch} />
  return (
    <div className="cw-page">
      <Toolbar actions={all} rows={subject.rows} plain={board.dirty}>
        <CityChoice city={city} choose={setCity} />
        {wall && <Published of={wall} />}
      </Toolbar>
      <Columns widths="minmax(200px, 260px) minmax(320px, 1.2fr) minmax(280px, 1fr)" first="wall">
        <Categories city={city} onFocused={setCategory} />
        <Column name="wall" title={say(['品牌墙', 'Wall'])} aside={<Counts of={tiles} />}>
          <Board
            of={board}
            label={say(['品牌墙', 'Wall'])}
            labelOf={row => row.name}
            saves={actions.sort}
            dim={row => row.fault !== null}
            flags={flags}
            row={row => <Tile of={row} />}
            empty={<Empty title={say(['还没有品牌，请从右侧添加', 'No brands yet: add some'])} />}
          />
        </Column>
        {previewing ? (
          <Preview title={say(['品牌', 'Brands'])} tiles={board.rows ?? NONE} />
        ) : (
          <Candidates where={where} />
        )}
      </Columns>
    </div>
  )
}
