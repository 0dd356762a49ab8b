import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { liveChannels, liveStates, replayStates } from './broadcast.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  live_room: {
    title: ['直播间', 'Live room'],
    fields: {
      channel: { title: ['渠道', 'Channel'], kind: 'enum', options: liveChannels },
      host_id: { title: ['主播编号', 'Host'], kind: 'number' },
      cover: { title: ['封面图', 'Cover'] },
      share_image: { title: ['分享图', 'Share picture'] },
      background: { title: ['背景图', 'Background'] },
      coupon_ids: { title: ['优惠券编号', 'Coupons'], kind: 'list' },
      comments_on: { title: ['评论', 'Comments'], kind: 'flag' },
      goods_on: { title: ['商品货架', 'Shelf'], kind: 'flag' },
      state: { title: ['状态', 'State'], kind: 'enum', options: liveStates },
      replay_state: { title: ['回放', 'Replay'], kind: 'enum', options: replayStates },
      recommended: { title: ['推荐', 'Recommended'], kind: 'flag' },
      gone: { title: ['已删除', 'Deleted'], kind: 'flag' },
      notices: { title: ['待通知人数', 'To be told'], kind: 'number' },
      product_ids: { title: ['商品', 'Products'], kind: 'names', of: 'product' },
      price_cents: { title: ['直播价', 'Live price'], kind: 'money' },
      stock: { title: ['直播库存', 'Live stock'], kind: 'number' },
      order: { title: ['商品顺序', 'Order of products'], kind: 'names', of: 'product' },
    },
  },
}
