import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { zipSync } from 'fflate'
import type { Text } from '#src/domain/text.ts'

const SHEET_MAX_BYTES = 2 * 1024 * 1024
/** What a workbook may unpack to: 5,000 long lines are a tenth of it. */
const UNPACKED_MAX = 24 * 1024 * 1024
const ENTRIES_MAX = 200
const ROWS_MAX = 6000
const COLUMNS_MAX = 100
/** One text may stand in every cell: cut before anybody looks at it 5,000 times. */
const CELL_MAX = 1000

/** The rows of a sheet as texts, or what is wrong with the file, in words. */
export type SheetRead = { rows: string[][] } | { fault: Text }
const fault = (zh: string, en: string): { fault: Text } => ({ fault: [zh, en] })
const damaged = fault(
  '文件已损坏或不是表格文件，请另存为 .xlsx 或 .csv 后重新上传',
  'The file is damaged or no spreadsheet: save it as .xlsx or .csv and upload it again',
)
const tooBig = fault(
  '文件解压后过大，请只保留需要的列后另存',
  'The file unpacks to too much: keep only the columns that are needed',
)
const tooLong = fault(
  `表格超过 ${ROWS_MAX} 行或 ${COLUMNS_MAX} 列，请删去多余的行列或拆成多个文件`,
  `More than ${ROWS_MAX} rows or ${COLUMNS_MAX} columns: delete what is not needed, or split the file`,
)
const inflated = promisify(inflateRaw) as (
  data: Uint8Array,
  options: { maxOutputLength: number },
) => Promise<Buffer>

type Entry = { name: string; method: number; packed: number; size: number; at: number }
/** The list of contents at a zip's end; undefined when there is none that holds together. */
const entriesOf = (file: Buffer): Entry[] | undefined => {
  // A comment of at most 64 kB may follow it.
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + 22 > file.length || end < file.length - 65_557) return undefined
  const count = file.readUInt16LE(end + 10)
  let at = file.readUInt32LE(end + 16)
  if (count > ENTRIES_MAX) return undefined
  const entries: Entry[] = []
  for (let n = 0; n < count; n++) {
    if (at + 46 > end || file.readUInt32LE(at) !== 0x02014b50) return undefined
    const nameLength = file.readUInt16LE(at + 28)
    const next = at + 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
    if (next > end) return undefined
    // Encrypted: nothing of it can be read.
    if (file.readUInt16LE(at + 8) & 1) return undefined
    entries.push({
      name: file.toString('utf8', at + 46, at + 46 + nameLength),
      method: file.readUInt16LE(at + 10),
      packed: file.readUInt32LE(at + 20),
      size: file.readUInt32LE(at + 24),
      at: file.readUInt32LE(at + 42),
    })
    at = next
  }
  return entries
}
const wanted = (name: string) => /\.xml(\.rels)?$/i.test(name)

/** A workbook's texts, unpacked within bounds whatever its list of contents says of their sizes. */
const unpacked = async (
  file: Buffer,
): Promise<{ files: Record<string, Buffer> } | { fault: Text }> => {
  const entries = entriesOf(file)
  if (!entries) return damaged
  const texts = entries.filter(entry => wanted(entry.name))
  if (texts.reduce((sum, entry) => sum + entry.size, 0) > UNPACKED_MAX) return tooBig
  const files: Record<string, Buffer> = {}
  let left = UNPACKED_MAX
  for (const { name, method, packed, at } of texts) {
    if (
      at + 30 > file.length ||
      file.readUInt32LE(at) !== 0x04034b50 ||
      (method !== 0 && method !== 8)
    )
      return damaged
    const from = at + 30 + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28)
    if (from + packed > file.length) return damaged
    const data = file.subarray(from, from + packed)
    if (left < 1) return tooBig
    try {
      files[name] = method === 0 ? data : await inflated(data, { maxOutputLength: left })
    } catch (error) {
      return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooBig : damaged
    }
    left -= files[name].length
  }
  return { files }
}
/**
 * A cell far out makes a reader fill everything up to it with empty ones: its place is read before.
 */
const farOut = (xml: string): boolean => {
  for (const [, , place] of xml.matchAll(/[\s"']r\s*=\s*(["'])(.*?)\1/g)) {
    const found = /^([A-Z]{0,3})(\d{0,7})$/.exec(place!)
    if (!found) return true
    const [, letters = '', digits = ''] = found
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
    if (column > COLUMNS_MAX || Number(digits) > ROWS_MAX) return true
  }
  return (xml.match(/<(?:\w+:)?row\b/g)?.length ?? 0) > ROWS_MAX
}
/** More than 15 digits of a number are lost in a spreadsheet: it is shown as what it has become. */
const numberText = (raw: string): string => {
  const text = raw.trim().replace(/\.0+$/, '')
  return /^\d{16,}$/.test(text) ? Number(text).toExponential() : text
}

const readXlsx = async (file: Buffer): Promise<SheetRead> => {
  const inside = await unpacked(file)
  if ('fault' in inside) return inside
  const { files } = inside
  if (
    Object.entries(files).some(
      ([name, text]) => /worksheets\//i.test(name) && farOut(text.toString('utf8')),
    )
  )
    return tooLong
  const { readSheet } = await import('read-excel-file/node')
  // Packed anew from what was measured: the reader sees nothing else of the file.
  const rows = await readSheet(Buffer.from(zipSync(files, { level: 0 })), 1, {
    parseNumber: numberText,
  })
  return {
    rows: rows.map(row =>
      row.map(cell =>
        cell === null
          ? ''
          : (cell as unknown) instanceof Date
            ? (cell as unknown as Date).toISOString().slice(0, 10)
            : String(cell).slice(0, CELL_MAX),
      ),
    ),
  }
}

/**
 * UTF-8, and what Excel writes in China where it is not: GB18030, UTF-16 for its "Unicode text".
 */
const decoded = (file: Buffer): string => {
  const mark = file.toString('latin1', 0, 2)
  if (mark === '\xff\xfe') return new TextDecoder('utf-16le').decode(file)
  if (mark === '\xfe\xff') return new TextDecoder('utf-16be').decode(file)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    return new TextDecoder('gb18030').decode(file)
  }
}
const readCsv = (file: Buffer): SheetRead => {
  const text = decoded(file)
  if (text.includes('\0')) return damaged
  const head = text.slice(0, text.search(/[\r\n]|$/))
  const delimiter = ['\t', ';', ','].reduce(
    (best, one) => (head.split(one).length > head.split(best).length ? one : best),
    ',',
  )
  try {
    const rows: string[][] = parse(text, {
      delimiter,
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      max_record_size: 64 * 1024,
      to: ROWS_MAX + 1,
    })
    return rows.length > ROWS_MAX || rows.some(row => row.length > COLUMNS_MAX)
      ? tooLong
      : { rows: rows.map(row => row.map(cell => cell.slice(0, CELL_MAX))) }
  } catch {
    return fault(
      'CSV 内容无法识别，可能有未闭合的引号，请另存为 .xlsx 后重新上传',
      'The CSV can’t be read, a quote may be left open: save it as .xlsx and upload it again',
    )
  }
}

/**
 * Reads the first sheet of an .xlsx, or a .csv, by what the bytes are and not by the file's name.
 * Never throws: whatever comes in, the answer is rows or words.
 */
export const readSheetFile = async (file: Buffer): Promise<SheetRead> => {
  if (file.length === 0) return fault('文件中没有内容', 'The file is empty')
  if (file.length > SHEET_MAX_BYTES)
    return fault('文件不能大于 2 MB，请拆成多个文件', 'At most 2 MB: split the file')
  const start = file.toString('latin1', 0, 4)
  if (start === '\xd0\xcf\x11\xe0')
    return fault(
      '不支持旧版 .xls 或加密的表格，请另存为不加密的 .xlsx',
      'Old .xls and encrypted files can’t be read: save it as .xlsx without a password',
    )
  try {
    return ['PK\x03\x04', 'PK\x05\x06'].includes(start) ? await readXlsx(file) : readCsv(file)
  } catch {
    return damaged
  }
}
