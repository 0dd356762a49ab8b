import { describe, expect, test } from 'vitest'
import { askFault } from '#src/areas/ledger/journal.ts'
import {
  diffOf,
  growsBy,
  itemKinds,
  itemsOf,
  mayResolve,
  mendingLines,
  type OurRow,
} from '#src/areas/reconcile/reconcile.ts'

const side = (cents: number, status: OurRow['status'] = 'success') => ({ cents, status })
test('two sides are compared: who has it, its state, its amount', () => {
  expect(diffOf(undefined, side(1))).toBe('missing_ours')
  expect(diffOf(side(1), undefined)).toBe('missing_channel')
  expect(diffOf(side(1), side(1, 'failed'))).toBe('status')
  expect(diffOf(side(1), side(2))).toBe('amount')
  expect(diffOf(side(1), side(1))).toBe('matched')
})
describe('a row of a bill', () => {
  const theirs = {
    kind: 'pay' as const,
    at: 1,
    our_no: 'O1',
    channel_no: 'C1',
    cents: 8000,
    fee_cents: 48,
    status: 'success' as const,
  }
  const ours: OurRow = { ...theirs, payment_id: 1, order_id: 2 }
  test('is one item; its fee is another where that differs by a cent', () => {
    expect(itemsOf(theirs, ours).map(one => [one.kind, one.diff])).toEqual([['pay', 'matched']])
    expect(itemsOf(theirs, { ...ours, fee_cents: 47 }).map(one => [one.kind, one.diff])).toEqual([
      ['pay', 'matched'],
      ['fee', 'amount'],
    ])
    expect(itemsOf(theirs, undefined)).toHaveLength(1)
    // A fund bill tells fees in rows of their own: none is missed beside the payment.
    const said = itemsOf({ ...theirs, fee_cents: null }, ours)
    expect(said.map(one => [one.kind, one.diff, one.fee_cents])).toEqual([['pay', 'matched', 0]])
  })
})
describe('a difference', () => {
  const open = { diff: 'amount', status: 'open', our_cents: 5, channel_cents: 7 } as const
  test('is resolved while it is open', () => {
    expect(mayResolve(open, 'note')).toBe(true)
    expect(mayResolve({ ...open, status: 'resolved' }, 'note')).not.toBe(true)
    expect(mayResolve({ ...open, status: 'asked' }, 'adjust')).not.toBe(true)
    expect(mayResolve({ ...open, diff: 'matched' }, 'note')).not.toBe(true)
    expect(mayResolve({ ...open, diff: 'status', channel_cents: 5 }, 'adjust')).not.toBe(true)
  })
  test.each(Object.keys(itemKinds) as (keyof typeof itemKinds)[])(
    'of a %s is mended by lines that balance and bring the channel’s account to its bill',
    kind => {
      for (const [our_cents, channel_cents] of [
        [null, 700],
        [700, null],
        [48, 49],
      ] as const) {
        const lines = mendingLines({ kind, channel: 'wechat', our_cents, channel_cents })
        expect(askFault(lines)).toBeUndefined()
        const gap = (channel_cents ?? 0) - (our_cents ?? 0)
        expect(lines[0]).toMatchObject({
          kind: 'wechat_cash',
          amount_cents: growsBy(kind) ? gap : -gap,
        })
      }
    },
  )
})
