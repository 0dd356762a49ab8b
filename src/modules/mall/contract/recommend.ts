import { z } from 'zod'
import {
  placed,
  read,
  write,
  type Call,
  type Result,
  type Schema,
  type Sent,
  type Write,
} from '#src/contract/call.ts'
import {
  cents,
  flag,
  guarded,
  id,
  keyText,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import type { Text } from '#src/domain/text.ts'
import { tuan as audits } from '#src/modules/audit/contract.ts'
import { boardResult, listVersion, order, paging, place, theirs } from './shared.ts'

const rowOf = {
  city_id: z.int(),
  city_name: z.string(),
  mid: z.int(),
  mall_name: z.string(),
  is_recommend: z.boolean(),
  sort: z.int(),
  recommend_start_at: unix.nullable(),
  recommend_end_at: unix.nullable(),
  set_by_name: z.string(),
  set_at: unix.nullable(),
  drop_reason: z.string().nullable(),
  blocked_reason: z.string().nullable(),
  version,
}
export const couponRow = z.object({
  id,
  coupon_no: z.string(),
  name: z.string(),
  kind: z.string(),
  face_cents: cents,
  threshold_cents: cents,
  discount_bp: z.int().nullable(),
  total: z.int(),
  claimed_count: z.int(),
  used_count: z.int(),
  left: z.int(),
  claim_start_at: unix,
  claim_end_at: unix,
  status: z.string(),
  apply_kind: z.string(),
  ...rowOf,
})
export type CouponRow = z.output<typeof couponRow>
export const offerRow = z.object({
  id,
  kind: z.string(),
  title: z.string(),
  image: z.string(),
  merchant_id: id,
  merchant_name: z.string(),
  store_count_in_mall: z.int(),
  list_price_cents: cents,
  price_cents: cents,
  settle_price_cents: guarded('product.settle_price_cents', cents),
  face_cents: cents.nullable(),
  min_spend_cents: cents.nullable(),
  stock_left: z.int(),
  sold_30d: z.int(),
  /** Buyers among those who looked in 30 days, in 1/10000; null where nobody looked. */
  convert_bp: z.int().nullable(),
  /** Codes redeemed of those sold, in 1/10000; null where none was sold. */
  verified_bp: z.int().nullable(),
  sale_start_at: unix,
  sale_end_at: unix,
  check_start_at: unix,
  check_end_at: unix,
  state: z.string(),
  ...rowOf,
})
export type OfferRow = z.output<typeof offerRow>
const asked = {
  ...paging,
  mid: place,
  city_id: id.optional(),
  is_recommend: z.boolean().optional(),
  keyword: searched(40).optional(),
}
const board = {
  total: z.int(),
  recommended: z.int(),
  max: z.int(),
  list_version: listVersion,
  theirs,
}
export const ids = z.array(id).min(1).max(100)
const status = {
  mid: place,
  city_id: id.optional(),
  ids: ids.optional(),
  id: id.optional(),
  is_recommend: flag,
  start_at: unix.optional(),
  end_at: unix.optional(),
}
const reads = ['recommend', 'coupon', 'product', 'store', 'mall'] as const
export const touches = ['recommend'] as const
const offerBlock = z.enum(['group', 'featured'])

export const coupon = {
  listRecommends: read('coupon/listRecommends', ['优惠券推荐位', 'Recommended coupons'], {
    input: z.object({ ...asked, kind: keyText(20).optional() }),
    output: z.object({ list: z.array(couponRow), ...board }),
    touches: reads,
    scope: placed('coupon', { mid: 'mall' }),
    permit: 'mall.coupon.view',
  }),
  recommendstatus: write('coupon/recommendstatus', ['设置优惠券推荐', 'Recommend coupons'], {
    input: z.object(status),
    output: boardResult,
    touches,
    scope: placed('coupon', { mid: 'mall' }),
    permit: 'mall.coupon.recommend',
  }),
}
export const tuan = {
  listRecommends: read('tuan/listRecommends', ['团购推荐位', 'Recommended group-buys'], {
    input: z.object({
      ...asked,
      block: offerBlock.default('group'),
      category_id: id.optional(),
      kind: keyText(20).optional(),
      expiring: z.boolean().optional(),
    }),
    output: z.object({ list: z.array(offerRow), ...board, title: z.string() }),
    touches: reads,
    scope: placed('product', { mid: 'mall' }),
    permit: 'mall.group.view',
  }),
  recommendstatus: write('tuan/recommendstatus', ['设置团购推荐', 'Recommend group-buys'], {
    input: z.object({ ...status, block: offerBlock.default('group') }),
    output: boardResult,
    touches,
    scope: placed('product', { mid: 'mall' }),
    permit: 'mall.group.recommend',
  }),
  setmallrecommendtitle: write(
    'tuan/setmallrecommendtitle',
    ['设置推荐标题', 'Set a block’s title'],
    {
      input: z.object({
        mid: place,
        city_id: id.optional(),
        title: text(24, 0),
        block: offerBlock.default('group'),
      }),
      output: z.object({ mid: z.int(), block: offerBlock, title: z.string(), version }),
      touches: ['recommend', 'mall'],
      scope: placed('product', { mid: 'mall' }),
      permit: 'mall.group.setTitle',
    },
  ),
}
export const voucher = {
  listRecommends: read('voucher/listRecommends', ['代金券推荐位', 'Recommended vouchers'], {
    input: z.object({ ...asked, merchant_id: id.optional() }),
    output: z.object({ list: z.array(offerRow), ...board, max_per_merchant: z.int() }),
    touches: reads,
    scope: placed('product', { mid: 'mall' }),
    permit: 'mall.voucher.view',
  }),
  recommendstatus: write('voucher/recommendstatus', ['设置代金券推荐', 'Recommend vouchers'], {
    input: z.object(status),
    output: boardResult,
    touches,
    scope: placed('product', { mid: 'mall' }),
    permit: 'mall.voucher.recommend',
  }),
}

type Times = typeof audits.batchUpdateStartAndCheckTime
type Logs = typeof audits.timeLogs
type Parsed<C> = C extends Call<infer _, infer P, infer __> ? P : never
const many = z.object({
  mid: place,
  city_id: id.optional(),
  ids,
  start_at: unix.optional(),
  end_at: unix.optional(),
})
type Many = Write<z.input<typeof many>, z.output<typeof many>, z.output<typeof boardResult>>
const verb = (page: string, name: string, title: Text): Many =>
  write(`mall/${page}/${name}`, title, {
    input: many,
    output: boardResult,
    touches,
    scope: placed('product', { mid: 'mall' }),
    permit: `mall.${page}.${name}`,
  })
const ordered = z.object({ mid: place, city_id: id.optional(), order, list_version: listVersion })
const sorted = z.object({ order, list_version: listVersion })
const sort = (page: string, name = 'sort') =>
  write(`mall/${page}/${name}`, ['调整顺序', 'Save the order'], {
    input: ordered,
    output: sorted,
    touches,
    scope: placed('product', { mid: 'mall' }),
    permit: `mall.${page}.${name}`,
  })
const title = (page: string, block: 'group' | 'featured') =>
  write(`mall/${page}/setTitle`, ['设置标题', 'Set the title'], {
    input: z.object({ mid: place, city_id: id.optional(), title: text(24, 0) }),
    output: z.object({ mid: z.int(), block: z.literal(block), title: z.string(), version }),
    touches: ['recommend', 'mall'],
    scope: placed('product', { mid: 'mall' }),
    permit: `mall.${page}.setTitle`,
  })

/** The verbs of each board page under their own rights; they do what the calls above do. */
export const couponBoard = {
  recommend: verb('coupon', 'recommend', ['设为推荐', 'Recommend']),
  unrecommend: verb('coupon', 'unrecommend', ['取消推荐', 'Remove from recommended']),
  batchRecommend: verb('coupon', 'batchRecommend', ['批量推荐', 'Recommend selected']),
  batchUnrecommend: verb('coupon', 'batchUnrecommend', [
    '批量取消',
    'Remove selected from recommended',
  ]),
  sort: sort('coupon'),
}
export const voucherBoard = {
  recommend: verb('voucher', 'recommend', ['设为推荐', 'Recommend']),
  unrecommend: verb('voucher', 'unrecommend', ['取消推荐', 'Remove from recommended']),
  batchRecommend: verb('voucher', 'batchRecommend', ['批量推荐', 'Recommend selected']),
  batchUnrecommend: verb('voucher', 'batchUnrecommend', [
    '批量取消',
    'Remove selected from recommended',
  ]),
  sort: sort('voucher'),
}
export const groupBoard = {
  recommend: verb('group', 'recommend', ['设为推荐', 'Recommend']),
  unrecommend: verb('group', 'unrecommend', ['取消推荐', 'Remove from recommended']),
  sort: sort('group'),
  setTitle: title('group', 'group'),
  /** As `tuan/batchUpdateStartAndCheckTime` of the audit pages, under this page's right. */
  batchTime: write(
    'mall/group/batchUpdateStartAndCheckTime',
    ['批量改售卖与核销时间', 'Change sale and redeem times'],
    {
      input: audits.batchUpdateStartAndCheckTime.input as unknown as Schema<
        Sent<Times>,
        Parsed<Times>
      >,
      output: audits.batchUpdateStartAndCheckTime.output as unknown as Schema<
        unknown,
        Result<Times>
      >,
      touches: ['product', 'audit', 'time_log', 'recommend'],
      scope: placed('product'),
      permit: 'mall.group.batchUpdateStartAndCheckTime',
    },
  ),
  /** As `tuan/getBatchUpdateTuanProductTimeLogLst`, under this page's right. */
  timeLogs: read('mall/group/timeLogs', ['查看改期日志', 'Time changes'], {
    input: audits.timeLogs.input as unknown as Schema<Sent<Logs>, Parsed<Logs>>,
    output: audits.timeLogs.output as unknown as Schema<unknown, Result<Logs>>,
    touches: ['time_log'],
    scope: placed('product'),
    permit: 'mall.group.timeLogs',
  }),
}
export const featuredBoard = {
  pick: verb('productsFeatured', 'pick', ['加入精选', 'Feature']),
  remove: verb('productsFeatured', 'remove', ['移出精选', 'Remove from featured']),
  sort: sort('productsFeatured'),
  setTitle: title('productsFeatured', 'featured'),
  /**
   * The window of what is featured already; with neither end it is shown for as long as it sells.
   */
  schedule: write('mall/productsFeatured/schedule', ['设置展示时间', 'Set display period'], {
    input: z.object({
      mid: place,
      city_id: id.optional(),
      id,
      version,
      start_at: unix.nullable(),
      end_at: unix.nullable(),
    }),
    output: z.object({ id, version, list_version: listVersion }),
    touches,
    scope: placed('product', { mid: 'mall' }),
    permit: 'mall.productsFeatured.schedule',
  }),
  /** Takes what is dead off and puts the best sellers that fit in their places. */
  replace: write(
    'mall/productsFeatured/replace',
    ['一键替换失效商品', 'Replace unavailable items'],
    {
      input: z.object({ mid: place, city_id: id.optional() }),
      output: z.object({
        removed: z.array(z.object({ id, title: z.string(), reason: z.string() })),
        added: z.array(z.object({ id, title: z.string() })),
        list_version: listVersion,
      }),
      touches,
      scope: placed('product', { mid: 'mall' }),
      permit: 'mall.productsFeatured.replace',
    },
  ),
}

const storeRow = z.object({
  id: z.int(),
  store_id: id,
  store_name: z.string(),
  logo: z.string(),
  mid: z.int(),
  mall_name: z.string(),
  category_id: id,
  category_name: z.string(),
  floor_name: z.string(),
  door_no: z.string(),
  score_x10: z.int(),
  on_sale_count: z.int(),
  gmv_30d_cents: guarded('stat.gmv_cents', cents),
  status: z.string(),
  is_recommend: z.boolean(),
  sort: z.int(),
  start_at: unix.nullable(),
  end_at: unix.nullable(),
  contract_no: guarded('store.contract_no', z.string()),
  set_by_name: z.string(),
  set_at: unix.nullable(),
  blocked_reason: z.string().nullable(),
})
export type StoreRow = z.output<typeof storeRow>
export { storeRow }
export const storeResult = z.object({
  ok: z.array(id),
  failed: z.array(z.object({ id, store_id: id, reason: z.string(), msg: z.string() })),
  recommended: z.int(),
  max: z.int(),
  list_version: listVersion,
})
const paid = {
  start_at: unix.optional(),
  end_at: unix.optional(),
  contract_no: text(30, 0).optional(),
  paid: flag.optional(),
}
export const recommendSet = {
  stores: read('recommendSet/get_category_store_list', ['分类推荐门店', 'Stores of a category'], {
    input: z.object({
      ...paging,
      mid: id,
      category_id: id.optional(),
      is_recommend: z.boolean().optional(),
      floor_id: id.optional(),
      keyword: searched(40).optional(),
    }),
    output: z.object({ list: z.array(storeRow), ...board }),
    touches: reads,
    scope: placed('store', { mid: 'mall' }),
    permit: 'mall.shop.view',
  }),
  set: write('recommendSet/set_recommend', ['设置推荐门店', 'Recommend stores'], {
    input: z.object({
      mid: id,
      category_id: id,
      store_ids: ids.optional(),
      store_id: id.optional(),
      is_recommend: flag,
      ...paid,
    }),
    output: storeResult,
    touches,
    scope: placed('store', { mid: 'mall' }),
    permit: 'mall.shop.setRecommend',
  }),
  /**
   * The order of any recommendation board; others than the stores' need the right of their page.
   */
  updSort: write('recommendSet/upd_sort', ['调整推荐顺序', 'Order recommendations'], {
    input: z.object({
      mid: place,
      city_id: id.optional(),
      block: z.enum(['shop', 'coupon', 'group', 'voucher', 'featured']).default('shop'),
      category_id: id.optional(),
      order,
      list_version: listVersion,
    }),
    output: sorted,
    touches,
    scope: placed('product', { mid: 'mall' }),
    permit: 'mall.shop.updSort',
  }),
}
