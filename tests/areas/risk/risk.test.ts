import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fulfilStates,
  statusOf,
  type FulfilState,
  type OrderFacts,
} from '#src/areas/order/order.ts'
import { canFreeze } from '#src/areas/order/orderVerbs.ts'
import {
  CLAIM_S,
  canEnable,
  conditionFaults,
  holderOf,
  isBlocking,
  levelOf,
  riskActions,
  riskCan,
  riskMetrics,
  riskScenes,
  riskStates,
  ruleText,
  scoreOf,
  stateAt,
  valueText,
  type RiskAction,
  type RiskMetric,
  type RiskScene,
  type RiskState,
  type RiskVerb,
} from '#src/areas/risk/risk.ts'

const keys = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as K[]
const sound = (metric: RiskMetric) => ({
  metric,
  ...(metric === 'new_voucher' && { new_days: 7 }),
  ...(metric === 'refund_rate' && { min_sample: 5 }),
})

describe('a rule’s condition', () => {
  it('of every metric in its own scenes can be measured, and is told in words with its numbers', () => {
    for (const metric of keys(riskMetrics))
      for (const scene of riskMetrics[metric].scenes) {
        const rule = { scene, condition: sound(metric), threshold: 500, window_s: 3600 }
        expect([metric, conditionFaults(rule)]).toEqual([metric, {}])
        for (const words of ruleText(rule)) {
          expect(words).toContain(valueText(metric, 500))
          expect(words).not.toMatch(/[{}]/)
        }
      }
  })
  it('is refused at the field: an unknown metric, one of another scene, a threshold, a window or a detail out of its bounds', () => {
    const faults = (more: object, condition: object = sound('member_orders')) =>
      Object.keys(
        conditionFaults({
          scene: 'order',
          condition: condition as { metric: string },
          threshold: 5,
          window_s: 600,
          ...more,
        }),
      )
    expect(faults({}, { metric: 'moon_phase' })).toEqual(['condition.metric'])
    expect(faults({}, { metric: 'toString' })).toEqual(['condition.metric'])
    expect(faults({ scene: 'refund' })).toEqual(['condition.metric'])
    expect(faults({ threshold: 1 })).toEqual(['threshold'])
    expect(faults({ window_s: 59 })).toEqual(['window_s'])
    expect(faults({ window_s: 31 * 86_400 })).toEqual(['window_s'])
    expect(faults({ scene: 'pay', threshold: 500 }, { metric: 'new_voucher' })).toEqual([
      'condition.new_days',
    ])
    expect(faults({}, { metric: 'member_orders', new_days: 3 })).toEqual(['condition.new_days'])
    expect(
      faults({ scene: 'refund', threshold: 5000 }, { metric: 'refund_rate', min_sample: 1 }),
    ).toEqual(['condition.min_sample'])
    expect(
      faults({ scene: 'refund', threshold: 10_001 }, { metric: 'refund_rate', min_sample: 5 }),
    ).toEqual(['threshold'])
  })
  it('in a scene where nothing can be measured is never sound', () => {
    for (const metric of keys(riskMetrics))
      expect(
        Object.keys(
          conditionFaults({
            scene: 'seckill',
            condition: sound(metric),
            threshold: 500,
            window_s: 600,
          }),
        ),
      ).toContain('condition.metric')
  })
  it('anything at all is either sound or faulted, and only what is sound is told in words', () => {
    fc.assert(
      fc.property(
        fc.record({
          scene: fc.constantFrom<RiskScene>(...keys(riskScenes)),
          metric: fc.oneof(fc.constantFrom(...keys(riskMetrics)), fc.string()),
          threshold: fc.integer(),
          window_s: fc.integer(),
          new_days: fc.option(fc.integer(), { nil: undefined }),
          min_sample: fc.option(fc.integer(), { nil: undefined }),
        }),
        ({ scene, metric, threshold, window_s, new_days, min_sample }) => {
          const faults = conditionFaults({
            scene,
            condition: { metric, new_days, min_sample },
            threshold,
            window_s,
          })
          if (Object.keys(faults).length > 0) return
          expect(riskMetrics[metric as RiskMetric].scenes).toContain(scene)
          expect(
            ruleText({
              condition: {
                metric: metric as RiskMetric,
                ...(new_days !== undefined && { new_days }),
                ...(min_sample !== undefined && { min_sample }),
              },
              threshold,
              window_s,
            })[0],
          ).not.toMatch(/[{}]|undefined|NaN/)
        },
      ),
    )
  })
})

describe('a rule', () => {
  const rule = {
    status: 'draft' as const,
    action: 'mark' as RiskAction,
    dry_run_at: null as number | null,
    dry_run_result: null as { days: number } | null,
  }
  it('that stops orders is switched on only after a dry run of seven days; one that marks needs none', () => {
    for (const action of keys(riskActions))
      for (const [at, days] of [
        [null, null],
        [5, 6],
        [5, 7],
        [5, 30],
      ] as const) {
        const may = canEnable({
          ...rule,
          action,
          dry_run_at: at,
          dry_run_result: days === null ? null : { days },
        })
        expect([action, days, may === true]).toEqual([
          action,
          days,
          !isBlocking(action) || (days ?? 0) >= 7,
        ])
      }
  })
  it('that is on is not switched on again', () => {
    expect(canEnable({ ...rule, status: 'on' })).not.toBe(true)
  })
})

describe('a hit', () => {
  const verbs: RiskVerb[] = ['claim', 'release', 'confirm', 'freezeOrders']
  const hit = fc.record({
    state: fc.constantFrom(...keys(riskStates)),
    claimed_by: fc.option(fc.integer({ min: 1, max: 3 })),
    claim_until: fc.option(fc.integer({ min: 0, max: 100 })),
  })
  it('decided is never decided again, by anybody at any time', () => {
    fc.assert(
      fc.property(
        hit,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 200 }),
        (of, me, now) => {
          if (of.state !== 'released' && of.state !== 'confirmed') return
          expect([
            riskCan('release', of, me, now),
            riskCan('confirm', of, me, now),
            riskCan('claim', of, me, now),
          ]).not.toContain(true)
          expect(riskCan('freezeOrders', of, me, now) === true).toBe(of.state === 'confirmed')
        },
      ),
    )
  })
  it('claimed is its holder’s alone until the claim runs out, and anybody’s from that very second', () => {
    const of = { state: 'claimed' as RiskState, claimed_by: 1, claim_until: CLAIM_S }
    for (const verb of verbs) {
      expect([
        riskCan(verb, of, 1, CLAIM_S - 1),
        riskCan(verb, of, 2, CLAIM_S - 1) === true,
        riskCan(verb, of, 2, CLAIM_S),
      ]).toEqual([true, false, true])
    }
    expect([
      stateAt(of, CLAIM_S - 1),
      stateAt(of, CLAIM_S),
      holderOf(of, CLAIM_S - 1),
      holderOf(of, CLAIM_S),
    ]).toEqual(['claimed', 'open', 1, null])
  })
  it('has a score that grows with what was measured and with what was confirmed before, and stays within 0–100', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000_000_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.nat(20),
        (value, threshold, before) => {
          const score = scoreOf(value, threshold, before)
          expect(
            score >= 0 &&
              score <= 100 &&
              scoreOf(value + 1, threshold, before) >= score &&
              scoreOf(value, threshold, before + 1) >= score,
          ).toBe(true)
        },
      ),
    )
    expect([scoreOf(5, 5, 0), scoreOf(10, 5, 0), levelOf(50), levelOf(60), levelOf(80)]).toEqual([
      50,
      100,
      'low',
      'mid',
      'high',
    ])
  })
})

const freezes = (facts: OrderFacts) => {
  if (canFreeze(facts) === true)
    expect([facts, statusOf({ ...facts, frozen: true })]).toEqual([facts, 'freezing'])
  else
    expect(['pending_payment', 'finished', 'expired', 'refunded', 'cancelled']).toContain(
      statusOf(facts),
    )
  expect(canFreeze({ ...facts, frozen: true })).not.toBe(true)
}
it('an order can be frozen exactly when it is paid and not through, and its status is then frozen', () => {
  for (const pay_state of ['unpaid', 'part_paid', 'paid', 'closed'] as const)
    for (const fulfil_state of keys(fulfilStates) as FulfilState[])
      for (const refund_state of ['none', 'refunding', 'part_refunded', 'refunded'] as const)
        for (const balance_due of [true, false])
          freezes({ pay_state, fulfil_state, refund_state, balance_due, frozen: false })
})
