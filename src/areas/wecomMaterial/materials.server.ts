/** Materials as handlers read, show and log them. */
import { and, desc, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { admin } from '#src/areas/people/people.table.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { equal, holding, listing, record } from '#src/server/call/record.ts'
import { counting, countOf } from '#src/server/db/paging.ts'
import { figuresOf, figuresOfAdvisers, figuresOfVersions, noFigures } from './figures.server.ts'
import { wecom_material, wecom_material_content } from './material.table.ts'
import {
  materialKinds,
  materialStates,
  mediaFileOf,
  mediaState,
  type MaterialKind,
  type MaterialState,
  type MediaState,
} from './material.ts'
import { keptMedia, mediaIn } from './media.server.ts'
import { pieceKinds, type PieceKind } from './piece.ts'
import { isCarried, usesOf } from './uses.server.ts'

const t = wecom_material
export type Material = typeof wecom_material.$inferSelect
export const writtenOfMaterial = ['title', 'category', 'body', 'valid_to_at'] as const
/** A body as the log tells of it. */
const told = ({ body }: Material): string => {
  if (body.kind === 'text') return body.text.slice(0, 200)
  if (body.kind === 'link') return `${body.title} ${body.url}`
  if (body.kind === 'miniprogram') return `${body.title} ${body.appid} ${body.page}`
  return `${materialKinds[body.kind][0]} ${body.key.split('/').at(-1)}`
}
/** Materials as handlers read, change and log them; one that is deleted is not there. */
export const materials = record(wecom_material, {
  object: 'wecom_material',
  label: row => row.title,
  keys: ['kind', ...writtenOfMaterial, 'status', 'off_reason'],
  places: () => isNull(t.gone_at),
  told: row => ({ ...row, body: told(row) }),
})

const namesOf = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const rows = await db
    .select({ id: admin.id, name: admin.name })
    .from(admin)
    .where(inArray(admin.id, [0, ...ids]))
  return new Map(rows.map(row => [row.id, row.name]))
}
/** How WeCom has the files of materials, by their ids. */
export const mediaOfMaterials = async (db: Db, rows: readonly Material[], now: number) => {
  const files = new Map(rows.map(row => [row.id, mediaFileOf(row)]))
  const kept = await keptMedia(
    db,
    [...files.values()].filter(file => file !== undefined),
  )
  return new Map(
    rows.map(({ id }) => {
      const file = files.get(id)
      const media = mediaIn(kept, file)
      return [
        id,
        {
          state: mediaState(file, media, now),
          expire_at: media?.expire_at ?? null,
          error: media?.error ?? '',
          errcode: media?.errcode ?? 0,
          waiting: media !== undefined && media.wanted_at !== null,
        },
      ] as const
    }),
  )
}
const shown = async (db: Db, rows: readonly Material[], { now }: { now: number }) => {
  const ids = rows.map(row => row.id)
  const [uses, figures] = [await usesOf(db, ids), await figuresOf(db, ids)]
  const media = await mediaOfMaterials(db, rows, now)
  const owners = await namesOf(
    db,
    rows.map(row => row.owner_id),
  )
  return rows.map(row => {
    const held = uses.get(row.id) ?? []
    return {
      ...row,
      owner: owners.get(row.owner_id) ?? '',
      uses: held,
      uses_n: held.length,
      live_n: held.filter(use => use.live).length,
      ...(figures.get(row.id) ?? noFigures),
      media: media.get(row.id)!,
    }
  })
}
export type MaterialFilters = {
  keyword?: string | undefined
  kind?: MaterialKind | undefined
  category?: string | undefined
  status?: MaterialState | undefined
  media?: MediaState | undefined
  used?: boolean | undefined
  over?: boolean | undefined
  id?: number | undefined
}
const media = (of: SQL): SQL =>
  sql`exists (select 1 from wecom_media m where m.file_key = ${t.file_key}
    and m.kind = ${t.file_kind} and ${of})`
const mediaWhere = (state: MediaState, now: number): SQL => {
  switch (state) {
    case 'none':
      return isNull(t.file_key)
    case 'absent':
      return media(sql`m.error = '' and m.expire_at is null`)
    case 'failed':
      return media(sql`m.error <> ''`)
    case 'valid':
      return media(sql`m.error = '' and m.expire_at > ${now}`)
    case 'expired':
      return media(sql`m.error = '' and m.expire_at <= ${now}`)
  }
}
/** Materials of which one of these texts holds what was typed, or whose number it is. */
const named = (typed: string | undefined, texts: readonly PgColumn[]): SQL | undefined => {
  if (!typed) return undefined
  const held = sql`(${t.grams} @> text_grams(${typed}) and ${holding(typed, texts)})`
  return /^\d{1,9}$/.test(typed) ? or(held, eq(t.id, Number(typed))) : held
}
/** Materials by the filters of their list. */
export const materialsWhere = (
  { keyword, media: of, used, over, ...same }: MaterialFilters,
  { now }: { now: number },
): SQL | undefined =>
  and(
    equal(t, same),
    named(keyword, [t.title]),
    of === undefined ? undefined : mediaWhere(of, now),
    used === true ? isCarried(sql`${t.id}`) : undefined,
    used === false ? sql`not ${isCarried(sql`${t.id}`)}` : undefined,
    over ? sql`${t.valid_to_at} <= ${now}` : undefined,
  )
const listed = { by: t.id, down: true, where: materialsWhere }
export const materialList = listing(materials, { ...listed, shown })
/** The same rows for a file, each with what came of it adviser by adviser. */
export const materialSheet = listing(materials, {
  ...listed,
  shown: async (db: Db, rows: readonly Material[], at: { now: number }) => {
    const by = await figuresOfAdvisers(
      db,
      rows.map(row => row.id),
    )
    return (await shown(db, rows, at)).map(row => ({ ...row, advisers: by.get(row.id) ?? [] }))
  },
})
/** How many materials each state has of those that the filters leave, as `counting`; all categories. */
export const countMaterials = async (
  db: Db,
  { status: _, ...of }: MaterialFilters,
  now: number,
) => {
  const counted = (Object.keys(materialStates) as MaterialState[]).map(status => {
    const where = and(isNull(t.gone_at), materialsWhere({ ...of, status }, { now }))
    return sql`${counting(t, where)} as ${sql.identifier(status)}`
  })
  const { rows: stats } = await db.execute<Record<MaterialState, number>>(
    sql`select ${sql.join(counted, sql`, `)}`,
  )
  // From one category to the next by the index: they are few, however many materials each has.
  const { rows: groups } = await db.execute<{ category: string }>(sql`
    with recursive one as (
      (select category from wecom_material where gone_at is null order by category limit 1)
      union all
      select (select m.category from wecom_material m
        where m.gone_at is null and m.category > one.category order by m.category limit 1)
      from one where one.category is not null)
    select category from one where category is not null order by category`)
  return {
    stat: Object.fromEntries(Object.entries(stats[0]!).filter(([, n]) => n > 0)),
    categories: groups.map(one => one.category),
  }
}
/** The last versions of a material, the newest first, with what came of each. */
export const versionsOf = async (db: Db, material_id: number) => {
  const c = wecom_material_content
  const figures = await figuresOfVersions(db, material_id)
  const rows = await db
    .select({ n: c.n, title: c.title, body: c.body, created_at: c.created_at, by: admin.name })
    .from(c)
    .leftJoin(admin, eq(admin.id, c.created_by))
    .where(eq(c.material_id, material_id))
    .orderBy(desc(c.n))
    .limit(20)
  return rows.map(row => ({
    ...row,
    by: row.by ?? '',
    ...(figures.get(row.n) ?? noFigures),
  }))
}
type Asked = {
  keyword?: string | undefined
  page: number
  pageSize: number
  /** Only of these kinds. */
  kinds?: readonly MaterialKind[] | undefined
  /** Not this one. */
  but?: number | undefined
}
/** A page of the materials that may go into a message now. */
export const pickMaterials = async (
  { keyword, page, pageSize, kinds, but }: Asked,
  { db, now }: { db: Db; now: number; staff: Staff },
) => {
  const where = and(
    isNull(t.gone_at),
    eq(t.status, 'enabled'),
    or(isNull(t.valid_to_at), sql`${t.valid_to_at} > ${now}`),
    kinds ? inArray(t.kind, [...kinds]) : undefined,
    but === undefined ? undefined : sql`${t.id} <> ${but}`,
    named(keyword, [t.title, t.category]),
  )
  const list = await db
    .select({ id: t.id, name: t.title, kind: t.kind, category: t.category })
    .from(t)
    .where(where)
    .orderBy(desc(t.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, t, where)) }
}
/** The same for texts to many, which take cards and no further text. */
export const pickMassMaterials = (
  asked: Omit<Asked, 'kinds'>,
  context: { db: Db; now: number; staff: Staff },
) => pickMaterials({ ...asked, kinds: Object.keys(pieceKinds) as PieceKind[] }, context)
