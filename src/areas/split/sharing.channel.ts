/** What became of one share of a request. */
export type ShareSaid = {
  account: string
  amount_cents: number
} & (
  | { state: 'pending' }
  | { state: 'done'; channel_no: string; at: number }
  | { state: 'failed'; code: string; text: string }
)
/**
 * What a channel says of one request. `taken`: its books hold the number, with what became of each
 * share. `failed`: they do not hold it, and the same number may be sent once more. `unknown` is its
 * silence: ask again, with the same number. `text` is in both languages, as a row keeps it
 * (`unjoined`), 255 signs at most.
 */
export type ShareAnswer =
  | { state: 'taken'; shares: readonly ShareSaid[] }
  | { state: 'failed'; code: string; text: string }
  | { state: 'unknown'; text: string }

/** A payment whose money is shared: the merchant's number at the channel, and the channel's of it. */
export type SharedPayment = { sub_mchid: string; transaction_no: string }
type Numbered = SharedPayment & { out_no: string }
export type ShareAsked = Numbered & {
  shares: readonly {
    /** A merchant's number, or a person's id at the channel. */
    person: boolean
    account: string
    name: string
    amount_cents: number
  }[]
}
/** Asks for money of a merchant's share back: `share_no` is the number of the request that shared it. */
type BackAsked = Numbered & { share_no: string; account: string; amount_cents: number }
/** What a channel tells by itself. */
type ShareNotice = { out_no: string; answer: ShareAnswer }

/**
 * A channel that shares the money of a payment among several. Our number (`out_no`) means one
 * request, however often it is sent, and is never sent with another content. Amounts in cents, times
 * unix seconds. A method never throws for what the channel says or keeps silent about, and none is
 * called inside a transaction.
 */
export type ProfitSharing = {
  /** `none`: no channel is set up, and every request fails with `no_channel`. */
  name: 'wechat' | 'embedded' | 'none'
  /** The house's own number there. */
  own: string
  share: (of: ShareAsked) => Promise<ShareAnswer>
  query: (of: Numbered) => Promise<ShareAnswer>
  /** Gives what was not shared to the merchant, for good: no share, or one of the merchant. */
  unfreeze: (of: Numbered) => Promise<ShareAnswer>
  /** Takes so much of a merchant's share back: answered as one share of that account. */
  giveBack: (of: BackAsked) => Promise<ShareAnswer>
  queryBack: (of: Numbered & { share_no: string }) => Promise<ShareAnswer>
  /** What the channel tells by itself without a callback, each once (or twice, as channels do). */
  due: (now: number) => Promise<ShareNotice[]>
}
/** The code of what a channel's books do not hold. */
export const NEVER_SHARED = 'RESOURCE_NOT_EXISTS'
