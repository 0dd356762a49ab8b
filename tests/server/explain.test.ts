import { beforeAll, expect, it } from 'vitest'
import { auditQueues } from '#src/areas/audit/audit.ts'
import { queueCounts, queuePage, type QueueFilters } from '#src/areas/audit/auditQueue.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { filtersOffered, plansOf, queueTabs, seqScans, sortsOffered } from '../bench/plans.ts'
import { growTasks, RARE } from '../bench/tasks.ts'
import { onlyOn, openCopy } from '../farm.ts'

// What the lists offer must be served by an index however large the table grows: a plan is a fact
// of the schema, a time is one of the machine.
onlyOn('postgres')('on a large table, every filter and sort of the audit lists', () => {
  let database: Database
  let filters: Record<string, QueueFilters>
  beforeAll(async () => {
    database = await openCopy()
    await growTasks(database.pool, 100_000)
    filters = await filtersOffered(database.pool, RARE)
  }, 120_000)
  const all = { id: 1, scope: everything }
  const ofCity = { id: 2, scope: { cities: [1, 2], malls: [], owners: [] } }
  const ofOwner = { id: 3, scope: { cities: [], malls: [], owners: [3] } }

  it.each(auditQueues)(
    'of %s is served by an index',
    async queue => {
      const scanned: string[] = []
      for (const [name, filter] of Object.entries(filters)) {
        for (const state of queueTabs) {
          const plans = await plansOf(database.pool, db =>
            queuePage(
              db,
              queue,
              { ...filter, state, sort: 'sla', page: 1, pageSize: 50 },
              all,
              unixNow(),
            ),
          )
          expect(plans.length).toBeGreaterThan(0)
          if (seqScans(plans, 'audit_task').length > 0) scanned.push(`${state}, ${name}`)
        }
      }
      for (const sort of sortsOffered)
        for (const state of queueTabs)
          for (const reader of [all, ofCity, ofOwner])
            for (const page of [1, 40]) {
              const plans = await plansOf(database.pool, db =>
                queuePage(db, queue, { state, sort, page, pageSize: 50 }, reader, unixNow()),
              )
              if (seqScans(plans, 'audit_task').length > 0)
                scanned.push(`${state} by ${sort}, page ${page}, reader ${reader.id}`)
            }
      expect(scanned).toEqual([])
    },
    120_000,
  )
  it('of one mall is served by the index of its mall, what was decided as well as what waits', async () => {
    const read: string[] = []
    for (const state of ['open', 'approved'] as const) {
      const plans = await plansOf(database.pool, db =>
        queuePage(
          db,
          'bulks',
          { mid: filters.mall!.mid, state, sort: 'sla', page: 1, pageSize: 50 },
          all,
          unixNow(),
        ),
      )
      read.push(...plans.flatMap(({ nodes }) => nodes.map(node => node['Index Name'] ?? '')))
    }
    expect(read).toEqual(expect.arrayContaining(['audit_open_by_mall', 'audit_by_mall']))
  })
  it('and the counts of the tabs are served by an index', async () => {
    const scanned: string[] = []
    for (const queue of auditQueues)
      for (const [name, filter] of Object.entries(filters))
        for (const reader of [all, ofCity]) {
          const plans = await plansOf(database.pool, db =>
            queueCounts(db, queue, filter, reader, unixNow()),
          )
          if (seqScans(plans, 'audit_task').length > 0)
            scanned.push(`${queue}, ${name}, reader ${reader.id}`)
        }
    expect(scanned).toEqual([])
  }, 120_000)
  it('and a plan that reads the whole table is seen', async () => {
    const plans = await plansOf(database.pool, db =>
      db.execute("select count(*) from audit_task where reason = 'x'"),
    )
    expect(seqScans(plans, 'audit_task')).toHaveLength(1)
  })
})
