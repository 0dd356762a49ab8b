import { z } from 'zod'
import {
  benefits as benefitWords,
  DAYS_MOST,
  GIFTS_MOST,
  planKinds,
  planStates,
  refundPolicies,
  type Benefit,
  type PlanKind,
  type PlanState,
  type VipRefundPolicy,
} from '#src/areas/vipCard/vipCard.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  basisPoints,
  cents,
  flag,
  id,
  keysOf,
  keyText,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const MONEY_MOST = 1_000_000_00
const money = z.int().min(0).max(MONEY_MOST)
const kind = keysOf<PlanKind>(planKinds)
const state = keysOf<PlanState>(planStates)
const benefitKeys = z.array(keysOf<Benefit>(benefitWords)).max(20)
const count = z.int().min(0)
const named = z.object({ id, name: z.string() })

/** What is written of a plan; its benefits and gifts are set apart. */
const fields = {
  name: text(16, 2),
  kind,
  days: z.int().min(1).max(DAYS_MOST),
  price_cents: money,
  first_price_cents: money.nullable(),
  original_cents: money,
  auto_renew: flag,
  contract_template: text(40, 0).default(''),
  cover: keyText(200).nullable(),
  buy_limit: z.int().min(0).max(1000),
  stock: z.int().min(0).max(10_000_000).nullable(),
  refund_policy: keysOf<VipRefundPolicy>(refundPolicies),
}
export const planRow = z.object({
  id,
  ...fields,
  contract_template: z.string(),
  benefits: benefitKeys,
  gift_coupon_ids: z.array(id),
  sold_count: count,
  sort: z.int(),
  status: state,
  off_reason: z.string(),
  created_at: unix,
  version,
})
export type PlanRow = z.output<typeof planRow>
/** How a plan sells. */
const figures = z.object({
  id,
  /** Members who have it now, and how many of them renew by themselves. */
  active_n: count,
  renews_n: count,
  /** What was opened in 30 days, and in all; what was paid and how much of it was given back. */
  opened_30d: count,
  opened_n: count,
  paid_cents: cents,
  renewed_bp: basisPoints,
  ended_bp: basisPoints,
  gifts: z.array(z.object({ id, name: z.string(), left: count, given: z.boolean() })),
})
export type PlanFigures = z.output<typeof figures>

const filters = {
  keyword: searched(16).optional(),
  status: state.optional(),
  kind: kind.optional(),
}
const call = callsOf('vip/card', { touches: ['vip_card'], rows: 'all' })
const view = 'vip.card.view'

/** Plans of paid membership: what each costs and gives, and how it sells. */
export const plans = {
  lst: call.lists('lst', ['会员卡种', 'VIP card plans'], {
    filters,
    row: planRow,
    answer: { stat: z.record(z.string(), z.int()) },
  }),
  figures: call.read('figures', ['卡种销售', 'How plans sell'], {
    input: z.object({ ids: z.array(id).min(1).max(2) }),
    output: z.object({ list: z.array(figures) }),
    touches: ['vip_card', 'vip_subscription', 'vip_card_order'],
    permit: view,
  }),
  /** Coupons that are given out now. */
  coupons: call.read('coupons', ['可选礼券', 'Coupons to choose'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(named),
    touches: ['coupon'],
    permit: view,
    scope: placed('coupon'),
  }),
  arranged: call.read('arranged', ['卡种顺序', 'The order of plans'], {
    input: z.object({}),
    output: z.object({ list: z.array(named), list_version: z.int() }),
    permit: view,
  }),
  create: call.creates('create', ['新增卡种', 'Create a plan'], { fields }),
  edit: call.changes('edit', ['编辑卡种', 'Edit a plan'], { fields }),
  copy: call.changes('copy', ['复制卡种', 'Copy a plan']),
  onShelf: call.changes('onShelf', ['上架卡种', 'Put a plan on sale']),
  offShelf: call.changes('offShelf', ['下架卡种', 'Take a plan off sale'], { fields: { reason } }),
  setBenefits: call.changes('setBenefits', ['配置权益', 'Set the benefits of a plan'], {
    fields: { benefits: benefitKeys, gift_coupon_ids: z.array(id).max(GIFTS_MOST) },
  }),
  sort: call.sorts('sort', ['调整卡种顺序', 'Arrange plans'], { fields: {} }),
  del: call.deletes('del', ['删除卡种', 'Delete a plan']),
}
