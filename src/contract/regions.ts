import { z } from 'zod'
import { read } from './call.ts'
import { searched } from './shapes.ts'

const code = z.string().regex(/^\d{6}$/)
/** How far down one goes: to a city, or to a district or county. */
const regionLevels = ['city', 'district'] as const
export type RegionLevel = (typeof regionLevels)[number]
/** A division of China: `words` are it with all above it, as an address begins. */
const regionRow = z.object({
  code,
  name: z.string(),
  words: z.string(),
  /** Whether it is what was asked for, and not only above it. */
  leaf: z.boolean(),
})
export type RegionRow = z.output<typeof regionRow>
/**
 * Divisions to choose from: those right below `parent`, or those of `within` that `keyword` names in
 * words, pinyin or initials.
 */
export const regions = read('place/regions', ['省市区', 'Provinces, cities, districts'], {
  input: z.object({
    level: z.enum(regionLevels).default('district'),
    parent: code.optional(),
    within: code.optional(),
    keyword: searched(30).optional(),
  }),
  output: z.object({ list: z.array(regionRow) }),
  touches: [],
  scope: { none: 'The table of divisions is everybody’s' },
  permit: 'signed-in',
})
