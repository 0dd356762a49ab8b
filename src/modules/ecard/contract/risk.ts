import { z } from 'zod'
import { codeStates } from '#src/areas/ecard/ecard.ts'
import {
  riskActions,
  riskLevels,
  ruleStates,
  type RiskAction,
  type RiskLevel,
  type RuleState,
} from '#src/areas/risk/risk.ts'
import { placed } from '#src/contract/call.ts'
import { memberFinds } from '#src/contract/finds.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  id,
  keysOf,
  listOf,
  page,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { hitTabs, riskHitRow, riskRuleRow } from '#src/modules/system/contract/risk.ts'

const count = z.int().min(0)
const card = z.object({ id, name: z.string() })
export const cardHitRow = riskHitRow.extend({
  cards: count,
  frozen_cards: count,
  /** The cards of it that can be frozen now: the first of them, by their masked numbers. */
  freezable_cards: z.array(card),
  /** Orders of its cards of which some were never shown, bound or spent, by their numbers. */
  refundable_orders: z.array(card),
  report_no: z.string(),
})
export type CardHitRow = z.output<typeof cardHitRow>
export const cardRuleRow = riskRuleRow
export type CardRuleRow = z.output<typeof cardRuleRow>

/** A node in the graph of a hit: a payer, a card, its holder, or its issuer's store. */
const node = z.object({
  id: z.string(),
  kind: z.enum(['payer', 'card', 'holder', 'store']),
  name: z.string(),
  note: z.string(),
})
const detail = z.object({
  says: z.string(),
  measured: z.string(),
  nodes: z.array(node),
  links: z.array(z.object({ from: z.string(), to: z.string(), what: z.string() })),
  cards: z.array(
    z.object({
      id,
      name: z.string(),
      state: keysOf(codeStates),
      face_cents: cents,
      balance_cents: cents,
      payer: z.string(),
      holder: z.string(),
      store: z.string(),
      frozen_here: z.boolean(),
    }),
  ),
  report: z
    .object({ no: z.string(), at: unix, by: z.string(), reason: z.string(), text: z.string() })
    .nullable(),
})
export type CardHitDetail = z.output<typeof detail>
const filters = {
  state: z.enum(hitTabs).default('waiting'),
  keyword: searched(40).optional(),
  level: keysOf<RiskLevel>(riskLevels).optional(),
  rule_id: id.optional(),
  from: unix.optional(),
  to: unix.optional(),
}
const { state: _, ...plain } = filters
const call = callsOf('ecard/risk', {
  touches: ['risk_hit', 'ecard_code'],
  rows: 'risk_hit',
})
const rule = callsOf('ecard/risk', { touches: ['risk_rule'], rows: 'all' })
const view = 'ecard.risk.view'
const ruled = z.object({ id, version, status: keysOf<RuleState>(ruleStates) })
const DAYS_MOST = 3650

/** Fraud with e-cards: the hits of the scene, their cards, and the rules that find them. */
export const cardRisk = {
  lst: {
    ...call.lists('lst', ['电子卡风险命中', 'Hits of e-cards'], {
      filters,
      row: cardHitRow,
      touches: ['risk_hit', 'ecard_code', 'order'],
    }),
    finds: memberFinds,
  },
  counts: {
    ...call.read('counts', ['电子卡风险计数', 'Counts of hits'], {
      input: z.object(plain),
      output: z.record(z.string(), count),
      permit: view,
    }),
    finds: memberFinds,
  },
  detail: call.read('detail', ['电子卡风险详情', 'A hit of e-cards'], {
    input: z.object({ id }),
    output: detail,
    permit: view,
    scope: { rows: 'risk_hit', by: { id: 'risk_hit' } },
  }),
  claim: call.write('claim', ['领取命中', 'Claim a hit'], {
    input: z.object({ id }),
    output: z.object({ id, version, claim_until: unix }),
  }),
  release: call.changes('release', ['判为误报并放行', 'Release a hit'], {
    fields: { reason },
    answer: { unfrozen: count },
  }),
  confirm: call.changes('confirm', ['确认风险', 'Confirm a hit'], { fields: { reason } }),
  /** The cards of the hit that can be frozen, or those of them that are named. */
  freezeCards: call.changes('freezeCards', ['冻结关联卡', 'Freeze linked cards'], {
    fields: { code_ids: z.array(id).max(500).optional(), reason },
    answer: { frozen: count, left: count },
  }),
  banBuyer: call.changes('banBuyer', ['限制购买', 'Ban a buyer'], {
    fields: { member_id: id, days: z.int().min(1).max(DAYS_MOST), reason },
    answer: { until_at: unix },
    touches: ['risk_list', 'risk_hit'],
  }),
  banDevice: call.changes('banDevice', ['封禁设备', 'Ban a device'], {
    fields: { device: searched(40, 1), reason },
    touches: ['risk_list', 'risk_hit'],
  }),
  /** Orders of a confirmed hit of which some cards are unspent: what a forced refund can name. */
  refundable: call.read('refundable', ['可退款的订单', 'Orders to refund'], {
    input: z.object({ id, keyword: searched(40).optional(), ...page }),
    output: listOf(card),
    touches: ['risk_hit', 'order', 'ecard_code'],
    permit: 'ecard.risk.refundAll',
    scope: placed('order', { id: 'risk_hit' }),
  }),
  /** Asks for the money of unspent cards to go back; each order waits for a second person. */
  refundAll: call.changes('refundAll', ['强制退款', 'Force refunds'], {
    fields: { order_ids: z.array(id).min(1).max(200), reason },
    answer: batchResult.shape,
    touches: ['risk_hit', 'order', 'refund', 'ecard_code'],
  }),
  fileReport: call.changes('fileReport', ['生成可疑交易报告', 'File a report'], {
    fields: { reason },
    answer: { no: z.string() },
  }),
  export: {
    ...call.startsExport('export', ['导出电子卡风险', 'Export hits'], { filters }),
    finds: memberFinds,
  },
  rules: rule.lists('rules', ['电子卡风控规则', 'Rules of e-cards'], {
    filters: {},
    row: cardRuleRow,
    permit: view,
    touches: ['risk_rule', 'risk_hit'],
  }),
  saveRule: rule.write('saveRule', ['保存规则', 'Save a rule'], {
    input: z.object({
      id,
      version,
      threshold: z.int().min(0).max(2147483647),
      window_s: z.int().min(0).max(2147483647),
      action: keysOf<RiskAction>(riskActions),
    }),
    output: ruled,
  }),
  toggleRule: rule.write('toggleRule', ['启停规则', 'Turn a rule on or off'], {
    input: z.object({ id, version, reason }),
    output: ruled,
  }),
}
