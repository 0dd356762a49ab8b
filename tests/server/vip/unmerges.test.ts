import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { member } from '#src/areas/member/member.table.ts'
import { adjustPoints } from '#src/areas/points/points.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { membersPage as calls } from '#src/modules/vip/contract/index.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
const reason = '合并错了人'
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['vip.*'] })
})
const call = (what: Parameters<typeof send>[1], input: object, as = me) =>
  send(app, what, input, { token: as.token })
const read = async (id: number) =>
  (await database.db.select().from(member).where(eq(member.id, id)))[0]!
const one = async (id: number) => ({ id, version: (await read(id)).version })
/** Two members of which the first, with 700 points, went into the other by the list. */
const merged = async () => {
  const [from, to] = [await freshMember(database), await freshMember(database)]
  await database.transaction(tx =>
    adjustPoints(tx, {
      member_id: from.id,
      biz_no: `TUQ${from.id}`,
      operator_id: me.id,
      delta: 700,
      reason,
      now: unixNow(),
    }),
  )
  const { uid } = await read(from.id)
  const said = await call(calls.merge, {
    ...(await one(from.id)),
    target_member_id: to.id,
    typed_uid: uid,
    reason,
  })
  expect(said.status, said.message).toBe(200)
  return { from: from.id, to: to.id, uid }
}

it('a merge of the list is taken back there, once, by whoever may', async () => {
  const { from, to, uid } = await merged()
  const { list } = (await call(calls.lst, { keyword: uid })).data
  expect(list[0]).toMatchObject({ id: from, merged_at: expect.any(Number) })
  const undo = { ...(await one(from)), reason }
  const merger = await addStaff(database, { perms: ['vip.index.view', 'vip.index.merge'] })
  expect((await call(calls.undoMerge, undo, merger)).status).toBe(403)
  const both = await Promise.all([1, 2].map(() => call(calls.undoMerge, undo)))
  expect(both.filter(said => said.status === 200)).toHaveLength(1)
  expect(await read(from)).toMatchObject({
    account_state: 'normal',
    merged_into: null,
    points: 700,
  })
  expect((await read(to)).points).toBe(0)
  const again = await call(calls.undoMerge, { ...(await one(from)), reason })
  expect([again.status, again.data.rule]).toEqual([422, 'wrong_state'])
})
it('a merge of more than seven days ago stands, and that is said', async () => {
  const { from } = await merged()
  await database.db.execute(
    sql`update member_merge set merged_at = merged_at - ${8 * DAY} where from_id = ${from}`,
  )
  const late = await call(calls.undoMerge, { ...(await one(from)), reason })
  expect([late.status, late.message]).toEqual([422, expect.stringContaining('7 天')])
  expect((await read(from)).account_state).toBe('merged')
})
