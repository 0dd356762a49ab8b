import type { Text } from '#src/domain/text.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/orderRow.ts'
import type { AddressCalls, ShipCalls } from '#src/modules/order/contract/ship.ts'
import { action, type Page } from '../command.ts'
import { can } from './shared.ts'

/**
 * What sends parcels, as the dialogs of parts/ship.tsx, parts/shipSheet.tsx and parts/address.tsx
 * perform it: a page takes those it has, and draws their parts.
 */
export const shipAction = (
  calls: Pick<ShipCalls, 'ship'>,
  at: Page,
  more: { key?: string; main?: boolean } = {},
) =>
  action(calls.ship, {
    title: '发货',
    en: 'Ship',
    key: 's',
    main: true,
    at,
    on: orderRow,
    takes: 'row',
    when: can('ship'),
    alias: ['快递单号', 'tracking'],
    ...more,
  })
export const sheetAction = (calls: Pick<ShipCalls, 'batchShip'>, at: Page) =>
  action(calls.batchShip, {
    title: '批量导入发货',
    en: 'Ship from a sheet',
    key: 'shift+s',
    main: true,
    at,
    takes: 'none',
    alias: ['导入单号', 'Excel', 'CSV', 'import'],
  })
const sent = (row: OrderRow): true | Text =>
  row.shipped > 0 ? true : ['还没有发出包裹', 'No parcels shipped yet']
export const trackingAction = (calls: Pick<ShipCalls, 'editTracking'>, at: Page) =>
  action(calls.editTracking, {
    title: '修改物流单号',
    en: 'Change a tracking number',
    key: 'n',
    at,
    on: orderRow,
    takes: 'row',
    when: sent,
  })
export const addressAction = (calls: AddressCalls, at: Page, key = 'a') =>
  action(calls.editAddress, {
    title: '修改收货地址',
    en: 'Edit recipient',
    key,
    at,
    on: orderRow,
    takes: 'row',
    when: can('editReceiver'),
  })
