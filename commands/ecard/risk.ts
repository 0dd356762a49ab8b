import {
  refundAfterText,
  riskActions,
  riskCan,
  unitOf,
  type RiskAction,
  type RiskMetric,
  type RiskVerb,
} from '#src/areas/risk/risk.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  cardHitRow,
  cardRisk as calls,
  cardRuleRow,
  type CardHitRow,
  type CardRuleRow,
} from '#src/modules/ecard/contract/risk.ts'
import { ask, type Me } from '../command.ts'
import { cardRiskPage } from '../pages/ecard.ts'
import { asking, exportAction, idOf, one, pageAction, reason, rowActions } from '../record.ts'

/** The two views of the page; one of them stands in its address. */
export const cardRiskViews = { hits: ['命中队列', 'Hits'], rules: ['规则', 'Rules'] } as const
export const cardRiskViewActions = {
  hits: pageAction('ecard.risk.hits', cardRiskViews.hits, cardRiskPage, { key: '1' }),
  rules: pageAction('ecard.risk.rules', cardRiskViews.rules, cardRiskPage, { key: '2' }),
}
type Row = CardHitRow | CardRuleRow
const toHits = ['先切到命中队列', 'Go to the hits first'] as const
const toRules = ['先切到规则', 'Go to the rules first'] as const
const can = (verb: RiskVerb) => (row: CardHitRow, me: Me) =>
  (row as Row).kind === 'hit' ? riskCan(verb, row, me.id, unixNow()) : toHits
const isRule = (row: CardRuleRow) => (row as Row).kind === 'rule' || toRules
const backOf = (rows: readonly CardHitRow[]) => rows[0]?.refundable_orders ?? []
const row = rowActions(cardRiskPage, cardHitRow)
const rule = rowActions(cardRiskPage, cardRuleRow)

/** What is done about a hit of e-cards. */
export const cardHitActions = {
  claim: row.row(calls.claim, ['领取', 'Claim'], { key: 'c', when: can('claim'), input: idOf }),
  confirm: row.row(calls.confirm, ['确认风险', 'Confirm'], {
    key: 'a',
    danger: true,
    main: true,
    when: can('confirm'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  release: row.row(calls.release, ['判为误报并放行', 'Release'], {
    key: 'r',
    main: 'plain',
    when: can('release'),
    tells: rows =>
      rows[0]?.frozen_cards
        ? [
            ['解冻本命中冻结的 {n} 张卡', 'Unfreezes the {n} cards it froze'],
            { n: rows[0].frozen_cards },
          ]
        : undefined,
    asks: { reason },
    input: asking(asked => asked),
  }),
  freezeCards: row.row(calls.freezeCards, ['冻结关联卡', 'Freeze linked cards'], {
    key: 'f',
    danger: true,
    main: true,
    when: (of, me) => {
      const may = can('freezeOrders')(of, me)
      if (may !== true) return may
      return of.freezable_cards.length > 0 || ['没有可冻结的卡', 'No cards can be frozen']
    },
    tells: rows =>
      rows[0] && [
        ['将冻结 {n} 张卡，余额不变', '{n} cards will be frozen; balances stay'],
        { n: rows[0].freezable_cards.length },
      ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  banBuyer: row.row(calls.banBuyer, ['限制购买', 'Ban the buyer'], {
    key: 'd',
    danger: true,
    when: (of, me) => {
      const may = can('freezeOrders')(of, me)
      if (may !== true) return may
      return of.member_id !== null || ['命中没有会员', 'The hit has no member']
    },
    asks: {
      days: ask.number({ label: ['限制天数', 'Days'], min: 1, max: 3650, initial: () => 30 }),
      reason,
    },
    input: (rows, asked) => ({ ...one(rows), member_id: rows[0]!.member_id!, ...asked }),
  }),
  banDevice: row.row(calls.banDevice, ['封禁设备', 'Ban the device'], {
    key: 'shift+d',
    danger: true,
    when: (of, me) => {
      const may = can('freezeOrders')(of, me)
      if (may !== true) return may
      return of.device_id !== null || ['命中没有设备', 'The hit has no device']
    },
    asks: { reason },
    input: (rows, asked) => ({ ...one(rows), device: rows[0]!.device_id!, ...asked }),
  }),
  refundAll: row.row(calls.refundAll, ['强制退款', 'Force refunds'], {
    key: 'shift+f',
    danger: true,
    when: (of, me) => {
      const may = can('freezeOrders')(of, me)
      if (may !== true) return may
      if (of.state !== 'confirmed') return refundAfterText
      return of.refundable_orders.length > 0 || ['没有可退的卡', 'No cards can be refunded']
    },
    tells: () => [
      [
        '只退未查看、未绑定、未消费、未赠出的卡；由另一人在电子卡订单复审后原路退回。本命中冻结的卡改由退款占用，退款被驳回后须重新冻结。',
        'Only cards never shown, bound, spent or given go back, the way they were paid, once another person agrees on the page of e-card orders. Cards that the hit froze are held by the refund instead: freeze them again if it is refused.',
      ],
      {},
    ],
    asks: {
      order_ids: ask.entities({
        label: ['订单', 'Orders'],
        max: 200,
        find: calls.refundable,
        labelOf: row => row.name,
        by: ['订单号', 'order number'],
        given: rows => ({ id: rows[0]?.id ?? 0 }),
        initial: rows => backOf(rows).map(one => one.id),
        named: rows => Object.fromEntries(backOf(rows).map(one => [one.id, one.name])),
      }),
      reason,
    },
    input: asking(asked => asked),
    takenBack: 'final',
  }),
  fileReport: row.row(calls.fileReport, ['生成可疑交易报告', 'File a report'], {
    key: 'p',
    when: (of, me) => {
      const may = can('freezeOrders')(of, me)
      if (may !== true) return may
      return of.report_no === '' || ['已生成报告', 'It was reported']
    },
    asks: { reason },
    input: asking(asked => asked),
    takenBack: 'final',
  }),
  export: exportAction(calls.export, ['导出风险记录', 'Export hits'], cardRiskPage),
}
const isCount = (of: CardRuleRow | undefined) =>
  of === undefined || unitOf(of.metric as RiskMetric) === 'count'
/** What is done with the rules of e-cards. */
export const cardRuleActions = {
  saveRule: rule.row(calls.saveRule, ['调整规则', 'Adjust the rule'], {
    key: 'e',
    main: true,
    when: isRule,
    asks: {
      threshold: ask.number({
        label: ['阈值', 'Threshold'],
        min: 2,
        max: 10_000,
        shown: (_, rows) => isCount(rows[0] as CardRuleRow | undefined),
        initial: rows => rows[0]?.threshold,
      }),
      money: ask.money({
        label: ['金额阈值', 'Amount'],
        shown: (_, rows) => !isCount(rows[0] as CardRuleRow | undefined),
        initial: rows => rows[0]?.threshold,
      }),
      minutes: ask.number({
        label: ['统计窗口（分钟）', 'Window in minutes'],
        min: 1,
        max: 43_200,
        initial: rows => (rows[0] ? Math.round(rows[0].window_s / 60) : undefined),
      }),
      action: ask.choice({
        label: ['动作', 'Action'],
        options: riskActions,
        initial: rows => rows[0]?.action ?? 'mark',
        hint: [
          '改动后规则停用，需重新启用；已有命中不变',
          'The rule is turned off until enabled again; existing hits stay',
        ],
      }),
    },
    input: (rows, asked) => ({
      ...one(rows),
      threshold: isCount(rows[0]) ? asked.threshold : asked.money,
      window_s: asked.minutes * 60,
      action: asked.action as RiskAction,
    }),
  }),
  toggleRule: rule.row(calls.toggleRule, ['启用或停用', 'Turn on or off'], {
    key: 's',
    main: 'plain',
    when: isRule,
    asks: { reason },
    input: asking(asked => asked),
  }),
}
