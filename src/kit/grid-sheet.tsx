import { Button, InputGroup } from '@blueprintjs/core'
import {
  useEffect,
  useId,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { yuan } from '#src/domain/money.ts'
import { opposite, type Place } from './grid-cells.ts'
import { useCells, useChosen, useCommands, useSaving, REASON_MIN } from './grid-commands.ts'
import { isCrossed, type GridRow } from './grid-draft.ts'
import { activeOf, usePress, type Editing, type FieldProps, type Of } from './grid-press.ts'
import {
  useGridEdits,
  type GridEdits,
  type GridProblem,
  type GridSheetProps,
} from './grid-state.ts'
import { cellId, SheetTable } from './grid-table.tsx'
import { Keys } from './show.tsx'
import { useSay } from './text.ts'
import { usePaneFocused } from './workbench.ts'

const SAID = 'said'

type Box = { left: number; top: number; width: number; height: number }
/** The one field that has the grid's keys: over the active cell, seen while that is typed in. */
const Field = <Row extends GridRow>({ box, ...props }: FieldProps<Row> & { box: Box }) => {
  const { of, id, chosen, commands, editing, setEditing } = props
  const say = useSay()
  const field = useRef<HTMLInputElement>(null)
  const { active } = chosen
  const { row, column, may } = activeOf(props)
  const { press, commit } = usePress(props)
  const text = commands.textAt(active)
  const isEditing = editing !== undefined
  const isMine = usePaneFocused()
  useEffect(() => {
    if (isMine) field.current?.focus({ preventScroll: true })
    // Only when it appears: later the person is wherever they went.
  }, [])
  // What is typed then stands in place of what is there, and a copy finds something chosen.
  useEffect(() => {
    if (!isEditing && document.activeElement === field.current) field.current?.select()
  }, [isEditing, text, active.row, active.column])
  /** A clipboard of the grid's own, while no text is edited. */
  const clipped = (does: (data: DataTransfer) => void) => (event: ClipboardEvent) => {
    if (editing) return
    event.preventDefault()
    does(event.clipboardData)
  }
  const copy = (data: DataTransfer) => data.setData('text/plain', commands.copied())
  return (
    <input
      ref={field}
      className="m-sheet-field"
      data-grid-field
      data-editing={isEditing || undefined}
      style={box}
      readOnly={!may}
      spellCheck={false}
      autoComplete="off"
      aria-label={[row && of.nameOf(row), column && say(column.title)].filter(Boolean).join(' ')}
      aria-describedby={`${id}-keys`}
      aria-activedescendant={isEditing ? undefined : cellId(id, active)}
      value={editing?.text ?? text}
      onFocus={event => event.currentTarget.select()}
      onChange={event => setEditing({ text: event.target.value, over: editing?.over ?? true })}
      onKeyDown={press}
      onBlur={() => editing && commit()}
      onCopy={clipped(copy)}
      onCut={clipped(data => {
        copy(data)
        commands.clear()
      })}
      onPaste={clipped(data => commands.paste(data.getData('text/plain')))}
    />
  )
}

/** How much is changed, and what it comes to. */
const Sums = <Row extends GridRow>({ edits }: { edits: GridEdits<Row> }) => {
  const say = useSay()
  const cells = edits.sums.reduce((sum, one) => sum + one.cells, 0)
  if (cells === 0)
    return <span className="m-muted">{say(['没有未保存的修改', 'Nothing is changed'])}</span>
  const rows = Object.keys(edits.draft).length
  return (
    <>
      <b>{say(['已改 {rows} 行 {cells} 格', '{cells} cells of {rows} rows'], { rows, cells })}</b>
      {edits.sums.map(({ key, before, after }) => {
        const column = edits.columns.find(one => one.key === key)!
        if (column.kind === 'text') return null
        const write = (n: number) =>
          column.kind === 'money' ? `¥${yuan(n)}` : n.toLocaleString('en')
        return (
          <span key={key} className="m-sheet-sum">
            {say(column.title)} <span className="m-num">{write(before)}</span> →{' '}
            <span className="m-num">{write(after)}</span>
          </span>
        )
      })}
    </>
  )
}
/** F6 goes on to the next part of the grid: its bar, what is to be settled, its cells. */
const onF6 = (go: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'F6') return
  event.preventDefault()
  go()
}
/** What keeps rows from being saved: where it is, and how a conflict is settled. */
const Problems = <Row extends GridRow>({
  of: { edits, nameOf },
  text,
  go,
  back,
}: {
  of: Of<Row>
  text: (one: GridProblem) => string
  go: (at: Place) => void
  back: () => void
}) => {
  const say = useSay()
  // The button that was pressed goes, and the focus with it.
  const settle = (does: () => void) => {
    does()
    back()
  }
  if (edits.problems.length === 0) return null
  return (
    <ul
      className="m-sheet-problems"
      aria-label={say(['待处理', 'To settle'])}
      onKeyDown={onF6(back)}
    >
      {edits.problems.map(one => {
        const row = edits.rows[one.row]!
        const column = edits.columns[one.column]!
        return (
          <li key={`${row.id}:${column.key}`}>
            <Button size="small" variant="minimal" onClick={() => go(one)}>
              {nameOf(row)} · {say(column.title)}
            </Button>
            <span className="m-bad">{text(one)}</span>
            {isCrossed(edits.draft, row, column) && (
              <>
                <Button
                  size="small"
                  variant="outlined"
                  onClick={() => settle(() => edits.keepMine(row))}
                >
                  {say(['保留我的', 'Keep mine'])}
                </Button>
                <Button
                  size="small"
                  variant="outlined"
                  onClick={() => settle(() => edits.takeTheirs(row))}
                >
                  {say(['用对方的', 'Take theirs'])}
                </Button>
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
}
const Reason = <Row extends GridRow>({ edits, asked, save }: BarProps<Row>) => {
  const say = useSay()
  const fault = useId()
  const lacks = asked && edits.reason.trim().length < REASON_MIN
  return (
    <>
      {lacks && (
        <span id={fault} className="m-bad" role="alert">
          {say(['请写明原因，至少 2 个字', 'Say why, at least 2 characters'])}
        </span>
      )}
      <InputGroup
        size="small"
        className="m-sheet-reason"
        value={edits.reason}
        maxLength={255}
        placeholder={say(['修改原因（必填）', 'Reason (required)'])}
        aria-label={say(['修改原因', 'Reason'])}
        aria-invalid={lacks}
        aria-describedby={lacks ? fault : undefined}
        intent={lacks ? 'danger' : 'none'}
        onValueChange={edits.setReason}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          save()
        }}
      />
    </>
  )
}
type BarProps<Row extends GridRow> = {
  edits: GridEdits<Row>
  reasoned: boolean
  save: () => void
  /** It was tried to save. */
  asked: boolean
}
/** Why the rows are changed, how many can be saved, and the way back to the cells. */
const Bar = <Row extends GridRow>({
  aside,
  back,
  ...of
}: BarProps<Row> & { aside: ReactNode; back: () => void }) => {
  const say = useSay()
  const { edits } = of
  return (
    <div
      className="m-sheet-bar"
      role="group"
      aria-label={say(['表格操作', 'Of the grid'])}
      onKeyDown={onF6(back)}
    >
      {aside}
      <Button size="small" disabled={!edits.canUndo} onClick={edits.undo}>
        {say(['撤销', 'Undo'])}
      </Button>
      <Button size="small" disabled={!edits.canRedo} onClick={edits.redo}>
        {say(['重做', 'Redo'])}
      </Button>
      <Button size="small" disabled={Object.keys(edits.draft).length === 0} onClick={edits.discard}>
        {say(['放弃修改', 'Discard'])}
      </Button>
      <span className="m-sheet-room" />
      {of.reasoned && <Reason {...of} />}
      <Button
        size="small"
        intent="primary"
        loading={edits.saving}
        disabled={edits.changes.length === 0}
        onClick={of.save}
      >
        {say(['保存 {n} 行', 'Save {n} rows'], { n: edits.changes.length })}
        <Keys keys="Ctrl S" />
      </Button>
    </div>
  )
}

/** The foot of a grid: what is changed, and what was said of it last. */
const Foot = <Row extends GridRow>({
  edits,
  said,
  id,
}: {
  edits: GridEdits<Row>
  said: string
  id: string
}) => {
  const say = useSay()
  return (
    <div className="m-sheet-foot">
      <Sums edits={edits} />
      <span role="status">{said}</span>
      {edits.recovered && (
        <span className="m-muted">
          {say(['已恢复未保存的修改', 'What was not saved came back'])}
        </span>
      )}
      <span className="m-sheet-room" />
      <span className="m-muted" id={`${id}-keys`}>
        {say([
          'F2 编辑 · Ctrl+V 粘贴 · Ctrl+D 向下填充 · Ctrl+Z 撤销 · F8 下一处问题 · F6 操作栏与待处理',
          'F2 edits · Ctrl+V pastes · Ctrl+D fills down · Ctrl+Z undoes · F8 next problem · F6 bar and problems',
        ])}
      </span>
    </div>
  )
}
/**
 * Rows that are edited as in a spreadsheet, by keys, paste and fill, and saved in one call that
 * answers row by row. What is typed is kept on this machine until it is saved.
 */
export const GridSheet = <Row extends GridRow>(props: GridSheetProps<Row>) => {
  const { name, label, rows, columns, nameOf, reasoned = false } = props
  const say = useSay()
  const id = useId()
  const edits = useGridEdits({ name, rows, columns, save: props.save })
  const of = { edits, nameOf }
  const [editing, setEditing] = useState<Editing>(undefined)
  const [said, setSaid] = useState('')
  const size = { rows: rows.length, columns: columns.length + 1 }
  const chosen = useChosen(size)
  const { cell, textOfProblem } = useCells(edits)
  const commands = useCommands(edits, { chosen, size, tell: setSaid })
  const saving = useSaving(edits, { reasoned, tell: setSaid, stuck: commands.nextProblem })
  const { box, asked, save, toField } = saving
  const field = {
    of,
    id,
    chosen,
    size,
    commands,
    editing,
    setEditing,
    save,
    leave: saving.toReason,
  }
  return (
    <div className="m-sheet-box" ref={box}>
      <Bar
        edits={edits}
        reasoned={reasoned}
        save={save}
        asked={asked}
        aside={props.aside}
        back={saving.onwards}
      />
      <SheetTable
        label={label}
        id={id}
        rows={rows.length}
        columns={[
          ...columns.map(({ key, title, width, kind }) => ({
            key,
            title: say(title),
            width,
            end: kind !== 'text',
          })),
          { key: SAID, title: say(['结果', 'Outcome']), width: 260 },
        ]}
        cell={cell}
        drawn={[edits.draft, edits.told, edits.problems, rows, columns]}
        active={chosen.active}
        range={chosen.range}
        onPick={(active, range) => {
          chosen.choose(active, opposite(active, range))
          requestAnimationFrame(toField)
        }}
        onEdit={() =>
          activeOf(field).may && setEditing({ text: commands.textAt(chosen.active), over: false })
        }
        field={place => <Field {...field} box={place} />}
      />
      <Problems
        of={of}
        text={textOfProblem}
        back={toField}
        go={at => {
          chosen.go(at)
          toField()
        }}
      />
      <Foot edits={edits} said={said} id={id} />
    </div>
  )
}
