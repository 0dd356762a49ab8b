import { beforeAll, describe, expect, it } from 'vitest'
import { storeTwins } from '#src/areas/merchant/storeSearch.server.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { freshMerchant, freshStore } from '../../help/merchants.ts'

let database: Database
let own: Awaited<ReturnType<typeof freshMerchant>>
beforeAll(async () => {
  database = await openCopy()
  own = await freshMerchant(database)
})
// A place where no store of the demo stands.
const pin = { lng_e6: 80_000_000, lat_e6: 40_000_000 }
const east = (metres: number) => ({
  ...pin,
  lng_e6: pin.lng_e6 + Math.round((metres / 111_195 / Math.cos((40 * Math.PI) / 180)) * 1e6),
})
const found = async (of: Parameters<typeof storeTwins>[1]) =>
  (await storeTwins(database.db, of)).map(one => one.id)

describe('stores that may be the same', () => {
  it('are those within 200 metres, with their distance', async () => {
    const near = await freshStore(database, own, east(190))
    await freshStore(database, own, east(215))
    const [twin, ...more] = await storeTwins(database.db, { pin })
    expect(more).toEqual([])
    expect(twin).toMatchObject({ id: near.id, merchant_name: own.name })
    expect(Math.abs(twin!.metres! - 190)).toBeLessThan(2)
    expect(await found({ pin, but: near.id })).toEqual([])
  })
  it('are those of the city that are called alike, however their name is written', async () => {
    const one = await freshStore(database, own, { name: '蜀香锅锅（云顶天地店）' })
    const other = await freshStore(database, own, { name: '蜀香锅锅(南岭店)' })
    expect((await found({ name: '蜀香锅锅（云顶天地店）', city_id: 1 }))[0]).toBe(one.id)
    expect(await found({ name: '蜀香锅锅 云顶天地店', city_id: 1 })).toEqual([one.id])
    expect(await found({ name: '蜀香锅锅（云顶天地店）', city_id: 2 })).toEqual([])
    expect(await found({ name: '蜀香锅锅（南岭店）', city_id: 1 })).toEqual([other.id])
    expect(await found({ name: '蜀', city_id: 1 })).toEqual([])
    expect(await found({ name: '（）', city_id: 1 })).toEqual([])
  })
  it('are not those that are closed', async () => {
    await freshStore(database, own, { name: '旧时光茶屋', status: 'closed' })
    expect(await found({ name: '旧时光茶屋', city_id: 1 })).toEqual([])
  })
})

describe('among many stores', () => {
  it('they are found by indexes, while somebody types', async () => {
    for (let begun = 1; begun < 75_000; begun += 25_000)
      await database.pool.query(
        `insert into store (store_no, kind, merchant_id, category_id, name, city_id, address, phone, open_hours, avg_price_cents, status, lng_e6, lat_e6)
        select 'G' || n, 'offline', $1, 1, (array['小镇咖啡','老灶火锅','海风渔港','青禾书店','有间面馆','星河影城','一杯奶茶','米香小厨','木槿花艺','快剪理发'])[1 + n % 10] || (n % 400) || '号（' || (array['万达广场','天街','吾悦广场','印象城','大悦城','银泰','龙湖','来福士'])[1 + (n / 10) % 8] || '店）', 1 + n % 6, '测试路' || n, '021-55550000', '10:00-22:00', 5000, 'open', 110000000 + (n::bigint * 7919) % 9000000, 25000000 + (n::bigint * 104729) % 9000000
        from generate_series($2::int, $2::int + 24999) n`,
        [own.id, begun],
      )
    await database.pool.query('analyze store')
    const asked = [
      { name: '老灶火锅', city_id: 1 },
      { name: '老灶火锅12号（万达广场店）', city_id: 2, pin },
      { name: '谁也没有的名字', city_id: 3, pin: { lng_e6: 112_000_000, lat_e6: 27_000_000 } },
    ]
    for (const of of asked) {
      const plans = await plansOf(database.pool, db => storeTwins(db, of))
      expect(seqScans(plans, 'store'), JSON.stringify(of)).toEqual([])
    }
  }, 120_000)
})
