import { z } from 'zod'

/** Where small payments to settlement accounts go (src/areas/payout/bank.channel.ts). */
export const bankSettings = {
  BANK_TRANSFER_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    initial: '',
    about:
      'Where a few cents to a merchant’s settlement account are posted as JSON { ask, out_bill_no, amount_cents, payee_no, payee_name, bank_name, remark }, answered by { state }. Without it, accounts are verified in the demo only.',
    example: 'BANK_TRANSFER_URL=https://bank.example.com/transfers',
  },
} as const
