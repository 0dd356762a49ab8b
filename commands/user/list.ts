import { accountCan, banScopes, type AccountVerb } from '#src/areas/member/member.ts'
import { phoneFault } from '#src/domain/phone.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import {
  accountRow,
  accountsPage as calls,
  type AccountRow,
} from '#src/modules/user/contract/list.ts'
import { ask, called } from '../command.ts'
import { accountsPage as at } from '../pages/user.ts'
import { asking, exportAction, idOf, reason, rowActions } from '../record.ts'

const row = rowActions(at, accountRow)
// Nicknames are not unique, and many are WeChat's own.
called(accountRow, of => [of.nickname, of.uid].filter(Boolean).join(' · '))
const can = (verb: AccountVerb) => (of: AccountRow) => accountCan(verb, of)
const why = { asks: { reason }, input: asking((answers: { reason: string }) => answers) }

/** What is done with an account: it is restricted, helped, or closed. */
export const accountActions = {
  mute: row.row(calls.mute, ['禁言', 'Mute'], {
    key: 'm',
    danger: true,
    main: 'plain',
    when: can('mute'),
    asks: {
      days: ask.number({ label: ['天数', 'Days'], min: 1, max: 3650, initial: () => 7 }),
      reason,
    },
    input: asking(answers => answers),
  }),
  unmute: row.row(calls.unmute, ['解除禁言', 'Unmute'], {
    key: 'shift+m',
    when: can('unmute'),
    ...why,
  }),
  ban: row.row(calls.ban, ['封禁账号', 'Ban'], {
    key: 'b',
    danger: true,
    main: 'plain',
    when: can('ban'),
    tells: () => [
      [
        '同类处罚只延长、不叠加；到期自动解封',
        'Extends a ban in force, never adds up; ends automatically',
      ],
      {},
    ],
    asks: {
      scope: ask.choices({
        label: ['封禁范围', 'Ban scope'],
        options: banScopes,
        initial: () => Object.keys(banScopes),
      }),
      forever: ask.flag({ label: ['永久封禁', 'Permanent ban'] }),
      until: ask.time({
        label: ['截止', 'Until'],
        initial: () => unixNow() + 30 * DAY,
        shown: (answers: { forever?: boolean }) => !answers.forever,
      }),
      reason,
    },
    input: asking(({ scope, forever, until, reason: of }) => ({
      scope: scope as (keyof typeof banScopes)[],
      ...(!forever && until !== undefined && { until }),
      reason: of,
    })),
  }),
  unban: row.row(calls.unban, ['解封', 'Lift the ban'], {
    key: 'u',
    main: 'plain',
    when: can('unban'),
    ...why,
  }),
  watch: row.row(calls.watch, ['加入观察名单', 'Watch'], { key: 'o', when: can('watch'), ...why }),
  unwatch: row.row(calls.unwatch, ['移出观察名单', 'Stop watching'], {
    key: 'shift+o',
    when: can('unwatch'),
    ...why,
  }),
  resetProfile: row.row(calls.resetProfile, ['重置违规昵称头像', 'Reset name and picture'], {
    key: 'p',
    when: can('resetProfile'),
    ...why,
  }),
  changePhone: row.row(calls.changePhone, ['协助换绑手机', 'Change the phone'], {
    key: 'c',
    when: can('changePhone'),
    tells: () => [['换绑后 24 小时内不能提现', 'No withdrawals for 24 hours afterwards'], {}],
    asks: {
      new_phone: ask.text({ label: ['新手机号', 'New phone'], max: 30, check: phoneFault }),
      proof: {
        ...reason,
        label: ['核验方式', 'Verification method'],
        hint: [
          '如：身份证与旧号末四位核对一致',
          'Such as: ID card and last 4 digits of the old number match',
        ],
      },
    },
    input: asking(answers => answers),
  }),
  unbindWechat: row.row(calls.unbindWechat, ['解绑微信', 'Unbind WeChat'], {
    key: 'n',
    danger: true,
    when: can('unbindWechat'),
    ...why,
  }),
  forceLogout: row.row(calls.forceLogout, ['强制下线', 'Sign the member out'], {
    key: 'l',
    danger: true,
    when: can('forceLogout'),
    tells: () => [
      [
        '该会员在小程序的登录立即失效，重新打开小程序后可再次登录',
        'Signs the member out of the mini-program at once; reopening it signs in again',
      ],
      {},
    ],
    ...why,
    alias: ['踢下线', '退出登录', '注销登录', 'kick', 'logout'],
  }),
  cancelAccount: row.row(calls.cancelAccount, ['受理注销', 'Close the account'], {
    key: 'd',
    danger: true,
    when: can('cancelAccount'),
    tells: () => [
      [
        '15 天冷静期内可驳回；到期后个人信息抹除、积分作废，依法保留的数据见侧栏',
        'Can be rejected within 15 days; then personal data is erased and points are forfeited. The side panel lists what the law requires keeping',
      ],
      {},
    ],
    ...why,
  }),
  rejectCancel: row.row(calls.rejectCancel, ['驳回注销', 'Reject the closure'], {
    key: 'r',
    main: 'plain',
    when: can('rejectCancel'),
    ...why,
  }),
  exportData: row.row(calls.exportData, ['导出个人信息副本', 'Export personal data'], {
    key: 'y',
    tells: () => [
      [
        '生成本人可取得的个人信息副本，逐项写明注销后抹除或保留及依据；你无权查看的字段会打码',
        'A file of the person’s data, saying what closing erases or keeps and on what legal basis; fields you may not view are masked',
      ],
      {},
    ],
    asks: { reason: { ...reason, hint: ['会记入操作日志', 'This is logged'] } },
    input: (rows, answers) => ({ ...idOf(rows), ...answers }),
    alias: ['个人信息', '查阅复制权', '数据导出', 'GDPR', 'privacy', 'subject access'],
  }),
  viewPhone: row.row(calls.viewPhone, ['查看明文手机号', 'Reveal the phone'], {
    key: 'v',
    asks: { reason: { ...reason, hint: ['会记入操作日志', 'This is logged'] } },
    input: (rows, answers) => ({ ...idOf(rows), ...answers }),
  }),
  export: exportAction(calls.export, ['导出用户', 'Export accounts'], at),
}
