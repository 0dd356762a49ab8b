import { calledOf, type Action } from '#commands/command.ts'
import { yuan } from '#src/domain/money.ts'
import { saidIn, type Lang } from '#src/domain/text.ts'
import { HOUR } from '#src/domain/time.ts'
import { undoOf } from './asks.ts'
import { Fact, Facts } from './show.tsx'
import { useLang, useSay } from './text.ts'

/** For how long an action can be undone; of a dangerous one also that it can't. */
const useUndoWords = (action: Action): string | undefined => {
  const say = useSay()
  const undo = undoOf(action)
  if (undo && undo.seconds < HOUR)
    return say(['{n} 分钟内可撤销', 'Can be undone for {n} minutes'], {
      n: Math.floor(undo.seconds / 60),
    })
  if (undo)
    return say(['{n} 小时内可撤销', 'Can be undone for {n} hours'], {
      n: Math.floor(undo.seconds / HOUR),
    })
  return action.danger && action.call
    ? say(['执行后不能用 Ctrl+Z 撤销', 'Can’t be undone with Ctrl+Z'])
    : undefined
}

/** A number of an order has the line to itself, so that it is not broken in two. */
const isLong = (value: string) => value.replace(/[^\x20-\xff]/g, '**').length > 12
/** So many of several rows are named before anything is done to them. */
const FIRST = 5
export type Named = { id: number; title?: string; name?: string; order_no?: string }
/** How a row is called by its title, its name or its order; what a page acts on may be no row. */
export const rowTitle = (row: Partial<Named>): string =>
  row.title || row.name || row.order_no || (row.id === undefined ? '' : `#${row.id}`)
/** How a row of an action is called: as its schema says, else by its title. */
export const rowName = (action: Action, row: Named, now: Lang): string => {
  const own = calledOf(action)?.(row)
  return (own && saidIn(own, now)) || rowTitle(row)
}
/**
 * What an action would do, before it is done: to how many rows, which are the first, how much money
 * moves, and whether it can be taken back.
 */
export const DryRun = ({
  action,
  rows,
  nameOf: given,
}: {
  action: Action
  rows: readonly Named[]
  nameOf?: ((row: Named) => string) | undefined
}) => {
  const say = useSay()
  const now = useLang()
  const nameOf = given ?? (row => rowName(action, row, now))
  const told = action.tells?.(rows)
  const facts = told?.[3]?.facts ?? []
  const policy = useUndoWords(action)
  const subject =
    rows.length > 1
      ? say(['共 {n} 项', '{n} total'], { n: rows.length })
      : rows[0] && nameOf(rows[0])
  const money = (row: Named) => {
    const cents = rows.length > 1 ? action.tells?.([row])?.[2] : undefined
    return cents !== undefined && <span className="m-num"> ¥{yuan(cents)}</span>
  }
  return (
    <>
      {subject && <p className="m-subject">{subject}</p>}
      {rows.length > 1 && (
        <ul className="m-subjects">
          {rows.slice(0, FIRST).map(row => (
            <li key={row.id}>
              {nameOf(row)}
              {money(row)}
            </li>
          ))}
          {rows.length > FIRST && (
            <li className="m-muted">
              {say(['还有 {n} 项', '{n} more'], { n: rows.length - FIRST })}
            </li>
          )}
        </ul>
      )}
      {facts.length > 0 && (
        <Facts>
          {facts.map(([label, value]) => (
            <Fact key={label[0]} label={say(label)} wide={isLong(value)}>
              {value}
            </Fact>
          ))}
        </Facts>
      )}
      {told && <p className="m-told">{say(told[0], told[1])}</p>}
      {policy && <p className="m-muted">{policy}</p>}
    </>
  )
}
