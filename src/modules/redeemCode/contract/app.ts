import { z } from 'zod'
import { redeemResults } from '#src/areas/redeemCode/redeemCode.ts'
import { write } from '#src/contract/call.ts'
import { keysOf, keyText, open, pin, unix } from '#src/contract/shapes.ts'

/** A prize of the code that waits for the member, who shows the code at one of the stores. */
const prize = z.object({
  name: z.string(),
  /** When the time to fetch it is over. */
  until: unix,
  /**
   * Open stores that hand it over, 20 at most: with `at` those within some 20 km, the nearest first;
   * without, or where none is near, those of the member's city.
   */
  stores: z.array(
    z.object({
      name: z.string(),
      /** Empty outside any mall. */
      mall: z.string(),
      address: open('A store’s', z.string()),
      /** Floor and door as the store wrote them; empty where it did not. */
      floor: z.string(),
      door_no: z.string(),
      open_hours: z.string(),
      /** Null without `at`, and for a store without a position. */
      distance_m: z.int().nullable(),
    }),
  ),
})
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
      /** Where the phone is: in a mall that the code is good in, and near which stores. */
      at: z.object(pin).optional(),
    }),
    /**
     * `why` is in the caller's language; empty where it was redeemed. For `wrong_mall` it names the
     * malls, and for `no_reward` what stands in the way. `goods` is null where no prize waits; a
     * member who asks again (`used`) is told theirs again until it is fetched.
     */
    output: z.object({
      state: z.union([keysOf(redeemResults), z.literal('none')]),
      why: z.string(),
      goods: prize.nullable(),
      /** What it gave, in the caller’s language; empty where it gave nothing now. */
      rewards: z.array(z.string()),
    }),
    touches: [
      'redeem_code',
      'redeem_log',
      'code_batch',
      'coupon',
      'coupon_grant',
      'points_ledger',
      'vip_subscription',
      'vip_card_order',
      'ecard_code',
      'ecard_attr',
      'ecard',
      'member',
    ],
    scope: { none: 'A member acts for themselves, by a ticket of their own' },
    permit: 'public',
    quiet: true,
  }),
}
