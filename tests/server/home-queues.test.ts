import { eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { audit_look, audit_task } from '#src/areas/audit/audit.table.ts'
import { DAY, HOUR, dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import { queues } from '#src/modules/audit/contract.ts'
import { home } from '#src/modules/home/contract.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'
import { freshTask } from '../help/trade.ts'

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
})
/** How many rows the queue at an address has. */
const totalAt = async (target: string, token: string): Promise<number> => {
  const url = new URL(target, 'http://x')
  const queue = url.pathname.split('/').at(-1) as keyof typeof queues
  return (await send(app, queues[queue].lst, { state: url.searchParams.get('state') }, { token }))
    .data.total
}

describe('my queue', () => {
  const works = ['audit.bulks.*', 'audit.card.view']
  it('has what I hold and what is free, the soonest first, and each count is that of its list', async () => {
    const one = await addStaff(database, { perms: works })
    const task = await freshTask(database)
    await database.db.update(audit_task).set({ sla_at: 1 }).where(eq(audit_task.id, task.id))
    const before = (await send(app, home.mine, {}, { token: one.token })).data
    expect(before.queues.map((each: { queue: string }) => each.queue)).toEqual(['bulks'])
    expect(before.queues[0]).toMatchObject({ mine: 0 })
    expect(before.queues[0].free).toBeGreaterThan(0)
    expect(before.soonest[0]).toMatchObject({ id: task.id, mine: false })
    await send(app, queues.bulks.claim, { id: task.id }, { token: one.token })
    const after = (await send(app, home.mine, {}, { token: one.token })).data
    expect(after.queues[0].mine).toBe(1)
    expect(await totalAt(after.queues[0].target, one.token)).toBe(1)
    expect(after.queues[0].free).toBe(before.queues[0].free - 1)
    expect(after.soonest[0]).toMatchObject({
      id: task.id,
      mine: true,
      target: '/manage/audit/bulks?state=mine',
    })
  })
  it('tells my pace beside what is usual for me', async () => {
    const one = await addStaff(database, { perms: works })
    const now = unixNow()
    const decided = async (decided_at: number, seconds: number) => {
      const task = await freshTask(database)
      await database.db
        .update(audit_task)
        .set({
          state: 'rejected',
          decided_by: one.id,
          decided_at,
          claimed_at: decided_at - seconds,
        })
        .where(eq(audit_task.id, task.id))
    }
    await decided(now, 20)
    for (const days of [1, 3])
      for (const seconds of [60, 100]) await decided(now - days * DAY, seconds)
    const { pace } = (await send(app, home.mine, {}, { token: one.token })).data
    expect(pace).toMatchObject({
      decided: 1,
      usual_decided: 2,
      seconds_each: 20,
      usual_seconds_each: 80,
      days: 2,
    })
    expect(pace.today.at(-1)).toBe(1)
    expect(pace.usual[Math.floor((now - dayStart(now)) / HOUR)]).toBe(2)
  })
  it('is empty for whoever may claim nothing, and shows no title of another city', async () => {
    const none = await addStaff(database, { perms: ['audit.bulks.view'] })
    expect((await send(app, home.mine, {}, { token: none.token })).data).toEqual({
      queues: [],
      soonest: [],
      pace: null,
    })
    const there = await addStaff(database, {
      perms: works,
      role: { scope_type: 'city', scope_ids: [2] },
    })
    const { soonest } = (await send(app, home.mine, {}, { token: there.token })).data
    const cities = await database.db
      .select({ city_id: audit_task.city_id })
      .from(audit_task)
      .where(
        inArray(
          audit_task.id,
          soonest.map((each: { id: number }) => each.id),
        ),
      )
    expect(cities.every(row => row.city_id === 2)).toBe(true)
  })
})

describe('supervision', () => {
  it('counts today’s decisions, what waits and the second looks of the queues one may see', async () => {
    const lead = await addStaff(database, { perms: ['audit.bulks.*', 'audit.look.*'] })
    const of = async () => (await send(app, home.supervision, {}, { token: lead.token })).data
    const before = await of()
    const now = unixNow()
    const [passed, refused, late] = [
      await freshTask(database),
      await freshTask(database),
      await freshTask(database),
    ]
    for (const [task, state] of [
      [passed, 'approved'],
      [refused, 'rejected'],
    ] as const)
      await database.db
        .update(audit_task)
        .set({ state, decided_by: lead.id, decided_at: now })
        .where(eq(audit_task.id, task.id))
    await database.db
      .update(audit_task)
      .set({ sla_at: now - 60 })
      .where(eq(audit_task.id, late.id))
    await database.db.insert(audit_look).values({
      task_id: refused.id,
      queue: 'bulks',
      first_by: lead.id,
      first_verdict: 'rejected',
      first_codes: [],
      first_at: now,
      second_verdict: 'approved',
      second_at: now,
    })
    const after = await of()
    const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
    expect(sum(after.decided.approved)).toBe(sum(before.decided.approved) + 1)
    expect(sum(after.decided.rejected)).toBe(sum(before.decided.rejected) + 1)
    expect(after.ageing.map((each: { queue: string }) => each.queue)).toEqual(['bulks'])
    expect(after.ageing[0].late).toBe(before.ageing[0].late + 1)
    const { late: n, soon, today, later, target } = after.ageing[0]
    expect(n + soon + today + later).toBe(await totalAt(target, lead.token))
    expect(after.looks.at(-1)).toEqual({
      date: dateOf(now),
      looked: before.looks.at(-1).looked + 1,
      differ: before.looks.at(-1).differ + 1,
    })
    expect(after.differ_bp).toBeGreaterThan(0)
  })
  it('is for whoever may see the figures of second looks', async () => {
    const one = await addStaff(database, { perms: ['audit.bulks.*'] })
    expect((await send(app, home.supervision, {}, { token: one.token })).status).toBe(403)
  })
})
