import { channelCan, QUOTA_MOST } from '#src/areas/ecard/channel.ts'
import { listTyped, placesFault } from '#src/areas/partner/places.ts'
import { bpOf } from '#src/domain/money.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  channelAdd as addCalls,
  channelEdit as editCalls,
  channelRow,
  ecardChannels,
  type ChannelRow,
} from '#src/modules/ecard/contract/channel.ts'
import { action, ask, type Page } from '../command.ts'
import { channelAdd, channelEdit } from '../pages/ecard.ts'
import { asking, pageAction, reason, rowActions } from '../record.ts'

const named = (row: { name: string }) => row.name
const lineAsks = {
  attr_id: ask.entity({
    label: ['面值', 'Face'],
    find: ecardChannels.faces,
    labelOf: named,
    by: ['卡名称或面值编号', 'name of the card or number of the face'],
  }),
  discount: ask.number({
    label: ['折扣（%）', 'Rate (%)'],
    min: 1,
    max: 100,
    places: 2,
    field: 'discount_bp',
    initial: () => 95,
    hint: ['按售价的百分之几结算', 'Percent of the price'],
  }),
  quota_n: ask.number({
    label: ['额度（张）', 'Quota (cards)'],
    min: 1,
    max: QUOTA_MOST,
    initial: () => 100,
  }),
}
const submit = { title: '提交开通', en: 'Open the channel', key: 'mod+enter', main: true } as const
const saveDraft = { title: '保存草稿', en: 'Save draft', key: 'mod+s', main: true } as const
/** What stands beside the form is gone to by a key. */
const beside = (at: Page, stem: string) => ({
  uploadContract: pageAction(`${stem}.uploadContract`, ['上传合同', 'Upload the contract'], at, {
    key: 'u',
  }),
  verifyCompany: pageAction(`${stem}.verifyCompany`, ['校验企业信息', 'Check the company'], at, {
    key: 'v',
  }),
})

/** What is done with the form of a new channel. */
export const channelAddActions = {
  submit: action(addCalls.submit, { ...submit, at: channelAdd }),
  save: action(addCalls.save, { ...saveDraft, at: channelAdd }),
  addCard: pageAction('ecard.channel.add.addCard', ['添加可售卡', 'Add a card'], channelAdd, {
    key: 'a',
    main: 'plain',
    asks: lineAsks,
  }),
  ...beside(channelAdd, 'ecard.channel.add'),
}

const row = rowActions(channelEdit, channelRow)
const isDraft = (of: ChannelRow) =>
  of.status === 'draft' || (['渠道已开通', 'Already open'] as const)
const isOpen = (of: ChannelRow) =>
  of.status !== 'draft' || (['还是草稿，请先提交开通', 'Still a draft: open it first'] as const)
/** What is done with a channel that stands: a draft is saved and opened, an open one changed. */
export const channelEditActions = {
  submit: row.row(editCalls.submit, [submit.title, submit.en], {
    key: submit.key,
    main: true,
    when: isDraft,
  }),
  saveDraft: row.row(editCalls.saveDraft, [saveDraft.title, saveDraft.en], {
    key: 'mod+shift+s',
    main: 'plain',
    when: isDraft,
  }),
  save: row.row(editCalls.save, ['保存修改', 'Save'], { key: 'mod+s', main: true, when: isOpen }),
  renew: row.row(editCalls.renew, ['续签', 'Renew'], {
    key: 'r',
    main: 'plain',
    when: isOpen,
    asks: {
      start_at: ask.time({
        label: ['合同开始', 'Contract from'],
        initial: rows => (rows[0] as ChannelRow | undefined)?.end_at ?? undefined,
        hint: [
          '从上一期结束开始，各期不得重叠',
          'Starts when the last one ends; periods can’t overlap',
        ],
      }),
      end_at: ask.time({ label: ['合同结束', 'Contract until'] }),
      contract: ask.images({ label: ['合同', 'Contract'], max: 1 }),
    },
    input: asking(({ start_at, end_at, contract }) => ({
      start_at: start_at!,
      end_at: end_at!,
      contract: contract[0] ?? '',
    })),
  }),
  addLine: row.row('ecard.channel.edit.addLine', ['添加到草稿', 'Add to the draft'], {
    key: 'shift+a',
    when: isDraft,
    asks: lineAsks,
  }),
  addCard: row.row(editCalls.addCard, ['添加可售卡', 'Add a card'], {
    key: 'a',
    main: 'plain',
    when: isOpen,
    asks: lineAsks,
    input: asking(({ attr_id, discount, quota_n }) => ({
      attr_id,
      discount_bp: bpOf(discount),
      quota_n,
    })),
  }),
  removeCard: row.row(editCalls.removeCard, ['移除可售卡', 'Remove a card'], {
    key: 'shift+x',
    danger: true,
    when: of => (isOpen(of) === true ? of.cards.length > 1 || last : isOpen(of)),
    tells: rows => rows[0] && [['已发出的卡密不受影响', 'Codes already issued are unaffected'], {}],
    asks: {
      attr_id: ask.entity({
        label: ['可售卡', 'Card'],
        find: ecardChannels.faces,
        given: rows => ({ channel_id: (rows[0] as ChannelRow).id }),
        labelOf: named,
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  setIpList: row.row(editCalls.setIpList, ['设置 IP 白名单', 'Set the IP allowlist'], {
    key: 'i',
    when: of => channelCan('setIpList', of, { me: 0, now: unixNow() }),
    asks: {
      ips: ask.text({
        label: ['IP 白名单', 'IP allowlist'],
        max: 1300,
        lines: 4,
        field: 'ip_list',
        initial: rows => (rows[0] as ChannelRow | undefined)?.ip_list.join('\n'),
        hint: [
          '每行一个 IP 或网段，如 203.0.113.0/24；至少保留一个',
          'One IP or range per line; keep at least one',
        ],
        check: typed => placesFault(listTyped(typed)),
      }),
    },
    input: asking(({ ips }) => ({ ip_list: listTyped(ips) })),
  }),
  diff: pageAction('ecard.channel.edit.diff', ['查看改动', 'See the changes'], channelEdit, {
    key: 'd',
  }),
  ...beside(channelEdit, 'ecard.channel.edit'),
}
const last = [
  '至少保留一种可售卡，停止发卡请停用渠道',
  'Keep at least one card; to stop issuing, stop the channel',
] as const
