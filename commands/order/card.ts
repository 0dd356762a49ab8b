import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { card as calls, cardDetail as detailCalls } from '#src/modules/order/contract/card.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/shared.ts'
import { action, ask, page } from '../command.ts'
import { can, codeActions, codeDetailActions, decideActions, one, orderActions, ordersOf, reason, atMost } from './shared.ts'

export const card = page('/manage/order/card', '卡券订单', 'Card orders', { object: 'order', keys: 'g o k', keepAlive: true, alias: ['次卡', '预付卡', 'prepaid'] })
export const cardDetail = page('/manage/order/card/detail', '卡券订单详情', 'Card order', { object: 'order', menu: false, follows: ordersOf('card'), search: z.looseObject({ id }) })

type Row = OrderRow & { code_id?: number; code_ids?: number[] }
const back = {
  times: ask.number({ label: ['退几次', 'How many uses'], min: 1, max: 9999, optional: true, hint: ['留空退全部剩余；按次退付费次数的分摊金额，补偿的次数不值钱', 'Empty: all that is left. Paid uses are worth their shares, given ones nothing'] }),
  consent: ask.text({ label: ['持有人同意', 'The holder agreed'], max: 200, min: 2, optional: true, hint: ['卡已转赠并被领取时必填：何时、以何种方式同意', 'Needed where it was given away: when and how'] }),
  ...reason,
}
type Back = { times: number | undefined; consent: string | undefined; reason: string }
const asked = ({ times, consent, reason: why }: Back) => ({ ...(times && { times }), ...(consent && { consent }), reason: why })
const { refund: _, ...detail } = codeDetailActions(detailCalls, calls, cardDetail)

export const cardActions = {
  refund: action(calls.refund, { title: '退剩余次数', en: 'Refund what is left', key: 'r', danger: true, main: true, at: card, on: orderRow, takes: 'row', tells: atMost, when: can('refund'), asks: back, input: (rows, answers) => ({ ...one(rows), ...asked(answers) }) }),
  addTimes: action(calls.addTimes, { title: '补偿次数', en: 'Give more uses', key: 'a', main: true, at: card, also: [cardDetail], on: orderRow, takes: 'row', when: can('addTimes'),
    asks: { times: ask.number({ label: ['补偿次数', 'Uses'], min: 1, max: 9999, initial: () => 1, hint: ['累计不超过购买次数；总价值在你的退款额度内', 'In all no more than were bought, and worth no more than your refund limit'] }), ...reason },
    input: (rows, answers) => { const { code_id } = rows[0] as Row; return { ...one(rows), ...(code_id && { code_id }), ...answers } } }),
  ...codeActions(calls, card, cardDetail),
  ...decideActions(calls, card, cardDetail),
  ...orderActions(calls, card, cardDetail),
}
export const cardDetailActions = {
  refund: action(detailCalls.refund, { title: '退剩余次数', en: 'Refund what is left', key: 'r', danger: true, main: true, at: cardDetail, on: orderRow, takes: 'row', tells: atMost, when: can('refund'), asks: back,
    input: (rows, answers) => { const { code_ids } = rows[0] as Row; return { ...one(rows), ...(code_ids?.length && { code_ids }), ...asked(answers) } } }),
  ...detail,
  recallGift: action(detailCalls.recallGift, { title: '撤回转赠', en: 'Recall the gift', key: 'u', at: cardDetail, on: orderRow, takes: 'row', when: row => (row.gift === 'sent' ? true : ['没有转赠中的卡', 'Nothing is being given away']), asks: reason, input: (rows, answers) => ({ ...one(rows), ...answers }) }),
}
