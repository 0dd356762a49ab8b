import type { WelcomeTried } from '#src/contract/welcomeTried.ts'
import { WelcomeTrial } from '#src/kit/welcome-looks.tsx'
import type { Specimen } from '../specimen.ts'

const rule = { priority: 100, hours: [], is_default: false }
const tried: WelcomeTried = {
  adviser: '李娜',
  code: '',
  at: 1_772_414_400,
  winner: {
    id: 1,
    name: '会员顾问开场白',
    scope: 'staff',
    text: '小鹿您好，我是您的专属会员顾问李娜。',
    attachments: [],
    coupon_id: null,
  },
  verdicts: [
    { ...rule, id: 1, name: '会员顾问开场白', scope: 'staff', verdict: 'wins' },
    {
      ...rule,
      id: 2,
      name: '午间值班',
      scope: 'staff',
      hours: [{ weekdays: [1, 2, 3, 4, 5], from_min: 690, to_min: 840 }],
      verdict: 'other_hours',
    },
    { ...rule, id: 3, name: '默认欢迎语', scope: 'default', is_default: true, verdict: 'wider' },
  ],
}
export const specimen: Specimen = {
  part: 'welcome-looks',
  title: ['欢迎语命中测试', 'Which welcome message wins'],
  states: [
    { name: ['命中一条', 'One wins'], draw: () => <WelcomeTrial of={tried} /> },
    {
      name: ['没有可用的', 'None'],
      draw: () => <WelcomeTrial of={{ ...tried, winner: null, verdicts: [] }} />,
    },
  ],
}
