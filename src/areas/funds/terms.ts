import type { Term } from '#src/areas/workbench/term.ts'

const at = '/manage/settle/data'

/** Words of this area that are not plain by themselves. */
export const terms: readonly Term[] = [
  {
    id: 'funds_basis',
    title: ['口径', 'Counted'],
    at,
    means: [
      '未结算、冻结中、余额、待处理是期末还有多少；其余指标是期间发生了多少。每个指标等于它打开的明细之和。',
      'Not settled, on hold, balance and in process are what there is at the end; the others are what moved within the range. Each is the sum of the rows it opens.',
    ],
    asks: ['期末余额', '期间发生', '资金指标'],
  },
  {
    id: 'day_close',
    title: ['日结', 'Closing of a day'],
    at,
    means: [
      '一天的账核对无误后结账，之后不再接受记账；按日期顺序结，反日结须两人。',
      'The books of a day are closed once they are checked: nothing is posted into it after. Days close in their order, and two people open one again.',
    ],
    asks: ['反日结', '关账', '试算平衡'],
  },
]
