import { z } from 'zod'
import {
  bankCheckStates,
  CENTS_MOST,
  TRIES,
  voidReasons,
  type BankCheckState,
  type VoidReason,
} from '#src/areas/bankCheck/bankCheck.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { cents, id, keysOf, text, unix, version } from '#src/contract/shapes.ts'

/** How the verification of a settlement account stands; the amount that was paid is never told. */
export const bankStanding = z.object({
  verified_at: unix.nullable(),
  verified_by: z.string(),
  /** Whether the account that is on record has all that a payment needs. */
  is_whole: z.boolean(),
  /** Whether this server can pay to a bank at all. */
  is_connected: z.boolean(),
  left_today: z.int(),
  /** The last payment. */
  check: z
    .object({
      no: z.string(),
      state: keysOf<BankCheckState>(bankCheckStates),
      void_why: keysOf<VoidReason>(voidReasons).nullable(),
      tries_left: z.int().max(TRIES),
      error: z.string(),
      asked_at: unix,
      asked_by: z.string(),
      sent_at: unix.nullable(),
    })
    .nullable(),
})
export type BankStanding = z.output<typeof bankStanding>
const path = 'shop/index/add'

/** A few cents to a merchant's settlement account prove whose it is. */
export const shopBank = {
  bankStanding: read('shop/index/bankStanding', ['账户验证', 'Account check'], {
    input: z.object({ id }),
    output: bankStanding,
    touches: ['merchant', 'bank_check'],
    scope: placed('merchant', 'id'),
    permit: 'shop.index.view',
  }),
  /** Pays 1 to 99 cents to the account on record, at most three times a day. */
  verifyBank: write(`${path}/verifyBank`, ['打款验证账户', 'Verify account by payment'], {
    input: z.object({ id, version }),
    output: z.object({ id, no: z.string(), left_today: z.int() }),
    touches: ['bank_check'],
    scope: placed('merchant', 'id'),
    permit: 'shop.index.add.verifyBank',
  }),
  /** Takes the amount that the merchant read; `no` is the payment it is the amount of. */
  confirmBank: write(`${path}/confirmBank`, ['填写到账金额', 'Enter the amount received'], {
    input: z.object({ id, no: text(32), amount_cents: cents.min(1).max(CENTS_MOST) }),
    output: z.object({ id, is_verified: z.boolean(), tries_left: z.int() }),
    touches: ['merchant', 'bank_check'],
    scope: placed('merchant', 'id'),
    permit: 'shop.index.add.confirmBank',
  }),
}
