// Run @embedded too: a job goes on after its database ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { row_job, row_job_part } from '#src/areas/export/job.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { admin, role } from '#src/areas/people/people.table.ts'
import { write } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { jobs, rowJobQueued } from '#src/modules/job/contract.ts'
import jobModule from '#src/modules/job/server.ts'
import { implement } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { DatabaseFault } from '#src/server/db/faults.ts'
import type { App } from '#src/server/http/app.ts'
import { openLog } from '#src/server/http/logging.ts'
import { defineRowJob, startRowJob } from '#src/server/jobs/rowJobs.ts'
import { openRowJobWorker } from '#src/server/jobs/rowJobWorker.ts'
import { openCopy, onlyOn } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'
import { toldTo } from '../help/told.ts'

/** What happens before a line is done. */
let at: Record<number, () => unknown> = {}
const call = write('test/rows', ['测试任务', 'Test job'], {
  input: z.object({ lines: z.int(), mark: z.string().default('') }),
  output: rowJobQueued,
  touches: ['test', 'job'],
  scope: 'all',
  permit: 'test.rows.do',
})
const rows = defineRowJob(
  call,
  async ({ tx, log, staff }, { line }: { line: number }, { mark }: { mark: string }) => {
    await at[line]?.()
    await tx.execute(sql`insert into t_row values (${line})`)
    log({
      object_type: 'test',
      object_id: line,
      object_label: `${mark}${staff.name}`,
      after: { line },
    })
    if (line % 10 === 3 && mark !== 'all')
      throw ruled('odd_line', ['第 {line} 行不行', 'Line {line} will not do'], { line })
  },
)
const testModule = implement(
  { call },
  {
    call: ({ lines, mark }, context) =>
      startRowJob(context, rows, {
        rows: Array.from({ length: lines }, (_, n) => ({ line: n + 1 })),
        same: { mark },
      }),
  },
)

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { modules: [testModule, jobModule] })
  await database.db.execute(sql`create table t_row (line int)`)
})
beforeEach(async () => {
  at = {}
  await database.db.execute(sql`delete from t_row`)
})
const person = () => addStaff(database, { perms: ['test.rows.do'] })
type Person = Awaited<ReturnType<typeof person>>
const open = () =>
  openRowJobWorker({ database, events: app.events, install: app.install, log: openLog('silent') })
const start = async (
  one: Person,
  lines: number,
  more: { mark?: string; key?: string; lang?: 'en' } = {},
) => {
  const { mark, ...sent } = more
  return (await send(app, call, { lines, ...(mark && { mark }) }, { token: one.token, ...sent }))
    .data.job_id as number
}
const job = async (id: number) =>
  (await database.db.select().from(row_job).where(eq(row_job.id, id)))[0]!
const doneLines = async () =>
  (await database.db.execute<{ line: number }>(sql`select line from t_row order by line`)).rows.map(
    row => row.line,
  )
const wanted = (to: number) =>
  Array.from({ length: to }, (_, n) => n + 1).filter(line => line % 10 !== 3)
/** The cursor tells exactly what was done: each line before it once, none behind it. */
const fits = async (id: number) => {
  const { rows_done, rows_failed } = await job(id)
  expect(await doneLines()).toEqual(wanted(rows_done))
  expect(rows_failed).toBe(rows_done - wanted(rows_done).length)
  return rows_done
}
const oncePer = (run: () => unknown) => {
  let done = false
  return () => {
    if (done) return undefined
    done = true
    return run()
  }
}
/** Does something while a part stands before the line, and from outside its transaction. */
const during = <T>(line: number, run: () => Promise<T>): Promise<T> => {
  let reached!: () => void
  const there = new Promise<void>(resolve => {
    reached = resolve
  })
  // A moment longer, in which what happens can come to where it waits for this part.
  at = {
    ...at,
    [line]: oncePer(() => {
      reached()
      return sleep(300)
    }),
  }
  return there.then(run)
}

describe('a row job', () => {
  it('does every line once, as its call does: logged in the person’s name, refused lines kept with their words, lists told', async () => {
    const one = await person()
    const heard: string[] = []
    const stop = app.events.listen(what => {
      if (what.event === 'change') heard.push(what.data)
    })
    const id = await start(one, 250, { mark: '记', key: 'row-job-key-1', lang: 'en' })
    // The same call sent again is the same job.
    expect(await start(one, 250, { mark: '记', key: 'row-job-key-1', lang: 'en' })).toBe(id)
    expect(await job(id)).toMatchObject({ state: 'queued', rows_total: 250, rows_done: 0 })
    heard.length = 0
    const worker = await open()
    await worker.work()
    expect(await fits(id)).toBe(250)
    expect(await toldTo(database, one.id)).toEqual([
      ['测试任务已结束：完成 225 行，25 行未完成', ''],
    ])
    const {
      data: {
        list: [mine],
      },
    } = await send(app, jobs.mine, {}, { token: one.token })
    expect(mine).toMatchObject({
      id,
      title: '测试任务',
      state: 'done',
      rows_total: 250,
      rows_done: 250,
      rows_failed: 25,
      error: null,
    })
    const { data: failed } = await send(
      app,
      jobs.failed,
      { id, page: 2, pageSize: 10 },
      { token: one.token },
    )
    expect([failed.total, failed.list.length, failed.list[0]]).toEqual([
      25,
      10,
      { line: 103, code: 'odd_line', msg: 'Line 103 will not do' },
    ])
    const logged = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.admin_id, one.id), eq(op_log.object_type, 'test')))
    expect(logged.map(line => line.object_id!).sort((a, b) => a - b)).toEqual(wanted(250))
    expect(
      new Set(logged.map(line => `${line.action} ${line.object_label} ${line.result}`)),
    ).toEqual(new Set([`test.rows 记${one.account} ok`]))
    expect(
      (
        await database.db
          .select()
          .from(op_log)
          .where(and(eq(op_log.object_type, 'row_job'), eq(op_log.object_id, id)))
      ).map(line => line.after),
    ).toEqual([{ rows: 250 }])
    expect(heard.length).toBeLessThan(10)
    expect(JSON.parse(heard.at(-1)!)).toEqual({
      tags: expect.arrayContaining(['test', 'job']),
      by: one.id,
    })
    expect(
      await database.db.select().from(row_job_part).where(eq(row_job_part.job_id, id)),
    ).toEqual([])
    stop()
    await worker.close()
  })
  it('is its owner’s only; three of a person’s wait or run at a time', async () => {
    const [one, two] = [await person(), await person()]
    const ids = [await start(one, 5), await start(one, 5), await start(one, 5)]
    expect((await send(app, call, { lines: 5 }, { token: one.token })).data.rule).toBe('job_busy')
    for (const act of [jobs.cancel, jobs.failed])
      expect((await send(app, act, { id: ids[0] }, { token: two.token })).status).toBe(404)
    expect((await send(app, jobs.mine, {}, { token: two.token })).data).toEqual({
      list: [],
      total: 0,
    })
    for (const id of ids)
      expect((await send(app, jobs.cancel, { id }, { token: one.token })).data.state).toBe(
        'cancelled',
      )
    expect((await send(app, jobs.cancel, { id: ids[0] }, { token: one.token })).data.rule).toBe(
      'job_over',
    )
    expect(await doneLines()).toEqual([])
  })
  it('cancelled stops after the part under way, which stays done', async () => {
    const one = await person()
    const id = await start(one, 2000)
    const said = during(120, () => send(app, jobs.cancel, { id }, { token: one.token }))
    const worker = await open()
    await worker.work()
    expect((await said).data.state).toBe('cancelled')
    const done = await fits(id)
    expect([done >= 120, done < 2000, (await job(id)).state]).toEqual([true, true, 'cancelled'])
    await worker.sweep()
    expect(await fits(id)).toBe(done)
    await worker.close()
  })
  it.each([
    [
      'lost the right',
      (one: Person) => database.db.update(role).set({ perms: [] }).where(eq(role.id, one.role_id)),
      '没有「测试任务」的权限',
    ],
    [
      'is disabled',
      (one: Person) =>
        database.db.update(admin).set({ status: 'disabled' }).where(eq(admin.id, one.id)),
      '账号已停用',
    ],
  ])(
    'of whoever %s midway ends with the reason; what was done stays done',
    async (_, takeAway, why) => {
      const one = await person()
      const id = await start(one, 2000)
      const taken = during(120, async () => {
        await takeAway(one)
      })
      const worker = await open()
      await worker.work()
      await taken
      const done = await fits(id)
      expect([done >= 120, done < 2000]).toEqual([true, true])
      expect(await job(id)).toMatchObject({ state: 'failed', error: expect.stringContaining(why) })
      await worker.close()
    },
  )
  it('goes on where a process that left handed it over: it waits for one part and no more', async () => {
    const id = await start(await person(), 400)
    const [first, second] = [await open(), await open()]
    const left = during(120, () => first.close())
    await first.work()
    await left
    const done = await fits(id)
    expect([done >= 120, done < 400, (await job(id)).state]).toEqual([true, true, 'queued'])
    await second.work()
    expect([await fits(id), (await job(id)).state]).toEqual([400, 'done'])
    await second.close()
  })
  it('whose database goes away in the middle of a part does that part again, each line once', async () => {
    const id = await start(await person(), 300)
    at = {
      150: oncePer(() => {
        throw new DatabaseFault('MALLET_UNAVAILABLE', 'gone')
      }),
    }
    const worker = await open()
    await worker.work()
    expect([await fits(id), (await job(id)).state]).toEqual([300, 'done'])
    await worker.close()
  })
  it('that a process left running is taken over after half a minute of silence; one that never gets on is given up', async () => {
    const one = await person()
    const [left, poison] = [await start(one, 20), await start(one, 20)]
    await database.db
      .update(row_job)
      .set({ state: 'running', beat_at: unixNow() - 31 })
      .where(eq(row_job.id, left))
    await database.db
      .update(row_job)
      .set({ state: 'running', beat_at: unixNow() - 31, runs: 3 })
      .where(eq(row_job.id, poison))
    const worker = await open()
    await worker.sweep()
    expect(await job(left)).toMatchObject({ state: 'done', rows_done: 20 })
    expect(await job(poison)).toMatchObject({
      state: 'failed',
      rows_done: 0,
      error: expect.stringContaining('中断了 3 次'),
    })
    await worker.close()
  })
  it('tells a line that broke without our insides, and does the others', async () => {
    const one = await person()
    const id = await start(one, 12)
    at = {
      5: () => {
        throw new Error('CANARY-broken')
      },
      7: () => database.db /* a line that does nothing wrong */,
    }
    const worker = await open()
    await worker.work()
    expect((await send(app, jobs.failed, { id }, { token: one.token })).data.list).toEqual([
      { line: 3, code: 'odd_line', msg: '第 3 行不行' },
      { line: 5, code: '500', msg: '系统处理这一行时出错' },
    ])
    expect(await doneLines()).toEqual([1, 2, 4, 6, 7, 8, 9, 10, 11, 12])
    await worker.close()
  })
  it('lets others be answered meanwhile, and is forgotten a month after its end', async () => {
    const one = await person()
    const id = await start(one, 600)
    const worker = await open()
    let over = false
    const working = worker.work().then(() => {
      over = true
    })
    let answered = 0
    while (!over) {
      expect((await send(app, jobs.mine, {}, { token: one.token })).status).toBe(200)
      answered++
    }
    await working
    expect(answered).toBeGreaterThan(3)
    expect((await job(id)).state).toBe('done')
    await database.db
      .update(row_job)
      .set({ updated_at: unixNow() - 31 * 86_400 })
      .where(eq(row_job.id, id))
    await worker.sweep()
    expect(await job(id)).toBeUndefined()
    await worker.close()
  })
})

onlyOn('postgres')('of row jobs on PostgreSQL', () => {
  it('several processes at once do each line once, also where one takes over what the other still does', async () => {
    const [one, two] = [await person(), await person()]
    const ids = [await start(one, 1000, { mark: 'all' }), await start(two, 1000, { mark: 'all' })]
    const workers = [await open(), await open(), await open()]
    let over = false
    // Again and again a job is taken away as a dead one is, and whoever has nothing to do goes on
    // with it.
    const robbing = (async () => {
      const working: Promise<void>[] = []
      while (!over) {
        await database.db.execute(
          sql`update row_job set state = 'queued' where state = 'running' and runs = 0`,
        )
        working.push(...workers.map(worker => worker.work()))
        await sleep(5)
      }
      await Promise.all(working)
    })()
    for (
      let tries = 0;
      tries < 600 && !(await Promise.all(ids.map(job))).every(row => row.state === 'done');
      tries++
    )
      await sleep(50)
    over = true
    await robbing
    expect(
      (await Promise.all(ids.map(job))).map(row => [row.state, row.rows_done, row.rows_failed]),
    ).toEqual([
      ['done', 1000, 0],
      ['done', 1000, 0],
    ])
    expect(await doneLines()).toEqual(Array.from({ length: 2000 }, (_, n) => Math.floor(n / 2) + 1))
    // Taken once and ended, a job is of version 2: these changed hands.
    expect(Math.max(...(await Promise.all(ids.map(job))).map(row => row.version))).toBeGreaterThan(
      3,
    )
    for (const worker of workers) await worker.close()
  })
  it('who takes over what is still being done waits for that part, and does not do it again', async () => {
    // None is refused: what was refused is kept once, and would keep a part from being done twice
    // by itself. And many parts are left: the first may have begun the next one before who waits
    // wakes up.
    const id = await start(await person(), 1000, { mark: 'all' })
    const [first, second] = [await open(), await open()]
    let release!: () => void
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const waits = async () => {
      while (
        (
          await database.db.execute(
            sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'update "row_job"%'`,
          )
        ).rows.length === 0
      )
        await sleep(10)
    }
    const taken = during(150, async () => {
      // What a sweep does to a job that looks dead.
      const stolen = (async () => {
        await database.db
          .update(row_job)
          .set({ state: 'queued' })
          .where(and(eq(row_job.id, id), eq(row_job.state, 'running')))
        await second.work()
      })()
      await Promise.race([stolen, waits()])
      release()
      await stolen
    })
    const reached = at[150]!
    at = {
      150: oncePer(async () => {
        reached()
        await held
      }),
    }
    await Promise.all([first.work(), taken])
    await first.close()
    expect(await doneLines()).toEqual(Array.from({ length: 1000 }, (_, n) => n + 1))
    expect(await job(id)).toMatchObject({
      state: 'done',
      rows_done: 1000,
      rows_failed: 0,
      version: 3,
    })
    await second.close()
  })
  it('what a killed process had not committed was not done; another goes on from there', async () => {
    const id = await start(await person(), 300)
    const child = spawn(
      process.execPath,
      [
        '--import',
        './src/source.mjs',
        join(import.meta.dirname, '../farm/rowWorker.ts'),
        database.pool.options.connectionString!,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const left = await job(id)
    expect([left.state, left.rows_done >= 100, left.rows_done < 150]).toEqual([
      'running',
      true,
      true,
    ])
    expect(await doneLines()).toEqual(Array.from({ length: left.rows_done }, (_, n) => n + 1))
    await database.db.execute(sql`delete from t_row where line % 10 = 3`)
    await database.db
      .update(row_job)
      .set({ beat_at: unixNow() - 31 })
      .where(eq(row_job.id, id))
    const worker = await open()
    await worker.sweep()
    expect(await job(id)).toMatchObject({ state: 'done', rows_done: 300 })
    expect(await doneLines()).toEqual(wanted(300))
    await worker.close()
  })
})
