import { unitStart } from '#src/domain/calendar.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'

/**
 * How a list's columns stand: their order, which are shown, how wide, which stay at the left, and
 * whether rows are narrow.
 */
export type Look = {
  order: readonly string[]
  shown: readonly string[]
  widths: Readonly<Record<string, number>>
  pinned: readonly string[]
  dense: boolean
}

export const viewShares = {
  mine: ['我的', 'Mine'],
  team: ['团队', 'Team'],
  role: ['角色', 'Role'],
} as const satisfies Record<string, Text>
export type ViewShare = keyof typeof viewShares
/** The most views one person keeps. */
export const VIEWS_MAX = 100

/**
 * Whole Shanghai days, the last of them today, under the word that stands in an address: it means
 * the same days tomorrow as its name says then.
 */
export const usualDays = [
  { key: '0d', title: ['今天', 'Today'], days: 1 },
  { key: '7d', title: ['近 7 天', '7 days'], days: 7 },
  { key: '30d', title: ['近 30 天', '30 days'], days: 30 },
  { key: 'month', title: ['本月', 'This month'], days: 31 },
] as const satisfies readonly { key: string; title: Text; days: number }[]
export type Days = (typeof usualDays)[number]

/** When such days begin. */
export const beginOf = (key: Days['key'], now: number): number =>
  key === 'month'
    ? unitStart(now, 'month')
    : dayStart(now) - { '0d': 0, '7d': 6, '30d': 29 }[key] * DAY
/** The moment that a word in an address means now; undefined for anything else. */
export const relativeTime = (word: string, now: number): number | undefined => {
  const known = usualDays.find(one => one.key === word)
  return known && beginOf(known.key, now)
}

/**
 * A list's filters without what belongs to the moment: its page, and which view it shows. Two that
 * ask the same are the same text.
 */
export const viewSearch = (search: string): string => {
  const kept = [...new URLSearchParams(search)]
    .filter(([key, value]) => key !== 'page' && key !== 'view' && value !== '')
    .sort(([a], [b]) => Number(a > b) - Number(a < b))
  return new URLSearchParams(kept).toString()
}
/** The address of a view of a page. */
export const viewAddress = (view: { page: string; search: string; id: number }): string =>
  `${view.page}?${new URLSearchParams([...new URLSearchParams(view.search), ['view', String(view.id)]])}`
