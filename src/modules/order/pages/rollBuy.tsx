import { SegmentedControl } from '@blueprintjs/core'
import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import {
  groupActions,
  groupRowActions,
  rollBuyActions,
  rollBuyViewActions,
  rollBuyViews,
  type RollBuyView,
} from '#commands/order/rollBuy.ts'
import { rollBuy, rollBuyDetail } from '#commands/pages/order.ts'
import { Keys } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { PaneContext, useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { rollBuy as calls } from '../contract/rollBuy.ts'
import { GroupList } from '../parts/GroupList.tsx'
import { columnsOf, OrderList } from '../parts/OrderList.tsx'
import { groupColumns } from '../parts/rollGroup.tsx'

const { order_no, member, phone, title, store, mall, paid, status, paid_at, created_at } = columnsOf
const columns = [
  order_no,
  status,
  groupColumns.group_no,
  groupColumns.role,
  groupColumns.seats,
  groupColumns.left,
  groupColumns.group,
  title,
  member,
  phone,
  paid,
  paid_at,
  store,
  mall,
  created_at,
].map(column => (column === store || column === phone ? { ...column, optional: true } : column))

const orderListActions = [
  ...Object.values(groupActions),
  ...Object.values(groupRowActions),
  ...Object.values(rollBuyActions),
]
/** Orders, or the groups they form: each view keeps a focus, a selection and columns of its own. */
export default function RollBuyOrders() {
  const say = useSay()
  const pane = usePane()
  const { keysOf } = useWorkbench()
  const [, navigate] = useLocation()
  const view: RollBuyView =
    new URLSearchParams(useSearch()).get('view') === 'groups' ? 'groups' : 'orders'
  const go = (to: RollBuyView) => {
    if (to !== view) navigate(to === 'orders' ? '?' : `?view=${to}`, { replace: true })
  }
  useAction(rollBuyViewActions.orders, () => go('orders'))
  useAction(rollBuyViewActions.groups, () => go('groups'))
  const { memo } = pane
  const own = useMemo(
    () => ({
      get: (key: string) => memo.get(`${view}.${key}`),
      set: (key: string, value: unknown) => memo.set(`${view}.${key}`, value),
    }),
    [memo, view],
  )
  return (
    <div className="rg-page">
      <div className="rg-views">
        <SegmentedControl
          size="small"
          aria-label={say(['视图', 'View'])}
          value={view}
          onValueChange={value => go(value as RollBuyView)}
          options={Object.entries(rollBuyViews).map(([value, text]) => ({
            value,
            label: say(text),
          }))}
        />
        <span className="m-muted">
          {Object.values(rollBuyViewActions).map(action => (
            <Keys key={action.id} keys={keysOf(action.id)} />
          ))}
        </span>
      </div>
      <PaneContext value={{ ...pane, memo: own }}>
        <div className="rg-view" key={view}>
          {view === 'groups' ? (
            <GroupList
              actions={[...Object.values(groupActions), ...Object.values(groupRowActions)]}
            />
          ) : (
            <OrderList
              calls={calls}
              at={rollBuy}
              detail={rollBuyDetail}
              actions={orderListActions}
              columns={columns}
              revealPhone={rollBuyActions.revealPhone}
              tabs={[
                'pending_payment',
                'waiting_group',
                'pending_ship',
                'part_shipped',
                'shipped',
                'pending_use',
                'part_used',
                'finished',
                'expired',
                'refunding',
                'refunded',
                'cancelled',
                'freezing',
              ]}
              quick={[
                'group_ending',
                'group_owing',
                'group_unused',
                'late',
                'unshipped',
                'to_decide',
                'refunding',
                'frozen',
              ]}
            />
          )}
        </div>
      </PaneContext>
    </div>
  )
}
