import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { page_link, type LinkParams } from '#src/areas/content/content.table.ts'
import { healthOf, pickLink } from '#src/areas/link/links.server.ts'
import { mall_category, mall_category_backup, mall_recommend } from '#src/areas/mall/mall.table.ts'
import { mallCan, usualSettings } from '#src/areas/mall/mall.ts'
import { shop_category } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { joinedNames, say } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way, type Old } from '#src/server/call/reverts.ts'
import { difference, rowSaver, staleRow } from '#src/server/call/versions.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { like } from '#src/server/db/like.ts'
import { category as contract } from '../contract/category.ts'
import {
  boardRead,
  bump,
  checkOrder,
  lockBoard,
  mallOf,
  needs,
  openMall,
  readyLinks,
  sizeOf,
  type Mall,
} from './shared.ts'
import { recommendedIn } from './shop.ts'

type Category = typeof mall_category.$inferSelect
const saveCategory = rowSaver(mall_category, 'mall_category')
const inOrder = [asc(mall_category.parent_id), asc(mall_category.sort), asc(mall_category.id)]
const rowsOf = (db: Db, mid: number, parent_id?: number): Promise<Category[]> =>
  db
    .select()
    .from(mall_category)
    .where(
      and(
        eq(mall_category.mid, mid),
        parent_id === undefined ? undefined : eq(mall_category.parent_id, parent_id),
      ),
    )
    .orderBy(...inOrder)
const readOne = async (
  db: Db,
  id: number,
  staff: Staff,
): Promise<{ row: Category; mall: Mall }> => {
  const [row] = await db.select().from(mall_category).where(eq(mall_category.id, id))
  if (!row) throw missing()
  const of = await mallOf(db, row.mid, staff)
  const may = mallCan('edit', of)
  if (may !== true) throw ruled('mall_closed', may)
  return { row, mall: of }
}
const once = async <T>(run: () => Promise<T>, lang: Staff['lang']): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (faultOf(error)?.kind === 'unique')
      throw ruled(
        'name_taken',
        ['同级已有同名分类', 'There is a category of that name beside it'],
        {},
        { fields: { name: say(['已存在', 'Taken'], lang) } },
      )
    throw error
  }
}
const keys = [
  'name',
  'icon',
  'shop_category_ids',
  'jump_kind',
  'page_link_id',
  'link_params',
  'is_show',
  'parent_id',
] as const
type Fields = {
  name?: string | undefined
  icon?: string | undefined
  parent_id?: number | undefined
  shop_category_ids?: number[] | undefined
  jump_kind?: Category['jump_kind'] | undefined
  page_link_id?: number | undefined
  link_params?: Record<string, string | number> | undefined
  is_show?: boolean | undefined
}
/**
 * The moment and the language of a change, and the category as it was before; a new one has none.
 */
type Saving = { now: number; lang: Staff['lang']; own?: Category }
/** A sub-category stands below a category of the same mall that is none itself. */
const checkParent = async (tx: Db, of: Mall, parent_id: number, at: Saving) => {
  if (parent_id === 0) return
  const [parent] = await tx
    .select()
    .from(mall_category)
    .where(and(eq(mall_category.id, parent_id), eq(mall_category.mid, of.id)))
  if (!parent) throw missing()
  const hasChildren = at.own !== undefined && (await rowsOf(tx, of.id, at.own.id)).length > 0
  const isOwnParent = parent.id === at.own?.id
  if (parent.parent_id > 0 || hasChildren || isOwnParent)
    throw ruled(
      'too_deep',
      ['分类最多两级', 'Two levels at most'],
      {},
      { fields: { parent_id: say(['分类最多两级', 'Two levels at most'], at.lang) } },
    )
}
/** A category gathers categories of the platform that exist. */
const checkGathered = async (tx: Db, ids: readonly number[], { lang }: Saving) => {
  if (ids.length === 0) return
  const known = await tx
    .select({ id: shop_category.id })
    .from(shop_category)
    .where(inArray(shop_category.id, [...ids]))
  if (known.length < new Set(ids).size)
    throw ruled(
      'target_gone',
      ['经营分类不存在', 'A platform category is gone'],
      {},
      { fields: { shop_category_ids: say(['不存在', 'Gone'], lang) } },
    )
}
/** The link of a category that jumps, once it is known to lead somewhere. */
const checkedLink = async (tx: Db, fields: Fields, { own, now, lang }: Saving) => {
  const page_link_id = fields.page_link_id ?? own?.page_link_id ?? undefined
  if (page_link_id === undefined)
    throw invalid({ page_link_id: say(['请选择跳转链接', 'Choose a link'], lang) })
  const link_params = fields.link_params ?? (own?.link_params as LinkParams | null) ?? {}
  await pickLink(tx, { page_link_id, params: link_params }, now)
  return { page_link_id, link_params }
}
/**
 * What a category must be to stand: a parent of the same mall that has none itself, platform
 * categories that exist, a link that leads somewhere.
 */
const checked = async (tx: Db, of: Mall, fields: Fields, at: Saving) => {
  const { own, lang } = at
  const parent_id = fields.parent_id ?? own?.parent_id ?? 0
  await checkParent(tx, of, parent_id, at)
  await checkGathered(tx, fields.shop_category_ids ?? [], at)
  const jump_kind = fields.jump_kind ?? own?.jump_kind ?? 'stores'
  if (jump_kind === 'link') return { parent_id, jump_kind, ...(await checkedLink(tx, fields, at)) }
  const gathers = fields.shop_category_ids ?? own?.shop_category_ids ?? []
  if (gathers.length === 0)
    throw invalid({
      shop_category_ids: say(['请选择归集的经营分类', 'Choose the categories it gathers'], lang),
    })
  return { parent_id, jump_kind, page_link_id: null, link_params: null }
}
const edit = async (context: WriteContext, id: number, version: number, fields: Fields) => {
  const { tx, staff, now, log } = context
  const { row, mall: of } = await readOne(tx, id, staff)
  const moves = fields.parent_id !== undefined && fields.parent_id !== row.parent_id
  const board = moves
    ? await lockBoard(tx, { mid: of.id, city_id: of.city_id }, 'category')
    : undefined
  if (row.version !== version) throw await staleRow(tx, 'mall_category', row)
  const needed =
    fields.jump_kind !== undefined ||
    fields.parent_id !== undefined ||
    fields.shop_category_ids !== undefined ||
    fields.page_link_id !== undefined ||
    fields.link_params !== undefined
  const set = {
    ...Object.fromEntries(
      keys.flatMap(key => (fields[key] === undefined ? [] : [[key, fields[key]]])),
    ),
    ...(needed ? await checked(tx, of, fields, { now, lang: staff.lang, own: row }) : {}),
    ...(moves ? { sort: ((await rowsOf(tx, of.id, fields.parent_id)).at(-1)?.sort ?? 0) + 1 } : {}),
  }
  const after = await once(
    () => tx.transaction(inner => saveCategory(inner, { id, version }, set)),
    staff.lang,
  )
  if (board) await bump(context, board)
  log({
    object_type: 'mall_category',
    object_id: id,
    object_label: after.name,
    ...difference(row, after, keys),
  })
  return { id, version: after.version }
}
const sort = async (
  context: WriteContext,
  of: { mid: number; parent_id: number; order: readonly number[]; list_version: number },
) => {
  const { tx, staff, log } = context
  const where = await openMall(tx, of.mid, staff)
  const board = await lockBoard(tx, { mid: where.id, city_id: where.city_id }, 'category')
  const present = (await rowsOf(tx, where.id, of.parent_id)).map(one => one.id)
  await checkOrder(tx, board, of, present)
  for (const [at, id] of of.order.entries())
    await tx
      .update(mall_category)
      .set({ sort: at + 1 })
      .where(eq(mall_category.id, id))
  log({
    object_type: 'mall',
    object_id: where.id,
    object_label: where.name,
    before: { categories: present },
    after: { categories: of.order },
  })
  return { list_version: await bump(context, board) }
}

const backupNo = (id: number, now: number) =>
  `FL${dateOf(now).replaceAll('-', '')}-${String(id).padStart(4, '0')}`
/** Takes a mall's whole grid away, and keeps it. */
const keepAndClear = async ({ tx, staff, now }: WriteContext, of: Mall): Promise<string> => {
  const rows = await rowsOf(tx, of.id)
  const ids = rows.map(row => row.id)
  const stores = ids.length
    ? await tx
        .select()
        .from(mall_recommend)
        .where(and(eq(mall_recommend.block, 'shop'), inArray(mall_recommend.category_id, ids)))
    : []
  const [kept] = await tx
    .insert(mall_category_backup)
    .values({
      mid: of.id,
      backup_no: `-${of.id}-${now}-${staff.id}`,
      rows,
      stores,
      created_by: staff.id,
    })
    .returning()
  const backup_no = backupNo(kept!.id, now)
  await tx
    .update(mall_category_backup)
    .set({ backup_no })
    .where(eq(mall_category_backup.id, kept!.id))
  if (ids.length) {
    await tx
      .delete(mall_recommend)
      .where(and(eq(mall_recommend.block, 'shop'), inArray(mall_recommend.category_id, ids)))
    await tx.delete(mall_category).where(eq(mall_category.mid, of.id))
  }
  return backup_no
}
const copy = async (
  context: WriteContext,
  { mid, copy_from_mid, confirm }: { mid: number; copy_from_mid: number; confirm: boolean },
) => {
  const { tx, staff, now, log } = context
  const to = await openMall(tx, mid, staff)
  const from = await mallOf(tx, copy_from_mid, staff)
  if (from.id === to.id)
    throw invalid({ copy_from_mid: say(['请选择另一个商场', 'Choose another mall'], staff.lang) })
  const rows = await rowsOf(tx, from.id)
  if (rows.length === 0)
    throw ruled('nothing_to_copy', ['{name} 没有导购分类', '{name} has no categories'], {
      name: from.name,
    })
  const board = await lockBoard(tx, { mid: to.id, city_id: to.city_id }, 'category')
  const present = await rowsOf(tx, to.id)
  if (!confirm)
    throw ruled(
      'confirm_replace',
      ['将替换现有的 {n} 个分类，请确认', '{n} categories will be replaced: confirm'],
      { n: present.length },
      { names: present.map(row => row.name) },
    )
  const backup_no = await keepAndClear(context, to)
  const made = new Map<number, number>()
  const skipped: { name: string; reason: string }[] = []
  let created = 0
  for (const row of rows) {
    const parent_id = row.parent_id === 0 ? 0 : made.get(row.parent_id)
    if (parent_id === undefined) {
      skipped.push({ name: row.name, reason: 'parent_skipped' })
      continue
    }
    if (row.jump_kind === 'link') {
      const [link] =
        row.page_link_id === null
          ? []
          : await tx.select().from(page_link).where(eq(page_link.id, row.page_link_id))
      const [state] = link
        ? await healthOf(tx, [{ link, params: (row.link_params ?? {}) as LinkParams }], now)
        : []
      if (state?.health !== 'ok') {
        skipped.push({ name: row.name, reason: 'target_gone' })
        continue
      }
    }
    const { id: _, created_at: __, updated_at: ___, version: ____, ...own } = row
    const [next] = await tx
      .insert(mall_category)
      .values({ ...own, mid: to.id, parent_id })
      .returning({ id: mall_category.id })
    made.set(row.id, next!.id)
    created++
  }
  log({
    object_type: 'mall',
    object_id: to.id,
    object_label: to.name,
    before: { categories: present.map(row => row.name) },
    after: { categories: rows.map(row => row.name), copy_from_mid, backup_no },
  })
  await bump(context, board)
  return { created, skipped, backup_no }
}

const server = implement(contract, {
  lst: async ({ mid, parent_id, is_show }, { db, staff, now }) => {
    const of = await mallOf(db, mid, staff)
    const [rows, board, counted, names, linkRows] = await Promise.all([
      rowsOf(db, mid),
      boardRead(db, { mid, city_id: of.city_id }, 'category'),
      db.execute<{ id: number; stores: number; products: number; recommended: number }>(sql`
        with gathers as (select c.id, k.id category_id from mall_category c, shop_category k left join shop_category p on p.id = k.parent_id where c.mid = ${mid} and (c.shop_category_ids @> to_jsonb(k.id) or c.shop_category_ids @> to_jsonb(k.parent_id) or c.shop_category_ids @> to_jsonb(p.parent_id)))
        select c.id, (select count(*)::int from store s join gathers g on g.category_id = s.category_id and g.id = c.id where s.mall_id = ${mid} and s.status = 'open') stores,
          (select count(distinct p.id)::int from product p join product_store ps on ps.product_id = p.id and ps.status = 'on' join store s on s.id = ps.store_id join gathers g on g.category_id = s.category_id and g.id = c.id where s.mall_id = ${mid} and s.status = 'open' and p.state = 'on_sale') products,
          (select count(*)::int from mall_recommend r where r.block = 'shop' and r.category_id = c.id and r.is_recommend) recommended
        from mall_category c where c.mid = ${mid}`),
      db.select({ id: shop_category.id, name: shop_category.name }).from(shop_category),
      db
        .select({
          link: page_link,
          category_id: mall_category.id,
          params: mall_category.link_params,
        })
        .from(mall_category)
        .innerJoin(page_link, eq(page_link.id, mall_category.page_link_id))
        .where(eq(mall_category.mid, mid)),
    ])
    const states = linkRows.length
      ? await healthOf(
          db,
          linkRows.map(({ link, params }) => ({ link, params: (params ?? {}) as LinkParams })),
          now,
        )
      : []
    const links = new Map(
      linkRows.map((row, at) => [
        row.category_id,
        { name: row.link.name, ok: states[at]!.health === 'ok' },
      ]),
    )
    const numbers = new Map(counted.rows.map(row => [row.id, row]))
    const nameOf = new Map(names.map(row => [row.id, row.name]))
    const shown = ({ created_at: _, updated_at: __, ...row }: Category) => {
      const n = numbers.get(row.id)
      const link = links.get(row.id)
      const isLink = row.jump_kind === 'link'
      const linkOk = link?.ok ?? false
      const offers = (row.jump_kind === 'products' ? n?.products : n?.stores) ?? 0
      return {
        ...row,
        mall_name: of.name,
        link_params: row.link_params as LinkParams | null,
        shop_category_names: row.shop_category_ids.flatMap(id => nameOf.get(id) ?? []),
        link_name: link?.name ?? '',
        link_ok: !isLink || linkOk,
        store_count: n?.stores ?? 0,
        product_count: n?.products ?? 0,
        recommended: n?.recommended ?? 0,
        is_empty: isLink ? !linkOk : offers === 0,
      }
    }
    const visible = rows.filter(row => is_show === undefined || row.is_show === is_show)
    const under = (parent: number) => visible.filter(row => row.parent_id === parent)
    const list = under(parent_id ?? 0).map(row => ({
      ...shown(row),
      children: parent_id ? [] : under(row.id).map(inner => ({ ...shown(inner), children: [] })),
    }))
    return { list, total: list.length, list_version: board.list_version, theirs: board.theirs }
  },
  create: async ({ mid, copy_from_mid, confirm = false, ...fields }, context) => {
    const { tx, staff, now, log } = context
    if (copy_from_mid !== undefined) {
      needs(staff, 'mall.category.copyFrom')
      return copy(context, { mid, copy_from_mid, confirm })
    }
    const of = await openMall(tx, mid, staff)
    const lacking = (['name', 'icon', 'jump_kind'] as const).find(key => fields[key] === undefined)
    if (lacking) throw invalid({ [lacking]: say(['必填', 'Required'], staff.lang) })
    const board = await lockBoard(tx, { mid, city_id: of.city_id }, 'category')
    const sound = await checked(tx, of, fields, { now, lang: staff.lang })
    const last = (await rowsOf(tx, mid, sound.parent_id)).at(-1)?.sort ?? 0
    const made = await once(
      () =>
        tx.transaction(
          async inner =>
            (
              await inner
                .insert(mall_category)
                .values({
                  mid,
                  name: fields.name!,
                  icon: fields.icon!,
                  shop_category_ids: fields.shop_category_ids ?? [],
                  ...sound,
                  is_show: fields.is_show ?? true,
                  sort: last + 1,
                })
                .returning()
            )[0]!,
        ),
      staff.lang,
    )
    log({
      object_type: 'mall_category',
      object_id: made.id,
      object_label: made.name,
      after: { ...fields, mid },
    })
    return {
      id: made.id,
      sort: made.sort,
      version: made.version,
      list_version: await bump(context, board),
    }
  },
  edit: async ({ id, version, order, list_version, mid, ...fields }, context) => {
    if (order !== undefined) {
      needs(context.staff, 'mall.category.sort')
      if (mid === undefined || list_version === undefined)
        throw invalid({
          [mid === undefined ? 'mid' : 'list_version']: say(
            ['必填', 'Required'],
            context.staff.lang,
          ),
        })
      return sort(context, { mid, parent_id: fields.parent_id ?? 0, order, list_version })
    }
    if (id === undefined || version === undefined)
      throw invalid({
        [id === undefined ? 'id' : 'version']: say(['必填', 'Required'], context.staff.lang),
      })
    return edit(context, id, version, fields)
  },
  del: async ({ id, clear_recommend }, context) => {
    const { tx, staff, log } = context
    const [there] = await tx.select().from(mall_category).where(eq(mall_category.id, id))
    if (!there) return { id, deleted: true, already: true }
    const { row, mall: of } = await readOne(tx, id, staff)
    const board = await lockBoard(tx, { mid: of.id, city_id: of.city_id }, 'category')
    const children = await rowsOf(tx, of.id, id)
    if (children.length > 0)
      throw ruled(
        'has_children',
        ['请先删除 {n} 个下级分类', 'Delete its {n} sub-categories first'],
        { n: children.length },
      )
    await lockBoard(tx, { mid: of.id, city_id: of.city_id }, 'shop', id)
    const stores = await recommendedIn(tx, [id])
    if (stores > 0 && !clear_recommend)
      throw ruled(
        'has_recommend',
        [
          '分类下有 {n} 家推荐门店，请先清空或确认一并清空',
          '{n} stores are recommended in it: clear them first, or clear them with it',
        ],
        { n: stores },
        { store_count: stores },
      )
    await tx
      .delete(mall_recommend)
      .where(and(eq(mall_recommend.block, 'shop'), eq(mall_recommend.category_id, id)))
    await tx.delete(mall_category).where(eq(mall_category.id, id))
    log({
      object_type: 'mall_category',
      object_id: id,
      object_label: row.name,
      before: { name: row.name, mid: of.id, stores },
    })
    return { id, deleted: true, list_version: await bump(context, board) }
  },
  sort: async (input, context) => sort(context, input),
  show: async ({ id, version }, context) => edit(context, id, version, { is_show: true }),
  hide: async ({ id, version }, context) => edit(context, id, version, { is_show: false }),
  settings: async ({ mid }, { db, staff }) => {
    const of = await mallOf(db, mid, staff)
    return {
      mid,
      mall_name: of.name,
      ...(of.category_settings ?? usualSettings),
      version: of.category_settings_version,
    }
  },
  saveSettings: async ({ mid, version, ...settings }, { tx, staff, log }) => {
    const of = await openMall(tx, mid, staff)
    const limit = settings.store_limit
    const over = (
      await tx.execute<{ name: string; n: number }>(
        sql`select c.name, count(*)::int n from mall_recommend r join mall_category c on c.id = r.category_id where r.mid = ${mid} and r.block = 'shop' and r.is_recommend group by 1 having count(*) > ${limit}`,
      )
    ).rows
    if (over.length > 0)
      throw ruled(
        'over_limit',
        ['已有分类推荐超过 {n} 家：{names}', 'Some categories have more than {n}: {names}'],
        { n: limit, names: joinedNames(over.map(one => `${one.name} ${one.n}`)) },
        {
          categories: over,
          fields: {
            store_limit: say(['小于已推荐的数量', 'Fewer than are recommended'], staff.lang),
          },
        },
      )
    const [after] = await tx
      .update(mall)
      .set({ category_settings: settings, category_settings_version: version + 1 })
      .where(and(eq(mall.id, mid), eq(mall.category_settings_version, version)))
      .returning()
    if (!after)
      throw await staleRow(
        tx,
        'mall',
        Object.assign(
          { id: mid, version: of.category_settings_version },
          of.category_settings ?? usualSettings,
        ),
      )
    log({
      object_type: 'mall',
      object_id: mid,
      object_label: of.name,
      before: { category_settings: of.category_settings },
      after: { category_settings: settings },
    })
    return { mid, version: version + 1 }
  },
  copy: async (input, context) => copy(context, input),
  backups: async ({ mid }, { db, staff }) => {
    await mallOf(db, mid, staff)
    const rows = await db
      .select({ row: mall_category_backup, by: admin.name })
      .from(mall_category_backup)
      .leftJoin(admin, eq(admin.id, mall_category_backup.created_by))
      .where(eq(mall_category_backup.mid, mid))
      .orderBy(desc(mall_category_backup.id))
      .limit(20)
    return {
      list: rows.map(({ row, by }) => ({
        id: row.id,
        backup_no: row.backup_no,
        at: row.created_at,
        by: by ?? '',
        names: row.rows.map(one => one.name),
        restored_at: row.restored_at,
      })),
    }
  },
  restore: async ({ mid, backup_no }, context) => {
    const { tx, staff, now, log } = context
    const of = await openMall(tx, mid, staff)
    const board = await lockBoard(tx, { mid, city_id: of.city_id }, 'category')
    const [kept] = await tx
      .select()
      .from(mall_category_backup)
      .where(and(eq(mall_category_backup.mid, mid), eq(mall_category_backup.backup_no, backup_no)))
    if (!kept) throw missing()
    const next = await keepAndClear(context, of)
    if (kept.rows.length) await tx.insert(mall_category).values(kept.rows)
    if (kept.stores.length) await tx.insert(mall_recommend).values(kept.stores)
    await tx
      .update(mall_category_backup)
      .set({ restored_at: now })
      .where(eq(mall_category_backup.id, kept.id))
    log({
      object_type: 'mall',
      object_id: mid,
      object_label: of.name,
      after: { categories: kept.rows.map(row => row.name), backup_no },
    })
    await bump(context, board)
    return { restored: kept.rows.length, backup_no: next }
  },
  options: async ({ mid, keyword, all }, { db, staff }) => {
    await mallOf(db, mid, staff)
    const list = (await rowsOf(db, mid, all ? undefined : 0)).filter(
      row => !keyword || row.name.includes(keyword),
    )
    return { list: list.map(({ id, name }) => ({ id, name })), total: list.length }
  },
  links: async ({ keyword, ...paged }, { db }) => readyLinks(db, keyword, sizeOf(paged)),
  platform: async ({ keyword, ...paged }, { db }) => {
    const { limit, offset } = sizeOf(paged)
    const { rows } = await db.execute<{
      id: number
      name: string
      store_count: number
      all: number
    }>(sql`select k.id, case when p.id is null then k.name else p.name || ' / ' || k.name end name, (count(*) over ())::int "all", (select count(*)::int from store s where s.category_id = k.id and s.status = 'open') store_count
      from shop_category k left join shop_category p on p.id = k.parent_id where k.status = 'on' and ${keyword ? sql`(k.name ilike ${like(keyword)} or p.name ilike ${like(keyword)})` : sql`true`} order by k.level, k.sort, k.id limit ${limit} offset ${offset}`)
    return { list: rows.map(({ all: _, ...row }) => row), total: rows[0]?.all ?? 0 }
  },
})

const kept = (of: Old) =>
  Object.fromEntries(['id', 'version', ...keys].map(key => [key, of[key] ?? undefined]))
defineRevertBy('mall_category', async (db, staff, id) => (await readOne(db, id, staff)).row, [
  way(
    contract.edit,
    server.handlers.edit,
    keys.filter(key => key !== 'is_show'),
    kept,
  ),
])
export default server
