import * as audit from './audit.ts'
import type { Action, Command, Page } from './command.ts'
import { commandsOf, histories, sections } from './contents.ts'
import * as home from './home.ts'
import * as list from './list.ts'
import * as mall from './mall.ts'
import * as orderBulks from './order/bulks.ts'
import * as orderCard from './order/card.ts'
import * as orderCombo from './order/combo.ts'
import * as orderElist from './order/elist.ts'
import * as orderGoods from './order/goods.ts'
import * as orderPoints from './order/pointsShopList.ts'
import * as orderRaise from './order/raiseList.ts'
import * as orderRefund from './order/refund.ts'
import * as orderRollBuy from './order/rollBuy.ts'
import * as orderSettings from './order/settings.ts'
import * as orderVerify from './order/verify.ts'
import * as orderVisitor from './order/visitor.ts'
import * as orderVoucher from './order/voucher.ts'
import * as screenPages from './pages/session.ts'
import * as practice from './practice.ts'
import * as session from './session.ts'
import * as shell from './shell.ts'
import * as city from './system/city.ts'
import * as content from './system/content.ts'
import * as duty from './system/duty.ts'
import * as live from './system/live.ts'
import * as logs from './system/logs.ts'
import * as overview from './system/overview.ts'
import * as people from './system/people.ts'
import * as risk from './system/risk.ts'

const actionsOf = {
  home: { home, publish: list.listPublishView },
  system: { overview, people, city, content, live, logs, risk, duty },
  audit: { audit, practice },
  order: {
    orderVisitor,
    orderBulks,
    orderRollBuy,
    orderCard,
    orderVoucher,
    orderGoods,
    orderElist,
    orderPoints,
    orderCombo,
    orderVerify,
    orderRaise,
    orderRefund,
    orderSettings,
  },
  mall,
} satisfies Record<(typeof sections)[number]['key'], object>
/** The modules in menu order, with everything that is declared in each. */
export const modules = sections.map(({ key, title, en, pages }) => ({
  key,
  title,
  en,
  commands: [pages, actionsOf[key]] as const,
}))

/** Everything inside the workbench. */
export const all: readonly Command[] = [
  ...new Set([
    ...modules.flatMap(module => commandsOf(module.commands)),
    ...histories,
    ...commandsOf(list),
    ...commandsOf(shell),
  ]),
]
export const pages: readonly Page[] = all.filter(command => command.kind === 'page')
export const actions: readonly Action[] = all.filter(command => command.kind === 'action')
/** The screens outside it, with what can be done there. */
export const screens: readonly Command[] = commandsOf([screenPages, session])
