import { Zip, ZipDeflate } from 'fflate'
import { csvField } from '#src/domain/csv.ts'
import { timeFull } from '#src/domain/time.ts'
import type { ExportColumn } from './exports.ts'

/** Writes rows as a file, a batch at a time; `end` finishes it. What they answer goes to the file at once, so memory stays constant. */
export type Sheet = { head: () => Uint8Array[]; rows: (rows: readonly (readonly Cell[])[]) => Uint8Array[]; end: () => Uint8Array[] }
/** A number stays a number, with its style; everything else is text. */
export type Cell = string | { n: number; style: 'plain' | 'money' } | null

/** What a column shows of a row's value. */
export const cellOf = (value: unknown, kind: ExportColumn['kind']): Cell => {
  if (value === null || value === undefined || value === '') return null
  switch (kind) {
    case 'money': return typeof value === 'number' ? { n: value / 100, style: 'money' } : String(value)
    case 'number': return typeof value === 'number' && Number.isFinite(value) ? { n: value, style: 'plain' } : String(value)
    case 'time': return typeof value === 'number' ? timeFull(value) : String(value)
    default: return Array.isArray(value) ? value.join('、') : String(value)
  }
}

const bytes = new TextEncoder()

const csvCell = (cell: Cell): string => (cell === null ? '' : typeof cell === 'string' ? csvField(cell) : cell.style === 'money' ? cell.n.toFixed(2) : String(cell.n))
const csvLine = (cells: readonly Cell[]): string => {
  let line = ''
  for (let at = 0; at < cells.length; at++) line += at === 0 ? csvCell(cells[at]!) : `,${csvCell(cells[at]!)}`
  return `${line}\r\n`
}

/** UTF-8 with a BOM, so that Excel reads Chinese; lines end as RFC 4180 says. */
export const csvSheet = (titles: readonly string[]): Sheet => {
  const lines = (rows: readonly (readonly Cell[])[]) => [Buffer.from(rows.map(csvLine).join(''))]
  return { head: () => [bytes.encode('\uFEFF'), ...lines([titles])], rows: lines, end: () => [] }
}

// XML 1.0 has no place for control characters, half surrogates or the two last code points; `_x0041_` in a cell would be read as `A`.
const xmlText = (text: string) => text
  .slice(0, 32_767)
  .toWellFormed()
  // oxlint-disable-next-line no-control-regex
  .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
  .replace(/_x(?=[0-9a-fA-F]{4}_)/g, '_x005F_x')
  .replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\r/g, '&#13;')

const letterOf = (column: number): string => (column < 26 ? '' : letterOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))
const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const parts = (title: string): Record<string, string> => ({
  '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="${xmlText(title.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31)).replace(/"/g, '&quot;')}" sheetId="1" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  // Styles: 0 plain, 1 heading, 2 money (format 4 is #,##0.00).
  'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="2"><font/><font><b/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="4" applyNumberFormat="1"/></cellXfs></styleSheet>`,
})

/** One sheet of Office Open XML; texts are inline strings, so nothing is kept until the end and no text is ever a formula. */
export const xlsxSheet = (titles: readonly string[], title: string): Sheet => {
  let out: Uint8Array[] = []
  let row = 0
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    out.push(chunk)
  })
  const taken = () => { const now = out; out = []; return now }
  const add = (name: string) => { const part = new ZipDeflate(name, { level: 1 }); zip.add(part); return part }
  const sheet = { part: undefined as ZipDeflate | undefined }
  const line = (cells: readonly Cell[], style: number) => {
    row++
    const inner = cells.map((cell, i) => {
      if (cell === null) return ''
      const at = `r="${letterOf(i)}${row}"`
      if (typeof cell !== 'string') return `<c ${at} s="${cell.style === 'money' ? 2 : 0}"><v>${cell.n}</v></c>`
      return `<c ${at} s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`
    }).join('')
    return `<row r="${row}">${inner}</row>`
  }
  return {
    head: () => {
      for (const [name, text] of Object.entries(parts(title))) add(name).push(bytes.encode(xmlHead + text), true)
      sheet.part = add('xl/worksheets/sheet1.xml')
      sheet.part.push(bytes.encode(`${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${line(titles, 1)}`))
      return taken()
    },
    rows: rows => {
      sheet.part!.push(bytes.encode(rows.map(cells => line(cells, 0)).join('')))
      return taken()
    },
    end: () => {
      sheet.part!.push(bytes.encode('</sheetData></worksheet>'), true)
      zip.end()
      return taken()
    },
  }
}
