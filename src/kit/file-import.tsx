import { Button, HTMLSelect, InputGroup, ProgressBar } from '@blueprintjs/core'
import { Document, Download } from '@blueprintjs/icons'
import { useRef, useState, type ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import type { ImportCalls, ImportTrial } from '#src/contract/importing.ts'
import { colon, comma, type Text } from '#src/domain/text.ts'
import { SmallTable } from './cells.tsx'
import { download } from './download.ts'
import { isBad, toMendCsv, useImport, type Line, type LineState } from './importing.ts'
import { Badge, Keys, type ToneName } from './show.tsx'
import { titleIn, useLang, useSay } from './text.ts'
import { Window } from './window.tsx'
import './file-import.css'

/** Lines that are drawn; the rest is in the file of what is to be mended. */
const SHOWN = 200
const REASON_MIN = 2
const looks: Record<LineState, readonly [ToneName, Text]> = {
  bad: ['bad', ['有问题', 'Wrong']],
  failed: ['bad', ['未导入', 'Not imported']],
  ready: ['info', ['待导入', 'To import']],
  done: ['good', ['已导入', 'Imported']],
  already: ['plain', ['无需导入', 'There already']],
  skipped: ['plain', ['已跳过', 'Left out']],
}
const inOrder: readonly LineState[] = ['bad', 'failed', 'ready', 'done', 'already', 'skipped']
type Import = ReturnType<typeof useImport>
type Reason = { needed: boolean; text: string }
const lacksReason = ({ needed, text }: Reason): boolean => needed && text.trim().length < REASON_MIN

/** Where a file is chosen, dropped or pasted, with the template beside it. */
const Choose = ({ of, hint, choose }: { of: Import; hint: ReactNode; choose: () => void }) => {
  const say = useSay()
  return (
    <div className="m-import-drop">
      <p>{hint}</p>
      <p className="m-muted">
        {say([
          '选择、拖入或粘贴 .xlsx、.csv 文件（2 MB、2000 行内），先检查再导入。',
          'Choose, drop or paste an .xlsx or .csv file (2 MB, 2000 lines at most). It is checked first.',
        ])}
      </p>
      <div className="m-import-row">
        <Button
          data-autofocus
          intent="primary"
          icon={<Document />}
          loading={of.busy}
          onClick={choose}
        >
          {say(['选择文件', 'Choose a file'])}
          <Keys keys="↵" />
        </Button>
        <Button variant="minimal" icon={<Download />} onClick={of.template}>
          {say(['下载模板', 'Template'])}
        </Button>
      </div>
    </div>
  )
}

/** What was understood of the file: its sheet, its columns, and what nothing is known by. */
const Understood = ({ of, trial }: { of: Import; trial: ImportTrial }) => {
  const say = useSay()
  const between = say(comma)
  return (
    <>
      {trial.sheets.length > 1 && (
        <label className="m-import-row">
          {say(['工作表', 'Sheet'])}
          <HTMLSelect
            value={trial.sheet}
            disabled={of.busy || of.sent !== undefined}
            options={[...trial.sheets]}
            onChange={event => void of.ask(event.target.value)}
          />
        </label>
      )}
      <p>
        {say(['识别到 {n} 列：{names}', '{n} columns are known: {names}'], {
          n: trial.heads.length,
          names: trial.heads.join(between),
        })}
      </p>
      {trial.ignored.length > 0 && (
        <p className="m-muted">
          {say(['未使用的列：{names}', 'Not used: {names}'], {
            names: trial.ignored.join(between),
          })}
        </p>
      )}
    </>
  )
}

/** How many lines there are of each kind. */
const Counts = ({ of }: { of: Import }) => {
  const say = useSay()
  const count = (state: LineState) => of.lines.filter(line => line.state === state).length
  return (
    <p role="status" className="m-import-row">
      <b>{of.name}</b> {say(['共 {n} 行', '{n} lines'], { n: of.lines.length })}
      {inOrder
        .filter(state => count(state) > 0)
        .map(state => (
          <Badge key={state} tone={looks[state][0]}>
            {say(looks[state][1])} {count(state)}
          </Badge>
        ))}
    </p>
  )
}

const Lines = ({ of }: { of: readonly Line[] }) => {
  const say = useSay()
  const sorted = of.toSorted(
    (a, b) => inOrder.indexOf(a.state) - inOrder.indexOf(b.state) || a.row - b.row,
  )
  return (
    <div
      className="m-import-lines"
      tabIndex={0}
      role="region"
      aria-label={say(['逐行结果', 'Line by line'])}
    >
      <SmallTable
        head={[
          ['行', 'Line'],
          ['结果', 'Result'],
          ['名称', 'Name'],
          ['说明', 'What it is'],
        ]}
        rows={sorted.slice(0, SHOWN)}
        keyOf={line => line.row}
        cells={line => [
          line.row,
          <Badge key="state" tone={looks[line.state][0]}>
            {say(looks[line.state][1])}
          </Badge>,
          line.name || '—',
          <span key="text" className={isBad(line) ? 'm-bad' : undefined}>
            {line.text}
          </span>,
        ]}
      />
      {sorted.length > SHOWN && (
        <p className="m-muted">
          {say(['另有 {n} 行未列出', '{n} more lines'], { n: sorted.length - SHOWN })}
        </p>
      )}
    </div>
  )
}

/** What can be done with the lines: the bad ones taken away to be mended, the good ones imported. */
const Ends = ({ of, reason, choose }: { of: Import; reason: Reason; choose: () => void }) => {
  const say = useSay()
  const bad = of.lines.filter(isBad)
  const mend = () =>
    download(
      say(['待修改的行.csv', 'lines-to-mend.csv']),
      toMendCsv(of.trial!.columns, of.lines, say(['问题', 'What is wrong'])),
      'text/csv',
    )
  if (!of.trial) return null
  return (
    <>
      {bad.length > 0 && (
        <Button variant="minimal" icon={<Download />} disabled={of.busy} onClick={mend}>
          {say(['下载问题行', 'Lines to mend'])}
        </Button>
      )}
      <Button
        data-autofocus={of.ready.length === 0 || undefined}
        disabled={of.busy}
        onClick={choose}
      >
        {say(['换一个文件', 'Another file'])}
      </Button>
      {(of.ready.length > 0 || of.busy) && (
        <Button
          data-autofocus={!reason.needed || undefined}
          intent="primary"
          loading={of.busy}
          disabled={lacksReason(reason)}
          onClick={() => void of.go(reason.needed ? { reason: reason.text } : {})}
        >
          {say(['导入 {n} 行', 'Import {n} lines'], { n: of.ready.length })}
          <Keys keys="↵" />
        </Button>
      )}
    </>
  )
}

/** What a file would do, or did, line by line; asks why where lines are sent with a reason. */
const Told = ({
  of,
  trial,
  reason,
  setReason,
}: {
  of: Import
  trial: ImportTrial
  reason: Reason
  setReason: (text: string) => void
}) => {
  const say = useSay()
  return (
    <>
      <Counts of={of} />
      <Understood of={of} trial={trial} />
      {of.busy && of.sent !== undefined && (
        <ProgressBar intent="primary" value={of.sent / Math.max(1, of.sent + of.ready.length)} />
      )}
      {reason.needed && of.ready.length > 0 && (
        <label className="m-import-reason">
          {say(['修改原因', 'Reason'])}
          <InputGroup
            data-autofocus
            value={reason.text}
            maxLength={255}
            placeholder={say(['至少 2 个字，写入操作日志', 'At least 2 letters, for the log'])}
            onValueChange={setReason}
            onKeyDown={event => {
              if (event.key !== 'Enter' || lacksReason(reason) || of.busy) return
              event.preventDefault()
              void of.go({ reason: reason.text })
            }}
          />
        </label>
      )}
      <Lines of={of.lines} />
    </>
  )
}

type Props = {
  action: Pick<Action, 'title' | 'en'>
  calls: ImportCalls
  /** What a line does, in a sentence. */ hint: Text
  /** The lines are sent with a reason. */ reasoned?: boolean
  close: () => void
}
/**
 * A file on its way in: it is read and told line by line, then the good lines go in; the bad ones
 * are taken away, mended and imported again.
 */
export const FileImport = ({ action, calls, hint, reasoned = false, close }: Props) => {
  const say = useSay()
  const now = useLang()
  const of = useImport(calls)
  const [reason, setReason] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const choose = () => input.current?.click()
  const take = (file: File | undefined) => {
    if (file && !of.busy) void of.take(file)
  }
  const ends = { needed: reasoned, text: reason }
  return (
    <Window
      title={titleIn(action, now)}
      close={close}
      width={860}
      stage={`${of.name} ${of.busy} ${of.sent ?? ''} ${of.lines.length}`}
      actions={<Ends of={of} reason={ends} choose={choose} />}
    >
      <div
        className="m-import"
        onDragOver={event => event.preventDefault()}
        onDrop={event => {
          event.preventDefault()
          take(event.dataTransfer.files[0])
        }}
        onPaste={event => {
          // Cells out of a spreadsheet are its rows with tabs between.
          const text = event.clipboardData.getData('text/plain')
          const [file] = event.clipboardData.files
          if (!file && !text.includes('\t')) return
          event.preventDefault()
          take(file ?? new File([text], say(['粘贴的内容', 'What was pasted'])))
        }}
      >
        <input
          ref={input}
          type="file"
          hidden
          accept=".xlsx,.csv,.tsv,.txt"
          aria-label={say(['要导入的文件', 'File to import'])}
          onChange={event => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            take(file)
          }}
        />
        {!of.trial && <Choose of={of} hint={say(hint)} choose={choose} />}
        {of.fault && (
          <div className="m-error" role="alert">
            {of.name && `${of.name}${say(colon)}`}
            {of.fault}
          </div>
        )}
        {of.trial && <Told of={of} trial={of.trial} reason={ends} setReason={setReason} />}
      </div>
    </Window>
  )
}
