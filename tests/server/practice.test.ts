import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { madeFor } from '#src/areas/audit/practice.server.ts'
import { practiceFaults } from '#src/areas/audit/practice.ts'
import { demoRoles } from '#src/areas/people/roles.demo.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { bulks } from '#src/modules/audit/contract.ts'
import { practice as calls } from '#src/modules/practice/contract.ts'
import { checker } from '#src/server/call/permissions.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
})
const fresh = () =>
  addStaff(database, { perms: ['audit.practice.view', 'audit.bulks.view', 'audit.bulks.approve'] })
const by =
  (who: Person) =>
  async (call: Call, input: object = {}) =>
    send(app, call, input, { token: who.token })
const mine = async (who: Person) => (await by(who)(calls.mine)).data
const titles = async (who: Person, state = 'open') =>
  ((await by(who)(calls.lst, { state })).data.list as { id: number; title: string }[]).map(
    one => one.title,
  )
/** Decides one as its fault wants it, or the other way round. */
const decide = (
  who: Person,
  id: number,
  {
    right = true,
    round = 1,
    ...more
  }: { right?: boolean; round?: number; seconds?: number; by?: 'keys' | 'mouse' } = {},
) => {
  const of = practiceFaults[madeFor(who.id, round, unixNow())[id - 1]!.fault]
  const wrong = of.right.includes('approve') ? 'reject' : 'approve'
  const verdict = right ? of.right[0]! : wrong
  return by(who)(calls.decide, {
    round,
    id,
    verdict,
    codes: verdict === 'reject' ? [right ? of.codes![0]! : 'other'] : [],
    seconds: 10,
    by: 'keys',
    ...more,
  })
}
/** All that a decision in a real queue would have left behind. */
const traces = async () => {
  const counted = await Promise.all(
    [
      'audit_task',
      'audit_look',
      'op_log',
      'undo_entry',
      'product_version',
      'product',
      'idempotency',
    ].map(async name => {
      const { rows } = await database.db.execute<{ n: string }>(
        sql`select count(*) || ' ' || md5(coalesce(string_agg(t::text, '' order by t::text), '')) n from ${sql.identifier(name)} t`,
      )
      return [name, rows[0]!.n]
    }),
  )
  return Object.fromEntries(counted)
}

describe('practising', () => {
  it('begins with eight that wait, and a score of nothing', async () => {
    const who = await fresh()
    expect((await titles(who)).length).toBe(8)
    expect(await mine(who)).toMatchObject({
      round: 1,
      size: 8,
      decided: 0,
      right: 0,
      lessons: [],
      decided_real: false,
      rounds_done: 0,
    })
    expect((await by(who)(calls.counts)).data).toMatchObject({ open: 8, mine: 0, approved: 0 })
  })
  it('says of each decision whether it was right, and keeps it for that person on the server', async () => {
    const [who, other] = [await fresh(), await fresh()]
    const said = (await decide(who, 3)).data
    expect(said).toMatchObject({ id: 3, right: true, first: true, tries: 1 })
    expect((await decide(who, 4, { right: false })).data).toMatchObject({
      id: 4,
      right: false,
      first: false,
    })
    expect(await mine(who)).toMatchObject({
      decided: 2,
      right: 1,
      last: 4,
      seconds_each: 10,
      by_keys: 2,
      lessons: [{ id: 3 }, { id: 4, right: false }],
    })
    expect(await mine(other)).toMatchObject({ decided: 0 })
    expect(await titles(who)).not.toContain(said.title)
    expect((await by(who)(calls.detail, { id: 3 })).data.task.state).not.toBe('pending')
  })
  it('leaves nothing where real decisions stand: no task, log, count, undo or product changes, whatever is sent', async () => {
    const who = await fresh()
    const {
      rows: [task],
    } = await database.db.execute<{ id: number; version: number }>(
      sql`select id, version from audit_task where queue = 'bulks' and state = 'pending' order by id desc limit 1`,
    )
    const [before, counts] = [await traces(), (await by(who)(bulks.counts)).data]
    for (const id of [1, 2, 3]) await decide(who, id)
    await by(who)(calls.claimNext, { n: 3 })
    await by(who)(calls.takeBack, { round: 1 })
    // The number of a real task is the number of nothing here.
    expect(
      (
        await by(who)(calls.decide, {
          round: 1,
          id: task!.id + 100,
          verdict: 'approve',
          seconds: 1,
          by: 'keys',
        })
      ).status,
    ).toBe(400)
    expect((await by(who)(calls.detail, { id: task!.id + 100 })).status).toBe(404)
    expect(await traces()).toEqual(before)
    expect((await by(who)(bulks.counts)).data).toEqual(counts)
  })
  it('takes the last decision back; the first one stays the one that counts', async () => {
    const who = await fresh()
    await decide(who, 1, { right: false })
    expect((await by(who)(calls.takeBack, { round: 1 })).data).toEqual({ id: 1 })
    expect((await titles(who)).length).toBe(8)
    expect((await decide(who, 1)).data).toMatchObject({ right: true, first: false, tries: 2 })
    expect(await mine(who)).toMatchObject({ decided: 1, right: 0, seconds_each: 20 })
    expect((await by(await fresh())(calls.takeBack, { round: 1 })).data.rule).toBe('nothing')
  })
  it('claims as the queue does: for a time, and the next one that waits', async () => {
    const who = await fresh()
    await by(who)(calls.claim, { round: 1, id: 1 })
    const { tasks } = (await by(who)(calls.claimNext, { n: 1 })).data
    expect(tasks).toMatchObject([{ id: 2, state: 'claimed', claimed_by: who.id }])
    expect((await titles(who, 'mine')).length).toBe(2)
    expect(
      (await by(who)(calls.lst, { keyword: tasks[0].title })).data.list.map(
        (one: { id: number }) => one.id,
      ),
    ).toContain(2)
  })
  it('ends with a score, and then there is another round', async () => {
    const who = await fresh()
    expect((await by(who)(calls.next, { round: 1 })).data.rule).toBe('unfinished')
    for (let id = 1; id <= 8; id++)
      await decide(who, id, { right: id > 2, by: id === 1 ? 'mouse' : 'keys' })
    expect(await mine(who)).toMatchObject({
      decided: 8,
      right: 6,
      best: 6,
      by_keys: 7,
      rounds_done: 1,
      decided_real: false,
    })
    expect((await by(who)(calls.next, { round: 1 })).data).toEqual({ round: 2 })
    expect(await mine(who)).toMatchObject({ round: 2, decided: 0, best: 6, rounds_done: 1 })
    expect((await decide(who, 1, { round: 1 })).data.rule).toBe('other_round')
  })
  it('of two tabs decides one', async () => {
    const who = await fresh()
    const said = await Promise.all([decide(who, 5), decide(who, 5, { right: false })])
    expect(said.map(one => one.status).sort()).toEqual([200, 409])
    expect(await mine(who)).toMatchObject({ decided: 1 })
  })
  it('wants a reason for a rejection, said at its field', async () => {
    expect(
      (
        await by(await fresh())(calls.decide, {
          round: 1,
          id: 1,
          verdict: 'reject',
          seconds: 1,
          by: 'keys',
        })
      ).data.fields,
    ).toEqual({ codes: '请选择驳回原因' })
  })
  it('is open to whoever has any right in auditing, and to nobody else', async () => {
    for (const role of demoRoles)
      expect([role.code, checker(role.perms)('audit.practice.view')]).toEqual([
        role.code,
        role.perms.some(perm => perm === '*' || perm.startsWith('audit.')),
      ])
    expect(
      (await by(await addStaff(database, { perms: ['order.bulks.view'] }))(calls.lst)).status,
    ).toBe(403)
  })
  it('knows who has decided a real task', async () => {
    const who = await fresh()
    await database.db.execute(
      sql`update audit_task set decided_by = ${who.id} where id = (select min(id) from audit_task where decided_by is not null)`,
    )
    expect((await mine(who)).decided_real).toBe(true)
  })
})
