import { constants, deflateRawSync } from 'node:zlib'
import { Zip, ZipPassThrough } from 'fflate'
import { marking, markWord } from '#src/areas/export/fileMark.ts'
import { csvField } from '#src/domain/csv.ts'
import { comma, say, type Lang } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { ExportColumn } from './exports.ts'

/**
 * Writes rows as a file, a batch at a time; `end` finishes it. What they answer goes to the file at
 * once, so memory stays constant.
 */
export type Sheet = {
  head: () => Uint8Array[]
  rows: (rows: readonly (readonly Cell[])[]) => Uint8Array[]
  end: () => Uint8Array[]
}
/**
 * A file's maker, time and subject: a workbook says so in its properties, at the foot of each
 * printed page and on a sheet of its own (`lines`, under the title `title`), behind that of the
 * rows, which stays what is read first.
 */
export type About = {
  mark: string
  by: string
  at: number
  foot: string
  title: string
  lines: readonly (readonly [string, string])[]
}
/** A number stays a number, with its style; everything else is text. */
export type Cell = string | { n: number; style: 'plain' | 'money' } | null

/** The cell of a row's value in a column; a list is joined in the reader's language. */
export const cellOf = (value: unknown, kind: ExportColumn['kind'], lang: Lang = 'zh'): Cell => {
  if (value === null || value === undefined || value === '') return null
  switch (kind) {
    case 'money':
      return typeof value === 'number' ? { n: value / 100, style: 'money' } : String(value)
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
        ? { n: value, style: 'plain' }
        : String(value)
    case 'time':
      return typeof value === 'number' ? timeFull(value) : String(value)
    default:
      return Array.isArray(value) ? value.join(say(comma, lang)) : String(value)
  }
}

const bytes = new TextEncoder()

const csvCell = (cell: Cell): string => {
  if (cell === null) return ''
  if (typeof cell === 'string') return csvField(cell)
  return cell.style === 'money' ? cell.n.toFixed(2) : String(cell.n)
}
const plainly = (field: string) => field
const csvLine = (cells: readonly Cell[], first = plainly): string => {
  let line = cells.length === 0 ? '' : first(csvCell(cells[0]!))
  for (let at = 1; at < cells.length; at++) line += `,${csvCell(cells[at]!)}`
  return `${line}\r\n`
}

/**
 * UTF-8 with a BOM, so that Excel reads Chinese; lines end as RFC 4180 says. A row that is no row
 * of the table would break whatever reads it next: of what it is tells its name, and its mark.
 */
export const csvSheet = (titles: readonly string[], about?: Pick<About, 'mark'>): Sheet => {
  const first = about && marking(about.mark)
  return {
    head: () => [bytes.encode('\uFEFF'), Buffer.from(csvLine(titles, first))],
    rows: rows => [Buffer.from(rows.map(row => csvLine(row, first)).join(''))],
    end: () => [],
  }
}

// XML 1.0 has no place for control characters, half surrogates or the two last code points;
// `_x0041_` in a cell would be read as `A`.
const xmlText = (text: string) =>
  text
    .slice(0, 32_767)
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/_x(?=[0-9a-fA-F]{4}_)/g, '_x005F_x')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\r/g, '&#13;')

const letterOf = (column: number): string =>
  (column < 26 ? '' : letterOf(Math.floor(column / 26) - 1)) +
  String.fromCharCode(65 + (column % 26))
const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const quoted = (text: string) => xmlText(text).replace(/"/g, '&quot;')
const sheetName = (text: string) => quoted(text.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31))
const officePart = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const parts = (title: string, about: About | undefined): Record<string, string> => ({
  '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${officePart}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${officePart}.worksheet+xml"/>${about ? `<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${officePart}.worksheet+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>` : ''}<Override PartName="/xl/styles.xml" ContentType="${officePart}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/>${about ? `<Relationship Id="r2" Type="${packages}/relationships/metadata/core-properties" Target="docProps/core.xml"/>` : ''}</Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="${sheetName(title)}" sheetId="1" r:id="r1"/>${about ? `<sheet name="${sheetName(about.title === title ? `${about.title} 2` : about.title)}" sheetId="2" r:id="r3"/>` : ''}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${relations}/styles" Target="styles.xml"/>${about ? `<Relationship Id="r3" Type="${relations}/worksheet" Target="worksheets/sheet2.xml"/>` : ''}</Relationships>`,
  // Styles: 0 plain, 1 heading, 2 money (format 4 is #,##0.00).
  'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="2"><font/><font><b/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="4" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  ...(about && {
    'xl/worksheets/sheet2.xml': `<worksheet xmlns="${main}"><cols><col min="1" max="1" width="16" customWidth="1"/><col min="2" max="2" width="60" customWidth="1"/></cols><sheetData>${about.lines.map(([label, text], at) => `<row r="${at + 1}"><c r="A${at + 1}" s="1" t="inlineStr"><is><t>${xmlText(label)}</t></is></c><c r="B${at + 1}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c></row>`).join('')}</sheetData></worksheet>`,
    'docProps/core.xml': `<cp:coreProperties xmlns:cp="${packages}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xmlText(title)}</dc:title><dc:creator>${xmlText(about.by)}</dc:creator><dc:description>${xmlText(about.foot)}</dc:description><cp:keywords>${markWord(about.mark)}</cp:keywords><dcterms:created xsi:type="dcterms:W3CDTF">${new Date(about.at * 1000).toISOString().slice(0, 19)}Z</dcterms:created></cp:coreProperties>`,
  }),
})

/**
 * A file in a zip, pressed by the native zlib piece by piece: each piece ends at a whole byte and
 * leaves the stream open, the last one closes it.
 */
class Pressed extends ZipPassThrough {
  constructor(name: string) {
    super(name)
    this.compression = 8
  }
  protected override process(chunk: Uint8Array, final: boolean) {
    this.ondata(
      null,
      deflateRawSync(chunk, {
        level: 1,
        finishFlush: final ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
      }),
      final,
    )
  }
}

/**
 * One sheet of Office Open XML; texts are inline strings, so nothing is kept until the end and no
 * text is ever a formula.
 */
export const xlsxSheet = (titles: readonly string[], title: string, about?: About): Sheet => {
  let out: Uint8Array[] = []
  let row = 0
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    out.push(chunk)
  })
  const taken = () => {
    const now = out
    out = []
    return now
  }
  const add = (name: string) => {
    const part = new Pressed(name)
    zip.add(part)
    return part
  }
  const sheet = { part: undefined as Pressed | undefined }
  const line = (cells: readonly Cell[], style: number) => {
    row++
    const inner = cells
      .map((cell, i) => {
        if (cell === null) return ''
        const at = `r="${letterOf(i)}${row}"`
        if (typeof cell !== 'string')
          return `<c ${at} s="${cell.style === 'money' ? 2 : 0}"><v>${cell.n}</v></c>`
        return `<c ${at} s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`
      })
      .join('')
    return `<row r="${row}">${inner}</row>`
  }
  return {
    head: () => {
      for (const [name, text] of Object.entries(parts(title, about)))
        add(name).push(bytes.encode(xmlHead + text), true)
      sheet.part = add('xl/worksheets/sheet1.xml')
      sheet.part.push(
        bytes.encode(
          `${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${line(titles, 1)}`,
        ),
      )
      return taken()
    },
    rows: rows => {
      sheet.part!.push(bytes.encode(rows.map(cells => line(cells, 0)).join('')))
      return taken()
    },
    end: () => {
      // In a footer & begins a code; && is one of its own.
      sheet.part!.push(
        bytes.encode(
          `</sheetData>${about ? `<headerFooter><oddFooter>${xmlText(`&L${about.foot.replaceAll('&', '&&').slice(0, 200)}&R&P / &N`)}</oddFooter></headerFooter>` : ''}</worksheet>`,
        ),
        true,
      )
      zip.end()
      return taken()
    },
  }
}
