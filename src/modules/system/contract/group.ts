import { z } from 'zod'
import { notifyChannels, timePattern, type NotifyChannel } from '#src/areas/notice/warning.ts'
import { read, write } from '#src/contract/call.ts'
import { changes, creates, deletes, lists, reason, status } from '#src/contract/record.ts'
import { id, searched, text, unix, version } from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'

const channel = z.enum(Object.keys(notifyChannels) as [NotifyChannel, ...NotifyChannel[]])
const clock = z
  .string()
  .regex(timePattern, { message: joined(['请按 08:30 填写', 'Write it as 08:30']) })
const shift = z.object({
  weekdays: z.array(z.int().min(1).max(7)).min(1).max(7),
  from: clock,
  to: clock,
  admin_id: id,
})
const quiet = z.object({ from: clock, to: clock }).nullable()

export const notifyGroupRow = z.object({
  id,
  name: z.string(),
  channel,
  target: z.string(),
  members: z.array(z.object({ id, name: z.string() })),
  roster: z.array(shift.extend({ name: z.string() })),
  /** Stretches of the week without anybody on duty. */
  gaps: z.array(z.object({ weekday: z.int(), from: z.string(), to: z.string() })),
  quiet,
  status,
  last_test: z.object({ at: unix, ok: z.boolean(), answer: z.string() }).nullable(),
  rules: z.int(),
  reports: z.int(),
  sent_24h: z.int(),
  failed_24h: z.int(),
  on_duty: z.string().nullable(),
  version,
})
export type NotifyGroupRow = z.output<typeof notifyGroupRow>
/** A robot's address, or addresses of mail or phones with commas between. */
const target = text(2000)
const keyword = searched(60).optional()
const touches = ['group'] as const
const told = [...touches, 'report'] as const

export const group = {
  lst: lists('system/group/lst', ['通知群组', 'Notification groups'], {
    filters: { keyword, channel: channel.optional(), status: status.optional() },
    row: notifyGroupRow,
    touches: [...touches, 'warning'],
    scope: 'all',
  }),
  /** For pickers: groups that are on. */
  options: lists('system/group/options', ['可用群组', 'Groups to choose from'], {
    filters: { keyword },
    row: z.object({ id, name: z.string(), channel }),
    touches,
    scope: 'all',
    permit: 'signed-in',
  }),
  whereUsed: read('system/group/whereUsed', ['查看引用', 'Where it is used'], {
    input: z.object({ id }),
    output: z.object({
      rules: z.array(z.object({ id, name: z.string(), status, only: z.boolean() })),
      reports: z.array(z.object({ id, name: z.string() })),
    }),
    touches: [...told, 'warning'],
    scope: 'all',
    permit: 'system.group.view',
  }),
  create: creates('system/group/create', ['新建群组', 'Create a group'], {
    fields: { name: text(32), channel, target, members: z.array(id).max(200).default([]) },
    touches,
    scope: 'all',
  }),
  edit: changes('system/group/edit', ['编辑群组', 'Edit a group'], {
    fields: { name: text(32), target: target.optional(), members: z.array(id).max(200) },
    touches,
    scope: 'all',
  }),
  /** Refused with the gaps it leaves, unless they are accepted. */
  setRoster: changes('system/group/setRoster', ['设置值班表', 'Set the roster'], {
    fields: { roster: z.array(shift).max(30), accept_gaps: z.boolean().default(false) },
    touches,
    scope: 'all',
  }),
  setQuiet: changes('system/group/setQuiet', ['设置免打扰时段', 'Set quiet hours'], {
    fields: { quiet },
    touches,
    scope: 'all',
  }),
  /** Apart: a channel that does not answer keeps nobody waiting for the database. */
  testSend: write('system/group/testSend', ['发送测试消息', 'Send a test'], {
    input: z.object({ id }),
    output: z.object({ id, ok: z.boolean(), answer: z.string() }),
    touches,
    scope: 'all',
    permit: 'system.group.testSend',
    quiet: true,
    apart: true,
  }),
  enable: changes('system/group/enable', ['启用群组', 'Enable'], { touches, scope: 'all' }),
  disable: changes('system/group/disable', ['停用群组', 'Disable'], {
    fields: { reason },
    touches: told,
    scope: 'all',
  }),
  del: deletes('system/group/del', ['删除群组', 'Delete'], { touches: told, scope: 'all' }),
}
