// A thread of its own (parsing.ts): files from outside are read here, so that none of them holds up
// whoever else is served. It imports no database and no glob.
import { parentPort } from 'node:worker_threads'
import { readBillFile } from '#src/areas/reconcile/billFile.server.ts'
import type { Bill } from '#src/areas/reconcile/reconcile.ts'
import { readSheetFile } from '#src/areas/sheet/readSheet.server.ts'
import { readTableSheets, type SheetColumn, type TableSheets } from '#src/areas/sheet/table.ts'
import type { Chosen } from '#src/areas/shipping/shipHead.ts'
import { readShipSheets, type ShipSheets } from '#src/areas/shipping/shipSheets.ts'
import type { PictureFault } from '#src/domain/picture.ts'
import type { Text } from '#src/domain/text.ts'
import { redrawn, scanned, type Picture } from './picture.ts'

/** What a thread is asked to read, each kind with what it answers. */
export type Parsed = {
  parcels: {
    job: { file: Uint8Array; sheet?: string | undefined; chosen?: Chosen | undefined }
    result: ShipSheets | { fault: Text }
  }
  table: {
    job: { file: Uint8Array; columns: readonly SheetColumn[]; sheet?: string | undefined }
    result: TableSheets | { fault: Text }
  }
  /** A bill of a channel of one day. */
  bill: { job: { file: Uint8Array; day: string }; result: Bill | { fault: Text } }
  picture: { job: { file: Uint8Array }; result: Picture | { fault: PictureFault } }
  /** A picture to be read. */
  scan: {
    job: { file: Uint8Array }
    result: { data: Uint8Array<ArrayBuffer> } | { fault: PictureFault }
  }
}
export type ParseJob = { [K in keyof Parsed]: { kind: K } & Parsed[K]['job'] }[keyof Parsed]

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength)
const parcels = ({ file, ...asked }: Parsed['parcels']['job']): Parsed['parcels']['result'] => {
  const read = readSheetFile(bytesOf(file))
  return 'fault' in read ? read : readShipSheets(read.sheets, asked)
}
const table = ({ file, columns, sheet }: Parsed['table']['job']): Parsed['table']['result'] => {
  const read = readSheetFile(bytesOf(file))
  return 'fault' in read ? read : readTableSheets(columns, read.sheets, sheet)
}
const parse = (job: ParseJob) => {
  switch (job.kind) {
    case 'parcels':
      return parcels(job)
    case 'table':
      return table(job)
    case 'bill':
      return readBillFile(bytesOf(job.file), job.day)
    case 'scan':
      return scanned(bytesOf(job.file))
    case 'picture':
      return redrawn(bytesOf(job.file))
  }
}

parentPort!.on('message', (job: ParseJob) => {
  void Promise.resolve(parse(job)).then(result => parentPort!.postMessage(result))
})
parentPort!.postMessage('ready')
