import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { stepDown, stepRight } from '#src/kit/steps.ts'
import { useSay } from '#src/kit/text.ts'
import { useAppDispatch } from '../store.ts'
import { dividers, type Divider, type PaneId, type Tree } from './tree.ts'
import { workspace } from './workspace.ts'

const STEP = 5
/** A pane's element, for those that say which one they control. */
export const paneDomId = (pane: PaneId) => `pane-${pane}`
/**
 * One divider after the window-splitter pattern: arrows move it, Home and End go to its bounds,
 * Enter makes the part before it as small as can be and gives it its size back, a double click
 * halves.
 */
const Separator = ({ divider, name }: { divider: Divider; name: (pane: string) => string }) => {
  const say = useSay()
  const dispatch = useAppDispatch()
  const area = useRef<DOMRect | null>(null)
  /** What Enter goes back to. */
  const open = useRef(50)
  const { direction, box, now, min, max, before, parts } = divider
  const row = direction === 'row'
  const set = (share: number) =>
    dispatch(workspace.divided({ divider, share: Math.min(max, Math.max(min, share)) }))
  const onKeyDown = (event: KeyboardEvent) => {
    const by = (row ? stepRight(event) : stepDown(event)) * STEP
    if (by) set(now + by)
    else if (event.key === 'Home') set(min)
    else if (event.key === 'End') set(max)
    else if (event.key === 'Enter') {
      const small = now <= min + 0.01
      if (!small) open.current = now
      set(small ? open.current : min)
    } else return
    event.preventDefault()
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    area.current = event.currentTarget.parentElement!.getBoundingClientRect()
  }
  const onPointerMove = (event: PointerEvent) => {
    const of = area.current
    if (!of) return
    const at = row
      ? ((event.clientX - of.left) / of.width) * 100
      : ((event.clientY - of.top) / of.height) * 100
    set(row ? ((at - box.left) / box.width) * 100 : ((at - box.top) / box.height) * 100)
  }
  const style = row
    ? {
        left: `calc(${box.left + (box.width * now) / 100}% - 3px)`,
        top: `${box.top}%`,
        height: `${box.height}%`,
      }
    : {
        top: `calc(${box.top + (box.height * now) / 100}% - 3px)`,
        left: `${box.left}%`,
        width: `${box.width}%`,
      }
  return (
    <div
      role="separator"
      tabIndex={0}
      className="s-separator"
      data-direction={direction}
      style={style}
      aria-orientation={row ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(now)}
      aria-valuemin={Math.round(min)}
      aria-valuemax={Math.round(max)}
      aria-valuetext={`${Math.round(now)}%`}
      aria-controls={parts.map(paneDomId).join(' ')}
      aria-label={say(
        row
          ? ['调整「{name}」的宽度', 'Width of {name}']
          : ['调整「{name}」的高度', 'Height of {name}'],
        { name: name(before) },
      )}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        area.current = null
      }}
      onPointerCancel={() => {
        area.current = null
      }}
      onDoubleClick={() => set(50)}
    />
  )
}
export const Separators = ({
  tree,
  name,
}: {
  tree: Tree | null
  name: (pane: string) => string
}) => (
  <>
    {dividers(tree).map(divider => (
      <Separator key={`${divider.path.join('.')}/${divider.index}`} divider={divider} name={name} />
    ))}
  </>
)
