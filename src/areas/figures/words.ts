import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { reportTemplates, runStates } from './report.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  report_sub: {
    title: ['报表订阅', 'Report'],
    fields: {
      city_ids: {
        title: ['城市', 'Cities'],
        kind: 'names',
        of: 'city',
        none: ['订阅人的全部城市', 'All of the owner’s'],
      },
      mids: {
        title: ['商场', 'Malls'],
        kind: 'names',
        of: 'mall',
        none: ['订阅人的全部商场', 'All of the owner’s'],
      },
      group_ids: { title: ['接收群组', 'Groups'], kind: 'names', of: 'notify_group' },
      emails: { title: ['接收邮箱', 'E-mail'], kind: 'list' },
      template: { title: ['报表', 'Report'], kind: 'enum', options: reportTemplates },
      schedule: { title: ['发送时间', 'Schedule'] },
      receivers: { title: ['接收', 'Receivers'] },
      scope: { title: ['范围', 'Places'] },
      pause_reason: { title: ['暂停原因', 'Why paused'] },
      period: { title: ['期次', 'Period'] },
      resend: { title: ['补发次数', 'Sent again'], kind: 'number' },
      unreached: { title: ['未送达', 'Not delivered'], kind: 'list' },
      status: {
        title: ['状态', 'State'],
        kind: 'enum',
        options: { on: ['订阅中', 'On'], paused: ['已暂停', 'Paused'] },
      },
      state: {
        title: ['结果', 'Outcome'],
        kind: 'enum',
        options: runStates,
      },
    },
  },
  daily_stat: {
    title: ['经营日统计', 'Figures of a day'],
    fields: {
      gmv_cents: { title: ['成交额', 'Sales'], kind: 'money' },
      verified_cents: { title: ['核销额', 'Redeemed'], kind: 'money' },
      refunded_cents: { title: ['退款额', 'Refunded'], kind: 'money' },
    },
  },
}
