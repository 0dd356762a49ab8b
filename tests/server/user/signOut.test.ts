import { desc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { user_log } from '#src/areas/userLog/userLog.table.ts'
import { accountsPage as calls } from '#src/modules/user/contract/list.ts'
import { memberApp } from '#src/modules/vip/contract/app.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { openMiniProgram } from '../../help/miniProgram.ts'

let database: Database
let phone: Awaited<ReturnType<typeof openMiniProgram>>
/** Another process than the one that gives tickets: staff are served by it. */
let desk: App
let boss: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  phone = await openMiniProgram(database)
  desk = await openApp(database)
  boss = await addStaff(database, { perms: ['user.*'] })
}, 120_000)
const call = (what: Parameters<typeof send>[1], input: object, token = boss.token) =>
  send(desk, what, input, { token })
const one = async (id: number) => {
  const [row] = await database.db.select().from(member).where(eq(member.id, id))
  return { id, version: row!.version }
}
const reason = '会员电话报失手机'
/** Whether a ticket is taken; nothing is changed by it. */
const isTaken = async (ticket: string, app = phone.app): Promise<boolean> => {
  const said = await send(app, memberApp.saveProfile, { ticket })
  expect(said.status, said.message).toBe(200)
  return said.data!['state'] !== 'none'
}

describe('signing a member out', () => {
  it('ends every ticket at once, in every process, and only that member’s', async () => {
    const [{ id }, { id: other }] = [await freshMember(database), await freshMember(database)]
    const tickets = [await phone.enter(id), await phone.enter(id)]
    const others = await phone.enter(other)
    for (const ticket of [...tickets, others]) expect(await isTaken(ticket)).toBe(true)
    const said = await call(calls.forceLogout, { ...(await one(id)), reason })
    expect(said.status, said.message).toBe(200)
    for (const ticket of tickets) {
      expect(await isTaken(ticket)).toBe(false)
      expect(await isTaken(ticket, desk)).toBe(false)
    }
    expect(await isTaken(others)).toBe(true)
    // The account is not shut: the next opening of the mini-program gets a ticket that holds.
    expect(await isTaken(await phone.enter(id))).toBe(true)
  })
  it('is done once by what was seen, and told in both logs', async () => {
    const { id } = await freshMember(database)
    const seen = { ...(await one(id)), reason }
    const said = await Promise.all([call(calls.forceLogout, seen), call(calls.forceLogout, seen)])
    expect(said.map(answer => answer.status).toSorted()).toEqual([200, 409])
    const [row] = await database.db.select().from(member).where(eq(member.id, id))
    expect(row!.ticket_epoch).toBe(1)
    const logged = await database.db
      .select()
      .from(op_log)
      .where(eq(op_log.object_id, id))
      .orderBy(desc(op_log.id))
    const done = logged.filter(line => line.object_type === 'member' && line.result === 'ok')
    expect(done).toHaveLength(1)
    expect(done[0]).toMatchObject({ reason, after: { signed_out: true } })
    const deeds = await database.db.select().from(user_log).where(eq(user_log.member_id, id))
    expect(deeds.filter(deed => deed.kind === 'logout')).toHaveLength(1)
  })
  it('is refused for an account that is banned or over, and without the right', async () => {
    const { id } = await freshMember(database)
    for (const account_state of ['banned', 'canceled'] as const) {
      await database.db.update(member).set({ account_state }).where(eq(member.id, id))
      const said = await call(calls.forceLogout, { ...(await one(id)), reason })
      expect([said.status, said.data?.rule]).toEqual([422, 'wrong_state'])
    }
    const reader = await addStaff(database, { perms: ['user.list.view'] })
    const said = await call(calls.forceLogout, { ...(await one(id)), reason }, reader.token)
    expect(said.status).toBe(403)
  })
  it('comes with unbinding WeChat', async () => {
    const { id } = await freshMember(database)
    const ticket = await phone.enter(id)
    const said = await call(calls.unbindWechat, { ...(await one(id)), reason })
    expect(said.status, said.message).toBe(200)
    expect(await isTaken(ticket)).toBe(false)
  })
  it('leaves no ticket that was written by somebody else', async () => {
    const { id } = await freshMember(database)
    const ticket = await phone.enter(id)
    const [who, until, epoch, signed] = ticket.split('.') as [string, string, string, string]
    for (const forged of [
      [who, until, '1', signed],
      [(id + 1).toString(36), until, epoch, signed],
      [who, `z${until.slice(1)}`, epoch, signed],
      [who, until, signed],
      [who, until, 'zzzzzz', signed],
    ])
      expect(await isTaken(forged.join('.'))).toBe(false)
  })
})
