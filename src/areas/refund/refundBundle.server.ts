import { eq, inArray } from 'drizzle-orm'
import { partUnits } from '#src/areas/combo/combo.ts'
import {
  figuresOf,
  partsOf,
  policyAgainst,
  soldCombo,
  type Part,
} from '#src/areas/combo/comboParts.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { codeStateOf } from '#src/areas/order/orderUnits.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { conflict, missing, ruled } from '#src/server/call/refuse.ts'
import { refund_item } from './refund.table.ts'
import { sellersRefusal } from './refundAsk.ts'
import { linesIn, refuse, sellersOf, type Refund, type RefundLine } from './refundFacts.server.ts'
import { agree, takeStep, type Case, type Step } from './refundStep.server.ts'
import { lockUnits } from './refundUnits.server.ts'

/** Why the policy of a bundle refuses what these lines have locked, or undefined. */
const againstPolicy = async (
  tx: Db,
  held: Pick<Order, 'combo_id'>,
  parts: readonly Part[],
  lines: readonly Pick<RefundLine, 'item_id'>[],
): Promise<Text | undefined> => {
  const { policy } = await soldCombo(tx, held, parts)
  return policyAgainst(policy, parts, new Set(lines.map(line => line.item_id)), true)
}
/**
 * Why the policy of its bundle refuses a case, or undefined; never for what is an exception
 * already.
 */
export const policyRefusesCase = async (tx: Db, row: Refund): Promise<Text | undefined> => {
  if (row.policy_override) return undefined
  const [held] = await tx.select().from(order).where(eq(order.id, row.order_id))
  const parts = await partsOf(tx, row.order_id)
  return againstPolicy(tx, held!, parts, await linesIn(tx, row))
}

/**
 * A case of a bundle is decided on what its parts are now: a part may have been used since it was
 * read, which changes the sums (409) and what the policy allows (422). Answers its parts.
 */
export const refuseBundle = async (
  tx: Db,
  { row, held }: Case,
  lines: readonly RefundLine[],
  of: Pick<Step, 'seen'> & { override?: boolean },
): Promise<Part[]> => {
  if (held.kind !== 'combo') return []
  const parts = await partsOf(tx, held.id)
  const now = figuresOf(parts, row.amount_cents)
  const changed =
    of.seen !== undefined &&
    (of.seen.amount_cents !== now.amount_cents ||
      of.seen.used_cents !== now.used_cents ||
      of.seen.single_cents !== now.single_cents)
  if (changed)
    throw conflict(
      [
        '子项刚有变化：可退 {amount} 元，已用 {used} 元，按单价折算可退 {single} 元。请核对后重新确认',
        'A part has changed: {amount} can be refunded, {used} was used, {single} at single prices. Look again and confirm',
      ],
      {
        amount: yuan(now.amount_cents),
        used: yuan(now.used_cents),
        single: yuan(now.single_cents),
      },
      row,
    )
  const excepted = row.policy_override || of.override
  const why = excepted ? undefined : await againstPolicy(tx, held, parts, lines)
  if (why) throw ruled('policy', why)
  return parts
}

/** The parts of a bundle as they are once some lines of a case are free again. */
const partsWithout = (parts: readonly Part[], gone: readonly RefundLine[], now: number): Part[] =>
  parts.map(part => {
    const freed = gone.filter(line => line.item_id === part.item.id)
    if (freed.length === 0) return part
    const timesOf = (code_id: number | null) =>
      freed.filter(line => line.code_id === code_id).reduce((all, line) => all + line.qty, 0)
    const codes = part.codes.map(code => {
      const times_refunding = code.times_refunding - timesOf(code.id)
      const state = code.state === 'locked' ? 'locked' : 'unused'
      return {
        ...code,
        times_refunding,
        state: codeStateOf({ ...code, state, times_refunding }, now),
      }
    })
    const item = { ...part.item, refunding_qty: part.item.refunding_qty - timesOf(null) }
    return { ...part, item, codes, units: partUnits({ ...item, codes }) }
  })
/** What the case comes to when only some of its lines are agreed to. */
const partialSums = (
  row: Refund,
  of: { kept: readonly RefundLine[]; whole: boolean },
): Pick<Refund, 'amount_cents' | 'cap_cents' | 'freight_cents'> => {
  const sum = (n: (line: RefundLine) => number) => of.kept.reduce((all, line) => all + n(line), 0)
  const freight_cents = of.whole ? row.freight_cents : 0
  return {
    amount_cents: sum(line => line.amount_cents) + freight_cents,
    cap_cents: Math.min(row.cap_cents, sum(line => line.share_cents) + freight_cents),
    freight_cents,
  }
}
/** Frees the units of lines that are not agreed to, and takes the lines out of their case. */
const dropLines = async (tx: Db, gone: readonly RefundLine[], now: number): Promise<void> => {
  if (gone.length === 0) return
  await lockUnits(tx, gone, -1, now)
  const ids = gone.map(line => line.id)
  await tx.delete(refund_item).where(inArray(refund_item.id, ids))
}
/**
 * Agrees to some parts of a case: the others are free again, and it comes to what these are worth.
 * Against the policy it is an exception, which a second person decides. Throws 404 for parts that
 * the case does not have; nothing is written before all rules agree.
 */
export const approvePartial = async (
  tx: Db,
  of: Step & { item_ids: readonly number[]; reason: string; override: boolean },
): Promise<Refund> => {
  const { row, held } = await takeStep(tx, { ...of, verb: 'approvePartial' })
  const lines = await linesIn(tx, row)
  const kept = lines.filter(line => of.item_ids.includes(line.item_id))
  const gone = lines.filter(line => !kept.includes(line))
  if (kept.length === 0 || of.item_ids.some(id => !lines.some(line => line.item_id === id)))
    throw missing()
  const parts = await refuseBundle(tx, { row, held }, lines, { seen: of.seen, override: true })
  // What is not agreed to will be free again: these are the parts that stay outside.
  const why = await againstPolicy(tx, held, partsWithout(parts, gone, of.now), kept)
  if (why && !of.override) throw ruled('policy', why)
  const sellers = await sellersOf(
    tx,
    kept.map(line => line.item_id),
  )
  refuse(sellersRefusal(sellers, row.type))
  await dropLines(tx, gone, of.now)
  return agree(tx, { row, held }, of, {
    verb: 'approvePartial',
    set: {
      ...partialSums(row, { kept, whole: gone.length === 0 }),
      merchant_id: sellers.length === 1 ? sellers[0]! : held.merchant_id,
      coupon_back: gone.length === 0 && row.coupon_back,
      policy_override: why !== undefined,
    },
  })
}
