import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { payWays } from '#src/areas/order/order.ts'
import { noteOrder } from '#src/areas/order/orderFacts.server.ts'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { queryPayment } from '#src/areas/payment/payments.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import type { RefundState } from '#src/areas/refund/refund.ts'
import {
  rejectRefund,
  retryPay,
  secondApprove,
  secondReject,
} from '#src/areas/refund/refundCases.server.ts'
import { giveGifts } from '#src/areas/vipCard/gifts.server.ts'
import type { VipOrder } from '#src/areas/vipCard/orderHooks.server.ts'
import { placePlan } from '#src/areas/vipCard/orderPlacing.server.ts'
import { pickPlans } from '#src/areas/vipCard/plans.server.ts'
import { openedBy } from '#src/areas/vipCard/subscription.ts'
import { vip_card_order as v, vip_contract } from '#src/areas/vipCard/vipCard.table.ts'
import { vipOrderFacts } from '#src/areas/vipCard/vipFacts.server.ts'
import {
  vipOrderCan,
  vipOrderStates,
  type BuyState,
  type VipOrderVerb,
} from '#src/areas/vipCard/vipOrder.ts'
import {
  countVipOrders,
  shownVipOrders,
  sumVipOrders,
  vipOrderRecord as purchases,
  vipOrderWhere,
  type VipOrderWhere,
} from '#src/areas/vipCard/vipOrderRows.server.ts'
import { giveBackPlan } from '#src/areas/vipCard/vipRefunds.server.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { selfLogged, stepwise, type Apart } from '#src/server/call/apart.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, listing } from '#src/server/call/record.ts'
import { missing, Refusal, ruled } from '#src/server/call/refuse.ts'
import { vipBuyApp, vipOrders as contract } from '../contract/cardOrder.ts'

type Calls = typeof contract
const list = listing(purchases, {
  by: v.created_at,
  down: true,
  where: vipOrderWhere,
  shown: (db, rows, { now }) => shownVipOrders(db, rows, now),
})
type One = { id: number; version?: number }
/** A purchase as the person held it, with what decides over it now. Throws 422 where that can't be. */
const heldFor = async (context: WriteContext, verb: VipOrderVerb, { id, version }: One) => {
  const { tx, staff, now } = context
  const row =
    version === undefined
      ? await purchases.read(tx, staff, id)
      : await purchases.held(context, { id, version })
  const facts = (await vipOrderFacts(tx, [id], now)).get(id)!
  const may = vipOrderCan(verb, { ...row, ...facts }, staff.id)
  if (may !== true)
    throw ruled(verb === 'refund' && facts.state === 'refunding' ? 'refund_running' : verb, may)
  return { row, facts }
}
type Which = { id: number; refund_id: number; refund_version: number }
type Decided = { version: number; state: RefundState; amount_cents: number; refund_no: string }
/** One word about the refund of a purchase that a person sees, with its line in the log. */
const decide = async (
  context: WriteContext,
  { id, refund_id, refund_version }: Which,
  of: {
    verb: 'approveRefund' | 'rejectRefund' | 'retryRefund'
    run: (step: Parameters<typeof secondApprove>[1]) => Promise<Decided>
    reason?: string
  },
) => {
  const { staff, now } = context
  const { row, facts } = await heldFor(context, of.verb, { id })
  if (facts.open_refund!.id !== refund_id) throw missing()
  const after = await of.run({
    id: refund_id,
    version: refund_version,
    by: { id: staff.id, limit_cents: staff.refund_limit_cents },
    now,
  })
  purchases.log(context, row, {
    before: { refund_status: facts.open_refund!.state },
    after: {
      refund_no: after.refund_no,
      amount_cents: after.amount_cents,
      refund_status: after.state,
    },
    ...(of.reason !== undefined && { reason: of.reason }),
  })
  return { id, refund_id, state: after.state }
}
const actorOf = ({ staff }: WriteContext) => ({ type: 'staff' as const, id: staff.id })
const actors: Readonly<Record<string, Text>> = {
  member: ['会员', 'The member'],
  system: ['系统', 'System'],
  channel: ['渠道', 'A channel'],
}
const logOf = async (db: Db, order_id: number, lang: Lang) =>
  (
    await db
      .select({ one: order_log, name: admin.name })
      .from(order_log)
      .leftJoin(admin, and(eq(admin.id, order_log.actor_id), eq(order_log.actor_type, 'staff')))
      .where(eq(order_log.order_id, order_id))
      .orderBy(desc(order_log.at), desc(order_log.id))
      .limit(200)
  ).map(({ one, name }) => ({
    ...one,
    by: name ?? say(actors[one.actor_type] ?? actors['system']!, lang),
  }))
const grantWords: Readonly<Record<string, Text>> = {
  none: ['未发放', 'Not issued'],
  unused: ['未使用', 'Unused'],
  locked: ['占用中', 'Held'],
  used: ['已使用', 'Used'],
  expired: ['已过期', 'Expired'],
  revoked: ['已收回', 'Revoked'],
}
const giftsOf = async (db: Db, row: VipOrder, lang: Lang) => {
  const ids = row.gift_coupon_ids
  if (ids.length === 0) return []
  const coupons = await db
    .select({ id: coupon.id, name: coupon.name })
    .from(coupon)
    .where(inArray(coupon.id, ids))
  const grants = await db
    .select({ coupon_id: coupon_grant.coupon_id, status: coupon_grant.status })
    .from(coupon_grant)
    .where(
      inArray(
        coupon_grant.code,
        ids.map(id => `VG${row.id}-${id}`),
      ),
    )
  return coupons.map(({ id, name }) => ({
    coupon_id: id,
    name,
    state: say(grantWords[grants.find(one => one.coupon_id === id)?.status ?? 'none']!, lang),
  }))
}
const contractOf = async (db: Db, id: number | null) =>
  id === null
    ? null
    : ((await db.select().from(vip_contract).where(eq(vip_contract.id, id)))[0] ?? null)
const moneyOf = async (db: Db, order_id: number) => ({
  payments: (
    await db.select().from(payment).where(eq(payment.order_id, order_id)).orderBy(asc(payment.id))
  ).map(one => ({ ...one, at: one.success_at ?? one.created_at })),
  refunds: (
    await db.select().from(refund).where(eq(refund.order_id, order_id)).orderBy(asc(refund.id))
  ).map(one => ({ ...one, at: one.created_at })),
})
const sync = async ({ id }: { id: number }, context: Apart) => {
  const { install, now, keep } = context
  const steps = stepwise(context)
  const { row, facts } = await steps.transaction(tx =>
    heldFor({ ...context, tx }, 'syncPay', { id }),
  )
  const said = await queryPayment(steps.db, install.pay, row.order_id!, now)
  const after = (await vipOrderFacts(steps.db, [id], now)).get(id)!
  await steps.transaction(tx =>
    keep(tx, {
      object_type: 'vip_card_order',
      object_id: id,
      object_label: row.order_no,
      before: { state: facts.state },
      after: { state: after.state },
    }),
  )
  return { id, said }
}

const handlers = {
  lst: async (input, context) => {
    const { status: _, page: __, pageSize: ___, ...beside } = input
    const where = list.where(beside as VipOrderWhere, context)
    return {
      ...(await list.page(input as never, context)),
      stat: await countVipOrders(context.db, where),
    }
  },
  totals: (input, context) => sumVipOrders(context.db, list.where(input as VipOrderWhere, context)),
  trail: async ({ id }, { db, staff }) => {
    const row = await purchases.read(db, staff, id)
    const { order_id } = row
    const none = { payments: [], refunds: [] }
    return {
      contract: await contractOf(db, row.contract_id),
      ...(order_id === null ? none : await moneyOf(db, order_id)),
      gifts: await giftsOf(db, row, staff.lang),
      log: order_id === null ? [] : await logOf(db, order_id, staff.lang),
    }
  },
  plans: pickPlans,
  refund: async ({ amount_cents, reason, ...one }, context) => {
    const { tx, staff, now, request_id } = context
    const { row } = await heldFor(context, 'refund', one)
    const made = await giveBackPlan(tx, {
      vip_order_id: row.id,
      amount_cents,
      reason,
      leaving: false,
      actor: actorOf(context),
      by: { id: staff.id, limit_cents: staff.refund_limit_cents },
      idem_key: `${request_id}:${row.order_id}`,
      now,
    })
    purchases.log(context, row, {
      after: {
        refund_no: made.refund_no,
        amount_cents: made.amount_cents,
        refund_status: made.state,
      },
      reason,
    })
    return {
      id: row.id,
      refund_id: made.id,
      refund_no: made.refund_no,
      amount_cents: made.amount_cents,
      state: made.state,
    }
  },
  approveRefund: (one, context) =>
    decide(context, one, {
      verb: 'approveRefund',
      run: step => secondApprove(context.tx, step),
    }),
  rejectRefund: ({ reason, ...one }, context) =>
    decide(context, one, {
      verb: 'rejectRefund',
      reason,
      run: async step => {
        const back = await secondReject(context.tx, { ...step, reason })
        const { name } = context.staff
        const over = { ...step, version: back.version, reason_code: 'agreed', reason, name }
        return rejectRefund(context.tx, over)
      },
    }),
  retryRefund: (one, context) =>
    decide(context, one, { verb: 'retryRefund', run: step => retryPay(context.tx, step) }),
  closeUnpaid: async ({ reason, ...one }, context) => {
    const { row } = await heldFor(context, 'closeUnpaid', one)
    const closed = await closeUnpaid(context.tx, row.order_id!, context.now, {
      type: 'staff',
      actor: actorOf(context),
      reason,
    })
    if (!closed) throw ruled('closeUnpaid', ['订单已支付或已关闭', 'It is paid or closed by now'])
    const after = await purchases.read(context.tx, context.staff, row.id)
    purchases.log(context, after, {
      before: { state: 'unpaid' },
      after: { state: 'closed' },
      reason,
    })
    return after
  },
  syncPay: selfLogged(contract.syncPay, sync),
  resendGift: async ({ id }, context) => {
    const { tx, now, staff } = context
    const { row } = await heldFor(context, 'resendGift', { id })
    // Two presses come one after the other, and the second finds nothing missing.
    await tx.select({ id: v.id }).from(v).where(eq(v.id, id)).for('update')
    const said = await giveGifts(tx, row, now)
    if (said.length === 0)
      throw ruled('resendGift', ['礼券已全部发放', 'All its coupons were given'])
    const refused = said.flatMap(one => one.refused ?? [])
    if (refused.length === said.length && refused[0]) throw refused[0]
    const given = said.length - refused.length
    purchases.log(context, row, { after: { gifts_given: given } })
    return { id, given, failed: refused.length, msg: refused[0]?.in(staff.lang) ?? '' }
  },
  addNote: async ({ note, ...one }, context) => {
    const was = await purchases.heldFast(context, one)
    if (was.order_id !== null)
      await noteOrder(context.tx, {
        order_id: was.order_id,
        event: 'remark',
        actor: actorOf(context),
        at: context.now,
        memo: note,
      })
    return purchases.save(context, was, { note })
  },
  export: exporting(list, {
    page: 'vip.card.order',
    title: ['购卡订单', 'VIP card orders'],
    permit: contract.export.permit,
    columns: [
      { key: 'order_no', title: ['订单号', 'Order no.'] },
      { key: 'member_name', title: ['会员', 'Member'] },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
      { key: 'card_name', title: ['卡种', 'Plan'] },
      { key: 'kind', title: ['类型', 'Kind'] },
      { key: 'state', title: ['状态', 'State'] },
      { key: 'channel', title: ['支付渠道', 'Paid by'] },
      { key: 'pay_cents', title: ['实付', 'Paid'], kind: 'money' },
      { key: 'refunded_cents', title: ['已退', 'Refunded'], kind: 'money' },
      { key: 'credit_cents', title: ['升级抵扣', 'Credited'], kind: 'money' },
      { key: 'days', title: ['天数', 'Days'], kind: 'number' },
      { key: 'start_at', title: ['开始', 'From'], kind: 'time' },
      { key: 'end_at', title: ['结束', 'Until'], kind: 'time' },
      { key: 'paid_at', title: ['支付时间', 'Paid at'], kind: 'time' },
      { key: 'source', title: ['来源', 'Source'] },
      { key: 'distributor', title: ['分销员', 'Distributor'] },
      { key: 'note', title: ['备注', 'Note'] },
    ],
    words: ({ keyword, kind, status, card_id }: VipOrderWhere, lang) => [
      status && say(vipOrderStates[status], lang),
      kind && say(openedBy[kind], lang),
      card_id !== undefined && `#${card_id}`,
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      kind: say(openedBy[row.kind], lang),
      state: say(vipOrderStates[row.state], lang),
      channel: row.channel === null ? '' : say(payWays[row.channel], lang),
    }),
  }),
} satisfies { [K in keyof Calls]: Handler<Calls[K]> }
export const vipOrderServer = implement(contract, handlers)

const heard: readonly BuyState[] = ['sold_out', 'limit', 'off']
const nothing = { order_no: '', pay_cents: 0, credit_cents: 0, pay_until: null }
/** A buyer hears a state, whatever they sent; what is refused leaves nothing behind. */
const buy: Handler<typeof vipBuyApp.buy> = async ({ phone, ...asked }, { tx, now }) => {
  const [buyer] = await tx
    .select({ id: member.id })
    .from(member)
    .where(and(eq(member.phone, phone), inArray(member.account_state, ['normal', 'muted'])))
    .orderBy(asc(member.id))
    .limit(1)
  if (!buyer) return { state: 'refused', ...nothing }
  try {
    const { made, bought } = await tx.transaction(inner =>
      placePlan(inner, { ...asked, member_id: buyer.id, now }),
    )
    return {
      state: made.pay_state === 'paid' ? 'paid' : 'unpaid',
      order_no: made.order_no,
      pay_cents: made.pay_cents,
      credit_cents: bought.credit_cents,
      pay_until: made.pay_state === 'paid' ? null : made.expire_pay_at,
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const rule = String(error.data['rule']) as BuyState
    return { state: heard.includes(rule) ? rule : 'refused', ...nothing }
  }
}
export const vipBuyServer = implement(vipBuyApp, { buy })
