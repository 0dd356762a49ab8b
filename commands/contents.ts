import type { Action, Command, Page } from './command.ts'
import { historyAction } from './history.ts'
import * as audit from './pages/audit.ts'
import * as home from './pages/home.ts'
import * as mall from './pages/mall.ts'
import * as order from './pages/order.ts'
import * as system from './pages/system.ts'

/**
 * The modules in menu order, with the name of each in the sidebar, and the pages of each in the
 * order of their declaration.
 */
export const sections = [
  { key: 'home', title: '工作台', en: 'Workbench', pages: home },
  { key: 'system', title: '系统', en: 'System', pages: system },
  { key: 'audit', title: '审核', en: 'Audit', pages: audit },
  { key: 'order', title: '订单', en: 'Orders', pages: order },
  { key: 'mall', title: '商场', en: 'Malls', pages: mall },
] as const
/**
 * Every page inside the workbench: few words each, known before anything else is fetched. What is
 * done on them comes with the page, or with commands/index.ts.
 */
export const pages: readonly Page[] = sections.flatMap(section =>
  Object.values<Page>(section.pages).sort((a, b) => a.order - b.order),
)
const made: ReadonlyMap<Page, Action> = new Map(
  pages.flatMap(page => (page.object ? [[page, historyAction(page)] as const] : [])),
)
/** "Who changed this" of every page whose rows are objects of the operation log. */
export const histories: readonly Action[] = [...made.values()]
export const historyFrom = (page: Page): Action | undefined => made.get(page)

const commandsIn = (of: object): Command[] =>
  Object.values(of).flatMap((value: unknown) =>
    typeof value !== 'object' || value === null
      ? []
      : 'kind' in value
        ? [value as Command]
        : commandsIn(value),
  )
/**
 * The pages and actions that something holds, such as what a file exports, in the order of their
 * declaration.
 */
export const commandsOf = (of: object): Command[] =>
  commandsIn(of).sort((a, b) => a.order - b.order)
