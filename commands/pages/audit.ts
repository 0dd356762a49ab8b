import { z } from 'zod'
import { auditQueues, type AuditQueue } from '#src/areas/audit/audit.ts'
import { id } from '#src/contract/shapes.ts'
import { page, type Section } from '../command.ts'

export const section: Section = {
  key: 'audit',
  title: '审核',
  en: 'Audit',
  place: 20,
  icon: 'check',
}

export const bulks = page('/manage/audit/bulks', '团购审核', 'Group-buy audit', {
  object: 'audit_task',
  keys: 'g a b',
  keepAlive: true,
  alias: ['团单审核', 'deal review'],
})
export const card = page('/manage/audit/card', '卡券审核', 'Card audit', {
  object: 'audit_task',
  keys: 'g a c',
  keepAlive: true,
  alias: ['次卡审核'],
})
export const voucher = page('/manage/audit/voucher', '代金券审核', 'Voucher audit', {
  object: 'audit_task',
  keys: 'g a v',
  keepAlive: true,
})
export const product = page('/manage/audit/product', '商品审核', 'Product audit', {
  object: 'audit_task',
  keys: 'g a p',
  keepAlive: true,
})
/** The page of each queue. */
export const queuePages = { bulks, card, voucher, product }
/** The queues that a person may open and claim from. */
export const claimableQueues = (can: (permit: string) => boolean): readonly AuditQueue[] =>
  auditQueues.filter(queue => can(queuePages[queue].permit) && can(`audit.${queue}.claimNext`))
export const productDetail = page(
  '/manage/audit/product/detail',
  '商品审核详情',
  'Product audit detail',
  {
    object: 'audit_task',
    menu: false,
    search: z.looseObject({ id }),
    follows: ({ type, id: at, row }) =>
      type === 'audit_task' && row['queue'] === 'product' ? { id: at } : undefined,
  },
)
export const look = page('/manage/audit/look', '抽检复看', 'Second look', {
  keys: 'g a l',
  alias: ['质检', '双盲', 'double audit'],
})
export const lookFigures = page('/manage/audit/look/figures', '抽检结果', 'Second-look figures', {
  keys: 'g a f',
  object: 'audit_task',
  alias: ['质检', '分歧率', 'disagreement'],
})
/**
 * The queue of group-buys once more, on submissions that exist nowhere: the same verbs under the
 * same keys, none of which can reach a real task.
 */
export const practice = page('/manage/audit/practice', '练习审核', 'Practise auditing', {
  keepAlive: true,
  alias: ['怎么审核', '审核练习', '新人练习', '学习审核', 'practice', 'how to audit', 'learn'],
})
