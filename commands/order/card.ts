import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { card as calls, cardDetail as detailCalls } from '#src/modules/order/contract/card.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/orderRow.ts'
import { action, ask, type Me, type Told } from '../command.ts'
import { card, cardDetail } from '../pages/order.ts'
import {
  can,
  codeActions,
  codeDetailActions,
  decideActions,
  one,
  orderActions,
  reason,
  atMost,
} from './shared.ts'

type Row = OrderRow & { code_id?: number; code_ids?: number[] }
const back = {
  times: ask.number({
    label: ['退几次', 'How many uses'],
    min: 1,
    max: 9999,
    optional: true,
    hint: [
      '留空退全部剩余；按次退付费次数的分摊金额，补偿的次数不计金额',
      'Empty: all that are left. Bought uses are refunded pro rata, free ones at nothing',
    ],
  }),
  consent: ask.text({
    label: ['持有人同意', 'Holder’s consent'],
    max: 200,
    min: 2,
    optional: true,
    hint: [
      '卡已转赠并被领取时必填：何时、以何种方式同意',
      'Required if the card was given away: when and how they agreed',
    ],
  }),
  ...reason,
}
type Back = { times: number | undefined; consent: string | undefined; reason: string }
const asked = ({ times, consent, reason: why }: Back) => ({
  ...(times && { times }),
  ...(consent && { consent }),
  reason: why,
})
const waits = (row: OrderRow): true | Text =>
  row.times_ask ? true : ['没有待复核的补偿', 'No added uses await approval']
const agree = (row: OrderRow, me: Me): true | Text =>
  row.times_ask?.first_by === me.id
    ? ['须由申请人以外的另一人复核', 'A second person must approve']
    : waits(row)
const atStake = ([row]: readonly OrderRow[]): Told | undefined => {
  const of = row?.times_ask
  return of
    ? [
        [
          '尾号 {tail} 补偿 {n} 次，连同已补偿的合计 ¥{cents}；{who}：{why}',
          'Card …{tail}: {n} to add, worth ¥{cents} with those added before. {who}: {why}',
        ],
        {
          tail: of.tail,
          n: of.times,
          cents: yuan(of.worth_cents),
          who: of.first_name,
          why: of.reason,
        },
        of.worth_cents,
      ]
    : undefined
}
const { refund: _, ...detail } = codeDetailActions(detailCalls, calls, cardDetail)

export const cardActions = {
  refund: action(calls.refund, {
    title: '退剩余次数',
    en: 'Refund unused',
    key: 'r',
    danger: true,
    main: true,
    at: card,
    on: orderRow,
    takes: 'row',
    tells: atMost,
    when: can('refund'),
    asks: back,
    input: (rows, answers) => ({ ...one(rows), ...asked(answers) }),
  }),
  addTimes: action(calls.addTimes, {
    title: '补偿次数',
    en: 'Add uses',
    key: 'a',
    main: true,
    at: card,
    also: [cardDetail],
    on: orderRow,
    takes: 'row',
    when: row =>
      row.times_ask
        ? ['已有待复核的补偿', 'Added uses already await approval']
        : can('addTimes')(row),
    asks: {
      times: ask.number({
        label: ['补偿次数', 'Uses'],
        min: 1,
        max: 9999,
        initial: () => 1,
        hint: [
          '累计不超过购买次数；累计价值超过你的退款额度时，须另一人复核',
          'No more than were bought in total; above your refund limit a second person must approve',
        ],
      }),
      ...reason,
    },
    input: (rows, answers) => {
      const { code_id } = rows[0] as Row
      return { ...one(rows), ...(code_id && { code_id }), ...answers }
    },
  }),
  confirmTimes: action(calls.confirmTimes, {
    title: '同意补偿',
    en: 'Approve added uses',
    key: 'shift+a',
    at: card,
    also: [cardDetail],
    on: orderRow,
    takes: 'row',
    when: agree,
    tells: atStake,
    asks: reason,
    input: (rows, answers) => ({ ...one(rows), ...answers }),
  }),
  refuseTimes: action(calls.refuseTimes, {
    title: '不同意补偿',
    en: 'Reject added uses',
    key: 'shift+t',
    at: card,
    also: [cardDetail],
    on: orderRow,
    takes: 'row',
    when: waits,
    tells: atStake,
    asks: reason,
    input: (rows, answers) => ({ ...one(rows), ...answers }),
  }),
  ...codeActions(calls, card, cardDetail),
  ...decideActions(calls, card, cardDetail),
  ...orderActions(calls, card, cardDetail),
}
export const cardDetailActions = {
  refund: action(detailCalls.refund, {
    title: '退剩余次数',
    en: 'Refund unused',
    key: 'r',
    danger: true,
    main: true,
    at: cardDetail,
    on: orderRow,
    takes: 'row',
    tells: atMost,
    when: can('refund'),
    asks: back,
    input: (rows, answers) => {
      const { code_ids } = rows[0] as Row
      return { ...one(rows), ...(code_ids?.length && { code_ids }), ...asked(answers) }
    },
  }),
  ...detail,
  recallGift: action(detailCalls.recallGift, {
    title: '撤回转赠',
    en: 'Recall the gift',
    key: 'u',
    at: cardDetail,
    on: orderRow,
    takes: 'row',
    when: row => (row.gift === 'sent' ? true : ['没有转赠中的卡', 'No gift is under way']),
    asks: reason,
    input: (rows, answers) => ({ ...one(rows), ...answers }),
  }),
}
