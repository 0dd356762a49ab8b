import type { ObjectWord } from '#src/areas/log/objectWord.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  page_scheme: {
    title: ['页面方案', 'Page design'],
    fields: {
      name: { title: ['名称', 'Name'] },
      no: { title: ['线上版本', 'Live version'], kind: 'number' },
      blocks: { title: ['组件数', 'Blocks'], kind: 'number' },
      from_rollback: { title: ['回滚自版本', 'Copy of version'], kind: 'number' },
      fallback: { title: ['默认模板', 'Default template'] },
      applied: { title: ['已应用品牌', 'Applied to'], kind: 'list' },
      skipped: { title: ['跳过品牌', 'Passed over'], kind: 'list' },
      draft_by: { title: ['草稿编辑人', 'Draft held by'], kind: 'name', of: 'admin' },
      scheduled_at: { title: ['定时发布', 'Scheduled for'], kind: 'time' },
      scheduled: {
        title: ['已有的定时发布', 'What was scheduled'],
        kind: 'enum',
        options: { keep: ['保留', 'Kept'], cancel: ['取消', 'Cancelled'] },
      },
    },
  },
}
