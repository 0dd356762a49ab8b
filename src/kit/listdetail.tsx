import { Button } from '@blueprintjs/core'
import { ChevronLeft } from '@blueprintjs/icons'
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { useLocation } from 'wouter'
import { listDetail } from '#commands/list.ts'
import { useAskedWidth } from './askedwidth.ts'
import { DetailContext, FoldedContext, SHOWN, type Detail, type Folded } from './detail.ts'
import { usePaneState, useSetting } from './memory.ts'
import { openSaid, SaidContext } from './said.ts'
import { Keys } from './show.tsx'
import { useSay } from './text.ts'
import { useAction, usePaneFocused, useWorkbench } from './workbench.ts'

/** A pane narrower than so many pixels shows the list or the detail, not both. */
const NARROW = 700
const ASKED = [320, 560] as const
/** What a detail takes of a wide room though it asks less. */
const WIDE = [0.17, 420] as const
/** The most of its room that a detail takes by itself, and the most that a person may give it. */
const SHARE = 0.45
const LEAST = 240
const MOST = 0.7
/** Where the work is done in the detail, it has half of the room, up to so many pixels. */
const WORK = [0.5, 1100] as const
const STEP = 0.02

/** How a person keeps the detail of a page: put away, or as wide as they drew it. */
type Kept = { closed: boolean; width?: number }
const USUAL: Kept = { closed: false }
const isKept = (value: unknown): value is Kept => {
  const { closed, width } = (value ?? {}) as Partial<Record<keyof Kept, unknown>>
  return typeof closed === 'boolean' && (width === undefined || Number.isFinite(width))
}
const useKept = () => {
  const { pageAt, setting } = useWorkbench()
  const [at] = useLocation()
  const page = pageAt(at)?.path ?? at
  const [kept, setKept] = useSetting<Kept>(
    useMemo(() => setting(`detail:${page}`.slice(0, 64), isKept, USUAL), [setting, page]),
  )
  return { page, kept, setKept }
}
/** The width of what both parts share; 0 until it is laid out. */
const useRoom = (box: RefObject<HTMLElement | null>) => {
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    const node = box.current!
    const look = () => {
      // A hidden pane has no room at all, and stays as it was.
      if (node.clientWidth > 0) setRoom(node.clientWidth)
    }
    look()
    const seen = new ResizeObserver(look)
    seen.observe(node)
    return () => seen.disconnect()
  }, [box])
  return room
}

const bounded = (width: number, room: number) =>
  Math.round(Math.max(LEAST, Math.min(width, room * MOST)))
const byItself = (asked: number, room: number, work: boolean) => {
  const wide = Math.min(WIDE[1], room * WIDE[0])
  const most = work
    ? Math.min(WORK[1], room * WORK[0])
    : Math.min(Math.max(asked, wide), room * SHARE)
  return Math.round(Math.max(ASKED[0], most))
}

type Drawn = {
  room: number
  width: number
  closed: boolean
  draw: (width: number | undefined) => void
  keep: (kept: Kept) => void
}
/**
 * The separator of a list and its detail (the window-splitter pattern of the ARIA practices): what
 * it tells is the list's share of the room. Enter or a double click puts the detail away.
 */
const Separator = ({ label, of }: { label: string; of: Drawn }) => {
  const say = useSay()
  const { room, width, closed, draw, keep } = of
  const now = closed ? 100 : Math.round((100 * (room - width)) / Math.max(1, room))
  const put = (next: number) => keep({ closed: false, width: bounded(next, room) })
  const onKeyDown = (event: KeyboardEvent) => {
    const does: Record<string, () => void> = {
      ArrowLeft: () => put(closed ? LEAST : width + room * STEP),
      ArrowRight: () => put(width - room * STEP),
      Home: () => put(room),
      End: () => keep({ closed: true, width }),
      Enter: () => keep({ closed: !closed, width }),
    }
    const run = does[event.key]
    if (!run) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  const widthAt = (event: PointerEvent) =>
    bounded(event.currentTarget.parentElement!.getBoundingClientRect().right - event.clientX, room)
  const began = useRef(0)
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={Math.round(100 * (1 - MOST))}
      aria-valuemax={100}
      aria-valuenow={now}
      aria-valuetext={
        closed
          ? say(['详情已收起', 'The detail is put away'])
          : say(['列表占 {n}%', 'The list has {n}%'], { n: now })
      }
      onKeyDown={onKeyDown}
      onDoubleClick={() => keep({ closed: !closed, width })}
      onPointerDown={event => {
        began.current = event.clientX
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={event => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) draw(widthAt(event))
      }}
      onPointerUp={event => {
        draw(undefined)
        if (event.clientX !== began.current) put(widthAt(event))
      }}
      onPointerCancel={() => draw(undefined)}
    />
  )
}

/** What takes the focus in a detail that comes over its list, the best first. */
const IN_DETAIL = ['.m-detail-body [tabindex="0"]', '.m-detail']
/** Gives the focus to the detail when it comes over the list, and back to the rows when it goes. */
const useOverFocus = (box: RefObject<HTMLElement | null>, isOver: boolean) => {
  const focused = usePaneFocused()
  const was = useRef(isOver)
  useEffect(() => {
    if (was.current === isOver) return
    was.current = isOver
    if (!focused) return
    const to = isOver ? IN_DETAIL : ['.m-grid', '.m-tree']
    const first = to.flatMap(one => box.current?.querySelector<HTMLElement>(one) ?? [])[0]
    first?.focus({ preventScroll: true })
  }, [box, isOver, focused])
}

type Shown = { over: boolean; visible: boolean; isOver: boolean }
/** Which of the two parts are shown in a room, by what the person chose for this page. */
const shownIn = (
  room: number,
  { alone, opened, closed }: { alone: boolean; opened: boolean; closed: boolean },
): Shown => {
  const over = room > 0 && room < NARROW
  return {
    over,
    visible: alone || (over ? opened : !closed),
    isOver: over && opened && !alone,
  }
}
const columnsOf = (shown: Shown, alone: boolean, width: number) => {
  if (alone) return '0 0 minmax(0, 1fr)'
  if (shown.over) return 'minmax(0, 1fr) 0 0'
  return `minmax(0, 1fr) 7px ${shown.visible ? width : 0}px`
}
type Parts = { box: RefObject<HTMLElement | null>; part: RefObject<HTMLElement | null> }
/** How the two parts stand, and what changes it: the list, the separator and the command ask this. */
const useStanding = ({ box, part }: Parts, { alone, work }: { alone: boolean; work: boolean }) => {
  const room = useRoom(box)
  const { page, kept, setKept } = useKept()
  const [opened, setOpened] = usePaneState('detail', false)
  const [drawn, draw] = useState<number | undefined>(undefined)
  const shown = shownIn(room, { alone, opened, closed: kept.closed })
  const { over, visible } = shown
  const byContent = !work && !over && visible && kept.width === undefined
  const asked = useAskedWidth(part, page, ASKED, byContent)
  const own = drawn ?? kept.width
  const width = own === undefined ? byItself(asked, room, work) : bounded(own, room || own)
  const set = useCallback(
    (next: boolean) => (over ? setOpened(next) : setKept(now => ({ ...now, closed: !next }))),
    [over, setOpened, setKept],
  )
  const [folded, tell] = useState<Folded | undefined>(undefined)
  const control = useMemo<Detail>(
    () => ({
      over,
      visible,
      show: () => set(true),
      hide: () => set(false),
      toggle: () => set(!visible),
      tell,
    }),
    [over, visible, set],
  )
  useAction(listDetail, control.toggle)
  useAction(SHOWN, control.show)
  useOverFocus(box, shown.isOver)
  const separated: Drawn = { room, width, closed: kept.closed, draw, keep: setKept }
  return { shown, width, control, folded, separated }
}

/**
 * A list and the detail of its row in focus. The detail is as wide as what it holds asks, and the
 * list has the rest; a person draws it otherwise or puts it away, which their account keeps by
 * page. In a narrow pane it stands over the list: Enter shows it, Esc goes back.
 */
export const ListDetail = ({
  label,
  alone = false,
  work = false,
  children: [list, detail],
}: {
  label?: string
  /** The detail alone is shown, as long as this holds. */
  alone?: boolean
  /** The detail is where the work is done: it has half of the room. */
  work?: boolean
  children: readonly [ReactNode, ReactNode]
}) => {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  const part = useRef<HTMLDivElement>(null)
  const [said] = useState(openSaid)
  const { shown, width, control, folded, separated } = useStanding({ box, part }, { alone, work })
  const { isOver, over, visible } = shown
  // A pane that becomes narrow keeps the detail that was there, as it was scrolled, behind the list.
  const [wasShown, setWasShown] = useState(false)
  if (visible && !wasShown && separated.room > 0) setWasShown(true)
  const isBehind = over && !visible && wasShown
  return (
    <DetailContext value={control}>
      <div
        className="m-split"
        ref={box}
        data-over={isOver || isBehind || undefined}
        style={{ gridTemplateColumns: columnsOf(shown, alone, width) }}
      >
        <div className="m-part" inert={alone || isOver}>
          {list}
        </div>
        {over || alone ? (
          <span />
        ) : (
          <Separator
            label={label ?? say(['列表与详情的分隔', 'Between list and detail'])}
            of={separated}
          />
        )}
        <div
          className="m-part m-detail"
          ref={part}
          tabIndex={isOver ? -1 : undefined}
          data-behind={isBehind || undefined}
          inert={isBehind}
        >
          {isOver && <WayBack hide={control.hide} />}
          {(visible || isBehind) && (
            <SaidContext value={said}>
              <FoldedContext value={folded}>
                <div className="m-detail-body">{detail}</div>
              </FoldedContext>
            </SaidContext>
          )}
        </div>
      </div>
    </DetailContext>
  )
}
/** The shell's command that leads one level up, by Escape; the kit knows it by name alone. */
const UP = 'workbench.up'
/** Goes back to the list; so does what leads one level up, which is above the list only then. */
const WayBack = ({ hide }: { hide: () => void }) => {
  const say = useSay()
  const { keysOf } = useWorkbench()
  useAction(UP, hide)
  return (
    <div className="m-over-head">
      <Button size="small" variant="minimal" icon={<ChevronLeft />} onClick={hide}>
        {say(['返回列表', 'Back to the list'])}
        <Keys keys={keysOf(UP)} />
      </Button>
    </div>
  )
}
