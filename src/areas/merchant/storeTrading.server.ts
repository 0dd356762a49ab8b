/** How stores open, rest and close, and what they sell with them; shops that ship goods do as well. */
import { yuan } from '#src/domain/money.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { shopDuties } from './onlineShops.server.ts'
import { restFault } from './store.ts'
import { heldFor, stores, type Store } from './storeRecord.server.ts'
import { openFault, settleStore, storeEffects } from './stores.server.ts'

/** A store's line in the log says besides how many products followed. */
const followed = (context: WriteContext, row: Store, after: object) =>
  Object.values(after).some(n => n > 0) && stores.log(context, row, { after })

type Rest = { reason: string; until_at?: number | undefined }
/** A resting store sells nothing new; what was sold is still redeemed or sent by it. */
export const restStore = async (context: WriteContext, was: Store, { reason, until_at }: Rest) => {
  faultless(context.staff, { until_at: restFault(until_at, context.now) })
  const after = await stores.save(
    context,
    was,
    { status: 'resting', status_reason: reason, rest_until_at: until_at ?? null },
    reason,
  )
  const { taken_off } = await settleStore(context.tx, was.id)
  followed(context, after, { taken_off })
  return { ...after, taken_off }
}
export const openStore = async (context: WriteContext, one: { id: number; version: number }) => {
  // Its merchant is held first, as a freeze holds it.
  const known = await stores.held(context, one)
  const fault = await openFault(context.tx, known)
  const was = await heldFor(context, 'open', one)
  if (fault) throw ruled(fault.rule, fault.text, fault.values)
  const after = await stores.save(context, was, {
    status: 'open',
    status_reason: null,
    rest_until_at: null,
  })
  const { given_back } = await settleStore(context.tx, was.id)
  followed(context, after, { given_back })
  return { ...after, given_back }
}
/** Refuses to close what still owes its buyers or its merchant something. */
const refuseOwing = async ({ tx }: WriteContext, was: Store) => {
  const { codes_here } = await storeEffects(tx, was.id)
  if (codes_here > 0)
    throw ruled(
      'codes_here',
      [
        '还有 {n} 张已付款券码只能在本店核销，请先换店或退款',
        '{n} paid codes can be redeemed here alone: move or refund them first',
      ],
      { n: codes_here },
    )
  if (was.kind === 'offline') return
  const { unshipped, after_sales, unsettled_cents } = await shopDuties(tx, was.id)
  if (unshipped > 0)
    throw ruled(
      'unshipped',
      ['还有 {n} 笔订单未发货，发完后再关闭', '{n} orders are still to be sent'],
      { n: unshipped },
    )
  if (after_sales > 0)
    throw ruled(
      'after_sales',
      ['还有 {n} 笔售后未完结，处理后再关闭', '{n} after-sales are open'],
      { n: after_sales },
    )
  if (unsettled_cents > 0)
    throw ruled(
      'unsettled',
      ['还有 {yuan} 元未结算，结算后再关闭', '¥{yuan} are not settled yet'],
      { yuan: yuan(unsettled_cents) },
    )
}
export const closeStore = async (context: WriteContext, was: Store, reason: string) => {
  const after = await stores.save(
    context,
    was,
    { status: 'closed', status_reason: reason, rest_until_at: null, is_recommend: false },
    reason,
  )
  // Taken off first: nothing is sold for it between the count and the end.
  const { taken_off } = await settleStore(context.tx, was.id)
  await refuseOwing(context, was)
  followed(context, after, { taken_off })
  return { ...after, taken_off }
}
