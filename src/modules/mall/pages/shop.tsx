import { InputGroup } from '@blueprintjs/core'
import { Search, Star } from '@blueprintjs/icons'
import { useDeferredValue, useMemo, useState } from 'react'
import { paidPlacement, shopActions } from '#commands/mall/mall.ts'
import { blockReasons, type BlockReason } from '#src/areas/mall/recommend.ts'
import type { Result } from '#src/contract/call.ts'
import { timeFull } from '#src/domain/time.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import type { Flag } from '#src/kit/board-rows.tsx'
import { Board } from '#src/kit/board.tsx'
import { shownOf, skipToken, sourceOf, useRead, useWrite } from '#src/kit/data.ts'
import { Drawer } from '#src/kit/drawer.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Shelf, usePaging } from '#src/kit/shelf.tsx'
import { Money, When } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay, type Say } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard, type BoardState } from '#src/kit/useboard.ts'
import {
  useAction,
  useAnswered,
  usePane,
  useStageSubject,
  useWorkbench,
} from '#src/kit/workbench.ts'
import { category, type CategoryRow } from '../contract/category.ts'
import { recommendSet, type StoreRow } from '../contract/recommend.ts'
import { shopBoard } from '../contract/shopBoard.ts'
import { InMall, lastChange, PlaceBar, usePlace, type Where } from '../parts/place.tsx'
import { Thumb } from '../parts/thumb.tsx'

const CANDIDATES = 50
const actions = [...Object.values(shopActions), paidPlacement]
/** Boards know rows by `id`; here that is the store. */
type Row = StoreRow & { recommend_id: number }
const rowsOf = (list: readonly StoreRow[] | undefined): Row[] | undefined =>
  list?.map(row => ({ ...row, recommend_id: row.id, id: row.store_id }))

const Line = ({ of, by }: { of: Row; by?: boolean }) => {
  const say = useSay()
  return (
    <div className="ml-line">
      <Thumb of={of.logo} name={of.store_name} />
      <div>
        <div className="ml-name" title={of.store_name}>
          {of.store_name}
        </div>
        <div className="ml-meta">
          <span>
            {of.floor_name || '—'} {of.door_no}
          </span>
          <span>
            <Star size={12} aria-label={say(['评分', 'Score'])} />{' '}
            <b>{(of.score_x10 / 10).toFixed(1)}</b>
          </span>
          <span>
            {say(['在售', 'On sale'])} <b>{of.on_sale_count}</b>
          </span>
          <span>
            {say(['30 天', '30 d'])}{' '}
            <b>
              <Money cents={of.gmv_30d_cents} sign />
            </b>
          </span>
          {by && of.set_by_name && (
            <span>
              {of.set_by_name} <When at={of.set_at} />
            </span>
          )}
        </div>
      </div>
    </div>
  )
}
const CategoryLine = ({ of }: { of: CategoryRow }) => {
  const say = useSay()
  return (
    <div className="ml-line">
      <div className="ml-name">{of.name}</div>
      <span className="ml-count" title={say(['已推荐 / 营业门店', 'Recommended of open stores'])}>
        {of.recommended} / {of.store_count}
      </span>
    </div>
  )
}
const flagsOf = (row: Row, say: Say): readonly Flag[] => [
  ...(row.contract_no
    ? [{ tone: 'info' as const, text: say(['付费 {no}', 'Paid {no}'], { no: row.contract_no }) }]
    : []),
  ...(row.end_at
    ? [
        {
          tone: 'plain' as const,
          text: say(['至 {at}', 'Until {at}'], { at: timeFull(row.end_at).slice(5, 10) }),
        },
      ]
    : []),
  ...(row.is_recommend && row.blocked_reason
    ? [{ tone: 'bad' as const, text: say(blockReasons[row.blocked_reason as BlockReason]) }]
    : []),
]

/** What stores are recommended in: categories of both levels, none that only leads elsewhere. */
const useCategories = (where: Where | undefined) => {
  const list = useRead(category.lst, where ? { mid: where.mid } : skipToken)
  const all = useMemo(
    () =>
      (list.currentData ?? list.data)?.list
        .flatMap((row): CategoryRow[] => [
          row,
          ...row.children.map(inner => ({ ...inner, name: `　${inner.name}` })),
        ])
        .filter(row => row.jump_kind !== 'link'),
    [list.currentData, list.data],
  )
  return { list, all }
}
type Asked = { mid: number; category_id: number; pageSize: number }
/** Stores that could be recommended in a category, page by page. */
const useCandidates = (asked: Asked | undefined, keyword: string) => {
  const { turn, ...page } = usePaging(JSON.stringify([asked, keyword]), CANDIDATES)
  const read = useRead(
    recommendSet.stores,
    asked ? { ...asked, ...page, is_recommend: false, ...(keyword ? { keyword } : {}) } : skipToken,
  )
  const rows = useMemo(() => rowsOf(read.data?.list), [read.data])
  return { read, rows, paging: { ...page, turn, total: read.data?.total } }
}
/** Stores that are recommended in a category, in their order. */
const useChosen = (asked: Asked | undefined) => {
  const chosen = useRead(recommendSet.stores, asked ? { ...asked, is_recommend: true } : skipToken)
  const answer = shownOf(chosen)
  const rows = useMemo(() => rowsOf(answer?.list), [answer])
  const [save] = useWrite(recommendSet.updSort)
  const board = useBoard<Row>({
    name: `shop:${asked?.mid ?? ''}/${asked?.category_id ?? 0}`,
    ...sourceOf(chosen),
    rows,
    save: (order, list_version) =>
      save({
        mid: asked!.mid,
        block: 'shop',
        category_id: asked!.category_id,
        order,
        list_version,
      }),
  })
  return { answer, board }
}
const StoreShelf = ({
  name,
  of: { read, rows, paging },
  none,
}: {
  name: string
  of: ReturnType<typeof useCandidates>
  none: boolean
}) => {
  const say = useSay()
  return (
    <Shelf<Row>
      name={name}
      label={say(['可推荐门店', 'Stores'])}
      of={{ ...sourceOf(read), rows: none ? [] : rows }}
      labelOf={row => row.store_name}
      row={row => <Line of={row} />}
      flags={row => flagsOf(row, say)}
      paging={paging}
      empty={
        <Empty title={say(['没有可推荐的门店', 'No store to recommend'])}>
          <p>
            {say([
              '这个分类归集的经营分类里没有营业中的门店。',
              'No open store is in what this category gathers.',
            ])}
          </p>
        </Empty>
      }
    />
  )
}
const StoreBoard = ({ of, set }: { of: BoardState<Row>; set: string | undefined }) => {
  const say = useSay()
  return (
    <Board
      of={of}
      label={say(['推荐顺序', 'Recommended'])}
      labelOf={row => row.store_name}
      row={row => <Line of={row} by />}
      flags={row => flagsOf(row, say)}
      dim={row => row.blocked_reason !== null}
      saves={shopActions.updSort}
      theirs={set}
      empty={<Empty title={say(['还没有推荐门店', 'None recommended yet'])} />}
    />
  )
}
const Count = ({ of, name }: { of: Result<typeof recommendSet.stores>; name: string }) => {
  const say = useSay()
  return (
    <span className="ml-count" data-full={of.recommended >= of.max || undefined}>
      {say(['{name}：{n} / {max}', '{name}: {n} of {max}'], {
        name,
        n: of.recommended,
        max: of.max,
      })}
    </span>
  )
}
/** Asks for the contract of a paid placement, and places the store by it. */
const usePaidPlacement = (where: Where | undefined, current: CategoryRow | undefined) => {
  const say = useSay()
  const { run, toast } = useWorkbench()
  const { id: pane } = usePane()
  const [paying, setPaying] = useState<Row | undefined>(undefined)
  const [pay] = useWrite(recommendSet.set)
  useAction(paidPlacement, ([row]) => {
    setPaying(row as Row)
    void run(paidPlacement, [row], { pane })
  })
  useAnswered(paidPlacement, answers => {
    if (!paying || !where || !current) return
    pay({
      mid: where.mid,
      category_id: current.id,
      store_id: paying.store_id,
      is_recommend: true,
      paid: true,
      contract_no: String(answers['contract_no'] ?? ''),
      start_at: Number(answers['start_at']),
      end_at: Number(answers['end_at']),
    }).then(
      () => toast(say(['已设为付费推荐', 'Placed']), 'success'),
      () => {},
    )
  })
}

export default function RecommendedStores() {
  const say = useSay()
  const place = usePlace('shop')
  const { where } = place
  const { run } = useWorkbench()
  const { stage, id: pane } = usePane()
  const subject = useStageSubject(stage)
  const [typed, setTyped] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const [picked, setPicked] = usePaneState<number | undefined>('category', undefined)
  const [history, setHistory] = useState(false)
  const { list, all } = useCategories(where)
  const current = all?.find(row => row.id === picked && row.mid === where?.mid) ?? all?.[0]
  const asked =
    where && current ? { mid: where.mid, category_id: current.id, pageSize: 100 } : undefined
  const candidates = useCandidates(asked, keyword)
  const { answer, board } = useChosen(asked)
  useAction(shopActions.updSort, () => void board.save())
  useAction(shopActions.history, () => setHistory(true))
  useAction(shopActions.copyOrder, () => {
    if (where && current)
      void run(shopActions.copyOrder, [], {
        pane,
        on: current,
        asked: { mid: where.mid, from: current.id },
      })
  })
  usePaidPlacement(where, current)
  const none = all?.length === 0
  const set = lastChange(answer)
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
      </PlaceBar>
      <Toolbar actions={actions} rows={subject.rows} plain={board.dirty}>
        {answer && <Count of={answer} name={current?.name.trim() ?? ''} />}
      </Toolbar>
      <InMall of={place} read={{ ...list, data: all }}>
        {where => (
          <div className="ml-body">
            <Columns
              widths="minmax(180px, 220px) minmax(300px, 1fr) minmax(320px, 1fr)"
              first="stores"
            >
              <Column name="categories" title={say(['导购分类', 'Categories'])}>
                <Shelf<CategoryRow>
                  name={`categories:${where.mid}`}
                  label={say(['导购分类', 'Categories'])}
                  of={{ rows: all, error: list.error, refetch: list.refetch }}
                  labelOf={row => row.name}
                  onFocused={setPicked}
                  dim={row => row.is_empty}
                  row={row => <CategoryLine of={row} />}
                />
              </Column>
              <Column
                name="stores"
                title={say(['可推荐门店', 'Stores'])}
                aside={<span className="ml-count">{candidates.paging.total ?? ''}</span>}
              >
                <StoreShelf
                  name={`shop:${where.mid}/${current?.id ?? 0}`}
                  of={candidates}
                  none={none}
                />
              </Column>
              <Column
                name="board"
                title={say(['推荐顺序', 'Recommended'])}
                aside={set && <span className="ml-count">{set}</span>}
              >
                {none ? (
                  <Empty title={say(['先建导购分类', 'Make categories first'])} />
                ) : (
                  <StoreBoard of={board} set={set} />
                )}
              </Column>
            </Columns>
          </div>
        )}
      </InMall>
      {history && where && current && (
        <History mid={where.mid} of={current} close={() => setHistory(false)} />
      )}
    </div>
  )
}
const ChangeTable = ({ mid, category_id }: { mid: number; category_id: number }) => {
  const say = useSay()
  const { data, error, refetch } = useRead(shopBoard.history, { mid, category_id, pageSize: 100 })
  if (error) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading />
  if (data.list.length === 0) return <Empty title={say(['还没有变更', 'No changes yet'])} />
  return (
    <table className="ml-diff">
      <thead>
        <tr>
          <th>{say(['时间', 'When'])}</th>
          <th>{say(['操作人', 'By'])}</th>
          <th>{say(['变更', 'What'])}</th>
        </tr>
      </thead>
      <tbody>
        {data.list.map(row => (
          <tr key={row.id}>
            <td>
              <When at={row.at} />
            </td>
            <td>{row.by}</td>
            <td>
              {row.what}
              {row.reason && <div className="m-muted">{row.reason}</div>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
const History = ({ mid, of, close }: { mid: number; of: CategoryRow; close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  return (
    <Drawer
      isOpen
      onClose={close}
      size={560}
      title={say(['{name} 的变更记录', 'Changes of {name}'], { name: of.name.trim() })}
    >
      <div
        style={{ overflow: 'auto', padding: 12 }}
        tabIndex={0}
        role="region"
        aria-label={say(['变更记录', 'Changes'])}
      >
        <ChangeTable mid={mid} category_id={of.id} />
      </div>
    </Drawer>
  )
}
