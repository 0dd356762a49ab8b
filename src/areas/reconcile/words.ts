import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { diffs, fetchStates, itemStates, methods } from './reconcile.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  recon_bill: {
    title: ['对账单', 'Bill of a channel'],
    fields: {
      rows: { title: ['账单行数', 'Rows'], kind: 'number' },
      added: { title: ['新增', 'New'], kind: 'number' },
      duplicates: { title: ['重复', 'Known before'], kind: 'number' },
      changed: { title: ['变化', 'Changed'], kind: 'number' },
    },
  },
  recon_fetch: {
    title: ['账单获取', 'Fetching of a bill'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: fetchStates },
      asked: { title: ['请求份数', 'Bills asked for'], kind: 'number' },
    },
  },
  recon_item: {
    title: ['对账项', 'Item of a bill'],
    fields: {
      diff: { title: ['差异', 'Difference'], kind: 'enum', options: diffs },
      status: { title: ['状态', 'State'], kind: 'enum', options: itemStates },
      method: { title: ['处理方式', 'How'], kind: 'enum', options: methods },
      note: { title: ['说明', 'Note'] },
      owner_id: { title: ['跟进人', 'Owner'], kind: 'name', of: 'admin' },
    },
  },
}
