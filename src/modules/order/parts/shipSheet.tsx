import { Button, Dialog, DialogBody, DialogFooter, ProgressBar } from '@blueprintjs/core'
import { Clipboard, Download, Document } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'
import type { Action } from '#commands/command.ts'
import type { Result } from '#src/contract/call.ts'
import { colon, type Text } from '#src/domain/text.ts'
import { base64Of } from '#src/kit/base64.ts'
import { useWrite, type CallError } from '#src/kit/data.ts'
import { download } from '#src/kit/download.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Badge, Keys, type ToneName } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { SHIP_LINES, type SheetLine, type ShipCalls } from '../contract/ship.ts'
import { LinesCounted, SheetAsks, type ChosenColumns } from './sheetAnswer.tsx'
import './ship.css'

/** Lines that are drawn of each kind; the rest is in the list that can be copied. */
const SHOWN = 200
const FILE_BYTES = 2 * 1024 * 1024
type State = SheetLine['state'] | 'shipped' | 'failed'
type Line = Omit<SheetLine, 'state'> & { state: State }
const looks: Record<State, readonly [ToneName, Text]> = {
  bad: ['bad', ['有问题', 'Wrong']],
  failed: ['bad', ['未发货', 'Not shipped']],
  ready: ['info', ['待发货', 'To ship']],
  already: ['plain', ['已发过', 'Shipped before']],
  shipped: ['good', ['已发货', 'Shipped']],
  skipped: ['plain', ['不是包裹', 'No parcel']],
}
const inOrder: readonly State[] = ['bad', 'failed', 'ready', 'shipped', 'already', 'skipped']

const template = '\ufeff订单号,快递公司,快递单号,发货商品\r\n'
/** What to mend, as cells that a spreadsheet takes. */
const asCells = (lines: readonly Line[]) =>
  lines
    .map(line =>
      [line.row, line.order_no, line.tracking_no, line.text.replace(/\s/g, ' ')].join('\t'),
    )
    .join('\n')

const Lines = ({ of }: { of: readonly Line[] }) => {
  const say = useSay()
  const sorted = of.toSorted(
    (a, b) =>
      inOrder.indexOf(a.state) - inOrder.indexOf(b.state) ||
      Number(b.text !== '') - Number(a.text !== '') ||
      a.row - b.row,
  )
  return (
    <div
      className="o-sheet-lines"
      tabIndex={0}
      role="region"
      aria-label={say(['逐行结果', 'Line by line'])}
    >
      <table className="o-table">
        <thead>
          <tr>
            <th className="o-right">{say(['行', 'Line'])}</th>
            <th>{say(['结果', 'Result'])}</th>
            <th>{say(['订单号', 'Order no.'])}</th>
            <th>{say(['快递', 'Parcel'])}</th>
            <th>{say(['说明', 'What to do'])}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, SHOWN).map(line => (
            <tr key={line.row}>
              <td className="o-right m-num">{line.row}</td>
              <td>
                <Badge tone={looks[line.state][0]}>{say(looks[line.state][1])}</Badge>
              </td>
              <td className="m-num">{line.order_no || '—'}</td>
              <td className="m-num">
                {line.courier_name} {line.tracking_no}
              </td>
              <td className={line.state === 'bad' || line.state === 'failed' ? 'm-bad' : undefined}>
                {line.text || (
                  <span className="m-muted">
                    {line.title}
                    {line.qty > 1 && ` × ${line.qty}`}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > SHOWN && (
        <p className="m-hint">
          {say(['另有 {n} 行未列出', '{n} more lines'], { n: sorted.length - SHOWN })}
        </p>
      )}
    </div>
  )
}

const SheetDialog = ({
  calls,
  title,
  close,
}: {
  calls: Pick<ShipCalls, 'readSheet' | 'batchShip'>
  title: string
  close: () => void
}) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [read] = useWrite(calls.readSheet)
  const [ship] = useWrite(calls.batchShip)
  const [name, setName] = useState('')
  const [lines, setLines] = useState<readonly Line[] | undefined>(undefined)
  const [answer, setAnswer] = useState<Result<ShipCalls['readSheet']> | undefined>(undefined)
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  const [shipped, setShipped] = useState<number | undefined>(undefined)
  const file = useRef<HTMLInputElement>(null)
  /** The file as it was sent, for another sheet of it or other columns. */
  const taken = useRef('')
  const main = useRef<HTMLButtonElement>(null)
  // Whoever closes while lines go: what has gone is shipped, the rest is not sent.
  const open = useRef(true)
  useEffect(() => {
    open.current = true
    return () => {
      open.current = false
    }
  }, [])
  // When the button that goes on stands there, and not a picture after it was asked for: on a slow
  // machine that is another one.
  useEffect(() => {
    if (!busy && (lines !== undefined || fault !== '')) main.current?.focus()
  }, [busy])
  useReturnFocus()
  const take = async (one: File) => {
    setFault('')
    setShipped(undefined)
    setAnswer(undefined)
    setLines(undefined)
    setName(one.name)
    if (one.size > FILE_BYTES) {
      setFault(say(['文件不能大于 2 MB，请拆成多个文件', 'At most 2 MB: split the file']))
      return
    }
    setBusy(true)
    taken.current = await base64Of(one)
    await ask({})
  }
  const ask = async (more: { sheet?: string; columns?: ChosenColumns }) => {
    setBusy(true)
    setFault('')
    try {
      const said = await read({ file: taken.current, ...more }, { quiet: true })
      const isRead = said.fault === null && said.questions.length === 0
      setAnswer(said)
      setLines(isRead ? said.lines : undefined)
      setFault(said.fault ?? '')
    } catch (error) {
      setFault((error as CallError).message)
    }
    setBusy(false)
  }
  const count = (state: State) => lines?.filter(line => line.state === state).length ?? 0
  const ready = lines?.filter(line => line.state === 'ready') ?? []
  const toMend = lines?.filter(line => line.state === 'bad' || line.state === 'failed') ?? []
  const go = async () => {
    setBusy(true)
    setFault('')
    let done: readonly Line[] = lines!
    setShipped(0)
    try {
      for (let at = 0; at < ready.length && open.current; at += SHIP_LINES) {
        const part = ready.slice(at, at + SHIP_LINES)
        const answer = await ship(
          {
            lines: part.map(line => ({
              row: line.row,
              order_id: line.order_id!,
              courier_id: line.courier_id!,
              tracking_no: line.tracking_no,
              items: line.items,
            })),
          },
          { quiet: true },
        )
        const results = new Map(answer.lines.map(one => [one.row, one]))
        done = done.map(line => {
          const one = results.get(line.row)
          return one
            ? { ...line, state: one.result, text: one.result === 'shipped' ? line.text : one.text }
            : line
        })
        setLines(done)
        setShipped(Math.min(ready.length, at + SHIP_LINES))
      }
    } catch (error) {
      // What has gone is shipped; the same file once more sends the rest, and nothing twice.
      setFault(
        `${(error as CallError).message}　${say(['已发出的不会重复发货，可再次导入同一文件', 'What has gone is not shipped twice: the same file may be imported again'])}`,
      )
    }
    setBusy(false)
  }
  const asks = (answer?.questions.length ?? 0) > 0
  const finished = shipped !== undefined && !busy && count('ready') === 0
  const choose = () => file.current?.click()
  return (
    <Dialog
      isOpen
      title={title}
      aria-label={title}
      onClose={close}
      canOutsideClickClose={false}
      canEscapeKeyClose={!busy}
      style={{ width: 820 }}
    >
      <DialogBody>
        <div
          className="o-sheet m-ask"
          onDragOver={event => event.preventDefault()}
          onDrop={event => {
            event.preventDefault()
            const [one] = event.dataTransfer.files
            if (one && !busy) void take(one)
          }}
          onPaste={event => {
            // Cells out of a spreadsheet are its rows with tabs between.
            const [one] = event.clipboardData.files
            const text = event.clipboardData.getData('text/plain')
            if (busy || (!one && !text.includes('\t'))) return
            event.preventDefault()
            void take(one ?? new File([text], say(['粘贴的内容', 'What was pasted'])))
          }}
        >
          <input
            ref={file}
            type="file"
            hidden
            accept=".xlsx,.csv,.tsv,.txt,.xls"
            aria-label={say(['发货表格', 'Sheet of parcels'])}
            onChange={event => {
              const [one] = event.target.files ?? []
              event.target.value = ''
              if (one) void take(one)
            }}
          />
          <SheetAsks
            key={name}
            of={shipped === undefined ? answer : undefined}
            busy={busy}
            ask={more => void ask(more)}
          />
          {!lines && !asks && (
            <div className="o-sheet-drop">
              <p className="m-hint">
                {say([
                  '选择、拖入或粘贴仓库的发货表格（.xlsx、.csv，2 MB 内）。需要“订单号”“快递单号”两列；“快递公司”可按单号识别；拆包裹时写“发货商品”，如 SKU编号*2。',
                  'Choose, drop or paste the warehouse’s sheet (.xlsx or .csv, 2 MB at most). It needs “Order no.” and “Tracking no.”; the courier can be told by the number; for several parcels say the items, such as SKU*2.',
                ])}
              </p>
              <div style={{ display: 'flex', gap: 8 }}>
                <Button
                  autoFocus
                  intent="primary"
                  icon={<Document />}
                  loading={busy}
                  onClick={choose}
                >
                  {say(['选择文件', 'Choose a file'])}
                  <Keys keys="↵" />
                </Button>
                <Button
                  variant="minimal"
                  icon={<Download />}
                  onClick={() =>
                    download(say(['发货模板.csv', 'parcels.csv']), template, 'text/csv')
                  }
                >
                  {say(['下载模板', 'Template'])}
                </Button>
              </div>
            </div>
          )}
          {fault && (
            <div className="m-error" role="alert">
              {name && `${name}${say(colon)}`}
              {fault}
            </div>
          )}
          {lines && (
            <>
              <p role="status">
                <b>{name}</b> <LinesCounted of={answer?.counted} />
                {inOrder
                  .filter(state => count(state) > 0)
                  .map(state => (
                    <span key={state}>
                      {' '}
                      ·{' '}
                      <Badge tone={looks[state][0]}>
                        {say(looks[state][1])} {count(state)}
                      </Badge>
                    </span>
                  ))}
              </p>
              {answer?.notes.map(note => (
                <p key={note} className="m-hint">
                  {note}
                </p>
              ))}
              {busy && shipped !== undefined && (
                <ProgressBar
                  intent="primary"
                  value={shipped / Math.max(1, ready.length + shipped)}
                />
              )}
              <Lines of={lines} />
            </>
          )}
        </div>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            {toMend.length > 0 && (
              <Button
                variant="minimal"
                icon={<Clipboard />}
                onClick={() =>
                  void navigator.clipboard
                    .writeText(asCells(toMend))
                    .then(() =>
                      toast(
                        say(
                          [
                            '已复制 {n} 行，可粘贴到表格',
                            '{n} lines copied: paste them into a sheet',
                          ],
                          { n: toMend.length },
                        ),
                        'success',
                      ),
                    )
                }
              >
                {say(['复制问题行', 'Copy what to mend'])}
              </Button>
            )}
            {lines && !busy && (
              <Button onClick={choose}>{say(['换一个文件', 'Another file'])}</Button>
            )}
            {ready.length > 0 ? (
              <Button ref={main} intent="primary" loading={busy} onClick={() => void go()}>
                {say(['发货 {n} 行', 'Ship {n} lines'], { n: ready.length })}
                <Keys keys="↵" />
              </Button>
            ) : (
              <Button
                ref={main}
                intent={finished ? 'primary' : 'none'}
                disabled={busy}
                onClick={close}
              >
                {say(['关闭', 'Close'])}
                <Keys keys={finished ? '↵' : 'Esc'} />
              </Button>
            )}
          </>
        }
      />
    </Dialog>
  )
}
/**
 * Performs the page's action `batchShip`: a sheet is read line by line, the good lines go, the bad
 * ones say what to mend.
 */
export const ShipSheet = ({
  action,
  calls,
}: {
  action: Action
  calls: Pick<ShipCalls, 'readSheet' | 'batchShip'>
}) => {
  const now = useLang()
  const [open, setOpen] = useState(false)
  useAction(action, () => setOpen(true))
  return open ? (
    <SheetDialog calls={calls} title={titleIn(action, now)} close={() => setOpen(false)} />
  ) : null
}
