import { formatted, stylesOf, type Styles } from './cellText.server.ts'
import {
  CELLS_MAX,
  CELL_LETTERS_MAX,
  COLUMNS_MAX,
  ROWS_MAX,
  damaged,
  kept,
  tooLong,
  tooMany,
  tooMuchInCell,
  type Sheet,
} from './limits.server.ts'
import { attributesOf, decoded, walk } from './markup.server.ts'
import { openZip } from './unzip.server.ts'

const SHEETS_MAX = 20
const MERGES_MAX = 5000
type Part = (name: string) => string | undefined
type Shared = { texts: readonly string[]; styles: Styles; from1904: boolean }
/** Cells that may still be read, in all sheets together. */
type Budget = { cells: number }

/** Every tag of a part, with its attributes. */
const tagsOf = (xml: string, found: (name: string, of: ReadonlyMap<string, string>) => void) =>
  walk(xml, {
    open: (name, text) => found(name, attributesOf(text)),
    close: () => {},
    text: () => {},
  })

/** A part's address, as a relation of the part in `folder` names it. */
const placeOf = (folder: string, target: string): string => {
  if (target.startsWith('/')) return target.slice(1)
  const way = folder.split('/').filter(Boolean)
  for (const step of target.split('/')) {
    if (step === '..') way.pop()
    else if (step !== '.') way.push(step)
  }
  return way.join('/')
}
const relationsOf = (part: Part, path: string) => {
  const cut = path.lastIndexOf('/') + 1
  const [folder, name] = [path.slice(0, cut), path.slice(cut)]
  const all = new Map<string, { type: string; path: string }>()
  tagsOf(part(`${folder}_rels/${name}.rels`) ?? '', (tag, of) => {
    if (tag === 'Relationship')
      all.set(of.get('id') ?? '', {
        type: (of.get('type') ?? '').replace(/^.*\//s, ''),
        path: placeOf(folder, of.get('target') ?? ''),
      })
  })
  return all
}

/** `_x000D_` is how a workbook writes a letter that XML has no place for. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text
/** Collects the text of a cell or a shared string: its runs, and no reading aids above them. */
const textGatherer = (place: () => string) => {
  let text = ''
  let wanted = false
  let aid = false
  return {
    begin: () => {
      text = ''
    },
    open: (name: string) => {
      if (name === 'rPh') aid = true
      if ((name === 't' || name === 'v') && !aid) wanted = true
    },
    close: (name: string) => {
      if (name === 'rPh') aid = false
      if (name === 't' || name === 'v') wanted = false
    },
    text: (more: string, raw: boolean) => {
      if (!wanted) return
      if (text.length + more.length > CELL_LETTERS_MAX * 8) throw tooMuchInCell(place())
      text += raw ? more : decoded(more)
      if (text.length > CELL_LETTERS_MAX) throw tooMuchInCell(place())
    },
    get: () => text,
  }
}
const sharedTexts = (xml: string | undefined): string[] => {
  const texts: string[] = []
  const gather = textGatherer(() => `#${texts.length + 1}`)
  if (xml !== undefined)
    walk(xml, {
      open: (name, _, empty) => {
        if (name === 'si') gather.begin()
        if (name === 'si' && empty) texts.push('')
        if (!empty) gather.open(name)
      },
      close: name => {
        gather.close(name)
        if (name !== 'si') return
        if (texts.length >= CELLS_MAX) throw tooMany()
        texts.push(kept(unescaped(gather.get())))
      },
      text: gather.text,
    })
  return texts
}

/** `BC12` as column and row from 0; undefined for what names no cell. */
const cellAt = (name: string): { column: number; row: number } | undefined => {
  const found = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(name.replaceAll('$', ''))
  if (!found) return undefined
  const column = [...found[1]!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return { column: column - 1, row: Number(found[2]) - 1 }
}
type Merge = { column: number; from: number; to: number }
/** Cells that are merged downwards: what stands in the first one is meant for all of them. */
const mergeOf = (ref: string): Merge | undefined => {
  const [from, to] = ref.split(':').map(cellAt)
  return from && to && from.column === to.column && to.row > from.row
    ? { column: from.column, from: from.row, to: to.row }
    : undefined
}
/** Writes what stands at the top of merged cells into each of them. */
const fillMerged = (rows: string[][], merges: readonly Merge[], budget: Budget) => {
  for (const { column, from, to } of merges) {
    const text = rows[from]?.[column]
    if (!text) continue
    for (let row = from + 1; row <= Math.min(to, rows.length - 1); row++) {
      if (--budget.cells < 0) throw tooMany()
      if (!rows[row]![column]) rows[row]![column] = text
    }
  }
}

type Cell = { column: number; row: number; type: string; style: number }
/** A cell's text by its type: shared, written in it, a truth, a fault, or a number in its format. */
const cellText = (raw: string, { type, style }: Cell, shared: Shared): string => {
  if (type === 's') return shared.texts[Number(raw)] ?? ''
  if (type === 'b') return raw.trim() === '1' ? 'TRUE' : 'FALSE'
  if (type === 'n' || type === '') return formatted(raw, shared.styles[style], shared.from1904)
  return kept(unescaped(raw))
}
/** Places a cell in the table; one that holds something far out is refused, an empty one is not. */
const put = (rows: string[][], { column, row }: Cell, text: string, budget: Budget) => {
  if (column >= COLUMNS_MAX || row >= ROWS_MAX) throw tooLong()
  if (--budget.cells < 0) throw tooMany()
  while (rows.length <= row) rows.push([])
  const cells = rows[row]!
  while (cells.length < column) cells.push('')
  cells[column] = text
}

/** A cell's tag as nearly all programs write it. */
const usualCell = /^ r="([A-Z]{1,3}\d{1,7})"(?: s="(\d{1,5})")?(?: t="([a-zA-Z]{1,10})")?\s*\/?$/
/** What a cell's tag says of it, in the row where it stands. */
const cellOf = (attributes: string, before: Cell): Cell => {
  const usual = usualCell.exec(attributes)
  const of = usual ? undefined : attributesOf(attributes)
  const [ref, style, type] = usual
    ? [usual[1], usual[2], usual[3]]
    : [of!.get('r'), of!.get('s'), of!.get('t')]
  const next = { column: before.column + 1, row: before.row }
  // A cell that names no place is refused where it holds something.
  const named = ref === undefined ? next : (cellAt(ref) ?? { ...next, column: COLUMNS_MAX })
  return { ...named, type: type ?? '', style: Number(style ?? 0) }
}
const nowhere: Cell = { column: -1, row: -1, type: '', style: 0 }
const readRows = (xml: string, shared: Shared, budget: Budget) => {
  const rows: string[][] = []
  const hidden: number[] = []
  const merges: Merge[] = []
  let cell = nowhere
  const gather = textGatherer(() => `${columnName(cell.column)}${cell.row + 1}`)
  const beginRow = (of: ReadonlyMap<string, string>) => {
    const named = Number(of.get('r') ?? cell.row + 2)
    cell = { ...nowhere, row: Number.isInteger(named) && named > 0 ? named - 1 : ROWS_MAX }
    if (/^(?:1|true)$/.test(of.get('hidden') ?? '')) hidden.push(cell.row + 1)
  }
  walk(xml, {
    open: (name, text, empty) => {
      if (name === 'row') beginRow(attributesOf(text))
      else if (name === 'c') {
        cell = cellOf(text, cell)
        gather.begin()
      } else if (name === 'mergeCell' && merges.length < MERGES_MAX) {
        const merge = mergeOf(attributesOf(text).get('ref') ?? '')
        if (merge) merges.push(merge)
      }
      if (!empty) gather.open(name)
    },
    close: name => {
      gather.close(name)
      if (name !== 'c' || gather.get() === '') return
      const shown = cellText(gather.get(), cell, shared)
      if (shown !== '') put(rows, cell, shown, budget)
    },
    text: gather.text,
  })
  const lines = rows.filter(cells => cells.some(one => one.trim() !== '')).length
  fillMerged(rows, merges, budget)
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), 0)
  return {
    rows: rows.map(cells => Array.from({ length: width }, (_, at) => cells[at] ?? '')),
    hidden: hidden.filter(row => row <= rows.length),
    lines,
  }
}
/** A column's letters, from 0. */
const columnName = (column: number): string =>
  (column < 26 ? '' : columnName(Math.floor(column / 26) - 1)) +
  String.fromCharCode(65 + (((column % 26) + 26) % 26))

/** The names and parts of the sheets that are shown, the one that was open first. */
const shownSheets = (xml: string) => {
  const all: { name: string; relation: string; shown: boolean }[] = []
  let active = 0
  let from1904 = false
  tagsOf(xml, (tag, of) => {
    if (tag === 'workbookPr') from1904 = /^(?:1|true)$/.test(of.get('date1904') ?? '')
    if (tag === 'workbookView') active = Number(of.get('activetab') ?? 0)
    if (tag === 'sheet')
      all.push({
        name: of.get('name') ?? '',
        relation: of.get('id') ?? '',
        shown: (of.get('state') ?? 'visible') === 'visible',
      })
  })
  const open = all[active]
  const shown = all.filter(one => one.shown)
  return {
    from1904,
    sheets: (open?.shown ? [open, ...shown.filter(one => one !== open)] : shown).slice(
      0,
      SHEETS_MAX,
    ),
  }
}

/**
 * Reads the shown sheets of an .xlsx, the one that was open first. Throws SheetFault, and BadMarkup
 * for what is no XML.
 */
export const readWorkbook = (file: Buffer): Sheet[] => {
  const part = openZip(file)
  const root = [...relationsOf(part, '').values()].find(one => one.type === 'officeDocument')
  const path = root?.path ?? 'xl/workbook.xml'
  const book = part(path)
  if (book === undefined) throw damaged()
  const relations = relationsOf(part, path)
  const ofType = (type: string) => {
    const found = [...relations.values()].find(one => one.type === type)
    return found && part(found.path)
  }
  const { sheets, from1904 } = shownSheets(book)
  const shared: Shared = {
    texts: sharedTexts(ofType('sharedStrings')),
    styles: stylesOf(ofType('styles')),
    from1904,
  }
  const budget: Budget = { cells: CELLS_MAX }
  const read = sheets.flatMap(({ name, relation }) => {
    const at = relations.get(relation)
    const xml = at?.type === 'worksheet' ? part(at.path) : undefined
    return xml === undefined ? [] : [{ name, ...readRows(xml, shared, budget) }]
  })
  if (read.length === 0) throw damaged()
  return read
}
