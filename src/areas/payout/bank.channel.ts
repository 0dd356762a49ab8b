import { z } from 'zod'
import { joined } from '#src/domain/text.ts'
import { askService } from '#src/server/http/askService.ts'
import { NEVER_HEARD, type TransferAnswer, type TransferNotice } from './transfer.channel.ts'

/**
 * A way that money leaves to an account at a bank. Our number (`out_bill_no`) means one payment,
 * however often it is sent. Amounts in cents, times unix seconds. A method never throws for what the
 * bank says or keeps silent about, and none is called inside a transaction.
 */
export type BankChannel = {
  /** `none`: no bank is connected, and every payment fails with `no_channel`. */
  name: 'http' | 'embedded' | 'none'
  transfer: (of: {
    out_bill_no: string
    amount_cents: number
    /** The account's number and its holder, and the bank that it is at. */
    payee_no: string
    payee_name: string
    bank_name: string
    remark: string
  }) => Promise<TransferAnswer>
  query: (out_bill_no: string) => Promise<TransferAnswer>
  /** What the bank tells by itself, each once (or twice, as banks do). */
  due: (now: number) => Promise<TransferNotice[]>
}

const refused: TransferAnswer = {
  state: 'failed',
  code: 'no_channel',
  text: joined(['未接入银行打款（BANK_TRANSFER_URL）', 'No bank is connected (BANK_TRANSFER_URL)']),
  ended: false,
}
/** Where no bank is connected: nothing is paid, and that is said. */
export const noBank: BankChannel = {
  name: 'none',
  transfer: async () => refused,
  query: async () => refused,
  due: async () => [],
}

const TIMEOUT_MS = 15_000
const ANSWER_MAX = 64 * 1024
const said = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('success'),
    channel_no: z.string().trim().min(1).max(64),
    at: z.int().min(0).max(9_999_999_999),
    amount_cents: z.int().min(1),
  }),
  z.object({ state: z.literal('pending') }),
  z.object({ state: z.literal('failed'), reason: z.string().trim().min(1).max(200) }),
  /** Its books do not hold the number. */
  z.object({ state: z.literal('unheard') }),
])

/**
 * A bank over HTTP. POST JSON `{ ask: 'transfer', out_bill_no, amount_cents, payee_no, payee_name,
 * bank_name, remark }` or `{ ask: 'query', out_bill_no }`, answered by `{ state: 'success',
 * channel_no, at, amount_cents }`, `{ state: 'pending' }`, `{ state: 'failed', reason }` or `{ state:
 * 'unheard' }`. Anything else is its silence.
 */
export const httpBank = (
  url: string,
  { timeout_ms = TIMEOUT_MS }: { timeout_ms?: number } = {},
): BankChannel => {
  const ask = async (body: object): Promise<TransferAnswer> => {
    const answered = await askService(url, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      shape: said,
      most: ANSWER_MAX,
      timeout_ms,
    })
    if ('fault' in answered) return { state: 'unknown', text: joined(answered.fault) }
    const { said: of } = answered
    if (of.state === 'failed')
      return { state: 'failed', code: 'BANK', text: of.reason, ended: true }
    return of.state === 'unheard'
      ? {
          state: 'failed',
          code: NEVER_HEARD,
          text: joined(['银行没有这笔打款的记录', 'The bank has no such payment']),
          ended: false,
        }
      : of
  }
  return {
    name: 'http',
    transfer: of => ask({ ask: 'transfer', ...of }),
    query: out_bill_no => ask({ ask: 'query', out_bill_no }),
    due: async () => [],
  }
}
