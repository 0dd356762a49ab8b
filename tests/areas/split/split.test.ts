import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newBook } from '#src/areas/ledger/book.ts'
import { distributors, lineOf, merchants, ours } from '#src/areas/ledger/ledger.ts'
import {
  mayGiveBack,
  paidPostings,
  RETURN_S,
  sharedCents,
  sharesOf,
  splitCan,
  splittableOf,
  stateOf,
  type ReceiverState,
  type Share,
  type Shared,
} from '#src/areas/split/split.ts'

const AT = 1_800_000_000
const of = (status: ReceiverState, more: Partial<Shared> = {}): Shared => ({
  role: 'seller',
  amount_cents: 100,
  returned_cents: 0,
  status,
  ...more,
})
describe('the state of a split', () => {
  it.each([
    [['waiting', 'waiting'], 'waiting'],
    [['done', 'processing'], 'processing'],
    [['done', 'done'], 'finished'],
    [['done', 'skipped'], 'finished'],
    [['done', 'failed'], 'partial'],
    [['skipped', 'failed'], 'partial'],
    [['failed', 'failed'], 'failed'],
  ] as const)('of %s is %s', (states, state) => {
    expect(stateOf(states.map(one => of(one)))).toBe(state)
  })
  it('is given back once all came back', () => {
    expect(stateOf([of('done', { returned_cents: 100 }), of('skipped')])).toBe('returned')
    expect(stateOf([of('done', { returned_cents: 99 })])).toBe('finished')
  })
})

const cents = fc.nat(1_000_000)
describe('the shares of an order', () => {
  it('are at most what may be shared, and others’ at most the channel’s ceiling', () => {
    fc.assert(
      fc.property(
        fc.record({
          paid_cents: cents,
          fee_cents: fc.nat(6000),
          merchant_cents: cents,
          commission_cents: cents,
          borne_cents: fc.nat(100_000),
          seller: fc.nat(100_000),
        }),
        ({ seller, ...asked }) => {
          const earned = [{ role: 'seller' as const, distributor_id: 1, cents: seller }]
          const shares = sharesOf({ ...asked, earned })
          if (typeof shares[0] === 'string') return
          const all = (shares as Share[]).reduce((sum, one) => sum + one.cents, 0)
          const others = (shares as Share[])
            .filter(one => one.role !== 'merchant')
            .reduce((sum, one) => sum + one.cents, 0)
          expect((shares as Share[]).every(one => one.cents > 0)).toBe(true)
          expect(all).toBeLessThanOrEqual(splittableOf(asked))
          expect(others * 10).toBeLessThanOrEqual(asked.paid_cents * 3)
        },
      ),
    )
  })
  it('of the worked example are what each has coming, to the cent', () => {
    const order = { paid_cents: 10_000, fee_cents: 60, merchant_cents: 8000 }
    const earned = [
      { role: 'seller' as const, distributor_id: 1, cents: 500 },
      { role: 'leader' as const, distributor_id: 2, cents: 200 },
    ]
    const shares = sharesOf({ ...order, commission_cents: 2000, borne_cents: 760, earned })
    expect((shares as Share[]).map(one => [one.role, one.cents])).toEqual([
      ['merchant', 8000],
      ['seller', 500],
      ['leader', 200],
      ['platform', 1240],
    ])
  })
})

describe('what can be done with a split', () => {
  const now = { status: 'partial', deadline_at: AT + 1, doing: 'share' } as const
  it('is nothing but to ask while the channel is at it', () => {
    const busy = { ...now, status: 'processing' } as const
    expect(splitCan('sync', busy, AT)).toBe(true)
    for (const verb of ['retry', 'skip', 'unfreeze', 'giveBack'] as const)
      expect(splitCan(verb, busy, AT)).not.toBe(true)
  })
  it('is nothing at all once it is unfrozen, and no retry after its deadline', () => {
    for (const verb of ['retry', 'skip', 'unfreeze', 'giveBack', 'sync'] as const)
      expect(splitCan(verb, { ...now, status: 'unfrozen' }, AT)).not.toBe(true)
    expect(splitCan('retry', now, AT)).toBe(true)
    expect(splitCan('retry', now, AT + 1)).not.toBe(true)
    expect(splitCan('skip', now, AT + 1)).toBe(true)
  })
  it('gives back what a merchant got, within the channel’s window, and nothing of a person', () => {
    const share = { ...of('done', { role: 'merchant', returned_cents: 30 }), done_at: AT }
    expect(mayGiveBack(share, 70, AT)).toBe(true)
    expect(mayGiveBack(share, 71, AT)).not.toBe(true)
    expect(mayGiveBack(share, 70, AT + RETURN_S)).not.toBe(true)
    expect(mayGiveBack({ ...share, role: 'leader' }, 1, AT)).not.toBe(true)
    expect(mayGiveBack({ ...share, status: 'skipped' }, 1, AT)).not.toBe(true)
  })
})

it('a share that was paid passes hold, balance and payout and leaves nothing behind', () => {
  const book = newBook()
  book.post({
    biz: 'verify',
    biz_id: 1,
    biz_no: 'O1',
    idem_key: 'v1',
    at: AT,
    lines: [
      ...lineOf(ours('wechat_cash'), 8500),
      ...lineOf(merchants('merchant_frozen', 5), -8000),
      ...lineOf(distributors('distributor_frozen', 7), -500),
    ],
  })
  const split = { id: 3, split_no: 'FZ3', city_id: 1, mall_id: 0 }
  const each = [
    { id: 1, role: 'merchant', merchant_id: 5, distributor_id: null, amount_cents: 8000 },
    { id: 2, role: 'seller', merchant_id: null, distributor_id: 7, amount_cents: 500 },
    { id: 3, role: 'platform', merchant_id: null, distributor_id: null, amount_cents: 900 },
  ] as const
  for (const to of each)
    for (const posting of paidPostings(split, to, AT)) {
      expect(posting.biz_no).toBe('FZ3')
      book.post(posting)
    }
  expect(sharedCents([of('done'), of('failed'), of('skipped')])).toBe(100)
  for (const { kind, balance_cents } of book.rows().accounts)
    expect([kind, balance_cents]).toEqual([kind, 0])
})
