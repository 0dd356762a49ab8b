import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { copyIn } from '#src/server/db/copy.ts'
import { inBackground, type Database } from '#src/server/db/database.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { onlyOn, openCopy } from '../../farm.ts'

const HOUR_MS = 3_600_000
let database: Database
// Said once a process: heard from the beginning.
const warnings: string[] = []
process.on('warning', warning => warnings.push(warning.message))
beforeAll(async () => {
  database = await openCopy()
  await database.pool.query(
    'create table till (id int primary key, cents int not null check (cents >= 0), note text unique)',
  )
  await database.pool.query(`insert into till values (1, 0, 'one'), (2, 0, 'two')`)
})
const cents = async (id: number) =>
  Number((await database.pool.query('select cents from till where id = $1', [id])).rows[0].cents)
const fault = async (run: () => Promise<unknown>) => {
  try {
    await run()
  } catch (error) {
    return faultOf(error)
  }
  return 'no fault'
}

describe('transaction', () => {
  it('keeps what it did, and nothing of what it threw in', async () => {
    await database.transaction(tx => tx.execute(sql`update till set cents = 5 where id = 1`))
    expect(await cents(1)).toBe(5)
    await expect(
      database.transaction(async tx => {
        await tx.execute(sql`update till set cents = 6 where id = 1`)
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await cents(1)).toBe(5)
  })

  it('refuses the outer database inside, where it would wait for itself, and allows it again after', async () => {
    await database.transaction(async tx => {
      await expect(database.pool.query('select 1')).rejects.toThrow(/outside the open transaction/)
      await expect(database.db.execute(sql`select 1`)).rejects.toMatchObject({
        cause: { message: expect.stringMatching(/outside the open transaction/) },
      })
      await expect(database.transaction(async () => {})).rejects.toThrow(
        /outside the open transaction/,
      )
      await tx.execute(sql`select 1`)
    })
    await database.db.execute(sql`select 1`)
  })

  it('is given up at its deadline: nothing of it stays, and nobody else waits longer', async () => {
    let goOn = () => {}
    const never = new Promise<void>(resolve => {
      goOn = resolve
    })
    const slow = database.transaction(
      async tx => {
        await tx.execute(sql`update till set cents = 99 where id = 2`)
        await never
        await tx.execute(sql`update till set cents = 100 where id = 2`)
      },
      { deadlineMs: 300 },
    )
    expect(await fault(() => slow)).toMatchObject({ kind: 'unavailable', code: 'MALLET_DEADLINE' })
    await database.transaction(tx =>
      tx.execute(sql`update till set cents = cents + 1 where id = 2`),
    )
    goOn()
    expect(await cents(2)).toBe(1)
  })

  it('asks one thing after the other of its connection, in the order they were asked for, and goes on after a read that failed', async () => {
    const rows = await database.transaction(tx =>
      Promise.all(
        [1, 2, 3].map(
          async n =>
            (
              await tx.execute<{ cents: number; n: number }>(
                sql`update till set cents = cents * 2 + ${n} where id = 2 returning cents, ${n}::int n`,
              )
            ).rows[0]!,
        ),
      ),
    )
    expect(rows.map(row => row.n)).toEqual([1, 2, 3])
    expect(rows[2]!.cents).toBe(rows[1]!.cents * 2 + 3)
    await expect(
      database.transaction(tx =>
        Promise.all([tx.execute(sql`select 1 / 0`), tx.execute(sql`select 1`)]),
      ),
    ).rejects.toMatchObject({ cause: { code: '22012' } })
    await database.transaction(tx => tx.execute(sql`update till set cents = 1 where id = 2`))
    // A transaction of a plain connection does so too, and beside rows that are copied.
    await database.db.transaction(tx =>
      Promise.all([
        tx.execute(sql`select 1`),
        copyIn(tx, 'copy till (id, cents) from stdin', '7\t100\n'),
        tx.execute(sql`delete from till where id = 7`),
      ]),
    )
    expect((await database.db.execute(sql`select 1 from till where id = 7`)).rows).toEqual([])
    await new Promise(resolve => setImmediate(resolve))
    expect(warnings.filter(one => one.includes('client.query()'))).toEqual([])
  })

  it('undoes a savepoint alone', async () => {
    await database.transaction(async tx => {
      await tx.execute(sql`update till set cents = 10 where id = 1`)
      await tx
        .transaction(async inner => {
          await inner.execute(sql`update till set cents = 11 where id = 1`)
          throw new Error('this row only')
        })
        .catch(() => {})
    })
    expect(await cents(1)).toBe(10)
  })

  it("counts 200 at once without losing one; who can't be served in time is told, and not counted", async () => {
    const before = await cents(1)
    const ended = await Promise.allSettled(
      Array.from({ length: 200 }, () =>
        database.transaction(tx => tx.execute(sql`update till set cents = cents + 1 where id = 1`)),
      ),
    )
    const done = ended.filter(each => each.status === 'fulfilled').length
    for (const each of ended)
      if (each.status === 'rejected')
        expect(faultOf(each.reason)).toMatchObject({ kind: 'unavailable' })
    expect(done).toBeGreaterThan(20)
    expect(await cents(1)).toBe(before + done)
  })
})

describe('faults', () => {
  it('are known by code and constraint', async () => {
    expect(
      await fault(() => database.db.execute(sql`insert into till values (3, 1, 'one')`)),
    ).toMatchObject({ kind: 'unique', constraint: 'till_note_key' })
    expect(
      await fault(() => database.db.execute(sql`insert into till values (3, -1, 'three')`)),
    ).toMatchObject({ kind: 'check', constraint: 'till_cents_check' })
    expect(
      await fault(() => database.db.execute(sql`insert into till values (99999999999, 1, 'x')`)),
    ).toMatchObject({ kind: 'input', code: '22003' })
    expect(await fault(() => database.db.execute(sql`select ${'a\0b'}::text`))).toMatchObject({
      kind: 'input',
    })
    expect(await fault(() => database.db.execute(sql`select nosuch`))).toMatchObject({
      kind: 'other',
      code: '42703',
    })
    expect(faultOf(new Error('no database at all'))).toBeUndefined()
    expect(faultOf(Object.assign(new Error('x'), { code: 'ERR_ASSERTION' }))).toBeUndefined()
    // A connection that broke is away; a statement of more values than it can hold is a fault of
    // ours, and the next one is well.
    expect(faultOf(Object.assign(new Error('x'), { code: '08006' }))).toMatchObject({
      kind: 'unavailable',
    })
    expect(
      await fault(() =>
        database.pool.query(
          'select $1::int',
          Array.from({ length: 70_000 }, () => 1),
        ),
      ),
    ).toMatchObject({ kind: 'other', code: '08P01' })
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})

onlyOn('postgres')('a race that PostgreSQL refuses', () => {
  it('is run again until it is won', async () => {
    await database.pool.query(`insert into till values (7, 0, 'seven')`)
    let runs = 0
    await Promise.all(
      Array.from({ length: 8 }, () =>
        database
          .transaction(async tx => {
            runs++
            await tx.execute(sql`set transaction isolation level repeatable read`)
            await tx.execute(sql`select cents from till where id = 7`)
            await tx.execute(sql`update till set cents = cents + 1 where id = 7`)
          })
          .catch(error => {
            if (faultOf(error)?.kind !== 'rerun') throw error
          }),
      ),
    )
    // Red twin: without running again, only the first of those that read together would have got
    // through.
    expect(runs).toBeGreaterThan(8)
    expect(await cents(7)).toBeGreaterThan(3)
  })
})

describe('a query of keys', () => {
  const marked = (ids: readonly number[], db: Pick<Database['db'], 'execute'> = database.db) =>
    db
      .execute<{ id: number }>(sql`select id from till where ${oneOf(sql`id`, ids)} order by id`)
      .then(({ rows }) => rows.map(row => row.id))
  it('answers each asker theirs, whichever connections ask it at once', async () => {
    const asked = Array.from({ length: 60 }, (_, n) => [[1], [2], [1, 2], [3], []][n % 5]!)
    expect(await Promise.all(asked.map(ids => marked(ids)))).toEqual(
      asked.map(ids => ids.filter(id => id !== 3)),
    )
  })
  it('is planned once a connection, and after one of them failed it is asked as before', async () => {
    await database.transaction(async tx => {
      const before = async () =>
        (
          await tx.execute<{ n: number }>(
            sql`select count(*)::int n from pg_prepared_statements where statement like 'select id from till%'`,
          )
        ).rows[0]!.n
      await marked([1], tx)
      const planned = await before()
      expect(planned).toBeGreaterThan(0)
      await marked([2], tx)
      expect(await before()).toBe(planned)
    })
    await expect(
      database.db.execute(sql`select id / 0 from till where ${oneOf(sql`id`, [1])}`),
    ).rejects.toMatchObject({ cause: { code: '22012' } })
    await expect(
      database.db.execute(sql`select none from till where ${oneOf(sql`id`, [1])}`),
    ).rejects.toMatchObject({ cause: { code: '42703' } })
    expect(await marked([2])).toEqual([2])
  })
})

describe('connections', () => {
  it('are kept, however long nobody uses them: to open all of them at once holds everybody up', async () => {
    const open = await openCopy({ poolSize: 4 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await Promise.all(Array.from({ length: 4 }, () => open.pool.query('select 1')))
      expect(open.pool.totalCount).toBe(4)
      vi.advanceTimersByTime(HOUR_MS)
      expect(open.pool.totalCount).toBe(4)
    } finally {
      vi.useRealTimers()
    }
  })
})

onlyOn('lite')('a connection of the embedded database', () => {
  const withoutOne = async () => {
    const { pool } = await openCopy({ poolSize: 1, connectMs: 100 })
    return { pool, held: await pool.connect() }
  }
  it('is waited for again while the database answers: a busy machine is no fault', async () => {
    const { pool, held } = await withoutOne()
    const waiting = pool.query<{ one: number }>('select 1 as one')
    await new Promise(resolve => setTimeout(resolve, 250))
    held.release()
    expect((await waiting).rows).toEqual([{ one: 1 }])
  })
  it('is not waited for without an end', async () => {
    const { pool, held } = await withoutOne()
    expect(await fault(() => pool.query('select 1'))).toMatchObject({ kind: 'unavailable' })
    held.release()
  })
})

describe('the background', () => {
  it('leaves connections to people, however much of it there is', async () => {
    const held: (() => void)[] = []
    const workers = Array.from({ length: 40 }, (_, n) =>
      inBackground(async () => {
        const client = await database.pool.connect()
        await new Promise<void>(release => held.push(release))
        client.release()
        return n
      }),
    )
    await vi.waitFor(() => expect(held.length).toBeGreaterThan(0))
    // Everything else of the pool is free, at once and by one transaction after the other.
    for (let n = 0; n < 3; n++)
      await Promise.all([cents(1), database.transaction(tx => tx.execute(sql`select 1`))])
    expect(held.length).toBeLessThanOrEqual(Math.ceil(database.pool.options.max / 4))
    const releasing = setInterval(() => held.splice(0).forEach(release => release()), 1)
    expect(await Promise.all(workers)).toEqual(workers.map((_, n) => n))
    clearInterval(releasing)
  })
  it('goes on after queries of it that fail, and refuses what a person is refused', async () => {
    await Promise.all(
      Array.from({ length: 20 }, () =>
        inBackground(() =>
          expect(database.pool.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' }),
        ),
      ),
    )
    await inBackground(() =>
      database.transaction(async tx => {
        await expect(database.pool.query('select 1')).rejects.toThrow(/outside the open/)
        await tx.execute(sql`select 1`)
      }),
    )
    expect(await inBackground(() => cents(1))).toBe(await cents(1))
  })
})
