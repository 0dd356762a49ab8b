import { Button, HTMLSelect } from '@blueprintjs/core'
import { useState } from 'react'
import type { Result } from '#src/contract/call.ts'
import { useSay } from '#src/kit/text.ts'
import type { SheetCount, SheetQuestion, ShipCalls } from '../contract/ship.ts'

/** Columns that a person has chosen, by their meaning. */
export type ChosenColumns = Partial<Record<SheetQuestion['column'], number>>

/** Asks which of several columns is meant; the likeliest one is chosen already. */
const SheetQuestions = ({
  of,
  busy,
  answer,
}: {
  of: readonly SheetQuestion[]
  busy: boolean
  answer: (columns: ChosenColumns) => void
}) => {
  const say = useSay()
  const [chosen, setChosen] = useState<ChosenColumns>(() =>
    Object.fromEntries(of.map(({ column, choices }) => [column, choices[0]!.at])),
  )
  return (
    <form
      className="o-sheet-ask"
      onSubmit={event => {
        event.preventDefault()
        answer(chosen)
      }}
    >
      <p role="status">
        {say([
          '有几列意思相同，请选择以哪一列为准',
          'Several columns mean the same: choose the one that counts',
        ])}
      </p>
      {of.map(({ column, title, choices }, first) => (
        <label key={column}>
          {title}
          <HTMLSelect
            autoFocus={first === 0}
            value={chosen[column]}
            onChange={event => setChosen({ ...chosen, [column]: Number(event.target.value) })}
          >
            {choices.map(({ at, head, sample }) => (
              <option key={at} value={at}>
                {say(['第 {n} 列 {head}（如 {sample}）', 'Column {n}, {head} (such as {sample})'], {
                  n: at + 1,
                  head,
                  sample,
                })}
              </option>
            ))}
          </HTMLSelect>
        </label>
      ))}
      <Button type="submit" intent="primary" loading={busy}>
        {say(['按所选的列读取', 'Read these columns'])}
      </Button>
    </form>
  )
}

/** Which sheet was read, with the others that could be. */
const SheetChoice = ({
  sheet,
  sheets,
  busy,
  choose,
}: {
  sheet: string
  sheets: readonly string[]
  busy: boolean
  choose: (sheet: string) => void
}) => {
  const say = useSay()
  return sheets.length > 1 ? (
    <label className="o-sheet-which">
      {say(['工作表', 'Sheet'])}
      <HTMLSelect
        value={sheet}
        disabled={busy}
        options={[...sheets]}
        onChange={event => choose(event.target.value)}
      />
      <span className="m-muted">
        {say(['文件中另有 {n} 个可导入的工作表', '{n} more sheets of the file can be read'], {
          n: sheets.length - 1,
        })}
      </span>
    </label>
  ) : null
}

/** What an answer leaves open: which sheet, and which columns. */
export const SheetAsks = ({
  of,
  busy,
  ask,
}: {
  of: Result<ShipCalls['readSheet']> | undefined
  busy: boolean
  ask: (more: { sheet?: string; columns?: ChosenColumns }) => void
}) =>
  of ? (
    <>
      <SheetChoice
        sheet={of.sheet}
        sheets={of.sheets}
        busy={busy}
        choose={sheet => ask({ sheet })}
      />
      {of.questions.length > 0 && (
        <SheetQuestions
          key={of.sheet}
          of={of.questions}
          busy={busy}
          answer={columns => ask({ sheet: of.sheet, columns })}
        />
      )}
    </>
  ) : null

/** The lines of the file beside those that were read: the two make up the same number. */
export const LinesCounted = ({ of }: { of: SheetCount | null | undefined }) => {
  const say = useSay()
  if (!of) return null
  const words = {
    all: of.all,
    above: of.above,
    inside: of.inside,
    n: of.read,
  }
  return (
    <span>
      {of.inside > 0
        ? say(
            [
              '共 {n} 行（文件 {all} 行，其中表头及以上 {above} 行，单元格内换行 {inside} 行）',
              '{n} lines ({all} in the file, {above} of them up to the head, {inside} inside cells)',
            ],
            words,
          )
        : say(
            [
              '共 {n} 行（文件 {all} 行，其中表头及以上 {above} 行）',
              '{n} lines ({all} in the file, {above} of them up to the head)',
            ],
            words,
          )}
    </span>
  )
}
