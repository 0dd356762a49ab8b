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
