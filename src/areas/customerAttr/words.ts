import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { attrStates, attrTypes } from './customerAttr.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  customer_attr: {
    title: ['客户属性', 'Attribute of customers'],
    fields: {
      key: { title: ['编码', 'Key'] },
      label: { title: ['名称', 'Name'] },
      type: { title: ['类型', 'Type'], kind: 'enum', options: attrTypes },
      options: { title: ['选项', 'Options'], kind: 'list' },
      sort: { title: ['排序', 'Order'], kind: 'number' },
      status: { title: ['状态', 'State'], kind: 'enum', options: attrStates },
    },
  },
}
