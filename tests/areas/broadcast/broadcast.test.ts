import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  LIVE_TIMES,
  LIVE_TITLE,
  liveCan,
  livePictureFault,
  livePriceFault,
  liveRefundRate,
  liveStates,
  liveStockFault,
  liveTimeFaults,
  liveTitleFault,
  replayStates,
  type LiveState,
  type LiveVerb,
  type ReplayState,
} from '#src/areas/broadcast/broadcast.ts'
import { widthOf } from '#src/domain/validate.ts'

const now = 1_795_000_000
const state = fc.constantFrom(...(Object.keys(liveStates) as LiveState[]))
const of = (state: LiveState, replay_state: ReplayState = 'none', recommended = false) => ({
  state,
  replay_state,
  recommended,
})

describe('a title', () => {
  it('has 3 to 17 Chinese characters, two letters counting as one', () => {
    for (const good of ['周年庆', '一'.repeat(17), 'abcdef', 'a'.repeat(34), '夜宵ab'])
      expect([good, liveTitleFault(good)]).toEqual([good, undefined])
    for (const bad of [
      '周年',
      '一'.repeat(18),
      'abcde',
      'a'.repeat(35),
      '',
      '一'.repeat(17) + 'a',
      '  周年  ',
    ])
      expect([bad, typeof liveTitleFault(bad)]).toEqual([bad, 'object'])
  })
  it('is judged by its width alone', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        title =>
          (liveTitleFault(title) === undefined) ===
          (widthOf(title.trim()) >= LIVE_TITLE.min && widthOf(title.trim()) <= LIVE_TITLE.max),
      ),
    ))
})
describe('a time', () => {
  const at = (ahead: number, length: number) =>
    Object.keys(liveTimeFaults({ start_at: now + ahead, end_at: now + ahead + length }, now))
  it('begins in 10 minutes at the earliest, within 6 months', () => {
    expect([
      at(599, 3600),
      at(600, 3600),
      at(LIVE_TIMES.within_s, 3600),
      at(LIVE_TIMES.within_s + 1, 3600),
    ]).toEqual([['start_at'], [], [], ['start_at']])
  })
  it('lasts from 30 minutes to 24 hours', () => {
    expect([
      at(3600, 1799),
      at(3600, 1800),
      at(3600, 86_400),
      at(3600, 86_401),
      at(3600, -5),
    ]).toEqual([['end_at'], [], [], ['end_at'], ['end_at']])
  })
})
it('a live price lies above 0 and not above the normal one; live stock is at least 1 and not above what is available', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: -5, max: 10_000 }),
      fc.integer({ min: 1, max: 10_000 }),
      (n, limit) => {
        expect(livePriceFault(n, limit) === undefined).toBe(n > 0 && n <= limit)
        expect(liveStockFault(n, limit) === undefined).toBe(n >= 1 && n <= limit)
      },
    ),
  ))
it('pictures have their ratio and size', () => {
  expect(
    livePictureFault('cover', { width: 800, height: 800, size_bytes: 100 * 1024 }),
  ).toBeUndefined()
  expect(
    livePictureFault('cover', { width: 800, height: 800, size_bytes: 100 * 1024 + 1 })![0],
  ).toContain('100 KB')
  expect(
    livePictureFault('share_image', { width: 800, height: 800, size_bytes: 9000 })![0],
  ).toContain('5:4')
  expect(
    livePictureFault('background', { width: 1080, height: 1920, size_bytes: 2 * 1024 * 1024 }),
  ).toBeUndefined()
  expect(
    livePictureFault('background', { width: null, height: null, size_bytes: 9 })![0],
  ).toContain('尺寸')
})
describe('what may be done when', () => {
  const allowed = (verb: LiveVerb) =>
    (Object.keys(liveStates) as LiveState[]).filter(one => liveCan(verb, of(one)) === true)
  it('follows the states', () => {
    expect(
      Object.fromEntries(
        (['save', 'submit', 'cancel', 'del', 'pushProduct'] as const).map(verb => [
          verb,
          allowed(verb),
        ]),
      ),
    ).toEqual({
      save: ['draft', 'planned', 'living'],
      submit: ['draft'],
      cancel: ['planned'],
      del: ['draft', 'planned'],
      pushProduct: ['living'],
    })
  })
  it('a replay is published when it is over and the file is there, and hidden when it was published', () =>
    fc.assert(
      fc.property(fc.constantFrom(...(Object.keys(replayStates) as ReplayState[])), replay => {
        expect(liveCan('publishReplay', of('ended', replay)) === true).toBe(
          replay === 'ready' || replay === 'hidden',
        )
        expect(liveCan('hideReplay', of('ended', replay)) === true).toBe(replay === 'published')
      }),
    ))
  it('only what people can still see is recommended, once', () =>
    fc.assert(
      fc.property(state, fc.boolean(), (one, recommended) => {
        expect(liveCan('setRecommend', of(one, 'none', recommended)) === true).toBe(
          !recommended && (one === 'planned' || one === 'living'),
        )
        expect(liveCan('cancelRecommend', of(one, 'none', recommended)) === true).toBe(recommended)
        expect(liveCan('setRecommend', of('ended', 'published'))).toBe(true)
      }),
    ))
})
it('the refund rate is what went back of what was paid; without sales there is none', () => {
  expect([
    liveRefundRate(0, 0),
    liveRefundRate(0, 100),
    liveRefundRate(25, 100),
    liveRefundRate(100, 100),
  ]).toEqual([null, 0, 2500, 10_000])
})
