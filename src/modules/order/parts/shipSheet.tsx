import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Clipboard, Download, Document } from '@blueprintjs/icons'
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Action } from '#commands/command.ts'
import { colon } from '#src/domain/text.ts'
import { download } from '#src/kit/download.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Keys } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import type { ShipCalls } from '../contract/ship.ts'
import { useSendsLines, useSheet } from './sheet.ts'
import { SheetAsks } from './sheetAnswer.tsx'
import { asCells, SheetLines, type Line } from './sheetLines.tsx'
import './ship.css'

const template = '\ufeff订单号,快递公司,快递单号,发货商品\r\n'
const FileInput = ({
  input,
  take,
}: {
  input: RefObject<HTMLInputElement | null>
  take: (one: File) => Promise<void>
}) => {
  const say = useSay()
  return (
    <input
      ref={input}
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
  )
}
const Drop = ({ busy, choose }: { busy: boolean; choose: () => void }) => {
  const say = useSay()
  return (
    <div className="o-sheet-drop">
      <p className="m-hint">
        {say([
          '选择、拖入或粘贴仓库的发货表格（.xlsx、.csv，2 MB 内）。需要“订单号”“快递单号”两列；“快递公司”可按单号识别；拆包裹时写“发货商品”，如 SKU编号*2。',
          'Choose, drop or paste the warehouse’s sheet (.xlsx or .csv, 2 MB at most). It needs “Order no.” and “Tracking no.”; the courier can be told by the number; for several parcels say the items, such as SKU*2.',
        ])}
      </p>
      <div style={{ display: 'flex', gap: 8 }}>
        <Button autoFocus intent="primary" icon={<Document />} loading={busy} onClick={choose}>
          {say(['选择文件', 'Choose a file'])}
          <Keys keys="↵" />
        </Button>
        <Button
          variant="minimal"
          icon={<Download />}
          onClick={() => download(say(['发货模板.csv', 'parcels.csv']), template, 'text/csv')}
        >
          {say(['下载模板', 'Template'])}
        </Button>
      </div>
    </div>
  )
}
const CopyToMend = ({ of }: { of: readonly Line[] }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  return (
    <Button
      variant="minimal"
      icon={<Clipboard />}
      onClick={() =>
        void navigator.clipboard.writeText(asCells(of)).then(() =>
          toast(
            say(['已复制 {n} 行，可粘贴到表格', '{n} lines copied: paste them into a sheet'], {
              n: of.length,
            }),
            'success',
          ),
        )
      }
    >
      {say(['复制问题行', 'Copy what to mend'])}
    </Button>
  )
}
/** What goes on from here: the parcels go, or the dialog closes. */
const Ends = ({
  sheet: { lines, ready, shipped, busy },
  main,
  go,
  choose,
  close,
}: {
  sheet: Pick<ReturnType<typeof useSheet>, 'lines' | 'ready' | 'shipped' | 'busy'>
  main: RefObject<HTMLButtonElement | null>
  go: () => Promise<void>
  choose: () => void
  close: () => void
}) => {
  const say = useSay()
  const toMend = lines?.filter(line => line.state === 'bad' || line.state === 'failed') ?? []
  const finished = shipped !== undefined && !busy && ready.length === 0
  return (
    <>
      {toMend.length > 0 && <CopyToMend of={toMend} />}
      {lines && !busy && <Button onClick={choose}>{say(['换一个文件', 'Another file'])}</Button>}
      {ready.length > 0 ? (
        <Button ref={main} intent="primary" loading={busy} onClick={() => void go()}>
          {say(['发货 {n} 行', 'Ship {n} lines'], { n: ready.length })}
          <Keys keys="↵" />
        </Button>
      ) : (
        <Button ref={main} intent={finished ? 'primary' : 'none'} disabled={busy} onClick={close}>
          {say(['关闭', 'Close'])}
          <Keys keys={finished ? '↵' : 'Esc'} />
        </Button>
      )}
    </>
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
  const sheet = useSheet(calls)
  const go = useSendsLines(calls, sheet)
  const { name, lines, answer, fault, busy, shipped, ready, take, ask } = sheet
  const file = useRef<HTMLInputElement>(null)
  const main = useRef<HTMLButtonElement>(null)
  // When the button that goes on stands there, and not a picture after it was asked for: on a slow
  // machine that is another one.
  useEffect(() => {
    if (!busy && (lines !== undefined || fault !== '')) main.current?.focus()
  }, [busy])
  useReturnFocus()
  const asks = (answer?.questions.length ?? 0) > 0
  const sent = busy ? shipped : undefined
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
          <FileInput input={file} take={take} />
          <SheetAsks
            key={name}
            of={shipped === undefined ? answer : undefined}
            busy={busy}
            ask={more => void ask(more)}
          />
          {!lines && !asks && <Drop busy={busy} choose={choose} />}
          {fault && (
            <div className="m-error" role="alert">
              {name && `${name}${say(colon)}`}
              {fault}
            </div>
          )}
          {lines && (
            <SheetLines
              of={lines}
              name={name}
              answer={answer}
              progress={sent === undefined ? undefined : sent / Math.max(1, ready.length + sent)}
            />
          )}
        </div>
      </DialogBody>
      <DialogFooter
        actions={<Ends sheet={sheet} main={main} go={go} choose={choose} close={close} />}
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
