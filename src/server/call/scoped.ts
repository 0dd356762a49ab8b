/**
 * The scope that a contract declares, kept round its handler. A person who sees all costs nothing.
 * For anybody else a row that the input names is looked up before the handler runs: a batch is given
 * the person's own rows alone, and says of the others that they are not there. An answer of a handler
 * that never asked what the person may see does not leave the server.
 */
import type { Call, Placed } from '#src/contract/call.ts'
import type { BatchResult } from '#src/contract/shapes.ts'
import { failedRow, logRefused } from './batch.ts'
import type { Db, ReadContext, Staff, WriteContext } from './implement.ts'
import { kindNamed, outside } from './kinds.ts'
import { missing } from './refuse.ts'
import { seesAll } from './scope.ts'

type Context = ReadContext | WriteContext
type Handler<C extends Context> = (input: unknown, context: C) => Promise<unknown>

export const isPlaced = (scope: unknown): scope is Placed =>
  typeof scope === 'object' && scope !== null && 'rows' in scope && 'by' in scope
const saysNone = (scope: unknown): boolean =>
  typeof scope === 'object' &&
  scope !== null &&
  typeof (scope as { none?: unknown }).none === 'string' &&
  (scope as { none: string }).none !== ''
const fieldsOf = (call: Call): readonly string[] | undefined => {
  const { shape } = call.input as { shape?: object }
  return shape && Object.keys(shape)
}

/** Throws where a contract does not say, or can't mean, what places its rows. */
export const checkScope = (call: Call): void => {
  const scope: unknown = call.scope
  const name = `${call.method} ${call.path}`
  if (scope === 'all' || scope === 'own' || saysNone(scope)) return
  if (!isPlaced(scope)) throw new Error(`${name} does not say what places its rows`)
  const fields = fieldsOf(call)
  for (const kind of [scope.rows, ...Object.values(scope.by)])
    if (!kindNamed(kind))
      throw new Error(`${name} names the kind of row ${kind}, which nobody defines`)
  for (const path of Object.keys(scope.by))
    if (fields && !fields.includes(path.split('.')[0]!))
      throw new Error(`${name} has no input ${path} to find its rows by`)
}

/** The ids at a path of the input (`id`, `ids`, `tasks.id`); `many` where it goes through a list. */
const idsAt = (input: unknown, path: string): { ids: number[]; many: boolean } => {
  let many = false
  let values: unknown[] = [input]
  for (const key of path.split('.')) {
    const inner = values.map(value => (value as Record<string, unknown> | null)?.[key])
    many ||= inner.some(Array.isArray)
    values = inner.flat().filter(value => value !== undefined && value !== null)
  }
  const ids = values.filter((one): one is number => typeof one === 'number' && one > 0)
  return { ids: [...new Set(ids)], many }
}
/** A batch tells row by row what became of it, also of rows that are not there. */
const isBatch = (call: Call): boolean => {
  const shape = (call.output as { shape?: object }).shape ?? {}
  return 'ok' in shape && 'failed' in shape
}
/**
 * Nothing in it that could be somebody's: no row, no figure, no word. A list without rows may say
 * why it has none.
 */
const isEmpty = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return !value
  const inner: unknown[] = Object.values(value)
  const aboutLists = inner.some(Array.isArray)
  return inner.every(one => (aboutLists && typeof one === 'string') || isEmpty(one))
}

/** The person, and whether somebody asked for their scope. */
export const watched = (staff: Staff): { staff: Staff; asked: () => boolean } => {
  let asked = false
  const { scope, ...rest } = staff
  const of = Object.defineProperty(rest, 'scope', {
    enumerable: true,
    get: () => {
      asked = true
      return scope
    },
  }) as Staff
  return { staff: of, asked: () => asked }
}

type Looked = { named: boolean; foreign: ReadonlyMap<string, readonly number[]> }
/**
 * The rows that the input names and the person may not see, by where it names them. Throws a 404 for
 * one, but where the call is a batch that tells of each of its rows.
 */
const foreignRows = async (
  db: Db,
  staff: Staff,
  { by, batch, input }: { by: Placed['by']; batch: boolean; input: unknown },
): Promise<Looked> => {
  const foreign = new Map<string, readonly number[]>()
  let named = false
  for (const [path, kind] of Object.entries(by)) {
    const { ids, many } = idsAt(input, path)
    const others = await outside(db, staff, kind, ids)
    if (others.length > 0 && !(batch && many)) throw missing()
    named ||= ids.length > 0
    if (others.length > 0) foreign.set(path, others)
  }
  return { named, foreign }
}
/**
 * The input of a batch without the rows that are not the person's; undefined where a list would be
 * left without any.
 */
const withoutForeign = (input: unknown, { foreign }: Looked): unknown => {
  const kept = { ...(input as Record<string, unknown>) }
  for (const [path, ids] of foreign) {
    const [list, field] = path.split('.') as [string, string?]
    const idOf = (one: unknown) =>
      field === undefined ? one : (one as Record<string, unknown>)[field]
    const left = (kept[list] as unknown[]).filter(one => !ids.includes(idOf(one) as number))
    if (left.length === 0) return undefined
    kept[list] = left
  }
  return kept
}
/** What a batch answers that was asked for no row; a 404 where it answers more than what became of rows. */
const nothingOf = (call: Call): BatchResult => {
  const { shape } = call.output as { shape?: object }
  if (Object.keys(shape ?? {}).length > 2) throw missing()
  return { ok: [], failed: [] }
}
/** What became of a batch, and that the rows which are not the person's are not there for them. */
const withRefused = (answer: BatchResult, context: Context, { foreign }: Looked): BatchResult => {
  const refusal = missing()
  const told = new Set(answer.failed.map(({ id }) => id))
  const others = [...foreign.values()].flat().filter(id => !told.has(id))
  for (const id of others) if ('log' in context) logRefused(context, id, refusal)
  const failed = others.map(id => failedRow(id, refusal, context.staff))
  return { ...answer, failed: [...answer.failed, ...failed] }
}

/** Undefined, or what is wrong with an answer that is about to leave. */
const leakOf = (
  call: Call,
  answer: unknown,
  of: Looked & { asked: boolean },
): string | undefined => {
  const done = (answer as Partial<BatchResult> | null)?.ok ?? []
  const wrong = [...of.foreign.values()].flat().filter(id => done.includes(id))
  if (wrong.length > 0) return `did rows outside the caller's scope: ${wrong.join()}`
  // A list is of other rows than the one it was asked by.
  const guarded = of.named && !('list' in ((call.output as { shape?: object }).shape ?? {}))
  return of.asked || guarded || isEmpty(answer)
    ? undefined
    : 'answered without asking what the caller may see'
}

/**
 * The handler with the scope of its contract round it. Throws a 404 for a row outside the caller's
 * scope, and an error (so that the transaction is undone) where the handler let something through.
 */
export const scoped = <C extends Context>(call: Call, handler: Handler<C>): Handler<C> => {
  const { scope } = call
  if (!isPlaced(scope)) return handler
  const batch = isBatch(call)
  return async (input, context) => {
    if (seesAll(context.staff.scope)) return handler(input, context)
    const db = 'tx' in context ? context.tx : context.db
    const looked = await foreignRows(db, context.staff, { by: scope.by, batch, input })
    const { staff, asked } = watched(context.staff)
    const kept = looked.foreign.size > 0 ? withoutForeign(input, looked) : input
    const answer = kept ? await handler(kept, { ...context, staff }) : nothingOf(call)
    const leak = leakOf(call, answer, { ...looked, asked: asked() })
    if (leak) throw new Error(`${call.method} ${call.path} ${leak}`)
    return looked.foreign.size > 0 ? withRefused(answer as BatchResult, context, looked) : answer
  }
}
