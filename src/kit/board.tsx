import { Button } from '@blueprintjs/core'
import { DragHandleVertical, Undo } from '@blueprintjs/icons'
import {
  closestCenter,
  DndContext,
  PointerSensor,
  useSensor,
  useSensors,
  type DragEndEvent,
} from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import type { Action } from '#commands/command.ts'
import {
  boardBottom,
  boardDiscard,
  boardDown,
  boardTop,
  boardUndo,
  boardUp,
} from '#commands/list.ts'
import { useActiveColumn } from './board-columns.tsx'
import { Conflict } from './board-conflict.tsx'
import {
  Rows,
  usePerformed,
  type Identified,
  type LineProps,
  type RowLooks,
} from './board-rows.tsx'
import { giveBack } from './focus.ts'
import { Badge, Keys } from './show.tsx'
import { Empty, Unanswered } from './states.tsx'
import { useSay } from './text.ts'
import type { BoardState } from './useboard.ts'
import { usePaneFocused, useWorkbench } from './workbench.ts'

const JUMP_MS = 3000
const JUMP_DIGITS = 4
type BoardProps<Row extends Identified> = RowLooks<Row> & {
  of: BoardState<Row>
  /** Why the order can't be changed now, if so. */
  fixed?: string | undefined
  /** The page's action that saves the order: its key is shown on the button. */
  saves: Action
  /** The person who saved the newer order, and when, in words. */
  theirs?: string | undefined
  empty?: ReactNode
}

/** Moves rows of a board, each told to screen readers; `fixed` is told where nothing may be moved. */
const useMoving = <Row extends Identified>(
  of: BoardState<Row>,
  {
    labelOf,
    fixed,
    tell,
  }: {
    labelOf: (row: Row) => string
    fixed: string | undefined
    tell: (words: string) => void
  },
) => {
  const say = useSay()
  const rows = of.rows ?? []
  const placeOf = (id: number) => rows.findIndex(one => one.id === id) + 1
  const moveTo = (id: number | undefined, to: number) => {
    const from = id === undefined ? 0 : placeOf(id)
    if (id === undefined || from === 0) return
    if (fixed) {
      tell(fixed)
      return
    }
    const next = Math.max(1, Math.min(rows.length, to))
    of.move(id, next)
    tell(
      say(
        [
          '{name} 移到第 {to} 位，共 {n} 位，未保存',
          '{name} moved to place {to} of {n}, not saved',
        ],
        { name: labelOf(rows[from - 1]!), to: next, n: rows.length },
      ),
    )
  }
  const focusedPlace = of.focused === undefined ? 0 : placeOf(of.focused)
  return { placeOf, moveTo, focusedPlace }
}
/** The place that is being typed, which is forgotten after a while. */
const useTypedPlace = () => {
  const [typed, setTyped] = useState('')
  useEffect(() => {
    if (!typed) return
    const timer = setTimeout(() => setTyped(''), JUMP_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped] as const
}
/** The keys of an ordered list: Alt and an arrow moves the row, and a number with Enter. */
const useOrderKeys = (
  { moveTo, focusedPlace }: Pick<ReturnType<typeof useMoving>, 'moveTo' | 'focusedPlace'>,
  last: number,
  tell: (words: string) => void,
) => {
  const say = useSay()
  const [typed, setTyped] = useTypedPlace()
  const onAlt = (key: string, here: Identified | undefined): boolean => {
    const to: Record<string, number> = {
      ArrowUp: focusedPlace - 1,
      ArrowDown: focusedPlace + 1,
      Home: 1,
      End: last,
    }
    if (!(key in to)) return false
    moveTo(here?.id, to[key]!)
    return true
  }
  const onKey = (event: KeyboardEvent, here: Identified | undefined): boolean => {
    const isChord = event.ctrlKey || event.metaKey
    if (event.altKey && !isChord) return onAlt(event.key, here)
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1]
    const isPlain = !isChord && !event.altKey && !event.shiftKey
    if (isPlain && digit && (typed || digit !== '0')) {
      const next = `${typed}${digit}`.slice(0, JUMP_DIGITS)
      setTyped(next)
      tell(say(['移到第 {n} 位：按 Enter', 'To place {n}: press Enter'], { n: next }))
      return true
    }
    if (!typed) return false
    if (event.key === 'Enter') moveTo(here?.id, Number(typed))
    setTyped('')
    return event.key === 'Enter' || event.key === 'Escape'
  }
  return { typed, onKey }
}
/** The bar goes with the button that had the focus: the rows get it back. */
const useFocusAfterBar = (list: RefObject<HTMLDivElement | null>, unsettled: boolean) => {
  const active = useActiveColumn()
  const inFront = usePaneFocused()
  const before = useRef(unsettled)
  useEffect(() => {
    if (before.current && !unsettled && active && inFront) giveBack(list.current)
    before.current = unsettled
  }, [list, unsettled, active, inFront])
}

/** How many rows were moved, and what may be done with that. */
const Unsaved = <Row extends Identified>({ of, saves }: { of: BoardState<Row>; saves: Action }) => {
  const say = useSay()
  const { keysOf, ariaKeysOf } = useWorkbench()
  return (
    <div className="m-board-bar">
      <span>{say(['未保存：移动了 {n} 项', 'Not saved: {n} moved'], { n: of.moves.length })}</span>
      <span className="m-fill" />
      <Button size="small" variant="minimal" icon={<Undo />} onClick={of.undo}>
        {say(['撤销一步', 'Undo'])}
        <Keys keys={keysOf(boardUndo.id)} />
      </Button>
      <Button size="small" variant="minimal" onClick={of.discard}>
        {say(['放弃', 'Discard'])}
      </Button>
      <Button
        size="small"
        intent="primary"
        loading={of.saving}
        aria-keyshortcuts={ariaKeysOf(saves.id)}
        onClick={() => void of.save()}
      >
        {say(['保存顺序', 'Save the order'])}
        <Keys keys={keysOf(saves.id)} />
      </Button>
    </div>
  )
}
/** The rows of a board, which the mouse drags. */
const DraggedRows = <Row extends Identified>({
  of,
  looks,
  fixed,
  onDrop,
  onKey,
  list,
}: {
  of: BoardState<Row>
  looks: RowLooks<Row>
  fixed: string | undefined
  onDrop: (taken: number, over: number) => void
  onKey: (event: KeyboardEvent, row: Row | undefined) => boolean
  list: RefObject<HTMLDivElement | null>
}) => {
  const say = useSay()
  const rows = of.rows ?? []
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const moved = useMemo(() => new Map(of.moves.map(one => [one.id, one.from])), [of.moves])
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) onDrop(Number(active.id), Number(over.id))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{
        screenReaderInstructions: {
          draggable: say(['按 Alt 加上下方向键移动', 'Alt and an arrow moves it']),
        },
        announcements: quiet,
      }}
    >
      <SortableContext
        items={rows.map(one => one.id)}
        strategy={verticalListSortingStrategy}
        disabled={Boolean(fixed)}
      >
        <Rows
          ref={list}
          rows={rows}
          looks={looks}
          picked={of}
          refresh={of.refetch}
          onKey={onKey}
          lead={(one, at) => (
            <>
              <span className="m-board-place m-num">{at + 1}</span>
              {moved.has(one.id) && (
                <Badge tone="info" title={say(['未保存', 'Not saved'])}>
                  {say(['原第 {n}', 'was {n}'], { n: moved.get(one.id)! })}
                </Badge>
              )}
            </>
          )}
          line={(one, props) => <Draggable key={one.id} of={one.id} fixed={fixed} props={props} />}
        />
      </SortableContext>
    </DndContext>
  )
}
/**
 * An ordered list: drag it, or Alt+↑ and Alt+↓ (Alt+Home, Alt+End), or a number and Enter. What was
 * moved is marked with the place it had, each move is told to screen readers, and nothing is sent
 * until the page's `saves` action.
 */
export const Board = <Row extends Identified>({
  of,
  fixed,
  saves,
  theirs,
  empty,
  ...looks
}: BoardProps<Row>) => {
  const say = useSay()
  const { me } = useWorkbench()
  const active = useActiveColumn()
  const [told, tell] = useState('')
  const list = useRef<HTMLDivElement>(null)
  useFocusAfterBar(list, of.dirty || of.conflict !== undefined)
  const fixedNow =
    fixed ??
    (me.can(saves.permit) ? undefined : say(['没有调整顺序的权限', 'You may not change the order']))
  const moving = useMoving(of, { labelOf: looks.labelOf, fixed: fixedNow, tell })
  const { moveTo, placeOf, focusedPlace } = moving
  const last = of.rows?.length ?? 0
  const { typed, onKey } = useOrderKeys(moving, last, tell)
  usePerformed(active, [
    [boardUp, () => moveTo(of.focused, focusedPlace - 1)],
    [boardDown, () => moveTo(of.focused, focusedPlace + 1)],
    [boardTop, () => moveTo(of.focused, 1)],
    [boardBottom, () => moveTo(of.focused, last)],
    [
      boardUndo,
      () => {
        of.undo()
        tell(say(['已撤销一步移动', 'One move undone']))
      },
    ],
    [
      boardDiscard,
      () => {
        of.discard()
        tell(say(['已恢复为保存的顺序', 'Back to the saved order']))
      },
    ],
  ])

  if (of.rows === undefined) return <Unanswered of={of} lines={8} />
  return (
    <div className="m-board" data-stale={of.stale || undefined}>
      {of.conflict && (
        <Conflict of={of} conflict={of.conflict} by={theirs} labelOf={looks.labelOf} />
      )}
      {!of.conflict && of.dirty && <Unsaved of={of} saves={saves} />}
      {typed && (
        <div className="m-board-jump" aria-hidden="true">
          {say(['移到第 {n} 位 ↵', 'To place {n} ↵'], { n: typed })}
        </div>
      )}
      <div className="m-sr" role="status" aria-live="assertive">
        {told}
      </div>
      {last === 0 && (empty ?? <Empty title={say(['还没有内容', 'Nothing here yet'])} />)}
      <DraggedRows
        of={of}
        looks={looks}
        fixed={fixedNow}
        onDrop={(taken, over) => moveTo(taken, placeOf(over))}
        onKey={onKey}
        list={list}
      />
    </div>
  )
}
/** Our own live region tells of moves, by mouse and by key alike. */
const quiet = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
}

const Draggable = ({
  of,
  fixed,
  props: { children, ...props },
}: {
  of: number
  fixed: string | undefined
  props: LineProps
}) => {
  const { listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id: of })
  return (
    <div
      ref={setNodeRef}
      {...props}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <span
        ref={setActivatorNodeRef}
        className="m-board-handle"
        aria-hidden="true"
        title={fixed}
        data-fixed={fixed ? true : undefined}
        {...listeners}
      >
        <DragHandleVertical />
      </span>
      {children}
    </div>
  )
}
