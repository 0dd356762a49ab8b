import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { role_habit } from '#src/areas/people/people.table.ts'
import { HALF_LIFE_S } from '#src/areas/workbench/frecency.ts'
import { unixNow } from '#src/domain/time.ts'
import { session } from '#src/modules/session/contract.ts'
import sessionModule from '#src/modules/session/server/session.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { modules: [sessionModule] })
})
type Person = Awaited<ReturnType<typeof addStaff>>
const queue = '/manage/audit/bulks'
const tell = (of: Person, used: { page: string; command: string; n: number }[], admin_id = of.id) =>
  send(app, session.noteHabits, { admin_id, used }, { token: of.token })
const seenBy = async (of: Person) =>
  (await send(app, session.habits, {}, { token: of.token })).data.list as {
    page: string
    command: string
    score: number
    at: number
  }[]
const colleague = async (of: Person) => addStaff(database, { staff: { role_ids: [of.role_id] } })

test('new staff see what the people of their roles use, and of other roles nothing', async () => {
  const one = await addStaff(database)
  const [same, other] = [await colleague(one), await addStaff(database)]
  await tell(one, [
    { page: queue, command: 'audit.bulks.approve', n: 3 },
    { page: queue, command: '/manage/audit/card', n: 1 },
    { page: queue, command: 'audit.bulks.approve', n: 1 },
  ])
  await tell(same, [{ page: queue, command: 'audit.bulks.approve', n: 2 }])
  await tell(other, [{ page: queue, command: 'audit.bulks.reject', n: 9 }])
  expect(
    (await seenBy(await colleague(one))).map(({ command, score }) => [command, Math.round(score)]),
  ).toEqual([
    ['audit.bulks.approve', 6],
    ['/manage/audit/card', 1],
  ])
  expect((await seenBy(other)).map(({ command }) => command)).toEqual(['audit.bulks.reject'])
  expect(
    await seenBy(await addStaff(database, { role: { status: 'off' } }).then(colleague)),
  ).toEqual([])
})
test('it counts half as much after a week, and what hardly counts any more is gone with the next count', async () => {
  const one = await addStaff(database)
  await tell(one, [
    { page: queue, command: 'audit.bulks.approve', n: 8 },
    { page: queue, command: 'audit.bulks.claim', n: 1 },
  ])
  await database.db
    .update(role_habit)
    .set({ used_at: unixNow() - HALF_LIFE_S })
    .where(eq(role_habit.role_id, one.role_id))
  expect((await seenBy(one)).map(({ score }) => score)).toEqual([
    expect.closeTo(4, 2),
    expect.closeTo(0.5, 2),
  ])
  await database.db
    .update(role_habit)
    .set({ used_at: unixNow() - 7 * HALF_LIFE_S })
    .where(eq(role_habit.role_id, one.role_id))
  await tell(one, [{ page: queue, command: 'audit.bulks.approve', n: 1 }])
  expect(
    (await database.db.select().from(role_habit).where(eq(role_habit.role_id, one.role_id))).map(
      ({ command, score }) => [command, score],
    ),
  ).toEqual([['audit.bulks.approve', expect.closeTo(1 + 8 / 128, 2)]])
})
test('twenty colleagues at once lose no count', async () => {
  const one = await addStaff(database)
  const people = await Promise.all(Array.from({ length: 20 }, () => colleague(one)))
  const names = ['audit.bulks.approve', 'audit.bulks.claim', '/manage/audit/card']
  const said = await Promise.all(
    people.map((person, i) =>
      tell(
        person,
        [0, 1, 2].map(n => ({ page: queue, command: names[(i + n) % 3]!, n: 2 })),
      ),
    ),
  )
  expect(said.map(({ status }) => status)).toEqual(people.map(() => 200))
  expect((await seenBy(one)).map(({ score }) => Math.round(score))).toEqual([40, 40, 40])
})
test('rubbish is refused at its field, another’s count is not taken, and nothing of who did what is kept', async () => {
  const [one, other] = [await addStaff(database), await addStaff(database)]
  for (const used of [
    [],
    [{ page: queue, command: '订单 手机号', n: 1 }],
    [{ page: queue, command: 'a', n: 0 }],
    [{ page: 'a b', command: 'a', n: 1 }],
    Array.from({ length: 201 }, () => ({ page: queue, command: 'a', n: 1 })),
  ])
    expect((await tell(one, used)).status).toBe(400)
  expect(await tell(other, [{ page: queue, command: 'a', n: 1 }], one.id)).toMatchObject({
    status: 422,
    data: { rule: 'other_account' },
  })
  expect(Object.keys(role_habit).filter(name => /admin|staff|by/.test(name))).toEqual([])
})
