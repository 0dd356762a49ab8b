import { useMemo, type ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useSubject } from '#src/kit/workbench.ts'
import './detail.css'

type Props = {
  row: { id: number; name: string }
  actions: readonly Action[]
  /** What stands beside the name. */
  aside: ReactNode
  children: readonly [ReactNode, ReactNode]
}
/** A page of one record: its actions, its name and state, and its parts in two columns. */
export const DetailFrame = ({ row, actions, aside, children: [left, right] }: Props) => {
  const rows = useMemo(() => [row], [row])
  useSubject(useMemo(() => ({ rows, total: 1 }), [rows]))
  return (
    <div className="di-page">
      <Toolbar actions={actions} rows={rows} />
      <article className="di-body" tabIndex={0} aria-label={row.name}>
        <header>
          <h3>{row.name}</h3>
          {aside}
        </header>
        <div className="di-columns">
          <div>{left}</div>
          <div>{right}</div>
        </div>
      </article>
    </div>
  )
}
