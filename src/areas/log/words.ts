import type { ObjectWord } from './objectWord.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  ip_ban: {
    title: ['IP 封禁', 'IP ban'],
    fields: {
      ip: { title: ['IP', 'IP'] },
      until_at: { title: ['封禁至', 'Banned until'], kind: 'time' },
      lifted: { title: ['已解除', 'Lifted'], kind: 'flag' },
    },
  },
  op_log: { title: ['操作日志', 'Operation log'], fields: {} },
  batch: { title: ['批量操作', 'Batch'], fields: {} },
}
