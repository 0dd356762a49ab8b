import { z } from 'zod'
import { storeStates, type StoreState } from '#src/areas/mall/mall.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf } from '#src/contract/record.ts'
import {
  callable,
  id,
  keysOf,
  listOf,
  open,
  page,
  searched,
  version,
} from '#src/contract/shapes.ts'
import {
  audited,
  facility_ids,
  hours,
  mid,
  pictures,
  pin,
  price,
  storeProfile,
} from './storeForm.ts'

const fields = {
  merchant_id: id,
  city_id: id,
  ...audited,
  phone: callable.optional(),
  hours: hours.default({ week: [], holidays: [] }),
  images: pictures.default([]),
  avg_price_cents: price.default(0),
  facility_ids: facility_ids.default([]),
}
const call = callsOf('shop/stores/add', { touches: ['store'], rows: 'store' })
const sent = { id: id.optional(), version: version.optional(), ...fields }
const scope = placed('store', {
  id: 'store',
  merchant_id: 'merchant',
  city_id: 'city',
  mid: 'mall',
})
const named = z.object({ id, name: z.string() })
const view = 'shop.stores.add.view'
const lists = 'shop.stores.view'
const picked = { ...page, keyword: searched(40).optional() }

/** A new store: a draft until it is audited. */
export const storeAdd = {
  detail: call.read('detail', ['门店草稿', 'Draft of a store'], {
    input: z.object({ id }),
    output: storeProfile,
    touches: ['store', 'application'],
    scope: placed('store', 'id'),
    permit: view,
  }),
  /** Merchants that trade, of those that the person sees. */
  merchants: call.read('merchants', ['可选商户', 'Merchants to choose'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['merchant'],
    scope: placed('merchant'),
    permit: view,
  }),
  /** Categories that stores may be of: those with none below them. */
  leaves: call.read('leaves', ['可选门店分类', 'Categories to choose'], {
    input: z.object(picked),
    output: listOf(named),
    touches: ['shop_category'],
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
  facilities: call.read('facilities', ['可选设施', 'Facilities to choose'], {
    input: z.object({}),
    output: z.object({ list: z.array(named) }),
    touches: ['facility'],
    scope: 'all',
    permit: lists,
  }),
  /** Malls of a city, and the place outside them (0). */
  malls: call.read('malls', ['可选商场', 'Malls to choose'], {
    input: z.object({ ...picked, city_id: id }),
    output: listOf(z.object({ id: mid, name: z.string() })),
    touches: ['mall'],
    scope: placed('mall', { city_id: 'city' }),
    permit: lists,
  }),
  /** What a store would have to hold, and where its mall and its city are. */
  standing: call.read('standing', ['门店选址与资质', 'Place and licences of a store'], {
    input: z.object({
      city_id: id,
      mid: mid.optional(),
      merchant_id: id.optional(),
      category_id: id.optional(),
    }),
    output: z.object({
      licences: z.array(z.object({ name: z.string(), held: z.boolean() })),
      centre: z.object({ lng_e6: z.int(), lat_e6: z.int() }),
      mall: z.object({ name: z.string(), lng_e6: z.int(), lat_e6: z.int() }).nullable(),
    }),
    touches: ['merchant', 'mall', 'shop_category'],
    scope: placed('mall', { city_id: 'city', mid: 'mall', merchant_id: 'merchant' }),
    permit: lists,
  }),
  /** Stores within 200 m, and those of the city that are called alike: everybody's. */
  checkDuplicate: call.read('checkDuplicate', ['检查重复门店', 'Check for duplicates'], {
    input: z.object({
      but: id.optional(),
      merchant_id: id.optional(),
      city_id: id.optional(),
      name: searched(40).optional(),
      address: searched(120).optional(),
      ...pin,
    }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          name: z.string(),
          address: open('A store’s own, where customers go', z.string()),
          merchant_name: z.string(),
          status: keysOf<StoreState>(storeStates),
          metres: z.int().nullable(),
          alike_bp: z.int(),
        }),
      ),
      /** The merchant's own store of this name and address, which refuses another. */
      same: named.nullable(),
    }),
    scope: 'all',
  }),
  saveDraft: call.write('saveDraft', ['保存门店草稿', 'Save a store’s draft'], {
    input: z.object(sent),
    output: z.object({ id, version }),
    touches: ['store', 'facility'],
    scope,
  }),
  /** Saves a draft and sends it to be audited. */
  submit: call.write('submit', ['提交新店审核', 'Submit a store for audit'], {
    input: z.object({
      ...sent,
      /** The pin is meant as it is, though it is far from the mall. */
      confirm_pin: z.boolean().default(false),
    }),
    output: z.object({ id, version }),
    touches: ['store', 'facility', 'application'],
    scope,
  }),
}
