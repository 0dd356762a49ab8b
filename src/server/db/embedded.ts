import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FromChild, ToChild } from './child.ts'
import type { DatabaseState } from './database.ts'
import { isNew } from './dataFolder.ts'
import { DatabaseFault } from './faults.ts'
import { FolderInUse } from './lock.ts'

export type Embedded = {
  socketFolder: string
  socketPort: number
  /** Why it can't be used just now; undefined when it can. */
  down: () => string | undefined
  state: () => DatabaseState
  /** Asked beside all connections, even inside a transaction: done once the engine has answered. */
  answers: () => Promise<void>
  unhurried: <T>(run: () => Promise<T>) => Promise<T>
  close: () => Promise<void>
  /** For tests that kill it. */
  pid: () => number | undefined
}
type Options = {
  folder: string
  say: (line: string) => void
  watchdogMs?: number
  minFreeBytes?: number
  stalled: () => void
}

const PORT = 5432
const PING_MS = 500
const MIB = 1024 * 1024

/**
 * Starts the embedded database in a process of its own and keeps it alive. Throws FolderInUse when
 * another server has the folder.
 */
export const openEmbedded = async ({
  folder,
  say,
  watchdogMs = 5000,
  minFreeBytes = 200 * MIB,
  stalled,
}: Options): Promise<Embedded> => {
  const data = resolve(folder)
  const socketFolder = placeForSocket(data)
  const socket = join(socketFolder, `.s.PGSQL.${PORT}`)
  const args = [data, socket, String(minFreeBytes)]

  let child: ChildProcess | undefined
  let ready: Extract<FromChild, { kind: 'ready' }> | undefined
  let space = { free_bytes: null as number | null, read_only: false }
  let restarts = 0
  let closing = false
  let patience = 0
  let asked = { n: 0, turns: 0, answered: true }
  let silent = false
  let sent = 0
  const waiting = new Map<number, { done: () => void; fail: (error: Error) => void }>()

  const down = (): string | undefined => {
    if (!ready) return 'the embedded database is starting again'
    return silent ? 'the embedded database does not answer' : undefined
  }
  const fault = () => new DatabaseFault('MALLET_UNAVAILABLE', down() ?? 'the database has ended')
  /** Nobody who waits is answered any more. */
  const lost = () => {
    for (const { fail } of waiting.values()) fail(fault())
    waiting.clear()
    stalled()
  }
  const ping = () => {
    child!.send({ kind: 'ping', n: ++sent } satisfies ToChild, () => {})
    return sent
  }
  const launch = () =>
    new Promise<void>((up, down) => {
      const started = run('serve', args)
      child = started
      let last = ''
      // It could not be started, killed or told: its exit, or the watchdog, deals with that.
      started.on('error', error => {
        last = error.message
        if (started.pid === undefined) down(error)
      })
      started.on('message', (message: FromChild) => {
        if (message.kind === 'ready') {
          ready = message
          asked = { ...asked, answered: true }
          silent = false
          up()
        } else if (message.kind === 'pong') {
          waiting.get(message.n)?.done()
          waiting.delete(message.n)
          if (message.n === asked.n) {
            asked.answered = true
            silent = false
          }
        } else if (message.kind === 'space') {
          if (message.read_only !== space.read_only)
            say(
              message.read_only
                ? `less than ${Math.round(minFreeBytes / MIB)} MB are free on the disk of ${data}: writes are refused until there is room`
                : 'there is room on the disk again: writes are accepted',
            )
          space = message
        } else if (message.kind === 'in-use') down(new FolderInUse(message.pid, data))
        else last = message.message
      })
      started.once('exit', (code, signal) => {
        const why = last || (signal ? `ended by ${signal}` : `ended with code ${code}`)
        const wasUp = child === started && ready !== undefined
        ready = undefined
        child = undefined
        lost()
        if (!wasUp) return down(new Error(`the embedded database did not start: ${why}`))
        if (closing) return
        restarts++
        say(`the embedded database ${why}; starting it again`)
        void relaunch()
      })
    })
  const relaunch = async () => {
    for (let wait = 100; !closing; wait = Math.min(wait * 2, 5000)) {
      try {
        await launch()
        return say('the embedded database is back')
      } catch (error) {
        say((error as Error).message)
      }
      await new Promise(go => setTimeout(go, wait))
    }
  }

  if (isNew(data)) {
    say('creating the database')
    await finished(run('create', args), data)
  }
  await launch()
  say(
    ready!.durable
      ? `the database is durable: ${ready!.fsyncs_per_commit} fsync a commit`
      : 'WARNING: the database is NOT durable: a commit reached the disk with no fsync; a power cut may lose the last writes',
  )

  const turnMs = Math.min(PING_MS, watchdogMs / 10)
  const watchdog = setInterval(() => {
    if (!ready || !child) return
    // Counted in turns of this process: while the machine gives neither of the two its time, the
    // other is not silent.
    const silence = asked.answered
      ? 0
      : (asked = { ...asked, turns: asked.turns + 1 }).turns * turnMs
    if (asked.answered) {
      asked = { n: ping(), turns: 0, answered: false }
    } else if (patience > 0) return
    else if (silence >= watchdogMs) {
      say(`the embedded database has not answered for ${Math.round(silence / 1000)} s: killing it`)
      child.kill('SIGKILL')
    } else if (silence >= watchdogMs * 0.4 && !silent) {
      // Callers are told before it is certain, so that nobody waits longer than 3 s.
      silent = true
      lost()
    }
  }, turnMs)

  return {
    socketFolder,
    socketPort: PORT,
    down,
    answers: () =>
      new Promise((done, fail) => {
        if (down()) fail(fault())
        else waiting.set(ping(), { done, fail })
      }),
    state: () => ({
      mode: 'embedded',
      answering: ready !== undefined && !silent,
      durable: ready?.durable ?? null,
      fsyncs_per_commit: ready?.fsyncs_per_commit ?? null,
      read_only: space.read_only,
      free_bytes: space.free_bytes,
      restarts,
    }),
    unhurried: async run => {
      patience++
      try {
        return await run()
      } finally {
        patience--
        asked = { ...asked, turns: 0 }
      }
    },
    close: async () => {
      closing = true
      clearInterval(watchdog)
      const last = child
      if (last) {
        const gone = new Promise(done => last.once('exit', done))
        last.send({ kind: 'stop' } satisfies ToChild, () => {})
        const hurry = setTimeout(() => last.kill('SIGKILL'), 3000)
        await gone
        clearTimeout(hurry)
      }
      rmSync(socket, { force: true })
      if (!socketFolder.startsWith(data)) rmSync(socketFolder, { recursive: true, force: true })
    },
    pid: () => child?.pid,
  }
}

/**
 * The same file as it stands beside this one: TypeScript under tsx and in tests, JavaScript in the
 * built server.
 */
const run = (what: 'create' | 'serve', args: string[]) => {
  const source = import.meta.url.endsWith('.ts')
  const file = fileURLToPath(new URL(source ? './child.ts' : './child.js', import.meta.url))
  return fork(file, [what, ...args], {
    execArgv: source ? ['--import', 'tsx'] : [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}
const finished = (child: ChildProcess, folder: string) =>
  new Promise<void>((done, fail) => {
    let why = ''
    child.on('message', (message: FromChild) => {
      if (message.kind === 'in-use') fail(new FolderInUse(message.pid, folder))
      if (message.kind === 'failed') why = message.message
    })
    child.once('exit', code =>
      code === 0
        ? done()
        : fail(new Error(`the embedded database could not be created: ${why || `code ${code}`}`)),
    )
  })

/**
 * A socket's path may hold only about 100 characters: beside the data where that fits, else in the
 * system's folder for such things.
 */
const placeForSocket = (data: string): string => {
  const beside = `${data}.run`
  if (Buffer.byteLength(beside) > 80) return mkdtempSync(join(tmpdir(), 'mallet-'))
  mkdirSync(beside, { recursive: true, mode: 0o700 })
  return beside
}
