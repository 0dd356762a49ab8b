import { z } from 'zod'
import {
  facilityGroups,
  facilityScopes,
  type FacilityGroup,
  type FacilityScope,
} from '#src/areas/merchant/facility.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason, status } from '#src/contract/record.ts'
import {
  batchResult,
  id,
  keysOf,
  keyText,
  listOf,
  page,
  searched,
  text,
  version,
} from '#src/contract/shapes.ts'

const group = keysOf<FacilityGroup>(facilityGroups)
const scope = keysOf<FacilityScope>(facilityScopes)
export const facilityRow = z.object({
  id,
  name: z.string(),
  icon: z.string(),
  group,
  scope,
  sort: z.int(),
  status,
  /** How many have it, as far as the person sees them. */
  store_count: z.int(),
  mall_count: z.int(),
  version,
})
export type FacilityRow = z.output<typeof facilityRow>
const holder = z.enum(['store', 'mall'])
/** A store or a mall beside a facility that it has, or might have. */
export const holderRow = z.object({
  id,
  facility_id: id,
  of: holder,
  name: z.string(),
  place: z.string(),
  marked: z.boolean(),
})
export type HolderRow = z.output<typeof holderRow>
const fields = { name: text(8), icon: keyText(255), group, scope }
const some = z.array(id).max(500).default([])
const marks = { facility_id: id, store_ids: some, mall_ids: some }
const call = callsOf('shop/facility', { touches: ['facility'], rows: 'all' })
const marking = {
  input: z.object(marks),
  output: batchResult,
  touches: ['facility'],
  scope: placed('store', { store_ids: 'store', mall_ids: 'mall' }),
}

/** What stores and malls offer besides, in the order of the filter. */
export const shopFacility = {
  lst: call.read('lst', ['门店设施', 'Facilities'], {
    input: z.object({}),
    output: z.object({ list: z.array(facilityRow), list_version: z.int() }),
    scope: placed('store'),
    permit: 'shop.facility.view',
  }),
  /** Stores, or malls, with or without a facility. */
  holders: call.read('holders', ['设施的门店与商场', 'Stores and malls of a facility'], {
    input: z.object({
      ...page,
      facility_id: id,
      of: holder,
      marked: z.boolean(),
      keyword: searched(40).optional(),
    }),
    output: listOf(holderRow),
    touches: ['facility', 'store', 'mall'],
    scope: placed('store'),
    permit: 'shop.facility.view',
  }),
  /** Facilities that another may be merged into. */
  targets: call.read('targets', ['可合并到的设施', 'Facilities to merge into'], {
    input: z.object({ ...page, id, keyword: searched(20).optional() }),
    output: listOf(z.object({ id, name: z.string() })),
    permit: 'shop.facility.view',
  }),
  create: call.creates('create', ['新增设施', 'Create a facility'], { fields }),
  edit: call.changes('edit', ['编辑设施', 'Edit a facility'], { fields }),
  del: call.deletes('del', ['删除设施', 'Delete a facility']),
  sort: call.sorts('sort', ['调整设施顺序', 'Arrange facilities'], { fields: {} }),
  show: call.changes('show', ['展示设施', 'Show a facility']),
  hide: call.changes('hide', ['隐藏设施', 'Hide a facility']),
  /** Its stores and malls have the target then, each once. */
  merge: call.changes('merge', ['合并设施', 'Merge a facility'], {
    fields: { target_id: id, reason },
    answer: { moved: z.int(), had: z.int() },
  }),
  batchTagStores: call.write('batchTagStores', ['批量标注设施', 'Mark selected'], marking),
  batchUntagStores: call.write('batchUntagStores', ['批量取消标注', 'Unmark selected'], marking),
}
