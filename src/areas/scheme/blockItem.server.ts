import type { Block } from './blocks.ts'
import type { PageKey } from './pageKey.ts'

/** An item is one thing that a block shows: a product, a store, a banner. */
export type BlockItem = {
  id: number
  title: string
  note: string
  image: string
  price_cents: number | null
}
/** What a reader of a block is asked for. */
export type Asked = {
  key: PageKey
  /** The category of the page and all below it; undefined for a page of none. */
  categories: readonly number[] | undefined
  props: Block['props']
  now: number
}
export type ReadItem = { id: number; title: string } & Partial<BlockItem>
export const most = ({ props }: Pick<Asked, 'props'>): number => Number(props['limit'] ?? 0)
