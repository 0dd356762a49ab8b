import { z } from 'zod'
import { notifyChannels, timePattern, type NotifyChannel } from '#src/areas/notice/warning.ts'
import { callsOf, reason, status } from '#src/contract/record.ts'
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
/** Reports that go to a group change with it. */
const told = ['group', 'report'] as const
const call = callsOf('system/group', { touches: ['group'], rows: 'all' })

export const group = {
  lst: call.lists('lst', ['通知群组', 'Notification groups'], {
    filters: { keyword, channel: channel.optional(), status: status.optional() },
    row: notifyGroupRow,
    touches: ['group', 'warning'],
  }),
  /** For pickers: groups that are on. */
  options: call.lists('options', ['可用群组', 'Groups to choose from'], {
    filters: { keyword },
    row: z.object({ id, name: z.string(), channel }),
    permit: 'signed-in',
  }),
  whereUsed: call.read('whereUsed', ['查看引用', 'Where it is used'], {
    input: z.object({ id }),
    output: z.object({
      rules: z.array(z.object({ id, name: z.string(), status, only: z.boolean() })),
      reports: z.array(z.object({ id, name: z.string() })),
    }),
    touches: [...told, 'warning'],
    permit: 'system.group.view',
  }),
  create: call.creates('create', ['新增群组', 'Create a group'], {
    fields: { name: text(32), channel, target, members: z.array(id).max(200).default([]) },
  }),
  edit: call.changes('edit', ['编辑群组', 'Edit group'], {
    fields: { name: text(32), target: target.optional(), members: z.array(id).max(200) },
  }),
  /** Refused with the gaps it leaves, unless they are accepted. */
  setRoster: call.changes('setRoster', ['设置值班表', 'Set the roster'], {
    fields: { roster: z.array(shift).max(30), accept_gaps: z.boolean().default(false) },
  }),
  setQuiet: call.changes('setQuiet', ['设置免打扰时段', 'Set quiet hours'], { fields: { quiet } }),
  /** Apart: a channel that does not answer keeps nobody waiting for the database. */
  testSend: call.write('testSend', ['发送测试消息', 'Send a test'], {
    input: z.object({ id }),
    output: z.object({ id, ok: z.boolean(), answer: z.string() }),
    quiet: true,
    apart: true,
  }),
  enable: call.changes('enable', ['启用群组', 'Enable']),
  disable: call.changes('disable', ['停用群组', 'Disable'], { fields: { reason }, touches: told }),
  del: call.deletes('del', ['删除群组', 'Delete group'], { touches: told }),
}
