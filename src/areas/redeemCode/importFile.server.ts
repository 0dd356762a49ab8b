import { linesRead, SLICE } from '#src/areas/secret/slices.server.ts'

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
  let lines: string[] = []
  let [at, from, n] = [0, 0, 0]
  const cut = (): FilePiece => ({ at: at + 1, from, n, text: lines.join('\n') })
  for (const line of linesRead(file)) {
    lines.push(line)
    if (line.trim() !== '') n++
    if (n < SLICE && lines.length < LINES) continue
    if (n > 0) yield cut()
    ;[at, from, n, lines] = [at + lines.length, from + n, 0, []]
  }
  if (n > 0) yield cut()
}
