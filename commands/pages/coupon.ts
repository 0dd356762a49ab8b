import { z } from 'zod'
import { id } from '#src/contract/shapes.ts'
import { page, type Section } from '../command.ts'

export const section: Section = {
  key: 'coupon',
  title: '优惠券',
  en: 'Coupons',
  place: 48,
  icon: 'gift',
}

/** The form that all three addresses of a coupon open. */
const form = 'coupon/pages/index/add.tsx'
export const coupons = page('/manage/coupon/index', '优惠券列表', 'Coupons', {
  object: 'coupon',
  keys: 'g q l',
  keepAlive: true,
  alias: ['满减券', '折扣券', '兑换券', '领券', '发券', 'vouchers of members'],
})
export const couponForm = page('/manage/coupon/index/add', '新增优惠券', 'New coupon', {
  menu: false,
  file: form,
  alias: ['建券', 'make a coupon'],
})
export const couponEdit = page('/manage/coupon/index/edit/:id', '编辑优惠券', 'Edit coupon', {
  menu: false,
  file: form,
  permit: 'coupon.index.edit',
})
export const couponCopy = page('/manage/coupon/index/copy/:id', '复制优惠券', 'Copy coupon', {
  menu: false,
  file: form,
  permit: 'coupon.index.copy',
})
/** What became of one coupon, of whichever scope. */
export const couponData = page('/manage/coupon/index/data', '优惠券数据', 'Coupon data', {
  menu: false,
  search: z.looseObject({ coupon_id: id }),
  follows: ({ type, id: of }) => (type === 'coupon' ? { coupon_id: of } : undefined),
  alias: ['领用明细', '收回优惠券', '券延期', 'pieces of a coupon'],
})
export const mallCoupons = page('/ecoupon/index', '商城券列表', 'E-mall coupons', {
  object: 'coupon',
  keys: 'g q e',
  keepAlive: true,
  file: 'coupon/pages/ecoupon/index.tsx',
  alias: ['电商券', '运费券', '店铺券', '平台券', 'e-shop coupons'],
})
/** With `?id=` it changes a coupon, with `?copy=` it begins with another's terms. */
export const mallCouponForm = page('/ecoupon/index/add', '商城券资料', 'E-mall coupon form', {
  menu: false,
  file: 'coupon/pages/ecoupon/add.tsx',
  search: z.looseObject({ id: id.optional(), copy: id.optional() }),
  alias: ['建商城券', 'make an e-mall coupon'],
})
export const couponAuditPage = page('/manage/coupon/audit', '优惠券审核', 'Coupon audit', {
  object: 'coupon_audit',
  keys: 'g q a',
  keepAlive: true,
  alias: ['优惠券待审', '满减审核', '负毛利', 'coupon review'],
})
export const couponAuditDetail = page(
  '/manage/coupon/audit/detail',
  '优惠券审核详情',
  'Coupon audit detail',
  {
    object: 'coupon_audit',
    menu: false,
    search: z.looseObject({ id }),
    follows: ({ type, id: at, row }) =>
      type === 'coupon_audit' && row['queue'] === 'coupon' ? { id: at } : undefined,
  },
)
export const ecouponAuditPage = page('/ecoupon/audit', '商城券审核', 'E-mall coupon audit', {
  object: 'coupon_audit',
  keys: 'g q m',
  keepAlive: true,
  file: 'coupon/pages/ecoupon/audit.tsx',
  alias: ['商城券待审', '电商优惠券审核', 'e-mall coupon review'],
})
export const ecouponAuditDetail = page(
  '/ecoupon/audit/detail',
  '商城券审核详情',
  'E-mall coupon audit detail',
  {
    object: 'coupon_audit',
    menu: false,
    file: 'coupon/pages/ecoupon/audit/detail.tsx',
    search: z.looseObject({ id }),
    follows: ({ type, id: at, row }) =>
      type === 'coupon_audit' && row['queue'] === 'ecoupon' ? { id: at } : undefined,
  },
)
