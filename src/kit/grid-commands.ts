import { useRef, useState } from 'react'
import { yuan } from '#src/domain/money.ts'
import { semicolon } from '#src/domain/text.ts'
import { byWhom } from './conflict.tsx'
import { filledDown, pasted, placesIn, rangeOf, readBlock, writeBlock } from './grid-cells.ts'
import type { GridColumn, Place, Typed } from './grid-cells.ts'
import { mayEdit, textOf, type GridRow } from './grid-draft.ts'
import type { GridSize } from './grid-keys.ts'
import type { GridEdits, GridProblem } from './grid-state.ts'
import type { DrawnCell } from './grid-table.tsx'
import { useSay } from './text.ts'

const start: Place = { row: 0, column: 0 }

/** A value as it is shown in words: money with its sign. */
const useShown = () => {
  const say = useSay()
  return <Row>(column: GridColumn<Row>, value: string | number | null): string => {
    if (value === null || value === '') return say(['空', 'empty'])
    return column.kind === 'money' ? `¥${yuan(Number(value))}` : String(value)
  }
}
/** How each cell is drawn, and what is told of it. */
export const useCells = <Row extends GridRow>(edits: GridEdits<Row>) => {
  const say = useSay()
  const shown = useShown()
  const { rows, columns, draft, told, problems } = edits
  const crossed = (row: Row, column: GridColumn<Row>) =>
    say(['{who} 改为 {value}', '{who} made it {value}'], {
      who: byWhom(told.get(row.id)?.by ?? row.changed_by ?? undefined),
      value: shown(column, column.of(row)),
    })
  const textOfProblem = ({ row, column, text, kind }: GridProblem) =>
    kind === 'crossed' ? crossed(rows[row]!, columns[column]!) : text
  const outcome = (at: number): DrawnCell => {
    const row = rows[at]!
    const own = problems.filter(one => one.row === at)
    if (own.length > 0)
      return { text: own.map(textOfProblem).join(say(semicolon)), tone: 'bad', fixed: true }
    const answer = told.get(row.id)
    if (answer && answer.result !== 'saved')
      return { text: answer.text ?? '', tone: 'bad', fixed: true }
    if (draft[row.id]) return { text: say(['待保存', 'Not saved']), tone: 'changed', fixed: true }
    if (!answer) return { text: '', fixed: true }
    return { text: answer.text ?? say(['已保存', 'Saved']), tone: 'good', fixed: true }
  }
  const cell = ({ row: at, column: aside }: Place): DrawnCell => {
    const [row, column] = [rows[at], columns[aside]]
    if (!row) return { text: '', fixed: true }
    if (!column) return outcome(at)
    const edit = draft[row.id]?.cells[column.key]
    const problem = problems.find(one => one.row === at && one.column === aside)
    const may = mayEdit(column, row)
    const was = edit && say(['原 {value}', 'was {value}'], { value: shown(column, edit.was) })
    const why = may !== true && column.edits ? say(may) : undefined
    const wrong = problem && textOfProblem(problem)
    const changed = edit ? 'changed' : undefined
    return {
      text: textOf(draft, row, column),
      align: column.kind === 'text' ? undefined : 'end',
      tone: problem ? 'bad' : changed,
      fixed: may !== true,
      invalid: problem !== undefined,
      note: [wrong, was, why].filter(Boolean).join(say(semicolon)) || undefined,
    }
  }
  return { cell, textOfProblem }
}

/** Which cells are chosen, within the grid as it is now. */
export const useChosen = (size: GridSize) => {
  const [at, setAt] = useState(start)
  const [anchor, setAnchor] = useState(start)
  const within = (place: Place): Place => ({
    row: Math.min(place.row, Math.max(0, size.rows - 1)),
    column: Math.min(place.column, size.columns - 1),
  })
  const active = within(at)
  return {
    active,
    range: rangeOf(active, within(anchor)),
    go: (to: Place, extend = false) => {
      setAt(to)
      if (!extend) setAnchor(to)
    },
    choose: (from: Place, to: Place) => {
      setAt(from)
      setAnchor(to)
    },
  }
}
export type Chosen = ReturnType<typeof useChosen>
/** What the grid's commands do; `field` is what has the keys. */
export const useCommands = <Row extends GridRow>(
  edits: GridEdits<Row>,
  { chosen, size, tell }: { chosen: Chosen; size: GridSize; tell: (text: string) => void },
) => {
  const say = useSay()
  const { rows, columns, draft, problems } = edits
  const { active, range } = chosen
  const textAt = ({ row, column }: Place) =>
    columns[column] && rows[row] ? textOf(draft, rows[row], columns[column]) : ''
  const type = (typed: readonly Typed[], beyond = 0) => {
    const mine = typed.filter(({ column }) => column < columns.length)
    const { kept } = edits.type(mine)
    const left = kept + beyond + typed.length - mine.length
    if (left > 0)
      tell(
        say(['{n} 格只读或超出表格，未写入', '{n} cells are read-only or beyond it'], { n: left }),
      )
  }
  const paste = (text: string) => {
    const { typed, beyond } = pasted(readBlock(text), range, size)
    type(typed, beyond)
    const reach = typed.at(-1)
    if (reach) chosen.choose(active, reach)
  }
  const copied = () =>
    writeBlock(
      Array.from({ length: range.bottom - range.top + 1 }, (_, down) =>
        Array.from({ length: range.right - range.left + 1 }, (__, aside) =>
          textAt({ row: range.top + down, column: range.left + aside }),
        ),
      ),
    )
  const nextProblem = () => {
    const isAfter = (one: GridProblem) =>
      one.row > active.row || (one.row === active.row && one.column > active.column)
    const to = problems.find(isAfter) ?? problems[0]
    if (to) chosen.go({ row: to.row, column: to.column })
  }
  const clear = () => type(placesIn(range).map(at => ({ ...at, text: '' })))
  return {
    type,
    paste,
    copied,
    nextProblem,
    clear,
    textAt,
    fill: () => type(filledDown(range, textAt)),
  }
}

export type Commands<Row extends GridRow> = ReturnType<typeof useCommands<Row>>

/** The fewest characters of a reason. */
export const REASON_MIN = 2
/** Saves what can be saved: where nothing can, it goes to what is in the way. */
export const useSaving = <Row extends GridRow>(
  edits: GridEdits<Row>,
  of: { reasoned: boolean; tell: (text: string) => void; stuck: () => void },
) => {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  const [asked, setAsked] = useState(false)
  const focus = (what: string) =>
    box.current?.querySelector<HTMLElement>(what)?.focus({ preventScroll: true })
  const toField = () => focus('.m-sheet-field')
  const toReason = () => focus('.m-sheet-reason input')
  /** From the bar to what is to be settled, or back to the cells. */
  const onwards = () => {
    if (edits.problems.length > 0) focus('.m-sheet-problems button')
    else toField()
  }
  const save = () => {
    if (edits.changes.length === 0) {
      const n = edits.problems.length
      of.tell(
        n > 0
          ? say(['请先处理 {n} 处问题', 'Settle {n} problems first'], { n })
          : say(['没有要保存的修改', 'There is nothing to save']),
      )
      of.stuck()
      return
    }
    const lacks = of.reasoned && edits.reason.trim().length < REASON_MIN
    setAsked(lacks)
    if (lacks) toReason()
    else edits.send().then(toField, () => {})
  }
  return { box, asked, save, toField, toReason, onwards }
}
