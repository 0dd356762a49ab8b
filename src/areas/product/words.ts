import type { ObjectWord, FieldWord } from '#src/areas/log/objectWord.ts'
import { fieldNames } from './fields.ts'
import { offerKinds, productStates } from './product.ts'

/** The fields of an offer, which its audit task tells of too. */
export const offerFields: Readonly<Record<string, FieldWord>> = {
  ...Object.fromEntries(Object.entries(fieldNames).map(([key, title]) => [key, { title }])),
  kind: { title: fieldNames.kind, kind: 'enum', options: offerKinds },
  category_id: { title: fieldNames.category_id, kind: 'name', of: 'category' },
  brand_id: { title: fieldNames.brand_id, kind: 'name', of: 'brand' },
  store_ids: { title: fieldNames.store_ids, kind: 'names', of: 'store' },
  images: { title: fieldNames.images, kind: 'list' },
  tags: { title: fieldNames.tags, kind: 'list' },
  unavailable_dates: { title: fieldNames.unavailable_dates, kind: 'list' },
  commission_bp: { title: fieldNames.commission_bp, kind: 'percent' },
  need_booking: { title: fieldNames.need_booking, kind: 'flag' },
  group_leader_free: { title: fieldNames.group_leader_free, kind: 'flag' },
  transferable: { title: fieldNames.transferable, kind: 'flag' },
  combinable: { title: fieldNames.combinable, kind: 'flag' },
}
/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  product: {
    title: ['商品', 'Product'],
    fields: {
      ...offerFields,
      state: { title: ['状态', 'State'], kind: 'enum', options: productStates },
      off_reason: { title: ['下架原因', 'Why off sale'] },
      sku: { title: ['规格', 'Variant'] },
      prices: { title: ['售价', 'Prices'], kind: 'list' },
      live_version: { title: ['线上版本', 'Live version'], kind: 'number' },
    },
  },
}
