import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { admin, field_key, role as roles } from '#src/areas/people/people.table.ts'
import type { Call } from '#src/contract/call.ts'
import { menuKey } from '#src/modules/system/contract/menuKey.ts'
import { role } from '#src/modules/system/contract/role.ts'
import { staff } from '#src/modules/system/contract/staff.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
let asker: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  asker = await addStaff(database, {
    perms: ['system.role.*', 'system.staff.*', 'system.menuKey.*', 'system.loginLogs.*'],
    role: {
      scope_type: 'city',
      scope_ids: [1],
      refund_limit_cents: 100_00,
      field_rules: { 'admin.phone': 'mask', 'order.receiver_phone': 'hide' },
    },
  })
})
let made = 0
type Row = typeof roles.$inferInsert
/** A role that the asker holds in every way but what is said. */
const newRole = async (more: Partial<Row> = {}) => {
  const name = `gQ_${++made}`
  const fields = await database.db
    .select({ key: field_key.key })
    .from(field_key)
    .where(eq(field_key.status, 'on'))
  const hidden = Object.fromEntries(fields.map(one => [one.key, 'hide' as const]))
  const [row] = await database.db
    .insert(roles)
    .values({
      name,
      code: name,
      perms: ['system.role.view'],
      scope_type: 'self',
      ...more,
      field_rules: { ...hidden, ...more.field_rules },
    })
    .returning()
  return row!
}
/** Somebody within the asker's scope, with these roles. */
const member = (role_ids: number[]) =>
  addStaff(database, { staff: { role_ids, scope_type: 'city', scope_ids: [1] } })
const roleNow = async (id: number) =>
  (await database.db.select().from(roles).where(eq(roles.id, id)))[0]
const rolesHeld = async (id: number) =>
  (await database.db.select().from(admin).where(eq(admin.id, id)))[0]!.role_ids
const ask = (call: Call, input: object) => send(app, call, input, { token: asker.token })
const refusedFor = async (call: Call, input: object) => {
  const said = await ask(call, input)
  return [said.status, said.data?.rule as unknown]
}
const wider = [422, 'wider_than_own']
type Role = Awaited<ReturnType<typeof newRole>>
const at = ({ id, version }: Role) => ({ id, version })

describe('what a role holds beyond the asker', () => {
  const taken: [string, Partial<Row>, Call, (row: Role) => object][] = [
    ['a right', { perms: ['audit.card.view'] }, role.setPerms, () => ({ perms: [] })],
    ['a pattern', { perms: ['audit.*'] }, role.setPerms, () => ({ perms: ['audit.card.view'] })],
    [
      'a field',
      { field_rules: { 'admin.phone': 'show' } },
      role.setFields,
      row => ({
        fieldRules: { ...row.field_rules, 'admin.phone': 'hide' },
      }),
    ],
    ['the whole scope', { scope_type: 'all' }, role.setScope, () => ({ scope: 'self' })],
    [
      'a city of the scope',
      { scope_type: 'city', scope_ids: [1, 2] },
      role.setScope,
      () => ({
        scope: 'city',
        ids: [1],
      }),
    ],
    [
      'a part of the limit',
      { refund_limit_cents: 200_00 },
      role.setRefundLimit,
      () => ({ cents: 50_00 }),
    ],
  ]
  it.each(taken)('%s is not taken', async (_, more, call, input) => {
    const row = await newRole(more)
    expect(await refusedFor(call, { ...at(row), ...input(row) })).toEqual(wider)
    expect(await roleNow(row.id)).toEqual(row)
  })
  it.each(taken)('%s: its role is neither disabled nor deleted', async (_, more) => {
    const row = await newRole(more)
    expect(await refusedFor(role.disable, { ...at(row), reason: '停用' })).toEqual(wider)
    expect(await refusedFor(role.del, at(row))).toEqual(wider)
    expect(await roleNow(row.id)).toEqual(row)
  })
  it.each(taken)('%s: its role is taken from nobody, switched off or not', async (_, more) => {
    const [row, plain] = [await newRole({ ...more, status: 'off' }), await newRole()]
    const person = await member([plain.id, row.id])
    expect((await ask(role.removeMember, { id: row.id, admin_id: person.id })).status).toBe(422)
    const roles_ = { id: person.id, version: 0, role_ids: [plain.id] }
    expect((await ask(staff.setRoles, roles_)).status).toBe(422)
    const batch = await ask(staff.batchSetRole, { ids: [person.id], role_ids: [plain.id] })
    expect(batch.data.ok).toEqual([])
    expect(await rolesHeld(person.id)).toEqual([plain.id, row.id])
  })
  it('keeps its holders out of reach while it is off: on again, they have it', async () => {
    const row = await newRole({ perms: ['audit.card.view'], status: 'off' })
    const person = await member([row.id])
    for (const [call, more] of [
      [staff.edit, { name: '改名', department_id: 1 }],
      [staff.setScope, { scope: 'self' }],
      [staff.resetPassword, {}],
      [staff.disable, { reason: '停用' }],
      [staff.leave, { successor_id: asker.id, reason: '离职' }],
    ] as const)
      expect((await ask(call, { id: person.id, version: 0, ...more })).status, call.path).toBe(422)
    expect((await ask(staff.kick, { id: person.id, reason: '下线' })).status).toBe(422)
  })
  it('is no field that becomes wider when its role no longer hides it', async () => {
    const [row, silent] = [await newRole(), await newRole()]
    const { 'admin.phone': _, ...rest } = row.field_rules
    await database.db.update(roles).set({ field_rules: rest }).where(eq(roles.id, silent.id))
    const person = await member([row.id, silent.id])
    await database.db
      .update(field_key)
      .set({ default_mode: 'show' })
      .where(eq(field_key.key, 'admin.phone'))
    try {
      expect(await refusedFor(role.setFields, { ...at(row), fieldRules: rest })).toEqual(wider)
      expect(await refusedFor(role.disable, { ...at(row), reason: '停用' })).toEqual(wider)
      const lost = { id: row.id, admin_id: person.id }
      expect((await ask(role.removeMember, lost)).status).toBe(422)
    } finally {
      await database.db
        .update(field_key)
        .set({ default_mode: 'mask' })
        .where(eq(field_key.key, 'admin.phone'))
    }
  })
})

describe('what a role holds and the asker holds too', () => {
  it('is given and taken, beside what neither may touch', async () => {
    let row: Role = await newRole({
      perms: ['audit.card.view', 'system.role.view'],
      field_rules: { 'order.receiver_phone': 'show', 'admin.phone': 'mask' },
      scope_type: 'city',
      scope_ids: [2],
      refund_limit_cents: 100_00,
    })
    const changes: [Call, object][] = [
      [role.setPerms, { perms: ['audit.card.view'] }],
      [role.setPerms, { perms: ['audit.card.view', 'system.staff.view'] }],
      [role.setFields, { fieldRules: { ...row.field_rules, 'admin.phone': 'hide' } }],
      [role.setScope, { scope: 'city', ids: [1, 2] }],
      [role.setScope, { scope: 'city', ids: [2] }],
      [role.setRefundLimit, { cents: 10_00 }],
    ]
    for (const [call, input] of changes) {
      const said = await ask(call, { ...at(row), ...input })
      expect([call.path, said.status, said.message]).toEqual([call.path, 200, '操作成功'])
      row = (await roleNow(row.id))!
    }
    expect(row).toMatchObject({
      perms: ['audit.card.view', 'system.staff.view'],
      scope_ids: [2],
      refund_limit_cents: 10_00,
    })
  })
  it('goes with its role', async () => {
    const [row, plain] = [await newRole(), await newRole()]
    const person = await member([row.id, plain.id])
    expect((await ask(role.removeMember, { id: row.id, admin_id: person.id })).status).toBe(200)
    const off = await ask(role.disable, { ...at(row), reason: '停用' })
    expect(off.status).toBe(200)
    expect((await ask(role.enable, off.data)).status).toBe(200)
    expect((await ask(role.del, at((await roleNow(row.id))!))).status).toBe(200)
  })
})

describe('the register of fields', () => {
  const phone = async () =>
    (
      await database.db.select().from(field_key).where(eq(field_key.key, 'order.receiver_phone'))
    )[0]!
  it('changes only by who sees the field: neither its mask, its quota, its default nor its being on', async () => {
    const row = await phone()
    const one = { id: row.id, version: row.version }
    for (const [call, more] of [
      [menuKey.edit, { title: row.title, mask_rule: 'name' }],
      [menuKey.edit, { title: row.title, mask_rule: row.mask_rule, reveals_a_day: 1 }],
      [menuKey.setDefault, { mode: 'hide' }],
    ] as const)
      expect(await refusedFor(call, { ...one, ...more }), JSON.stringify(more)).toEqual(wider)
    await database.db.update(field_key).set({ status: 'off' }).where(eq(field_key.id, row.id))
    expect(await refusedFor(menuKey.enable, one)).toEqual(wider)
    await database.db.update(field_key).set({ status: 'on' }).where(eq(field_key.id, row.id))
    expect(
      (await ask(menuKey.edit, { ...one, title: '收货手机', mask_rule: row.mask_rule })).status,
    ).toBe(200)
  })
})

it('knows every call that changes rights: a new one is thought about here', () => {
  const writes = [role, staff, menuKey].flatMap(calls =>
    Object.values<Call>(calls)
      .filter(call => call.kind === 'write')
      .map(call => call.path),
  )
  expect(writes.sort()).toEqual(
    [
      'system/menuKey/create',
      'system/menuKey/disable',
      'system/menuKey/edit',
      'system/menuKey/enable',
      'system/menuKey/export',
      'system/menuKey/setDefault',
      'system/role/addMembers',
      'system/role/copy',
      'system/role/create',
      'system/role/del',
      'system/role/disable',
      'system/role/edit',
      'system/role/enable',
      'system/role/export',
      'system/role/removeMember',
      'system/role/setFields',
      'system/role/setPerms',
      'system/role/setRefundLimit',
      'system/role/setScope',
      'system/staff/batchImport',
      'system/staff/batchSetRole',
      'system/staff/create',
      'system/staff/disable',
      'system/staff/edit',
      'system/staff/enable',
      'system/staff/export',
      'system/staff/kick',
      'system/staff/leave',
      'system/staff/resetPassword',
      'system/staff/revealPhone',
      'system/staff/setRoles',
      'system/staff/setScope',
      'system/staff/unlock',
    ].sort(),
  )
})
