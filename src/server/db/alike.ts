/**
 * Reads that are asked for alike at the same time, such as a list that fifty open panes read anew
 * after one change. One that waits to be sent is sent once for all who ask the same until then: it
 * sees whatever was committed before any of them asked, as their own would have. Nothing is kept.
 */
import pg from 'pg'
import { onlyReads } from './untilWritten.ts'

/** A read as drizzle gives it: a list of values a row, or one by their names. */
export type Asked = pg.QueryConfig & { rowMode?: 'array' }
type Found = pg.QueryResult
/** Gets a connection and sends what is told then. */
type Send = (told: () => Asked) => Promise<Found>
type Read = {
  /** Somebody else waits for it too. */
  many: boolean
  answer: Promise<Found>
  /** Worked out when somebody asks the same. */
  same?: boolean
}
const mayBeShared = (read: Read, text: string): boolean => (read.same ??= saysTheSame(text))

/** So long a read waits for one that runs already, to be one with those that come meanwhile. */
const WAIT_MS = 10

/** What answers otherwise each time, or does more than to answer: every asker needs their own. */
const OWN =
  /\bfor\s+(?:no\s+key\s+)?update\b|\bfor\s+(?:key\s+)?share\b|\btablesample\b|\b(?:pg_\w+|binary_upgrade_\w+|brin_\w+|gin_clean_\w+|lo_\w+|lo(?:read|write)|\w+_to_xml\w*|random\w*|array_(?:shuffle|sample)|gen_random_\w+|uuidv\d|clock_timestamp|timeofday|current_query|set_config|(?:next|set|curr|last)val|setseed|currtid2|txid_status|ts_(?:stat|rewrite)|op_log_xid|store_shelf_settled|create_queue|delete_queue)"?\s*\(/i
/** Whether all who ask this at once may have the same answer. */
export const saysTheSame = (text: string): boolean => onlyReads(text) && !OWN.test(text)

const isPlain = (value: unknown): boolean =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (Array.isArray(value) && value.every(isPlain))
/** The same of the same question; undefined of one that JSON does not tell from others. */
const keyOf = (asked: Asked, values: readonly unknown[]): string | undefined =>
  onlyReads(asked) && values.every(isPlain) ? `${asked.text}\n${JSON.stringify(values)}` : undefined

const undecoded = {
  getTypeParser: () => (value: string) => value,
} as unknown as pg.CustomTypesConfig
/** Values as the database wrote them, each asker makes their own rows of. */
const asWritten = { rowMode: 'array', types: undecoded } as const
type Rows = pg.QueryResult & {
  addFields: (fields: readonly pg.FieldDef[]) => void
  parseRow: (values: unknown) => object
}
/** An asker's own rows: whoever changes theirs changes nobody else's. */
const rowsFor = ({ rowMode, types }: Asked, { fields, rows, command, rowCount }: Found): Found => {
  const own = new pg.Result(rowMode as string, types as unknown as typeof pg.types) as Rows
  own.addFields(fields)
  return Object.assign(own, { command, rowCount, rows: rows.map(row => own.parseRow(row)) })
}

const pause = (until: Promise<unknown>): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, WAIT_MS)
    const go = () => {
      clearTimeout(timer)
      resolve()
    }
    until.then(go, go)
  })

/** The reads that wait to be sent, or run, by their text and values. */
export class Alike {
  readonly #waiting = new Map<string, Read>()
  readonly #running = new Map<string, Read>()

  /** The answer of a read; undefined of what is no read, which nothing was done about. */
  ask(asked: Asked, values: readonly unknown[], send: Send): Promise<Found> | undefined {
    const key = keyOf(asked, values)
    if (key === undefined) return undefined
    const waiting = this.#waiting.get(key)
    if (waiting && mayBeShared(waiting, asked.text)) {
      waiting.many = true
      return waiting.answer.then(found => rowsFor(asked, found))
    }
    const own = this.#begin(key, asked, send)
    return own.answer.then(found => (own.many ? rowsFor(asked, found) : found))
  }
  #begin(key: string, asked: Asked, send: Send): Read {
    const running = this.#running.get(key)
    const forget = (among: Map<string, Read>) => {
      if (among.get(key) === own) among.delete(key)
    }
    const told = () => {
      forget(this.#waiting)
      this.#running.set(key, own)
      return own.many ? { ...asked, ...asWritten } : asked
    }
    const sent = async () => {
      if (running && mayBeShared(running, asked.text)) await pause(running.answer)
      return send(told)
    }
    const own = { many: false } as Read
    this.#waiting.set(key, own)
    own.answer = sent()
    const end = () => {
      forget(this.#waiting)
      forget(this.#running)
    }
    own.answer.then(end, end)
    return own
  }
}
