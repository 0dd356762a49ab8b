import { z } from 'zod'
import { blockKinds, pageType, type PageType } from '#src/areas/scheme/blocks.ts'
import { keyParts, type KeyPart } from '#src/areas/scheme/pageKey.ts'
import { placed } from './call.ts'
import { linkParams } from './link.ts'
import { callsOf, one, reason } from './record.ts'
import { id, keysOf, keyText, lines, open, searched, text, unix, version } from './shapes.ts'

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
const blocksOf = (type: PageType) =>
  z
    .array(block)
    .max(pageType(type).most)
    .refine(all => new Set(all.map(({ id: key }) => key)).size === all.length, {
      message: '组件编号重复',
    })
type Part = z.ZodDefault<z.ZodInt>
const none = z.int().min(0).max(0).default(0)
/** What names a page of a type: of the parts that it is not of nothing is sent. */
const keyShape = (type: PageType): Readonly<Record<KeyPart, Part>> => {
  const part = (name: KeyPart) => (pageType(type).of.includes(name) ? id : none) as unknown as Part
  return { city_id: part('city_id'), category_id: part('category_id'), brand_id: part('brand_id') }
}
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
  city_id: z.int(),
  category_id: z.int(),
  brand_id: z.int(),
  /** What it is of, in words. */
  name: z.string(),
  /** Why nothing may be published of it now, or what there is to know. */
  fault: z.string(),
  warning: z.string(),
  /** The draft, else what is live, else what a page begins with. */
  blocks: z.array(block),
  draft: who.nullable(),
  live_no: z.int().nullable(),
  scheduled: z.object({ no: z.int(), at: unix, by: z.string() }).nullable(),
  versions: z.array(versionRow),
})
export type Designed = z.output<typeof designed>
/** A city, category or brand that has such a page, or may have one. */
const choice = z.object({
  id,
  name: z.string(),
  live_no: z.int().nullable(),
  has_draft: z.boolean(),
})
export type Choice = z.output<typeof choice>
const published = { no: z.int() }

const common = (type: PageType) => {
  const { at, of } = pageType(type)
  const isOfCity = of.includes('city_id')
  return {
    call: callsOf(at, { touches: ['page_scheme'], rows: isOfCity ? 'page_scheme' : 'all' }),
    key: keyShape(type),
    ofKey: isOfCity ? placed('page_scheme', { city_id: 'city' }) : ('all' as const),
    ofPage: isOfCity ? placed('page_scheme', 'id') : ('all' as const),
    ofCity: isOfCity ? placed('city', { city_id: 'city' }) : ('all' as const),
    view: { permit: `${at.replaceAll('/', '.')}.view` },
  }
}
const shows = ['banner', 'product', 'coupon', 'mall', 'store', 'page_link', 'citySettings', 'brand']
const picksOf = (type: PageType) => {
  const { call, key, ofCity, ofKey, view } = common(type)
  return {
    /** The cities, categories or brands of which there may be such a page, and how far it is. */
    lst: call.lists('lst', ['可装修的页面', 'Pages to design'], {
      filters: {
        keyword: searched(32).optional(),
        /** What is chosen; the last part of the page’s key unless said otherwise. */
        part: z.enum(keyParts).optional(),
        /** Those alone that somebody has designed. */
        designed: z.boolean().optional(),
        /** All but this one. */
        but: id.optional(),
        city_id: z.int().min(0).default(0),
        category_id: z.int().min(0).default(0),
      },
      row: choice,
      touches: ['page_scheme', 'city', 'e_category', 'brand', 'brand_wall', 'product'],
      scope: ofCity,
    }),
    /** Products that the page may show. */
    goods: call.lists('goods', ['可选商品', 'Products to choose'], {
      filters: { ...key, keyword: searched(32).optional() },
      row: z.object({ id, name: z.string(), note: z.string() }),
      touches: ['product'],
      scope: ofKey,
      ...view,
    }),
    templates: call.read('templates', ['页面模板', 'Templates'], {
      input: z.object({
        keyword: searched(32).optional(),
        page: z.int().min(1).max(100).default(1),
        pageSize: z.int().min(1).max(100).default(20),
      }),
      output: z.object({
        list: z.array(
          z.object({ id, name: z.string(), is_fallback: z.boolean(), blocks: z.array(block) }),
        ),
        total: z.int(),
      }),
      scope: 'all',
      ...view,
    }),
  }
}
const reads = (type: PageType) => {
  const { call, key, ofKey, ofPage, view } = common(type)
  const blocks = blocksOf(type)
  return {
    ...picksOf(type),
    detail: call.read('detail', ['页面草稿与版本', 'Draft and versions'], {
      input: z.object(key),
      output: designed,
      touches: ['page_scheme', 'e_category', 'brand', 'brand_wall', 'product'],
      scope: ofKey,
      ...view,
    }),
    /** What blocks would show on the page now, and what keeps them from being published. */
    data: call.read('data', ['组件数据', 'What blocks show'], {
      method: 'POST',
      input: z.object({ ...key, blocks }),
      output: z.object({
        blocks: z.array(z.object({ id: z.string(), link_name: z.string(), items: z.array(item) })),
        faults: z.array(
          z.object({ block: z.string(), field: z.string().optional(), text: z.string() }),
        ),
      }),
      touches: [...shows, 'brand_wall', 'e_category'],
      scope: ofKey,
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
    /** What the app shows: read from memory, and anew as soon as something is published. */
    live: call.read('live', ['线上页面', 'The live page'], {
      input: z.object(key),
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
const writes = (type: PageType) => {
  const { call, key, ofKey } = common(type)
  const blocks = blocksOf(type)
  return {
    /** The whole draft, as it was read; version 0 begins the page. */
    save: call.write('save', ['保存页面草稿', 'Save the draft'], {
      input: z.object({ ...key, version, blocks }),
      output: z.object(one),
      scope: ofKey,
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
    unpublish: call.changes('unpublish', ['页面下线', 'Take the page down'], {
      fields: { reason },
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
/** The template that cities without a page of their own show; none: what every page begins with. */
export const setFallbackCall = (type: PageType) =>
  common(type).call.write('setFallback', ['设置默认模板', 'Set the default template'], {
    input: z.object({ template_id: id.optional() }),
    output: z.object({ id: z.int() }),
    scope: 'all',
  })
/** Blocks of the page of a brand, for a page of the same brand inside a category. */
export const inheritedCall = (type: PageType) => {
  const { call, key, ofKey, view } = common(type)
  return call.read('inherited', ['品牌主页的组件', 'Blocks of the brand’s page'], {
    input: z.object(key),
    output: z.object({ blocks: z.array(block) }),
    scope: ofKey,
    ...view,
  })
}
/** Drafts like this page for other brands of the same wall, each with goods of its own. */
export const batchApplyCall = (type: PageType) => {
  const { call } = common(type)
  return call.changes('batchApply', ['应用到其他品牌', 'Apply to other brands'], {
    fields: { brand_ids: z.array(id).min(1).max(60) },
    answer: {
      applied: z.array(z.string()),
      skipped: z.array(z.object({ name: z.string(), why: z.string() })),
    },
  })
}
/** The calls of a page that is designed. */
export const designerCalls = (type: PageType) => ({ ...reads(type), ...writes(type) })
export type DesignerCalls = ReturnType<typeof designerCalls>
