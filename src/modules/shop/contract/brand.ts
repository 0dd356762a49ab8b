import { z } from 'zod'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
import { batchResult, id, keysOf, searched, version } from '#src/contract/shapes.ts'

const named = z.object({ id, name: z.string() })
/** A brand in use, and how many stores of the reader's places are of it. */
export const mappedBrand = z.object({
  ...named.shape,
  en_name: z.string(),
  logo: z.string(),
  company: z.string(),
  stores: z.int(),
  /** Stores without a brand that are called like it. */
  suggested: z.int(),
})
export type MappedBrand = z.output<typeof mappedBrand>
/** A store, the brand that it is of, and the one that it may be of by its name. */
export const mappedStore = z.object({
  ...named.shape,
  merchant_name: z.string(),
  city_name: z.string(),
  mall_name: z.string(),
  status: keysOf<StoreState>(storeStates),
  /** The brand that it is of; a store of a disabled brand (`is_on`) has none in use. */
  brand: z.object({ ...named.shape, is_on: z.boolean() }).nullable(),
  suggestion: z.object({ ...named.shape, percent: z.int() }).nullable(),
  /** The brand that was asked with. */
  chosen: named.nullable(),
  version,
})
export type MappedStore = z.output<typeof mappedStore>
/** Which stores: without a brand, those of them for which one is suggested, or those of a brand. */
export const mappedShows = ['free', 'suggested', 'bound'] as const

/** What a store had before it was given a brand. */
const was = z.object({ id, was: id.nullable() })
const stores = z.array(z.object(one)).min(1).max(200)
const many = z.object({ ...batchResult.shape, given: z.array(was) })
const byStores = placed('store', { 'stores.id': 'store' })
const call = callsOf('shop/brand', { touches: ['store', 'brand'], rows: 'store' })
const view = 'shop.brand.view'
const UNDO_SECONDS = 600

const takeBack = call.write('takeBack', ['撤销品牌归属', 'Undo a brand assignment'], {
  input: z.object({
    stores: z
      .array(z.object({ id, brand_id: id, was: id.optional() }))
      .min(1)
      .max(200),
  }),
  output: batchResult,
  scope: byStores,
  permit: view,
})
const recall = call.write('recall', ['恢复建议', 'Suggest it again'], {
  input: z.object({ id, brand_id: id }),
  output: z.object({ id }),
  permit: 'shop.brand.ignoreSuggestion',
})
type Given = { id: number; was: number | null }
const asSent = ({ id: store, was: had }: Given, brand_id: number) => ({
  id: store,
  brand_id,
  ...(had !== null && { was: had }),
})

/** Which store is of which brand. */
export const shopBrand = {
  brands: call.lists('brands', ['品牌与门店数', 'Brands and their stores'], {
    filters: { keyword: searched(64).optional() },
    row: mappedBrand,
    scope: placed('store'),
    permit: view,
  }),
  stores: call.lists('stores', ['品牌门店', 'Stores and their brands'], {
    filters: {
      show: z.enum(mappedShows).default('free'),
      brand_id: id.optional(),
      keyword: searched(40).optional(),
    },
    row: mappedStore,
    permit: view,
  }),
  /** How many stores have no brand, and for how many of them one is suggested. */
  counts: call.read('counts', ['无品牌门店数', 'Stores without a brand'], {
    input: z.object({}),
    output: z.object({ free: z.int(), suggested: z.int() }),
    permit: view,
  }),
  /** Brands that stores may be given. */
  pick: call.lists('pick', ['选择品牌', 'Choose a brand'], {
    filters: { keyword: searched(64).optional() },
    row: z.object({ ...named.shape, company: z.string() }),
    touches: ['brand'],
    scope: 'all',
    permit: view,
  }),
  bind: call.write('bind', ['归属到品牌', 'Assign a brand to stores'], {
    input: z.object({ stores, brand_id: id }),
    output: many,
    scope: byStores,
    undo: {
      call: () => takeBack,
      seconds: UNDO_SECONDS,
      input: ({ given }, { brand_id }) =>
        given.length > 0 ? { stores: given.map(one => asSent(one, brand_id)) } : undefined,
    },
  }),
  unbind: call.write('unbind', ['解除品牌归属', 'Remove the brand of stores'], {
    input: z.object({ stores, reason }),
    output: batchResult,
    scope: byStores,
  }),
  /** The brand that was suggested; refused where that is another one now. */
  acceptSuggestion: call.write('acceptSuggestion', ['采纳品牌建议', 'Accept a suggestion'], {
    input: z.object({ ...one, brand_id: id }),
    output: z.object({ ...one, was: id.nullable() }),
    undo: {
      call: () => takeBack,
      seconds: UNDO_SECONDS,
      input: (done, { brand_id }) => ({ stores: [asSent(done, brand_id)] }),
    },
  }),
  batchAccept: call.write('batchAccept', ['批量采纳品牌建议', 'Accept suggestions'], {
    input: z.object({
      stores: z
        .array(z.object({ ...one, brand_id: id }))
        .min(1)
        .max(200),
    }),
    output: many,
    scope: byStores,
    undo: {
      call: () => takeBack,
      seconds: UNDO_SECONDS,
      input: ({ given }, sent) => {
        const brandOf = new Map(sent.stores.map(one => [one.id, one.brand_id]))
        return given.length > 0
          ? { stores: given.map(one => asSent(one, brandOf.get(one.id)!)) }
          : undefined
      },
    },
  }),
  ignoreSuggestion: call.write('ignoreSuggestion', ['忽略品牌建议', 'Ignore a suggestion'], {
    input: z.object({ id, brand_id: id }),
    output: z.object({ id }),
    undo: {
      call: () => recall,
      seconds: UNDO_SECONDS,
      input: (_, sent) => sent,
    },
  }),
  takeBack,
  recall,
  export: call.startsExport('export', ['导出品牌归属', 'Export stores and brands'], {
    filters: {
      show: z.enum(['free', 'bound']).default('free'),
      brand_id: id.optional(),
      keyword: searched(40).optional(),
    },
  }),
}
