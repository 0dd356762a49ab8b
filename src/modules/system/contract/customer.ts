import { z } from 'zod'
import { contactTypes, scenes, type ContactType, type Scene } from '#src/areas/content/contact.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason, status } from '#src/contract/record.ts'
import { id, keyText, lines, searched, text, unix, version } from '#src/contract/shapes.ts'
import { callableOf } from '#src/domain/phone.ts'

const scene = z.enum(Object.keys(scenes) as [Scene])
const type = z.enum(Object.keys(contactTypes) as [ContactType])
const hours = z
  .array(
    z.object({
      weekdays: z.array(z.int().min(1).max(7)).min(1).max(7),
      from: keyText(5),
      to: keyText(5),
    }),
  )
  .max(14)
export const contactRow = z.object({
  id /** How questions call it. */,
  name: z.string(),
  scene,
  city_id: z.int(),
  city_name: z.string(),
  mall_id: z.int(),
  mall_name: z.string(),
  type,
  value: z.string(),
  qr: z.string(),
  hours,
  auto_reply: z.string(),
  priority: z.int(),
  status,
  off_reason: z.string(),
  expires_at: unix.nullable(),
  qr_state: z.enum(['none', 'ok', 'expiring', 'expired']),
  open_now: z.boolean(),
  version,
})
export type ContactRow = z.output<typeof contactRow>
/** `city_id` 0 is national; a mall brings its city. */
const group = {
  scene,
  city_id: z.int().min(0).max(2147483647),
  mall_id: z.int().min(0).max(2147483647).default(0),
}
const fields = {
  ...group,
  type,
  value: text(128, 0).overwrite(typed => callableOf(typed) ?? typed),
  qr: text(255, 0).default(''),
  hours: hours.default([]),
  auto_reply: lines(255, 0).default(''),
  expires_at: unix.nullable().default(null),
}
const filters = {
  scene: scene.optional(),
  city_id: z.int().min(0).optional(),
  mall_id: z.int().min(0).optional(),
  type: type.optional(),
  status: status.optional(),
  qr_state: z.enum(['expiring', 'expired']).optional(),
  keyword: searched(64).optional(),
}
const level = z.enum(['mall', 'city', 'national'])
const call = callsOf('system/customer', { touches: ['service_contact'], rows: 'service_contact' })

/** How consumers reach people, by scene, city and mall. */
export const customer = {
  lst: call.lists('lst', ['客服渠道', 'Service contacts'], {
    filters,
    row: contactRow,
    answer: { uncovered: z.array(z.object({ city_id: id, city_name: z.string(), scene })) },
    touches: ['service_contact', 'city'],
  }),
  create: call.creates('create', ['新增客服渠道', 'Create a contact'], {
    fields,
    scope: placed('service_contact', { city_id: 'city' }),
  }),
  edit: call.changes('edit', ['编辑客服渠道', 'Edit a contact'], { fields }),
  /** The priorities of one scene, city and mall; the first is tried first. */
  sort: call.sorts('sort', ['调整客服优先级', 'Arrange contacts'], {
    fields: group,
    most: 200,
    scope: placed('service_contact', { city_id: 'city', mall_id: 'mall' }),
  }),
  group: call.read('group', ['同组客服渠道', 'Contacts of one place'], {
    input: z.object(group),
    output: z.object({ list: z.array(contactRow), list_version: z.int() }),
    permit: 'system.customer.view',
  }),
  testRoute: call.read('testRoute', ['试算客服路由', 'Try the routing'], {
    input: z.object({ ...group, city_id: id, time: unix }),
    output: z.object({
      chosen: contactRow.nullable(),
      in_hours: z.boolean(),
      reply: z.string(),
      level: level.nullable(),
      steps: z.array(
        z.object({
          level,
          usable: z.array(id),
          expired: z.array(id),
          off: z.array(id),
          chosen: z.boolean(),
        }),
      ),
    }),
    scope: placed('service_contact', { city_id: 'city' }),
  }),
  setAutoReply: call.changes('setAutoReply', ['设置非工作时间回复', 'Set the out-of-hours reply'], {
    fields: { text: lines(255, 0) },
  }),
  enable: call.changes('enable', ['启用客服渠道', 'Enable a contact']),
  disable: call.changes('disable', ['停用客服渠道', 'Disable a contact'], { fields: { reason } }),
  del: call.deletes('del', ['删除客服渠道', 'Delete a contact']),
}
