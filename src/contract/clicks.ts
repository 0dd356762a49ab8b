import { z } from 'zod'
import { clickTypes, type ClickType } from '#src/areas/link/clicks.ts'
import { keysOf, searched } from '#src/contract/shapes.ts'
import { guarded, id, page, unix } from './shapes.ts'

export const clickType = keysOf<ClickType>(clickTypes)
/**
 * A row of the click log on the wire (specification, section 7). `phone_masked` is masked by the
 * reader's field rule.
 */
export const clickRow = z.object({
  id,
  object_type: clickType,
  object_id: z.int(),
  object_name: z.string(),
  entry: z.string(),
  member_id: id.nullable(),
  nickname: z.string().nullable(),
  phone_masked: guarded('member.phone', z.string().nullable()),
  /** Seen before the sign-up and joined to the member since. */
  visitor: z.boolean(),
  device_id: z.string(),
  city_id: z.int(),
  city_name: z.string(),
  mid: z.int(),
  mall_name: z.string(),
  at: unix,
})
export type ClickRow = z.output<typeof clickRow>
/**
 * What every list of clicks can be asked: `keyword` is a nickname or a whole phone number;
 * `before_id` pages on from a row without counting pages.
 */
export const clickFilters = {
  city_id: id.optional(),
  mid: z.int().min(0).optional(),
  member_id: id.optional(),
  keyword: searched(32).optional(),
  start_at: unix.optional(),
  end_at: unix.optional(),
}
export const clickPage = { ...page, pageSize: page.pageSize.default(20), before_id: id.optional() }
/**
 * `pv` rows, `uv` members and devices; exact up to 100,000 rows, then of the newest 100,000
 * (`total_capped`).
 */
export const clickTotals = {
  total: z.int(),
  total_capped: z.boolean().optional(),
  capped: z.boolean().optional(),
  pv: z.int(),
  uv: z.int(),
}
