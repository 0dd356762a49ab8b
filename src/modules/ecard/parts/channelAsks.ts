import { ask, type Asks } from '#commands/command.ts'
import type { CardLine } from '#src/areas/ecard/channel.ts'
import {
  channelTypes,
  settleTypes,
  type ChannelType,
  type SettleType,
} from '#src/areas/ecard/ecard.ts'
import { creditCodeFault } from '#src/areas/merchant/identity.ts'
import { listTyped, placesFault } from '#src/areas/partner/places.ts'
import { callableFault } from '#src/domain/phone.ts'
import { emailFault } from '#src/domain/validate.ts'
import type { ChannelRow } from '../contract/channel.ts'

/** A line of cards as the form holds it: with what it is called, and its price in cents. */
export type FormLine = CardLine & { name: string; price_cents: number; issued_n: number }
export type ChannelAnswers = {
  name: string
  type: ChannelType
  company?: string
  tax_no?: string
  contact?: string
  phone?: string
  email?: string
  contract?: string[]
  start_at?: number
  end_at?: number
  settle_type: SettleType
  credit?: number
  ips?: string
  mails?: string
  cards: FormLine[]
  why?: string
}
type Rows = readonly ChannelRow[]
const isCompany = (answers: Partial<ChannelAnswers>, rows: Rows) =>
  (answers.type ?? rows[0]?.type) !== 'own'
/** The questions about an open channel. */
const termAsks = {
  name: ask.text({ label: ['渠道名称', 'Name'], max: 60, initial: (rows: Rows) => rows[0]?.name }),
  company: ask.text({
    label: ['公司名称', 'Company'],
    max: 60,
    optional: 'in-draft',
    shown: isCompany,
    initial: (rows: Rows) => rows[0]?.company,
  }),
  tax_no: ask.text({
    label: ['统一社会信用代码', 'Credit code'],
    max: 30,
    optional: 'in-draft',
    shown: isCompany,
    hint: ['18 位，校验位与重复自动检查', '18 characters; check digit and duplicates are checked'],
    initial: (rows: Rows) => rows[0]?.tax_no,
    check: typed => (typed === '' ? undefined : creditCodeFault(typed)),
  }),
  contact: ask.text({
    label: ['联系人', 'Contact'],
    max: 20,
    optional: 'in-draft',
    initial: (rows: Rows) => rows[0]?.contact,
  }),
  phone: ask.text({
    label: ['联系电话', 'Phone'],
    max: 30,
    optional: 'in-draft',
    initial: (rows: Rows) => rows[0]?.phone,
    check: typed => (typed === '' ? undefined : callableFault(typed)),
  }),
  email: ask.text({
    label: ['邮箱', 'E-mail'],
    max: 64,
    optional: true,
    initial: (rows: Rows) => rows[0]?.email,
    check: typed => (typed === '' ? undefined : emailFault(typed)),
  }),
  settle_type: ask.choice({
    label: ['结算方式', 'Settlement'],
    options: settleTypes,
    initial: (rows: Rows) => rows[0]?.settle_type ?? 'prepaid',
  }),
  credit: ask.money({
    label: ['授信额度', 'Credit'],
    min: 0,
    max: 1_000_000_000,
    field: 'credit_cents',
    shown: (answers: Partial<ChannelAnswers>) => answers.settle_type === 'monthly',
    hint: ['提高授信须由另一人复核后生效', 'A raise takes effect once another person approves'],
    initial: (rows: Rows) => rows[0]?.credit_cents ?? 0,
  }),
  mails: ask.text({
    label: ['通知接收邮箱', 'Notification e-mails'],
    max: 660,
    lines: 2,
    optional: true,
    field: 'receivers',
    hint: [
      '每行一个，最多 10 个；目前只登记，尚不自动发送邮件',
      'One per line, up to 10; kept on record, no mail is sent yet',
    ],
    initial: (rows: Rows) => rows[0]?.receivers.join('\n'),
  }),
}
const places = {
  label: ['IP 白名单', 'IP allowlist'],
  max: 1300,
  lines: 3,
  field: 'ip_list',
  hint: ['每行一个 IP 或网段，如 203.0.113.0/24', 'One IP or range per line, e.g. 203.0.113.0/24'],
  initial: (rows: Rows) => rows[0]?.ip_list.join('\n'),
  check: (typed: string) => placesFault(listTyped(typed)),
} as const
/** All questions of a channel that is not open yet. */
export const draftAsks = {
  ...termAsks,
  type: ask.choice({
    label: ['渠道类型', 'Type'],
    options: channelTypes,
    initial: (rows: Rows) => rows[0]?.type ?? 'enterprise',
  }),
  contract: ask.images({
    label: ['合同', 'Contract'],
    max: 1,
    optional: 'in-draft',
    shown: isCompany,
    initial: (rows: Rows) => (rows[0]?.contract ? [rows[0].contract] : undefined),
  }),
  start_at: ask.time({
    label: ['合同开始', 'Contract from'],
    optional: 'in-draft',
    initial: (rows: Rows) => rows[0]?.start_at ?? undefined,
  }),
  end_at: ask.time({
    label: ['合同结束', 'Contract until'],
    optional: 'in-draft',
    initial: (rows: Rows) => rows[0]?.end_at ?? undefined,
    check: (end, answers: Partial<ChannelAnswers>) =>
      end !== undefined && answers.start_at !== undefined && end <= answers.start_at
        ? ['合同结束须晚于开始', 'The contract must end after it starts']
        : undefined,
  }),
  ips: ask.text({
    ...places,
    optional: 'in-draft',
    shown: (answers: Partial<ChannelAnswers>) => answers.type === 'api',
  }),
}
/** What a draft may leave empty an open channel has. */
const needed = <A extends Asks>(asks: A): A =>
  Object.fromEntries(
    Object.entries(asks).map(([name, one]) => [
      name,
      one.optional === 'in-draft' ? { ...one, optional: false } : one,
    ]),
  ) as A
export const editAsks = {
  ...needed(termAsks),
  why: ask.text({ label: ['修改原因', 'Reason'], max: 255, min: 2, lines: 2, field: 'reason' }),
}
/** The answers that a form of cards begins with. */
export const givenLines = (rows: Rows) => ({
  cards: (rows[0]?.cards ?? []).map(
    ({ attr_id, discount_bp, quota_n, name, price_cents, issued_n }): FormLine => ({
      attr_id,
      discount_bp,
      quota_n,
      name,
      price_cents,
      issued_n,
    }),
  ),
})
/** The names that fields of the calls have among the questions. */
export const namesHere = {
  credit_cents: 'credit',
  receivers: 'mails',
  ip_list: 'ips',
  reason: 'why',
} as const
/** The answers that an open channel is sent. */
export const termsBody = (of: ChannelAnswers) => ({
  name: of.name,
  company: of.company ?? '',
  tax_no: of.tax_no ?? '',
  contact: of.contact ?? '',
  phone: of.phone ?? '',
  email: of.email ?? '',
  settle_type: of.settle_type,
  credit_cents: of.settle_type === 'monthly' ? (of.credit ?? 0) : 0,
  receivers: listTyped(of.mails ?? ''),
  cards: of.cards.map(({ attr_id, discount_bp, quota_n }) => ({ attr_id, discount_bp, quota_n })),
})
/** The answers that a draft is sent: those of an open channel, and its own. */
export const draftBody = (of: ChannelAnswers) => ({
  ...termsBody(of),
  type: of.type,
  contract: of.contract?.[0] ?? '',
  start_at: of.start_at ?? null,
  end_at: of.end_at ?? null,
  ip_list: of.type === 'api' ? listTyped(of.ips ?? '') : [],
})
