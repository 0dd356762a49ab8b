import { z } from 'zod'
import { redeemResults } from '#src/areas/redeemCode/redeemCode.ts'
import { write } from '#src/contract/call.ts'
import { keysOf, keyText } from '#src/contract/shapes.ts'

/** For the mini-program (docs/app-api.md): without a session, bounded by address, kept in no log. */
export const redeemApp = {
  /** A code as it was typed; `none`: the ticket is over or wrong. */
  redeem: write('redeemCode/app/redeem', ['兑换码兑换', 'Redeem a code'], {
    input: z.object({
      ticket: keyText(80, 1),
      secret_code: keyText(64, 1),
      device: z
        .string()
        .regex(/^[\w-]{16,40}$/)
        .optional(),
    }),
    /** `why` is in the caller's language; empty where it was redeemed. */
    output: z.object({
      state: z.union([keysOf(redeemResults), z.literal('none')]),
      why: z.string(),
    }),
    touches: [
      'redeem_code',
      'redeem_log',
      'code_batch',
      'coupon',
      'coupon_grant',
      'points_ledger',
      'member',
    ],
    scope: { none: 'A member acts for themselves, by a ticket of their own' },
    permit: 'public',
    quiet: true,
  }),
}
