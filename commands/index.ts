import * as audit from './audit.ts'
import type { Action, Command, Page } from './command.ts'
import * as home from './home.ts'
import * as list from './list.ts'
import * as mall from './mall.ts'
import * as orderBulks from './order/bulks.ts'
import * as orderCombo from './order/combo.ts'
import * as orderCard from './order/card.ts'
import * as orderElist from './order/elist.ts'
import * as orderGoods from './order/goods.ts'
import * as orderRaise from './order/raiseList.ts'
import * as orderPoints from './order/pointsShopList.ts'
import * as orderRefund from './order/refund.ts'
import * as orderRollBuy from './order/rollBuy.ts'
import * as orderSettings from './order/settings.ts'
import * as orderVerify from './order/verify.ts'
import * as orderVisitor from './order/visitor.ts'
import * as orderVoucher from './order/voucher.ts'
import * as practice from './practice.ts'
import * as session from './session.ts'
import * as shell from './shell.ts'
import * as overview from './system/overview.ts'
import * as people from './system/people.ts'
import * as city from './system/city.ts'
import * as content from './system/content.ts'
import * as live from './system/live.ts'
import * as logs from './system/logs.ts'
import * as risk from './system/risk.ts'
import * as duty from './system/duty.ts'

/** The modules in menu order, with the name of each in the sidebar. */
export const modules = [
  { key: 'home', title: '工作台', en: 'Workbench', commands: { home, publish: list.listPublishView } },
  { key: 'system', title: '系统', en: 'System', commands: { overview, people, city, content, live, logs, risk, duty } },
  { key: 'audit', title: '审核', en: 'Audit', commands: { audit, practice } },
  { key: 'order', title: '订单', en: 'Orders', commands: { orderVisitor, orderBulks, orderRollBuy, orderCard, orderVoucher, orderGoods, orderElist, orderPoints, orderCombo, orderVerify, orderRaise, orderRefund, orderSettings } },
  { key: 'mall', title: '商场', en: 'Malls', commands: mall },
] as const

const commandsIn = (of: object): Command[] =>
  Object.values(of).flatMap((value: unknown) => (typeof value !== 'object' || value === null ? [] : 'kind' in value ? [value as Command] : commandsIn(value)))
/** The pages and actions of one module, in the order of their declaration. */
export const commandsOf = (of: object): Command[] => commandsIn(of).sort((a, b) => a.order - b.order)

const declared = modules.flatMap(module => commandsOf(module.commands))
const histories: ReadonlyMap<Page, Action> = new Map(declared.flatMap(command => (command.kind === 'page' && command.object ? [[command, logs.historyAction(command)] as const] : [])))
/** Everything inside the workbench. */
export const all: readonly Command[] = [...new Set(declared.concat([...histories.values()], commandsOf(list), commandsOf(shell)))]
export const pages: readonly Page[] = all.filter(command => command.kind === 'page')
export const actions: readonly Action[] = all.filter(command => command.kind === 'action')
/** "Who changed this" of a page whose rows are objects of the operation log. */
export const historyFrom = (page: Page): Action | undefined => histories.get(page)
/** The screens outside it, with what can be done there. */
export const screens: readonly Command[] = commandsOf(session)
