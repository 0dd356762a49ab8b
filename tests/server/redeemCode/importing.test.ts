import { and, eq, sql, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import type { Batch } from '#src/areas/redeemCode/batches.server.ts'
import { keepSlice, newDraft } from '#src/areas/redeemCode/drafts.server.ts'
import { code_run, code_slice, redeem_code } from '#src/areas/redeemCode/redeemCode.table.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { SLICE } from '#src/areas/secret/slices.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { jobs } from '#src/modules/job/contract.ts'
import { codeBatches as calls } from '#src/modules/redeemCode/contract/index.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openLog } from '#src/server/http/logging.ts'
import { openRowJobWorker, type RowJobWorker } from '#src/server/jobs/rowJobWorker.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { atEnd } from '../../farm/ends.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { batchOf, prefixOf } from '../../help/redeem.ts'

const PIECES = 4
const QTY = (PIECES - 1) * SLICE + 7
let database: Database
let app: App
let worker: RowJobWorker
let maker: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  maker = await addStaff(database, { perms: ['*'] })
  worker = await openRowJobWorker({
    database,
    events: app.events,
    install: app.install,
    log: openLog('silent'),
  })
  atEnd(() => worker.close())
})
const batch = async (of: Partial<Batch> = {}): Promise<Batch> =>
  (await batchOf(database, app, { codes: 0, quantity: QTY, created_by: maker.id, ...of })).batch
const codes = (n = QTY) => {
  const own = prefixOf()
  return Array.from({ length: n }, (_, at) => `${own}${at}`)
}
const fileOf = (lines: readonly string[]) => Buffer.from(lines.join('\n')).toString('base64')
const bring = ({ id, version }: Batch, lines: readonly string[], key?: string) =>
  send(
    app,
    calls.importCodes,
    { id, version, secret_file: fileOf(lines) },
    { token: maker.token, ...(key && { key }) },
  )
const runsOf = ({ id }: Batch) =>
  database.db.select().from(code_run).where(eq(code_run.batch_id, id)).orderBy(code_run.id)
const slicesOf = async ({ id }: Batch): Promise<number> => {
  const [found] = await database.db
    .select({ n: sql<number>`count(*)::int` })
    .from(code_slice)
    .innerJoin(code_run, eq(code_run.id, code_slice.run_id))
    .where(eq(code_run.batch_id, id))
  return found!.n
}
const came = async (job_id: number) => {
  await worker.work()
  return (await send(app, jobs.mine, { ids: [job_id] }, { token: maker.token })).data.list[0]
}
/** Does something while a transaction of somebody else has done this and is not over. */
const meanwhile = async <T>(done: SQL, run: () => Promise<T>): Promise<T> => {
  const client = await database.pool.connect()
  try {
    return await drizzle(client).transaction(async tx => {
      await tx.execute(done)
      return run()
    })
  } finally {
    client.release()
  }
}
const until = async (what: () => Promise<boolean>) => {
  while (!(await what())) await new Promise(resolve => setTimeout(resolve, 10))
}

describe('the file of an import of many', () => {
  it('is kept slice by slice before the transaction, in which nobody waits for the walk', async () => {
    const own = await batch()
    // Whoever holds the batch keeps the call from going on, yet each slice is committed.
    const said = await meanwhile(
      sql`select 1 from code_batch where id = ${own.id} for no key update`,
      async () => {
        const sent = bring(own, codes())
        await until(async () => (await slicesOf(own)) === PIECES)
        const [draft] = await runsOf(own)
        expect(draft).toMatchObject({ qty: 0, done: 0 })
        expect(draft!.run_no).toBeLessThan(0)
        return () => sent
      },
    )
    const { data } = await said()
    expect(await runsOf(own)).toMatchObject([{ run_no: 1, qty: QTY, done: 0 }])
    expect(await came(data.job_id)).toMatchObject({ rows_done: PIECES, rows_failed: 0 })
    expect(await slicesOf(own)).toBe(0)
    expect(await database.db.$count(redeem_code, eq(redeem_code.batch_id, own.id))).toBe(QTY)
  })
  it('is no run while it is read', async () => {
    const own = await batch()
    await newDraft(database.db, { batch_id: own.id, admin_id: maker.id, now: unixNow() })
    const { data } = await send(app, calls.runs, { id: own.id }, { token: maker.token })
    expect(data.list).toEqual([])
  })
  it.each([
    ['more than the batch has left', {}, [...codes(), 'ONEMORE'], 'beyond_quantity'],
    ['of a batch that was never approved', { status: 'auditing' }, codes(), 'batch_import'],
  ] as const)('leaves nothing where it is refused: %s', async (_, of, lines, why) => {
    const own = await batch(of)
    expect((await bring(own, lines)).data.rule).toBe(why)
    expect(await runsOf(own)).toEqual([])
  })
  it('leaves nothing where the transaction is refused after the walk', async () => {
    const own = await batch()
    const said = await meanwhile(
      sql`update code_batch set version = version + 1 where id = ${own.id}`,
      async () => {
        const sent = bring(own, codes())
        await until(async () => (await slicesOf(own)) === PIECES)
        return () => sent
      },
    )
    expect((await said()).status).toBe(409)
    expect(await runsOf(own)).toEqual([])
  })
  it('sent again under the same key is the same job, once', async () => {
    const own = await batch()
    const lines = codes()
    const key = `import-${own.id}`
    const [one, two] = await Promise.all([bring(own, lines, key), bring(own, lines, key)])
    const three = await bring(own, lines, key)
    expect([two.data, three.data]).toEqual([one.data, one.data])
    expect(await runsOf(own)).toMatchObject([{ run_no: 1 }])
    expect(await slicesOf(own)).toBe(PIECES)
    const logs = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_id, own.id), eq(op_log.action, 'redeemCode.index.importCodes')))
    expect(logs).toHaveLength(1)
    expect(await came(one.data.job_id)).toMatchObject({ rows_failed: 0 })
  })
  it('of a server that died goes after its time, and that of one that reads stays', async () => {
    const own = await batch()
    const now = unixNow()
    const sealer = await sealerOf(app.install.codeKeys, database.db)
    const kept = await Promise.all(
      [now, now - 86_400].map(async at => {
        const run_id = await newDraft(database.db, {
          batch_id: own.id,
          admin_id: maker.id,
          now: at,
        })
        await keepSlice(database.db, sealer, { run_id, no: 1, text: 'AB12' })
        return run_id
      }),
    )
    await timerNamed('redeemCode.drafts')({ database, now } as never)
    expect((await runsOf(own)).map(run => run.id)).toEqual([kept[0]])
    expect(await slicesOf(own)).toBe(1)
    // Another import meanwhile leaves it alone as well.
    const { data } = await bring(own, codes())
    expect(await came(data.job_id)).toMatchObject({ rows_done: PIECES, rows_failed: 0 })
    expect((await runsOf(own)).map(run => run.id)).toContain(kept[0])
  })
})
describe('an import that is cancelled between two slices', () => {
  it('is in force nowhere, and makes room for the next', async () => {
    const own = await batch()
    const lines = codes()
    const { data } = await bring(own, lines)
    await send(app, jobs.cancel, { id: data.job_id }, { token: maker.token })
    const again = await bring({ ...own, version: data.version }, lines)
    expect(await came(again.data.job_id)).toMatchObject({ rows_done: PIECES + 1, rows_failed: 0 })
    expect(await database.db.$count(redeem_code, eq(redeem_code.batch_id, own.id))).toBe(QTY)
    expect(await slicesOf(own)).toBe(0)
  })
})
