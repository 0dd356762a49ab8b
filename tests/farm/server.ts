import { spawn, type ChildProcess } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Envelope } from '#src/contract/envelope.ts'
import { atEnd } from './ends.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const running = new Set<ChildProcess>()

/**
 * Builds what the server tests start, unless it is built already: the same server that `npm start`
 * runs.
 */
export const built = async (): Promise<void> => {
  const { build } = (await import(join(root, 'src/start.mjs'))) as { build: () => void }
  build()
}

export type Server = {
  pid: number
  /** All it has printed. */
  said: () => string
  /** The address, once it is ready; throws what it said when it ends before that. */
  ready: Promise<string>
  /** Its exit code; null when a signal ended it. */
  ended: Promise<number | null>
  kill: (signal: NodeJS.Signals) => void
}
/**
 * The built server in a process of its own, with these settings and no others, on a free port; it
 * ends with the file's tests.
 */
export const startServer = (settings: Record<string, string>): Server => {
  if (running.size === 0)
    atEnd(() => {
      for (const child of running) child.kill('SIGKILL')
    })
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', join(root, 'dist/server/serve.js')],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        NODE_OPTIONS: process.env['NODE_OPTIONS'],
        TEST_CLOCK_OFFSET: process.env['TEST_CLOCK_OFFSET'],
        PORT: '0',
        MALLET_LOG: 'error',
        ...settings,
      },
    },
  )
  running.add(child)
  let said = ''
  const ended = new Promise<number | null>(done =>
    child.once('exit', code => {
      running.delete(child)
      done(code)
    }),
  )
  const ready = new Promise<string>((done, fail) => {
    const hear = (chunk: Buffer) => {
      said += String(chunk)
      const address = /^Mallet(?: is ready|'s console for \S+): (http\S+)$/m.exec(said)?.[1]
      if (address) done(address)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('close', () => fail(new Error(`it ended: ${said}`)))
  })
  // A test that starts one that must not come up asks for its end instead.
  ready.catch(() => {})
  return {
    pid: child.pid!,
    said: () => said,
    ready,
    ended,
    kill: signal => void child.kill(signal),
  }
}

export type Answered = { http: number; headers: Headers } & Envelope
/** One call over HTTP. Throws when nobody answers. */
export const ask = async (
  address: string,
  path: string,
  of: { token?: string; key?: string; body?: object } = {},
): Promise<Answered> => {
  const answered = await fetch(`${address}/api/manageback/${path}`, {
    method: of.body ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      region: 'pro',
      ...(of.token && { 'authori-zation': `Bearer ${of.token}` }),
      ...(of.key && { 'idempotency-key': of.key }),
    },
    ...(of.body && { body: JSON.stringify(of.body) }),
  }).catch((error: unknown) => {
    throw new Error(`${address} did not answer ${path}`, { cause: error })
  })
  return {
    http: answered.status,
    headers: answered.headers,
    ...((await answered.json()) as Envelope),
  }
}
