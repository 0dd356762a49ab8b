import type { PayAnswer } from './pay.channel.ts'

/** What a channel says of a contract. `unknown` is its silence: ask again, by the same number. */
export type ContractAnswer =
  | { state: 'signed' | 'pending' | 'ended' }
  | { state: 'unknown'; text: string }

/**
 * Deductions on a contract that a payer signed (WeChat 委托代扣). A number given out by us means one
 * contract or one charge, however often it is sent: a charge is taken once. Amounts in cents. A
 * method never throws for what the channel says or keeps silent about.
 */
export type ContractPay = {
  /** `none`: no channel is set up; nothing is signed, and every charge fails with `no_channel`. */
  name: 'embedded' | 'none'
  /** Whether the payer signed what was offered under this number. */
  queryContract: (contract_no: string) => Promise<ContractAnswer>
  endContract: (contract_no: string) => Promise<ContractAnswer>
  charge: (of: {
    out_no: string
    contract_no: string
    amount_cents: number
    title: string
  }) => Promise<PayAnswer>
  queryCharge: (out_no: string) => Promise<PayAnswer>
}
