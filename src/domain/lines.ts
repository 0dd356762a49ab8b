import { plainLine } from './text.ts'

/** A line that was pasted, by its number from 1, and its cells in their plain form. */
export type PastedLine = { line: number; cells: string[] }
/**
 * Lines as they are pasted from a sheet or read from a text file, cells by comma or tab; quoted cells
 * may hold commas. Empty lines are passed over, and a first line whose first cell is `heading`.
 */
export const pastedLines = (text: string, heading: RegExp): PastedLine[] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((raw, at) => {
      const isHeading = at === 0 && heading.test(plainLine(raw.split(/[,\t，]/)[0]!))
      if (raw.trim() === '' || isHeading) return []
      const cells = raw.includes('\t')
        ? raw.split('\t')
        : [...raw.matchAll(/(?:^|[,，])(?:"((?:[^"]|"")*)"|([^,，]*))/g)].map(
            match => match[1]?.replaceAll('""', '"') ?? match[2] ?? '',
          )
      return [{ line: at + 1, cells: cells.map(cell => plainLine(cell)) }]
    })
