import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readSheetFile } from '#src/areas/sheet/readSheet.server.ts'
import { readTableSheets, type SheetColumn } from '#src/areas/sheet/table.ts'
import { toMendCsv, type Line } from '#src/kit/importing.ts'

const columns: readonly SheetColumn[] = [
  { key: 'id', title: ['编号', 'ID'], needed: true, note: ['', ''], example: '1' },
  { key: 'text', title: ['名称', 'Name'], note: ['', ''], example: '示例' },
]
const line = (row: number, state: Line['state'], cells: string[]): Line => ({
  row,
  state,
  name: '',
  text: '没有找到，请核对',
  cells,
  version: null,
})
const readAgain = (lines: readonly Line[]) => {
  const csv = toMendCsv(
    columns.map(one => one.title[0]),
    lines,
    '问题',
  )
  const file = readSheetFile(Buffer.from(csv))
  if ('fault' in file) throw new Error(file.fault[0])
  const { read } = readTableSheets(columns, file.sheets)
  if ('fault' in read) throw new Error(read.fault[0])
  return read
}

it('what is to be mended is a file of the bad lines alone, each with what is wrong, that is read again', () => {
  const said = readAgain([
    line(2, 'done', ['7', '好']),
    line(3, 'bad', ['007', '3-8']),
    line(4, 'already', ['9', '']),
    line(5, 'failed', ['123456789012345', '=1+1']),
  ])
  expect(said.lines.map(one => one.cells)).toEqual([
    ['007', '3-8'],
    ['123456789012345', '=1+1'],
  ])
  expect(said.ignored).toEqual(['问题'])
})
it('no cell is lost on the way, whatever stands in it', () =>
  fc.assert(
    fc.property(
      fc.nat(999_999),
      fc.stringMatching(/^[a-zA-Z0-9,;"=+:/\-\u4e00-\u4e20（）]{1,12}$/),
      (id, text) => {
        const { lines } = readAgain([line(2, 'bad', [String(id), text])])
        expect(lines[0]!.cells).toEqual([String(id), text])
      },
    ),
  ))
