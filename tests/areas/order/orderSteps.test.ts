import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fulfilStates, itemWays, orderKinds } from '#src/areas/order/order.ts'
import { orderSteps, type StepFacts } from '#src/areas/order/orderSteps.ts'

const T = 1_790_000_000
const facts = (of: Partial<StepFacts> = {}): StepFacts => ({
  kind: 'bulks',
  pay_state: 'paid',
  balance_due: false,
  fulfil_state: 'waiting_use',
  refund_state: 'none',
  frozen: false,
  created_at: T,
  paid_at: T + 60,
  ready_at: null,
  closed_at: null,
  finished_at: null,
  ways: ['code'],
  units: 1,
  used: 0,
  shipped: 0,
  log: [],
  ...of,
})
const said = (of: Partial<StepFacts>) =>
  orderSteps(facts(of)).map(({ key, mark }) => `${key} ${mark}`)

describe('the way of an order', () => {
  it('stands where somebody has to do something next', () => {
    expect(said({ pay_state: 'unpaid', paid_at: null })).toEqual([
      'create done',
      'pay now',
      'use todo',
      'finish todo',
    ])
    expect(said({})).toEqual(['create done', 'pay done', 'use now', 'finish todo'])
    expect(said({ kind: 'roll_buy', fulfil_state: 'waiting_group' })).toEqual([
      'create done',
      'pay done',
      'group now',
      'use todo',
      'finish todo',
    ])
    expect(said({ kind: 'elist', ways: ['express'], fulfil_state: 'shipped' })).toEqual([
      'create done',
      'pay done',
      'ship done',
      'receive now',
      'finish todo',
    ])
    expect(
      said({ kind: 'goods', ways: ['delivery'], fulfil_state: 'waiting_ship', ready_at: T + 90 }),
    ).toEqual(['create done', 'pay done', 'ready done', 'deliver now', 'finish todo'])
  })
  it('is gone to its end when all is used or received', () => {
    const all = said({ fulfil_state: 'finished', finished_at: T + 99, used: 1 })
    expect(all.every(step => step.endsWith('done'))).toBe(true)
  })
  it('asks for a balance only of those who owe one or paid one', () => {
    const raise = { kind: 'raise', ways: ['express'], fulfil_state: 'waiting_ship' } as const
    expect(said({ ...raise, pay_state: 'part_paid', balance_due: true })).toContain('balance now')
    expect(said({ ...raise, log: [{ event: 'pay_balance', at: T + 70 }] })).toContain(
      'balance done',
    )
    expect(said(raise).join()).not.toContain('balance')
  })
  it('shows what ended it, and nothing behind that', () => {
    expect(said({ pay_state: 'closed', paid_at: null, closed_at: T + 9 })).toEqual([
      'create done',
      'cancelled stop',
    ])
    expect(said({ refund_state: 'refunded' })).toEqual(['create done', 'pay done', 'refunded stop'])
    expect(said({ fulfil_state: 'expired' })).toEqual(['create done', 'pay done', 'expired stop'])
  })
  it('stops where the order is frozen or its issue failed', () => {
    expect(said({ frozen: true })).toContain('use stop')
    expect(said({ kind: 'ecard', ways: ['virtual'], fulfil_state: 'issue_failed' })).toContain(
      'issue stop',
    )
  })
  it('counts units where there are several, and takes times from the log', () => {
    const steps = orderSteps(
      facts({
        units: 4,
        used: 1,
        fulfil_state: 'part_used',
        log: [{ event: 'redeem', at: T + 80 }],
      }),
    )
    expect(steps.find(step => step.key === 'use')).toEqual({ key: 'use', mark: 'now', n: [1, 4] })
    expect(steps[1]).toEqual({ key: 'pay', mark: 'done', at: T + 60 })
  })
  it('counts nothing where its items come in several ways: the units are of all of them', () => {
    const steps = orderSteps(
      facts({ kind: 'combo', ways: ['code', 'express'], units: 4, used: 1, shipped: 1 }),
    )
    expect(steps.map(({ key, n }) => [key, n])).toEqual(
      ['create', 'pay', 'use', 'ship', 'receive', 'finish'].map(key => [key, undefined]),
    )
  })
  it('has at most one place where it stands, with all before it done and all behind to do', () => {
    fc.assert(
      fc.property(
        fc.record({
          kind: fc.constantFrom(...(Object.keys(orderKinds) as StepFacts['kind'][])),
          pay_state: fc.constantFrom('unpaid', 'part_paid', 'paid', 'closed'),
          fulfil_state: fc.constantFrom(
            ...(Object.keys(fulfilStates) as StepFacts['fulfil_state'][]),
          ),
          refund_state: fc.constantFrom('none', 'refunding', 'part_refunded', 'refunded'),
          frozen: fc.boolean(),
          balance_due: fc.boolean(),
          ways: fc.subarray(Object.keys(itemWays) as StepFacts['ways'][number][]),
          ready_at: fc.constantFrom(null, T + 30),
          finished_at: fc.constantFrom(null, T + 99),
        }),
        of => {
          const marks = orderSteps(facts(of as Partial<StepFacts>)).map(step => step.mark)
          const here = marks.filter(mark => mark === 'now' || mark === 'stop')
          expect(here.length).toBeLessThanOrEqual(1)
          const keys = orderSteps(facts(of as Partial<StepFacts>)).map(step => step.key)
          expect(new Set(keys).size).toBe(keys.length)
        },
      ),
      { seed: 19, numRuns: 2000 },
    )
  })
})
