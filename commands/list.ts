import type { ViewShare } from '#src/areas/workbench/view.ts'
import { views, type View } from '#src/contract/views.ts'
import { action, ask } from './command.ts'
import { home } from './pages/home.ts'

/**
 * What every list can do. Each is offered wherever the focused page performs it (`useAction`),
 * under the same key.
 */
export const listNext = action('list.next', { title: '下一行', en: 'Next row', key: 'j', at: home })
export const listPrevious = action('list.previous', {
  title: '上一行',
  en: 'Previous row',
  key: 'k',
  at: home,
})
export const listSelect = action('list.select', {
  title: '选择此行',
  en: 'Select row',
  key: 'x',
  at: home,
})
export const listExtendDown = action('list.extendDown', {
  title: '向下扩选',
  en: 'Extend selection down',
  key: 'shift+j',
  at: home,
})
export const listExtendUp = action('list.extendUp', {
  title: '向上扩选',
  en: 'Extend selection up',
  key: 'shift+k',
  at: home,
})
export const listOpen = action('list.open', { title: '打开', en: 'Open', key: 'enter', at: home })
export const listDetail = action('list.detail', {
  title: '显示或收起详情',
  en: 'Show or put away the detail',
  key: 'mod+i',
  at: home,
  alias: ['详情栏', '检查器', 'inspector'],
})
export const listSearch = action('list.search', {
  title: '筛选列表',
  en: 'Filter the list',
  key: '/',
  at: home,
})
export const listRefresh = action('list.refresh', {
  title: '刷新列表',
  en: 'Refresh list',
  key: 'shift+g',
  at: home,
})
export const listSelectAll = action('list.selectAll', {
  title: '选择全部匹配项',
  en: 'Select all that match',
  key: 'shift+8',
  at: home,
})
export const listClear = action('list.clear', {
  title: '清除选择',
  en: 'Clear selection',
  key: 'shift+u',
  at: home,
})
export const listNextTab = action('list.nextTab', {
  title: '下一个标签',
  en: 'Next tab',
  key: ']',
  at: home,
})
export const listPreviousTab = action('list.previousTab', {
  title: '上一个标签',
  en: 'Previous tab',
  key: '[',
  at: home,
})
export const listColumns = action('list.columns', {
  title: '列设置',
  en: 'Choose columns',
  key: 'shift+q',
  at: home,
})
export const listDensity = action('list.density', {
  title: '切换紧凑行高',
  en: 'Switch to lower rows or back',
  at: home,
  alias: ['行高', 'density'],
})
export const listNextPage = action('list.nextPage', {
  title: '下一页',
  en: 'Next page',
  key: 'shift+n',
  at: home,
})
export const listPreviousPage = action('list.previousPage', {
  title: '上一页',
  en: 'Previous page',
  key: 'shift+p',
  at: home,
})
/**
 * Filters, sort and columns under a name. The list itself knows which view is meant, and asks
 * these.
 */
const viewName = ask.text({ label: ['视图名称', 'Name'], max: 32, initial: rows => rows[0]?.name })
const viewDefault = ask.flag({
  label: ['打开此列表时默认使用', 'The list begins with it'],
  initial: rows => rows[0]?.is_default ?? false,
})
export const listViews = action('list.views', {
  title: '打开视图',
  en: 'Open a view',
  key: 'shift+w',
  at: home,
  alias: ['保存的视图', 'saved views'],
})
export const listSaveView = action('list.saveView', {
  title: '保存为视图',
  en: 'Save as a view',
  at: home,
  asks: { name: ask.text({ label: ['视图名称', 'Name'], max: 32 }), is_default: viewDefault },
  alias: ['收藏筛选', 'save filters'],
})
export const listKeepView = action('list.keepView', {
  title: '更新当前视图',
  en: 'Update this view',
  at: home,
})
export const listEditView = action('list.editView', {
  title: '重命名视图',
  en: 'Rename the view',
  at: home,
  asks: { name: viewName, is_default: viewDefault },
})
export const listDeleteView = action('list.deleteView', {
  title: '删除视图',
  en: 'Delete the view',
  danger: true,
  at: home,
})

/** A right of its own: it is given with those of the home page. */
export const listPublishView = action('list.publishView', {
  title: '发布视图',
  en: 'Publish the view',
  at: home,
  permit: views.publish.permit,
  asks: {
    share: ask.choice({
      label: ['共享给', 'Shared with'],
      options: {
        team: ['我的团队（本部门及下级）', 'My team (department and below)'],
        role: ['一个角色', 'A role'],
        mine: ['仅自己（收回）', 'Nobody (take back)'],
      } satisfies Record<ViewShare, readonly [string, string]>,
      initial: rows => (rows[0] as View | undefined)?.share,
    }),
    role: ask.entity({
      label: ['角色', 'Role'],
      find: views.roles,
      labelOf: row => row.name,
      shown: answers => answers.share === 'role',
      initial: rows => rows[0]?.role_id ?? undefined,
      named: rows => rows[0]?.audience || undefined,
    }),
    is_default: ask.flag({
      label: ['作为他们打开此列表时的默认视图', 'Their list begins with it'],
      initial: rows => rows[0]?.is_default ?? false,
    }),
  },
})

/**
 * What every ordered list (`kit/board.tsx`) can do besides; its page's own action saves the order.
 */
export const boardUp = action('list.moveUp', {
  title: '上移',
  en: 'Move up',
  key: 'alt+arrowup',
  at: home,
})
export const boardDown = action('list.moveDown', {
  title: '下移',
  en: 'Move down',
  key: 'alt+arrowdown',
  at: home,
})
export const boardTop = action('list.moveFirst', {
  title: '移到最前',
  en: 'Move to the top',
  key: 'alt+home',
  at: home,
})
export const boardBottom = action('list.moveLast', {
  title: '移到最后',
  en: 'Move to the end',
  key: 'alt+end',
  at: home,
})
export const boardUndo = action('list.unmove', {
  title: '撤销未保存的移动',
  en: 'Undo an unsaved move',
  key: 'shift+z',
  at: home,
})
export const boardDiscard = action('list.discardOrder', {
  title: '放弃未保存的顺序',
  en: 'Discard the unsaved order',
  at: home,
})
