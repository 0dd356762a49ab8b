// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readShipments, type ShipImport } from '#src/areas/shipping/shipImport.ts'

const head = ['订单号', '快递公司', '快递单号']
const good = (n: number) => [
  `EL1795000000${String(n).padStart(6, '0')}`,
  '顺丰速运',
  `SF${1_438_270_000_000 + n}`,
]
const read = (...rows: string[][]) => readShipments(rows)
const done = (result: ShipImport) => {
  if ('fault' in result) throw new Error(result.fault[0])
  return result
}
/** The words of the only bad line. */
const wordsOf = (cells: string[], by = head) => {
  const { lines, faults } = done(read(by, cells))
  expect([lines.length, faults.length]).toEqual([0, 1])
  return faults[0]!.text
}

describe('a sheet of tracking numbers', () => {
  it('is read line by line, each with its row as the spreadsheet counts', () => {
    expect(done(read(head, good(1), ['', '', ''], good(2)))).toEqual({
      faults: [],
      lines: [
        {
          row: 2,
          order_no: 'EL1795000000000001',
          courier: '顺丰速运',
          tracking_no: 'SF1438270000001',
          items: [],
        },
        {
          row: 4,
          order_no: 'EL1795000000000002',
          courier: '顺丰速运',
          tracking_no: 'SF1438270000002',
          items: [],
        },
      ],
    })
  })
  it('may have its columns in any order, in Chinese or English, under a title, beside others', () => {
    const orders = [
      [2, 0, 1],
      [1, 2, 0],
      [0, 1, 2],
    ] as const
    for (const names of [
      head,
      ['Order No.', 'Courier', 'Tracking Number'],
      ['＊订单编号', '物流公司', '运单号（必填）'],
      ['order_no', 'carrier', 'waybill'],
    ]) {
      for (const order of orders)
        expect(
          done(
            read(
              ['11 月发货'],
              [],
              ['备注', ...order.map(at => names[at]!)],
              ['急', ...order.map(at => good(1)[at]!)],
            ),
          ).lines,
        ).toMatchObject([
          {
            row: 4,
            order_no: 'EL1795000000000001',
            courier: '顺丰速运',
            tracking_no: 'SF1438270000001',
          },
        ])
    }
  })
  it('needs no courier column', () =>
    expect(done(read(['订单号', '快递单号'], [good(1)[0]!, good(1)[2]!])).lines).toMatchObject([
      { courier: '' },
    ]))
  it('keeps full-width signs, spaces, marks and what spreadsheets put round a number from mattering', () => {
    expect(
      done(
        read(
          ['\ufeff订单号', '快递公司', '快递单号'],
          [' ｅｌ1795000000000001\t', '顺丰 速运', '="SF1438270000001"'],
          ["'EL1795000000000002", '', 'sf 1438-2700-00002\u200b'],
        ),
      ).lines,
    ).toMatchObject([
      { order_no: 'EL1795000000000001', tracking_no: 'SF1438270000001' },
      { order_no: 'EL1795000000000002', tracking_no: 'SF1438270000002' },
    ])
  })
  it('may say what is in a parcel', () => {
    const by = [...head, '发货商品']
    expect(
      done(
        read(by, [...good(1), 'A1*2， B2'], [good(1)[0]!, '', 'SF1438270000009', 'C3×1']),
      ).lines.map(line => line.items),
    ).toEqual([
      [
        { ref: 'A1', qty: 2 },
        { ref: 'B2', qty: 1 },
      ],
      [{ ref: 'C3', qty: 1 }],
    ])
    for (const bad of ['A1*0', 'A1*2,A1*3', '红色 大号', 'A1**2', 'A1*99999'])
      expect(wordsOf([...good(1), bad], by)[0]).toContain('发货商品')
  })
})

describe('a bad line', () => {
  it.each([
    [['', '', 'SF1438270000001'], '缺少订单号'],
    [['EL1795000000000001', '', ''], '缺少快递单号'],
    [['订单一', '', 'SF1438270000001'], '订单号 订单一 无法识别'],
    [['EL1795000000000001', '', '12345'], '6–40 位'],
    [['EL1795000000000001', '', '已发货'], '无法识别'],
    [['EL1795000000000001', '', '7.86512E+13'], '科学计数法（7.86512E+13）'],
    [['1.79500E+15', '', 'SF1438270000001'], '“订单号”被表格软件改成了科学计数法'],
    [['EL1795000000000001', 'x'.repeat(600), 'SF1438270000001'], '过长'],
  ])('%j says what is wrong', (cells, words) => {
    const text = wordsOf(cells)
    expect(text[0]).toContain(words)
    expect(text[1]).toMatch(/[A-Za-z]{3}/)
  })
  it('does not hold up the good ones', () => {
    const { lines, faults } = done(read(head, good(1), ['', '', 'x'], good(2)))
    expect([lines.map(line => line.row), faults.map(one => one.row)]).toEqual([[2, 4], [3]])
  })
  it('that stands there twice ships once', () => {
    const { lines, faults } = done(
      read(
        head,
        good(1),
        good(1),
        good(1).map(cell => ` ${cell.toLowerCase()}`),
      ),
    )
    expect([lines.length, faults.map(one => one.text[0])]).toEqual([
      1,
      ['与第 2 行重复', '与第 2 行重复'],
    ])
  })
  it('is a second parcel of an order whose lines do not say their items', () => {
    const { lines, faults } = done(read(head, good(1), [good(1)[0]!, '', 'SF1438270000002']))
    expect([lines.length, faults[0]!.text[0]]).toEqual([
      1,
      '订单 EL1795000000000001 已在第 2 行：拆成多个包裹时，每行都要填写发货商品',
    ])
  })
  it('is a parcel of an order that an earlier line ships whole', () => {
    const { lines, faults } = done(
      read([...head, '发货商品'], [...good(1), ''], [good(1)[0]!, '', 'SF1438270000002', 'A1']),
    )
    expect([lines.length, faults[0]!.text[0]]).toEqual([1, expect.stringContaining('已在第 2 行')])
  })
  it('is not one parcel for two orders: that is said, and shipped', () => {
    const { lines, faults } = done(read(head, good(1), [good(2)[0]!, '', good(1)[2]!]))
    expect([faults, lines[0]!.warning, lines[1]!.warning?.[0]]).toEqual([
      [],
      undefined,
      '与第 2 行（订单 EL1795000000000001）用同一个快递单号',
    ])
  })
})

describe('a whole file is refused in words', () => {
  const fault = (...rows: string[][]) => {
    const result = readShipments(rows)
    return 'fault' in result ? result.fault[0] : 'none'
  }
  it.each<[string, string[][], string]>([
    ['empty', [], '没有内容'],
    ['only blanks', [['', ' '], ['\t']], '没有内容'],
    ['no head', [good(1), good(2)], '没有找到“订单号”“快递单号”列'],
    ['no tracking column', [['订单号', '快递公司'], good(1)], '没有找到“快递单号”列'],
    ['a column twice', [['订单号', '快递单号', '运单号'], good(1)], '有两个“快递单号”列'],
    ['nothing below the head', [head, ['', '']], '表头下面没有内容'],
    [
      'too many lines',
      [head, ...Array.from({ length: 5001 }, (_, n) => good(n))],
      '最多导入 5000 行',
    ],
  ])('%s', (_, rows, words) => expect(fault(...rows)).toContain(words))
  it('5,000 lines are read, quickly', () => {
    const begun = performance.now()
    expect(done(read(head, ...Array.from({ length: 5000 }, (_, n) => good(n)))).lines).toHaveLength(
      5000,
    )
    expect(performance.now() - begun).toBeLessThan(8000)
  })
})

describe('whatever the cells hold', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      ...head,
      '',
      'EL1795000000000001',
      'SF1438270000001',
      '1E+15',
      'A1*2',
      '="',
      '__proto__',
      'constructor',
      '\0',
      '\ud800',
    ),
  )
  it('every line below the head is a line or a fault, once, and nothing is thrown', () =>
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 12 }), rows => {
        const result = readShipments(rows)
        if ('fault' in result) return
        const seen = [...result.lines, ...result.faults].map(one => one.row)
        expect(new Set(seen).size).toBe(seen.length)
        for (const line of result.lines)
          expect([line.order_no, line.tracking_no].join(' ')).toMatch(
            /^[A-Z0-9]{8,32} [A-Z0-9]{6,40}$/,
          )
      }),
    ))
  it('reading a sheet twice over ships nothing twice', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 20 }), picks => {
        const rows = picks.map(good)
        const once = readShipments([head, ...rows])
        const twice = readShipments([head, ...rows, ...rows])
        if ('fault' in once || 'fault' in twice) return
        expect(twice.lines).toEqual(once.lines)
      }),
    ))
})
