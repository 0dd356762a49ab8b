import type { AccountState } from '#src/areas/member/member.ts'
import { accountCan } from '#src/areas/member/member.ts'
import { sanctionsOffered } from '#src/areas/userLog/userLog.ts'
import { userLog as calls, userLogRow, type UserLogRow } from '#src/modules/user/contract/log.ts'
import { ask, called } from '../command.ts'
import { userLogPage as at } from '../pages/user.ts'
import { exportAction, idOf, reason, rowActions } from '../record.ts'

const row = rowActions(at, userLogRow)
// Nicknames are not unique, and many are WeChat's own.
called(userLogRow, of => [of.nickname, of.uid].filter(Boolean).join(' · '))
type Asked = { kind: keyof typeof sanctionsOffered; forever?: boolean }
const takesDays = ({ kind, forever }: Asked) => kind === 'mute' || (kind === 'ban' && !forever)
const maySanction = (account_state: AccountState) =>
  accountCan('watch', { account_state, bound: false, sanctions: [] })

/** What risk and support staff do from a line of the log. */
export const userLogActions = {
  timeline: row.row(calls.timeline, ['查看时间线', 'Open the timeline'], {
    key: 't',
    main: 'plain',
    input: idOf,
    takenBack: 'again',
  }),
  byDevice: row.row(calls.byDevice, ['同设备账号', 'Accounts on the device'], {
    key: 'd',
    main: 'plain',
    when: (of: UserLogRow) =>
      of.has_device || ['这条记录没有设备信息', 'This record has no device'],
    input: idOf,
    takenBack: 'again',
  }),
  byIp: row.row(calls.byIp, ['同 IP 账号', 'Accounts on the IP'], {
    key: 'i',
    main: 'plain',
    when: (of: UserLogRow) => of.has_ip || ['这条记录没有 IP 信息', 'This record has no IP'],
    input: idOf,
    takenBack: 'again',
  }),
  sanction: row.row(calls.sanction, ['处置账号', 'Sanction the account'], {
    key: 'b',
    danger: true,
    when: (of: UserLogRow) => maySanction(of.account_state),
    tells: () => [
      [
        '同类处罚只延长、不叠加；解除请到用户账号',
        'Extends a sanction in force, never adds up; lift it in User accounts',
      ],
      {},
    ],
    asks: {
      kind: ask.choice({
        label: ['处置', 'Sanction'],
        options: sanctionsOffered,
        initial: () => 'watch' as const,
      }),
      forever: ask.flag({
        label: ['永久封禁', 'Permanent ban'],
        shown: ({ kind }: Asked) => kind === 'ban',
      }),
      days: ask.number({
        label: ['天数', 'Days'],
        min: 1,
        max: 3650,
        initial: () => 7,
        shown: takesDays,
      }),
      reason,
    },
    input: ([of], { kind, forever, days, reason: why }) => ({
      id: of!.id,
      member_version: of!.member_version,
      kind,
      ...(takesDays({ kind, forever: forever ?? false }) && { days }),
      reason: why,
    }),
  }),
  export: exportAction(calls.export, ['导出行为日志', 'Export the activity log'], at),
}
