import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { reverseRedemption } from '#src/areas/code/redemption.server.ts'
import { findCode, redeemForStore } from '#src/areas/code/verify.server.ts'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { extendValidity } from '#src/areas/order/orderCodes.server.ts'
import { holdOrder, recount } from '#src/areas/order/orderFacts.server.ts'
import { resendCodes } from '#src/areas/order/orderMessages.server.ts'
import { orderCan } from '#src/areas/order/orderVerbs.ts'
import { queryPayment } from '#src/areas/payment/payments.server.ts'
import { eachRow } from '#src/server/call/batch.ts'
import type { Db, Handler } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import type { codeCalls, codeDetailCalls } from '../contract/shared.ts'
import { findOrder, heldOrder, logged, staffActor } from './held.ts'
import { refundBy } from './refundBy.ts'
import { isClosed } from './rows.ts'

type CodeCalls = ReturnType<typeof codeCalls<'bulks'>>
type DetailCalls = ReturnType<typeof codeDetailCalls<'bulks'>>

/**
 * A merchant that stopped trading: what its buyers get back in a batch, a second person agrees to.
 */
const merchantClosed = async (tx: Db, id: number): Promise<boolean> =>
  isClosed(
    (await tx.select({ status: merchant.status }).from(merchant).where(eq(merchant.id, id)))[0]
      ?.status,
  )

/** What lists of codes can do beside. */
export const codeHandlers = (kinds: readonly OrderKind[]) =>
  ({
    extendValidity: async ({ until, reason, ...one }, { tx, staff, now, log }) => {
      const row = await heldOrder(tx, kinds, one, staff)
      const after = await extendValidity(tx, {
        order_id: row.id,
        until,
        actor: staffActor(staff),
        reason,
        now,
      })
      log({
        ...logged(row),
        before: { valid_until: row.valid_until },
        after: { valid_until: after.valid_until },
        reason,
      })
      return { id: after.id, status: after.status, version: after.version }
    },
    resendCode: async ({ id }, { tx, staff, now, log }) => {
      const row = await findOrder(tx, kinds, id, staff)
      const may = orderCan('resendCode', row)
      if (may !== true) throw ruled('not_resendable', may)
      const sent = await resendCodes(tx, {
        order_id: id,
        admin_id: staff.id,
        actor: staffActor(staff),
        now,
      })
      log({ ...logged(row), after: { codes_sent: sent } })
      return { id, sent }
    },
    batchRefund: async ({ ids, reason }, context) =>
      eachRow(context, ids, async (each, id) => {
        const row = await heldOrder(each.tx, kinds, { id }, each.staff)
        // Only what was never used goes back in a batch: the rest needs a look.
        const used = await each.tx
          .select({ id: order_code.id })
          .from(order_code)
          .where(
            and(
              eq(order_code.order_id, id),
              ne(order_code.state, 'void'),
              gt(order_code.times_used, 0),
            ),
          )
          .limit(1)
        if (row.kind !== 'card' && used.length > 0)
          throw ruled('used', [
            '有已使用的券码，请单独处理',
            'Some codes were used: decide it by itself',
          ])
        await refundBy(each, row, {
          reason,
          plain: true,
          second: await merchantClosed(each.tx, row.merchant_id),
        })
      }),
    batchExtend: async ({ ids, until, reason }, context) =>
      eachRow(context, ids, async (each, id) => {
        const row = await heldOrder(each.tx, kinds, { id }, each.staff)
        const after = await extendValidity(each.tx, {
          order_id: id,
          until,
          actor: staffActor(each.staff),
          reason,
          now: each.now,
        })
        each.log({
          ...logged(row),
          before: { valid_until: row.valid_until },
          after: { valid_until: after.valid_until },
          reason,
        })
      }),
  }) satisfies { [K in keyof CodeCalls]: Handler<CodeCalls[K]> }

/** Moves an order to another store of the same merchant. */
const changeStoreOf =
  (kinds: readonly OrderKind[]): Handler<DetailCalls['changeStore']> =>
  async ({ store_id, reason, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const may = orderCan('changeStore', row)
    if (may !== true) throw ruled('not_movable', may)
    const [to] = await tx
      .select()
      .from(store)
      .where(and(eq(store.id, store_id), eq(store.merchant_id, row.merchant_id)))
    if (!to)
      throw ruled('other_merchant', [
        '只能换到同一商户的门店',
        'Only to a store of the same merchant',
      ])
    if (to.status !== 'open')
      throw ruled('store_closed', ['「{name}」未营业', '{name} is not open'], { name: to.name })
    // Its codes are taken there from now on, though the product may not be sold there.
    await tx
      .update(order_item)
      .set({
        store_id,
        snapshot: sql`${order_item.snapshot} || ${JSON.stringify({ moved_to: store_id })}::jsonb`,
      })
      .where(eq(order_item.order_id, row.id))
    const after = await recount(tx, await holdOrder(tx, row.id), {
      event: 'store',
      actor: staffActor(staff),
      now,
      memo: reason,
      data: { from: row.store_id, to: store_id },
      set: { store_id },
    })
    log({ ...logged(row), before: { store_id: row.store_id }, after: { store_id }, reason })
    return { id: after.id, status: after.status, version: after.version }
  }

/** What the page of one order of codes can do. */
export const codeDetailHandlers = (kinds: readonly OrderKind[]) =>
  ({
    refund: async ({ id, version, ...of }, context) => {
      const made = await refundBy(
        context,
        await heldOrder(context.tx, kinds, { id, version }, context.staff),
        of,
      )
      return {
        id,
        refund_id: made.id,
        refund_no: made.refund_no,
        amount_cents: made.amount_cents,
        state: made.state,
      }
    },
    verifyForStore: async (
      { id, code_id, store_id, times, bill_cents, bill_no, reason },
      { tx, staff, now, log },
    ) => {
      const row = await heldOrder(tx, kinds, { id }, staff)
      const [own] = await tx
        .select({ code: order_code.code })
        .from(order_code)
        .where(and(eq(order_code.id, code_id), eq(order_code.order_id, id)))
      const found = own && (await findCode(tx, own.code, store_id))
      if (!found) throw missing()
      const record = await redeemForStore(tx, found, {
        store_id,
        times,
        now,
        admin_id: staff.id,
        ...(bill_cents !== undefined && { bill: { cents: bill_cents, no: bill_no } }),
      })
      log({
        ...logged(row),
        after: { redeemed_times: times, store_id, record_id: record.id },
        reason,
      })
      return { id, record_id: record.id }
    },
    reverseVerify: async ({ id, verify_id, reason }, { tx, staff, now, log }) => {
      const row = await heldOrder(tx, kinds, { id }, staff)
      const [own] = await tx
        .select({ id: verify_record.id })
        .from(verify_record)
        .where(and(eq(verify_record.id, verify_id), eq(verify_record.order_id, id)))
      if (!own) throw missing()
      await reverseRedemption(tx, { record_id: verify_id, by: { admin_id: staff.id }, reason, now })
      log({ ...logged(row), after: { reversed_record: verify_id }, reason })
      return { id, verify_id }
    },
    changeStore: changeStoreOf(kinds),
    // The channel is asked outside any transaction, then what it says is taken like its own word.
    queryPay: async ({ id }, { tx, staff, now, install }) => {
      const row = await findOrder(tx, kinds, id, staff)
      return { id, said: await queryPayment(tx, install.pay, row.id, now) }
    },
    revealCode: async ({ id, code_id, reason }, context) => {
      const { tx, staff } = context
      const row = await findOrder(tx, kinds, id, staff)
      const [own] = await tx
        .select({ code: order_code.code })
        .from(order_code)
        .where(and(eq(order_code.id, code_id), eq(order_code.order_id, id)))
      if (!own) throw missing()
      return {
        id,
        code: own.code,
        ...(await noteReveal(context, 'order.code', logged(row), reason)),
      }
    },
  }) satisfies { [K in keyof DetailCalls]: Handler<DetailCalls[K]> }
