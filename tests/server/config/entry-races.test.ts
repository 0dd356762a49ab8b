import { eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { entry_icon } from '#src/areas/entryIcon/entryIcon.table.ts'
import { hiddenFrom } from '#src/areas/entryIcon/entryIcon.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { entry as calls } from '#src/modules/config/contract/entry.ts'
import { onlyOn } from '../../farm.ts'
import { entryBench } from '../../help/entryBench.ts'

const now = unixNow()
let on: Awaited<ReturnType<typeof entryBench>>
beforeAll(async () => {
  on = await entryBench()
})

it('never hides every entry from anybody, whatever is done in turn', async () => {
  const forSome = fc.boolean().map(is => (is ? { new_only: true } : {}))
  const end = fc.option(fc.integer({ min: 1, max: 3 }).map(days => now + days * DAY))
  const step = fc.record({
    verb: fc.constantFrom('online', 'offline', 'edit', 'del'),
    nth: fc.nat(3),
    audience: forSome,
    end_at: end,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async steps => {
      const place = await on.freshCity()
      for (let nth = 0; nth < 3; nth++) await on.create(place)
      for (const { verb, nth, audience, end_at } of steps) {
        const { list } = await on.board(place)
        const of = list[nth]
        if (!of) continue
        const one = { id: of.id, version: of.version }
        const inputs = {
          online: [calls.online, one],
          offline: [calls.offline, { ...one, reason: '随机下线' }],
          edit: [calls.edit, { ...one, audience, end_at }],
          del: [calls.del, one],
        } as const
        const [what, input] = inputs[verb as keyof typeof inputs]
        expect([200, 422]).toContain((await on.call(what, input)).status)
        const rows = await on.database.db
          .select()
          .from(entry_icon)
          .where(eq(entry_icon.city_id, place))
        expect(hiddenFrom('grid', rows, now)).toBeUndefined()
      }
    }),
    { numRuns: 12 },
  )
})

onlyOn('postgres')('at the same moment', () => {
  it('two who take the last entries for everybody offline: one is told why not', async () => {
    const place = await on.freshCity()
    const [a, b] = [await on.live(place), await on.live(place)]
    await on.live(place, { audience: { new_only: true } })
    const said = await Promise.all(
      [a, b].map(one => on.call(calls.offline, { ...one, reason: '同时下线' })),
    )
    expect(said.map(({ status }) => status).sort()).toEqual([200, 422])
    const left = await on.database.db
      .select()
      .from(entry_icon)
      .where(inArray(entry_icon.id, [a.id, b.id]))
    expect(left.filter(({ status }) => status === 'online')).toHaveLength(1)
  })
  it('two who change one entry: the later is told of the other', async () => {
    const place = await on.freshCity()
    const one = await on.create(place)
    const said = await Promise.all(
      ['甲名', '乙名'].map(title => on.call(calls.edit, { ...one, title })),
    )
    expect(said.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})
