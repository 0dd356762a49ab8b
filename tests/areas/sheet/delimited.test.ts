import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSheetFile } from '#src/areas/sheet/readSheet.server.ts'

const sheetOf = (text: string) => {
  const said = readSheetFile(Buffer.from(text))
  if ('fault' in said) throw new Error(said.fault[0])
  return said.sheets[0]!
}
const rowsOf = (text: string) => sheetOf(text).rows
const faultOf = (text: string) => {
  const said = readSheetFile(Buffer.from(text))
  return 'fault' in said ? said.fault[0] : 'none'
}
const head = ['订单号', '快递单号', '备注']
const lines = [
  ['EL1795580460005975', 'SF1234567890123', '好'],
  ['EL1795576331005971', 'SF1234567890124', '好'],
  ['EL1795564671005960', 'SF1234567890125', '好'],
]
const ends = ['\r\n', '\n', '\r']

describe('no line of a text is lost', () => {
  it('whatever its lines end with, mixed too', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...ends), { minLength: 4, maxLength: 4 }),
        fc.boolean(),
        (by, closed) => {
          const rows = [head, ...lines]
          const text = rows.map((row, at) => row.join(',') + (at < 3 || closed ? by[at]! : ''))
          expect(rowsOf(text.join(''))).toEqual(rows)
          expect(sheetOf(text.join('')).lines).toBe(4)
        },
      ),
    ))
  it.each([
    ['in the middle of a cell', '5" 屏', '5" 屏'],
    ['before a cell', '"5寸屏', '"5寸屏'],
    ['that nothing closes', '"小心轻放', '"小心轻放'],
    ['behind a cell', '5寸"', '5寸"'],
  ])('by a quote %s', (_, written, read) => {
    const rows = lines.map((row, at) => (at === 0 ? [row[0]!, row[1]!, written] : row))
    expect(rowsOf([head, ...rows].map(row => row.join(',')).join('\n'))).toEqual([
      head,
      [lines[0]![0], lines[0]![1], read],
      lines[1],
      lines[2],
    ])
  })
  it('by two stray quotes before a whole cell in quotes', () =>
    expect(
      rowsOf(`${head.join()}\nEL1,SF1,"5寸屏\nEL2,SF2,好\nEL3,SF3,"红"\n`).map(row => row[2]),
    ).toEqual(['备注', '"5寸屏', '好', '红']))
  it.each([
    ['at the end of a later line', 'EL1,SF1,"大件\nEL2,SF2,小"\nEL3,SF3,好'],
    ['before a later comma', 'EL1,SF1,"大件\nEL2,SF2",好\nEL3,SF3,好'],
    ['in the first cell of a later line', 'EL1,SF1,"大件\nEL2",SF2,好\nEL3,SF3,好'],
  ])('by one that finds its partner %s: the file is refused, and says the line', (_, body) =>
    expect(faultOf(`${head.join()}\n${body}\n`)).toMatch(/第 2 行的引号没有成对/),
  )
  it('a cell may hold line ends: it is one row, and its lines are counted', () => {
    const sheet = sheetOf('订单号,快递单号\nEL1,"SF1\nSF2"\nEL2,SF3\n')
    expect([sheet.rows, sheet.lines]).toEqual([
      [
        ['订单号', '快递单号'],
        ['EL1', 'SF1\nSF2'],
        ['EL2', 'SF3'],
      ],
      4,
    ])
  })
  it('what was written as it should be is read as it was', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '单') }), {
            minLength: 3,
            maxLength: 3,
          }),
          { minLength: 1, maxLength: 6 },
        ),
        rows => {
          const quoted = rows.map(row => row.map(cell => `"${cell.replaceAll('"', '""')}"`).join())
          const said = readSheetFile(Buffer.from(['x,y,z', ...quoted].join('\r\n')))
          // A cell that looks as if it had taken rows into itself may be refused, and never lost.
          if ('fault' in said) expect(said.fault[0]).toContain('引号')
          else expect(said.sheets[0]!.rows.slice(1)).toEqual(rows)
        },
      ),
    ))
})

describe('what stands between the cells is found', () => {
  const of = (sign: string) => [head, ...lines].map(row => row.join(sign)).join('\n')
  it.each([',', '\t', ';', '|', '，'])('%j', sign =>
    expect(rowsOf(of(sign))).toEqual([head, ...lines]),
  )
  it.each([
    ['a title', '9月发货单'],
    ['a blank line', ''],
    ['a title with other signs', '仓库:A;批次:3;经手:李'],
  ])('under %s', (_, title) => {
    for (const sign of [',', '\t', ';'])
      expect(rowsOf(`${title}\n${of(sign)}`).slice(1)).toEqual([head, ...lines])
  })
  it('in quotes there are others', () =>
    expect(rowsOf('订单号,"快递公司(顺丰;圆通;中通)",快递单号\nEL1,顺丰,SF1\n')[1]).toEqual([
      'EL1',
      '顺丰',
      'SF1',
    ]))
  it('in its first line, where it says so', () =>
    expect(rowsOf('sep=;\n订单号;快递单号\nEL1;SF1\n')).toEqual([
      ['订单号', '快递单号'],
      ['EL1', 'SF1'],
    ]))
  it('a head of several lines', () =>
    expect(rowsOf('"订单号\n(必填)";"快递单号\n(必填)"\nEL1;SF1\n')[1]).toEqual(['EL1', 'SF1']))
  it('UTF-16 without a mark', () => {
    const bytes = Buffer.from(of('\t'), 'utf16le')
    for (const file of [bytes, Buffer.from(bytes).swap16()]) {
      const said = readSheetFile(file)
      expect('sheets' in said && said.sheets[0]!.rows).toEqual([head, ...lines])
    }
  })
})

describe('a web page under the name of .xls', () => {
  it('is read as its largest table, with cells that reach over several rows', () =>
    expect(
      rowsOf(
        '<html><meta charset=utf-8><table><tr><td>x</td></tr></table><TABLE border=1><tr><th>订单号<th>快递&amp;单号</tr><tr><td rowspan="2">EL1</td><td>SF1<br>a</td></tr><tr><td>SF2</td></tr></table></html>',
      ),
    ).toEqual([
      ['订单号', '快递&单号'],
      ['EL1', 'SF1\na'],
      ['EL1', 'SF2'],
    ]))
  it('as XML is told what to do', () =>
    expect(faultOf('<?xml version="1.0"?><Workbook/>')).toContain('另存为 .xlsx'))
})
