import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { elist as calls, elistDetail as detailCalls } from '#src/modules/order/contract/elist.ts'
import { orderRow } from '#src/modules/order/contract/shared.ts'
import { action, ask, page } from '../command.ts'
import { one, orderActions, refundAll } from './shared.ts'
import { addressAction, sheetAction, shipAction, trackingAction } from './ship.ts'

export const elist = page('/manage/order/elist', '电商订单', 'E-commerce orders', { object: 'order', keys: 'g o e', keepAlive: true, menu: false, alias: ['发货', '快递', '物流', 'shipping'] })
export const elistDetail = page('/manage/order/elist/Detail', '电商订单详情', 'E-commerce order', { object: 'order', menu: false, search: z.looseObject({ id }) })

const SEPARATOR = /[、,，;；\s]+/
export const elistActions = {
  ship: shipAction(calls, elist),
  batchShip: sheetAction(calls, elist),
  refund: refundAll(calls, elist),
  editTracking: trackingAction(calls, elist),
  editAddress: addressAction(calls, elist),
  tag: action(calls.tag, { title: '打标签', en: 'Tag', key: 't', at: elist, also: [elistDetail], on: orderRow, takes: 'row',
    asks: { tags: ask.text({ label: ['标签（顿号分隔）', 'Tags (commas between)'], max: 140, optional: true, initial: rows => rows[0]?.tags.join('、') }) },
    input: (rows, asked) => ({ ...one(rows), tags: (asked.tags ?? '').split(SEPARATOR).filter(Boolean).slice(0, 8) }) }),
  ...orderActions(calls, elist, elistDetail),
}
export const elistDetailActions = {
  ship: shipAction(detailCalls, elistDetail),
  editTracking: trackingAction(detailCalls, elistDetail),
  editAddress: addressAction(detailCalls, elistDetail),
}
