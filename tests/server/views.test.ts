import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { admin, department } from '#src/areas/people/people.table.ts'
import { saved_view } from '#src/areas/workbench/view.table.ts'
import { VIEWS_MAX } from '#src/areas/workbench/view.ts'
import type { Call } from '#src/contract/call.ts'
import { views as calls, type View } from '#src/contract/views.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let lead: Person
let mate: Person
let stranger: Person
const PAGE = '/manage/audit/bulks'
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  const [team, other] = await database.db
    .insert(department)
    .values([
      { name: '视图一组', path: '/901/' },
      { name: '视图二组', path: '/902/' },
    ])
    .returning()
  const [below] = await database.db
    .insert(department)
    .values({ name: '视图一组下', path: '/901/903/', parent_id: team!.id })
    .returning()
  const perms = ['audit.bulks.*', 'audit.card.view']
  lead = await addStaff(database, {
    perms: [...perms, 'home.publishView'],
    staff: { department_id: team!.id },
  })
  mate = await addStaff(database, { perms, staff: { department_id: below!.id } })
  stranger = await addStaff(database, { perms, staff: { department_id: other!.id } })
})
const by =
  (who: Person) =>
  (call: Call, input: object = {}) =>
    send(app, call, input, { token: who.token })
let made = 0
const save = async (who: Person, more: object = {}): Promise<View> =>
  (
    await by(who)(calls.save, {
      page: PAGE,
      name: `视图${++made}`,
      search: 'state=pending&from=7d&page=3&view=9',
      look: null,
      ...more,
    })
  ).data
const seen = async (who: Person) => ((await by(who)(calls.lst)).data as View[]).map(one => one.id)
const names = async (who: Person, of: (view: View) => boolean) =>
  ((await by(who)(calls.lst)).data as View[]).filter(of).map(one => one.name)

describe('a view of one’s own', () => {
  it('keeps filters and columns, relative days as such, and neither the page nor which view it was', async () => {
    const look = {
      order: ['id', 'title'],
      shown: ['title'],
      widths: { title: 200 },
      pinned: ['title'],
      dense: true,
    }
    const view = await save(lead, { look })
    expect(view).toMatchObject({
      search: 'from=7d&state=pending',
      look,
      share: 'mine',
      mine: true,
      page: PAGE,
    })
    expect(await seen(lead)).toContain(view.id)
    expect(await seen(mate)).not.toContain(view.id)
  })
  it('has a name that its list has once, said at the field', async () => {
    const view = await save(lead)
    const said = await by(lead)(calls.save, { page: PAGE, name: view.name, search: '', look: null })
    expect([said.status, Object.keys(said.data.fields)]).toEqual([400, ['name']])
    expect(
      (
        await by(lead)(calls.save, {
          page: '/manage/audit/card',
          name: view.name,
          search: '',
          look: null,
        })
      ).status,
    ).toBe(200)
  })
  it('is of a page that one may open, and gone from sight with the right to it', async () => {
    expect(
      (
        await by(mate)(calls.save, {
          page: '/manage/system/staff',
          name: '员工',
          search: '',
          look: null,
        })
      ).status,
    ).toBe(404)
    expect(
      (
        await by(mate)(calls.save, {
          page: '/manage/nowhere',
          name: '没有',
          search: '',
          look: null,
        })
      ).status,
    ).toBe(404)
    const view = await save(lead)
    const poor = await addStaff(database, { perms: [] })
    await database.db
      .update(admin)
      .set({
        department_id: (await database.db.select().from(admin).where(eq(admin.id, lead.id)))[0]!
          .department_id,
      })
      .where(eq(admin.id, poor.id))
    expect(
      (await by(lead)(calls.publish, { id: view.id, version: view.version, share: 'team' })).status,
    ).toBe(200)
    expect(await seen(poor)).not.toContain(view.id)
  })
  it('as the default takes the place of the one before, and is one', async () => {
    const first = await save(mate, { is_default: true })
    const second = await save(mate, { is_default: true })
    expect(await names(mate, one => one.is_default && one.share === 'mine')).toEqual([second.name])
    expect(
      (await by(mate)(calls.edit, { id: first.id, version: first.version + 1, is_default: true }))
        .data.is_default,
    ).toBe(true)
    expect(await names(mate, one => one.is_default && one.share === 'mine')).toEqual([first.name])
  })
  it('is changed by nobody else, and by its owner as it was read', async () => {
    const view = await save(lead)
    expect(
      (await by(stranger)(calls.edit, { id: view.id, version: view.version, name: '抢' })).status,
    ).toBe(404)
    expect(
      (await by(lead)(calls.edit, { id: view.id, version: view.version, name: `改${made}` }))
        .status,
    ).toBe(200)
    const late = await by(lead)(calls.del, { id: view.id, version: view.version })
    expect([late.status, late.data.rule]).toEqual([409, 'stale'])
    expect((await by(lead)(calls.del, { id: view.id, version: view.version + 1 })).status).toBe(200)
    expect(await seen(lead)).not.toContain(view.id)
  })
  it('is one of a hundred at most', async () => {
    const many = await addStaff(database, { perms: ['audit.bulks.view'] })
    await database.db.insert(saved_view).values(
      Array.from({ length: VIEWS_MAX }, (_, n) => ({
        admin_id: many.id,
        page: PAGE,
        name: `满${n}`,
      })),
    )
    expect(
      (await by(many)(calls.save, { page: PAGE, name: '多', search: '', look: null })).data.rule,
    ).toBe('too_many')
  })
})
describe('a view that is published', () => {
  it('to a team is seen by the department and those below it, and changed by who may publish', async () => {
    const view = await save(lead)
    const out = (
      await by(lead)(calls.publish, { id: view.id, version: view.version, share: 'team' })
    ).data as View
    expect(out).toMatchObject({ share: 'team', audience: '视图一组' })
    expect([
      (await seen(mate)).includes(view.id),
      (await seen(stranger)).includes(view.id),
    ]).toEqual([true, false])
    expect(
      (await by(mate)(calls.edit, { id: view.id, version: out.version, name: '改' })).status,
    ).toBe(403)
    const [logged] = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'saved_view'),
          eq(op_log.object_id, view.id),
          eq(op_log.action, 'views.publish'),
        ),
      )
    expect(logged).toMatchObject({ before: { share: 'mine' }, after: { share: 'team' } })
  })
  it('to a role is what its holders begin with, in the place of the one before, and is taken back', async () => {
    const to = async (view: View) =>
      (
        await by(lead)(calls.publish, {
          id: view.id,
          version: view.version,
          share: 'role',
          role_id: stranger.role_id,
          is_default: true,
        })
      ).data as View
    await to(await save(lead))
    const now = await to(await save(lead))
    expect(await names(stranger, one => one.share === 'role' && one.is_default)).toEqual([now.name])
    expect(await seen(mate)).not.toContain(now.id)
    expect(
      (await by(lead)(calls.publish, { id: now.id, version: now.version, share: 'mine' })).status,
    ).toBe(200)
    expect(await seen(stranger)).not.toContain(now.id)
  })
  it('needs the right, a role that is on, and an owner with a department', async () => {
    const view = await save(mate)
    expect(
      (await by(mate)(calls.publish, { id: view.id, version: view.version, share: 'team' })).status,
    ).toBe(403)
    const mine = await save(lead)
    expect(
      Object.keys(
        (await by(lead)(calls.publish, { id: mine.id, version: mine.version, share: 'role' })).data
          .fields,
      ),
    ).toEqual(['role_id'])
    const alone = await addStaff(database, { perms: ['audit.bulks.view', 'home.publishView'] })
    const his = await save(alone)
    expect(
      (await by(alone)(calls.publish, { id: his.id, version: his.version, share: 'team' })).data
        .rule,
    ).toBe('no_department')
  })
})
