import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { admin, role as roles } from '#src/areas/people/people.table.ts'
import { queues } from '#src/modules/audit/contract.ts'
import { role } from '#src/modules/system/contract/role.ts'
import { staff } from '#src/modules/system/contract/staff.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { without } from '../../help/unguarded.ts'

onlyOn('postgres')('people at the same moment', () => {
  let database: Database
  let app: App
  let top: number
  beforeAll(async () => {
    database = await openCopy({ poolSize: 20 })
    app = await openApp(database)
    top = (await database.db.select().from(roles).where(eq(roles.code, 'super_admin')))[0]!.id
  })
  const supers = async () =>
    (
      await database.db.execute<{ id: number }>(
        sql`select id from admin where status = 'active' and role_ids @> to_jsonb(${top}::int)`,
      )
    ).rows.map(row => row.id)
  /**
   * Exactly two super administrators, and two others who have all their rights and could remove
   * either.
   */
  const two = async () => {
    await database.db.execute(
      sql`update admin set role_ids = role_ids - (select (o - 1)::int from jsonb_array_elements(role_ids) with ordinality e(v, o) where v = to_jsonb(${top}::int) limit 1) where role_ids @> to_jsonb(${top}::int)`,
    )
    const make = async () => addStaff(database, { staff: { role_ids: [top] } })
    const other = async () =>
      addStaff(database, {
        perms: ['*'],
        role: { scope_type: 'all', refund_limit_cents: 1_000_000_00 },
      })
    return { a: await make(), b: await make(), x: await other(), y: await other() }
  }
  it('two removals of the last two super administrators: one is refused, one remains', async () => {
    for (let round = 0; round < 5; round++) {
      const { a, b, x, y } = await two()
      const done = await Promise.all([
        send(app, staff.disable, { id: a.id, version: 0, reason: '同时' }, { token: x.token }),
        send(app, role.removeMember, { id: top, admin_id: b.id }, { token: y.token }),
      ])
      expect(
        done.map(one => one.status).sort(),
        JSON.stringify(done.map(one => one.message)),
      ).toEqual([200, 422])
      expect(done.find(one => one.status === 422)!.data.rule).toBe('last_super')
      expect(await supers()).toHaveLength(1)
    }
  })
  it('each removing the other: never both', async () => {
    for (let round = 0; round < 5; round++) {
      const { a, b } = await two()
      const done = await Promise.all([
        send(app, staff.disable, { id: b.id, version: 0, reason: '同时' }, { token: a.token }),
        send(app, staff.disable, { id: a.id, version: 0, reason: '同时' }, { token: b.token }),
      ])
      expect(done.filter(one => one.status === 200)).toHaveLength(1)
      expect(await supers()).toHaveLength(1)
    }
  })
  it('RED TWIN: without the lock both removals go through', async () => {
    const { a, b, x, y } = await two()
    await without(
      /select pg_advisory_xact_lock\((\$\d+)\)$/,
      (_, key) => `select ${key}::int`,
      async () => {
        await Promise.all([
          send(app, staff.disable, { id: a.id, version: 0, reason: '同时' }, { token: x.token }),
          send(app, role.removeMember, { id: top, admin_id: b.id }, { token: y.token }),
        ])
      },
      /^select 1 from admin a join role r/,
    )
    expect(await supers()).toEqual([])
    await database.db.update(admin).set({ status: 'active' }).where(eq(admin.id, a.id))
  })
  it('two who save a role’s rights from the same version: one wins, the other gets both differences', async () => {
    const [made] = await database.db
      .insert(roles)
      .values({
        name: `并发${Date.now()}`,
        code: `race${Date.now()}`,
        perms: ['audit.bulks.view'],
        scope_type: 'all',
      })
      .returning()
    const { x, y } = await two()
    const done = await Promise.all(
      [
        [x, 'audit.card.view'],
        [y, 'audit.voucher.view'],
      ].map(([who, perm]) =>
        send(
          app,
          role.setPerms,
          { id: made!.id, version: 0, base: ['audit.bulks.view'], perms: [perm] },
          { token: (who as { token: string }).token },
        ),
      ),
    )
    expect(done.map(one => one.status).sort()).toEqual([200, 409])
    const [won, lost] = [
      done.find(one => one.status === 200)!,
      done.find(one => one.status === 409)!,
    ]
    expect(lost.data.current.perms).toEqual(won.data.added)
  })
  it('a right taken away while its holder writes: what is committed after it was not allowed', async () => {
    const holder = await addStaff(database, { perms: ['audit.bulks.claimNext'] })
    const { x } = await two()
    const [saved] = await Promise.all([
      send(app, role.setPerms, { id: holder.role_id, version: 0, perms: [] }, { token: x.token }),
      ...Array.from({ length: 8 }, () =>
        send(app, queues.bulks.claimNext, {}, { token: holder.token }),
      ),
    ])
    expect(saved.status).toBe(200)
    expect((await send(app, queues.bulks.claimNext, {}, { token: holder.token })).status).toBe(403)
  })
})
