import { SegmentedControl } from '@blueprintjs/core'
import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import {
  batchActions,
  raiseActions,
  raiseViewActions,
  raiseViews,
  type RaiseView,
} from '#commands/order/raiseList.ts'
import { raiseList, raiseListDetail } from '#commands/pages/order.ts'
import { Among } from '#src/kit/among.tsx'
import { Keys } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { PaneContext, useAction, usePane, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { raiseList as calls } from '../contract/raiseList.ts'
import { BatchList } from '../parts/BatchList.tsx'
import { CampaignHead } from '../parts/CampaignHead.tsx'
import { columnsOf, OrderList } from '../parts/OrderList.tsx'
import { raiseColumns } from '../parts/raiseColumns.tsx'
import { Shipping } from '../parts/ship.tsx'
import { ShipSheet } from '../parts/shipSheet.tsx'
import '../parts/rollGroup.css'

const {
  order_no,
  member,
  phone,
  title,
  qty,
  paid,
  merchant,
  store,
  mall,
  status,
  paid_at,
  created_at,
  tags,
} = columnsOf
const columns = [
  order_no,
  status,
  raiseColumns.campaign,
  raiseColumns.raise,
  raiseColumns.mode,
  qty,
  paid,
  raiseColumns.deposit,
  raiseColumns.balance,
  raiseColumns.ships,
  member,
  phone,
  paid_at,
  title,
  merchant,
  store,
  mall,
  created_at,
  tags,
].map(column =>
  [title, phone, store].includes(column as typeof title)
    ? { ...column, grow: false, optional: true }
    : column,
)
const titles = {
  waiting_group: ['众筹中', 'Raising'],
  pending_payment: ['待付款/尾款', 'To pay'],
} as const

/**
 * Orders with the campaign of the one in focus above them, or the campaigns themselves: each view
 * keeps a focus, a selection and columns of its own.
 */
export default function RaiseOrders() {
  const say = useSay()
  const pane = usePane()
  const { keysOf, toast } = useWorkbench()
  const [, navigate] = useLocation()
  const view: RaiseView =
    new URLSearchParams(useSearch()).get('view') === 'batches' ? 'batches' : 'orders'
  const go = (to: RaiseView) => {
    if (to !== view) navigate(to === 'orders' ? '?' : `?view=${to}`, { replace: true })
  }
  useAction(raiseViewActions.orders, () => go('orders'))
  useAction(raiseViewActions.batches, () => go('batches'))
  useResult(batchActions.remindBalance, ({ sent }: { sent: number }) =>
    toast(say(['已提醒 {n} 人付尾款', '{n} were reminded'], { n: sent }), 'success'),
  )
  const { memo } = pane
  const own = useMemo(
    () => ({
      get: (key: string) => memo.get(`${view}.${key}`),
      set: (key: string, value: unknown) => memo.set(`${view}.${key}`, value),
    }),
    [memo, view],
  )
  return (
    <div className="ra-page">
      <div className="rg-views">
        <SegmentedControl
          size="small"
          aria-label={say(['视图', 'View'])}
          value={view}
          onValueChange={value => go(value as RaiseView)}
          options={Object.entries(raiseViews).map(([value, text]) => ({ value, label: say(text) }))}
        />
        <span className="m-muted">
          {Object.values(raiseViewActions).map(action => (
            <Keys key={action.id} keys={keysOf(action.id)} />
          ))}
        </span>
      </div>
      <PaneContext value={{ ...pane, memo: own }}>
        <div className="rg-view" key={view}>
          {view === 'batches' ? (
            <BatchList />
          ) : (
            <>
              <OrderList
                calls={calls}
                at={raiseList}
                detail={raiseListDetail}
                actions={[
                  ...Object.values(raiseActions),
                  ...Object.values(batchActions).map(action => ({ ...action, main: false })),
                ]}
                columns={columns}
                titles={titles}
                revealPhone={raiseActions.revealPhone}
                tabs={[
                  'pending_payment',
                  'waiting_group',
                  'pending_ship',
                  'part_shipped',
                  'shipped',
                  'finished',
                  'refunding',
                  'refunded',
                  'cancelled',
                  'freezing',
                ]}
                quick={[
                  'raise_ending',
                  'balance_due',
                  'balance_soon',
                  'raise_owing',
                  'late',
                  'unshipped',
                  'to_decide',
                  'refunding',
                  'frozen',
                ]}
                filters={list => (
                  <Among
                    of={list}
                    by="batch_id"
                    label={say(['场次', 'Campaign'])}
                    find={calls.campaigns}
                    labelOf={row => row.name}
                  />
                )}
                above={list => (
                  <CampaignHead id={list.input.batch_id ?? list.focusedRow?.batch_id} />
                )}
              />
              <Shipping action={raiseActions.ship} calls={calls} list={calls} />
              <ShipSheet action={raiseActions.batchShip} calls={calls} />
            </>
          )}
        </div>
      </PaneContext>
    </div>
  )
}
