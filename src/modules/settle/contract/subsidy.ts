import { z } from 'zod'
import { limitKinds } from '#src/areas/limit/rule.ts'
import {
  BUDGET_MOST,
  formulas,
  SCOPES_MOST,
  scopeKinds,
  shownStates,
} from '#src/areas/subsidy/subsidy.ts'
import { placed } from '#src/contract/call.ts'
import { memberFinds } from '#src/contract/finds.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const scope_kind = keysOf(scopeKinds)
const product_kind = keysOf(limitKinds)
const formula = keysOf(formulas)
const share = z.int().min(0).max(10_000)
const money = z.int().min(1).max(BUDGET_MOST)
const named = z.object({ id, name: z.string() })
const terms = {
  scope_kind,
  product_kind,
  levels: z.array(z.int().min(1).max(5)).max(5),
  formula,
  unit_cents: z.int().min(0).max(BUDGET_MOST),
  percent_bp: share,
  cap_cents: money.nullable(),
  zero_price: z.boolean(),
  platform_bp: share,
  mall_bp: share,
  merchant_bp: share,
  /** The mall that pays the mall's share; 0 where none does. */
  mall_id: z.int().min(0).max(2147483647),
  budget_cents: money,
  day_budget_cents: money.nullable(),
  per_member_day_cents: money.nullable(),
  per_member_count: z.int().min(1).max(100_000).nullable(),
  stackable: z.boolean(),
  priority: z.int().min(0).max(999),
  warn_bp: share,
  start_at: unix,
  end_at: unix,
}
const fields = {
  name: text(40, 2),
  ...terms,
  scope_ids: z.array(id).max(SCOPES_MOST).default([]),
}
export const planRow = z.object({
  id,
  name: z.string(),
  ...terms,
  /** What its scope names. */
  scope: z.array(named),
  mall_name: z.string(),
  state: keysOf(shownStates),
  used_cents: cents,
  locked_cents: cents,
  left_cents: cents,
  /** Spent in the last 24 hours, and the seconds that what is left lasts so; null where nothing was. */
  spent_cents: cents,
  lasts_s: z.int().nullable(),
  orders: z.int(),
  gmv_cents: guarded('stat.gmv_cents', cents),
  /** More than its warning says is used or promised. */
  warns: z.boolean(),
  maker: z.string(),
  maker_id: id,
  approver: z.string(),
  reason: z.string(),
  version,
})
export type PlanRow = z.output<typeof planRow>

const filters = {
  keyword: searched(40).optional(),
  status: keysOf(shownStates).optional(),
  formula: formula.optional(),
  mid: z.int().min(0).max(2147483647).optional(),
  /** Above its warning. */
  warns: z.boolean().optional(),
}
const call = callsOf('settle/subsidy', { touches: ['subsidy_plan'], rows: 'subsidy_plan' })
const view = 'settle.subsidy.view'
const by = { fields: { amount_cents: money, reason } }

/** Money that operations asks for and finance grants, out of which orders are subsidised. */
export const subsidyPlans = {
  lst: call.lists('lst', ['补贴计划', 'Subsidy plans'], {
    filters,
    row: planRow,
    answer: {
      stat: z.record(z.string(), z.int()),
      /** What the plans that match have as budget, used and promised. */
      sums: z.object({ budget_cents: cents, used_cents: cents, locked_cents: cents }),
    },
    touches: ['subsidy_plan', 'order'],
  }),
  products: call.lists('products', ['可补贴的商品', 'Products to subsidise'], {
    filters: { keyword: searched(60).optional(), kind: product_kind.optional() },
    row: named,
    touches: ['product'],
    scope: placed('product'),
    permit: view,
  }),
  stores: call.lists('stores', ['可补贴的门店', 'Stores to subsidise'], {
    filters: { keyword: searched(60).optional() },
    row: named,
    touches: ['store'],
    scope: placed('store'),
    permit: view,
  }),
  members: call.read('members', ['会员', 'Members'], {
    input: z.object({ keyword: searched(40).optional(), ...page }),
    output: listOf(named.extend({ uid: z.string(), phone: guarded('member.phone', z.string()) })),
    touches: ['member'],
    finds: memberFinds,
    scope: placed('member'),
    permit: view,
  }),
  create: call.creates('create', ['新增补贴计划', 'Create a subsidy plan'], { fields }),
  edit: call.changes('edit', ['编辑补贴计划', 'Edit a subsidy plan'], { fields }),
  copy: call.changes('copy', ['复制补贴计划', 'Copy a subsidy plan'], {
    fields: { name: text(40, 2), start_at: unix, end_at: unix },
  }),
  submit: call.changes('submit', ['提交补贴审批', 'Submit a subsidy plan']),
  /** Another person than asked for it; the mall's share is taken from its funds. */
  approve: call.changes('approve', ['通过补贴计划', 'Approve a subsidy plan']),
  reject: call.changes('reject', ['驳回补贴计划', 'Reject a subsidy plan'], { fields: { reason } }),
  pause: call.changes('pause', ['暂停补贴计划', 'Pause a subsidy plan'], { fields: { reason } }),
  resume: call.changes('resume', ['恢复补贴计划', 'Resume a subsidy plan']),
  addBudget: call.changes('addBudget', ['追加补贴预算', 'Raise a subsidy budget'], by),
  cutBudget: call.changes('cutBudget', ['调减补贴预算', 'Cut a subsidy budget'], by),
  end: call.changes('end', ['结束补贴计划', 'End a subsidy plan'], { fields: { reason } }),
  /** What each running plan would give for one unit, and why others give nothing. */
  simulate: call.read('simulate', ['试算单笔补贴', 'Test a subsidy'], {
    input: z.object({
      product_id: id,
      price_cents: z.int().min(1).max(BUDGET_MOST),
      member_id: id.optional(),
    }),
    output: z.object({
      product: z.string(),
      price_cents: cents,
      pays_cents: cents,
      plans: z.array(
        z.object({
          id,
          name: z.string(),
          unit_cents: cents,
          platform_cents: cents,
          mall_cents: cents,
          merchant_cents: cents,
          /** Why it gives nothing; null where it gives. */
          short: z.enum(['budget', 'day', 'member_day', 'member_count']).nullable(),
        }),
      ),
    }),
    scope: placed('subsidy_plan', { product_id: 'product', member_id: 'member' }),
    permit: 'settle.subsidy.simulate',
  }),
  export: call.startsExport('export', ['导出补贴计划', 'Export subsidy plans'], { filters }),
}
