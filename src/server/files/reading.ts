import type { Text } from '#src/domain/text.ts'
import { openWorkers, threadOf, type Done } from './workers.ts'

/** The time for one picture, with that for loading the reader. */
const READ_MS = 25_000
const source = import.meta.url.endsWith('.ts')
const reader = new URL(source ? './reader.ts' : './reader.js', import.meta.url)
const workers = openWorkers<Uint8Array, string[]>(heap_mb => threadOf(reader, heap_mb), {
  // The reader holds a few hundred MB while it is there: there is one, and it goes when idle.
  threads: 1,
  ms: READ_MS,
  heap_mb: 192,
  waiting: 4,
  waiting_bytes: 32 * 1024 * 1024,
  waiting_ms: 10_000,
  idle_ms: 180_000,
})

const faults: Readonly<Record<Extract<Done<never>, { stopped: string }>['stopped'], Text>> = {
  busy: ['正在识别的图片较多', 'many pictures are being read'],
  time: [
    `图片过于复杂，${READ_MS / 1000} 秒内没有识别完`,
    `the picture is too complex to be read in ${READ_MS / 1000} s`,
  ],
  memory: ['图片过于复杂', 'the picture is too complex'],
  broken: ['识别程序意外结束', 'the reader ended unexpectedly'],
}
/**
 * The lines of Chinese text in a PNG, read in a thread of its own, one picture after the other; or
 * why not. Never asked inside a transaction: it takes seconds.
 */
export const readText = async (png: Uint8Array): Promise<{ lines: string[] } | { fault: Text }> => {
  const done = await workers.ask(png, png.byteLength)
  return 'stopped' in done ? { fault: faults[done.stopped] } : { lines: done.result }
}
