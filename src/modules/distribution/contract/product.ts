import { z } from 'zod'
import {
  commissionKinds,
  distributedKinds,
  distributedStates,
  type CommissionKind,
  type DistributedState,
} from '#src/areas/commission/commission.ts'
import { LEVELS } from '#src/areas/distribution/sellers.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  searched,
  settled,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

export const GOODS_MOST = 100
const rate = z.int().min(0).max(10_000)
const hidden = <T extends z.ZodType>(schema: T) => guarded('product.commission_bp', schema)
const status = keysOf<DistributedState>(distributedStates)
const level = z.enum(Array.from({ length: LEVELS }, (_, at) => String(at + 1)) as [string])

export const goodsRow = z.object({
  id,
  name: z.string(),
  ref_kind: keysOf(distributedKinds),
  ref_id: id,
  /** Whether what it is of is on sale. */
  on_sale: z.boolean(),
  price_cents: cents,
  settle_price_cents: settled,
  commission_kind: keysOf<CommissionKind>(commissionKinds),
  seller_share_bp: hidden(rate),
  fixed_share_cents: hidden(cents),
  level_shares: hidden(z.record(z.string(), rate)),
  leader_share_bp: hidden(rate.nullable()),
  guide_share_bp: hidden(rate),
  /** What the platform keeps after all that is paid (cents, and basis points of the price). */
  kept_cents: hidden(cents),
  kept_bp: hidden(z.int()),
  sold_count: z.int(),
  refunded_count: z.int(),
  gmv_cents: guarded('stat.gmv_cents', cents),
  materials: z.int(),
  start_at: unix,
  end_at: unix.nullable(),
  sort: z.int(),
  waiver: z.string(),
  reason: z.string(),
  status,
  city_id: z.int(),
  mid: z.int(),
  version,
})
export type GoodsRow = z.output<typeof goodsRow>

const number = z.int().min(0).max(2147483647)
const filters = {
  status: status.optional(),
  /** A part of the title, or the product's number. */
  keyword: searched(60).optional(),
  city_id: number.optional(),
  mid: number.optional(),
  /** Those whose margin is under 2 % of the price. */
  thin: z.boolean().optional(),
}
const call = callsOf('distribution/index/product', {
  touches: ['dist_product', 'product'],
  rows: 'dist_product',
})
/** What is distributed, and what those who bring buyers earn of it. */
export const distributedGoods = {
  lst: call.lists('lst', ['分销商品', 'Distributed goods'], {
    filters,
    row: goodsRow,
    answer: { stat: z.record(z.string(), z.int()) },
    permit: 'distribution.index.product.view',
  }),
  /** What may be added: on sale, and not distributed yet. */
  found: call.lists('found', ['可加入分销的商品', 'Goods to distribute'], {
    filters: { keyword: searched(60).optional() },
    row: z.object({ id, name: z.string(), price_cents: cents }),
    touches: ['product', 'dist_product'],
    scope: placed('product'),
    permit: 'distribution.index.product.add',
  }),
  add: call.write('add', ['加入分销', 'Distribute'], {
    input: z.object({
      ref_ids: z.array(id).min(1).max(GOODS_MOST),
      rate_bp: rate,
      guide_bp: rate.default(0),
      end_at: unix.optional(),
    }),
    output: batchResult,
    scope: placed('dist_product', { ref_ids: 'product' }),
  }),
  editRate: call.changes('editRate', ['调整佣金', 'Change the commission'], {
    fields: {
      commission_kind: keysOf<CommissionKind>(commissionKinds),
      rate_bp: rate,
      fixed_cents: cents.min(0),
      guide_bp: rate,
      waiver: text(200, 0),
      reason,
    },
  }),
  setLevelPlus: call.changes('setLevelPlus', ['设置等级加成', 'Set level bonuses'], {
    fields: { level_plus: z.partialRecord(level, z.int().min(0).max(3000)) },
  }),
  setLeader: call.changes('setLeader', ['设置团长奖励', 'Set the leader’s bonus'], {
    fields: { leader_bp: z.int().min(0).max(1000).nullable() },
  }),
  on: call.changes('on', ['上架分销', 'Distribute again']),
  off: call.changes('off', ['下架分销', 'Stop distributing'], { fields: { reason } }),
  sort: call.changes('sort', ['调整排序', 'Change order'], {
    fields: { sort: z.int().min(0).max(999_999) },
  }),
  batchRate: call.write('batchRate', ['批量调佣', 'Change rates'], {
    input: z.object({ ids: z.array(id).min(1).max(GOODS_MOST), rate_bp: rate, reason }),
    output: batchResult,
    scope: placed('dist_product', { ids: 'dist_product' }),
  }),
  export: call.startsExport('export', ['导出分销商品', 'Export distributed goods'], { filters }),
}
