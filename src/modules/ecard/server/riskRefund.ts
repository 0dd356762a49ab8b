import { inArray } from 'drizzle-orm'
import { unfreezeCodes } from '#src/areas/ecard/codeLife.server.ts'
import { codeLabel } from '#src/areas/ecard/codeLife.ts'
import { ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { holdWithGroup } from '#src/areas/group/groups.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import type { Hit } from '#src/areas/risk/risk.server.ts'
import type { BatchResult } from '#src/contract/shapes.ts'
import { eachRow } from '#src/server/call/batch.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { refundableOf } from './riskCards.ts'

type Asked = { order_ids: readonly number[]; reason: string }
/** Nobody decides a forced refund alone, whatever it is worth. */
const NEVER_ALONE = -1
/**
 * Asks for what is unspent of the hit's orders to go back the way it was paid: each order is a
 * refund that waits for a second person and says itself why it can't be. Cards that the hit froze
 * are held by their refund from then on. Answers the cards that are frozen no more, too.
 */
export const refundOrders = async (
  context: WriteContext,
  hit: Hit,
  { order_ids, reason }: Asked,
): Promise<BatchResult & { thawed: number[] }> => {
  const thawed: number[] = []
  const result = await eachRow(context, order_ids, async (each, order_id) => {
    const { tx, staff, now, log, request_id } = each
    // Before it is held nothing tells whether an order is of this hit: another's is not waited for.
    const isHere = (await refundableOf(tx, hit, staff)).has(order_id)
    if (isHere) await holdWithGroup(tx, order_id)
    const own = isHere ? (await refundableOf(tx, hit, staff)).get(order_id) : undefined
    if (!own)
      throw ruled('nothing_unspent', [
        '没有可退的卡：只退本命中中未查看、未绑定、未消费、未赠出的卡',
        'No card can go back: only one of this hit never shown, bound, spent or given',
      ])
    const freed = own.frozen.length
      ? (await unfreezeCodes(tx, inArray(ecard_code.id, own.frozen), { now })).done
      : []
    const made = await openRefund(tx, {
      order_id,
      wanted: { cards: own.cards },
      source: 'staff',
      reason,
      actor: { type: 'staff', id: staff.id },
      by: { id: staff.id, limit_cents: NEVER_ALONE },
      // Should the second person send it back, whoever agrees next is again only the first.
      override: true,
      idem_key: `${request_id}:${order_id}`,
      now,
    })
    thawed.push(...freed.map(code => code.id))
    for (const code of freed)
      log({
        object_type: 'ecard_code',
        object_id: code.id,
        object_label: codeLabel(code),
        before: { state: 'frozen' },
        after: { state: 'refunding' },
        reason,
      })
    log({
      object_type: 'order',
      object_id: order_id,
      object_label: own.order_no,
      after: {
        refund_no: made.refund_no,
        amount_cents: made.amount_cents,
        refund_status: made.state,
      },
      reason,
    })
  })
  return { ...result, thawed }
}
