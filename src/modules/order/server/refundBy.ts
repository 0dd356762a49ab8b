import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import type { ReturnCondition } from '#src/areas/refund/refund.ts'
import { retryPay } from '#src/areas/refund/refundCases.server.ts'
import { type Refund, linesIn } from '#src/areas/refund/refundFacts.server.ts'
import type { Wanted } from '#src/areas/refund/refundLines.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { joinedNames, saidInBoth, say, type Lang } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { heldOrder, logged, staffActor } from './held.ts'

/** What staff give back of an order. */
type GivingBack = {
  code_ids?: readonly number[] | undefined
  times?: number | undefined
  items?: readonly { id: number; qty: number }[] | undefined
  /** E-cards. */
  card_ids?: readonly number[] | undefined
  /** Less than the units are worth. Cents. */
  amount_cents?: number | undefined
  reason: string
  freight?: boolean
  /** How whoever holds a code that was given away agreed. */
  consent?: string | undefined
  /** Another person must agree, whatever it is worth. */
  second?: boolean
  /** One of many: never against what was promised. */
  plain?: boolean
  /** The state in which goods that were sent came back. */
  returned?: ReturnCondition | undefined
  /** Why goods that were sent need not come back. */
  keep?: string | undefined
}
/** The reason with what the holder and the platform said beside it. */
const reasonOf = ({ reason, consent, keep }: GivingBack): string => {
  if (!consent && !keep) return reason
  const told = (lang: Lang) => [
    reason,
    consent &&
      say(['（持有人同意：{consent}）', ' (the holder agrees: {consent})'], lang, { consent }),
    keep && say(['（无需退回：{keep}）', ' (need not come back: {keep})'], lang, { keep }),
  ]
  return saidInBoth(lang => told(lang).filter(Boolean).join(''))
}
/** Whether something that was sent is among what came back. */
const cameBack = async (tx: Db, row: Order, of: GivingBack): Promise<boolean> => {
  if (!of.returned) return false
  const chosen = of.items?.map(one => one.id)
  const sent = await tx.$count(
    order_item,
    and(
      eq(order_item.order_id, row.id),
      sql`${order_item.shipped_qty} > 0`,
      chosen && inArray(order_item.id, chosen),
    ),
  )
  return sent > 0
}
const wantedOf = (of: GivingBack, code_ids: readonly number[] | undefined): Wanted => {
  if (of.card_ids) return { cards: of.card_ids }
  if (!code_ids && !of.items) return 'all'
  const { times } = of
  return {
    ...(code_ids && {
      codes: code_ids.map(id => ({ id, ...(times !== undefined && { times }) })),
    }),
    ...(of.items && { items: of.items }),
  }
}
const shippedRefused = (kind: OrderKind) =>
  ruled(
    'shipped',
    kind === 'elist'
      ? [
          '有已发货的商品：请代客申请“退货退款”，或填写“无需退回”的原因',
          'Some of it was sent: open a case to have it returned, or say why it need not come back',
        ]
      : [
          '有已发货的商品：请先收到退货并选择其状况，或填写“无需退回”的原因',
          'Some of it was sent: say in what state it came back, or why it need not',
        ],
  )
/**
 * Gives back what was chosen of an order, or all that is left, as the person who asks decides
 * within their limit. Throws 422 for goods that were sent where nobody says what becomes of them.
 */
export const refundBy = async (
  context: WriteContext,
  row: Order,
  of: GivingBack,
): Promise<Refund> => {
  const { tx, staff, now, log, request_id } = context
  const code_ids = await codesToRefund(tx, row, of)
  const reason = reasonOf(of)
  const back = await cameBack(tx, row, of)
  const made = await openRefund(tx, {
    order_id: row.id,
    wanted: wantedOf(of, code_ids),
    source: 'staff',
    ...(back && { type: 'return_refund', returned: of.returned }),
    reason,
    amount_cents: of.amount_cents,
    ...(of.freight && { freight: true }),
    ...(of.plain && { plain: true }),
    actor: staffActor(staff),
    by: { id: staff.id, limit_cents: of.second ? -1 : staff.refund_limit_cents },
    idem_key: `${request_id}:${row.id}`,
    now,
  })
  // The lines themselves tell it: of an item that went in part, what is still here is given back
  // first. A store answers itself for what it brought or handed over.
  const staysSent = row.kind !== 'goods' && !back && !of.keep
  if (staysSent && (await linesIn(tx, made)).some(line => line.shipped_qty > 0))
    throw shippedRefused(row.kind)
  log({
    ...logged(row),
    before: { refund_state: row.refund_state },
    after: {
      refund_no: made.refund_no,
      amount_cents: made.amount_cents,
      refund_status: made.state,
    },
    reason,
  })
  return made
}
/**
 * Answers which codes are given back, if some were chosen. What is being given away is recalled first; what
 * was given away needs the word of whoever holds it.
 */
const codesToRefund = async (
  tx: Db,
  row: Order,
  of: GivingBack,
): Promise<readonly number[] | undefined> => {
  const open = await tx
    .select({ id: order_code.id, code: order_code.code, gift_state: order_code.gift_state })
    .from(order_code)
    .where(
      and(
        eq(order_code.order_id, row.id),
        inArray(order_code.state, ['locked', 'unused', 'part_used', 'expired']),
      ),
    )
  const named = of.code_ids && open.filter(code => of.code_ids!.includes(code.id))
  const chosen = named ?? (of.items ? [] : open)
  const sent = chosen.find(code => code.gift_state === 'sent')
  if (sent)
    throw ruled(
      'gift',
      ['尾号 {code} 的券码正在转赠，请先撤回', 'Code …{code} is being given away: recall it first'],
      { code: sent.code.slice(-4) },
    )
  if (!of.consent && chosen.some(code => code.gift_state === 'received'))
    throw ruled('holder_consent', [
      '券码已转赠他人，退款退回原买家：请先征得持有人同意，并写在「持有人同意」里',
      'It was given away and its refund goes to the buyer: note how the holder agreed',
    ])
  if (of.times === undefined || of.code_ids || of.items) return of.code_ids
  if (open.length !== 1)
    throw ruled(
      'which_code',
      [
        '本单有 {n} 个可退的券码，请到详情页选中一个再按次数退',
        '{n} codes can be refunded: choose one on its page',
      ],
      { n: open.length },
    )
  return [open[0]!.id]
}
/** Sends again what the channel refused of an order's refunds. Answers how many. */
export const retryRefunds = async (
  { tx, staff, now, log }: WriteContext,
  kinds: readonly OrderKind[],
  id: number,
): Promise<number> => {
  const row = await heldOrder(tx, kinds, { id }, staff)
  const failed = await tx
    .select()
    .from(refund)
    .where(and(eq(refund.order_id, id), eq(refund.state, 'pay_failed')))
    .orderBy(asc(refund.id))
  if (failed.length === 0)
    throw ruled('nothing_failed', ['没有打款失败的退款', 'No refund has failed'])
  for (const one of failed)
    await retryPay(tx, {
      id: one.id,
      version: one.version,
      by: { id: staff.id, limit_cents: staff.refund_limit_cents },
      now,
    })
  log({
    ...logged(row),
    before: { refund_status: 'pay_failed' },
    after: { refund_status: 'paying', refund_no: joinedNames(failed.map(one => one.refund_no)) },
  })
  return failed.length
}
