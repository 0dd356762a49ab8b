import { readDelimited } from './delimited.server.ts'
import { isHtml, readHtml } from './htmlTable.server.ts'
import { damaged, SHEET_MAX_BYTES, SheetFault, type SheetRead } from './limits.server.ts'
import { readWorkbook } from './workbook.server.ts'

const refused = (zh: string, en: string): SheetRead => ({ fault: [zh, en] })

/** Tells which of two bytes is always zero: in UTF-16 without a mark it is the upper one. */
const zeroSide = (file: Buffer): 'first' | 'second' | 'both' | 'none' => {
  let [first, second] = [false, false]
  for (let at = file.indexOf(0); at >= 0; at = file.indexOf(0, at + 1)) {
    if (at % 2 === 0) first = true
    else second = true
    if (first && second) return 'both'
  }
  if (first) return 'first'
  return second ? 'second' : 'none'
}
/**
 * UTF-8, and what Excel writes in China where it is not: GB18030, UTF-16 for its "Unicode text",
 * with or without a mark.
 */
const textOf = (file: Buffer): string => {
  const mark = file.toString('latin1', 0, 2)
  if (mark === '\xff\xfe') return new TextDecoder('utf-16le').decode(file)
  if (mark === '\xfe\xff') return new TextDecoder('utf-16be').decode(file)
  const zeros = zeroSide(file)
  if (zeros === 'both') throw damaged()
  if (zeros === 'second') return new TextDecoder('utf-16le').decode(file)
  if (zeros === 'first') return new TextDecoder('utf-16be').decode(file)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    return new TextDecoder('gb18030').decode(file)
  }
}
const readText = (file: Buffer): SheetRead => {
  const text = textOf(file)
  if (text.includes('\0')) throw damaged()
  if (isHtml(text)) return { sheets: [readHtml(text)] }
  if (/^\s*<\?xml/.test(text))
    return refused(
      '这是 XML 表格，请在表格软件中打开后另存为 .xlsx',
      'This is a spreadsheet as XML: open it and save it as .xlsx',
    )
  return { sheets: [readDelimited(text)] }
}

/**
 * Reads the sheets of an .xlsx, a table of text or a web page, by what the bytes are and not by the
 * file's name. Never throws: whatever comes in, the answer is rows or words.
 */
export const readSheetFile = (file: Buffer): SheetRead => {
  if (file.length === 0) return refused('文件中没有内容', 'The file is empty')
  if (file.length > SHEET_MAX_BYTES)
    return refused('文件不能大于 2 MB，请拆成多个文件', 'At most 2 MB: split the file')
  const start = file.toString('latin1', 0, 4)
  if (start === '\xd0\xcf\x11\xe0')
    return refused(
      '不支持旧版 .xls 或加密的表格，请另存为不加密的 .xlsx',
      'Old .xls and encrypted files can’t be read: save it as .xlsx without a password',
    )
  try {
    return ['PK\x03\x04', 'PK\x05\x06'].includes(start)
      ? { sheets: readWorkbook(file) }
      : readText(file)
  } catch (error) {
    return { fault: (error instanceof SheetFault ? error : damaged()).text }
  }
}
