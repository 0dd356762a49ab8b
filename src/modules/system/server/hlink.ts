import { and, asc, count, desc, eq, ilike, ne, or, sql, type SQL } from 'drizzle-orm'
import { page_link } from '#src/areas/content/content.table.ts'
import {
  healthOfOne,
  keepsLive,
  readLinkSettings,
  replaceUses,
  countUses,
  usesOf,
  type LinkUse,
  type PageLink,
} from '#src/areas/link/links.server.ts'
import {
  linkFaults,
  linkHealths,
  linkTypes,
  paramsKey,
  type LinkHealth,
  type LinkType,
} from '#src/areas/link/pageLink.ts'
import { shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import { difference, saveRow, staleRow } from '#src/server/call/versions.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { like } from '#src/server/db/like.ts'
import { countOf, listed, pageOf } from '#src/server/db/paging.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { hlink as contract } from '../contract/hlink.ts'
import { mpImg, qrImg } from './qr.ts'

type Filters = {
  keyword?: string | undefined
  type?: LinkType | undefined
  health?: LinkHealth | undefined
  status?: 'on' | 'off' | undefined
}
const listWhere = ({ keyword, type, health, status }: Filters): SQL | undefined =>
  and(
    keyword
      ? or(
          ilike(page_link.name, like(keyword)),
          ilike(page_link.path, like(keyword)),
          ...(/^\d{1,9}$/.test(keyword) ? [eq(page_link.id, Number(keyword))] : []),
        )
      : undefined,
    type && eq(page_link.type, type),
    health && eq(page_link.health, health),
    status && eq(page_link.status, status),
  )
const shown = async (db: Db, rows: readonly PageLink[], now: number) => {
  const uses = await countUses(
    db,
    rows.map(row => row.id),
    now,
  )
  return rows.map(({ params_key: _, created_at: __, ...row }) => ({
    ...row,
    used_count: uses.get(row.id)?.used ?? 0,
    live_count: uses.get(row.id)?.live ?? 0,
  }))
}
const readLink = async (tx: Db, id: number): Promise<PageLink> => {
  const [row] = await tx.select().from(page_link).where(eq(page_link.id, id))
  if (!row) throw missing()
  return row
}
const keys = ['name', 'type', 'path', 'params', 'appid', 'status'] as const
const label = (row: PageLink) => row.name
type Fields = {
  name: string
  type: LinkType
  path: string
  params: PageLink['params']
  appid: string
}
const sound = async ({ tx, staff }: WriteContext, of: Fields): Promise<void> => {
  const { domains } = await readLinkSettings(tx)
  const faults = linkFaults(of, domains)
  if (Object.keys(faults).length > 0)
    throw invalid(
      Object.fromEntries(Object.entries(faults).map(([key, text]) => [key, say(text, staff.lang)])),
    )
}
const once = async <T>(context: WriteContext, of: Fields, run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (faultOf(error)?.kind === 'unique')
      throw ruled(
        'link_exists',
        ['该路径与参数的链接已存在', 'There is a link of that path and those parameters'],
        {},
        {
          fields: {
            path: say(['已存在：{path}', 'Taken: {path}'], context.staff.lang, { path: of.path }),
          },
        },
      )
    throw error
  }
}
const told = (uses: readonly LinkUse[], lang: 'zh' | 'en') =>
  uses.map(use => ({ ...use, kind: say(use.kind, lang) }))

/**
 * Looks whether the link leads somewhere and writes what was found; a dead one stays in the
 * library.
 */
const look = async (context: WriteContext, id: number) => {
  const { tx, now, staff } = context
  const row = await readLink(tx, id)
  const { health, note } = await healthOfOne(tx, { ...row, status: 'on' }, {}, now)
  const found: LinkHealth = health === 'ok' && row.type === 'mini_program' ? 'unknown' : health
  // Looking changes nothing that an editor could overwrite: the version stays.
  await tx.update(page_link).set({ health: found, checked_at: now }).where(eq(page_link.id, id))
  if (found !== row.health)
    context.log({
      object_type: 'page_link',
      object_id: id,
      object_label: label(row),
      before: { health: row.health },
      after: { health: found },
    })
  return {
    id,
    health: found,
    note:
      found === 'unknown'
        ? say(['其他小程序无法检测', 'Another mini-program can’t be checked'], staff.lang)
        : say(note, staff.lang),
    version: row.version,
  }
}
const replace = async (
  context: WriteContext,
  from: PageLink,
  new_link_id: number,
  reason: string,
) => {
  const { tx, now, staff, log } = context
  if (new_link_id === from.id)
    throw invalid({ new_link_id: say(['请选择另一个链接', 'Choose another link'], staff.lang) })
  const [to] = await tx.select().from(page_link).where(eq(page_link.id, new_link_id)).for('share')
  if (!to) throw missing()
  const { health, note } = await healthOfOne(tx, to, {}, now)
  if (health !== 'ok')
    throw ruled('link_target_gone', [
      `新链接不可用：${note[0]}`,
      `The new link leads nowhere: ${note[1]}`,
    ])
  const uses = await replaceUses(tx, from, to, now)
  for (const use of uses)
    log({
      object_type: 'page_link_use',
      object_id: use.id,
      object_label: `${use.kind[0]} ${use.label}`,
      before: { page_link_id: from.id },
      after: { page_link_id: to.id },
      reason,
    })
  return uses
}

const objects = {
  store: {
    table: store,
    name: store.name,
    note: sql<string>`coalesce((select m.name from mall m where m.id = "store"."mall_id"), '')`,
    where: eq(store.status, 'open'),
    scope: { city: store.city_id, mall: store.mall_id },
  },
  mall: {
    table: mall,
    name: mall.name,
    note: sql<string>`coalesce((select c.city_name from city c where c.id = "mall"."city_id"), '')`,
    where: eq(mall.status, 'online'),
    scope: { city: mall.city_id, mall: mall.id },
  },
  product: {
    table: product,
    name: product.title,
    note: sql<string>`coalesce((select m.name from merchant m where m.id = "product"."merchant_id"), '')`,
    where: eq(product.state, 'on_sale'),
    scope: { city: product.city_id, mall: product.mall_id },
  },
} as const

const handlers = {
  lst: async ({ page, pageSize, ...filters }, { db, staff, now }) => {
    const where = listWhere(filters)
    const rows = await pageOf(db, page_link, {
      where,
      by: page_link.id,
      down: true,
      page,
      pageSize,
      reader: `${staff.id}|hlink|${JSON.stringify(filters)}`,
    })
    return listed({ page, pageSize }, rows, shown(db, rows, now), () =>
      countOf(db, page_link, where),
    )
  },
  options: async ({ page, pageSize, keyword }, { db }) => {
    const where = and(listWhere({ keyword, status: 'on' }), ne(page_link.health, 'dead'))
    const list = await db
      .select({
        id: page_link.id,
        name: page_link.name,
        type: page_link.type,
        path: page_link.path,
        params: page_link.params,
        version: page_link.version,
      })
      .from(page_link)
      .where(where)
      .orderBy(asc(page_link.name), asc(page_link.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const [total] = await db.select({ n: count() }).from(page_link).where(where)
    return { list, total: total!.n }
  },
  objects: async ({ target, city_id, page, pageSize, keyword }, { db, staff }) => {
    if (target === 'category') {
      const where = and(
        eq(shop_category.status, 'on'),
        keyword ? ilike(shop_category.name, like(keyword)) : undefined,
      )
      const list = await db
        .select({ id: shop_category.id, name: shop_category.name, note: sql<string>`''` })
        .from(shop_category)
        .where(where)
        .orderBy(asc(shop_category.level), asc(shop_category.sort))
        .limit(pageSize)
        .offset((page - 1) * pageSize)
      const [total] = await db.select({ n: count() }).from(shop_category).where(where)
      return { list, total: total!.n }
    }
    const { table, name, note, where: on, scope } = objects[target]
    const where = and(
      on,
      keyword ? ilike(name, like(keyword)) : undefined,
      city_id === undefined ? undefined : eq(table.city_id, city_id),
      within(staff.scope, scope),
    )
    const list = await db
      .select({ id: table.id, name, note })
      .from(table)
      .where(where)
      .orderBy(desc(table.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, table, where)) }
  },
  create: async (fields, context) => {
    const { tx, now, log } = context
    await sound(context, fields)
    const { health } = await healthOfOne(tx, { ...fields, status: 'on' }, {}, now)
    const [made] = await once(context, fields, () =>
      tx
        .insert(page_link)
        .values({
          ...fields,
          params_key: paramsKey(fields.params),
          health: fields.type === 'mini_program' ? 'unknown' : health,
          checked_at: now,
        })
        .returning(),
    )
    log({
      object_type: 'page_link',
      object_id: made!.id,
      object_label: label(made!),
      after: { ...fields },
    })
    return { id: made!.id, version: made!.version }
  },
  edit: async ({ id, version, ...fields }, context) => {
    const { tx, now, log } = context
    const was = await readLink(tx, id)
    if (was.version !== version) throw await staleRow(tx, 'page_link', was)
    await sound(context, fields)
    await keepsLive(tx, was, { ...fields, status: was.status }, now)
    const { health } = await healthOfOne(tx, { ...fields, status: 'on' }, {}, now)
    const after = await once(context, fields, () =>
      saveRow(tx, page_link, 'page_link', was, {
        ...fields,
        params_key: paramsKey(fields.params),
        health: fields.type === 'mini_program' ? 'unknown' : health,
        checked_at: now,
      }),
    )
    log({
      object_type: 'page_link',
      object_id: id,
      object_label: label(after),
      ...difference(was, after, keys),
    })
    return { id, version: after.version }
  },
  check: async ({ id }, context) => look(context, id),
  batchCheck: async ({ ids }, context) => {
    const found: LinkHealth[] = []
    const result = await eachRow(context, ids, async (one, id) => {
      found.push((await look(one, id)).health)
    })
    return {
      ...result,
      dead: found.filter(health => health === 'dead').length,
      off_shelf: found.filter(health => health === 'off_shelf').length,
    }
  },
  whereUsed: async ({ id }, { db, staff, now }) => {
    await readLink(db, id)
    const list = told(await usesOf(db, id, now), staff.lang)
    return { list, total: list.length }
  },
  replace: async ({ id, new_link_id, reason }, context) => {
    const [from] = await context.tx
      .select()
      .from(page_link)
      .where(eq(page_link.id, id))
      .for('update')
    if (!from) throw missing()
    const uses = await replace(context, from, new_link_id, reason)
    return { replaced: uses.length, uses: told(uses, context.staff.lang) }
  },
  disable: async ({ id, version, reason, new_link_id }, context) => {
    const { tx, now, staff, log } = context
    // Held, so that nobody picks it between the look at its uses and its end.
    const [was] = await tx.select().from(page_link).where(eq(page_link.id, id)).for('update')
    if (!was) throw missing()
    if (was.version !== version) throw await staleRow(tx, 'page_link', was)
    if (was.status === 'off') throw ruled('wrong_state', ['已停用', 'It is disabled'])
    const live = (await usesOf(tx, id, now)).filter(use => use.live)
    if (live.length > 0 && new_link_id === undefined)
      throw ruled(
        'in_use',
        [
          '有 {n} 处在线内容正在使用，请选择替换链接',
          '{n} live pieces of content use it: choose a replacement',
        ],
        { n: live.length },
        { uses: told(live, staff.lang) },
      )
    const uses = new_link_id === undefined ? [] : await replace(context, was, new_link_id, reason)
    const after = await saveRow(tx, page_link, 'page_link', was, { status: 'off' })
    log({
      object_type: 'page_link',
      object_id: id,
      object_label: label(after),
      before: { status: 'on' },
      after: { status: 'off' },
      reason,
    })
    return { id, version: after.version, replaced: uses.length }
  },
  enable: async ({ id, version }, context) => {
    const { tx, log } = context
    const was = await readLink(tx, id)
    if (was.version !== version) throw await staleRow(tx, 'page_link', was)
    if (was.status === 'on') throw ruled('wrong_state', ['已启用', 'It is enabled'])
    const after = await saveRow(tx, page_link, 'page_link', was, { status: 'on' })
    log({
      object_type: 'page_link',
      object_id: id,
      object_label: label(after),
      before: { status: 'off' },
      after: { status: 'on' },
    })
    return { id, version: after.version }
  },
  export: async ({ format, ...filters }, context) => {
    const [rows] = await context.tx.select({ n: count() }).from(page_link).where(listWhere(filters))
    const { lang } = context.staff
    const text = [
      filters.type && say(linkTypes[filters.type], lang),
      filters.health && say(linkHealths[filters.health], lang),
      filters.keyword,
    ]
      .filter(Boolean)
      .join(' ')
    return startExport(context, {
      page: 'system.hlink',
      filters,
      filters_text: text,
      rows_expected: rows!.n,
      format,
    })
  },
  getQrImg: async ({ text, size }) => qrImg(text, size),
  getMpImg: async (input, { db, now, staff, install }) =>
    mpImg(db, input, now, staff.lang, install.wechat),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineExport('system.hlink', {
  title: ['页面链接库', 'Page links'],
  permit: 'system.hlink.export',
  columns: [
    { key: 'id', title: ['编号', 'ID'], kind: 'number' },
    { key: 'name', title: ['名称', 'Name'] },
    { key: 'type', title: ['类型', 'Type'] },
    { key: 'path', title: ['路径', 'Path'] },
    { key: 'params', title: ['参数', 'Parameters'] },
    { key: 'appid', title: ['AppID', 'AppID'] },
    { key: 'status', title: ['状态', 'State'] },
    { key: 'health', title: ['检测结果', 'Health'] },
    { key: 'used_count', title: ['引用数', 'Used in'], kind: 'number' },
    { key: 'live_count', title: ['在线引用', 'Live uses'], kind: 'number' },
    { key: 'checked_at', title: ['检测时间', 'Checked'], kind: 'time' },
  ],
  rows: async ({ db, staff, filters, now, after, limit }) => {
    const rows = await db
      .select()
      .from(page_link)
      .where(
        and(
          listWhere(filters as Filters),
          after === undefined ? undefined : sql`${page_link.id} > ${after}`,
        ),
      )
      .orderBy(asc(page_link.id))
      .limit(limit)
    return {
      rows: (await shown(db, rows, now)).map(row => ({
        ...row,
        type: say(linkTypes[row.type], staff.lang),
        health: say(linkHealths[row.health], staff.lang),
        status: say(row.status === 'on' ? ['启用', 'On'] : ['停用', 'Off'], staff.lang),
        params: row.params
          .map(
            param =>
              `${param.key}${param.value === undefined ? (param.required ? '*' : '') : `=${param.value}`}`,
          )
          .join(' '),
      })),
      next: rows.length < limit ? undefined : rows.at(-1)?.id,
    }
  },
})

defineRevertBy('page_link', (db, _, id) => readLink(db, id), [
  way(
    contract.edit,
    handlers.edit,
    ['name', 'type', 'path', 'params', 'appid'],
    ({ id, version, name, type, path, params, appid }) => ({
      id,
      version,
      name,
      type,
      path,
      params,
      appid,
    }),
  ),
])

export const hlinkServer = implement(contract, handlers)
