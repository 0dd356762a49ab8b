import { z } from 'zod'
import {
  CARD_LINES_MOST,
  CREDIT_MOST,
  DISCOUNT,
  ISSUE_MOST,
  QUOTA_MOST,
  RECEIVERS_MOST,
} from '#src/areas/ecard/channel.ts'
import {
  channelStates,
  channelTypes,
  ledgerTypes,
  requestKinds,
  requestStates,
  settleTypes,
  type ChannelState,
  type ChannelType,
  type LedgerType,
  type RequestKind,
  type RequestState,
  type SettleType,
} from '#src/areas/ecard/ecard.ts'
import { IPS_MOST } from '#src/areas/partner/places.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  exportBegun,
  id,
  keysOf,
  keyText,
  listOf,
  mobile,
  open,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const count = z.int().min(0)
const desk = 'A company that sells cards on, no merchant and no member'
const discount = z.int().min(DISCOUNT.least).max(DISCOUNT.most)
const quota = z.int().min(1).max(QUOTA_MOST)
const places = z.array(text(64)).max(IPS_MOST)
/** A line of what a channel may have. */
const cardLine = z.object({ attr_id: id, discount_bp: discount, quota_n: quota })
/** What may be changed while it is open, by a form. */
const termFields = {
  name: text(60),
  company: text(60, 0),
  tax_no: text(30, 0),
  contact: open(desk, text(20, 0)),
  phone: open(desk, text(30, 0)),
  email: text(64, 0),
  settle_type: keysOf<SettleType>(settleTypes),
  credit_cents: cents.min(0).max(CREDIT_MOST),
  receivers: z.array(text(64)).max(RECEIVERS_MOST),
  cards: z.array(cardLine).max(CARD_LINES_MOST * 2),
}
/** The terms of a channel; its rules tell what is wrong with it as a whole (channel.ts). */
const channelFields = {
  ...termFields,
  type: keysOf<ChannelType>(channelTypes),
  contract: keyText(255),
  start_at: unix.nullable(),
  end_at: unix.nullable(),
  ip_list: places,
}
const cardRow = z.object({
  ...cardLine.shape,
  id,
  card_id: id,
  name: z.string(),
  face_cents: cents,
  price_cents: cents,
  issued_n: count,
  status: z.enum(['on', 'off']),
  /** On sale, so that it can be had at all. */ sold: z.boolean(),
})
export type ChannelCard = z.output<typeof cardRow>
const request = z.object({
  id,
  kind: keysOf<RequestKind>(requestKinds),
  amount_cents: cents,
  proof: z.string(),
  reason: z.string(),
  state: keysOf<RequestState>(requestStates),
  made_by: id,
  maker: z.string(),
  decider: z.string(),
  decided_reason: z.string(),
  created_at: unix,
})
export type ChannelRequest = z.output<typeof request>
export const channelRow = z.object({
  id,
  ...channelFields,
  cards: z.array(cardRow),
  balance_cents: cents,
  quota_n: count,
  issued_n: count,
  activated_n: count,
  back_n: count,
  app_key: z.string(),
  old_key_until: unix.nullable(),
  periods: z.array(z.object({ start_at: unix, end_at: unix, contract: z.string() })),
  /** The request that waits for a second person. */ request: request.nullable(),
  status: keysOf<ChannelState>(channelStates),
  status_reason: z.string(),
  created_at: unix,
  updated_at: unix,
  version,
})
export type ChannelRow = z.output<typeof channelRow>

const filters = {
  keyword: searched(40).optional(),
  type: keysOf<ChannelType>(channelTypes).optional(),
  status: keysOf<ChannelState>(channelStates).optional(),
  /** Its contract ends within 30 days. */ ending: z.boolean().optional(),
  debt: z.boolean().optional(),
  /** A request of it waits for a second person. */ waiting: z.boolean().optional(),
}
const call = callsOf('ecard/channel', { touches: ['ecard_channel'], rows: 'all' })
const view = 'ecard.channel.view'
const held = { id, version }
const paid = open('What the channel pays for its cards, no product’s', cents)
const month = keyText(7, 7)
const money = ['ecard_channel', 'ecard_ledger'] as const
const issued = ['ecard_channel', 'ecard_ledger', 'ecard_code', 'ecard', 'order'] as const
/** A workbook of 2000 lines, as base64 in JSON. */
const FILE_MAX = 3 * 1024 * 1024
const receiver = z.object({ name: text(20), phone: open(desk, mobile), n: z.int().min(1).max(100) })
const ledgerRow = z.object({
  id,
  type: keysOf<LedgerType>(ledgerTypes),
  amount_cents: cents,
  balance_after_cents: cents,
  proof: z.string(),
  reason: z.string(),
  by: z.string(),
  second: z.string(),
  created_at: unix,
})
/** The encrypted file of the cards of an issue; shown once. */
const handed = {
  rows: count,
  left: count,
  name: z.string(),
  cost_cents: paid,
  secret_file: z.string().nullable(),
  secret_password: z.string().nullable(),
}

/** Firms that sell cards on: what they may have, what they have paid ahead and may owe. */
export const ecardChannels = {
  lst: call.lists('lst', ['电子卡渠道', 'E-card channels'], { filters, row: channelRow }),
  detail: call.read('detail', ['渠道详情', 'An e-card channel'], {
    input: z.object({ id }),
    output: channelRow,
    permit: view,
  }),
  /** Faces on sale, to be added to a channel. */
  faces: call.read('faces', ['可选面值', 'Faces to choose'], {
    input: z.object({
      ...page,
      keyword: searched(40).optional(),
      /** Those that a channel has. */ channel_id: id.optional(),
    }),
    output: listOf(z.object({ id, name: z.string(), face_cents: cents, price_cents: cents })),
    touches: ['ecard'],
    permit: view,
  }),
  /** The last moves of its money, and the decisions of second persons. */
  money: call.read('money', ['渠道流水', 'Transactions of a channel'], {
    input: z.object({ id }),
    output: z.object({ ledger: z.array(ledgerRow), requests: z.array(request) }),
    touches: money,
    permit: view,
  }),
  /** The issues that it took last. */
  issues: call.read('issues', ['渠道发卡记录', 'Cards issued to a channel'], {
    input: z.object({
      id,
      ...page,
      pageSize: page.pageSize.default(20),
      keyword: searched(40).optional(),
    }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          name: z.string(),
          out_no: z.string(),
          n: count,
          cost_cents: paid,
          /** So many of them came back. */ back_n: count,
          by: z.string(),
          created_at: unix,
        }),
      ),
    }),
    touches: issued,
    permit: view,
  }),
  enable: call.changes('enable', ['启用渠道', 'Enable a channel']),
  disable: call.changes('disable', ['停用渠道', 'Stop a channel'], { fields: { reason } }),
  /** Money that came in: it counts once a second person has seen its proof. */
  recharge: call.changes('recharge', ['登记渠道充值', 'Record a channel’s top-up'], {
    fields: { amount_cents: cents.min(1).max(CREDIT_MOST), proof: keyText(255, 1) },
  }),
  adjustBalance: call.changes('adjustBalance', ['调整渠道余额', 'Adjust a channel’s balance'], {
    fields: { amount_cents: cents.min(-CREDIT_MOST).max(CREDIT_MOST), reason },
  }),
  /** The second person's word: money is moved, or credit holds, as it was asked for. */
  confirm: call.changes('confirm', ['复核通过', 'Approve a request'], { touches: money }),
  refuse: call.changes('refuse', ['驳回复核单', 'Reject a request'], { fields: { reason } }),
  setQuota: call.changes('setQuota', ['设置渠道额度', 'Set a quota'], {
    fields: { attr_id: id, quota_n: quota },
  }),
  /** The key before opens the door for one more day. */
  resetKey: call.changes('resetKey', ['重置接口密钥', 'Reset the API key'], {
    fields: { reason },
    answer: { app_key: z.string(), secret_key: z.string().nullable() },
  }),
  /** Reads a file of receivers and says what is wrong with each of its lines. Writes nothing. */
  readReceivers: call.write('readReceivers', ['检查收卡人文件', 'Check a recipient file'], {
    input: z.object({
      id,
      receiver_file: z
        .base64()
        .min(1)
        .max(FILE_MAX - 1024),
    }),
    output: z.object({
      fault: z.string().nullable(),
      lines: z.array(
        z.object({
          row: z.int(),
          name: z.string(),
          phone: open(desk, z.string()),
          n: count,
          /** Empty where the line is good. */ fault: z.string(),
        }),
      ),
    }),
    permit: 'ecard.channel.issueBatch',
    touches: [],
    quiet: true,
    apart: true,
    body_max: FILE_MAX,
  }),
  /** Cards for each receiver, or `n` without any: one issue, paid from the balance, or none at all. */
  issueBatch: call.changes('issueBatch', ['批量发卡', 'Issue cards'], {
    fields: {
      attr_id: id,
      n: z.int().min(1).max(ISSUE_MOST).optional(),
      receivers: z.array(receiver).max(ISSUE_MOST).default([]),
    },
    answer: handed,
    touches: issued,
  }),
  /** The cards of an issue once more, under a password of its own: the first file was lost. */
  handOver: call.changes('handOver', ['重新交付卡密', 'Deliver secrets again'], {
    fields: { issue_id: id, reason },
    answer: handed,
  }),
  /** A month of the ledger: what it began with, what moved, what it ended with. */
  statement: call.read('statement', ['渠道对账单', 'A channel’s statement'], {
    input: z.object({ id, month }),
    output: z.object({
      from: unix,
      to: unix,
      open_cents: cents,
      close_cents: cents,
      sums: z.array(
        z.object({ type: keysOf<LedgerType>(ledgerTypes), n: count, amount_cents: cents }),
      ),
      /** The first rows; the file has all. */ rows: z.array(ledgerRow),
      total: count,
    }),
    touches: money,
  }),
  statementFile: call.write('statementFile', ['下载渠道对账单', 'Download a statement'], {
    input: z.object({ id, month }),
    output: exportBegun,
    permit: 'ecard.channel.statement',
    touches: ['export'],
  }),
  export: call.startsExport('export', ['导出渠道', 'Export channels'], { filters }),
}

const form = (at: string) =>
  callsOf(`ecard/channel/${at}`, { touches: ['ecard_channel'], rows: 'all' })
const add = form('add')
const edit = form('edit')
const done = z.object({ id, version })
/** A channel that is not there yet. */
export const channelAdd = {
  save: add.write('save', ['保存渠道草稿', 'Save a channel’s draft'], {
    input: z.object(channelFields),
    output: done,
  }),
  submit: add.write('submit', ['提交渠道开通', 'Open a channel'], {
    input: z.object(channelFields),
    output: done,
  }),
  /** The check sign of a credit code, and whether an active channel has it; no register is asked. */
  verifyCompany: add.read('verifyCompany', ['校验企业信息', 'Check a company’s number'], {
    input: z.object({ tax_no: text(30), channel_id: id.optional() }),
    output: z.object({ fault: z.string(), taken_by: z.string() }),
    permit: view,
  }),
}
/** A draft, as it likes; a channel that is open: what was issued keeps its terms. */
export const channelEdit = {
  saveDraft: edit.write('saveDraft', ['保存渠道草稿修改', 'Save a draft of a channel'], {
    input: z.object({ ...held, ...channelFields }),
    output: done,
  }),
  submit: edit.write('submit', ['提交草稿渠道开通', 'Open a drafted channel'], {
    input: z.object({ ...held, ...channelFields }),
    output: done,
  }),
  save: edit.write('save', ['保存渠道修改', 'Save a channel'], {
    input: z.object({ ...held, ...termFields, reason }),
    output: done,
  }),
  renew: edit.changes('renew', ['续签渠道', 'Renew a channel'], {
    fields: { start_at: unix, end_at: unix, contract: keyText(255, 1) },
  }),
  addCard: edit.changes('addCard', ['添加可售卡', 'Add a card'], { fields: cardLine.shape }),
  removeCard: edit.changes('removeCard', ['移除可售卡', 'Remove a card'], {
    fields: { attr_id: id, reason },
  }),
  setIpList: edit.changes('setIpList', ['设置 IP 白名单', 'Set the IP allowlist'], {
    fields: { ip_list: places },
  }),
}
