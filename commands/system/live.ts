import { liveCan, type LiveVerb } from '#src/areas/broadcast/broadcast.ts'
import {
  live as calls,
  liveEdit as editCalls,
  liveRow,
  shelfRow,
  type LiveRow,
  type ShelfRow,
} from '#src/modules/system/contract/live.ts'
import { action, ask, to } from '../command.ts'
import { live, liveForm } from '../pages/system.ts'

const can = (verb: LiveVerb) => (row: LiveRow) => liveCan(verb, row)
const one = (rows: readonly { id: number; version: number }[]) => ({
  id: rows[0]!.id,
  version: rows[0]!.version,
})
const reason = { reason: ask.text({ label: ['原因', 'Reason'], max: 255, min: 2, lines: 2 }) }
const at = { at: live, on: liveRow, takes: 'row' } as const

export const liveActions = {
  create: action('system.live.create', {
    title: '新增直播间',
    en: 'New live room',
    key: 'c',
    at: live,
    main: true,
    permit: editCalls.save.permit,
    to: () => to(liveForm, {}),
  }),
  edit: action('system.live.open', {
    title: '编辑直播间',
    en: 'Edit the room',
    key: 'e',
    ...at,
    permit: liveForm.permit,
    to: rows => to(liveForm, { id: rows[0]!.id }),
  }),
  syncRooms: action(calls.syncRooms, {
    title: '同步直播间',
    en: 'Sync rooms',
    key: 's',
    at: live,
    main: true,
    input: () => ({}),
  }),
  pushProduct: action(calls.pushProduct, {
    title: '讲解商品',
    en: 'Show a product',
    key: 'p',
    ...at,
    when: can('pushProduct'),
    asks: {
      product: ask.entity({
        label: ['商品', 'Product'],
        find: calls.shelf,
        labelOf: (row: ShelfRow) => row.title,
        given: rows => ({ id: rows[0]!.id }),
      }),
    },
    input: (rows, asked) => ({ ...one(rows), product_id: asked.product }),
  }),
  setRecommend: action(calls.setRecommend, {
    title: '设置推荐位',
    en: 'Recommend',
    key: 'r',
    ...at,
    when: can('setRecommend'),
    input: one,
  }),
  cancelRecommend: action(calls.cancelRecommend, {
    title: '取消推荐',
    en: 'Remove from recommended',
    key: 'shift+r',
    ...at,
    when: can('cancelRecommend'),
    input: one,
  }),
  publishReplay: action(calls.publishReplay, {
    title: '发布回放',
    en: 'Publish the replay',
    key: 'b',
    ...at,
    when: can('publishReplay'),
    input: one,
  }),
  hideReplay: action(calls.hideReplay, {
    title: '隐藏回放',
    en: 'Hide the replay',
    key: 'shift+b',
    ...at,
    when: can('hideReplay'),
    asks: reason,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  getMpImg: action('system.live.getMpImg', {
    title: '生成小程序码',
    en: 'Mini-program code',
    key: 'm',
    ...at,
  }),
  copyLink: action('system.live.copyLink', {
    title: '复制直播链接',
    en: 'Copy the link',
    key: 'y',
    ...at,
  }),
  cancel: action(calls.cancel, {
    title: '取消直播',
    en: 'Cancel the session',
    key: 'shift+c',
    danger: true,
    ...at,
    when: can('cancel'),
    asks: reason,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  del: action(calls.del, {
    title: '删除直播间',
    en: 'Delete the room',
    danger: true,
    ...at,
    when: can('del'),
    input: one,
  }),
  export: action(calls.export, {
    title: '导出直播数据',
    en: 'Export live rooms',
    key: 'shift+e',
    at: live,
  }),
}

const onShelf = { at: liveForm, on: shelfRow, takes: 'row' } as const
const ofRoom = (rows: readonly ShelfRow[]) => ({
  id: rows[0]!.room_id,
  version: rows[0]!.room_version,
  product_id: rows[0]!.id,
})
const open = (row: ShelfRow) =>
  liveCan('shelf', { state: row.room_state, replay_state: 'none', recommended: false })
/** The saved room that the form is about is their only row. */
export const liveFormActions = {
  save: action('system.live.edit.save', {
    title: '保存',
    en: 'Save',
    key: 'mod+s',
    at: liveForm,
    permit: editCalls.save.permit,
    main: true,
  }),
  submit: action('system.live.edit.submit', {
    title: '提交到直播平台',
    en: 'Submit',
    key: 'mod+enter',
    at: liveForm,
    permit: editCalls.submit.permit,
    main: true,
  }),
  addProducts: action(editCalls.addProducts, {
    title: '添加商品',
    en: 'Add products',
    key: 'a',
    at: liveForm,
    main: true,
    asks: {
      products: ask.entities({
        label: ['商品', 'Products'],
        max: 200,
        find: editCalls.products,
        labelOf: row => `${row.title} · ¥${row.price_cents / 100} · ${row.available}`,
        given: rows => ({ id: rows[0]?.id }),
        hint: [
          '先按日常售价、最多 100 件上架，再逐个设置直播价',
          'Listed at the normal price with up to 100 pieces; set live prices afterwards',
        ],
      }),
    },
    input: (rows, asked) => ({ ...one(rows), product_ids: asked.products }),
  }),
  sortProducts: action(editCalls.sortProducts, {
    title: '保存商品顺序',
    en: 'Save the order',
    key: 's',
    at: liveForm,
  }),
  setLivePrice: action(editCalls.setLivePrice, {
    title: '设置直播价',
    en: 'Set the live price',
    key: 'p',
    ...onShelf,
    when: open,
    asks: {
      price_cents: ask.money({
        label: ['直播价', 'Live price'],
        min: 1,
        initial: rows => rows[0]?.price_cents,
        hint: ['大于 0，不高于日常售价', 'Above 0, not above the normal price'],
      }),
      stock: ask.number({
        label: ['直播库存', 'Live stock'],
        min: 1,
        max: 10_000_000,
        initial: rows => rows[0]?.stock,
        hint: [
          '不超过可用库存，提交后锁定，结束时释放',
          'At most the available stock; reserved on submission, released at the end',
        ],
      }),
    },
    input: (rows, asked) => ({ ...ofRoom(rows), ...asked }),
  }),
  removeProduct: action(editCalls.removeProduct, {
    title: '移除商品',
    en: 'Remove product',
    key: 'd',
    ...onShelf,
    danger: true,
    when: open,
    input: ofRoom,
  }),
  preview: action('system.live.edit.preview', {
    title: '预览',
    en: 'Preview',
    key: 'v',
    at: liveForm,
  }),
}
