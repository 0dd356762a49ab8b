import { lockFault } from '#src/areas/bdGmv/bdGmv.ts'
import { unixNow } from '#src/domain/time.ts'
import { bdGmv as calls, gmvRow } from '#src/modules/shop/contract/bdGmv.ts'
import { ask } from '../command.ts'
import { bdGmv } from '../pages/shop.ts'
import { exportAction, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(bdGmv, gmvRow)
/** What the page gives when a month is locked or unlocked: the one that it shows. */
export type MonthShown = { id: number; name: string; month: number }
const month = (rows: readonly unknown[]) => (rows[0] as MonthShown | undefined)?.month
const askMonth = ask.number({
  label: ['月份', 'Month'],
  min: 200_001,
  max: 299_912,
  initial: month,
  hint: ['例如 202611', 'e.g. 202611'],
})
export const bdGmvActions = {
  drill: row.row('shop.bd.gmv.drill', ['下钻到门店', 'View stores'], {
    key: 'o',
    main: true,
    permit: calls.drill.permit,
    when: of => of.orders > 0 || of.refunded_cents !== 0 || ['没有成交', 'No sales'],
  }),
  compare: pageAction(
    'shop.bd.gmv.compare',
    ['对比上一周期', 'Compare with the previous period'],
    bdGmv,
    {
      key: 'p',
    },
  ),
  lockMonth: pageAction(calls.lockMonth, ['锁定月度业绩', 'Lock a month'], bdGmv, {
    key: 'l',
    asks: { month: { ...askMonth, check: (of: number) => lockFault(of, unixNow()) } },
    input: (_, asked) => asked,
    tells: () => [
      [
        '锁定后结果不再变化；之后的退款作为调整列入退款当月',
        'Results no longer change; later refunds are adjustments in the month they are made',
      ],
      {},
    ],
  }),
  unlockMonth: pageAction(calls.unlockMonth, ['解除锁定', 'Unlock a month'], bdGmv, {
    key: 'u',
    danger: true,
    asks: { month: askMonth, reason },
    input: (_, asked) => asked,
  }),
  export: exportAction(calls.export, ['导出业绩', 'Export the results'], bdGmv),
}
