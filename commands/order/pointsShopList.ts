import { codeOf, isCode } from '#src/areas/code/code.ts'
import { exchangeCan, type ExchangeVerb } from '#src/areas/points/points.ts'
import { returnConditions, type ReturnCondition } from '#src/areas/refund/refund.ts'
import type { Text } from '#src/domain/text.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/orderRow.ts'
import {
  ordersOfPoints,
  pointsShopDetail as detailCalls,
  pointsShopList as calls,
} from '#src/modules/order/contract/pointsShopList.ts'
import { action, ask, inAll } from '../command.ts'
import { pointsShopDetail, pointsShopList } from '../pages/order.ts'
import {
  ROWS_A_CALL,
  can,
  decidePosted,
  one,
  orderActions,
  reason,
  atMost,
  wasSent,
} from './shared.ts'
import { addressAction, sheetAction, shipAction } from './ship.ts'

const also = [pointsShopDetail]
const may =
  (verb: ExchangeVerb) =>
  (row: OrderRow): true | Text =>
    exchangeCan(verb, row)
const { cancel: _, ...shared } = orderActions(ordersOfPoints, pointsShopList, pointsShopDetail)
export const pointsShopActions = {
  ship: { ...shipAction(calls, pointsShopList), also },
  batchShip: sheetAction(calls, pointsShopList),
  reissue: action(calls.reissue, {
    title: '重新发放',
    en: 'Issue again',
    key: 'a',
    main: true,
    at: pointsShopList,
    also,
    on: orderRow,
    takes: 'row',
    when: may('reissue'),
    asks: reason,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  batchReissue: action(calls.batchReissue, {
    title: '批量重新发放',
    en: 'Issue selected again',
    key: 'shift+a',
    at: pointsShopList,
    on: orderRow,
    most: ROWS_A_CALL,
    tells: inAll,
    when: may('reissue'),
    input: rows => ({ ids: rows.map(row => row.id) }),
  }),
  confirmPickup: action(calls.confirmPickup, {
    title: '确认领取',
    en: 'Picked up',
    key: 'c',
    at: pointsShopList,
    also,
    on: orderRow,
    takes: 'row',
    when: can('confirmPickup'),
    asks: {
      code: ask.text({
        label: ['领取码', 'Pick-up code'],
        max: 40,
        min: 12,
        hint: [
          '扫码枪扫入或手输 12 位，空格、全角都可以',
          'Scan or type 12 digits; spaces are ignored',
        ],
        check: typed =>
          isCode(codeOf(typed))
            ? undefined
            : ['应为 12 位数字，请核对', 'Must be 12 digits: check it'],
      }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  ...decidePosted(calls, pointsShopList, pointsShopDetail),
  cancel: action(calls.cancel, {
    title: '取消并退积分',
    en: 'Cancel and return points',
    key: 'shift+x',
    danger: true,
    at: pointsShopList,
    also,
    on: orderRow,
    takes: 'row',
    when: may('cancel'),
    asks: reason,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  refund: action(calls.refund, {
    title: '退积分与现金',
    en: 'Refund points and cash',
    key: 'r',
    danger: true,
    main: true,
    at: pointsShopList,
    also,
    on: orderRow,
    takes: 'row',
    tells: atMost,
    when: may('refund'),
    asks: {
      returned: ask.choice({
        label: ['收到的退货', 'Returned goods'],
        options: returnConditions,
        optional: true,
        shown: (_, rows) => wasSent(rows),
        hint: ['已发货的实物须先收到退货', 'Shipped goods must have been returned'],
      }),
      ...reason,
    },
    input: (rows, { returned, reason: why }) => ({
      ...one(rows),
      ...(returned && { returned: returned as ReturnCondition }),
      reason: why,
    }),
  }),
  ...shared,
}
export const pointsShopDetailActions = {
  editAddress: addressAction(detailCalls, pointsShopDetail, 'e'),
  openLedger: action('order.pointsShopList.detail.openLedger', {
    title: '查看积分流水',
    en: 'Points ledger',
    key: 'l',
    at: pointsShopDetail,
    on: orderRow,
    takes: 'row',
  }),
}
