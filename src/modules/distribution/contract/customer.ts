import { z } from 'zod'
import { bindingAskStates, type BindingAskState } from '#src/areas/binding/binding.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { batchResult, id, keysOf, unix, version } from '#src/contract/shapes.ts'
import {
  bindingRow,
  customerCalls,
  extendDays,
  filters,
  finds,
  role,
  touches,
} from './bindingRow.ts'

const at = 'distribution/index/customer'
const call = callsOf(at, { touches, rows: 'dist_binding' })
const asks = callsOf(at, { touches, rows: 'dist_binding_ask' })
const state = keysOf<BindingAskState>(bindingAskStates)
export const transferRow = z.object({
  id,
  version,
  created_at: unix,
  binding_id: id,
  name: z.string(),
  role,
  from: z.string(),
  to: z.string(),
  protect_until: unix,
  reason: z.string(),
  maker_id: id,
  maker: z.string(),
  checker: z.string(),
  decided_at: unix.nullable(),
  reject_reason: z.string(),
  state,
})
export type TransferRow = z.output<typeof transferRow>
/** The most bindings that one call transfers. */
const BATCH_MOST = 2000

/** Customers say to whom they are bound, and staff settle disputes about it. */
export const customers = {
  ...customerCalls(at),
  lst: { ...call.lists('lst', ['客户列表', 'Customers'], { filters, row: bindingRow }), finds },
  extend: call.changes('extend', ['延长绑定期', 'Extend a binding'], {
    fields: { days: extendDays, reason },
  }),
  /** Those in their protection time are told as failed: each is transferred alone. */
  batchTransfer: call.write('batchTransfer', ['批量转移', 'Transfer customers'], {
    input: z.object({
      ids: z.array(id).min(1).max(BATCH_MOST),
      to_distributor_id: id,
      reason,
    }),
    output: batchResult,
    scope: placed('dist_binding', { ids: 'dist_binding', to_distributor_id: 'distributor' }),
  }),
  export: {
    ...call.startsExport('export', ['导出客户', 'Export customers'], { filters }),
    finds,
  },
}
/** Transfers within the protection time: asked for by one, carried out by another. */
export const transfers = {
  asks: asks.lists('asks', ['转移申请', 'Transfer requests'], {
    filters: { state: state.optional() },
    row: transferRow,
    permit: 'distribution.index.customer.view',
  }),
  approveTransfer: asks.changes('approveTransfer', ['复核转移', 'Approve a transfer']),
  rejectTransfer: asks.changes('rejectTransfer', ['驳回转移', 'Reject a transfer'], {
    fields: { reason },
  }),
}
