import { z } from 'zod'
import { placed, read, write } from '#src/contract/call.ts'
import { cityList, cityOptions, cityRow } from '#src/contract/places.ts'
import {
  flag,
  id,
  lines,
  listOf,
  searched,
  text,
  version,
  exportFile,
  exportBegun,
} from '#src/contract/shapes.ts'
import { citySettings } from './citySettings.ts'

const coordinate = z
  .string()
  .trim()
  .regex(/^-?\d{1,3}(\.\d{1,8})?$/)
const changed = z.object({ id, status: z.string(), version })
const touches = ['city'] as const
const one = { id, version }

/** Cities, by the calls of the specification's section 7 and the page's own verbs. */
export const city = {
  list: cityList,
  options: cityOptions,
  /** Without an id the division table for the form; with one, all of that city. */
  getCityData: read('city/getCityData', ['城市资料', 'City data'], {
    input: z.object({ id: id.optional() }),
    output: z.union([
      z.array(
        z.object({
          adcode: z.string(),
          name: z.string(),
          children: z.array(
            z.object({
              adcode: z.string(),
              city_name: z.string(),
              initial: z.string(),
              pinyin: z.string(),
              lng: z.string().nullable(),
              lat: z.string().nullable(),
              city_id: z.int(),
            }),
          ),
        }),
      ),
      z.object({
        ...cityRow.shape,
        settings: citySettings,
        settings_version: version,
        admin_names: z.array(z.string()),
      }),
    ]),
    touches: ['city', 'mall', 'store', 'admin'],
    scope: placed('city', 'id'),
    permit: 'system.city.view',
  }),
  /**
   * Cities of the division table that are not added yet, by name, pinyin or code; `id` is the code
   * as a number.
   */
  divisions: read('system/city/divisions', ['行政区划', 'Divisions'], {
    input: z.object({
      page: z.int().min(1).max(100_000).default(1),
      pageSize: z.int().min(1).max(100).default(20),
      keyword: searched(32).optional(),
    }),
    output: listOf(
      z.object({ id, city_name: z.string(), province: z.string(), pinned: z.boolean() }),
    ),
    touches: ['city'],
    scope: 'all',
    permit: 'system.city.view',
    latin: true,
  }),
  add: write('city/add', ['新增城市', 'Add a city'], {
    /** What is left out is as the division table has it. */
    input: z.object({
      adcode: z.string().regex(/^\d{6}$/),
      city_name: text(32).optional(),
      initial: z
        .string()
        .regex(/^[A-Z]$/)
        .optional(),
      pinyin: z
        .string()
        .trim()
        .regex(/^[a-z]{0,64}$/)
        .optional(),
      lng: coordinate.optional(),
      lat: coordinate.optional(),
      sort: z.int().min(0).max(100_000).optional(),
    }),
    output: changed,
    touches,
    scope: placed('city'),
    permit: 'system.city.add',
  }),
  /** Fields, the default flag and the state; each needs the right to its own verb too. */
  edit: write('city/edit', ['编辑城市', 'Edit a city'], {
    input: z.object({
      ...one,
      city_name: text(32).optional(),
      lng: coordinate.optional(),
      lat: coordinate.optional(),
      sort: z.int().min(0).max(100_000).optional(),
      is_default: flag.optional(),
      to_status: z.enum(['open', 'paused']).optional(),
      reason: lines(255, 2).optional(),
    }),
    output: changed,
    touches,
    scope: placed('city', 'id'),
    permit: 'system.city.edit',
  }),
  del: write('city/del', ['删除城市', 'Delete a city'], {
    method: 'GET',
    input: z.object({ id }),
    output: z.object({ id, deleted: z.literal(true), already: z.boolean().optional() }),
    touches,
    scope: placed('city', 'id'),
    permit: 'system.city.del',
  }),
  open: write('system/city/open', ['开城', 'Open a city'], {
    input: z.object({ ...one, reason: lines(255, 2) }),
    output: changed,
    touches,
    scope: placed('city', 'id'),
    permit: 'system.city.open',
  }),
  pause: write('system/city/pause', ['暂停服务', 'Pause a city'], {
    input: z.object({ ...one, reason: lines(255, 2) }),
    output: changed,
    touches,
    scope: placed('city', 'id'),
    permit: 'system.city.pause',
  }),
  setDefault: write('system/city/setDefault', ['设为默认城市', 'Make a city the default'], {
    input: z.object(one),
    output: changed,
    touches,
    scope: placed('city', 'id'),
    permit: 'system.city.setDefault',
  }),
  sort: write('system/city/sort', ['调整城市排序', 'Arrange cities'], {
    input: z.object({ order: z.array(id).min(1).max(1000), list_version: z.int() }),
    output: z.object({ list_version: z.int() }),
    touches,
    scope: placed('city'),
    permit: 'system.city.sort',
  }),
  export: write('system/city/export', ['导出城市', 'Export cities'], {
    input: z.object({
      keyword: searched(32).optional(),
      status: z.enum(['preparing', 'open', 'paused']).optional(),
      ...exportFile(),
    }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('city'),
    permit: 'system.city.export',
  }),
}
