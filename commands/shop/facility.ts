import { facilityGroups, facilityScopes } from '#src/areas/merchant/facility.ts'
import type { Text } from '#src/domain/text.ts'
import {
  facilityRow,
  holderRow,
  shopFacility as calls,
} from '#src/modules/shop/contract/facility.ts'
import type { HolderRow } from '#src/modules/shop/contract/facility.ts'
import { action, ask, inAll } from '../command.ts'
import { facilities } from '../pages/shop.ts'
import { asking, createAction, formOf, one, pageAction, reason, rowActions } from '../record.ts'

const form = formOf(
  {
    name: ask.text({ label: ['名称', 'Name'], max: 8 }),
    icon: ask.images({
      label: ['图标', 'Icon'],
      hint: ['正方形 PNG', 'A square PNG'],
      max: 1,
      ratio: [1, 1],
      maxBytes: 512 * 1024,
    }),
    group: ask.choice({ label: ['分组', 'Group'], options: facilityGroups }),
    scope: ask.choice({
      label: ['适用于', 'For'],
      options: facilityScopes,
      hint: ['使用中的一方不能去掉', 'A row in use can’t be removed'],
    }),
  },
  ({ icon, ...fields }) => ({ ...fields, icon: icon[0] ?? '' }) as never,
)
const row = rowActions(facilities, facilityRow)
const inOtherColumn: Text = ['请在右侧选择门店或商场', 'Choose stores or malls on the right']
/** The stores or malls that are chosen in the column beside. */
const chosen = (rows: readonly HolderRow[]) => {
  const ids = rows.map(({ id }) => id)
  const of = rows[0]!.of === 'mall' ? { mall_ids: ids } : { store_ids: ids }
  return { facility_id: rows[0]!.facility_id, ...of }
}
const standing = ({ marked }: HolderRow, wanted: boolean, not: Text): true | Text => {
  if (typeof marked !== 'boolean') return inOtherColumn
  return marked === wanted || not
}
const marking = {
  at: facilities,
  on: holderRow,
  most: 500,
  tells: inAll,
  takenBack: 'opposite',
} as const
export const facilityActions = {
  create: createAction(calls.create, ['新增设施', 'New facility'], facilities, form),
  edit: row.edit(calls.edit, ['编辑设施', 'Edit facility'], form, { main: true }),
  show: row.row(calls.show, ['展示', 'Show'], {
    key: 'v',
    when: ({ status }) => status === 'off' || ['已展示', 'Already shown'],
    input: one,
  }),
  hide: row.row(calls.hide, ['隐藏', 'Hide'], {
    key: 'shift+v',
    when: ({ status }) => status === 'on' || ['已隐藏', 'Already hidden'],
    input: one,
  }),
  batchTagStores: action(calls.batchTagStores, {
    title: '批量标注',
    en: 'Mark selected',
    key: 't',
    ...marking,
    when: (of: HolderRow) => standing(of, false, ['已标注', 'Already marked']),
    input: chosen,
  }),
  batchUntagStores: action(calls.batchUntagStores, {
    title: '取消标注',
    en: 'Unmark',
    key: 'shift+t',
    ...marking,
    when: (of: HolderRow) => standing(of, true, ['未标注', 'Not marked']),
    input: chosen,
  }),
  merge: row.row(calls.merge, ['合并设施', 'Merge facility'], {
    key: 'shift+m',
    danger: true,
    when: of => 'group' in of || ['请在左侧选择设施', 'Choose a facility on the left'],
    tells: ([of]) => [
      [
        '{n} 家门店、{m} 个商场改为目标设施，两者都有的只保留一个；原设施不再出现',
        '{n} stores and {m} malls switch to the target (kept once if they have both); this facility is removed',
      ],
      { n: of!.store_count, m: of!.mall_count },
    ],
    asks: {
      target: ask.entity({
        label: ['合并到', 'Into'],
        find: calls.targets,
        given: rows => ({ id: rows[0]?.id }),
        labelOf: ({ name }: { name: string }) => name,
        field: 'target_id',
      }),
      reason,
    },
    input: asking(({ target, reason: why }) => ({ target_id: target, reason: why })),
  }),
  del: row.del(calls.del, ['删除设施', 'Delete facility'], {
    when: ({ store_count, mall_count }) =>
      store_count + mall_count === 0 || ['使用中，只能合并或隐藏', 'In use: merge or hide it'],
  }),
  sort: pageAction(calls.sort, ['调整顺序', 'Save the order'], facilities, { key: 's' }),
}
