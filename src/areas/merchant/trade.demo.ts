import { brand } from '#src/areas/brand/brand.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import type { Person } from '#src/areas/people/people.demo.ts'
import { provinces } from '#src/areas/place/divisions.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { latinOf } from '#src/server/db/pinyin.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { facadePictures, licencePicture } from '#src/server/demo/pictures.ts'
import type { Random } from '#src/server/demo/random.ts'
import { cities, givenNames, goods, mallNames, surnames, trades } from '#src/server/demo/words.ts'
import { creditCheckSign, nationalIdCheckSign } from './identity.ts'
import {
  e_category,
  freight_template,
  merchant,
  return_address,
  shop_category,
  store,
} from './merchant.table.ts'

/** Key of the mall with a single store. */
const LONELY_MALL = 32
/** Where the keys of e-commerce categories begin (merchant.table.ts). */
const E_CATEGORY_FROM = 1_000_000
type Row<T extends { $inferInsert: object }> = T['$inferInsert'] & { id: number }
export type Seller = Row<typeof merchant> & {
  trade: number
  online: boolean
  stores: Row<typeof store>[]
}
export type Trade = {
  cityIds: number[]
  malls: Row<typeof mall>[]
  sellers: Seller[]
  /** Leaf categories: by trade index, by goods index. */
  categoryOf: number[]
  eCategoryOf: number[]
  brands: Row<typeof brand>[]
  freightOf: Map<number, number>
  returnOf: Map<number, number>
  memberCount: number
}
/** At scale 1 the full count, below it in proportion but never fewer than `least`. */
export const sized = (full: number, scale: number, least: number): number =>
  Math.max(Math.min(full, least), Math.round(full * scale))

/**
 * Ten of the platform and one each of two merchants; one asks more for far places, one has
 * forgotten two provinces.
 */
const freightTemplates = (
  merchants: readonly number[],
  now: number,
): Row<typeof freight_template>[] => {
  const all = provinces.map(province => province.adcode)
  const without = (...codes: string[]) => all.filter(code => !codes.includes(code))
  const [far, east, abroad] = [
    ['150000', '540000', '620000', '630000', '640000', '650000'],
    ['310000', '320000', '330000', '340000'],
    ['710000', '810000', '820000'].filter(code => all.includes(code)),
  ]
  const near = without(...abroad)
  const fee = (
    areas: string[],
    first_cents: number,
    next_cents: number,
    unit: { first: number; next: number } = { first: 1, next: 1 },
  ) => ({ areas, first_cents, next_cents, ...unit })
  type Made = Partial<Row<typeof freight_template>> &
    Pick<Row<typeof freight_template>, 'name' | 'regions'>
  const made: Made[] = [
    { name: '全国包邮', regions: [fee(near, 0, 0)], no_delivery: abroad },
    {
      name: '偏远地区加收',
      regions: [
        fee(
          near.filter(code => !far.includes(code)),
          0,
          0,
        ),
        fee(far, 1500, 800),
      ],
      no_delivery: abroad,
    },
    {
      name: '满 99 元包邮',
      regions: [fee(near, 800, 200)],
      free_rules: [{ areas: near, over_cents: 99_00 }],
      no_delivery: abroad,
    },
    {
      name: '江浙沪皖优惠',
      regions: [
        fee(east, 500, 100),
        fee(
          near.filter(code => !east.includes(code)),
          1000,
          300,
        ),
      ],
      free_rules: [{ areas: east, over_cents: 59_00 }],
      no_delivery: abroad,
    },
    {
      name: '满 3 件包邮',
      regions: [fee(near, 600, 200)],
      free_rules: [{ areas: near, over_units: 3 }],
      no_delivery: abroad,
    },
    {
      name: '大件家居（缺两省待补）',
      regions: [
        fee(
          near.filter(code => !['460000', '540000'].includes(code)),
          6000,
          3000,
        ),
      ],
      no_delivery: abroad,
    },
    {
      name: '生鲜冷链（仅江浙沪皖）',
      regions: [fee(east, 1800, 600)],
      no_delivery: without(...east),
    },
    { name: '统一 8 元', regions: [fee(near, 800, 0)], no_delivery: abroad },
    { name: '港澳可送', regions: [fee(near, 800, 200), fee(abroad, 4500, 2000)] },
    {
      name: '按重量续重（图书）',
      mode: 'weight',
      regions: [fee(near, 600, 100, { first: 1000, next: 500 })],
      no_delivery: abroad,
    },
    { name: '自有仓直发', regions: [fee(near, 0, 0)], no_delivery: abroad },
    {
      name: '满 199 元包邮',
      regions: [fee(near, 1200, 300)],
      free_rules: [{ areas: near, over_cents: 199_00 }],
      no_delivery: abroad,
    },
  ]
  // The last two are merchants' own.
  return made.map((one, at) => ({
    id: at + 1,
    merchant_id: merchants[at - 10] ?? null,
    mode: 'piece',
    free_rules: [],
    no_delivery: [],
    status: 'on',
    created_at: now - (300 - at) * DAY,
    updated_at: now - (300 - at) * DAY,
    ...one,
  }))
}
/** Names of stores, each once in its mall: the second of a brand there is its 2号店. */
const storeNames = () => {
  const taken = new Set<string>()
  return (name: string, mall_id: number): string => {
    let own = name
    for (let n = 2; taken.has(`${mall_id}|${own}`); n++)
      own = name.endsWith('店）') ? name.replace(/店）$/, `${n}号店）`) : `${name}${n}号店`
    taken.add(`${mall_id}|${own}`)
    return own
  }
}
const personName = (random: Random) => random.pick([...surnames]) + random.pick(givenNames)

/** A credit code of its own for each merchant, its check digit right. */
const creditCode = (random: Random, at: number): string => {
  const first = `9131${String(random.int(1_000_000, 9_999_999))}${String(100_000 + at)}`
  return first + creditCheckSign(first)
}
/** The ID number of somebody of working age, its check digit right. */
const legalId = (random: Random): string => {
  const day = `${random.int(1962, 1996)}${String(random.int(1, 12)).padStart(2, '0')}${String(random.int(1, 28)).padStart(2, '0')}`
  const first = `310104${day}${random.int(100, 999)}`
  return first + nationalIdCheckSign(first)
}
type Agreed = { at: number; name: string; legal_name: string; draft: boolean; now: number }
/** What was agreed with a merchant; most drafts and a few others have no account yet. */
const terms = (random: Random, { at, name, legal_name, draft, now }: Agreed) => {
  const personal = at % 100 === 33
  return {
    contract_no: draft ? null : `HT${String(202_400_000 + at)}`,
    contract_start_at: draft ? null : now - random.int(200, 640) * DAY,
    commission_bp: random.int(6, 40) * 50,
    settle_cycle: random.pick(['daily', 'weekly', 'weekly', 'monthly'] as const),
    deposit_cents: random.pick([0, 5000_00, 10_000_00, 20_000_00]),
    ...(draft || at % 27 === 6
      ? {}
      : {
          bank_kind: personal ? ('personal' as const) : ('company' as const),
          bank_holder: personal ? legal_name : name,
          bank_name: random.pick(['招商银行', '中国银行', '工商银行', '建设银行', '浦发银行']),
          bank_no: `62${random.int(10_000_000, 99_999_999)}${random.int(1000, 9999)}${random.int(1000, 9999)}`,
        }),
  }
}

/** Where a mall stands, within its city; one draft has no pin yet. */
const pinOf = (random: Random, city: (typeof cities)[number], at: number) =>
  at === 25
    ? { lng_e6: null, lat_e6: null }
    : {
        lng_e6: Math.round(Number(city[2]) * 1e6) + random.int(-90_000, 90_000),
        lat_e6: Math.round(Number(city[3]) * 1e6) + random.int(-70_000, 70_000),
      }
/** Most malls are complete; a few lack what the list's filter finds. */
const fullness = (at: number) => ({
  logo: at % 11 === 4 ? '' : facadePictures[(at + 2) % facadePictures.length]!,
  covers:
    at === 29
      ? []
      : [
          facadePictures[at % facadePictures.length]!,
          facadePictures[(at + 1) % facadePictures.length]!,
        ],
  phone: at % 13 === 6 ? '' : `400820${String(6100 + at)}`,
  parking_note: at % 3 === 0 ? '地下停车场 1200 个车位，消费满 200 元免停 2 小时' : '',
  facility_note: at % 2 === 0 ? '母婴室 2F、4F；轮椅与婴儿车在 1F 服务台借用' : '',
  intro: at % 10 === 3 ? '' : '集餐饮、零售、亲子与生活服务于一体，全年无休。',
})

/** The malls that are not online, by where they stand among the names. */
const mallStates: Readonly<Record<number, 'draft' | 'offline' | 'closed'>> = {
  12: 'offline',
  17: 'draft',
  19: 'offline',
  22: 'closed',
  25: 'draft',
  27: 'offline',
  29: 'draft',
  30: 'closed',
}
const mallKinds: Readonly<Record<number, 'street' | 'community'>> = { 5: 'street', 8: 'community' }
const mallEnds: Readonly<Record<string, string>> = {
  closed: '租约到期，整体闭店',
  offline: '升级改造',
}

export const seedPlaces = async (
  db: Db,
  random: Random,
  now: number,
): Promise<{ cityIds: number[]; malls: Row<typeof mall>[] }> => {
  await insertRows(
    db,
    city,
    cities.map(([city_name, adcode, lng, lat, status], at) => ({
      id: at + 1,
      city_name,
      adcode,
      initial: latinOf(city_name)[0]!.toUpperCase(),
      pinyin: latinOf(city_name),
      lng,
      lat,
      status,
      is_default: at === 0,
      sort: at,
      opened_at: status === 'preparing' ? null : now - (700 - at * 40) * DAY,
      created_at: now - 720 * DAY,
    })),
  )
  const malls = mallNames.map((name, at): Row<typeof mall> => {
    // Two of one name stand in different cities; the first city has the most.
    const place = at < 9 ? 0 : 1 + ((at - 9) % (cities.length - 1))
    const status = mallStates[at] ?? 'online'
    const district = random.pick(cities[place]![5])
    return {
      id: at + 1,
      name,
      pinyin: latinOf(name),
      short_name: name.slice(0, 6),
      kind: mallKinds[at % 9] ?? 'mall',
      city_id: place + 1,
      district,
      address: `${cities[place]![0]}市${district}${random.pick(['人民路', '中山路', '湖滨路', '建设大道', '科技园路', '临江路'])}${random.int(8, 980)}号`,
      ...pinOf(random.branch(`pin${at}`), cities[place]!, at),
      ...fullness(at),
      open_hours:
        at % 4 === 2
          ? [
              { weekdays: [1, 2, 3, 4, 5], from: '10:00', to: '21:30' },
              { weekdays: [6, 7], from: '10:00', to: '22:30' },
            ]
          : [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '10:00', to: '22:00' }],
      status,
      close_reason: mallEnds[status] ?? null,
      online_at: status === 'draft' ? null : now - random.int(200, 650) * DAY,
      closed_at: status === 'closed' ? now - random.int(20, 90) * DAY : null,
      is_hot: at % 5 === 0 && status === 'online',
      hot_sort: at % 5 === 0 && status === 'online' ? at / 5 + 1 : 0,
      sort: at,
      store_count: 0,
      created_at: now - random.int(300, 700) * DAY,
    }
  })
  await insertRows(db, mall, malls)
  return { cityIds: cities.map((_, at) => at + 1), malls }
}

/** The share of merchants in each state, as the platform's real ones stand: most are active. */
const merchantStates: Readonly<
  Record<number, 'active' | 'auditing' | 'frozen' | 'draft' | 'terminated'>
> = { 35: 'auditing', 36: 'auditing', 37: 'frozen', 38: 'draft', 39: 'draft', 40: 'terminated' }
const whyStopped = (random: Random, status: string): string | null => {
  if (status === 'frozen') return random.pick(['资质造假调查中', '多次被投诉未处理', '涉嫌套现'])
  return status === 'terminated' ? '合同终止' : null
}
/** Stores are as their merchant is; of the others a few rest, wait or are closed. */
const stateWith: Readonly<Record<string, 'draft' | 'auditing' | 'closed'>> = {
  draft: 'draft',
  auditing: 'auditing',
  terminated: 'closed',
}
const storeStates: Readonly<Record<number, 'resting' | 'auditing' | 'closed'>> = {
  13: 'resting',
  22: 'closed',
  27: 'resting',
  31: 'auditing',
  37: 'closed',
}
const storeEnds: Readonly<Record<string, string>> = { resting: '内部装修', closed: '租约到期' }
/** A few authorisations have run out. */
const authEnd = (random: Random, at: number, now: number): number =>
  at % 7 === 3 ? now - random.int(3, 60) * DAY : now + random.int(60, 700) * DAY
/** A few licences have run out, some are about to, and some never do. */
const licenceEnd = (random: Random, at: number, now: number): number | null => {
  if (at % 70 === 29) return now - random.int(1, 30) * DAY
  if (at % 31 === 8) return now + random.int(3, 28) * DAY
  return at % 5 === 0 ? null : now + random.int(90, 3000) * DAY
}
const contractEnd = (random: Random, at: number, now: number): number => {
  if (at % 60 === 44) return now - random.int(1, 20) * DAY
  if (at % 20 === 9) return now + random.int(3, 29) * DAY
  return now + random.int(120, 900) * DAY
}
/** Some people have names that are hard to show. */
const nicknameOf = (random: Random, at: number): string => {
  if (at % 97 === 5) return '🌸小鱼儿~'
  return at % 211 === 9 ? '龘龘' : personName(random)
}
const accountStateOf = (at: number): 'canceled' | 'banned' | 'normal' => {
  if (at % 150 === 20) return 'canceled'
  return at % 400 === 31 ? 'banned' : 'normal'
}

/** The brand in a company's name; its trade's first where the name tells none. */
const brandIn = ({ name, online, trade }: Seller): string =>
  /^(?:上海|杭州|南京|苏州|成都|深圳|武汉|长沙|西安)(.+?)(?:电子商务|餐饮管理|.{0,3}服务)/.exec(
    name,
  )?.[1] ?? (online ? goods : trades)[trade]!.brands[0]!

export const seedTrade = async (
  db: Db,
  random: Random,
  of: {
    now: number
    scale: number
    people: readonly Person[]
    cityIds: number[]
    malls: Row<typeof mall>[]
  },
): Promise<Trade> => {
  const { now, scale, people, malls } = of
  const tree = (
    table: typeof shop_category | typeof e_category,
    leaves: readonly {
      root: string
      name: string
      commission: readonly [number, number]
      floor: number
      licences: readonly string[]
    }[],
    above = 0,
  ) => {
    const roots = [...new Set(leaves.map(leaf => leaf.root))]
    const base = (
      at: number,
      name: string,
      parent_id: number | null,
      leaf?: (typeof leaves)[number],
    ) => ({
      id: above + at,
      name,
      level: parent_id === null ? 1 : 2,
      parent_id: parent_id && above + parent_id,
      commission_min_bp: leaf?.commission[0] ?? 0,
      commission_max_bp: leaf?.commission[1] ?? 3000,
      floor_bp: leaf?.floor ?? 3000,
      need_licenses: [...(leaf?.licences ?? [])],
      sort: at,
      status: 'on' as const,
      created_at: now - 700 * DAY,
    })
    const rows = roots.map((name, at) => base(at + 1, name, null))
    const ids = leaves.map(leaf => {
      rows.push(base(rows.length + 1, leaf.name, roots.indexOf(leaf.root) + 1, leaf))
      return above + rows.length
    })
    return { ids, insert: () => insertRows(db, table, rows) }
  }
  const shop = tree(shop_category, trades)
  const web = tree(e_category, goods, E_CATEGORY_FROM)
  await shop.insert()
  await web.insert()

  const names = [
    ...trades.flatMap((trade, at) =>
      trade.brands.map(name => ({ name, category_id: shop.ids[at]!, own: true })),
    ),
    ...goods.flatMap((trade, at) =>
      trade.brands.map(name => ({ name, category_id: web.ids[at]!, own: false })),
    ),
  ]
  const brands = names.map((one, at): Row<typeof brand> => ({
    id: at + 1,
    name: one.name,
    initial: latinOf(one.name)[0]!.toUpperCase(),
    category_id: one.category_id,
    // A merchant's own brand needs nobody's leave; a brand of goods needs an authorisation, of
    // which a few have run out.
    auth_category_ids: one.own ? null : [one.category_id],
    auth_end_at: one.own ? null : authEnd(random, at, now),
    state: at === 5 ? 'off' : 'on',
    created_at: now - 600 * DAY,
  }))
  await insertRows(db, brand, brands)

  const bds = people.filter(person => person.role === 'city_manager' && person.status === 'active')
  const merchantCount = sized(420, scale, 40)
  const onlineShare = 90 / 420
  const openMalls = malls.filter(one => one.status !== 'draft')
  const sellers: Seller[] = []
  const used = new Set<string>()
  for (let at = 0; at < merchantCount; at++) {
    const online = random.chance(onlineShare)
    const index = online ? random.int(0, goods.length - 1) : at % trades.length
    const trade = online ? goods[index]! : trades[index]!
    const label = random.pick(trade.brands)
    const home = openMalls[at % openMalls.length]!
    const place = cities[home.city_id - 1]![0]
    let name = `${place}${label}${online ? '电子商务' : '餐饮管理'}有限公司`
    if (!online && !['美食'].includes((trade as (typeof trades)[number]).root))
      name = `${place}${label}${(trade as (typeof trades)[number]).tail}服务有限公司`
    if (at === 7)
      name =
        '上海市浦东新区江南里水岸私房菜餐饮文化管理（集团）有限责任公司第二分公司暨中央厨房配送中心'
    while (used.has(name))
      name = name.replace(
        /(第.分店|（.+）)?有限公司$/,
        `（${random.pick(['东', '西', '南', '北', '中', '新', '和', '盛', '源', '泰', '丰', '祥', '瑞', '安', '康', '嘉', '锦', '恒'])}${random.pick(['区', '城', '港', '苑', '坊', '里'])}）有限公司`,
      )
    used.add(name)
    const status = merchantStates[at % 42] ?? 'active'
    const licences = trade.licences.map((licence, k) => ({
      name: licence,
      no: `JY${random.int(1_000_000, 9_999_999)}${k}`,
      expire_at: at % 23 === 11 ? now - random.int(2, 40) * DAY : now + random.int(60, 1400) * DAY,
    }))
    sellers.push({
      id: at + 1,
      merchant_no: `M${String(100_000 + at)}`,
      name,
      license_no: creditCode(random, at),
      license_image: licencePicture,
      license_expire_at: licenceEnd(random, at, now),
      legal_name: personName(random),
      legal_id_no: legalId(random.branch(`legal${at}`)),
      contact_name: personName(random),
      contact_phone: `139${random.int(10_000_000, 99_999_999)}`,
      licenses: at % 29 === 17 ? licences.slice(1) : licences,
      contract_end_at: contractEnd(random, at, now),
      city_id: home.city_id,
      bd_admin_id: at % 16 === 15 ? null : random.pick(bds).id,
      status,
      status_reason: whyStopped(random, status),
      store_count: 0,
      created_at: now - random.int(60, 650) * DAY,
      trade: index,
      online,
      stores: [],
    })
    const { legal_name } = sellers.at(-1)!
    Object.assign(
      sellers.at(-1)!,
      terms(random.branch(`terms${at}`), { at, name, legal_name, draft: status === 'draft', now }),
    )
  }

  const offlineCount = sized(1200, scale, 70)
  const onlineCount = sized(90, scale, 8)
  const ownName = storeNames()
  const stores: Row<typeof store>[] = []
  const mallFor = (seller: Seller, at: number): Trade['malls'][number] => {
    const inCity = openMalls.filter(one => one.city_id === seller.city_id)
    const chosen =
      seller.stores.length === 0
        ? openMalls[(seller.id - 1) % openMalls.length]!
        : random.pick(inCity.length ? inCity : openMalls)
    // The first mall has the most stores by far, the last one a single store.
    if (chosen.city_id === 1 && at % 3 === 0) return malls[0]!
    const isTaken = chosen.id === LONELY_MALL && (chosen.store_count ?? 0) > 0
    return isTaken
      ? openMalls.find(one => one.city_id === chosen.city_id && one.id !== LONELY_MALL)!
      : chosen
  }
  const addStore = (seller: Seller, at: number) => {
    const label = brandIn(seller)
    const brandAt = names.findIndex(name => name.name === label)
    const outside = at % 9 === 4
    const place = mallFor(seller, at)
    const inMall = !seller.online && !outside
    const id = stores.length + 1
    const status = stateWith[seller.status!] ?? storeStates[at % 40] ?? 'open'
    const shopTail = () =>
      `${trades[seller.trade]!.tail}（${outside ? random.pick(['人民路', '学院路', '河滨', '老城', '地铁口']) : place.short_name}店）`
    const tail = seller.online ? '旗舰店' : shopTail()
    const one: Row<typeof store> = {
      id,
      store_no: `S${String(200_000 + id)}`,
      kind: seller.online ? 'online' : 'offline',
      merchant_id: seller.id,
      brand_id: at % 40 === 3 || brandAt < 0 ? null : 1 + brandAt,
      category_id: seller.online ? web.ids[seller.trade]! : shop.ids[seller.trade]!,
      name: ownName(`${label}${tail}`, inMall ? place.id : 0),
      city_id: place.city_id,
      mall_id: inMall ? place.id : 0,
      floor: inMall ? random.pick(['B1', '1F', '2F', '3F', '4F', '5F']) : null,
      door_no: inMall ? `${random.int(1, 6)}${String(random.int(1, 40)).padStart(2, '0')}` : null,
      address: seller.online ? '线上发货' : `${place.address}${outside ? '沿街' : place.name}`,
      phone: `021-${random.int(50_000_000, 69_999_999)}`,
      open_hours: random.pick(['10:00-22:00', '11:00-21:30', '09:30-22:30', '24 小时']),
      avg_price_cents: random.int(28, 360) * 100,
      status,
      status_reason: storeEnds[status] ?? null,
      created_at: now - random.int(30, 600) * DAY,
    }
    stores.push(one)
    seller.stores.push(one)
    seller.store_count = (seller.store_count ?? 0) + 1
    if (inMall) place.store_count = (place.store_count ?? 0) + 1
  }
  const [webSellers, shopSellers] = [
    sellers.filter(seller => seller.online),
    sellers.filter(seller => !seller.online),
  ]
  // One chain with many branches, one store each for the most, the rest by chance.
  const branches = shopSellers.length + Math.round(45 * Math.min(1, scale * 2))
  for (let at = 0; at < offlineCount; at++) {
    const seller = shopSellers[at] ?? (at < branches ? shopSellers[6]! : random.pick(shopSellers))
    addStore(seller, at)
  }
  for (let at = 0; at < onlineCount; at++)
    addStore(at < webSellers.length ? webSellers[at]! : random.pick(webSellers), at)
  await insertRows(
    db,
    merchant,
    sellers.map(({ trade: _, online: __, stores: ___, ...row }) => row),
  )
  await insertRows(db, store, stores)

  const freightOf = new Map<number, number>()
  const returnOf = new Map<number, number>()
  const freights = freightTemplates(
    webSellers.slice(0, 2).map(seller => seller.id),
    now,
  )
  const addresses: Row<typeof return_address>[] = []
  for (const seller of webSellers) {
    addresses.push({
      id: addresses.length + 1,
      merchant_id: seller.id,
      name: personName(random),
      phone: `137${random.int(10_000_000, 99_999_999)}`,
      area: `${cities[seller.city_id - 1]![0]}市`,
      address: `仓储园区${random.int(1, 30)}号库`,
      is_default: true,
      status: 'on',
      created_at: now - 300 * DAY,
    })
    // Nobody has weighed the demo's goods.
    const own = freights.filter(
      one => one.mode === 'piece' && (one.merchant_id === seller.id || one.merchant_id == null),
    )
    freightOf.set(
      seller.id,
      (own.find(one => one.merchant_id === seller.id) ?? own[seller.id % own.length]!).id,
    )
    returnOf.set(seller.id, addresses.length)
  }
  await insertRows(db, freight_template, freights)
  await insertRows(db, return_address, addresses)
  const memberCount = sized(6000, scale, 200)
  await insertRows(
    db,
    member,
    Array.from({ length: memberCount }, (_, at) => ({
      id: at + 1,
      uid: `U${String(10_000_000 + at * 13)}`,
      nickname: nicknameOf(random, at),
      phone: `1${random.pick(['35', '36', '58', '77', '88'])}${String(10_000_000 + at * 7 + random.int(0, 6)).slice(-8)}`,
      city_id: random.pick([1, 1, 1, 2, 2, 3, 4, 5, 5, 6, 7]),
      register_at: now - random.int(1, 600) * DAY,
      account_state: accountStateOf(at),
      created_at: now - 400 * DAY,
    })),
  )
  return {
    cityIds: of.cityIds,
    malls,
    sellers,
    categoryOf: shop.ids,
    eCategoryOf: web.ids,
    brands,
    freightOf,
    returnOf,
    memberCount,
  }
}
