import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { auditQueues, rejectCodes } from '#src/domain/audit.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { actOnce, startSimulator } from '#src/server/demo/simulate.ts'
import { randomFrom } from '#src/server/demo/random.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { judge } from '#src/server/services/submission.ts'
import { flagsOf } from '#src/domain/audit.ts'
import { verifyPassword } from '#src/server/passwords.ts'
import { audit_task } from '#src/server/tables/audit.ts'
import { order, order_code } from '#src/server/tables/order.ts'
import { admin } from '#src/server/tables/people.ts'
import { openCopy } from '../farm.ts'
import { broken } from '../help/invariants.ts'

let database: Database
beforeAll(async () => { database = await openCopy() })
const one = async <T>(query: ReturnType<typeof sql>): Promise<T> => Object.values((await database.db.execute(query)).rows[0]!)[0] as T
const none = async (what: string, query: ReturnType<typeof sql>) => expect([what, (await database.db.execute(query)).rows.slice(0, 3)]).toEqual([what, []])

/** What must hold at any time, as queries that answer nothing. */
const invariants = async () => {
  expect(await broken(database)).toEqual({})
  await none('one live version', sql`select p.id from product p left join product_version v on v.product_id = p.id and v.state = 'live' group by p.id having count(v.id) <> (case when p.live_version > 0 then 1 else 0 end) or (p.live_version > 0 and max(v.no) <> p.live_version)`)
  await none('open tasks stand on a version in audit', sql`select t.id from audit_task t join product_version v on v.product_id = t.product_id and v.no = t.product_version where t.state in ('pending', 'claimed', 'second_audit', 'need_more') and v.state <> 'auditing'`)
  await none('a product in audit has a task', sql`select p.id from product p where p.state = 'auditing' and not exists (select 1 from audit_task t where t.product_id = p.id and t.state in ('pending', 'claimed', 'second_audit', 'need_more'))`)
  await none('nobody decides their own, nor twice', sql`select id from audit_task where decided_by = submitted_by or second_by = first_by`)
  await none('stock covers what is held', sql`select id from product where stock < held`)
}

describe('the demo data', () => {
  it('has every state, enough to work through, and all reject codes', async () => {
    expect(await one(sql`select count(*)::int from admin`)).toBe(64)
    expect(await one(sql`select count(*)::int from role`)).toBe(11)
    expect(await one(sql`select count(*)::int from department`)).toBe(22)
    expect(await one(sql`select count(*)::int from city`)).toBe(9)
    expect(await one(sql`select count(*)::int from mall`)).toBe(32)
    expect(await one(sql`select count(*)::int from audit_task where queue = 'bulks' and is_open and not flagged`)).toBeGreaterThanOrEqual(20)
    for (const queue of auditQueues) expect([queue, await one(sql`select count(*)::int from audit_task where queue = ${queue} and is_open`)]).toEqual([queue, expect.any(Number)])
    const states = (await database.db.execute<{ state: string }>(sql`select distinct state from audit_task`)).rows.map(row => row.state).sort()
    expect(states).toEqual(['approved', 'claimed', 'need_more', 'pending', 'rejected', 'second_audit', 'withdrawn'])
    expect(await one(sql`select count(distinct reason_code)::int from audit_task where state = 'rejected'`)).toBe(Object.keys(rejectCodes).length)
    expect(await one(sql`select count(*)::int from audit_task where is_open and sla_at < ${unixNow()}`)).toBeGreaterThanOrEqual(8)
    expect(await one(sql`select count(distinct status)::int from "order"`)).toBe(14)
    expect(await one(sql`select count(distinct kind)::int from "order"`)).toBe(11)
  })
  it('keeps every invariant', invariants)
  it('flags what the rules find when the server itself reads the facts', async () => {
    for (const task of await database.db.select().from(audit_task).where(and(eq(audit_task.is_open, true), sql`not flags @> '["duplicate"]'`))) {
      const { found } = await judge(database.db, task, task.snapshot, task.submitted_at)
      expect([task.id, task.title, flagsOf(found).filter(rule => rule !== 'duplicate').sort()]).toEqual([task.id, task.title, [...task.flags].sort()])
    }
  })
  it('lets the accounts shown in and nobody else', async () => {
    const people = await database.db.select().from(admin)
    for (const account of ['admin', 'auditor', 'supervisor', 'service', 'newcomer']) expect(await verifyPassword(people.find(person => person.account === account)!.password_hash, 'Mallet#2026')).toBe(true)
    expect(new Set(people.map(person => person.password_hash)).size).toBe(64)
    expect(await verifyPassword(people.find(person => person.account === 'auditor01')!.password_hash, 'Mallet#2026')).toBe(false)
  })
})

describe('the simulator', () => {
  it('moves queues and orders, says so, and breaks nothing', async () => {
    const heard: string[] = []
    const events = { announce: async () => {}, emit: ({ tags }: { tags: readonly string[] }) => void heard.push(...tags) }
    const random = randomFrom(3)
    const did: Record<string, number> = {}
    for (const name of ['edit', 'offerNew', 'takeBack', 'buy', 'buy', 'buy', 'fillCart', 'teamUp', 'review', 'useCode', 'giveBack', 'answerAsk'] as const) for (let turn = 0; turn < 3; turn++) if (await actOnce({ database, events }, random, name)) did[name] = (did[name] ?? 0) + 1
    // Whether something waits to be reviewed depends on what came lately.
    expect(Object.keys(did).filter(name => name !== 'review').sort()).toEqual(['answerAsk', 'buy', 'edit', 'fillCart', 'giveBack', 'offerNew', 'takeBack', 'teamUp', 'useCode'])
    await database.db.update(order).set({ expire_pay_at: 1 }).where(eq(order.pay_state, 'unpaid'))
    expect(await actOnce({ database, events }, random, 'timeOut')).toBe('timeOut')
    expect(new Set(heard)).toEqual(new Set(['audit', 'product', 'order']))
    await invariants()
    expect(await one(sql`select count(*)::int from order_code c join "order" o on o.id = c.order_id where o.frozen and c.updated_at > ${unixNow() - 60} and c.state = 'used' and exists (select 1 from verify_record v where v.code_id = c.id and v.verified_at > ${unixNow() - 60})`)).toBe(0)
  })
  it('stops when told, after the act under way', async () => {
    const before = await one<number>(sql`select count(*)::int from "order"`) + await one<number>(sql`select count(*)::int from audit_task`)
    const stop = startSimulator({ database, events: { announce: async () => {}, emit: () => {} }, everyMs: 10, seed: 5 })
    await new Promise(resolve => setTimeout(resolve, 1500))
    await stop()
    const after = await one<number>(sql`select count(*)::int from "order"`) + await one<number>(sql`select count(*)::int from audit_task`)
    expect(after).toBeGreaterThan(before)
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(await one<number>(sql`select count(*)::int from "order"`) + await one<number>(sql`select count(*)::int from audit_task`)).toBe(after)
    expect(await database.db.select().from(order_code).limit(1)).toHaveLength(1)
  })
})

it('the same number grows the same data', async () => {
  const empty = async () => {
    const { rows } = await database.db.execute<{ tablename: string }>(sql`select tablename from pg_tables where schemaname = 'public'`)
    // The logs refuse to be emptied: here the whole database begins anew.
    for (const { tablename } of rows) await database.db.execute(sql`alter table ${sql.identifier(tablename)} disable trigger user`)
    await database.db.execute(sql`truncate ${sql.join(rows.map(row => sql.identifier(row.tablename)), sql`, `)} restart identity`)
  }
  const grown = async (seed: number) => {
    await database.unhurried(async () => { await empty(); await seedDemo(database.db, { seed, scale: 0.02, now: 1_790_000_000 }) })
    const dumps = await Promise.all(['merchant', 'store', 'product', 'product_version', 'audit_task', 'order_code', 'refund'].map(async table => JSON.stringify((await database.db.execute(sql`select * from ${sql.identifier(table)} order by id`)).rows.map(row => ({ ...row, updated_at: 0, created_at: 0 })))))
    return dumps.map(dump => createHash('sha1').update(dump).digest('hex'))
  }
  const first = await grown(11)
  expect(await grown(11)).toEqual(first)
  expect(await grown(12)).not.toEqual(first)
}, 120_000)
