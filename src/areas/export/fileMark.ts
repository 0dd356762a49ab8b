/**
 * The mark of an exported file, which says whose it is and nobody sees: 64 bits. A text table
 * carries it in the quotes of its first column, which every reader takes off: a first cell is
 * quoted or not by the bit that its own text chooses. So each row holds its part of the mark by
 * itself, and some dozens of them, in any order, cut out of the file and mixed with others, tell it
 * again. Written anew by a spreadsheet, the quotes are gone; workbooks have it in their properties.
 */
const MARK_BITS = 64
/** Fewer known bits than this could be anybody's. */
export const MARK_ENOUGH = 24
const bitsOf = (mark: string): boolean[] =>
  [...BigInt(`0x${mark}`).toString(2).padStart(MARK_BITS, '0')].map(bit => bit === '1')

/** Which bit a cell of this text shows (FNV-1a, folded). */
const bitAt = (text: string): number => {
  let h = 0x811c9dc5
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193)
  return (h ^ (h >>> 15) ^ (h >>> 23)) & (MARK_BITS - 1)
}
/**
 * Quotes a row's first field where the mark has it so. What has quotes of its own, or no text,
 * shows nothing.
 */
export const marking = (mark: string): ((field: string) => string) => {
  const bits = bitsOf(mark)
  return field => (field !== '' && field[0] !== '"' && bits[bitAt(field)] ? `"${field}"` : field)
}

/** What can be read of a mark: its bits, and which of them are known. */
export type FoundMark = { mark: string; known: string; bits: number }
/**
 * Reads the mark out of a text table, or out of some rows of one. Bits on which its rows disagree
 * are not known.
 */
export const readMark = (csv: string): FoundMark => {
  const votes = Array.from({ length: MARK_BITS }, () => [0, 0] as [number, number])
  for (const line of csv.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    // What needs its quotes shows nothing; a line within a cell is rarely taken for a row.
    const found = /^(?:"([^",]+)"|([^",]+))(?:,|$)/.exec(line)
    if (found) votes[bitAt(found[1] ?? found[2]!)]![found[1] === undefined ? 0 : 1]++
  }
  const known = votes.map(([no, yes]) => no + yes > 0 && Math.max(no, yes) >= 0.9 * (no + yes))
  const hex = (bits: boolean[]) =>
    BigInt(`0b${bits.map(bit => (bit ? '1' : '0')).join('')}`)
      .toString(16)
      .padStart(16, '0')
  return {
    mark: hex(votes.map(([no, yes], at) => known[at]! && yes > no)),
    known: hex(known),
    bits: known.filter(Boolean).length,
  }
}

/**
 * How the mark stands among the keywords of a workbook's properties, which stay when it is changed
 * and saved again.
 */
export const markWord = (mark: string): string => `mallet:${mark}`
/** Reads it out of a workbook's properties (docProps/core.xml). */
export const readMarkWord = (core: string): FoundMark | undefined => {
  const mark = /\bmallet:([0-9a-f]{16})\b/.exec(core)?.[1]
  return mark === undefined ? undefined : { mark, known: 'f'.repeat(16), bits: MARK_BITS }
}
