import { z } from 'zod'
import { shopTypes, type ShopType } from '#src/areas/merchant/onlineShop.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf } from '#src/contract/record.ts'
import {
  basisPoints,
  id,
  keysOf,
  listOf,
  open,
  page,
  searched,
  version,
} from '#src/contract/shapes.ts'
import { hours } from '#src/modules/shop/contract/storeForm.ts'
import { auditedShop, liveShop, shopProfile } from './form.ts'

/** 0 of a flagship. */
const mid = z.int().min(0).max(2147483647)
const sent = {
  id: id.optional(),
  version: version.optional(),
  merchant_id: id,
  city_id: id,
  shop_type: keysOf<ShopType>(shopTypes),
  mid: mid.default(0),
  ...auditedShop,
  ...liveShop,
}
const call = callsOf('stores/addStores', { touches: ['store'], rows: 'store' })
const scope = placed('store', {
  id: 'store',
  merchant_id: 'merchant',
  city_id: 'city',
  mid: 'mall',
})
const named = z.object({ id, name: z.string() })
const view = 'stores.addStores.view'
const lists = 'stores.stores.view'
const picked = { ...page, keyword: searched(40).optional() }

/** A new online shop of a merchant that trades: its maker's draft until it is audited. */
export const shopAdd = {
  detail: call.read('detail', ['线上店铺草稿', 'Draft of a shop'], {
    input: z.object({ id }),
    output: shopProfile,
    touches: ['store', 'application'],
    scope: placed('store', 'id'),
    permit: view,
  }),
  /** Merchants that trade, of those that the person sees. */
  pickMerchant: call.read('pickMerchant', ['选择商户', 'Merchants to choose'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['merchant'],
    scope: placed('merchant'),
    permit: view,
  }),
  leaves: call.read('leaves', ['可选电商分类', 'Categories to choose'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['e_category'],
    scope: 'all',
    permit: lists,
  }),
  brands: call.read('brands', ['可选品牌', 'Brands to choose'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['brand'],
    scope: 'all',
    permit: lists,
  }),
  malls: call.read('malls', ['可选商场', 'Malls to choose'], {
    input: z.object({ ...picked, city_id: id }),
    output: listOf(named),
    touches: ['mall'],
    scope: placed('mall', { city_id: 'city' }),
    permit: lists,
  }),
  /** Freight templates of a merchant and of the platform. */
  templates: call.read('templates', ['可选运费模板', 'Freight templates to choose'], {
    input: z.object({ ...picked, merchant_id: id }),
    output: listOf(named),
    touches: ['freight_template'],
    scope: placed('merchant', { merchant_id: 'merchant' }),
    permit: lists,
  }),
  /** Stores of a merchant whose data a shop may begin with. */
  sources: call.read('sources', ['可带入的门店', 'Stores to take from'], {
    input: z.object({ ...picked, merchant_id: id.optional() }),
    output: listOf(named),
    touches: ['store'],
    scope: placed('store', { merchant_id: 'merchant' }),
    permit: view,
  }),
  importFromStore: call.read('importFromStore', ['从门店带入资料', 'Copy from a store'], {
    input: z.object({ store_id: id }),
    output: z.object({
      merchant_id: id,
      merchant_name: z.string(),
      city_id: id,
      name: z.string(),
      brand_id: z.int().nullable(),
      brand_name: z.string(),
      logo: z.string(),
      phone: open('A store’s own, which customers call', z.string()),
      hours,
    }),
    touches: ['store'],
    scope: placed('store', { store_id: 'store' }),
  }),
  /** What its categories ask of a merchant, and what they make it pay. */
  standing: call.read('standing', ['开店条件', 'What a shop stands on'], {
    input: z.object({
      merchant_id: id.optional(),
      category_ids: z.array(id).max(20).default([]),
      mid: mid.optional(),
      but: id.optional(),
    }),
    output: z.object({
      is_active: z.boolean(),
      licences: z.array(z.object({ name: z.string(), held: z.boolean() })),
      /** The default of the main category; null: each product its own. */
      rate_bp: basisPoints.nullable(),
      self_run: named.nullable(),
    }),
    touches: ['merchant', 'e_category', 'store'],
    scope: placed('merchant', { merchant_id: 'merchant', mid: 'mall' }),
    permit: lists,
  }),
  /** The merchant's own shop of a name, which refuses another; those of others are told. */
  checkName: call.read('checkName', ['检查重名', 'Check the name'], {
    input: z.object({ name: searched(40, 1), merchant_id: id.optional(), but: id.optional() }),
    output: z.object({
      same: named.nullable(),
      others: z.array(z.object({ id, name: z.string(), merchant_name: z.string() })),
    }),
    scope: 'all',
  }),
  saveDraft: call.write('saveDraft', ['保存网店草稿', 'Save a shop’s draft'], {
    input: z.object(sent),
    output: z.object({ id, version }),
    scope,
  }),
  /** Saves a draft and sends it to be audited. */
  submit: call.write('submit', ['提交新网店审核', 'Submit a shop for audit'], {
    input: z.object(sent),
    output: z.object({ id, version }),
    touches: ['store', 'application'],
    scope,
  }),
}
