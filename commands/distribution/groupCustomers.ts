import { mayChange } from '#src/areas/binding/binding.ts'
import {
  groupCustomerRow,
  groupCustomers as calls,
} from '#src/modules/distribution/contract/groupCustomers.ts'
import { byKeyword, recordFinder } from '../command.ts'
import { groupCustomers as at } from '../pages/distribution.ts'
import { exportAction, pageAction, rowActions } from '../record.ts'
import { customerActions } from './customerActs.ts'

const row = rowActions(at, groupCustomerRow)
/** What is done with the customers of a team. */
export const groupCustomerActions = {
  ...customerActions(at, { calls, on: groupCustomerRow }),
  averageAssign: row.row(calls.averageAssign.permit, ['平均分配给成员', 'Assign evenly'], {
    key: 's',
    takes: 'rows',
    main: 'plain',
    permit: calls.averageAssign.permit,
    when: mayChange,
    alias: ['分配客户', '均分', 'spread customers'],
  }),
  byMember: pageAction(
    'distribution.index.group.customer.byMember',
    ['成员客户分布', 'By member'],
    at,
    {
      key: 'd',
      main: 'plain',
      permit: calls.byMember.permit,
      alias: ['分布图', 'chart'],
    },
  ),
  export: exportAction(calls.export, ['导出团队客户', 'Export customers'], at),
}

/** The team of a page about one, found by its name or number. */
export const teamsFound = recordFinder({
  pages: [at],
  hint: ['团队名称或编号', 'Name or number of a team'],
  find: calls.teams,
  asked: byKeyword,
  given: row => ({ type: 'dist_group', id: row.id, row }),
  title: row => row.name,
})
