import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSheetFile } from '#src/areas/sheet/readSheet.server.ts'
import { readTableSheets, TABLE_LINES_MAX, type SheetColumn } from '#src/areas/sheet/table.ts'
import { csvField } from '#src/domain/csv.ts'

const columns: readonly SheetColumn[] = [
  {
    key: 'id',
    title: ['编号', 'ID'],
    names: ['商品编号'],
    needed: true,
    note: ['', ''],
    example: '1',
  },
  { key: 'price', title: ['售价', 'Price'], note: ['', ''], example: '8.00' },
]
const read = (rows: string[][], name = '') => readTableSheets(columns, [{ name, rows }])
const linesOf = (rows: string[][]) => {
  const said = read(rows).read
  if ('fault' in said) throw new Error(said.fault[0])
  return said.lines
}
const faultOf = (rows: string[][]) => {
  const said = read(rows).read
  return 'fault' in said ? said.fault[0] : 'none'
}

describe('a table', () => {
  it('is known by its heads in any order, below notes, in either language, with what stands in brackets', () => {
    for (const head of [
      ['售价（元）', '商品编号（必填）'],
      ['Price', 'ID'],
    ])
      expect(linesOf([['填写说明'], ['', ''], head, ['9.90', '7']])).toEqual([
        { row: 4, cells: ['7', '9.90'] },
      ])
  })
  it('keeps texts as they stand: a number as text, without the signs that say so', () => {
    const [line] = linesOf([
      ['编号', '售价'],
      ["'007", '="1.50"'],
    ])
    expect(line!.cells).toEqual(['007', '1.50'])
  })
  it('leaves out the head once more, a sum, and the template’s example', () => {
    const lines = linesOf([
      ['编号', '售价'],
      ['编号', '售价'],
      ['合计', '9'],
      ['1', '8.00'],
      ['2', ''],
    ])
    expect(lines.map(one => one.skipped?.[0] ?? one.cells[0])).toEqual([
      '重复的表头，已跳过',
      '合计行，已跳过',
      '模板的示例行，已跳过',
      '2',
    ])
  })
  it('tells of a line what lacks and what is too long', () => {
    const lines = linesOf([
      ['编号', '售价'],
      ['', '1'],
      ['2', '9'.repeat(301)],
    ])
    expect(lines.map(one => one.fault?.[0])).toEqual(['缺少“编号”', '“售价”超过 300 个字，请缩短'])
  })
  it('names the titles that nothing is known by', () => {
    const said = read([
      ['编号', 'BD', '售价'],
      ['1', 'x', '2'],
    ]).read
    expect(said).toMatchObject({ ignored: ['BD'], heads: [{ head: '编号' }, { head: '售价' }] })
  })
  it('is refused without a needed column, with a column twice, without lines and with too many', () => {
    expect(faultOf([['售价'], ['1']])).toContain('没有找到“编号”列')
    expect(
      faultOf([
        ['编号', '商品编号'],
        ['1', '2'],
      ]),
    ).toContain('（A、B）')
    expect(faultOf([['编号']])).toContain('表头下面没有内容')
    expect(faultOf([[' ']])).toContain('没有内容')
    const many = Array.from({ length: TABLE_LINES_MAX + 1 }, (_, at) => [String(at)])
    expect(faultOf([['编号'], ...many])).toContain('请拆成多个文件')
  })
  it('is read from the sheet that has its head, or from the one that is asked for', () => {
    const sheets = [
      { name: '说明', rows: [['怎样填写']] },
      { name: '一月', rows: [['编号'], ['1']] },
      { name: '二月', rows: [['编号'], ['2']] },
    ]
    expect(readTableSheets(columns, sheets)).toMatchObject({
      sheet: '一月',
      sheets: ['一月', '二月'],
      read: { lines: [{ cells: ['1', ''] }] },
    })
    expect(readTableSheets(columns, sheets, '二月').read).toMatchObject({
      lines: [{ cells: ['2', ''] }],
    })
  })
})

describe('any file', () => {
  const cell = fc.oneof(
    fc.constantFrom(
      '编号',
      '售价',
      'ID',
      '合计',
      '',
      '1',
      '8.00',
      '="1"',
      "'",
      '\u0000',
      '_xD800_',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  it('ends in a line for each of its rows below the head, or in one refusal', () =>
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 12 }), rows => {
        const said = read(rows).read
        if ('fault' in said) {
          expect(said.fault.every(text => text.length > 0)).toBe(true)
          return
        }
        expect(said.lines.length).toBeGreaterThan(0)
        const [first] = said.lines
        const below = rows.slice(first!.row - 1)
        expect(said.lines.length).toBeLessThanOrEqual(below.length)
        expect(new Set(said.lines.map(one => one.row)).size).toBe(said.lines.length)
        for (const line of said.lines) {
          expect(line.cells).toHaveLength(columns.length)
          expect(line.cells.every(text => text.isWellFormed() && !text.includes('\0'))).toBe(true)
        }
      }),
    ))
  it('of bytes too', () =>
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom('', '编号,售价\n'),
        (bytes, head) => {
          const file = readSheetFile(Buffer.concat([Buffer.from(head), bytes]))
          if ('fault' in file) return
          const said = readTableSheets(columns, file.sheets).read
          expect('fault' in said ? said.fault[0].length : said.lines.length).toBeGreaterThan(0)
        },
      ),
    ))
  it('that was written by us tells every cell again', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(999_999), fc.stringMatching(/^[a-z0-9\u4e00-\u4e20]{1,8}$/)), {
          minLength: 1,
          maxLength: 20,
        }),
        rows => {
          const cells = rows.map(([id, text]) => [String(id), text])
          const csv = [['编号', '售价'], ...cells]
            .map(row => row.map(csvField).join(','))
            .join('\r\n')
          const file = readSheetFile(Buffer.from(csv))
          const said = 'fault' in file ? file : readTableSheets(columns, file.sheets).read
          expect('lines' in said && said.lines.map(one => one.cells)).toEqual(cells)
        },
      ),
    ))
})
