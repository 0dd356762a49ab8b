import {
  ALONE_MOST,
  BATCH_MOST,
  batchCan,
  vipCodeCan,
  type BatchVerb,
  type VipCodeVerb,
} from '#src/areas/vipCard/code.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  vipBatches as batchCalls,
  vipBatchRow,
  vipCodeRow,
  vipCodes as codeCalls,
  type VipBatchRow,
  type VipCodeRow,
} from '#src/modules/vip/contract/cardManage.ts'
import { ask, called, inAll, type Me } from '../command.ts'
import { vipNumbers } from '../pages/vip.ts'
import { asking, idsOf, one, pageAction, reason, rowActions } from '../record.ts'

/** The two views of the page; one of them stands in its address. */
export const numberViews = {
  batches: ['批次', 'Batches'],
  codes: ['卡号', 'Numbers'],
} as const
export const numberViewActions = {
  batches: pageAction('vip.card.manage.batches', numberViews.batches, vipNumbers, { key: '1' }),
  codes: pageAction('vip.card.manage.numbers', numberViews.codes, vipNumbers, { key: '2' }),
}
const elsewhere = {
  batch: ['先切到批次', 'Go to the batches first'],
  code: ['先切到卡号', 'Go to the numbers first'],
} as const
const isBatch = (row: VipBatchRow | VipCodeRow): row is VipBatchRow => 'made_n' in row
const may = (verb: BatchVerb) => (of: VipBatchRow, me: Me) =>
  isBatch(of) ? batchCan(verb, of, { me: me.id, now: unixNow() }) : elsewhere.batch
const can = (verb: VipCodeVerb) => (of: VipCodeRow) =>
  isBatch(of) ? elsewhere.code : vipCodeCan(verb, of, unixNow())
const batch = rowActions(vipNumbers, vipBatchRow)
const code = rowActions(vipNumbers, vipCodeRow)
called(vipBatchRow, of => of.batch_no)
called(vipCodeRow, of => of.card_no)
const channel = ask.text({
  label: ['渠道', 'Channel'],
  max: 30,
  initial: rows => (rows[0] as VipBatchRow | undefined)?.channel,
})

/** What is done with batches of numbers. */
export const vipBatchActions = {
  makeBatch: pageAction(batchCalls.makeBatch, ['制卡', 'Make numbers'], vipNumbers, {
    key: 'n',
    main: true,
    asks: {
      card_id: ask.entity({
        label: ['卡种', 'Plan'],
        find: batchCalls.plans,
        labelOf: (of: { name: string }) => of.name,
      }),
      quantity: ask.number({
        label: ['数量', 'How many'],
        min: 1,
        max: BATCH_MOST,
        hint: [
          `超过 ${ALONE_MOST} 张须由另一人复核后制卡`,
          `Over ${ALONE_MOST.toLocaleString('en')} needs a second approver`,
        ],
      }),
      channel,
      expire_at: ask.time({ label: ['有效期至', 'Valid until'] }),
      reason,
    },
    input: (_, { expire_at, ...asked }) => ({ ...asked, expire_at: expire_at! }),
    takenBack: 'asked',
  }),
  approveBatch: batch.row(batchCalls.approveBatch, ['同意制卡', 'Approve the batch'], {
    key: 'a',
    main: 'plain',
    when: may('approveBatch'),
    input: one,
    takenBack: 'final',
  }),
  rejectBatch: batch.row(batchCalls.rejectBatch, ['驳回制卡', 'Reject the batch'], {
    key: 'r',
    danger: true,
    when: may('rejectBatch'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  issue: batch.row(batchCalls.issue, ['标记已发放', 'Mark as handed out'], {
    key: 'i',
    main: 'plain',
    when: of => {
      const ready = may('issue')(of, { id: 0, can: () => true })
      if (ready !== true) return ready
      return (of.stat.unissued ?? 0) > 0 || ['没有未发放的卡号', 'All are already handed out']
    },
    asks: { channel },
    input: asking(asked => asked),
  }),
  exportSecrets: batch.row(batchCalls.exportSecrets, ['导出卡密', 'Export secrets'], {
    key: 'd',
    when: may('exportSecrets'),
    tells: rows =>
      rows[0] && rows[0].exports > 0
        ? [
            [
              '该批次已导出过 {n} 次，本次会再记录一次',
              'Already exported {n} times; this export is logged too',
            ],
            { n: rows[0].exports },
          ]
        : undefined,
    asks: { reason },
    input: asking(asked => asked),
    alias: ['下载卡密', 'AES ZIP'],
  }),
  extendBatch: batch.row(batchCalls.extendBatch, ['批次延期', 'Extend the batch'], {
    key: 't',
    when: may('extendBatch'),
    asks: {
      expire_at: ask.time({
        label: ['有效期至', 'Valid until'],
        initial: rows => (rows[0] as VipBatchRow | undefined)?.expire_at,
        hint: [
          '只能延后；未激活的卡号随之延期',
          'Later only; numbers not activated are extended too',
        ],
      }),
      reason,
    },
    input: asking(({ expire_at, reason: why }) => ({ expire_at: expire_at!, reason: why })),
  }),
}
/** What is done with single numbers. */
export const vipCodeActions = {
  freeze: code.row(codeCalls.freeze, ['冻结卡号', 'Freeze'], {
    key: 'f',
    main: 'plain',
    takes: 'rows',
    most: 200,
    danger: true,
    when: can('freeze'),
    tells: inAll,
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  unfreeze: code.row(codeCalls.unfreeze, ['解冻卡号', 'Unfreeze'], {
    key: 'u',
    when: can('unfreeze'),
    input: one,
    takenBack: 'final',
  }),
  voidCodes: code.row(codeCalls.voidCodes, ['作废卡号', 'Void'], {
    key: 'v',
    takes: 'rows',
    most: 200,
    danger: true,
    when: can('voidCodes'),
    tells: inAll,
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  rebind: code.row(codeCalls.rebind, ['更换绑定会员', 'Bind to another member'], {
    key: 'b',
    when: can('rebind'),
    asks: {
      member_id: ask.entity({
        label: ['会员', 'Member'],
        find: codeCalls.members,
        labelOf: (of: { name: string }) => of.name,
        by: ['昵称开头或会员号', 'start of nickname, or member number'],
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
}
