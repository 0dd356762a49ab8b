import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import {
  campaignsOf,
  entries,
  entriesOf,
  publicEntries,
  shownEntries,
  type Entry,
  type Place,
} from '#src/areas/entryIcon/entries.server.ts'
import { entry_icon } from '#src/areas/entryIcon/entryIcon.table.ts'
import {
  ENTRIES_MOST,
  entryCan,
  entryPositions,
  hiddenFrom,
  periodFault,
  type EntryVerb,
} from '#src/areas/entryIcon/entryIcon.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { linksIn } from '#src/areas/link/linkCities.server.ts'
import { pickLink } from '#src/areas/link/links.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { needCity } from '#src/areas/place/places.server.ts'
import { pageTypes, startOf, type PageType } from '#src/areas/scheme/blocks.ts'
import { page_scheme } from '#src/areas/scheme/scheme.table.ts'
import { schemes } from '#src/areas/scheme/schemes.server.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { comma, saidInBoth, say } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { arrange, faultless, reverting, unlessTaken } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { countOf } from '#src/server/db/paging.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { entry as contract } from '../contract/entry.ts'

const idsOf = (rows: readonly { id: number }[]) => rows.map(row => row.id)
const cityName = async (db: Db, city_id: number): Promise<string> => {
  const [row] = await db.select({ name: city.city_name }).from(city).where(eq(city.id, city_id))
  if (!row) throw missing()
  return row.name
}
/** The entries of a place that the person may arrange; nobody else changes any of them meanwhile. */
const holdPlace = async (
  { tx, staff }: WriteContext,
  { city_id, position }: Place,
): Promise<Entry[]> => {
  needCity(staff, city_id)
  await lockSequence(tx, `entry_icon/${city_id}/${position}`)
  return entriesOf(tx, { city_id, position })
}
/** An entry as the person holds it, and the place that it stands in. */
const hold = async (context: WriteContext, one: { id: number; version: number }) => {
  const place = await holdPlace(context, await entries.held(context, one))
  return { was: await entries.heldFast(context, one), place }
}
const may = (verb: EntryVerb, was: Entry, now: number): void => {
  const allowed = entryCan(verb, was, now)
  if (allowed !== true) throw ruled('wrong_state', allowed)
}
/** Refuses what would leave other people without any entry from some moment on. */
const needSomeForAll = (context: WriteContext, before: readonly Entry[], after: Entry[]): void => {
  const { position } = after[0] ?? before[0]!
  const at = hiddenFrom(position, after, context.now)
  // What is so already is not made worse.
  const since = hiddenFrom(position, before, context.now)
  if (at === undefined || (since !== undefined && since <= at)) return
  throw ruled(
    'hides_all',
    [
      '自 {at} 起，“{position}”只剩限定受众的入口，其他用户什么都看不到；请保留一个面向所有人的入口',
      'From {at} on every entry of “{position}” is for some people only, and others see none: keep one for everybody',
    ],
    { at: timeFull(at), position: say(entryPositions[position], context.staff.lang) },
  )
}
const needLink = async (
  { tx, staff, now }: WriteContext,
  of: Pick<Entry, 'city_id' | 'page_link_id' | 'link_params'>,
): Promise<void> => {
  const pick = { page_link_id: of.page_link_id, params: of.link_params }
  await pickLink(tx, pick, now)
  const [found] = await linksIn(tx, [{ ...pick, city_id: of.city_id }], now)
  if (found!.fault)
    throw ruled(
      'other_city',
      ['链接目标不可用：{why}', 'The link can’t be used: {why}'],
      { why: say(found!.fault, staff.lang) },
      { fields: { page_link_id: say(found!.fault, staff.lang) } },
    )
}
const needPicture = async ({ tx, staff, install }: WriteContext, icon: string): Promise<void> => {
  const there = install.storesElsewhere || (await tx.$count(upload, eq(upload.file_key, icon))) > 0
  faultless(staff, {
    icon: there ? undefined : ['图片已不存在，请重新上传', 'It is gone: upload it again'],
  })
}
const last = (place: readonly Entry[]): number => Math.max(-1, ...place.map(row => row.sort)) + 1
const needRoom = (place: readonly Entry[]): void => {
  if (place.length >= ENTRIES_MOST)
    throw ruled(
      'place_full',
      ['每个位置最多 {n} 个入口，请先删除不用的', 'At most {n} in a position: delete some first'],
      { n: ENTRIES_MOST },
    )
}
/** Saves an entry once it is sound in its place; `check` names what its change has to ask for. */
const save = async (
  context: WriteContext,
  { was, place }: { was: Entry; place: Entry[] },
  values: Partial<Entry>,
  reason?: string,
): Promise<Entry> => {
  const next = { ...was, ...values }
  needSomeForAll(
    context,
    place,
    place.map(row => (row.id === was.id ? next : row)),
  )
  return entries.save(context, was, values, reason)
}

/** Copies one entry to a city, or says why it can't go there. */
const copyTo = async (
  context: WriteContext,
  of: Entry,
  city_id: number,
): Promise<string | undefined> => {
  const { tx, staff, now } = context
  const place = await holdPlace(context, { city_id, position: of.position })
  if (place.some(row => row.title === of.title))
    return say(['已有同名入口', 'There is one of that title'], staff.lang)
  const [found] = await linksIn(tx, [{ ...of, params: of.link_params, city_id }], now)
  if (found!.fault) return say(found!.fault, staff.lang)
  if (place.length >= ENTRIES_MOST) return say(['该位置已满', 'The position is full'], staff.lang)
  const { id: _, version: __, created_at: ___, updated_at: ____, ...fields } = of
  await entries.add(context, {
    ...fields,
    city_id,
    sort: last(place),
    status: 'offline',
    off_reason: '',
  })
  return undefined
}

const reads = {
  lst: async (place, { db, staff, now }) => {
    const rows = await entriesOf(db, place, entries.seen(staff))
    return { list: await shownEntries(db, rows, now), list_version: sequenceVersion(idsOf(rows)) }
  },
  schemes: async ({ city_id, page, pageSize }, { db, staff }) => {
    const where = and(
      inArray(page_scheme.type, Object.keys(pageTypes) as PageType[]),
      or(isNull(page_scheme.city_id), and(eq(page_scheme.city_id, city_id), schemes.seen(staff))),
      eq(page_scheme.is_template, false),
    )
    const list = await db
      .select({
        id: page_scheme.id,
        type: page_scheme.type,
        city_id: page_scheme.city_id,
        category_id: page_scheme.category_id,
        brand_id: page_scheme.brand_id,
        name: page_scheme.name,
        live_no: sql<
          number | null
        >`(select v.no from page_version v where v.id = ${page_scheme.live_version_id})`,
        has_draft: sql<boolean>`${page_scheme.draft} is not null`,
        draft_by: sql<string>`coalesce(${admin.name}, '')`,
        scheduled_at: page_scheme.scheduled_at,
        updated_at: page_scheme.updated_at,
        version: page_scheme.version,
      })
      .from(page_scheme)
      .leftJoin(admin, eq(admin.id, page_scheme.draft_by))
      .where(where)
      // The city's own first, its home before all.
      .orderBy(
        sql`${page_scheme.city_id} is null`,
        sql`array_position(${sql.param(`{${Object.keys(pageTypes).join()}}`)}::text[], ${page_scheme.type})`,
        asc(page_scheme.category_id),
        asc(page_scheme.brand_id),
      )
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, page_scheme, where)) }
  },
  shown: async (place, { db, now }) => ({ list: await publicEntries(db, place, now) }),
} satisfies Partial<{ [K in keyof typeof contract]: Handler<(typeof contract)[K]> }>

const handlers = {
  ...reads,
  create: async (fields, context) => {
    const place = await holdPlace(context, fields)
    faultless(context.staff, { end_at: periodFault(fields) })
    needRoom(place)
    await needPicture(context, fields.icon)
    await needLink(context, fields)
    return entries.add(context, { ...fields, sort: last(place) })
  },
  edit: async ({ id, version, ...sent }, context) => {
    const held = await hold(context, { id, version })
    const { was } = held
    const given = Object.fromEntries(
      Object.entries(sent).filter(([, value]) => value !== undefined),
    ) as Partial<Entry>
    const next = { ...was, ...given }
    faultless(context.staff, { end_at: periodFault(next) })
    if (given.icon !== undefined && given.icon !== was.icon) await needPicture(context, given.icon)
    if (given.page_link_id !== undefined || given.link_params) await needLink(context, next)
    return save(context, held, given)
  },
  sort: async ({ city_id, position, ...sent }, context) => {
    const { tx } = context
    const before = idsOf(await holdPlace(context, { city_id, position }))
    const { order, list_version } = await arrange(tx, sent, before, {
      sets: entry_icon.sort,
      by: entry_icon.id,
    })
    const name = await cityName(tx, city_id)
    context.log({
      object_type: 'entry_order',
      object_id: city_id,
      object_label: saidInBoth(lang => `${name} ${say(entryPositions[position], lang)}`),
      before: { position, order: before },
      after: { position, order },
    })
    return { list_version }
  },
  setBadge: async ({ text, until, ...one }, context) => {
    const { was } = await hold(context, one)
    const isLate = text !== '' && (until === undefined || until <= context.now)
    faultless(context.staff, {
      until: isLate ? ['请填写晚于现在的截止时间', 'Give a time that is to come'] : undefined,
    })
    return entries.save(context, was, {
      badge: text,
      badge_until: text === '' ? null : until!,
    })
  },
  online: async (one, context) => {
    const held = await hold(context, one)
    may('online', held.was, context.now)
    await needLink(context, held.was)
    return save(context, held, { status: 'online', off_reason: '' })
  },
  offline: async ({ reason, anyway, ...one }, context) => {
    const held = await hold(context, one)
    may('offline', held.was, context.now)
    const running = (await campaignsOf(context.tx, [one.id], context.now)).get(one.id) ?? []
    if (running.length > 0 && !anyway)
      throw ruled(
        'campaign_runs',
        [
          '同一链接的活动正在进行：{of}；仍要下线请确认',
          'What leads to the same is running: {of}. Confirm to take it offline all the same',
        ],
        { of: running.map(({ title }) => title).join(say(comma, context.staff.lang)) },
      )
    return save(context, held, { status: 'offline', off_reason: reason }, reason)
  },
  copyToCities: async ({ ids, city_ids }, context) => {
    const { tx } = context
    const from = await tx
      .select()
      .from(entry_icon)
      .where(inArray(entry_icon.id, ids))
      .orderBy(asc(entry_icon.position), asc(entry_icon.sort), asc(entry_icon.id))
    if (from.length < new Set(ids).size) throw missing()
    const skipped: {
      id: number
      title: string
      city_id: number
      city_name: string
      why: string
    }[] = []
    let copied = 0
    // In one order for everybody who copies to several cities.
    for (const city_id of [...new Set(city_ids)].sort((a, b) => a - b)) {
      const city_name = await cityName(tx, city_id)
      for (const row of from) {
        const why = await copyTo(context, row, city_id)
        if (why === undefined) copied++
        else skipped.push({ id: row.id, title: row.title, city_id, city_name, why })
      }
    }
    return { copied, skipped }
  },
  newScheme: async ({ type, city_id }, context) => {
    const { staff, now, tx } = context
    needCity(staff, city_id)
    if (pageTypes[type].of.join() !== 'city_id')
      throw ruled('asks_more', [
        '这类页面须在它的装修页选择对象后新建',
        'A page of this type is begun in its own designer',
      ])
    const title = pageTypes[type].title[0]
    const draft = { draft: startOf(type), draft_by: staff.id, draft_at: now }
    const made = schemes.add(context, {
      type,
      city_id,
      name: `${await cityName(tx, city_id)}${title}`,
      ...draft,
    })
    return unlessTaken(made, () =>
      ruled('has_scheme', [
        '该城市已有这类页面，请直接装修',
        'The city has a page of this type: design that one',
      ]),
    ).then(({ id, version }) => ({ id, version, type, city_id }))
  },
  del: async (one, context) => {
    const { was } = await hold(context, one)
    may('del', was, context.now)
    return entries.remove(context, was)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(entries, [
  way(contract.edit, handlers.edit, [
    'title',
    'icon',
    'page_link_id',
    'link_params',
    'audience',
    'start_at',
    'end_at',
  ]),
])

export const entryServer = implement(contract, handlers)
