import { z } from 'zod'
import {
  FILES_MOST,
  materialKinds,
  materialStates,
  type MaterialKind,
  type MaterialState,
} from '#src/areas/material/material.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  id,
  keysOf,
  keyText,
  lines,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

export const MATERIALS_MOST = 100
const kind = keysOf<MaterialKind>(materialKinds)
const status = keysOf<MaterialState>(materialStates)
const pixels = z.int().min(0).max(20_000)
const codeArea = z.object({ x: pixels, y: pixels, size: pixels })

export const materialRow = z.object({
  id,
  title: z.string(),
  kind,
  product_id: id.nullable(),
  product_name: z.string(),
  /** Whether its goods are on sale; true of material that is for no one product. */
  on_sale: z.boolean(),
  price_cents: cents.nullable(),
  files: z.array(z.string()),
  code_area: codeArea.nullable(),
  content: z.string(),
  mall_ids: z.array(id),
  mall_names: z.array(z.string()),
  start_at: unix,
  end_at: unix.nullable(),
  sort: z.int(),
  view_count: z.int(),
  download_count: z.int(),
  share_count: z.int(),
  order_count: z.int(),
  /** Printed prices that are not the live one (cents); none where that was confirmed. */
  outdated: z.array(cents),
  price_confirmed_at: unix.nullable(),
  reason: z.string(),
  status,
  version,
})
export type MaterialRow = z.output<typeof materialRow>

const fields = {
  title: text(30),
  kind,
  product_id: id.nullable().default(null),
  files: z.array(keyText(255, 1)).max(FILES_MOST).default([]),
  code_area: codeArea.nullable().default(null),
  content: lines(1000, 0).default(''),
  mall_ids: z.array(id).max(MATERIALS_MOST).default([]),
  start_at: unix,
  end_at: unix.nullable().default(null),
}
const filters = {
  /** A part of the title or of the goods’ title, or its number. */
  keyword: searched(30).optional(),
  status: status.optional(),
  kind: kind.optional(),
  /** What sellers of that mall get; 0: what is for all malls. */
  mid: z.int().min(0).max(2147483647).optional(),
  product_id: id.optional(),
  outdated: z.boolean().optional(),
  /** Published, and over within a week. */
  ending: z.boolean().optional(),
}
const call = callsOf('distribution/material', {
  touches: ['dist_material', 'product'],
  rows: 'dist_material',
})
const named = { product_id: 'product', mall_ids: 'mall' }
/** What sellers promote with. */
export const materials = {
  lst: call.lists('lst', ['推广素材', 'Promotion materials'], {
    filters,
    row: materialRow,
    answer: { stat: z.record(z.string(), z.int()) },
  }),
  /** Goods that sellers promote. */
  products: call.lists('products', ['可推广商品', 'Goods to promote'], {
    filters: { keyword: searched(60).optional() },
    row: z.object({ id, name: z.string(), price_cents: cents }),
    touches: ['dist_product', 'product'],
    scope: placed('product'),
    permit: 'distribution.material.view',
  }),
  /** Sellers whose poster may be looked at. */
  sellers: call.lists('sellers', ['分销员', 'Sellers'], {
    filters: { keyword: searched(40).optional() },
    row: z.object({ id, name: z.string(), invite_code: z.string() }),
    touches: ['distributor'],
    scope: placed('distributor'),
    permit: 'distribution.material.testPoster',
  }),
  create: call.creates('create', ['新增素材', 'New material'], {
    fields,
    scope: placed('dist_material', named),
  }),
  edit: call.changes('edit', ['编辑素材', 'Edit material'], {
    fields,
    scope: placed('dist_material', { id: 'dist_material', ...named }),
  }),
  publish: call.changes('publish', ['发布', 'Publish'], {
    fields: { confirm_price: z.boolean().default(false) },
  }),
  offline: call.changes('offline', ['下线', 'Take offline'], { fields: { reason } }),
  sort: call.changes('sort', ['调整排序', 'Change order'], {
    fields: { sort: z.int().min(0).max(999_999) },
  }),
  copy: call.changes('copy', ['复制素材', 'Copy']),
  testPoster: call.write('testPoster', ['预览海报', 'Preview poster'], {
    input: z.object({ id, distributor_id: id }),
    output: z.object({
      title: z.string(),
      seller: z.string(),
      invite_code: z.string(),
      picture: z.string(),
      width: z.int().nullable(),
      height: z.int().nullable(),
      area: codeArea,
      /** The QR as an address of its picture. */
      code: z.string(),
      link: z.string(),
    }),
    scope: placed('dist_material', { id: 'dist_material', distributor_id: 'distributor' }),
  }),
  batchOffline: call.write('batchOffline', ['批量下线', 'Take several off'], {
    input: z.object({ ids: z.array(id).min(1).max(MATERIALS_MOST), reason }),
    output: batchResult,
    scope: placed('dist_material', { ids: 'dist_material' }),
  }),
  export: call.startsExport('export', ['导出素材效果', 'Export results'], { filters }),
}
