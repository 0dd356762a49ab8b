import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fulfilStates,
  goodsStages,
  isAtStore,
  orderKinds,
  orderStatuses,
  statusOf,
  statusTabs,
  statusWords,
  type CodeState,
  type FulfilState,
  type ItemWay,
  type OrderFacts,
  type OrderKind,
} from '#src/areas/order/order.ts'
import { partOf, settleOf, unitShares } from '#src/areas/order/orderMoney.ts'
import { codeStateOf, factsOf, fulfilOf, type ItemUnits } from '#src/areas/order/orderUnits.ts'
import { canFreeze, orderCan, reverseRefusal, type OrderVerb } from '#src/areas/order/orderVerbs.ts'

const facts = (of: Partial<OrderFacts> = {}): OrderFacts => ({
  pay_state: 'paid',
  balance_due: false,
  fulfil_state: 'waiting_use',
  refund_state: 'none',
  frozen: false,
  ...of,
})

describe('the tabs of a list', () => {
  it('are its usual statuses and any other that some order has, so that they add up to all', () => {
    expect(statusTabs(['pending_use', 'finished'], {})).toEqual(['pending_use', 'finished'])
    const counts = { all: 9, pending_use: 4, finished: 0, part_shipped: 3, issuing: 2, expired: 0 }
    const tabs = statusTabs(['pending_use', 'finished'], counts)
    expect(tabs).toEqual(['pending_use', 'finished', 'part_shipped', 'issuing'])
    expect(tabs.reduce((sum, tab) => sum + (counts[tab as keyof typeof counts] ?? 0), 0)).toBe(
      counts.all,
    )
  })
})

describe('the status of an order', () => {
  it('is derived from its facts, the first that matches', () => {
    expect(statusOf(facts({ pay_state: 'closed', frozen: true, refund_state: 'refunding' }))).toBe(
      'cancelled',
    )
    expect(statusOf(facts({ pay_state: 'unpaid', frozen: true }))).toBe('pending_payment')
    expect(statusOf(facts({ refund_state: 'refunded', frozen: true }))).toBe('refunded')
    expect(statusOf(facts({ frozen: true, refund_state: 'refunding' }))).toBe('freezing')
    expect(statusOf(facts({ refund_state: 'refunding', fulfil_state: 'finished' }))).toBe(
      'refunding',
    )
    expect(
      statusOf(facts({ pay_state: 'part_paid', balance_due: true, fulfil_state: 'waiting_group' })),
    ).toBe('pending_payment')
    expect(statusOf(facts({ fulfil_state: 'waiting_ship' }))).toBe('pending_ship')
    expect(statusOf(facts({ fulfil_state: 'waiting_pickup' }))).toBe('pending_use')
    expect(statusOf(facts({ fulfil_state: 'delivering' }))).toBe('shipped')
    expect(statusOf(facts({ fulfil_state: 'issue_failed' }))).toBe('issuing')
    expect(statusOf(facts({ refund_state: 'part_refunded', fulfil_state: 'part_used' }))).toBe(
      'part_used',
    )
  })
  it('is a known one for all facts', () => {
    for (const pay_state of ['unpaid', 'part_paid', 'paid', 'closed'] as const)
      for (const fulfil_state of Object.keys(fulfilStates) as FulfilState[])
        for (const refund_state of ['none', 'refunding', 'part_refunded', 'refunded'] as const)
          for (const [frozen, balance_due] of [
            [true, true],
            [true, false],
            [false, true],
            [false, false],
          ] as const)
            expect(Object.keys(orderStatuses)).toContain(
              statusOf({ pay_state, fulfil_state, refund_state, frozen, balance_due }),
            )
  })
})

describe('units', () => {
  it('decide the fulfilment', () => {
    expect(fulfilOf({ total: 3, used: 0, refunded: 3, expired: 0 })).toBe('none')
    expect(fulfilOf({ total: 3, used: 0, refunded: 1, expired: 0 })).toBe('waiting_use')
    expect(fulfilOf({ total: 3, used: 1, refunded: 1, expired: 0 })).toBe('part_used')
    expect(fulfilOf({ total: 3, used: 2, refunded: 1, expired: 0 })).toBe('finished')
    expect(fulfilOf({ total: 3, used: 0, refunded: 1, expired: 2 })).toBe('expired')
    expect(fulfilOf({ total: 3, used: 1, refunded: 0, expired: 2 })).toBe('finished')
  })
  it('share a payment to the cent', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.integer({ min: 1, max: 200 }), (pay, qty) => {
        const parts = unitShares(pay, qty)
        expect(parts.reduce((a, b) => a + b, 0)).toBe(pay)
        expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1)
      }),
    )
  })
  it('settle to no less than nothing and no more than was paid', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.nat(1_000_000),
        fc.integer({ min: 0, max: 10_000 }),
        (pay, platform, bp) => {
          const settle = settleOf(pay, platform, bp)
          expect(settle).toBeGreaterThanOrEqual(0)
          expect(settle).toBeLessThanOrEqual(pay + platform)
        },
      ),
    )
  })
})

const code = (of: Partial<ItemUnits['codes'][number]> = {}) => ({
  state: 'unused' as CodeState,
  times_total: 1,
  times_bonus: 0,
  times_used: 0,
  times_refunding: 0,
  times_refunded: 0,
  ...of,
})
const item = (fulfil: ItemWay, of: Partial<ItemUnits> = {}): ItemUnits => ({
  fulfil,
  qty: 1,
  refunding_qty: 0,
  refunded_qty: 0,
  shipped_qty: 0,
  received_qty: 0,
  issue_state: 'none',
  codes: [],
  ...of,
})
const paid = (items: ItemUnits[], of: object = {}) => {
  const found = factsOf({
    pay_state: 'paid',
    balance_due: false,
    frozen: false,
    waiting: false,
    items,
    ...of,
  })
  return [found.fulfil_state, found.refund_state, statusOf(found)]
}

describe('the facts of an order', () => {
  it('of codes follow their times', () => {
    expect(paid([item('code', { codes: [code(), code()] })])).toEqual([
      'waiting_use',
      'none',
      'pending_use',
    ])
    expect(
      paid([item('code', { codes: [code({ times_used: 1, state: 'used' }), code()] })]),
    ).toEqual(['part_used', 'none', 'part_used'])
    expect(
      paid([
        item('code', {
          codes: [
            code({ times_used: 1, state: 'used' }),
            code({ times_refunded: 1, state: 'refunded' }),
          ],
        }),
      ]),
    ).toEqual(['finished', 'part_refunded', 'finished'])
    expect(
      paid([item('code', { codes: [code({ times_refunded: 1, state: 'refunded' })] })]),
    ).toEqual(['none', 'refunded', 'refunded'])
    expect(
      paid([
        item('code', {
          codes: [
            code({
              times_total: 10,
              times_bonus: 2,
              times_used: 4,
              times_refunding: 8,
              state: 'refunding',
            }),
          ],
        }),
      ]),
    ).toEqual(['part_used', 'refunding', 'refunding'])
    expect(paid([item('code', { codes: [code({ state: 'expired' })] })])).toEqual([
      'expired',
      'none',
      'expired',
    ])
  })
  it('of parcels follow what was sent and arrived, without what was given back', () => {
    const parcel = (of: Partial<ItemUnits>) => paid([item('express', { qty: 3, ...of })])
    expect(parcel({})).toEqual(['waiting_ship', 'none', 'pending_ship'])
    expect(parcel({ shipped_qty: 1 })).toEqual(['part_shipped', 'none', 'part_shipped'])
    expect(parcel({ shipped_qty: 2, refunded_qty: 1 })).toEqual([
      'shipped',
      'part_refunded',
      'shipped',
    ])
    expect(parcel({ shipped_qty: 2, received_qty: 2, refunded_qty: 1 })).toEqual([
      'finished',
      'part_refunded',
      'finished',
    ])
    expect(parcel({ shipped_qty: 3, received_qty: 3, refunding_qty: 1 })).toEqual([
      'finished',
      'refunding',
      'refunding',
    ])
  })
  it('of pick-up, delivery and issue follow their own way', () => {
    expect(
      paid([item('pickup', { qty: 2, codes: [code({ times_total: 2, state: 'locked' })] })]),
    ).toEqual(['waiting_pickup', 'none', 'pending_use'])
    expect(
      paid([
        item('pickup', {
          qty: 2,
          codes: [code({ times_total: 2, times_used: 1, state: 'part_used' })],
        }),
      ]),
    ).toEqual(['part_used', 'none', 'part_used'])
    expect(paid([item('delivery', { shipped_qty: 1 })])).toEqual(['delivering', 'none', 'shipped'])
    expect(paid([item('virtual', { issue_state: 'failed' })])).toEqual([
      'issue_failed',
      'none',
      'issuing',
    ])
    expect(paid([item('virtual', { issue_state: 'issued' })])).toEqual([
      'finished',
      'none',
      'finished',
    ])
  })
  it('of several ways together: all done is finished, some done is begun, else the least advanced tells', () => {
    const used = item('code', { codes: [code({ times_used: 1, state: 'used' })] })
    expect(paid([used, item('express', { shipped_qty: 1, received_qty: 1 })])).toEqual([
      'finished',
      'none',
      'finished',
    ])
    expect(paid([used, item('express')])).toEqual(['part_used', 'none', 'part_used'])
    expect(paid([item('code', { codes: [code()] }), item('express')])).toEqual([
      'waiting_ship',
      'none',
      'pending_ship',
    ])
    expect(
      paid([
        item('code', { codes: [code({ times_refunded: 1, state: 'refunded' })] }),
        item('express', { shipped_qty: 1 }),
      ]),
    ).toEqual(['shipped', 'part_refunded', 'shipped'])
  })
  it('wait for a group, are nothing before payment, and a code made void counts for nothing', () => {
    expect(paid([item('code', { codes: [code({ state: 'locked' })] })], { waiting: true })).toEqual(
      ['waiting_group', 'none', 'waiting_group'],
    )
    expect(
      paid([item('code', { codes: [code({ times_refunded: 1, state: 'refunded' })] })], {
        waiting: true,
      }),
    ).toEqual(['none', 'refunded', 'refunded'])
    expect(paid([item('express')], { pay_state: 'unpaid' })).toEqual([
      'none',
      'none',
      'pending_payment',
    ])
    expect(
      paid([
        item('code', { codes: [code({ state: 'void' }), code({ times_used: 1, state: 'used' })] }),
      ]),
    ).toEqual(['finished', 'none', 'finished'])
  })
})

describe('a code', () => {
  it('is what its times say; locked and void stay until they are said to be over', () => {
    const at = (of: object, now = 0) =>
      codeStateOf({ ...code({ times_total: 3 }), valid_until: 100, ...of }, now)
    expect([
      at({}),
      at({ times_used: 1 }),
      at({ times_used: 3 }),
      at({ times_refunding: 1 }),
      at({ times_refunded: 3 }),
      at({ times_used: 1, times_refunded: 2 }),
      at({}, 100),
      at({ times_used: 3 }, 100),
      at({ state: 'locked' }),
      at({ state: 'void' }, 200),
    ]).toEqual([
      'unused',
      'part_used',
      'used',
      'refunding',
      'refunded',
      'used',
      'expired',
      'used',
      'locked',
      'void',
    ])
  })
  it('gives its worth away in parts that differ by a cent at most, in whatever pieces, back and forth', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 60 }),
        (cents, times, steps) => {
          let [left, worth] = [times, cents]
          const taken: { n: number; part: number }[] = []
          for (const [at, n] of steps.entries()) {
            const back = at % 4 === 3 ? taken.pop() : undefined
            if (back) {
              left += back.n
              worth += back.part
              continue
            }
            if (n > left) continue
            const part = partOf(worth, left, n)
            expect(Math.abs(part - (cents / times) * n)).toBeLessThan(n + 1)
            left -= n
            worth -= part
            taken.push({ n, part })
          }
          if (left > 0) {
            taken.push({ n: left, part: partOf(worth, left, left) })
          }
          expect(taken.reduce((sum, one) => sum + one.part, 0)).toBe(cents)
        },
      ),
    )
  })
})

describe('what staff may do with an order', () => {
  const verbs: OrderVerb[] = [
    'cancel',
    'freeze',
    'unfreeze',
    'refund',
    'extendValidity',
    'resendCode',
    'redeem',
    'ship',
    'editReceiver',
    'adjustPrice',
    'confirmReceive',
    'addTimes',
    'changeStore',
    'confirmReady',
    'dispatch',
    'confirmDelivered',
  ]
  const looks = fc
    .record({
      pay_state: fc.constantFrom('unpaid', 'part_paid', 'paid', 'closed'),
      balance_due: fc.boolean(),
      fulfil_state: fc.constantFrom(...(Object.keys(fulfilStates) as FulfilState[])),
      refund_state: fc.constantFrom('none', 'refunding', 'part_refunded', 'refunded'),
      frozen: fc.boolean(),
      kind: fc.constantFrom(...(Object.keys(orderKinds) as OrderKind[])),
    })
    .map(
      of =>
        ({ ...of, sub_kind: 'code' as const, status: statusOf(of as OrderFacts) }) as Parameters<
          typeof orderCan
        >[1],
    )
  it('posts no part of an order of codes alone, of which some were used', () => {
    const used = {
      pay_state: 'paid',
      balance_due: false,
      fulfil_state: 'part_used',
      refund_state: 'none',
      frozen: false,
      sub_kind: 'code',
      status: 'part_used',
    } as const
    expect(orderCan('ship', { ...used, kind: 'roll_buy' })).not.toBe(true)
    expect(orderCan('ship', { ...used, kind: 'combo' })).toBe(true)
  })
  it('is allowed, or refused in both languages', () => {
    fc.assert(
      fc.property(looks, fc.constantFrom(...verbs), (row, verb) => {
        const said = orderCan(verb, row)
        if (said !== true) {
          expect(said[0]).toMatch(/\p{Script=Han}/u)
          expect(said[1]).toMatch(/^[A-Z]/)
        }
      }),
    )
  })
  it('with a frozen one is only to free it, with a cancelled one nothing', () => {
    fc.assert(
      fc.property(looks, fc.constantFrom(...verbs), (row, verb) => {
        if (row.frozen && row.pay_state === 'paid' && !['unfreeze', 'editReceiver'].includes(verb))
          expect(orderCan(verb, row)).not.toBe(true)
        if (row.pay_state === 'closed' && verb !== 'unfreeze')
          expect(orderCan(verb, row)).not.toBe(true)
        if (row.pay_state === 'unpaid')
          expect([verb, orderCan(verb, row) === true]).toEqual([
            verb,
            verb === 'cancel' ||
              verb === 'adjustPrice' ||
              (verb === 'unfreeze' && row.frozen) ||
              (verb === 'editReceiver' &&
                row.refund_state !== 'refunded' &&
                ['none', 'waiting_ship', 'waiting_group'].includes(row.fulfil_state)),
          ])
        if (verb === 'freeze') expect(orderCan(verb, row)).toEqual(canFreeze(row))
      }),
    )
  })
  it('takes a redemption back once, in its window, before settlement, and never by who redeemed it', () => {
    const record = {
      state: 'valid' as const,
      settle_state: 'holding' as const,
      verified_at: 1000,
      way: 'platform',
      admin_id: 5,
    }
    const of = { now: 1000 + 24 * 3600, window_h: 24, admin_id: 6, frozen: false }
    expect(reverseRefusal(record, of)).toBeUndefined()
    for (const [changed, asked] of [
      [{ state: 'reversed' as const }, {}],
      [{ settle_state: 'settling' as const }, {}],
      [{}, { now: of.now + 1 }],
      [{}, { admin_id: 5 }],
      [{}, { frozen: true }],
    ] as const)
      expect(reverseRefusal({ ...record, ...changed }, { ...of, ...asked })).toBeDefined()
    expect(reverseRefusal({ ...record, way: 'scan' }, { ...of, admin_id: 5 })).toBeUndefined()
  })
})

it('a status has the name of its kind: a row of store goods is called as the tab it stands on', () => {
  expect(
    [
      statusWords({ status: 'waiting_group', kind: 'raise' }),
      statusWords({ status: 'waiting_group', kind: 'roll_buy' }),
      statusWords({ status: 'pending_payment', kind: 'raise', balance_due: true }),
    ].map(([zh]) => zh),
  ).toEqual(['众筹中', '待成团', '待付尾款'])
  const stages = {
    pending_payment: 'pending_payment',
    pending_use: 'to_pick_up',
    pending_ship: 'to_deliver',
    shipped: 'delivering',
    part_shipped: 'delivering',
    part_used: 'part_used',
    finished: 'finished',
    refunding: 'refunding',
  } as const
  for (const [status, stage] of Object.entries(stages))
    expect([status, statusWords({ status: status as 'finished', kind: 'goods' })]).toEqual([
      status,
      goodsStages[stage],
    ])
  for (const status of Object.keys(orderStatuses) as (keyof typeof orderStatuses)[])
    expect(statusWords({ status, kind: 'bulks' })).toEqual(orderStatuses[status])
})
it('a store makes ready what is paid, not given back and not all gone', () => {
  const paid = { pay_state: 'paid', fulfil_state: 'waiting_pickup', refund_state: 'none' } as const
  expect(isAtStore(paid)).toBe(true)
  expect(isAtStore({ ...paid, refund_state: 'part_refunded' })).toBe(true)
  expect(isAtStore({ ...paid, pay_state: 'closed' })).toBe(false)
  expect(isAtStore({ ...paid, pay_state: 'unpaid' })).toBe(false)
  expect(isAtStore({ ...paid, refund_state: 'refunded' })).toBe(false)
  expect(isAtStore({ ...paid, fulfil_state: 'finished' })).toBe(false)
})
