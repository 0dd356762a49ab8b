import { z } from 'zod'
import { ticketProviders } from '#src/areas/film/film.ts'
import { statBases, statBy } from '#src/areas/filmStat/filmStat.ts'
import { callsOf } from '#src/contract/record.ts'
import { cents, guarded, id, keysOf, searched, settled, unix } from '#src/contract/shapes.ts'

const count = z.int().min(0)
const gmv = guarded('stat.gmv_cents', cents)
const sums = {
  orders: count,
  seats: count,
  box_cents: gmv,
  coupon_cents: cents,
  subsidy_cents: cents,
  /** What a product settles for tells its cost, and so does this. */
  profit_cents: settled,
  ticketed: count,
  refunds: count,
  refunded_cents: cents,
  new_buyers: count,
  average_cents: gmv.nullable(),
  success_bp: z.int().nullable(),
  wait_s: z.int().nullable(),
  refund_bp: z.int().nullable(),
}
const by = keysOf(statBy)
/** Both ends are moments of the first and the last day; without them the last 30 days. */
const filters = {
  by: by.default('day'),
  basis: keysOf(statBases).default('refund'),
  from: unix.optional(),
  to: unix.optional(),
  city_id: id.optional(),
  /** 0 is outside malls. */ mid: z.int().min(0).max(2_147_483_647).optional(),
  film_id: id.optional(),
  cinema_id: id.optional(),
  provider: keysOf(ticketProviders).optional(),
  /** Beside the period of the same length before. */
  compare: z.boolean().default(false),
}
export const filmStatRow = z.object({
  id,
  name: z.string(),
  ...sums,
  /** The same in the period before, where that is compared; null where it had nothing. */
  before: z.object({ orders: count, box_cents: gmv }).nullable(),
  /** What was asked, which is where it is opened from. */
  by,
  key: z.int(),
  from: unix,
  to: unix,
  asked: z.object({
    city_id: id.optional(),
    mid: z.int().optional(),
    film_id: id.optional(),
    cinema_id: id.optional(),
    provider: keysOf(ticketProviders).optional(),
  }),
})
export type FilmStatRow = z.output<typeof filmStatRow>
export type FilmStatFilters = z.output<z.ZodObject<typeof filters>>
const call = callsOf('film/datastat', { touches: ['film_order', 'refund'], rows: 'film_order' })

/** Days, films, cinemas, cities, malls and providers of film tickets, compared. */
export const filmDatastat = {
  lst: call.lists('lst', ['影票数据', 'Film statistics'], {
    filters,
    row: filmStatRow,
    answer: {
      sums: z.object(sums),
      /** Those of the period before, where that is compared. */
      sums_before: z.object(sums).nullable(),
      /** The period that is told, and when it was counted. */
      from: unix,
      to: unix,
      counted_at: unix,
    },
  }),
  films: call.read('films', ['可选影片', 'Films to choose'], {
    input: z.object({ keyword: searched(40).optional() }),
    output: z.object({ list: z.array(z.object({ id, name: z.string() })) }),
    permit: 'film.datastat.view',
    scope: { none: 'A film is shown everywhere: it stands in no place' },
  }),
  export: call.startsExport('export', ['导出影票数据', 'Export film statistics'], { filters }),
}
