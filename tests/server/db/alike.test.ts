// Run @embedded too: there one connection stands behind all, and reads wait longest.
import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { city } from '#src/areas/place/place.table.ts'
import { saysTheSame } from '#src/server/db/alike.ts'
import { inBackground, type Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'

let database: Database
/** Every statement that reaches the database. */
let sent: string[] = []
beforeAll(async () => {
  database = await openCopy()
  database.pool.on('connect', client => {
    const query = client.query.bind(client) as (...all: unknown[]) => unknown
    client.query = ((...all: unknown[]) => {
      sent.push((all[0] as { text?: string }).text ?? String(all[0]))
      return query(...all)
    }) as typeof client.query
  })
  await database.pool.query('create table tally (id int primary key, n int not null, more jsonb)')
  await database.pool.query(`insert into tally values (1, 0, '{"of": [1, 2]}'), (2, 5, null)`)
})
beforeEach(() => {
  sent = []
})
const times = (part: string) => sent.filter(text => text.includes(part)).length
const many = <T>(n: number, run: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, at) => run(at)))

describe('reads asked alike at once', () => {
  it('are sent once or twice, and answer to each what they answer alone', async () => {
    const read = () =>
      database.db.execute<{ id: number; more: { of: number[] } | null }>(
        sql`select id, n, more, n * 10000000000 as big, array[n, id] as both from tally where id < ${9} order by id /* once */`,
      )
    const alone = await read()
    sent = []
    const all = await many(40, read)
    expect(times('/* once */')).toBeLessThanOrEqual(2)
    for (const { rows, rowCount, command } of all)
      expect({ rows, rowCount, command }).toEqual({
        rows: alone.rows,
        rowCount: alone.rowCount,
        command: alone.command,
      })
  })

  it('give each their own rows: who changes theirs changes nobody else’s', async () => {
    const all = await many(20, () =>
      database.db.execute<{ more: { of: number[] } | null }>(
        sql`select id, more from tally order by id`,
      ),
    )
    for (const [at, { rows }] of all.entries()) {
      expect(rows[0]!.more).toEqual({ of: [1, 2] })
      rows[0]!.more!.of.push(at)
      rows.pop()
    }
    expect(all.map(({ rows }) => rows.length)).toEqual(all.map(() => 1))
  })

  it('may differ in how their rows are made: by names, by columns', async () => {
    const text = 'select id, city_name from city order by id limit 3'
    const [byName, inOrder] = await Promise.all([
      many(5, async () => (await database.db.execute(sql.raw(text))).rows),
      many(5, () =>
        database.db
          .select({ id: city.id, of: { name: city.city_name } })
          .from(city)
          .orderBy(city.id)
          .limit(3),
      ),
    ])
    for (const rows of byName)
      expect(rows).toEqual(inOrder[0]!.map(({ id, of }) => ({ id, city_name: of.name })))
    for (const rows of inOrder) expect(rows).toEqual(inOrder[0])
  })

  it('are told apart by every value', async () => {
    const values = [1, '1', 2, null, true, [1], ['1'], 'true', '[1]', '']
    const found = await many(60, async at => {
      const value = values[at % values.length]
      const { rows } = await database.db.execute<{ said: string | null }>(
        sql`select ${sql.param(value)}::text as said`,
      )
      return { value, said: rows[0]!.said }
    })
    const sayings = new Map(found.map(({ value, said }) => [JSON.stringify(value), said]))
    for (const { value, said } of found) expect(said).toBe(sayings.get(JSON.stringify(value)))
    expect([...sayings.values()]).toEqual([
      '1',
      '1',
      '2',
      null,
      'true',
      '{"1"}',
      '{"1"}',
      'true',
      '[1]',
      '',
    ])
  })

  it('see all that was committed before they were asked for', async () => {
    let done = 0
    const writes = (async () => {
      for (let n = 1; n <= 40; n++) {
        await database.transaction(tx => tx.execute(sql`update tally set n = ${n} where id = 1`))
        done = n
      }
    })()
    let over = false
    const readers = many(25, async () => {
      while (!over) {
        const before = done
        const { rows } = await database.db.execute<{ n: number }>(
          sql`select n from tally where id = 1`,
        )
        expect(rows[0]!.n).toBeGreaterThanOrEqual(before)
      }
    })
    await writes.finally(() => (over = true))
    await readers
    expect(times('update tally')).toBe(40)
  })

  it('fail for all who asked, and for nobody after them', async () => {
    const read = (by: number) => database.db.execute(sql`select 10 / (n - ${by}) as q from tally`)
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => read(5)))
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 'rejected'))
    await database.db.execute(sql`update tally set n = 0 where id = 1`)
    await expect(read(7)).resolves.toMatchObject({ rowCount: 2 })
  })

  it('stay apart where one is in a transaction, or in the background', async () => {
    const read = sql`select n from tally where id = 2 /* apart */`
    await Promise.all([
      ...Array.from({ length: 4 }, () => database.transaction(tx => tx.execute(read))),
      ...Array.from({ length: 3 }, () => inBackground(async () => database.db.execute(read))),
    ])
    expect(times('/* apart */')).toBe(7)
  })
})

describe('what answers otherwise each time, or does more than to answer', () => {
  it('is asked by each for themselves', async () => {
    await database.pool.query('create sequence draw')
    const drawn = await many(
      20,
      async () =>
        (await database.db.execute<{ n: string }>(sql`select nextval('draw') as n`)).rows[0]!.n,
    )
    expect(new Set(drawn).size).toBe(20)
  })

  it('is every function that the database calls volatile, and every lock', async () => {
    const { rows } = await database.db.execute<{ name: string }>(sql`
      select distinct p.proname as name from pg_proc p
      where p.provolatile = 'v' and p.prokind <> 'p' and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
        and not ('internal'::regtype = any(p.proargtypes::oid[]))
        -- What only a server itself calls; and one that reads, though nobody said so.
        and p.proname !~ '^(amvalidate|plpgsql_.*|coupon_claimer)$'`)
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.filter(({ name }) => saysTheSame(`select ${name}(1) from a`))).toEqual([])
    for (const lock of [
      'for update',
      'for no key update',
      'for share',
      'for key share',
      'FOR UPDATE skip locked',
    ])
      expect(saysTheSame(`select id from a where id = 1 ${lock}`)).toBe(false)
    expect(saysTheSame('select id, random_number from forms where told = $1 (a)')).toBe(true)
  })
})
