import { channelCan, QUOTA_MOST, type ChannelVerb } from '#src/areas/ecard/channel.ts'
import { requestKinds } from '#src/areas/ecard/ecard.ts'
import { yuan } from '#src/domain/money.ts'
import { timeFull, unixNow } from '#src/domain/time.ts'
import {
  channelRow,
  ecardChannels as calls,
  type ChannelRow,
} from '#src/modules/ecard/contract/channel.ts'
import { ask, to, type Me } from '../command.ts'
import { channelAdd, channelEdit, channels } from '../pages/ecard.ts'
import { asking, exportAction, one, pageAction, reason, rowActions } from '../record.ts'

const can = (verb: ChannelVerb) => (row: ChannelRow, me: Me) =>
  channelCan(verb, row, { me: me.id, now: unixNow() })
const row = rowActions(channels, channelRow)
/** What the second person is about to decide. */
const request = ([of]: readonly ChannelRow[]) =>
  of?.request
    ? ([
        `{maker} 提交的${requestKinds[of.request.kind][0]} {amount} 元：{why}`,
        `${requestKinds[of.request.kind][1]} of ¥{amount} by {maker}: {why}`,
      ] as const)
    : undefined
const tellsRequest = (rows: readonly ChannelRow[]) => {
  const text = request(rows)
  const of = rows[0]?.request
  return text && of
    ? ([text, { maker: of.maker, amount: yuan(of.amount_cents), why: of.reason || '—' }] as const)
    : undefined
}
/** What is done with channels. */
export const channelActions = {
  create: pageAction('ecard.channel.create', ['新增渠道', 'New channel'], channels, {
    key: 'c',
    main: true,
    permit: channelAdd.permit,
    to: () => to(channelAdd),
  }),
  edit: row.row('ecard.channel.edit', ['编辑渠道', 'Edit channel'], {
    key: 'e',
    main: 'plain',
    permit: channelEdit.permit,
    to: rows => to(channelEdit, { id: rows[0]!.id }),
  }),
  confirm: row.row(calls.confirm, ['复核通过', 'Approve'], {
    key: 'a',
    main: true,
    when: can('confirm'),
    tells: tellsRequest,
    input: one,
    takenBack: 'final',
  }),
  refuse: row.row(calls.refuse, ['驳回复核', 'Reject'], {
    key: 'r',
    danger: true,
    when: can('refuse'),
    tells: tellsRequest,
    asks: { reason },
    input: asking(asked => asked),
  }),
  issueBatch: row.row('ecard.channel.issueBatch', ['批量发卡', 'Issue cards'], {
    key: 'i',
    main: true,
    permit: calls.issueBatch.permit,
    when: can('issue'),
    alias: ['收卡人文件', 'recipients'],
  }),
  handOver: row.row(calls.handOver, ['重新交付卡密', 'Deliver secrets again'], {
    key: 'shift+i',
    when: of => of.issued_n > 0 || ['还没有发过卡', 'No cards issued yet'],
    tells: rows =>
      rows[0] && [
        ['生成新的加密文件与密码，写入操作日志', 'A new encrypted file and password; it is logged'],
        {},
      ],
    asks: {
      issue_id: ask.entity({
        label: ['发卡记录', 'Issue'],
        find: calls.issues,
        given: rows => ({ id: (rows[0] as ChannelRow).id }),
        labelOf: (of: { name: string; n: number; created_at: number }) =>
          `${timeFull(of.created_at).slice(0, 16)} ${of.name} × ${of.n}`,
        by: ['卡名称、合作方单号或记录编号', 'card, partner’s number or number of the issue'],
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  recharge: row.row(calls.recharge, ['登记充值', 'Record a top-up'], {
    key: 'p',
    main: 'plain',
    when: can('recharge'),
    asks: {
      amount: ask.money({
        label: ['到账金额', 'Amount received'],
        min: 1,
        field: 'amount_cents',
        hint: ['由另一人凭凭证复核后入账', 'Posted once another person approves the proof'],
      }),
      proof: ask.images({ label: ['银行凭证', 'Bank proof'], max: 1 }),
    },
    input: asking(({ amount, proof }) => ({ amount_cents: amount, proof: proof[0] ?? '' })),
  }),
  adjustBalance: row.row(calls.adjustBalance, ['调整余额', 'Adjust the balance'], {
    key: 'm',
    when: can('adjust'),
    asks: {
      amount: ask.money({
        label: ['调整金额（减少填负数）', 'Adjustment (negative to reduce)'],
        min: -1_000_000_000,
        field: 'amount_cents',
      }),
      reason,
    },
    input: asking(({ amount, reason: why }) => ({ amount_cents: amount, reason: why })),
  }),
  setQuota: row.row(calls.setQuota, ['设置额度', 'Set a quota'], {
    key: 'q',
    when: of => {
      const may = channelCan('setQuota', of, { me: 0, now: unixNow() })
      return may === true ? of.cards.length > 0 || ['还没有可售卡', 'No cards yet'] : may
    },
    asks: {
      attr_id: ask.entity({
        label: ['可售卡', 'Card'],
        find: calls.faces,
        given: rows => ({ channel_id: (rows[0] as ChannelRow).id }),
        labelOf: (of: { name: string }) => of.name,
      }),
      quota_n: ask.number({
        label: ['额度（张）', 'Quota (cards)'],
        min: 1,
        max: QUOTA_MOST,
        hint: ['不能低于已发数量', 'Can’t be below the number issued'],
      }),
    },
    input: asking(asked => asked),
  }),
  resetKey: row.row(calls.resetKey, ['重置接口密钥', 'Reset the API key'], {
    key: 'y',
    danger: true,
    when: can('resetKey'),
    tells: rows =>
      rows[0] && [
        [
          '新密钥只显示一次；旧密钥 24 小时后失效',
          'The new key is shown once; the old one expires in 24 h',
        ],
        {},
      ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  statement: row.row('ecard.channel.statement', ['对账单', 'Statement'], {
    key: 'b',
    permit: calls.statement.permit,
  }),
  enable: row.row(calls.enable, ['启用', 'Enable'], { key: 'o', when: can('enable'), input: one }),
  disable: row.row(calls.disable, ['停用', 'Disable'], {
    key: 'd',
    danger: true,
    when: can('disable'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  export: exportAction(calls.export, ['导出渠道', 'Export channels'], channels),
}
