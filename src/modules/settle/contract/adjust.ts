import { z } from 'zod'
import { ASK_LINES_MOST, askStates, type AskState } from '#src/areas/ledger/journal.ts'
import {
  accountKinds,
  ownerKinds,
  type AccountKind,
  type OwnerKind,
} from '#src/areas/ledger/ledger.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { cents, id, keysOf, unix, version } from '#src/contract/shapes.ts'

/** A line by hand: debit positive, credit negative. */
const line = z.object({
  kind: keysOf<AccountKind>(accountKinds),
  owner_kind: keysOf<OwnerKind>(ownerKinds),
  /** 0 for the platform. */ owner_id: z.int().min(0).max(2147483647),
  amount_cents: cents,
})
export const askRow = z.object({
  id,
  version,
  view: z.literal('adjust'),
  created_at: unix,
  state: keysOf<AskState>(askStates),
  amount_cents: cents,
  reason: z.string(),
  lines: z.array(z.object({ ...line.shape, owner: z.string() })),
  maker_id: id,
  maker: z.string(),
  checker: z.string(),
  decided_at: unix.nullable(),
  reject_reason: z.string(),
  txn_no: z.string(),
  recon_item_id: id.nullable(),
})
export type AskRow = z.output<typeof askRow>

const call = callsOf('settle/flow', { touches: ['ledger_ask'], rows: 'ledger_ask' })
const decides = ['ledger_ask', 'ledger_txn', 'recon_item']
/** Adjustments by hand: asked for by one, posted by another. */
export const adjusting = {
  asks: call.lists('asks', ['调账申请', 'Adjustments'], {
    filters: { state: keysOf<AskState>(askStates).optional() },
    row: askRow,
    permit: 'settle.flow.view',
  }),
  adjust: call.creates('adjust', ['调账申请', 'Request an adjustment'], {
    fields: { lines: z.array(line).min(1).max(ASK_LINES_MOST), reason },
  }),
  approveAdjust: call.changes('approveAdjust', ['复核调账', 'Approve an adjustment'], {
    touches: decides,
    answer: { txn_no: z.string() },
  }),
  rejectAdjust: call.changes('rejectAdjust', ['驳回调账', 'Reject an adjustment'], {
    touches: decides,
    fields: { reason },
  }),
}
