import { to } from '#commands/command.ts'
import { batchActions, raiseActions } from '#commands/order/raiseList.ts'
import { raiseList } from '#commands/pages/order.ts'
import { raiseModes, raiseStates, type RaiseMode, type RaiseState } from '#src/areas/raise/raise.ts'
import { useRead } from '#src/kit/data.ts'
import { Choice } from '#src/kit/filters.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { batchQuicks, raiseList as calls, type BatchQuick } from '../contract/raiseList.ts'
import { BatchPeek } from './BatchPeek.tsx'
import { RaiseBadge } from './raise.tsx'
import { batchColumns } from './raiseColumns.tsx'
import { OrderKeyword, useUnread } from './search.tsx'

/** The campaigns themselves, those that still raise by their end; Enter shows the orders of one. */
export const BatchList = () => {
  const say = useSay()
  const workbench = useWorkbench()
  const list = useList(calls.batches)
  const unread = useUnread(list)
  const { state: _, page: __, pageSize: ___, ...others } = list.input
  const counts = useRead(calls.batchCounts, others)
  useAction(raiseActions.export, () =>
    workbench.toast(say(['导出的是订单：先切到订单', 'Orders are exported: show them first'])),
  )
  useAction(raiseActions.batchShip, () =>
    workbench.toast(say(['发货的是订单：先切到订单', 'Orders are shipped: show them first'])),
  )
  const tabs = ['all', ...Object.keys(raiseStates)] as ('all' | RaiseState)[]
  const focused = list.focusedRow
  return (
    <ListDetail>
      <List
        of={list}
        empty={unread}
        label={say(['众筹场次', 'Campaigns'])}
        columns={batchColumns}
        actions={[...Object.values(batchActions), raiseActions.openBatch]}
        onOpen={row => workbench.open(to(raiseList, { batch_id: row.id }))}
        tabs={{
          by: 'state',
          all: tabs.map(key => ({
            key,
            title: key === 'all' ? ['全部', 'All'] : raiseStates[key],
            ...(counts.data && { count: counts.data[key] ?? 0 }),
          })),
        }}
        filters={
          <>
            <OrderKeyword
              of={list}
              placeholder={say(['场次、商品、订单号、手机号', 'Campaign, product, order, phone'])}
            />
            <Choice
              of={list}
              by="quick"
              label={say(['快捷筛选', 'Quick filter'])}
              options={(Object.keys(batchQuicks) as BatchQuick[]).map(key => ({
                value: key,
                label: say(batchQuicks[key]),
              }))}
            />
            <Choice
              of={list}
              by="mode"
              label={say(['方式', 'Mode'])}
              options={(Object.keys(raiseModes) as RaiseMode[]).map(key => ({
                value: key,
                label: say(raiseModes[key]),
              }))}
            />
            <CityFilter of={list} />
          </>
        }
      />
      {focused ? (
        <Inspector title={focused.raise.title} aside={<RaiseBadge of={focused.raise} />}>
          <BatchPeek of={focused} />
        </Inspector>
      ) : (
        <Inspector title={undefined} />
      )}
    </ListDetail>
  )
}
