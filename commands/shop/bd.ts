import { monthFault } from '#src/areas/merchant/bd.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { bdRow, bdStoreRow, shopBd as calls } from '#src/modules/shop/contract/bd.ts'
import { action, ask, byAccount, inAll } from '../command.ts'
import { bds } from '../pages/shop.ts'
import { cityAsk } from '../places.ts'
import { exportAction, idsOf, reason, rowActions } from '../record.ts'

type Person = { id: number; name: string; account: string }
const askBd = (field: string, but: boolean) =>
  ask.entity({
    label: ['交给', 'To'],
    find: calls.bds,
    ...(but && { given: rows => ({ but: rows[0]?.id }) }),
    by: byAccount,
    labelOf: ({ name, account }: Person) => `${name} ${account}`,
    field,
    none: ['没有可接手的 BD', 'No other BD available'],
  })
/** The page has two lists; an action takes the rows of one of them. */
const byPerson: Text = ['请在“按人”中选择 BD', 'Choose a BD, by person']
const byStore: Text = ['请在“按门店”中选择门店', 'Choose stores, by store']
const person = rowActions(bds, bdRow)
const many = { at: bds, on: bdStoreRow, most: 500 } as const
const storeIds = (rows: readonly { id: number }[]) => ({ store_ids: idsOf(rows).ids })
export const bdActions = {
  handover: person.row(calls.handover, ['整体移交', 'Hand over'], {
    key: 'h',
    main: true,
    danger: true,
    when: of => {
      if (!('account' in of)) return byPerson
      return (
        of.stores + of.merchants > 0 || ['名下没有门店和商户', 'No stores or merchants assigned']
      )
    },
    tells: ([of]) => [
      [
        '{name} 名下 {n} 家门店、{m} 个商户将移交；此刻之前的业绩仍归 {name}',
        '{n} stores and {m} merchants of {name} will be handed over; earlier sales stay with {name}',
      ],
      { name: of!.name, n: of!.stores, m: of!.merchants },
    ],
    asks: {
      to: askBd('to_admin_id', true),
      city: cityAsk({
        label: ['只移交该城市', 'This city only'],
        optional: true,
        hint: ['留空为全部城市', 'Empty: all cities'],
        named: () => undefined,
      }),
      reason,
    },
    input: ([of], { to, city, reason: why }) => ({
      from_admin_id: of!.id,
      to_admin_id: to,
      ...(city && { city_id: city }),
      reason: why,
    }),
  }),
  setTarget: person.row(calls.setTarget, ['设置月度目标', 'Set a target'], {
    key: 't',
    when: of => {
      if (!('account' in of)) return byPerson
      return of.active || ['已停用', 'Disabled']
    },
    asks: {
      month: ask.number({
        label: ['月份', 'Month'],
        min: 200_001,
        max: 299_912,
        initial: rows => rows[0]?.month,
        hint: ['例如 202611，不能是过去的月份', 'e.g. 202611; not a past month'],
        check: month => monthFault(month, unixNow()),
      }),
      gmv: ask.money({
        label: ['成交额目标', 'Sales'],
        min: 0,
        field: 'gmv_target_cents',
        initial: rows => rows[0]?.gmv_target_cents ?? undefined,
      }),
      stores: ask.number({
        label: ['新开门店目标', 'New stores'],
        min: 0,
        max: 9999,
        field: 'new_store_target',
        initial: rows => rows[0]?.new_store_target ?? undefined,
      }),
    },
    input: ([of], { month, gmv, stores }) => ({
      admin_id: of!.id,
      month,
      gmv_target_cents: gmv,
      new_store_target: stores,
    }),
  }),
  assign: action(calls.assign, {
    title: '分配门店',
    en: 'Assign',
    key: 'a',
    ...many,
    main: true,
    tells: inAll,
    when: of => 'bd_state' in of || byStore,
    asks: { to: askBd('admin_id', false), reason },
    input: (rows, { to, reason: why }) => ({ ...storeIds(rows), admin_id: to, reason: why }),
  }),
  claimOrphan: action(calls.claimOrphan, {
    title: '认领无主门店',
    en: 'Claim',
    key: 'o',
    ...many,
    tells: inAll,
    when: of => {
      if (!('bd_state' in of)) return byStore
      return of.bd_state !== 'owned' || ['已有 BD', 'Already has a BD']
    },
    takenBack: 'opposite',
    input: storeIds,
  }),
  export: exportAction(calls.export, ['导出管辖表', 'Export the assignments'], bds),
}
