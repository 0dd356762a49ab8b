import { batchCan, type BatchVerb } from '#src/areas/redeemCode/batchVerbs.ts'
import { EXPORT_MOST, QUANTITY_MAX } from '#src/areas/redeemCode/redeemCode.ts'
import {
  batchRow,
  codeBatches as calls,
  type BatchRow,
} from '#src/modules/redeemCode/contract/index.ts'
import { ask, to, type Me } from '../command.ts'
import { batchAdd, batchCopy, batchEdit, batches } from '../pages/redeemCode.ts'
import { asking, exportAction, one, pageAction, reason, rowActions } from '../record.ts'

const can = (verb: BatchVerb) => (row: BatchRow, me: Me) => batchCan(verb, row, me.id)
const row = rowActions(batches, batchRow)
const place = (
  label: readonly [string, string],
  initial: (of: BatchRow | undefined) => number | undefined,
) =>
  ask.number({
    label,
    min: 1,
    max: QUANTITY_MAX,
    initial: rows => initial(rows[0] as BatchRow | undefined),
  })
const from = place(['起始序号', 'From no.'], () => 1)
const until = place(['截止序号', 'To no.'], of => of?.generated)

/** What is done with batches of codes. */
export const batchActions = {
  create: pageAction('redeemCode.index.create', ['新增批次', 'New batch'], batches, {
    key: 'c',
    main: true,
    permit: batchAdd.permit,
    to: () => to(batchAdd),
  }),
  edit: row.row('redeemCode.index.edit', ['编辑批次', 'Edit batch'], {
    key: 'e',
    permit: batchEdit.permit,
    main: 'plain',
    when: can('edit'),
    to: rows => to(batchEdit, { id: rows[0]!.id }),
  }),
  copy: row.row('redeemCode.index.copy', ['复制批次', 'Copy batch'], {
    key: 'shift+c',
    permit: batchCopy.permit,
    to: rows => to(batchCopy, { id: rows[0]!.id }),
  }),
  submit: row.row(calls.submit, ['提交审核', 'Submit for audit'], {
    key: 's',
    main: true,
    when: can('submit'),
    input: one,
    takenBack: 'opposite',
  }),
  approve: row.row(calls.approve, ['通过审核', 'Approve'], {
    key: 'a',
    main: true,
    when: can('approve'),
    input: one,
    takenBack: 'final',
  }),
  approveFinance: row.row(calls.approveFinance, ['财务同意', 'Approve as finance'], {
    key: 'shift+a',
    when: can('finance'),
    input: one,
    takenBack: 'final',
  }),
  reject: row.row(calls.reject, ['驳回', 'Reject'], {
    key: 'r',
    danger: true,
    when: can('reject'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  generate: row.row(calls.generate, ['生成兑换码', 'Make codes'], {
    key: 'n',
    main: true,
    when: can('generate'),
    asks: {
      qty: ask.number({
        label: ['数量', 'How many'],
        min: 1,
        max: QUANTITY_MAX,
        initial: rows => (rows[0] ? rows[0].quantity - rows[0].generated : undefined),
        hint: ['初值为尚未生成的数量', 'Defaults to the number not yet made'],
      }),
    },
    input: asking(asked => asked),
    takenBack: 'asked',
  }),
  download: row.row(calls.download, ['加密导出兑换码', 'Export codes encrypted'], {
    key: 'd',
    main: 'plain',
    when: can('download'),
    asks: {
      from: {
        ...from,
        optional: true,
        initial: () => undefined,
        hint: [
          `留空导出尚未导出的未使用码；每个文件最多 ${EXPORT_MOST} 个`,
          `Empty: unused codes not exported yet; at most ${EXPORT_MOST.toLocaleString('en')} per file`,
        ],
      },
      to: { ...until, optional: true, initial: () => undefined },
    },
    input: (rows, asked) => ({
      ...one(rows),
      ...(asked.from && { from: asked.from }),
      ...(asked.to && { to: asked.to }),
    }),
    alias: ['下载兑换码', 'AES ZIP'],
  }),
  importCodes: row.row('redeemCode.index.importCodes', ['导入外部码', 'Import codes'], {
    key: 'i',
    permit: calls.importCodes.permit,
    when: can('import'),
  }),
  extend: row.row(calls.extend, ['延长有效期', 'Extend'], {
    key: 't',
    when: can('extend'),
    asks: {
      end_at: ask.time({
        label: ['新的结束时间', 'New end'],
        initial: rows => rows[0]?.end_at,
        hint: [
          '只能延后；优惠券须在此之后仍可用',
          'Later only; its coupons must stay valid beyond it',
        ],
      }),
      reason,
    },
    input: asking(({ end_at, reason: why }) => ({ end_at: end_at!, reason: why })),
  }),
  pause: row.row(calls.pause, ['停用', 'Pause'], {
    key: 'p',
    danger: true,
    when: can('pause'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  resume: row.row(calls.resume, ['启用', 'Resume'], {
    key: 'o',
    when: can('resume'),
    input: one,
    takenBack: 'opposite',
  }),
  voidCodes: row.row(calls.voidCodes, ['作废兑换码', 'Void codes'], {
    key: 'v',
    danger: true,
    when: can('void'),
    tells: rows =>
      rows[0] && [
        [
          '只作废范围内未使用的码，作废后不能恢复',
          'Voids unused codes in the range only; can’t be undone',
        ],
        {},
      ],
    asks: { from, to: until, reason },
    input: asking(asked => asked),
  }),
  end: row.row(calls.end, ['结束批次', 'End batch'], {
    danger: true,
    when: can('end'),
    tells: rows =>
      rows[0] && [
        [
          '结束后所有未使用的码立即失效，不能恢复',
          'All unused codes stop working at once; can’t be undone',
        ],
        {},
      ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  export: exportAction(calls.export, ['导出批次', 'Export batches'], batches),
}
