import { expect, test } from 'vitest'
import { bulksActions } from '#commands/audit/audit.ts'
import { action, ask } from '#commands/command.ts'
import { bulks } from '#commands/pages/audit.ts'
import { rejectCodes } from '#src/areas/audit/audit.ts'
import type { Offer } from '#src/shell/desk.ts'
import { askedHow } from '#src/shell/palette/help.ts'
import { lineOf, meaningOf, splitLine } from '#src/shell/palette/line.ts'

const offer = (of: Offer['action'], why?: Offer['why']): Offer => ({
  action: of,
  rows: [{ id: 1 }],
  ...(why && { why }),
})
test('a command typed whole is its name and its answers', () => {
  expect([
    splitLine('驳回 3 资质过期'),
    splitLine('>bh　3'),
    splitLine(' 驳回 '),
    splitLine('驳回'),
  ]).toEqual([['驳回', '3 资质过期'], ['bh', '3'], undefined, undefined])
  const codes = Object.keys(rejectCodes)
  expect(lineOf(offer(bulksActions.reject), '3 资质过期', 'zh')?.answers).toEqual({
    why: { code: codes[2], text: '资质过期' },
  })
  expect(lineOf(offer(bulksActions.reject), '３ 资质过期', 'zh')?.answers).toEqual({
    why: { code: codes[2], text: '资质过期' },
  })
})
test('a line says what its digit means', () => {
  const does = offer(bulksActions.reject)
  const said = (rest: string) => meaningOf(lineOf(does, rest, 'zh')!, 'zh')
  const [first] = Object.values(rejectCodes)
  expect(said('1')).toBe(`驳回原因：${first![0]}`)
  expect(said('1 第二张看不清')).toBe(`驳回原因：${first![0]} · 第二张看不清`)
})
test('several questions take a word each, a time two, the last all that is left', () => {
  const asks = {
    amount: ask.money({ label: ['金额', 'Amount'], max: 500_00 }),
    at: ask.time({ label: ['时间', 'Time'] }),
    note: ask.text({ label: ['备注', 'Note'], max: 20, min: 2, optional: true }),
  }
  const does = offer(action('audit.bulks.test', { title: '测试', en: 'Test', at: bulks, asks }))
  expect(lineOf(does, '12.5 2026-11-20 08:00 到店 自提', 'zh')).toMatchObject({
    answers: { amount: 1250, at: Date.UTC(2026, 10, 20) / 1000, note: '到店 自提' },
  })
  expect(lineOf(does, '12.5 2026-11-20', 'zh')?.answers).toEqual({
    amount: 1250,
    at: Date.UTC(2026, 10, 19, 16) / 1000,
    note: undefined,
  })
  // As the dialog says it, at the question it is about.
  expect([
    lineOf(does, '900 2026-11-20', 'zh')?.fault,
    lineOf(does, '多少 2026-11-20', 'zh')?.fault,
    lineOf(does, '12.5 大后天', 'zh')?.fault,
    lineOf(does, '12.5 2026-11-20 x', 'en')?.fault,
  ]).toEqual([
    '金额：不能大于 500.00',
    '金额：请输入金额，最多两位小数',
    '时间：请输入时间，如 2026-11-20 08:00',
    'Note: At least 2 characters',
  ])
})
test('a word that is no reason of the list runs nothing', () => {
  expect(lineOf(offer(bulksActions.reject), '不存在的原因', 'zh')).toMatchObject({
    fault: expect.stringContaining('请选择一项'),
  })
  expect(lineOf(offer(bulksActions.reject, ['已审核', 'Decided']), '3', 'zh')).toBeUndefined()
  expect(lineOf(offer(bulksActions.approve), '3', 'zh')).toBeUndefined()
})
test('who asks how something is done is heard, in both languages and widths', () => {
  expect(
    [
      '怎么驳回？',
      '如何才能导出审核记录呢',
      '？退款',
      '?冻结',
      '在哪里改退款规则',
      'How do I refund?',
      'where is risk',
      '驳回',
      '怎样',
    ].map(askedHow),
  ).toEqual(['驳回', '导出审核记录', '退款', '冻结', '改退款规则', 'refund', 'risk', undefined, ''])
})
