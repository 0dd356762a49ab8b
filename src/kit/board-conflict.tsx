import { Button } from '@blueprintjs/core'
import { movesOf } from '#src/domain/moves.ts'
import { colon } from '#src/domain/text.ts'
import type { Identified } from './board-rows.tsx'
import { useSay } from './text.ts'
import type { BoardState } from './useboard.ts'

const Order = ({
  title,
  order,
  nameOf,
  other,
}: {
  title: string
  order: readonly number[]
  nameOf: (id: number) => string
  other: readonly number[]
}) => {
  const changed = new Set(movesOf(other, order).map(one => one.id))
  return (
    <section>
      <h4>{title}</h4>
      <ol>
        {order.map(id => (
          <li key={id} data-moved={changed.has(id) || undefined}>
            {nameOf(id)}
          </li>
        ))}
      </ol>
    </section>
  )
}
/** Both orders side by side, where somebody saved another one meanwhile. */
export const Conflict = <Row extends Identified>({
  of,
  conflict: { mine, theirs },
  by,
  labelOf,
}: {
  of: Pick<BoardState<Row>, 'rows' | 'saving' | 'keepMine' | 'takeTheirs'>
  conflict: NonNullable<BoardState<Row>['conflict']>
  by: string | undefined
  labelOf: (row: Row) => string
}) => {
  const say = useSay()
  const nameOf = (id: number) => {
    const found = of.rows?.find(one => one.id === id)
    return found ? labelOf(found) : `#${id}`
  }
  return (
    <div className="m-board-conflict" role="alert">
      <p>
        {say(['顺序已被他人改动', 'Somebody saved another order'])}
        {by && `${say(colon)}${by}`}
      </p>
      <div>
        <Order title={say(['我的顺序', 'Mine'])} order={mine} nameOf={nameOf} other={theirs} />
        <Order title={say(['现在的顺序', 'Theirs'])} order={theirs} nameOf={nameOf} other={mine} />
      </div>
      <Button size="small" intent="primary" loading={of.saving} onClick={of.keepMine}>
        {say(['保留我的并保存', 'Keep mine and save'])}
      </Button>
      <Button size="small" onClick={of.takeTheirs}>
        {say(['采用现在的', 'Take theirs'])}
      </Button>
    </div>
  )
}
