import { z } from 'zod'
import {
  bindingRoles,
  bindingSources,
  bindingStates,
  EXTEND_DAYS_MOST,
  type BindingRole,
  type BindingSource,
  type BindingState,
} from '#src/areas/binding/binding.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  page,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

export const role = keysOf<BindingRole>(bindingRoles)
const source = keysOf<BindingSource>(bindingSources)
const status = keysOf<BindingState>(bindingStates)
export const bindingRow = z.object({
  id,
  version,
  member_id: id,
  name: z.string(),
  uid: z.string(),
  phone: guarded('member.phone', z.string()),
  distributor_id: id,
  seller: z.string(),
  /** The store of a guide; empty for an expert. */
  store: z.string(),
  mall: z.string(),
  city_id: id,
  role,
  source,
  status,
  bind_at: unix,
  expire_at: unix,
  protect_until: unix,
  end_at: unix.nullable(),
  end_reason: z.string(),
  /** The staff who bound them and ended it; empty where the customer or the clock did. */
  bound_by: z.string(),
  ended_by_name: z.string(),
  /** The store in whose pool the customer went. */
  pool: z.string(),
  /** A seller of the other role within an hour; `open` while both are active. */
  rival: z.object({ seller: z.string(), open: z.boolean() }).nullable(),
  /** A transfer that waits for a second person. */
  waits: z.object({ by: z.string(), to: z.string() }).nullable(),
  friend_lost_at: unix.nullable(),
  order_count: z.int(),
  paid_cents: cents,
  last_order_at: unix.nullable(),
})
export type BindingRow = z.output<typeof bindingRow>
export const filters = {
  /** A whole phone or number of a customer, or the beginning of their nickname. */
  keyword: searched(40).optional(),
  member_id: id.optional(),
  distributor_id: id.optional(),
  role: role.optional(),
  source: source.optional(),
  status: status.optional(),
  city_id: id.optional(),
  mid: z.int().min(0).max(2147483647).optional(),
  /** Active, and over within seven days. */
  soon: z.boolean().optional(),
  /** An expert and a guide within an hour, both active. */
  disputed: z.boolean().optional(),
  /** Active, and nothing bought for 90 days. */
  asleep: z.boolean().optional(),
}
export const finds = { keyword: { phone: ['member.phone'] } }
/** What bindings change: themselves, the counts of their sellers, and what waits. */
export const touches = ['dist_binding', 'dist_binding_ask', 'distributor']
const sellerFound = z.object({
  id,
  name: z.string(),
  store: z.string(),
  phone: guarded('distributor.phone', z.string()),
})

/** The calls that every list of customers has, below its address. */
export const customerCalls = (at: string) => {
  const call = callsOf(at, { touches, rows: 'dist_binding' })
  const view = `${at.replaceAll('/', '.')}.view`
  return {
    /** Active sellers to give customers to: of a role, for a guide's customers of one merchant. */
    sellers: call.read('sellers', ['可选分销员', 'Sellers to choose from'], {
      input: z.object({
        ...page,
        keyword: searched(40).optional(),
        role: role.optional(),
        /** The seller whose customers they are: not this one, and a guide of the same merchant. */
        from_id: id.optional(),
        group_id: id.optional(),
      }),
      output: listOf(sellerFound),
      finds: { keyword: { phone: ['distributor.phone'] } },
      touches: ['distributor'],
      scope: placed('distributor'),
      permit: view,
    }),
    viewHistory: call.read('viewHistory', ['查看绑定历史', 'History of a customer'], {
      input: z.object({ id }),
      output: z.object({ list: z.array(bindingRow) }),
      scope: placed('dist_binding', 'id'),
    }),
    /** At once, or, within the protection time, once a second person agrees (`asked`). */
    transfer: call.changes('transfer', ['转移客户', 'Transfer a customer'], {
      fields: { to_distributor_id: id, reason },
      answer: { asked: z.boolean() },
      scope: placed('dist_binding', { id: 'dist_binding', to_distributor_id: 'distributor' }),
    }),
    unbind: call.changes('unbind', ['解除绑定', 'End a binding'], { fields: { reason } }),
  }
}
export const extendDays = z.int().min(1).max(EXTEND_DAYS_MOST)
