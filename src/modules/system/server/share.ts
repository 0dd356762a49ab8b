import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { share_card, share_visit } from '#src/areas/content/content.table.ts'
import {
  cutTitle,
  placeholdersOf,
  rendered,
  rewarded,
  shareAtFirst,
  shareTypes,
  unknownPlaceholders,
  type Placeholder,
  type ShareType,
} from '#src/areas/content/shareCard.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { citiesOf, needAllCities, needCity } from '#src/areas/place/places.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { yuan } from '#src/domain/money.ts'
import { joined, saidIn, saidInBoth, say, type Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way, type Old } from '#src/server/call/reverts.ts'
import { difference, rowSaver, staleRow } from '#src/server/call/versions.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { share as contract } from '../contract/share.ts'

type Card = typeof share_card.$inferSelect
const saveCard = rowSaver(share_card, 'share_card')
type Place = { page_type: ShareType; city_id: number }
const placed = ({ page_type, city_id }: Place) =>
  and(
    eq(share_card.page_type, page_type),
    city_id === 0 ? isNull(share_card.city_id) : eq(share_card.city_id, city_id),
  )
const cardAt = async (db: Db, place: Place): Promise<Card | undefined> =>
  (await db.select().from(share_card).where(placed(place)))[0]
/** Where a card comes from: one of a city, the default, or what is built in where none is on. */
const fromOf = (card: Card | undefined): 'built_in' | 'default' | 'city' => {
  if (card === undefined) return 'built_in'
  return card.city_id === null ? 'default' : 'city'
}
/** Whose card it is to change: a city's, or, the default, only who sees all cities. */
const needPlace = async (tx: Db, staff: Pick<Staff, 'scope'>, city_id: number): Promise<string> => {
  if (city_id === 0) {
    needAllCities(staff)
    return joined(['默认', 'Default'])
  }
  needCity(staff, city_id)
  const [row] = await tx.select({ name: city.city_name }).from(city).where(eq(city.id, city_id))
  if (!row) throw missing()
  return row.name
}
const RATIO = 5 / 4
const imageFault = (
  picture: Pick<typeof upload.$inferSelect, 'width' | 'height'> | undefined,
): Text | undefined => {
  if (!picture) return ['图片还没有上传', 'The picture was not uploaded']
  const { width, height } = picture
  const fits = width && height && Math.abs(width / height - RATIO) / RATIO <= 0.02
  return fits ? undefined : ['图片比例应为 5:4', 'The picture must be 5:4']
}
const needImage = async ({ tx, install, staff }: WriteContext, image: string): Promise<void> => {
  if (image === '') return
  const [picture] = await tx.select().from(upload).where(eq(upload.file_key, image))
  if (!picture && install.storesElsewhere) return
  const bad = imageFault(picture)
  if (bad) throw ruled('image_ratio', bad, {}, { fields: { image: say(bad, staff.lang) } })
}
const needWords = (template: string, type: ShareType, staff: Pick<Staff, 'lang'>): void => {
  const unknown = unknownPlaceholders(template, type)
  if (unknown.length === 0) return
  const allowed = placeholdersOf[type].map(name => `{${name}}`).join(' ')
  throw ruled(
    'unknown_placeholder',
    [
      '该页面类型没有占位符 {unknown}，可用：{allowed}',
      'This page has no placeholder {unknown}; it has: {allowed}',
    ],
    { unknown: unknown.map(name => `{${name}}`).join(' '), allowed },
    { fields: { title_tpl: say(['有未知占位符', 'Unknown placeholder'], staff.lang) } },
  )
}
const label = (type: ShareType, where: string) =>
  saidInBoth(lang => `${say(shareTypes[type], lang)} ${saidIn(where, lang)}`)
const keys = [
  'title_tpl',
  'image',
  'poster',
  'status',
  'reward_points',
  'daily_limit',
  'reward_budget',
] as const

type Set = {
  title_tpl?: string
  image?: string
  poster?: Card['poster']
  status?: Card['status']
  reward_points?: number
  daily_limit?: number
  reward_budget?: number
}
/** Changes the card of a place, or makes it where there was none yet (version 0). */
const put = async (
  context: WriteContext,
  { page_type, city_id, version, ...set }: Place & { version: number } & Set,
) => {
  const { tx, staff, log } = context
  const where = await needPlace(tx, staff, city_id)
  await lockSequence(tx, `share_card/${page_type}/${city_id}`)
  const was = await cardAt(tx, { page_type, city_id })
  if (!was) {
    if (version !== 0) throw missing()
    const fresh: typeof share_card.$inferInsert = {
      ...set,
      page_type,
      city_id: city_id || null,
      title_tpl: set.title_tpl ?? shareAtFirst[page_type],
      image: set.image ?? '',
      version: 1,
    }
    const [made] = await tx.insert(share_card).values(fresh).returning()
    log({
      object_type: 'share_card',
      object_id: made!.id,
      object_label: label(page_type, where),
      after: { page_type, city_id, ...set },
    })
    return made!
  }
  if (was.version !== version) throw await staleRow(tx, 'share_card', was)
  const after = await saveCard(tx, was, set)
  log({
    object_type: 'share_card',
    object_id: was.id,
    object_label: label(page_type, where),
    ...difference(was, after, keys),
  })
  return after
}

const DAYS = 30
/**
 * What a card's shares led to in the last 30 days; points by distinct visitors, up to each sharer's
 * daily limit and the budget.
 */
const results = async (db: Db, cards: readonly Card[], now: number) => {
  const visits = cards.length
    ? await db
        .select()
        .from(share_visit)
        .where(
          and(
            inArray(
              share_visit.share_card_id,
              cards.map(card => card.id),
            ),
            sql`${share_visit.at} >= ${dayStart(now) - (DAYS - 1) * DAY}`,
          ),
        )
        .orderBy(asc(share_visit.at), asc(share_visit.id))
    : []
  const byCard = grouped(visits, visit => visit.share_card_id)
  return new Map(
    cards.map(card => {
      const mine = byCard.get(card.id) ?? []
      const good = rewarded(mine)
      const days = new Map<string, number>()
      for (const visit of good) {
        const day = `${visit.sharer_id} ${dateOf(visit.at)}`
        days.set(day, Math.min((days.get(day) ?? 0) + 1, card.daily_limit || 0))
      }
      const paid = [...days.values()].reduce((sum, n) => sum + n, 0) * card.reward_points
      return [
        card.id,
        {
          visits: mine.length,
          rewarded: good.length,
          orders: mine.filter(visit => visit.order_id !== null).length,
          points_given: Math.min(paid, card.reward_budget),
        },
      ] as const
    }),
  )
}

type Example = { values: Partial<Record<Placeholder, string>>; path: string; image: string }
type Wanted = {
  db: Db
  values: Example['values']
  object_id: number | undefined
  /** The city in which an example is looked for. */
  here: number
}
const mallExample = async ({ db, values, object_id, here }: Wanted): Promise<Example> => {
  const [row] = await db
    .select({ id: mall.id, name: mall.name })
    .from(mall)
    .where(
      and(
        object_id ? eq(mall.id, object_id) : undefined,
        eq(mall.city_id, here),
        eq(mall.status, 'online'),
      ),
    )
    .orderBy(asc(mall.id))
    .limit(1)
  if (object_id && !row) throw missing()
  return {
    values: { ...values, mall: row?.name ?? '' },
    path: `pages/mall/index?mid=${row?.id ?? 0}`,
    image: '',
  }
}
const storeExample = async ({ db, values, object_id, here }: Wanted): Promise<Example> => {
  const [row] = await db
    .select({ id: store.id, name: store.name, mall: mall.name })
    .from(store)
    .leftJoin(mall, eq(mall.id, store.mall_id))
    .where(
      and(
        object_id ? eq(store.id, object_id) : undefined,
        eq(store.city_id, here),
        eq(store.status, 'open'),
      ),
    )
    .orderBy(asc(store.id))
    .limit(1)
  if (object_id && !row) throw missing()
  return {
    values: { ...values, store: row?.name ?? '', mall: row?.mall ?? '' },
    path: `pages/store/detail?id=${row?.id ?? 0}`,
    image: '',
  }
}
const productExample = async (
  { db, values, object_id, here }: Wanted,
  kind: 'elist' | 'card' | 'bulks',
): Promise<Example> => {
  const [row] = await db
    .select()
    .from(product)
    .where(
      and(
        object_id ? eq(product.id, object_id) : undefined,
        eq(product.kind, kind),
        eq(product.state, 'on_sale'),
        kind === 'elist' ? undefined : eq(product.city_id, here),
      ),
    )
    .orderBy(asc(product.id))
    .limit(1)
  if (object_id && !row) throw missing()
  const [first] = row?.store_ids.length
    ? await db.select({ name: store.name }).from(store).where(eq(store.id, row.store_ids[0]!))
    : []
  return {
    values: {
      ...values,
      store: first?.name ?? '',
      product: row?.title ?? '',
      price: row ? yuan(row.price_cents) : '',
      list_price: row ? yuan(row.list_price_cents) : '',
      group_price: row ? yuan(Math.round(row.price_cents * 0.8)) : '',
    },
    path: `pages/${kind === 'elist' ? 'goods' : 'deal'}/detail?id=${row?.id ?? 0}`,
    image: row?.images[0] ?? '',
  }
}
/** Real values for the placeholders: of the object asked for, or of one that is there. */
const examples = async (
  db: Db,
  { page_type, city_id, object_id }: Place & { object_id?: number | undefined },
  staff: Staff,
): Promise<Example> => {
  const [place] = await db
    .select({ id: city.id, name: city.city_name })
    .from(city)
    .where(and(city_id === 0 ? eq(city.is_default, true) : eq(city.id, city_id), citiesOf(staff)))
  const values: Partial<Record<Placeholder, string>> = {
    city: place?.name ?? '',
    nickname: say(['小满', 'Xiaoman'], staff.lang),
  }
  const of = { db, values, object_id, here: place?.id ?? 0 }
  if (page_type === 'home') return { values, path: 'pages/home/index', image: '' }
  if (page_type === 'activity')
    return {
      values: { ...values, activity: say(['周末美食节', 'Weekend food fair'], staff.lang) },
      path: 'pages/activity/index',
      image: '',
    }
  if (page_type === 'mall') return mallExample(of)
  if (page_type === 'store') return storeExample(of)
  return productExample(of, page_type === 'elist' || page_type === 'card' ? page_type : 'bulks')
}

const handlers = {
  lst: async ({ city_id }, { db, staff, now }) => {
    if (city_id) {
      const [seen] = await db
        .select({ id: city.id })
        .from(city)
        .where(and(eq(city.id, city_id), citiesOf(staff)))
      if (!seen) throw missing()
    }
    const cities = await db
      .select({ id: city.id, name: city.city_name })
      .from(city)
      .where(citiesOf(staff))
    const names = new Map(cities.map(row => [row.id, row.name]))
    const cards = (await db.select().from(share_card).orderBy(asc(share_card.id))).filter(card =>
      card.city_id === null
        ? city_id === undefined || city_id === 0
        : names.has(card.city_id) && (city_id === undefined || city_id === card.city_id),
    )
    const sums = await results(db, cards, now)
    const saved = cards.map(({ created_at: _, updated_at: __, ...card }) => ({
      ...card,
      city_id: card.city_id ?? 0,
      city_name: card.city_id === null ? '' : names.get(card.city_id)!,
      ...sums.get(card.id)!,
    }))
    // A page type that nobody saved has its built-in words; a city without a card of its own has
    // the default.
    const blank = city_id
      ? []
      : (Object.keys(shareTypes) as ShareType[])
          .filter(type => !saved.some(card => card.page_type === type && card.city_id === 0))
          .map(page_type => ({
            id: 0,
            page_type,
            city_id: 0,
            city_name: '',
            title_tpl: shareAtFirst[page_type],
            image: '',
            poster: {},
            reward_points: 0,
            daily_limit: 0,
            reward_budget: 0,
            status: 'on' as const,
            shares: 0,
            visits: 0,
            rewarded: 0,
            orders: 0,
            points_given: 0,
            version: 0,
          }))
    const order = Object.keys(shareTypes)
    const list = [...saved, ...blank].sort(
      (a, b) => order.indexOf(a.page_type) - order.indexOf(b.page_type) || a.city_id - b.city_id,
    )
    return { list, total: list.length }
  },
  save: async (input, context) => {
    needWords(input.title_tpl, input.page_type, context.staff)
    await needImage(context, input.image)
    const { id, version } = await put(context, input)
    return { id, version }
  },
  preview: async ({ page_type, city_id, object_id, title_tpl }, { db, staff }) => {
    if (title_tpl !== undefined) needWords(title_tpl, page_type, staff)
    const own = city_id ? await cardAt(db, { page_type, city_id }) : undefined
    const general = await cardAt(db, { page_type, city_id: 0 })
    // A card that is switched off is as if it were not there: the next one is shown, never none.
    const used = [own, general].find(one => one?.status === 'on')
    const { values, path, image } = await examples(db, { page_type, city_id, object_id }, staff)
    const full = rendered(title_tpl ?? used?.title_tpl ?? shareAtFirst[page_type], values)
    const { text, cut } = cutTitle(full)
    return {
      title: text,
      full_title: full,
      cut,
      image: used?.image || image,
      from: fromOf(used),
      path,
      values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
    }
  },
  setReward: async (input, context) => {
    const { reward_points, daily_limit, reward_budget } = input
    if (reward_points > 0 && (daily_limit === 0 || reward_budget === 0))
      throw ruled(
        'reward_limits',
        [
          '有奖励时，每日上限与总预算都须大于 0',
          'With a reward, its daily limit and its budget must be above 0',
        ],
        {},
        {
          fields: {
            ...(daily_limit === 0 && {
              daily_limit: say(['须大于 0', 'Above 0'], context.staff.lang),
            }),
            ...(reward_budget === 0 && {
              reward_budget: say(['须大于 0', 'Above 0'], context.staff.lang),
            }),
          },
        },
      )
    if (reward_points > reward_budget)
      throw ruled(
        'reward_limits',
        ['总预算不够奖励一次', 'The budget does not pay a single reward'],
        {},
        {
          fields: { reward_budget: say(['低于单次奖励', 'Below one reward'], context.staff.lang) },
        },
      )
    const { id, version } = await put(context, input)
    return { id, version }
  },
  restoreDefault: async ({ page_type, city_id, version }, context) => {
    const { tx, staff, log } = context
    const where = await needPlace(tx, staff, city_id)
    const was = await cardAt(tx, { page_type, city_id })
    if (!was) return { restored: false }
    if (was.version !== version) throw await staleRow(tx, 'share_card', was)
    if (city_id === 0) {
      const after = await saveCard(tx, was, {
        title_tpl: shareAtFirst[page_type],
        image: '',
        poster: {},
        status: 'on',
      })
      log({
        object_type: 'share_card',
        object_id: was.id,
        object_label: label(page_type, where),
        ...difference(was, after, keys),
      })
    } else {
      await tx
        .delete(share_card)
        .where(and(eq(share_card.id, was.id), eq(share_card.version, version)))
      log({
        object_type: 'share_card',
        object_id: was.id,
        object_label: label(page_type, where),
        before: Object.fromEntries(keys.map(key => [key, was[key]])),
        after: null,
      })
    }
    return { restored: true }
  },
  copyToCities: async ({ page_type, city_id, city_ids }, context) => {
    const source = await cardAt(context.tx, { page_type, city_id })
    const [seen] = await context.tx
      .select({ id: city.id })
      .from(city)
      .where(and(city_id === 0 ? undefined : eq(city.id, city_id), citiesOf(context.staff)))
      .limit(1)
    if (!source || !seen) throw missing()
    const { title_tpl, image, poster, status } = source
    return eachRow(context, city_ids, async (one, id) => {
      if (id === city_id) throw ruled('same_city', ['就是这个城市', 'It is this city'])
      const there = await cardAt(one.tx, { page_type, city_id: id })
      await put(one, {
        page_type,
        city_id: id,
        version: there?.version ?? 0,
        title_tpl,
        image,
        poster,
        status,
      })
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

const at = ({ page_type, city_id, version }: Old) => ({ page_type, city_id: city_id ?? 0, version })
defineRevertBy(
  'share_card',
  async (db, staff, id) => {
    const [row] = await db.select().from(share_card).where(eq(share_card.id, id))
    if (row?.city_id) needCity(staff, row.city_id)
    return row
  },
  [
    way(contract.save, handlers.save, ['title_tpl', 'image', 'poster', 'status'], old => ({
      ...at(old),
      title_tpl: old['title_tpl'],
      image: old['image'],
      poster: old['poster'],
      status: old['status'],
    })),
    way(
      contract.setReward,
      handlers.setReward,
      ['reward_points', 'daily_limit', 'reward_budget'],
      old => ({
        ...at(old),
        reward_points: old['reward_points'],
        daily_limit: old['daily_limit'],
        reward_budget: old['reward_budget'],
      }),
    ),
  ],
)

export const shareServer = implement(contract, handlers)
