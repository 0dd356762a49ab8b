import { sql, type SQL } from 'drizzle-orm'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { film_owner } from './film.table.ts'

/**
 * True of coupons that are a film ticket: they pay one unit up to a face, and are good at the stores
 * of film owners alone, which sell nothing but seats.
 */
export const isFilmTicket: SQL<boolean> = sql<boolean>`(${coupon.scope} = 'local' and ${coupon.kind} = 'exchange' and ${coupon.face_cents} > 0 and ${coupon.apply_kind} = 'store' and ${coupon.apply_ids} <> '[]' and not exists (select 1 from jsonb_array_elements(${coupon.apply_ids}) named where named::int not in (select ${film_owner.store_id} from ${film_owner})))`
