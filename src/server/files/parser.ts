// A thread of its own (parsing.ts): files from outside are read here, so that none of them holds up
// whoever else is served. It imports no database and no glob.
import { parentPort } from 'node:worker_threads'
import { readSheetFile } from '#src/areas/sheet/readSheet.server.ts'
import { readShipments, type ShipImport } from '#src/areas/shipping/shipImport.ts'
import { redrawn, type Picture } from './picture.ts'

/** What a thread is asked to read, each kind with what it answers. */
export type Parsed = {
  parcels: { job: { file: Uint8Array }; result: ShipImport }
  picture: { job: { file: Uint8Array }; result: Picture | undefined }
}
export type ParseJob = { [K in keyof Parsed]: { kind: K } & Parsed[K]['job'] }[keyof Parsed]

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength)
const parcels = ({ file }: Parsed['parcels']['job']): ShipImport => {
  const sheet = readSheetFile(bytesOf(file))
  return 'fault' in sheet ? sheet : readShipments(sheet.sheets[0]!.rows)
}
const parse = (job: ParseJob) =>
  job.kind === 'picture' ? redrawn(bytesOf(job.file)) : parcels(job)

parentPort!.on('message', (job: ParseJob) => {
  void Promise.resolve(parse(job)).then(result => parentPort!.postMessage(result))
})
parentPort!.postMessage('ready')
