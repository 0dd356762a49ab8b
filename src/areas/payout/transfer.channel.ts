/**
 * What a channel says of one transfer. `wait`: its payee is asked to take it. `ended` of a failure:
 * the channel's books hold the number as failed for good; else they do not hold it at all and the
 * same number may be sent once more. `unknown` is its silence: ask again, with the same number.
 * `text` is in both languages, as a row keeps it (`unjoined`), 255 signs at most.
 */
export type TransferAnswer =
  | { state: 'success'; channel_no: string; at: number; amount_cents: number }
  | { state: 'wait'; until_at?: number }
  | { state: 'pending' }
  | { state: 'canceled'; text: string }
  | { state: 'failed'; code: string; text: string; ended: boolean }
  | { state: 'unknown'; text: string }

/** The code of what a channel's books do not hold. */
export const NEVER_HEARD = 'RESOURCE_NOT_EXISTS'

/** What a channel tells by itself, once its signature has been verified. */
export type TransferNotice = { out_bill_no: string; answer: TransferAnswer }

/**
 * A way that money leaves to somebody's own account. Our number (`out_bill_no`) means one transfer,
 * however often it is sent. Amounts in cents, times unix seconds. A method never throws for what the
 * channel says or keeps silent about, and none is called inside a transaction.
 */
export type TransferChannel = {
  /** `none`: no channel is set up, and every transfer fails with `no_channel`. */
  name: 'wechat' | 'embedded' | 'none'
  transfer: (of: {
    out_bill_no: string
    amount_cents: number
    /** The payee's id at the channel, and their real name, which it compares. */
    payee_no: string
    payee_name: string
    remark: string
  }) => Promise<TransferAnswer>
  query: (out_bill_no: string) => Promise<TransferAnswer>
  /** Asks to take back what waits for its payee; whether it was comes with `query`. */
  cancel: (out_bill_no: string) => Promise<TransferAnswer>
  /** A callback as it came in; null when its signature, age or shape is not the channel's. */
  notice: (of: {
    headers: Readonly<Record<string, string | undefined>>
    body: string
    now: number
  }) => TransferNotice | null
  /** What the channel tells by itself without a callback, each once (or twice, as channels do). */
  due: (now: number) => Promise<TransferNotice[]>
}
