import { expect, test } from 'vitest'
import { ask } from '#commands/command.ts'
import { answerOf, problem, problems } from '#src/kit/asks.ts'

const why = ask.reason({ label: ['原因', 'Why'], codes: { price: ['价格不实', 'Price'], licence: ['资质过期', 'Licence'] } })
const words = ask.text({ label: ['说明', 'Words'], max: 10, min: 2 })
const money = ask.money({ label: ['金额', 'Money'], min: 1, max: 10_000 })

test('an empty answer is a fault unless the question is optional', () => {
  expect(problem(words, undefined)?.[0][0]).toBe('不能为空')
  expect(problem({ ...words, optional: true }, undefined)).toBeUndefined()
  expect(problem(why, { code: '', text: 'x' })?.[0][0]).toBe('请选择一项')
})
test('a reason needs its code and words', () => {
  expect(problem(why, { code: 'price', text: '' })?.[0][0]).toContain('至少 2 个字')
  expect(problem(why, { code: 'price', text: '价格不实' })).toBeUndefined()
})
test('an amount outside its bounds is told in yuan', () => {
  expect(problem(money, 20_000)).toEqual([['不能大于 {n}', 'At most {n}'], { n: '100.00' }])
  expect(problem(money, Number.NaN)?.[0][0]).toContain('最多两位小数')
})
test('only faulty questions are named', () => expect(Object.keys(problems({ why, words }, { why: { code: 'price', text: '太贵' }, words: 'x' }))).toEqual(['words']))
test('one line answers a reason by digit, by name, with words of its own', () => {
  expect(answerOf(why, '2', 'zh')).toEqual({ code: 'licence', text: '资质过期' })
  expect(answerOf(why, '２ 执照去年到期', 'zh')).toEqual({ code: 'licence', text: '执照去年到期' })
  expect(answerOf(why, '价格', 'zh')).toEqual({ code: 'price', text: '价格不实' })
  expect(answerOf(why, '9', 'zh')).toBeUndefined()
})
