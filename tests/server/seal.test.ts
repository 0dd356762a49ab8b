import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { keepOrder, type Verified } from '#src/areas/log/chain.server.ts'
import { login_log, op_log, op_log_seal } from '#src/areas/log/log.table.ts'
import { sealLog, verifyLog } from '#src/areas/log/seal.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../farm.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
const add = async (n = 1) =>
  (
    await database.db
      .insert(op_log)
      .values(
        Array.from({ length: n }, (_, at) => ({
          admin_name: '测试',
          module: 'test',
          action: 'test.seal',
          object_type: 'thing',
          object_id: at + 1,
          object_label: `第${at}个`,
          before: { price_cents: 100, title: '旧' },
          after: { price_cents: 200, title: '旧' },
          result: 'ok' as const,
        })),
      )
      .returning({ id: op_log.id })
  ).map(row => row.id)
const why = (run: Promise<unknown>) =>
  run.then(
    () => 'done',
    (error: { cause?: { message: string }; message: string }) =>
      error.cause?.message ?? error.message,
  )
/**
 * Seals everything there is. Transactions of other databases on the same server, of tests beside
 * this one, hold it back for a moment.
 */
const sealAll = async () => {
  for (;;) {
    const made = await sealLog(database, unixNow())
    if ((await verifyLog(database.db, 0, 1)).unsealed === 0) return made
    await sleep(20)
  }
}
/** Everything from the first seal on. */
const verify = async (): Promise<Verified> => {
  let at = await verifyLog(database.db, 0, 2)
  while (at.next !== null && !at.broken) at = await verifyLog(database.db, at.next, 2)
  return at
}
/** What somebody does who owns the database. */
const behind = async (run: () => Promise<unknown>) => {
  await database.db.execute(sql`alter table op_log disable trigger op_log_append_only`)
  await run()
  await database.db.execute(sql`alter table op_log enable always trigger op_log_append_only`)
}

describe('the logs are append-only', () => {
  it.each(['op_log', 'login_log', 'op_log_seal'])(
    '%s: no update, no delete, no truncate, for the owner of the database either',
    async table => {
      await add()
      await database.db
        .insert(login_log)
        .values({ account: 'x', event: 'login', result: 'unknown' })
      await sealAll()
      const name = sql.identifier(table)
      const before = (await database.db.execute(sql`select count(*)::int n from ${name}`)).rows
      for (const act of [
        sql`update ${name} set created_at = 0`,
        sql`update ${name} set created_at = 0 where false`,
        sql`delete from ${name}`,
        sql`truncate ${name} cascade`,
      ])
        expect(await why(database.db.execute(act))).toMatch(/_log(_seal)? is append-only/)
      // Nor where triggers are told to sleep.
      expect(
        await why(
          database.transaction(async tx => {
            await tx.execute(sql`set local session_replication_role = replica`)
            await tx.execute(sql`delete from ${name}`)
          }),
        ),
      ).toMatch(/is append-only/)
      expect((await database.db.execute(sql`select count(*)::int n from ${name}`)).rows).toEqual(
        before,
      )
    },
  )
  it('a row knows which of its fields changed', async () => {
    const [id] = await add()
    const [row] = (
      await database.db.execute<{ fields: string[]; touched: string[] }>(
        sql`select fields, touched from op_log where id = ${id}`,
      )
    ).rows
    expect(row).toEqual({ fields: ['price_cents'], touched: ['thing.price_cents'] })
  })
})

describe('the hash chain', () => {
  it('seals every row once, in order, and holds when nothing was touched', async () => {
    await add(30)
    await sealAll()
    const {
      rows: [counted],
    } = await database.db.execute<{ rows: number; sealed: number; once: number }>(sql`
      select (select count(*)::int from op_log) as rows, count(*)::int sealed, count(distinct id)::int once from (select unnest(ids) id from op_log_seal) s`)
    expect(counted!.rows).toBeGreaterThan(30)
    expect([counted!.sealed, counted!.once]).toEqual([counted!.rows, counted!.rows])
    expect(await verify()).toMatchObject({ broken: null, unsealed: 0 })
    expect(await sealLog(database, unixNow())).toEqual([])
  })
  it('tells a changed row by its id', async () => {
    const [, id] = await add(3)
    await sealAll()
    await behind(() =>
      database.db.execute(sql`update op_log set admin_name = '别人' where id = ${id}`),
    )
    expect((await verify()).broken).toMatchObject({ kind: 'changed', row_id: id })
    await behind(() =>
      database.db.execute(sql`update op_log set admin_name = '测试' where id = ${id}`),
    )
    expect((await verify()).broken).toBeNull()
  })
  const asText = { put: sql`'x'`, back: (was: string) => sql`${was}` }
  const asJson = {
    put: sql`'{"price_cents": 1}'::jsonb`,
    back: (was: string) => sql`${was}::jsonb`,
  }
  const oneLess = (column: string) => ({
    put: sql`${sql.identifier(column)} - 1`,
    back: () => sql`${sql.identifier(column)} + 1`,
  })
  it.each([
    ['before', asJson],
    ['after', asJson],
    ['reason', asText],
    ['created_at', oneLess('created_at')],
    ['object_id', { put: sql`7777`, back: (was: string) => sql`${Number(was)}` }],
    ['result', { ...asText, put: sql`'failed'` }],
    ['ip', asText],
    ['trace_id', asText],
    ['xid', oneLess('xid')],
  ])('tells a change of %s', async (column, { put, back }) => {
    const [id] = await add()
    await sealAll()
    const [was] = (
      await database.db.execute<{ was: string }>(
        sql`select to_jsonb(op_log) ->> ${column} was from op_log where id = ${id}`,
      )
    ).rows
    await behind(() =>
      database.db.execute(
        sql`update op_log set ${sql.identifier(column)} = ${put} where id = ${id}`,
      ),
    )
    expect((await verify()).broken?.row_id).toBe(id)
    await behind(() =>
      database.db.execute(
        sql`update op_log set ${sql.identifier(column)} = ${back(was!.was)} where id = ${id}`,
      ),
    )
    expect((await verify()).broken).toBeNull()
  })
  it('tells a row that was slipped in below a seal, and one with a number that no transaction has', async () => {
    const [id] = await add()
    await sealAll()
    const [extra] = (
      await database.db.execute<{ id: number }>(
        sql`insert into op_log (admin_name, module, action, object_type, result, xid) select admin_name, module, action, object_type, result, xid - 1 from op_log where id = ${id} returning id`,
      )
    ).rows
    expect((await verify()).broken).toMatchObject({ kind: 'inserted', row_id: extra!.id })
    await behind(() => database.db.execute(sql`delete from op_log where id = ${extra!.id}`))
    const [later] = (
      await database.db.execute<{ id: number }>(
        sql`insert into op_log (admin_name, module, action, object_type, result, xid) select admin_name, module, action, object_type, result, xid + 1000000 from op_log where id = ${id} returning id`,
      )
    ).rows
    expect((await verify()).broken).toMatchObject({ kind: 'inserted', row_id: later!.id })
    await behind(() => database.db.execute(sql`delete from op_log where id = ${later!.id}`))
    expect((await verify()).broken).toBeNull()
  })
  it('goes on in order after a restore, where transaction numbers begin anew', async () => {
    // A restored log is full of numbers that this cluster has not reached.
    const [old] = (
      await database.db.execute<{ id: number }>(
        sql`insert into op_log (admin_name, module, action, object_type, result, xid) values ('旧库', 'test', 'test.seal', 'thing', 'ok', (select max(xid) + 5000000 from op_log)) returning id`,
      )
    ).rows
    await keepOrder(database)
    const [fresh] = await add()
    await sealAll()
    const { rows } = await database.db.execute<{ id: number }>(
      sql`select id from op_log order by xid desc, id desc limit 2`,
    )
    expect(rows.map(row => row.id)).toEqual([fresh, old!.id])
    expect(await verify()).toMatchObject({ broken: null, unsealed: 0 })
  })
  it('seals by number and not by text, where a number gains a digit', async () => {
    await sealAll()
    const [{ at: before } = { at: '' }] = (
      await database.db.execute<{ at: string }>(sql`select max(xid)::text as at from op_log`)
    ).rows
    await database.db.execute(
      sql`insert into op_log (admin_name, module, action, object_type, result, xid) values ('旧库', 'test', 'test.seal', 'thing', 'ok', ${10 ** before.length - 3})`,
    )
    await keepOrder(database)
    for (let n = 0; n < 6; n++) await add()
    const { rows } = await database.db.execute<{ length: number }>(
      sql`select distinct length(xid::text) as length from op_log where xid > ${Number(before)} order by 1`,
    )
    expect(rows.map(row => row.length)).toEqual([before.length, before.length + 1])
    await sealAll()
    await add()
    await sealAll()
    expect(await verify()).toMatchObject({ broken: null, unsealed: 0 })
  })
  it('tells a rewritten seal, and a deleted row by its id', async () => {
    const [, id] = await add(3)
    await sealAll()
    const [last] = await database.db
      .select()
      .from(op_log_seal)
      .orderBy(sql`id desc`)
      .limit(1)
    await database.db.execute(sql`alter table op_log_seal disable trigger op_log_seal_append_only`)
    await database.db.execute(
      sql`update op_log_seal set prev_hash = repeat('a', 64) where id = ${last!.id}`,
    )
    expect((await verify()).broken).toMatchObject({ kind: 'seal', seal_id: last!.id })
    await database.db.execute(
      sql`update op_log_seal set prev_hash = ${last!.prev_hash} where id = ${last!.id}`,
    )
    await behind(() => database.db.execute(sql`delete from op_log where id = ${id}`))
    expect((await verify()).broken).toMatchObject({
      kind: 'deleted',
      row_id: id,
      seal_id: last!.id,
    })
  })
})

onlyOn('postgres')('while a transaction is under way', () => {
  it('nothing above it is sealed, and what it writes in the end is', async () => {
    await sealAll()
    const slow = await database.pool.connect()
    await slow.query('begin')
    const {
      rows: [early],
    } = await slow.query<{ id: number }>(
      `insert into op_log (admin_name, module, action, object_type, result) values ('慢', 'test', 'test.slow', 'thing', 'ok') returning id`,
    )
    const [late] = await add()
    await sealLog(database, unixNow())
    const sealed = async (id: number) =>
      (await database.db.execute(sql`select 1 from op_log_seal where ${id} = any(ids)`)).rows.length
    expect([await sealed(early!.id), await sealed(late!)]).toEqual([0, 0])
    await slow.query('commit')
    slow.release()
    await sealAll()
    expect([await sealed(early!.id), await sealed(late!)]).toEqual([1, 1])
  })
})
