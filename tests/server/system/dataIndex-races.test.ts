import { eq, sql, type SQL } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { daily_stat } from '#src/areas/figures/stat.table.ts'
import { dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import { dataIndex as calls } from '#src/modules/system/contract/dataIndex.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { openApp, send, tokenOfAccount } from '../../help/app.ts'

onlyOn('postgres')('at the same moment', () => {
  let database: Database
  let app: App
  let token: string
  const now = unixNow()
  const yesterday = dateOf(dayStart(now) - 86_400)
  const recompute = () => send(app, calls.recompute, { date: yesterday, reason: '补数' }, { token })
  const counted = async () =>
    (
      await database.db.execute<{ n: number; twice: number }>(
        sql`select count(*)::int n, (count(*) - count(distinct (city_id, mall_id, kind)))::int twice from daily_stat where date = ${yesterday}`,
      )
    ).rows[0]!
  beforeAll(async () => {
    database = await openCopy({ poolSize: 20 })
    app = await openApp(database)
    token = await tokenOfAccount(database, 'admin')
    // The copied rows may have been made before midnight: what is yesterday now is then not counted
    // yet.
    expect((await recompute()).status).toBe(200)
    expect((await counted()).n).toBeGreaterThan(0)
  })
  /** A transaction of somebody else that keeps a lock until it is released. */
  const hold = async (lock: SQL) => {
    let end = () => {}
    const until = new Promise<void>(done => {
      end = done
    })
    let held: Promise<void> = until
    await new Promise<void>(ready => {
      held = database.transaction(async tx => {
        await tx.execute(lock)
        ready()
        await until
      })
    })
    return async () => {
      end()
      await held
    }
  }
  const later = (ms: number) => new Promise(done => setTimeout(done, ms))

  it('a day that is being counted is not counted a second time meanwhile', async () => {
    const before = await counted()
    const release = await hold(sql`select id from daily_stat where date = ${yesterday} for update`)
    const first = recompute()
    await later(400)
    const second = await recompute()
    await release()
    expect([second.status, second.data?.rule, (await first).status]).toEqual([422, 'running', 200])
    expect(await counted()).toEqual(before)
  })
  it('nor while the night counts it: the one waits, the other is refused', async () => {
    const before = await counted()
    await database.db.delete(daily_stat).where(eq(daily_stat.date, yesterday))
    // The night begins where nothing stands yet: what it waits for is the table.
    const release = await hold(sql`lock table daily_stat in share mode`)
    const night = timerNamed('stat.night')({
      database,
      events: app.events,
      install: app.install,
      log: {} as never,
      now,
    })
    await later(500)
    const said = await recompute()
    await release()
    expect([said.status, said.data?.rule]).toEqual([422, 'running'])
    await night
    expect(await counted()).toEqual(before)
  })
})
