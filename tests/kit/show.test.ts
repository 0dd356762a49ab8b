import { expect, test } from 'vitest'
import { say } from '#src/domain/text.ts'
import { duration } from '#src/kit/show.tsx'

test('a length of time is told by its two largest parts; less than a minute is not none', () => {
  const told = (seconds: number, lang: 'zh' | 'en' = 'zh') =>
    duration(seconds, (text, values) => say(text, lang, values))
  expect(
    [
      -5,
      0,
      29,
      30,
      59 * 60,
      3600,
      3 * 3600 + 20 * 60,
      2 * 86_400 + 4 * 3600 + 59,
      3 * 86_400 + 600,
    ].map(seconds => told(seconds)),
  ).toEqual([
    '不到 1 分钟',
    '不到 1 分钟',
    '不到 1 分钟',
    '1 分钟',
    '59 分钟',
    '1 小时',
    '3 小时 20 分',
    '2 天 4 小时',
    '3 天',
  ])
  expect([told(0, 'en'), told(7200, 'en')]).toEqual(['<1 min', '2 h'])
})
