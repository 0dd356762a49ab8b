import { filmRefundKinds, filmStages, ticketProviders } from '#src/areas/film/film.ts'
import { filmCan, type FilmVerb } from '#src/areas/film/filmVerbs.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { filmOrderDetail } from '#src/modules/film/contract/detail.ts'
import {
  filmOrders as calls,
  filmRow,
  FILMS_MOST,
  type FilmRow as Row,
} from '#src/modules/film/contract/index.ts'
import { ask, inAll, recordFinder, type Told } from '../command.ts'
import { filmDetailPage, filmPage as at } from '../pages/film.ts'
import { asking, exportAction, idOf, idsOf, reason, rowActions } from '../record.ts'

const also = [filmDetailPage]
const can =
  (verb: FilmVerb) =>
  (row: Row): true | Text =>
    filmCan(verb, { ...row, now: unixNow() })
const left = (rows: readonly Row[]): number =>
  rows.reduce((sum, row) => sum + row.pay_cents - row.refunded_cents, 0)
const givesBack = (rows: readonly Row[]): Told => [
  ['{n} 单，最多退 ¥{sum}', '{n} in all, at most ¥{sum} goes back'],
  { n: rows.length, sum: yuan(left(rows)) },
  left(rows),
]
/** Whoever's tickets are still waited for get all of it back; others by the cause that is chosen. */
const usualKind = (rows: readonly Row[]) => {
  const [row] = rows
  if (!row) return undefined
  if (row.show_state === 'canceled') return 'show_canceled' as const
  return row.ticket_state === 'issued' ? ('user' as const) : ('ticket_failed' as const)
}
const { row } = rowActions<Row>(at, filmRow)
/** What is done with film orders. */
export const filmActions = {
  reTicket: row(calls.reTicket, ['重新出票', 'Reissue'], {
    key: 't',
    main: true,
    also,
    when: can('reTicket'),
    tells: () => [
      [
        '先按原请求号向渠道核对；结果未知时只用原号重试，不会重复购票',
        'The old number is asked about first; while its result is unknown only it is sent again, so seats are never bought twice',
      ],
      {},
    ],
    asks: {
      provider: ask.choice({
        label: ['改由渠道', 'From provider'],
        options: ticketProviders,
        optional: true,
        hint: ['留空：按设置的渠道顺序', 'Empty: in the order of the settings'],
      }),
      reason,
    },
    input: (rows, { provider, reason: why }) => ({
      ...idOf(rows),
      ...(provider && { provider }),
      reason: why,
    }),
    alias: ['补票', '出票失败', '卡单', 're-ticket'],
  }),
  syncTicket: row(calls.syncTicket, ['查询出票结果', 'Check ticket status'], {
    key: 'q',
    main: 'plain',
    also,
    when: can('syncTicket'),
    input: idOf,
    takenBack: 'nothing',
    alias: ['同步', '查票', 'sync'],
  }),
  batchSync: row(calls.batchSync, ['批量查询出票', 'Ask about several'], {
    key: 'shift+s',
    takes: 'rows',
    most: FILMS_MOST,
    when: can('syncTicket'),
    tells: inAll,
    input: idsOf,
    takenBack: 'nothing',
  }),
  refund: row(calls.refund, ['发起退款', 'Refund'], {
    key: 'r',
    danger: true,
    also,
    when: can('refund'),
    tells: givesBack,
    asks: {
      kind: ask.choice({
        label: ['退款原因', 'Cause'],
        options: filmRefundKinds,
        initial: rows => usualKind(rows as Row[]),
      }),
      amount: ask.money({
        label: ['退款金额（元）', 'Amount (yuan)'],
        min: 1,
        optional: true,
        field: 'amount_cents',
        hint: [
          '留空退全款；少于全款时顾客保留影票',
          'Empty: all of it; for less the buyer keeps the tickets',
        ],
        shown: answers => answers.kind === 'complaint',
      }),
      reason,
    },
    input: asking(({ kind, amount, reason: why }) => ({
      kind,
      reason: why,
      ...(kind === 'complaint' && amount && { amount_cents: amount }),
    })),
  }),
  batchRefund: row(calls.batchRefund, ['批量退款', 'Refund several'], {
    key: 'shift+r',
    danger: true,
    takes: 'rows',
    most: FILMS_MOST,
    when: can('refund'),
    tells: givesBack,
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  resendCode: row(calls.resendCode, ['重发取票码', 'Send the code again'], {
    key: 'm',
    also,
    when: can('resendCode'),
    input: idOf,
    alias: ['短信', '补发', 'resend'],
  }),
  revealPhone: row(calls.revealPhone, ['查看手机号', 'Reveal the phone'], {
    key: 'v',
    also,
    asks: { reason },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  freeze: row(calls.freeze, ['冻结结算', 'Freeze settlement'], {
    key: 'z',
    danger: true,
    also,
    when: can('freeze'),
    tells: () => [
      [
        '冻结后不出票、不退款、不结算，直到解冻',
        'Until it is unfrozen it is neither issued, refunded nor settled',
      ],
      {},
    ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  unfreeze: row(calls.unfreeze, ['解冻结算', 'Unfreeze settlement'], {
    key: 'y',
    also,
    when: can('unfreeze'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  cancelUnpaid: row(calls.cancelUnpaid, ['取消未支付', 'Cancel unpaid'], {
    key: 'shift+x',
    danger: true,
    also,
    when: can('cancelUnpaid'),
    tells: () => [['座位立即释放', 'Its seats are free at once'], {}],
    asks: { reason },
    input: asking(asked => asked),
  }),
  export: exportAction(calls.export, ['导出影票订单', 'Export film orders'], at),
}

const own = rowActions<Row>(filmDetailPage, filmRow).row
/** What the page of one order can do besides. */
export const filmDetailActions = {
  revealCode: own(filmOrderDetail.revealCode, ['查看取票码', 'Reveal the ticket code'], {
    key: 'shift+v',
    when: can('revealCode'),
    asks: { reason },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
    alias: ['取票码', '兑换码', 'code'],
  }),
  addNote: own(filmOrderDetail.addNote, ['添加备注', 'Add a note'], {
    key: 'b',
    asks: { note: ask.text({ label: ['备注', 'Note'], max: 500, lines: 3 }) },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  compensate: own(filmOrderDetail.compensate, ['补偿优惠券', 'Compensate with a coupon'], {
    key: 'c',
    when: can('compensate'),
    asks: {
      coupon: ask.entity({
        label: ['优惠券', 'Coupon'],
        find: filmOrderDetail.coupons,
        none: ['没有可发放的优惠券', 'No coupon can be given out'],
        labelOf: one => one.name,
        hint: ['每单只补偿一次', 'Once an order'],
      }),
      reason,
    },
    input: (rows, { coupon, reason: why }) => ({
      ...idOf(rows),
      coupon_id: coupon,
      reason: why,
    }),
  }),
}

/** The palette finds a film order by what the list finds it by. */
export const filmOrderFinder = recordFinder({
  pages: [filmDetailPage],
  hint: ['影票订单号、手机号或影片名', 'Number of a film order, a phone or a film'],
  find: calls.lst,
  asked: words => (words.length >= 2 ? { keyword: words, page: 1, pageSize: 8 } : undefined),
  given: one => ({ type: 'order', id: one.id, row: one }),
  title: one => one.order_no,
  more: one => [
    `${one.film_name} · ${one.cinema_name} · ${filmStages[one.stage][0]}`,
    `${one.film_name} · ${one.cinema_name} · ${filmStages[one.stage][1]}`,
  ],
})
