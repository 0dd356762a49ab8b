import { codeOf, isCode } from '#src/areas/code/code.ts'
import { REMIND_S } from '#src/areas/order/order.ts'
import { orderCan, type OrderVerb } from '#src/areas/order/orderVerbs.ts'
import { callableFault, phoneFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, timeFull, unixNow } from '#src/domain/time.ts'
import { goods as calls, goodsDetail as detailCalls } from '#src/modules/order/contract/goods.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/orderRow.ts'
import { action, ask, inAll } from '../command.ts'
import { goods, goodsDetail } from '../pages/order.ts'
import { ROWS_A_CALL, can, lotsAsk, one, orderActions, reason, atMost } from './shared.ts'

/** What was chosen on the page of the order: so many units of each item. */
export type GoodsRow = OrderRow & { items?: { id: number; qty: number }[]; waits?: boolean }
const also = [goodsDetail]
const step = (verb: OrderVerb) => ({
  at: goods,
  also,
  on: orderRow,
  takes: 'row' as const,
  when: can(verb),
})
const urgent = (row: OrderRow): true | Text => {
  const may = orderCan('remind', row)
  if (may !== true) return may
  if (row.reminded_at === null || row.reminded_at <= unixNow() - REMIND_S) return true
  const at = timeFull(row.reminded_at).slice(11, 16)
  return [`${at} 已催过，每小时最多一次`, `Urged at ${at}: once an hour at most`]
}
const PIN = /^(\d{2,3}(?:\.\d{1,6})?)[,\s]+(\d{1,2}(?:\.\d{1,6})?)$/
/** A place as map services write it, longitude first; in 1/1000000 degree. */
const pinOf = (typed: string): { lng_e6: number; lat_e6: number } | undefined => {
  const [, lng, lat] = PIN.exec(typed.normalize('NFKC').trim()) ?? []
  return lng === undefined ||
    lat === undefined ||
    Number(lng) < 73 ||
    Number(lng) > 136 ||
    Number(lat) < 3 ||
    Number(lat) > 54
    ? undefined
    : { lng_e6: Math.round(Number(lng) * 1e6), lat_e6: Math.round(Number(lat) * 1e6) }
}

export const goodsActions = {
  confirmPickup: action(calls.confirmPickup, {
    title: '确认自提',
    en: 'Picked up',
    key: 'c',
    main: true,
    ...step('confirmPickup'),
    asks: {
      code: ask.text({
        label: ['提货码', 'Pick-up code'],
        max: 40,
        min: 12,
        hint: [
          '扫码枪扫入或手输 12 位，空格、全角都可以',
          'Scan or type 12 digits; spaces are ignored',
        ],
        check: typed =>
          isCode(codeOf(typed))
            ? undefined
            : ['不是提货码：应为 12 位数字，请核对', 'Not a pick-up code: check the 12 digits'],
      }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  confirmReady: action(calls.confirmReady, {
    title: '备货完成',
    en: 'Ready',
    key: 'a',
    main: true,
    ...step('confirmReady'),
    input: rows => one(rows),
  }),
  dispatch: action(calls.dispatch, {
    title: '门店配送出发',
    en: 'Start delivery',
    key: 'd',
    main: true,
    ...step('dispatch'),
    asks: {
      rider: ask.text({ label: ['骑手', 'Rider'], max: 32, min: 2 }),
      phone: ask.text({ label: ['骑手手机', 'Rider’s phone'], max: 30, check: phoneFault }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  remind: action(calls.remind, {
    title: '催促门店',
    en: 'Urge the store',
    key: 'm',
    ...step('remind'),
    when: urgent,
    input: rows => ({ id: rows[0]!.id }),
  }),
  batchRemind: action(calls.batchRemind, {
    title: '批量催促',
    en: 'Urge selected',
    key: 'shift+m',
    at: goods,
    on: orderRow,
    most: ROWS_A_CALL,
    tells: inAll,
    when: urgent,
    input: rows => ({ ids: rows.map(row => row.id) }),
  }),
  refund: action(calls.refund, {
    title: '发起退款',
    en: 'Refund',
    key: 'r',
    danger: true,
    at: goods,
    on: orderRow,
    takes: 'row',
    tells: atMost,
    when: can('refund'),
    asks: {
      items: lotsAsk(calls.lots),
      qty: ask.number({
        label: ['退几件', 'How many'],
        min: 1,
        max: 9999,
        optional: true,
        hint: [
          '只退一种商品时可填，留空退全部剩余；备货后须门店 24 小时内答复，逾期由平台裁决',
          'For one item only; empty: all that is left. Once ready, the store has 24 hours to answer, then the platform decides',
        ],
      }),
      ...reason,
    },
    input: (rows, { items, qty, reason: why }) => ({
      ...one(rows),
      ...(items?.length && { items: items.map(item => ({ id: item })) }),
      ...(qty && { qty }),
      reason: why,
    }),
  }),
  changeStore: action(calls.changeStore, {
    title: '改派门店',
    en: 'Reassign to another store',
    key: 's',
    ...step('changeStore'),
    asks: {
      store: ask.entity({
        label: ['改派到', 'Reassign to'],
        find: calls.otherStores,
        given: rows => ({ order_id: (rows[0] as OrderRow | undefined)?.id }),
        labelOf: row =>
          `${row.name} · ×${row.free}${row.distance_m === null ? '' : ` · ${(row.distance_m / 1000).toFixed(1)} km`}`,
        hint: [
          '× 后为可用库存。只列同商户、有售、营业中的门店；库存随单转移，原提货码作废',
          '× is available stock. Only the merchant’s open stores that sell it; stock moves with the order, the old code is void',
        ],
      }),
      ...reason,
    },
    input: (rows, asked) => ({ ...one(rows), store_id: asked.store, reason: asked.reason }),
  }),
  changeTime: action(calls.changeTime, {
    title: '修改提货时间',
    en: 'Change pick-up time',
    key: 't',
    ...step('changeTime'),
    asks: {
      time: ask.time({
        label: ['提货或送达时间', 'Pick-up or delivery time'],
        hint: ['今后 30 天内', 'Within 30 days'],
        initial: rows => {
          const row = rows[0] as OrderRow | undefined
          return row?.promise_at ? Math.max(row.promise_at, unixNow()) + DAY : undefined
        },
      }),
      ...reason,
    },
    input: (rows, asked) => ({ ...one(rows), time: asked.time!, reason: asked.reason }),
  }),
  ...orderActions(calls, goods, goodsDetail),
}

const paid = (row: OrderRow) => orderCan('printSlip', row)
export const goodsDetailActions = {
  confirmDelivered: action(detailCalls.confirmDelivered, {
    title: '确认送达',
    en: 'Delivered',
    key: 'shift+d',
    main: true,
    at: goodsDetail,
    on: orderRow,
    takes: 'row',
    when: can('confirmDelivered'),
    input: rows => one(rows),
  }),
  refund: action(detailCalls.refund, {
    title: '发起退款',
    en: 'Refund',
    key: 'r',
    danger: true,
    main: true,
    at: goodsDetail,
    on: orderRow,
    takes: 'row',
    tells: atMost,
    when: can('refund'),
    asks: reason,
    input: (rows, asked) => {
      const { items } = rows[0] as GoodsRow
      return { ...one(rows), ...(items?.length && { items }), ...asked }
    },
  }),
  decideRefund: action(detailCalls.decideRefund, {
    title: '平台裁决退款',
    en: 'Decide the refund',
    key: 'u',
    at: goodsDetail,
    on: orderRow,
    takes: 'row',
    when: row =>
      (row as GoodsRow).waits ? true : ['没有等待平台裁决的退款', 'No refund awaits the platform'],
    asks: {
      agree: ask.choice({
        label: ['裁决', 'Decision'],
        options: { yes: ['同意退款', 'Approve refund'], no: ['驳回申请', 'Reject request'] },
      }),
      ...reason,
    },
    input: (rows, { agree, reason: why }) => ({
      ...one(rows),
      agree: agree === 'yes',
      reason: why,
    }),
  }),
  editReceiver: action(detailCalls.editReceiver, {
    title: '修改收货信息',
    en: 'Edit recipient',
    key: 'e',
    at: goodsDetail,
    on: orderRow,
    takes: 'row',
    when: row =>
      row.sub_kind !== 'store_delivery'
        ? ['到店自提，没有收货信息', 'Picked up in store: no recipient']
        : orderCan('editReceiver', row),
    asks: {
      name: ask.text({
        label: ['收货人', 'Name'],
        max: 32,
        min: 2,
        optional: true,
        hint: ['留空的不改', 'Empty: unchanged'],
      }),
      phone: ask.text({
        label: ['手机号', 'Phone'],
        max: 30,
        optional: true,
        check: callableFault,
      }),
      area: ask.text({ label: ['省市区', 'Area'], max: 64, min: 2, optional: true }),
      address: ask.text({ label: ['详细地址', 'Address'], max: 128, min: 4, optional: true }),
      pin: ask.text({
        label: ['地图坐标', 'Map coordinates'],
        max: 40,
        optional: true,
        hint: [
          '改地址时必填：地图上复制的「经度,纬度」，如 121.473701,31.230416；超出门店配送范围不能改',
          'Required with a new address: “longitude,latitude” copied from a map; must be within the store’s delivery range',
        ],
        check: typed =>
          pinOf(typed)
            ? undefined
            : ['应为「经度,纬度」，如 121.473701,31.230416', 'As in 121.473701,31.230416'],
      }),
      ...reason,
    },
    input: (rows, { pin, reason: why, ...said }) => ({
      ...one(rows),
      ...Object.fromEntries(Object.entries(said).filter(([, value]) => value)),
      ...(pin && pinOf(pin)),
      reason: why,
    }),
  }),
  printSlip: action(detailCalls.printSlip, {
    title: '打印备货单',
    en: 'Print picking slip',
    key: 'p',
    at: goodsDetail,
    on: orderRow,
    takes: 'row',
    when: paid,
    input: rows => ({ id: rows[0]!.id }),
  }),
}
