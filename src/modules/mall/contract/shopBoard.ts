import { z } from 'zod'
import { placed, read, write } from '#src/contract/call.ts'
import { id, unix } from '#src/contract/shapes.ts'
import { ids, storeResult, touches } from './recommend.ts'
import { paging } from './shared.ts'

const storesIn = { mid: id, category_id: id, store_ids: ids }
export const shopBoard = {
  cancel: write('mall/shop/cancel', ['取消推荐', 'Remove from recommended'], {
    input: z.object(storesIn),
    output: storeResult,
    touches,
    scope: placed('store', { mid: 'mall' }),
    permit: 'mall.shop.cancel',
  }),
  batchCancel: write('mall/shop/batchCancel', ['批量取消', 'Remove selected from recommended'], {
    input: z.object(storesIn),
    output: storeResult,
    touches,
    scope: placed('store', { mid: 'mall' }),
    permit: 'mall.shop.batchCancel',
  }),
  copyOrder: write('mall/shop/copyOrder', ['复制顺序到其他分类', 'Copy order to categories'], {
    input: z.object({ mid: id, from_category_id: id, category_id: id }),
    output: storeResult,
    touches,
    scope: placed('store', { mid: 'mall' }),
    permit: 'mall.shop.copyOrder',
  }),
  history: read('mall/shop/history', ['推荐变更记录', 'Changes'], {
    input: z.object({ ...paging, mid: id, category_id: id }),
    output: z.object({
      list: z.array(
        z.object({ id, at: unix, by: z.string(), what: z.string(), reason: z.string().nullable() }),
      ),
      total: z.int(),
    }),
    touches,
    scope: placed('store', { mid: 'mall' }),
    permit: 'mall.shop.history',
  }),
}
