/**
 * A batch of more rows than its call takes, sent part by part from this browser. Each part is an
 * ordinary call: by this session, with the rights of that moment, in a transaction of its own,
 * under a key kept here, so that sent once more it answers the first result. A selection is watched
 * by who made it, and what a reload interrupted goes on where it was; the lines of a large table
 * are the server's (server/jobs/rowJobs.ts).
 */
import { NO_TIME, type BatchResult } from '#src/contract/shapes.ts'
import { reasonsOf } from '#src/domain/count.ts'
import { csvField } from '#src/domain/csv.ts'
import { say, type Lang } from '#src/domain/text.ts'
import { rowTitle, type Named } from '#src/kit/dry-run.tsx'
import { stored } from './stored.ts'

type Row = { id: number; label: string }
type Part = { rows: readonly Row[]; input: unknown; result?: BatchResult }
/** Rows of a batch as they are sent, and what is sent of them. */
export type Sent = { rows: readonly Named[]; input: unknown }
export type Bulk = { id: string; action: string; at: number; parts: readonly Part[] }

const keyOf = (account: string) => `mallet.bulk:${account}`
const fits = (value: unknown): value is Bulk => {
  const { id, action, parts } = (value ?? {}) as Partial<Bulk>
  return (
    typeof id === 'string' &&
    typeof action === 'string' &&
    Array.isArray(parts) &&
    parts.every(
      part =>
        Array.isArray(part?.rows) &&
        (part.result === undefined ||
          (Array.isArray(part.result.ok) && Array.isArray(part.result.failed))),
    )
  )
}
/** The last batch of this person on this machine, done or not. */
export const keptBulk = (account: string): Bulk | null => stored.json(keyOf(account), fits)
export const keepBulk = (account: string, bulk: Bulk | null) =>
  stored.set(keyOf(account), bulk && JSON.stringify(bulk))

/** A batch as it begins; `nameOf` is what its report calls a row. */
export const newBulk = (
  action: string,
  parts: readonly Sent[],
  now: number,
  nameOf: (row: Named) => string = rowTitle,
): Bulk => ({
  id: crypto.randomUUID(),
  action,
  at: now,
  parts: parts.map(({ rows, input }) => ({
    rows: rows.map(row => ({ id: row.id, label: nameOf(row) })),
    input,
  })),
})
/**
 * The key that the part `at` is sent under; the server keeps what takes a bulk back by its head.
 */
export const partKey = (bulk: Bulk, at: number) => `${bulk.id}.${at + 1}`
export const withResult = (bulk: Bulk, at: number, result: BatchResult): Bulk => ({
  ...bulk,
  parts: bulk.parts.map((part, i) => (i === at ? { ...part, result } : part)),
})
/** The rows of an answer that the server had no time for. */
export const leftBy = ({ failed }: BatchResult): ReadonlySet<number> =>
  new Set(failed.filter(({ code }) => code === NO_TIME).map(({ id }) => id))
/** Takes what there was no time for out of the part `at`, and sends it as a further one. */
export const withAnother = (bulk: Bulk, at: number, again: Sent): Bulk => {
  const left = new Set(again.rows.map(({ id }) => id))
  const { rows, result, ...part } = bulk.parts[at]!
  const another = { rows: rows.filter(({ id }) => left.has(id)), input: again.input }
  const kept = {
    ...part,
    rows: rows.filter(({ id }) => !left.has(id)),
    result: { ok: result!.ok, failed: result!.failed.filter(({ id }) => !left.has(id)) },
  }
  return { ...bulk, parts: [...bulk.parts.map((one, i) => (i === at ? kept : one)), another] }
}
export const nextPart = (bulk: Bulk) => bulk.parts.findIndex(part => !part.result)
/** Every part that was not sent, as failed for one reason. */
export const givenUp = (bulk: Bulk, msg: string): Bulk => ({
  ...bulk,
  parts: bulk.parts.map(part =>
    part.result
      ? part
      : {
          ...part,
          result: { ok: [], failed: part.rows.map(({ id }) => ({ id, code: 'not_sent', msg })) },
        },
  ),
})

export type Tally = {
  rows: number
  ok: number[]
  failed: BatchResult['failed']
  reasons: [msg: string, n: number][]
}
export const tallyOf = (bulk: Bulk): Tally => {
  const results = bulk.parts.flatMap(part => part.result ?? [])
  const failed = results.flatMap(result => result.failed)
  return {
    rows: bulk.parts.reduce((sum, part) => sum + part.rows.length, 0),
    ok: results.flatMap(result => result.ok),
    failed,
    reasons: reasonsOf(failed).sort((a, b) => b[1] - a[1]),
  }
}

/** What became of each row, as a file that Excel reads. */
export const csvOf = (bulk: Bulk, lang: Lang): string => {
  const words = {
    title: say(['编号', 'ID'], lang),
    name: say(['名称', 'Name'], lang),
    result: say(['结果', 'Result'], lang),
    why: say(['原因', 'Reason'], lang),
    done: say(['完成', 'Done'], lang),
    failed: say(['失败', 'Failed'], lang),
    open: say(['未发送', 'Not sent'], lang),
  }
  const lines = bulk.parts.flatMap(({ rows, result }) => {
    const [ok, failed] = [
      new Set(result?.ok),
      new Map(result?.failed.map(one => [one.id, one.msg])),
    ]
    const rest = result ? words.failed : words.open
    return rows.map(({ id, label }) => [
      String(id),
      label,
      ok.has(id) ? words.done : rest,
      failed.get(id) ?? '',
    ])
  })
  return `\uFEFF${[[words.title, words.name, words.result, words.why], ...lines].map(line => line.map(csvField).join(',')).join('\r\n')}\r\n`
}
