import { expect, test } from 'vitest'
import { countedText, reasonsOf, reasonsText } from '#src/domain/count.ts'

test('what is said several times is said once, with how often', () => {
  expect(countedText(['甲', '乙', '甲'], 'zh')).toBe('甲 ×2；乙')
  expect(countedText(['甲', '乙', '甲'], 'en')).toBe('甲 ×2; 乙')
})
test('rows that failed by one rule are one reason, whatever time or name its words say; without a rule the words decide', () => {
  const failed = [
    { code: 'done', msg: '已于 11-20 12:30 核销' },
    { code: 'done', msg: '已于 11-21 08:00 核销' },
    { code: 'late', msg: '已过期' },
    { code: 'late', msg: '已过期' },
    { code: '404', msg: '订单不存在' },
    { code: '404', msg: '门店不存在' },
    { code: '', msg: '网络中断' },
  ]
  expect(reasonsOf(failed)).toEqual([
    ['已于 11-20 12:30 核销 …', 2],
    ['已过期', 2],
    ['订单不存在', 1],
    ['门店不存在', 1],
    ['网络中断', 1],
  ])
  expect(reasonsText(failed.slice(0, 3), 'zh')).toBe('已于 11-20 12:30 核销 … ×2；已过期')
})
