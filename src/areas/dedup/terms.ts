import type { Term } from '#src/areas/workbench/term.ts'

/** Words of this area that are not plain by themselves. */
export const terms: readonly Term[] = [
  {
    id: 'dup_confidence',
    title: ['置信度', 'Confidence'],
    at: '/manage/customer/deduplication',
    means: [
      '几份档案是同一个人的把握，0–100；只有手机号相同时最高 60。',
      'How sure it is that records are one person, 0–100; at most 60 by a phone alone.',
    ],
    asks: ['重复度', '相似度'],
  },
  {
    id: 'main_adviser',
    title: ['主跟进人', 'Main adviser'],
    at: '/manage/customer/deduplication',
    means: [
      '多名成员添加同一客户时，默认由谁跟进；其他成员的跟进关系不受影响。',
      'Who looks after a customer of several advisers; the others keep their relations.',
    ],
    asks: ['归属', '主归属'],
  },
]
