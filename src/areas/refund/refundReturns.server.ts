import { and, eq } from 'drizzle-orm'
import { return_address } from '#src/areas/merchant/merchant.table.ts'
import { fitsCourier, readTracking } from '#src/areas/shipping/courier.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import type { ReturnCondition } from './refund.ts'
import { refuseBundle } from './refundBundle.server.ts'
import { linesIn, type Refund } from './refundFacts.server.ts'
import {
  agree,
  noteStep,
  recountStep,
  saveCase,
  takeStep,
  tellBuyer,
  type Step,
} from './refundStep.server.ts'

const RETURN_DAYS = 7

/** Agrees that the goods come back first; the buyer has seven days to post them. */
export const approveReturn = async (
  tx: Db,
  of: Step & { return_address_id: number },
): Promise<Refund> => {
  const { row, held } = await takeStep(tx, { ...of, verb: 'approveReturn' })
  await refuseBundle(tx, { row, held }, await linesIn(tx, row), of)
  const [to] = await tx
    .select()
    .from(return_address)
    .where(
      and(
        eq(return_address.id, of.return_address_id),
        eq(return_address.merchant_id, row.merchant_id),
        eq(return_address.status, 'on'),
      ),
    )
  if (!to)
    throw ruled('address', [
      '退货地址不属于该商户或已停用',
      'The address is not this merchant’s, or is off',
    ])
  const after = await saveCase(tx, row, of.now, {
    state: 'wait_return',
    first_by: of.by.id || null,
    second_by: null,
    return_address_id: to.id,
    deadline_at: of.now + RETURN_DAYS * DAY,
    claimed_by: null,
    claim_until: null,
  })
  await recountStep(tx, { row, held }, of, { verb: 'approveReturn', state: after.state })
  await tellBuyer(
    tx,
    { row, held },
    `您的退货申请 ${row.refund_no} 已同意，请在 ${RETURN_DAYS} 天内寄至：${to.area}${to.address} ${to.name} ${to.phone}`,
    of,
  )
  return after
}

/**
 * Writes down the parcel that comes back: a number of the courier's form, and not the one that the goods were
 * sent by.
 */
export const returnTracking = async (
  tx: Db,
  of: Step & { courier: string; tracking_no: string },
): Promise<Refund> => {
  const { row } = await takeStep(tx, { ...of, verb: 'fillReturnTracking' })
  const read = readTracking(of.tracking_no)
  if ('fault' in read) throw ruled('tracking', read.fault)
  const { tracking_no } = read
  const [by] = await tx
    .select()
    .from(courier)
    .where(and(eq(courier.code, of.courier), eq(courier.status, 'on')))
  if (!by || !fitsCourier(tracking_no, by))
    throw ruled('tracking', ['{no} 不是该快递的单号', '{no} is no number of this courier'], {
      no: tracking_no,
    })
  const [outbound] = await tx
    .select({ id: shipment.id })
    .from(shipment)
    .where(and(eq(shipment.order_id, row.order_id), eq(shipment.tracking_no, tracking_no)))
  if (outbound)
    throw ruled('outbound', [
      '退货单号不能与发货单号相同',
      'It is the number that the goods were sent by',
    ])
  const after = await saveCase(tx, row, of.now, {
    state: 'returning',
    return_courier: by.code,
    return_tracking_no: tracking_no,
    return_track: { state: 'shipped', traces: [], traced_at: null, sent_at: of.now, asked_at: 0 },
    deadline_at: of.now + RETURN_DAYS * DAY,
  })
  await noteStep(tx, after, of, { verb: 'fillReturnTracking', memo: `${by.name} ${tracking_no}` })
  return after
}

/**
 * The goods are back: now it is paid, above the limit after a second person's word. `verb`: where
 * no queue leads goods back, they may be there before anybody agreed to it.
 */
export const confirmReturn = async (
  tx: Db,
  of: Step & { condition?: ReturnCondition | undefined; verb?: 'takeBack' },
): Promise<Refund> => {
  const { row, held } = await takeStep(tx, { ...of, verb: of.verb ?? 'confirmReceive' })
  return agree(tx, { row, held }, of, {
    verb: 'confirmReceive',
    set: { return_received_at: of.now, return_condition: of.condition ?? 'good' },
  })
}
