import { eq } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { filmRefundPage } from '#commands/pages/film.ts'
import { eRefundDetail, orderDetailOf } from '#commands/pages/order.ts'
import { vipOrderPage } from '#commands/pages/vip.ts'
import { policiesOfItems } from '#src/areas/afterSalePolicy/policies.server.ts'
import { policyAtFirst, policyOfAll } from '#src/areas/afterSalePolicy/policy.ts'
import { redeemBill } from '#src/areas/code/redemption.server.ts'
import type { Part } from '#src/areas/combo/comboParts.server.ts'
import { endGrants } from '#src/areas/coupon/issue.server.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { recount, type Actor, type Order } from '#src/areas/order/orderFacts.server.ts'
import { keepPlan } from '#src/areas/vipCard/orderHooks.server.ts'
import { shares, yuan } from '#src/domain/money.ts'
import { say } from '#src/domain/text.ts'
import { HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { refund_item, type refund } from './refund.table.ts'
import {
  CLAIM_S,
  batchCan,
  needsEvidence,
  offlineCan,
  refundRejects,
  type RefundReject,
  type RefundVerb,
} from './refund.ts'
import { evidenceRefused } from './refundAsk.ts'
import { refuseBundle } from './refundBundle.server.ts'
import { linesIn, refuse, type Refund, type RefundLine } from './refundFacts.server.ts'
import { hasArrived } from './refundLines.ts'
import { finish, pay, payByHand, payoutsOf, readRefundSettings } from './refundPay.server.ts'
import { sendAgain } from './refundResend.server.ts'
import {
  actorOf,
  agree,
  noteStep,
  recountStep,
  saveCase,
  takeStep,
  tellBuyer,
  withMessage,
  type Case,
  type Step,
} from './refundStep.server.ts'
import { lockUnits } from './refundUnits.server.ts'

const picturesOf = (row: Refund): number =>
  row.images.length + row.messages.reduce((n, one) => n + (one.images?.length ?? 0), 0)

/** Takes a case for a quarter of an hour. */
export const claimRefund = async (tx: Db, of: Step): Promise<Refund> => {
  const { row } = await takeStep(tx, { ...of, verb: 'claim' })
  return saveCase(tx, row, of.now, { claimed_by: of.by.id, claim_until: of.now + CLAIM_S })
}

/** One of many is agreed to only where it can't be wrong. */
const refuseInBatch = (
  row: Refund,
  of: { lines: readonly RefundLine[]; parts: readonly Part[]; limit_cents: number },
): void => {
  if (of.parts.some(part => part.units.used > 0))
    throw ruled('not_in_batch', [
      '有子项已使用或发货，须逐单处理',
      'A part was used or sent: decide it by itself',
    ])
  const shipped = of.lines.some(line => line.shipped_qty > 0)
  const may = batchCan({ type: row.type, shipped, amount_cents: row.amount_cents }, of.limit_cents)
  if (may !== true) throw ruled('not_in_batch', may)
}
/**
 * Agrees to pay: at once within the decider's own limit, else another person must agree too. What
 * is to be sent again becomes an order of its own. `batch`: one of many.
 */
export const approveRefund = async (tx: Db, of: Step & { batch?: boolean }): Promise<Refund> => {
  const { row, held } = await takeStep(tx, { ...of, verb: 'approve' })
  const lines = await linesIn(tx, row)
  const parts = await refuseBundle(tx, { row, held }, lines, of)
  if (of.batch) refuseInBatch(row, { lines, parts, limit_cents: of.by.limit_cents })
  const items = await tx.select().from(order_item).where(eq(order_item.order_id, held.id))
  const received = hasArrived(lines, items)
  const sold = await policiesOfItems(
    tx,
    lines.map(line => line.item_id),
  )
  const least = policyOfAll([...sold.values()]).evidence_photos
  if (needsEvidence({ type: row.type, received, pictures: picturesOf(row), least }))
    refuse(evidenceRefused(least))
  if (row.type !== 'resend') return agree(tx, { row, held }, of)
  await sendAgain(tx, { row, held }, of, { lines, items })
  const after = await saveCase(tx, row, of.now, {
    first_by: of.by.id || null,
    decided_at: of.now,
    claimed_by: null,
    claim_until: null,
  })
  return finish(tx, after, held, of.now)
}

/** Tells whoever agreed first what the second person said. */
const tellFirst = (
  tx: Db,
  { row, held }: Case,
  of: Step & { reason?: string },
  version: number,
) => {
  const page = orderDetailOf(held.kind)
  const file = page ? to(page, { id: held.id }) : to(eRefundDetail, { id: row.id })
  const lists: Readonly<Partial<Record<Order['kind'], string>>> = {
    film: to(filmRefundPage, { state: 'open', keyword: row.refund_no }),
    vip_card: to(vipOrderPage, { keyword: held.order_no }),
  }
  const address = lists[held.kind] ?? file
  return tellPeople(tx, {
    to: [row.first_by],
    by: of.by.id,
    kind: of.reason === undefined ? 'second_agreed' : 'second_refused',
    about: `refund:${row.id}:${version}`,
    facts: { of: row.refund_no, why: of.reason ?? '' },
    address,
  })
}

/** The second person agrees: within their own limit it is paid. */
export const secondApprove = async (tx: Db, of: Step): Promise<Refund> => {
  const { row, held } = await takeStep(tx, { ...of, verb: 'secondApprove' })
  await refuseBundle(tx, { row, held }, await linesIn(tx, row), of)
  if (row.amount_cents > of.by.limit_cents)
    throw ruled('limit', ['金额超过你的审批额度 {max} 元', 'It is above your limit of ¥{max}'], {
      max: yuan(of.by.limit_cents),
    })
  const after = await saveCase(tx, row, of.now, {
    state: 'paying',
    second_by: of.by.id,
    decided_at: of.now,
    claimed_by: null,
    claim_until: null,
  })
  await tellFirst(tx, { row, held }, of, after.version)
  const recounted = await recountStep(tx, { row, held }, of, {
    verb: 'secondApprove',
    state: 'paying',
  })
  return row.offline ? payByHand(tx, after, recounted, of.now) : pay(tx, after, recounted, of.now)
}

/**
 * Sends a case back to whoever decided first; money that should go by hand waits for the channel
 * again.
 */
export const secondReject = async (tx: Db, of: Step & { reason: string }): Promise<Refund> => {
  const { row, held } = await takeStep(tx, { ...of, verb: 'secondReject' })
  const cameBack = row.return_received_at !== null && row.return_tracking_no !== null
  const back = row.offline
    ? { state: 'pay_failed' as const, offline: false, offline_account: null, offline_proof: null }
    : {
        state: cameBack ? ('returning' as const) : ('applied' as const),
        deadline_at: of.now + policyAtFirst.merchant_h * HOUR,
      }
  const after = await saveCase(tx, row, of.now, {
    ...back,
    first_by: null,
    claimed_by: null,
    claim_until: null,
  })
  await tellFirst(tx, { row, held }, of, after.version)
  await recountStep(tx, { row, held }, of, {
    verb: 'secondReject',
    state: after.state,
    memo: of.reason,
  })
  return after
}

/**
 * Ends a case without paying: its units are free again, and what is past its time meanwhile is
 * expired.
 */
const end = async (
  tx: Db,
  { row, held }: Case,
  of: {
    state: 'rejected' | 'closed'
    verb?: RefundVerb
    now: number
    actor: Actor
    reason: string
    set?: Partial<typeof refund.$inferInsert>
  },
): Promise<Refund> => {
  const after = await saveCase(tx, row, of.now, {
    ...of.set,
    state: of.state,
    decided_at: of.now,
    claimed_by: null,
    claim_until: null,
  })
  if (row.type !== 'resend') await lockUnits(tx, await linesIn(tx, row), -1, of.now)
  if (held.kind === 'points') await endGrants(tx, held, 'unused')
  await keepPlan(tx, held)
  await recount(tx, held, {
    event: of.state === 'rejected' ? 'refund_decide' : 'refund_end',
    actor: of.actor,
    now: of.now,
    memo: of.reason,
    data: { refund_id: row.id, verb: of.verb ?? 'close', state: of.state },
  })
  // A bill that is not given back after all stands as it was: used, in its store.
  if (held.sub_kind === 'pay_bill') await redeemBill(tx, held, of.now)
  return after
}

/** Refuses a case, with words and pictures that the buyer gets to see. */
export const rejectRefund = async (
  tx: Db,
  of: Step & {
    reason_code: string
    reason: string
    images?: string[] | undefined
    name?: string
    verb?: 'reject' | 'refuseReceive'
  },
): Promise<Refund> => {
  const verb = of.verb ?? 'reject'
  const { row, held } = await takeStep(tx, { ...of, verb })
  const after = await end(
    tx,
    { row, held },
    {
      state: 'rejected',
      verb,
      now: of.now,
      actor: actorOf(of),
      reason: of.reason,
      set: {
        first_by: of.by.id || null,
        second_by: null,
        reject_code: of.reason_code,
        reject_reason: of.reason,
        messages: withMessage(row, {
          by: 'staff',
          name: of.name ?? '',
          text: of.reason,
          ...(of.images?.length && { images: of.images }),
          at: of.now,
        }),
      },
    },
  )
  const why = Object.hasOwn(refundRejects, of.reason_code)
    ? `${say(refundRejects[of.reason_code as RefundReject], 'zh')}：`
    : ''
  await tellBuyer(tx, { row, held }, `您的售后 ${row.refund_no} 未通过：${why}${of.reason}`, of)
  return after
}

/** Closes a case without a decision: by staff, by the clock, or by the buyer who withdraws. */
export const closeRefund = async (tx: Db, of: Step & { reason: string }): Promise<Refund> => {
  const { row, held } = await takeStep(tx, { ...of, verb: 'close' })
  return end(
    tx,
    { row, held },
    { state: 'closed', now: of.now, actor: actorOf(of), reason: of.reason },
  )
}

/**
 * Writes down another amount that the buyer agreed to, in the words and pictures that prove it:
 * never above what the units are worth (`cap_cents`).
 */
export const changeAmount = async (
  tx: Db,
  of: Step & {
    amount_cents: number
    consent?: { name: string; text: string; images?: string[] | undefined }
  },
): Promise<Refund> => {
  const { row } = await takeStep(tx, { ...of, verb: 'changeAmount' })
  if (of.amount_cents > row.cap_cents || of.amount_cents < 1)
    throw ruled('above_cap', ['退款金额须在 0.01 至 {max} 元之间', 'Between ¥0.01 and ¥{max}'], {
      max: yuan(row.cap_cents),
    })
  const lines = await linesIn(tx, row)
  const share = lines.reduce((all, line) => all + line.share_cents, 0)
  const amounts = shares(
    Math.min(of.amount_cents, share),
    lines.map(line => line.share_cents),
  )
  for (const [at, line] of lines.entries())
    await tx
      .update(refund_item)
      .set({ amount_cents: amounts[at]! })
      .where(eq(refund_item.id, line.id))
  const { consent } = of
  const after = await saveCase(tx, row, of.now, {
    amount_cents: of.amount_cents,
    freight_cents: Math.max(0, of.amount_cents - share),
    ...(consent && {
      messages: withMessage(row, {
        by: 'staff',
        name: consent.name,
        text: `¥${yuan(row.amount_cents)} → ¥${yuan(of.amount_cents)}　${consent.text}`,
        ...(consent.images?.length && { images: consent.images }),
        at: of.now,
      }),
    }),
  })
  await noteStep(tx, after, of, {
    verb: 'changeAmount',
    memo: `${yuan(row.amount_cents)} → ${yuan(of.amount_cents)}`,
  })
  return after
}

/** From now on the platform decides in the merchant's place. */
export const intervene = async (tx: Db, of: Step & { reason: string }): Promise<Refund> => {
  const { row } = await takeStep(tx, { ...of, verb: 'intervene' })
  const after = await saveCase(tx, row, of.now, { intervened: true })
  await noteStep(tx, after, of, { verb: 'intervene', memo: of.reason })
  return after
}

/** Gives whoever must act so many hours more. */
export const extendDeadline = async (
  tx: Db,
  of: Step & { hours: number; reason: string },
): Promise<Refund> => {
  const { row } = await takeStep(tx, { ...of, verb: 'extendDeadline' })
  const after = await saveCase(tx, row, of.now, {
    deadline_at: Math.max(row.deadline_at, of.now) + of.hours * HOUR,
  })
  await noteStep(tx, after, of, { verb: 'extendDeadline', memo: of.reason })
  return after
}

/** Answers the buyer in words and pictures, who is told by a message. */
export const replyTo = async (
  tx: Db,
  of: Step & { name: string; text: string; images?: string[] | undefined },
): Promise<Refund> => {
  const { row, held } = await takeStep(tx, { ...of, verb: 'reply' })
  const after = await saveCase(tx, row, of.now, {
    messages: withMessage(row, {
      by: 'staff',
      name: of.name,
      text: of.text,
      ...(of.images?.length && { images: of.images }),
      at: of.now,
    }),
  })
  await tellBuyer(tx, { row, held }, `您的售后 ${row.refund_no} 有新回复：${of.text}`, of)
  return after
}

/** Notes something for colleagues; the buyer never sees it. Decided cases take notes too. */
export const remarkOn = async (tx: Db, of: Step & { text: string }): Promise<Refund> => {
  const { row } = await takeStep(tx, { ...of, verb: 'remark' })
  await noteStep(tx, row, of, { verb: 'remark', memo: of.text })
  return row
}

/** Pays the parts again that failed; the others stay as they are. */
export const retryPay = async (tx: Db, of: Step): Promise<Refund> => {
  const { row, held } = await takeStep(tx, { ...of, verb: 'retryPay' })
  const after = await saveCase(tx, row, of.now, { state: 'paying' })
  const recounted = await recountStep(tx, { row, held }, of, { verb: 'retryPay', state: 'paying' })
  return pay(tx, after, recounted, of.now)
}

/**
 * Asks for money to be paid by hand where the channel will not: asked for with a proof, paid when another person
 * agrees. Until then, and after, the channel is not asked again.
 */
export const offlinePay = async (
  tx: Db,
  of: Step & { account: string; proof: string; reason: string },
): Promise<Refund> => {
  const { row, held } = await takeStep(tx, { ...of, verb: 'offlinePay' })
  const payout = (await payoutsOf(tx, [row])).get(row.id)!
  const may = offlineCan(payout, of.now, await readRefundSettings(tx))
  if (may !== true) throw ruled('channel_first', may)
  const after = await saveCase(tx, row, of.now, {
    state: 'second_audit',
    offline: true,
    offline_account: of.account,
    offline_proof: of.proof,
    first_by: of.by.id,
    second_by: null,
    claimed_by: null,
    claim_until: null,
  })
  await recountStep(tx, { row, held }, of, {
    verb: 'offlinePay',
    state: 'second_audit',
    memo: of.reason,
  })
  return after
}
