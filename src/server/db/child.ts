import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { isNew, refuseDamaged, unopened } from './dataFolder.ts'
import { DurableFS, durableParams, syncPath, syncTree } from './durable.ts'
import { FolderInUse, lockFolder } from './lock.ts'
import { Wire } from './wire.ts'

/**
 * The embedded database as a process of its own, so that a report never blocks the server and a
 * hang can be killed. Started by embedded.ts with `[what, folder, socket, minFreeBytes]`; dies with
 * the process that started it.
 */
export type FromChild =
  | { kind: 'in-use'; pid: number }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; durable: boolean; fsyncs_per_commit: number }
  | { kind: 'pong'; n: number }
  | { kind: 'space'; free_bytes: number; read_only: boolean }
export type ToChild = { kind: 'ping'; n: number } | { kind: 'stop' }

const [what, folder, socket, minFree] = process.argv.slice(2) as [string, string, string, string]
const tell = (message: FromChild) =>
  new Promise<void>(done => (process.connected ? process.send!(message, () => done()) : done()))

// The engine compiles again what it has run for a while: done for all that is warm, and on two
// threads, that takes more of a small machine in the first seconds than all of their queries.
setFlagsFromString('--wasm-tiering-budget=18000000')
setFlagsFromString('--wasm-num-compilation-tasks=1')

/**
 * Makes a new database beside its place, syncs it and moves it there: half a database is never
 * found. Its memory goes with this process.
 */
const create = async () => {
  const half = `${folder}.new`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  const fs = new DurableFS(half)
  const db = await PGlite.create({ fs, startParams: durableParams(PGlite.defaultStartParams) })
  await db.exec('checkpoint')
  await db.close()
  chmodSync(half, 0o700)
  syncTree(half)
  renameSync(half, folder)
  syncPath(dirname(folder))
}

/**
 * A folder that was taken away took the data with it: there is nothing to serve, and never an empty
 * database in its place.
 */
const folderGone = () => new Error(`the folder ${folder} is gone`)
const failed = async (error: Error) => {
  await tell({ kind: 'failed', message: error.message })
  release()
  process.exit(1)
}

const serve = async () => {
  if (!existsSync(folder)) throw folderGone()
  refuseDamaged(folder)
  const fs = new DurableFS(folder)
  const db = await PGlite.create({
    fs,
    startParams: durableParams(PGlite.defaultStartParams),
  }).catch((error: unknown) => {
    throw unopened(folder, error)
  })
  const before = fs.fsyncs
  // A commit that must reach the disk and leaves nothing behind.
  await db.query(`select pg_logical_emit_message(true, 'mallet', 'self-test')`)
  const fsyncs = fs.fsyncs - before

  const wire = new Wire(
    {
      inTransaction: () => db.isInTransaction(),
      run: messages =>
        db.runExclusive(async () => {
          const parts: Uint8Array[] = []
          // The bytes are the engine's memory and are overwritten: copied at once.
          await db.execProtocolRawStream(messages, {
            onRawData: data => parts.push(Uint8Array.from(data)),
          })
          return Buffer.concat(parts)
        }),
    },
    why => {
      // Not a query failed, the engine did. What was acknowledged is on disk; the server starts
      // another.
      void failed(why)
    },
  )
  rmSync(socket, { force: true })
  await new Promise<void>((resolve, reject) =>
    wire.server.once('error', reject).listen(socket, resolve),
  )
  chmodSync(socket, 0o600)

  let readOnly = false
  const watchSpace = async () => {
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    // With a margin, so that it does not flicker at the edge.
    const full = free < Number(minFree) * (readOnly ? 1.1 : 1)
    // One session serves all, so one setting refuses every write that begins from now on; reads go
    // on. Said anew each time: a transaction that was open and is rolled back takes the setting
    // with it.
    await wire.ask(`set default_transaction_read_only = ${full ? 'on' : 'off'}`)
    readOnly = full
    void tell({ kind: 'space', free_bytes: free, read_only: readOnly })
  }
  await watchSpace()
  setInterval(
    () =>
      void watchSpace().catch((fault: Error) => failed(existsSync(folder) ? fault : folderGone())),
    2000,
  )
  process.on('message', (message: ToChild) => {
    if (message.kind === 'ping')
      void wire.ask('select 1').then(() => tell({ kind: 'pong', n: message.n }))
    else void stop()
  })
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    wire.server.close()
    await db.close().catch(() => {})
    release()
    process.exit(0)
  }
  await tell({ kind: 'ready', durable: fsyncs > 0, fsyncs_per_commit: fsyncs })
}

// Ctrl-C and its like reach the whole terminal; the server decides when its database ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
let release = () => {}
// The server is gone, whatever way it went: what was acknowledged is on disk.
process.on('disconnect', () => {
  release()
  process.exit(1)
})
try {
  mkdirSync(dirname(folder), { recursive: true })
  release = await lockFolder(folder)
  if (what === 'serve') await serve()
  else {
    if (isNew(folder)) await create()
    release()
    process.exit(0)
  }
} catch (error) {
  await tell(
    error instanceof FolderInUse
      ? { kind: 'in-use', pid: error.pid }
      : { kind: 'failed', message: error instanceof Error ? error.message : String(error) },
  )
  release()
  process.exit(1)
}
