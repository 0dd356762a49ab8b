import type { Term } from '#src/areas/workbench/term.ts'

/** Words of this area that are not plain by themselves. */
export const terms: readonly Term[] = [
  {
    id: 'limit_log',
    title: ['限购', 'Purchase limit'],
    at: '/manage/system/buyLimitLog',
    means: [
      '每人、每天或每单最多买几份；超过会被拦截并记录。',
      'The most per person, day or order; what goes beyond is blocked and recorded.',
    ],
    asks: ['每人限购', '限购拦截'],
  },
]
