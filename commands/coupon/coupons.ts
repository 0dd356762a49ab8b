import type { CouponScope } from '#src/areas/coupon/coupon.ts'
import { couponCan, type CouponVerb } from '#src/areas/coupon/couponRules.ts'
import { exposure } from '#src/areas/coupon/couponSentence.ts'
import { yuan } from '#src/domain/money.ts'
import { callsIn, couponRow, type CouponRow } from '#src/modules/coupon/contract/coupon.ts'
import { ask, inAll, to, type Action, type Page, type Told } from '../command.ts'
import {
  couponCopy,
  couponData,
  couponEdit,
  couponForm,
  coupons,
  mallCouponForm,
  mallCoupons,
} from '../pages/coupon.ts'
import { asking, exportAction, idsOf, one, pageAction, reason, rowActions } from '../record.ts'

const PIECES_MOST = 1_000_000
type Place = {
  scope: CouponScope
  /** What its actions are called by. */
  stem: string
  at: Page
  form: Page
  edit: (id: number) => string
  copy: (id: number) => string
  /** What opens the form of one that is there. */
  edits: string
  copies: string
}
const stores: Place = {
  scope: 'local',
  stem: 'coupon.index',
  at: coupons,
  form: couponForm,
  edit: id => to(couponEdit, { id }),
  copy: id => to(couponCopy, { id }),
  edits: couponEdit.permit,
  copies: couponCopy.permit,
}
const eMall: Place = {
  scope: 'ecom',
  stem: 'ecoupon.index',
  at: mallCoupons,
  form: mallCouponForm,
  edit: id => to(mallCouponForm, { id }),
  copy: id => to(mallCouponForm, { copy: id }),
  edits: 'ecoupon.index.edit',
  copies: mallCouponForm.permit,
}
const may = (verb: CouponVerb) => (row: CouponRow) => couponCan(verb, row.status)
/** What more pieces come to, before they are asked for. */
const grown = ([of]: readonly CouponRow[]): Told | undefined =>
  of && [
    of.budget_cents === null
      ? [
          '现有 {total} 张，最大成本 {most} 元，未填预算；追加后将重新送审，其间停止领取',
          'Now {total}, maximum cost ¥{most}, no budget: with more it is audited again and claiming stops meanwhile',
        ]
      : [
          '现有 {total} 张，最大成本 {most} 元，预算 {budget} 元；超出预算将重新送审，其间停止领取',
          'Now {total}, maximum cost ¥{most}, budget ¥{budget}; over budget it is audited again and claiming stops meanwhile',
        ],
    {
      total: of.total.toLocaleString('en'),
      most: yuan(exposure(of)),
      budget: yuan(of.budget_cents ?? 0),
    },
  ]
const unused = ([of]: readonly CouponRow[]): Told | undefined =>
  of && [
    [
      '已领 {n} 张，其中已用 {used} 张；收回时只收回未使用的，已占用和已使用的不受影响',
      '{n} claimed, {used} of them used; only unused ones are taken back',
    ],
    { n: of.claimed_count, used: of.used_count },
  ]

/** What makes a coupon, and brings it to its audit. */
const draftActions = (place: Place) => {
  const calls = callsIn(place.scope)
  const { at, stem } = place
  const row = rowActions(at, couponRow)
  return {
    create: pageAction(
      `${stem}.create`,
      place.scope === 'local' ? ['新增优惠券', 'New coupon'] : ['新增商城券', 'New e-mall coupon'],
      at,
      { key: 'c', main: true, permit: place.form.permit, to: () => place.form.path },
    ),
    edit: row.row(`${stem}.open`, ['编辑', 'Edit'], {
      key: 'e',
      main: 'plain',
      permit: place.edits,
      when: may('edit'),
      to: ([of]) => place.edit(of!.id),
    }),
    copy: row.row(`${stem}.duplicate`, ['复制', 'Copy'], {
      key: 'shift+c',
      main: 'plain',
      permit: place.copies,
      to: ([of]) => place.copy(of!.id),
    }),
    submit: row.row(calls.submit, ['提交审核', 'Submit for audit'], {
      key: 's',
      when: may('submit'),
      input: one,
      takenBack: 'opposite',
    }),
    withdraw: row.row(calls.withdraw, ['撤回审核', 'Withdraw from audit'], {
      key: 'shift+s',
      when: may('withdraw'),
      input: one,
      takenBack: 'opposite',
    }),
    takeOver: row.row(calls.takeOver, ['接手草稿', 'Take over the draft'], {
      key: 't',
      when: (of, me) =>
        of.created_by === me.id ? ['已是你的草稿', 'Already your draft'] : may('submit')(of),
      input: one,
      takenBack: 'final',
    }),
  }
}
/** What is done with one that was approved. */
const runningActions = (place: Place) => {
  const calls = callsIn(place.scope)
  const row = rowActions(place.at, couponRow)
  return {
    pause: row.row(calls.pause, ['暂停领取', 'Pause'], {
      key: 'p',
      main: 'plain',
      when: may('pause'),
      asks: { reason },
      input: asking(asked => asked),
    }),
    resume: row.row(calls.resume, ['恢复领取', 'Resume'], {
      key: 'o',
      when: may('resume'),
      input: one,
    }),
    addStock: row.row(calls.addStock, ['追加数量', 'Add quantity'], {
      key: 'a',
      when: may('addStock'),
      tells: grown,
      asks: {
        quantity: ask.number({ label: ['追加张数', 'Quantity to add'], min: 1, max: PIECES_MOST }),
        reason,
      },
      input: asking(asked => asked),
    }),
    extend: row.row(calls.extend, ['延长领取时间', 'Extend claiming'], {
      key: 'l',
      when: may('extend'),
      asks: {
        claim_end_at: ask.time({
          label: ['领取截止', 'Claim until'],
          hint: ['只能延后', 'Can only be moved later'],
          initial: rows => rows[0]?.claim_end_at,
        }),
      },
      input: asking(({ claim_end_at }) => ({ claim_end_at: claim_end_at! })),
    }),
  }
}
const givingActions = (place: Place) => {
  const calls = callsIn(place.scope)
  const row = rowActions(place.at, couponRow)
  return {
    grant: row.row(calls.grant, ['定向发放', 'Give to members'], {
      key: 'm',
      when: may('grant'),
      asks: {
        member_ids: ask.entities({
          label: ['会员', 'Members'],
          max: 200,
          find: calls.members,
          labelOf: (of: { name: string }) => of.name,
          by: ['昵称开头或会员号', 'start of nickname or member ID'],
        }),
        quantity: ask.number({
          label: ['每人张数', 'Per member'],
          min: 1,
          max: 100,
          initial: () => 1,
          hint: [
            '超出剩余量或每人限领的会员会逐个说明',
            'Members over the remaining quantity or their limit are listed',
          ],
        }),
        reason,
      },
      input: ([of], asked) => ({ id: of!.id, ...asked }),
    }),
    viewData: row.row(`${place.stem}.viewData`, ['查看数据', 'View data'], {
      key: 'v',
      permit: couponData.permit,
      to: ([of]) => to(couponData, { coupon_id: of!.id }),
    }),
    qrcode: row.row(`${place.stem}.qrcode`, ['领券二维码', 'Claim QR code'], {
      key: 'q',
      when: may('qrcode'),
    }),
    end: row.row(calls.end, ['结束发放', 'End'], {
      key: 'd',
      danger: true,
      when: may('end'),
      asks: { reason },
      input: asking(asked => asked),
    }),
    void: row.row(calls.void, ['作废', 'Void'], {
      danger: true,
      when: may('void'),
      tells: unused,
      asks: {
        reason,
        revoke_unused: ask.flag({
          label: ['收回会员手中未使用的券', 'Take back members’ unused coupons'],
        }),
      },
      input: asking(asked => asked),
    }),
    batchPause: row.row(calls.batchPause, ['批量暂停', 'Pause selected'], {
      key: 'shift+b',
      takes: 'rows',
      most: 100,
      tells: inAll,
      when: may('pause'),
      asks: { reason },
      input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
    }),
  }
}
/** What is done with a list of coupons: those of stores and those of the e-mall alike. */
const listActions = (place: Place) => ({
  ...draftActions(place),
  ...runningActions(place),
  ...givingActions(place),
  export: exportAction(
    callsIn(place.scope).export,
    place.scope === 'local'
      ? ['导出优惠券', 'Export coupons']
      : ['导出商城券', 'Export e-mall coupons'],
    place.at,
  ),
})
/** What is done with the form, whichever address it stands at. */
const formActions = (place: Place, also: readonly Page[]) => {
  const calls = callsIn(place.scope)
  const stem = place.scope === 'local' ? 'coupon.form' : 'ecoupon.form'
  const { form: at } = place
  const does = (verb: string, title: readonly [string, string], more: Partial<Action> = {}) =>
    pageAction(`${stem}.${verb}`, title, at, { also, ...more } as object)
  return {
    submit: does('submit', ['提交审核', 'Submit for audit'], {
      key: 'mod+enter',
      main: true,
      permit: calls.submit.permit,
    }),
    save: does('save', ['保存', 'Save'], {
      key: 'mod+s',
      main: true,
      permit: calls.saveDraft.permit,
    }),
    withdraw: does('withdraw', ['撤回审核', 'Withdraw from audit'], {
      key: 'shift+s',
      main: 'plain',
      permit: calls.withdraw.permit,
    }),
    copyInstead: does('copyInstead', ['改为复制新券', 'Copy to a new one'], {
      key: 'shift+c',
      main: 'plain',
      permit: place.copies,
    }),
    pickScope: does('pickScope', ['选择适用范围', 'Choose a scope'], { key: 'm' }),
    simulate: does('simulate', ['换一笔订单试算', 'Try another order'], {
      key: 'o',
      main: 'plain',
      permit: calls.simulate.permit,
      asks: {
        order_id: ask.entity({
          label: ['订单', 'Order'],
          find: calls.orders,
          labelOf: (of: { order_no: string; store_name: string }) =>
            `${of.order_no} · ${of.store_name}`,
          by: ['订单号', 'its number'],
        }),
      },
    }),
    estimateCost: does('estimateCost', ['测算最大成本', 'Maximum cost'], { key: 'y' }),
    preview: does('preview', ['手机预览', 'App preview'], { key: 'v' }),
    shiftDates: does('shiftDates', ['整体平移时间', 'Shift all dates'], {
      key: 'd',
      asks: {
        days: ask.number({
          label: ['平移天数', 'Days'],
          min: -365,
          max: 365,
          hint: ['负数为提前', 'Negative moves earlier'],
        }),
      },
    }),
    dropInvalid: does('dropInvalid', ['移除失效范围', 'Remove invalid items'], { key: 'r' }),
    discard: does('discard', ['放弃修改', 'Discard changes'], { key: 'mod+shift+u' }),
  }
}
export const couponActions = listActions(stores)
export const mallCouponActions = listActions(eMall)
export const couponFormActions = formActions(stores, [couponEdit, couponCopy])
export const mallCouponFormActions = formActions(eMall, [])
export type CouponListActions = typeof couponActions
export type CouponFormActions = typeof couponFormActions
