import { z } from 'zod'
import {
  cardStates,
  cardTypes,
  codeSources,
  refundRules,
  validTypes,
  type CardState,
  type CardType,
  type CodeSource,
  type RefundRule,
  type ValidType,
} from '#src/areas/ecard/ecard.ts'
import { suppliers, type Supplier } from '#src/areas/ecard/suppliers.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  id,
  keysOf,
  listOf,
  open,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { cardFields } from './written.ts'

const type = keysOf<CardType>(cardTypes)
const state = keysOf<CardState>(cardStates)
const named = z.object({ id, name: z.string() })
export const cardRow = z.object({
  id,
  name: z.string(),
  type,
  named: z.boolean(),
  cover: z.string(),
  supplier: z.union([keysOf<Supplier>(suppliers), z.literal('')]),
  source: keysOf<CodeSource>(codeSources),
  store_id: id,
  store_name: z.string(),
  merchant_name: z.string(),
  state,
  off_reason: z.string(),
  sort: z.int(),
  recommended: z.boolean(),
  stock_alert: z.int(),
  refund_rule: keysOf<RefundRule>(refundRules),
  valid_type: keysOf<ValidType>(validTypes),
  valid_until: unix.nullable(),
  valid_days: z.int().nullable(),
  /** Faces that are on, and all there are. */
  faces_on: z.int(),
  faces: z.int(),
  face_min_cents: cents.nullable(),
  face_max_cents: cents.nullable(),
  price_min_cents: cents.nullable(),
  free_n: z.int(),
  held_n: z.int(),
  sold: z.int(),
  /** Sold at least once, though all of it may have been refunded since. */
  was_sold: z.boolean(),
  activated: z.int(),
  /** The sum of its unspent active codes. */
  outstanding_cents: cents,
  /** Fewer codes are free than staff want to hear of. */
  low: z.boolean(),
  created_at: unix,
  version,
})
export type CardRow = z.output<typeof cardRow>
export const cardFaceRow = z.object({
  id,
  face_cents: cents,
  price_cents: cents,
  bonus_cents: cents,
  cost_cents: open('What a supplier asks for a code, no product’s', cents),
  status: z.enum(['on', 'off']),
  free_n: z.int(),
  loss_by: z.int().nullable(),
})
export const cardWhole = z.object({
  ...cardRow.shape,
  ...cardFields,
  face_list: z.array(cardFaceRow),
  malls: z.array(named),
  stores: z.array(named),
  categories: z.array(named),
  copy_from_id: z.int().nullable(),
})
export type CardWhole = z.output<typeof cardWhole>

const filters = {
  keyword: searched(40).optional(),
  status: state.optional(),
  type: type.optional(),
  mid: z.int().min(0).max(2147483647).optional(),
  /** Low on codes. */
  low: z.boolean().optional(),
  recommended: z.boolean().optional(),
}
const call = callsOf('ecard/list', { touches: ['ecard'], rows: 'ecard' })
const view = 'ecard.list.view'
const picked = { ...page, keyword: searched(40).optional() }

/** Electronic cards: what is sold, whether it stands on the shelf, and what is left of its codes. */
export const cards = {
  lst: call.lists('lst', ['电子卡列表', 'E-cards'], {
    filters,
    row: cardRow,
    answer: { stat: z.record(z.string(), z.int()), outstanding_cents: cents },
    touches: ['ecard', 'ecard_attr', 'ecard_code'],
  }),
  detail: call.read('detail', ['电子卡', 'An e-card'], {
    input: z.object({ id }),
    output: cardWhole,
    touches: ['ecard', 'ecard_attr', 'ecard_code'],
    scope: placed('ecard', 'id'),
    permit: view,
  }),
  /** Stores that trade: who may issue a card, and where one may be spent. */
  stores: call.read('stores', ['可选门店', 'Stores to choose'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['store'],
    scope: placed('store'),
    permit: view,
  }),
  categories: call.read('categories', ['可选类目', 'Categories to choose'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['shop_category', 'e_category'],
    scope: 'all',
    permit: view,
  }),
  /** All cards in the order they are shown. */
  arranged: call.read('arranged', ['电子卡顺序', 'The order of e-cards'], {
    input: z.object({}),
    output: z.object({ list: z.array(named), list_version: z.int() }),
    permit: view,
  }),
  online: call.changes('online', ['上架电子卡', 'Put an e-card on sale']),
  offline: call.changes('offline', ['下架电子卡', 'Take an e-card off sale'], {
    fields: { reason },
  }),
  copy: call.changes('copy', ['复制电子卡', 'Copy an e-card']),
  setRecommend: call.changes('setRecommend', ['设为推荐', 'Recommend an e-card']),
  cancelRecommend: call.changes('cancelRecommend', [
    '取消推荐',
    'Remove from recommended an e-card',
  ]),
  sort: call.sorts('sort', ['调整电子卡顺序', 'Arrange e-cards'], { fields: {} }),
  batchOffline: call.write('batchOffline', ['批量下架电子卡', 'Take e-cards off sale'], {
    input: z.object({ ids: z.array(id).min(1).max(100), reason }),
    output: batchResult,
    scope: placed('ecard', 'ids'),
  }),
  del: call.deletes('del', ['删除电子卡', 'Delete an e-card']),
  export: call.startsExport('export', ['导出电子卡', 'Export e-cards'], { filters }),
}
export const templateName = text(32, 2)
