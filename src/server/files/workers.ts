import { Worker } from 'node:worker_threads'

/** Bounds of work that is done beside the process's own thread. */
export type Bounds = {
  /** Jobs at the same time, each in a thread of its own. */ threads: number
  /** Time for one job, from when it is begun. */ ms: number
  /** Memory of a thread for its JavaScript, in MB. */ heap_mb: number
  /** Jobs that may wait, and the bytes of their files together. */ waiting: number
  waiting_bytes: number
  /** The longest that a job waits for its turn. */ waiting_ms: number
  /** A thread that has nothing to do ends after this; a minute unless said otherwise. */ idle_ms?: number
}
/**
 * What became of a job: its result; or it was not begun as too many wait; or it was stopped for its
 * time or its memory; or its thread broke.
 */
export type Done<R> = { result: R } | { stopped: 'busy' | 'time' | 'memory' | 'broken' }

type Waiting<J, R> = {
  job: J
  bytes: number
  since: number
  done: (of: Done<R>) => void
}
/** Until a thread says that it has loaded its code; on a slow machine it takes seconds. */
const READY_MS = 60_000
const IDLE_MS = 60_000

/**
 * A thread that runs a file beside the server: TypeScript under tsx, in tests too, JavaScript in the
 * built server.
 */
export const threadOf = (file: URL, heap_mb: number): Worker => {
  const limits = {
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: heap_mb,
      maxYoungGenerationSizeMb: 32,
      stackSizeMb: 4,
    },
  }
  return file.pathname.endsWith('.ts')
    ? new Worker(new URL(FROM_SOURCE, import.meta.url), { ...limits, workerData: file.href })
    : new Worker(file, limits)
}
const FROM_SOURCE = './fromSource.mjs'

/** Does one job in a thread, within its time. `lost` says that the thread is of no more use. */
const doOne = <J, R>(
  worker: Worker,
  job: J,
  ms: number,
): Promise<{ done: Done<R>; lost: boolean }> =>
  new Promise(tell => {
    const over = (done: Done<R>, lost: boolean) => {
      clearTimeout(late)
      worker.off('message', onResult).off('error', onError).off('exit', onExit)
      tell({ done, lost })
    }
    const onResult = (result: R) => over({ result }, false)
    const onError = (error: Error & { code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      over({ stopped: isMemory ? 'memory' : 'broken' }, true)
    }
    const onExit = () => over({ stopped: 'broken' }, true)
    const late = setTimeout(() => over({ stopped: 'time' }, true), ms).unref()
    worker.on('message', onResult).on('error', onError).on('exit', onExit)
    worker.postMessage(job)
  })
/** Waits until a thread says that it has loaded; false where it never does. */
const isReady = (worker: Worker): Promise<boolean> =>
  new Promise(tell => {
    const over = (ready: boolean) => {
      clearTimeout(late)
      worker.off('message', onReady).off('exit', onExit)
      tell(ready)
    }
    const onReady = () => over(true)
    const onExit = () => over(false)
    const late = setTimeout(onExit, READY_MS).unref()
    worker.on('message', onReady).on('exit', onExit)
  })

/**
 * Does jobs in threads of a file, within bounds, first come first served. The file answers each
 * message `job` by one message, after a first one, `ready`, once it has loaded. A job that takes too
 * much is ended with its thread; the next one gets a new thread. Nothing here keeps a process alive.
 */
export const openWorkers = <J, R>(start: (heap_mb: number) => Worker, bounds: Bounds) => {
  const waiting: Waiting<J, R>[] = []
  const idle = new Set<Worker>()
  const threads = new Set<Worker>()

  const drop = (worker: Worker) => {
    threads.delete(worker)
    idle.delete(worker)
    void worker.terminate()
  }
  const add = async () => {
    const worker = start(bounds.heap_mb)
    worker.unref()
    threads.add(worker)
    // An error is told to whoever's job it is; of a thread that ends it concerns nobody.
    worker.on('error', () => {})
    if (await isReady(worker)) {
      worker.once('exit', () => drop(worker))
      await serve(worker)
      return
    }
    drop(worker)
    // It never came up: whoever waits is told so, and does not start one after the other.
    if (threads.size === 0) for (const one of waiting.splice(0)) one.done({ stopped: 'broken' })
  }
  /** Takes jobs for a thread while there are any; then it is idle, and ends after a while. */
  const serve = async (worker: Worker): Promise<void> => {
    idle.delete(worker)
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (performance.now() - next.since > bounds.waiting_ms) {
        next.done({ stopped: 'busy' })
        continue
      }
      const { done, lost } = await doOne<J, R>(worker, next.job, bounds.ms)
      next.done(done)
      if (!lost) continue
      drop(worker)
      if (waiting.length > 0) void add()
      return
    }
    idle.add(worker)
    setTimeout(() => {
      if (idle.has(worker)) drop(worker)
    }, bounds.idle_ms ?? IDLE_MS).unref()
  }
  const isFull = (bytes: number): boolean => {
    const held = waiting.reduce((sum, one) => sum + one.bytes, 0)
    return waiting.length >= bounds.waiting || (held > 0 && held + bytes > bounds.waiting_bytes)
  }

  return {
    /** Does a job; `bytes` is the size of the file in it. */
    ask: (job: J, bytes: number): Promise<Done<R>> =>
      new Promise(done => {
        if (isFull(bytes)) {
          done({ stopped: 'busy' })
          return
        }
        waiting.push({ job, bytes, since: performance.now(), done })
        const [worker] = idle
        if (worker) void serve(worker)
        else if (threads.size < bounds.threads) void add()
      }),
    /** Ends all threads; their jobs are told to be broken. */
    close: async () => {
      for (const one of waiting.splice(0)) one.done({ stopped: 'busy' })
      await Promise.all([...threads].map(worker => worker.terminate()))
    },
  }
}
