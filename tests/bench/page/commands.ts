import { action, page, type Command } from '#commands/command.ts'
import * as home from '#commands/home.ts'
import * as list from '#commands/list.ts'
import * as shell from '#commands/shell.ts'
export { commandsOf } from '../../../commands/contents.ts'

const things: readonly (readonly [string, string])[] = [
  ['团购', 'group-buy'],
  ['卡券', 'card'],
  ['代金券', 'voucher'],
  ['商品', 'product'],
  ['订单', 'order'],
  ['退款', 'refund'],
  ['门店', 'store'],
  ['商户', 'merchant'],
  ['会员', 'member'],
  ['结算', 'settlement'],
  ['账单', 'bill'],
  ['发票', 'invoice'],
  ['优惠', 'discount'],
  ['拼团', 'group'],
  ['秒杀', 'flash sale'],
  ['抽奖', 'lottery'],
  ['积分', 'points'],
  ['储值', 'stored value'],
  ['骑手', 'rider'],
  ['配送', 'delivery'],
  ['活动', 'campaign'],
  ['广告', 'banner'],
  ['评价', 'review'],
  ['投诉', 'complaint'],
  ['城市', 'city'],
]
const sides: readonly (readonly [string, string])[] = [
  ['审核', 'audit'],
  ['列表', 'list'],
  ['设置', 'settings'],
  ['统计', 'figures'],
  ['记录', 'records'],
  ['分类', 'categories'],
  ['标签', 'tags'],
  ['报表', 'report'],
  ['规则', 'rules'],
  ['草稿', 'drafts'],
  ['回收站', 'bin'],
  ['明细', 'details'],
  ['对账', 'matching'],
  ['预警', 'alerts'],
  ['任务', 'tasks'],
  ['模板', 'templates'],
]
const verbs: readonly (readonly [string, string])[] = [
  ['通过', 'Approve'],
  ['驳回', 'Reject'],
  ['领取', 'Claim'],
  ['退回', 'Return'],
  ['转交', 'Transfer'],
  ['导出', 'Export'],
  ['新建', 'Add'],
  ['编辑', 'Edit'],
  ['复制', 'Copy'],
  ['删除', 'Delete'],
  ['上架', 'Put on sale'],
  ['下架', 'Take off'],
  ['冻结', 'Freeze'],
  ['解冻', 'Unfreeze'],
  ['打印', 'Print'],
  ['撤销', 'Undo'],
  ['置顶', 'Pin'],
  ['改价', 'Reprice'],
  ['补发', 'Resend'],
  ['核销', 'Redeem'],
  ['备注', 'Note'],
  ['指派', 'Assign'],
  ['合并', 'Merge'],
  ['拆分', 'Split'],
  ['重算', 'Recount'],
]
const WANTED = 10_000

/**
 * As many commands as a benchmark wants, in the shape and spread of the real ones: 400 pages, the
 * rest their actions.
 */
const grown: Command[] = []
for (const [a, [thing, thingEn]] of things.entries())
  for (const [b, [side, sideEn]] of sides.entries()) {
    const at = page(`/manage/m${a}/s${b}`, `${thing}${side}`, `${thingEn} ${sideEn}`)
    grown.push(at)
    for (const [c, [verb, verbEn]] of verbs.entries())
      if (grown.length < WANTED)
        grown.push(
          action(`m${a}.s${b}.v${c}`, {
            title: `${verb}${thing}${side}`,
            en: `${verbEn} ${thingEn} ${sideEn}`,
            at,
          }),
        )
  }
const own = [home, list, shell]
  .flatMap(of => Object.values(of) as Command[])
  .filter(command => command.kind === 'page' || command.kind === 'action')
/**
 * Stands in the place of `commands/index.ts` and `commands/contents.ts`: the workbench's own
 * commands and, to the number wanted, grown ones.
 */
export const all: readonly Command[] = [...own, ...grown].slice(0, WANTED)
export const pages = all.filter(command => command.kind === 'page')
export const actions = all.filter(command => command.kind === 'action')
export const sections = []
export const histories = []
export const historyFrom = () => undefined
