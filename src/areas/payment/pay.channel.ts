/**
 * What a payment channel says of one payment or refund. `unknown` is its silence: ask again, with
 * the same number. `text` is in both languages, as a row keeps it (`unjoined`), 255 signs at most.
 */
export type PayAnswer =
  | { state: 'success'; channel_no: string; at: number; amount_cents: number; fee_cents?: number }
  | { state: 'pending' }
  | { state: 'failed'; code: string; text: string }
  | { state: 'unknown'; text: string }

/** What a channel tells by itself, once its signature has been verified. */
export type PayNotice = {
  kind: 'payment' | 'refund'
  /** Our number of the payment or of the refund. */ out_no: string
  answer: PayAnswer
}

/**
 * A way that money comes in and goes back. Every number given out by us (`out_no`) means one
 * payment or one refund, however often it is sent: a channel asked twice with the same number pays
 * once. Amounts in cents, times unix seconds. A method never throws for what the channel says or
 * keeps silent about.
 */
export type PayChannel = {
  /** `none`: no channel is set up, and every refund fails with `no_channel`. */
  name: 'wechat' | 'embedded' | 'none'
  /** Sends money back to whoever paid `payment_no`, in part or in full. */
  refund: (of: {
    out_no: string
    payment_no: string
    amount_cents: number
    paid_cents: number
    reason: string
  }) => Promise<PayAnswer>
  queryRefund: (out_no: string) => Promise<PayAnswer>
  queryPayment: (out_no: string) => Promise<PayAnswer>
  /** A callback as it came in; null when its signature, age or shape is not the channel's. */
  notice: (of: {
    headers: Readonly<Record<string, string | undefined>>
    body: string
    now: number
  }) => PayNotice | null
  /** What the channel tells by itself without a callback, each once (or twice, as channels do). */
  due: (now: number) => Promise<PayNotice[]>
}
