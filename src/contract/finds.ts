import type { Finds } from './call.ts'

const phones = ['member.phone', 'order.receiver_phone', 'order.visitor_phone']
const code = ['order.code']
/** What the one search field of order lists finds orders by. */
export const orderFinds = { q: { phone: phones, phone_last4: phones, code } } satisfies Record<
  string,
  Finds
>
/** The same of e-cards, which are found by the whole number or the secret of a card too. */
export const cardOrderFinds = {
  ...orderFinds,
  card_code: { whole: ['ecard.secret', 'ecard.card_no'] },
} satisfies Record<string, Finds>
export const codeFinds = { code: { code } } satisfies Record<string, Finds>
/** Members by their whole phone. */
export const memberFinds = { keyword: { phone: ['member.phone'] } } satisfies Record<string, Finds>
