import { finer } from '#src/areas/filmStat/filmStat.ts'
import { DAY } from '#src/domain/time.ts'
import {
  filmDatastat as calls,
  filmStatRow,
  type FilmStatRow,
} from '#src/modules/film/contract/datastat.ts'
import { action, to } from '../command.ts'
import { filmDatastat as at } from '../pages/film.ts'
import { exportAction } from '../record.ts'

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
      return { ...asked, ...period }
  }
}
export const filmStatActions = {
  drill: action<unknown, unknown, FilmStatRow>('film.datastat.drill', {
    title: '下钻',
    en: 'Open finer',
    key: 'd',
    at,
    on: filmStatRow,
    takes: 'row',
    main: true,
    permit: 'film.datastat.view',
    when: ({ by }) => finer[by] !== null || ['已是最细一级', 'There is nothing finer'],
    to: rows => to(at, { ...narrowed(rows[0]!), by: finer[rows[0]!.by]! }),
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
