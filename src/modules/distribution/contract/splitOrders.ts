import { z } from 'zod'
import {
  doings,
  receiverRoles,
  receiverStates,
  splitStates,
  splitTabs,
  type Doing,
  type ReceiverRole,
  type ReceiverState,
  type SplitState,
  type SplitTab,
} from '#src/areas/split/split.ts'
import { placed } from '#src/contract/call.ts'
import { several, why } from '#src/contract/queue.ts'
import { callsOf } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  page,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

const money = guarded('withdrawal.amount_cents', cents)
const status = keysOf<SplitState>(splitStates)
const receiver = z.object({
  id,
  role: keysOf<ReceiverRole>(receiverRoles),
  name: z.string(),
  amount_cents: money,
  returned_cents: money,
  status: keysOf<ReceiverState>(receiverStates),
  fail_reason: z.string(),
  channel_no: z.string().nullable(),
  done_at: unix.nullable(),
})
export const splitRow = z.object({
  id,
  split_no: z.string(),
  order_id: id,
  order_no: z.string(),
  merchant_name: z.string(),
  city_name: z.string(),
  transaction_no: z.string(),
  order_cents: money,
  splittable_cents: money,
  total_cents: money,
  returned_cents: money,
  deadline_at: unix,
  status,
  doing: keysOf<Doing>(doings),
  out_no: z.string().nullable(),
  requests: z.int(),
  tries: z.int(),
  fail_reason: z.string(),
  reason: z.string(),
  finished_at: unix.nullable(),
  created_at: unix,
  receivers: z.array(receiver),
  version,
})
export type SplitRow = z.output<typeof splitRow>
const plain = {
  keyword: searched(40).optional(),
  city_id: id.optional(),
  soon: z.boolean().optional(),
}
const filters = { status: keysOf<SplitTab>(splitTabs).default('open'), ...plain }
const rows = 'dist_split_order'
const call = callsOf('distribution/splitOrders', { touches: [rows, 'ledger'], rows })
const answer = { status }

/** How orders' money is shared at the payment channel: followed, tried again, undone. */
export const splitOrders = {
  lst: call.lists('lst', ['分账列表', 'Splits'], { filters, row: splitRow }),
  totals: call.read('totals', ['分账合计', 'Totals of splits'], {
    input: z.object(plain),
    output: z.object({
      states: z.array(z.object({ status, count: z.int(), total_cents: money })),
    }),
    permit: 'distribution.splitOrders.view',
  }),
  /** The receivers of one split that failed, or that something can be taken back from. */
  receivers: call.read('receivers', ['分账接收方', 'Receivers of a split'], {
    input: z.object({
      ...page,
      keyword: searched(40).optional(),
      id: id.optional(),
      status: keysOf<ReceiverState>(receiverStates).optional(),
    }),
    output: listOf(receiver),
    permit: 'distribution.splitOrders.view',
    scope: placed(rows, 'id'),
  }),
  retry: call.changes('retry', ['重试分账', 'Retry split'], { answer }),
  batchRetry: call.write('batchRetry', ['批量重试分账', 'Retry splits'], {
    input: z.object({ tasks: several }),
    output: batchResult,
    scope: placed(rows, { 'tasks.id': rows }),
  }),
  skipReceiver: call.changes('skipReceiver', ['跳过接收方', 'Skip a receiver'], {
    fields: { receiver_id: id, reason: why },
    answer,
  }),
  unfreeze: call.changes('unfreeze', ['解冻剩余资金', 'Unfreeze the rest'], {
    fields: { reason: why },
    answer,
  }),
  returnSplit: call.changes('returnSplit', ['分账回退', 'Return a share'], {
    fields: { receiver_id: id, amount_cents: cents.min(1), reason: why },
    answer,
  }),
  syncResult: call.changes('syncResult', ['查询渠道结果', 'Check with the channel'], { answer }),
  export: call.startsExport('export', ['导出分账单', 'Export splits'], { filters }),
}
