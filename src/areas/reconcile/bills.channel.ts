import { joined } from '#src/domain/text.ts'
import type { FetchedForm } from './reconcile.ts'

/**
 * What a channel says when it is asked for the bill of a day. `none`: nothing moved on that day, so
 * there is no bill. `later`: it is not made yet. `unknown` is its silence, or a file that is not the
 * one it named: ask again. `failed`: it refuses, and says why. `text` is in both languages, as a row
 * keeps it (`unjoined`), 255 signs at most.
 */
export type BillAnswer =
  | { state: 'ready'; file: Buffer }
  | { state: 'none' }
  | { state: 'later'; text: string }
  | { state: 'failed'; text: string }
  | { state: 'unknown'; text: string }
/**
 * Where the bills of a day (`YYYY-MM-DD`, Shanghai) are fetched from: unpacked, whole, and proved to
 * be what the channel named. It never throws for what the channel says, and is never asked inside a
 * transaction.
 */
export type BillSource = {
  /** `none`: no channel is set up, and nothing is fetched. */
  name: 'wechat' | 'embedded' | 'none'
  bill: (of: { day: string; form: FetchedForm }) => Promise<BillAnswer>
}
/** Where no channel is set up. */
export const noBills: BillSource = {
  name: 'none',
  bill: async () => ({
    state: 'failed',
    text: joined(['未接入微信支付', 'WeChat Pay is not connected']),
  }),
}
