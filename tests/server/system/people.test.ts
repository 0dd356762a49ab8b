import { and, eq, inArray, sql, isNotNull } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { report_sub } from '#src/areas/figures/stat.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { warning_log } from '#src/areas/notice/duty.table.ts'
import {
  admin,
  department as departments,
  menu as menus,
  role as roles,
} from '#src/areas/people/people.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { queues } from '#src/modules/audit/contract.ts'
import { session } from '#src/modules/session/contract.ts'
import { bulksMenu } from '#src/modules/system/contract/bulksMenu.ts'
import { department } from '#src/modules/system/contract/department.ts'
import { menu } from '#src/modules/system/contract/menu.ts'
import { menuKey } from '#src/modules/system/contract/menuKey.ts'
import { role } from '#src/modules/system/contract/role.ts'
import { staff } from '#src/modules/system/contract/staff.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send, tokenFor, tokenOfAccount, type Said } from '../../help/app.ts'
import { freshTask } from '../../help/trade.ts'
import { wordless } from '../../help/words.ts'

let database: Database
let app: App
let root: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  root = await tokenOfAccount(database, 'admin')
})
const ok = (said: Said) => {
  expect(
    `${said.status} ${said.status === 200 ? '' : said.message + JSON.stringify(said.data)}`,
  ).toBe('200 ')
  return said.data
}
/** What a write says of the row it means. */
const at = ({ id, version }: { id: number; version: number }) => ({ id, version })
const rule = (said: Said) => [said.status, said.data?.rule]
const call = (of: Call, input: unknown = {}, token = root) => send(app, of, input, { token })
let made = 0
const fresh = () => `77${++made}`
const phoneOf = () => `13900${String(++made).padStart(6, '0')}`
/**
 * Someone who may do everything with people, but holds nothing else, and is no super administrator.
 */
const clerk = (more: Parameters<typeof addStaff>[1] = {}) =>
  addStaff(database, {
    perms: [
      'system.role.*',
      'system.staff.*',
      'system.department.*',
      'system.menuKey.*',
      'audit.bulks.*',
    ],
    role: { scope_type: 'all' },
    ...more,
  })
const personOf = async (id: number) =>
  (await database.db.select().from(admin).where(eq(admin.id, id)))[0]!
const roleOf = async (id: number) =>
  (await database.db.select().from(roles).where(eq(roles.id, id)))[0]!
const newRole = async (perms: string[] = [], more: Partial<typeof roles.$inferInsert> = {}) =>
  (
    await database.db
      .insert(roles)
      .values({ name: `角色${fresh()}`, code: `r${fresh()}`, perms, scope_type: 'all', ...more })
      .returning()
  )[0]!
const logsOf = (type: string, id: number) =>
  database.db
    .select()
    .from(op_log)
    .where(sql`${op_log.object_type} = ${type} and ${op_log.object_id} = ${id}`)
    .orderBy(op_log.id)

describe('departments', () => {
  const create = async (name: string, parent_id = 1) =>
    ok(await call(department.create, { parent_id, name })) as { id: number; version: number }
  const rowOf = async (id: number) =>
    (
      ok(await call(department.lst)).list as {
        id: number
        version: number
        staff: number
        staff_all: number
        children: number
        parent_id: number | null
      }[]
    ).find(one => one.id === id)!
  const under = async (department_id: number, more = {}) =>
    addStaff(database, { perms: ['audit.bulks.view'], staff: { department_id, ...more } })

  it('count their staff, those below included', async () => {
    const { list } = ok(await call(department.lst)) as {
      list: { id: number; parent_id: number | null; staff: number; staff_all: number }[]
    }
    for (const row of list)
      expect(row.staff_all).toBe(
        row.staff +
          list.filter(one => one.parent_id === row.id).reduce((sum, one) => sum + one.staff_all, 0),
      )
    const [active] = (
      await database.db.execute<{ n: number }>(
        sql`select count(*)::int n from admin where status = 'active' and department_id is not null`,
      )
    ).rows
    expect(
      list.filter(row => row.parent_id === null).reduce((sum, row) => sum + row.staff_all, 0),
    ).toBe(active!.n)
  })
  it('have names that are unique among siblings, and free elsewhere', async () => {
    const name = `同名${fresh()}`
    const one = await create(name)
    expect(rule(await call(department.create, { parent_id: 1, name }))).toEqual([422, 'name_taken'])
    const other = await create(name, 2)
    expect(
      rule(
        await call(department.move, {
          id: other.id,
          version: (await rowOf(other.id)).version,
          parent_id: 1,
        }),
      ),
    ).toEqual([422, 'name_taken'])
    expect(
      rule(await call(department.edit, { id: 7, version: (await rowOf(7)).version, name })),
    ).toEqual([422, 'name_taken'])
    expect(one.id).not.toBe(other.id)
  })
  it('never stand under themselves or one of their own, and at most five levels deep', async () => {
    const a = await create(`甲${fresh()}`)
    const b = await create(`乙${fresh()}`, a.id)
    expect(
      rule(
        await call(department.move, {
          id: a.id,
          version: (await rowOf(a.id)).version,
          parent_id: a.id,
        }),
      ),
    ).toEqual([422, 'wrong_place'])
    expect(
      rule(
        await call(department.move, {
          id: a.id,
          version: (await rowOf(a.id)).version,
          parent_id: b.id,
        }),
      ),
    ).toEqual([422, 'wrong_place'])
    const c = await create(`丙${fresh()}`, b.id)
    const d = await create(`丁${fresh()}`, c.id)
    expect(rule(await call(department.create, { parent_id: d.id, name: '第六级' }))).toEqual([
      422,
      'too_deep',
    ])
    expect(
      rule(
        await call(department.move, {
          id: a.id,
          version: (await rowOf(a.id)).version,
          parent_id: 7,
        }),
      ),
    ).toEqual([422, 'too_deep'])
    ok(
      await call(department.move, {
        id: c.id,
        version: (await rowOf(c.id)).version,
        parent_id: 1,
        sort: 0,
      }),
    )
    const [moved] = await database.db.select().from(departments).where(eq(departments.id, d.id))
    expect(moved!.path).toBe(`/1/${c.id}/${d.id}/`)
    expect(
      (ok(await call(department.lst)).list as { id: number; parent_id: number | null }[]).find(
        row => row.parent_id === 1,
      )!.id,
    ).toBe(c.id)
  })
  it('are deleted only when empty: the refusal gives the counts', async () => {
    const a = await create(`空${fresh()}`)
    const b = await create(`下级${fresh()}`, a.id)
    await under(a.id)
    const said = await call(department.del, { id: a.id, version: (await rowOf(a.id)).version })
    expect([...rule(said), said.data.children, said.data.staff, said.message]).toEqual([
      422,
      'not_empty',
      1,
      1,
      '有 1 个下级部门、1 名员工，不能删除',
    ])
    ok(await call(department.del, b))
    expect((await call(department.del, b)).status).toBe(404)
  })
  it('are not disabled while active staff remain', async () => {
    const a = await create(`停${fresh()}`)
    const person = await under(a.id)
    expect(rule(await call(department.disable, { ...a, reason: '撤销' }))).toEqual([
      422,
      'staff_remain',
    ])
    await database.db.update(admin).set({ status: 'disabled' }).where(eq(admin.id, person.id))
    const done = ok(await call(department.disable, { ...a, reason: '撤销' }))
    expect((await logsOf('department', a.id)).at(-1)).toMatchObject({
      reason: '撤销',
      before: { status: 'on' },
      after: { status: 'off' },
    })
    ok(await call(department.enable, done))
  })
  it('are led by an active member of them or of their parent', async () => {
    const a = await create(`有主${fresh()}`)
    const [inside, above, elsewhere, gone] = [
      await under(a.id),
      await under(1),
      await under(9),
      await under(a.id, { status: 'disabled' }),
    ]
    let at = { id: a.id, version: a.version }
    for (const one of [elsewhere, gone])
      expect(rule(await call(department.setLeader, { ...at, admin_id: one.id }))).toEqual([
        422,
        'not_a_member',
      ])
    for (const one of [inside, above])
      at = ok(await call(department.setLeader, { ...at, admin_id: one.id }))
    expect(
      ok(await call(department.leaders, { department_id: a.id, pageSize: 200 })).list.map(
        (one: { id: number }) => one.id,
      ),
    ).toEqual(expect.arrayContaining([inside.id, above.id]))
  })
  it('lose a leader from the department above when they move under another, and say so; a member of their own stays', async () => {
    const [top, other] = [await create(`上级${fresh()}`), await create(`另一${fresh()}`)]
    const [below, kept] = [
      await create(`下级${fresh()}`, top.id),
      await create(`下级${fresh()}`, top.id),
    ]
    const [above, own] = [await under(top.id), await under(kept.id)]
    for (const [unit, admin_id] of [
      [below, above.id],
      [kept, own.id],
    ] as const)
      ok(await call(department.setLeader, { ...at(await rowOf(unit.id)), admin_id }))
    for (const unit of [below, kept])
      ok(await call(department.move, { ...at(await rowOf(unit.id)), parent_id: other.id }))
    const leaders = await database.db
      .select()
      .from(departments)
      .where(inArray(departments.id, [below.id, kept.id]))
      .orderBy(departments.id)
    expect(leaders.map(one => one.leader_id)).toEqual([null, own.id])
    expect((await logsOf('department', below.id)).at(-1)).toMatchObject({
      before: { leader_id: above.id },
      after: { leader_id: null },
    })
  })
  it('merge with their staff and those below in one transaction; a name that stands there already refuses the whole', async () => {
    const [a, target] = [await create(`并入${fresh()}`), await create(`目标${fresh()}`)]
    const child = await create(`子${fresh()}`, a.id)
    const person = await under(a.id)
    const done = ok(
      await call(department.merge, {
        ...at(await rowOf(a.id)),
        target_id: target.id,
        reason: '组织调整',
      }),
    )
    expect(done).toEqual({ id: target.id, staff: 1, departments: 1 })
    expect((await personOf(person.id)).department_id).toBe(target.id)
    const [moved] = await database.db.select().from(departments).where(eq(departments.id, child.id))
    expect([moved!.parent_id, moved!.path]).toEqual([target.id, `/1/${target.id}/${child.id}/`])
    expect(await database.db.select().from(departments).where(eq(departments.id, a.id))).toEqual([])
    const twin = await create(`双${fresh()}`)
    const [row] = await database.db.select().from(departments).where(eq(departments.id, child.id))
    await create(row!.name, twin.id)
    const before = await rowOf(twin.id)
    expect(
      rule(
        await call(department.merge, {
          id: twin.id,
          version: before.version,
          target_id: target.id,
          reason: '组织调整',
        }),
      ),
    ).toEqual([422, 'name_taken'])
    expect(await rowOf(twin.id)).toEqual(before)
    expect(
      rule(
        await call(department.merge, {
          id: target.id,
          version: (await rowOf(target.id)).version,
          target_id: child.id,
          reason: '组织调整',
        }),
      ),
    ).toEqual([422, 'wrong_place'])
  })
  it('refuse a stale version, and say who changed it', async () => {
    const a = await create(`旧${fresh()}`)
    ok(await call(department.edit, { ...a, name: `新${fresh()}` }))
    const said = await call(department.edit, { ...a, name: '更新' })
    expect([said.status, said.data.rule, said.data.current.version]).toEqual([409, 'stale', 1])
    expect(said.message).toContain('林知远')
  })
})

describe('roles', () => {
  it('the super administrator’s can’t be edited, narrowed, disabled or deleted', async () => {
    const [top] = await database.db.select().from(roles).where(eq(roles.code, 'super_admin'))
    const one = { id: top!.id, version: top!.version }
    for (const [of, more] of [
      [role.edit, { name: '别名' }],
      [role.setPerms, { perms: [] }],
      [role.setFields, { fieldRules: {} }],
      [role.setScope, { scope: 'self' }],
      [role.setRefundLimit, { cents: 0 }],
      [role.disable, { reason: '测试' }],
      [role.del, {}],
    ] as const) {
      expect(rule(await call(of, { ...one, ...more })), of.path).toEqual([422, 'builtin'])
    }
    expect(await roleOf(top!.id)).toEqual(top)
  })
  it('a change acts on the holder’s next call, without signing in again', async () => {
    const one = await addStaff(database, { perms: ['audit.bulks.view'] })
    const held = await roleOf(one.role_id)
    expect((await call(queues.card.lst, {}, one.token)).status).toBe(403)
    const after = ok(
      await call(role.setPerms, { id: held.id, version: held.version, perms: ['audit.card.view'] }),
    )
    expect((await call(queues.card.lst, {}, one.token)).status).toBe(200)
    expect((await call(queues.bulks.lst, {}, one.token)).status).toBe(403)
    ok(await call(role.disable, { id: held.id, version: after.version, reason: '停用' }))
    expect((await call(queues.card.lst, {}, one.token)).status).toBe(403)
  })
  it('saving keeps exactly the ticked leaves; an action brings its page’s view and nothing beside it', async () => {
    const made = await newRole()
    const done = ok(
      await call(role.setPerms, {
        id: made.id,
        version: 0,
        perms: ['audit.bulks.approve', 'system.role.view'],
      }),
    )
    expect(done).toMatchObject({
      added: ['audit.bulks.approve', 'audit.bulks.view', 'system.role.view'],
      removed: [],
    })
    expect((await roleOf(made.id)).perms).toEqual([
      'audit.bulks.approve',
      'audit.bulks.view',
      'system.role.view',
    ])
    expect(ok(await call(role.detail, { id: made.id })).perms.sort()).toEqual([
      'audit.bulks.approve',
      'audit.bulks.view',
      'system.role.view',
    ])
    expect(
      (
        await call(role.setPerms, {
          id: made.id,
          version: done.version,
          perms: ['audit.bulks.fly'],
        })
      ).status,
    ).toBe(400)
  })
  it('the difference and the people it touches are told before it is saved', async () => {
    const made = await newRole(['audit.bulks.view', 'audit.card.view'])
    for (let n = 0; n < 3; n++) await addStaff(database, { staff: { role_ids: [made.id] } })
    expect(
      ok(
        await call(role.permsDiff, {
          id: made.id,
          perms: ['audit.card.view', 'audit.card.approve'],
        }),
      ),
    ).toMatchObject({
      added: ['audit.card.approve'],
      removed: ['audit.bulks.view'],
      member_count: 3,
      beyond: [],
    })
    expect((await roleOf(made.id)).perms).toEqual(['audit.bulks.view', 'audit.card.view'])
  })
  it('two who save at once: the second gets a conflict that shows both differences', async () => {
    const made = await newRole(['audit.bulks.view'])
    const base = ['audit.bulks.view']
    ok(
      await call(role.setPerms, {
        id: made.id,
        version: 0,
        base,
        perms: ['audit.bulks.view', 'audit.card.view'],
      }),
    )
    const said = await call(role.setPerms, {
      id: made.id,
      version: 0,
      base,
      perms: ['audit.voucher.view'],
    })
    expect(said.status).toBe(409)
    expect(said.data.theirs).toEqual({ added: ['audit.card.view'], removed: [] })
    expect(said.data.mine).toEqual({ added: ['audit.voucher.view'], removed: ['audit.bulks.view'] })
    expect(said.data.current.perms.sort()).toEqual(['audit.bulks.view', 'audit.card.view'])
    expect(said.message).toContain('林知远')
  })
  it('nobody grants a right, a field, a scope or a refund limit wider than their own, by whatever way', async () => {
    const asker = await clerk({
      role: {
        scope_type: 'city',
        scope_ids: [1],
        refund_limit_cents: 100_00,
        field_rules: { 'admin.phone': 'mask' },
      },
    })
    const as = (of: Call, input: unknown) => call(of, input, asker.token)
    const mine = await newRole(['audit.bulks.view'], { scope_type: 'self' })
    const one = { id: mine.id, version: mine.version }
    const wider: [Call, object][] = [
      [role.setPerms, { ...one, perms: ['audit.bulks.view', 'mall.view'] }],
      [role.setPerms, { ...one, perms: ['audit.card.view'] }],
      [role.setFields, { ...one, fieldRules: { 'admin.phone': 'show' } }],
      [role.setScope, { ...one, scope: 'all' }],
      [role.setScope, { ...one, scope: 'city', ids: [1, 2] }],
      [role.setScope, { ...one, scope: 'dept' }],
      [role.setRefundLimit, { ...one, cents: 100_01 }],
    ]
    for (const [of, input] of wider)
      if (!JSON.stringify(input).includes('mall.view'))
        expect(rule(await as(of, input)), JSON.stringify(input)).toEqual([422, 'wider_than_own'])
    const after = at(
      ok(await as(role.setPerms, { ...one, perms: ['audit.bulks.view', 'audit.bulks.approve'] })),
    )
    const scoped = ok(await as(role.setScope, { ...after, scope: 'city', ids: [1] }))
    ok(await as(role.setRefundLimit, { ...scoped, cents: 100_00 }))
    // Handing out, switching on, copying and giving at creation are granting too.
    const wide = await newRole(['audit.card.view'], { scope_type: 'self' })
    const far = await newRole(['audit.bulks.view'], { scope_type: 'all' })
    const star = await newRole(['*'])
    const target = await addStaff(database, { role: { scope_type: 'self' } })
    await database.db
      .update(admin)
      .set({ scope_type: 'city', scope_ids: [1] })
      .where(eq(admin.id, target.id))
    for (const each of [wide, far, star]) {
      expect(rule(await as(role.addMembers, { id: each.id, admin_ids: [target.id] }))).toEqual([
        422,
        'wider_than_own',
      ])
      expect(
        rule(await as(role.copy, { id: each.id, name: `副本${fresh()}`, code: `c${fresh()}` })),
      ).toEqual([422, 'wider_than_own'])
      expect(
        rule(await as(staff.setRoles, { id: target.id, version: 0, role_ids: [each.id] })),
      ).toEqual([422, 'wider_than_own'])
      expect(
        rule(
          await as(staff.create, {
            account: `w${fresh()}`,
            name: '越权',
            phone: phoneOf(),
            email: 'a@b.cn',
            department_id: 1,
            role_ids: [each.id],
          }),
        ),
      ).toEqual([422, 'wider_than_own'])
      const batch = ok(await as(staff.batchSetRole, { ids: [target.id], role_ids: [each.id] }))
      expect([batch.ok, batch.failed[0].code]).toEqual([[], 'wider_than_own'])
      await database.db.update(roles).set({ status: 'off' }).where(eq(roles.id, each.id))
      expect(rule(await as(role.enable, { id: each.id, version: each.version }))).toEqual([
        422,
        'wider_than_own',
      ])
    }
    expect(
      rule(await as(staff.setScope, { id: target.id, version: 0, scope: 'city', cities: [2] })),
    ).toEqual([422, 'wider_than_own'])
    expect((await personOf(target.id)).role_ids).toEqual([target.role_id])
  })
  it('names and codes are unique; one with members is not deleted; an empty list of a scope is refused', async () => {
    const made = await newRole()
    expect(rule(await call(role.create, { name: made.name, code: `x${fresh()}` }))).toEqual([
      422,
      'name_taken',
    ])
    expect(rule(await call(role.create, { name: `名${fresh()}`, code: made.code }))).toEqual([
      422,
      'code_taken',
    ])
    expect(
      rule(await call(role.setScope, { id: made.id, version: 0, scope: 'city', ids: [] })),
    ).toEqual([422, 'empty_scope'])
    const person = await addStaff(database, { staff: { role_ids: [made.id] } })
    expect(rule(await call(role.del, { id: made.id, version: 0 }))).toEqual([422, 'has_members'])
    ok(await call(role.removeMember, { id: made.id, admin_id: person.id }))
    ok(await call(role.del, { id: made.id, version: 0 }))
  })
  it('who has a right: by action, by pattern and by star, and through which roles', async () => {
    const made = await newRole(['audit.voucher.export'])
    const person = await addStaff(database, { staff: { role_ids: [made.id] } })
    const found = ok(await call(role.holders, { permit: 'audit.voucher.export' }))
    expect(found.roles.map((one: { name: string }) => one.name)).toEqual(
      expect.arrayContaining([made.name, '超级管理员', '运营总监']),
    )
    expect(found.people.find((one: { id: number }) => one.id === person.id).by).toBe(made.name)
    expect(
      ok(await call(role.lst, { permit: 'audit.voucher.view', pageSize: 200 })).list.map(
        (one: { id: number }) => one.id,
      ),
    ).toContain(made.id)
    expect(found.roles.map((one: { name: string }) => one.name)).not.toContain('只读')
  })
  it('two roles compared, and the menu a holder would see', async () => {
    const [a, b] = [
      await newRole(['audit.bulks.view', 'audit.card.view'], {
        field_rules: { 'admin.phone': 'show' },
      }),
      await newRole(['audit.card.view', 'audit.card.approve'], { refund_limit_cents: 5 }),
    ]
    const diff = ok(await call(role.diff, { id: a.id, other_id: b.id }))
    expect(diff).toMatchObject({
      only_a: ['audit.bulks.view'],
      only_b: ['audit.card.approve'],
      both: 1,
      refund_limit_cents: { a: 0, b: 5 },
    })
    expect(diff.fields).toEqual([{ key: 'admin.phone', title: '员工手机号', a: 'show', b: 'mask' }])
    const holder = await addStaff(database, { staff: { role_ids: [a.id] } })
    expect(ok(await call(role.preview, { id: a.id })).menu).toEqual(
      ok(await call(session.menu, {}, holder.token)),
    )
    expect(
      ok(
        await call(role.preview, { id: a.id, perms: ['audit.voucher.approve'] }),
      ).menu[0].children.map((one: { redirect: string }) => one.redirect),
    ).toEqual(['/manage/audit/voucher'])
  })
  it('a field’s mode acts on the next call', async () => {
    const made = await newRole(['system.staff.view'])
    const reader = await addStaff(database, { staff: { role_ids: [made.id] } })
    const shown = async () =>
      (
        ok(await call(staff.lst, { keyword: 'auditor', pageSize: 1 }, reader.token)).list[0] as {
          phone?: string
        }
      ).phone
    expect(await shown()).toMatch(/^138\*{4}\d{4}$/)
    const after = ok(
      await call(role.setFields, {
        id: made.id,
        version: 0,
        fieldRules: { 'admin.phone': 'hide' },
      }),
    )
    expect(await shown()).toBeUndefined()
    ok(
      await call(role.setFields, {
        id: made.id,
        version: after.version,
        fieldRules: { 'admin.phone': 'show' },
      }),
    )
    expect(await shown()).toMatch(/^138\d{8}$/)
  })
})

describe('staff', () => {
  const open = async (more = {}) =>
    ok(
      await call(staff.create, {
        account: `n${fresh()}`,
        name: '新同事',
        phone: phoneOf(),
        email: 'new@mallet.example',
        department_id: 7,
        role_ids: [],
        ...more,
      }),
    ) as { id: number; version: number; initial_password: string }
  const plain = () =>
    addStaff(database, {
      perms: ['audit.bulks.view', 'audit.bulks.approve'],
      staff: { phone: phoneOf(), department_id: 12 },
    })

  it('get a password that is told once, even to who sends the same request again, and must be changed', async () => {
    const input = {
      account: `once${fresh()}`,
      name: '一次',
      phone: phoneOf(),
      email: 'once@mallet.example',
      department_id: 7,
      role_ids: [11],
    }
    const key = `create-${fresh()}-key`
    const first = ok(await send(app, staff.create, input, { token: root, key }))
    const again = ok(await send(app, staff.create, input, { token: root, key }))
    expect([again.id, again.initial_password]).toEqual([first.id, null])
    const signed = ok(
      await send(app, session.login, { account: input.account, password: first.initial_password }),
    )
    expect(signed.must_change).toBe(true)
    expect(rule(await call(queues.bulks.lst, {}, signed.token))).toEqual([403, 'must_change'])
    ok(
      await call(
        session.changeInitialPassword,
        { old_password: first.initial_password, new_password: 'Fresh#2026' },
        signed.token,
      ),
    )
    expect((await call(queues.bulks.lst, {}, signed.token)).status).toBe(200)
    const text =
      JSON.stringify(await logsOf('admin', first.id)) +
      JSON.stringify((await database.db.execute(sql`select answer from idempotency`)).rows)
    expect(text).not.toContain(first.initial_password)
  })
  it('have an account and a phone of their own, also against disabled colleagues; both are checked', async () => {
    const gone = await plain()
    await database.db.update(admin).set({ status: 'left' }).where(eq(admin.id, gone.id))
    const phone = (await personOf(gone.id)).phone
    const good = { name: '重复', email: 'a@b.cn', department_id: 7, role_ids: [] }
    expect(
      rule(
        await call(staff.create, {
          ...good,
          account: gone.account.toUpperCase(),
          phone: phoneOf(),
        }),
      ),
    ).toEqual([422, 'account_taken'])
    expect(rule(await call(staff.create, { ...good, account: `p${fresh()}`, phone }))).toEqual([
      422,
      'phone_taken',
    ])
    for (const [field, value] of [
      ['phone', '2380000000'],
      ['phone', '138000000001'],
      ['email', 'a@b'],
      ['account', '1abc'],
      ['account', 'ab'],
    ]) {
      const said = await call(staff.create, {
        ...good,
        account: `v${fresh()}`,
        phone: phoneOf(),
        [field!]: value,
      })
      expect([said.status, Object.keys(said.data.fields)]).toEqual([400, [field]])
    }
  })
  it('are found by department tree, role, state, never signed in, idle, and locked', async () => {
    const list = async (input: object) =>
      ok(await call(staff.lst, { pageSize: 200, status: 'all', ...input })).list as {
        id: number
        department_id: number
        roles: { id: number }[]
        status: string
        last_login_at: number | null
        locked: boolean
      }[]
    const tree = await list({ department_id: 7 })
    expect(new Set(tree.map(one => one.department_id)).size).toBeGreaterThan(1)
    expect(tree.every(one => [7, 12, 13, 14].includes(one.department_id))).toBe(true)
    expect((await list({ role_id: 5 })).every(one => one.roles.some(held => held.id === 5))).toBe(
      true,
    )
    expect((await list({ signin: 'never' })).every(one => one.last_login_at === null)).toBe(true)
    const idle = await list({ signin: 'idle' })
    expect(idle.length).toBeGreaterThan(0)
    expect(idle.every(one => one.last_login_at! <= unixNow() - 90 * 86_400)).toBe(true)
    // The demo's locks last ten minutes, and its database may be older by now.
    await database.db
      .update(admin)
      .set({ locked_until: unixNow() + 600 })
      .where(isNotNull(admin.locked_until))
    expect((await list({ locked: true })).every(one => one.locked)).toBe(true)
    expect((await list({ locked: true })).length).toBeGreaterThanOrEqual(2)
    expect((await list({ status: 'left' })).every(one => one.status === 'left')).toBe(true)
  })
  it('a colleague bound to one city sees those bound to it, and none of another city', async () => {
    const asker = await clerk({ role: { scope_type: 'city', scope_ids: [1] } })
    const [near, far] = [
      await addStaff(database, { staff: { scope_type: 'city', scope_ids: [1] } }),
      await addStaff(database, { staff: { scope_type: 'city', scope_ids: [2] } }),
    ]
    const seen = ok(await call(staff.lst, { pageSize: 200, status: 'all' }, asker.token)).list as {
      id: number
      scope_ids: number[]
    }[]
    expect(seen.map(one => one.id)).toContain(near.id)
    expect(seen.every(one => one.id === asker.id || one.scope_ids.every(id => id === 1))).toBe(true)
    for (const [of, more] of [
      [staff.detail, {}],
      [staff.revealPhone, { reason: '越权查看' }],
      [staff.kick, { reason: '越权查看' }],
    ] as const)
      expect((await call(of, { id: far.id, ...more }, asker.token)).status).toBe(404)
  })
  it('nobody disables, demotes or hands over themselves, nor touches whose rights exceed theirs', async () => {
    const me = await personOf(
      (await database.db.select().from(admin).where(eq(admin.account, 'admin')))[0]!.id,
    )
    for (const [of, more] of [
      [staff.disable, { reason: '测试' }],
      [staff.setRoles, { role_ids: [] }],
      [staff.leave, { successor_id: 2, reason: '测试' }],
      [staff.setScope, { scope: 'self' }],
    ] as const)
      expect(rule(await call(of, { id: me.id, version: me.version, ...more }))).toEqual([
        422,
        'not_yourself',
      ])
    const asker = await clerk()
    const above = await addStaff(database, { perms: ['*'] })
    for (const [of, more] of [
      [staff.edit, { name: '改名', department_id: 1 }],
      [staff.setRoles, { role_ids: [] }],
      [staff.setScope, { scope: 'self' }],
      [staff.resetPassword, {}],
      [staff.disable, { reason: '测试' }],
      [staff.leave, { successor_id: asker.id, reason: '测试' }],
    ] as const) {
      expect(
        rule(await call(of, { id: above.id, version: 0, ...more }, asker.token)),
        of.path,
      ).toEqual([422, 'not_allowed'])
    }
    expect(rule(await call(staff.kick, { id: above.id, reason: '测试' }, asker.token))).toEqual([
      422,
      'not_allowed',
    ])
    expect(
      rule(await call(role.removeMember, { id: above.role_id, admin_id: above.id }, asker.token)),
    ).toEqual([422, 'above'])
  })
  it('one active super administrator remains, whatever is tried', async () => {
    const [top] = await database.db.select().from(roles).where(eq(roles.code, 'super_admin'))
    const only = (await database.db.select().from(admin).where(eq(admin.account, 'admin')))[0]!
    const other = await addStaff(database, {
      perms: ['*'],
      role: { scope_type: 'all', refund_limit_cents: 1_000_000_00 },
    })
    for (const [of, more] of [
      [staff.disable, { reason: '测试' }],
      [staff.setRoles, { role_ids: [] }],
      [staff.leave, { successor_id: other.id, reason: '测试' }],
    ] as const)
      expect(
        rule(await call(of, { id: only.id, version: only.version, ...more }, other.token)),
        of.path,
      ).toEqual([422, 'last_super'])
    expect(
      rule(await call(role.removeMember, { id: top!.id, admin_id: only.id }, other.token)),
    ).toEqual([422, 'last_super'])
    expect(await personOf(only.id)).toMatchObject({ status: 'active', role_ids: only.role_ids })
    const second = await addStaff(database, { staff: { role_ids: [top!.id] } })
    ok(await call(role.removeMember, { id: top!.id, admin_id: second.id }, other.token))
  })
  it('a reset ends all sessions, and the old password is none', async () => {
    const one = await plain()
    const done = ok(await call(staff.resetPassword, { id: one.id, version: 0 }))
    expect(done.sessions_ended).toBe(1)
    expect((await call(queues.bulks.lst, {}, one.token)).status).toBe(410000)
    expect(
      (
        await send(
          app,
          session.login,
          { account: one.account, password: one.password },
          { ip: '10.9.9.9' },
        )
      ).status,
    ).toBe(400)
    expect(
      ok(
        await send(
          app,
          session.login,
          { account: one.account, password: done.initial_password },
          { ip: '10.9.9.9' },
        ),
      ).must_change,
    ).toBe(true)
  })
  it('the password that a reset replaced is none of the next three, however often it is reset', async () => {
    const one = await plain()
    let initial_password = ''
    for (let version = 0; version < 4; version++)
      ({ initial_password } = ok(await call(staff.resetPassword, { id: one.id, version })))
    const { token } = ok(
      await send(
        app,
        session.login,
        { account: one.account, password: initial_password },
        { ip: '10.9.9.7' },
      ),
    )
    const change = (old_password: string, new_password: string) =>
      call(session.changeInitialPassword, { old_password, new_password }, token)
    expect((await change(initial_password, one.password)).data.fields).toHaveProperty(
      'new_password',
    )
    ok(await change(initial_password, 'Fresh#2027'))
    expect((await change('Fresh#2027', initial_password)).data.fields).toHaveProperty(
      'new_password',
    )
  })
  it('disabled, their token answers 410001 at once; kicked, 410000; enabled again they sign in', async () => {
    const one = await plain()
    ok(await call(staff.kick, { id: one.id, reason: '异地登录' }))
    expect((await call(queues.bulks.lst, {}, one.token)).status).toBe(410000)
    const token = await tokenFor(database, one.id)
    const off = ok(await call(staff.disable, { id: one.id, version: 0, reason: '休假' }))
    expect((await call(queues.bulks.lst, {}, token)).status).toBe(410001)
    ok(await call(staff.enable, off))
    expect(
      ok(
        await send(
          app,
          session.login,
          { account: one.account, password: one.password },
          { ip: '10.9.9.8' },
        ),
      ).token,
    ).toBeTruthy()
  })
  it('unlock opens an account before its time, and only a locked one', async () => {
    const one = await plain()
    await database.db
      .update(admin)
      .set({ locked_until: unixNow() + 600 })
      .where(eq(admin.id, one.id))
    const [row] = ok(await call(staff.lst, { keyword: one.account })).list
    expect(row.locked).toBe(true)
    ok(await call(staff.unlock, { id: one.id, version: row.version }))
    expect(ok(await call(staff.lst, { keyword: one.account })).list[0].locked).toBe(false)
    expect(rule(await call(staff.unlock, { id: one.id, version: row.version + 1 }))).toEqual([
      422,
      'not_allowed',
    ])
  })
  it('who leaves hands over claims, merchants and departments in one go; what the successor may not decide goes back to its queue', async () => {
    const [from, to] = [await plain(), await plain()]
    const [mine, other] = [
      await freshTask(database),
      await freshTask(database, undefined, 'voucher'),
    ]
    const until = unixNow() + 600
    await database.db
      .update(audit_task)
      .set({
        state: 'claimed',
        claimed_by: from.id,
        claimer_name: 'x',
        claimed_at: unixNow(),
        claim_until: until,
      })
      .where(sql`${audit_task.id} in (${mine.id}, ${other.id})`)
    const [shop] = await database.db.select().from(merchant).limit(1)
    await database.db
      .update(merchant)
      .set({ bd_admin_id: from.id })
      .where(eq(merchant.id, shop!.id))
    await database.db.update(departments).set({ leader_id: from.id }).where(eq(departments.id, 12))
    expect(ok(await call(staff.detail, { id: from.id })).holds).toEqual({
      audit_tasks: 2,
      merchants: 1,
      departments: 1,
      refunds: 0,
      warnings: 0,
      reports: 0,
    })
    const done = ok(
      await call(staff.leave, { id: from.id, version: 0, successor_id: to.id, reason: '离职' }),
    )
    expect(done.moved).toEqual({
      audit_tasks: 1,
      merchants: 1,
      departments: 1,
      refunds: 0,
      warnings: 0,
      reports: 0,
    })
    const tasks = await database.db
      .select()
      .from(audit_task)
      .where(sql`${audit_task.id} in (${mine.id}, ${other.id})`)
      .orderBy(audit_task.id)
    expect(tasks.map(task => [task.claimed_by, task.state])).toEqual([
      [to.id, 'claimed'],
      [null, 'pending'],
    ])
    expect(
      (await database.db.select().from(merchant).where(eq(merchant.id, shop!.id)))[0]!.bd_admin_id,
    ).toBe(to.id)
    expect(
      (await database.db.select().from(departments).where(eq(departments.id, 12)))[0]!.leader_id,
    ).toBe(to.id)
    expect((await call(queues.bulks.lst, {}, from.token)).status).toBe(410001)
    expect(rule(await call(staff.enable, { id: from.id, version: done.version }))).toEqual([
      422,
      'not_allowed',
    ])
  })
  it('open refunds, alarms and subscriptions go with them; what the successor may not do, or decided first, is free again', async () => {
    const from = await plain()
    const open = await database.db
      .select()
      .from(refund)
      .where(
        and(eq(refund.order_kind, 'elist'), inArray(refund.state, ['applied', 'second_audit'])),
      )
      .orderBy(refund.id)
    const [elist, seen] = [open[0]!, open.at(-1)!]
    // The demo may hold no bundle that waits, so this test makes one wait.
    const [bundle] = await database.db
      .select({ id: refund.id })
      .from(refund)
      .where(eq(refund.order_kind, 'combo'))
      .orderBy(refund.id)
      .limit(1)
    const [combo] = await database.db
      .update(refund)
      .set({ state: 'applied' })
      .where(eq(refund.id, bundle!.id))
      .returning()
    const [alarm] = await database.db
      .select()
      .from(warning_log)
      .where(eq(warning_log.state, 'acked'))
      .limit(1)
    const [sub] = await database.db.select().from(report_sub).limit(1)
    const hold = async (first_by: number | null = null) => {
      const until = unixNow() + 600
      await database.db
        .update(refund)
        .set({ claimed_by: from.id, claim_until: until, second_by: null, first_by: null })
        .where(inArray(refund.id, [elist.id, seen.id, combo!.id]))
      await database.db.update(refund).set({ first_by }).where(eq(refund.id, seen.id))
      await database.db
        .update(warning_log)
        .set({ assigned_to: from.id })
        .where(eq(warning_log.id, alarm!.id))
      await database.db
        .update(report_sub)
        .set({ owner_id: from.id })
        .where(eq(report_sub.id, sub!.id))
    }
    const heldBy = async () => [
      ...(
        await Promise.all(
          [elist, seen, combo!].map(
            async one => (await database.db.select().from(refund).where(eq(refund.id, one.id)))[0]!,
          ),
        )
      ).map(one => one.claimed_by),
      (await database.db.select().from(warning_log).where(eq(warning_log.id, alarm!.id)))[0]!
        .assigned_to,
      (await database.db.select().from(report_sub).where(eq(report_sub.id, sub!.id)))[0]!.owner_id,
    ]
    const to = await addStaff(database, {
      perms: [
        'order.eRefund.*',
        'system.warning.logs.*',
        'system.report.*',
        'system.dataIndex.view',
      ],
    })
    await hold(to.id)
    expect(ok(await call(staff.detail, { id: from.id })).holds).toMatchObject({
      refunds: 3,
      warnings: 1,
      reports: 1,
    })
    const done = ok(
      await call(staff.leave, { id: from.id, version: 0, successor_id: to.id, reason: '离职' }),
    )
    expect([
      done.moved.refunds,
      done.moved.warnings,
      done.moved.reports,
      ...(await heldBy()),
    ]).toEqual([1, 1, 1, to.id, null, null, to.id, to.id])
    // A person who sees neither alarms nor reports gets none: the alarm is nobody's, the subscription
    // pauses by itself, with a notice.
    await database.db.update(admin).set({ status: 'active' }).where(eq(admin.id, from.id))
    await hold()
    const poor = await plain()
    const again = ok(
      await call(staff.leave, {
        id: from.id,
        version: done.version,
        successor_id: poor.id,
        reason: '离职',
      }),
    )
    expect([
      again.moved.refunds,
      again.moved.warnings,
      again.moved.reports,
      ...(await heldBy()),
    ]).toEqual([0, 0, 0, null, null, null, null, from.id])
  })
  it('hand over nothing when the leaving is refused', async () => {
    const [from, gone] = [await plain(), await plain()]
    await database.db.update(admin).set({ status: 'disabled' }).where(eq(admin.id, gone.id))
    const [shop] = await database.db.select().from(merchant).limit(1)
    await database.db
      .update(merchant)
      .set({ bd_admin_id: from.id })
      .where(eq(merchant.id, shop!.id))
    for (const successor_id of [gone.id, from.id, 2_000_000_000])
      expect(
        rule(await call(staff.leave, { id: from.id, version: 0, successor_id, reason: '离职' })),
      ).toEqual([422, 'no_successor'])
    expect(
      (await database.db.select().from(merchant).where(eq(merchant.id, shop!.id)))[0]!.bd_admin_id,
    ).toBe(from.id)
  })
  it('an import tells what is wrong with each line, and writes none or only the good ones, as asked', async () => {
    const [a, b] = [`im${fresh()}`, `im${fresh()}`]
    const text = [
      '账号,姓名,手机号,邮箱,部门,角色',
      `${a},甲,${phoneOf()},a@b.cn,财务部,财务`,
      `1bad,,12345,nope,没有的部门,没有的角色`,
      `${b},乙,${phoneOf()},b@b.cn,客户服务部,"客服、只读"`,
      `${b},丙,${phoneOf()},c@b.cn,客户服务部,客服`,
    ].join('\n')
    const count = async () =>
      (await database.db.execute<{ n: number }>(sql`select count(*)::int n from admin`)).rows[0]!.n
    const before = await count()
    const checked = ok(await call(staff.batchImport, { text, mode: 'check' }))
    expect(
      checked.rows.map((row: { line: number; faults: string[] }) => [row.line, row.faults.length]),
    ).toEqual([
      [2, 0],
      [3, 6],
      [4, 0],
      [5, 1],
    ])
    expect([
      ok(await call(staff.batchImport, { text, mode: 'all' })).written,
      await count(),
    ]).toEqual([0, before])
    const done = ok(await call(staff.batchImport, { text, mode: 'good' }))
    expect([done.written, done.passwords.length, await count()]).toEqual([2, 2, before + 2])
    expect(
      ok(
        await send(
          app,
          session.login,
          { account: b, password: done.passwords[1].initial_password },
          { ip: '10.7.7.7' },
        ),
      ).must_change,
    ).toBe(true)
  })
  it('a phone is revealed for a reason, which is logged as a reveal and counted', async () => {
    const one = await plain()
    const phone = (await personOf(one.id)).phone
    expect((await call(staff.revealPhone, { id: one.id, reason: '' })).status).toBe(400)
    const field = async () =>
      (ok(await call(menuKey.lst, { keyword: 'admin.phone' })).list[0] as { reveals_30d: number })
        .reveals_30d
    const before = await field()
    expect(ok(await call(staff.revealPhone, { id: one.id, reason: '联系本人' })).phone).toBe(phone)
    expect((await logsOf('admin', one.id)).at(-1)).toMatchObject({
      action: 'reveal',
      reason: '联系本人',
      after: { field: 'admin.phone' },
    })
    expect(await field()).toBe(before + 1)
    expect(ok(await call(menuKey.viewReveals, { key: 'admin.phone' })).list[0]).toMatchObject({
      object_id: one.id,
      reason: '联系本人',
      admin_name: '林知远',
    })
  })
  it('a stale version is refused, an empty data scope too', async () => {
    const one = await open()
    ok(await call(staff.edit, { id: one.id, version: one.version, name: '改一', department_id: 7 }))
    expect(
      (await call(staff.edit, { id: one.id, version: one.version, name: '改二', department_id: 7 }))
        .status,
    ).toBe(409)
    expect(
      rule(await call(staff.setScope, { id: one.id, version: one.version + 1, scope: 'mall' })),
    ).toEqual([422, 'empty_scope'])
    ok(
      await call(staff.setScope, {
        id: one.id,
        version: one.version + 1,
        scope: 'city',
        cities: [1, 2],
      }),
    )
    expect((await personOf(one.id)).scope_ids).toEqual([1, 2])
  })
})

describe('the console’s menu', () => {
  const rowOf = async (redirect: string) =>
    (
      await database.db
        .select()
        .from(menus)
        .where(
          sql`${menus.side} = 'ops' and ${menus.redirect} = ${redirect} and ${menus.type} = 'page'`,
        )
    )[0]!
  const dirOf = async (perm: string) =>
    (
      await database.db
        .select()
        .from(menus)
        .where(sql`${menus.side} = 'ops' and ${menus.perm} = ${perm} and ${menus.type} = 'dir'`)
    )[0]!
  const pagesOf = async (token = root): Promise<string[]> =>
    (ok(await call(session.menu, {}, token)) as { children: { redirect: string }[] }[]).flatMap(
      node => node.children.map(one => one.redirect),
    )

  it('a hidden page is gone from the left menu at the next call, and its right is not', async () => {
    const row = await rowOf('/manage/audit/card')
    const reader = await addStaff(database, { perms: ['audit.card.view'] })
    const hidden = ok(await call(menu.toggleVisible, at(row)))
    expect(await pagesOf(reader.token)).toEqual([])
    expect((await call(queues.card.lst, {}, reader.token)).status).toBe(200)
    ok(await call(menu.toggleVisible, at(hidden)))
    expect(await pagesOf(reader.token)).toEqual(['/manage/audit/card'])
  })
  it('order, titles and keep-alive are those of the table; a region may lack a page', async () => {
    const row = await rowOf('/manage/audit/voucher')
    const moved = ok(
      await call(menu.move, {
        id: row.id,
        version: row.version,
        parent_id: row.parent_id,
        sort: 0,
      }),
    )
    expect((await pagesOf()).filter(path => path.startsWith('/manage/audit'))[0]).toBe(
      '/manage/audit/voucher',
    )
    const kept = ok(await call(menu.toggleKeepAlive, at(moved)))
    const named = ok(
      await call(menu.edit, { ...at(kept), title: '券审核', hidden_regions: ['test'] }),
    )
    const node = (
      ok(await call(session.menu)) as {
        children: { title: string; redirect: string; keep_alive?: boolean }[]
      }[]
    )
      .flatMap(one => one.children)
      .find(one => one.redirect === row.redirect)
    expect(node).toMatchObject({ title: '券审核', keep_alive: false })
    const other = await send(app, session.menu, {}, { token: root, headers: { region: 'test' } })
    expect(JSON.stringify(other.data)).not.toContain(row.redirect)
    ok(
      await call(menu.edit, {
        id: row.id,
        version: named.version,
        title: row.title,
        en: row.en,
        hidden_regions: [],
      }),
    )
  })
  it('a path must be known and stand once; a right has one node; page under page, a ring and a wrong level are refused', async () => {
    const [page, dir] = [await rowOf('/manage/audit/bulks'), await dirOf('audit')]
    const make = (more: object) => call(menu.create, { title: '新节点', ...more })
    expect(
      rule(await make({ type: 'page', parent_id: dir.id, redirect: '/manage/nowhere' })),
    ).toEqual([422, 'unknown_route'])
    expect(rule(await make({ type: 'page', parent_id: dir.id, redirect: page.redirect }))).toEqual([
      422,
      'path_taken',
    ])
    expect(
      rule(await make({ type: 'action', parent_id: page.id, perm: 'audit.bulks.approve' })),
    ).toEqual([422, 'right_taken'])
    expect(
      rule(await make({ type: 'action', parent_id: page.id, perm: 'audit.bulks.fly' })),
    ).toEqual([422, 'unknown_right'])
    expect(
      rule(await make({ type: 'page', parent_id: page.id, redirect: '/manage/audit/card' })),
    ).toEqual([422, 'wrong_level'])
    expect(rule(await make({ type: 'dir', parent_id: dir.id }))).toEqual([422, 'wrong_level'])
    expect(
      rule(await call(menu.move, { id: dir.id, version: dir.version, parent_id: page.id })),
    ).toEqual([422, 'wrong_place'])
    expect(
      rule(await call(menu.move, { id: page.id, version: page.version, parent_id: page.id })),
    ).toEqual([422, 'wrong_place'])
    const own = ok(await make({ type: 'dir', title: '常用' }))
    const hidden = ok(await call(menu.toggleVisible, at(await rowOf('/manage/audit/card'))))
    expect(ok(await call(menu.routes, { keyword: '卡券审核' })).list[0].path).toBe(
      '/manage/audit/card',
    )
    ok(await make({ type: 'page', parent_id: own.id, redirect: '/manage/audit/card' }))
    const tree = ok(await call(session.menu)) as {
      title: string
      children: { redirect: string }[]
    }[]
    expect(tree.find(node => node.title === '常用')!.children.map(one => one.redirect)).toEqual([
      '/manage/audit/card',
    ])
    expect(hidden.id).toBe((await rowOf('/manage/audit/card')).id)
  })
  it('nothing is deleted that has children or that a role grants: the refusal names the roles', async () => {
    const [dir, page] = [await dirOf('audit'), await rowOf('/manage/audit/product/detail')]
    expect(rule(await call(menu.del, at(dir)))).toEqual([422, 'has_children'])
    const [leaf] = await database.db
      .select()
      .from(menus)
      .where(sql`${menus.perm} = 'audit.voucher.transfer' and ${menus.type} = 'action'`)
    const said = await call(menu.del, at(leaf!))
    expect([...rule(said), said.message]).toEqual([422, 'granted', expect.stringContaining('风控')])
    expect(page.visible).toBe(false)
    expect(rule(await call(menu.toggleVisible, at(page)))).toEqual([422, 'needs_parameters'])
  })
  it('synchronising adds what is missing, marks what vanished, deletes nothing, and done twice does nothing', async () => {
    const [lost] = await database.db
      .delete(menus)
      .where(sql`${menus.perm} = 'audit.bulks.timeLogs'`)
      .returning()
    const [ghost] = await database.db
      .insert(menus)
      .values({
        side: 'ops',
        type: 'page',
        title: '旧页面',
        redirect: '/manage/old/page',
        perm: 'old.page.view',
        parent_id: (await dirOf('audit')).id,
      })
      .returning()
    const count = async () =>
      (await database.db.execute<{ n: number }>(sql`select count(*)::int n from menu`)).rows[0]!.n
    const before = await count()
    expect(ok(await call(menu.lst)).missing).toBe(1)
    expect(ok(await call(menu.syncRoutes))).toEqual({ added: 1, vanished: 1, returned: 0 })
    expect(await count()).toBe(before + 1)
    expect(
      (await database.db.select().from(menus).where(eq(menus.id, ghost!.id)))[0]!.vanished_at,
    ).toBeTruthy()
    expect((await database.db.select().from(menus).where(eq(menus.perm, lost!.perm!))).length).toBe(
      1,
    )
    expect(ok(await call(menu.syncRoutes))).toEqual({ added: 0, vanished: 0, returned: 0 })
    expect(await pagesOf()).not.toContain('/manage/old/page')
  })
  it('unused rights, and rights that roles name and nothing has', async () => {
    await newRole(['audit.gone.view'])
    const found = ok(await call(menu.findUnused))
    expect(found.unknown.map((one: { perm: string }) => one.perm)).toContain('audit.gone.view')
    expect(found.unused.map((one: { perm: string }) => one.perm)).not.toContain('audit.bulks.view')
  })
})

describe('guarded fields', () => {
  it('are registered once, and only where the schema has them', async () => {
    const good = { title: '法人姓名', mask_rule: 'name', default_mode: 'mask' }
    expect(
      rule(await call(menuKey.create, { ...good, key: 'merchant.nothing', entity: 'merchant' })),
    ).toEqual([422, 'unknown_field'])
    expect(
      rule(await call(menuKey.create, { ...good, key: 'merchant.legal_name', entity: 'store' })),
    ).toEqual([422, 'wrong_entity'])
    ok(await call(menuKey.create, { ...good, key: 'merchant.legal_name', entity: 'merchant' }))
    expect(
      rule(await call(menuKey.create, { ...good, key: 'merchant.legal_name', entity: 'merchant' })),
    ).toEqual([422, 'key_taken'])
  })
  it('a default is loosened only by a super administrator, tightened by who has the right; it acts at once', async () => {
    const asker = await clerk()
    const row = async () =>
      ok(await call(menuKey.lst, { keyword: 'admin.phone' })).list[0] as {
        id: number
        version: number
        default_mode: string
        sample: string
        guarded: boolean
      }
    const first = await row()
    expect(first).toMatchObject({ default_mode: 'mask', sample: '138****5678', guarded: true })
    expect(
      rule(
        await call(
          menuKey.setDefault,
          { id: first.id, version: first.version, mode: 'show' },
          asker.token,
        ),
      ),
    ).toEqual([422, 'only_super'])
    const hidden = ok(
      await call(
        menuKey.setDefault,
        { id: first.id, version: first.version, mode: 'hide' },
        asker.token,
      ),
    )
    const reader = await addStaff(database, { perms: ['system.staff.view'] })
    expect(
      ok(await call(staff.lst, {}, reader.token)).list.every((one: object) => !('phone' in one)),
    ).toBe(true)
    expect(rule(await call(menuKey.setDefault, { ...hidden, mode: 'mask' }, asker.token))).toEqual([
      422,
      'only_super',
    ])
    expect(rule(await call(menuKey.disable, { ...hidden, reason: '放开' }, asker.token))).toEqual([
      422,
      'only_super',
    ])
    ok(await call(menuKey.setDefault, { ...hidden, mode: 'mask' }))
  })
  it('are tried on a sample: middle 8 of an ID, middle 4 of a phone, what is masked stays', async () => {
    const tried = async (mask_rule: string, sample: string) =>
      ok(await call(menuKey.testMask, { mask_rule, sample })).masked
    expect([
      await tried('id_no', '310101199003078515'),
      await tried('phone', '13812345678'),
      await tried('phone', '138****5678'),
      await tried('bank', '6222----3334'),
    ]).toEqual(['310101********8515', '138****5678', '138****5678', '6222----3334'])
  })
  it('list as many reveals as they count', async () => {
    const look = (days: number) => ({
      admin_name: '某人',
      module: 'system',
      action: 'reveal',
      object_type: 'admin',
      object_id: 1,
      object_label: '某人',
      after: { field: 'admin.email' },
      reason: '核对',
      result: 'ok' as const,
      created_at: unixNow() - days * 86_400,
    })
    await database.db.insert(op_log).values([look(40), look(2), look(0)])
    const rows = ok(await call(menuKey.lst, { pageSize: 100 })).list as {
      key: string
      reveals_30d: number
    }[]
    expect(rows.find(row => row.key === 'admin.email')!.reveals_30d).toBeGreaterThanOrEqual(2)
    for (const row of rows)
      expect([row.key, ok(await call(menuKey.viewReveals, { key: row.key })).total]).toEqual([
        row.key,
        row.reveals_30d,
      ])
  })
  it('name the roles that say otherwise', async () => {
    const made = await newRole([], { field_rules: { 'store.phone': 'hide' } })
    expect(
      ok(await call(menuKey.lst, { keyword: 'store.phone' })).list[0].overrides,
    ).toContainEqual({ role_id: made.id, role: made.name, mode: 'hide' })
  })
})

describe('the merchant’s menu', () => {
  const rowOf = async (redirect: string) =>
    (
      await database.db
        .select()
        .from(menus)
        .where(sql`${menus.side} = 'merchant' and ${menus.redirect} = ${redirect}`)
    )[0]!
  const storeIn = async (city: number) =>
    (
      await database.db.execute<{ id: number }>(
        sql`select id from store where city_id = ${city} and status = 'open' order by id limit 1`,
      )
    ).rows[0]!.id
  const sees = async (store_id: number, as: string, more = {}) =>
    (
      ok(await call(bulksMenu.preview, { store_id, role: as, ...more })).list as {
        redirect: string
      }[]
    ).map(one => one.redirect)

  it('has nodes of its own: none of the console’s is touched through it', async () => {
    const [ops] = await database.db
      .select()
      .from(menus)
      .where(sql`${menus.side} = 'ops' and ${menus.type} = 'page'`)
      .limit(1)
    for (const [of, more] of [
      [bulksMenu.edit, { title: '改' }],
      [bulksMenu.toggleVisible, {}],
      [bulksMenu.del, {}],
    ] as const)
      expect((await call(of, { id: ops!.id, version: ops!.version, ...more })).status).toBe(404)
    expect(
      (ok(await call(bulksMenu.lst)).list as { redirect: string }[]).some(row =>
        row.redirect.startsWith('/manage'),
      ),
    ).toBe(false)
  })
  it('gray release reaches the listed cities and stores only, excludes a full one, and ends in full or nothing', async () => {
    const row = await rowOf('/live/room')
    const [inside, outside] = [await storeIn(1), await storeIn(2)]
    expect(rule(await call(bulksMenu.grayRelease, { id: row.id, version: row.version }))).toEqual([
      422,
      'empty_gray',
    ])
    const gray = ok(
      await call(bulksMenu.grayRelease, { id: row.id, version: row.version, city_ids: [1] }),
    )
    expect([
      (await sees(inside, 'owner')).includes('/live/room'),
      (await sees(outside, 'owner')).includes('/live/room'),
      (await sees(inside, 'cashier')).includes('/live/room'),
    ]).toEqual([true, false, false])
    expect(rule(await call(bulksMenu.toggleVisible, gray))).toEqual([422, 'in_gray'])
    expect((await call(bulksMenu.stopGray, gray)).status).toBe(400)
    const full = ok(await call(bulksMenu.stopGray, { ...gray, to: 'full' }))
    expect((await sees(outside, 'owner')).includes('/live/room')).toBe(true)
    expect(rule(await call(bulksMenu.grayRelease, { ...full, city_ids: [1] }))).toEqual([
      422,
      'released',
    ])
    expect(rule(await call(bulksMenu.stopGray, { ...full, to: 'full' }))).toEqual([
      422,
      'not_in_gray',
    ])
  })
  it('an old app is not sent where it can’t go', async () => {
    const store = await storeIn(1)
    expect((await sees(store, 'owner', { app_version: '2.0.0' })).includes('/marketing/roll')).toBe(
      false,
    )
    expect((await sees(store, 'owner', { app_version: '2.2.0' })).includes('/marketing/roll')).toBe(
      true,
    )
    const row = await rowOf('/marketing/roll')
    expect(
      rule(
        await call(bulksMenu.edit, {
          id: row.id,
          version: row.version,
          title: row.title,
          min_app_version: '2.1.9',
        }),
      ),
    ).toEqual([422, 'version_too_low'])
    const dir = row.parent_id!
    expect(
      rule(await call(bulksMenu.create, { parent_id: dir, title: '未知', redirect: '/nowhere' })),
    ).toEqual([422, 'unknown_route'])
    expect(
      rule(await call(bulksMenu.create, { parent_id: dir, title: '重复', redirect: '/home' })),
    ).toEqual([422, 'path_taken'])
  })
  it('no merchant role is left without a page, and the cashier keeps the redeem page while codes are out', async () => {
    const scan = await rowOf('/verify/scan')
    for (const [of, more] of [
      [bulksMenu.setPackages, { roles: ['owner', 'manager'] }],
      [bulksMenu.toggleVisible, {}],
      [bulksMenu.del, {}],
    ] as const)
      expect(
        rule(await call(of, { id: scan.id, version: scan.version, ...more })),
        of.path,
      ).toEqual([422, 'codes_outstanding'])
    const [dir] = await database.db.select().from(menus).where(eq(menus.id, scan.parent_id!))
    expect(rule(await call(bulksMenu.toggleVisible, at(dir!)))).toEqual([422, 'codes_outstanding'])
    await database.transaction(async tx => {
      await tx.execute(
        sql`update menu set packages = packages - 'finance' where side = 'merchant' and redirect <> '/settle/bill'`,
      )
    })
    const bill = await rowOf('/settle/bill')
    for (const [of, more] of [
      [bulksMenu.setPackages, { roles: ['owner'] }],
      [bulksMenu.toggleVisible, {}],
    ] as const)
      expect(rule(await call(of, { id: bill.id, version: bill.version, ...more }))).toEqual([
        422,
        'role_without_pages',
      ])
  })
  it('a directory with pages is not deleted; a preview outside one’s city finds nothing', async () => {
    const scan = await rowOf('/verify/scan')
    const [dir] = await database.db.select().from(menus).where(eq(menus.id, scan.parent_id!))
    expect(rule(await call(bulksMenu.del, at(dir!)))).toEqual([422, 'has_children'])
    const local = await addStaff(database, {
      perms: ['system.bulksMenu.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    expect(
      (await call(bulksMenu.preview, { store_id: await storeIn(1), role: 'owner' }, local.token))
        .status,
    ).toBe(200)
    expect(
      (await call(bulksMenu.preview, { store_id: await storeIn(2), role: 'owner' }, local.token))
        .status,
    ).toBe(404)
  })
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
