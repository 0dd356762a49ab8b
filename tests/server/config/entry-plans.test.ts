import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { entriesOf, shownEntries } from '#src/areas/entryIcon/entries.server.ts'
import { countUses } from '#src/areas/link/linkUses.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { onlyOn } from '../../farm.ts'
import { entryBench, ICON } from '../../help/entryBench.ts'

onlyOn('postgres')('on a large table of entries', () => {
  let on: Awaited<ReturnType<typeof entryBench>>
  let place: number
  let link: number
  beforeAll(async () => {
    on = await entryBench()
    place = await on.freshCity()
    link = await on.freshLink()
    const cities: number[] = []
    for (let at = 0; at < 40; at++) cities.push(await on.freshCity())
    const { db } = on.database
    await db.execute(
      sql`insert into entry_icon (city_id, position, title, icon, page_link_id, sort) select (${sql.param(`{${cities.join()}}`)}::int[])[1 + n % 40], (array['grid', 'strip', 'float', 'tab'])[1 + n % 4], 'e' || n, ${ICON}, ${on.link}, n from generate_series(1, 20000) n`,
    )
    await on.live(place)
    await on.create(place, { page_link_id: link })
    await db.execute(sql`analyze entry_icon`)
  })
  const scansOf = async (read: (db: Db) => Promise<unknown>) => {
    const plans = await plansOf(on.database.pool, read)
    expect(plans.length).toBeGreaterThan(0)
    return seqScans(plans, 'entry_icon')
  }
  it('a place is read by its index', async () => {
    const at = { city_id: place, position: 'grid' } as const
    expect(await scansOf(db => entriesOf(db, at))).toEqual([])
    const rows = await entriesOf(on.database.db, at)
    expect(rows).toHaveLength(2)
    expect(await scansOf(db => shownEntries(db, rows, unixNow()))).toEqual([])
  })
  it('the uses of a link are read by its index', async () => {
    expect(await scansOf(db => countUses(db, [link], unixNow()))).toEqual([])
  })
})
