import { mayPool } from '#src/areas/binding/binding.ts'
import {
  guideCustomerRow,
  guideCustomers as calls,
} from '#src/modules/distribution/contract/guideCustomers.ts'
import { byKeyword, recordFinder } from '../command.ts'
import { guideCustomers as at, guideDetail } from '../pages/distribution.ts'
import { asking, exportAction, reason, rowActions } from '../record.ts'
import { customerActions } from './customerActs.ts'

const row = rowActions(at, guideCustomerRow)
/** What is done with the customers of a guide. */
export const guideCustomerActions = {
  ...customerActions(at, { calls, on: guideCustomerRow }),
  toStorePool: row.row(calls.toStorePool, ['退回门店客户池', 'Back to the store'], {
    key: 'p',
    danger: true,
    when: mayPool,
    tells: ([of]) =>
      of && [
        [
          '{member} 退回 {store} 的客户池，门店保留归属，由本商户导购再承接',
          '{member} returns to the pool of {store}; its merchant’s guides can take them over',
        ],
        { member: of.name, store: of.store },
      ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  compare: row.row(calls.compare.permit, ['查看争议绑定', 'Compare bindings'], {
    key: 'o',
    main: 'plain',
    permit: calls.compare.permit,
    alias: ['争议', '付给谁', 'dispute'],
  }),
  export: exportAction(calls.export, ['导出绑定客户', 'Export customers'], at),
}

/** The guide of a page about one, found by the name or the number. */
export const guidesFound = recordFinder({
  pages: [at, guideDetail],
  hint: ['导购姓名或编号', 'Name or number of a guide'],
  find: calls.guides,
  asked: byKeyword,
  given: row => ({ type: 'distributor', id: row.id, row: { kind: 'guide', ...row } }),
  title: row => row.name,
  more: row => [row.store, row.store],
})
