import { lineOf, type AccountOf } from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { yuan } from '#src/domain/money.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import type { Plan } from './holding.server.ts'

/** An account of a plan. */
export const planAccount = (
  kind: 'subsidy_expense' | 'plan_fund',
  owner_id: number,
): AccountOf => ({ kind, owner_kind: 'plan', owner_id })

const mallFund = (mall_id: number): AccountOf => ({
  kind: 'mall_fund',
  owner_kind: 'mall',
  owner_id: mall_id,
})
const shareOfMall = (plan: Plan, cents: number): number =>
  Math.ceil((cents * plan.mall_bp) / 10_000)
/** Moves money between a mall's funds and a plan: into it where positive. */
const moveFund = async (
  tx: Db,
  plan: Plan,
  of: { cents: number; key: string; now: number; by: number | undefined },
): Promise<void> => {
  if (of.cents === 0) return
  await post(tx, {
    biz: 'subsidy_fund',
    biz_id: plan.id,
    biz_no: `BT${plan.id}`,
    idem_key: of.key,
    at: of.now,
    memo: plan.name,
    place: { city_id: 0, mall_id: plan.mall_id },
    ...(of.by !== undefined && { maker_id: of.by }),
    lines: [
      ...lineOf(mallFund(plan.mall_id), of.cents),
      ...lineOf(planAccount('plan_fund', plan.id), -of.cents),
    ],
  })
}
/** A mall pays its share of a budget in advance. Throws 422 where its funds are too small. */
export const fundPlan = async (
  context: WriteContext,
  plan: Plan,
  budget_cents: number,
): Promise<void> => {
  const { tx, now, staff } = context
  const cents = shareOfMall(plan, budget_cents)
  if (cents === 0) return
  const there = -(await balanceOf(tx, mallFund(plan.mall_id)))
  if (there < cents)
    throw ruled(
      'mall_fund_short',
      [
        '商场资金余额 {there} 元，不足以承担 {cents} 元；请先为该商场充值',
        'The mall’s funds are ¥{there}, its share is ¥{cents}: top them up first',
      ],
      { there: yuan(there), cents: yuan(cents) },
    )
  await moveFund(tx, plan, {
    cents,
    key: `subsidy_fund:${plan.id}:${plan.version}`,
    now,
    by: staff.id,
  })
}
/**
 * Gives a mall back what its plan no longer needs: all but its share of what is promised once the
 * plan is over, what a smaller budget leaves over before.
 */
export const releaseFund = async (
  tx: Db,
  plan: Plan,
  of: { now: number; key: string; by?: number },
): Promise<void> => {
  if (plan.mall_bp === 0) return
  const there = -(await balanceOf(tx, planAccount('plan_fund', plan.id)))
  const open = plan.status === 'ended' ? plan.locked_cents : plan.budget_cents - plan.used_cents
  const cents = Math.min(there, shareOfMall(plan, open)) - there
  await moveFund(tx, plan, {
    cents,
    key: `subsidy_fund_back:${plan.id}:${of.key}`,
    now: of.now,
    by: of.by,
  })
}
