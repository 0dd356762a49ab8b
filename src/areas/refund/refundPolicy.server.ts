import { scoreOf } from '#src/areas/afterSalePolicy/policies.server.ts'
import { isFast, policyOfAll, type PolicyFields } from '#src/areas/afterSalePolicy/policy.ts'
import { STORE_ANSWER_HOURS, type OrderKind } from '#src/areas/order/order.ts'
import { shopScopes, type OrderRules } from '#src/areas/order/orderRules.ts'
import { HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Refund, RefundFacts } from './refundFacts.server.ts'

/** Whether the policy says what is agreed to by itself: of other kinds their rules do. */
const isPosted = (kind: OrderKind): boolean => (shopScopes as readonly string[]).includes(kind)

/**
 * What some goods of an order were sold under, all of them together. What was sold before there
 * were policies is agreed to by itself as the rules of its kind say.
 */
export const casePolicy = (
  of: {
    kind: OrderKind
    policies: ReadonlyMap<number, PolicyFields>
    rules: Pick<OrderRules, 'auto_approve_limit_cents'>
  },
  item_ids: readonly number[],
): PolicyFields => {
  const found = item_ids.flatMap(id => of.policies.get(id) ?? [])
  const policy = policyOfAll(found)
  return found.length > 0 && isPosted(of.kind)
    ? policy
    : {
        ...policy,
        auto_agree_cents: of.rules.auto_approve_limit_cents,
        fast_limit_cents: 0,
      }
}
/** The same for the lines of a case. */
export const linesPolicy = (
  { order, policies, rules }: Pick<RefundFacts, 'order' | 'policies' | 'rules'>,
  lines: readonly { item_id: number }[],
): PolicyFields =>
  casePolicy(
    { kind: order.kind, policies, rules },
    lines.map(line => line.item_id),
  )

type NewCase = Pick<Refund, 'type' | 'source' | 'cause' | 'state' | 'amount_cents'> & {
  lines: readonly { item_id: number; shipped_qty: number }[]
  asksStore: boolean
  /** Against what was promised: a person decides. */
  exception: boolean
  now: number
}
const mayBeFast = ({ items }: RefundFacts, of: NewCase): boolean =>
  of.type === 'refund_only' &&
  of.source === 'member' &&
  of.cause === 'apply' &&
  of.state === 'applied' &&
  !of.exception &&
  of.lines.length > 0 &&
  of.lines.every(
    line =>
      line.shipped_qty === 0 &&
      items.some(item => item.id === line.item_id && item.fulfil !== 'virtual'),
  )
/**
 * By when a new case is to be answered, unix seconds: by the policy’s hours, or at once for a buyer
 * with a good record who asks for little of what was never sent. The clock agrees to that.
 */
export const answerBy = async (db: Db, facts: RefundFacts, of: NewCase): Promise<number> => {
  if (of.asksStore) return of.now + STORE_ANSWER_HOURS * HOUR
  const policy = linesPolicy(facts, of.lines)
  const isSmall = policy.fast_limit_cents >= of.amount_cents
  if (isSmall && mayBeFast(facts, of)) {
    const score = await scoreOf(db, facts.order.member_id, of.now)
    if (isFast(policy, { amount_cents: of.amount_cents, score })) return of.now
  }
  return of.now + policy.merchant_h * HOUR
}
