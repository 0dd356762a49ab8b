import { useEffect, useRef, useState } from 'react'
import type { Result } from '#src/contract/call.ts'
import { base64Of } from '#src/kit/base64.ts'
import { useWrite, type CallError } from '#src/kit/data.ts'
import { useSay } from '#src/kit/text.ts'
import { SHIP_LINES, type ShipCalls } from '../contract/ship.ts'
import type { ChosenColumns } from './sheetAnswer.tsx'
import type { Line } from './sheetLines.tsx'

type Calls = Pick<ShipCalls, 'readSheet' | 'batchShip'>
const FILE_BYTES = 2 * 1024 * 1024
/** A sheet of parcels: the file that was taken, and what was read of it. */
export const useSheet = (calls: Calls) => {
  const say = useSay()
  const [read] = useWrite(calls.readSheet)
  const [name, setName] = useState('')
  const [lines, setLines] = useState<readonly Line[] | undefined>(undefined)
  const [answer, setAnswer] = useState<Result<ShipCalls['readSheet']> | undefined>(undefined)
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  const [shipped, setShipped] = useState<number | undefined>(undefined)
  /** The file as it was sent, for another sheet of it or other columns. */
  const taken = useRef('')
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
  const ready = lines?.filter(line => line.state === 'ready') ?? []
  return {
    name,
    lines,
    answer,
    fault,
    busy,
    shipped,
    ready,
    take,
    ask,
    setLines,
    setFault,
    setBusy,
    setShipped,
  }
}
type Sheet = ReturnType<typeof useSheet>
const sentFrom = (line: Line) => ({
  row: line.row,
  order_id: line.order_id!,
  courier_id: line.courier_id!,
  tracking_no: line.tracking_no,
  items: line.items,
})
/** The lines once some of them have gone, or were refused. */
const linesAfter = (
  lines: readonly Line[],
  answer: Result<ShipCalls['batchShip']>,
): readonly Line[] => {
  const results = new Map(answer.lines.map(one => [one.row, one]))
  return lines.map(line => {
    const one = results.get(line.row)
    return one
      ? { ...line, state: one.result, text: one.result === 'shipped' ? line.text : one.text }
      : line
  })
}
/** Sends the lines that are ready, some at a time. */
export const useSendsLines = (calls: Calls, sheet: Sheet) => {
  const say = useSay()
  const [ship] = useWrite(calls.batchShip)
  // Whoever closes while lines go: what has gone is shipped, the rest is not sent.
  const open = useRef(true)
  useEffect(() => {
    open.current = true
    return () => {
      open.current = false
    }
  }, [])
  const { lines, ready, setLines, setFault, setBusy, setShipped } = sheet
  return async () => {
    setBusy(true)
    setFault('')
    let done: readonly Line[] = lines!
    setShipped(0)
    try {
      for (let at = 0; at < ready.length && open.current; at += SHIP_LINES) {
        const part = ready.slice(at, at + SHIP_LINES)
        done = linesAfter(done, await ship({ lines: part.map(sentFrom) }, { quiet: true }))
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
}
