import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { sections } from '#commands/contents.ts'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { auditQueues, flagsOf, rejectCodes } from '#src/areas/audit/audit.ts'
import { judge } from '#src/areas/audit/submission.server.ts'
import { order_code } from '#src/areas/code/code.table.ts'
import { fieldWord, objectTitle } from '#src/areas/log/objects.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { say } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { randomFrom } from '#src/server/demo/random.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { actOnce, startSimulator } from '#src/server/demo/simulate.ts'
import { verifyPassword } from '#src/server/sessions/passwords.ts'
import { openCopy } from '../farm.ts'
import { CODE_KEYS } from '../farm/codeKeys.ts'
import { broken } from '../help/invariants.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
const one = async <T>(query: ReturnType<typeof sql>): Promise<T> =>
  Object.values((await database.db.execute(query)).rows[0]!)[0] as T
const none = async (what: string, query: ReturnType<typeof sql>) =>
  expect([what, (await database.db.execute(query)).rows.slice(0, 3)]).toEqual([what, []])

/** What must hold at any time, as queries that answer nothing. */
const invariants = async () => {
  expect(await broken(database)).toEqual({})
  await none(
    'one live version',
    sql`select p.id from product p left join product_version v on v.product_id = p.id and v.state = 'live' group by p.id having count(v.id) <> (case when p.live_version > 0 then 1 else 0 end) or (p.live_version > 0 and max(v.no) <> p.live_version)`,
  )
  await none(
    'open tasks stand on a version in audit',
    sql`select t.id from audit_task t join product_version v on v.product_id = t.product_id and v.no = t.product_version where t.state in ('pending', 'claimed', 'second_audit', 'need_more') and v.state <> 'auditing'`,
  )
  await none(
    'a product in audit has a task',
    sql`select p.id from product p where p.state = 'auditing' and not exists (select 1 from audit_task t where t.product_id = p.id and t.state in ('pending', 'claimed', 'second_audit', 'need_more'))`,
  )
  await none(
    'nobody decides their own, nor twice',
    sql`select id from audit_task where decided_by = submitted_by or second_by = first_by`,
  )
  await none('stock covers what is held', sql`select id from product where stock < held`)
}

describe('the demo data', () => {
  it('has every state, enough to work through, and all reject codes', async () => {
    expect(await one(sql`select count(*)::int from admin`)).toBe(64)
    expect(await one(sql`select count(*)::int from role`)).toBe(12)
    expect(await one(sql`select count(*)::int from department`)).toBe(24)
    expect(await one(sql`select count(*)::int from city`)).toBe(9)
    expect(await one(sql`select count(*)::int from mall`)).toBe(32)
    expect(
      await one(
        sql`select count(*)::int from audit_task where queue = 'bulks' and is_open and not flagged`,
      ),
    ).toBeGreaterThanOrEqual(20)
    for (const queue of auditQueues)
      expect([
        queue,
        await one(sql`select count(*)::int from audit_task where queue = ${queue} and is_open`),
      ]).toEqual([queue, expect.any(Number)])
    const states = (
      await database.db.execute<{ state: string }>(sql`select distinct state from audit_task`)
    ).rows
      .map(row => row.state)
      .sort()
    expect(states).toEqual([
      'approved',
      'claimed',
      'need_more',
      'pending',
      'rejected',
      'second_audit',
      'withdrawn',
    ])
    expect(
      await one(
        sql`select count(distinct reason_code)::int from audit_task where state = 'rejected'`,
      ),
    ).toBe(Object.keys(rejectCodes).length)
    expect(
      await one(sql`select count(*)::int from audit_task where is_open and sla_at < ${unixNow()}`),
    ).toBeGreaterThanOrEqual(8)
    expect(await one(sql`select count(distinct status)::int from "order"`)).toBe(14)
    expect(await one(sql`select count(distinct kind)::int from "order"`)).toBe(13)
  })
  it('has groups as people make them: two and more who paid, friends within the hour, no seat empty but where staff filled it', async () => {
    const seats = sql`select g.*, count(o.id) filter (where o.pay_state = 'paid') paid_n, count(o.id) filter (where o.group_role = 'leader' and o.pay_state = 'paid' and o.created_at = g.created_at) leaders, max(o.created_at) filter (where o.pay_state = 'paid') last_at from roll_group g left join "order" o on o.roll_group_id = g.id group by g.id`
    expect(
      await one(
        sql`select count(*)::int from roll_group where state = 'success' and end_by = 'full' and joined_n = need_n`,
      ),
    ).toBeGreaterThan(5)
    for (const state of ['forming', 'failed'])
      expect([
        state,
        await one(sql`select count(*)::int from roll_group where state = ${state}`),
      ]).not.toEqual([state, 0])
    await none('a leader first', sql`select id, leaders from (${seats}) s where leaders <> 1`)
    await none(
      'formed by those who paid',
      sql`select id, paid_n, virtual_n, need_n from (${seats}) s where state = 'success' and (paid_n < 2 or paid_n + virtual_n <> need_n or (virtual_n > 0) <> (end_by = 'force') or last_at > created_at + 3600 or ended_at < last_at)`,
    )
    await none(
      'one of them left at most',
      sql`select id, joined_n, paid_n from (${seats}) s where state = 'success' and joined_n < paid_n - 1`,
    )
    await none(
      'one at most who has not paid',
      sql`select roll_group_id from "order" where pay_state = 'unpaid' and roll_group_id is not null group by 1 having count(*) > 1`,
    )
    await none(
      'too few where it has not formed',
      sql`select id, paid_n, need_n from (${seats}) s where state <> 'success' and (paid_n < 1 or paid_n >= need_n)`,
    )
  })
  it('tells its log in words: what each change was of, why, and every field by a name', async () => {
    await none(
      'named',
      sql`select action, object_type, count(*) from op_log where coalesce(object_label, '') = '' and result = 'ok' group by 1, 2`,
    )
    await none(
      'a reason in words',
      sql`select id, action, reason from op_log where reason ~ '^[a-z_]+$'`,
    )
    const { rows } = await database.db.execute<{ object_type: string; field: string }>(
      sql`select distinct object_type, k.field from op_log cross join lateral (select jsonb_object_keys(before) field union select jsonb_object_keys(after)) k where jsonb_typeof(before) = 'object' or jsonb_typeof(after) = 'object'`,
    )
    expect(rows.length).toBeGreaterThan(20)
    const { rows: types } = await database.db.execute<{ object_type: string }>(
      sql`select distinct object_type from op_log where object_type <> 'batch'`,
    )
    const modules: readonly string[] = sections.map(section => section.key)
    expect(
      types.filter(
        ({ object_type }) =>
          !modules.includes(object_type) && say(objectTitle(object_type), 'zh') === object_type,
      ),
    ).toEqual([])
    expect(
      rows.filter(
        ({ object_type, field }) =>
          !['version', 'request_id'].includes(field) &&
          say(fieldWord(object_type, field).title, 'zh') === field,
      ),
    ).toEqual([])
  })
  it('has a send record for each receiver of a report, and says success where all of them answered', async () => {
    for (const state of ['ok', 'partial', 'failed'])
      expect([
        state,
        await one(sql`select count(*)::int from report_run where state = ${state}`),
      ]).not.toEqual([state, 0])
    await none(
      'a run is what its receivers answered',
      sql`select r.id from report_run r left join report_send s on s.run_id = r.id group by r.id
        having r.state <> case when count(*) filter (where s.state = 'sent') = 0 then 'failed' when bool_and(s.state = 'sent') then 'ok' else 'partial' end`,
    )
    await none(
      'a subscription is what its last run came to',
      sql`select s.id from report_sub s where s.last_result <> coalesce((select r.state from report_run r where r.sub_id = s.id order by r.id desc limit 1), 'none')`,
    )
    await none(
      'a group has what its message says',
      sql`select s.id from report_send s left join notify_message m on m.id = s.message_id where s.group_id is not null and m.state is distinct from s.state`,
    )
    await none(
      'who was told of an alarm has a message',
      sql`select l.id from warning_log l, jsonb_array_elements(l.told) t where not exists (select 1 from notify_message m where m.id = (t->>'message_id')::int and m.state = 'sent')`,
    )
  })
  it('has orders bought with coupons: used, and free again where all was given back', async () => {
    for (const status of ['unused', 'used', 'expired', 'revoked'])
      expect([
        status,
        await one(sql`select count(*)::int from coupon_grant where status = ${status}`),
      ]).not.toEqual([status, 0])
    expect(
      await one(sql`select count(*)::int from "order" where coupon_grant_id is not null`),
    ).toBeGreaterThan(2)
  })
  it('tells what a payment led to in the order’s own way: what is picked up was never to be sent', async () => {
    expect(
      await one(
        sql`select count(*)::int from order_log where event = 'pay' and to_status = 'pending_ship'`,
      ),
    ).toBeGreaterThan(0)
    await none(
      'paid, and to go the way it goes',
      sql`select l.id from order_log l join "order" o on o.id = l.order_id where l.event = 'pay' and (l.to_status = 'pending_ship' and o.sub_kind not in ('express', 'store_delivery') or l.to_status = 'pending_use' and o.sub_kind not in ('code', 'pickup'))`,
    )
  })
  it('tells people of what happened, once each, and the newest nobody has read', async () => {
    const { rows } = await database.db.execute<{ kind: string; n: number; unread: number }>(
      sql`select split_part(about, ':', 1) kind, count(*)::int n, (count(*) filter (where read_at is null))::int unread from message group by 1 order by 1`,
    )
    expect(rows.map(row => row.kind)).toEqual(['audit', 'export', 'warning'])
    expect(rows.every(row => row.n > row.unread || row.kind === 'warning')).toBe(true)
    expect(rows.find(row => row.kind === 'warning')!.unread).toBeGreaterThan(0)
    await none(
      'an export that was told of is that person’s and ended so',
      sql`select m.id from message m left join export_job j on m.about = 'export:' || j.id || ':' || j.version where m.about like 'export:%' and (j.admin_id is distinct from m.admin_id or (j.state = 'failed') <> (m.kind = 'export_failed') or (m.facts->>'n')::int <> j.rows_done)`,
    )
    await none(
      'a second decision is told to who decided first',
      sql`select m.id from message m left join audit_task t on m.about = 'audit:' || t.id || ':' || t.version where m.about like 'audit:%' and t.first_by is distinct from m.admin_id`,
    )
    await none(
      'nobody who left is told anything, and nobody of what is to come',
      sql`select m.id from message m join admin a on a.id = m.admin_id where a.status <> 'active' or m.created_at > ${unixNow()} or m.read_at < m.created_at`,
    )
  })
  it('keeps every invariant', invariants)
  it('flags what the rules find when the server itself reads the facts', async () => {
    for (const task of await database.db
      .select()
      .from(audit_task)
      .where(and(eq(audit_task.is_open, true), sql`not flags @> '["duplicate"]'`))) {
      const { found } = await judge(database.db, task, task.snapshot, task.submitted_at)
      expect([
        task.id,
        task.title,
        flagsOf(found)
          .filter(rule => rule !== 'duplicate')
          .sort(),
      ]).toEqual([task.id, task.title, [...task.flags].sort()])
    }
  })
  it('lets the accounts shown in and nobody else', async () => {
    const people = await database.db.select().from(admin)
    for (const account of ['admin', 'auditor', 'supervisor', 'service', 'newcomer'])
      expect(
        await verifyPassword(
          people.find(person => person.account === account)!.password_hash,
          'Mallet#2026',
        ),
      ).toBe(true)
    expect(new Set(people.map(person => person.password_hash)).size).toBe(64)
    expect(
      await verifyPassword(
        people.find(person => person.account === 'auditor01')!.password_hash,
        'Mallet#2026',
      ),
    ).toBe(false)
  })
})

describe('the simulator', () => {
  it('moves queues and orders, says so, and breaks nothing', async () => {
    const heard: string[] = []
    const events = {
      announce: async () => {},
      emit: ({ tags }: { tags: readonly string[] }) => void heard.push(...tags),
    }
    const random = randomFrom(3)
    const did: Record<string, number> = {}
    for (const name of [
      'edit',
      'offerNew',
      'takeBack',
      'buy',
      'buy',
      'buy',
      'fillCart',
      'teamUp',
      'review',
      'useCode',
      'giveBack',
      'answerAsk',
    ] as const)
      for (let turn = 0; turn < 3; turn++)
        if (await actOnce({ database, events }, random, name)) did[name] = (did[name] ?? 0) + 1
    // Whether something waits to be reviewed depends on what came lately.
    expect(
      Object.keys(did)
        .filter(name => name !== 'review')
        .sort(),
    ).toEqual([
      'answerAsk',
      'buy',
      'edit',
      'fillCart',
      'giveBack',
      'offerNew',
      'takeBack',
      'teamUp',
      'useCode',
    ])
    const couponed = await one<number>(
      sql`select count(*)::int from "order" where coupon_grant_id is not null`,
    )
    for (let turn = 0; turn < 3; turn++)
      await actOnce({ database, events }, random, 'spendCoupon').catch(error => {
        if (!(error instanceof Refusal)) throw error
      })
    expect(
      await one<number>(sql`select count(*)::int from "order" where coupon_grant_id is not null`),
    ).toBeGreaterThan(couponed)
    const codeKeys = openKeyFile(CODE_KEYS)
    const cardsAt = () => one<number>(sql`select sum(version)::int from ecard_code`)
    const cards = await cardsAt()
    for (let turn = 0; turn < 24; turn++)
      await actOnce({ database, events, codeKeys }, random, 'useCard').catch(error => {
        if (!(error instanceof Refusal)) throw error
      })
    expect(await cardsAt()).toBeGreaterThan(cards)
    await database.db.update(order).set({ expire_pay_at: 1 }).where(eq(order.pay_state, 'unpaid'))
    expect(await actOnce({ database, events }, random, 'timeOut')).toBe('timeOut')
    expect(new Set(heard)).toEqual(new Set(['audit', 'product', 'order']))
    await invariants()
    expect(
      await one(
        sql`select count(*)::int from order_code c join "order" o on o.id = c.order_id where o.frozen and c.updated_at > ${unixNow() - 60} and c.state = 'used' and exists (select 1 from verify_record v where v.code_id = c.id and v.verified_at > ${unixNow() - 60})`,
      ),
    ).toBe(0)
  })
  it('stops when told, after the act under way', async () => {
    const before =
      (await one<number>(sql`select count(*)::int from "order"`)) +
      (await one<number>(sql`select count(*)::int from audit_task`))
    const stop = startSimulator({
      database,
      events: { announce: async () => {}, emit: () => {} },
      everyMs: 10,
      seed: 5,
    })
    await new Promise(resolve => setTimeout(resolve, 1500))
    await stop()
    const after =
      (await one<number>(sql`select count(*)::int from "order"`)) +
      (await one<number>(sql`select count(*)::int from audit_task`))
    expect(after).toBeGreaterThan(before)
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(
      (await one<number>(sql`select count(*)::int from "order"`)) +
        (await one<number>(sql`select count(*)::int from audit_task`)),
    ).toBe(after)
    expect(await database.db.select().from(order_code).limit(1)).toHaveLength(1)
  })
})

const empty = async () => {
  const { rows } = await database.db.execute<{ tablename: string }>(
    sql`select tablename from pg_tables where schemaname = 'public'`,
  )
  // The logs refuse to be emptied: here the whole database begins anew.
  for (const { tablename } of rows)
    await database.db.execute(sql`alter table ${sql.identifier(tablename)} disable trigger user`)
  await database.db.execute(
    sql`truncate ${sql.join(
      rows.map(row => sql.identifier(row.tablename)),
      sql`, `,
    )} restart identity`,
  )
}
const anew = (of: Parameters<typeof seedDemo>[1]) =>
  database.unhurried(async () => {
    await empty()
    await seedDemo(database.db, of)
  })
it('the same number grows the same data', async () => {
  const grown = async (seed: number) => {
    await anew({ seed, scale: 0.02, now: 1_790_000_000 })
    const dumps = await Promise.all(
      ['merchant', 'store', 'product', 'product_version', 'audit_task', 'order_code', 'refund'].map(
        async table =>
          JSON.stringify(
            (
              await database.db.execute(sql`select * from ${sql.identifier(table)} order by id`)
            ).rows.map(row => ({ ...row, updated_at: 0, created_at: 0 })),
          ),
      ),
    )
    return dumps.map(dump => createHash('sha1').update(dump).digest('hex'))
  }
  const first = await grown(11)
  expect(await grown(11)).toEqual(first)
  expect(await grown(12)).not.toEqual(first)
}, 120_000)

it('has goods that are to go back also at a moment when by their numbers alone none would', async () => {
  await anew({ seed: 20_261_120, scale: 0.05, now: Date.parse('2026-11-24T15:48:15Z') / 1000 })
  expect(
    await one(
      sql`select count(*)::int from refund where order_kind = 'elist' and type = 'return_refund' and state = 'applied'`,
    ),
  ).toBeGreaterThanOrEqual(2)
  expect(await broken(database)).toEqual({})
}, 120_000)
