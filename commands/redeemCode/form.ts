import {
  batchAdd as addCalls,
  batchCopy as copyCalls,
  batchEdit as editCalls,
} from '#src/modules/redeemCode/contract/form.ts'
import { batchRow, type BatchRow } from '#src/modules/redeemCode/contract/index.ts'
import { action, ask, type Page } from '../command.ts'
import { batchAdd, batchCopy, batchEdit } from '../pages/redeemCode.ts'
import { pageAction } from '../record.ts'

/** What stands beside the form is gone to by a key. */
const beside = (at: Page, stem: string) => ({
  addReward: pageAction(`${stem}.addReward`, ['添加奖励', 'Add a reward'], at, { key: 'r' }),
  estimate: pageAction(`${stem}.estimate`, ['测算成本与强度', 'Cost and strength'], at, {
    key: 'm',
    alias: ['安全性', 'guess resistance'],
  }),
  previewCode: pageAction(`${stem}.previewCode`, ['预览码样', 'Preview a code'], at, { key: 'v' }),
})
const submit = { title: '提交审核', en: 'Submit for audit', key: 'mod+enter', main: true } as const
const saveDraft = { title: '保存草稿', en: 'Save draft', key: 'mod+s', main: true } as const

/** What is done with the form of a new batch. */
export const batchAddActions = {
  submit: action(addCalls.submit, { ...submit, at: batchAdd }),
  saveDraft: action(addCalls.saveDraft, { ...saveDraft, at: batchAdd }),
  ...beside(batchAdd, 'redeemCode.index.add'),
}
const ofDraft = {
  at: batchEdit,
  on: batchRow,
  takes: 'row' as const,
  when: (row: BatchRow) =>
    row.status === 'draft' ||
    (['已提交，不能直接修改', 'Submitted: can’t be edited directly'] as const),
}
const isLive = (row: BatchRow) => row.status === 'running' || row.status === 'paused'
/** What is done with a batch that stands: a draft is saved, an approved one amended. */
export const batchEditActions = {
  submit: action(editCalls.submit, { ...submit, ...ofDraft }),
  saveDraft: action(editCalls.saveDraft, { ...saveDraft, ...ofDraft }),
  amend: action(editCalls.amend, {
    title: '提交变更审核',
    en: 'Submit the change',
    key: 'mod+shift+enter',
    at: batchEdit,
    on: batchRow,
    takes: 'row',
    main: true,
    when: row =>
      (isLive(row) && !row.amending) || ['现在没有可提交的变更', 'No change can be submitted now'],
  }),
  withdraw: action(editCalls.withdraw, {
    title: '撤回审核',
    en: 'Withdraw from audit',
    key: 'u',
    at: batchEdit,
    on: batchRow,
    takes: 'row',
    when: row =>
      row.status === 'auditing' || row.amending || ['没有待审核的内容', 'Nothing awaits audit'],
    input: ([row]) => ({ id: row!.id, version: row!.version }),
    main: 'plain',
    takenBack: 'opposite',
  }),
  diff: pageAction('redeemCode.index.edit.diff', ['查看变更', 'See the changes'], batchEdit, {
    key: 'd',
  }),
  ...beside(batchEdit, 'redeemCode.index.edit'),
}
/** What is done with the copy of a batch. */
export const batchCopyActions = {
  submit: action(copyCalls.submit, { ...submit, at: batchCopy }),
  saveDraft: action(copyCalls.saveDraft, { ...saveDraft, at: batchCopy }),
  renewPrefix: pageAction(
    'redeemCode.index.copy.renewPrefix',
    ['更换前缀', 'Change prefix'],
    batchCopy,
    { key: 'p' },
  ),
  shiftDates: pageAction(
    'redeemCode.index.copy.shiftDates',
    ['顺延日期', 'Shift the dates'],
    batchCopy,
    {
      key: 'y',
      asks: {
        days: ask.number({ label: ['顺延天数', 'Days'], min: 1, max: 730, initial: () => 30 }),
      },
    },
  ),
  ...beside(batchCopy, 'redeemCode.index.copy'),
}
