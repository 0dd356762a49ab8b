/** Rules of risk control as their pages show and change them. */
import { and, eq, gt, inArray, ne, or, sql } from 'drizzle-orm'
import { joined, say, type Lang } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { isNamed } from '#src/server/db/names.ts'
import { hitsOf, hitWaits } from './risk.server.ts'
import { risk_hit, risk_rule } from './risk.table.ts'
import {
  canEnable,
  conditionFaults,
  DRY_DAYS_MIN,
  ruleText,
  type RiskCondition,
  type RiskScene,
  type RuleState,
} from './risk.ts'

type Rule = typeof risk_rule.$inferSelect
type One = { id: number; version: number }
/** Figures of a rule are of so many days. */
export const RULE_DAYS = 30

type RuleInput = {
  name: string
  scene: RiskScene
  condition: { metric: string; new_days?: number | undefined; min_sample?: number | undefined }
  threshold: number
  window_s: number
  action: Rule['action']
}
/**
 * The columns of a rule; refuses a condition that can't be measured, at its field, and a name that
 * is taken.
 */
export const soundRule = async (
  tx: Db,
  input: RuleInput,
  lang: Lang,
  own?: number,
): Promise<Pick<Rule, 'name' | 'scene' | 'condition' | 'threshold' | 'window_s' | 'action'>> => {
  const faults = Object.entries(conditionFaults(input))
  if (faults.length > 0)
    throw invalid(Object.fromEntries(faults.map(([field, text]) => [field, say(text, lang)])))
  const [same] = await tx
    .select({ id: risk_rule.id })
    .from(risk_rule)
    .where(
      and(
        isNamed(risk_rule.name, input.name),
        own === undefined ? undefined : ne(risk_rule.id, own),
      ),
    )
  if (same)
    throw invalid({
      name: say(['已有同名规则，请换一个名称', 'A rule has this name, choose another'], lang),
    })
  const { metric, new_days, min_sample } = input.condition
  return {
    name: input.name,
    scene: input.scene,
    condition: {
      metric: metric as RiskCondition['metric'],
      ...(new_days !== undefined && { new_days }),
      ...(min_sample !== undefined && { min_sample }),
    },
    threshold: input.threshold,
    window_s: input.window_s,
    action: input.action,
  }
}
export const readRule = async (tx: Db, id: number): Promise<Rule> => {
  const [rule] = await tx.select().from(risk_rule).where(eq(risk_rule.id, id))
  if (!rule) throw missing()
  return rule
}
/** A rule in the log's words. */
export const ruleWords = (rule: Rule) => ({
  name: rule.name,
  scene: rule.scene,
  condition: joined(ruleText(rule)),
  action: rule.action,
  status: rule.status,
})
const changeRule = async (
  { tx, log, now }: WriteContext,
  rule: Rule,
  version: number,
  { reason, ...set }: Partial<Rule> & { reason?: string | undefined },
) => {
  const [after] = await tx
    .update(risk_rule)
    .set({ ...set, version: version + 1, updated_at: now })
    .where(and(eq(risk_rule.id, rule.id), eq(risk_rule.version, version)))
    .returning()
  if (!after) throw await staleRow(tx, 'risk_rule', await readRule(tx, rule.id))
  log({
    object_type: 'risk_rule',
    object_id: rule.id,
    object_label: after.name,
    before: ruleWords(rule),
    after: ruleWords(after),
    ...(reason && { reason }),
  })
  return { id: rule.id, version: after.version, status: after.status }
}
const measures = (of: Pick<Rule, 'scene' | 'condition' | 'threshold' | 'window_s' | 'action'>) =>
  JSON.stringify([
    of.scene,
    of.condition.metric,
    of.condition.new_days,
    of.condition.min_sample,
    of.threshold,
    of.window_s,
    of.action,
  ])

/** What each rule hit of late within the person's data, by what became of it. */
const figuresOf = async (
  db: Db,
  ids: readonly number[],
  { staff, now }: { staff: Staff; now: number },
) => {
  const h = risk_hit
  const from = now - RULE_DAYS * DAY
  const rows = await db
    .select({
      id: h.rule_id,
      hits: sql<number>`count(*) filter (where ${h.hit_at} > ${from})::int`,
      open: sql<number>`count(*) filter (where ${hitWaits})::int`,
      released: sql<number>`count(*) filter (where ${h.state} = 'released' and ${h.hit_at} > ${from})::int`,
      confirmed: sql<number>`count(*) filter (where ${h.state} = 'confirmed' and ${h.hit_at} > ${from})::int`,
      avoided: sql<string>`coalesce(sum(${h.amount_cents}) filter (where ${h.state} = 'confirmed' and ${h.hit_at} > ${from}), 0)`,
    })
    .from(h)
    .where(
      and(inArray(h.rule_id, [0, ...ids]), or(hitWaits, gt(h.hit_at, from)), hitsOf(staff.scope)),
    )
    .groupBy(h.rule_id)
  return new Map(rows.map(one => [one.id, one]))
}
const none = { hits: 0, open: 0, released: 0, confirmed: 0, avoided: '0' }
/** Rules with what they hit, and how often that was a false alarm. */
export const shownRules = async (
  db: Db,
  rules: readonly Rule[],
  asker: { staff: Staff; now: number },
) => {
  const figures = await figuresOf(
    db,
    rules.map(rule => rule.id),
    asker,
  )
  return rules.map(rule => {
    const { hits, open, released, confirmed, avoided } = figures.get(rule.id) ?? none
    const decided = released + confirmed
    const { metric, new_days = null, min_sample = null } = rule.condition
    return {
      ...rule,
      kind: 'rule' as const,
      metric,
      new_days,
      min_sample,
      says: say(ruleText(rule), asker.staff.lang),
      hits,
      open,
      false_bp: decided === 0 ? null : Math.round((released * 10_000) / decided),
      avoided_cents: Number(avoided),
    }
  })
}
/**
 * Changes a rule. What it measures or does is another then: the dry run was of the old one, and a
 * rule that is on stops until it is enabled anew. Its open hits stay.
 */
export const editRule = async (
  context: WriteContext,
  { id, version, ...input }: One & RuleInput,
) => {
  const rule = await readRule(context.tx, id)
  const set = await soundRule(context.tx, input, context.staff.lang, id)
  const other = measures(set) !== measures(rule)
  return changeRule(context, rule, version, {
    ...set,
    ...(other && {
      dry_run_at: null,
      dry_run_result: null,
      ...(rule.status === 'on' && { status: 'draft' as RuleState }),
    }),
  })
}
/** A rule measures from now on; what happened before was its dry run's. */
export const enableRule = async (context: WriteContext, { id, version }: One, reason?: string) => {
  const rule = await readRule(context.tx, id)
  const may = canEnable(rule)
  if (may !== true)
    throw ruled(rule.status === 'on' ? 'state' : 'dry_run', may, { n: DRY_DAYS_MIN })
  const set = { status: 'on', status_reason: null, measured_until: context.now } as const
  return changeRule(context, rule, version, { ...set, reason })
}
export const disableRule = async (
  context: WriteContext,
  { id, version, reason }: One & { reason: string },
) => {
  const rule = await readRule(context.tx, id)
  if (rule.status !== 'on') throw ruled('state', ['规则没有启用', 'It is not on'])
  return changeRule(context, rule, version, { status: 'off', status_reason: reason, reason })
}
