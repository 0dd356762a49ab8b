import { and, eq } from 'drizzle-orm'
import type { ComboFigures } from '#src/areas/combo/combo.ts'
import { holdWithGroup } from '#src/areas/group/groups.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import {
  noteOrder,
  recount,
  system,
  type Actor,
  type Order,
} from '#src/areas/order/orderFacts.server.ts'
import { order_message } from '#src/areas/order/trail.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { refund, type RefundMessage } from './refund.table.ts'
import {
  afterApproval,
  isClaimedByAnother,
  refundCan,
  refundFrom,
  type RefundVerb,
} from './refund.ts'
import type { Refund } from './refundFacts.server.ts'
import { pay } from './refundPay.server.ts'
import type { Decider } from './refunds.server.ts'
import { changedCase, claimedCase, pastCase } from './refundWho.server.ts'

/** A case and its order, both held. */
export type Case = { row: Refund; held: Order }

/**
 * Takes a step of a case: its order (and group) is held, the step must be allowed now (422), and the
 * row must be as it was read (409). The loser of a race is told who won.
 */
export const takeStep = async (
  tx: Db,
  of: { id: number; version: number; verb: RefundVerb; by: Decider | null; now: number },
): Promise<Case> => {
  const [known] = await tx
    .select({ order_id: refund.order_id })
    .from(refund)
    .where(eq(refund.id, of.id))
  if (!known) throw missing()
  const { row: held } = await holdWithGroup(tx, known.order_id)
  const [row] = await tx.select().from(refund).where(eq(refund.id, of.id)).for('update')
  const asker = of.by ? { id: of.by.id, now: of.now } : undefined
  const may = refundCan(of.verb, { ...row!, frozen: held.frozen }, asker)
  const stale = row!.version !== of.version
  if (may !== true) throw await refusedStep(tx, { row: row!, held }, { ...of, may, stale, asker })
  if (stale) throw await changedCase(tx, row!)
  return { row: row!, held }
}
/** Why a step is refused: what it was too late for says who was faster, and when. */
const refusedStep = async (
  tx: Db,
  { row, held }: Case,
  of: {
    verb: RefundVerb
    may: Text
    stale: boolean
    asker: { id: number; now: number } | undefined
  },
): Promise<Refusal> => {
  const past = !refundFrom[of.verb].includes(row.state)
  if (past) return pastCase(tx, row, of.stale)
  if (held.frozen) return ruled('frozen', of.may)
  if (isClaimedByAnother(row, of.asker)) return claimedCase(tx, row, of.stale)
  return of.stale ? changedCase(tx, row) : ruled('stage', of.may)
}

/** Writes a step into its case, which must be as it was read; throws 409 otherwise. */
export const saveCase = async (
  tx: Db,
  row: Refund,
  now: number,
  set: Partial<typeof refund.$inferInsert>,
): Promise<Refund> => {
  const [after] = await tx
    .update(refund)
    .set({ ...set, version: row.version + 1, updated_at: now })
    .where(and(eq(refund.id, row.id), eq(refund.version, row.version)))
    .returning()
  if (!after) throw await changedCase(tx, row)
  return after
}

export type Step = {
  id: number
  version: number
  now: number
  by: Decider
  /** The figures of a bundle that whoever decides has seen. */
  seen?: ComboFigures | undefined
  /** The actor, where it was no member of staff: the buyer who withdraws. */
  actor?: Actor
}

/** The actor of a step; nobody (0) is the clock. */
export const actorOf = (of: Pick<Step, 'by' | 'actor'>): Actor =>
  of.actor ?? (of.by.id === 0 ? system : { type: 'staff', id: of.by.id })

/** Writes a step into the order's log, for the negotiation file. */
export const noteStep = (
  tx: Db,
  row: Refund,
  of: Pick<Step, 'by' | 'actor' | 'now'>,
  what: { verb: RefundVerb; memo?: string },
) =>
  noteOrder(tx, {
    order_id: row.order_id,
    event: what.verb === 'remark' ? 'remark' : 'refund_decide',
    actor: actorOf(of),
    at: of.now,
    memo: what.memo ?? '',
    data: { refund_id: row.id, verb: what.verb, state: row.state },
  })
/** Counts the order anew after a step that changed its case, and writes the step into its log. */
export const recountStep = (
  tx: Db,
  { row, held }: Case,
  of: Pick<Step, 'by' | 'actor' | 'now'>,
  what: { verb: RefundVerb; state: Refund['state']; memo?: string | undefined },
): Promise<Order> =>
  recount(tx, held, {
    event: 'refund_decide',
    actor: actorOf(of),
    now: of.now,
    ...(what.memo && { memo: what.memo }),
    data: { refund_id: row.id, verb: what.verb, state: what.state },
  })
/**
 * Agrees to a case, with what else is written into it: paid at once within the decider's own limit,
 * else a second person decides. An exception from the policy is never one person's.
 */
export const agree = async (
  tx: Db,
  { row, held }: Case,
  of: Step & { reason?: string },
  what: { verb?: RefundVerb; set?: Partial<typeof refund.$inferInsert> } = {},
): Promise<Refund> => {
  const { verb = 'approve', set = {} } = what
  const state =
    (set.policy_override ?? row.policy_override)
      ? 'second_audit'
      : afterApproval(set.amount_cents ?? row.amount_cents, of.by.limit_cents)
  const after = await saveCase(tx, row, of.now, {
    ...set,
    state,
    first_by: of.by.id || null,
    second_by: null,
    ...(state === 'paying' && { decided_at: of.now }),
    claimed_by: null,
    claim_until: null,
  })
  const recounted = await recountStep(tx, { row, held }, of, { verb, state, memo: of.reason })
  return state === 'paying' ? pay(tx, after, recounted, of.now) : after
}
/** Tells the buyer, by a message that is sent later. */
export const tellBuyer = async (
  tx: Db,
  { row, held }: Case,
  text: string,
  of: Pick<Step, 'by' | 'now'>,
) => {
  const [buyer] =
    row.member_id === null
      ? []
      : await tx.select({ phone: member.phone }).from(member).where(eq(member.id, row.member_id))
  const phone = buyer?.phone ?? held.visitor_phone
  if (phone)
    await tx.insert(order_message).values({
      order_id: row.order_id,
      kind: 'refund',
      phone,
      text,
      admin_id: of.by.id || null,
      created_at: of.now,
      updated_at: of.now,
    })
}

/** The messages of a case, with one more. */
export const withMessage = (row: Refund, message: RefundMessage): RefundMessage[] => [
  ...row.messages,
  message,
]
