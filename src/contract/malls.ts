import { z } from 'zod'
import {
  mallKinds,
  mallStates,
  wanted,
  type MallKind,
  type MallState,
  type Wanted,
} from '#src/areas/mall/mall.ts'
import { keysOf, searched } from '#src/contract/shapes.ts'
import { placed, read } from './call.ts'
import { cents, guarded, id, unix, version } from './shapes.ts'

export const mallKind = keysOf<MallKind>(mallKinds)
export const mallState = keysOf<MallState>(mallStates)
export const wantedKey = keysOf<Wanted>(wanted)

/** A mall as its operators see it. `id` is `mid` once more: lists know a row by it. */
export const mallRow = z.object({
  id,
  mid: id,
  name: z.string(),
  short_name: z.string(),
  city_id: id,
  city_name: z.string(),
  district: z.string(),
  kind: mallKind,
  status: mallState,
  logo: z.string(),
  is_hot: z.boolean(),
  hot_sort: z.int(),
  sort: z.int(),
  floor_count: z.int(),
  store_count: z.int(),
  open_store_count: z.int(),
  on_sale_count: z.int(),
  gmv_30d_cents: guarded('stat.gmv_cents', cents),
  visit_30d: z.int(),
  completeness: z.int(),
  missing: z.array(wantedKey),
  updated_at: unix,
  version,
})
export type MallRow = z.output<typeof mallRow>
export const mallFilters = {
  keyword: searched(40).optional(),
  city_id: id.optional(),
  kind: mallKind.optional(),
  status: mallState.optional(),
  is_hot: z.boolean().optional(),
  /** Only those that lack something. */
  incomplete: z.boolean().optional(),
  /** Only those I made. */
  mine: z.boolean().optional(),
}
const some = z.object({ mid: id, name: z.string(), city_id: id, city_name: z.string() })
const counts = z.object({ online: z.int(), draft: z.int(), offline: z.int(), closed: z.int() })

/**
 * With `simp=1`, or a limit above 100, what every mall filter offers: four fields, no drafts.
 * Otherwise the operators' list, which needs the right to it.
 */
export const mallList = read('mall/lst', ['商场列表', 'Malls'], {
  input: z.object({
    page: z.int().min(1).max(100_000).default(1),
    pageSize: z.int().min(1).max(200).default(20),
    limit: z.int().min(1).max(1000).optional(),
    ...mallFilters,
    simp: z.boolean().optional(),
    order_by: z.enum(['sort', 'gmv_30d', 'updated_at']).default('sort'),
    sort: z.enum(['sort', 'gmv_30d', 'updated_at']).optional(),
  }),
  output: z.object({
    list: z.array(z.union([mallRow, some])),
    total: z.int(),
    stat: counts.optional(),
  }),
  touches: ['mall', 'mall_floor'],
  scope: placed('mall'),
  permit: 'signed-in',
})
/**
 * For pickers: online malls of my cities, at most 1000 by pinyin; `include` comes back whatever its
 * state.
 */
export const mallPicker = read('mall/filterLst', ['可选商场', 'Malls to choose'], {
  input: z.object({
    city_id: id.optional(),
    keyword: searched(40).optional(),
    scene: z.enum(['store', 'coupon', 'banner', 'activity', 'distribution']).optional(),
    include_outside: z.boolean().optional(),
    include: z.array(z.int().min(0).max(2147483647)).max(1000).optional(),
    page: z.int().min(1).max(100_000).default(1),
    pageSize: z.int().min(1).max(1000).default(1000),
  }),
  output: z.object({
    list: z.array(
      z.object({
        id: z.int(),
        mid: z.int(),
        name: z.string(),
        city_id: z.int(),
        city_name: z.string(),
        letter: z.string(),
        status: z.string(),
        disabled_reason: z.string().optional(),
      }),
    ),
    total: z.int(),
  }),
  touches: ['mall'],
  scope: placed('mall'),
  permit: 'signed-in',
  latin: true,
})
