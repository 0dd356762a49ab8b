import { limitKinds } from '#src/areas/limit/rule.ts'
import { memberLevels } from '#src/areas/member/levels.ts'
import {
  BUDGET_MOST,
  formulas,
  planSentence,
  SCOPES_MOST,
  scopeKinds,
  type Formula,
  type ScopeKind,
  type ShownState,
} from '#src/areas/subsidy/subsidy.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { bpOf, yuan } from '#src/domain/money.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import {
  planRow,
  subsidyPlans as calls,
  type PlanRow,
} from '#src/modules/settle/contract/subsidy.ts'
import { ask, type Asked, type Me, type Told } from '../command.ts'
import { subsidyPlans } from '../pages/settle.ts'
import { asking, createAction, exportAction, formOf, one, reason, rowActions } from '../record.ts'

type Answers = { scope_kind?: ScopeKind; formula?: Formula; mall_share?: number }
type Rows = readonly PlanRow[]
const nameOf = (row: { name: string }) => row.name
const namedIn = ([row]: Rows) =>
  Object.fromEntries((row?.scope ?? []).map(({ id, name }) => [id, name]))
/** What stands in a plan of that kind of scope; a question of another kind begins empty. */
const idsIn = (kind: ScopeKind) => (rows: Rows) =>
  rows[0]?.scope_kind === kind ? rows[0].scope.map(row => row.id) : undefined
const scopeOf = (kind: ScopeKind) => ({
  max: SCOPES_MOST,
  labelOf: nameOf,
  named: namedIn,
  field: 'scope_ids',
  shown: (answers: Answers) => answers.scope_kind === kind,
  initial: idsIn(kind),
})
const by =
  (...kinds: Formula[]) =>
  (answers: Answers) =>
    answers.formula !== undefined && kinds.includes(answers.formula)
const usualShares = { platform_bp: 10_000, mall_bp: 0, merchant_bp: 0 }
/** A share in percent. */
const share = (label: [string, string], field: 'platform_bp' | 'mall_bp' | 'merchant_bp') =>
  ask.number({
    label,
    min: 0,
    max: 100,
    places: 2,
    field,
    initial: (rows: Rows) => (rows[0] ?? usualShares)[field] / 100,
  })
const limit = (label: [string, string], field: 'day_budget_cents' | 'per_member_day_cents') =>
  ask.money({
    label,
    min: 1,
    max: BUDGET_MOST,
    optional: true,
    field,
    initial: (rows: Rows) => rows[0]?.[field] ?? undefined,
    hint: ['不填为不限', 'Empty: no limit'],
  })
const name = ask.text({
  label: ['名称', 'Name'],
  min: 2,
  max: 40,
  hint: ['被拒绝补贴的顾客会看到', 'Shown to buyers who are refused the subsidy'],
})
const start_at = ask.time({
  label: ['开始时间', 'From'],
  initial: (rows: Rows) => rows[0]?.start_at ?? unixNow(),
})
const end_at = ask.time({
  label: ['结束时间', 'Until'],
  initial: (rows: Rows) => rows[0]?.end_at ?? unixNow() + 30 * DAY,
  check: (end, answers: { start_at?: number }) =>
    end !== undefined && answers.start_at !== undefined && end <= answers.start_at
      ? ['结束须晚于开始', 'Must be after the start']
      : undefined,
})
const reachAsks = {
  name,
  product_kind: ask.choice({ label: ['商品类型', 'Product kinds'], options: limitKinds }),
  scope_kind: ask.choice({ label: ['范围', 'Scope'], options: scopeKinds }),
  product_ids: ask.entities({
    label: ['商品', 'Products'],
    find: calls.products,
    given: (_, answers) => ({ kind: answers.product_kind }),
    ...scopeOf('product'),
  }),
  store_ids: ask.entities({
    label: ['门店', 'Stores'],
    find: calls.stores,
    ...scopeOf('store'),
  }),
  mids: ask.entities({
    label: ['商场', 'Malls'],
    find: mallPicker,
    key: 'mid',
    ...scopeOf('mall'),
  }),
  levels: ask.choices({
    label: ['会员等级', 'Member levels'],
    options: memberLevels,
    optional: true,
    initial: (rows: Rows) => rows[0]?.levels.map(String),
    hint: ['不选为所有人', 'Empty: everybody'],
  }),
}
const termAsks = {
  formula: ask.choice({ label: ['补贴方式', 'How'], options: formulas }),
  amount: ask.money({
    label: ['金额', 'Amount'],
    min: 0,
    max: BUDGET_MOST,
    field: 'unit_cents',
    shown: by('fixed', 'price_lock'),
    initial: (rows: Rows) => rows[0]?.unit_cents,
    hint: ['每件补贴的钱，或锁定的到手价', 'The subsidy per unit, or the fixed price buyers pay'],
  }),
  percent: ask.number({
    label: ['补贴比例（%）', 'Subsidy (%)'],
    min: 0.01,
    max: 100,
    places: 2,
    field: 'percent_bp',
    shown: by('percent'),
    initial: (rows: Rows) => rows[0] && (rows[0].percent_bp / 100 || 1),
  }),
  cap: ask.money({
    label: ['每件最多', 'Max. per unit'],
    min: 1,
    max: BUDGET_MOST,
    optional: true,
    field: 'cap_cents',
    shown: by('percent'),
    initial: (rows: Rows) => rows[0]?.cap_cents ?? undefined,
  }),
  zero_price: ask.flag({ label: ['允许补到 0 元', 'Price may drop to ¥0'] }),
  platform_share: share(['平台承担（%）', 'Platform’s share (%)'], 'platform_bp'),
  mall_share: share(['商场承担（%）', 'Mall’s share (%)'], 'mall_bp'),
  merchant_share: share(['商户承担（%）', 'Merchants’ share (%)'], 'merchant_bp'),
  payer: ask.entity({
    label: ['出资商场', 'Funding mall'],
    find: mallPicker,
    key: 'mid',
    labelOf: nameOf,
    field: 'mall_id',
    shown: (answers: Answers) => (answers.mall_share ?? 0) > 0,
    initial: (rows: Rows) => rows[0]?.mall_id || undefined,
    named: (rows: Rows) => rows[0]?.mall_name,
    hint: ['审批通过时从商场资金中划出', 'Taken from the mall’s funds when the plan is approved'],
  }),
}
const moneyAsks = {
  budget: ask.money({
    label: ['总预算', 'Budget'],
    min: 1,
    max: BUDGET_MOST,
    field: 'budget_cents',
    initial: (rows: Rows) => rows[0]?.budget_cents,
  }),
  day_budget: limit(['每日预算', 'Daily budget'], 'day_budget_cents'),
  member_day: limit(['每人每日上限', 'Daily limit per member'], 'per_member_day_cents'),
  per_member_count: ask.number({
    label: ['每人可用次数', 'Uses per member'],
    min: 1,
    max: 100_000,
    optional: true,
    initial: (rows: Rows) => rows[0]?.per_member_count ?? undefined,
    hint: ['不填为不限', 'Empty: no limit'],
  }),
  priority: ask.number({
    label: ['优先级', 'Priority'],
    min: 0,
    max: 999,
    initial: (rows: Rows) => rows[0]?.priority ?? 100,
    hint: ['数字小的先用', 'Smaller numbers apply first'],
  }),
  stackable: ask.flag({ label: ['可与其他可叠加计划叠加', 'Stacks with other stackable plans'] }),
  warn: ask.number({
    label: ['用量预警（%）', 'Warn at (%)'],
    min: 1,
    max: 100,
    places: 2,
    field: 'warn_bp',
    initial: (rows: Rows) => (rows[0]?.warn_bp ?? 8000) / 100,
  }),
  start_at,
  end_at,
}
const asks = { ...reachAsks, ...termAsks, ...moneyAsks }
const idsAsked = (asked: Partial<Asked<typeof asks>>): number[] => {
  const ids = { all: [], product: asked.product_ids, store: asked.store_ids, mall: asked.mids }
  return ids[asked.scope_kind ?? 'all'] ?? []
}
const form = formOf(asks, asked => ({
  name: asked.name,
  product_kind: asked.product_kind,
  scope_kind: asked.scope_kind,
  scope_ids: idsAsked(asked),
  levels: (asked.levels ?? []).map(Number),
  formula: asked.formula,
  unit_cents: asked.amount ?? 0,
  percent_bp: bpOf(asked.percent ?? 0),
  cap_cents: asked.cap ?? null,
  zero_price: asked.zero_price,
  platform_bp: bpOf(asked.platform_share),
  mall_bp: bpOf(asked.mall_share),
  merchant_bp: bpOf(asked.merchant_share),
  mall_id: asked.payer ?? 0,
  budget_cents: asked.budget,
  day_budget_cents: asked.day_budget ?? null,
  per_member_day_cents: asked.member_day ?? null,
  per_member_count: asked.per_member_count ?? null,
  stackable: asked.stackable,
  priority: asked.priority,
  warn_bp: bpOf(asked.warn),
  start_at: asked.start_at!,
  end_at: asked.end_at!,
}))
const row = rowActions(subsidyPlans, planRow)
const within =
  (...states: ShownState[]) =>
  ({ state }: PlanRow) =>
    states.includes(state) ||
    (['计划的状态不允许此操作', 'Not possible in the plan’s present state'] as const)
const notOwn =
  (...states: ShownState[]) =>
  (plan: PlanRow, me: Me) =>
    plan.maker_id === me.id
      ? (['申请人不能审批自己的计划', 'Applicants can’t approve their own plan'] as const)
      : within(...states)(plan)
/** What granting it comes to, before it is granted. */
const granted = ([plan]: Rows): Told | undefined =>
  plan && [
    [
      '{zh}；预算 {budget} 元，其中商场出资约 {mall} 元',
      '{en}; budget ¥{budget}, about ¥{mall} of it from the mall',
    ],
    {
      zh: planSentence(plan)[0],
      en: planSentence(plan)[1],
      budget: yuan(plan.budget_cents),
      mall: yuan(Math.ceil((plan.budget_cents * plan.mall_bp) / 10_000)),
    },
    plan.budget_cents,
  ]
const left = ([plan]: Rows): Told | undefined =>
  plan && [
    [
      '已用 {used} 元，锁定 {locked} 元，剩余 {left} 元',
      '¥{used} used, ¥{locked} locked, ¥{left} left',
    ],
    { used: yuan(plan.used_cents), locked: yuan(plan.locked_cents), left: yuan(plan.left_cents) },
  ]
const budget = {
  amount_cents: ask.money({ label: ['金额', 'Amount'], min: 1, max: BUDGET_MOST }),
  reason,
}
const running = within('scheduled', 'enabled', 'exhausted', 'paused')

/** What is done with subsidy plans. */
export const subsidyPlanActions = {
  create: createAction(calls.create, ['新增补贴计划', 'New subsidy plan'], subsidyPlans, form),
  approve: row.row(calls.approve, ['通过', 'Approve'], {
    key: 'a',
    main: true,
    tells: granted,
    when: notOwn('auditing'),
    input: one,
  }),
  reject: row.row(calls.reject, ['驳回', 'Reject'], {
    key: 'r',
    main: 'plain',
    danger: true,
    when: notOwn('auditing'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  submit: row.row(calls.submit, ['提交审批', 'Submit'], {
    key: 's',
    main: 'plain',
    tells: granted,
    takenBack: 'final',
    when: within('draft', 'rejected'),
    input: one,
  }),
  edit: row.edit(calls.edit, ['编辑补贴计划', 'Edit plan'], form),
  simulate: row.row('settle.subsidy.simulate', ['试算单笔补贴', 'Test a subsidy'], {
    key: 't',
    main: 'plain',
    permit: calls.simulate.permit,
    asks: {
      product_id: ask.entity({
        label: ['商品', 'Product'],
        find: calls.products,
        labelOf: nameOf,
        initial: (rows: Rows) => idsIn('product')(rows)?.[0],
        named: (rows: Rows) =>
          rows[0]?.scope_kind === 'product' ? rows[0].scope[0]?.name : undefined,
      }),
      price_cents: ask.money({ label: ['单价', 'Price'], min: 1, max: BUDGET_MOST }),
      member_id: ask.entity({
        label: ['会员', 'Member'],
        optional: true,
        find: calls.members,
        by: ['手机号、会员号或昵称', 'phone, number or name'],
        labelOf: (found: { name: string; uid: string; phone?: string }) =>
          `${found.name} · ${found.phone ?? found.uid}`,
      }),
    },
  }),
  pause: row.row(calls.pause, ['暂停', 'Pause'], {
    key: 'p',
    when: within('scheduled', 'enabled', 'exhausted'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  resume: row.row(calls.resume, ['恢复', 'Resume'], {
    key: 'o',
    when: within('paused'),
    input: one,
  }),
  addBudget: row.row(calls.addBudget, ['追加预算', 'Raise the budget'], {
    key: 'b',
    tells: left,
    when: notOwn('scheduled', 'enabled', 'exhausted', 'paused'),
    asks: budget,
    input: asking(asked => asked),
  }),
  cutBudget: row.row(calls.cutBudget, ['调减预算', 'Cut the budget'], {
    key: 'shift+b',
    danger: true,
    tells: left,
    when: notOwn('scheduled', 'enabled', 'exhausted', 'paused'),
    asks: budget,
    input: asking(asked => asked),
  }),
  copy: row.row(calls.copy, ['复制计划', 'Copy plan'], {
    key: 'shift+c',
    asks: {
      name: ask.text({
        label: ['新名称', 'New name'],
        min: 2,
        max: 40,
        initial: rows => rows[0] && `${rows[0].name.slice(0, 35)} 副本`,
        hint: ['复制出的计划为草稿', 'The copy is a draft'],
      }),
      start_at: ask.time({ label: ['开始时间', 'From'], initial: () => unixNow() }),
      end_at: ask.time({ label: ['结束时间', 'Until'], initial: () => unixNow() + 30 * DAY }),
    },
    input: asking(({ name: called, ...span }) => ({
      name: called,
      start_at: span.start_at!,
      end_at: span.end_at!,
    })),
  }),
  end: row.row(calls.end, ['提前结束', 'End now'], {
    key: 'd',
    danger: true,
    tells: left,
    when: running,
    asks: { reason },
    input: asking(asked => asked),
  }),
  export: exportAction(calls.export, ['导出补贴计划', 'Export plans'], subsidyPlans),
}
