import { strToU8 } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readSheetFile } from '#src/areas/sheet/readSheet.server.ts'
import { readShipSheets } from '#src/areas/shipping/shipSheets.ts'
import { workbookOf, workbookWith } from '../../help/workbook.ts'

const head = ['订单号', '快递公司', '快递单号']
const good = (n: number) => [`EL17950000000000${10 + n}`, '顺丰', `SF12345678901${10 + n}`]
const sheetsOf = (file: Buffer) => {
  const said = readSheetFile(file)
  if ('fault' in said) throw new Error(said.fault[0])
  return said.sheets
}
const read = (file: Buffer, asked = {}) => readShipSheets(sheetsOf(file), asked)
const linesOf = (file: Buffer) => {
  const { read: said } = read(file)
  if (!('lines' in said)) throw new Error(JSON.stringify(said))
  return said
}
const number = (raw: string, style = 0) => ({ xml: `<c s="${style}"><v>${raw}</v></c>` })

describe('which sheet', () => {
  it('the one that was open is read, others are offered, hidden ones are not', () => {
    const file = workbookWith(
      [
        { name: '上月', rows: [head, good(1)], state: 'hidden' },
        { name: '昨天', rows: [head, good(2)] },
        { name: '今天', rows: [head, good(3)] },
      ],
      2,
    )
    expect(read(file)).toMatchObject({
      sheet: '今天',
      sheets: ['今天', '昨天'],
      read: { lines: [{ order_no: good(3)[0] }] },
    })
    expect(read(file, { sheet: '昨天' })).toMatchObject({
      sheet: '昨天',
      read: { lines: [{ order_no: good(2)[0] }] },
    })
    expect(read(file, { sheet: '上月' }).sheet).toBe('今天')
  })
  it('one of instructions stands before it', () =>
    expect(
      read(
        workbookWith([
          { name: '说明', rows: [['请按模板填写']] },
          { name: '发货', rows: [head, good(1)] },
        ]),
      ),
    ).toMatchObject({ sheet: '发货', sheets: ['发货'], read: { lines: [{ row: 2 }] } }))
})

describe('what stands in it', () => {
  it('merged cells are of all the parcels they reach over', () => {
    const rows = [
      [...head, '发货商品'],
      [...good(1), 'A*1'],
      ['', '', good(2)[2]!, 'B*1'],
    ]
    expect(
      linesOf(workbookWith([{ name: '发货', rows, merges: ['A2:A3', 'B2:B3'] }])).lines,
    ).toMatchObject([
      { order_no: good(1)[0], courier: '顺丰' },
      { order_no: good(1)[0], courier: '顺丰', tracking_no: good(2)[2] },
    ])
  })
  it('rows that a filter hides are read and told', () =>
    expect(
      linesOf(workbookWith([{ name: '发货', rows: [head, good(1), good(2)], hides: [3] }])),
    ).toMatchObject({
      lines: [
        { row: 2 },
        { row: 3, warning: [expect.stringContaining('筛选'), expect.anything()] },
      ],
      notes: [[expect.stringContaining('有 1 行'), expect.anything()]],
    }))
  it('cells that are styled and empty are nothing, far out too', () => {
    const styled = Array.from(
      { length: 3000 },
      (_, at) => `<row r="${at + 3}" ht="14"><c r="ZZ${at + 3}" s="2"/></row>`,
    )
    const rows = [head, good(1)]
    const file = workbookOf([
      ...rows,
      [{ xml: `<c s="1"/></row>${styled.join('')}<row r="9000"><c s="1"/>` }],
    ])
    expect(linesOf(file).lines).toHaveLength(1)
  })
  it('cells and rows without references stand one after the other', () => {
    const text = (words: string) => `<c t="inlineStr"><is><t>${words}</t></is></c>`
    const sheet = [head, good(1)].map(row => `<row>${row.map(text).join('')}</row>`).join('')
    expect(
      linesOf(
        workbookWith([{ name: '发货', rows: [] }], 0, {
          'xl/worksheets/sheet1.xml': strToU8(
            `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
          ),
        }),
      ).lines,
    ).toMatchObject([{ row: 2, order_no: good(1)[0] }])
  })
  it('texts of several runs are one, without the reading aids above them', () => {
    const shared = `<sst><si><r><t>订单</t></r><r><rPr><b/></rPr><t>号</t></r></si><si><t>快递单号</t><rPh sb="0" eb="2"><t>かい</t></rPh></si><si><t>EL1795580460005975_x000D_</t></si></sst>`
    const at = (n: number) => ({ xml: `<c t="s"><v>${n}</v></c>` })
    expect(
      linesOf(
        workbookWith(
          [
            {
              name: '发货',
              rows: [
                [at(0), at(1)],
                [at(2), 'SF1234567890123'],
              ],
            },
          ],
          0,
          {
            'xl/sharedStrings.xml': strToU8(shared),
          },
        ),
      ).lines,
    ).toMatchObject([{ order_no: 'EL1795580460005975', tracking_no: 'SF1234567890123' }])
  })
})

describe('numbers are these digits, or refused at their cell', () => {
  it.each([
    ['781234567890123', 0, '781234567890123'],
    ['7.8123456789E+11', 0, '781234567890'],
    ['4.38123456789E+12', 0, '4381234567890'],
    ['4.381234567890123E+15', 0, '4381234567890123'],
    ['331234567890.0', 0, '331234567890'],
    ['1234567890', 3, '001234567890'],
  ])('%s is read', (raw, style, no) =>
    expect(linesOf(workbookOf([head, [good(1)[0]!, '', number(raw, style)]])).lines).toMatchObject([
      { tracking_no: no },
    ]),
  )
  it.each([
    ['438123456789012.5', 0, '是小数'],
    ['4381234567890.0001', 0, '是小数'],
    ['123456789012345000', 0, '末尾数字已丢失'],
    ['45678', 1, '是日期（2025-01-21）'],
  ])('%s is refused', (raw, style, words) => {
    const { faults } = linesOf(workbookOf([head, [good(1)[0]!, '', number(raw, style)]]))
    expect(faults.map(one => one.text[0])).toEqual([expect.stringContaining(words)])
    expect(faults[0]!.text[0]).toContain('单元格 C2')
  })
  it('what a formula has come to is read, its error told', () => {
    const formula = (type: string, value: string) => ({
      xml: `<c t="${type}"><f>A1&amp;B1</f><v>${value}</v></c>`,
    })
    const said = linesOf(
      workbookOf([
        head,
        [good(1)[0]!, '', formula('str', 'SF1234567890123')],
        [good(2)[0]!, '', formula('e', '#N/A')],
      ]),
    )
    expect(said.lines).toMatchObject([{ tracking_no: 'SF1234567890123' }])
    expect(said.faults[0]!.text[0]).toContain('公式')
  })
})
