import type { Text } from '#src/domain/text.ts'

/** So many brands stand on a wall, and so many of them at its top, at most. */
export const WALL_MOST = 60
export const PINNED_MOST = 8

/** A brand on a wall: what is arranged, and what is published. */
export type WallTile = {
  brand_id: number
  pinned_until: number | null
  start_at: number | null
  end_at: number | null
}
export const isPinned = ({ pinned_until }: Pick<WallTile, 'pinned_until'>, now: number): boolean =>
  pinned_until !== null && pinned_until > now
/** The tiles as consumers see them: those at the top first, each part in its own order. */
export const inWallOrder = <T extends Pick<WallTile, 'pinned_until'>>(
  tiles: readonly T[],
  now: number,
): T[] => [
  ...tiles.filter(tile => isPinned(tile, now)),
  ...tiles.filter(tile => !isPinned(tile, now)),
]

/** Why consumers don't see a tile now. */
export const tileFaults = {
  brand_off: ['品牌已停用或已合并', 'The brand is off or merged'],
  no_goods: ['该分类无在售商品', 'Nothing on sale in the category'],
  over: ['展示已到期', 'Its time is over'],
  planned: ['未到展示时间', 'Its time is to come'],
} as const satisfies Record<string, Text>
export type TileFault = keyof typeof tileFaults
/** Null for a tile that consumers see. */
export const tileFault = (
  of: Pick<WallTile, 'start_at' | 'end_at'> & { is_on: boolean; goods: number },
  now: number,
): TileFault | null => {
  if (!of.is_on) return 'brand_off'
  if (of.goods === 0) return 'no_goods'
  if (of.end_at !== null && of.end_at <= now) return 'over'
  return of.start_at !== null && of.start_at > now ? 'planned' : null
}
/** Why a brand may not stand for that time, or undefined. */
export const periodFault = (
  { start_at, end_at }: { start_at?: number | undefined; end_at?: number | undefined },
  now: number,
): Text | undefined => {
  if (end_at === undefined) return undefined
  if (end_at <= now) return ['结束时间已过', 'That is over already']
  return start_at !== undefined && end_at <= start_at
    ? ['结束须晚于开始', 'Must be after the start']
    : undefined
}
