import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, type Ask } from '#commands/command.ts'
import { rollBuyActions } from '#commands/order/rollBuy.ts'
import { atMost, sentBack, toPayBack } from '#commands/order/shared.ts'
import { read } from '#src/contract/call.ts'
import {
  answerOf,
  asked,
  codesOf,
  initialAnswers,
  learnTop,
  problem,
  problems,
} from '#src/kit/asks.ts'
import type { OrderRow } from '#src/modules/order/contract/orderRow.ts'

const why = ask.reason({
  label: ['原因', 'Why'],
  codes: { price: ['价格不实', 'Price'], licence: ['资质过期', 'Licence'] },
})
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
test('only faulty questions are named', () =>
  expect(
    Object.keys(problems({ why, words }, { why: { code: 'price', text: '太贵' }, words: 'x' }, [])),
  ).toEqual(['words']))
test('one line answers a reason by digit, by name, with words of its own', () => {
  expect(answerOf(why, '2', 'zh')).toEqual({ code: 'licence', text: '资质过期' })
  expect(answerOf(why, '２ 执照去年到期', 'zh')).toEqual({ code: 'licence', text: '执照去年到期' })
  expect(answerOf(why, '价格', 'zh')).toEqual({ code: 'price', text: '价格不实' })
  expect(answerOf(why, '9', 'zh')).toBeUndefined()
})

test('whether goods came back is asked of what was sent only, and one answer stands for the other', () => {
  const names = (answers: object, shipped: number) =>
    asked({ ...sentBack, words }, answers as Record<string, unknown>, [{ shipped }]).map(
      ([name]) => name,
    )
  expect(names({}, 0)).toEqual(['words'])
  expect(names({}, 2)).toEqual(['returned', 'keep', 'words'])
  expect(names({ returned: 'intact' }, 2)).toEqual(['returned', 'words'])
  expect(names({ keep: '已丢失' }, 2)).toEqual(['keep', 'words'])
})
test('a refund of goods, which have no codes, tells at most what was paid for them', () => {
  const goods = { sub_kind: 'express', left_cents: 0, paid_cents: 9_072, refunded_cents: 72 }
  const order = { order_no: 'EL1', member_name: '丁雅婷', ...goods } as OrderRow
  expect(atMost([order])?.slice(0, 3)).toEqual([
    ['最多可退 ¥{cents}', 'Up to ¥{cents} can be refunded'],
    { cents: '90.00' },
    9_000,
  ])
  expect(toPayBack([order])?.[3]).toMatchObject({ exactly: false })
  expect(toPayBack([{ ...order, sub_kind: 'code', left_cents: 0 }])).toBeUndefined()
})
test('who agrees to a return says in what state the goods came back; nobody else is asked', () => {
  const { asks } = rollBuyActions.approveRefund
  const missing = (state: string, type: string) =>
    Object.keys(problems(asks, {}, [{ to_decide: { state, type } }]))
  expect([
    missing('applied', 'return_refund'),
    missing('applied', 'refund_only'),
    missing('second_audit', 'return_refund'),
  ]).toEqual([['returned'], [], []])
})

describe('kinds that hold several', () => {
  const two = { options: { a: ['甲', 'A'], b: ['乙', 'B'] } } as const
  test('a flag is never empty, begins as no, and what must be chosen says so', () => {
    expect(problem(ask.flag({ label: ['开', 'On'] }), undefined)).toBeUndefined()
    expect(initialAnswers({ on: ask.flag({ label: ['开', 'On'] }) }, [])).toEqual({ on: false })
    expect(problem(ask.choices({ label: ['选', 'Choose'], ...two }), [])).toEqual([
      ['请选择一项', 'Choose one'],
    ])
    expect(
      problem(ask.choices({ label: ['选', 'Choose'], optional: true, ...two }), []),
    ).toBeUndefined()
    expect(problem(ask.images({ label: ['图', 'Pictures'], max: 1 }), undefined)?.[0][0]).toContain(
      '上传',
    )
  })
  test('more than the most is refused with the number', () => {
    expect(
      problem(ask.images({ label: ['图', 'Pictures'], max: 2 }), ['a', 'b', 'c'])?.[1],
    ).toEqual({ n: 2 })
  })
  test('a rule of its own hears the other answers, after the kind’s own', () => {
    const end = ask.number({
      label: ['止', 'To'],
      min: 0,
      max: 99,
      check: (value, answers) =>
        value > answers.from ? undefined : ['须大于起', 'Above the start'],
    })
    expect(problem(end, 5, { from: 7 })).toEqual([['须大于起', 'Above the start']])
    expect(problem(end, 9, { from: 7 })).toBeUndefined()
    expect(problem(end, 200, { from: 7 })?.[0][0]).toContain('不能大于')
  })
  test('a question that is not asked has no fault and no place', () => {
    const asks = {
      all: ask.flag({ label: ['全部', 'All'] }),
      ids: ask.choices({ label: ['选', 'Choose'], ...two, shown: answers => !answers.all }),
    }
    expect(Object.keys(problems(asks, { all: true }, []))).toEqual([])
    expect(Object.keys(problems(asks, { all: false }, []))).toEqual(['ids'])
    expect(asked(asks, { all: true }, []).map(([name]) => name)).toEqual(['all'])
  })
})

test('a digit means the same code in the dialog, the palette and its one-line form: the team’s most used first, once that is known', () => {
  const top = read('why/top', ['常用', 'Top'], {
    input: z.object({}),
    output: z.object({ codes: z.array(z.string()) }),
    touches: [],
    scope: 'all',
    permit: 'signed-in',
  })
  const ranked = ask.reason({
    label: ['原因', 'Why'],
    codes: {
      price: ['价格不实', 'Price'],
      licence: ['资质过期', 'Licence'],
      image: ['图片', 'Picture'],
    },
    top,
  }) as Extract<Ask, { kind: 'reason' }>
  expect(codesOf(ranked)).toEqual(['price', 'licence', 'image'])
  learnTop(top, ['image', 'unknown', 'price'])
  expect(codesOf(ranked)).toEqual(['image', 'price', 'licence'])
  expect(answerOf(ranked, '1', 'zh')).toEqual({ code: 'image', text: '图片' })
})

test('takes a number of at most two decimals where it may have some, and a whole one elsewhere', () => {
  const whole = ask.number({ label: ['数', 'N'], min: 0, max: 100 })
  const percent = ask.number({ label: ['比例', 'Rate'], min: 0, max: 100, places: 2 })
  expect([7.16, 0.1, 0.29, 1.15, 100, 0].map(one => problem(percent, one))).toEqual(
    Array.from({ length: 6 }, () => undefined),
  )
  expect(problem(percent, 7.165)?.[0][0]).toContain('两位小数')
  expect(problem(percent, 100.01)?.[0][0]).toContain('不能大于')
  expect(problem(percent, Number.NaN)).toBeDefined()
  expect(problem(whole, 7.16)?.[0][0]).toContain('整数')
  expect([answerOf(percent, '7.16', 'zh'), answerOf(percent, '7.165', 'zh')]).toEqual([
    7.16,
    undefined,
  ])
  expect(answerOf(whole, '7.16', 'zh')).toBeUndefined()
})
