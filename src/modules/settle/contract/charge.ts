import { z } from 'zod'
import {
  CHARGE_MAX_CENTS,
  chargeChannels,
  chargeDirections,
  chargeKinds,
  chargeOwners,
  chargeStates,
  writtenKinds,
  type ChargeChannel,
  type ChargeDirection,
  type ChargeKind,
  type ChargeOwner,
  type ChargeState,
} from '#src/areas/fund/fund.ts'
import { importCalls } from '#src/contract/importing.ts'
import { why } from '#src/contract/queue.ts'
import { callsOf } from '#src/contract/record.ts'
import {
  cents,
  id,
  keysOf,
  keyText,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const status = keysOf<ChargeState>(chargeStates)
export const chargeRow = z.object({
  id,
  no: z.string(),
  /** Whose money it is. */
  title: z.string(),
  direction: keysOf<ChargeDirection>(chargeDirections),
  kind: keysOf<ChargeKind>(chargeKinds),
  owner_kind: keysOf<ChargeOwner>(chargeOwners),
  owner_id: id,
  city_name: z.string(),
  amount_cents: cents,
  debt_cents: cents,
  balance_after_cents: cents.nullable(),
  /** What the owner has and owes now, and what would become debt if it was posted now. */
  has_cents: cents,
  owes_cents: cents,
  would_owe_cents: cents,
  channel: keysOf<ChargeChannel>(chargeChannels),
  bank: z.string().nullable(),
  bank_flow_no: z.string().nullable(),
  proof: z.string(),
  memo: z.string(),
  maker_id: id.nullable(),
  maker_name: z.string(),
  checker_name: z.string(),
  checked_at: unix.nullable(),
  reason: z.string(),
  reverser_name: z.string(),
  reversed_at: unix.nullable(),
  reverse_reason: z.string(),
  reminded_at: unix.nullable(),
  status,
  created_at: unix,
  version,
})
export type ChargeRow = z.output<typeof chargeRow>
const plain = {
  keyword: searched(40).optional(),
  kind: keysOf<ChargeKind>(chargeKinds).optional(),
  owner_kind: keysOf<ChargeOwner>(chargeOwners).optional(),
  city_id: id.optional(),
  owing: z.boolean().optional(),
}
const filters = { status: status.optional(), ...plain }
const rows = 'fund_charge'
const call = callsOf('settle/charge', { touches: [rows, 'ledger'], rows })
const view = 'settle.charge.view'
const answer = { status }
const amount_cents = z.int().min(1).max(CHARGE_MAX_CENTS)
const kindOf = (direction: ChargeDirection) =>
  z.enum(writtenKinds(direction) as [ChargeKind, ...ChargeKind[]])
const owner = z.object({ id, name: z.string(), has_cents: cents, owes_cents: cents })

/** Money in and out that is no sale. */
export const charges = {
  lst: call.lists('lst', ['充值与扣费', 'Top-ups and charges'], {
    filters,
    row: chargeRow,
    answer: { stat: z.record(z.string(), z.int()) },
  }),
  /** Merchants with what they have and owe now, to choose from. */
  merchants: call.read('merchants', ['可选商户', 'Merchants'], {
    input: z.object({ keyword: searched(40).optional(), ...page }),
    output: listOf(owner),
    permit: view,
    touches: ['merchant', 'ledger'],
  }),
  malls: call.read('malls', ['可选商场', 'Malls'], {
    input: z.object({ keyword: searched(40).optional(), ...page }),
    output: listOf(owner),
    permit: view,
    touches: ['mall', 'ledger'],
  }),
  createIn: call.creates('createIn', ['登记充值', 'Record top-up'], {
    fields: {
      kind: kindOf('in'),
      owner_kind: z.enum(['merchant', 'mall']),
      owner_id: id,
      amount_cents,
      bank: text(60),
      bank_flow_no: text(40),
      proof: keyText(200),
      memo: text(200),
    },
    answer,
  }),
  createOut: call.creates('createOut', ['登记扣费', 'Record charge'], {
    fields: { kind: kindOf('out'), owner_id: id, amount_cents, memo: text(200, 2) },
    answer: { ...answer, would_owe_cents: cents },
  }),
  approve: call.changes('approve', ['复核通过', 'Check a charge'], {
    answer: { ...answer, debt_cents: cents },
  }),
  reject: call.changes('reject', ['驳回', 'Reject a charge'], { fields: { reason: why }, answer }),
  reverse: call.changes('reverse', ['冲销', 'Reverse a charge'], {
    fields: { reason: why },
    answer,
  }),
  remind: call.changes('remind', ['催缴欠款', 'Remind of a debt'], { answer }),
  refundDeposit: call.changes('refundDeposit', ['退还保证金', 'Give a deposit back'], {
    fields: { reason: why },
    answer: { ...answer, no: z.string() },
  }),
  ...importCalls(call, rows, {
    title: ['导入银行回单', 'Import bank slips'],
    touches: [rows],
  }),
  export: call.startsExport('export', ['导出充值与扣费', 'Export charges'], { filters }),
}
