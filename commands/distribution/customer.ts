import { EXTEND_DAYS_MOST, mayChange, mayDecideTransfer } from '#src/areas/binding/binding.ts'
import type { Text } from '#src/domain/text.ts'
import { bindingRow } from '#src/modules/distribution/contract/bindingRow.ts'
import {
  customers as calls,
  transferRow,
  transfers,
  type TransferRow,
} from '#src/modules/distribution/contract/customer.ts'
import { action, ask, inAll, type Me, type Told } from '../command.ts'
import { sellerCustomers as at } from '../pages/distribution.ts'
import { asking, exportAction, idsOf, one, reason, rowActions } from '../record.ts'
import { customerActions, ofBinding, sellerAsk } from './customerActs.ts'

/** The views of the page; the first needs no word in its address. */
export const customerViews = {
  bindings: ['客户', 'Customers'],
  asks: ['转移复核', 'Transfers to approve'],
} as const satisfies Record<string, Text>
type CustomerView = keyof typeof customerViews
const turn = (view: CustomerView, key: string) =>
  action(`distribution.index.customer.${view}View`, {
    title: customerViews[view][0],
    en: customerViews[view][1],
    key,
    at,
  })
export const customerViewActions: Readonly<Record<CustomerView, ReturnType<typeof turn>>> = {
  bindings: turn('bindings', '1'),
  asks: turn('asks', '2'),
}

const row = rowActions(at, bindingRow)
/** What is done with customers and whose they are. */
export const sellerCustomerActions = {
  ...customerActions(at, { calls, on: bindingRow }),
  extend: row.row(calls.extend, ['延长绑定期', 'Extend'], {
    key: 'e',
    when: ofBinding(mayChange),
    asks: {
      days: ask.number({
        label: ['延长天数', 'Days to add'],
        min: 1,
        max: EXTEND_DAYS_MOST,
        initial: () => 30,
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  batchTransfer: row.row(calls.batchTransfer, ['批量转移', 'Transfer several'], {
    key: 'shift+t',
    takes: 'rows',
    most: 200,
    when: ofBinding(mayChange),
    tells: inAll,
    asks: { to_distributor_id: sellerAsk(calls), reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  export: exportAction(calls.export, ['导出客户', 'Export customers'], at),
}

const asked = rowActions(at, transferRow)
const told = ([of]: readonly TransferRow[]): Told | undefined =>
  of && [
    [
      '{maker} 申请将 {member} 由 {from} 转给 {to}：{why}',
      '{maker}: {member}, {from} to {to}: {why}',
    ],
    { maker: of.maker, member: of.name, from: of.from, to: of.to, why: of.reason },
  ]
const decides = (of: TransferRow, me: Me): true | Text =>
  'binding_id' in of
    ? mayDecideTransfer(of, me.id)
    : ['先切到转移复核', 'Go to the transfers first']
/** Transfers within the protection time, decided by another person. */
export const transferActions = {
  approveTransfer: asked.row(transfers.approveTransfer, ['复核转移', 'Approve'], {
    key: 'a',
    main: true,
    when: decides,
    tells: told,
    input: one,
    takenBack: 'final',
  }),
  rejectTransfer: asked.row(transfers.rejectTransfer, ['驳回转移', 'Reject'], {
    key: 'r',
    danger: true,
    when: decides,
    tells: told,
    asks: { reason },
    input: asking(input => input),
  }),
}
