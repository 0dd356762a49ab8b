import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { exportStates } from './exportStates.ts'
import { rowJobStates } from './rowJob.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  export_job: {
    title: ['导出任务', 'Export'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: exportStates },
      link: { title: ['取得下载链接', 'Link given'], kind: 'flag' },
      expires_at: { title: ['保存至', 'Kept until'], kind: 'time' },
      downloads: { title: ['下载次数', 'Downloads'], kind: 'number' },
    },
  },
  row_job: {
    title: ['批量任务', 'Job'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: rowJobStates },
      rows: { title: ['行数', 'Rows'], kind: 'number' },
    },
  },
}
