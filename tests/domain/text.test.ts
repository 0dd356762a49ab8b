import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  aside,
  BETWEEN,
  comma,
  countEn,
  cutToLength,
  explained,
  headed,
  isLonger,
  joined,
  joinedNames,
  keptAsSaid,
  keptWords,
  lengthOf,
  plainLine,
  plainLines,
  saidInBoth,
  say,
  semicolon,
  unjoined,
  withAside,
} from '#src/domain/text.ts'

test('a text is said in the language asked for, its names filled in', () => {
  expect(say(['共 {n} 条', '{n} in all'], 'zh', { n: 3 })).toBe('共 3 条')
  expect(say(['共 {n} 条', '{n} in all'], 'en', { n: 3 })).toBe('3 in all')
})
test.each([
  [{ n: 1 }, '{n} codes; each counted', '1 code; each counted'],
  [{ n: '1' }, 'of {n} cities', 'of 1 city'],
  [{ n: 1 }, '{n} matches, {n} cases, {n} addresses', '1 match, 1 case, 1 address'],
  [{ n: 1 }, '{n} is left, {n} goods, {n} news', '1 is left, 1 goods, 1 news'],
  [{ n: 11 }, '{n} codes', '11 codes'],
  [{ n: 0 }, '{n} codes', '0 codes'],
  [{ n: 1, more: 2 }, '{n} chats and {more} members', '1 chat and 2 members'],
])('behind a count of one stands one: %o in %s', (values, en, told) =>
  expect(say(['', en], 'en', values)).toBe(told),
)
test('in Chinese nothing agrees with a count', () =>
  expect(say(['{n} points', ''], 'zh', { n: 1 })).toBe('1 points'))
test('a value that is kept in both languages is said in that of its sentence', () => {
  const who = joined(['系统', 'the system'])
  expect(say(['{who} 已改', 'Changed by {who}'], 'zh', { who })).toBe('系统 已改')
  expect(say(['{who} 已改', 'Changed by {who}'], 'en', { who })).toBe('Changed by the system')
  expect(say(['{who} 已改', 'Changed by {who}'], 'en', { who: '王主管' })).toBe('Changed by 王主管')
})
test('a change with its reason, and a reason with its day, have the signs of either language', () => {
  expect(explained('500.00 → 520.00', '输错')).toBe(
    joined(['500.00 → 520.00：输错', '500.00 → 520.00: 输错']),
  )
  expect(withAside('团长申请', '12-01 18:00')).toEqual([
    '团长申请（12-01 18:00）',
    '团长申请 (12-01 18:00)',
  ])
})
test('words before another’s are joined once, whether those were typed or joined', () => {
  const head = ['追回佣金', 'Commission clawed back'] as const
  expect(headed(head, '刷单')).toEqual(['追回佣金：刷单', 'Commission clawed back: 刷单'])
  const said = joined(['已全额退款', 'Wholly refunded'])
  expect(headed(head, said)).toEqual([
    '追回佣金：已全额退款',
    'Commission clawed back: Wholly refunded',
  ])
  expect(saidInBoth(lang => `${say(head, lang)} 1`)).toBe(
    joined(['追回佣金 1', 'Commission clawed back 1']),
  )
})
test('kept words fit their column, whole where both do, and no half loses what the other leaves', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter(one => !one.includes(BETWEEN))
  fc.assert(
    fc.property(text, text, fc.integer({ min: 3, max: 130 }), (zh, en, signs) => {
      const kept = keptWords([zh, en], signs)
      expect(lengthOf(kept)).toBeLessThanOrEqual(signs)
      const [first, second] = unjoined(kept)
      expect([zh.startsWith(first), en.startsWith(second)]).toEqual([true, true])
      if (lengthOf(zh) + lengthOf(en) < signs) expect([first, second]).toEqual([zh, en])
      else expect(lengthOf(kept)).toBeGreaterThanOrEqual(signs - 1)
    }),
  )
})
test('a list of names is joined with the sign of its reader’s language', () => {
  const text = ['没有：{names}', 'None: {names}'] as const
  const names = joinedNames(['甲', joined(['系统', 'the system']), '乙'])
  expect(say(text, 'zh', { names })).toBe('没有：甲、系统、乙')
  expect(say(text, 'en', { names })).toBe('None: 甲, the system, 乙')
  expect(unjoined(joinedNames(['a', 'b'], semicolon))).toEqual(['a；b', 'a; b'])
  expect(['甲', '乙'].join(say(comma, 'en'))).toBe('甲, 乙')
})
test('a list of one name, or of none, is said once', () => {
  expect(joinedNames(['甲'])).toBe('甲')
  expect(joinedNames([])).toBe('')
})
test('what is said of a name stands behind it in the brackets of the language', () => {
  expect(`甲${say(aside, 'zh', { it: 3 })}`).toBe('甲（3）')
  expect(`甲${say(aside, 'en', { it: 3 })}`).toBe('甲 (3)')
})
test('a name without a value stays as it stands', () =>
  expect(say(['{who} 驳回', 'by {who}'], 'zh', {})).toBe('{who} 驳回'))
test('a value is not searched for names again', () =>
  expect(say(['{a}{b}', ''], 'zh', { a: '{b}', b: 'x' })).toBe('{b}x'))

describe('the plain form of a text', () => {
  const nothing = [
    '\u200b',
    '\u3164',
    '\u2800',
    '\n\n',
    '\u202e\u200f',
    '\u00ad\ufeff',
    '\u0301',
    '',
  ]
  test('a text in which nothing can be seen is empty', () => {
    for (const text of nothing) expect([text, plainLine(text)]).toEqual([text, ''])
  })
  test('what can’t be seen goes, within the text and at its ends', () => {
    const plain = '超级管理员'
    for (const text of [
      '超级管理员\u200b',
      '\ufeff超级\u2060管理员',
      '超级管\u3164理员\u202c',
      '　超级管理员 ',
    ])
      expect(plainLine(text)).toBe(plain)
    expect(plainLine('Ame\u0301lie')).toBe('Am\u00e9lie')
    expect(plainLine('a\u0007b\u0000c')).toBe('abc')
  })
  test('white space of any kind is a space; a line break is one where there is one line', () => {
    expect(plainLine('东门\r\n二楼\u2028A\u00a0B\tC　D')).toBe('东门 二楼 A B C D')
    expect(plainLines('\n东门\r\n二楼\u2028A\u00a0B\n')).toBe('东门\n二楼\nA B')
  })
  test('an emoji keeps what joins it', () => {
    for (const emoji of ['👨‍👩‍👧', '❤️‍🔥', '👩🏽‍🚀', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇨🇳', '☺️'])
      expect(plainLine(`\u200d${emoji}\u200b`)).toBe(emoji)
    expect(plainLine('店\u200d长\ufe0f')).toBe('店长')
  })
  test('is its own plain form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), text => {
        expect(plainLines(plainLines(text))).toBe(plainLines(text))
        expect(plainLine(plainLine(text))).toBe(plainLine(text))
        expect(plainLine(text)).not.toMatch(/\n|^\s|\s$/)
      }),
    )
  })
  test('is found in a time that grows as the text does', () => {
    const before = performance.now()
    for (const letters of ['😀\u200d', '❤️', '\u200b', ' ', '\u0301', '👨‍👩‍👧'])
      plainLine(letters.repeat(100_000))
    expect(performance.now() - before).toBeLessThan(5000)
  })
})
test('the length of a text is counted in code points', () => {
  expect([lengthOf('商场a'), lengthOf('😀😀'), isLonger('😀😀', 2), isLonger('😀😀', 1)]).toEqual([
    3,
    2,
    false,
    true,
  ])
  expect(cutToLength('😀商场', 2)).toBe('😀商')
})
test('another’s words are kept as said, in one language or two, within what a row has room for', () => {
  const both = joined(['已售', 'Sold'])
  expect(keptAsSaid(both)).toBe(both)
  expect(keptAsSaid('已售')).toBe('已售')
  expect(keptAsSaid('')).toBe('')
  expect(lengthOf(keptAsSaid('字'.repeat(400)))).toBe(255)
  const long = keptAsSaid(joined(['字'.repeat(400), 'w'.repeat(400)]))
  expect(lengthOf(long)).toBeLessThanOrEqual(255)
  expect(unjoined(long).map(one => one.slice(0, 3))).toEqual(['字字字', 'www'])
})

test.each([
  [0, '0 cities'],
  [1, '1 city'],
  [12, '12 cities'],
])('%i with its noun in English is %s', (n, said) => {
  expect(countEn(n, 'city', 'cities')).toBe(said)
})
test('a noun takes an s where nothing else is said', () => {
  expect([countEn(1, 'store'), countEn(2, 'store')]).toEqual(['1 store', '2 stores'])
})
