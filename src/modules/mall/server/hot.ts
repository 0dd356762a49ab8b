import { and, asc, count, eq, gt, ilike, inArray, sql, type SQL } from 'drizzle-orm'
import { page_link, type LinkParams } from '#src/areas/content/content.table.ts'
import { healthOf, pickLink } from '#src/areas/link/links.server.ts'
import { hot_item } from '#src/areas/mall/mall.table.ts'
import {
  bannedIn,
  blockReasons,
  HOT_MAX,
  hotCounts,
  offerBlocked,
  storeBlocked,
  type BlockReason,
  type HotKind,
} from '#src/areas/mall/recommend.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { colon, comma, say, type Text } from '#src/domain/text.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, Refusal, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import { difference, rowSaver, staleRow } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { hots as contract } from '../contract/hot.ts'
import {
  boardRead,
  bump,
  checkOrder,
  lockBoard,
  needs,
  openPlace,
  placeOf,
  readyLinks,
  sizeOf,
  type Place,
} from './shared.ts'

type Hot = typeof hot_item.$inferSelect
const saveItem = rowSaver(hot_item, 'hot_item')
const inOrder = [asc(hot_item.sort), asc(hot_item.id)]
const hotScope = (staff: Pick<Staff, 'scope'>): SQL | undefined =>
  within(staff.scope, { city: hot_item.city_id, mall: hot_item.mid })
const here = (where: Pick<Place, 'mid' | 'city_id'>) =>
  and(eq(hot_item.city_id, where.city_id), eq(hot_item.mid, where.mid))
const rowsOf = (db: Db, where: Pick<Place, 'mid' | 'city_id'>): Promise<Hot[]> =>
  db
    .select()
    .from(hot_item)
    .where(here(where))
    .orderBy(...inOrder)
const readOne = async (db: Db, id: number, staff: Staff): Promise<Hot> => {
  const [row] = await db
    .select()
    .from(hot_item)
    .where(and(eq(hot_item.id, id), hotScope(staff)))
  if (!row) throw missing()
  return row
}

type Target = { name: string; status: string; reason: BlockReason | 'link_dead' | null }
type Led = Pick<Hot, 'id' | 'kind' | 'ref_id' | 'mid' | 'city_id' | 'page_link_id' | 'link_params'>
type Offer = {
  id: number
  kind: string
  title: string
  state: string
  stock_left: number
  sale_end_at: string
  check_end_at: string
  price_cents: string
  face_cents: string | null
  merchant_status: string
  malls: number[]
  cities: number[]
}
const offersOf = async (db: Db, ids: readonly number[]): Promise<Map<number, Offer>> => {
  const { rows } =
    await db.execute<Offer>(sql`select p.id, p.kind, p.title, p.state, p.stock - p.held stock_left, p.sale_end_at, p.check_end_at, p.price_cents, p.face_cents, m.status merchant_status,
    coalesce(array(select s.mall_id from product_store ps join store s on s.id = ps.store_id where ps.product_id = p.id and ps.status = 'on' and s.status = 'open'), '{}') malls, coalesce(array(select s.city_id from product_store ps join store s on s.id = ps.store_id where ps.product_id = p.id and ps.status = 'on' and s.status = 'open'), '{}') cities
    from product p join merchant m on m.id = p.merchant_id where p.id in ${[0, ...ids]}`)
  return new Map(rows.map(row => [row.id, row]))
}
type Store = {
  id: number
  name: string
  status: string
  mall_id: number
  city_id: number
}
const storesOf = async (db: Db, ids: readonly number[]): Promise<Map<number, Store>> => {
  const { rows } = await db.execute<Store>(
    sql`select id, name, status, mall_id, city_id from store where id in ${[0, ...ids]}`,
  )
  return new Map(rows.map(row => [row.id, row]))
}
type Link = { name: string; ok: boolean }
/** Links that hot items lead to, by the item. */
const linksOf = async (db: Db, rows: readonly Led[], now: number): Promise<Map<number, Link>> => {
  const linked = rows.filter(row => row.page_link_id !== null)
  const links = new Map(
    linked.length
      ? (
          await db
            .select()
            .from(page_link)
            .where(
              inArray(
                page_link.id,
                linked.map(row => row.page_link_id!),
              ),
            )
        ).map(row => [row.id, row])
      : [],
  )
  const uses = linked.flatMap(row => {
    const link = links.get(row.page_link_id!)
    return link ? [{ row, link, params: (row.link_params ?? {}) as LinkParams }] : []
  })
  const healths = uses.length ? await healthOf(db, uses, now) : []
  return new Map(
    uses.map(({ row, link }, at) => [
      row.id,
      { name: link.name, ok: healths[at]!.health === 'ok' },
    ]),
  )
}
const linkTarget = (found: Link | undefined): Target => ({
  name: found?.name ?? '',
  status: found?.ok ? 'ok' : 'dead',
  reason: found?.ok ? null : 'link_dead',
})
const storeTarget = (row: Led, found: Store | undefined): Target => ({
  name: found?.name ?? '',
  status: found?.status ?? 'gone',
  reason: found
    ? storeBlocked({
        status: found.status,
        in_mall: row.mid > 0 ? found.mall_id === row.mid : found.city_id === row.city_id,
        gathered: true,
      })
    : 'not_found',
})
const blockOf: Partial<Record<HotKind, 'voucher' | 'group'>> = {
  voucher: 'voucher',
  bulks: 'group',
}
const offerTarget = (row: Led, found: Offer | undefined, now: number): Target => {
  if (!found) return { name: '', status: 'gone', reason: 'not_found' }
  const facts = {
    ...found,
    sale_end_at: Number(found.sale_end_at),
    check_end_at: Number(found.check_end_at),
    price_cents: Number(found.price_cents),
    face_cents: found.face_cents === null ? null : Number(found.face_cents),
    stores_in_mall:
      row.mid > 0
        ? found.malls.filter(mid => mid === row.mid).length
        : found.cities.filter(id => id === row.city_id).length,
  }
  return {
    name: found.title,
    status: found.state,
    reason: offerBlocked(blockOf[row.kind] ?? 'featured', facts, now),
  }
}
/**
 * What hot items lead to, and why it can't be led to now. A mall's item must be sold in that mall,
 * a city's anywhere in the city.
 */
const targetsOf = async (
  db: Db,
  rows: readonly Led[],
  now: number,
): Promise<Map<number, Target>> => {
  const ids = (...kinds: readonly HotKind[]) =>
    rows.flatMap(row => (kinds.includes(row.kind) && row.ref_id !== null ? [row.ref_id] : []))
  const offers = await offersOf(db, ids('bulks', 'voucher', 'activity'))
  const stores = await storesOf(db, ids('store'))
  const links = await linksOf(db, rows, now)
  const targetOf = (row: Led): Target => {
    if (row.kind === 'keyword') return { name: '', status: '', reason: null }
    if (row.kind === 'link' || (row.kind === 'activity' && row.ref_id === null))
      return linkTarget(links.get(row.id))
    if (row.kind === 'store') return storeTarget(row, stores.get(row.ref_id ?? 0))
    return offerTarget(row, offers.get(row.ref_id ?? 0), now)
  }
  return new Map(rows.map(row => [row.id, targetOf(row)]))
}
const hideReasons = {
  ...blockReasons,
  link_dead: ['链接失效', 'The link is dead'],
  off: ['已停用', 'Switched off'],
  ended: ['展示时间已过', 'Its window is over'],
  planned: ['未到展示时间', 'Its window is to come'],
} as const satisfies Record<string, Text>
type HideReason = keyof typeof hideReasons
const hideReason = (row: Hot, target: Target | undefined, now: number): HideReason | null => {
  if (row.status === 'off') return 'off'
  if (row.end_at <= now) return 'ended'
  if (target?.reason) return target.reason
  return row.start_at > now ? 'planned' : null
}

type Fields = {
  kind?: HotKind | undefined
  title?: string | undefined
  ref_id?: number | undefined
  page_link_id?: number | undefined
  link_params?: Record<string, string | number> | undefined
  image?: string | undefined
  badge?: Hot['badge'] | undefined
  start_at?: number | undefined
  end_at?: number | undefined
  status?: Hot['status'] | undefined
}
/**
 * The whole item against the rules: its words, its window, its target, and, where it is to be live,
 * the twelve of the place and no second word of its kind. Under the board's lock.
 */
const checked = async (
  tx: Db,
  staff: Staff,
  now: number,
  of: Omit<Hot, 'id' | 'created_at' | 'updated_at' | 'version'> & { id: number },
): Promise<void> => {
  const { lang } = staff
  if (of.end_at <= of.start_at)
    throw invalid({ end_at: say(['结束须晚于开始', 'Must be after the start'], lang) })
  const banned = bannedIn(of.title)
  if (banned)
    throw ruled(
      'banned_word',
      ['含有禁用词“{word}”', 'It holds the banned word “{word}”'],
      { word: banned },
      { fields: { title: say(['含有禁用词', 'A banned word'], lang) } },
    )
  if (of.kind === 'link') {
    if (of.page_link_id === null)
      throw invalid({ page_link_id: say(['请选择链接', 'Choose a link'], lang) })
    await pickLink(
      tx,
      { page_link_id: of.page_link_id, params: (of.link_params ?? {}) as LinkParams },
      now,
    )
  } else if (of.kind !== 'keyword') {
    if (of.ref_id === null && of.kind !== 'activity')
      throw invalid({ ref_id: say(['请选择目标', 'Choose what it leads to'], lang) })
    const target = (await targetsOf(tx, [of], now)).get(of.id)
    if (target?.reason)
      throw ruled(
        'ref_not_on_sale',
        ['目标不可用：{why}', 'Its target can’t be led to: {why}'],
        { why: say(hideReasons[target.reason], lang) },
        { fields: { ref_id: say(hideReasons[target.reason], lang) } },
      )
  }
  if (!hotCounts(of, now)) return
  const live = (
    await tx
      .select()
      .from(hot_item)
      .where(and(here(of), eq(hot_item.status, 'on'), gt(hot_item.end_at, now)))
      .orderBy(...inOrder)
  ).filter(row => row.id !== of.id)
  if (
    of.kind === 'keyword' &&
    live.some(row => row.kind === 'keyword' && row.title.toLowerCase() === of.title.toLowerCase())
  )
    throw ruled(
      'keyword_exists',
      ['已有相同的热词', 'There is such a word already'],
      {},
      { fields: { title: say(['已存在', 'Taken'], lang) } },
    )
  if (live.length >= HOT_MAX)
    throw ruled(
      'place_full',
      [
        '这里已有 {n} 条在展示，请先停用其中一条：{titles}',
        '{n} are live here: switch one of them off first: {titles}',
      ],
      { n: HOT_MAX, titles: live.map(row => row.title).join(say(comma, lang)) },
      { live: live.map(row => ({ id: row.id, title: row.title })) },
    )
}
const keys = [
  'kind',
  'title',
  'ref_id',
  'page_link_id',
  'link_params',
  'image',
  'badge',
  'start_at',
  'end_at',
  'status',
] as const
const settled = (fields: Fields) => ({
  ref_id: fields.ref_id ?? null,
  page_link_id: fields.page_link_id ?? null,
  link_params: fields.link_params ?? null,
  image: fields.image ?? null,
  badge: fields.badge ?? ('none' as const),
  status: fields.status ?? ('on' as const),
})

const insert = async (
  context: WriteContext,
  where: Place,
  fields: Fields & { kind: HotKind; title: string; start_at: number; end_at: number },
) => {
  const { tx, staff, now, log } = context
  const board = await lockBoard(tx, where, 'hot')
  const row = {
    city_id: where.city_id,
    mid: where.mid,
    kind: fields.kind,
    title: fields.title,
    start_at: fields.start_at,
    end_at: fields.end_at,
    ...settled(fields),
    sort: ((await rowsOf(tx, where)).at(-1)?.sort ?? 0) + 1,
    click_count: 0,
    user_count: 0,
  }
  await checked(tx, staff, now, { ...row, id: 0 })
  const [made] = await tx.insert(hot_item).values(row).returning()
  log({
    object_type: 'hot_item',
    object_id: made!.id,
    object_label: made!.title,
    after: { ...fields, city_id: where.city_id, mid: where.mid },
  })
  return {
    id: made!.id,
    sort: made!.sort,
    version: made!.version,
    list_version: await bump(context, board),
  }
}
const change = async (context: WriteContext, id: number, version: number, fields: Fields) => {
  const { tx, staff, now, log } = context
  const row = await readOne(tx, id, staff)
  await openPlace(tx, row, staff)
  const board = await lockBoard(tx, row, 'hot')
  if (row.version !== version) throw await staleRow(tx, 'hot_item', row)
  const set = Object.fromEntries(
    keys.flatMap(key => (fields[key] === undefined ? [] : [[key, fields[key]]])),
  ) as Partial<Hot>
  const next = { ...row, ...set }
  // Switching off, or mending the words of what is off, asks nothing of the target.
  if (next.status === 'on' || Object.keys(set).some(key => key !== 'status'))
    await checked(tx, staff, now, next)
  const after = await saveItem(tx, { id, version }, set)
  log({
    object_type: 'hot_item',
    object_id: id,
    object_label: after.title,
    ...difference(row, after, keys),
  })
  return { id, version: after.version, list_version: await bump(context, board) }
}
const sort = async (
  context: WriteContext,
  of: { city_id: number; mid: number; order: readonly number[]; list_version: number },
) => {
  const { tx, staff, log } = context
  const where = await openPlace(tx, of, staff)
  const board = await lockBoard(tx, where, 'hot')
  const present = (await rowsOf(tx, where)).map(row => row.id)
  await checkOrder(tx, board, of, present)
  for (const [at, id] of of.order.entries())
    await tx
      .update(hot_item)
      .set({ sort: at + 1 })
      .where(eq(hot_item.id, id))
  log({
    object_type: 'mall',
    object_id: where.mid,
    object_label: where.mall_name || where.city_name,
    before: { hot: present },
    after: { hot: of.order },
  })
  return { list_version: await bump(context, board) }
}
/**
 * The same item in other malls, each by itself: those where its target is not sold, or that are
 * full, are passed over and told.
 */
const copy = async (context: WriteContext, id: number, mids: readonly number[]) => {
  const { tx, staff } = context
  const row = await readOne(tx, id, staff)
  const ok: { mid: number; id: number }[] = []
  const failed: { mid: number; id: number; reason: string; msg: string }[] = []
  const names = new Map(
    (
      await tx
        .select({ id: mall.id, name: mall.name })
        .from(mall)
        .where(
          and(
            inArray(mall.id, [...mids]),
            within(staff.scope, { city: mall.city_id, mall: mall.id }),
          ),
        )
    ).map(one => [one.id, one.name]),
  )
  for (const mid of [...new Set(mids)].sort((a, b) => a - b)) {
    try {
      const made = await tx.transaction(async inner =>
        insert({ ...context, tx: inner }, await openPlace(inner, { mid }, staff), {
          kind: row.kind,
          title: row.title,
          ref_id: row.ref_id ?? undefined,
          page_link_id: row.page_link_id ?? undefined,
          link_params: (row.link_params as Record<string, string | number> | null) ?? undefined,
          image: row.image ?? undefined,
          badge: row.badge,
          start_at: row.start_at,
          end_at: row.end_at,
        }),
      )
      ok.push({ mid, id: made.id })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      failed.push({
        mid,
        id: mid,
        reason: String(error.data['rule'] ?? error.status),
        msg: `${names.get(mid) ?? `#${mid}`}${say(colon, staff.lang)}${error.in(staff.lang)}`,
      })
    }
  }
  return { ok, failed }
}

type Clicks = { id: number; start_at?: number | undefined; end_at?: number | undefined }
const clickWhere = ({ id, start_at, end_at }: Clicks) =>
  sql.join(
    [
      sql`l.object_type = 'hot'`,
      sql`l.object_id = ${id}`,
      ...(start_at === undefined ? [] : [sql`l.at >= ${start_at}`]),
      ...(end_at === undefined ? [] : [sql`l.at < ${end_at}`]),
    ],
    sql` and `,
  )
type Clicker = {
  member_id: number
  nickname: string
  phone: string
  city_name: string
  clicks: number
  first: string
  last: string
}
const clickers = async (db: Db, of: Clicks, more: SQL): Promise<Clicker[]> =>
  (
    await db.execute<Clicker>(
      sql`select l.member_id, m.nickname, m.phone, coalesce(c.city_name, '') city_name, count(*)::int clicks, min(l.at) first, max(l.at) last from click_log l join member m on m.id = l.member_id left join city c on c.id = m.city_id where ${clickWhere(of)} group by l.member_id, m.nickname, m.phone, c.city_name ${more}`,
    )
  ).rows
const clickerOf = (row: Clicker) => ({
  id: row.member_id,
  member_id: row.member_id,
  nickname: row.nickname,
  avatar: '',
  phone_masked: row.phone,
  city_name: row.city_name,
  click_count: row.clicks,
  first_click_at: Number(row.first),
  last_click_at: Number(row.last),
})

defineExport('mall.hot', {
  title: ['热门点击用户', 'Who clicked'],
  permit: 'mall.hot.export',
  columns: [
    { key: 'member_id', title: ['会员编号', 'Member'] },
    { key: 'nickname', title: ['昵称', 'Nickname'] },
    { key: 'phone_masked', title: ['手机号', 'Phone'], field: 'member.phone' },
    { key: 'city_name', title: ['城市', 'City'] },
    { key: 'click_count', title: ['点击次数', 'Clicks'], kind: 'number' },
    { key: 'first_click_at', title: ['首次点击', 'First'], kind: 'time' },
    { key: 'last_click_at', title: ['最近点击', 'Last'], kind: 'time' },
  ],
  rows: async ({ db, staff, filters, after, limit }) => {
    const of = filters as Clicks
    await readOne(db, of.id, staff)
    const list = (
      await clickers(
        db,
        of,
        sql`having l.member_id > ${Number(after ?? 0)} order by l.member_id limit ${limit}`,
      )
    ).map(clickerOf)
    return { rows: list, next: list.at(-1)?.member_id }
  },
})

const server = implement(contract, {
  list: async ({ mid, city_id, kind, status, keyword, ...paged }, { db, staff, now }) => {
    const { limit, offset } = sizeOf(paged)
    // A place has a list with a version; a wider question has rows only.
    const place = mid !== undefined ? await placeOf(db, { mid, city_id }, staff) : undefined
    const inCity = city_id === undefined ? undefined : eq(hot_item.city_id, city_id)
    const where = and(
      hotScope(staff),
      place ? here(place) : inCity,
      kind && eq(hot_item.kind, kind),
      status && eq(hot_item.status, status),
      keyword ? ilike(hot_item.title, like(keyword)) : undefined,
    )
    const [rows, [all], [live], board] = await Promise.all([
      db
        .select({ row: hot_item, city_name: city.city_name, mall_name: mall.name })
        .from(hot_item)
        .innerJoin(city, eq(city.id, hot_item.city_id))
        .leftJoin(mall, eq(mall.id, hot_item.mid))
        .where(where)
        .orderBy(asc(hot_item.city_id), asc(hot_item.mid), ...inOrder)
        .limit(limit)
        .offset(offset),
      db.select({ n: count() }).from(hot_item).where(where),
      db
        .select({ n: count() })
        .from(hot_item)
        .where(
          and(
            hotScope(staff),
            place ? here(place) : undefined,
            eq(hot_item.status, 'on'),
            gt(hot_item.end_at, now),
          ),
        ),
      place ? boardRead(db, place, 'hot') : { list_version: 0, theirs: null },
    ])
    const targets = await targetsOf(
      db,
      rows.map(one => one.row),
      now,
    )
    const clicks = new Map(
      rows.length
        ? (
            await db.execute<{ id: number; pv: number; uv: number }>(
              sql`select l.object_id id, count(*)::int pv, count(distinct l.device_id)::int uv from click_log l where l.object_type = 'hot' and l.object_id in ${rows.map(one => one.row.id)} group by 1`,
            )
          ).rows.map(row => [row.id, row])
        : [],
    )
    const list = rows.map(({ row: { created_at: _, ...row }, city_name, mall_name }) => {
      const target = targets.get(row.id)
      const reason = hideReason({ ...row, created_at: 0 }, target, now)
      return {
        ...row,
        link_params: row.link_params as LinkParams | null,
        city_name,
        mall_name: mall_name ?? '',
        ref_name: target?.name ?? '',
        ref_status: target?.status ?? '',
        is_live: reason === null,
        hide_reason: reason,
        click_count: Math.max(row.click_count, clicks.get(row.id)?.pv ?? 0),
        user_count: Math.max(row.user_count, clicks.get(row.id)?.uv ?? 0),
      }
    })
    return {
      list,
      total: all!.n,
      max: HOT_MAX,
      live: live!.n,
      list_version: board.list_version,
      theirs: board.theirs,
    }
  },
  add: async ({ city_id, mid, ...fields }, context) => {
    const where = await openPlace(context.tx, { city_id, mid }, context.staff)
    if (where.city_id !== city_id)
      throw invalid({
        city_id: say(['商场不在这个城市', 'The mall is in another city'], context.staff.lang),
      })
    return insert(context, where, fields)
  },
  edit: async (
    { id, version, order, list_version, copy_to_mids, city_id, mid, ...fields },
    context,
  ) => {
    const required = (name: string) =>
      invalid({ [name]: say(['必填', 'Required'], context.staff.lang) })
    if (order !== undefined) {
      needs(context.staff, 'mall.hot.sort')
      if (city_id === undefined) throw required('city_id')
      if (mid === undefined) throw required('mid')
      if (list_version === undefined) throw required('list_version')
      return sort(context, { city_id, mid, order, list_version })
    }
    if (id === undefined) throw required('id')
    if (copy_to_mids !== undefined) {
      needs(context.staff, 'mall.hot.copyToMall')
      return copy(context, id, copy_to_mids)
    }
    if (version === undefined) throw required('version')
    if (fields.status !== undefined) needs(context.staff, `mall.hot.${fields.status}`)
    return change(context, id, version, fields)
  },
  del: async ({ id }, context) => {
    const { tx, staff, log } = context
    const [there] = await tx.select({ id: hot_item.id }).from(hot_item).where(eq(hot_item.id, id))
    if (!there) return { id, deleted: true, already: true }
    const row = await readOne(tx, id, staff)
    const board = await lockBoard(tx, row, 'hot')
    await tx.delete(hot_item).where(eq(hot_item.id, id))
    log({
      object_type: 'hot_item',
      object_id: id,
      object_label: row.title,
      before: { title: row.title, kind: row.kind, city_id: row.city_id, mid: row.mid },
    })
    return { id, deleted: true, list_version: await bump(context, board) }
  },
  targets: async ({ mid, city_id, kind, keyword, ...paged }, { db, staff }) => {
    const size = sizeOf(paged)
    // Also of links, which are the whole house's: they are chosen for a place.
    const where = await placeOf(db, { mid: mid ?? 0, city_id }, staff)
    if (kind === 'link' || kind === 'keyword') return readyLinks(db, keyword, size)
    const inPlace =
      where.mid > 0 ? sql`s.mall_id = ${where.mid}` : sql`s.city_id = ${where.city_id}`
    const { rows } = await db.execute<{ id: number; name: string; all: number }>(
      kind === 'store'
        ? sql`select s.id, s.name, (count(*) over ())::int "all" from store s where ${inPlace} and s.status = 'open' and ${keyword ? sql`s.name ilike ${like(keyword)}` : sql`true`} order by s.id limit ${size.limit} offset ${size.offset}`
        : sql`select p.id, p.title name, (count(*) over ())::int "all" from product p where p.state = 'on_sale' and ${kind === 'activity' ? sql`p.in_activity` : sql`p.kind = ${kind}`} and exists (select 1 from product_store ps join store s on s.id = ps.store_id where ps.product_id = p.id and ps.status = 'on' and s.status = 'open' and ${inPlace})
        and ${keyword ? sql`p.title ilike ${like(keyword)}` : sql`true`} order by p.sold desc, p.id limit ${size.limit} offset ${size.offset}`,
    )
    return { list: rows.map(({ id, name }) => ({ id, name })), total: rows[0]?.all ?? 0 }
  },
  sort: async (input, context) => sort(context, input),
  on: async ({ id, version }, context) => change(context, id, version, { status: 'on' }),
  off: async ({ id, version }, context) => change(context, id, version, { status: 'off' }),
  copy: async ({ id, copy_to_mids }, context) => copy(context, id, copy_to_mids),
  userList: async ({ id, start_at, end_at, ...paged }, { db, staff }) => {
    const row = await readOne(db, id, staff)
    const { limit, offset } = sizeOf(paged)
    const of = { id, start_at, end_at }
    const [list, totals] = await Promise.all([
      clickers(db, of, sql`order by count(*) desc, l.member_id limit ${limit} offset ${offset}`),
      db.execute<{ pv: number; uv: number; members: number }>(
        sql`select count(*)::int pv, count(distinct l.device_id)::int uv, count(distinct l.member_id)::int members from click_log l where ${clickWhere(of)}`,
      ),
    ])
    const { pv, uv, members } = totals.rows[0]!
    const all = start_at === undefined && end_at === undefined
    return {
      list: list.map(clickerOf),
      total: members,
      pv: all ? Math.max(pv, row.click_count) : pv,
      uv: all ? Math.max(uv, row.user_count) : uv,
    }
  },
  export: async ({ format, columns, ...of }, context) => {
    const row = await readOne(context.tx, of.id, context.staff)
    const { rows } = await context.tx.execute<{ n: number }>(
      sql`select count(distinct l.member_id)::int n from click_log l where ${clickWhere(of)} and l.member_id is not null`,
    )
    return startExport(context, {
      page: 'mall.hot',
      filters: of,
      filters_text: row.title,
      rows_expected: rows[0]!.n,
      format,
      columns,
    })
  },
})

const words = keys.filter(key => key !== 'status')
defineRevertBy('hot_item', (db, staff, id) => readOne(db, id, staff), [
  way(contract.edit, server.handlers.edit, words, old =>
    Object.fromEntries(['id', 'version', ...words].map(key => [key, old[key] ?? undefined])),
  ),
])
export default server
