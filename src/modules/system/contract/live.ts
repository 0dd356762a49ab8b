import { z } from 'zod'
import {
  COUPONS_MAX,
  SHELF_MAX,
  liveChannels,
  liveStates,
  liveTabs,
  noticeStates,
  replayStates,
  type LiveChannelKind,
  type LiveState,
  type LiveTab,
  type NoticeState,
  type ReplayState,
} from '#src/areas/broadcast/broadcast.ts'
import { placed, read, write, type Write } from '#src/contract/call.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  lines,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'

const [channel, state, replay_state] = [
  keysOf<LiveChannelKind>(liveChannels),
  keysOf<LiveState>(liveStates),
  keysOf<ReplayState>(replayStates),
]
const mid = z.int().min(0).max(2147483647)
const money = guarded('stat.amount_cents', cents)

export const liveRow = z.object({
  id,
  title: z.string(),
  channel,
  room_no: z.string(),
  host_id: id,
  host_name: z.string(),
  host_wechat: z.string(),
  cover: z.string(),
  city_id: id,
  city_name: z.string(),
  mid,
  mall_name: z.string(),
  start_at: unix,
  end_at: unix,
  state,
  state_reason: z.string().nullable(),
  replay_state,
  replay_url: z.string(),
  recommended: z.boolean(),
  products: z.int(),
  /** What the channel says; null where it says nothing. */
  viewers: z.int().nullable(),
  peak: z.int().nullable(),
  /** Counted from clicks and orders. */
  product_clicks: z.int(),
  paid_orders: z.int(),
  gmv_cents: money,
  refund_bp: z.int().nullable(),
  subscribers: z.int(),
  notices: z.record(keysOf<NoticeState>(noticeStates), z.int()),
  /** The channel has yet to hear of the room as it stands. */
  untold: z.boolean(),
  synced_at: unix.nullable(),
  sync_failed_at: unix.nullable(),
  sync_error: z.string().nullable(),
  version,
})
export type LiveRow = z.output<typeof liveRow>
const filters = {
  keyword: searched(34).optional(),
  city_id: id.optional(),
  mid: mid.optional(),
  host_id: id.optional(),
}
const tab = keysOf<LiveTab>(liveTabs).default('planned')
/** A product on the shelf of a room; `id` is the product's. */
export const shelfRow = z.object({
  id,
  room_id: id,
  room_version: version,
  room_state: state,
  title: z.string(),
  image: z.string(),
  product_state: z.string(),
  normal_cents: cents,
  price_cents: cents,
  stock: z.int(),
  remaining: z.int(),
  available: z.int(),
  clicks: z.int(),
  sold: z.int(),
  explained_at: unix.nullable(),
  fault: z.string().nullable(),
})
export type ShelfRow = z.output<typeof shelfRow>
const one = { id, version }
const changed = z.object({ id, version })
const why = lines(255, 2)
const rooms = ['live_room'] as const
const stocks = ['live_room', 'product'] as const

export const live = {
  lst: read('system/live/lst', ['直播间列表', 'Live rooms'], {
    input: z.object({ ...page, ...filters, tab }),
    output: listOf(liveRow),
    touches: ['live_room', 'order'],
    scope: placed('live_room'),
    permit: 'system.live.view',
  }),
  counts: read('system/live/counts', ['直播间计数', 'Counts of live rooms'], {
    input: z.object(filters),
    output: z.object({
      counts: z.record(keysOf<LiveTab>(liveTabs), z.int()),
      channel: z.enum(['wechat', 'embedded', 'none']),
      told_by_sms: z.boolean(),
    }),
    touches: rooms,
    scope: placed('live_room'),
    permit: 'system.live.view',
  }),
  hosts: read('system/live/hosts', ['直播主播', 'Hosts'], {
    input: z.object({ ...page, keyword: searched(32).optional() }),
    output: listOf(
      z.object({
        id,
        name: z.string(),
        wechat: z.string(),
        verified: z.boolean(),
        status: z.enum(['on', 'off']),
      }),
    ),
    touches: rooms,
    scope: 'all',
    permit: 'system.live.view',
  }),
  shelf: read('system/live/shelf', ['直播货架', 'Shelf of a room'], {
    input: z.object({
      id,
      ...page,
      pageSize: z.int().min(1).max(SHELF_MAX).default(SHELF_MAX),
      keyword: searched(60).optional(),
    }),
    output: z.object({ ...listOf(shelfRow).shape, list_version: z.int() }),
    touches: ['live_room', 'product', 'order'],
    scope: placed('product', { id: 'live_room' }),
    permit: 'system.live.view',
  }),
  /** Asks the channel now what the timer asks every two minutes. */
  syncRooms: write('system/live/syncRooms', ['同步直播间', 'Sync live rooms'], {
    input: z.object({}),
    output: z.object({
      channel: z.enum(['wechat', 'embedded', 'none']),
      rooms: z.int(),
      failed: z.string().nullable(),
    }),
    touches: stocks,
    scope: 'all',
    permit: 'system.live.syncRooms',
    quiet: true,
    apart: true,
  }),
  setRecommend: write('system/live/setRecommend', ['设置推荐位', 'Recommend a room'], {
    input: z.object(one),
    output: changed,
    touches: rooms,
    scope: placed('live_room', 'id'),
    permit: 'system.live.setRecommend',
    undo: { call: (): Write => live.cancelRecommend, input: done => done, seconds: 600 },
  }),
  cancelRecommend: write('system/live/cancelRecommend', ['取消推荐', 'Remove from recommended'], {
    input: z.object(one),
    output: changed,
    touches: rooms,
    scope: placed('live_room', 'id'),
    permit: 'system.live.cancelRecommend',
    undo: { call: (): Write => live.setRecommend, input: done => done, seconds: 600 },
  }),
  pushProduct: write('system/live/pushProduct', ['讲解商品', 'Show a product'], {
    input: z.object({ ...one, product_id: id }),
    output: changed,
    touches: rooms,
    scope: placed('live_room', 'id'),
    permit: 'system.live.pushProduct',
  }),
  publishReplay: write('system/live/publishReplay', ['发布回放', 'Publish the replay'], {
    input: z.object(one),
    output: changed,
    touches: rooms,
    scope: placed('live_room', 'id'),
    permit: 'system.live.publishReplay',
  }),
  hideReplay: write('system/live/hideReplay', ['隐藏回放', 'Hide the replay'], {
    input: z.object({ ...one, reason: why }),
    output: changed,
    touches: rooms,
    scope: placed('live_room', 'id'),
    permit: 'system.live.hideReplay',
  }),
  cancel: write('system/live/cancel', ['取消直播', 'Cancel a room'], {
    input: z.object({ ...one, reason: why }),
    output: z.object({ id, version, told: z.int() }),
    touches: stocks,
    scope: placed('live_room', 'id'),
    permit: 'system.live.cancel',
  }),
  del: write('system/live/del', ['删除直播间', 'Delete a room'], {
    input: z.object(one),
    output: z.object({ id, deleted: z.literal(true) }),
    touches: stocks,
    scope: placed('live_room', 'id'),
    permit: 'system.live.del',
  }),
  export: write('system/live/export', ['导出直播数据', 'Export live rooms'], {
    input: z.object({ ...filters, tab, ...asksExport() }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('live_room'),
    permit: 'system.live.export',
  }),
}

const fields = {
  title: text(34),
  channel,
  host_id: id,
  cover: text(255, 0).default(''),
  share_image: text(255, 0).default(''),
  background: text(255, 0).default(''),
  start_at: unix,
  end_at: unix,
  city_id: id,
  mid: mid.default(0),
  coupon_ids: z.array(id).max(COUPONS_MAX).default([]),
  comments_on: z.boolean().default(true),
  goods_on: z.boolean().default(true),
}
export const liveEdit = {
  detail: read('system/live/edit/detail', ['直播间详情', 'A live room'], {
    input: z.object({ id }),
    output: z.object({
      ...liveRow.shape,
      share_image: z.string(),
      background: z.string(),
      coupon_ids: z.array(id),
      coupons: z.array(z.object({ id, name: z.string() })),
      comments_on: z.boolean(),
      goods_on: z.boolean(),
    }),
    touches: ['live_room', 'order'],
    scope: placed('live_room', 'id'),
    permit: 'system.live.edit.view',
  }),
  /** Products that a room of the place can sell. */
  products: read('system/live/edit/products', ['可选商品', 'Products to choose'], {
    input: z.object({ id, keyword: searched(60).optional(), ...page }),
    output: listOf(z.object({ id, title: z.string(), price_cents: cents, available: z.int() })),
    touches: ['product', 'live_room'],
    scope: placed('product', { id: 'live_room' }),
    permit: 'system.live.edit.view',
  }),
  coupons: read('system/live/edit/coupons', ['可选优惠券', 'Coupons to choose'], {
    input: z.object({ city_id: id.optional(), keyword: searched(40).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['coupon'],
    scope: placed('coupon'),
    permit: 'system.live.edit.view',
  }),
  /** Without an id a draft is made. */
  save: write('system/live/edit/save', ['保存直播间', 'Save a room'], {
    input: z.object({ id: id.optional(), version: version.optional(), ...fields }),
    output: changed,
    touches: rooms,
    scope: placed('live_room', 'id'),
    permit: 'system.live.edit.save',
  }),
  submit: write('system/live/edit/submit', ['提交到直播平台', 'Submit a room'], {
    input: z.object(one),
    output: changed,
    touches: stocks,
    scope: placed('live_room', 'id'),
    permit: 'system.live.edit.submit',
  }),
  addProducts: write('system/live/edit/addProducts', ['添加直播商品', 'Add products'], {
    input: z.object({ ...one, product_ids: z.array(id).min(1).max(SHELF_MAX) }),
    output: changed,
    touches: stocks,
    scope: placed('live_room', 'id'),
    permit: 'system.live.edit.addProducts',
  }),
  sortProducts: write('system/live/edit/sortProducts', ['直播商品排序', 'Arrange products'], {
    input: z.object({ id, order: z.array(id).max(SHELF_MAX), list_version: z.int() }),
    output: z.object({ list_version: z.int() }),
    touches: rooms,
    scope: placed('live_room', 'id'),
    permit: 'system.live.edit.sortProducts',
  }),
  setLivePrice: write('system/live/edit/setLivePrice', ['设置直播价', 'Set the live price'], {
    input: z.object({
      ...one,
      product_id: id,
      price_cents: cents,
      stock: z.int().min(0).max(10_000_000),
    }),
    output: changed,
    touches: stocks,
    scope: placed('live_room', 'id'),
    permit: 'system.live.edit.setLivePrice',
  }),
  removeProduct: write('system/live/edit/removeProduct', ['移除直播商品', 'Take a product off'], {
    input: z.object({ ...one, product_id: id }),
    output: changed,
    touches: stocks,
    scope: placed('live_room', 'id'),
    permit: 'system.live.edit.removeProduct',
  }),
}
