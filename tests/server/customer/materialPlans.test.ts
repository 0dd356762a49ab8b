import { beforeAll, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { materialServer } from '#src/modules/customer/server/material.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'

const now = unixNow()
let database: Database
beforeAll(async () => {
  database = await openCopy()
  const run = (text: string) => database.pool.query(text)
  // Thirty thousand materials, nearly all of them pictures that are on and that WeCom has.
  await fill(
    database.pool,
    `insert into wecom_material (kind, title, category, body, file_key, valid_to_at, owner_id, status)
     select k, '素材' || n, case when n % 500 = 0 then '少用' else '常用' end,
       jsonb_build_object('kind', k), case when k = 'image' then 'plan/' || n end,
       case when n % 300 = 0 then ${now} - n else ${now} + 1000000 + n end, 1,
       case when n % 250 = 0 then 'draft' else 'enabled' end
     from (select n, case when n % 200 = 0 then 'link' else 'image' end k
       from generate_series(1, 30000) n) all_of_them`,
  )
  await fill(
    database.pool,
    `insert into wecom_media (file_key, kind, media_id, expire_at, tried_at, error)
     select 'plan/' || n, 'image', case when n % 700 <> 1 then 'm' || n end,
       case when n % 700 <> 1 then ${now} + case when n % 4000 = 1 then -n else n + 1000 end end,
       1, case when n % 600 = 1 then '超过大小' else '' end
     from generate_series(1, 30000) n where n % 200 <> 0`,
  )
  await run(
    `insert into wecom_send_task (target, content, materials, send_at, created_by)
     select 'customer', '周末见', jsonb_build_array(jsonb_build_object('id', m.id, 'n', null)),
       ${now} + 1000, 1 from wecom_material m where m.title in ('素材77', '素材7777')`,
  )
  await run('analyze')
}, 120_000)

const staff = { id: 1, scope: everything, lang: 'zh' as const, can: () => true }
const lst = materialServer.handlers['lst'] as unknown as (
  input: object,
  context: object,
) => Promise<unknown>
/** The plans of a list by a filter, its counts with it. */
const allPlansBy = (filter: object) =>
  plansOf(database.pool, db => lst({ page: 1, pageSize: 50, ...filter }, { db, staff, now }))
/** Those of its rows; what nearly all rows match is counted by reading them. */
const plansBy = async (filter: object) =>
  (await allPlansBy(filter)).filter(({ text }) => !text.includes('count('))

it('materials are found by an index by every filter of a value', async () => {
  const scanned: string[] = []
  for (const [name, filter] of Object.entries({
    none: {},
    id: { id: 77 },
    kind: { kind: 'link' },
    category: { category: '少用' },
    state: { status: 'draft' },
    'without a file': { media: 'none' },
    'not taken': { media: 'failed' },
    'in WeCom': { media: 'valid' },
    'not there': { media: 'absent' },
    'a word of few': { keyword: '材7777' },
    'a word of most': { keyword: '素材' },
    'a word of none': { keyword: '绝无此名' },
    used: { used: true },
    unused: { used: false },
    'past its end': { over: true },
  })) {
    const asked = await plansBy(filter)
    expect(asked.length).toBeGreaterThan(0)
    if (seqScans(asked, 'wecom_material').length > 0) scanned.push(name)
  }
  expect(scanned).toEqual([])
}, 60_000)
it('files that WeCom has dropped are found by when they ended', async () => {
  const nodes = (await plansBy({ media: 'expired' })).flatMap(plan => plan.nodes)
  expect(nodes.map(node => node['Index Name'])).toContain('wecom_media_by_end')
})
it('a part of a title, and what was never in WeCom, are found and counted by their index', async () => {
  const indexOf = async (filter: object, wanted: string) => {
    const plans = (await allPlansBy(filter)).filter(({ text }) => text.includes('wecom_material"'))
    const counts = plans.filter(({ text }) => text.includes('count('))
    expect(counts.length).toBeGreaterThan(0)
    expect(seqScans(plans, 'wecom_material')).toEqual([])
    for (const { nodes, text } of plans.filter(one => !one.text.includes('planned once')))
      expect(
        nodes.map(node => node['Index Name']),
        text,
      ).toContain(wanted)
  }
  await indexOf({ keyword: '材7777' }, 'wecom_material_by_grams')
  await indexOf({ media: 'absent' }, 'wecom_media_by_end')
})
