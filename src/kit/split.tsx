import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { usePaneState } from './memory.ts'
import { useSay } from './text.ts'

const STEP = 2
/**
 * Two parts side by side with a separator that mouse and keys move (the window-splitter pattern of
 * the ARIA practices). `start` in percent; without a `label`, what is parted is a list and its detail.
 */
export const Split = ({
  label,
  start,
  min = 20,
  max = 80,
  hideFirst,
  children: [first, second],
}: {
  label?: string
  start: number
  min?: number
  max?: number
  hideFirst?: boolean
  children: readonly [ReactNode, ReactNode]
}) => {
  const say = useSay()
  const [share, setShare] = usePaneState('split', start)
  const box = useRef<HTMLDivElement>(null)
  const within = (percent: number) => Math.round(Math.max(min, Math.min(max, percent)))
  const onKeyDown = (event: KeyboardEvent) => {
    const to: Record<string, number> = {
      ArrowLeft: share - STEP,
      ArrowRight: share + STEP,
      Home: min,
      End: max,
      Enter: share === min ? start : min,
    }
    if (!(event.key in to)) return
    event.preventDefault()
    event.stopPropagation()
    setShare(within(to[event.key]!))
  }
  const onPointerMove = (event: PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !box.current) return
    const { left, width } = box.current.getBoundingClientRect()
    setShare(within(((event.clientX - left) / width) * 100))
  }
  return (
    <div
      className="m-split"
      ref={box}
      style={{
        gridTemplateColumns: hideFirst
          ? '0 0 minmax(0, 1fr)'
          : `minmax(0, ${share}fr) 7px minmax(0, ${100 - share}fr)`,
      }}
    >
      <div className="m-part" inert={hideFirst}>
        {first}
      </div>
      {hideFirst ? (
        <span />
      ) : (
        <div
          role="separator"
          tabIndex={0}
          aria-orientation="vertical"
          aria-label={label ?? say(['列表与详情的分隔', 'Between list and detail'])}
          aria-valuemin={min}
          aria-valuemax={max}
          aria-valuenow={share}
          onKeyDown={onKeyDown}
          onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={onPointerMove}
        />
      )}
      <div className="m-part">{second}</div>
    </div>
  )
}
