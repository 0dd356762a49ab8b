import { Button } from '@blueprintjs/core'
import { ArrowUp } from '@blueprintjs/icons'
import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import { listRefresh } from '#commands/list.ts'
import { atQuestion } from './focus.ts'
import { Keys } from './show.tsx'
import { useSay } from './text.ts'
import { useWorkbench } from './workbench.ts'

/** A part that tells whether the pointer or the focus is in it; one that is gone has neither. */
export const Hand = ({
  tell,
  className,
  onMenu,
  children,
}: {
  tell: (isIn: boolean) => void
  className: string
  /** Hears where a menu is asked for. */
  onMenu?: (event: MouseEvent<HTMLElement>) => void
  children: ReactNode
}) => {
  const at = useRef({ pointer: false, focus: false })
  const told = (change: Partial<typeof at.current>) => {
    Object.assign(at.current, change)
    tell(at.current.pointer || at.current.focus)
  }
  useEffect(() => () => tell(false), [tell])
  return (
    <div
      className={className}
      onContextMenu={onMenu}
      onPointerEnter={() => told({ pointer: true })}
      onPointerLeave={() => told({ pointer: false })}
      onFocus={() => told({ focus: true })}
      onBlur={event => {
        const to = event.relatedTarget
        // A question about a row stands over the list, and leads back to it.
        if (!event.currentTarget.contains(to) && !atQuestion(to)) told({ focus: false })
      }}
    >
      {children}
    </div>
  )
}

/** Says that rows have come which are not shown yet, for none to move under the hand; takes them. */
export const NewRows = ({ n, take }: { n: number; take: () => void }) => {
  const say = useSay()
  const { keysOf, ariaKeysOf } = useWorkbench()
  return (
    <div className="m-new-rows" role="status">
      <Button
        size="small"
        intent="primary"
        icon={<ArrowUp size={12} />}
        data-command={listRefresh.id}
        aria-keyshortcuts={ariaKeysOf(listRefresh.id)}
        // The focus stays with the rows.
        onMouseDown={event => event.preventDefault()}
        onClick={take}
      >
        {say(['有 {n} 条新内容', '{n} new'], { n })}
        <Keys keys={keysOf(listRefresh.id)} />
      </Button>
    </div>
  )
}
