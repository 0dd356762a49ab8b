import { z } from 'zod'
import { BLOCKS_MAX, blockKinds } from '#src/areas/scheme/blocks.ts'
import { placed } from '#src/contract/call.ts'
import { linkParams } from '#src/contract/link.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
import {
  id,
  keysOf,
  keyText,
  lines,
  open,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const value = z.union([
  lines(255, 0),
  z.int(),
  z.array(id).max(20),
  z.strictObject({ page_link_id: id, link_params: linkParams }),
])
export const block = z.object({
  id: keyText(24, 1),
  kind: keysOf(blockKinds),
  props: z.record(keyText(16, 1), value),
})
const blocks = z
  .array(block)
  .max(BLOCKS_MAX)
  .refine(all => new Set(all.map(({ id: key }) => key)).size === all.length, {
    message: '组件编号重复',
  })
const item = z.object({
  id,
  title: z.string(),
  note: z.string(),
  image: z.string(),
  price_cents: open('What consumers are asked for it', z.int()).nullable(),
})
const who = z.object({ id: z.int(), name: z.string(), at: unix })
const versionRow = z.object({
  id,
  no: z.int(),
  note: z.string(),
  by: z.string(),
  made_at: unix,
  published_at: unix.nullable(),
  from_rollback: z.int().nullable(),
  blocks: z.int(),
})
export type PageVersion = z.output<typeof versionRow>
export const designed = z.object({
  /** 0 until somebody has saved a draft. */
  id: z.int(),
  version,
  city_id: id,
  city_name: z.string(),
  /** The draft, else what is live, else what a page begins with. */
  blocks: z.array(block),
  draft: who.nullable(),
  live_no: z.int().nullable(),
  scheduled: z.object({ no: z.int(), at: unix, by: z.string() }).nullable(),
  versions: z.array(versionRow),
})
export type Designed = z.output<typeof designed>
const cityRow = z.object({
  id,
  city_id: id,
  city_name: z.string(),
  live_no: z.int().nullable(),
  has_draft: z.boolean(),
})
const published = { no: z.int() }

const common = (at: string) => ({
  call: callsOf(at, { touches: ['page_scheme'], rows: 'page_scheme' }),
  ofCity: placed('page_scheme', { city_id: 'city' }),
  ofPage: placed('page_scheme', 'id'),
  stem: at.replaceAll('/', '.'),
})
const reads = (at: string) => {
  const { call, ofCity, ofPage, stem } = common(at)
  const view = { permit: `${stem}.view` }
  return {
    /** The cities, and how far the page of each is. */
    lst: call.lists('lst', ['各城市页面', 'Pages by city'], {
      filters: { keyword: searched(32).optional() },
      row: cityRow,
      touches: ['page_scheme', 'city'],
      scope: placed('city'),
    }),
    detail: call.read('detail', ['页面草稿与版本', 'Draft and versions'], {
      input: z.object({ city_id: id }),
      output: designed,
      scope: ofCity,
      ...view,
    }),
    /** What blocks would show in the city now, and what keeps them from being published. */
    data: call.read('data', ['组件数据', 'What blocks show'], {
      method: 'POST',
      input: z.object({ city_id: id, blocks }),
      output: z.object({
        blocks: z.array(z.object({ id: z.string(), link_name: z.string(), items: z.array(item) })),
        faults: z.array(
          z.object({ block: z.string(), field: z.string().optional(), text: z.string() }),
        ),
      }),
      touches: ['banner', 'product', 'coupon', 'mall', 'store', 'page_link', 'citySettings'],
      scope: ofCity,
      ...view,
    }),
    version: call.read('version', ['页面版本内容', 'What a version holds'], {
      input: z.object({ id, no: z.int().min(1) }),
      output: z.object({ no: z.int(), blocks: z.array(block) }),
      scope: ofPage,
      ...view,
    }),
    /** An address that shows the saved draft to whoever has it, for a day. */
    preview: call.read('preview', ['手机预览', 'Preview on a phone'], {
      input: z.object({ id }),
      output: z.object({ path: z.string(), until: unix }),
      scope: ofPage,
      ...view,
    }),
    templates: call.read('templates', ['页面模板', 'Templates'], {
      input: z.object({
        keyword: searched(32).optional(),
        page: z.int().min(1).max(100).default(1),
        pageSize: z.int().min(1).max(100).default(20),
      }),
      output: z.object({
        list: z.array(z.object({ id, name: z.string(), blocks: z.array(block) })),
        total: z.int(),
      }),
      scope: 'all',
      ...view,
    }),
    /** What the app shows in a city: read from memory, and anew as soon as something is published. */
    live: call.read('live', ['线上页面', 'The live page'], {
      input: z.object({ city_id: id }),
      output: z.object({
        no: z.int(),
        published_at: unix.nullable(),
        blocks: z.array(z.object({ ...block.shape, items: z.array(item) })),
      }),
      permit: 'public',
      scope: { none: 'What is published is shown to everybody' },
    }),
  }
}
const writes = (at: string) => {
  const { call, ofCity } = common(at)
  return {
    /** The whole draft, as it was read; version 0 begins the page of a city. */
    save: call.write('save', ['保存页面草稿', 'Save the draft'], {
      input: z.object({ city_id: id, version, blocks }),
      output: z.object(one),
      scope: ofCity,
    }),
    publish: call.changes('publish', ['发布页面', 'Publish the page'], {
      fields: { note: text(255), scheduled: z.enum(['keep', 'cancel']).optional() },
      answer: published,
    }),
    schedule: call.changes('schedule', ['定时发布页面', 'Schedule the page'], {
      fields: { at: unix, note: text(255) },
      answer: published,
    }),
    cancelSchedule: call.changes('cancelSchedule', ['取消定时发布', 'Cancel the schedule']),
    rollback: call.changes('rollback', ['回滚页面版本', 'Roll the page back'], {
      fields: { no: z.int().min(1), reason },
      answer: published,
    }),
    discard: call.changes('discard', ['放弃页面草稿', 'Discard the draft']),
    takeOver: call.changes('takeOver', ['接手页面草稿', 'Take the draft over']),
    saveAsTemplate: call.write('saveAsTemplate', ['存为页面模板', 'Save as a template'], {
      input: z.object({ name: text(32), blocks }),
      output: z.object(one),
      scope: 'all',
    }),
  }
}
/** The calls of a page that is designed; `at` is its address below the console's. */
export const designerCalls = (at: string) => ({ ...reads(at), ...writes(at) })
export type DesignerCalls = ReturnType<typeof designerCalls>
