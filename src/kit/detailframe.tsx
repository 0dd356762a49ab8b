import { Fragment, useMemo, type ReactNode } from 'react'
import { Link, useSearch } from 'wouter'
import type { Action } from '#commands/command.ts'
import type { Read } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import { skipToken, useRead } from './data.ts'
import { Empty, Unanswered } from './states.tsx'
import { useSay } from './text.ts'
import { Toolbar } from './toolbar.tsx'
import { useSubject } from './workbench.ts'
import './detailframe.css'

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
    <div className="m-record-page">
      <Toolbar actions={actions} rows={rows} />
      <article className="m-record-body" tabIndex={0} aria-label={row.name}>
        <header>
          <h3>{row.name}</h3>
          {aside}
        </header>
        <div className="m-record-columns">
          <div>{left}</div>
          <div>{right}</div>
        </div>
      </article>
    </div>
  )
}

/** Draws the record of `?id=` once it is there; without an id it says so, and leads back to a list. */
export const OfAddress = <Detail,>({
  call,
  none,
  back,
  children,
}: {
  call: Read<{ id: number }, { id: number }, Detail>
  none: Text
  back: { to: string; text: Text }
  children: (of: Detail) => ReactNode
}) => {
  const say = useSay()
  const id = Number(new URLSearchParams(useSearch()).get('id'))
  const sound = Number.isInteger(id) && id > 0
  const read = useRead(call, sound ? { id } : skipToken)
  if (!sound)
    return (
      <Empty title={say(none)}>
        <Link href={back.to}>{say(back.text)}</Link>
      </Empty>
    )
  // Another record keeps nothing of this one.
  if (read.currentData) return <Fragment key={id}>{children(read.currentData)}</Fragment>
  return <Unanswered of={read} lines={16} />
}
