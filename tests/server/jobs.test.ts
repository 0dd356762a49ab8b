// Run @embedded too: its queue locks and wakes as each database does.
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import { openLog } from '#src/server/http/logging.ts'
import { openJobs, type Jobs } from '#src/server/jobs/jobs.ts'
import { copyOfTemplate, onlyOn } from '../farm.ts'

let database: Database
let url: string | undefined
let jobs: Jobs
const told: { job?: string; err?: { message?: string } }[] = []
beforeAll(async () => {
  const copy = await copyOfTemplate()
  url = copy.options.url
  database = await openDatabase(copy.options)
  jobs = await openJobs(
    database,
    openLog('error', {
      write: line => {
        told.push(JSON.parse(line) as (typeof told)[number])
      },
    }),
  )
  return async () => {
    await jobs.close()
    await database.close()
    await copy.remove()
  }
})
const until = async (what: () => boolean, seconds = 20) => {
  for (let i = 0; i < seconds * 20 && !what(); i++)
    await new Promise(resolve => setTimeout(resolve, 50))
  expect(what()).toBe(true)
}

describe('a job', () => {
  it('is done with what was sent, and again when it failed, which the log tells', async () => {
    const seen: unknown[] = []
    await jobs.on('greet', async data => {
      seen.push(data)
      if (seen.length === 1) throw new Error('the first try fails')
    })
    await jobs.send('greet', { name: '张三' })
    await until(() => seen.length >= 2)
    expect(seen).toEqual([{ name: '张三' }, { name: '张三' }])
    expect(told.map(({ job, err }) => [job, err?.message])).toEqual([
      ['greet', 'the first try fails'],
    ])
  }, 30_000)
  it('by the clock stands in the database, in Shanghai time, once however often it is asked for', async () => {
    for (let i = 0; i < 2; i++) await jobs.every('5 0 * * *', 'nightly', async () => {})
    const rows = await database.db.execute(sql`select name, cron, timezone from jobs.schedule`)
    expect(rows.rows).toEqual([{ name: 'nightly', cron: '5 0 * * *', timezone: 'Asia/Shanghai' }])
  })
  it('does not wait for the time that was, where the clock is set back', async () => {
    await jobs.on('late', async () => {})
    await jobs.soon('late')
    await database.db.execute(sql`update jobs.version set cron_on = now() + interval '1 day'`)
    await database.db.execute(
      sql`update jobs.job set state = 'created', created_on = now() + interval '1 day', start_after = now() + interval '1 day', singleton_on = singleton_on + interval '1 day' where name = 'late'`,
    )
    await (await openJobs(database, openLog('silent'))).close()
    const { rows } = await database.db.execute(
      sql`select (select coalesce(cron_on, now()) <= now() from jobs.version) cron, start_after <= now() begins, singleton_on from jobs.job where name = 'late'`,
    )
    expect(rows).toEqual([{ cron: true, begins: true, singleton_on: null }])
  })
  it('is finished that was being fetched when the server closes: nothing is asked of a closed pool', async () => {
    let fetched = false
    let answered = false
    let closed = false
    const after: string[] = []
    const pool = new Proxy(database.pool, {
      get: (of, name) =>
        name === 'query'
          ? async (text: string, values?: unknown[]) => {
              if (closed) after.push(text)
              const answer = await database.pool.query(text, values)
              const fetches = values?.[0] === 'slow' && /skip locked/i.test(text)
              if (fetches && answer.rows.length > 0) {
                fetched = true
                await until(() => answered)
              }
              return answer
            }
          : (Reflect.get(of, name) as unknown),
    })
    const port = await openJobs({ ...database, pool }, openLog('silent'))
    const done: string[] = []
    await port.on('slow', async () => {
      done.push('run')
    })
    await port.send('slow')
    await until(() => fetched)
    const closes = port.close().then(() => {
      closed = true
      done.push('closed')
    })
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(done).toEqual([])
    answered = true
    await closes
    const { rows } = await database.db.execute(
      sql`select state from jobs.job where name = 'slow' union all select state from jobs.archive where name = 'slow'`,
    )
    expect([done, rows, after]).toEqual([['run', 'closed'], [{ state: 'completed' }], []])
  }, 20_000)
  it('leaves the database to others: for dozens of queues it asks a few times a second at most', async () => {
    for (let n = 0; n < 30; n++) await jobs.on(`idle-${n}`, async () => {})
    let asked = 0
    // Every statement outside a transaction of ours takes a connection from the pool for itself.
    const counted = () => void asked++
    database.pool.on('acquire', counted)
    await new Promise(resolve => setTimeout(resolve, 4000))
    database.pool.off('acquire', counted)
    expect(asked).toBeGreaterThan(0)
    expect(asked / 4).toBeLessThan(6)
  }, 10_000)
})

onlyOn('postgres')('of two processes', () => {
  it('one does each job', async () => {
    const second = await openDatabase({ url: url! })
    const others = await openJobs(second, openLog('silent'))
    const done: number[] = []
    for (const port of [jobs, others])
      await port.on('count', async data => {
        done.push((data as { n: number }).n)
      })
    for (let n = 0; n < 6; n++) await jobs.send('count', { n })
    await until(() => done.length >= 6, 60)
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 6 }, (_, n) => n))
    await others.close()
    await second.close()
  }, 90_000)
})
