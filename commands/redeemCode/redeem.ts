import {
  redeemLogs as calls,
  redeemRow,
  type RedeemRow,
} from '#src/modules/redeemCode/contract/redeem.ts'
import { ask, called } from '../command.ts'
import { records } from '../pages/redeemCode.ts'
import { asking, exportAction, idOf, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(records, redeemRow)
called(redeemRow, of => of.masked)
const success = (of: RedeemRow) => {
  if (of.result !== 'ok') return ['这次没有兑换成功', 'This redemption failed'] as const
  return of.revoked_at === null || (['已撤销', 'Already undone'] as const)
}
/** What is done about tries of codes. */
export const redeemActions = {
  reissue: row.row(calls.reissue, ['补发奖励', 'Reissue reward'], {
    key: 'b',
    main: true,
    when: of => {
      if (of.reissued_at !== null) return ['已补发过一次', 'Already reissued once']
      return success(of)
    },
    asks: { reason },
    input: asking(asked => asked),
  }),
  revoke: row.row(calls.revoke, ['撤销兑换', 'Undo redemption'], {
    key: 'r',
    main: 'plain',
    danger: true,
    when: success,
    asks: {
      reopen: ask.flag({
        label: ['码恢复为未使用（不选则作废）', 'Make the code unused again (otherwise void)'],
        initial: () => true,
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  blockMember: row.row(calls.blockMember, ['限制兑换', 'Block redeeming'], {
    key: 'd',
    main: 'plain',
    danger: true,
    when: of => of.member_id !== null || ['没有会员', 'No member on this row'],
    asks: {
      days: ask.number({ label: ['天数', 'Days'], min: 1, max: 365, initial: () => 7 }),
      reason,
    },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  partnerBill: pageAction(calls.partnerBill, ['生成合作方账单', 'Bill a partner'], records, {
    key: 'i',
    asks: {
      partner: ask.text({
        label: ['合作方', 'Partner'],
        max: 40,
        hint: ['与批次上的名称一致', 'As named on its batches'],
      }),
      month: ask.text({
        label: ['月份', 'Month'],
        max: 7,
        hint: ['如 2026-10；当月结束后才能出账', 'e.g. 2026-10; only after the month ends'],
        check: typed =>
          /^20\d{2}-(0[1-9]|1[0-2])$/.test(typed) ? undefined : ['如 2026-10', 'e.g. 2026-10'],
      }),
    },
    input: (_, asked) => asked,
    takenBack: 'final',
  }),
  export: exportAction(calls.export, ['导出记录', 'Export records'], records),
}
