import { InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useDeferredValue, useEffect, useState, type ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import { THIN, type Block } from '#src/areas/mall/recommend.ts'
import type { Read, Write } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import type { Flag, RowLooks } from '#src/kit/board-rows.tsx'
import { Board } from '#src/kit/board.tsx'
import { skipToken, sourceOf, useRead, useWrite } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Shelf, usePaging } from '#src/kit/shelf.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard, type BoardState } from '#src/kit/useboard.ts'
import { useAction, usePane, useStageSubject } from '#src/kit/workbench.ts'
import { BlockTitle, type Titled } from './BlockTitle.tsx'
import { InMall, lastChange, PlaceBar, usePlace, type Where } from './place.tsx'
import { isShown, useMarks, type Marked } from './recommendMarks.ts'

type Answer<Row> = {
  list: Row[]
  total: number
  recommended: number
  max: number
  list_version: number
  theirs: { name: string; at: number } | null
  title?: string
}
type Input = {
  mid: number
  city_id?: number | undefined
  is_recommend?: boolean
  keyword?: string
  page?: number
  pageSize?: number
}
type Props<Row extends Marked> = {
  label: string
  block: Block
  list: Read<object, unknown, Answer<Row>>
  /** What the list is asked besides, such as its block. */
  more?: object
  actions: readonly Action[]
  sort: Action
  sortCall: Write<object, unknown, unknown>
  nameOf: (row: Row) => string
  row: (row: Row) => ReactNode
  flags?: (row: Row, now: number) => readonly Flag[]
  /** A list outside any mall too. */
  outside?: boolean
  /** A title to set, by the call of the page. */
  titled?: Titled
  filters?: ReactNode
  onOpen?: (row: Row) => void
  /** Shown beside the columns when the person asks for it. */
  preview?: { action: Action; draw: (rows: readonly Row[], title: string) => ReactNode }
  /** For actions that need the place and no row. */
  onPlace?: (where: Where) => void
}
const CANDIDATES = 50

type Looks<Row extends Marked> = Omit<RowLooks<Row>, 'label'>
const useLooks = <Row extends Marked>(
  {
    nameOf,
    row,
    flags,
    onOpen,
  }: Pick<Props<Row>, 'nameOf' | 'row'> & {
    flags: Props<Row>['flags'] | undefined
    onOpen: Props<Row>['onOpen'] | undefined
  },
  now: number,
): Looks<Row> => {
  const marks = useMarks()
  return {
    labelOf: nameOf,
    row,
    flags: one => [...marks(one, now), ...(flags?.(one, now) ?? [])],
    dim: one => one.blocked_reason !== null,
    ...(onOpen ? { onOpen } : {}),
  }
}
const CandidateSearch = ({
  typed,
  onTyped,
}: {
  typed: string
  onTyped: (typed: string) => void
}) => {
  const say = useSay()
  return (
    <InputGroup
      size="small"
      leftIcon={<Search />}
      placeholder={say(['搜索候选', 'Search candidates'])}
      aria-label={say(['搜索候选', 'Search candidates'])}
      value={typed}
      maxLength={40}
      style={{ width: 168 }}
      onValueChange={onTyped}
      onKeyDown={event => {
        if (event.key === 'Enter' || event.key === 'Escape') {
          event.preventDefault()
          event.stopPropagation()
          event.currentTarget
            .closest('.ml-page-of')
            ?.querySelector<HTMLElement>('.m-board-rows')
            ?.focus()
        }
      }}
    />
  )
}
/** What stands on a board, and page by page what could. */
const useRecommended = <Row extends Marked>(
  {
    list,
    more,
    sortCall,
  }: Pick<Props<Row>, 'list' | 'sortCall'> & { more: Props<Row>['more'] | undefined },
  where: Where | undefined,
  keyword: string,
) => {
  const input: Input | undefined = where && {
    mid: where.mid,
    ...(where.mid === 0 ? { city_id: where.city_id } : {}),
    pageSize: 100,
    ...more,
  }
  const chosen = useRead(list, input ? { ...input, is_recommend: true } : skipToken)
  const { turn, ...page } = usePaging(JSON.stringify([input, keyword]), CANDIDATES)
  const read = useRead(
    list,
    input ? { ...input, ...page, is_recommend: false, ...(keyword ? { keyword } : {}) } : skipToken,
  )
  const [save] = useWrite(sortCall)
  const name = `${where?.mid ?? ''}/${where?.city_id ?? ''}`
  const board = useBoard<Row>({
    name,
    ...sourceOf(chosen),
    save: (order, list_version) =>
      save({
        mid: where!.mid,
        ...(where!.mid === 0 ? { city_id: where!.city_id } : {}),
        order,
        list_version,
      }),
  })
  return {
    chosen,
    candidates: { read, paging: { ...page, turn, total: read.data?.total } },
    board,
    name,
  }
}
const CandidateShelf = <Row extends Marked>({
  name,
  label,
  of: { read, paging },
  looks,
}: {
  name: string
  label: string
  of: ReturnType<typeof useRecommended<Row>>['candidates']
  looks: Looks<Row>
}) => {
  const say = useSay()
  return (
    <Shelf
      name={`shelf:${name}`}
      label={say(['{label}候选', 'Candidates: {label}'], { label })}
      of={sourceOf(read)}
      {...looks}
      paging={paging}
      empty={
        <Empty title={say(['没有候选', 'No candidates'])}>
          <p>
            {say([
              '本商场没有符合条件的内容，或已全部推荐。',
              'This mall has nothing that fits, or all of it is recommended.',
            ])}
          </p>
        </Empty>
      }
    />
  )
}
const ChosenBoard = <Row extends Marked>({
  of,
  label,
  looks,
  sort,
  set,
}: {
  of: BoardState<Row>
  label: string
  looks: Looks<Row>
  sort: Action
  set: string | undefined
}) => {
  const say = useSay()
  return (
    <Board
      of={of}
      label={label}
      {...looks}
      saves={sort}
      theirs={set}
      empty={
        <Empty title={say(['推荐位是空的', 'The board is empty'])}>
          <p>
            {say([
              'App 会隐藏这一块；从左侧选择并加入。',
              'The app hides the block; choose on the left.',
            ])}
          </p>
        </Empty>
      }
    />
  )
}
const Count = ({ of, dead }: { of: { recommended: number; max: number }; dead: number }) => {
  const say = useSay()
  return (
    <span className="ml-count" data-full={of.recommended >= of.max || undefined}>
      {say(['已推荐 {n} / {max}', '{n} of {max}'], {
        n: of.recommended,
        max: of.max,
      })}
      {dead > 0 && say(['，{n} 个失效', ', {n} dead'], { n: dead })}
    </span>
  )
}
const BothLists = <Row extends Marked>({
  of: { name, candidates, board },
  label,
  looks,
  sort,
  set,
}: {
  of: ReturnType<typeof useRecommended<Row>>
  label: string
  looks: Looks<Row>
  sort: Action
  set: string | undefined
}) => {
  const say = useSay()
  return (
    <Columns widths="minmax(280px, 1fr) minmax(320px, 1fr)" first="shelf">
      <Column
        name="shelf"
        title={say(['候选', 'Candidates'])}
        aside={<span className="ml-count">{candidates.paging.total ?? ''}</span>}
      >
        <CandidateShelf name={name} label={label} of={candidates} looks={looks} />
      </Column>
      <Column
        name="board"
        title={say(['推荐位', 'The board'])}
        aside={set && <span className="ml-count">{set}</span>}
      >
        <ChosenBoard of={board} label={label} looks={looks} sort={sort} set={set} />
      </Column>
    </Columns>
  )
}
/**
 * One of the recommendation boards: what could stand there on the left, what stands there, in its
 * order, on the right.
 */
export const RecommendBoard = <Row extends Marked>({
  label,
  block,
  list,
  more,
  actions,
  sort,
  sortCall,
  nameOf,
  row,
  flags,
  outside = false,
  titled,
  filters,
  onOpen,
  preview,
  onPlace,
}: Props<Row>) => {
  const say = useSay()
  const place = usePlace(block, outside)
  const { where } = place
  const { stage } = usePane()
  const subject = useStageSubject(stage)
  const [typed, setTyped] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const [previewing, setPreviewing] = usePaneState('preview', false)
  const lists = useRecommended({ list, more, sortCall }, where, keyword)
  const { chosen, board, name } = lists
  useAction(sort, () => void board.save())
  useAction(preview?.action ?? 'none', () => setPreviewing(!previewing))
  useEffect(() => {
    if (where) onPlace?.(where)
  }, [where, onPlace])
  const now = unixNow()
  const looks = useLooks({ nameOf, row, flags, onOpen }, now)
  const answer = chosen.currentData ?? chosen.data
  const set = lastChange(answer)
  const dead = (board.rows ?? []).filter(one => one.blocked_reason).length
  return (
    <div className="ml-page-of">
      <PlaceBar of={place}>
        <CandidateSearch typed={typed} onTyped={setTyped} />
        {filters}
      </PlaceBar>
      <Toolbar actions={actions} rows={subject.rows} plain={board.dirty}>
        {titled && answer && where && (
          <BlockTitle key={name} of={titled} where={where} title={answer.title ?? ''} />
        )}
        {answer && <Count of={answer} dead={dead} />}
      </Toolbar>
      <InMall
        of={place}
        read={{ ...chosen, data: answer }}
        lines={10}
        advice={say([
          '请在上方选择商场，或联系管理员开通数据范围。',
          'Choose a mall above, or ask for the scope of one.',
        ])}
      >
        {() => (
          <div className="ml-body">
            <BothLists of={lists} label={label} looks={looks} sort={sort} set={set} />
            {preview && previewing && (
              <div className="ml-side">
                {preview.draw(
                  (board.rows ?? []).filter(one => isShown(one, now)),
                  answer?.title || label,
                )}
              </div>
            )}
          </div>
        )}
      </InMall>
    </div>
  )
}
export const thin = (stock: number): boolean => stock > 0 && stock < THIN
