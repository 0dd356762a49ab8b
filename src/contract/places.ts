import { z } from 'zod'
import { read } from './call.ts'
import { id } from './shapes.ts'

/** The city and mall lists that every page's filters offer (specification, section 7: session and shared). */
export const places = {
  cities: read('city/list', ['城市列表', 'Cities'], {
    input: z.object({ simp: z.int().default(1), page: z.int().min(1).default(1), pageSize: z.int().min(1).max(100).default(100) }),
    output: z.array(z.object({ id, city_name: z.string() })), touches: ['city'], permit: 'signed-in',
  }),
  malls: read('mall/lst', ['商场列表', 'Malls'], {
    input: z.object({ page: z.int().min(1).default(1), limit: z.int().min(1).max(1000).default(1000), city_id: id.optional() }),
    output: z.object({ list: z.array(z.object({ mid: z.int(), name: z.string(), city_id: id, city_name: z.string() })), total: z.int() }), touches: ['mall'], permit: 'signed-in',
  }),
}
