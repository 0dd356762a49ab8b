import { and, eq, isNull, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { audit_look, audit_task } from '#src/areas/audit/audit.table.ts'
import { isDrawn } from '#src/areas/audit/audit.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { bulks, look } from '#src/modules/audit/contract.ts'
import { undo } from '#src/modules/undo/contract.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'
import { freshTask } from '../help/trade.ts'

let database: Database
let app: App
type Person = Awaited<ReturnType<typeof addStaff>>
let first: Person
let second: Person
let lead: Person
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  const works = ['audit.bulks.*', 'audit.look.view', 'audit.look.approve', 'audit.look.reject']
  ;[first, second, lead] = [
    await addStaff(database, { perms: works }),
    await addStaff(database, { perms: works }),
    await addStaff(database, { perms: ['audit.*'] }),
  ]
  await database.db.delete(audit_look)
  const { version } = (await send(app, look.figures, {}, { token: lead.token })).data
  expect(
    (
      await send(
        app,
        look.setRates,
        { rates: { bulks: 10_000, card: 0, voucher: 0, product: 0 }, version },
        { token: lead.token },
      )
    ).status,
  ).toBe(200)
})
const decide = async (by: Person, verdict: 'approve' | 'reject' = 'approve') => {
  const task = await freshTask(database, body => ({ ...body, title: `复看样本 ${body.title}` }))
  const one = { id: task.id, version: task.version }
  expect(
    (verdict === 'approve'
      ? await send(app, bulks.approve, one, { token: by.token })
      : await send(
          app,
          bulks.reject,
          { ...one, reason_code: 'image', reason: '图片模糊' },
          { token: by.token },
        )
    ).status,
  ).toBe(200)
  return task
}
const lookOf = async (task_id: number) =>
  (await database.db.select().from(audit_look).where(eq(audit_look.task_id, task_id)))[0]
const take = async (by: Person) => (await send(app, look.take, {}, { token: by.token })).data

describe('a decision that was drawn', () => {
  it('goes to another person, who is told nothing of what was decided', async () => {
    const task = await decide(first, 'reject')
    expect(await lookOf(task.id)).toMatchObject({
      first_by: first.id,
      first_verdict: 'rejected',
      first_codes: ['image'],
      second_by: null,
    })
    expect(await take(first)).toEqual({ look: null, detail: null, left: 0 })
    const taken = await take(second)
    expect(taken.look).toMatchObject({ title: task.title, queue: 'bulks' })
    expect(taken.detail.task).toMatchObject({
      state: 'pending',
      decided_by: null,
      decider_name: null,
      decided_at: null,
      reason_code: null,
      more_codes: [],
      reason: null,
      first_by: null,
    })
    expect([taken.detail.field_marks, taken.detail.viewers, taken.detail.sold.paid]).toEqual([
      {},
      [],
      0,
    ])
    const told = JSON.stringify(taken)
    for (const word of ['"rejected"', '图片模糊', first.account])
      expect(told.includes(word), word).toBe(
        taken.detail.rounds.some((one: object) => JSON.stringify(one).includes(word)),
      )
    expect(taken.detail.rounds.filter((one: { own: boolean }) => one.own)).toEqual([])
    // Open it is mine: nobody else gets it, and asked again it is the same.
    expect([(await take(lead)).look, (await take(second)).look.id]).toEqual([null, taken.look.id])
  })
  it('is judged once, with a reason where it would be rejected; the log says who looked and not what they said', async () => {
    const { look: open } = await take(second)
    expect(
      (
        await send(
          app,
          look.reject,
          { id: open.id, codes: [], note: '图片' },
          { token: second.token },
        )
      ).status,
    ).toBe(400)
    const unknown = await send(
      app,
      look.reject,
      { id: open.id, codes: ['text'], note: '{门店电话} 打不通' },
      { token: second.token },
    )
    expect([unknown.status, unknown.message]).toEqual([
      422,
      expect.stringContaining('没有变量 {门店电话}'),
    ])
    expect((await send(app, look.approve, { id: open.id }, { token: lead.token })).status).toBe(404)
    expect((await send(app, look.approve, { id: open.id }, { token: second.token })).data).toEqual({
      id: open.id,
    })
    expect(
      (
        await send(
          app,
          look.reject,
          { id: open.id, codes: ['text'], note: '夸大' },
          { token: second.token },
        )
      ).data.rule,
    ).toBe('looked_already')
    const [row] = await database.db.select().from(audit_look).where(eq(audit_look.id, open.id))
    expect(row).toMatchObject({ second_by: second.id, second_verdict: 'approved' })
    const [log] = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'audit_task'),
          eq(op_log.object_id, row!.task_id),
          eq(op_log.action, 'audit.look.approve'),
          eq(op_log.result, 'ok'),
        ),
      )
    expect([log!.before, log!.after]).toEqual([null, { looked_by: second.id }])
  })
  it('left open comes back to the others after a while', async () => {
    await decide(first)
    const { look: open } = await take(second)
    await database.db
      .update(audit_look)
      .set({ taken_until: unixNow() - 1 })
      .where(eq(audit_look.id, open.id))
    expect(
      (await send(app, look.approve, { id: open.id }, { token: second.token })).data.rule,
    ).toBe('not_taken')
    expect((await take(lead)).look.id).toBe(open.id)
  })
  it('is no more when the decision is taken back', async () => {
    const task = await decide(first)
    const [kept] = (await send(app, undo.mine, {}, { token: first.token })).data.list
    expect((await send(app, undo.take, { id: kept.id }, { token: first.token })).status).toBe(200)
    expect(await lookOf(task.id)).toBeUndefined()
  })
})

describe('the figures', () => {
  it('tell supervisors who decided how much, how fast, and how often the second person said otherwise; nobody else', async () => {
    await database.db.delete(audit_look).where(isNull(audit_look.second_at))
    const tasks = [await decide(first), await decide(first)]
    await database.db
      .update(audit_task)
      .set({ claimed_at: sql`${audit_task.decided_at} - 40` })
      .where(eq(audit_task.id, tasks[0]!.id))
    for (let n = 0; n < 2; n++) {
      const { look: open } = await take(second)
      await send(
        app,
        n === 0 ? look.approve : look.reject,
        { id: open.id, ...(n > 0 && { codes: ['text', 'price'], note: '用语夸大' }) },
        { token: second.token },
      )
    }
    const { list, differing } = (
      await send(app, look.figures, { queue: 'bulks', days: 7 }, { token: lead.token })
    ).data
    const mine = list.find((one: { admin_id: number }) => one.admin_id === first.id)
    // The rejected one of the first test was approved by the second person.
    expect(mine).toMatchObject({ drawn: 3, looked: 3, differ: 2, differ_bp: 6667 })
    expect(mine.seconds).toBe(40)
    expect(
      differing.find((one: { task_id: number }) => one.task_id === tasks[1]!.id),
    ).toMatchObject({
      first_verdict: 'approved',
      second_verdict: 'rejected',
      second_codes: ['text', 'price'],
      note: '用语夸大',
    })
    for (const peer of [first, second])
      expect((await send(app, look.figures, {}, { token: peer.token })).status).toBe(403)
  })
  it('keep to the reader’s data', async () => {
    const elsewhere = await addStaff(database, {
      perms: ['audit.*'],
      role: { scope_type: 'city', scope_ids: [9999] },
    })
    const { list, differing } = (await send(app, look.figures, {}, { token: elsewhere.token })).data
    expect([list, differing, (await take(elsewhere)).left]).toEqual([[], [], 0])
  })
})

it('the rates are set by one at a time, are logged, and draw nothing at nought', async () => {
  const { version, rates } = (await send(app, look.figures, {}, { token: lead.token })).data
  const next = { ...rates, bulks: 0 }
  expect(
    (await send(app, look.setRates, { rates: next, version: version + 3 }, { token: lead.token }))
      .status,
  ).toBe(409)
  expect(
    (
      await send(
        app,
        look.setRates,
        { rates: { ...next, card: 10_001 }, version },
        { token: lead.token },
      )
    ).status,
  ).toBe(400)
  expect(
    (await send(app, look.setRates, { rates: next, version }, { token: lead.token })).data,
  ).toEqual({ rates: next, version: version + 1 })
  expect(await lookOf((await decide(first)).id)).toBeUndefined()
  const [log] = await database.db
    .select()
    .from(op_log)
    .where(
      and(
        eq(op_log.object_type, 'audit_setting'),
        eq(op_log.action, 'audit.look.setRates'),
        eq(op_log.result, 'ok'),
      ),
    )
    .orderBy(op_log.id)
    .offset(1)
  expect([log!.before, log!.after, log!.fields]).toMatchObject([
    { look_bulks: 10_000 },
    { look_bulks: 0 },
    ['look_bulks'],
  ])
  const [row] = await database.db.select().from(setting).where(eq(setting.key, 'audit'))
  expect((row!.value as { look_bp: object }).look_bp).toEqual(next)
})

it('who is drawn depends on the task’s number alone, evenly, and a higher rate draws all that a lower one did', () => {
  const ids = Array.from({ length: 50_000 }, (_, at) => at + 1)
  for (const bp of [0, 100, 500, 5000, 10_000]) {
    const drawn = ids.filter(id => isDrawn(id, bp))
    expect(Math.abs(drawn.length / ids.length - bp / 10_000)).toBeLessThan(0.004)
    expect(drawn.every(id => isDrawn(id, Math.min(10_000, bp + 300)))).toBe(true)
  }
})
