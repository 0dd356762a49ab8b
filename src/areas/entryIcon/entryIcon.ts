import { hasEnded, isLive, type Period } from '#src/domain/period.ts'
import type { Text } from '#src/domain/text.ts'
import { widthOf } from '#src/domain/validate.ts'

/** Where entries stand on a city's home. */
export const entryPositions = {
  grid: ['金刚区', 'Icon grid'],
  strip: ['频道条', 'Channel strip'],
  float: ['悬浮入口', 'Floating entry'],
  tab: ['底部标签', 'Tab bar'],
} as const satisfies Record<string, Text>
export type EntryPosition = keyof typeof entryPositions

/** A place holds so many at most, whatever their state: its order is saved as a whole. */
export const ENTRIES_MOST = 60
/** Widths, in which a Chinese character counts as 2. */
export const TITLE_WIDTH = 10
export const BADGE_WIDTH = 8
/** The icon grid stands in rows of so many, and shows so many in all. */
const GRID = { row: 5, least: 4, most: 20 }

/** `ended` is derived: online and past its end. */
export const entryStates = {
  online: ['已上线', 'Online'],
  offline: ['已下线', 'Offline'],
  ended: ['已结束', 'Ended'],
} as const satisfies Record<string, Text>
export type EntryState = keyof typeof entryStates
type Stated = Period & { status: EntryState }
export const entryState = (of: Stated, now: number): EntryState =>
  of.status === 'online' && hasEnded(of, now) ? 'ended' : of.status
export const isShownNow = (of: Stated, now: number): boolean =>
  of.status === 'online' && isLive(of, now)

export type EntryVerb = 'online' | 'offline' | 'del' | 'setBadge'
/** Why a verb can't be had now, or true. */
export const entryCan = (verb: EntryVerb, of: Stated, now: number): true | Text => {
  const state = entryState(of, now)
  if (verb === 'setBadge') return true
  if (verb === 'del')
    return state === 'online'
      ? ['已上线的入口不能删除，请先下线', 'It is online: take it offline first']
      : true
  if (verb === 'offline') {
    if (state === 'online') return true
    return state === 'ended'
      ? ['已到期自动结束', 'It has ended by itself']
      : ['没有上线', 'It is not online']
  }
  if (state === 'online') return ['已经上线', 'It is online']
  return hasEnded(of, now)
    ? ['展示时间已结束，请先修改时间', 'Its time is over: change it first']
    : true
}

export const titleFault = (title: string): Text | undefined =>
  widthOf(title) > TITLE_WIDTH
    ? ['标题最多 5 个汉字（10 个半角字符）', 'At most 5 Chinese characters, or 10 narrow ones']
    : undefined
export const badgeFault = (badge: string): Text | undefined =>
  widthOf(badge) > BADGE_WIDTH
    ? ['角标最多 4 个汉字（8 个半角字符）', 'At most 4 Chinese characters, or 8 narrow ones']
    : undefined
/** Why an entry may not stand for that time, or undefined. */
export const periodFault = ({ start_at, end_at }: Period): Text | undefined =>
  start_at !== null && end_at !== null && end_at <= start_at
    ? ['结束须晚于开始', 'Must be after the start']
    : undefined

/**
 * What is wrong with how many icons a place shows: how many lack until the last row is full, or are
 * too many. Only the grid stands in rows.
 */
export const countFault = (
  position: EntryPosition,
  shown: number,
): { missing: number; over: number; tooFew: boolean } | undefined => {
  if (position !== 'grid') return undefined
  const over = Math.max(0, shown - GRID.most)
  const rows = Math.max(1, Math.ceil(shown / GRID.row))
  const missing = over > 0 ? 0 : rows * GRID.row - shown
  return over + missing > 0 ? { missing, over, tooFew: shown < GRID.least } : undefined
}

type Seen = Stated & {
  audience: { new_only?: boolean | undefined; levels?: readonly number[] | undefined }
}
export const isForAll = ({ audience }: Pick<Seen, 'audience'>): boolean =>
  !audience.new_only && (audience.levels?.length ?? 0) === 0
/**
 * The first moment, from `now` on, at which every entry of a place that is shown is for some people
 * only, so that others see none; undefined where there is none such. A floating entry stands by
 * itself, and may be for some.
 */
export const hiddenFrom = (
  position: EntryPosition,
  entries: readonly Seen[],
  now: number,
): number | undefined => {
  if (position === 'float') return undefined
  const online = entries.filter(one => one.status === 'online')
  // What is shown changes only where one begins or ends.
  const moments = online
    .flatMap(({ start_at, end_at }) => [start_at ?? now, end_at ?? now])
    .filter(at => at > now)
  return [now, ...moments.sort((a, b) => a - b)].find(at => {
    const shown = online.filter(one => isLive(one, at))
    return shown.length > 0 && !shown.some(isForAll)
  })
}
