import { z } from 'zod'
import { genders } from '#src/areas/member/member.ts'
import { profileFields } from '#src/areas/pointsRule/earning.ts'
import { MALLS_MOST, profileStates } from '#src/areas/profile/profile.ts'
import { writeStates } from '#src/areas/review/review.ts'
import { signStates } from '#src/areas/signIn/signIn.ts'
import { write } from '#src/contract/call.ts'
import { id, keysOf, keyText, lines, pin } from '#src/contract/shapes.ts'

const ticket = keyText(80, 1)
const device = z.string().regex(/^[\w-]{16,40}$/)
const n = z.int().min(0)
const own = {
  scope: { none: 'A member acts for themselves, by a ticket of their own' },
  permit: 'public',
  quiet: true,
} as const
const earning = ['sign_record', 'points_ledger', 'growth_ledger', 'member']

/** For the mini-program (docs/app-api.md): without a session, bounded by address, kept in no log. */
export const memberApp = {
  /** Whose phone it is, by WeChat’s code: a ticket for a day. */
  enter: write('vip/app/enter', ['进入小程序', 'Enter the mini-program'], {
    input: z.object({ code: keyText(128, 1), device: device.optional() }),
    output: z.object({ state: z.enum(['in', 'none', 'off']), ticket: z.string() }),
    touches: ['user_log'],
    ...own,
    apart: true,
  }),
  signIn: write('vip/app/signIn', ['每日签到', 'Sign in for the day'], {
    input: z.object({ ticket, device, at: z.object(pin).optional() }),
    output: z.object({ state: z.enum(signStates), streak: n, points: n, bonus: n }),
    touches: earning,
    ...own,
  }),
  /** A field that is left out stays, one that is null is cleared. */
  saveProfile: write('vip/app/saveProfile', ['保存会员资料', 'Save the profile'], {
    input: z.object({
      ticket,
      /** A picture as WeChat keeps it. */
      avatar: z
        .string()
        .regex(/^https:\/\/[a-z0-9.-]+\.qlogo\.cn\/[\w/.-]{1,200}$/)
        .nullable()
        .optional(),
      birthday: keyText(10, 10).nullable().optional(),
      gender: keysOf(genders).optional(),
      city_id: id.optional(),
      mall_ids: z.array(id).max(MALLS_MOST).optional(),
    }),
    output: z.object({
      state: z.enum(profileStates),
      earned: z.array(z.object({ field: keysOf(profileFields), points: n })),
    }),
    touches: ['points_ledger', 'growth_ledger', 'member'],
    ...own,
  }),
  /** A review of something that was redeemed or received; `item_id` is the order’s line. */
  writeReview: write('vip/app/writeReview', ['写评价', 'Write a review'], {
    input: z.object({
      ticket,
      order_no: keyText(40, 4),
      item_id: id,
      rating: z.int().min(1).max(5),
      text: lines(500, 0),
      images: z.array(keyText(200, 1)).max(9),
      video: keyText(200),
    }),
    output: z.object({ state: z.enum(writeStates), points: n }),
    touches: ['comment_reward', 'points_ledger', 'growth_ledger', 'member', 'order'],
    ...own,
  }),
  deleteReview: write('vip/app/deleteReview', ['删除评价', 'Delete a review'], {
    input: z.object({ ticket, order_no: keyText(40, 4), item_id: id }),
    /** Points that were given back. */
    output: z.object({ state: z.enum(['deleted', 'none']), points: n }),
    touches: ['comment_reward', 'points_ledger', 'growth_ledger', 'member'],
    ...own,
  }),
  checkIn: write('vip/app/checkIn', ['到店打卡', 'Check in at a mall'], {
    input: z.object({ ticket, device, ...pin }),
    output: z.object({
      state: z.enum(signStates),
      points: n,
      mall: z.string(),
      distance_m: n.nullable(),
    }),
    touches: earning,
    ...own,
  }),
}
