import { z } from 'zod'
import {
  BATCH_MOST,
  batchStates,
  tryStates,
  vipCodeStates,
  type BatchState,
  type VipCodeState,
} from '#src/areas/vipCard/code.ts'
import { write, placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  guarded,
  id,
  keysOf,
  keyText,
  listOf,
  mobile,
  open,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const state = keysOf<VipCodeState>(vipCodeStates)
const count = z.int().min(0)
const named = z.object({ id, name: z.string() })
export const vipBatchRow = z.object({
  id,
  batch_no: z.string(),
  card_id: id,
  card_name: z.string(),
  qty: count,
  made_n: count,
  /** How many of its numbers stand in each state. */
  stat: z.partialRecord(state, count),
  channel: z.string(),
  expire_at: unix,
  reason: z.string(),
  status: keysOf<BatchState>(batchStates),
  maker_id: id,
  maker: z.string(),
  checker: z.string(),
  decided_at: unix.nullable(),
  reject_reason: z.string(),
  exports: count,
  created_at: unix,
  version,
})
export type VipBatchRow = z.output<typeof vipBatchRow>
export const vipCodeRow = z.object({
  id,
  batch_id: id,
  batch_no: z.string(),
  card_name: z.string(),
  card_no: open('Printed on the card, and worth nothing without its secret', z.string()),
  channel: z.string(),
  member_id: id.nullable(),
  holder: z.string(),
  phone: guarded('member.phone', z.string()),
  wrong_times: count,
  locked_until: unix.nullable(),
  expire_at: unix,
  activated_at: unix.nullable(),
  status: state,
  reason: z.string(),
  version,
})
export type VipCodeRow = z.output<typeof vipCodeRow>

const batchFilters = {
  status: keysOf<BatchState>(batchStates).optional(),
  card_id: id.optional(),
}
const codeFilters = {
  status: state.optional(),
  batch_id: id.optional(),
  /** A whole number, as the customer reads it out. */
  keyword: searched(24).optional(),
}
const touches = ['vip_code_batch', 'vip_card_code']
const at = 'vip/card/manage'
const batch = callsOf(at, { touches, rows: 'vip_code_batch' })
const code = callsOf(at, { touches, rows: 'vip_card_code' })
const view = 'vip.card.manage.view'
const picked = { ...page, keyword: searched(40).optional() }
const several = z.array(id).min(1).max(200)

/** Batches of numbers: made, agreed to above a thousand, handed out. */
export const vipBatches = {
  lst: batch.lists('lst', ['制卡批次', 'Number batches'], {
    filters: batchFilters,
    row: vipBatchRow,
    answer: { stat: z.record(z.string(), z.int()) },
  }),
  plans: batch.read('plans', ['可选卡种', 'Plans to choose'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['vip_card'],
    permit: view,
    scope: 'all',
  }),
  makeBatch: batch.creates('makeBatch', ['制卡', 'Make numbers'], {
    fields: {
      card_id: id,
      quantity: z.int().min(1).max(BATCH_MOST),
      channel: text(30),
      expire_at: unix,
      reason,
    },
    answer: { waits: z.boolean() },
    touches: [...touches, 'job'],
  }),
  approveBatch: batch.changes('approveBatch', ['同意制卡', 'Agree to a batch'], {
    answer: { job_id: id },
    touches: [...touches, 'job'],
  }),
  rejectBatch: batch.changes('rejectBatch', ['驳回制卡', 'Reject a batch'], {
    fields: { reason },
  }),
  exportSecrets: batch.changes('exportSecrets', ['导出卡密', 'Export secrets'], {
    fields: { reason },
    answer: {
      rows: count,
      left: count,
      name: z.string(),
      secret_file: z.string(),
      secret_password: z.string(),
    },
  }),
  issue: batch.changes('issue', ['标记已发放', 'Mark as handed out'], {
    fields: { channel: text(30) },
    answer: { issued: count },
  }),
  extendBatch: batch.changes('extendBatch', ['批次延期', 'Extend a batch'], {
    fields: { expire_at: unix, reason },
  }),
}
/** Single numbers: looked up for a customer, held back, voided, bound to somebody else. */
export const vipCodes = {
  lst: code.lists('codes', ['会员卡号', 'Numbers'], {
    filters: codeFilters,
    row: vipCodeRow,
    permit: view,
  }),
  members: code.read('members', ['可绑定的会员', 'Members to bind to'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['member'],
    permit: 'vip.card.manage.rebind',
    scope: placed('member'),
  }),
  freeze: code.write('freeze', ['冻结卡号', 'Freeze numbers'], {
    input: z.object({ ids: several, reason }),
    output: batchResult,
    scope: placed('vip_card_code', 'ids'),
  }),
  unfreeze: code.changes('unfreeze', ['解冻卡号', 'Unfreeze a number']),
  voidCodes: code.write('voidCodes', ['作废卡号', 'Void numbers'], {
    input: z.object({ ids: several, reason }),
    output: batchResult,
    scope: placed('vip_card_code', 'ids'),
  }),
  rebind: code.changes('rebind', ['更换绑定会员', 'Bind to another member'], {
    fields: { member_id: id, reason },
    scope: placed('vip_card_code', { id: 'vip_card_code', member_id: 'member' }),
  }),
}
/** For the mini-program (docs/app-api.md): without a session, bounded by address, kept in no log. */
export const vipApp = {
  activate: write('vip/app/activate', ['激活会员卡号', 'Activate a number'], {
    input: z.object({ card_no: keyText(40, 1), secret: keyText(40, 1), phone: mobile }),
    output: z.object({ state: keysOf(tryStates) }),
    touches: ['vip_card_code', 'vip_subscription', 'vip_card_order', 'member'],
    scope: { none: 'Whoever has the secret of a number may activate it' },
    permit: 'public',
    quiet: true,
  }),
}
