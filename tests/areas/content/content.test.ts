import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bannerCan, bannerState, clickRate, pictureFault } from '#src/areas/content/banner.ts'
import {
  covered,
  hoursFault,
  hoursMeet,
  hoursTyped,
  hoursWritten,
  isOpenAt,
  qrState,
  routeOf,
  valueFault,
  type Routed,
} from '#src/areas/content/contact.ts'
import {
  cutTitle,
  namedTemplate,
  rendered,
  rewarded,
  shareAtFirst,
  unknownPlaceholders,
  type ShareType,
} from '#src/areas/content/shareCard.ts'
import {
  domainAllowed,
  filledPath,
  linkFaults,
  missingParams,
  paramsKey,
  paramsOf,
  paramsText,
  valuesText,
  valuesTyped,
} from '#src/areas/link/pageLink.ts'
import { cityCan, insideChina, missingChecks } from '#src/areas/place/city.ts'
import { divisions, provinces } from '#src/areas/place/divisions.ts'
import { isLive, mostAtOnce, overlap, type Period } from '#src/domain/period.ts'
import { isCallable } from '#src/domain/phone.ts'
import { isPermutation, sequenceVersion } from '#src/domain/sequence.ts'
import { widthOf } from '#src/domain/validate.ts'

const period = fc
  .record({ start_at: fc.option(fc.nat(100)), length: fc.option(fc.integer({ min: 1, max: 40 })) })
  .map(({ start_at, length }): Period => ({
    start_at,
    end_at: length === null ? null : (start_at ?? 0) + length,
  }))

describe('periods', () => {
  it('overlap exactly when some moment is in both', () =>
    fc.assert(
      fc.property(period, period, (a, b) => {
        const moments = Array.from({ length: 300 }, (_, at) => at - 50)
        expect(overlap(a, b)).toBe(moments.some(at => isLive(a, at) && isLive(b, at)))
      }),
    ))
  it('count at most as many at once as some moment sees', () =>
    fc.assert(
      fc.property(fc.array(period, { maxLength: 12 }), period, (periods, during) => {
        const moments = Array.from({ length: 300 }, (_, at) => at - 50).filter(at =>
          isLive(during, at),
        )
        expect(mostAtOnce(periods, during)).toBe(
          Math.max(0, ...moments.map(at => periods.filter(one => isLive(one, at)).length)),
        )
      }),
    ))
})

describe('an ordered list', () => {
  it('has the same version for the same order only', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 2, maxLength: 30 }),
        fc.nat(),
        (ids, at) => {
          const turned = [...ids.slice(1), ids[0]!]
          const shorter = ids.filter((_, i) => i !== at % ids.length)
          expect(sequenceVersion([...ids])).toBe(sequenceVersion(ids))
          expect(sequenceVersion(turned)).not.toBe(sequenceVersion(ids))
          expect(sequenceVersion(shorter)).not.toBe(sequenceVersion(ids))
          expect([
            isPermutation(turned, ids),
            isPermutation(shorter, ids),
            isPermutation([...shorter, shorter[0] ?? 0], ids),
          ]).toEqual([true, false, false])
          expect(
            Number.isInteger(sequenceVersion(ids)) &&
              sequenceVersion(ids) >= 0 &&
              sequenceVersion(ids) < 2 ** 31,
          ).toBe(true)
        },
      ),
    ))
})

describe('cities', () => {
  it('lie inside China', () => {
    expect([
      insideChina('121.47', '31.23'),
      insideChina('2.35', '48.85'),
      insideChina('-121', '31'),
      insideChina('121.4737e1', '31'),
      insideChina('', ''),
    ]).toEqual([true, false, false, false, false])
    for (const one of divisions.values())
      if (one.lng !== null)
        expect([one.adcode, insideChina(one.lng, one.lat!)]).toEqual([one.adcode, true])
  })
  it('are those of the division table: every code once, below its province, its initial that of its pinyin', () => {
    expect(divisions.size).toBe(provinces.reduce((sum, one) => sum + one.children.length, 0))
    expect([...divisions.values()].filter(one => one.adcode.slice(2, 4) !== '90').length).toBe(339)
    for (const province of provinces)
      for (const one of province.children)
        expect([
          one.adcode,
          one.adcode.slice(0, 2),
          /^[a-z]+$/.test(one.pinyin),
          one.initial,
        ]).toEqual([one.adcode, province.adcode.slice(0, 2), true, one.pinyin[0]!.toUpperCase()])
    expect(new Set([...divisions.values()].map(one => one.city_name)).size).toBe(divisions.size)
    expect([
      divisions.get('350200')!.pinyin,
      divisions.get('500000')!.pinyin,
      divisions.get('220100')!.initial,
      divisions.get('653100')!.pinyin,
    ]).toEqual(['xiamen', 'chongqing', 'C', 'kashidiqu'])
  })
  it('open, pause, become default and go by their state', () => {
    expect(cityCan('open', { status: 'paused', is_default: false })).toBe(true)
    expect(cityCan('pause', { status: 'open', is_default: true })).not.toBe(true)
    expect(cityCan('setDefault', { status: 'paused', is_default: false })).not.toBe(true)
    expect([
      cityCan('del', { status: 'preparing', is_default: false }),
      cityCan('del', { status: 'open', is_default: false }) === true,
    ]).toEqual([true, false])
    expect(
      missingChecks([
        { key: 'mall', ok: true },
        { key: 'home', ok: false },
      ]),
    ).toEqual(['home'])
  })
})

describe('banners', () => {
  it('end by time and can then neither go offline nor come back without a new time', () => {
    const row = { status: 'online' as const, start_at: 0, end_at: 100 }
    expect([bannerState(row, 99), bannerState(row, 100)]).toEqual(['online', 'ended'])
    expect([
      bannerCan('offline', row, 99),
      bannerCan('offline', row, 100) === true,
      bannerCan('online', { ...row, status: 'offline' }, 100) === true,
      bannerCan('del', row, 100),
      bannerCan('del', row, 99) === true,
    ]).toEqual([true, false, false, true, false])
  })
  it("have a picture of the position's ratio, large enough and not heavy", () => {
    expect(pictureFault('home', { width: 750, height: 375, size_bytes: 512_000 })).toBeUndefined()
    expect(pictureFault('home', { width: 750, height: 375, size_bytes: 512_001 })).toBeDefined()
    expect(pictureFault('category', { width: 750, height: 375, size_bytes: 1000 })).toBeDefined()
    expect(pictureFault('home', { width: 600, height: 300, size_bytes: 1000 })).toBeDefined()
    expect(pictureFault('home', { width: null, height: null, size_bytes: 1000 })).toBeDefined()
  })
  it('have a click rate only with exposures, and never above the whole', () =>
    expect([clickRate(5, 0), clickRate(1, 3), clickRate(9, 3)]).toEqual([null, 3333, 10_000]))
})

describe('links', () => {
  const domains = ['mallet.example']
  it('open H5 of an allowed domain or below one, by https, and no look-alike', () => {
    for (const url of ['https://mallet.example/x', 'https://m.mallet.example'])
      expect([url, domainAllowed(url, domains)]).toEqual([url, true])
    for (const url of [
      'http://mallet.example',
      'https://mallet.example.evil.example',
      'https://evilmallet.example',
      'https://mallet.example@evil.example',
      'https://user@mallet.example',
      'javascript:alert(1)',
      '//mallet.example',
    ])
      expect([url, domainAllowed(url, domains)]).toEqual([url, false])
  })
  it('begin with pages/ or a package, and define what they ask for', () => {
    const fault = (path: string, params: Parameters<typeof missingParams>[0] = []) =>
      Object.keys(linkFaults({ type: 'page', path, appid: '', params }, domains))
    expect([
      fault('pages/a/b'),
      fault('packageShop/pages/x'),
      fault('/pages/a'),
      fault('pages'),
      fault('pages/a?id={id}'),
    ]).toEqual([[], [], ['path'], ['path'], ['params']])
  })
  it("fill what the template names, send the rest as its query, and the library's values stand over what was typed", () => {
    const params = [
      { key: 'id', label: '门店', target: 'store' as const, required: true },
      { key: 'from', label: '来源', target: 'text' as const, required: false, value: 'lib' },
    ]
    expect(
      filledPath('pages/store/detail?id={id}', params, { id: 7, from: 'typed', other: 1 }),
    ).toBe('pages/store/detail?id=7&from=lib')
    expect(missingParams(params, {}).map(one => one.key)).toEqual(['id'])
    expect(paramsKey([{ ...params[0]!, value: 3 }, params[1]!])).toBe('from=lib&id=3')
  })
  const word = fc.stringMatching(/^[a-z]{1,8}$/)
  it('are written as lines and read back the same', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({
            key: word,
            label: fc.constantFrom('门店', '商品', '来源'),
            target: fc.constantFrom('text' as const, 'store' as const),
            required: fc.boolean(),
          }),
          { selector: one => one.key, maxLength: 5 },
        ),
        params => {
          expect(paramsOf(paramsText(params))).toEqual({ params })
        },
      ),
    ))
  it("values are written and read back the same; what can't be read is said", () =>
    fc.assert(
      fc.property(fc.dictionary(word, fc.oneof(fc.nat(9999), word), { maxKeys: 5 }), values => {
        expect(valuesTyped(valuesText(values))).toEqual(values)
        expect(valuesTyped('id')).toBeUndefined()
      }),
    ))
})

describe('share cards', () => {
  it('know the placeholders of their page; the built-in words use no other', () => {
    expect(unknownPlaceholders('{store}{price}{ }', 'store')).toEqual(['price', ' '])
    for (const [type, words] of Object.entries(shareAtFirst))
      expect([type, unknownPlaceholders(words, type as ShareType)]).toEqual([type, []])
    expect(rendered('{store}·{nope}', { store: '蜀巷' })).toBe('蜀巷·{nope}')
  })
  it('are cut at 30 double-byte characters and never within one', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), text => {
        const { text: shown, cut } = cutTitle(text)
        expect(widthOf(shown)).toBeLessThanOrEqual(60)
        expect(cut).toBe(widthOf(text) > 60)
        expect(cut ? text.startsWith(shown.slice(0, -1)) : shown === text).toBe(true)
      }),
    ))
  it('reward no visitor twice and no device of the sharer', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            sharer_id: fc.integer({ min: 1, max: 3 }),
            sharer_device: fc.constantFrom('a', 'b'),
            visitor_id: fc.option(fc.integer({ min: 1, max: 5 })),
            visitor_device: fc.constantFrom('a', 'b', 'c', 'd'),
          }),
          { maxLength: 40 },
        ),
        visits => {
          const good = rewarded(visits)
          for (const sharer of [1, 2, 3]) {
            const mine = good.filter(visit => visit.sharer_id === sharer)
            const own = new Set<string>(
              visits.filter(visit => visit.sharer_id === sharer).map(visit => visit.sharer_device),
            )
            expect(
              mine.some(visit => visit.visitor_id === sharer || own.has(visit.visitor_device)),
            ).toBe(false)
            expect(new Set(mine.map(visit => visit.visitor_device)).size).toBe(mine.length)
            const people = mine.flatMap(visit => visit.visitor_id ?? [])
            expect(new Set(people).size).toBe(people.length)
          }
        },
      ),
    ))
})

describe('service contacts', () => {
  it('take a mobile, 400 or landline number, and a WeCom link of the bound corp', () => {
    for (const good of [
      '13912345678',
      '400-820-1100',
      '4008201100',
      '021-66887000',
      '0571-88886666-12',
      '+8613912345678',
    ])
      expect([good, isCallable(good)]).toEqual([good, true])
    for (const bad of ['', '110', '10000000000', '12912345678', '400-82-1100', '21-66887000'])
      expect([bad, isCallable(bad)]).toEqual([bad, false])
    expect(
      valueFault('wecom', 'https://work.weixin.qq.com/kfid/kfc1234567', ['kfc1234567']),
    ).toBeUndefined()
    expect(valueFault('wecom', 'https://work.weixin.qq.com/kfid/kfc1234567', [])).toBeDefined()
    expect(
      valueFault('wecom', 'https://evil.example/kfid/kfc1234567', ['kfc1234567']),
    ).toBeDefined()
  })
  const hours = fc.array(
    fc.record({
      weekdays: fc
        .uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
        .map(days => days.sort((a, b) => a - b)),
      from: fc.constantFrom('00:00', '08:30', '12:00'),
      to: fc.constantFrom('13:00', '18:00', '24:00'),
    }),
    { maxLength: 4 },
  )
  it('write their hours and read them back the same', () =>
    fc.assert(
      fc.property(hours, of => {
        expect(hoursTyped(hoursWritten(of))).toEqual(of)
      }),
    ))
  it('are on duty at some moment together exactly when their hours meet', () =>
    fc.assert(
      fc.property(hours, hours, (a, b) => {
        const week = Array.from(
          { length: 7 * 48 },
          (_, at) => 1_790_000_000 - (1_790_000_000 % 86_400) + at * 1800,
        )
        expect(hoursMeet(a, b)).toBe(week.some(at => isOpenAt(a, at) && isOpenAt(b, at)))
        const alone = a.some((one, at) => a.slice(at + 1).some(other => hoursMeet([one], [other])))
        expect(hoursFault(a) === undefined).toBe(!alone)
      }),
      { numRuns: 60 },
    ))
  it('flag a QR three days ahead', () =>
    expect([
      qrState(null, 0),
      qrState(0, 0),
      qrState(3 * 86_400, 0),
      qrState(3 * 86_400 + 1, 0),
    ]).toEqual(['none', 'expired', 'expiring', 'ok']))
  const contact = fc.record({
    scene: fc.constant('refund' as const),
    city_id: fc.constantFrom(null, 1, 2),
    mall_id: fc.constant(0),
    status: fc.constantFrom('on' as const, 'off' as const),
    hours,
    priority: fc.nat(3),
    expires_at: fc.constantFrom(null, 10, 4_000_000_000),
  })
  it('route to the first level that can answer, and to nobody only where none is usable', () =>
    fc.assert(
      fc.property(
        fc.array(contact, { maxLength: 8 }),
        fc.integer({ min: 1_790_000_000, max: 1_790_600_000 }),
        (list, at) => {
          const contacts: Routed[] = list.map((one, id) => ({ ...one, id: id + 1 }))
          const { chosen, level, in_hours } = routeOf(contacts, {
            scene: 'refund',
            city_id: 1,
            mall_id: 0,
            at,
          })
          const usable = contacts.filter(
            one =>
              one.status === 'on' &&
              (one.expires_at === null || one.expires_at > at) &&
              (one.city_id === 1 || one.city_id === null),
          )
          expect(chosen === undefined).toBe(usable.length === 0)
          if (!chosen) return
          expect(usable).toContain(chosen)
          expect(level).toBe(usable.some(one => one.city_id === 1) ? 'city' : 'national')
          const peers = usable.filter(one => (one.city_id === 1) === (level === 'city'))
          expect(in_hours).toBe(peers.some(one => isOpenAt(one.hours, at)))
          expect(covered(contacts, 'refund', 1, at)).toBe(usable.length > 0)
        },
      ),
    ))
})

it('a share title is shown with the names of what goes into it', () => {
  const zh = ([text]: readonly [string, string]) => text
  expect(namedTemplate('{city}本地好店，{price}元起', zh)).toBe('[城市名]本地好店，[售价]元起')
  expect(namedTemplate('没有 {nothing}', zh)).toBe('没有 {nothing}')
  expect(namedTemplate('{constructor}{__proto__}', zh)).toBe('{constructor}{__proto__}')
})
