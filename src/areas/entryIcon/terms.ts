import type { Term } from '#src/areas/workbench/term.ts'

const at = '/manage/config/entry'
/** Words of this area that are not plain by themselves. */
export const terms: readonly Term[] = [
  {
    id: 'entry_grid',
    title: ['金刚区', 'Icon grid'],
    at,
    means: [
      '首页上部的图标入口，每行 5 个，共 4–20 个；排不满一行时会提示还差几个。',
      'The icons at the top of a home: five in a row, 4 to 20 in all. It says how many lack until a row is full.',
    ],
  },
  {
    id: 'entry_badge',
    title: ['角标', 'Badge'],
    at,
    means: [
      '图标右上角的几个字，如“热”“新”；到截止时间自动消失。',
      'A few words on the corner of an icon, such as “New”; they go by themselves at their time.',
    ],
  },
  {
    id: 'entry_audience',
    title: ['限定受众', 'Limited audience'],
    at,
    means: [
      '只有部分用户看得到的入口；同一位置任何时候都至少有一个所有人可见的入口。',
      'An entry that some people only see; at any time one entry of its position is for everybody.',
    ],
  },
]
