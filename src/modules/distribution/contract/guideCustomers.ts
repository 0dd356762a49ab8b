import { z } from 'zod'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { cents, id, listOf, page, searched, unix } from '#src/contract/shapes.ts'
import { bindingRow, customerCalls, filters, finds, touches } from './bindingRow.ts'

const at = 'distribution/index/guideBindingCustomer'
const call = callsOf(at, { touches, rows: 'dist_binding' })
const view = 'distribution.index.guideBindingCustomer.view'
export const guideCustomerRow = z.object({
  ...bindingRow.shape,
  /** Paid in the guide's own store and elsewhere since they were bound. */
  inside_cents: cents,
  outside_cents: cents,
})
export type GuideCustomerRow = z.output<typeof guideCustomerRow>
const { distributor_id: _, ...others } = filters
const ofGuide = { ...others, distributor_id: id }
const side = z.object({
  id,
  seller: z.string(),
  store: z.string(),
  source: bindingRow.shape.source,
  bind_at: unix,
  order_count: z.int(),
  paid_cents: cents,
})

/** The customers of one guide, for hand-over and for disputes with experts. */
export const guideCustomers = {
  ...customerCalls(at),
  lst: {
    ...call.lists('lst', ['导购客户', 'Customers of a guide'], {
      filters: ofGuide,
      row: guideCustomerRow,
      scope: placed('dist_binding', { distributor_id: 'distributor' }),
    }),
    finds,
  },
  /** Guides by their names, for whoever asks the palette for one. */
  guides: call.read('guides', ['导购', 'Guides'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(z.object({ id, name: z.string(), store: z.string(), customer_count: z.int() })),
    touches: ['distributor'],
    scope: placed('distributor'),
    permit: view,
  }),
  guide: call.read('guide', ['导购资料', 'A guide'], {
    input: z.object({ id }),
    output: z.object({ id, name: z.string(), store: z.string(), customer_count: z.int() }),
    scope: placed('distributor', 'id'),
    permit: view,
  }),
  /** The store keeps its claim to them. */
  toStorePool: call.changes('toStorePool', ['退回门店客户池', 'Back to the store'], {
    fields: { reason },
  }),
  /** Both bindings of a customer side by side, and whom an order of theirs pays. */
  compare: call.read('compare', ['查看争议绑定', 'Compare bindings'], {
    input: z.object({ id }),
    output: z.object({
      guide: side.nullable(),
      expert: side.nullable(),
      /** The guide's store, where it sells goods of others now. */
      store: z.string(),
    }),
    scope: placed('dist_binding', 'id'),
  }),
  export: {
    ...call.startsExport('export', ['导出绑定客户', 'Export customers'], {
      filters: ofGuide,
      scope: placed('dist_binding', { distributor_id: 'distributor' }),
    }),
    finds,
  },
}
