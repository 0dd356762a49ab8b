import {
  activityCan,
  activityKinds,
  weekdayNames,
  type ActivityVerb,
} from '#src/areas/storeActivity/activity.ts'
import {
  activityRow,
  shopActivity as calls,
  type ActivityRow,
} from '#src/modules/shop/contract/activity.ts'
import { ask, inAll } from '../command.ts'
import { activities } from '../pages/shop.ts'
import {
  asking,
  createAction,
  exportAction,
  formOf,
  idsOf,
  one,
  reason,
  rowActions,
} from '../record.ts'

const MONEY_MOST = 100_000_000
const isDiscount = /^[1-9](\.\d)?$/
const asks = {
  kind: ask.choice({ label: ['类型', 'Kind'], options: activityKinds }),
  title: ask.text({ label: ['标题', 'Title'], max: 20 }),
  threshold_cents: ask.money({
    label: ['满', 'Spend'],
    min: 1,
    max: MONEY_MOST,
    shown: answers => answers.kind === 'full_reduce',
    check: (spend, answers: { reduce_cents?: number }) =>
      spend <= (answers.reduce_cents ?? 0)
        ? ['门槛须高于减免', 'Must exceed the amount off']
        : undefined,
  }),
  reduce_cents: ask.money({
    label: ['减', 'Off'],
    min: 1,
    max: MONEY_MOST,
    shown: answers => answers.kind === 'full_reduce',
  }),
  discount: ask.text({
    label: ['折扣', 'Discount'],
    max: 3,
    shown: answers => answers.kind === 'discount',
    check: typed =>
      isDiscount.test(typed.trim()) ? undefined : ['填写 1 至 9.9', '1 to 9.9 (8.5 means 15% off)'],
    hint: ['如 8.5 折填 8.5', '8.5 means 15% off'],
    initial: rows => (rows[0]?.discount_x10 ? String(rows[0].discount_x10 / 10) : undefined),
    field: 'discount_x10',
  }),
  content: ask.text({ label: ['活动说明', 'Description'], max: 500, lines: 4 }),
  image: ask.images({ label: ['图片', 'Picture'], max: 1, optional: true }),
  start_at: ask.time({ label: ['开始时间', 'From'] }),
  end_at: ask.time({
    label: ['结束时间', 'Until'],
    hint: ['最长 180 天', 'At most 180 days'],
    check: (end, answers: { start_at?: number }) =>
      end !== undefined && answers.start_at !== undefined && end <= answers.start_at
        ? ['结束须晚于开始', 'Must be after the start']
        : undefined,
  }),
  weekdays: ask.choices({
    label: ['星期', 'Days of the week'],
    options: weekdayNames,
    optional: true,
    hint: ['不选为每天', 'Empty: every day'],
    initial: rows => rows[0]?.weekdays.map(String),
  }),
}
type Answers = {
  kind: keyof typeof activityKinds
  title: string
  content: string
  threshold_cents?: number
  reduce_cents?: number
  discount?: string
  image?: string[]
  start_at?: number | undefined
  end_at?: number | undefined
  weekdays?: string[]
}
const fields = ({ kind, title, content, ...asked }: Answers) => ({
  kind,
  title,
  content,
  image: asked.image?.[0] ?? '',
  ...(kind === 'full_reduce' && {
    threshold_cents: asked.threshold_cents!,
    reduce_cents: asked.reduce_cents!,
  }),
  ...(kind === 'discount' && { discount_x10: Math.round(Number(asked.discount) * 10) }),
  start_at: asked.start_at!,
  end_at: asked.end_at!,
  weekdays: (asked.weekdays ?? []).map(Number),
})
const storeOf = {
  find: calls.stores,
  labelOf: (of: { name: string; place: string }) => `${of.name} · ${of.place}`,
}
const createForm = formOf(
  { store_id: ask.entity({ label: ['门店', 'Store'], ...storeOf }), ...asks },
  ({ store_id, ...asked }) => ({ store_id, ...fields(asked) }),
)
const can = (verb: ActivityVerb) => (row: ActivityRow) => activityCan(verb, row)
const row = rowActions(activities, activityRow)

/** What is done with what stores announce. */
export const activityActions = {
  create: createAction(calls.create, ['新增活动', 'New activity'], activities, createForm),
  approve: row.row(calls.approve, ['通过审核', 'Approve'], {
    key: 'a',
    main: true,
    when: can('approve'),
    input: one,
  }),
  reject: row.row(calls.reject, ['驳回', 'Reject'], {
    key: 'r',
    main: 'plain',
    danger: true,
    when: can('reject'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  edit: row.row(calls.edit, ['编辑活动', 'Edit activity'], {
    key: 'e',
    main: 'plain',
    when: can('edit'),
    tells: ([of]) =>
      of && (of.status === 'online' || of.status === 'offline')
        ? [
            [
              '除图片外的修改须重新审核，其间不再展示',
              'Changes other than the picture need a new audit; it is hidden meanwhile',
            ],
            {},
          ]
        : undefined,
    asks: formOf(asks, fields).asks,
    input: asking(fields),
  }),
  online: row.row(calls.online, ['上线', 'Put online'], {
    key: 'o',
    when: can('online'),
    input: one,
  }),
  offline: row.row(calls.offline, ['下线', 'Take offline'], {
    key: 'd',
    main: 'plain',
    danger: true,
    when: can('offline'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  setTop: row.row(calls.setTop, ['置顶', 'Pin'], {
    key: 't',
    when: of => {
      if (of.is_top) return ['已置顶', 'Already pinned']
      if (of.mid === 0) return ['商场外的门店不能置顶', 'Stores outside malls can’t be pinned']
      return activityCan('top', of)
    },
    input: one,
    takenBack: 'opposite',
  }),
  unsetTop: row.row(calls.unsetTop, ['取消置顶', 'Unpin'], {
    key: 'shift+t',
    when: of => of.is_top || ['未置顶', 'Not pinned'],
    input: one,
    takenBack: 'opposite',
  }),
  copyToStores: row.row(calls.copyToStores, ['复制到门店', 'Copy to stores'], {
    key: 'shift+c',
    asks: {
      store_ids: ask.entities({
        label: ['门店', 'Stores'],
        max: 50,
        ...storeOf,
        given: rows => ({ but: rows[0]?.store_id }),
        hint: ['复制出的活动进入待审核', 'Copies go to audit'],
      }),
    },
    input: ([of], { store_ids }) => ({ id: of!.id, store_ids }),
  }),
  batchApprove: row.row(calls.batchApprove, ['批量通过', 'Approve selected'], {
    key: 'shift+a',
    takes: 'rows',
    most: 100,
    tells: inAll,
    when: can('approve'),
    input: idsOf,
  }),
  batchOffline: row.row(calls.batchOffline, ['批量下线', 'Take selected offline'], {
    danger: true,
    takes: 'rows',
    most: 100,
    tells: inAll,
    when: can('offline'),
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  export: exportAction(calls.export, ['导出活动', 'Export activities'], activities),
}
