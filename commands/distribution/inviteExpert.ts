import {
  INVITE_DAYS,
  inviteCanSend,
  inviteOpen,
  plusFault,
} from '#src/areas/distribution/invite.ts'
import { levels } from '#src/areas/distribution/sellers.ts'
import { phoneFault } from '#src/domain/phone.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { inviteRow, inviting as calls } from '#src/modules/distribution/contract/inviteExpert.ts'
import { ask, type Asked } from '../command.ts'
import { invitePage as at } from '../pages/distribution.ts'
import { cityAsk } from '../places.ts'
import { asking, exportAction, one, pageAction, reason, rowActions } from '../record.ts'
import { askTeam } from './sellers.ts'

const terms = {
  city_id: cityAsk(),
  level: ask.choice({
    label: ['等级', 'Level'],
    options: levels,
    field: 'level_no',
    initial: () => '1',
  }),
  group: askTeam({ optional: true }),
  plus: ask.number({
    label: ['额外加成（%）', 'Extra bonus (%)'],
    min: 0,
    max: 100,
    places: 2,
    field: 'plus_bp',
    initial: () => 0,
    hint: ['不超过等级上限：1 级 0.5% 至 5 级 3%', 'Up to 0.5% at level 1 and 3% at level 5'],
    check: (value, { level }: { level?: string }) =>
      plusFault(Math.round(value * 100), Number(level ?? 1)),
  }),
  expire_at: ask.time({
    label: ['失效时间', 'Until'],
    initial: () => unixNow() + INVITE_DAYS * DAY,
  }),
}
const termsOf = ({ city_id, level, group, plus, expire_at }: Asked<typeof terms>) => ({
  city_id,
  level_no: Number(level),
  ...(group && { group_id: group }),
  plus_bp: Math.round(plus * 100),
  expire_at: expire_at ?? 0,
})
const row = rowActions(at, inviteRow)
/** What is done with invitations. */
export const inviteActions = {
  create: pageAction(calls.create, ['新增邀请', 'Invite'], at, {
    key: 'c',
    main: true,
    asks: {
      name: ask.text({ label: ['姓名', 'Name'], max: 20, optional: true }),
      phone: ask.text({
        label: ['手机号', 'Phone'],
        max: 30,
        optional: true,
        check: phoneFault,
        hint: [
          '填写后自动发送短信；留空则链接可由任意一人使用一次',
          'A message is sent to it; empty: anyone can use the link once',
        ],
      }),
      ...terms,
    },
    input: (_, { name, phone, ...of }) => ({
      ...(name && { name }),
      ...(phone && { phone }),
      ...termsOf(of),
    }),
  }),
  batchCreate: pageAction(calls.batchCreate, ['批量邀请', 'Invite several'], at, {
    key: 'b',
    main: 'plain',
    asks: {
      phones: ask.text({
        label: ['手机号', 'Phones'],
        max: 16_000,
        lines: 8,
        hint: [
          '每行一个，最多 500 个；重复的会合并',
          'One per line, up to 500; duplicates are merged',
        ],
      }),
      ...terms,
    },
    input: (_, { phones, ...of }) => ({ phones, ...termsOf(of) }),
  }),
  copyLink: row.row('distribution.index.inviteExpert.copyLink', ['复制邀请链接', 'Copy the link'], {
    key: 'y',
    main: 'plain',
    when: inviteOpen,
  }),
  resend: row.row(calls.resend, ['重新发送短信', 'Resend'], {
    key: 's',
    main: 'plain',
    when: inviteCanSend,
    input: one,
    takenBack: 'again',
  }),
  stop: row.row(calls.stop, ['停用邀请', 'Stop'], {
    key: 'd',
    danger: true,
    when: inviteOpen,
    asks: { reason },
    input: asking(asked => asked),
  }),
  export: exportAction(calls.export, ['导出邀请记录', 'Export invitations'], at),
}
