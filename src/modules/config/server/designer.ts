import { and, asc, count, eq, ilike, or, sql } from 'drizzle-orm'
import { tellPeople } from '#src/areas/message/message.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { citiesOf, needCity } from '#src/areas/place/places.server.ts'
import { lookAt } from '#src/areas/scheme/blockData.server.ts'
import { cleaned, pageTypes, startOf, type PageType } from '#src/areas/scheme/blocks.ts'
import { livePage } from '#src/areas/scheme/livePages.server.ts'
import { previewOf } from '#src/areas/scheme/publicPages.server.ts'
import { page_scheme } from '#src/areas/scheme/scheme.table.ts'
import {
  cancelSchedule,
  needOwnDraft,
  publish,
  rollback,
  schedule,
  schemeOf,
  schemes,
  versionById,
  versionNo,
  versionsOf,
  type Scheme,
} from '#src/areas/scheme/schemes.server.ts'
import { say } from '#src/domain/text.ts'
import type { Db, Handler, ReadContext, WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { conflict, missing, ruled } from '#src/server/call/refuse.ts'
import { needsNoScope } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import type { Designed, DesignerCalls } from '../contract/designer.ts'

const cityName = async (db: Db, staff: ReadContext['staff'], city_id: number): Promise<string> => {
  const [row] = await db
    .select({ name: city.city_name })
    .from(city)
    .where(and(eq(city.id, city_id), citiesOf(staff)))
  if (!row) throw missing()
  return row.name
}
const nameOf = async (db: Db, id: number | null): Promise<string> => {
  const [row] = await db
    .select({ name: admin.name })
    .from(admin)
    .where(eq(admin.id, id ?? 0))
  return row?.name ?? ''
}
const draftOf = async (db: Db, row: Scheme): Promise<Designed['draft']> =>
  row.draft && {
    id: row.draft_by ?? 0,
    name: await nameOf(db, row.draft_by),
    at: row.draft_at ?? 0,
  }
const scheduledOf = async (db: Db, row: Scheme): Promise<Designed['scheduled']> => {
  const due = await versionById(db, row.scheduled_version_id)
  return due ? { no: due.no, at: row.scheduled_at!, by: await nameOf(db, due.by_admin) } : null
}
const designedOf = async (
  db: Db,
  type: PageType,
  place: { city_id: number; city_name: string },
): Promise<Designed> => {
  const row = await schemeOf(db, type, place.city_id)
  if (!row)
    return {
      ...place,
      id: 0,
      version: 0,
      blocks: startOf(type) as Designed['blocks'],
      draft: null,
      live_no: null,
      scheduled: null,
      versions: [],
    }
  const live = await versionById(db, row.live_version_id)
  return {
    ...place,
    id: row.id,
    version: row.version,
    blocks: (row.draft ?? live?.body ?? startOf(type)) as Designed['blocks'],
    draft: await draftOf(db, row),
    live_no: live?.no ?? null,
    scheduled: await scheduledOf(db, row),
    versions: await versionsOf(db, row.id),
  }
}
/** Only the page of this type: the id of another’s is none here. */
const held = async (
  context: WriteContext,
  type: PageType,
  of: { id: number; version: number },
): Promise<Scheme> => {
  const was = await schemes.lock(context, of.id)
  if (was.type !== type || was.is_template || was.city_id === null) throw missing()
  needCity(context.staff, was.city_id)
  if (was.version !== of.version) throw await schemes.late(context, was)
  return was
}
const reading = async ({ db, staff }: ReadContext, type: PageType, id: number) => {
  const row = await schemes.read(db, staff, id)
  if (row.type !== type || row.is_template) throw missing()
  return row
}
/** The first draft of a city’s page; of two who begin at once the later is told of the other’s. */
const begin = async (
  context: WriteContext,
  type: PageType,
  of: { city_id: number; city_name: string; blocks: Scheme['draft'] },
): Promise<Scheme> => {
  const { staff, now } = context
  return unlessTaken(
    schemes.add(context, {
      type,
      city_id: of.city_id,
      name: `${of.city_name}${pageTypes[type].title[0]}`,
      draft: of.blocks,
      draft_by: staff.id,
      draft_at: now,
    }),
    () =>
      conflict([
        '刚有人开始装修此页面，请按最新内容再改',
        'Somebody has just begun this page: start from theirs',
      ]),
  )
}

const lists = (type: PageType) =>
  ({
    lst: async ({ keyword, page, pageSize }, { db, staff }) => {
      const typed = keyword ? like(keyword) : undefined
      const where = and(
        citiesOf(staff),
        typed ? or(ilike(city.city_name, typed), ilike(city.pinyin, typed)) : undefined,
      )
      const list = await db
        .select({
          id: city.id,
          city_id: city.id,
          city_name: city.city_name,
          live_no: sql<
            number | null
          >`(select v.no from page_version v where v.id = ${page_scheme.live_version_id})`,
          has_draft: sql<boolean>`${page_scheme.draft} is not null`,
        })
        .from(city)
        .leftJoin(
          page_scheme,
          and(
            eq(page_scheme.city_id, city.id),
            eq(page_scheme.type, type),
            eq(page_scheme.is_template, false),
          ),
        )
        .where(where)
        .orderBy(asc(city.sort), asc(city.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize)
      const [total] = await db.select({ n: count() }).from(city).where(where)
      return { list, total: total!.n }
    },
    templates: async ({ keyword, page, pageSize }, { db, staff }) => {
      needsNoScope(staff)
      const where = and(
        eq(page_scheme.type, type),
        eq(page_scheme.is_template, true),
        keyword ? ilike(page_scheme.name, like(keyword)) : undefined,
      )
      const rows = await db
        .select({ id: page_scheme.id, name: page_scheme.name, draft: page_scheme.draft })
        .from(page_scheme)
        .where(where)
        .orderBy(asc(page_scheme.name))
        .limit(pageSize)
        .offset((page - 1) * pageSize)
      const [total] = await db.select({ n: count() }).from(page_scheme).where(where)
      return {
        list: rows.map(({ draft, ...row }) => ({
          ...row,
          blocks: (draft ?? []) as Designed['blocks'],
        })),
        total: total!.n,
      }
    },
    live: async ({ city_id }, { db, now }) => {
      const { no, published_at, blocks } = await livePage(db, type, city_id, now)
      return {
        no,
        published_at,
        blocks: blocks as (Designed['blocks'][number] & (typeof blocks)[number])[],
      }
    },
  }) satisfies { [K in keyof DesignerCalls]?: Handler<DesignerCalls[K]> }
const reads = (type: PageType) =>
  ({
    detail: async ({ city_id }, { db, staff }) =>
      designedOf(db, type, { city_id, city_name: await cityName(db, staff, city_id) }),
    data: async ({ city_id, blocks }, { db, staff, now, install }) => {
      await cityName(db, staff, city_id)
      const { items, link_names, faults } = await lookAt(db, {
        type,
        city_id,
        blocks: blocks.map(cleaned),
        now,
        storesElsewhere: install.storesElsewhere,
      })
      return {
        blocks: blocks.map(({ id }) => ({
          id,
          link_name: link_names.get(id) ?? '',
          items: items.get(id) ?? [],
        })),
        faults: faults.map(({ text, ...fault }) => ({ ...fault, text: say(text, staff.lang) })),
      }
    },
    version: async ({ id, no }, context) => {
      const row = await reading(context, type, id)
      const { body } = await versionNo(context.db, row.id, no)
      return { no, blocks: body as Designed['blocks'] }
    },
    preview: async ({ id }, context) => {
      const row = await reading(context, type, id)
      if (row.draft === null)
        throw ruled('no_draft', ['没有草稿，请先保存', 'There is no draft: save one first'])
      return previewOf(context.install.sign, row.id, context.now)
    },
  }) satisfies { [K in keyof DesignerCalls]?: Handler<DesignerCalls[K]> }

const writes = (type: PageType) =>
  ({
    save: async ({ city_id, version, blocks }, context) => {
      const { tx, staff, now } = context
      needCity(staff, city_id)
      const city_name = await cityName(tx, staff, city_id)
      const body = blocks.map(cleaned)
      const found = await schemeOf(tx, type, city_id)
      if (!found) return begin(context, type, { city_id, city_name, blocks: body })
      const was = await held(context, type, { id: found.id, version })
      await needOwnDraft(context, was)
      const draft = { draft: body, draft_by: staff.id, draft_at: now }
      const after = await schemes.set(context, was, draft)
      schemes.log(context, after, {
        before: { blocks: was.draft?.length ?? null },
        after: { blocks: body.length },
      })
      return after
    },
    publish: async ({ note, scheduled, ...one }, context) => {
      const { after, no } = await publish(context, await held(context, type, one), {
        note,
        scheduled,
      })
      return { ...after, no }
    },
    schedule: async ({ at, note, ...one }, context) => {
      const { after, no } = await schedule(context, await held(context, type, one), { at, note })
      return { ...after, no }
    },
    cancelSchedule: async (one, context) => cancelSchedule(context, await held(context, type, one)),
    rollback: async ({ no: to, reason, ...one }, context) => {
      const { after, no } = await rollback(context, await held(context, type, one), {
        no: to,
        reason,
      })
      return { ...after, no }
    },
    discard: async (one, context) => {
      const was = await held(context, type, one)
      if (was.draft === null) throw ruled('no_draft', ['没有草稿', 'There is no draft'])
      await needOwnDraft(context, was)
      const after = await schemes.set(context, was, { draft: null, draft_by: null, draft_at: null })
      schemes.log(context, after, { before: { blocks: was.draft.length }, after: { blocks: null } })
      return after
    },
    takeOver: async (one, context) => {
      const { tx, staff, now } = context
      const was = await held(context, type, one)
      if (was.draft === null) throw ruled('no_draft', ['没有草稿', 'There is no draft'])
      if (was.draft_by === staff.id)
        throw ruled('own_draft', ['草稿已在你手中', 'The draft is yours already'])
      const after = await schemes.save(context, was, { draft_by: staff.id, draft_at: now })
      await tellPeople(tx, {
        to: [was.draft_by],
        by: staff.id,
        kind: 'draft_taken',
        about: `page_scheme/${was.id}/${after.version}`,
        facts: { of: was.name },
      })
      context.changed('message')
      return after
    },
    saveAsTemplate: async ({ name, blocks }, context) =>
      unlessTaken(
        schemes.add(context, {
          type,
          name,
          is_template: true,
          draft: blocks.map(cleaned),
        }),
        () => ruled('name_taken', ['已有同名模板', 'There is a template of that name']),
      ),
  }) satisfies { [K in keyof DesignerCalls]?: Handler<DesignerCalls[K]> }

/** What serves the calls of a designed page of one type. */
export const designerHandlers = (type: PageType) => ({
  ...lists(type),
  ...reads(type),
  ...writes(type),
})
