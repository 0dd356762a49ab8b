import { isProtected, mayChange } from '#src/areas/binding/binding.ts'
import type { Schema } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import { timeFull, unixNow } from '#src/domain/time.ts'
import type { BindingRow, customerCalls } from '#src/modules/distribution/contract/bindingRow.ts'
import { ask, type Page, type Told } from '../command.ts'
import { asking, reason, rowActions } from '../record.ts'

type Calls = ReturnType<typeof customerCalls>
type Seller = { name: string; store: string }
export const sellerLabel = ({ name, store }: Seller) => (store ? `${name} · ${store}` : name)

/** To whom customers are given: sellers of their role, guides of their guide's merchant. */
export const sellerAsk = (calls: Pick<Calls, 'sellers'>, more: object = {}) =>
  ask.entity({
    label: ['转给', 'To'],
    find: calls.sellers,
    labelOf: sellerLabel,
    by: ['姓名或完整手机号', 'name or full phone number'],
    given: ([row]: readonly BindingRow[]) => ({
      role: row?.role,
      ...(row && { from_id: row.distributor_id }),
      ...more,
    }),
    none: ['没有可以承接的分销员', 'No seller can take them'],
  })
/** What a transfer comes to: from whom, and whether a second person is asked. */
const movesTold = ([row]: readonly BindingRow[]): Told | undefined =>
  row &&
  (isProtected(row, unixNow())
    ? [
        [
          '{member} 现属 {seller}，保护期至 {until}：提交后由另一人复核',
          '{member} belongs to {seller}, protected until {until}: another person must approve',
        ],
        { member: row.name, seller: row.seller, until: timeFull(row.protect_until) },
      ]
    : [
        [
          '{member} 现属 {seller}；转移前订单的佣金仍归 {seller}',
          '{member} belongs to {seller}, who keeps the commission of earlier orders',
        ],
        { member: row.name, seller: row.seller },
      ])
/** True of a binding of which `may` holds; a page with another list of its own says where to go. */
export const ofBinding =
  (may: (row: BindingRow) => true | Text = () => true) =>
  (row: BindingRow): true | Text =>
    'binding_id' in row ? ['先切到客户', 'Go to the customers first'] : may(row)
/** What every list of customers offers of a row. */
export const customerActions = <Row extends BindingRow>(
  at: Page,
  { calls, on, given = {} }: { calls: Calls; on: Schema<unknown, Row>; given?: object },
) => {
  const row = rowActions(at, on)
  return {
    transfer: row.row(calls.transfer, ['转移客户', 'Transfer'], {
      key: 't',
      main: true,
      when: ofBinding(of =>
        of.waits
          ? ['已申请转移，等待复核', 'A transfer is already awaiting approval']
          : mayChange(of),
      ),
      tells: movesTold,
      asks: { to_distributor_id: sellerAsk(calls, given), reason },
      input: asking(asked => asked),
    }),
    viewHistory: row.row(calls.viewHistory.permit, ['查看绑定历史', 'Binding history'], {
      key: 'v',
      main: 'plain',
      permit: calls.viewHistory.permit,
      when: ofBinding(),
    }),
    unbind: row.row(calls.unbind, ['解除绑定', 'End the binding'], {
      key: 'u',
      danger: true,
      when: ofBinding(mayChange),
      tells: ([of]) =>
        of && [
          ['{member} 不再属于 {seller}', '{member} is no longer {seller}’s'],
          { member: of.name, seller: of.seller },
        ],
      asks: { reason },
      input: asking(asked => asked),
    }),
  }
}
