/**
 * What every call answers. Success is a body status of 200 or 504 (specification, section 8); a
 * gateway's HTTP 504 is not.
 */
export type Envelope<T = unknown> = { status: number; msg: string; message: string; data: T }

/**
 * The session is gone: no, unknown or kicked token · account disabled · expired. All three open the
 * sign-in dialog.
 */
export const sessionCodes = { none: 410000, disabled: 410001, expired: 410002 } as const
export const isSessionCode = (status: number): boolean => status >= 410000 && status <= 410002

/**
 * The person who changed something last, and when (unix seconds). `own`: how many of the last
 * changes in a row are the reader's own, where any are.
 */
export type ChangedBy = { name: string; at: number; own?: number }
/**
 * `data` of a refused call. `fields` names the fault at each input path, `rule` is the business
 * rule that refused; where that is `stale`, `current` is the row as it stands now by the reader's
 * field rules, `by` who changed it.
 */
export type RefusalData = {
  fields?: Record<string, string>
  rule?: string
  current?: unknown
  by?: ChangedBy
}

/** The header by which every answer says what time the server has, in ms. */
export const SERVER_TIME = 'server-time'
