import fc from 'fast-check'
import { pinyin } from 'pinyin-pro'
import { describe, expect, test } from 'vitest'
import { all, pages } from '#commands/index.ts'
import { plain } from '#src/shell/palette/plain.ts'
import { indexed, ranker, type Findable } from '#src/shell/palette/rank.ts'
import { readingsOf } from '#src/shell/palette/readings.ts'

const readings = Object.fromEntries(
  all.flatMap(({ title, alias = [] }) => [title, ...alias]).map(text => [text, readingsOf(text)]),
)
const idOf = (command: (typeof all)[number]) =>
  command.kind === 'page' ? command.path : command.id
const found: readonly Findable[] = all.map(command => ({ ...command, id: idOf(command) }))
const index = found.map(of => indexed(of, readings))
const rank = ranker(index)
/** Pages win where an action is said just as well. */
const bonus = (at: number) => (all[at]!.kind === 'page' ? 8 : 0)
const idsFor = (typed: string, limit = 10) =>
  rank(typed, bonus, limit).top.map(({ at }) => found[at]!.id)

const full = (title: string) =>
  pinyin(title, { toneType: 'none', type: 'array', nonZh: 'consecutive' }).join('')
const initials = (title: string) =>
  pinyin(title, { pattern: 'first', toneType: 'none', type: 'array' }).join('')
const mixed = (title: string) => [...title].map((sign, i) => (i === 0 ? sign : full(sign))).join('')

describe.each(pages.map(page => [page.title, page] as const))('%s', (_, page) => {
  test.each([
    ['Chinese', page.title],
    ['pinyin', full(page.title)],
    ['initials', initials(page.title)],
    ['mixed', mixed(page.title)],
    ['English', page.en],
    ...(page.alias ?? []).map(alias => ['alias', alias]),
  ] as [string, string][])('%s brings it among the first three: %s', (_form, typed) => {
    expect(idsFor(typed, 3)).toContain(page.path)
  })
})
test('tgsh brings the group-buy audit first', () => {
  expect(idsFor('tgsh')[0]).toBe('/manage/audit/bulks')
  expect(idsFor('团购审核')[0]).toBe('/manage/audit/bulks')
  expect(idsFor('tuangoushenhe')[0]).toBe('/manage/audit/bulks')
  expect(idsFor('团gou')[0]).toBe('/manage/audit/bulks')
  // The shorter title stands first among pages that begin with it.
  expect(idsFor('group')[0]).toBe('/manage/audit/bulks')
  expect(idsFor('group')).toContain('/manage/order/bulks')
})
test('what an input method shows while composing finds the same', () => {
  expect(idsFor("tuan'gou'shen'he")).toEqual(idsFor('tuangoushenhe'))
  expect(idsFor('ｔｇｓｈ')).toEqual(idsFor('tgsh'))
  expect(idsFor('TGSH')).toEqual(idsFor('tgsh'))
})
test('every reading of a character is accepted, the right one first', () => {
  const of = (title: string): Findable => ({ id: title, title, en: '' })
  const titles = [
    '重启服务',
    '重量设置',
    '银行卡',
    '行程单',
    '长沙',
    '成长值',
    '乐购',
    '音乐',
    '重庆门店',
    '绿植',
  ]
  const search = ranker(titles.map(title => indexed(of(title), { [title]: readingsOf(title) })))
  const first = (typed: string) => titles[search(typed, () => 0).top[0]?.at ?? -1]
  expect([
    first('chongqi'),
    first('yinhang'),
    first('changsha'),
    first('legou'),
    first('chongqing'),
    first('lvzhi'),
    first('luzhi'),
    first('zhongqi'),
  ]).toEqual(['重启服务', '银行卡', '长沙', '乐购', '重庆门店', '绿植', '绿植', '重启服务'])
})
test('a longer query never finds what the shorter one did not', () => {
  const fresh = () => ranker(index)
  fc.assert(
    fc.property(
      fc.constantFrom(...found.flatMap(({ title, en }) => [full(title), title, en])),
      fc.nat(12),
      (text, cut) => {
        const [short, long] = [text.slice(0, cut + 1), text.slice(0, cut + 3)]
        const search = fresh()
        search(short, bonus, 1000)
        // Through the cache of the shorter query, and without it: the same.
        expect(search(long, bonus, 1000)).toEqual(fresh()(long, bonus, 1000))
      },
    ),
    { numRuns: 200 },
  )
}, 120_000)
test('rubbish is only not found', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60, unit: 'binary' }), typed => {
      expect(rank(typed, bonus, 5).top.length).toBeLessThanOrEqual(5)
      expect(plain(typed)).not.toMatch(/\s/)
    }),
  )
})
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Every way to mistype one letter: one left out, doubled or put in, another one, two swapped. */
const mistyped = (text: string): string[] =>
  [...text].flatMap((letter, i) => {
    const [before, after] = [text.slice(0, i), text.slice(i + 1)]
    const other = LETTERS[(i * 7 + letter.charCodeAt(0)) % 26]!
    return [
      before + after,
      before + letter + letter + after,
      before + letter + other + after,
      before + other + after,
      ...(after && after[0] !== letter ? [before + after[0] + letter + after.slice(1)] : []),
    ]
  })
test.each(pages.map(page => [page.title, page] as const))(
  'one letter mistyped still finds %s',
  (_, page) => {
    const words = [full(page.title), plain(page.en)].filter(word => word.length >= 5)
    const lost = words.flatMap(mistyped).filter(typed => !idsFor(typed).includes(page.path))
    expect(lost).toEqual([])
  },
)
test('what is said exactly stands before what is nearly said, and another sign is a mistype too', () => {
  const titles = ['退款', '退回', '推荐']
  const search = ranker(
    titles.map(title => indexed({ id: title, title, en: '' }, { [title]: readingsOf(title) })),
  )
  const found = (typed: string) => search(typed, () => 0).top.map(({ at }) => titles[at])
  expect(found('tuihui')).toEqual(['退回'])
  expect(found('tuihiu')).toEqual(['退回'])
  expect(found('tuikuna')).toEqual(['退款'])
  expect(found('tuikuan')).toEqual(['退款'])
  expect(idsFor('团购申核')).toContain('/manage/audit/bulks')
  // Too short to be known by the rest, and two letters wrong.
  expect([found('tkj'), found('tuihaa')]).toEqual([[], []])
})
