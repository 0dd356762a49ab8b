import { z } from 'zod'
import {
  BATCH_MAX,
  auditCan,
  forbidden,
  filledReason,
  reasonFault,
  queueNames,
  rejectCodes,
  rejectPhrases,
  shortRule,
  type AuditQueue,
  type AuditVerb,
  type RejectCode,
} from '#src/areas/audit/audit.ts'
import { markable } from '#src/areas/product/fields.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  auditItem,
  auditors,
  bulks as bulksCalls,
  card as cardCalls,
  categories,
  look as lookCalls,
  lookItem,
  lookRates,
  product as productCalls,
  queues,
  tuan,
  voucher as voucherCalls,
  type AuditItem,
} from '#src/modules/audit/contract.ts'
import {
  action,
  ask,
  byAccount,
  byKeyword,
  recordFinder,
  to,
  type Me,
  type Page,
  type Reasoned,
  type Told,
} from '../command.ts'
import { bulks, card, look, lookFigures, product, productDetail, voucher } from '../pages/audit.ts'

const can =
  (verb: AuditVerb) =>
  (row: AuditItem, me: Me): true | Text =>
    auditCan(verb, row, me.id, unixNow())
const one = (rows: readonly AuditItem[]) => ({ id: rows[0]!.id, version: rows[0]!.version })
const many = (rows: readonly AuditItem[]) => rows.map(row => ({ id: row.id, version: row.version }))
const words = { label: ['说明', 'Reason'], max: 500, min: 2, lines: 3 } as const
const whyOf = (q: AuditQueue, wordless = false) =>
  ask.reason({
    label: ['驳回原因', 'Reject reason'],
    codes: rejectCodes,
    top: queues[q].reasons,
    several: true,
    phrases: rejectPhrases,
    filled: filledReason,
    wordless,
    check: why => reasonFault(why.text),
  })
const reasoned = ({ why }: { why: Reasoned }) => ({
  reason_code: why.code as RejectCode,
  ...(why.more?.length ? { more_codes: why.more as RejectCode[] } : {}),
  reason: why.text,
})
/** A submission with a mark that forbids can't be approved, however often it is asked. */
const approvable =
  (verb: 'approve' | 'approveWithEdit') =>
  (row: AuditItem, me: Me): true | Text => {
    const may = can(verb)(row, me)
    const forbids = row.flags.find(forbidden)
    if (may !== true || forbids === undefined) return may
    const [zh, en] = shortRule(forbids)
    return [`不能通过：${zh}`, `Can’t be approved: ${en}`]
  }
const unflagged = (row: AuditItem, me: Me): true | Text => {
  const may = approvable('approve')(row, me)
  return may === true && row.flags.length > 0
    ? ['有机审标记，须逐条审核', 'Flagged: decide it by itself']
    : may
}

/** What several submissions put on sale together: how much could be sold at most. */
const onSale = (rows: readonly AuditItem[]): Told | undefined => {
  if (rows.length < 2) return undefined
  const pieces = rows.reduce((sum, row) => sum + row.stock, 0)
  const cents = rows.reduce((sum, row) => sum + row.price_cents * row.stock, 0)
  return [
    ['通过后在售：库存合计 {pieces} 份，最多售出 ¥{sum}', '{pieces} go on sale, up to ¥{sum}'],
    { pieces: pieces.toLocaleString('en'), sum: yuan(cents) },
    cents,
  ]
}

/** The verbs every queue has; `also` is the detail page that offers them too. */
const queue = (q: AuditQueue, at: Page, also: readonly Page[] = []) => {
  const calls = queues[q]
  const why = whyOf(q)
  // Marks at the fields of a product's page tell why too.
  const rejectWhy = q === 'product' ? whyOf(q, true) : why
  return {
    claim: action(calls.claim, {
      title: '领取',
      en: 'Claim',
      key: 'c',
      at,
      on: auditItem,
      takes: 'row',
      when: can('claim'),
      input: rows => ({ id: rows[0]!.id }),
    }),
    unclaim: action(calls.unclaim, {
      title: '退回队列',
      en: 'Return to queue',
      key: 'shift+c',
      at,
      on: auditItem,
      most: BATCH_MAX,
      when: can('unclaim'),
      input: rows => ({ ids: rows.map(row => row.id) }),
    }),
    approve: action(calls.approve, {
      title: '通过审核',
      en: 'Approve',
      key: 'a',
      at,
      also,
      on: auditItem,
      takes: 'row',
      main: true,
      when: approvable('approve'),
      input: one,
    }),
    claimNext: action(calls.claimNext, {
      title: '领取下一条',
      en: 'Claim next',
      key: 'n',
      at,
      main: true,
      input: () => ({ n: 1 }),
    }),
    reject: action(calls.reject, {
      title: '驳回',
      en: 'Reject',
      key: 'r',
      danger: true,
      at,
      also,
      on: auditItem,
      takes: 'row',
      main: true,
      when: can('reject'),
      asks: { why: rejectWhy },
      input: (rows, asked) => ({ ...one(rows), ...reasoned(asked) }),
    }),
    batchApprove: action(calls.batchApprove, {
      title: '批量通过',
      en: 'Approve selected',
      key: 'shift+a',
      at,
      on: auditItem,
      most: BATCH_MAX,
      when: unflagged,
      tells: onSale,
      input: rows => ({ tasks: many(rows) }),
    }),
    batchReject: action(calls.batchReject, {
      title: '批量驳回',
      en: 'Reject selected',
      key: 'shift+r',
      danger: true,
      at,
      on: auditItem,
      most: BATCH_MAX,
      when: can('reject'),
      asks: { why: rejectWhy },
      input: (rows, asked) => ({ tasks: many(rows), ...reasoned(asked) }),
    }),
    transfer: action(calls.transfer, {
      title: '转交',
      en: 'Transfer',
      key: 't',
      at,
      on: auditItem,
      takes: 'row',
      when: can('transfer'),
      asks: {
        admin: ask.entity({
          label: ['转交给', 'To'],
          find: auditors,
          by: byAccount,
          labelOf: row => `${row.name} ${row.account}`,
        }),
        reason: ask.text(words),
      },
      input: (rows, asked) => ({ ...one(rows), admin_id: asked.admin, reason: asked.reason }),
    }),
    export: action(calls.export, { title: '导出审核记录', en: 'Export', key: 'shift+e', at }),
  }
}
/** A row with what its detail knows: then tags and the order of pictures can be edited too. */
type Editable = AuditItem & { tags?: readonly string[]; images?: readonly string[] }
const SEPARATOR = /[、,，]\s*/
const edits = {
  title: ask.text({ label: ['标题', 'Title'], max: 120, initial: rows => rows[0]?.title }),
  category: ask.entity({
    label: ['类目', 'Category'],
    optional: true,
    find: categories,
    labelOf: row => row.name,
  }),
  tags: ask.text({
    label: ['标签（顿号分隔）', 'Tags (comma-separated)'],
    optional: true,
    max: 200,
    initial: rows => rows[0]?.tags?.join('、'),
  }),
  images: ask.order({
    label: ['图片顺序（首张为主图）', 'Picture order (the first is the main one)'],
    optional: true,
    pictures: true,
    initial: rows => rows[0]?.images,
  }),
  reason: ask.text(words),
}
const same = (a: readonly string[] | undefined, b: readonly string[] | undefined) =>
  a?.join('\n') === b?.join('\n')
const edited = (
  rows: readonly Editable[],
  asked: { title: string; category?: number; tags?: string; images?: string[]; reason: string },
) => {
  const row = rows[0]!
  const tags =
    row.tags &&
    (asked.tags ?? '')
      .split(SEPARATOR)
      .map(tag => tag.trim())
      .filter(Boolean)
  return {
    ...one(rows),
    reason: asked.reason,
    fields: {
      ...(asked.title === row.title ? {} : { title: asked.title }),
      ...(asked.category ? { category_id: asked.category } : {}),
      ...(tags && !same(tags, row.tags) ? { tags } : {}),
      ...(asked.images && !same(asked.images, row.images) ? { images: asked.images } : {}),
    },
  }
}

export const bulksActions = {
  ...queue('bulks', bulks),
  approveWithEdit: action(bulksCalls.approveWithEdit, {
    title: '修改后通过',
    en: 'Approve with edits',
    key: 'shift+m',
    at: bulks,
    on: auditItem,
    takes: 'row',
    when: can('approveWithEdit'),
    asks: edits,
    input: edited,
  }),
  askMore: action(bulksCalls.askMore, {
    title: '要求补充资料',
    en: 'Ask for more',
    key: 'm',
    at: bulks,
    on: auditItem,
    takes: 'row',
    when: can('askMore'),
    asks: { reason: ask.text(words) },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  batchTime: action(tuan.batchUpdateStartAndCheckTime, {
    title: '批量改开售与核销时间',
    en: 'Change sale and redeem times',
    key: 'shift+t',
    at: bulks,
    on: auditItem,
    asks: {
      start_at: ask.time({ label: ['开售时间', 'Sale start'], optional: true }),
      check_start_at: ask.time({ label: ['核销开始', 'Redeem start'], optional: true }),
      check_end_at: ask.time({ label: ['核销结束', 'Redeem end'], optional: true }),
      reason: ask.text(words),
    },
    input: (rows, asked) => ({ ids: rows.map(row => row.product_id), ...asked }),
  }),
  timeLogs: action('audit.bulks.timeLogs', {
    title: '查看批量改时间记录',
    en: 'Batch time changes',
    key: 'shift+l',
    at: bulks,
    permit: tuan.timeLogs.permit,
  }),
}
export const cardActions = {
  ...queue('card', card),
  askMore: action(cardCalls.askMore, {
    title: '要求补充资料',
    en: 'Ask for more',
    key: 'm',
    at: card,
    on: auditItem,
    takes: 'row',
    when: can('askMore'),
    asks: { reason: ask.text(words) },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  calcRefund: action('audit.card.calcRefund', {
    title: '试算退款',
    en: 'Refund trial',
    key: 'f',
    at: card,
    on: auditItem,
    takes: 'row',
  }),
}
export const voucherActions = {
  ...queue('voucher', voucher),
  askMore: action(voucherCalls.askMore, {
    title: '要求补充资料',
    en: 'Ask for more',
    key: 'm',
    at: voucher,
    on: auditItem,
    takes: 'row',
    when: can('askMore'),
    asks: { reason: ask.text(words) },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
}
export const productActions = {
  ...queue('product', product, [productDetail]),
  openDetail: action('audit.product.openDetail', {
    title: '打开审核详情',
    en: 'Open detail',
    key: 'o',
    at: product,
    on: auditItem,
    takes: 'row',
    to: rows => to(productDetail, { id: rows[0]!.id }),
  }),
}
export const productDetailActions = {
  approveWithEdit: action(productCalls.approveWithEdit, {
    title: '修改后通过',
    en: 'Approve with edits',
    key: 'shift+m',
    at: productDetail,
    on: auditItem,
    takes: 'row',
    when: can('approveWithEdit'),
    asks: edits,
    input: edited,
  }),
  markField: action(productCalls.markField, {
    title: '标注问题字段',
    en: 'Mark a field',
    key: 'b',
    at: productDetail,
    on: auditItem,
    takes: 'row',
    asks: {
      field: ask.choice({ label: ['字段', 'Field'], options: markable }),
      comment: ask.text({
        label: ['问题（留空则取消标注）', 'Remark (empty takes it away)'],
        max: 200,
        optional: true,
      }),
    },
    input: (rows, asked) => ({ ...one(rows), field: asked.field, comment: asked.comment ?? '' }),
  }),
  askMore: action(productCalls.askMore, {
    title: '要求补充资料',
    en: 'Ask for more',
    key: 'm',
    at: productDetail,
    on: auditItem,
    takes: 'row',
    when: can('askMore'),
    asks: { reason: ask.text(words) },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  recheckImage: action(productCalls.recheckImage, {
    title: '重新机审图片',
    en: 'Check pictures again',
    key: 'i',
    at: productDetail,
    on: auditItem,
    takes: 'row',
    input: one,
  }),
  offShelf: action(productCalls.offShelf, {
    title: '下架线上版本',
    en: 'Take off sale',
    key: 'shift+x',
    danger: true,
    at: productDetail,
    on: auditItem,
    takes: 'row',
    asks: { reason: ask.text(words) },
    input: (rows, asked) => ({ id: rows[0]!.id, ...asked }),
  }),
  prev: action('audit.product.detail.prev', {
    title: '上一条',
    en: 'Previous',
    key: 'k',
    at: productDetail,
  }),
  next: action('audit.product.detail.next', {
    title: '下一条',
    en: 'Next',
    key: 'j',
    at: productDetail,
  }),
}
/** How a queue is read, the same on its four pages. */
const everywhere = { at: bulks, also: [card, voucher, product] }
export const reading = {
  zen: action('audit.bulks.zen', { title: '专注模式', en: 'Zen mode', key: 'z', ...everywhere }),
  back: action('audit.bulks.back', {
    title: '回到刚才的决定',
    en: 'Back to the last decision',
    key: 'u',
    at: bulks,
    also: [card, voucher, product, productDetail],
  }),
  after: action('audit.bulks.after', {
    title: '决定之后去哪里',
    en: 'Where a decision leads',
    at: bulks,
    also: [card, voucher, product, productDetail],
    alias: ['自动前进', 'auto advance'],
    asks: {
      where: ask.choice({
        label: ['决定之后', 'After a decision'],
        options: {
          next: ['前往下一条', 'Go to the next one'],
          stay: ['停在这一条', 'Stay with it'],
          list: ['回到列表', 'Back to the list'],
        },
      }),
    },
  }),
  zoom: action('audit.bulks.zoom', {
    title: '放大图片',
    en: 'Zoom pictures',
    key: 'v',
    at: bulks,
    also: [card, voucher, product, productDetail],
  }),
  openLook: action('audit.bulks.openLook', {
    title: '抽检复看',
    en: 'Second look',
    key: 'shift+y',
    permit: look.permit,
    to: () => to(look),
    ...everywhere,
  }),
}

/**
 * One who looks a second time says what they would have decided; what was decided they do not see.
 */
const looking = { at: look, on: lookItem, takes: 'row', main: true } as const
export const lookActions = {
  approve: action(lookCalls.approve, {
    title: '应通过',
    en: 'I would approve',
    key: 'a',
    ...looking,
    input: rows => ({ id: rows[0]!.id }),
  }),
  reject: action(lookCalls.reject, {
    title: '应驳回',
    en: 'I would reject',
    key: 'r',
    ...looking,
    asks: {
      why: ask.reason({
        label: ['应驳回的原因', 'Why you would reject'],
        codes: rejectCodes,
        several: true,
        check: why => reasonFault(why.text),
      }),
    },
    input: (rows, { why }) => ({
      id: rows[0]!.id,
      codes: [why.code, ...(why.more ?? [])] as RejectCode[],
      note: why.text,
    }),
  }),
  openFigures: action('audit.look.openFigures', {
    title: '抽检结果',
    en: 'Second-look figures',
    key: 'shift+f',
    at: look,
    permit: lookFigures.permit,
    to: () => to(lookFigures),
  }),
}
const rateOf = (queue: AuditQueue) =>
  ask.number({
    label: [`${queueNames[queue][0]}（每万条抽检）`, `${queueNames[queue][1]} (of 10,000)`],
    min: 0,
    max: 10_000,
    initial: rows => (rows[0] as z.output<typeof lookRates> | undefined)?.rates[queue],
  })
export const lookFigureActions = {
  setRates: action(lookCalls.setRates, {
    title: '设置抽检比例',
    en: 'Set the rates',
    key: 'e',
    at: lookFigures,
    main: true,
    on: lookRates,
    takes: 'none',
    asks: {
      bulks: rateOf('bulks'),
      card: rateOf('card'),
      voucher: rateOf('voucher'),
      product: rateOf('product'),
    },
    input: (rows, rates) => ({ rates, version: rows[0]!.version }),
  }),
  openLook: action('audit.look.figures.openLook', {
    title: '去复看',
    en: 'Look at the next',
    key: 'shift+y',
    at: lookFigures,
    permit: look.permit,
    to: () => to(look),
  }),
}

export const submissions = recordFinder({
  pages: [productDetail],
  hint: ['商品或商户名称，或编号', 'Product, merchant or number'],
  find: productCalls.lst,
  asked: byKeyword,
  given: row => ({ type: 'audit_task', id: row.id, row }),
  title: row => row.title,
  more: row => {
    const words = `${row.merchant_name} · ${row.store_name}`
    return [words, words]
  },
  byId: 'audit_task',
})
