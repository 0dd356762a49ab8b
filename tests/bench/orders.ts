import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { goodsStages, type OrderKind } from '#src/areas/order/order.ts'
import type { OrderPage } from '#src/modules/order/contract/shared.ts'
import type { OrderFilters } from '#src/modules/order/server/where.ts'

/** The lists of orders and the kind that each holds. */
export const orderLists: Readonly<Record<OrderPage, OrderKind>> = {
  visitor: 'visitor',
  bulks: 'bulks',
  rollBuy: 'roll_buy',
  card: 'card',
  voucher: 'voucher',
  goods: 'goods',
  elist: 'elist',
  raiseList: 'raise',
  combo: 'combo',
  pointsShopList: 'points',
  ecard: 'ecard',
}
/** What the lists' filters look into, and what grows with orders. */
export const grows = [
  'order',
  'order_item',
  'order_code',
  'verify_record',
  'refund',
  'shipment',
  'payment',
]

const DAY = 86_400
/** The quick filters and tabs that a page offers, as they stand in its file. */
const onPage = (page: OrderPage) => {
  const text = readFileSync(
    join(import.meta.dirname, `../../src/modules/order/pages/${page}.tsx`),
    'utf8',
  )
  const keys = (what: string) =>
    [...(new RegExp(`${what}=\\{\\[([^\\]]*)\\]`).exec(text)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
      one => one[1]!,
    )
  return {
    tabs: keys('tabs'),
    quick: keys('quick'),
    stages: /all: goodsStages/.test(text) ? Object.keys(goodsStages) : [],
    has: (filter: keyof OrderFilters) => text.includes(`by="${filter}"`),
    tags: text.includes('<TagChoice'),
  }
}
type Some = {
  id: number
  order_no: string
  city_id: number
  mall_id: number
  store_id: number
  merchant_id: number
  source: string
  at: string
  paid: string | null
  phone: string | null
  code: string | null
  tracking: string | null
  refund_no: string | null
  group_no: string | null
  title: string
  product_id: number
  store_name: string
  face: string | null
  combo_id: number | null
  batch_id: number | null
}
/**
 * Everything that a list of orders can be asked for, one of each kind of filter; the values are of
 * an order that is there.
 */
export const askedOfOrders = async (
  pool: pg.Pool,
  page: OrderPage,
): Promise<Record<string, OrderFilters>> => {
  const {
    rows: [some],
  } = await pool.query<Some>(
    `
    select o.id, o.order_no, o.city_id, o.mall_id, o.store_id, o.merchant_id, o.source, o.created_at at, o.paid_at paid, m.phone, (select code from order_code c where c.order_id = o.id limit 1) code, (select tracking_no from shipment s where s.order_id = o.id limit 1) tracking, (select refund_no from refund r where r.order_id = o.id limit 1) refund_no,
      (select group_no from roll_group g where g.id = o.roll_group_id) group_no, i.title, i.product_id, s.name store_name, i.snapshot->>'face_cents' face, o.combo_id, o.raise_batch_id batch_id
    from (select * from "order" where kind = $1 and paid_at is not null order by created_at desc, id limit 1 offset 7) o left join member m on m.id = o.member_id join store s on s.id = o.store_id join order_item i on i.order_id = o.id limit 1`,
    [orderLists[page]],
  )
  if (!some) throw new Error(`there is no order of ${page}`)
  const [at, paid] = [Number(some.at), Number(some.paid)]
  const { tabs, quick, stages, has, tags } = onPage(page)
  if (tabs.length + stages.length === 0 || quick.length === 0)
    throw new Error(`what ${page} offers is not read from its file any more`)
  return {
    'no filter': {},
    'a city': { city_id: some.city_id },
    'a mall': { mid: some.mall_id },
    'a store': { store_id: some.store_id },
    'a merchant': { merchant_id: some.merchant_id },
    'a product': { product_id: some.product_id },
    ...(tags && { 'a tag': { tag: '投诉' } }),
    '30 days': { from: at - 30 * DAY, to: at },
    'paid in 30 days': { paid_from: paid - 30 * DAY, paid_to: paid },
    'a city, to 30 days': { city_id: some.city_id, from: at - 30 * DAY, to: at },
    ...(some.face && { 'a face': { face_cents: Number(some.face) } }),
    ...(some.combo_id && { 'a bundle': { combo_id: some.combo_id } }),
    ...(some.batch_id && { 'a campaign': { batch_id: some.batch_id } }),
    ...(has('source') && { 'a source': { source: some.source as 'h5' } }),
    ...(has('points_kind') && { 'a kind of exchange': { points_kind: 'voucher' as const } }),
    ...(has('card_id') && { 'a card': { card_id: 1 } }),
    'its number': { q: some.order_no },
    'a phone of none': { q: '13000000000' },
    'four digits': { q: '0417' },
    ...(some.phone && {
      'its phone': { q: some.phone },
      'its last four': { q: some.phone.slice(-4) },
    }),
    ...(some.code && { 'its code': { q: some.code } }),
    ...(some.tracking && { 'its parcel': { q: some.tracking } }),
    ...(some.refund_no && { 'its refund': { q: some.refund_no } }),
    ...(some.group_no && { 'its group': { q: some.group_no } }),
    'a product’s words': { q: some.title.slice(0, 6) },
    'a word of many products': { q: some.title.slice(0, 2) },
    'a store’s words': { q: some.store_name.slice(0, 4) },
    'words of none': { q: '绝无此物' },
    'two lines': { q: `${some.order_no}\n${some.phone ?? '13000000000'}` },
    ...Object.fromEntries(tabs.map(status => [`tab ${status}`, { status: status as 'all' }])),
    ...Object.fromEntries(stages.map(stage => [`tab ${stage}`, { stage: stage as 'all' }])),
    ...Object.fromEntries(quick.map(one => [`quick ${one}`, { quick: one as 'frozen' }])),
    ...Object.fromEntries(
      tabs
        .slice(0, 3)
        .map(status => [
          `a store, tab ${status}`,
          { status: status as 'all', store_id: some.store_id },
        ]),
    ),
    ...Object.fromEntries(
      quick
        .slice(0, 2)
        .map(one => [`a city, quick ${one}`, { quick: one as 'frozen', city_id: some.city_id }]),
    ),
  }
}
