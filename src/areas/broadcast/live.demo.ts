import { sql } from 'drizzle-orm'
import { DAY, HOUR, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { sceneries } from '#src/server/demo/pictures.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { live_click, live_host, live_product, live_room, live_subscriber } from './live.table.ts'

const MINUTE = 60
const hosts = [
  '小满探店',
  '吃货阿哲',
  '美食家林夏',
  '周末去哪儿',
  '商场里的猫',
  '会员日小助手',
  '甜点师可可',
  '夜宵老陈',
  '新来的主播',
] as const
const titles = [
  '周五夜宵专场',
  '火锅节开锅啦',
  '商场周年庆直播',
  '下午茶买一送一',
  '会员日限时福利',
  '亲子乐园专场',
  '新店试吃直播',
  '双人餐五折夜',
  '烘焙大师来了',
  '本地味道巡礼',
  '跨年聚餐提前囤',
  '理发美甲专场',
  '咖啡文化周',
  '烤肉自助放价',
  '影城联名专场',
  '健身月卡秒杀',
  '江浙菜品鉴会',
  '主厨在线教你吃',
  '宝藏小店探访',
  '周末去哪儿玩',
] as const
const coming = ['冬至团圆饭专场', '圣诞下午茶提前抢', '今晚吃什么：火锅专场'] as const
const called = [
  ['雨夜小龙虾专场', '主播身体不适，改期另行通知'],
  ['露台音乐烧烤夜', '商场当日闭馆检修'],
  ['早茶直播间', '合作商户临时调整供货'],
] as const

/** The first of the rooms that are over have their replays out, the last have none. */
const replayOf = (at: number): 'published' | 'ready' | 'hidden' | 'none' => {
  if (at < 6) return 'published'
  if (at < 8) return 'ready'
  return at < 9 ? 'hidden' : 'none'
}
const syncedLately = (random: Random, state: string | undefined, now: number): number | null =>
  state === 'draft' ? null : now - random.int(20, 110)
/**
 * Sessions of the past: evenings when a city bought much; whoever bought later that night or next
 * morning had seen it there.
 */
const pastNights = async (
  db: Db,
  random: Random,
  { places, now }: { places: readonly { id: number }[]; now: number },
): Promise<{ city_id: number; day: number }[]> => {
  const { rows: nights } = await db.execute<{ city_id: number; day: number; n: number }>(sql`
    select city_id, (created_at + ${8 * HOUR}) / ${DAY} as day, count(*)::int n from "order" where kind in ('bulks', 'card', 'voucher') and member_id is not null and paid_at is not null and live_room_id is null and (created_at + ${8 * HOUR}) % ${DAY} >= ${19.5 * HOUR} and created_at between ${now - 58 * DAY} and ${now - 2 * DAY}
    group by 1, 2 order by 3 desc, 1, 2 limit 60`)
  const picked: { city_id: number; day: number }[] = []
  for (const night of random.shuffle(nights))
    if (
      picked.length < 20 &&
      !picked.some(one => one.day === Number(night.day) && one.city_id === night.city_id)
    )
      picked.push({ city_id: night.city_id, day: Number(night.day) })
  // A very small demo has few nights with orders: the rest are quiet ones.
  for (let at = 0; picked.length < 20; at++) {
    const one = {
      city_id: places[at % places.length]!.id,
      day: Math.floor((now + 8 * HOUR) / DAY) - 3 - at,
    }
    if (!picked.some(each => each.day === one.day && each.city_id === one.city_id)) picked.push(one)
  }
  return picked.sort((a, b) => b.day - a.day || a.city_id - b.city_id)
}
/** The products of an evening by their lowest price: those bought, and a few more where few were. */
const shownOn = (
  orders: readonly { product_id: number; price_cents: string }[],
  offers: readonly { id: number; price_cents: number }[],
): [product_id: number, price_cents: number][] => {
  const products = new Map<number, number>()
  for (const { product_id, price_cents } of orders)
    products.set(product_id, Math.min(products.get(product_id) ?? Infinity, Number(price_cents)))
  for (const offer of offers)
    if (products.size < 6) products.set(offer.id, Number(offer.price_cents))
  return [...products].slice(0, 60)
}
/**
 * 26 live rooms in every state and two drafts. Results of those that are over are real orders of
 * their city and hours; what is coming holds its stock. After orders.
 */
const seedLive = async (db: Db, random: Random, { now }: { now: number }): Promise<void> => {
  const [rooms, shelf, clicks, subscribers] = [
    [] as (typeof live_room.$inferInsert)[],
    [] as (typeof live_product.$inferInsert)[],
    [] as (typeof live_click.$inferInsert)[],
    [] as (typeof live_subscriber.$inferInsert)[],
  ]
  await insertRows(
    db,
    live_host,
    hosts.map((name, at) => ({
      id: at + 1,
      name,
      wechat: `wx_host_${String(at + 1).padStart(3, '0')}`,
      verified: at !== 8,
      status: at === 7 ? ('off' as const) : ('on' as const),
      created_at: now - 300 * DAY,
      updated_at: now - 300 * DAY,
    })),
  )
  const { rows: members } = await db.execute<{ id: number }>(
    sql`select id from member where account_state = 'normal' order by id limit 3000`,
  )
  const { rows: places } = await db.execute<{ id: number }>(
    sql`select id from city where status = 'open' order by sort, id limit 6`,
  )
  const { rows: offers } = await db.execute<{ id: number; city_id: number; price_cents: number }>(
    sql`select id, city_id, price_cents from product p where state = 'on_sale' and kind in ('bulks', 'card', 'voucher') and stock - held > 40 and sale_start_at < ${now} and sale_end_at > ${now + 20 * DAY} and not exists (select 1 from product_version v where v.product_id = p.id and v.state = 'auditing') order by id`,
  )
  const { rows: coupons } = await db.execute<{ id: number }>(
    sql`select id from coupon where status = 'active' and city_ids = '[]'::jsonb and claim_end_at > ${now} and claimed_count < total order by id limit 12`,
  )
  const add = (
    of: Pick<
      typeof live_room.$inferInsert,
      'title' | 'host_id' | 'city_id' | 'start_at' | 'end_at' | 'state'
    > &
      Partial<typeof live_room.$inferInsert>,
  ) => {
    const id = rooms.length + 1
    const made_at = Math.min(of.start_at - random.int(3, 9) * DAY, now - random.int(1, 3) * DAY)
    const over = of.state === 'ended'
    rooms.push({
      channel: id % 5 === 3 ? 'video_account' : 'mini_program',
      room_no: of.state === 'draft' ? '' : `DEMO${String(id).padStart(6, '0')}`,
      cover: random.pick(sceneries('live-cover')),
      share_image: random.pick(sceneries('share')),
      background: random.pick(sceneries('live-back')),
      mall_id: 0,
      coupon_ids: coupons.length > 0 && id % 2 === 0 ? [random.pick(coupons).id] : [],
      comments_on: true,
      goods_on: true,
      state_reason: null,
      replay_state: 'none',
      replay_url: '',
      recommended: false,
      viewers: null,
      peak: null,
      synced_at: over ? of.end_at + 15 * MINUTE : syncedLately(random, of.state, now),
      created_at: made_at,
      updated_at: Math.min(now, over ? of.end_at : now),
      ...of,
      id,
    })
    return id
  }
  const put = (
    live_room_id: number,
    of: readonly { product_id: number; price_cents: number; stock: number; held: boolean }[],
  ) =>
    of.forEach(({ held, ...one }, at) =>
      shelf.push({
        live_room_id,
        ...one,
        sort: at + 1,
        remaining: held ? one.stock : 0,
        explained_at: null,
      }),
    )

  const picked = await pastNights(db, random, { places, now })
  const seen = new Map<number, number>()
  for (const [at, { city_id, day }] of picked.entries()) {
    const start_at = day * DAY - 8 * HOUR + 19.5 * HOUR
    const end_at = start_at + random.pick([2, 2.5, 3]) * HOUR
    const host_id = 1 + ((day + city_id) % 7)
    const { rows: orders } = await db.execute<{
      id: number
      member_id: number
      created_at: string
      product_id: number
      price_cents: string
    }>(sql`
      select o.id, o.member_id, o.created_at, i.product_id, i.price_cents from "order" o join order_item i on i.order_id = o.id where o.city_id = ${city_id} and o.created_at between ${start_at + 300} and ${start_at + 18 * HOUR} and o.kind in ('bulks', 'card', 'voucher') and o.member_id is not null and o.live_room_id is null and o.id % 10 < 7 order by o.id limit 400`)
    const replay_state = replayOf(at)
    const id = add({
      title: titles[at % titles.length]!,
      host_id,
      city_id,
      start_at,
      end_at,
      state: 'ended',
      replay_state,
      replay_url:
        replay_state === 'none'
          ? ''
          : `https://live.mallet.example/replay/DEMO${String(at + 1).padStart(6, '0')}.m3u8`,
      recommended: at === 1,
      viewers: 0,
      peak: 0,
      state_reason: replay_state === 'hidden' ? '画面出现其他品牌标识' : null,
    })
    const here = offers.filter(each => each.city_id === city_id)
    const listed = shownOn(orders, here)
    put(
      id,
      listed.map(([product_id, price_cents]) => ({
        product_id,
        price_cents: Math.max(1, price_cents),
        stock: random.int(3, 20) * 10,
        held: false,
      })),
    )
    const known = new Set(listed.map(([product_id]) => product_id))
    const own = orders.filter(one => known.has(one.product_id))
    for (const one of own) {
      clicks.push({
        live_room_id: id,
        product_id: one.product_id,
        member_id: one.member_id,
        at: Math.max(start_at + 60, Math.min(Number(one.created_at) - random.int(30, 900), end_at)),
      })
      seen.set(one.id, id)
    }
    const looked = own.length * random.int(4, 9) + random.int(20, 60)
    for (let n = 0; n < looked && listed.length > 0; n++)
      clicks.push({
        live_room_id: id,
        product_id: random.pick(listed)[0],
        member_id: random.pick(members).id,
        at: random.int(start_at + 60, end_at),
      })
    rooms[id - 1]!.viewers = looked * random.int(6, 12) + random.int(50, 400)
    rooms[id - 1]!.peak = Math.round(rooms[id - 1]!.viewers! * (0.22 + random.next() * 0.2))
  }

  const shelfOf = (city_id: number, n: number) =>
    random
      .shuffle(offers.filter(one => one.city_id === city_id))
      .slice(0, n)
      .map(one => ({
        product_id: one.id,
        price_cents: Math.max(1, Math.round(Number(one.price_cents) * 0.85)),
        stock: random.int(1, 3) * 10,
        held: true,
      }))
  const wait = (
    live_room_id: number,
    n: number,
    notice: 'none' | 'queued' | 'sent',
    told_at: number | null,
  ) =>
    random
      .shuffle(members)
      .slice(0, Math.min(n, members.length))
      .forEach(one =>
        subscribers.push({
          live_room_id,
          member_id: one.id,
          notice,
          told_at,
          answer: notice === 'sent' ? 'ok' : null,
        }),
      )
  const [first, second] = [places[0]!.id, places[1 % places.length]!.id]
  const living = add({
    title: coming[2],
    host_id: 2,
    city_id: first,
    start_at: now - 40 * MINUTE,
    end_at: now + 80 * MINUTE,
    state: 'living',
    recommended: true,
    viewers: 1486,
    peak: 512,
  })
  const on = shelfOf(first, 8)
  put(living, on)
  if (on[0]) shelf.at(-on.length)!.explained_at = now - 4 * MINUTE
  for (let n = 0; n < 120 && on.length > 0; n++)
    clicks.push({
      live_room_id: living,
      product_id: random.pick(on).product_id,
      member_id: random.pick(members).id,
      at: random.int(now - 38 * MINUTE, now),
    })
  wait(living, 46, 'none', null)
  const next = add({
    title: coming[0],
    host_id: 1,
    city_id: first,
    start_at: dayStart(now) + DAY + 19.5 * HOUR,
    end_at: dayStart(now) + DAY + 22 * HOUR,
    state: 'planned',
    recommended: true,
  })
  put(next, shelfOf(first, 9))
  wait(next, 63, 'none', null)
  const later = add({
    title: coming[1],
    host_id: 3,
    city_id: second,
    start_at: dayStart(now) + 4 * DAY + 15 * HOUR,
    end_at: dayStart(now) + 4 * DAY + 17 * HOUR,
    state: 'planned',
  })
  put(later, shelfOf(second, 6))
  wait(later, 21, 'none', null)
  for (const [at, [title, reason]] of called.entries()) {
    const start_at = dayStart(now) + (at === 0 ? 2 : -at * 13) * DAY + 19 * HOUR
    const id = add({
      title,
      host_id: 4 + at,
      city_id: places[at % places.length]!.id,
      start_at,
      end_at: start_at + 2 * HOUR,
      state: 'cancelled',
      state_reason: reason,
      synced_at: null,
    })
    put(
      id,
      shelfOf(places[at % places.length]!.id, 4).map(one => ({ ...one, held: false })),
    )
    wait(id, 12 + at * 9, at === 0 ? 'queued' : 'sent', at === 0 ? null : start_at - 20 * HOUR)
  }
  for (const [at, title] of ['腊八粥暖心专场', '新年首播策划'].entries()) {
    const start_at = dayStart(now) + (9 + at * 8) * DAY + 20 * HOUR
    const id = add({
      title,
      host_id: 5,
      city_id: first,
      start_at,
      end_at: start_at + 2 * HOUR,
      state: 'draft',
      ...(at === 1 && { background: '', share_image: '' }),
    })
    if (at === 0)
      put(
        id,
        shelfOf(first, 5).map(one => ({ ...one, held: false })),
      )
  }
  await insertRows(db, live_room, rooms)
  await insertRows(
    db,
    live_product,
    shelf.map((one, at) => ({ id: at + 1, ...one, created_at: now - DAY, updated_at: now - DAY })),
  )
  await insertRows(
    db,
    live_click,
    clicks.map((one, at) => ({ id: at + 1, ...one })),
  )
  await insertRows(
    db,
    live_subscriber,
    subscribers.map((one, at) => ({
      id: at + 1,
      ...one,
      created_at: now - 3 * DAY,
      updated_at: now - DAY,
    })),
  )
  await db.execute(
    sql`update product p set held = held + l.n from (select product_id, sum(remaining)::int n from live_product group by 1) l where l.product_id = p.id and l.n > 0`,
  )
  if (seen.size > 0)
    await db.execute(
      sql`update "order" o set live_room_id = (g->>1)::int, source = 'live' from json_array_elements(${JSON.stringify([...seen])}::json) g where o.id = (g->>0)::int`,
    )
}

export const demo: readonly DemoStep[] = [{ place: 90, branch: 'live rooms', run: seedLive }]
