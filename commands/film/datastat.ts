import { ticketProviders, type TicketProviderKey } from '#src/areas/film/film.ts'
import { finer } from '#src/areas/filmStat/filmStat.ts'
import { DAY } from '#src/domain/time.ts'
import {
  filmDatastat as calls,
  filmStatRow,
  type FilmStatRow,
} from '#src/modules/film/contract/datastat.ts'
import { action, to } from '../command.ts'
import { filmDatastat as at, filmPage } from '../pages/film.ts'
import { exportAction } from '../record.ts'

const providerAt = (key: number) => (Object.keys(ticketProviders) as TicketProviderKey[])[key - 1]!
/** What a row narrows the view down to: its day, or what it is told for. */
const narrowed = ({ by, key, from, to: end, asked }: FilmStatRow) => {
  const period = { from, to: end - 1 }
  switch (by) {
    case 'day':
      return { ...asked, from: key, to: key + DAY - 1 }
    case 'film':
      return { ...asked, ...period, film_id: key }
    case 'cinema':
      return { ...asked, ...period, cinema_id: key }
    case 'city':
      return { ...asked, ...period, city_id: key }
    case 'mall':
      return { ...asked, ...period, mid: key }
    case 'provider':
      return { ...asked, ...period, provider: providerAt(key) }
  }
}
/** The orders that a row of the finest views sums up, paid within its period. */
const ordersOf = (row: FilmStatRow): string => {
  const { from, to: until, ...same } = narrowed(row)
  return to(filmPage, { ...same, paid_from: from, paid_to: until })
}
export const filmStatActions = {
  drill: action<unknown, unknown, FilmStatRow>('film.datastat.drill', {
    title: '下钻',
    en: 'Drill down',
    key: 'd',
    at,
    on: filmStatRow,
    takes: 'row',
    main: true,
    permit: 'film.datastat.view',
    to: ([row]) => {
      const by = finer[row!.by]
      return by === null ? ordersOf(row!) : to(at, { ...narrowed(row!), by })
    },
  }),
  /** Its page shows the period before, or hides it. */
  compare: action('film.datastat.compare', {
    title: '对比上期',
    en: 'Compare with before',
    key: 'o',
    at,
    permit: 'film.datastat.view',
  }),
  export: exportAction(calls.export, ['导出影票数据', 'Export statistics'], at),
}
