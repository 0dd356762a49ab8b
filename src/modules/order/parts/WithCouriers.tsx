import { useState, type ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { titleIn, useLang } from '#src/kit/text.ts'
import { useAction } from '#src/kit/workbench.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { OrderCalls, OrderDetail } from '../contract/shared.ts'
import type { CourierRow, ShipCalls } from '../contract/ship.ts'
import { Waiting, WithOrder } from './asking.tsx'

/** What a dialog about parcels of an order is opened with. */
export type ParcelAsk<Row = OrderRow> = {
  row: Row
  detail: OrderDetail
  couriers: readonly CourierRow[]
  title: string
  close: () => void
}
/** Performs an action on an order's parcels: its dialog has the order's newest and the couriers. */
export const WithCouriers = <Row extends OrderRow>({
  action,
  calls,
  list,
  children,
}: {
  action: Action
  calls: Pick<ShipCalls, 'couriers'>
  list: Pick<OrderCalls, 'detail'>
  children: (asked: ParcelAsk<Row>) => ReactNode
}) => {
  const now = useLang()
  const [row, setRow] = useState<Row | undefined>(undefined)
  const couriers = useRead(calls.couriers, row ? {} : skipToken)
  useAction(action, ([one]) => setRow(one as Row))
  if (!row) return null
  const title = titleIn(action, now)
  const close = () => setRow(undefined)
  return (
    <WithOrder key={row.id} id={row.id} calls={list} title={title} close={close}>
      {detail =>
        couriers.data ? (
          children({ row, detail, couriers: couriers.data.list, title, close })
        ) : (
          <Waiting for={couriers} title={title} close={close} />
        )
      }
    </WithOrder>
  )
}
