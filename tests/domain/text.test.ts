// @vitest-environment node
import { expect, test } from 'vitest'
import { say } from '#src/domain/text.ts'

test('a text is said in the language asked for, its names filled in', () => {
  expect(say(['共 {n} 条', '{n} in all'], 'zh', { n: 3 })).toBe('共 3 条')
  expect(say(['共 {n} 条', '{n} in all'], 'en', { n: 3 })).toBe('3 in all')
})
test('a name without a value stays as it stands', () =>
  expect(say(['{who} 驳回', 'by {who}'], 'zh', {})).toBe('{who} 驳回'))
test('a value is not searched for names again', () =>
  expect(say(['{a}{b}', ''], 'zh', { a: '{b}', b: 'x' })).toBe('{b}x'))
