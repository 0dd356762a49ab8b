import { strToU8, zipSync } from 'fflate'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** What stands in a cell: text, or its tag as a tool writes it (`{ xml: '<c …>' }`). */
type Cell = string | { xml: string }
type SheetOf = {
  name: string
  rows: readonly (readonly Cell[])[]
  /** `hidden` keeps a sheet from being shown. */ state?: 'hidden' | 'veryHidden'
  /** Rows that a filter hides, from 1. */ hides?: readonly number[]
  merges?: readonly string[]
}
const columnName = (column: number): string =>
  (column < 26 ? '' : columnName(Math.floor(column / 26) - 1)) +
  String.fromCharCode(65 + (column % 26))
const escaped = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const cellXml = (cell: Cell, place: string) =>
  typeof cell === 'string'
    ? `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
    : cell.xml.replace('<c', `<c r="${place}"`)
const sheetXml = ({ rows, hides = [], merges = [] }: SheetOf) =>
  `${xml}<worksheet xmlns="${main}"><sheetData>${rows
    .map((cells, row) => {
      const inner = cells.map((cell, column) =>
        cell === '' ? '' : cellXml(cell, `${columnName(column)}${row + 1}`),
      )
      return `<row r="${row + 1}"${hides.includes(row + 1) ? ' hidden="1"' : ''}>${inner.join('')}</row>`
    })
    .join('')}</sheetData>${
    merges.length > 0
      ? `<mergeCells>${merges.map(ref => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`
      : ''
  }</worksheet>`

/** Cell formats that a number may have: `s="1"` a date, `2` whole, `3` twelve digits with zeros. */
const styles = `${xml}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="000000000000"/></numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="1"/><xf numFmtId="164"/></cellXfs></styleSheet>`

/** A workbook with these sheets, as a spreadsheet program writes it; `active` is the open one. */
export const workbookWith = (sheets: readonly SheetOf[], active = 0, more = {}): Buffer =>
  Buffer.from(
    zipSync({
      '_rels/.rels': strToU8(
        `${xml}<Relationships xmlns="${packages}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      ),
      'xl/workbook.xml': strToU8(
        `${xml}<workbook xmlns="${main}" xmlns:r="${relations}"><bookViews><workbookView activeTab="${active}"/></bookViews><sheets>${sheets
          .map(
            ({ name, state }, at) =>
              `<sheet name="${escaped(name)}" sheetId="${at + 1}"${state ? ` state="${state}"` : ''} r:id="rId${at + 1}"/>`,
          )
          .join('')}</sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': strToU8(
        `${xml}<Relationships xmlns="${packages}">${sheets
          .map(
            (_, at) =>
              `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
          )
          .join(
            '',
          )}<Relationship Id="rId90" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="rId91" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
      ),
      'xl/styles.xml': strToU8(styles),
      ...Object.fromEntries(
        sheets.map((sheet, at) => [`xl/worksheets/sheet${at + 1}.xml`, strToU8(sheetXml(sheet))]),
      ),
      ...more,
    }),
  )
/** A workbook with one sheet of these rows. */
export const workbookOf = (rows: readonly (readonly Cell[])[]): Buffer =>
  workbookWith([{ name: '发货', rows }])
