import { and, between, type AnyColumn, type SQL } from 'drizzle-orm'
import type { Pin } from './geo.ts'

/** Rows whose pin lies in the box of so many 1/1000000 degrees around another; none without a pin. */
export const inBox = (
  of: { lng_e6: AnyColumn; lat_e6: AnyColumn },
  around: Pin,
  reach_e6: number,
): SQL | undefined =>
  and(
    between(of.lng_e6, around.lng_e6 - reach_e6, around.lng_e6 + reach_e6),
    between(of.lat_e6, around.lat_e6 - reach_e6, around.lat_e6 + reach_e6),
  )
