import { z } from 'zod'
import {
  batchKinds,
  BATCH_MOST,
  lineFaults,
  secretStates,
  type LineFault,
} from '#src/areas/ecard/code.ts'
import {
  cardTypes,
  codeSources,
  codeStates,
  giftStates,
  type CodeState,
} from '#src/areas/ecard/ecard.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  page,
  revealed,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

const state = keysOf<CodeState>(codeStates)
const count = z.int().min(0)
export const codeRow = z.object({
  id,
  card_id: id,
  attr_id: id,
  batch_no: z.string(),
  card_no: guarded('ecard.card_no', z.string()),
  state,
  before_freeze: state.nullable(),
  face_cents: cents,
  balance_cents: cents,
  channel_name: z.string(),
  order_id: id.nullable(),
  order_no: z.string(),
  holder_id: id.nullable(),
  holder: z.string(),
  phone: guarded('member.phone', z.string()),
  gift_state: keysOf(giftStates),
  shown_at: unix.nullable(),
  sold_at: unix.nullable(),
  activated_at: unix.nullable(),
  valid_until: unix.nullable(),
  frozen_by_name: z.string(),
  frozen_at: unix.nullable(),
  reason: z.string(),
  created_at: unix,
  version,
})
export type CodeRow = z.output<typeof codeRow>
export const batchRow = z.object({
  id,
  card_id: id,
  batch_no: z.string(),
  kind: keysOf(batchKinds),
  face_cents: cents,
  qty: count,
  done: count,
  bad_n: count,
  errors: z.array(z.object({ line: z.int(), fault: keysOf<LineFault>(lineFaults) })),
  reason: z.string(),
  by: z.string(),
  secrets: keysOf(secretStates),
  asked_by: id.nullable(),
  asker: z.string(),
  asked_reason: z.string(),
  created_at: unix,
  version,
})
export type BatchRow = z.output<typeof batchRow>
/** How many codes there are of each state. */
const stat = z.partialRecord(state, count)

const filters = {
  card_id: id,
  attr_id: id.optional(),
  state: state.optional(),
  batch_no: searched(24).optional(),
  /** A whole card number, or its last four signs. */
  keyword: searched(24).optional(),
}
const touches = ['ecard_code', 'ecard_attr', 'ecard_batch']
const call = callsOf('ecard/list/code', { touches, rows: 'ecard_code' })
const batch = callsOf('ecard/list/code', { touches, rows: 'ecard_batch' })
const view = 'ecard.list.code.view'
const face = placed('ecard_code', { attr_id: 'ecard_attr' })
/** Few codes are done at once; of many there is a job. */
const worked = { done: count, job_id: id.nullable() }
/** 50,000 lines of a number and a secret, as base64 in JSON. */
const FILE_MAX = 5 * 1024 * 1024

/** The stock of one card's codes: what was made and imported, and what became of it. */
export const codes = {
  lst: call.lists('lst', ['电子卡卡密', 'Codes of an e-card'], {
    filters,
    row: codeRow,
    scope: placed('ecard_code', { card_id: 'ecard' }),
  }),
  /** The card, its faces, and how many codes there are of each state. */
  stock: call.read('stock', ['卡密库存', 'Stock of a card'], {
    input: z.object({ card_id: id, attr_id: id.optional() }),
    output: z.object({
      id,
      name: z.string(),
      type: keysOf(cardTypes),
      source: keysOf(codeSources),
      faces: z.array(z.object({ id, face_cents: cents, free_n: count, sold_n: count })),
      stat,
    }),
    touches: [...touches, 'ecard'],
    permit: view,
    scope: placed('ecard', { card_id: 'ecard' }),
  }),
  /** Cards by name or number: whose codes are meant. */
  cards: call.read('cards', ['查找电子卡', 'Find an e-card'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(
      z.object({ id, name: z.string(), type: keysOf(cardTypes), free_n: count, sold_n: count }),
    ),
    touches: ['ecard'],
    permit: view,
    scope: placed('ecard'),
  }),
  faces: call.read('faces', ['可选面值', 'Faces of a card'], {
    input: z.object({ ...page, card_id: id, keyword: searched(40).optional() }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['ecard_attr'],
    permit: view,
    scope: placed('ecard_attr', { card_id: 'ecard' }),
  }),
  /** The moves of a code's money, the oldest first; their sum is what is left. */
  trail: call.read('trail', ['卡密流转记录', 'History of a code'], {
    input: z.object({ id }),
    output: z.object({
      face_cents: cents,
      balance_cents: cents,
      spent_cents: cents,
      list: z.array(
        z.object({
          id: z.string(),
          at: unix,
          what: z.string(),
          amount_cents: cents.nullable(),
          balance_after_cents: cents.nullable(),
          by: z.string(),
          note: z.string(),
        }),
      ),
    }),
    permit: view,
    scope: placed('ecard_code', 'id'),
  }),
  generate: call.write('generate', ['生成卡密', 'Make codes'], {
    input: z.object({ attr_id: id, count: z.int().min(1).max(BATCH_MOST), reason }),
    output: z.object({ id, batch_no: z.string(), ...worked }),
    touches: [...touches, 'job'],
    scope: face,
  }),
  importCodes: call.write('importCodes', ['导入卡密', 'Import codes'], {
    input: z.object({ attr_id: id, reason, secret_file: z.base64().min(1).max(FILE_MAX) }),
    output: z.object({ id, batch_no: z.string(), bad: count, ...worked }),
    touches: [...touches, 'job'],
    scope: face,
    body_max: FILE_MAX + 4096,
  }),
  freeze: call.changes('freeze', ['冻结卡密', 'Freeze a code'], { fields: { reason } }),
  unfreeze: call.changes('unfreeze', ['解冻卡密', 'Unfreeze a code'], { fields: { reason } }),
  void: call.changes('void', ['作废卡密', 'Void a code'], { fields: { reason } }),
  extend: call.changes('extend', ['延长卡密有效期', 'Extend a code'], {
    fields: { until: unix, reason },
  }),
  revealSecret: call.write('revealSecret', ['查看卡密', 'Reveal a secret'], {
    input: z.object({ id, reason }),
    output: z.object({ id, secret_code: z.string(), ...revealed }),
    touches: ['field_key', 'ecard_code'],
  }),
  export: call.startsExport('export', ['导出卡密', 'Export codes'], {
    filters,
    scope: placed('ecard_code', { card_id: 'ecard' }),
  }),
}
/** Batches of a card's codes, and the encrypted file of one, for which it takes two people. */
export const codeBatches = {
  lst: batch.lists('batches', ['卡密批次', 'Batches of codes'], {
    filters: { card_id: id },
    row: batchRow,
    permit: view,
    scope: placed('ecard_batch', { card_id: 'ecard' }),
  }),
  stat: batch.read('batchStat', ['批次数量', 'Codes of a batch'], {
    input: z.object({ id }),
    output: z.object({ stat }),
    permit: view,
    scope: placed('ecard_batch', 'id'),
  }),
  batchVoid: batch.changes('batchVoid', ['批量作废批次', 'Void a batch'], {
    fields: { reason },
    answer: { skipped: count, ...worked },
    touches: [...touches, 'job'],
  }),
  askSecrets: batch.changes('askSecrets', ['申请导出卡密明文', 'Request a secrets file'], {
    fields: { reason },
  }),
  agreeSecrets: batch.changes('agreeSecrets', ['复核卡密导出', 'Approve a secrets file'], {
    fields: { agree: z.boolean(), reason },
  }),
  fetchSecrets: batch.changes('fetchSecrets', ['加密导出卡密', 'Export secrets encrypted'], {
    answer: {
      rows: count,
      left: count,
      name: z.string(),
      secret_file: z.string(),
      secret_password: z.string(),
    },
  }),
}
