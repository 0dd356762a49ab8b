import { eq, inArray, sql } from 'drizzle-orm'
import type { Offered } from '#src/areas/audit/audits.demo.ts'
import { pageOfPath, paramsKey } from '#src/areas/link/pageLink.ts'
import { sized, type Trade } from '#src/areas/merchant/trade.demo.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { city, mall, type CitySettings, type HotMall } from '#src/areas/place/place.table.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { sceneries, type Scenery } from '#src/server/demo/pictures.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { bannerPositions, type BannerPosition } from './banner.ts'
import { scenes, type Scene } from './contact.ts'
import {
  banner,
  banner_city,
  city_setting,
  page_link,
  service_contact,
  share_card,
  share_visit,
  type LinkParam,
} from './content.table.ts'
import { shareAtFirst, shareTypes, type ShareType } from './shareCard.ts'

const DOMAINS = ['mallet.example', 'm.mallet.example', 'act.mallet.example', 'help.partner.example']
const ACCOUNTS = ['kfc3f1a0b2c9d8e7f6', 'kfc7b6a5d4c3e2f1a0', 'kfc9e8d7c6b5a4f3e2']
const pages = [
  ['首页', 'pages/home/index'],
  ['分类', 'pages/category/index'],
  ['附近', 'pages/near/index'],
  ['搜索', 'pages/search/index'],
  ['我的', 'pages/mine/index'],
  ['会员中心', 'pages/vip/index'],
  ['积分商城', 'pages/points/index'],
  ['签到', 'pages/sign/index'],
  ['优惠券中心', 'pages/coupon/index'],
  ['我的券包', 'pages/coupon/mine'],
  ['我的订单', 'pages/order/list'],
  ['拼团专区', 'pages/roll/index'],
  ['秒杀专区', 'pages/seckill/index'],
  ['直播列表', 'pages/live/index'],
  ['电商首页', 'packageShop/pages/index'],
  ['购物车', 'packageShop/pages/cart'],
  ['商家入驻', 'packageJoin/pages/index'],
  ['客服中心', 'pages/service/index'],
  ['停车缴费', 'packageMall/pages/parking'],
  ['影城', 'packageFilm/pages/index'],
] as const
const objectPages: readonly (readonly [string, string, LinkParam['target'], string, string])[] = [
  ['商场首页', 'pages/mall/index?mid={mid}', 'mall', 'mid', '商场'],
  ['门店详情', 'pages/store/detail?id={id}', 'store', 'id', '门店'],
  ['团购详情', 'pages/deal/detail?id={id}', 'product', 'id', '商品'],
  ['电商商品', 'packageShop/pages/detail?id={id}', 'product', 'id', '商品'],
  ['类目列表', 'pages/category/list?id={id}', 'category', 'id', '分类'],
]
const titles = {
  home: [
    '周末美食节，精选套餐五折起',
    '新店开业：尝鲜价等你来',
    '双人火锅套餐限时特惠',
    '暖冬甜点季',
    '下午茶时光，两人同行更省',
    '本地人爱吃的老味道',
    '工作日午餐一站解决',
    '跨年聚餐提前订',
    '亲子周末好去处',
    '会员专享加赠',
  ],
  mall: ['商场周年庆，满额有礼', '楼层导览焕新', '地下美食街十店同庆', '停车两小时免费'],
  category: ['火锅热榜', '本周新上甜点', '美发护理精选', '亲子乐园特惠'],
  vip: ['会员日双倍积分', '升级金卡享八折', '积分兑好礼', '生日礼遇'],
  order_done: ['下单成功，再领一张券', '分享订单得积分', '邀好友拼单更省'],
  search: ['大家都在搜：火锅', '今日低价', '附近新店'],
} as const satisfies Record<BannerPosition, readonly string[]>
const scenery: Record<BannerPosition, Scenery> = {
  home: 'banner-home',
  mall: 'banner-home',
  category: 'banner-wide',
  vip: 'banner-wide',
  order_done: 'banner-done',
  search: 'banner-search',
}

const hotModes: Readonly<Record<number, HotMall['mode']>> = { 3: 'gmv', 5: 'distance' }
/** When a code ends: the second ends in two days, the fifth ended yesterday. */
const qrEnd = (random: Random, at: number, now: number): number => {
  if (at === 1) return now + 2 * DAY
  return at === 4 ? now - DAY : now + random.int(40, 200) * DAY
}
type Of = { trade: Trade; offers: readonly Offered[]; now: number; scale: number }
/** Links by what they lead to; `targets` are all that a banner may have. */
type Links = Record<'plain' | 'malls' | 'deals' | 'shut' | 'targets', number[]>
const madeBefore = (now: number) => (days: number) => ({
  created_at: now - days * DAY,
  updated_at: now - Math.round(days / 2) * DAY,
})
const spanFrom = (now: number) => (from: number, until: number) => ({
  start_at: dayStart(now) + from * DAY,
  end_at: dayStart(now) + until * DAY,
})
const openStores = (trade: Trade, city_id: number) =>
  trade.sellers
    .flatMap(seller => seller.stores)
    .filter(
      store =>
        store.city_id === city_id &&
        store.status === 'open' &&
        (store.mall_id === 0 || trade.malls[(store.mall_id ?? 0) - 1]?.status === 'online'),
    )
/**
 * Links: plain pages, templates that ask for an object, pages of one object, other mini-programs,
 * H5.
 */
const seedLinks = async (db: Db, random: Random, { trade, offers, now }: Of): Promise<Links> => {
  const made = madeBefore(now)
  const onSale = offers
    .map(offer => offer.row)
    .filter(row => row.state === 'on_sale' && row.sale_end_at > now + 40 * DAY)
  const links: (typeof page_link.$inferInsert)[] = []
  const link = (
    one: Pick<typeof page_link.$inferInsert, 'name' | 'type' | 'path'> & {
      params?: LinkParam[]
      appid?: string
      health?: 'ok' | 'off_shelf' | 'dead' | 'unknown'
      status?: 'on' | 'off'
    },
  ) => {
    const params = one.params ?? []
    links.push({
      id: links.length + 1,
      name: one.name,
      type: one.type,
      path: one.path,
      params,
      params_key: paramsKey(params),
      appid: one.appid ?? '',
      status: one.status ?? 'on',
      health: one.health ?? 'ok',
      checked_at: now - random.int(1, 9) * DAY,
      ...made(random.int(60, 500)),
    })
    return links.length
  }
  const plain = pages.map(([name, path]) => link({ name, type: 'page', path }))
  for (let at = 1; at <= 24; at++)
    link({
      name: `活动会场 ${at}`,
      type: 'page',
      path: 'pages/activity/index',
      params: [{ key: 'id', label: '活动编号', target: 'text', required: true, value: at }],
    })
  for (const [name, path, target, key, label] of objectPages)
    link({
      name: `${name}（选择${label}）`,
      type: 'object',
      path,
      params: [{ key, label, target, required: true }],
    })
  const fixed = (name: string, at: number, value: number, health?: 'off_shelf' | 'dead') => {
    const [, path, target, key, label] = objectPages[at]!
    return link({
      name: name.slice(0, 60),
      type: 'object',
      path,
      params: [{ key, label, target, required: true, value }],
      ...(health && { health }),
    })
  }
  const mallLinks = trade.malls
    .filter(mall => mall.status === 'online')
    .slice(0, 20)
    .map(mall => fixed(`${mall.name}首页`, 0, mall.id!))
  const dealLinks = random
    .shuffle(onSale.filter(row => row.kind !== 'elist'))
    .slice(0, 34)
    .map(row => fixed(`团购：${row.title}`, 2, row.id!))
  const goodsLinks = random
    .shuffle(onSale.filter(row => row.kind === 'elist'))
    .slice(0, 20)
    .map(row => fixed(`商品：${row.title}`, 3, row.id!))
  const storeLinks = random
    .shuffle(trade.cityIds.slice(0, 6).flatMap(id => openStores(trade, id).slice(0, 5)))
    .slice(0, 22)
    .map(store => fixed(`门店：${store.name}`, 1, store.id!))
  const shut = trade.sellers
    .flatMap(seller => seller.stores)
    .filter(store => store.status === 'closed' || store.status === 'resting')
    .slice(0, 4)
    .map(store => fixed(`门店：${store.name}`, 1, store.id!, 'off_shelf'))
  for (const [at, name] of ['旧版积分页', '春节活动页', '老版拼团页', '抽奖页'].entries())
    link({ name, type: 'page', path: `pages/old/page${at + 1}`, health: 'dead' })
  fixed('门店：已删除的门店', 1, 2_000_000_001, 'dead')
  link({
    name: '旧品牌站',
    type: 'h5',
    path: 'https://www.old-brand.example/landing',
    health: 'dead',
  })
  for (const [at, name] of ['停车小程序', '影城选座', '文旅预约', '企业团餐', '品牌商城'].entries())
    link({
      name,
      type: 'mini_program',
      path: 'pages/index/index',
      appid: `wx${(0x1f2e3d4c5b6a7000n + BigInt(at)).toString(16).padStart(16, '0')}`,
      health: 'unknown',
    })
  for (const [at, name] of [
    '周末美食节',
    '新人礼包',
    '会员权益说明',
    '商户入驻手册',
    '年货节',
    '寒假亲子季',
    '城市味道榜',
    '隐私说明',
  ].entries())
    link({
      name: `H5：${name}`,
      type: 'h5',
      path: `https://${DOMAINS[1 + (at % 3)]}/p/${at + 101}`,
      ...(at === 7 && { status: 'off' }),
    })
  await insertRows(db, page_link, links)
  const known = [
    ...new Set([
      ...pages.map(page => page[1] as string),
      ...objectPages.map(page => pageOfPath(page[1])),
      'pages/activity/index',
    ]),
  ]
  await insertRows(db, setting, [
    { key: 'links', value: { domains: DOMAINS, pages: known }, note: '允许跳转的域名与小程序页面' },
    {
      key: 'wecom',
      value: { corp_id: 'ww2f4a6c8e0b1d3f57', accounts: ACCOUNTS },
      note: '绑定的企业微信与客服账号',
    },
  ])
  const targets = [...plain, ...mallLinks, ...dealLinks, ...goodsLinks, ...storeLinks]
  return { plain, malls: mallLinks, deals: dealLinks, shut, targets }
}
/** Banners of one position and mall stand in one row. */
const isBeside = (
  a: { position: BannerPosition; mall_id?: number | undefined },
  b: { position: BannerPosition; mall_id?: number | undefined },
): boolean => a.position === b.position && (a.mall_id ?? 0) === (b.mall_id ?? 0)
/** Banners with the cities that show them, each behind those that stand there already. */
const bannerBook = (random: Random, { now, scale }: Pick<Of, 'now' | 'scale'>, links: Links) => {
  const made = madeBefore(now)
  const banners: (typeof banner.$inferInsert)[] = []
  const shown: (typeof banner_city.$inferInsert)[] = []
  const add = (one: {
    position: BannerPosition
    city_ids: readonly number[]
    mall_id?: number
    status: 'draft' | 'online' | 'offline'
    start_at: number
    end_at: number
    page_link_id?: number
  }) => {
    const id = banners.length + 1
    const days = Math.max(0, (Math.min(now, one.end_at) - one.start_at) / DAY)
    banners.push({
      id,
      title: titles[one.position][id % titles[one.position].length]!,
      position: one.position,
      image: random.pick(sceneries(scenery[one.position])),
      page_link_id: one.page_link_id ?? random.pick(links.targets),
      link_params: {},
      mall_id: one.mall_id ?? 0,
      start_at: one.start_at,
      end_at: one.end_at,
      status: one.status,
      off_reason:
        one.status === 'offline'
          ? random.pick(['活动提前结束', '点击率偏低，替换素材', '图片版权需确认'])
          : null,
      audience: id % 11 === 0 ? { new_only: true } : {},
      views: one.status === 'draft' ? 0 : Math.round(days * random.int(120, 900) * scale),
      ...made(random.int(5, 200)),
    })
    for (const city_id of one.city_ids)
      shown.push({
        id: shown.length + 1,
        banner_id: id,
        city_id,
        sort: shown.filter(
          row => row.city_id === city_id && isBeside(banners[row.banner_id - 1]!, one),
        ).length,
      })
    return id
  }
  return { banners, shown, add }
}
/**
 * Banners: each position of six cities, one place full with eight, drafts, offline and ended ones,
 * and some whose target is gone.
 */
const seedBanners = async (
  db: Db,
  random: Random,
  { trade, now, scale }: Of,
  links: Links,
): Promise<void> => {
  const span = spanFrom(now)
  const six = trade.cityIds.slice(0, 6)
  const positions = Object.keys(bannerPositions) as BannerPosition[]
  const { banners, shown, add } = bannerBook(random, { now, scale }, links)
  // The last but one is in preparation and has all that it needs to be opened; the last lacks some.
  const prepared = trade.cityIds.at(-2)!
  for (let at = 0; at < 8; at++)
    add({
      position: 'home',
      city_ids: [1],
      status: 'online',
      ...span(-random.int(2, 40), random.int(10, 60)),
    })
  for (const id of six.slice(1))
    for (let at = 0; at < 4; at++)
      add({
        position: 'home',
        city_ids: [id],
        status: 'online',
        ...span(-random.int(2, 40), random.int(5, 60)),
      })
  for (const position of positions.filter(one => one !== 'home' && one !== 'mall')) {
    add({
      position,
      city_ids: six,
      status: 'online',
      ...span(-random.int(5, 60), random.int(20, 90)),
    })
    add({
      position,
      city_ids: six.slice(0, 3),
      status: 'online',
      ...span(-random.int(5, 30), random.int(5, 40)),
    })
    add({ position, city_ids: [1], status: 'draft', ...span(3, 20) })
  }
  for (const mall of trade.malls.filter(one => one.status === 'online').slice(0, 8))
    add({
      position: 'mall',
      city_ids: [mall.city_id],
      mall_id: mall.id!,
      status: 'online',
      ...span(-random.int(5, 40), random.int(10, 60)),
      page_link_id: links.malls[(mall.id! - 1) % links.malls.length]!,
    })
  for (let at = 0; at < 5; at++)
    add({
      position: 'home',
      city_ids: [six[at]!],
      status: 'online',
      ...span(-random.int(30, 60), -random.int(1, 9)),
    })
  for (let at = 0; at < 5; at++)
    add({
      position: at % 2 ? 'home' : 'category',
      city_ids: [six[at]!],
      status: 'offline',
      ...span(-20, 20),
    })
  for (let at = 0; at < 4; at++)
    add({
      position: 'home',
      city_ids: [six[at + 1]!],
      status: 'online',
      ...span(random.int(3, 12), random.int(20, 50)),
    })
  for (const page_link_id of links.shut.slice(0, 2))
    add({ position: 'home', city_ids: [2], status: 'online', ...span(-10, 30), page_link_id })
  add({ position: 'home', city_ids: [prepared], status: 'online', ...span(-1, 60) })
  await insertRows(db, banner, banners)
  await insertRows(db, banner_city, shown)
}
/** Entries of what a city shows, each behind those of its kind. */
const settingBook = (random: Random, now: number) => {
  const made = madeBefore(now)
  const settings: (typeof city_setting.$inferInsert)[] = []
  const blank = {
    ref_id: null as number | null,
    title: '',
    sub_title: '',
    image: '',
    page_link_id: null as number | null,
    link_params: {},
    start_at: null as number | null,
    end_at: null as number | null,
    audience: {},
  }
  const set = (
    one: Partial<typeof blank> & { city_id: number; type: 're_store' | 'hot_mall' | 'act_area' },
  ) =>
    settings.push({
      ...blank,
      ...one,
      id: settings.length + 1,
      sort: settings.filter(row => row.city_id === one.city_id && row.type === one.type).length,
      ...made(random.int(5, 90)),
    })
  return { settings, set }
}
/** The areas of a city: two that run, one that is over, and one whose store went off shelf. */
const setAreas = (
  random: Random,
  set: ReturnType<typeof settingBook>['set'],
  { at, city_id, span }: { at: number; city_id: number; span: ReturnType<typeof spanFrom> },
  links: Links,
): void => {
  set({
    city_id,
    type: 'act_area',
    title: '周末美食节',
    sub_title: '五折起，限时三天',
    image: random.pick(sceneries('area')),
    page_link_id: links.plain[8]!,
    ...span(-5, 25),
  })
  set({
    city_id,
    type: 'act_area',
    title: '新店打卡',
    sub_title: '开业尝鲜价',
    image: random.pick(sceneries('area')),
    page_link_id: random.pick(links.deals),
    ...span(-15, 15),
  })
  if (at < 4)
    set({
      city_id,
      type: 'act_area',
      title: '国庆特惠',
      sub_title: '',
      image: random.pick(sceneries('area')),
      page_link_id: links.plain[12]!,
      ...span(-60, -45),
    })
  if (at < 2 && links.shut[at])
    set({
      city_id,
      type: 'act_area',
      title: '老字号专场',
      sub_title: '本地人的最爱',
      image: random.pick(sceneries('area')),
      page_link_id: links.shut[at]!,
      ...span(-3, 20),
    })
}
/** The settings of a city, and its hot malls where it chooses them by hand. */
const saveCity = async (
  db: Db,
  {
    at,
    city_id,
    malls,
    chosen,
    now,
  }: {
    at: number
    city_id: number
    malls: Trade['malls']
    chosen: Trade['malls']
    now: number
  },
): Promise<void> => {
  const saved: CitySettings = {
    home_title: `${['上海', '杭州', '南京', '苏州', '成都', '深圳'][at]}好生活`,
    service_phone: '4008201100',
    default_mid: malls[0]?.id ?? 0,
    show_hot_mall: true,
    show_re_store: true,
    show_act_area: true,
    block_order:
      at % 2 ? ['act_area', 'hot_mall', 're_store'] : ['hot_mall', 're_store', 'act_area'],
  }
  const hot: HotMall = {
    title: '热门商圈',
    show: true,
    mode: hotModes[at] ?? 'manual',
    limit_count: 6,
    style: at % 2 ? 'list' : 'card',
  }
  await db
    .update(city)
    .set({
      settings: saved,
      settings_version: 1,
      hot_mall: hot,
      hot_mall_version: 1,
      updated_at: now - at * DAY,
    })
    .where(inArray(city.id, [city_id]))
  // Chosen by hand, the list and the marks of the malls are one thing.
  if (hot.mode !== 'manual') return
  const kept = { updated_at: sql`${mall.updated_at}` }
  await db
    .update(mall)
    .set({ is_hot: false, hot_sort: 0, ...kept })
    .where(eq(mall.city_id, city_id))
  for (const [n, one] of chosen.entries())
    await db
      .update(mall)
      .set({ is_hot: true, hot_sort: n + 1, ...kept })
      .where(eq(mall.id, one.id!))
}
/**
 * Each city shows recommended stores (one closed since), hot malls, areas (one over, one whose
 * store went off shelf).
 */
const seedCities = async (
  db: Db,
  random: Random,
  { trade, now }: Of,
  links: Links,
): Promise<void> => {
  const span = spanFrom(now)
  /** When a store is recommended, by its place in the city: later, now, or in the past. */
  const spans: Readonly<Record<number, ReturnType<typeof span>>> = {
    1: span(2, 30),
    2: span(-30, 12),
    3: span(-40, -2),
  }
  const { settings, set } = settingBook(random, now)
  for (const [at, city_id] of trade.cityIds.slice(0, 6).entries()) {
    const open = random.shuffle(openStores(trade, city_id))
    const stores = open.slice(0, Math.min(random.int(8, 15), Math.ceil(open.length / 2)))
    for (const [n, store] of stores.entries())
      set({
        city_id,
        type: 're_store',
        ref_id: store.id!,
        title: store.name.slice(0, 32),
        ...spans[n],
      })
    const off = trade.sellers
      .flatMap(seller => seller.stores)
      .find(
        store => store.city_id === city_id && store.status !== 'open' && store.status !== 'draft',
      )
    if (off) set({ city_id, type: 're_store', ref_id: off.id!, title: off.name.slice(0, 32) })
    const malls = trade.malls.filter(one => one.city_id === city_id && one.status === 'online')
    const chosen = malls.slice(0, 4)
    for (const one of chosen) set({ city_id, type: 'hot_mall', ref_id: one.id! })
    setAreas(random, set, { at, city_id, span }, links)
    await saveCity(db, { at, city_id, malls, chosen, now })
  }
  await insertRows(db, city_setting, settings)
  await db
    .update(city)
    .set({
      settings: {
        home_title: '长沙好生活',
        service_phone: '4008201100',
        default_mid: 0,
        show_hot_mall: false,
        show_re_store: false,
        show_act_area: false,
        block_order: ['hot_mall', 're_store', 'act_area'],
      } satisfies CitySettings,
      settings_version: 1,
      updated_at: now - DAY,
    })
    .where(eq(city.id, trade.cityIds.at(-2)!))
}
/** Share cards: eight defaults and twelve of cities, and the visits that came of them. */
const seedShares = async (db: Db, random: Random, { trade, now, scale }: Of): Promise<void> => {
  const made = madeBefore(now)
  const types = Object.keys(shareTypes) as ShareType[]
  const cards: (typeof share_card.$inferInsert)[] = types.map((page_type, at) => ({
    id: at + 1,
    page_type,
    city_id: null,
    title_tpl: shareAtFirst[page_type],
    image: sceneries('share')[at % 6]!,
    poster: { background: sceneries('share')[(at + 1) % 6]!, code_x: 78, code_y: 82 },
    reward_points: at < 4 ? 5 : 0,
    daily_limit: at < 4 ? 10 : 0,
    reward_budget: at < 4 ? 200_000 : 0,
    status: 'on',
    version: 1,
    shares: sized(2000 - at * 180, scale, 200),
    ...made(300),
  }))
  for (let at = 0; at < 12; at++) {
    const page_type = types[at % 6]!
    const place = ['杭州', '成都'][Math.floor(at / 6)]!
    cards.push({
      id: cards.length + 1,
      page_type,
      city_id: at < 6 ? 2 : 5,
      title_tpl:
        page_type === 'home' ? `来${place}，吃点好的` : `【${place}】${shareAtFirst[page_type]}`,
      image: sceneries('share')[at % 6]!,
      poster: {},
      reward_points: 0,
      daily_limit: 0,
      reward_budget: 0,
      status: at === 7 ? 'off' : 'on',
      version: 1,
      shares: sized(600 - at * 30, scale, 60),
      ...made(120),
    })
  }
  await insertRows(db, share_card, cards)
  const visits = Array.from(
    { length: sized(6000, scale, 400) },
    (_, at): typeof share_visit.$inferInsert => {
      const sharer_id = random.int(1, Math.max(2, Math.round(trade.memberCount / 4)))
      const own = random.chance(0.06)
      const visitor_id = random.chance(0.6) ? random.int(1, trade.memberCount) : null
      return {
        id: at + 1,
        share_card_id: random.int(1, cards.length),
        sharer_id,
        sharer_device: `d${sharer_id}`,
        visitor_id: own ? sharer_id : visitor_id,
        visitor_device: own ? `d${sharer_id}` : `v${visitor_id ?? random.int(1, 40_000)}`,
        order_id: random.chance(0.05) ? random.int(1, 500) : null,
        at: now - random.int(0, 40 * DAY),
      }
    },
  )
  await insertRows(db, share_visit, visits)
}
/** Contacts of a scene and place, each behind those that were there before. */
const contactBook = (random: Random, now: number) => {
  const made = madeBefore(now)
  const contacts: (typeof service_contact.$inferInsert)[] = []
  const contact = (one: {
    scene: Scene
    city_id: number | null
    mall_id?: number
    type: 'phone' | 'wecom' | 'chat'
    value: string
    hours?: (typeof service_contact.$inferInsert)['hours']
    qr?: string
    expires_at?: number | null
    status?: 'on' | 'off'
    auto_reply?: string
  }) =>
    contacts.push({
      id: contacts.length + 1,
      scene: one.scene,
      city_id: one.city_id,
      mall_id: one.mall_id ?? 0,
      type: one.type,
      value: one.value,
      qr: one.qr ?? '',
      hours: one.hours ?? [],
      auto_reply: one.auto_reply ?? '',
      status: one.status ?? 'on',
      off_reason: one.status === 'off' ? '人员调整，暂停接待' : null,
      expires_at: one.expires_at ?? null,
      priority: contacts.filter(
        row =>
          row.scene === one.scene &&
          row.city_id === one.city_id &&
          row.mall_id === (one.mall_id ?? 0),
      ).length,
      ...made(random.int(20, 300)),
    })
  return { contacts, contact }
}
/**
 * Contacts: national ones for every scene, cities' own by shifts, some of malls, two that are
 * switched off, one QR that runs out.
 */
const seedContacts = async (db: Db, random: Random, { trade, now }: Of): Promise<void> => {
  const { contacts, contact } = contactBook(random, now)
  const week = [1, 2, 3, 4, 5]
  for (const [at, scene] of (Object.keys(scenes) as Scene[]).entries()) {
    contact({
      scene,
      city_id: null,
      type: 'phone',
      value: `400820110${at}`,
      hours: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '09:00', to: '21:00' }],
      auto_reply: '客服工作时间为每天 9:00-21:00，您可以先留言，我们上班后第一时间联系您。',
    })
    contact({ scene, city_id: null, type: 'chat', value: `group-${scene}` })
  }
  for (const [at, city_id] of trade.cityIds.slice(0, 6).entries()) {
    contact({
      scene: 'pre_sale',
      city_id,
      type: 'wecom',
      value: `https://work.weixin.qq.com/kfid/${ACCOUNTS[at % 3]}`,
      qr: sceneries('service-qr')[at % 3]!,
      expires_at: qrEnd(random, at, now),
      hours: [
        { weekdays: week, from: '09:00', to: '18:00' },
        { weekdays: [6, 7], from: '10:00', to: '20:00' },
      ],
      auto_reply: '现在是非工作时间，稍后由专人回复您。',
    })
    contact({
      scene: 'refund',
      city_id,
      type: 'phone',
      value: `${['021', '0571', '025', '0512', '028', '0755'][at]}-6688${String(7000 + at * 11)}`,
      hours: [{ weekdays: [...week, 6], from: '09:00', to: '18:00' }],
    })
    contact({
      scene: 'merchant',
      city_id,
      type: 'phone',
      value: `1391234${String(5000 + at * 37)}`,
      hours: [{ weekdays: week, from: '09:30', to: '18:30' }],
      ...(at === 5 && { status: 'off' as const }),
    })
    if (at < 4)
      contact({ scene: 'complaint', city_id, type: 'chat', value: `complaint-${city_id}` })
  }
  for (const mall of trade.malls.filter(one => one.status === 'online').slice(0, 8))
    contact({
      scene: 'pre_sale',
      city_id: mall.city_id,
      mall_id: mall.id!,
      type: 'phone',
      value: `021-5566${String(1000 + mall.id! * 13)}`,
      hours: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '10:00', to: '22:00' }],
      ...(mall.id === 7 && { status: 'off' as const }),
    })
  await insertRows(db, service_contact, contacts)
}
/** The link library, banners, city settings, share cards and service contacts. */
const seedContent = async (db: Db, random: Random, of: Of): Promise<void> => {
  const links = await seedLinks(db, random, of)
  await seedBanners(db, random, of, links)
  await seedCities(db, random, of, links)
  await seedShares(db, random, of)
  await seedContacts(db, random, of)
}

export const demo: readonly DemoStep[] = [{ place: 30, branch: 'content', run: seedContent }]
