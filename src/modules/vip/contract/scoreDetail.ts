import { z } from 'zod'
import { orderKinds } from '#src/areas/order/order.ts'
import { pointsBiz, pointsMoves } from '#src/areas/points/points.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { id, keysOf, searched, unix, version } from '#src/contract/shapes.ts'

const kind = keysOf(pointsMoves)
const biz_kind = keysOf(pointsBiz)
const points = z.int().min(0).max(2147483647)
export const pointsRow = z.object({
  id,
  version,
  at: unix,
  member_id: id,
  nickname: z.string(),
  uid: z.string(),
  kind,
  biz_kind,
  biz_no: z.string(),
  title: z.string(),
  delta: z.int(),
  frozen_delta: z.int(),
  debt_delta: z.int(),
  balance_after: z.int(),
  /** How many of its points ended, and how many were taken back. */
  over: z.int(),
  taken: z.int(),
  /** When what came in ends. */
  expire_at: unix.nullable(),
  rule: z.object({ id, name: z.string() }).nullable(),
  order: z.object({ id, order_no: z.string(), kind: keysOf(orderKinds) }).nullable(),
  reverses_id: id.nullable(),
  reversed_by: id.nullable(),
  note: z.string(),
  operator: z.string(),
})
export type PointsRow = z.output<typeof pointsRow>
const filters = {
  /** A member's ID or UID. */
  member: searched(40).optional(),
  kind: kind.optional(),
  biz_kind: biz_kind.optional(),
  rule_id: id.optional(),
  /** A whole number of an order, a refund or what else it came by. */
  biz_no: searched(64).optional(),
  operator_id: id.optional(),
  min: points.optional(),
  max: points.optional(),
  from: unix.optional(),
  to: unix.optional(),
}
const call = callsOf('vip/score/detail', { touches: ['points_ledger'], rows: 'points_ledger' })

/** Every move of points, and the balance after it. */
export const scoreDetail = {
  lst: call.lists('lst', ['积分流水', 'Points ledger'], {
    filters,
    row: pointsRow,
    answer: {
      /** What the one member of the filter has now. */
      member: z
        .object({
          id,
          nickname: z.string(),
          points: z.int(),
          points_frozen: z.int(),
          points_debt: z.int(),
        })
        .nullable(),
    },
    touches: ['points_ledger', 'member'],
  }),
  /** The lots that a row made, took from or gave back to, and what was noted about it since. */
  lots: call.read('lots', ['积分批次消耗', 'Lots of a row'], {
    input: z.object({ id }),
    output: z.object({
      lots: z.array(
        z.object({
          lot_id: id,
          n: z.int(),
          points: z.int(),
          remain: z.int(),
          expired: z.int(),
          expire_at: unix,
          /** The row by which the lot came in. */
          from: z.object({ id, title: z.string(), at: unix }).nullable(),
        }),
      ),
      notes: z.array(z.object({ id, note: z.string(), by: z.string(), at: unix })),
    }),
    permit: 'vip.score.detail.traceLots',
    scope: placed('points_ledger', 'id'),
  }),
  reverse: call.write('reverse', ['冲正积分流水', 'Reverse a move'], {
    input: z.object({ id, reason }),
    /** What was taken or given, and what of it became debt. */
    output: z.object({ id, delta: z.int(), debt_delta: z.int() }),
    touches: ['points_ledger', 'member'],
  }),
  addNote: call.write('addNote', ['补充流水备注', 'Note about a move'], {
    input: z.object({ id, note: reason }),
    output: z.object({ id, note_id: id }),
  }),
  export: call.startsExport('export', ['导出积分流水', 'Export the points ledger'], { filters }),
}
