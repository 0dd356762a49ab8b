import { z } from 'zod'
import { notifyChannels, timePattern, type NotifyChannel } from '#src/areas/notice/warning.ts'
import { read, write } from '#src/contract/call.ts'
import { id, listOf, page, text, unix, version } from '#src/contract/shapes.ts'

const channel = z.enum(Object.keys(notifyChannels) as [NotifyChannel, ...NotifyChannel[]])
const status = z.enum(['on', 'off'])
const clock = z.string().regex(timePattern, { message: '请按 08:30 填写 / write it as 08:30' })
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
const one = { id, version }
const changed = z.object({ id, version })

export const group = {
  lst: read('system/group/lst', ['通知群组', 'Notification groups'], {
    input: z.object({
      keyword: text(60, 0).optional(),
      channel: channel.optional(),
      status: status.optional(),
      ...page,
    }),
    output: listOf(notifyGroupRow),
    touches: ['group', 'warning'],
    permit: 'system.group.view',
  }),
  /** For pickers: groups that are on. */
  options: read('system/group/options', ['可用群组', 'Groups to choose from'], {
    input: z.object({ keyword: text(60, 0).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string(), channel })),
    touches: ['group'],
    permit: 'signed-in',
  }),
  whereUsed: read('system/group/whereUsed', ['查看引用', 'Where it is used'], {
    input: z.object({ id }),
    output: z.object({
      rules: z.array(z.object({ id, name: z.string(), status, only: z.boolean() })),
      reports: z.array(z.object({ id, name: z.string() })),
    }),
    touches: ['group', 'warning', 'report'],
    permit: 'system.group.view',
  }),
  create: write('system/group/create', ['新建群组', 'Create a group'], {
    input: z.object({ name: text(32), channel, target, members: z.array(id).max(200).default([]) }),
    output: changed,
    touches: ['group'],
    permit: 'system.group.create',
  }),
  edit: write('system/group/edit', ['编辑群组', 'Edit a group'], {
    input: z.object({
      ...one,
      name: text(32),
      target: target.optional(),
      members: z.array(id).max(200),
    }),
    output: changed,
    touches: ['group'],
    permit: 'system.group.edit',
  }),
  /** Refused with the gaps it leaves, unless they are accepted. */
  setRoster: write('system/group/setRoster', ['设置值班表', 'Set the roster'], {
    input: z.object({
      ...one,
      roster: z.array(shift).max(30),
      accept_gaps: z.boolean().default(false),
    }),
    output: changed,
    touches: ['group'],
    permit: 'system.group.setRoster',
  }),
  setQuiet: write('system/group/setQuiet', ['设置免打扰时段', 'Set quiet hours'], {
    input: z.object({ ...one, quiet }),
    output: changed,
    touches: ['group'],
    permit: 'system.group.setQuiet',
  }),
  /** Apart: a channel that does not answer keeps nobody waiting for the database. */
  testSend: write('system/group/testSend', ['发送测试消息', 'Send a test'], {
    input: z.object({ id }),
    output: z.object({ id, ok: z.boolean(), answer: z.string() }),
    touches: ['group'],
    permit: 'system.group.testSend',
    quiet: true,
    apart: true,
  }),
  enable: write('system/group/enable', ['启用群组', 'Enable'], {
    input: z.object(one),
    output: changed,
    touches: ['group'],
    permit: 'system.group.enable',
  }),
  disable: write('system/group/disable', ['停用群组', 'Disable'], {
    input: z.object({ ...one, reason: text(255, 2) }),
    output: changed,
    touches: ['group', 'report'],
    permit: 'system.group.disable',
  }),
  del: write('system/group/del', ['删除群组', 'Delete'], {
    input: z.object(one),
    output: z.object({ id, deleted: z.literal(true) }),
    touches: ['group', 'report'],
    permit: 'system.group.del',
  }),
}
