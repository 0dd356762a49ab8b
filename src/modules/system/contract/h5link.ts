import { z } from 'zod'
import { BATCH_TEXT_MAX, h5States, type H5State } from '#src/areas/link/h5Link.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  lines,
  listOf,
  page,
  pasted,
  searched,
  text,
  unix,
  version,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'
import { rowJobQueued } from '#src/modules/job/contract.ts'

const state = z.enum(Object.keys(h5States) as [H5State, ...H5State[]])
const params = z.record(text(32), z.union([text(128), z.int()]))
const brought = {
  visits: z.int(),
  orders: z.int(),
  new_members: z.int(),
  gmv_cents: guarded('stat.amount_cents', cents),
}
export const h5Row = z.object({
  id,
  name: z.string(),
  code: z.string(),
  channel: z.string(),
  page_link_id: id,
  link_name: z.string(),
  link_ok: z.boolean(),
  link_note: z.string(),
  link_params: params,
  expire_at: unix,
  status: state,
  stop_reason: z.string().nullable(),
  /** WeChat's own link would end before: our redirect makes a new one. */
  renews: z.boolean(),
  created_at: unix,
  version,
  ...brought,
})
export type H5Row = z.output<typeof h5Row>
const filters = {
  keyword: searched(64).optional(),
  channel: searched(32).optional(),
  status: state.optional(),
  page_link_id: id.optional(),
}
const one = { id, version }
const changed = z.object({ id, version })
const touches = ['h5_link'] as const

export const h5link = {
  lst: read('system/h5link/lst', ['H5推广短链', 'H5 promo links'], {
    input: z.object({ ...page, ...filters }),
    output: listOf(h5Row),
    touches: ['h5_link', 'page_link', 'order'],
    scope: 'all',
    permit: 'system.h5link.view',
  }),
  /** `again`: also where a link to that target in that channel is there. */
  create: write('system/h5link/create', ['生成短链', 'Create a short link'], {
    input: z.object({
      name: text(64),
      page_link_id: id,
      params: params.default({}),
      channel: text(32),
      expire_at: unix,
      again: z.boolean().default(false),
    }),
    output: z.object({ id, version, code: z.string() }),
    touches: ['h5_link', 'page_link'],
    scope: 'all',
    permit: 'system.h5link.create',
  }),
  /** `ok` and `failed` name the lines of the text. More than 500 become a job. */
  batchCreate: write('system/h5link/batchCreate', ['批量生成短链', 'Create short links'], {
    input: z.object({ file: pasted(BATCH_TEXT_MAX), again: z.boolean().default(false) }),
    output: z.union([batchResult, rowJobQueued]),
    touches: ['h5_link', 'page_link', 'job'],
    scope: 'all',
    permit: 'system.h5link.batchCreate',
    body_max: 3 * BATCH_TEXT_MAX + 65_536,
  }),
  edit: write('system/h5link/edit', ['编辑名称与渠道', 'Edit name and channel'], {
    input: z.object({ ...one, name: text(64), channel: text(32) }),
    output: changed,
    touches,
    scope: 'all',
    permit: 'system.h5link.edit',
  }),
  stop: write('system/h5link/stop', ['停用短链', 'Stop a link'], {
    input: z.object({ ...one, reason: lines(255, 2) }),
    output: changed,
    touches: ['h5_link', 'page_link'],
    scope: 'all',
    permit: 'system.h5link.stop',
  }),
  renew: write('system/h5link/renew', ['短链续期', 'Renew a link'], {
    input: z.object({ ...one, expire_at: unix }),
    output: changed,
    touches: ['h5_link', 'page_link'],
    scope: 'all',
    permit: 'system.h5link.renew',
  }),
  /** Day by day, the last 30 days. */
  stat: read('system/h5link/stat', ['短链效果', 'What a link brought'], {
    input: z.object({ id }),
    output: z.object({
      days: z.array(
        z.object({
          day: z.string(),
          visits: z.int(),
          orders: z.int(),
          gmv_cents: guarded('stat.amount_cents', cents),
        }),
      ),
      ...brought,
      devices: z.int(),
    }),
    touches: ['h5_link', 'order'],
    scope: placed('order'),
    permit: 'system.h5link.stat',
  }),
  export: write('system/h5link/export', ['导出短链数据', 'Export short links'], {
    input: z.object({ ...filters, ...asksExport() }),
    output: exportBegun,
    touches: ['export'],
    scope: 'all',
    permit: 'system.h5link.export',
  }),
}
