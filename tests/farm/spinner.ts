// A thread for tests of src/server/files/workers.ts: does as its jobs say.
import { parentPort } from 'node:worker_threads'

const jobs: Record<string, () => unknown> = {
  answer: () => 42,
  spin: () => {
    for (;;);
  },
  grow: () => {
    const all: number[][] = []
    for (;;) all.push(Array.from({ length: 100_000 }, (_, at) => at))
  },
  die: () => process.exit(1),
  throw: () => {
    throw new Error('as the test wants it')
  },
}
parentPort!.on('message', (job: string) => parentPort!.postMessage(jobs[job]!()))
parentPort!.postMessage('ready')
