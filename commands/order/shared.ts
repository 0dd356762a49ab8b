import { promiseRefusal } from '#src/areas/order/orderRules.ts'
import { orderCan, type OrderVerb } from '#src/areas/order/orderVerbs.ts'
import {
  refundCan,
  refundRejects,
  returnConditions,
  type ReturnCondition,
} from '#src/areas/refund/refund.ts'
import { yuan } from '#src/domain/money.ts'
import { countEn, type Text } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { LotsCall } from '#src/modules/order/contract/lots.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/orderRow.ts'
import type {
  codeCalls,
  codeDetailCalls,
  decideCalls,
  tagCall,
  OrderCalls,
  OrderDetail,
} from '#src/modules/order/contract/shared.ts'
import { action, ask, type Me, type Page, inAll, type Pays, type Told } from '../command.ts'
import { offeredRefusals } from './reasons.ts'

export const reason = {
  reason: ask.text({ label: ['原因', 'Reason'], max: 255, min: 2, lines: 2 }),
}
export const one = (rows: readonly OrderRow[]) => ({ id: rows[0]!.id, version: rows[0]!.version })
/**
 * An order with codes needs one that was not used: what was used comes back by its redemption first.
 */
const nothingUnused = (row: OrderRow): boolean =>
  row.sub_kind === 'code' &&
  row.kind !== 'combo' &&
  row.units > 0 &&
  row.used + row.refunded + row.refunding >= row.units
export const can =
  (verb: OrderVerb) =>
  (row: OrderRow): true | Text => {
    const may = orderCan(verb, row)
    return may === true && verb === 'refund' && nothingUnused(row)
      ? [
          '没有未使用的券码可退；已使用的先撤销核销',
          'Nothing unused is left: reverse a redemption first',
        ]
      : may
  }
/**
 * Rows of a batch that go in one call, well within the time of a transaction; a batch of more goes
 * in several, one after the other.
 */
export const ROWS_A_CALL = 50
const ids = (rows: readonly OrderRow[]) => rows.map(row => row.id)

/** The verbs that every order list and its detail page have, each with the list's permission. */
export const caseActions = (
  calls: Pick<OrderCalls, 'remark' | 'cancel' | 'revealPhone' | 'export'>,
  at: Page,
  detail: Page,
) => {
  const also = [detail]
  return {
    remark: action(calls.remark, {
      title: '添加备注',
      en: 'Add a note',
      key: 'b',
      at,
      also,
      on: orderRow,
      takes: 'row',
      asks: { text: ask.text({ label: ['备注', 'Note'], max: 500, lines: 3 }) },
      input: (rows, asked) => ({ id: rows[0]!.id, ...asked }),
    }),
    cancel: action(calls.cancel, {
      title: '关闭未支付订单',
      en: 'Close unpaid order',
      key: 'shift+x',
      danger: true,
      at,
      also,
      on: orderRow,
      takes: 'row',
      when: can('cancel'),
      asks: reason,
      input: (rows, asked) => ({ ...one(rows), ...asked }),
    }),
    revealPhone: action(calls.revealPhone, {
      title: '查看完整手机号',
      en: 'Reveal the phone',
      key: 'v',
      at,
      also,
      on: orderRow,
      takes: 'row',
      asks: reason,
      input: (rows, asked) => ({ id: rows[0]!.id, ...asked }),
    }),
    export: action(calls.export, { title: '导出订单', en: 'Export', key: 'shift+e', at }),
  }
}
/** The same of orders that are frozen as a whole. */
export const orderActions = (calls: Omit<OrderCalls, 'refund'>, at: Page, detail: Page) => {
  const also = [detail]
  const { remark, ...others } = caseActions(calls, at, detail)
  return {
    remark,
    freeze: action(calls.freeze, {
      title: '冻结订单',
      en: 'Freeze',
      key: 'z',
      danger: true,
      at,
      also,
      on: orderRow,
      takes: 'row',
      when: can('freeze'),
      asks: reason,
      input: (rows, asked) => ({ ...one(rows), ...asked }),
    }),
    unfreeze: action(calls.unfreeze, {
      title: '解冻订单',
      en: 'Unfreeze',
      key: 'y',
      at,
      also,
      on: orderRow,
      takes: 'row',
      when: can('unfreeze'),
      asks: reason,
      input: (rows, asked) => ({ ...one(rows), ...asked }),
    }),
    ...others,
  }
}
type Chosen = { chosen_cents?: number }
/**
 * Why its refund is more than its buyer was promised, or undefined: while a group forms, and where
 * nobody trades any more, no promise binds.
 */
const beyondPromise = (row: OrderRow): Text | undefined =>
  row.promise === null || row.merchant_closed || row.group?.state === 'forming'
    ? undefined
    : promiseRefusal(row.promise, row.valid_until ?? Infinity, unixNow())
/** An order of goods has no codes whose worth could be summed: at most what was paid goes back. */
const hasCodes = (row: OrderRow) => row.sub_kind === 'code'
const mostBack = (row: OrderRow) =>
  hasCodes(row) ? row.left_cents : row.paid_cents - row.refunded_cents
const centsBack = (rows: readonly OrderRow[]) =>
  rows.reduce((all, row) => all + ((row as Chosen).chosen_cents ?? mostBack(row)), 0)
const yuanOf = (cents: number) => `¥${yuan(cents)}`
/** What a refund of one order is of. */
const orderFacts = (rows: readonly OrderRow[]): Pays['facts'] => {
  const [row, ...others] = rows
  if (!row || others.length > 0) return []
  return [
    [['订单号', 'Order'], row.order_no],
    [['退给', 'Refund to'], row.member_name],
    [['实付', 'Paid'], yuanOf(row.paid_cents)],
    [['已退', 'Refunded'], yuanOf(row.refunded_cents)],
    ...(hasCodes(row) ? [[['可退', 'Refundable'], yuanOf(row.left_cents)] as const] : []),
  ]
}
/**
 * What goes back of these orders: the chosen codes, or all that was not used, at what was paid for
 * them; and what of it was not promised.
 */
export const toPayBack = (rows: readonly OrderRow[]): Told | undefined => {
  if (!rows.every(hasCodes)) return atMost(rows)
  const sum = centsBack(rows)
  const cents = yuan(sum)
  const [why, ...more] = rows.map(beyondPromise).filter(one => one !== undefined)
  const pays = { exactly: more.length === 0, facts: orderFacts(rows) }
  if (!why)
    return sum === 0
      ? undefined
      : [['将退回 ¥{cents}', '¥{cents} will be refunded'], { cents }, sum, pays]
  return rows.length === 1
    ? [
        [
          '将退回 ¥{cents}。{zh}：作为例外须另一人复核',
          '¥{cents} will be refunded. {en}: an exception that needs a second approver',
        ],
        { cents, zh: why[0], en: why[1] },
        sum,
        pays,
      ]
    : [
        [
          '最多退回 ¥{cents}，其中 {n} 单按约定不退，会列为失败',
          'At most ¥{cents}; {n} of them were not promised a refund and will fail',
        ],
        { cents, n: more.length + 1 },
        sum,
        { ...pays, exactly: false },
      ]
}
/** Where it is asked how much goes back, or found out by rules: the most that it may be. */
export const atMost = (rows: readonly OrderRow[]): Told | undefined => {
  const sum = centsBack(rows)
  return sum === 0
    ? undefined
    : [
        ['最多可退 ¥{cents}', 'Up to ¥{cents} can be refunded'],
        { cents: yuan(sum) },
        sum,
        { exactly: false, facts: orderFacts(rows) },
      ]
}
type Case = {
  amount_cents: number
  cap_cents?: number
  refund_no?: string
  order_no?: string
  member_name?: string | null
}
const caseFacts = (of: Case): Pays['facts'] => [
  ...(of.refund_no ? [[['退款单', 'Case'], of.refund_no] as const] : []),
  ...(of.order_no ? [[['订单号', 'Order'], of.order_no] as const] : []),
  ...(of.member_name ? [[['退给', 'Refund to'], of.member_name] as const] : []),
  ...(of.cap_cents === undefined
    ? []
    : [[['可退上限', 'Max. refund'], yuanOf(of.cap_cents)] as const]),
]
/** What goes back of several cases together. */
export const sumBack = (rows: readonly Case[]): Told => {
  const cents = rows.reduce((all, row) => all + row.amount_cents, 0)
  return [
    ['{n} 单，合计退回 ¥{cents}', `${countEn(rows.length, 'case')}, ¥{cents} refunded in total`],
    { n: rows.length, cents: yuan(cents) },
    cents,
    { exactly: true, facts: rows.length === 1 ? caseFacts(rows[0]!) : [] },
  ]
}
/** Which items of one order go back, asked in a list. */
export const lotsAsk = (find: LotsCall['lots']) =>
  ask.entities({
    label: ['退哪些商品', 'Which items'],
    optional: true,
    max: 20,
    find,
    given: rows => ({ order_id: (rows[0] as OrderRow | undefined)?.id }),
    labelOf: row => `${row.name} ×${row.left}`,
    hint: ['留空退全部可退的商品', 'Empty: all that can be refunded'],
  })
/** Some goods of these orders have left, so that a refund asks what became of them. */
export const wasSent = (rows: readonly OrderRow[]): boolean => rows.some(row => row.shipped > 0)
/**
 * Goods that were sent come back before their money does, or need not. Nothing is asked of what was
 * not sent.
 */
export const sentBack = {
  returned: ask.choice({
    label: ['收到的退货', 'Returned goods'],
    options: returnConditions,
    optional: true,
    shown: ({ keep }, rows) => wasSent(rows) && !keep,
    hint: [
      '商品已发货：选收到的退货的状况；不用退回的，在下面写明原因',
      'Already shipped: choose the state they came back in, or say below why no return is needed',
    ],
  }),
  keep: ask.text({
    label: ['无需退回的原因', 'Why no return is needed'],
    max: 120,
    min: 2,
    optional: true,
    shown: ({ returned }, rows) => wasSent(rows) && !returned,
    hint: ['不用退回时必填', 'Required if no return is needed'],
  }),
}
type SentBack = { returned: string | undefined; keep: string | undefined }
export const sentBackOf = ({ returned, keep }: SentBack) => ({
  ...(returned && { returned: returned as ReturnCondition }),
  ...(keep && { keep }),
})
/** A refund from the list: all that is left of one order. */
export const refundAll = (calls: OrderCalls, at: Page) =>
  action(calls.refund, {
    title: '发起退款',
    en: 'Refund',
    key: 'r',
    danger: true,
    main: true,
    at,
    on: orderRow,
    takes: 'row',
    when: can('refund'),
    asks: reason,
    tells: toPayBack,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  })
/** The same, of goods that may have been sent. */
export const refundSent = (calls: OrderCalls, at: Page) => ({
  ...refundAll(calls, at),
  asks: { ...sentBack, ...reason },
  input: (rows: readonly OrderRow[], asked: SentBack & { reason: string }) => ({
    ...one(rows),
    ...sentBackOf(asked),
    reason: asked.reason,
  }),
})

const SEPARATOR = /[、,，;；\s]+/
/** Tags, typed with whatever stands between them. */
export const tagAction = (calls: ReturnType<typeof tagCall<'bulks'>>, at: Page, detail: Page) => ({
  tag: action(calls.tag, {
    title: '打标签',
    en: 'Tag',
    key: 't',
    at,
    also: [detail],
    on: orderRow,
    takes: 'row',
    asks: {
      tags: ask.text({
        label: ['标签（顿号分隔）', 'Tags (comma-separated)'],
        max: 140,
        optional: true,
        initial: rows => rows[0]?.tags.join('、'),
      }),
    },
    input: (rows, asked) => ({
      ...one(rows),
      tags: (asked.tags ?? '').split(SEPARATOR).filter(Boolean).slice(0, 8),
    }),
  }),
})

const until = ask.time({
  label: ['新的有效期', 'Valid until'],
  hint: [
    '只能延长，最多到商品有效期后 365 天',
    'Can only be extended, to at most 365 days past the product’s end',
  ],
  initial: rows => {
    const [row] = rows as OrderRow[]
    return row?.valid_until ? row.valid_until + 30 * DAY : undefined
  },
})
/** What orders of codes can have beside. */
export const codeActions = (
  calls: ReturnType<typeof codeCalls<'bulks'>>,
  at: Page,
  detail: Page,
) => ({
  extendValidity: action(calls.extendValidity, {
    title: '延长有效期',
    en: 'Extend validity',
    key: 'e',
    at,
    also: [detail],
    on: orderRow,
    takes: 'row',
    when: can('extendValidity'),
    asks: { until, ...reason },
    input: (rows, asked) => ({ ...one(rows), until: asked.until!, reason: asked.reason }),
  }),
  resendCode: action(calls.resendCode, {
    title: '重发券码',
    en: 'Send codes again',
    key: 'm',
    at,
    also: [detail],
    on: orderRow,
    takes: 'row',
    when: can('resendCode'),
    input: rows => ({ id: rows[0]!.id }),
  }),
  batchRefund: action(calls.batchRefund, {
    title: '批量退款',
    en: 'Refund selected',
    key: 'shift+r',
    danger: true,
    at,
    on: orderRow,
    most: ROWS_A_CALL,
    when: can('refund'),
    asks: reason,
    tells: toPayBack,
    input: (rows, asked) => ({ ids: ids(rows), ...asked }),
  }),
  batchExtend: action(calls.batchExtend, {
    title: '批量延期',
    en: 'Extend selected',
    key: 'shift+d',
    at,
    on: orderRow,
    most: ROWS_A_CALL,
    tells: inAll,
    when: can('extendValidity'),
    asks: { until, ...reason },
    input: (rows, asked) => ({ ids: ids(rows), until: asked.until!, reason: asked.reason }),
  }),
})

const waits = (row: OrderRow, me: Me): true | Text => {
  const of = row.to_decide
  if (!of) return ['没有待审批的退款', 'No refund awaits a decision']
  return of.state === 'applied'
    ? true
    : refundCan('secondApprove', { ...of, frozen: row.frozen }, { id: me.id, now: unixNow() })
}
const agree = (row: OrderRow, me: Me): true | Text => {
  const may = waits(row, me)
  return may === true && row.to_decide!.state === 'applied'
    ? refundCan(
        row.to_decide!.type === 'return_refund' ? 'takeBack' : 'approve',
        { ...row.to_decide!, frozen: row.frozen },
        { id: me.id, now: unixNow() },
      )
    : may
}
export const payoutFailed = (row: OrderRow): true | Text =>
  row.payout_failed ? true : ['没有打款失败的退款', 'No refund has failed']
const which = ([row]: readonly OrderRow[]) => ({
  id: row!.id,
  refund_id: row!.to_decide!.id,
  refund_version: row!.to_decide!.version,
})
const stakeWords = ({ override, state }: NonNullable<OrderRow['to_decide']>): Text => {
  if (override)
    return [
      '退款 ¥{cents}，超出售出时的约定，{who} 申请例外，待复审',
      'Refund of ¥{cents}, more than was promised: {who} asks for an exception',
    ]
  return state === 'second_audit'
    ? [
        '退款 ¥{cents}，{who} 已同意，待复审',
        'Refund of ¥{cents}, approved by {who}; awaits a second approval',
      ]
    : ['退款 ¥{cents}', 'Refund of ¥{cents}']
}
const atStake = ([row]: readonly OrderRow[]): Told | undefined => {
  const of = row?.to_decide
  if (!of) return undefined
  const values = { cents: yuan(of.amount_cents), who: of.first_name || '—' }
  return [stakeWords(of), values, of.amount_cents]
}
/**
 * A refund of an order in a store is agreed to or refused on the order, by a second person where
 * the first one's limit is below it.
 */
export const decideActions = (
  calls: ReturnType<typeof decideCalls<'bulks'>>,
  at: Page,
  detail: Page,
) => ({
  approveRefund: action(calls.approveRefund, {
    title: '同意退款',
    en: 'Agree to the refund',
    key: 'p',
    at,
    also: [detail],
    on: orderRow,
    takes: 'row',
    when: agree,
    tells: atStake,
    input: which,
    takenBack: 'final',
  }),
  refuseRefund: action(calls.refuseRefund, {
    title: '不同意退款',
    en: 'Refuse the refund',
    key: 'n',
    danger: true,
    at,
    also: [detail],
    on: orderRow,
    takes: 'row',
    when: waits,
    tells: atStake,
    asks: {
      why: ask.reason({
        label: ['不同意的原因（买家可见）', 'Reason (shown to the buyer)'],
        codes: refundRejects,
        from: offeredRefusals,
      }),
    },
    input: (rows, { why }) => ({
      ...which(rows),
      reason_code: why.code,
      reason: why.text,
    }),
  }),
  retryRefund: action(calls.retryRefund, {
    title: '重试失败退款',
    en: 'Retry failed refunds',
    key: 'f',
    at,
    also: [detail],
    on: orderRow,
    takes: 'row',
    when: payoutFailed,
    input: rows => ({ id: rows[0]!.id }),
  }),
})

/** The same of goods that are posted: of a return it is said in what state they came back. */
export const decidePosted = (
  calls: ReturnType<typeof decideCalls<'bulks'>>,
  at: Page,
  detail: Page,
) => {
  const of = decideActions(calls, at, detail)
  return {
    ...of,
    approveRefund: {
      ...of.approveRefund,
      asks: {
        returned: {
          ...sentBack.returned,
          optional: false,
          hint: [
            '退货退款：先收到退货再同意',
            'A return: receive the goods before approving',
          ] satisfies Text,
          shown: (_: unknown, [row]: readonly OrderRow[]) =>
            row?.to_decide?.state === 'applied' && row.to_decide.type === 'return_refund',
        },
      },
      input: (rows: readonly OrderRow[], { returned }: { returned: string | undefined }) => ({
        ...which(rows),
        ...(returned && { returned: returned as ReturnCondition }),
      }),
    },
  }
}

/** A code with its order, as the table of a detail page offers it. */
export type CodeRow = OrderDetail['codes'][number] & { order: OrderRow }
export type UseRow = OrderDetail['uses'][number] & { order: OrderRow; reverse_h: number }
/** Where a code is redeemed: the order's own store while that is open, or another that takes it. */
export const takenIn = (list: Pick<OrderCalls, 'stores'>) =>
  ask.entity({
    label: ['核销门店', 'Store'],
    find: list.stores,
    none: [
      '没有营业中的适用门店：可先更换适用门店，或退款',
      'No store that takes it is open: move it to another, or refund it',
    ],
    labelOf: row => row.name,
    given: rows => {
      const [row] = rows as (OrderRow & { code_id?: number; code_ids?: number[] })[]
      return { order_id: row?.id, code_id: row?.code_id ?? row?.code_ids?.[0] }
    },
    initial: rows => {
      const [row] = rows as OrderRow[]
      return row?.store_status === 'open' && row.kind !== 'combo' ? row.store_id : undefined
    },
    named: rows => (rows as OrderRow[])[0]?.store_name,
  })
/** What the page of one order of codes can do, whatever its codes are. */
export const codeViewActions = (
  calls: Pick<
    ReturnType<typeof codeDetailCalls<'bulks'>>,
    'changeStore' | 'queryPay' | 'revealCode'
  >,
  list: OrderCalls,
  detail: Page,
) => ({
  changeStore: action(calls.changeStore, {
    title: '更换适用门店',
    en: 'Change the store',
    key: 's',
    at: detail,
    on: orderRow,
    takes: 'row',
    when: can('changeStore'),
    asks: {
      store: ask.entity({
        label: ['换到', 'To'],
        find: list.stores,
        none: ['商户没有营业中的门店', 'No store of the merchant is open'],
        labelOf: row => row.name,
        given: rows => ({ merchant_id: (rows as OrderRow[])[0]?.merchant_id }),
      }),
      ...reason,
    },
    input: (rows, asked) => ({ ...one(rows), store_id: asked.store, reason: asked.reason }),
  }),
  queryPay: action(calls.queryPay, {
    title: '向支付渠道查单',
    en: 'Check payment status',
    key: 'q',
    at: detail,
    on: orderRow,
    takes: 'row',
    when: row => (row.pay_state === 'paid' ? ['已支付', 'Already paid'] : true),
    input: rows => ({ id: rows[0]!.id }),
  }),
  revealCode: action(calls.revealCode, {
    title: '查看完整券码',
    en: 'Reveal a code',
    key: 'shift+v',
    at: detail,
    on: orderRow,
    takes: 'row',
    when: row =>
      (row as OrderRow & { code_id?: number }).code_id === undefined
        ? ['请先选中一个券码', 'Choose a code first']
        : true,
    asks: reason,
    input: (rows, asked) => ({
      id: rows[0]!.id,
      code_id: (rows[0] as OrderRow & { code_id?: number }).code_id!,
      ...asked,
    }),
  }),
})
/** What the page of one order of codes can do with it; the choice of codes is the page's own. */
export const codeDetailActions = (
  calls: ReturnType<typeof codeDetailCalls<'bulks'>>,
  list: OrderCalls,
  detail: Page,
) => ({
  refund: action(calls.refund, {
    title: '退所选券码',
    en: 'Refund selected codes',
    key: 'r',
    danger: true,
    main: true,
    at: detail,
    on: orderRow,
    takes: 'row',
    when: can('refund'),
    asks: reason,
    tells: toPayBack,
    input: (rows, asked) => ({
      ...one(rows),
      ...((rows[0] as OrderRow & { code_ids?: number[] }).code_ids?.length && {
        code_ids: (rows[0] as OrderRow & { code_ids?: number[] }).code_ids,
      }),
      reason: asked.reason,
    }),
  }),
  verifyForStore: action(calls.verifyForStore, {
    title: '平台代核销',
    en: 'Redeem for the store',
    key: 'c',
    at: detail,
    on: orderRow,
    takes: 'row',
    when: row =>
      orderCan('redeem', row) === true &&
      (row as OrderRow & { code_id?: number }).code_id === undefined
        ? ['请先选中一个券码', 'Choose a code first']
        : orderCan('redeem', row),
    asks: {
      store: takenIn(list),
      times: ask.number({ label: ['次数', 'Uses'], min: 1, max: 9999, initial: () => 1 }),
      ...reason,
    },
    input: (rows, asked) => ({
      id: rows[0]!.id,
      code_id: (rows[0] as OrderRow & { code_id?: number }).code_id!,
      store_id: asked.store,
      times: asked.times,
      reason: asked.reason,
    }),
  }),
  reverseVerify: action(calls.reverseVerify, {
    title: '撤销核销',
    en: 'Reverse a redemption',
    key: 'shift+c',
    danger: true,
    at: detail,
    on: orderRow,
    takes: 'row',
    when: row =>
      (row as OrderRow & { verify_id?: number }).verify_id === undefined
        ? ['请先选中一条核销记录', 'Choose a redemption first']
        : true,
    asks: reason,
    input: (rows, asked) => ({
      id: rows[0]!.id,
      verify_id: (rows[0] as OrderRow & { verify_id?: number }).verify_id!,
      ...asked,
    }),
  }),
  ...codeViewActions(calls, list, detail),
})
