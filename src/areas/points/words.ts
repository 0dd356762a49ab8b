import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { pointsKinds, pointsMoves } from './points.ts'
import { deliveries, shopStates, zoneKinds } from './shop.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  points_check: {
    title: ['积分核对', 'Check of points'],
    fields: {
      members: { title: ['核对会员数', 'Members checked'], kind: 'number' },
      wrong_n: { title: ['差异会员数', 'Members who differ'], kind: 'number' },
    },
  },
  points_ledger: {
    title: ['积分流水', 'Points ledger row'],
    fields: {
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: pointsMoves },
      delta: { title: ['变动积分', 'Points'], kind: 'number' },
      debt_delta: { title: ['欠分变动', 'Points owed'], kind: 'number' },
      reversed_by: { title: ['冲正流水编号', 'Reversed by row'], kind: 'number' },
      note: { title: ['备注', 'Note'] },
    },
  },
  points_zone: {
    title: ['积分商城分区', 'Points-shop zone'],
    fields: {
      name: { title: ['名称', 'Name'] },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: zoneKinds },
      order: { title: ['顺序', 'Order'], kind: 'list' },
    },
  },
  points_goods: {
    title: ['积分商品', 'Points-shop goods'],
    fields: {
      name: { title: ['名称', 'Name'] },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: pointsKinds },
      zone_id: { title: ['分区', 'Zone'], kind: 'number' },
      product_id: { title: ['货源商品', 'Source goods'], kind: 'number' },
      coupon_id: { title: ['优惠券', 'Coupon'], kind: 'number' },
      points_price: { title: ['积分价', 'Points price'], kind: 'number' },
      cash_cents: { title: ['现金部分', 'Cash'], kind: 'money' },
      original_cents: { title: ['划线价', 'Original price'], kind: 'money' },
      cost_cents: { title: ['单件成本', 'Cost'], kind: 'money' },
      stock: { title: ['库存', 'Stock'], kind: 'number' },
      limit_per_member: { title: ['每人限兑', 'Limit per member'], kind: 'number' },
      level_min: { title: ['最低等级', 'Minimum level'], kind: 'number' },
      delivery: { title: ['发放方式', 'Delivery'], kind: 'enum', options: deliveries },
      start_at: { title: ['开始时间', 'Starts'], kind: 'time' },
      end_at: { title: ['结束时间', 'Ends'], kind: 'time' },
      images: { title: ['图片', 'Pictures'], kind: 'list' },
      detail: { title: ['详情', 'Detail'] },
      sort: { title: ['排序号', 'Place'], kind: 'number' },
      status: { title: ['状态', 'State'], kind: 'enum', options: shopStates },
      off_reason: { title: ['下架原因', 'Reason off sale'] },
    },
  },
}
