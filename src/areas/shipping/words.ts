import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { freightModes } from './freight.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  freight_template: {
    title: ['运费模板', 'Freight template'],
    fields: {
      mode: {
        title: ['计费方式', 'Counted'],
        kind: 'enum',
        options: Object.fromEntries(
          Object.entries(freightModes).map(([key, { title }]) => [key, title]),
        ),
      },
      regions: { title: ['地区运费', 'Fees by place'], kind: 'list' },
      free_rules: { title: ['包邮条件', 'Free from'], kind: 'list' },
      no_delivery: { title: ['不配送区域', 'Not delivered to'], kind: 'list' },
    },
  },
}
