import { z } from 'zod'
import { action, ask, inAll, page } from '#commands/command.ts'
import type { Row } from './rows.ts'

/** The page that all specimens stand on. */
export const here = page('/manage/gallery', '部件', 'Parts', {})
const row = z.custom<Row>() as never
const NOT_ON = ['已停用，不能再停用', 'Off already'] as const
const base = { at: here, main: true, on: row as never } as const

export const add = action('gallery.add', {
  title: '新增',
  en: 'Add',
  key: 'n',
  at: here,
  main: true,
})
export const turnOff = action('gallery.off', {
  ...base,
  title: '停用',
  en: 'Turn off',
  key: 'x',
  danger: true,
  when: (of: Row) => (of.state === 'on' ? true : NOT_ON),
  tells: inAll,
})
export const refuse = action('gallery.refuse', {
  ...base,
  title: '驳回',
  en: 'Reject',
  key: 'r',
  asks: {
    reason: ask.reason({
      label: ['驳回原因', 'Reason'],
      codes: {
        price: ['价格不符', 'The price is wrong'],
        picture: ['图片模糊', 'A blurred picture'],
        other: ['其他', 'Other'],
      },
    }),
    notify: ask.flag({ label: ['通知商户', 'Tell the merchant'] }),
  },
})
export const edit = action('gallery.edit', {
  ...base,
  title: '编辑',
  en: 'Edit',
  key: 'e',
  takes: 'row',
  asks: {
    name: ask.text({ label: ['名称', 'Name'], max: 32, initial: ([of]) => of?.name as string }),
    price: ask.money({ label: ['价格', 'Price'], min: 1 }),
    stock: ask.number({ label: ['库存', 'Stock'], min: 0, max: 99_999 }),
    from: ask.time({ label: ['开售时间', 'Sale from'] }),
    memo: ask.text({ label: ['备注', 'Memo'], max: 200, lines: 3, optional: true }),
    on: ask.flag({ label: ['立即启用', 'On at once'] }),
    kind: ask.choice({
      label: ['类型', 'Kind'],
      options: { single: ['单品', 'Single'], combo: ['套餐', 'Combo'] },
    }),
  },
})
/** Saves an order; the second is what nobody here may do. */
export const sort = action('gallery.sort', { title: '保存顺序', en: 'Save', key: 's', at: here })
export const denied = action('gallery.denied', {
  title: '清空',
  en: 'Clear',
  at: here,
  main: true,
  permit: 'gallery.denied',
})
/** Whose keys are shown at their buttons. */
export const keyed = [add, turnOff, refuse, edit, sort]
