import { beforeAll, expect, it } from 'vitest'
import { inboxState } from '#src/areas/wecom/inbox.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'

onlyOn('postgres')('of many events of WeCom, nearly all of them done', () => {
  let database: Database
  const now = unixNow()
  beforeAll(async () => {
    database = await openCopy()
    await database.pool.query('delete from wecom_event')
    await fill(
      database.pool,
      `
      insert into wecom_event (identity, event, change_type, subject, fields, happened_at, state, next_at, done_at)
      select 'P' || n, 'change_external_contact', 'add', 'S' || n, '{}', ${now} - n, case when n % 5000 = 0 then 'new' when n % 7000 = 0 then 'dead' else 'done' end, ${now}, case when n % 5000 = 0 or n % 7000 = 0 then null else ${now} end
      from generate_series(1, 60000) n`,
    )
    await database.pool.query('vacuum analyze wecom_event')
  }, 120_000)
  it('what waits and what was given up is counted by an index', async () => {
    const plans = await plansOf(database.pool, db => inboxState(db))
    expect(plans.length).toBeGreaterThan(0)
    expect(seqScans(plans, 'wecom_event')).toEqual([])
    const names = plans.flatMap(({ nodes }) => nodes.flatMap(node => node['Index Name'] ?? []))
    expect(names).toContain('wecom_event_open')
    expect(await inboxState(database.db)).toMatchObject({ waiting: 12, dead: 7 })
  })
})
