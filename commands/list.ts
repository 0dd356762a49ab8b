import { action } from './command.ts'
import { home } from './home.ts'

/** What every list can do. Each is offered wherever the focused page performs it (`useAction`), under the same key. */
export const listNext = action('list.next', { title: '下一行', en: 'Next row', key: 'j', at: home })
export const listPrevious = action('list.previous', { title: '上一行', en: 'Previous row', key: 'k', at: home })
export const listSelect = action('list.select', { title: '选择此行', en: 'Select row', key: 'x', at: home })
export const listExtendDown = action('list.extendDown', { title: '向下扩选', en: 'Extend selection down', key: 'shift+j', at: home })
export const listExtendUp = action('list.extendUp', { title: '向上扩选', en: 'Extend selection up', key: 'shift+k', at: home })
export const listOpen = action('list.open', { title: '打开', en: 'Open', key: 'enter', at: home })
export const listSearch = action('list.search', { title: '筛选列表', en: 'Filter the list', key: '/', at: home })
export const listRefresh = action('list.refresh', { title: '刷新列表', en: 'Refresh list', key: 'shift+g', at: home })
export const listSelectAll = action('list.selectAll', { title: '选择全部匹配项', en: 'Select all that match', key: 'shift+8', at: home })
export const listClear = action('list.clear', { title: '清除选择', en: 'Clear selection', key: 'shift+u', at: home })
export const listNextTab = action('list.nextTab', { title: '下一个标签', en: 'Next tab', key: ']', at: home })
export const listPreviousTab = action('list.previousTab', { title: '上一个标签', en: 'Previous tab', key: '[', at: home })
export const listColumns = action('list.columns', { title: '列设置', en: 'Choose columns', key: 'shift+q', at: home })
export const listNextPage = action('list.nextPage', { title: '下一页', en: 'Next page', key: 'shift+n', at: home })
export const listPreviousPage = action('list.previousPage', { title: '上一页', en: 'Previous page', key: 'shift+p', at: home })
/** What every ordered list (`kit/board.tsx`) can do besides; its page's own action saves the order. */
export const boardUp = action('list.moveUp', { title: '上移', en: 'Move up', key: 'alt+arrowup', at: home })
export const boardDown = action('list.moveDown', { title: '下移', en: 'Move down', key: 'alt+arrowdown', at: home })
export const boardTop = action('list.moveFirst', { title: '移到最前', en: 'Move to the top', key: 'alt+home', at: home })
export const boardBottom = action('list.moveLast', { title: '移到最后', en: 'Move to the end', key: 'alt+end', at: home })
export const boardUndo = action('list.unmove', { title: '撤销未保存的移动', en: 'Undo an unsaved move', key: 'shift+z', at: home })
export const boardDiscard = action('list.discardOrder', { title: '放弃未保存的顺序', en: 'Discard the unsaved order', at: home })
