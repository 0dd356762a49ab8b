import type { Text } from '#src/domain/text.ts'
import { DAY, HOUR } from '#src/domain/time.ts'

/** As what a customer is bound to a seller. */
export const bindingRoles = {
  expert: ['达人', 'Expert'],
  guide: ['导购', 'Store guide'],
} as const satisfies Record<string, Text>
export type BindingRole = keyof typeof bindingRoles

export const bindingSources = {
  link: ['分享链接', 'Shared link'],
  qrcode: ['门店码', 'Code of the store'],
  poster: ['海报', 'Poster'],
  register: ['注册邀请', 'Registration'],
  wecom: ['添加企微', 'Added in WeCom'],
  admin: ['后台绑定', 'By staff'],
} as const satisfies Record<string, Text>
export type BindingSource = keyof typeof bindingSources

export const bindingStates = {
  active: ['绑定中', 'Bound'],
  expired: ['已过期', 'Expired'],
  transferred: ['已转移', 'Transferred'],
  unbound: ['已解绑', 'Unbound'],
} as const satisfies Record<string, Text>
export type BindingState = keyof typeof bindingStates

/** A transfer that waits for a second person; it lapses where the binding ends otherwise. */
export const bindingAskStates = {
  pending: ['待复核', 'Pending review'],
  approved: ['已转移', 'Transferred'],
  rejected: ['已驳回', 'Rejected'],
  lapsed: ['已失效', 'Lapsed'],
} as const satisfies Record<string, Text>
export type BindingAskState = keyof typeof bindingAskStates

/** How long a binding holds, and how long nobody takes the customer over alone (seconds). */
export const BOUND_S = 180 * DAY
export const PROTECTED_S = 30 * DAY
/** An expert's and a guide's that begin so near to each other are a dispute (seconds). */
export const DISPUTE_S = HOUR
/** A binding by WeCom ends so long after the friend was lost (seconds). */
export const LOST_S = 7 * DAY
/** What "expires soon" means (seconds). */
export const SOON_S = 7 * DAY
export const EXTEND_DAYS_MOST = 365
/** Which seller an order pays where several have a claim, in the order that is asked. */
export const payOrder: readonly Text[] = [
  ['本商户商品：付给客户绑定的本商户导购', 'Goods of the guide’s own merchant: the bound guide'],
  ['其他情况：付给客户绑定的达人', 'Else: the bound expert'],
  [
    '没有达人：付给导购所在的分销门店（限其可分销的其他商户商品）',
    'No expert: the guide’s distributing store, for goods of other merchants that it may sell',
  ],
]

type Bound = { status: BindingState; protect_until: number; role: BindingRole }
const ended: Readonly<Record<Exclude<BindingState, 'active'>, Text>> = {
  expired: [
    '绑定已过期，不能再操作，只能由客户重新绑定',
    'It has expired: the customer can only be bound anew',
  ],
  transferred: ['客户已转移，这是历史记录', 'The customer was transferred: this is history'],
  unbound: ['绑定已解除，这是历史记录', 'It was ended: this is history'],
}
/** True of a binding that can be transferred, extended or ended, or why it can't. */
export const mayChange = ({ status }: Pick<Bound, 'status'>): true | Text =>
  status === 'active' || ended[status]
/** True while a transfer needs a second person. */
export const isProtected = (of: Pick<Bound, 'protect_until'>, now: number): boolean =>
  of.protect_until > now
/** True of a guide's binding that goes back to the pool of the store, or why it can't. */
export const mayPool = (of: Pick<Bound, 'status' | 'role'>): true | Text =>
  of.role === 'guide' ? mayChange(of) : ['只有导购的客户可退回门店客户池', 'Only a guide’s']

type Seller = {
  id: number
  name: string
  kind: string
  status: string
  /** It waits to quit, and takes nothing on any more. */
  quitting?: boolean
  member_id: number | null
}
/** Why a member can't be bound to a seller in a role; undefined where they can. */
export const bindFault = (
  of: { member_id: number; role: BindingRole },
  to: Seller,
): Text | undefined => {
  if (to.status !== 'active' || to.quitting)
    return [`${to.name}不是正常状态，不能绑定新客户`, `${to.name} is not active: no new customers`]
  if (to.kind !== of.role)
    return of.role === 'expert'
      ? [`${to.name}不是达人，达人的客户只能转给达人`, `${to.name} is no expert`]
      : [`${to.name}不是导购，导购的客户只能转给导购`, `${to.name} is no guide`]
  return to.member_id === of.member_id
    ? [`${to.name}就是该客户本人，不能绑定自己`, `${to.name} is the customer: not to oneself`]
    : undefined
}

type Ask = { state: BindingAskState; maker_id: number }
/** True, or why this person does not decide the transfer. */
export const mayDecideTransfer = ({ state, maker_id }: Ask, by: number): true | Text => {
  if (state !== 'pending') return ['这份申请已处理', 'It is decided']
  return (
    maker_id !== by || ['申请人不能复核自己的转移', 'Applicants can’t approve their own transfer']
  )
}

/** A customer sleeps who has bought nothing for so long since then (seconds). */
export const SLEEP_S = 90 * DAY
/** Since when a customer has bought nothing: their last order, or the binding itself. */
export const awakeAt = (of: { last_order_at: number | null; bind_at: number }): number =>
  Math.max(of.last_order_at ?? 0, of.bind_at)

type Owned = { id: number; distributor_id: number }
/**
 * Spreads customers over sellers so that what each is given differs by one at most, and moves as
 * few as can be: whoever is with one of them stays while there is room. Answers the seller of each
 * customer by the binding's id.
 */
export const spread = (
  customers: readonly Owned[],
  sellers: readonly number[],
): ReadonlyMap<number, number> => {
  const given = new Map<number, number>()
  const own = new Map(
    sellers.map(seller => [seller, customers.filter(one => one.distributor_id === seller)]),
  )
  const least = Math.floor(customers.length / sellers.length)
  const most = [...sellers].sort((a, b) => own.get(b)!.length - own.get(a)!.length)
  // Those with the most of their own get one more, so that fewer move.
  const room = new Map(
    most.map((seller, at) => [
      seller,
      least + (at < customers.length - least * sellers.length ? 1 : 0),
    ]),
  )
  for (const seller of sellers)
    for (const { id } of own.get(seller)!.slice(0, room.get(seller))) given.set(id, seller)
  const free = sellers.flatMap(seller => {
    const taken = Math.min(own.get(seller)!.length, room.get(seller)!)
    return Array.from({ length: room.get(seller)! - taken }, () => seller)
  })
  for (const { id } of customers) if (!given.has(id)) given.set(id, free.shift()!)
  return given
}
