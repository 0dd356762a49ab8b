import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBillFile } from '#src/areas/reconcile/billFile.server.ts'
import {
  bankFoot,
  bankHead,
  billCents,
  fundFoot,
  fundHead,
  readBill,
  writeTradeBill,
} from '#src/areas/reconcile/bills.ts'
import type { BillRow } from '#src/areas/reconcile/reconcile.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { DAY } from '#src/domain/time.ts'

const day = '2026-11-26'
const from = momentNamed(day)!
type Row = Omit<BillRow, 'line'>
const paid = (n: number, more: Partial<Row> = {}): Row => ({
  kind: 'pay',
  at: from + n,
  our_no: `O${n}`,
  channel_no: `42000${n}`,
  cents: 8000,
  fee_cents: 48,
  status: 'success',
  ...more,
})
const rows = [
  paid(1),
  paid(2, { cents: 1, fee_cents: 0 }),
  paid(3, { kind: 'refund', our_no: 'R3', channel_no: '503003', cents: 500, fee_cents: -3 }),
]
const faultOf = (text: string, of = day): string => {
  const read = readBill(text, of)
  return 'fault' in read ? read.fault[0] : ''
}
const withLine = (n: number, change: (line: string) => string): string => {
  const lines = writeTradeBill(rows).split('\r\n')
  lines[n - 1] = change(lines[n - 1]!)
  return lines.join('\r\n')
}

describe('a trade bill of WeChat Pay', () => {
  test('is read as it was written: mark, backticks, fees of five decimals, refunds', () => {
    const text = writeTradeBill(rows)
    expect(text.startsWith('\uFEFF交易时间,')).toBe(true)
    expect(text).toContain(',`0.48000,')
    const read = readBill(text, day)
    expect(read).toEqual({
      channel: 'wechat',
      form: 'trade',
      day,
      rows: rows.map((row, n) => ({ ...row, line: n + 2 })),
    })
  })
  test('keeps a comma within a name in its cell', () => {
    const text = withLine(2, line => line.replace(/`(?=,`,`0\.48000)/, '`奶茶,大杯,热'))
    expect(text).toContain('奶茶,大杯')
    expect(readBill(text, day)).toHaveProperty('rows.length', 3)
  })
  test('comes packed, or as it is', () => {
    const text = writeTradeBill(rows)
    for (const file of [Buffer.from(text), gzipSync(text)])
      expect(readBillFile(file, day)).toHaveProperty('rows.length', 3)
    expect(readBillFile(gzipSync(Buffer.alloc(40 * 1024 * 1024)), day)).toHaveProperty('fault')
    expect(readBillFile(Buffer.from([0x1f, 0x8b, 1, 2]), day)).toHaveProperty('fault')
    expect(readBillFile(Buffer.from([0xff, 0xfe, 0x80]), day)).toHaveProperty('fault')
  })
  test('that is cut off anywhere is refused', () => {
    const lines = writeTradeBill(rows).trimEnd().split('\r\n')
    for (let n = 0; n < lines.length; n++)
      expect([n, faultOf(lines.slice(0, n).join('\r\n'))]).toEqual([n, expect.stringMatching(/./)])
    // A record that is missing between.
    const without = [...lines.slice(0, 2), ...lines.slice(3)].join('\r\n')
    expect(faultOf(without)).toContain('汇总 3 笔，实际 2 笔')
  })
  test('whose sums are not those of its rows is refused', () => {
    const text = withLine(2, line => line.replace('`80.00,`0.00,`0,`0', '`90.00,`0.00,`0,`0'))
    expect(faultOf(text)).toContain('应结订单总金额')
  })
  test.each([
    ['another day', (line: string) => line.replace('2026-11-26', '2026-11-25')],
    ['no day', (line: string) => line.replace('2026-11-26', '2026-02-30')],
    ['another currency', (line: string) => line.replace('CNY', 'USD')],
    ['an exponent', (line: string) => line.replace('`80.00', '`8e1')],
    ['a fraction of a cent', (line: string) => line.replace('`0.48000', '`0.48100')],
    ['a negative zero', (line: string) => line.replace('`0.48000', '`-0.00000')],
    ['less than nothing', (line: string) => line.replace('`80.00', '`-80.00')],
    ['a column too few', (line: string) => line.replace(',`OTHERS', '')],
    ['no number', (line: string) => line.replace('`420001', '`')],
  ])('with %s is refused at its line', (_, change) => {
    expect(faultOf(withLine(2, change))).toContain('第 2 行')
  })
  test('that has a record twice is refused at its second line', () => {
    const twice = writeTradeBill([rows[0]!, rows[0]!])
    expect(faultOf(twice)).toContain('第 3 行：与第 2 行重复')
  })
  test('tells the first faults of many, and how many there are', () => {
    const many = writeTradeBill(
      Array.from({ length: 40 }, (_, n) => paid(n, { at: from - DAY + n })),
    )
    expect(faultOf(many)).toContain('共 40 处')
  })
  test('without any record is a bill all the same', () => {
    expect(readBill(writeTradeBill([]), day)).toHaveProperty('rows', [])
  })
  test('of any payments is read back as it was', () => {
    const one = fc.record({
      kind: fc.constantFrom('pay' as const, 'refund' as const),
      at: fc.integer({ min: from, max: from + DAY - 1 }),
      cents: fc.integer({ min: 0, max: 99_999_999 }),
      fee: fc.integer({ min: 0, max: 99_999 }),
      status: fc.constantFrom('success' as const, 'pending' as const, 'failed' as const),
    })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), all => {
        const given = all.map(({ fee, ...row }, n): Row => ({
          ...row,
          our_no: `N${n}`,
          channel_no: `C${n}`,
          fee_cents: row.kind === 'refund' ? 0 - fee || 0 : fee,
        }))
        const read = readBill(writeTradeBill(given), day)
        expect('rows' in read && read.rows.map(({ line: _, ...row }) => row)).toEqual(given)
      }),
    )
  })
})
describe('a fund bill', () => {
  type Way = '收入' | '支出'
  const line = (kind: string, way: Way, cents: string, no: string) =>
    `\`2026-11-26 12:00:00,\`${no},\`F${no},\`${kind},\`${kind},\`${way},\`${cents},\`100.00,\`system,\`备注, 有逗号,\`O${no}`
  const bill = (lines: readonly string[], into: string, out: string, n = lines.length) =>
    ['\uFEFF' + fundHead, ...lines, fundFoot, `\`${n},\`1,\`${into},\`1,\`${out}`, ''].join('\r\n')
  const told = (text: string) => {
    const read = readBill(text, day)
    if ('fault' in read) throw new Error(read.fault[0])
    return read.rows.map(one => [one.kind, one.cents, one.channel_no])
  }
  test('tells payments, refunds, fees, shares and what went to the bank', () => {
    const text = bill(
      [
        line('交易', '收入', '80.00', '1'),
        line('退款', '支出', '5.00', '2'),
        line('扣除交易手续费', '支出', '0.48', '1'),
        line('退回交易手续费', '收入', '0.03', '2'),
        line('提现', '支出', '1000.00', '4'),
        line('商家转账', '支出', '7.00', '5'),
        line('分账', '支出', '60.00', '6'),
        line('分账回退', '收入', '2.00', '7'),
      ],
      '82.03',
      '1072.48',
    )
    expect(told(text)).toEqual([
      ['pay', 8000, '1'],
      ['refund', 500, '2'],
      ['fee', 48, '1'],
      ['fee_back', 3, 'F2'],
      ['sweep', 100_000, '4'],
      ['transfer', 700, '5'],
      ['share', 6000, 'F6'],
      ['share_back', 200, 'F7'],
    ])
    const read = readBill(text, day)
    expect('rows' in read && [read.form, read.rows[0]!.fee_cents]).toEqual(['fund', null])
  })
  test('with a kind that nobody knows, or one that goes the other way, is a case and no refusal', () => {
    const text = bill(
      [line('红包雨', '支出', '1.00', '1'), line('提现', '收入', '3.00', '2')],
      '3.00',
      '1.00',
    )
    expect(told(text)).toEqual([
      ['other_out', 100, 'F1'],
      ['other_in', 300, 'F2'],
    ])
    const read = readBill(text, day)
    expect('rows' in read && read.rows.map(one => one.word)).toEqual(['红包雨', '提现'])
  })
  test('of several shares of one order has a row for each', () => {
    const two = [line('分账', '支出', '1.00', '1'), line('分账', '支出', '1.00', '1')]
    two[1] = two[1]!.replace('F1', 'F2')
    expect(told(bill(two, '0.00', '2.00'))).toHaveLength(2)
    expect(faultOf(bill([two[0]!, two[0]!], '0.00', '2.00'))).toContain('第 2 行重复')
  })
  test('whose money goes no way, or whose sums are not those of its rows, is refused', () => {
    const one = line('交易', '收入', '1.00', '1')
    expect(faultOf(bill([one.replace('收入', '/')], '1.00', '0.00'))).toContain('收支类型')
    expect(faultOf(bill([one], '1.01', '0.00'))).toContain('收入金额')
    expect(faultOf(bill([one], '1.00', '0.10'))).toContain('支出金额')
  })
})
describe('a bill of a bank', () => {
  const bill = (lines: readonly string[], foot: string) =>
    [bankHead, ...lines, bankFoot, foot].join('\n')
  test('tells what came in and what went out', () => {
    const read = readBill(
      bill(
        [
          '2026-11-26 09:00:00,B1,100.00,0.00,500.00,某公司,CZ1',
          '2026-11-26 10:00:00,B2,0.00,30.50,469.50,某店,TX1',
        ],
        '2,100.00,30.50',
      ),
      day,
    )
    expect('rows' in read && read.rows.map(one => [one.kind, one.cents, one.our_no])).toEqual([
      ['income', 10_000, 'CZ1'],
      ['transfer', 3050, 'TX1'],
    ])
  })
  test('with both sides in one line is refused', () => {
    expect(faultOf(bill(['2026-11-26 09:00:00,B1,1.00,1.00,5.00,x,y'], '1,1.00,0.00'))).toContain(
      '第 2 行',
    )
  })
})
test.each([
  ['0', 0],
  ['12.3', 1230],
  ['0.48000', 48],
  ['-0.06000', -6],
])('%s is an amount', (text, cents) => {
  expect(billCents(text)).toBe(cents)
})
test.each(['', '1e3', '-0', '-0.00', '0.001', '1,000.00', '+1', ' 1', '١', 'NaN'])(
  '"%s" is none',
  text => {
    expect(typeof billCents(text)).not.toBe('number')
  },
)
test('a text that is no bill is told so', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      expect(readBill(text, day)).toHaveProperty('fault')
    }),
  )
})
