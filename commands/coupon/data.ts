import { couponData as calls, grantRow, type GrantRow } from '#src/modules/coupon/contract/data.ts'
import { ask, byKeyword, inAll, recordFinder } from '../command.ts'
import { couponData } from '../pages/coupon.ts'
import { asking, exportAction, idsOf, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(couponData, grantRow)
const isIn =
  (...states: readonly GrantRow['status'][]) =>
  (of: GrantRow) =>
    states.includes(of.status) || (['该券状态不允许', 'Not in this state'] as const)

/** What is done with the pieces of a coupon. */
export const couponDataActions = {
  revoke: row.row(calls.revoke, ['收回未使用券', 'Take back unused'], {
    key: 'd',
    takes: 'rows',
    most: 100,
    danger: true,
    tells: inAll,
    when: isIn('unused'),
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  extendGrants: row.row(calls.extendGrants, ['延长有效期', 'Extend validity'], {
    key: 'l',
    takes: 'rows',
    most: 100,
    main: 'plain',
    tells: inAll,
    when: isIn('unused', 'expired'),
    asks: {
      days: ask.number({
        label: ['延长天数', 'Days'],
        min: 1,
        max: 30,
        hint: ['最多 30 天；已过期的恢复可用', 'Up to 30; expired ones become valid again'],
      }),
      reason,
    },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  unlock: row.row(calls.unlock, ['解除锁定', 'Release'], {
    key: 'u',
    when: isIn('locked'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  compare: pageAction(
    'coupon.index.data.compare',
    ['对比另一张券', 'Compare with another'],
    couponData,
    {
      key: 'o',
      main: 'plain',
      asks: {
        coupon_id: ask.entity({
          label: ['优惠券', 'Coupon'],
          find: calls.others,
          labelOf: (of: { name: string; coupon_no: string }) => `${of.name} · ${of.coupon_no}`,
        }),
      },
    },
  ),
  export: exportAction(calls.export, ['导出领用明细', 'Export claims'], couponData),
}

/** The coupon of its figures, found by its name or number. */
export const couponsFound = recordFinder({
  pages: [couponData],
  hint: ['券名称或编号', 'Name or number of a coupon'],
  find: calls.others,
  asked: byKeyword,
  given: row => ({ type: 'coupon', id: row.id, row }),
  title: row => row.name,
  more: row => [row.coupon_no, row.coupon_no],
})
