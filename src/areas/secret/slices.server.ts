import { StringDecoder } from 'node:string_decoder'

/** Codes that are made, imported or voided in one transaction. */
export const SLICE = 5000
export type Slice = { line: number; from: number; n: number }
/** What a job does one after the other: so many codes, a slice at a time. */
export const slicesOf = (n: number, size = SLICE): Slice[] =>
  Array.from({ length: Math.ceil(n / size) }, (_, at) => ({
    line: at + 1,
    from: at * size,
    n: Math.min(size, n - at * size),
  }))
/** A text file that came as base64; its lines end with a line feed, however they did in it. */
export const textOfFile = (file: string): string => {
  const text = Buffer.from(file, 'base64')
    .toString('utf8')
    .replace(/^\ufeff/, '')
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}
export const linesOfFile = (file: string): string[] => textOfFile(file).split('\n')
/** Letters of base64 that are read at a time; four of them are three bytes. */
const READ = 4 * 49_152
/**
 * The text of a file that came as base64, as `textOfFile` has it, some at a time: however large the
 * file is, its text is never there as a whole.
 */
export function* textRead(file: string): Generator<string, void> {
  const decoder = new StringDecoder('utf8')
  const bytes = Buffer.alloc((READ / 4) * 3)
  let held = ''
  for (let at = 0; at < file.length; at += READ) {
    const n = bytes.write(file.slice(at, at + READ), 'base64')
    const read = decoder.write(bytes.subarray(0, n))
    const text = held + (at === 0 ? read.replace(/^\ufeff/, '') : read)
    // A line feed may follow with the next bytes: both end one line.
    held = text.endsWith('\r') ? '\r' : ''
    const whole = held ? text.slice(0, -1) : text
    yield whole.includes('\r') ? whole.replaceAll(/\r\n?/g, '\n') : whole
  }
  yield (held && '\n') + decoder.end()
}
