import { useEffect, useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import {
  IMPORT_LINES,
  type ImportCalls,
  type ImportLine,
  type ImportTrial,
} from '#src/contract/importing.ts'
import { csvField } from '#src/domain/csv.ts'
import type { Text } from '#src/domain/text.ts'
import { base64Of, bytesOf } from './base64.ts'
import { dispatchRead, useWrite, type CallError } from './data.ts'
import { saveAs } from './download.ts'
import { useSay } from './text.ts'

export type LineState = ImportLine['state'] | 'done' | 'failed'
export type Line = Omit<ImportLine, 'state'> & { state: LineState }
const FILE_BYTES = 2 * 1024 * 1024
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const tooLarge: Text = ['文件不能大于 2 MB，请拆成多个文件', 'At most 2 MB: split the file']
const stopped: Text = [
  '已导入的行不会重复导入，可再次导入同一文件',
  'What went in goes in only once: the same file may be imported again',
]

export const isBad = (line: Line): boolean => line.state === 'bad' || line.state === 'failed'
/** The lines to mend, as a file that may be imported again: what is wrong stands behind each. */
export const toMendCsv = (
  columns: readonly string[],
  lines: readonly Line[],
  why: string,
): string =>
  `\uFEFF${[[...columns, why], ...lines.filter(isBad).map(line => [...line.cells, line.text])]
    .map(cells => cells.map(csvField).join(','))
    .join('\r\n')}\r\n`

/** A file on its way in: read and told line by line first, then imported part by part. */
export const useImport = (calls: ImportCalls) => {
  const say = useSay()
  const dispatch = useDispatch()
  const [read] = useWrite(calls.readImport)
  const [write] = useWrite(calls.import)
  const [name, setName] = useState('')
  const [trial, setTrial] = useState<ImportTrial | undefined>(undefined)
  const [lines, setLines] = useState<readonly Line[]>([])
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  /** Lines that were sent; undefined before the first. */
  const [sent, setSent] = useState<number | undefined>(undefined)
  /** The file as it was sent, for another sheet of it. */
  const taken = useRef('')
  // Whoever closes while lines go in: what has gone in stays, the rest is not sent.
  const open = useRef(true)
  useEffect(() => {
    open.current = true
    return () => {
      open.current = false
    }
  }, [])
  const ask = async (sheet?: string) => {
    setBusy(true)
    setFault('')
    try {
      const said = await read({ file: taken.current, ...(sheet && { sheet }) }, { quiet: true })
      setTrial(said.fault === null ? said : undefined)
      setLines(said.lines)
      setFault(said.fault ?? '')
    } catch (error) {
      setFault((error as CallError).message)
    }
    setBusy(false)
  }
  const take = async (file: File) => {
    setSent(undefined)
    setTrial(undefined)
    setLines([])
    setName(file.name)
    setFault(file.size > FILE_BYTES ? say(tooLarge) : '')
    if (file.size > FILE_BYTES) return
    setBusy(true)
    taken.current = await base64Of(file)
    await ask()
  }
  const ready = lines.filter(line => line.state === 'ready')
  const part = async (some: readonly Line[], more: object) => {
    const asked = some.map(({ row, cells, version }) => ({ row, cells, version }))
    const said = await write({ lines: asked, ...more }, { quiet: true })
    const by = new Map(said.lines.map(one => [one.row, one]))
    setLines(now =>
      now.map(line => {
        const one = by.get(line.row)
        return one ? { ...line, state: one.result, text: one.text } : line
      }),
    )
  }
  /** Sends the lines that are ready; `more` goes with each part. */
  const go = async (more: object) => {
    setBusy(true)
    setFault('')
    setSent(0)
    try {
      for (let at = 0; at < ready.length && open.current; at += IMPORT_LINES) {
        await part(ready.slice(at, at + IMPORT_LINES), more)
        setSent(Math.min(ready.length, at + IMPORT_LINES))
      }
    } catch (error) {
      const { message, data } = error as CallError
      const [of] = Object.values(data?.fields ?? {})
      setFault(`${of ?? message}　${say(stopped)}`)
    }
    setBusy(false)
  }
  const template = () =>
    void dispatchRead(dispatch as never, calls.importTemplate, {}).then(
      of => saveAs(of.name, new Blob([bytesOf(of.file)], { type: XLSX })),
      (error: CallError) => setFault(error.message),
    )
  return { name, trial, lines, ready, fault, busy, sent, ask, take, go, template }
}
