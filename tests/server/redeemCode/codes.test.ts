import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import { and, asc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { idempotency, op_log } from '#src/areas/log/log.table.ts'
import { codesFound } from '#src/areas/redeemCode/redeem.server.ts'
import { code_batch, redeem_code } from '#src/areas/redeemCode/redeemCode.table.ts'
import { isSound, normalCode } from '#src/areas/secret/secretCode.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { SLICE } from '#src/areas/secret/slices.server.ts'
import { jobs } from '#src/modules/job/contract.ts'
import { batchAdd } from '#src/modules/redeemCode/contract/form.ts'
import { codeBatches as calls } from '#src/modules/redeemCode/contract/index.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openLog } from '#src/server/http/logging.ts'
import { openRowJobWorker, type RowJobWorker } from '#src/server/jobs/rowJobWorker.ts'
import { openCopy } from '../../farm.ts'
import { atEnd } from '../../farm/ends.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { batchOf, formOf } from '../../help/redeem.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
type What = Parameters<typeof send>[1]
let database: Database
let app: App
let worker: RowJobWorker
let [maker, auditor]: Person[] = []
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  ;[maker, auditor] = await Promise.all([1, 2].map(() => addStaff(database, { perms: ['*'] })))
  worker = await openRowJobWorker({
    database,
    events: app.events,
    install: app.install,
    log: openLog('silent'),
  })
  atEnd(() => worker.close())
})
const call = (what: What, input: object, by = maker!) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = maker!) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object, by = maker!) => {
  const said = await call(what, input, by)
  expect(said.status).toBe(422)
  return said.data.rule
}
const rowOf = async (id: number) =>
  (await database.db.select().from(code_batch).where(eq(code_batch.id, id)))[0]!
const held = async (id: number) => ({ id, version: (await rowOf(id)).version })
const submitted = async (more: object = {}): Promise<number> =>
  (await done(batchAdd.submit, formOf(more))).id
const running = async (more: object = {}): Promise<number> => {
  const id = await submitted(more)
  await done(calls.approve, await held(id), auditor)
  return id
}
const codesOf = async (id: number) => {
  const sealer = await sealerOf(app.install.codeKeys, database.db)
  const rows = await database.db
    .select()
    .from(redeem_code)
    .where(eq(redeem_code.batch_id, id))
    .orderBy(asc(redeem_code.seq))
  return rows.map(row => sealer.open(row.code_sealed, row.code_hash))
}
/** Does a job, and answers what became of its rows. */
const worked = async (job_id: number) => {
  await worker.work()
  const { list } = await done(jobs.mine, { ids: [job_id] })
  return list[0]
}

describe('codes', () => {
  it('are made once approved, and never more than that over all runs', async () => {
    const draft = await done(batchAdd.saveDraft, formOf())
    expect(await rule(calls.generate, { ...draft, qty: 1 })).toBe('batch_generate')
    const id = await running()
    await done(calls.generate, { ...(await held(id)), qty: 60 })
    expect(await rule(calls.generate, { ...(await held(id)), qty: 41 })).toBe('beyond_quantity')
    await done(calls.generate, { ...(await held(id)), qty: 40 })
    const codes = await codesOf(id)
    expect(new Set(codes).size).toBe(100)
    expect(codes.every(code => isSound(code, 'mixed'))).toBe(true)
    expect(await rule(calls.generate, { ...(await held(id)), qty: 1 })).toBe('batch_generate')
  })
  it('of many are a job’s, which can be cancelled and made up for', async () => {
    const quantity = 2 * SLICE + 10
    const id = await running({ quantity, budget_cents: quantity * 10 })
    const { job_id } = await done(calls.generate, { ...(await held(id)), qty: quantity })
    await done(jobs.cancel, { id: job_id })
    expect((await rowOf(id)).generated).toBe(0)
    const again = await done(calls.generate, { ...(await held(id)), qty: quantity })
    expect(await worked(again.job_id)).toMatchObject({
      state: 'done',
      rows_done: 3,
      rows_failed: 0,
    })
    expect(await rowOf(id)).toMatchObject({ generated: quantity, last_seq: quantity })
    expect(await database.db.$count(redeem_code, eq(redeem_code.batch_id, id))).toBe(quantity)
  })
  it('are never in the database, its log or its answers in clear', async () => {
    const id = await running({ quantity: 3 })
    await done(calls.generate, { ...(await held(id)), qty: 3 })
    const codes = await codesOf(id)
    const key = `redeem-${id}-export`
    const input = { ...(await held(id)) }
    const said = await send(app, calls.download, input, { token: maker!.token, key })
    const texts = await Promise.all(
      [op_log, idempotency, redeem_code].map(table =>
        database.db.execute<{ all: string }>(
          sql`select coalesce(string_agg(t::text, ' '), '') "all" from ${table} t`,
        ),
      ),
    )
    const kept = texts.map(({ rows }) => rows[0]!.all).join(' ')
    for (const secret of [...codes, said.data.secret_password, said.data.secret_file.slice(0, 60)])
      expect(kept).not.toContain(secret)
    const repeated = await send(app, calls.download, input, { token: maker!.token, key })
    expect(repeated.data).toMatchObject({ rows: 3, secret_file: null, secret_password: null })
  })
})

describe('an export', () => {
  const opened = async (data: { secret_file: string; secret_password: string }) => {
    const bytes = new Uint8Array(Buffer.from(data.secret_file, 'base64'))
    const [entry] = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries()
    if (!entry || entry.directory) throw new Error('no file in it')
    const text = await entry.getData(new TextWriter(), {
      password: data.secret_password,
      useWebWorkers: false,
    })
    return text.trim().split('\r\n').slice(1)
  }
  it('is encrypted, logged and counted; what was exported is exported again by range alone', async () => {
    const id = await running({ quantity: 5 })
    await done(calls.generate, { ...(await held(id)), qty: 5 })
    const data = await done(calls.download, await held(id))
    expect(data).toMatchObject({ rows: 5, left: 0 })
    const lines = await opened(data)
    expect(lines.map(line => normalCode(line.split(',')[1]!))).toEqual(await codesOf(id))
    expect((await rowOf(id)).exported).toBe(5)
    expect(await rule(calls.download, await held(id))).toBe('nothing_to_export')
    const again = await done(calls.download, { ...(await held(id)), from: 2, to: 3 })
    expect((await opened(again)).map(line => line.split(',')[0])).toEqual(['2', '3'])
    expect((await rowOf(id)).exported).toBe(5)
    const logs = await database.db
      .select({ after: op_log.after })
      .from(op_log)
      .where(and(eq(op_log.object_id, id), eq(op_log.action, 'redeemCode.index.download')))
      .orderBy(asc(op_log.id))
    expect(logs.map(one => one.after)).toEqual([
      { exported_from: 1, exported_to: 5, exported: 5 },
      expect.anything(),
      { exported_from: 2, exported_to: 3, exported: 2 },
    ])
  })
})

const fileOf = (lines: readonly string[]) => Buffer.from(lines.join('\n')).toString('base64')
describe('an import', () => {
  const bring = async (id: number, lines: readonly string[]) =>
    call(calls.importCodes, { ...(await held(id)), secret_file: fileOf(lines) })
  let unique = 0
  const codes = (n: number) => Array.from({ length: n }, () => `EXTQX${++unique}`)
  it('takes codes of others, however they are written', async () => {
    const id = await running()
    const said = await bring(id, ['\ufeffab-12 cd', '', 'ＸＹ３４ＥＦ'])
    expect(said.data).toMatchObject({ done: 2, job_id: null })
    expect(await codesOf(id)).toEqual(['AB12CD', 'XY34EF'])
  })
  it.each([
    ['that is there twice', (own: string[]) => [...own, own[0]!], 'bad_code'],
    ['that is none', (own: string[]) => [...own, '中文'], 'bad_code'],
    ['more than was approved', (own: string[]) => [...own, ...codes(100)], 'beyond_quantity'],
  ])('with a code %s is refused whole', async (_, make, why) => {
    const id = await running()
    expect((await bring(id, make(codes(3)))).data.rule).toBe(why)
    expect((await rowOf(id)).generated).toBe(0)
  })
  it('with a code of any batch is refused whole', async () => {
    const [one, two] = [await running(), await running()]
    const [taken, ...others] = codes(4)
    expect((await bring(one, [taken!])).status).toBe(200)
    expect((await bring(two, [...others, taken!.toLowerCase()])).data.rule).toBe('code_taken')
    expect(await rowOf(two)).toMatchObject({ generated: 0, runs: 0 })
  })
  it('of many that breaks in the middle is in force nowhere, and leaves no trace to the next', async () => {
    const quantity = 2 * SLICE + 5
    const [one, two] = [await running(), await running({ quantity, budget_cents: quantity * 10 })]
    const all = codes(quantity)
    await bring(one, [all[SLICE + 3]!])
    const broken = await bring(two, all)
    expect(await worked(broken.data.job_id)).toMatchObject({ rows_done: 3, rows_failed: 2 })
    const sealer = await sealerOf(app.install.codeKeys, database.db)
    expect(await codesFound(database.db, [sealer.hash(all[0]!)])).toEqual([])
    all[SLICE + 3] = codes(1)[0]!
    const again = await bring(two, all)
    expect(await worked(again.data.job_id)).toMatchObject({ rows_done: 4, rows_failed: 0 })
    expect((await rowOf(two)).generated).toBe(quantity)
    expect(new Set(await codesOf(two))).toEqual(new Set(all))
  })
})

describe('voiding', () => {
  it('takes unused codes of a range, once', async () => {
    const { batch } = await batchOf(database, app, { codes: 10, created_by: maker!.id })
    await database.db
      .update(redeem_code)
      .set({ state: 'redeemed' })
      .where(and(eq(redeem_code.batch_id, batch.id), eq(redeem_code.seq, 3)))
    const range = { from: 2, to: 5, reason: '实体卡遗失' }
    expect((await done(calls.voidCodes, { ...(await held(batch.id)), ...range })).done).toBe(3)
    expect((await done(calls.voidCodes, { ...(await held(batch.id)), ...range })).done).toBe(0)
    expect((await rowOf(batch.id)).voided).toBe(3)
    const far = { ...(await held(batch.id)), ...range, from: 11, to: 20 }
    expect(await rule(calls.voidCodes, far)).toBe('no_range')
  })
})
