/**
 * What a database error means to a call. `unavailable`: no database just now, or it is too busy;
 * nothing was done (but see `isUnknown`), the same call may be sent again (503). `full`: the disk
 * is nearly full, writes are refused, reads go on (503). `rerun`: lost a race inside the database,
 * run the transaction again. `unique`, `reference`, `check`: a constraint refused, see
 * `constraint`. `input`: a value that PostgreSQL can't store (400). `other`: a fault of ours (500).
 */
type FaultKind =
  | 'unavailable'
  | 'full'
  | 'rerun'
  | 'unique'
  | 'reference'
  | 'check'
  | 'input'
  | 'other'
/**
 * Only names and codes: an error's message holds every parameter of the query, and is never logged
 * or sent.
 */
export type Fault = { kind: FaultKind; code: string; constraint?: string; table?: string }
/**
 * The connection broke while the commit was on its way: done or not done, only asking again by the
 * same idempotency key tells.
 */
export const isUnknown = (fault: Fault): boolean => fault.code === 'MALLET_UNKNOWN'

/**
 * Thrown by the database layer itself; `code` is one of ours, in the place where the driver puts
 * its own.
 */
export class DatabaseFault extends Error {
  constructor(
    readonly code: 'MALLET_UNAVAILABLE' | 'MALLET_DEADLINE' | 'MALLET_UNKNOWN',
    message: string,
  ) {
    super(message)
    this.name = 'DatabaseFault'
  }
}

const unavailable = new Set([
  'MALLET_UNAVAILABLE',
  'MALLET_DEADLINE',
  'MALLET_UNKNOWN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '57014',
  '53300',
  '55P03',
  '25P03',
  '25P04',
])
/** The driver gives these no code, only words; none of them holds a parameter. */
const lostWords =
  /^(Connection terminated|Client was closed|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|Cannot use a pool after calling end)/

/**
 * Reads code and constraint of an error thrown by drizzle or the driver; undefined when it is no
 * database error.
 */
export const faultOf = (error: unknown): Fault | undefined => {
  for (
    let at: unknown = error, depth = 0;
    at instanceof Error && depth < 5;
    at = at.cause, depth++
  ) {
    const { code, constraint, table } = at as Error & {
      code?: unknown
      constraint?: string
      table?: string
    }
    if (typeof code === 'string') {
      const kind = kindOf(code)
      if (kind) return { kind, code, ...(constraint && { constraint }), ...(table && { table }) }
    }
    if (lostWords.test(at.message)) return { kind: 'unavailable', code: 'LOST' }
    if (at instanceof AggregateError && at.errors.length > 0) {
      const first = faultOf(at.errors[0])
      if (first) return first
    }
  }
  return undefined
}

/**
 * The database itself is away, and whatever is tried next fails too; a transaction that took too
 * long says so of itself alone.
 */
export const isAway = (error: unknown): boolean => {
  const fault = faultOf(error)
  return fault?.kind === 'unavailable' && fault.code !== 'MALLET_DEADLINE'
}

/**
 * Lets a call go on without a write that it does not need, which the database refused: the disk may
 * be nearly full.
 */
export const leftOut = (error: unknown): void => {
  if (!faultOf(error)) throw error
}

const kindOf = (code: string): FaultKind | undefined => {
  if (code === '53100' || code === '25006') return 'full'
  // This one of the connection's codes tells of what was said on it: ours, and said
  // again it fails again.
  if (unavailable.has(code) || (code.startsWith('08') && code !== '08P01')) return 'unavailable'
  if (code === '40001' || code === '40P01') return 'rerun'
  if (code === '23505' || code === '23P01') return 'unique'
  if (code === '23503') return 'reference'
  if (code === '23514' || code === '23502') return 'check'
  if (code.startsWith('22')) return 'input'
  // Five characters of SQLSTATE; Node's own codes (ERR_…, EACCES) are no answer of a database.
  return /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code) ? 'other' : undefined
}
