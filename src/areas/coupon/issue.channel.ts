import { createHash } from 'node:crypto'
import { joined } from '#src/domain/text.ts'

/**
 * What a channel says of one thing to issue. `unknown` is its silence: ask for the number again.
 * `text` is in both languages, as a row keeps it (`unjoined`).
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
/** The words for an issue where its channel has none better, as rows keep them (`unjoined`). */
export const issueWords = {
  issued: joined(['发放成功', 'Issued']),
  waits: joined(['渠道处理中', 'The channel is at it']),
  silent: joined(['渠道没有应答', 'The channel does not answer']),
  short: joined(['渠道库存不足', 'The channel is out of stock']),
  slow: joined(['渠道处理超时', 'The channel took too long']),
  none: joined(['未接入发放渠道', 'No channel that issues is connected']),
}
const hashOf = (out_no: string) => createHash('sha256').update(out_no).digest()
const issued = (out_no: string): IssueAnswer => ({
  state: 'success',
  channel_no: `EC${BigInt(`0x${hashOf(out_no).toString('hex', 0, 8)}`)}`,
})
/**
 * The channel for trials, which issues nothing. A number is answered alike whoever asks and however
 * often; one in sixteen fails for want of stock, one in sixteen is answered too late and turns out
 * to be issued.
 */
export const embeddedIssue: IssueChannel = {
  name: 'embedded',
  issue: async ({ out_no }) => {
    const fate = hashOf(out_no)[31]! % 16
    if (fate === 0) return { state: 'failed', text: issueWords.short }
    if (fate === 1) return { state: 'failed', text: issueWords.slow }
    return issued(out_no)
  },
  query: async out_no =>
    hashOf(out_no)[31]! % 16 === 0 ? { state: 'failed', text: issueWords.short } : issued(out_no),
}
/** The channel where none is set up: it issues nothing, and says so. */
export const noIssue: IssueChannel = {
  name: 'none',
  issue: async () => ({ state: 'failed', text: issueWords.none }),
  query: async () => ({ state: 'failed', text: issueWords.none }),
}
