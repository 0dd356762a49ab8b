import { availableParallelism } from 'node:os'
import { Refusal } from '#src/server/call/refuse.ts'
import type { ParseJob, Parsed } from './parser.ts'
import { openWorkers, threadOf, type Done } from './workers.ts'

const PARSE_MS = 5000
const source = import.meta.url.endsWith('.ts')
const parser = new URL(source ? './parser.ts' : './parser.js', import.meta.url)
const workers = openWorkers<ParseJob, unknown>(heap_mb => threadOf(parser, heap_mb), {
  threads: Math.max(1, Math.min(2, availableParallelism() - 1)),
  ms: PARSE_MS,
  heap_mb: 192,
  waiting: 32,
  waiting_bytes: 48 * 1024 * 1024,
  waiting_ms: 20_000,
})

const busy = () =>
  new Refusal(
    503,
    [
      '正在读取的文件较多，请稍后重试；这个文件还没有读取',
      'Many files are being read: try again shortly, this one was not read',
    ],
    {},
    { rule: 'parse_busy' },
  )
const tooMuch = () =>
  new Refusal(
    422,
    [
      '文件过于复杂，{n} 秒内没有读完；请只保留需要的内容，另存后重新上传',
      'The file is too complex to be read in {n} s: keep only what is needed, save it and upload it again',
    ],
    { n: PARSE_MS / 1000 },
    { rule: 'parse_limit' },
  )
const resultOf = <R>(done: Done<R>): R => {
  if ('result' in done) return done.result
  throw done.stopped === 'time' || done.stopped === 'memory' ? tooMuch() : busy()
}
/**
 * Reads a file from outside in a thread of its own, one after the other. Throws Refusal: 503 where
 * too many wait, 422 where a file takes more than 5 s or too much memory. Never asked inside a
 * transaction: it waits for others.
 */
export const parseFile = async <K extends keyof Parsed>(
  kind: K,
  job: Parsed[K]['job'],
): Promise<Parsed[K]['result']> =>
  resultOf(
    (await workers.ask({ kind, ...job } as ParseJob, job.file.byteLength)) as Done<
      Parsed[K]['result']
    >,
  )
