import { z } from 'zod'
import { codeStates } from '#src/areas/channelCode/channelCode.ts'
import { followStates } from '#src/areas/wecom/wecom.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf } from '#src/contract/record.ts'
import {
  cents,
  id,
  keysOf,
  keyText,
  listOf,
  page,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { channelSums } from './statistics.ts'

const count = z.int().min(0)
const words = z.string()
const share = z.int().nullable()
const rows = 'channel_code'
const call = callsOf('channel/statistics/detail', {
  touches: ['channel_stat', rows, 'wecom_customer'],
  rows,
})
const view = 'channel.statistics.detail.view'
/** Both ends are moments of the first and the last day; without them the last 30 days. */
const range = { from: unix.optional(), to: unix.optional() }
const filters = { code_id: id, ...range, other_id: id.optional() }
/** Somebody who came by the code. */
export const codeCustomer = z.object({
  id,
  version,
  customer_id: id,
  name: words,
  staff_name: words,
  status: keysOf(followStates),
  added_at: unix,
  lost_at: unix.nullable(),
  is_again: z.boolean(),
  tags: words,
  is_member: z.boolean(),
  first_paid_at: unix.nullable(),
  first_paid_cents: cents.nullable(),
})
export type CodeCustomer = z.output<typeof codeCustomer>
const day = z.object({ day: words, adds: count, lost: count, net: z.int() })
/** One code: what it brought, by whom, and what happened meanwhile. */
export const statDetail = {
  lst: call.read('lst', ['活码客户明细', 'Customers of a code'], {
    input: z.object({ ...page, ...filters }),
    output: z.object({
      ...listOf(codeCustomer).shape,
      /** Customers of the range whom the person does not see. */
      hidden: count,
    }),
    scope: placed(rows, { code_id: rows, other_id: rows }),
    permit: view,
  }),
  figures: call.read('figures', ['单码统计', 'Figures of a code'], {
    input: z.object(filters),
    output: z.object({
      name: words,
      status: keysOf(codeStates),
      sums: z.object(channelSums),
      /** The code that it is compared with, over the same days. */
      other: z.object({ name: words, sums: z.object(channelSums), days: z.array(day) }).nullable(),
      days: z.array(day),
      staff: z.array(
        z.object({
          /** 0: scans and costs, which are nobody's. */
          staff_id: z.int(),
          name: words,
          /** Removed from the code since. */
          is_gone: z.boolean(),
          ...channelSums,
          /** Days on which the cap by this code was reached; null: no cap. */
          full_days: z.int().nullable(),
          /** The share of chats that customers begin and this one does not answer; null: never told. */
          silent_bp: share,
        }),
      ),
      hours: z.array(z.object({ hour: z.int(), adds: count, scans: count })),
      events: z.array(z.object({ day: words, text: words, by: words })),
      from: unix,
      to: unix,
      partial: z.boolean(),
    }),
    scope: placed(rows, { code_id: rows, other_id: rows }),
    permit: view,
  }),
  markEvent: call.write('markEvent', ['标注事件', 'Mark an event'], {
    input: z.object({ code_id: id, day: keyText(10, 10), text: text(60) }),
    output: z.object({ id, version }),
    scope: placed(rows, 'code_id'),
  }),
  export: call.startsExport('export', ['导出客户明细', 'Export customers'], {
    filters,
    scope: placed(rows, { code_id: rows, other_id: rows }),
  }),
}
