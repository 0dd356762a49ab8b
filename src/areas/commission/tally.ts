/** What sellers, goods and bindings count of the orders that they brought: from the lines of books. */
import type { Line } from '#src/areas/settle/orderLines.ts'
import { userOf } from '#src/areas/settle/orderLines.ts'

type SellerCounts = { order_count: number; gmv_cents: number; refunded_cents: number; at: number }
type ProductCounts = { sold_count: number; refunded_count: number; gmv_cents: number }
type BindingCounts = { order_count: number; paid_cents: number; at: number }
/** Counts by the ids of sellers, of products and of bindings; `at`: the last sale. */
export type Tally = {
  sellers: Map<number, SellerCounts>
  products: Map<number, ProductCounts>
  bindings: Map<number, BindingCounts>
}
export const newTally = (): Tally => ({
  sellers: new Map(),
  products: new Map(),
  bindings: new Map(),
})
const at = <T>(map: Map<number, T>, key: number, first: T): T => {
  const known = map.get(key)
  if (known) return known
  map.set(key, first)
  return first
}
/**
 * Adds what the lines of one order count to a tally, or takes it off. A unit counts for its one
 * direct seller, whatever became of the commission; leaders count nothing.
 */
export const tally = (
  into: Tally,
  lines: readonly Line[],
  of: { product_of: (item_id: number) => number | null; sign: 1 | -1 },
): void => {
  const { sign } = of
  const [ordered, bound] = [new Set<number>(), new Set<number>()]
  for (const line of lines) {
    const direct = line.sellers.find(one => one.role !== 'leader')
    if (!direct || line.paid_at === null) continue
    const seller = at(into.sellers, direct.distributor_id, {
      order_count: 0,
      gmv_cents: 0,
      refunded_cents: 0,
      at: 0,
    })
    if (!ordered.has(direct.distributor_id)) seller.order_count += sign
    ordered.add(direct.distributor_id)
    seller.gmv_cents += sign * line.base_cents
    seller.refunded_cents += sign * line.gone_base_cents
    seller.at = Math.max(seller.at, line.paid_at)
    const product_id = of.product_of(line.item_id)
    if (product_id !== null) {
      const goods = at(into.products, product_id, {
        sold_count: 0,
        refunded_count: 0,
        gmv_cents: 0,
      })
      goods.sold_count += sign
      goods.refunded_count += line.refund_id === null ? 0 : sign
      goods.gmv_cents += sign * line.base_cents
    }
    const { binding_id } = direct.calc
    if (binding_id === undefined) continue
    const binding = at(into.bindings, binding_id, { order_count: 0, paid_cents: 0, at: 0 })
    if (!bound.has(binding_id)) binding.order_count += sign
    bound.add(binding_id)
    binding.paid_cents += sign * userOf(line)
    binding.at = Math.max(binding.at, line.paid_at)
  }
}
