import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  badgeFault,
  countFault,
  entryCan,
  entryState,
  hiddenFrom,
  isForAll,
  periodFault,
  titleFault,
} from '#src/areas/entryIcon/entryIcon.ts'
import { isLive } from '#src/domain/period.ts'

const now = 1_790_000_000
type One = Parameters<typeof hiddenFrom>[1][number]
const entry = (of: Partial<One> = {}): One => ({
  status: 'online',
  start_at: null,
  end_at: null,
  audience: {},
  ...of,
})
const forSome = { audience: { new_only: true } }

describe('the words of an entry', () => {
  it('are as wide as five Chinese characters, its badge as four', () => {
    expect(titleFault('停车缴费吧')).toBeUndefined()
    expect(titleFault('停车缴费吧a')).toBeDefined()
    expect(titleFault('shopping1!')).toBeUndefined()
    expect(badgeFault('限时五折')).toBeUndefined()
    expect(badgeFault('限时五折!')).toBeDefined()
  })
})

describe('the state of an entry', () => {
  it('is over by its end alone, and says what can be done', () => {
    const over = entry({ end_at: now })
    expect(entryState(over, now)).toBe('ended')
    expect(entryState(over, now - 1)).toBe('online')
    expect(entryState(entry({ status: 'offline', end_at: now }), now)).toBe('offline')
    expect(entryCan('del', over, now)).toBe(true)
    expect(entryCan('del', over, now - 1)).not.toBe(true)
    expect(entryCan('offline', over, now)).not.toBe(true)
    expect(entryCan('online', over, now)).not.toBe(true)
    expect(entryCan('online', entry({ status: 'offline', end_at: now }), now)).not.toBe(true)
    expect(entryCan('online', entry({ status: 'offline' }), now)).toBe(true)
  })
  it('ends after it starts', () => {
    expect(periodFault({ start_at: now, end_at: now })).toBeDefined()
    expect(periodFault({ start_at: now, end_at: now + 1 })).toBeUndefined()
    expect(periodFault({ start_at: null, end_at: now })).toBeUndefined()
  })
})

describe('the grid', () => {
  it.each([
    [0, { missing: 5, over: 0, tooFew: true }],
    [3, { missing: 2, over: 0, tooFew: true }],
    [4, { missing: 1, over: 0, tooFew: false }],
    [5, undefined],
    [11, { missing: 4, over: 0, tooFew: false }],
    [20, undefined],
    [22, { missing: 0, over: 2, tooFew: false }],
  ])('with %i icons lacks what fills its last row, or has too many', (n, fault) =>
    expect(countFault('grid', n)).toEqual(fault),
  )
  it('alone stands in rows', () => expect(countFault('float', 1)).toBeUndefined())
})

describe('people who see none of the entries', () => {
  it('are named by the moment from which they do', () => {
    expect(hiddenFrom('grid', [], now)).toBeUndefined()
    expect(hiddenFrom('grid', [entry(forSome)], now)).toBe(now)
    expect(hiddenFrom('grid', [entry(forSome), entry()], now)).toBeUndefined()
    expect(hiddenFrom('grid', [entry(forSome), entry({ end_at: now + 9 })], now)).toBe(now + 9)
    const later = entry({ ...forSome, start_at: now + 5 })
    expect(hiddenFrom('grid', [later], now)).toBe(now + 5)
    expect(hiddenFrom('grid', [entry({ ...forSome, status: 'offline' })], now)).toBeUndefined()
    expect(hiddenFrom('float', [entry(forSome)], now)).toBeUndefined()
  })
  it('are found at the first such moment, whatever the periods', () => {
    const at = fc.option(fc.integer({ min: -3, max: 9 }).map(n => now + n))
    const some = fc.record({
      start_at: at,
      end_at: at,
      status: fc.constantFrom('online' as const, 'offline' as const),
      audience: fc.constantFrom({}, { new_only: true }, { levels: [2] }),
    })
    fc.assert(
      fc.property(fc.array(some, { maxLength: 6 }), entries => {
        const isHidden = (moment: number) => {
          const shown = entries.filter(one => one.status === 'online' && isLive(one, moment))
          return shown.length > 0 && !shown.some(isForAll)
        }
        const moments = Array.from({ length: 12 }, (_, n) => now + n)
        expect(hiddenFrom('grid', entries, now)).toBe(moments.find(isHidden))
      }),
    )
  })
})
