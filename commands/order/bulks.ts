import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { bulks as calls, bulksDetail as detailCalls } from '#src/modules/order/contract/bulks.ts'
import { orderRow } from '#src/modules/order/contract/shared.ts'
import { action, ask, page } from '../command.ts'
import { codeActions, codeDetailActions, one, decideActions, orderActions, refundAll } from './shared.ts'

export const bulks = page('/manage/order/bulks', '团购订单', 'Group-buy orders', { object: 'order', keys: 'g o b', keepAlive: true, alias: ['查订单', '券码查询', 'deals'] })
export const bulksDetail = page('/manage/order/bulks/detail', '团购订单详情', 'Group-buy order', { object: 'order', menu: false, search: z.looseObject({ id }) })

const SEPARATOR = /[、,，;；\s]+/
export const bulksActions = {
  refund: refundAll(calls, bulks),
  ...codeActions(calls, bulks, bulksDetail),
  tag: action(calls.tag, { title: '打标签', en: 'Tag', key: 't', at: bulks, also: [bulksDetail], on: orderRow, takes: 'row',
    asks: { tags: ask.text({ label: ['标签（顿号分隔）', 'Tags (commas between)'], max: 140, optional: true, initial: rows => rows[0]?.tags.join('、') }) },
    input: (rows, asked) => ({ ...one(rows), tags: (asked.tags ?? '').split(SEPARATOR).filter(Boolean).slice(0, 8) }) }),
  ...decideActions(calls, bulks, bulksDetail),
  ...orderActions(calls, bulks, bulksDetail),
}
export const bulksDetailActions = codeDetailActions(detailCalls, calls, bulksDetail)
