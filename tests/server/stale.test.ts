import { desc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { banner as banners } from '#src/areas/content/content.table.ts'
import { verifier, warning_rule } from '#src/areas/notice/duty.table.ts'
import { department } from '#src/areas/people/people.table.ts'
import type { Call } from '#src/contract/call.ts'
import { banner } from '#src/modules/system/contract/banner.ts'
import { staff } from '#src/modules/system/contract/staff.ts'
import { verify } from '#src/modules/system/contract/verify.ts'
import { warning } from '#src/modules/system/contract/warning.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'

let database: Database
let app: App
let first: Awaited<ReturnType<typeof addStaff>>
let second: typeof first
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  first = await addStaff(database, { perms: ['*'], staff: { name: '甲主管' } })
  second = await addStaff(database, { perms: ['*'] })
})
const by = (who: typeof first) => (call: Call, input: object) =>
  send(app, call, input, { token: who.token })

describe('of two who edit one row at once the second is told who was first, when, and what stands there now', () => {
  const both = async (
    call: Call,
    one: { id: number; version: number },
    mine: object,
    theirs: object,
  ) => {
    expect((await by(first)(call, { ...one, ...theirs })).status).toBe(200)
    const said = await by(second)(call, { ...one, ...mine })
    expect(said.data).toMatchObject({
      rule: 'stale',
      by: { name: '甲主管', at: expect.any(Number) },
      current: { id: one.id, version: one.version + 1 },
    })
    expect(said.status).toBe(409)
    return said.data.current
  }
  it('an alarm rule', async () => {
    const [rule] = await database.db
      .select()
      .from(warning_rule)
      .where(eq(warning_rule.gone, false))
      .limit(1)
    const { id, version, name: _, ...rest } = rule!
    const body = {
      metric: rest.metric,
      operator: rest.operator,
      threshold: rest.threshold,
      window_s: rest.window_s,
      min_sample: rest.min_sample,
      level: rest.level,
      group_ids: rest.group_ids,
      auto_recover: rest.auto_recover,
      ...rest.scope,
    }
    expect(
      await both(
        warning.edit,
        { id, version },
        { ...body, name: '我的名称' },
        { ...body, name: '他的名称' },
      ),
    ).toMatchObject({ name: '他的名称' })
  })
  it('a member of staff', async () => {
    const [{ id: department_id }] = (await database.db
      .select({ id: department.id })
      .from(department)
      .limit(1)) as [{ id: number }]
    const person = await addStaff(database, { perms: [], staff: { department_id } })
    const [now] = (await by(first)(staff.lst, { keyword: person.account })).data.list
    expect(
      await both(
        staff.edit,
        { id: now.id, version: now.version },
        { name: '我改的', department_id },
        { name: '他改的', department_id },
      ),
    ).toMatchObject({ name: '他改的' })
  })
  it('a clerk of a store', async () => {
    const [one] = await database.db
      .select()
      .from(verifier)
      .where(eq(verifier.status, 'active'))
      .limit(1)
    expect(
      await both(
        verify.edit,
        { id: one!.id, version: one!.version },
        { name: '我改的', kinds: ['bulks'] },
        { name: '他改的', kinds: ['bulks'] },
      ),
    ).toMatchObject({ name: '他改的' })
  })
  it('a banner', async () => {
    const [one] = await database.db
      .select()
      .from(banners)
      .where(eq(banners.status, 'draft'))
      .limit(1)
    const { data } = await by(first)(banner.lst, {
      position: one!.position,
      status: 'draft',
      pageSize: 100,
    })
    const {
      id,
      version,
      position,
      image,
      page_link_id,
      link_params,
      city_ids,
      mid,
      audience,
      start_at,
      end_at,
    } = data.list.find((row: { id: number }) => row.id === one!.id)
    const body = {
      position,
      image,
      page_link_id,
      link_params,
      city_ids,
      mid,
      audience,
      start_at,
      end_at,
    }
    expect(
      await both(
        banner.edit,
        { id, version },
        { ...body, title: '我的标题' },
        { ...body, title: '他的标题' },
      ),
    ).toMatchObject({ title: '他的标题' })
  })
})

it('who comes too late is told how many of the last changes are their own, one after another', async () => {
  const [one] = await database.db
    .select()
    .from(verifier)
    .where(eq(verifier.status, 'active'))
    .orderBy(desc(verifier.id))
    .limit(1)
  let version = one!.version
  const renames = async (who: typeof first, held: number) => {
    const said = await by(who)(verify.edit, {
      id: one!.id,
      version: held,
      name: `店员${version}`,
      kinds: ['bulks'],
    })
    if (said.status === 200) version++
    return said
  }
  const own = async (who: typeof first) => {
    const { status, data } = await renames(who, one!.version)
    expect([status, Object.keys(data.by).filter(key => key === 'lately')]).toEqual([409, []])
    return data.by.own
  }
  await renames(first, version)
  expect([await own(first), await own(second)]).toEqual([1, undefined])
  await renames(second, version)
  await renames(second, version)
  expect([await own(first), await own(second)]).toEqual([undefined, 2])
})

it('the row that a refusal tells of is masked as it is everywhere else', async () => {
  const [one] = await database.db
    .select()
    .from(verifier)
    .where(eq(verifier.status, 'active'))
    .limit(1)
  const [masking, bare] = [
    await addStaff(database, {
      perms: ['system.verify.*'],
      role: { scope_type: 'all', field_rules: { 'admin.phone': 'mask' } },
    }),
    await addStaff(database, {
      perms: ['system.verify.*'],
      role: { scope_type: 'all', field_rules: { 'admin.phone': 'show' } },
    }),
  ]
  const late = (who: typeof first) =>
    by(who)(verify.edit, {
      id: one!.id,
      version: one!.version + 7,
      name: one!.name,
      kinds: ['bulks'],
      phone: one!.phone,
    })
  const [masked, shown] = [await late(masking), await late(bare)]
  expect([masked.status, shown.status]).toEqual([409, 409])
  expect(shown.data.current.phone).toBe(one!.phone)
  expect(masked.data.current.phone).toMatch(/^1\d\d\*{4}\d{4}$/)
})
