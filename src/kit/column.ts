import type { ReactNode } from 'react'
import type { Text } from '#src/domain/text.ts'
import type { Say } from './text.ts'

/** Width of the column that rows are ticked in. */
export const CHECK = 36

/** The key of the column that holds what can be done with each row. */
export const ACTS = 'acts'

/** A column of a list: its title, its usual width and what it shows of a row. */
export type Column<Row> = {
  key: string
  title: Text
  /** Pixels where nothing is short; `grow` is the main text, which goes last when room is. */
  width: number
  grow?: boolean
  /** The person drew this width: it stays. */
  fixed?: boolean
  /** The column with the highest goes first where room is short; its kind decides otherwise. */
  priority?: 1 | 2 | 3 | 4
  /** Pinned: where it stays while the others scroll under it. */
  left?: number
  align?: 'end'
  /** The sort this column asks for, and which way it goes: the newest and the most come first. */
  sort?: string
  upwards?: boolean
  /** Not shown until the person chooses it. */
  optional?: boolean
  cell: (row: Row) => ReactNode
  /** The cell in plain words, shown on hover where the column is too narrow. */
  words?: (row: Row, say: Say) => string
}
