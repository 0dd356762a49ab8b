import { z } from 'zod'
import {
  BAN_HOURS_MAX,
  isIp,
  loginEvents,
  loginResults,
  plainIp,
  type LoginEvent,
  type LoginResult,
} from '#src/areas/log/logs.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  id,
  keysOf,
  lines,
  listOf,
  page,
  text,
  unix,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'

const event = keysOf<LoginEvent>(loginEvents)
const result = keysOf<LoginResult>(loginResults)
const ip = text(45)
  .transform(plainIp)
  .refine(isIp, { message: joined(['请输入完整的 IP 地址', 'A whole IP address']) })

export const loginRow = z.object({
  id,
  created_at: unix,
  account: z.string(),
  admin_id: id.nullable(),
  admin_name: z.string().nullable(),
  event,
  result,
  ip: z.string().nullable(),
  place: z.string().nullable(),
  ua: z.string().nullable(),
  device: z.string(),
  new_place: z.boolean(),
  session_id: id.nullable(),
  /** The session that it opened still lives. */
  live: z.boolean(),
  /** It is the reader's own session. */
  mine: z.boolean(),
  /** The address is banned now. */
  banned: z.boolean(),
})
export type LoginRow = z.output<typeof loginRow>

const loginFilters = {
  account: text(32).optional(),
  result: result.optional(),
  failed: z.boolean().optional(),
  event: event.optional(),
  ip: text(45).optional(),
  new_place: z.boolean().optional(),
  from: unix.optional(),
  to: unix.optional(),
}
const ban = z.object({
  id,
  ip: z.string(),
  reason: z.string(),
  until_at: unix,
  created_at: unix,
  admin_name: z.string(),
})
const reason = lines(255, 2)
const touches = ['login_log'] as const

export const loginLogs = {
  /** At most 92 days; without a period the last 92. `failed`: every result but ok. */
  lst: read('system/loginLogs/lst', ['登录日志', 'Sign-in log'], {
    input: z.object({ ...page, ...loginFilters }),
    output: listOf(loginRow),
    touches,
    scope: placed('login_log'),
    permit: 'system.loginLogs.view',
  }),
  /**
   * Charts: by hour within 72 hours, by day beyond; accounts with new places, addresses that fail
   * most, bans in force.
   */
  stats: read('system/loginLogs/stats', ['登录统计', 'Sign-in figures'], {
    input: z.object({ from: unix.optional(), to: unix.optional() }),
    output: z.object({
      from: unix,
      to: unix,
      step: z.int(),
      ok: z.int(),
      failed: z.int(),
      buckets: z.array(z.object({ at: unix, ok: z.int(), failed: z.int() })),
      places: z.array(
        z.object({
          account: z.string(),
          admin_id: id.nullable(),
          name: z.string().nullable(),
          times: z.int(),
          last_at: unix,
          ip: z.string().nullable(),
          place: z.string().nullable(),
        }),
      ),
      ips: z.array(
        z.object({
          ip: z.string(),
          failed: z.int(),
          accounts: z.int(),
          last_at: unix,
          banned: z.boolean(),
        }),
      ),
      bans: z.array(ban),
    }),
    touches,
    scope: placed('login_log'),
    permit: 'system.loginLogs.view',
  }),
  kick: write('system/loginLogs/kick', ['强制下线', 'Sign out by force'], {
    input: z.object({ session_id: id, reason }),
    output: z.object({ session_id: id }),
    touches,
    scope: placed('admin_session', 'session_id'),
    permit: 'system.loginLogs.kick',
  }),
  /** Locks until then and ends every session of the account. */
  lockAccount: write('system/loginLogs/lockAccount', ['锁定账号', 'Lock an account'], {
    input: z.object({
      account: text(32),
      hours: z.int().min(1).max(BAN_HOURS_MAX).default(24),
      reason,
    }),
    output: z.object({ admin_id: id, locked_until: unix, sessions: z.int() }),
    touches: ['login_log', 'admin'],
    scope: placed('admin'),
    permit: 'system.loginLogs.lockAccount',
  }),
  banIp: write('system/loginLogs/banIp', ['封禁 IP', 'Ban an address'], {
    input: z.object({ ip, hours: z.int().min(1).max(BAN_HOURS_MAX), reason }),
    output: z.object({ id, until_at: unix }),
    touches,
    scope: 'all',
    permit: 'system.loginLogs.banIp',
  }),
  unbanIp: write('system/loginLogs/unbanIp', ['解除封禁', 'Lift a ban'], {
    input: z.object({ ip }),
    output: z.object({ ip: z.string(), already: z.boolean() }),
    touches,
    scope: 'all',
    permit: 'system.loginLogs.unbanIp',
  }),
  export: write('system/loginLogs/export', ['导出登录日志', 'Export the sign-in log'], {
    input: z.object({ ...loginFilters, ...asksExport('csv') }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('login_log'),
    permit: 'system.loginLogs.export',
  }),
}
