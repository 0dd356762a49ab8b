import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { audit_task, type AuditTask } from '#src/areas/audit/audit.table.ts'
import { approve, reject, undo } from '#src/areas/audit/decision.server.ts'
import { withdraw } from '#src/areas/audit/submission.server.ts'
import {
  beat,
  claim,
  claimNext,
  readTask,
  takeable,
  unclaim,
} from '#src/areas/audit/taskClaims.server.ts'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product, product_version } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import * as contract from '#src/modules/audit/contract.ts'
import type { Db, LogEntry } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'
import { freshTask } from '../help/trade.ts'
import { without } from '../help/unguarded.ts'

/** The guard of every verb: state and version as they were read. */
const swap = [
  /"audit_task"\."version" = (\$\d+) and "audit_task"\."state" = (\$\d+)/,
  (_: string, version: string, state: string) =>
    `${version}::int is not null and ${state}::text is not null`,
] as const
/** What the guard looks back to: the task as a decision read it. */
const reading = /^select .* from "audit_task" where \(?"audit_task"\."id" = /

/**
 * Real concurrency needs a real server: the embedded database has one connection, so nothing in it
 * happens at once.
 */
onlyOn('postgres')('at the same moment', () => {
  let database: Database
  beforeAll(async () => {
    database = await openCopy({ poolSize: 40 })
  })
  const person = (id: number) => ({
    id,
    name: `审核员${id}`,
    scope: everything,
    lang: 'zh' as const,
  })
  const free = async (n: number) => {
    const tasks: AuditTask[] = []
    for (let at = 0; at < n; at++) tasks.push(await freshTask(database))
    return tasks
  }
  const tell = async <T>(work: Promise<T>) =>
    work.then(
      value => ({ value }),
      (error: unknown) => {
        if (error instanceof Refusal) return { refused: error }
        throw error
      },
    )
  /** For the twins, in which the second to win may meet any fault. */
  const won = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    )
  const deciding = (
    tx: Parameters<Parameters<Database['transaction']>[0]>[0],
    id: number,
    log: (entry: LogEntry) => void = () => {},
  ) => ({ tx, staff: person(id), now: unixNow(), log })

  it('a hundred decide one task: one wins, ninety-nine are told who, and there is one effect', async () => {
    const [task] = await free(1)
    const done = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        tell(
          database.transaction(
            tx =>
              at % 2
                ? approve(deciding(tx, 1000 + at), 'bulks', task!)
                : reject(deciding(tx, 1000 + at), 'bulks', task!, {
                    reason_code: 'price',
                    reason: '价格不实',
                  }),
            { deadlineMs: 25_000 },
          ),
        ),
      ),
    )
    const winners = done.flatMap(one => ('value' in one ? [one.value] : []))
    expect(winners).toHaveLength(1)
    const [after] = await database.db.select().from(audit_task).where(eq(audit_task.id, task!.id))
    expect(after).toMatchObject({ state: winners[0]!.state, version: task!.version + 1 })
    const told = done.flatMap(one => ('refused' in one ? [one.refused] : []))
    expect(told).toHaveLength(99)
    for (const one of told) {
      expect(one.data).toMatchObject({
        rule: 'decided',
        current: { decided_by: after!.decided_by, decider_name: after!.decider_name },
      })
      expect(one.message).toContain(after!.decider_name!)
    }
    const lives = await database.db
      .select()
      .from(product_version)
      .where(
        and(eq(product_version.product_id, task!.product_id), eq(product_version.state, 'live')),
      )
    expect(lives.length).toBeLessThanOrEqual(1)
  })
  it('RED TWIN: without the guard in the UPDATE several win', async () => {
    const [task] = await free(1)
    const done = await without(
      ...swap,
      () =>
        Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            won(
              database.transaction(
                tx =>
                  reject(deciding(tx, 2000 + at), 'bulks', task!, {
                    reason_code: 'price',
                    reason: '价格不实',
                  }),
                { deadlineMs: 25_000 },
              ),
            ),
          ),
        ),
      reading,
    )
    expect(done.filter(Boolean).length).toBeGreaterThan(1)
  })

  /** Approve, reject and withdraw at once, each of them first in turn. */
  const meeting = <T>(
    task: AuditTask,
    at: number,
    told: (work: Promise<unknown>) => Promise<T>,
  ) => {
    const contenders: (() => Promise<unknown>)[] = [
      () => database.transaction(tx => approve(deciding(tx, 1), 'bulks', task)),
      () =>
        database.transaction(tx =>
          reject(deciding(tx, 2), 'bulks', task, { reason_code: 'text', reason: '文案违规' }),
        ),
      () =>
        database.transaction(tx =>
          withdraw(tx, { task_id: task.id, version: task.version, now: unixNow() }),
        ),
    ]
    return Promise.all([0, 1, 2].map(k => told(contenders[(k + at) % 3]!())))
  }
  it('approve, reject and withdraw meet: one of the three, and versions and product agree with it', async () => {
    const states = new Set<string>()
    for (const [at, task] of (await free(12)).entries()) {
      const done = await meeting(task, at, tell)
      expect(done.filter(one => 'value' in one)).toHaveLength(1)
      const [after] = await database.db.select().from(audit_task).where(eq(audit_task.id, task.id))
      states.add(after!.state)
      const [version] = await database.db
        .select()
        .from(product_version)
        .where(
          and(
            eq(product_version.product_id, task.product_id),
            eq(product_version.no, task.product_version),
          ),
        )
      const [item] = await database.db.select().from(product).where(eq(product.id, task.product_id))
      expect([after!.state, version!.state]).toEqual([
        after!.state,
        { approved: 'live', rejected: 'rejected', withdrawn: 'withdrawn' }[
          after!.state as 'approved'
        ],
      ])
      expect(item!.live_version === task.product_version).toBe(after!.state === 'approved')
    }
    expect(states.size).toBeGreaterThan(1)
  })
  it('RED TWIN: without the guard two of the three succeed', async () => {
    let winners = 0
    const tasks = await free(8)
    await without(
      ...swap,
      async () => {
        for (const [at, task] of tasks.entries())
          winners += (await meeting(task, at, won)).filter(Boolean).length
      },
      reading,
    )
    expect(winners).toBeGreaterThan(tasks.length)
  })

  it('fifty take the next one: nobody shares a task', async () => {
    const now = unixNow()
    const waiting = await database.db
      .select({ id: audit_task.id })
      .from(audit_task)
      .where(and(eq(audit_task.queue, 'voucher'), takeable(0, now)))
    const [voucher] = [waiting.length]
    const taken = (
      await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          database.transaction(
            tx => claimNext({ tx, staff: person(3000 + at), now }, 'voucher', 1),
            { deadlineMs: 25_000 },
          ),
        ),
      )
    ).flat()
    expect(taken.length).toBe(Math.min(50, voucher))
    expect(new Set(taken.map(task => task.id)).size).toBe(taken.length)
    for (const task of taken) expect(task.claimed_by).toBeGreaterThanOrEqual(3000)
  })
  it('RED TWIN: without the lock on what is picked, tasks are shared', async () => {
    const now = unixNow()
    await database.db
      .update(audit_task)
      .set({
        claimed_by: null,
        claim_until: null,
        state: sql`case when state = 'claimed' then 'pending' else state end`,
      })
      .where(and(eq(audit_task.queue, 'voucher'), eq(audit_task.is_open, true)))
    const taken = await without(
      / for update skip locked/,
      () => '',
      () =>
        Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            database.transaction(
              async tx => {
                const mine = await claimNext({ tx, staff: person(4000 + at), now }, 'voucher', 1)
                // As long as the others need to pick: what they pick is not committed yet.
                await tx.execute(sql`select pg_sleep(0.05)`)
                return mine
              },
              { deadlineMs: 25_000 },
            ),
          ),
        ),
    )
    const ids = taken.flat().map(task => task.id)
    expect(new Set(ids).size).toBeLessThan(ids.length)
  })

  /**
   * Fifty people at once, round after round: each takes, beats, gives back or lets time pass; what
   * they were told they hold. Answers how often two held one.
   */
  const fiftyClients = async (seed: number, rounds: number) => {
    let random = seed
    const dice = (n: number) => {
      random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
      return (random >>> 8) % n
    }
    let now = unixNow()
    await database.db
      .update(audit_task)
      .set({
        claimed_by: null,
        claim_until: null,
        state: sql`case when state = 'claimed' then 'pending' else state end`,
      })
      .where(and(eq(audit_task.queue, 'voucher'), eq(audit_task.is_open, true)))
    const tasks = await database.db
      .select({ id: audit_task.id })
      .from(audit_task)
      .where(and(eq(audit_task.queue, 'voucher'), eq(audit_task.is_open, true)))
    const held = Array.from({ length: 50 }, () => new Map<number, number>())
    let shared = 0
    let taken = 0
    for (let round = 0; round < rounds; round++) {
      await Promise.all(
        held.map((mine, at) => {
          const who = person(5000 + at)
          const [what, any] = [dice(10), tasks[dice(tasks.length)]!.id]
          const [own] = mine.keys()
          return won(
            database.transaction(
              async tx => {
                const me = { tx, staff: who, now }
                if (what < 3)
                  for (const task of await claimNext(me, 'voucher', 1 + dice(2)))
                    mine.set(task.id, task.claim_until!)
                else if (what < 6) mine.set(any, (await claim(me, 'voucher', any)).claim_until!)
                else if (what < 8 && own !== undefined) {
                  const { claim_until } = await beat(
                    tx,
                    await readTask(tx, 'voucher', own, who),
                    who,
                    now,
                  )
                  if (claim_until) mine.set(own, claim_until)
                  else mine.delete(own)
                } else if (own !== undefined) {
                  mine.delete(own)
                  await unclaim(me, 'voucher', own)
                }
              },
              { deadlineMs: 25_000 },
            ),
          )
        }),
      )
      const holders = held.flatMap(mine =>
        [...mine].filter(([, until]) => until > now).map(([id]) => id),
      )
      taken += holders.length
      shared += holders.length - new Set(holders).size
      now += dice(150)
    }
    return { shared, taken }
  }
  it('whatever fifty people do, two never hold the same task', async () => {
    for (const seed of [1, 2]) {
      const { shared, taken } = await fiftyClients(seed, 8)
      expect([seed, shared]).toEqual([seed, 0])
      expect(taken).toBeGreaterThan(30)
    }
  })
  it('RED TWIN: without the guard of a claim two do', async () => {
    const guard =
      /"audit_task"\."version" = (\$\d+) and "audit_task"\."state" = (\$\d+)|"audit_task"\."claim_until" <= (\$\d+)/g
    const { shared } = await without(
      guard,
      (_, version, state, until) =>
        version
          ? `${version}::int is not null and ${state}::text is not null`
          : `${until}::bigint is not null`,
      () => fiftyClients(1, 8),
    )
    expect(shared).toBeGreaterThan(0)
  })

  /** One approval, sent twenty times at once with the same key. */
  const oneKey = async (key: string) => {
    const app = await openApp(database)
    const staff = await addStaff(database, { perms: ['audit.*'] })
    const [task] = await free(1)
    return {
      task: task!,
      said: await Promise.all(
        Array.from({ length: 20 }, () =>
          send(
            app,
            contract.bulks.approve,
            { id: task!.id, version: task!.version },
            { token: staff.token, key },
          ),
        ),
      ),
    }
  }
  it('one key sent twenty times has one effect and one answer', async () => {
    const { task, said } = await oneKey('one-key-for-all-of-them')
    const answered = said.filter(one => one.status === 200)
    expect(answered.length).toBeGreaterThan(0)
    expect(new Set(answered.map(one => JSON.stringify(one.data))).size).toBe(1)
    // Whoever was not answered the first result was told to try again, never that it failed.
    for (const one of said) expect([200, 409, 503]).toContain(one.status)
    const logs = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, 'audit_task'),
          eq(op_log.object_id, task.id),
          eq(op_log.result, 'ok'),
        ),
      )
    expect(logs).toHaveLength(1)
    expect(
      (await database.db.select().from(audit_task).where(eq(audit_task.id, task.id)))[0]!.version,
    ).toBe(task.version + 1)
  })
  it('RED TWIN: where keys are not the same to the database, the same request is told that it failed', async () => {
    const { said } = await without(
      /^(insert into "idempotency" [^$]*\$\d+, )(\$\d+)/,
      (_, before, key) => `${before}${key}::text || gen_random_uuid()`,
      () => oneKey('a-key-that-is-another-each-time'),
    )
    expect(said.map(one => one.status)).toContain(422)
  })

  const rejecting = { reason_code: 'other' as const, reason: '重复' }
  const twoBatches = async (first: 'approves' | 'rejects') => {
    const app = await openApp(database)
    const [a, b] = [
      await addStaff(database, { perms: ['audit.*'] }),
      await addStaff(database, { perms: ['audit.*'] }),
    ]
    const tasks = (await free(8)).map(({ id, version }) => ({ id, version }))
    return Promise.all([
      first === 'approves'
        ? send(app, contract.bulks.batchApprove, { tasks }, { token: a.token })
        : send(app, contract.bulks.batchReject, { tasks, ...rejecting }, { token: a.token }),
      send(
        app,
        contract.bulks.batchReject,
        { tasks: [...tasks].reverse(), ...rejecting },
        { token: b.token },
      ),
    ])
  }
  it('two batches over the same rows in opposite order do not wait for each other, and take each row once', async () => {
    const [one, two] = await twoBatches('approves')
    expect([one.status, two.status]).toEqual([200, 200])
    const ok: number[] = [...one.data.ok, ...two.data.ok]
    expect(new Set(ok).size).toBe(ok.length)
    expect(one.data.ok.length + one.data.failed.length).toBe(8)
    expect(two.data.ok.length + two.data.failed.length).toBe(8)
    const after = await database.db.select().from(audit_task).where(inArray(audit_task.id, ok))
    expect(after.every(task => task.state === 'approved' || task.state === 'rejected')).toBe(true)
  })
  it('RED TWIN: without the guard a row is taken by both', async () => {
    const done = await without(...swap, () => twoBatches('rejects'), reading)
    const ok: number[] = done.flatMap(one => one.data?.ok ?? [])
    expect(ok.length - new Set(ok).size).toBeGreaterThan(0)
  })

  /** Until a connection waits for a lock that another holds. */
  const somebodyWaits = async (tx: Db) => {
    for (;;) {
      await tx.execute(sql`select pg_stat_clear_snapshot()`)
      const { rows } = await tx.execute(
        sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      if (rows.length > 0) return
      await sleep(10)
    }
  }
  /** An undo that begins while an order of the same product is placed but not committed yet. */
  const undoneMeanwhile = async (task: AuditTask) => {
    await database.transaction(tx => approve(deciding(tx, 7), 'bulks', task))
    let placed!: () => void
    const began = new Promise<void>(resolve => {
      placed = resolve
    })
    const ordering = database.transaction(async tx => {
      const made = await placeOrder(tx, {
        proved: true,
        product_id: task.product_id,
        member_id: 1,
        qty: 1,
        now: unixNow(),
      })
      placed()
      await somebodyWaits(tx)
      return made
    })
    await began
    const undone = await tell(database.transaction(tx => undo(deciding(tx, 7), 'bulks', task.id)))
    const [sold] = await database.db
      .select()
      .from(order_item)
      .where(eq(order_item.order_id, (await ordering).id))
    const [item] = await database.db.select().from(product).where(eq(product.id, task.product_id))
    return { undone, item: item!, sold: (sold!.snapshot as { no: number }).no }
  }
  it('a decision taken back while an order is placed: the order stands on what is live, or the decision stands', async () => {
    for (const task of await free(4)) {
      await database.transaction(tx => approve(deciding(tx, 7), 'bulks', task))
      const [undone, ordered] = await Promise.all([
        tell(database.transaction(tx => undo(deciding(tx, 7), 'bulks', task.id))),
        tell(
          database.transaction(tx =>
            placeOrder(tx, {
              proved: true,
              product_id: task.product_id,
              member_id: 1,
              qty: 1,
              now: unixNow(),
            }),
          ),
        ),
      ])
      const [item] = await database.db.select().from(product).where(eq(product.id, task.product_id))
      if ('value' in undone) expect(item!.live_version).not.toBe(task.product_version)
      else expect(['ordered', 'changed']).toContain(undone.refused.data.rule)
      if ('value' in ordered) expect(item!.held).toBeGreaterThan(0)
    }
    const [task] = await free(1)
    const { undone, item, sold } = await undoneMeanwhile(task!)
    expect('refused' in undone && undone.refused.data.rule).toBe('ordered')
    expect(sold).toBe(item.live_version)
  })
  it('RED TWIN: without the lock on the product the order stands on what is no longer live', async () => {
    const [task] = await free(1)
    const { undone, item, sold } = await without(
      /(from "product" where "product"\."id" = \$\d+) for update/,
      (_, kept) => kept!,
      () => undoneMeanwhile(task!),
    )
    expect('value' in undone).toBe(true)
    expect(sold).not.toBe(item.live_version)
  })

  /** A paid code, shown at fifty tills at once; true where it was taken. */
  const fiftyTills = async () => {
    const [item] = await database.db
      .select()
      .from(product)
      .where(
        and(
          eq(product.kind, 'bulks'),
          eq(product.state, 'on_sale'),
          sql`${product.stock} - ${product.held} > 5 and ${product.sale_start_at} <= ${unixNow()} and ${product.sale_end_at} > ${unixNow()}`,
        ),
      )
      .limit(1)
    const made = await database.transaction(async tx => {
      const order = await placeOrder(tx, {
        proved: true,
        product_id: item!.id,
        member_id: 1,
        qty: 1,
        now: unixNow() - 1,
      })
      await payOrder(tx, order.id, unixNow() - 1)
      return order
    })
    const [code] = await database.db
      .select()
      .from(order_code)
      .where(eq(order_code.order_id, made.id))
    const used = await Promise.all(
      Array.from({ length: 50 }, () =>
        database.transaction(tx => redeem(tx, { code_id: code!.id, store_id: 1, now: unixNow() }), {
          deadlineMs: 25_000,
        }),
      ),
    )
    return {
      taken: used.filter(Boolean).length,
      records: await database.db
        .select()
        .from(verify_record)
        .where(eq(verify_record.code_id, code!.id)),
    }
  }
  it('a code shown at fifty tills is used once', async () => {
    const { taken, records } = await fiftyTills()
    expect(taken).toBe(1)
    expect(records).toHaveLength(1)
  })
  it('RED TWIN: without the guard in the UPDATE, and the constraint behind it, it is used more than once', async () => {
    await database.db.execute(sql`alter table order_code drop constraint order_code_times`)
    await database.db.execute(sql`alter table order_code drop constraint order_code_left`)
    // What keeps a code from being used twice: the hold on its order, its version, state and counts
    // in the UPDATE, and the order's version when it is counted anew.
    const guards =
      /(from "order" where "order"\."id" = \$\d+) for update|("order_code"|"order")\."version" = (\$\d+)|"order_code"\."state" in \((\$\d+), (\$\d+)\)|"order_code"\."times_used" \+ "order_code"\."times_refunding" \+ "order_code"\."times_refunded" \+ (\$\d+) <= "order_code"\."times_total" \+ "order_code"\."times_bonus"/g
    const { taken, records } = await without(
      guards,
      (_, ...[held, , version, one, two, times]) => {
        if (held) return held
        if (version) return `${version}::int is not null`
        if (one) return `${one}::text is not null and ${two}::text is not null`
        return `${times}::int is not null`
      },
      fiftyTills,
    )
    expect(taken).toBeGreaterThan(1)
    expect(records.length).toBe(taken)
  })
})
