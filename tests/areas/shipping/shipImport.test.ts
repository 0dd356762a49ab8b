import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readShipments, type ShipRead } from '#src/areas/shipping/shipImport.ts'

const head = ['订单号', '快递公司', '快递单号']
const good = (n: number) => [
  `EL1795000000${String(n).padStart(6, '0')}`,
  '顺丰速运',
  `SF${1_438_270_000_000 + n}`,
]
const read = (...rows: string[][]) => readShipments(rows)
const done = (result: ShipRead) => {
  if ('fault' in result) throw new Error(result.fault[0])
  if ('questions' in result) throw new Error('it asks')
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
      skipped: [],
      notes: [],
      counted: { all: 3, above: 1, inside: 0 },
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

describe('which columns', () => {
  const noted = (...rows: string[][]) => {
    const { lines, notes } = done(read(...rows))
    return [lines.map(line => line.items), notes.map(one => one[0])]
  }
  it('two of one meaning are a question, the likeliest first, and its answer is taken', () => {
    const rows = [
      ['订单', '订单号', '快递', '快递公司', '快递单号'],
      ['1', good(1)[0]!, '是', '顺丰', good(1)[2]!],
    ]
    const asked = readShipments(rows)
    expect(asked).toEqual({
      questions: [
        {
          column: 'order_no',
          choices: [
            { at: 1, head: '订单号', sample: good(1)[0] },
            { at: 0, head: '订单', sample: '1' },
          ],
        },
        {
          column: 'courier',
          choices: [
            { at: 3, head: '快递公司', sample: '顺丰' },
            { at: 2, head: '快递', sample: '是' },
          ],
        },
      ],
    })
    expect(done(readShipments(rows, { chosen: { order_no: 1, courier: 3 } })).lines).toMatchObject([
      { order_no: good(1)[0], courier: '顺丰' },
    ])
    // A column that is none of them is no answer.
    expect(readShipments(rows, { chosen: { order_no: 4, courier: 3 } })).toHaveProperty('questions')
  })
  it('an empty one beside another is no question', () =>
    expect(
      done(read(['订单号', '快递单号', '运单号'], [good(1)[0]!, '', good(1)[2]!])).lines,
    ).toHaveLength(1))
  it('a column is what it holds: names of goods are no items to send', () => {
    expect(noted(['订单号', '商品', '快递单号'], [good(1)[0]!, 'iPhone15', good(1)[2]!])).toEqual([
      [[]],
      [expect.stringContaining('“商品”列是商品名称')],
    ])
    expect(
      noted(['订单号', '商品明细', '快递单号'], [good(1)[0]!, '车厘子 5斤 x2', good(1)[2]!])[0],
    ).toEqual([[]])
    expect(
      noted(['订单号', '商品', 'SKU', '快递单号'], [good(1)[0]!, '车厘子', 'A1', good(1)[2]!])[0],
    ).toEqual([[{ ref: 'A1', qty: 1 }]])
    expect(noted(['订单号', '商品', '快递单号'], [good(1)[0]!, 'A1*2', good(1)[2]!])[0]).toEqual([
      [{ ref: 'A1', qty: 2 }],
    ])
  })
  it('a head may have two lines, and stand below many rows of instructions', () => {
    const above = Array.from({ length: 20 }, (_, at) => [`第 ${at} 条：请按模板填写`])
    for (const two of [
      [
        ['订单号', '快递', ''],
        ['', '公司', '单号'],
      ],
      [
        ['订单信息', '物流信息', ''],
        ['订单号', '快递公司', '快递单号'],
      ],
    ])
      expect(done(read(...above, ...two, good(1))).lines).toMatchObject([
        { row: 23, courier: '顺丰速运' },
      ])
  })
})

describe('what is no parcel is told and not shipped', () => {
  it('the head once more, and a sum', () => {
    const { lines, faults, skipped, counted } = done(
      read(head, good(1), head, good(2), ['合计', '', '2']),
    )
    expect([lines.length, faults, skipped.map(one => one.row)]).toEqual([2, [], [3, 5]])
    expect(counted).toEqual({ all: 5, above: 1, inside: 0 })
  })
  it('a row that a filter hides is told', () => {
    const { lines, notes } = done(readShipments([head, good(1), good(2)], { hidden: [3] }))
    expect(lines.map(line => line.warning?.[0])).toEqual([
      undefined,
      expect.stringContaining('筛选'),
    ])
    expect(notes[0]![0]).toContain('有 1 行')
  })
  it.each([
    ['331234567890.5', '“快递单号”是小数（331234567890.5）'],
    ['7.86512E+13', '（单元格 C2）'],
    ['2025-01-21', '是日期'],
    ['#N/A', '公式'],
    ['331234567890 0', '多个单号'],
    ['SF1234567890123\nSF1234567890124', '多个单号'],
  ])('%j is refused at its cell', (no, words) =>
    expect(wordsOf([good(1)[0]!, '', no])[0]).toContain(words),
  )
  it('a number that a program wrote as a decimal is read', () =>
    expect(done(read(head, [good(1)[0]!, '', '331234567890.0'])).lines).toMatchObject([
      { tracking_no: '331234567890' },
    ]))
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
        if (!('lines' in result)) return
        const { lines, faults, skipped, counted } = result
        const seen = [...lines, ...faults, ...skipped].map(one => one.row)
        expect(seen.length + counted.above + counted.inside).toBe(counted.all)
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
        if (!('lines' in once && 'lines' in twice)) return
        expect(twice.lines).toEqual(once.lines)
      }),
    ))
})
