import { InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useDeferredValue, useEffect, useRef, useState, type ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import { dropReasons, ENDING_S, THIN, type Block } from '#src/areas/mall/recommend.ts'
import type { Read, Write } from '#src/contract/call.ts'
import { timeFull, unixNow } from '#src/domain/time.ts'
import { Column, Columns } from '#src/kit/board-columns.tsx'
import type { Flag } from '#src/kit/board-rows.tsx'
import { Board } from '#src/kit/board.tsx'
import { skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { useLacks } from '#src/kit/pressable.tsx'
import { Shelf, usePaging } from '#src/kit/shelf.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useBoard } from '#src/kit/useboard.ts'
import { useAction, usePane, useStageSubject, useWorkbench } from '#src/kit/workbench.ts'
import { PlaceBar, usePlace, type Where } from './place.tsx'

export type Marked = {
  id: number
  is_recommend: boolean
  blocked_reason: string | null
  drop_reason: string | null
  recommend_start_at: number | null
  recommend_end_at: number | null
  set_by_name: string
  set_at: number | null
}
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
type Titled = { action: Action; call: Write<object, unknown, unknown> }
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
const useReasonText = () => {
  const say = useSay()
  return (code: string | null) =>
    code === null
      ? ''
      : Object.hasOwn(dropReasons, code)
        ? say(dropReasons[code as keyof typeof dropReasons])
        : code
}

const CANDIDATES = 50
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
  const reason = useReasonText()
  const [typed, setTyped] = useState('')
  const keyword = useDeferredValue(typed.trim())
  const [previewing, setPreviewing] = usePaneState('preview', false)
  const input: Input | undefined = where && {
    mid: where.mid,
    ...(where.mid === 0 ? { city_id: where.city_id } : {}),
    pageSize: 100,
    ...more,
  }
  const chosen = useRead(list, input ? { ...input, is_recommend: true } : skipToken)
  const { turn, ...page } = usePaging(JSON.stringify([input, keyword]), CANDIDATES)
  const candidates = useRead(
    list,
    input ? { ...input, ...page, is_recommend: false, ...(keyword ? { keyword } : {}) } : skipToken,
  )
  const [save] = useWrite(sortCall)
  const name = `${where?.mid ?? ''}/${where?.city_id ?? ''}`
  const board = useBoard<Row>({
    name,
    rows:
      chosen.currentData?.list ?? (chosen.data && chosen.isFetching ? chosen.data.list : undefined),
    version: (chosen.currentData ?? chosen.data)?.list_version,
    error: chosen.error,
    stale: chosen.isFetching && !chosen.currentData,
    refetch: chosen.refetch,
    save: (order, list_version) =>
      save({
        mid: where!.mid,
        ...(where!.mid === 0 ? { city_id: where!.city_id } : {}),
        order,
        list_version,
      }),
  })
  useAction(sort, () => void board.save())
  useAction(preview?.action ?? 'none', () => setPreviewing(!previewing))
  useEffect(() => {
    if (where) onPlace?.(where)
  }, [where, onPlace])
  const now = unixNow()
  const marks = (one: Row): readonly Flag[] => [
    ...(one.is_recommend && one.blocked_reason
      ? [
          {
            tone: 'bad' as const,
            text: reason(one.blocked_reason),
            title: say(['App 已不展示', 'The app does not show it']),
          },
        ]
      : !one.is_recommend && one.blocked_reason
        ? [{ tone: 'plain' as const, text: reason(one.blocked_reason) }]
        : []),
    ...(one.drop_reason
      ? [
          {
            tone: 'warn' as const,
            text: say(['系统移出：{why}', 'Dropped: {why}'], { why: reason(one.drop_reason) }),
          },
        ]
      : []),
    ...(one.recommend_start_at && one.recommend_start_at > now
      ? [
          {
            tone: 'info' as const,
            text: say(['{at} 起展示', 'From {at}'], {
              at: timeFull(one.recommend_start_at).slice(5, 16),
            }),
          },
        ]
      : []),
    ...(one.recommend_end_at
      ? [
          {
            tone: one.recommend_end_at - now < ENDING_S ? ('warn' as const) : ('plain' as const),
            text: say(['展示至 {at}', 'Until {at}'], {
              at: timeFull(one.recommend_end_at).slice(5, 16),
            }),
          },
        ]
      : []),
    ...(flags?.(one, now) ?? []),
  ]
  const answer = chosen.currentData ?? chosen.data
  const set = answer?.theirs
    ? say(['{name} {at}', '{name} {at}'], {
        name: answer.theirs.name,
        at: timeFull(answer.theirs.at).slice(5, 16),
      })
    : undefined
  const dead = (board.rows ?? []).filter(one => one.blocked_reason).length
  return (
    <div className="ml-page-of">
      <PlaceBar of={place}>
        <InputGroup
          size="small"
          leftIcon={<Search />}
          placeholder={say(['搜索候选', 'Search candidates'])}
          aria-label={say(['搜索候选', 'Search candidates'])}
          value={typed}
          maxLength={40}
          style={{ width: 168 }}
          onValueChange={setTyped}
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
        {filters}
      </PlaceBar>
      <Toolbar actions={actions} rows={subject.rows} plain={board.dirty}>
        {titled && answer && where && (
          <BlockTitle key={name} of={titled} where={where} title={answer.title ?? ''} />
        )}
        {answer && (
          <span className="ml-count" data-full={answer.recommended >= answer.max || undefined}>
            {say(['已推荐 {n} / {max}', '{n} of {max}'], {
              n: answer.recommended,
              max: answer.max,
            })}
            {dead > 0 && say(['，{n} 个失效', ', {n} dead'], { n: dead })}
          </span>
        )}
      </Toolbar>
      {!where ? (
        place.loading ? (
          <Loading lines={10} />
        ) : (
          <Empty title={say(['没有可管理的商场', 'No mall to manage'])}>
            <p>
              {say([
                '请在上方选择商场，或联系管理员开通数据范围。',
                'Choose a mall above, or ask for the scope of one.',
              ])}
            </p>
          </Empty>
        )
      ) : chosen.error && !answer ? (
        <Failed error={chosen.error} retry={chosen.refetch} />
      ) : (
        <div className="ml-body">
          <Columns widths="minmax(280px, 1fr) minmax(320px, 1fr)" first="shelf">
            <Column
              name="shelf"
              title={say(['候选', 'Candidates'])}
              aside={<span className="ml-count">{candidates.data?.total ?? ''}</span>}
            >
              <Shelf
                name={`shelf:${name}`}
                label={say(['{label}候选', 'Candidates: {label}'], { label })}
                of={{
                  rows: candidates.data?.list,
                  error: candidates.error,
                  stale: candidates.isFetching && !candidates.currentData,
                  refetch: candidates.refetch,
                }}
                labelOf={nameOf}
                row={row}
                flags={marks}
                dim={one => one.blocked_reason !== null}
                {...(onOpen ? { onOpen } : {})}
                paging={{ ...page, turn, total: candidates.data?.total }}
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
            </Column>
            <Column
              name="board"
              title={say(['推荐位', 'The board'])}
              aside={set && <span className="ml-count">{set}</span>}
            >
              <Board
                of={board}
                label={label}
                labelOf={nameOf}
                row={row}
                flags={marks}
                dim={one => one.blocked_reason !== null}
                saves={sort}
                theirs={set}
                {...(onOpen ? { onOpen } : {})}
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
            </Column>
          </Columns>
          {preview && previewing && (
            <div className="ml-side">
              {preview.draw(
                (board.rows ?? []).filter(
                  one =>
                    one.blocked_reason === null &&
                    (one.recommend_start_at ?? 0) <= now &&
                    (one.recommend_end_at ?? Number.MAX_SAFE_INTEGER) > now,
                ),
                answer?.title || label,
              )}
            </div>
          )}
        </div>
      )}
    </div>
  )
}
const BlockTitle = ({
  of: { action, call },
  where,
  title,
}: {
  of: Titled
  where: Where
  title: string
}) => {
  const say = useSay()
  const { toast, ariaKeysOf } = useWorkbench()
  const lack = useLacks()(action)
  const [typed, setTyped] = useState(title)
  const [run] = useWrite(call)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => setTyped(title), [title])
  useAction(action, () => {
    field.current?.focus()
    field.current?.select()
  })
  const save = () => {
    if (typed.trim() === title) return
    run({
      mid: where.mid,
      ...(where.mid === 0 ? { city_id: where.city_id } : {}),
      title: typed.trim(),
    }).then(
      () => toast(say(['标题已保存', 'The title is saved']), 'success'),
      () => setTyped(title),
    )
  }
  return (
    <InputGroup
      inputRef={field}
      size="small"
      style={{ width: 168 }}
      readOnly={lack !== undefined}
      aria-disabled={lack !== undefined}
      title={lack}
      aria-label={say(['区块标题', 'Title of the block'])}
      aria-keyshortcuts={ariaKeysOf(action.id)}
      maxLength={12}
      value={typed}
      placeholder={say(['标题（空为默认）', 'Title (empty: usual)'])}
      onValueChange={setTyped}
      onBlur={save}
      onKeyDown={event => {
        if (event.key === 'Enter') {
          event.preventDefault()
          event.stopPropagation()
          save()
        }
        if (event.key === 'Escape') setTyped(title)
      }}
    />
  )
}
export const thin = (stock: number): boolean => stock > 0 && stock < THIN
