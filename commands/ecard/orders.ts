import { cardCan, type CardVerb } from '#src/areas/ecard/cardOrder.ts'
import { invoiceable, invoiceNoRule, isInvoiceNo } from '#src/areas/order/order.ts'
import { invoiceCan } from '#src/areas/order/orderVerbs.ts'
import { yuan } from '#src/domain/money.ts'
import { aside, say, type Lang, type Text } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import {
  ecardOrder as calls,
  ecardOrderDetail as detailCalls,
  type cardChoices,
} from '#src/modules/order/contract/ecard.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/orderRow.ts'
import { action, ask, type Me, type Told } from '../command.ts'
import { atMost, can, caseActions, decideActions, one, reason, toPayBack } from '../order/shared.ts'
import { ecardOrderDetail, ecardOrders } from '../pages/ecard.ts'

const also = [ecardOrderDetail]
/** What the page of one order has chosen, beside the order itself. */
type CardsChosen = OrderRow & { card_ids?: number[] }
const chosenIn = (rows: readonly OrderRow[]) => (rows[0] as CardsChosen | undefined)?.card_ids ?? []
const may =
  (verb: CardVerb) =>
  (row: OrderRow): true | Text =>
    cardCan(verb, row)
type Choice = (typeof cardChoices)[number]
const cardsOf = (verb: Choice | undefined) => ({
  find: calls.cards,
  given: (rows: readonly OrderRow[]) => ({ order_id: rows[0]?.id, ...(verb && { verb }) }),
  labelOf: (row: { tail: string }) => `····${row.tail}`,
  by: ['卡号后几位', 'the last digits of its number'] satisfies Text,
  none: ['没有可选的卡', 'There is no card to choose'] satisfies Text,
  shown: (_: unknown, rows: readonly OrderRow[]) => chosenIn(rows).length === 0,
})
/** Cards of one order, asked in its list; all that may have it where none are named. */
const someCards = (verb: Choice) =>
  ask.entities({
    ...cardsOf(verb),
    label: ['哪些卡', 'Which cards'],
    optional: true,
    max: 200,
    hint: ['留空：本单全部可操作的卡', 'Empty: all eligible cards of the order'],
  })
const oneCard = (verb: Choice | undefined) =>
  ask.entity({ ...cardsOf(verb), label: ['哪张卡', 'Which card'] })
const idsOf = (rows: readonly OrderRow[], asked: number[] | undefined) => {
  const ids = chosenIn(rows).length > 0 ? chosenIn(rows) : asked
  return ids?.length ? { code_ids: ids } : {}
}
type CardCounts = NonNullable<OrderRow['cards']>
/** How many cards it will reach: those chosen on the page, or all of the order that can. */
const reaching =
  (of: (cards: CardCounts) => number) =>
  (rows: readonly OrderRow[]): Told | undefined => {
    const cards = rows[0]?.cards
    const chosen = chosenIn(rows).length
    if (!cards) return undefined
    return chosen > 0
      ? [['已选 {n} 张卡', 'Cards chosen: {n}'], { n: chosen }]
      : [
          ['不选卡即为本单全部 {n} 张', 'None selected: all {n} cards of the order'],
          { n: of(cards) },
        ]
  }
/** At most how much goes back, and of how many cards. */
const atMostOf = (rows: readonly OrderRow[], n: number): Told | undefined => {
  const said = atMost(rows)
  if (!said) return undefined
  const [[zh, en], values, ...rest] = said
  return [
    [`${zh}，本单可退 {n} 张`, `${en}, for {n} cards of the order`],
    { ...values, n },
    ...rest,
  ]
}
/** What freezing sends, and setting free: the cards chosen on the page, or those asked for. */
const turned = (
  rows: readonly OrderRow[],
  { cards, reason: why }: { cards?: number[]; reason: string },
) => ({ id: rows[0]!.id, ...idsOf(rows, cards), reason: why })
const idOf = (rows: readonly OrderRow[], asked: number | undefined): number =>
  chosenIn(rows)[0] ?? asked!
/** A card that is chosen on the page, where only one may be. */
const single =
  (verb: CardVerb) =>
  (row: OrderRow): true | Text =>
    chosenIn([row]).length > 1 ? ['请只选一张卡', 'Choose one card only'] : cardCan(verb, row)

export const ecardOrderActions = {
  reissue: action(calls.reissue, {
    title: '补发失败卡',
    en: 'Issue failed cards again',
    key: 'a',
    main: true,
    at: ecardOrders,
    also,
    on: orderRow,
    takes: 'row',
    when: may('reissue'),
    asks: reason,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  refund: action(calls.refund, {
    title: '发起退款',
    en: 'Refund',
    key: 'r',
    danger: true,
    at: ecardOrders,
    also,
    on: orderRow,
    takes: 'row',
    when: row => {
      const said = can('refund')(row)
      return said === true ? cardCan('refund', row) : said
    },
    // Which of several cards go back is asked in the same breath.
    tells: rows => {
      const of = rows[0]?.cards
      const n = of ? of.givable + of.failed : 0
      return chosenIn(rows).length === 0 && n > 1 ? atMostOf(rows, n) : toPayBack(rows)
    },
    asks: { cards: someCards('refund'), ...reason },
    input: (rows, { cards, reason: why }) => ({
      ...one(rows),
      ...idsOf(rows, cards),
      reason: why,
    }),
  }),
  freezeCards: action(calls.freezeCards, {
    title: '冻结卡',
    en: 'Freeze cards',
    key: 'z',
    danger: true,
    at: ecardOrders,
    also,
    on: orderRow,
    takes: 'row',
    when: may('freezeCards'),
    tells: reaching(of => of.freezable),
    asks: { cards: someCards('freeze'), ...reason },
    input: turned,
  }),
  unfreezeCards: action(calls.unfreezeCards, {
    title: '解冻卡',
    en: 'Unfreeze cards',
    key: 'y',
    at: ecardOrders,
    also,
    on: orderRow,
    takes: 'row',
    when: may('unfreezeCards'),
    tells: reaching(of => of.frozen),
    asks: { cards: someCards('unfreeze'), ...reason },
    input: turned,
  }),
  recallGift: action(calls.recallGift, {
    title: '撤回未领取赠送',
    en: 'Recall gifts',
    key: 'l',
    danger: true,
    at: ecardOrders,
    also,
    on: orderRow,
    takes: 'row',
    when: may('recallGift'),
    asks: reason,
    input: (rows, asked) => ({ id: rows[0]!.id, ...asked }),
  }),
  resendNotice: action(calls.resendNotice, {
    title: '重发通知',
    en: 'Send the notice again',
    key: 'm',
    at: ecardOrders,
    also,
    on: orderRow,
    takes: 'row',
    when: may('resendNotice'),
    input: rows => ({ id: rows[0]!.id }),
  }),
  invoice: action(calls.invoice, {
    title: '登记开票',
    en: 'Enter the invoice',
    key: 'u',
    at: ecardOrders,
    also,
    on: orderRow,
    takes: 'row',
    alias: ['发票', 'invoice'],
    when: row => {
      const asked = row.cards?.invoice ?? 'none'
      const issued = { no: '', amount_cents: 0, by: '', at: 0 }
      return invoiceCan(
        row,
        asked === 'none' ? null : { issued: asked === 'issued' ? issued : null },
      )
    },
    tells: ([row]) => {
      const sum = row ? invoiceable(row) : 0
      return [
        ['开票金额 ¥{cents}（实付减已退）', 'Invoice amount ¥{cents} (paid less refunded)'],
        { cents: yuan(sum) },
        sum,
      ]
    },
    asks: {
      no: ask.text({
        label: ['发票号', 'Invoice number'],
        max: 40,
        min: 8,
        check: typed => (isInvoiceNo(typed) ? undefined : invoiceNoRule),
      }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  ...decideActions(calls, ecardOrders, ecardOrderDetail),
  ...caseActions(calls, ecardOrders, ecardOrderDetail),
}

const waits = (row: OrderRow): true | Text =>
  row.cards?.move ? true : ['没有待复核的变更', 'No holder change awaits approval']
/** Whoever asked for a change does not agree to it. */
const mayAgree = (row: OrderRow, me: Me): true | Text => {
  const may = waits(row)
  if (may !== true) return may
  return row.cards!.move!.first_by === me.id
    ? ['须由另一人复核', 'Another person must approve']
    : true
}
const moving = ([row]: readonly OrderRow[]) => ({ id: row!.id, move_id: row!.cards!.move!.id })
export const ecardOrderDetailActions = {
  extend: action(detailCalls.extend, {
    title: '延长有效期',
    en: 'Extend validity',
    key: 'e',
    at: ecardOrderDetail,
    on: orderRow,
    takes: 'row',
    when: may('extend'),
    tells: reaching(of => of.extendable),
    asks: {
      cards: someCards('extend'),
      until: ask.time({
        label: ['新的有效期', 'Valid until'],
        hint: ['只能延长', 'Only longer'],
        initial: rows => {
          const [row] = rows as CardsChosen[]
          return (row?.cards?.valid_until ?? unixNow()) + 90 * DAY
        },
      }),
      ...reason,
    },
    input: (rows, { cards, until, reason: why }) => ({
      id: rows[0]!.id,
      ...idsOf(rows, cards),
      until: until!,
      reason: why,
    }),
  }),
  moveHolder: action(detailCalls.moveHolder, {
    title: '变更持卡人',
    en: 'Change the holder',
    key: 'c',
    danger: true,
    at: ecardOrderDetail,
    on: orderRow,
    takes: 'row',
    when: single('moveHolder'),
    asks: {
      card: oneCard('move'),
      member: ask.entity({
        label: ['新持卡人', 'New holder'],
        find: detailCalls.members,
        labelOf: (row: { name: string; uid: string }, lang: Lang) =>
          `${row.name}${say(aside, lang, { it: row.uid })}`,
        by: ['手机号、会员号或昵称', 'phone, member no. or name'],
      }),
      ...reason,
    },
    input: (rows, { card, member, reason: why }) => ({
      id: rows[0]!.id,
      code_id: idOf(rows, card),
      member_id: member,
      reason: why,
    }),
  }),
  confirmMove: action(detailCalls.confirmMove, {
    title: '同意变更持卡人',
    en: 'Agree to the change of holder',
    key: 'shift+h',
    danger: true,
    at: ecardOrderDetail,
    on: orderRow,
    takes: 'row',
    when: mayAgree,
    asks: reason,
    input: (rows, asked) => ({ ...moving(rows), ...asked }),
  }),
  refuseMove: action(detailCalls.refuseMove, {
    title: '不同意变更持卡人',
    en: 'Refuse the change of holder',
    key: 'shift+d',
    at: ecardOrderDetail,
    on: orderRow,
    takes: 'row',
    when: mayAgree,
    asks: reason,
    input: (rows, asked) => ({ ...moving(rows), ...asked }),
  }),
  revealSecret: action(detailCalls.revealSecret, {
    title: '查看卡密',
    en: 'Reveal the secret',
    key: 'shift+v',
    at: ecardOrderDetail,
    on: orderRow,
    takes: 'row',
    when: single('revealSecret'),
    tells: () => [['查看后该卡不能再退款', 'Once shown, the card can’t be refunded'], {}],
    asks: { card: oneCard(undefined), ...reason },
    input: (rows, { card, reason: why }) => ({
      id: rows[0]!.id,
      code_id: idOf(rows, card),
      reason: why,
    }),
  }),
  queryPay: action(detailCalls.queryPay, {
    title: '向支付渠道查单',
    en: 'Ask the payment channel',
    key: 'q',
    at: ecardOrderDetail,
    on: orderRow,
    takes: 'row',
    when: row => (row.pay_state === 'paid' ? ['已支付', 'Already paid'] : true),
    input: rows => ({ id: rows[0]!.id }),
  }),
}
