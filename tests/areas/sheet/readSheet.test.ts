import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readSheetFile } from '#src/areas/sheet/readSheet.server.ts'
import { csvSheet, xlsxSheet } from '#src/server/exports/sheets.ts'

const rowsOf = (file: Buffer) => {
  const said = readSheetFile(file)
  if ('fault' in said) throw new Error(said.fault[0])
  return said.sheets[0]!.rows
}
const faultOf = (file: Buffer) => {
  const said = readSheetFile(file)
  return 'fault' in said ? said.fault[0] : 'none'
}
const written = (
  sheet: {
    head: () => Uint8Array[]
    rows: (rows: string[][]) => Uint8Array[]
    end: () => Uint8Array[]
  },
  rows: string[][],
) => Buffer.concat([...sheet.head(), ...sheet.rows(rows), ...sheet.end()])

/** The smallest workbook there is, with one sheet of this XML. */
const workbook = (sheet: string, more: Record<string, Uint8Array> = {}) => ({
  '[Content_Types].xml': strToU8(
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  ),
  'xl/workbook.xml': strToU8(
    '<?xml version="1.0"?><workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="发货" sheetId="1" r:id="rId1"/></sheets></workbook>',
  ),
  'xl/_rels/workbook.xml.rels': strToU8(
    '<?xml version="1.0"?><Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
  ),
  'xl/worksheets/sheet1.xml': strToU8(
    `<?xml version="1.0"?><worksheet><sheetData>${sheet}</sheetData></worksheet>`,
  ),
  ...more,
})
const xlsx = (sheet: string, more?: Record<string, Uint8Array>) =>
  Buffer.from(zipSync(workbook(sheet, more)))
const text = (place: string, words: string) =>
  `<c r="${place}" t="inlineStr"><is><t>${words}</t></is></c>`

describe('a .csv', () => {
  const table = '订单号,快递单号\r\nEL1,"SF,1"\r\n\r\nEL2,中通\r\n'
  const rows = [['订单号', '快递单号'], ['EL1', 'SF,1'], [''], ['EL2', '中通']]
  it('is read as UTF-8, with or without its mark, as GB18030 and as UTF-16', () => {
    // "订单号,快递单号" and "中通", as Excel writes them in China.
    const gb = Buffer.from(
      'b6a9b5a5bac52cbfecb5ddb5a5bac50d0a454c312c2253462c31220d0a0d0a454c322cd6d0cda80d0a',
      'hex',
    )
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(table, 'utf16le')])
    for (const file of [
      Buffer.from(table),
      Buffer.from(`\ufeff${table}`),
      gb,
      utf16,
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(table, 'utf16le').swap16()]),
    ])
      expect(rowsOf(file)).toEqual(rows)
  })
  it('may have tabs or semicolons between its cells', () => {
    for (const sign of ['\t', ';'])
      expect(rowsOf(Buffer.from(`订单号${sign}快递单号\nEL1${sign}SF1\n`))).toEqual([
        ['订单号', '快递单号'],
        ['EL1', 'SF1'],
      ])
  })
  it('of ours comes back as it was', () =>
    expect(rowsOf(written(csvSheet(['订单号', '备注']), [['EL1795', '一\n二']]))).toEqual([
      ['订单号', '备注'],
      ['EL1795', '一\n二'],
    ]))
})

describe('an .xlsx', () => {
  it('of ours comes back as it was', () =>
    expect(
      rowsOf(written(xlsxSheet(['订单号', '备注'], '发货'), [['EL1795000000000001', '甲 & <乙>']])),
    ).toEqual([
      ['订单号', '备注'],
      ['EL1795000000000001', '甲 & <乙>'],
    ]))
  it('keeps long numbers as they stand, and shows what became of those that were too long', () => {
    expect(
      rowsOf(
        xlsx(
          `<row r="1">${text('A1', '订单号')}<c r="B1"><v>78651203498817</v></c><c r="C1"><v>773104826675913</v></c><c r="D1"><v>1.23456789012345E+17</v></c><c r="E1"><v>123456789012345000</v></c></row>`,
        ),
      ),
    ).toEqual([
      [
        '订单号',
        '78651203498817',
        '773104826675913',
        '1.23456789012345E+17',
        expect.stringMatching(/^1\.23456789012345e\+17$/),
      ],
    ])
  })
  it('cuts a text that could stand in every cell', () =>
    expect(rowsOf(xlsx(`<row r="1">${text('A1', '长'.repeat(3000))}</row>`))[0]![0]).toHaveLength(
      1000,
    ))
  it('leaves gaps where there are gaps', () =>
    expect(
      rowsOf(xlsx(`<row r="1">${text('A1', 'a')}</row><row r="3">${text('C3', 'c')}</row>`)),
    ).toEqual([['a', '', ''], expect.anything(), ['', '', 'c']]))
})

describe('what would fill the memory is refused before it does', () => {
  const bomb = Buffer.alloc(80 * 1024 * 1024)
  it('a zip bomb, by what its contents say of themselves', () => {
    const file = Buffer.from(
      zipSync(workbook(text('A1', 'a'), { 'xl/sharedStrings.xml': new Uint8Array(bomb) }), {
        level: 9,
      }),
    )
    expect(file.length).toBeLessThan(2 * 1024 * 1024)
    const before = process.memoryUsage().rss
    expect(faultOf(file)).toContain('解压后过大')
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
  })
  /** A zip of one sheet, whose list of contents says whatever it likes of its size. */
  const zipOf = (data: Buffer, said: number) => {
    const name = Buffer.from('xl/worksheets/sheet1.xml')
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(data.length, 18)
    local.writeUInt32LE(said, 22)
    local.writeUInt16LE(name.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(8, 10)
    central.writeUInt32LE(data.length, 20)
    central.writeUInt32LE(said, 24)
    central.writeUInt16LE(name.length, 28)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(1, 8)
    end.writeUInt16LE(1, 10)
    end.writeUInt32LE(46 + name.length, 12)
    end.writeUInt32LE(30 + name.length + data.length, 16)
    return Buffer.concat([local, name, data, central, name, end])
  }
  it('a zip bomb that lies about its size', () => {
    const before = process.memoryUsage().rss
    expect(faultOf(zipOf(deflateRawSync(bomb, { level: 9 }), 100))).toContain('解压后过大')
    expect(process.memoryUsage().rss - before).toBeLessThan(120 * 1024 * 1024)
  })
  it('whatever says of itself that it is too much, before a byte of it is unpacked', () => {
    expect(faultOf(zipOf(Buffer.from('nothing that could be unpacked'), 4_000_000_000))).toContain(
      '解压后过大',
    )
    expect(faultOf(zipOf(Buffer.from('nothing that could be unpacked'), 1000))).toContain('已损坏')
  })
  it.each([
    ['a cell at the end of the sheet', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'],
    ['the same, in single quotes', "<row><c r='XFD9'><v>1</v></c></row>"],
    ['the same, in other letters', '<row><c r="&#88;FD9"><v>1</v></c></row>'],
    ['too many rows', '<row><c><v>1</v></c></row>'.repeat(6001)],
  ])('%s', (_, sheet) => {
    expect(faultOf(xlsx(sheet))).toContain('6000 行')
  })
  it('too many lines of a .csv, too many columns, one endless cell', () => {
    expect(faultOf(Buffer.from('a\n'.repeat(7000)))).toContain('6000 行')
    expect(faultOf(Buffer.from(','.repeat(200)))).toContain('100 列')
    expect(faultOf(Buffer.from(`"${'a'.repeat(1_000_000)}`))).toContain('CSV')
    expect(rowsOf(Buffer.from(`a,${'b'.repeat(5000)}`))[0]![1]).toHaveLength(1000)
  })
  /** A sheet whose only cell holds this. */
  const cell = (inside: string) => workbook(`<row r="1">${text('A1', inside)}</row>`)
  it.each([
    ['signs that open a tag', '<'.repeat(1_900_000), '已损坏'],
    ['tags that never end', '<a '.repeat(600_000), '已损坏'],
    ['one endless tag', `<c a="${'x'.repeat(1_900_000)}`, '已损坏'],
    ['entities that are none', '&#x'.repeat(600_000), '单元格 A1'],
    ['letters', 'x'.repeat(1_900_000), '单元格 A1'],
    ['bits of text', '<t>x</t>'.repeat(200_000), '单元格 A1'],
  ])('a cell of endless %s, each letter looked at once', (_, inside, words) => {
    expect(faultOf(Buffer.from(zipSync(cell(inside), { level: 0 })))).toContain(words)
  })
  it.each([
    ['angles', '<'],
    ['text', 'x'],
  ])('a small file that unpacks to eight megabytes of %s, by its ratio', (_, sign) => {
    const file = Buffer.from(zipSync(cell(sign.repeat(8_000_000))))
    expect(file.length).toBeLessThan(20_000)
    expect(faultOf(file)).toContain('解压后过大')
  })
  it('too many cells, in all its sheets', () => {
    const cells = Array.from(
      { length: 60 * 5999 },
      (_, at) => `<c><v>${(at * 7919) % 100_003}</v></c>`,
    )
    const rows = Array.from(
      { length: 5999 },
      (_, at) => `<row>${cells.slice(at * 60, at * 60 + 60).join('')}</row>`,
    )
    expect(faultOf(xlsx(rows.join('')))).toContain('300000 个单元格')
  })
  it.each([
    ['angles', '<'],
    ['open tags', '<td '],
    ['open tables', '<table><tr><td>'],
    ['quotes', '<td title="'],
    ['entities', '&#'],
  ])('a page of endless %s', (_, sign) => {
    const page = `<table><tr><td>${sign.repeat(Math.floor(1_900_000 / sign.length))}`
    readSheetFile(Buffer.from(page))
  })
  it.each([
    ['quotes', '"'],
    ['quotes at cells', ',"a'],
    ['doubled quotes', ',""b'],
    ['line ends', '\r'],
    ['cells', 'a,'],
  ])('a text of endless %s', (_, sign) => {
    readSheetFile(Buffer.from(`a,b\n${sign.repeat(Math.floor(1_900_000 / sign.length))}`))
  })
  it('more than 2 MB', () =>
    expect(faultOf(Buffer.alloc(2 * 1024 * 1024 + 1, 'a'))).toContain('2 MB'))
})

describe('what is no spreadsheet is told in words', () => {
  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), '没有内容'],
    ['an old .xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), '.xls'],
    ['a zip of something else', Buffer.from(zipSync({ 'a.txt': strToU8('a') })), '已损坏'],
    ['an empty zip', Buffer.from(zipSync({})), '已损坏'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452000000', 'hex'), '已损坏'],
    ['half a workbook', xlsx(text('A1', 'a')).subarray(0, 300), '已损坏'],
  ])('%s', (_, file, words) => expect(faultOf(file)).toContain(words))
  const whole = xlsx(`<row r="1">${text('A1', '订单号')}${text('B1', '快递单号')}</row>`)
  it('a workbook with any bytes changed is read or refused, never thrown', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 }),
        changes => {
          const file = Buffer.from(whole)
          for (const [at, value] of changes) file[at] = value
          const said = readSheetFile(file)
          if ('fault' in said) expect(said.fault).toHaveLength(2)
          else
            expect(said.sheets[0]!.rows.flat().every(cell => typeof cell === 'string')).toBe(true)
        },
      ),
      { numRuns: 150 },
    ))
  it('any bytes are read or refused, never thrown', () =>
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom('', 'PK\x03\x04', '\xff\xfe', '\ufeff', '订单号,快递单号\n'),
        (bytes, start) => {
          const said = readSheetFile(Buffer.concat([Buffer.from(start), bytes]))
          expect(
            'fault' in said
              ? said.fault.length
              : said.sheets[0]!.rows.flat().every(cell => typeof cell === 'string'),
          ).toBeTruthy()
        },
      ),
    ))
})
