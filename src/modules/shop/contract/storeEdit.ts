import { z } from 'zod'
import {
  applicationKinds,
  refuseCodes,
  type ApplicationKind,
} from '#src/areas/application/application.ts'
import { auditStates, type AuditState } from '#src/areas/audit/audit.ts'
import { offerKinds } from '#src/areas/product/product.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf } from '#src/contract/record.ts'
import { callable, id, keysOf, unix } from '#src/contract/shapes.ts'
import {
  audited,
  facility_ids,
  hours,
  mid,
  pictures,
  price,
  storeProfile,
  worded,
} from './storeForm.ts'

const call = callsOf('shop/stores/edit', { touches: ['store'], rows: 'store' })
const view = 'shop.stores.edit.view'
const byId = placed('store', 'id')

/** A store in trade: what holds at once, and what waits for an audit. */
export const storeEdit = {
  detail: call.read('detail', ['门店资料', 'Store'], {
    input: z.object({ id }),
    output: storeProfile,
    touches: ['store', 'application', 'facility'],
    scope: byId,
    permit: view,
  }),
  /** Changes what customers are told, at once. */
  save: call.changes('save', ['保存门店资料', 'Save a store'], {
    fields: {
      phone: callable,
      hours,
      images: pictures,
      avg_price_cents: price,
      facility_ids,
    },
    touches: ['store', 'facility'],
  }),
  /** Asks for another name, category or place; what is live stays until it is approved. */
  submitChange: call.changes('submitChange', ['提交门店变更', 'Submit a store change'], {
    fields: { ...audited, confirm_pin: z.boolean().default(false) },
    touches: ['store', 'application'],
  }),
  /** Takes back what it applies for; a new store is a draft again. */
  withdrawChange: call.changes('withdrawChange', ['撤回门店申请', 'Withdraw a store’s change'], {
    touches: ['store', 'application'],
  }),
  /** What it applied for before, newest first. */
  viewHistory: call.read('viewHistory', ['门店变更历史', 'Changes of a store'], {
    input: z.object({ id }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          kind: keysOf<ApplicationKind>(applicationKinds),
          state: keysOf<AuditState>(auditStates),
          submitted_at: unix,
          submitter_name: z.string(),
          decided_at: unix.nullable(),
          decider_name: z.string(),
          reason_code: keysOf(refuseCodes).nullable(),
          reason: z.string(),
          changed: z.array(z.string()),
          body: worded,
          live: worded,
        }),
      ),
    }),
    touches: ['application'],
    scope: byId,
  }),
  /** What a move or another category touches: deals on sale here, and codes nobody has redeemed. */
  previewImpact: call.read('previewImpact', ['变更影响', 'Impact of a change'], {
    input: z.object({ id, category_id: id.optional(), mid: mid.optional() }),
    output: z.object({
      deals: z.array(
        z.object({
          id,
          title: z.string(),
          kind: keysOf(offerKinds),
          codes: z.int(),
          /** Whether the category that is asked about sells it. */
          fits: z.boolean(),
        }),
      ),
      on_sale: z.int(),
      codes: z.int(),
      /** Codes that no other store takes. */
      only_here: z.int(),
      /** Deals that stand in the mall of this store, and go along. */
      goes_along: z.int(),
    }),
    touches: ['product', 'order', 'store'],
    scope: byId,
  }),
}
