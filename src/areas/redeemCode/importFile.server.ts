import { SLICE, textRead } from '#src/areas/secret/slices.server.ts'

/** Some lines of a file: the first one's number, and how many codes stand before and in them. */
export type FilePiece = { at: number; from: number; n: number; text: string }
/** Lines of one piece, also where few of them hold a code. */
const LINES = 4 * SLICE
/**
 * Cuts a text file that came as base64 into pieces of at most a slice of codes; a piece without a
 * code is left out. A file may have a million lines: only those of one piece are held at a time, and
 * whoever needs the file twice walks it twice.
 */
export function* filePieces(file: string): Generator<FilePiece, void> {
  // What the piece has of earlier text, and the line at its end that goes on in the next.
  let [head, rest] = ['', '']
  let [at, from, n, lines] = [0, 0, 0, 0]
  for (const read of textRead(file)) {
    let [begun, next] = [0, 0]
    for (let end = read.indexOf('\n'); end >= 0; end = read.indexOf('\n', next)) {
      if ((rest + read.slice(next, end)).trim() !== '') n++
      lines++
      rest = ''
      next = end + 1
      if (n < SLICE && lines < LINES) continue
      if (n > 0) yield { at: at + 1, from, n, text: head + read.slice(begun, end) }
      ;[at, from, n, lines] = [at + lines, from + n, 0, 0]
      ;[head, begun] = ['', next]
    }
    head += read.slice(begun)
    rest += read.slice(next)
  }
  if (rest.trim() !== '') n++
  if (n > 0) yield { at: at + 1, from, n, text: head }
}
