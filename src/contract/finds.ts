import type { Finds } from './call.ts'

const phones = ['member.phone', 'order.receiver_phone', 'order.visitor_phone']
const code = ['order.code']
/** What the one search field of order lists finds orders by. */
export const orderFinds = { q: { phone: phones, phone_last4: phones, code } } satisfies Record<
  string,
  Finds
>
export const codeFinds = { code: { code } } satisfies Record<string, Finds>
/** Members by their whole phone. */
export const memberFinds = { keyword: { phone: ['member.phone'] } } satisfies Record<string, Finds>
