/** Days of membership as a reward: of which plan, how many a code, and what they cost. */
import type { Text } from '#src/domain/text.ts'

/** The most days that one code gives. */
export const VIP_DAYS_MOST = 366
/** A plan as a batch promises days of it. */
export type RewardPlan = {
  id: number
  name: string
  status: string
  price_cents: number
  /** How long its price lasts. */
  days: number
}
/** The cost of so many days of a plan by its price, in cents; a part of one is a whole one. */
export const daysCost = (
  plan: Pick<RewardPlan, 'price_cents' | 'days'> | undefined,
  days: number,
): number => (plan ? Math.ceil((plan.price_cents * days) / plan.days) : 0)

type Promised = { vip_card_id: number | null; vip_days: number }
/** The faults that keep days of membership out of a batch. */
export const membershipFaults = (
  of: Promised,
  plan: Pick<RewardPlan, 'name' | 'status'> | undefined,
): { vip_card_id?: Text; vip_days?: Text } => {
  if (of.vip_card_id === null) return {}
  return {
    ...(of.vip_days === 0 && {
      vip_days: ['请填写每码赠送的天数', 'Say how many days a code gives'] as const,
    }),
    ...(plan?.status !== 'on' && {
      vip_card_id: [
        `「${plan?.name ?? `#${of.vip_card_id}`}」不在售，请更换卡种`,
        `“${plan?.name ?? `#${of.vip_card_id}`}” is not on sale: choose another plan`,
      ] as const,
    }),
  }
}
/** Days of a plan as they are shown. */
export type Membership = { plan: string; days: number }
/** The same of what a batch promises; null where it promises none. */
export const membershipOf = (
  of: Promised,
  plan: Pick<RewardPlan, 'name'> | undefined,
): Membership | null =>
  of.vip_card_id === null ? null : { plan: plan?.name ?? `#${of.vip_card_id}`, days: of.vip_days }
