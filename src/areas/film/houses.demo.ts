import { sql } from 'drizzle-orm'
import { creditCheckSign } from '#src/areas/merchant/identity.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { settle_merchant } from '#src/areas/settle/settleMerchant.table.ts'
import { usualTerms } from '#src/areas/settle/settleMerchant.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import { licencePicture } from '#src/server/demo/pictures.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { cities, givenNames, surnames } from '#src/server/demo/words.ts'
import { film, film_cinema, film_owner, film_setting } from './film.table.ts'
import type { Hall } from './film.ts'
import { termsAtFirst } from './filmSettings.ts'

/** Malls whose own merchant sells the tickets of their cinema, at full size. */
const OWNING_MALLS = 6
/** What is shown, and for how long (minutes). */
const films = [
  ['长夜星河', 128, '科幻'],
  ['巷口的面馆', 104, '剧情'],
  ['追风的人', 117, '动作'],
  ['第十三号站台', 99, '悬疑'],
  ['小熊与海', 92, '动画'],
  ['岁岁平安', 110, '喜剧'],
  ['沉默的证词：一桩旧案背后的十七年与三个人的名字', 141, '犯罪'],
  ['山那边', 96, '纪录'],
  ['最后一班地铁', 108, '爱情'],
  ['白鹿原上的风', 133, '历史'],
  ['机械之心', 121, '科幻'],
  ['我和我的外婆', 101, '家庭'],
] as const
const chains = ['幕间影城', '星汇国际影城', '光年影院'] as const
const halls: readonly Hall[] = [
  { name: '1号厅', rows: 8, cols: 12, gaps: [] },
  {
    name: '2号厅',
    rows: 9,
    cols: 14,
    gaps: [3, 4, 5, 6].flatMap(row => [4, 11].map(col => ({ row, col }))),
  },
  { name: '巨幕厅', rows: 12, cols: 18, gaps: [1, 2].map(row => ({ row, col: 1 })) },
]

type Owner = { id: number; name: string; city_id: number; mall_id: number; frozen: boolean }
const merchantRow = (of: Owner, random: Random, now: number): typeof merchant.$inferInsert => {
  const body = `91310115MA1K${String(of.id).padStart(5, '0')}`
  const person = random.pick([...surnames]) + random.pick(givenNames)
  return {
    id: of.id,
    merchant_no: `M${String(900_000 + of.id)}`,
    name: of.name,
    license_no: body + creditCheckSign(body),
    license_image: licencePicture,
    license_expire_at: now + 900 * DAY,
    legal_name: person,
    contact_name: person,
    contact_phone: `139${String(60_000_000 + of.id * 37)}`,
    licenses: [],
    contract_no: `HTYP${String(2_024_000 + of.id)}`,
    contract_start_at: now - 400 * DAY,
    contract_end_at: now + 500 * DAY,
    bank_kind: 'company',
    bank_holder: of.name,
    bank_name: '招商银行',
    bank_no: `6222${String(100_000_000_000 + of.id * 7919)}`,
    settle_cycle: 'weekly',
    city_id: of.city_id,
    status: of.frozen ? 'frozen' : 'active',
    status_reason: of.frozen ? '影票退款异常，核查中' : null,
    store_count: 1,
    created_at: now - 420 * DAY,
  }
}
const storeRow = (of: Owner, id: number, { now, trade }: World): typeof store.$inferInsert => ({
  id,
  store_no: `S${String(900_000 + of.id)}`,
  kind: 'offline',
  merchant_id: of.id,
  category_id: trade.categoryOf.at(-1)!,
  name: `${of.name.replace('有限公司', '')}（线上影票）`,
  city_id: of.city_id,
  mall_id: 0,
  address: '线上售票',
  phone: '400-820-0101',
  open_hours: '24 小时',
  avg_price_cents: 42_00,
  status: 'open',
  created_at: now - 420 * DAY,
})
/** An owner bears the channel's fee; tickets have their own days on hold. */
const termsRow = (
  { id, name }: Owner,
  asks: boolean,
  { now, people }: World,
): typeof settle_merchant.$inferInsert => ({
  ...usualTerms(id),
  freeze_days: 0,
  fee_bearer: 'merchant',
  pending_change: asks
    ? { bank: { bank_holder: name, bank_name: '建设银行', bank_no: '6217001234567890123' } }
    : null,
  pending_by: asks ? people[0]!.id : null,
  pending_at: asks ? now - DAY : null,
  created_at: now - 400 * DAY,
  updated_at: now - 400 * DAY,
})
/**
 * Those who sell film tickets: the company of each city, and of some malls their own. The fourth is
 * frozen, the last had its account changed yesterday.
 */
const seedOwners = async (db: Db, random: Random, world: World): Promise<Owner[]> => {
  const { now, scale, trade } = world
  const { rows } = await db.execute<{ merchant: number; store: number }>(
    sql`select (select max(id) + 1 from merchant) merchant, (select max(id) + 1 from store) store`,
  )
  const { merchant: first, store: firstStore } = rows[0]!
  const places = [
    ...world.cityIds.map(city_id => ({
      city_id,
      mall_id: 0,
      name: `${cities[city_id - 1]![0]}幕间影业有限公司`,
    })),
    ...trade.malls
      .filter(one => one.status === 'online')
      .slice(0, sized(OWNING_MALLS, scale, 3))
      .map(one => ({
        city_id: one.city_id,
        mall_id: one.id,
        name: `${one.name}影业有限公司`,
      })),
  ]
  const owners = places.map((place, at) => ({
    ...place,
    id: first + at,
    frozen: at === 3,
  }))
  await insertRows(
    db,
    merchant,
    owners.map(one => merchantRow(one, random, now)),
  )
  await insertRows(
    db,
    store,
    owners.map((one, at) => storeRow(one, firstStore + at, world)),
  )
  await insertRows(
    db,
    film_owner,
    owners.map((one, at) => ({
      id: at + 1,
      merchant_id: one.id,
      store_id: firstStore + at,
      city_id: one.city_id,
      mall_id: one.mall_id,
      created_at: now - 420 * DAY,
    })),
  )
  await insertRows(
    db,
    settle_merchant,
    owners.map((one, at) => termsRow(one, at === owners.length - 1, world)),
  )
  return owners
}
const seedCinemas = (db: Db, owners: readonly Owner[], world: World) => {
  const { now, scale } = world
  const perCity = sized(3, scale, 2)
  const ownerAt = (city_id: number, mall_id: number) =>
    owners.findIndex(one => one.city_id === city_id && one.mall_id === mall_id) + 1
  const rows = [
    ...owners.filter(one => one.mall_id > 0).map(({ city_id, mall_id }) => ({ city_id, mall_id })),
    ...world.cityIds.flatMap(city_id =>
      Array.from({ length: perCity }, () => ({ city_id, mall_id: 0 })),
    ),
  ]
  return insertRows(
    db,
    film_cinema,
    rows.map(({ city_id, mall_id }, at) => {
      const mall = world.trade.malls.find(one => one.id === mall_id)
      const road = ['人民路', '体育中心', '大学城'][at % 3]!
      return {
        id: at + 1,
        no: `C${String(310_000 + at * 17)}`,
        name: `${chains[at % chains.length]!}（${mall?.name ?? cities[city_id - 1]![0] + road}店）`,
        city_id,
        mall_id,
        owner_id: ownerAt(city_id, mall_id),
        address: mall ? `${mall.address}${mall.name}5 楼` : `${road} ${18 + at * 3} 号`,
        halls: [...halls],
        refundable: at % 5 !== 4,
        created_at: now - 300 * DAY,
      }
    }),
  )
}
/** The default, four cities of their own, one of them paused; and a cinema that is not sold. */
const seedSettings = async (db: Db, world: World): Promise<void> => {
  const { now, people, cityIds } = world
  const saved = { saved_by: people[0]!.id, created_at: now - 300 * DAY, updated_at: now - 9 * DAY }
  const inherits = Object.fromEntries(Object.keys(termsAtFirst).map(key => [key, null]))
  const own = [
    { city_id: cityIds[1], subsidy_cents: 500 },
    { city_id: cityIds[2], service_fee_cents: 200, refund_before_minutes: 120 },
    { city_id: cityIds[3], markup_bp: 500, freeze_days: 7 },
    {
      city_id: cityIds[4],
      paused_at: now - 5 * HOUR,
      paused_by: people[0]!.id,
      paused_reason: '渠道对账差异核查中，暂停售票',
    },
  ].filter(one => one.city_id !== undefined)
  await insertRows(db, film_setting, [
    {
      city_id: null,
      ...termsAtFirst,
      providers: [...termsAtFirst.providers],
      blocked_cinemas: [
        { cinema_no: 'C310017', reason: '多次取消场次', by: people[0]!.id, at: now - 12 * DAY },
      ],
      paused_at: null,
      paused_by: null,
      paused_reason: '',
      ...saved,
    },
    ...own.map(one => ({
      ...inherits,
      blocked_cinemas: [],
      paused_at: null,
      paused_by: null,
      paused_reason: '',
      ...one,
      ...saved,
    })),
  ])
}
const seedHouses = async (db: Db, random: Random, world: World): Promise<void> => {
  const { now } = world
  await afterIds(db)
  const owners = await seedOwners(db, random, world)
  await insertRows(
    db,
    film,
    films.map(([name, minutes, genre], at) => ({
      id: at + 1,
      name,
      minutes,
      genre,
      created_at: now - 120 * DAY,
    })),
  )
  await seedCinemas(db, owners, world)
  await seedSettings(db, world)
  await afterIds(db)
}
export const demo: readonly DemoStep[] = [{ place: 96, branch: 'film houses', run: seedHouses }]
