import type { ObjectWord } from '#src/areas/log/objectWord.ts'

/** What the operation log calls the lines of this log. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  user_log: {
    title: ['用户行为日志', 'User activity log'],
    fields: {
      looked: {
        title: ['反查', 'Looked up by'],
        kind: 'enum',
        options: {
          timeline: ['时间线', 'Timeline'],
          device: ['同设备账号', 'Accounts by device'],
          ip: ['同 IP 账号', 'Accounts by IP'],
        },
      },
      accounts: { title: ['账号数', 'Accounts'], kind: 'number' },
    },
  },
}
