import { createHash } from 'node:crypto'

/**
 * What a channel says of one thing to issue. `unknown` is its silence: ask for the number again.
 */
export type IssueAnswer =
  | { state: 'success'; channel_no: string }
  | { state: 'pending' }
  | { state: 'failed'; text: string }
  | { state: 'unknown'; text: string }
/**
 * Where e-cards come from. A number given out by us means one issue, however often it is sent. A
 * method never throws for what the channel says or keeps silent about.
 */
export type IssueChannel = {
  /** `none`: no channel is set up, and every issue fails. */
  name: 'embedded' | 'none'
  issue: (of: { out_no: string; name: string; qty: number }) => Promise<IssueAnswer>
  query: (out_no: string) => Promise<IssueAnswer>
}
const hashOf = (out_no: string) => createHash('sha256').update(out_no).digest()
const issued = (out_no: string): IssueAnswer => ({
  state: 'success',
  channel_no: `EC${BigInt(`0x${hashOf(out_no).toString('hex', 0, 8)}`)}`,
})
/**
 * For trials: nothing is issued. The same for a number whoever asks and however often; one in
 * sixteen fails for want of stock, one in sixteen answers too late and turns out to be issued.
 */
export const embeddedIssue: IssueChannel = {
  name: 'embedded',
  issue: async ({ out_no }) => {
    const fate = hashOf(out_no)[31]! % 16
    return fate === 0
      ? { state: 'failed', text: '渠道库存不足' }
      : fate === 1
        ? { state: 'failed', text: '渠道处理超时' }
        : issued(out_no)
  },
  query: async out_no =>
    hashOf(out_no)[31]! % 16 === 0 ? { state: 'failed', text: '渠道库存不足' } : issued(out_no),
}
/** Where no channel is set up: nothing is issued, and that is said. */
export const noIssue: IssueChannel = {
  name: 'none',
  issue: async () => ({ state: 'failed', text: '未接入发放渠道' }),
  query: async () => ({ state: 'failed', text: '未接入发放渠道' }),
}
