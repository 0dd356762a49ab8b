import { z } from 'zod'
import { placed } from '#src/contract/call.ts'
import { callsOf } from '#src/contract/record.ts'
import { id } from '#src/contract/shapes.ts'
import { auditedShop, liveShop, pastChange, shopProfile } from './form.ts'

const call = callsOf('stores/editStores', { touches: ['store'], rows: 'store' })
const byId = placed('store', 'id')

/** A shop that is there: what holds at once, and what waits for an audit. */
export const shopEdit = {
  detail: call.read('detail', ['线上店铺资料', 'Online shop'], {
    input: z.object({ id }),
    output: shopProfile,
    touches: ['store', 'application'],
    scope: byId,
    permit: 'stores.editStores.view',
  }),
  /** Changes what buyers are told and how goods are sent, at once. */
  save: call.changes('save', ['保存网店资料', 'Save a shop'], { fields: liveShop }),
  /** Asks for another name, brand, category or rate; what is live stays until it is approved. */
  submitChange: call.changes('submitChange', ['提交网店变更', 'Submit a change of a shop'], {
    fields: auditedShop,
    touches: ['store', 'application'],
  }),
  /** Takes back what it applies for; a new shop is a draft again. */
  withdrawChange: call.changes('withdrawChange', ['撤回网店申请', 'Withdraw a shop’s change'], {
    touches: ['store', 'application'],
  }),
  /** What it applied for before, newest first. */
  viewHistory: call.read('viewHistory', ['网店变更历史', 'Changes of a shop'], {
    input: z.object({ id }),
    output: z.object({ list: z.array(pastChange) }),
    touches: ['application'],
    scope: byId,
  }),
}
