import { brand } from '#src/areas/brand/brand.table.ts'
import { record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'

/** The columns that the form of a brand sets. */
export const edited = [
  'name',
  'en_name',
  'initial',
  'logo',
  'category_id',
  'company',
  'auth_category_ids',
  'auth_end_at',
  'city_ids',
] as const
/** Brands as handlers read, change and log them. */
export const brands = record(brand, {
  object: 'brand',
  label: row => row.name,
  keys: [
    ...edited,
    'trademark_no',
    'trademark_classes',
    'trademark_end_at',
    'recommended',
    'state',
    'merged_into',
  ],
  places: 'all',
})

/** Refuses a name that another brand has. */
export const taken = () =>
  ruled('name_exists', [
    '已有同名的品牌，已合并的品牌也保留名称：请并入，或另取名称',
    'A brand has that name, and merged ones keep theirs: join it, or name it otherwise',
  ])
