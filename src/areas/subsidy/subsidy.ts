import { limitKinds, type LimitKind } from '#src/areas/limit/rule.ts'
import { percent, shares, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

/** What is kept of a plan; whether it runs is told by the clock and its money (`shownState`). */
export const planStates = {
  draft: ['草稿', 'Draft'],
  auditing: ['待审批', 'Waiting for approval'],
  rejected: ['已驳回', 'Rejected'],
  on: ['已生效', 'Approved'],
  paused: ['已暂停', 'Paused'],
  ended: ['已结束', 'Ended'],
} as const satisfies Record<string, Text>
export type PlanState = keyof typeof planStates
/** What people see (domain D, subsidy_plan.status). */
export const shownStates = {
  draft: planStates.draft,
  auditing: planStates.auditing,
  rejected: planStates.rejected,
  scheduled: ['未开始', 'Scheduled'],
  enabled: ['进行中', 'Running'],
  paused: planStates.paused,
  exhausted: ['已用尽', 'Used up'],
  ended: planStates.ended,
} as const satisfies Record<string, Text>
export type ShownState = keyof typeof shownStates

export const scopeKinds = {
  all: ['全部商品', 'Everything'],
  product: ['指定商品', 'Products'],
  store: ['指定门店', 'Stores'],
  mall: ['指定商场', 'Malls'],
} as const satisfies Record<string, Text>
export type ScopeKind = keyof typeof scopeKinds
export const formulas = {
  fixed: ['每件固定', 'Fixed'],
  percent: ['按比例', 'Percent'],
  price_lock: ['锁定到手价', 'Price lock'],
} as const satisfies Record<string, Text>
export type Formula = keyof typeof formulas
export const logKinds = {
  lock: ['锁定', 'Locked'],
  unlock: ['释放', 'Released'],
  grant: ['发放', 'Granted'],
  reverse: ['退款回退', 'Taken back by a refund'],
  budget_up: ['追加预算', 'Budget raised'],
  budget_down: ['调减预算', 'Budget cut'],
  clawback: ['追回', 'Claimed back'],
} as const satisfies Record<string, Text>
export type LogKind = keyof typeof logKinds

export const BUDGET_MOST = 10_000_000_00
export const SCOPES_MOST = 200

/** How a plan subsidises a unit, and who pays for it. */
export type Terms = {
  formula: Formula
  /** The subsidy of a unit, or the price that a lock brings it to; 0 for a percentage. */
  unit_cents: number
  percent_bp: number
  cap_cents: number | null
  zero_price: boolean
  platform_bp: number
  mall_bp: number
  merchant_bp: number
}
export type Reach = {
  scope_kind: ScopeKind
  scope_ids: readonly number[]
  product_kind: LimitKind
  /** Levels of members that it is for; none: everybody. */
  levels: readonly number[]
}
export type Life = {
  status: PlanState
  start_at: number
  end_at: number
  budget_cents: number
  used_cents: number
  locked_cents: number
}
export type Bought = { product_id: number; store_id: number; mall_id: number; kind: string }

/** What is left of a budget: neither used nor promised. */
export const leftOf = (of: Pick<Life, 'budget_cents' | 'used_cents' | 'locked_cents'>): number =>
  of.budget_cents - of.used_cents - of.locked_cents

/** What a plan is now: approved ones begin, run out and end by themselves. */
export const shownState = (of: Life, now: number): ShownState => {
  if (of.status !== 'on' && of.status !== 'paused') return of.status
  if (of.end_at <= now) return 'ended'
  if (of.status === 'paused') return 'paused'
  if (of.start_at > now) return 'scheduled'
  return leftOf(of) <= 0 ? 'exhausted' : 'enabled'
}
/** Whether a plan subsidises this purchase by a member of this level (0: none yet). */
export const reaches = (of: Reach, line: Bought, level: number): boolean => {
  if (of.product_kind !== 'all' && of.product_kind !== line.kind) return false
  if (of.levels.length > 0 && !of.levels.includes(level)) return false
  const by = { product: line.product_id, store: line.store_id, mall: line.mall_id }
  return of.scope_kind === 'all' || of.scope_ids.includes(by[of.scope_kind])
}
/**
 * The subsidy of one unit at a price (cents). It never exceeds the price, and leaves a cent of it
 * but where the plan lets goods go for nothing.
 */
export const subsidyOf = (of: Terms, price_cents: number): number => {
  const most = Math.max(0, of.zero_price ? price_cents : price_cents - 1)
  const wanted = {
    fixed: () => of.unit_cents,
    percent: () =>
      Math.min(Math.floor((price_cents * of.percent_bp) / 10_000), of.cap_cents ?? Infinity),
    price_lock: () => Math.max(0, price_cents - of.unit_cents),
  }[of.formula]()
  return Math.min(wanted, most)
}
/** A subsidy as its bearers pay it; the parts sum to it. */
export const bearersOf = (
  cents: number,
  of: Pick<Terms, 'platform_bp' | 'mall_bp' | 'merchant_bp'>,
): { platform_cents: number; mall_cents: number; merchant_cents: number } => {
  const [platform_cents, mall_cents, merchant_cents] = shares(cents, [
    of.platform_bp,
    of.mall_bp,
    of.merchant_bp,
  ])
  return {
    platform_cents: platform_cents!,
    mall_cents: mall_cents!,
    merchant_cents: merchant_cents!,
  }
}
/** What `n` of `qty` units take of an amount: parts one after the other sum to the whole. */
export const partFor = (cents: number, qty: number, n: number): number =>
  n >= qty ? cents : Math.floor((cents * n) / qty)

const bothKinds = (a: Reach, b: Reach) =>
  a.product_kind === 'all' || b.product_kind === 'all' || a.product_kind === b.product_kind
/**
 * Whether two reaches may meet on one product; of different scopes that is not known, so they may.
 */
const mayMeet = (a: Reach, b: Reach): boolean => {
  if (!bothKinds(a, b)) return false
  if (a.scope_kind !== b.scope_kind || a.scope_kind === 'all') return true
  return a.scope_ids.some(id => b.scope_ids.includes(id))
}
type Rival = Reach & Pick<Life, 'start_at' | 'end_at'> & { priority: number; stackable: boolean }
/** Two plans of one priority on the same goods at a time leave open which holds: refused. */
export const clash = (a: Rival, b: Rival): boolean =>
  a.priority === b.priority &&
  !(a.stackable && b.stackable) &&
  a.start_at < b.end_at &&
  b.start_at < a.end_at &&
  mayMeet(a, b)

const isAmount = (cents: number, least: number) =>
  Number.isSafeInteger(cents) && cents >= least && cents <= BUDGET_MOST
/** What is wrong with a plan as it is written, by field. */
export const planFaults = (
  of: Terms & Reach & { budget_cents: number; start_at: number; end_at: number; mall_id: number },
): Readonly<Record<string, Text | undefined>> => ({
  scope_ids:
    of.scope_kind !== 'all' && of.scope_ids.length === 0
      ? ['请至少选择一项', 'Choose one at least']
      : undefined,
  unit_cents:
    of.formula !== 'percent' && !isAmount(of.unit_cents, of.formula === 'fixed' ? 1 : 0)
      ? ['请填金额', 'Give an amount']
      : undefined,
  percent_bp:
    of.formula === 'percent' && (of.percent_bp < 1 || of.percent_bp > 10_000)
      ? ['比例须在 0.01% 到 100% 之间', 'Between 0.01% and 100%']
      : undefined,
  platform_bp:
    of.platform_bp + of.mall_bp + of.merchant_bp === 10_000
      ? undefined
      : ['平台、商场、商户的分摊须合计 100%', 'The three shares come to 100%'],
  mall_id:
    of.mall_bp > 0 && of.mall_id === 0
      ? ['商场分摊须选定出资商场', 'Name the mall that pays its share']
      : undefined,
  budget_cents: isAmount(of.budget_cents, 1)
    ? undefined
    : ['预算须大于 0，且不超过 1,000 万元', 'More than 0, at most 10 million yuan'],
  end_at: of.end_at <= of.start_at ? ['结束须晚于开始', 'Must be after the start'] : undefined,
})

const unitText = (of: Terms): Text => {
  if (of.formula === 'fixed')
    return [`每件补贴 ${yuan(of.unit_cents)} 元`, `¥${yuan(of.unit_cents)} a unit`]
  if (of.formula === 'price_lock')
    return [
      `每件补到 ${yuan(of.unit_cents)} 元到手`,
      `each unit brought to ¥${yuan(of.unit_cents)}`,
    ]
  const cap: Text =
    of.cap_cents === null
      ? ['', '']
      : [`，每件最多 ${yuan(of.cap_cents)} 元`, `, ¥${yuan(of.cap_cents)} a unit at most`]
  return [
    `按售价补贴 ${percent(of.percent_bp)}${cap[0]}`,
    `${percent(of.percent_bp)} of the price${cap[1]}`,
  ]
}
/** A plan in one sentence: of what, how much, and who pays. */
export const planSentence = (of: Terms & Pick<Reach, 'scope_kind' | 'product_kind'>): Text => {
  const unit = unitText(of)
  const [scope, scopeEn] = scopeKinds[of.scope_kind]
  const [kind, kindEn] = limitKinds[of.product_kind]
  const payers: [string, string, number][] = [
    ['平台', 'platform', of.platform_bp],
    ['商场', 'mall', of.mall_bp],
    ['商户', 'merchants', of.merchant_bp],
  ]
  const paying = payers.filter(([, , bp]) => bp > 0)
  return [
    `${scope}（${kind}）${unit[0]}；${paying.map(([zh, , bp]) => `${zh}承担 ${percent(bp)}`).join('、')}`,
    `${scopeEn} (${kindEn}): ${unit[1]}; paid by ${paying.map(([, en, bp]) => `${en} ${percent(bp)}`).join(', ')}`,
  ]
}

/** Seconds that what is left lasts at the pace of the last day; null where nothing is spent. */
export const lastsFor = (left_cents: number, spent_cents: number, over_s: number = DAY) =>
  spent_cents <= 0 || left_cents <= 0 ? null : Math.floor((left_cents / spent_cents) * over_s)
/** How long a budget lasts, in words. */
export const lastsText = (seconds: number | null): Text => {
  if (seconds === null) return ['近 24 小时未消耗', 'No spend in 24 hours']
  const days = Math.floor(seconds / DAY)
  const hours = Math.floor((seconds % DAY) / 3600)
  const zh = days > 0 ? `${days} 天 ${hours} 小时` : `${hours} 小时`
  const en = days > 0 ? `${days} d ${hours} h` : `${hours} h`
  return [`按当前速度 ${zh}后用尽`, `Used up in ${en} at this pace`]
}
