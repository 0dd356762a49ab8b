import { RELEASE_HOURS, canRelease } from '#src/areas/limit/limits.ts'
import { BAN_HOURS_MAX, EXTEND_DAYS_MAX, exportCan, type ExportVerb } from '#src/areas/log/logs.ts'
import { clickRow } from '#src/contract/clicks.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import {
  buyLimitLog as limitCalls,
  limitRow,
  type LimitRow,
} from '#src/modules/system/contract/buyLimitLog.ts'
import {
  exportLogs as exportCalls,
  exportRow,
  type ExportRow,
} from '#src/modules/system/contract/exportLogs.ts'
import { history as clickCalls } from '#src/modules/system/contract/history.ts'
import {
  loginLogs as loginCalls,
  loginRow,
  type LoginRow,
} from '#src/modules/system/contract/loginLogs.ts'
import { logRow, logs as logCalls } from '#src/modules/system/contract/logs.ts'
import { action, ask, called, stemOf, type Page, type Told } from '../command.ts'
import { buyLimitLog, exportLogs, history, loginLogs, logs } from '../pages/system.ts'

const reason = ask.text({ label: ['原因', 'Reason'], max: 255, min: 2, lines: 2 })
const query = (at: Page, alias: string) =>
  action(`${stemOf(at.path)}.query`, { title: '查询', en: 'Query', at, alias: [alias] })
const exported = { key: 'shift+e', main: 'plain' } as const
/** A row is called by who signed in; a ban is of the address they came from. */
const addressOf = ([row]: readonly LoginRow[]): Told | undefined =>
  row && [
    ['封禁 {ip}，来自该 IP 的任何人都不能登录', 'Bans {ip}: nobody can sign in from it'],
    { ip: row.ip ?? '' },
  ]
called(logRow, of => of.object_label || of.action_title)
called(loginRow, of => of.admin_name || of.account)
called(limitRow, of => `${of.nickname} · ${of.product_title}`)

export const logsActions = {
  query: query(logs, '筛选操作日志'),
  diff: action('system.logs.diff', {
    title: '查看改动对比',
    en: 'Differences',
    key: 'd',
    at: logs,
    on: logRow,
    takes: 'row',
    permit: logCalls.diff.permit,
  }),
  objectHistory: action('system.logs.objectHistory', {
    title: '查看对象全部历史',
    en: 'History of the object',
    key: 'h',
    at: logs,
    on: logRow,
    takes: 'row',
    permit: logCalls.objectHistory.permit,
    when: row =>
      (row.object_id !== null && row.object_type !== 'batch') || [
        '这一行不是某个对象的改动',
        'This row is not about a single object',
      ],
  }),
  copyTrace: action('system.logs.copyTrace', {
    title: '复制追踪号',
    en: 'Copy the trace number',
    key: 'c',
    at: logs,
    on: logRow,
    takes: 'row',
    when: row => row.trace_id !== null || ['没有追踪号', 'No trace number'],
  }),
  revert: action(logCalls.revert, {
    title: '撤回此改动',
    en: 'Undo this change',
    key: 'z',
    danger: true,
    at: logs,
    on: logRow,
    takes: 'row',
    when: row => row.not_revertible === null || [row.not_revertible, row.not_revertible],
    asks: { reason },
    input: (rows, asked) => ({ id: rows[0]!.id, ...asked }),
  }),
  verify: action('system.logs.verify', {
    title: '校验完整性',
    en: 'Verify the log',
    key: 'v',
    at: logs,
    permit: logCalls.verify.permit,
    alias: ['防篡改', '哈希链', 'tamper'],
    main: 'plain',
  }),
  export: action(logCalls.export, {
    title: '导出操作日志',
    en: 'Export the log',
    ...exported,
    at: logs,
  }),
}

const one = (rows: readonly { id: number }[]) => ({ id: rows[0]!.id })
const can = (verb: ExportVerb) => (row: ExportRow) => exportCan(verb, row, unixNow())
export const exportLogsActions = {
  download: action('system.exportLogs.download', {
    title: '下载',
    en: 'Download',
    key: 'd',
    at: exportLogs,
    on: exportRow,
    takes: 'row',
    main: true,
    permit: exportCalls.download.permit,
    when: can('download'),
  }),
  retry: action(exportCalls.retry, {
    title: '重新生成',
    en: 'Regenerate',
    key: 'r',
    at: exportLogs,
    on: exportRow,
    takes: 'row',
    when: can('retry'),
    input: one,
  }),
  cancel: action(exportCalls.cancel, {
    title: '取消任务',
    en: 'Cancel',
    key: 'c',
    at: exportLogs,
    on: exportRow,
    takes: 'row',
    when: can('cancel'),
    input: one,
  }),
  rerun: action(exportCalls.rerun, {
    title: '用相同条件再导出',
    en: 'Export again',
    key: 'n',
    at: exportLogs,
    on: exportRow,
    takes: 'row',
    when: can('rerun'),
    input: one,
  }),
  viewFilters: action('system.exportLogs.viewFilters', {
    title: '查看导出条件',
    en: 'View the filters',
    key: 'v',
    at: exportLogs,
    on: exportRow,
    takes: 'row',
    permit: exportCalls.viewFilters.permit,
  }),
  extend: action(exportCalls.extend, {
    title: '延长保存',
    en: 'Keep longer',
    key: 't',
    at: exportLogs,
    on: exportRow,
    takes: 'row',
    when: can('extend'),
    asks: {
      days: ask.number({
        label: ['延长天数', 'Days'],
        min: 1,
        max: EXTEND_DAYS_MAX,
        initial: () => 7,
      }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  all: action('system.exportLogs.all', {
    title: '切换本人与全部',
    en: 'Mine or all',
    key: 'a',
    at: exportLogs,
    permit: exportCalls.all.permit,
  }),
  verify: action('system.exportLogs.verify', {
    title: '核对文件来源',
    en: 'Where a file comes from',
    key: 'y',
    at: exportLogs,
    permit: exportCalls.verify.permit,
    alias: ['谁导出的', '水印', '泄露', 'watermark', 'leak'],
  }),
  revoke: action(exportCalls.revoke, {
    title: '作废文件',
    en: 'Revoke the file',
    key: 'shift+r',
    danger: true,
    at: exportLogs,
    on: exportRow,
    takes: 'row',
    when: can('revoke'),
    asks: { reason },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
}

const hours = (label: readonly [string, string], initial: number) =>
  ask.number({ label, min: 1, max: BAN_HOURS_MAX, initial: () => initial })
export const loginLogsActions = {
  query: query(loginLogs, '筛选登录日志'),
  kick: action(loginCalls.kick, {
    title: '强制下线',
    en: 'Sign out by force',
    key: 'o',
    danger: true,
    at: loginLogs,
    on: loginRow,
    takes: 'row',
    when: row =>
      row.mine
        ? ['这是你自己的会话', 'It is your own session']
        : row.live || ['这次登录的会话已结束', 'That session is over'],
    asks: { reason },
    input: (rows, asked) => ({ session_id: rows[0]!.session_id!, ...asked }),
  }),
  lockAccount: action(loginCalls.lockAccount, {
    title: '锁定账号',
    en: 'Lock the account',
    key: 'l',
    danger: true,
    at: loginLogs,
    on: loginRow,
    takes: 'row',
    when: (row, me) =>
      row.admin_id === null
        ? ['没有这个账号', 'No such account']
        : row.admin_id !== me.id || ['这是你自己的账号', 'It is your own account'],
    asks: { hours: hours(['锁定小时数', 'Hours'], 24), reason },
    input: (rows, asked) => ({ account: rows[0]!.account, ...asked }),
  }),
  banIp: action(loginCalls.banIp, {
    title: '封禁IP',
    en: 'Ban the IP',
    key: 'b',
    danger: true,
    at: loginLogs,
    on: loginRow,
    takes: 'row',
    when: row =>
      row.ip === null ? ['没有 IP', 'No IP address'] : !row.banned || ['已封禁', 'Already banned'],
    subject: row => row.ip ?? '',
    tells: addressOf,
    asks: { hours: hours(['封禁小时数', 'Hours'], 24), reason },
    input: (rows, asked) => ({ ip: rows[0]!.ip!, ...asked }),
  }),
  unbanIp: action(loginCalls.unbanIp, {
    title: '解除封禁',
    en: 'Lift the ban',
    key: 'u',
    at: loginLogs,
    on: loginRow,
    takes: 'row',
    when: row => row.banned || ['没有被封禁', 'Not banned'],
    input: rows => ({ ip: rows[0]!.ip! }),
  }),
  export: action(loginCalls.export, {
    title: '导出登录日志',
    en: 'Export the log',
    ...exported,
    at: loginLogs,
  }),
}

export const historyActions = {
  query: query(history, '筛选浏览记录'),
  timeline: action('system.history.timeline', {
    title: '查看访问路径',
    en: 'Visit path',
    key: 't',
    at: history,
    on: clickRow,
    takes: 'row',
    permit: clickCalls.timeline.permit,
    when: row => row.member_id !== null || ['游客没有会员账号', 'Visitors have no member account'],
  }),
  topPages: action('system.history.topPages', {
    title: '热门页面排行',
    en: 'Top pages',
    key: 'p',
    at: history,
    permit: clickCalls.topPages.permit,
  }),
  export: action(clickCalls.export, {
    title: '导出浏览记录',
    en: 'Export',
    ...exported,
    at: history,
  }),
}

const visitor: Text = ['访客没有会员账号', 'Visitors have no member account']
const releasable = (row: LimitRow) => canRelease(row, unixNow())
export const buyLimitLogActions = {
  query: query(buyLimitLog, '筛选拦截记录'),
  explain: action('system.buyLimitLog.explain', {
    title: '查看限购计算过程',
    en: 'Limit calculation',
    key: 'e',
    at: buyLimitLog,
    on: limitRow,
    takes: 'row',
    permit: limitCalls.explain.permit,
  }),
  releaseOnce: action(limitCalls.releaseOnce, {
    title: '放行一次',
    en: 'Release once',
    key: 'r',
    at: buyLimitLog,
    on: limitRow,
    takes: 'row',
    main: true,
    when: row => {
      if (row.member_id === null) return visitor
      return row.black ? ['会员在黑名单中', 'The member is blacklisted'] : releasable(row)
    },
    asks: {
      reason,
      expire_at: ask.time({
        label: ['有效至', 'Until'],
        hint: [`最长 ${RELEASE_HOURS} 小时`, `At most ${RELEASE_HOURS} hours`],
        initial: () => unixNow() + DAY,
        check: at =>
          at !== undefined && (at <= unixNow() || at > unixNow() + RELEASE_HOURS * 3600)
            ? [`须在 ${RELEASE_HOURS} 小时之内`, `Within ${RELEASE_HOURS} hours`]
            : undefined,
      }),
    },
    input: (rows, asked) => ({
      id: rows[0]!.id,
      version: rows[0]!.version,
      reason: asked.reason,
      expire_at: asked.expire_at!,
    }),
  }),
  topProducts: action('system.buyLimitLog.topProducts', {
    title: '被拦最多的商品',
    en: 'Most blocked products',
    key: 'p',
    at: buyLimitLog,
    permit: limitCalls.topProducts.permit,
  }),
  addBlack: action(limitCalls.addBlack, {
    title: '加入黑名单',
    en: 'Add to blacklist',
    key: 'b',
    danger: true,
    at: buyLimitLog,
    on: limitRow,
    takes: 'row',
    when: row => {
      if (row.member_id === null) return visitor
      return !row.black || ['已在黑名单中', 'Already blacklisted']
    },
    asks: {
      days: ask.number({ label: ['天数', 'Days'], min: 1, max: 365, initial: () => 90 }),
      reason,
    },
    input: (rows, asked) => ({ id: rows[0]!.id, ...asked }),
  }),
  export: action(limitCalls.export, {
    title: '导出拦截记录',
    en: 'Export',
    ...exported,
    at: buyLimitLog,
  }),
}
