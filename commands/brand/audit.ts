import { applicationCan } from '#src/areas/application/application.ts'
import type { AuditVerb } from '#src/areas/audit/audit.ts'
import {
  brandRefuseCodes,
  forbidsBrand,
  mustExplain,
  shortBrandRule,
  type BrandRefuseCode,
} from '#src/areas/brand/brandBody.ts'
import { TRADEMARK_NO } from '#src/areas/brand/trademark.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  brandAudit as calls,
  brandItem,
  type BrandItem,
} from '#src/modules/brand/contract/audit.ts'
import { brands as library } from '#src/modules/brand/contract/index.ts'
import { askClasses, classesOf } from '../categories.ts'
import { ask, type Me, type Reasoned } from '../command.ts'
import { brandAudit as page } from '../pages/brand.ts'
import { claimActions, readingActions, tasksOf, words } from '../queue.ts'
import { asking, exportAction, one, pageAction, rowActions } from '../record.ts'

const can =
  (verb: AuditVerb) =>
  (row: BrandItem, me: Me): true | Text =>
    applicationCan(verb, row, me.id, unixNow())
/** What a rule forbids can't be approved, however often it is asked. */
const approvable = (row: BrandItem, me: Me): true | Text => {
  const may = can('approve')(row, me)
  const forbids = row.flags.find(forbidsBrand)
  if (may !== true || forbids === undefined) return may
  const [zh, en] = shortBrandRule(forbids)
  return [`不能通过：${zh}`, `Can’t be approved: ${en}`]
}
const isAlone = (row: BrandItem, me: Me): true | Text => {
  const may = approvable(row, me)
  if (may !== true || !mustExplain(row.flags)) return may
  return ['已有同名或相似品牌：请并入，或说明后新建', 'One like it exists: join it, or explain']
}
const isLike = (row: BrandItem, me: Me): true | Text => {
  const may = approvable(row, me)
  if (may !== true || mustExplain(row.flags)) return may
  return ['没有同名或相似品牌，直接通过即可', 'None is like it: approve it']
}
const joinable = (row: BrandItem, me: Me): true | Text => {
  const may = approvable(row, me)
  if (may !== true) return may
  return row.kind === 'brand' || ['变更申请不能并入其他品牌', 'It is a change']
}
const sentBack = ({ state }: BrandItem): true | Text =>
  state === 'need_more' ||
  state === 'rejected' || ['待补充或已驳回的申请才能重新提交', 'Only what was sent back']

const lines = (typed: string | undefined): string[] =>
  (typed ?? '')
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
type Rows = readonly BrandItem[]
/** The questions of an application; again they begin with what was submitted. */
const asks = {
  name: ask.text({
    label: ['品牌名称', 'Name'],
    max: 64,
    initial: ([row]: Rows) => row?.body.name,
  }),
  en_name: ask.text({
    label: ['英文名', 'English name'],
    max: 64,
    optional: true,
    initial: ([row]: Rows) => row?.body.en_name || undefined,
  }),
  logo: ask.images({
    label: ['标志', 'Logo'],
    max: 1,
    ratio: [1, 1],
    maxBytes: 2 * 1024 * 1024,
    optional: true,
    initial: ([row]: Rows) => (row?.body.logo ? [row.body.logo] : undefined),
  }),
  category_id: ask.entity({
    label: ['经营分类', 'Category'],
    find: library.categories,
    labelOf: row => row.name,
    initial: ([row]: Rows) => row?.body.category_id,
    named: ([row]: Rows) => row?.category_name,
  }),
  company: ask.text({
    label: ['商标权人', 'Owner of the trademark'],
    max: 64,
    initial: ([row]: Rows) => row?.body.company,
  }),
  trademark_no: ask.text({
    label: ['商标注册号', 'Registration'],
    max: 16,
    initial: ([row]: Rows) => row?.body.trademark_no,
    check: typed =>
      TRADEMARK_NO.test(typed.trim().toUpperCase())
        ? undefined
        : [
            '请填 5–9 位数字（可带一位字母），国际注册以 G 开头',
            '5 to 9 digits, perhaps a letter; G before an international one',
          ],
  }),
  classes: askClasses({
    hint: ['1–45，多个用逗号分隔，如 30，43', '1–45, a comma between: 30, 43'],
    initial: ([row]: Rows) => row?.body.trademark_classes.join('，'),
  }),
  trademark_end_at: ask.time({
    label: ['商标有效期至', 'Trademark until'],
    initial: ([row]: Rows) => row?.body.trademark_end_at ?? undefined,
  }),
  trademark_image: ask.images({
    label: ['商标注册证', 'Certificate'],
    max: 1,
    optional: true,
    initial: ([row]: Rows) => (row?.body.trademark_image ? [row.body.trademark_image] : undefined),
  }),
  chain: ask.text({
    label: ['授权链路', 'Authorised in turn'],
    max: 400,
    lines: 3,
    optional: true,
    hint: [
      '商标权人之后每级一行，最后一级为商户；商户即商标权人时留空',
      'A line for each after the owner, the merchant last; empty where it is the owner',
    ],
    initial: ([row]: Rows) => row?.body.chain.map(link => link.name).join('\n') || undefined,
  }),
  papers: ask.images({
    label: ['授权书', 'Papers'],
    max: 6,
    optional: true,
    hint: ['与授权链路逐级对应', 'One for each line, in their order'],
    initial: ([row]: Rows) => row?.body.chain.map(link => link.image).filter(Boolean),
  }),
  auth_end_at: ask.time({
    label: ['授权到期', 'Authorised until'],
    optional: true,
    hint: ['留空则与商标有效期相同', 'Empty: with the trademark'],
    initial: ([row]: Rows) => row?.body.auth_end_at ?? undefined,
  }),
}
type Answers = {
  name: string
  en_name?: string | undefined
  logo?: string[] | undefined
  category_id: number
  company: string
  trademark_no: string
  classes: string
  trademark_end_at?: number | undefined
  trademark_image?: string[] | undefined
  chain?: string | undefined
  papers?: string[] | undefined
  auth_end_at?: number | undefined
}
const bodyOf = ({
  classes,
  chain,
  papers,
  logo,
  trademark_image,
  auth_end_at,
  ...of
}: Answers) => ({
  ...of,
  en_name: of.en_name ?? '',
  logo: logo?.[0] ?? '',
  trademark_no: of.trademark_no.trim().toUpperCase(),
  trademark_classes: classesOf(classes),
  trademark_end_at: of.trademark_end_at!,
  trademark_image: trademark_image?.[0] ?? '',
  chain: lines(chain).map((name, at) => ({ name, image: papers?.[at] ?? '' })),
  ...(auth_end_at && { auth_end_at }),
})
const brandAsk = ask.entity({
  label: ['已有品牌', 'Brand'],
  find: calls.brands,
  labelOf: row => `${row.name} · ${row.percent}% · ${row.company || '—'}`,
  given: ([row]: Rows) => ({ id: row?.id }),
  initial: ([row]: Rows) => row?.alike[0]?.id,
  named: ([row]: Rows) => row?.alike[0]?.name,
})
const why = ask.reason({
  label: ['驳回原因', 'Reject reason'],
  codes: brandRefuseCodes,
  top: calls.reasons,
})
const reasoned = (of: Reasoned) => ({ reason_code: of.code as BrandRefuseCode, reason: of.text })
const row = rowActions(page, brandItem)

/** What is done with what merchants apply for of brands. */
export const brandAuditActions = {
  approve: row.row(calls.approve, ['通过并建品牌', 'Approve'], {
    key: 'a',
    main: true,
    when: isAlone,
    input: one,
  }),
  ...claimActions(page, row.row, { calls, can }),
  approveAsExisting: row.row(calls.approveAsExisting, ['并入已有品牌', 'Join a brand'], {
    key: 'e',
    main: 'plain',
    when: joinable,
    asks: { brand_id: brandAsk },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  approveApart: row.row(calls.approveApart, ['说明后新建', 'Approve with a reason'], {
    key: 'shift+a',
    when: isLike,
    asks: {
      name: ask.text({
        label: ['品牌名称', 'Name'],
        max: 64,
        hint: ['与已有品牌同名时须改名', 'Another one where the name is taken'],
        initial: ([of]: Rows) => of?.body.name,
      }),
      reason: ask.text({ ...words, label: ['与已有品牌的区别', 'What differs'] }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  reject: row.row(calls.reject, ['驳回', 'Reject'], {
    key: 'r',
    danger: true,
    main: true,
    when: can('reject'),
    asks: { why },
    input: (rows, asked) => ({ ...one(rows), ...reasoned(asked.why) }),
  }),
  askMore: row.row(calls.askMore, ['要求补充资料', 'Ask for more'], {
    key: 'm',
    when: can('askMore'),
    asks: { reason: ask.text({ ...words, label: ['需要补充什么', 'What is needed'] }) },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  compare: row.row('brand.audit.compare', ['对比相似品牌', 'Compare'], {
    key: 'd',
    permit: calls.compare.permit,
    asks: { brand_id: brandAsk },
  }),
  batchReject: row.row(calls.batchReject, ['批量驳回', 'Reject selected'], {
    key: 'shift+r',
    takes: 'rows',
    danger: true,
    when: can('reject'),
    asks: { why },
    input: (rows, asked) => ({ ...tasksOf(rows), ...reasoned(asked.why) }),
  }),
  submit: pageAction(calls.submit, ['录入品牌申请', 'Enter an application'], page, {
    key: 'i',
    asks: {
      merchant_id: ask.entity({
        label: ['商户', 'Merchant'],
        find: calls.merchants,
        labelOf: of => `${of.name} · ${of.city_name}`,
      }),
      ...asks,
    },
    input: (_, { merchant_id, ...asked }) => ({ merchant_id, ...bodyOf(asked) }),
  }),
  resubmit: row.row(calls.resubmit, ['补充后重新提交', 'Submit again'], {
    key: 's',
    when: sentBack,
    asks,
    input: asking(bodyOf),
  }),
  export: exportAction(calls.export, ['导出品牌审核', 'Export'], page),
}
/** How the queue is read: the keys that every audit has. */
export const brandReading = readingActions(page)
