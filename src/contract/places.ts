import { z } from 'zod'
import { cityChecks, cityStates, type CityCheck, type CityState } from '#src/areas/place/city.ts'
import { placed, read, type Read } from './call.ts'
import { mallList } from './malls.ts'
import { id, listOf, searched, unix, version } from './shapes.ts'

/** A city as staff who expand see it. */
export const cityRow = z.object({
  id,
  city_id: id,
  city_name: z.string(),
  adcode: z.string(),
  initial: z.string(),
  pinyin: z.string(),
  lng: z.string(),
  lat: z.string(),
  status: z.enum(Object.keys(cityStates) as [CityState]),
  is_default: z.boolean(),
  sort: z.int(),
  opened_at: unix.nullable(),
  mall_count: z.int(),
  store_count: z.int(),
  member_count: z.int(),
  checklist: z.array(
    z.object({ key: z.enum(Object.keys(cityChecks) as [CityCheck]), ok: z.boolean() }),
  ),
  version,
})
export type CityRow = z.output<typeof cityRow>

/**
 * With `simp=1` what every city filter offers: open and paused ones of my scope by pinyin, a plain
 * array. Without it the managers' list; the same array to who does not manage cities.
 */
export const cityList = read('city/list', ['城市列表', 'Cities'], {
  input: z.object({
    simp: z.int().min(0).max(1).default(0),
    page: z.int().min(1).max(100_000).default(1),
    pageSize: z.int().min(1).max(100).optional(),
    keyword: searched(32).optional(),
    status: z.enum(Object.keys(cityStates) as [CityState]).optional(),
  }),
  output: z.union([
    z.array(z.object({ id, city_name: z.string() })),
    z.object({ ...listOf(cityRow).shape, list_version: z.int() }),
  ]),
  touches: ['city'],
  scope: placed('city'),
  permit: 'signed-in',
  // Specification, section 8: a filter without its cities is no reason to disturb anybody.
  onConsole: ({ simp }: { simp?: number }) => simp === 1,
})
/** Cities to pick from by name or pinyin, whatever their state. */
export const cityOptions = read('city/options', ['可选城市', 'Cities to choose'], {
  input: z.object({
    page: z.int().min(1).max(100_000).default(1),
    pageSize: z.int().min(1).max(100).default(20),
    keyword: searched(32).optional(),
  }),
  output: listOf(z.object({ id, city_name: z.string(), status: z.string() })),
  touches: ['city'],
  scope: placed('city'),
  permit: 'signed-in',
  latin: true,
})

/**
 * The city and mall lists that every page's filters offer (specification, section 7: session and
 * shared).
 */
export const places = {
  cities: cityList as unknown as Read<
    { simp: 1; page?: number; pageSize?: number },
    unknown,
    { id: number; city_name: string }[]
  >,
  malls: mallList as unknown as Read<
    { page?: number; limit: number; city_id?: number },
    unknown,
    { list: { mid: number; name: string; city_id: number; city_name: string }[]; total: number }
  >,
}
