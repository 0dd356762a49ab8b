import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { payoutChannels, rejectReasons, withdrawalOwners, withdrawalStates } from './withdrawing.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  withdrawal: {
    title: ['提现单', 'Withdrawal'],
    fields: {
      status: { title: ['状态', 'State'], kind: 'enum', options: withdrawalStates },
      owner_kind: {
        title: ['申请人类型', 'Kind of owner'],
        kind: 'enum',
        options: withdrawalOwners,
      },
      channel: { title: ['渠道', 'Channel'], kind: 'enum', options: payoutChannels },
      amount_cents: {
        title: ['金额', 'Amount'],
        kind: 'money',
        guard: 'withdrawal.amount_cents',
      },
      reviewer_id: { title: ['初审人', 'Reviewer'], kind: 'name', of: 'admin' },
      second_reviewer_id: { title: ['复审人', 'Second reviewer'], kind: 'name', of: 'admin' },
      payer_id: { title: ['打款人', 'Paid by'], kind: 'name', of: 'admin' },
      reason_code: { title: ['驳回原因', 'Reject reason'], kind: 'enum', options: rejectReasons },
      hold: { title: ['挂起', 'On hold'], kind: 'flag' },
      canceling: { title: ['撤销中', 'Being canceled'], kind: 'flag' },
      out_bill_no: { title: ['打款单号', 'Number at the channel'] },
      channel_no: { title: ['渠道流水号', 'The channel’s number'] },
      channel_error: { title: ['渠道原因', 'What the channel says'] },
      proof: { title: ['凭证', 'Proof'] },
      invoice_image: { title: ['发票', 'Invoice'] },
      invoice_cents: {
        title: ['发票金额', 'Invoice amount'],
        kind: 'money',
        guard: 'withdrawal.amount_cents',
      },
    },
  },
}
