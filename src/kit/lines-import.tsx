import { Button, FileInput, TextArea } from '@blueprintjs/core'
import { useState, type ReactNode } from 'react'
import { semicolon, type Text } from '#src/domain/text.ts'
import { SmallTable } from './cells.tsx'
import type { CallError } from './data.ts'
import { Badge, Keys } from './show.tsx'
import { useSay } from './text.ts'
import { Window } from './window.tsx'
import './lines-import.css'

/** `check` writes nothing, `all` writes where every line is good, `good` those that are. */
export type ImportMode = 'check' | 'all' | 'good'
/** What a call answers: how many lines it wrote, and of each line what is wrong with it. */
export type ImportResult = {
  written: number
  rows: readonly { line: number; faults: readonly string[] }[]
}
type Props<R extends ImportResult> = {
  title: string
  /** The columns in words, and lines as an example. */
  hint: string
  example: string
  /** How many lines the text has. */
  count: (text: string) => number
  /** What tells a line apart, shown beside its faults. */
  head: readonly Text[]
  cells: (row: R['rows'][number]) => readonly ReactNode[]
  send: (input: { text: string; mode: ImportMode }) => Promise<R>
  sending: boolean
  /** The lines are written. */
  done: (result: R) => void
  close: () => void
}
const writing = {
  all: ['导入 {n} 行', 'Import {n} lines'],
  good: ['只导入正确的 {n} 行', 'Import the {n} good lines'],
} as const satisfies Record<'all' | 'good', Text>
const faultIn = (error: CallError): string => error.data?.fields?.['text'] ?? error.message

/**
 * Rows from pasted or uploaded lines: checked first, each line with what is wrong with it; then none
 * or only the good ones are written.
 */
export const LinesImport = <R extends ImportResult>(of: Props<R>) => {
  const say = useSay()
  const [text, setText] = useState('')
  const [checked, setChecked] = useState<R | undefined>(undefined)
  const [error, setError] = useState('')
  const bad = checked?.rows.filter(row => row.faults.length > 0).length ?? 0
  const good = (checked?.rows.length ?? 0) - bad
  const isEmpty = of.count(text) === 0
  const change = (typed: string) => {
    setText(typed)
    setChecked(undefined)
  }
  const run = (mode: ImportMode) => {
    if (isEmpty || of.sending) return
    setError('')
    of.send({ text, mode }).then(
      result => (mode === 'check' || result.written === 0 ? setChecked(result) : of.done(result)),
      (fault: CallError) => setError(faultIn(fault)),
    )
  }
  const mayWrite = checked !== undefined && good > 0
  const writes = bad > 0 ? 'good' : 'all'
  const next = () => run(mayWrite ? writes : 'check')
  return (
    <Window
      title={of.title}
      close={of.close}
      width={860}
      actions={
        <Button intent="primary" loading={of.sending} disabled={isEmpty} onClick={next}>
          {say(mayWrite ? writing[writes] : (['检查', 'Check'] as const), { n: good })}
          <Keys keys="Ctrl ↵" />
        </Button>
      }
    >
      <p className="m-muted" style={{ marginTop: 0 }}>
        {of.hint}
      </p>
      <Lines text={text} example={of.example} change={change} enter={next} />
      {error && (
        <p className="m-bad" role="alert">
          {error}
        </p>
      )}
      {checked && <Checked of={checked} head={of.head} cells={of.cells} bad={bad} />}
    </Window>
  )
}

/** Where lines are pasted, or read from a file; Ctrl+Enter goes on. */
const Lines = ({
  text,
  example,
  change,
  enter,
}: {
  text: string
  example: string
  change: (text: string) => void
  enter: () => void
}) => {
  const say = useSay()
  const [file, setFile] = useState('')
  return (
    <>
      <TextArea
        className="m-lines"
        rows={8}
        data-autofocus
        value={text}
        placeholder={example}
        aria-label={say(['要导入的行', 'Lines to import'])}
        onChange={event => change(event.target.value)}
        onKeyDown={event => {
          if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
            event.preventDefault()
            enter()
          }
        }}
      />
      <FileInput
        className="m-lines-file"
        style={{ marginTop: 8 }}
        size="small"
        text={file || say(['或选择 CSV 文件', 'Or choose a CSV file'])}
        buttonText={say(['浏览', 'Browse'])}
        inputProps={{
          accept: '.csv,.txt,text/csv,text/plain',
          'aria-label': say(['从文件读取', 'Read a file']),
        }}
        onInputChange={event => {
          const [chosen] = event.currentTarget.files ?? []
          if (chosen)
            void chosen.text().then(content => {
              setFile(chosen.name)
              change(content)
            })
        }}
      />
    </>
  )
}

const Checked = <R extends ImportResult>({
  of,
  head,
  cells,
  bad,
}: Pick<Props<R>, 'head' | 'cells'> & { of: R; bad: number }) => {
  const say = useSay()
  const good = of.rows.length - bad
  return (
    <>
      <p className="m-lines-told" data-tone={bad > 0 ? 'warn' : undefined} role="status">
        {bad > 0
          ? say(
              [
                '{n} 行有误，{g} 行正确。可修改后重新检查，或只导入正确的行。',
                '{n} lines are wrong, {g} are good. Mend and check again, or import the good ones.',
              ],
              { n: bad, g: good },
            )
          : say(['{n} 行全部正确。', 'All {n} lines are good.'], { n: good })}
      </p>
      <div className="m-lines-checked" tabIndex={0} aria-label={say(['检查结果', 'Result'])}>
        <SmallTable
          head={[['行', 'Line'], ...head, ['结果', 'Result']]}
          rows={of.rows}
          keyOf={row => row.line}
          cells={row => [
            row.line,
            ...cells(row),
            row.faults.length === 0 ? (
              <Badge key="good" tone="good">
                {say(['正确', 'Good'])}
              </Badge>
            ) : (
              <span key="bad" className="m-bad">
                {row.faults.join(say(semicolon))}
              </span>
            ),
          ]}
        />
      </div>
    </>
  )
}
