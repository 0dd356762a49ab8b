import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  couriersFor,
  fitsCourier,
  patternFault,
  readTracking,
  sampleFault,
  trackingOf,
  type CourierForm,
} from '#src/areas/shipping/courier.ts'
import {
  afterTrack,
  newsOf,
  parcelStates,
  STUCK_S,
  type ParcelState,
  type Tracked,
} from '#src/areas/shipping/track.ts'

const named = (name: string, pattern: string, more: Partial<CourierForm> = {}) => ({
  name,
  pattern,
  sort: 0,
  is_default: false,
  status: 'on' as const,
  ...more,
})
const letters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')
const number = fc
  .string({ unit: letters, minLength: 6, maxLength: 40 })
  .filter(text => /\d/.test(text))
/** What people and spreadsheets do to a number on its way. */
const noisy = (text: string, seed: number) =>
  [...text]
    .map((char, at) => {
      const full = String.fromCharCode(char.charCodeAt(0) + 0xfee0)
      return (
        [char, char.toLowerCase(), full, ` ${char}`, `-${char}`, `${char}\u200b`, `—${char}`][
          (seed >> (at % 24)) % 7
        ] ?? char
      )
    })
    .join('')

describe('a tracking number', () => {
  it('is the same however it was typed', () =>
    fc.assert(
      fc.property(number, fc.nat(), (no, seed) => {
        expect(trackingOf(noisy(no, seed))).toBe(no)
        expect(trackingOf(trackingOf(noisy(no, seed)))).toBe(no)
      }),
    ))
  it.each([
    ['ｓｆ１４３８　２７０９５６１２３', 'SF1438270956123'],
    [' yt-8830-2746-15509\t', 'YT8830274615509'],
    ['“JT 5210937746128”', 'JT5210937746128'],
    ['\ufeff78651203498817', '78651203498817'],
  ])('%s is kept as %s', (typed, kept) => expect(trackingOf(typed)).toBe(kept))
  it('of any text whatever is never a fault', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        couriersFor(text, [named('a', '\\d{12}')])
        expect(trackingOf(trackingOf(text))).toBe(trackingOf(text))
      }),
    ))
})

describe('a number that a program had in its hands', () => {
  const read = (typed: string) => {
    const said = readTracking(typed)
    return 'fault' in said ? said.fault[0] : said.tracking_no
  }
  it.each([
    ['331234567890.0', '331234567890'],
    ['331234567890.00', '331234567890'],
    ['３３１２３４５６７８９０．０', '331234567890'],
    ['4.312098765543E12', '4312098765543'],
    ['4.312098765543e+12', '4312098765543'],
    ['7.81234567890123E+14', '781234567890123'],
    ['4.381234567890123E+15', '4381234567890123'],
    ['SF1438270956123.', 'SF1438270956123'],
    ['0123456789', '0123456789'],
    [' sf-1438 270956123 ', 'SF1438270956123'],
    ['JT 5210937746128', 'JT5210937746128'],
  ])('%s is read as %s', (typed, no) => expect(read(typed)).toBe(no))
  it.each([
    ['331234567890.5', '是小数'],
    ['331234567890.01', '是小数'],
    ['331234567890·0', '无法识别'],
    ['33.1234567890', '是小数'],
    ['12345678901234567.0', '是小数'],
    ['SF1438270956123.0', '无法识别'],
    ['7.86512E+13', '末尾数字已丢失'],
    ['1E+13', '末尾数字已丢失'],
    ['4.38123456789012E+15', '末尾数字已丢失'],
    ['4.312098765543E-12', '末尾数字已丢失'],
    ['331234567890 0', '多个单号'],
    ['SF1234567890123\nSF1234567890124', '多个单号'],
    ['2025-01-21', '是日期'],
    ['2025/1/21 10:00', '是日期'],
    ['#N/A', '公式'],
  ])('%s is refused', (typed, words) => expect(read(typed)).toContain(words))
  it('of any digits and a fraction is these digits, or none', () =>
    fc.assert(
      fc.property(
        fc.stringMatching(/^[1-9]\d{0,19}$/),
        fc.stringMatching(/^\d{1,4}$/),
        (whole, fraction) => {
          const said = readTracking(`${whole}.${fraction}`)
          if ('tracking_no' in said)
            expect([said.tracking_no, Number(fraction)]).toEqual([whole, 0])
        },
      ),
    ))
})

describe('a pattern', () => {
  it.each([
    '',
    'SF\\d{13}',
    '7[3-9]\\d{12}|(?:66|75)\\d{10}',
    'JD[VX]?[A-Z0-9]{11,13}',
    '(A|B)?\\d{9}CN',
  ])('%s is one', pattern => expect(patternFault(pattern)).toBeUndefined())
  it.each([
    ['(a+)+', '大写'],
    ['\\d+', '大写'],
    ['\\d*', '大写'],
    ['^SF\\d{13}$', '不需要 ^'],
    ['(\\d{1,9}){1,9}', '前面须是'],
    ['{3}', '前面须是'],
    ['A{2}{3}', '前面须是'],
    ['A??', '前面须是'],
    ['(A', '括号'],
    ['A)(', '括号'],
    ['[Z-A]', '无法识别'],
    ['A{9,2}', '无法识别'],
    ['A?B?C?D?', '最多共'],
    ['(?:A|AA)'.repeat(10), '最多 1000 种'],
    ['.{12}', '大写'],
    ['(?=A)A', '“=A'],
    ['\\1', '大写'],
    ['sf\\d{13}', '大写'],
    ['A'.repeat(129), '128'],
  ])('%s is refused in words', (pattern, words) => {
    expect(patternFault(pattern)?.[0]).toMatch(words)
    expect(patternFault(pattern)?.[1]).toMatch(/\w/)
  })
  it('that is accepted can be compiled, and answers any number at once', () =>
    fc.assert(
      fc.property(
        fc
          .array(
            fc.constantFrom(
              'A',
              '7',
              '\\d',
              '[A-F]',
              '[0-9]',
              '{2}',
              '{1,20}',
              '?',
              '(',
              '(?:',
              ')',
              '|',
            ),
            { maxLength: 14 },
          )
          .map(parts => parts.join('')),
        number,
        (pattern, no) => {
          if (patternFault(pattern)) return
          // A machine may stand still once for other reasons: a pattern that takes long always does.
          const tries = [1, 2, 3].map(() => {
            const begun = performance.now()
            fitsCourier(no, { pattern })
            return performance.now() - begun
          })
          expect(Math.min(...tries)).toBeLessThan(200)
        },
      ),
      { numRuns: 500 },
    ))
  it('must match its sample', () => {
    expect(sampleFault('SF\\d{13}', 'sf 1438270956123')).toBeUndefined()
    expect(sampleFault('SF\\d{13}', 'SF143')?.[0]).toBe('示例单号与规则不符')
    expect(sampleFault('', 'anything')).toBeUndefined()
  })
})

describe('the couriers of a pasted number', () => {
  const known = [
    named('十二位', '\\d{12}', { sort: 0 }),
    named('顺丰', 'SF\\d{13}', { sort: 3 }),
    named('六六', '66\\d{10}', { sort: 5 }),
    named('停用', '66\\d{10}', { status: 'off' }),
    named('随意', ''),
    named('默认十二位', '\\d{12}', { sort: 9, is_default: true }),
  ]
  const names = (typed: string) => couriersFor(typed, known).map(one => one.name)
  it('are those whose form it has, the one it tells most of first, then the default, then as sorted', () => {
    expect(names('sf1438270956123')).toEqual(['顺丰'])
    expect(names('6612 3456 7890')).toEqual(['六六', '默认十二位', '十二位'])
    expect(names('112345678901')).toEqual(['默认十二位', '十二位'])
    expect(names('12345')).toEqual([])
    expect(names('')).toEqual([])
  })
  it('all fit, are all enabled, and are the same for the same number', () =>
    fc.assert(
      fc.property(number, fc.nat(), (no, seed) => {
        const found = couriersFor(no, known)
        for (const one of found) expect(one.status === 'on' && fitsCourier(no, one)).toBe(true)
        expect(couriersFor(noisy(no, seed), known)).toEqual(found)
        expect(
          couriersFor(no, [...known].reverse())
            .map(one => one.name)
            .sort(),
        ).toEqual(found.map(one => one.name).sort())
      }),
    ))
  it('without a form takes any number that may be one, and nothing else', () => {
    expect(fitsCourier('ABC123456', { pattern: '' })).toBe(true)
    for (const no of ['', '12345', 'ABCDEFG', '顺丰1234567', '1'.repeat(41)])
      expect(fitsCourier(no, { pattern: '' }), no).toBe(false)
  })
})

describe('after the courier was asked', () => {
  const before: Tracked = {
    state: 'transit',
    traces: [{ at: 100, text: '已揽收' }],
    traced_at: 150,
    fault: null,
  }
  it('and did not answer, the last trace stays, with the time it was heard of', () => {
    expect(afterTrack(before, { ok: false, text: ['无法连接', 'no connection'] }, 900)).toEqual({
      ...before,
      fault: ['无法连接', 'no connection'],
    })
    expect(afterTrack(before, { ok: true, state: 'shipped', traces: [] }, 900)).toMatchObject({
      state: 'transit',
      traces: before.traces,
      traced_at: 150,
      fault: [expect.any(String), expect.any(String)],
    })
  })
  it('and did, its words stand, and an old fault is gone', () => {
    expect(
      afterTrack(
        { ...before, fault: ['x', 'x'] },
        { ok: true, state: 'signed', traces: [{ at: 200, text: '已签收' }] },
        900,
      ),
    ).toEqual({
      state: 'signed',
      traces: [{ at: 200, text: '已签收' }],
      traced_at: 900,
      fault: null,
    })
  })
  it('what was signed for stays signed for', () => {
    expect(
      afterTrack(
        { ...before, state: 'signed' },
        { ok: true, state: 'transit', traces: before.traces },
        900,
      ).state,
    ).toBe('signed')
  })
})

describe('news of a parcel that comes back', () => {
  it('are that it is there, or that nothing moved for three days since it was last heard of or sent, or that something is wrong', () => {
    const at = fc.integer({ min: 0, max: 10 * 86_400 })
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(parcelStates) as ParcelState[])),
        at,
        fc.option(at),
        at,
        (state, sent_at, last, now) => {
          const news = newsOf(
            {
              state,
              sent_at,
              traces:
                last === null
                  ? []
                  : [
                      { at: 0, text: '揽收' },
                      { at: last, text: '到达' },
                    ],
            },
            now,
          )
          const isStuck = state === 'problem' || now > (last ?? sent_at) + STUCK_S
          if (state === 'signed') expect(news).toBe('arrived')
          else expect(news).toBe(isStuck ? 'stuck' : null)
        },
      ),
    )
  })
})
