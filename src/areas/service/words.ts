import { onOff, type ObjectWord } from '#src/areas/log/objectWord.ts'
import { issueSides } from './issueCate.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  issue_cate: {
    title: ['问题分类', 'Issue category'],
    fields: {
      parent_id: {
        title: ['上级', 'Under'],
        kind: 'name',
        of: 'issue_cate',
        none: ['最上级', 'The top'],
      },
      side: { title: ['提出方', 'From'], kind: 'enum', options: issueSides },
      handler_group_id: {
        title: ['处理组', 'Handled by'],
        kind: 'name',
        of: 'notify_group',
        none: ['沿用上级', 'Inherited'],
      },
      first_h: {
        title: ['首次响应（小时）', 'First answer, h'],
        kind: 'number',
        none: ['沿用上级', 'Inherited'],
      },
      finish_h: {
        title: ['办结（小时）', 'Finished, h'],
        kind: 'number',
        none: ['沿用上级', 'Inherited'],
      },
      auto_reply: { title: ['自动回复', 'Auto-reply'] },
      article_id: { title: ['帮助文章', 'Help article'], kind: 'name', of: 'page_link' },
      fallback: { title: ['兜底分类', 'For what is left'], kind: 'flag' },
      status: { title: ['状态', 'Status'], kind: 'enum', options: onOff },
      merged_into: { title: ['合并到', 'Merged into'], kind: 'name', of: 'issue_cate' },
      moved: { title: ['移走的工单', 'Tickets moved'], kind: 'number' },
      children: { title: ['移走的下级', 'Children moved'], kind: 'number' },
    },
  },
}
