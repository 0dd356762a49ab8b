import { eq } from 'drizzle-orm'
import { tellPeople } from '#src/areas/message/message.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { needCity } from '#src/areas/place/places.server.ts'
import type { Designed, DesignerCalls } from '#src/contract/designer.ts'
import { say, type Text } from '#src/domain/text.ts'
import type { Db, Handler, ReadContext, WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { conflict, missing, ruled } from '#src/server/call/refuse.ts'
import { needsNoScope } from '#src/server/call/scope.ts'
import { lookAt } from './blockData.server.ts'
import { cleaned, pageTypes, type Block, type PageType } from './blocks.ts'
import { needPageCity, picksFor } from './choices.server.ts'
import { livePage } from './livePages.server.ts'
import { keyOf, type PageKey } from './pageKey.ts'
import { previewOf } from './publicPages.server.ts'
import {
  cancelSchedule,
  keyOfScheme,
  needOwnDraft,
  publish,
  rollback,
  schedule,
  schemeOf,
  schemes,
  startFor,
  unpublish,
  versionById,
  versionNo,
  versionsOf,
  type Scheme,
} from './schemes.server.ts'
import { subjectOf, type Subject } from './subject.server.ts'

/** What a page is of, for whoever may see it; 404 where it is not there, or is another’s. */
const seenSubject = async (
  db: Db,
  { staff, now }: Pick<ReadContext, 'staff' | 'now'>,
  key: PageKey,
): Promise<Subject> => {
  await needPageCity(db, staff, key.city_id)
  const subject = await subjectOf(db, key, now)
  if (!subject) throw missing()
  return subject
}
/** Only whoever all of a city is the page’s of changes it; a page of no city is by right alone. */
const needPage = (staff: WriteContext['staff'], key: PageKey): void => {
  if (key.city_id > 0) needCity(staff, key.city_id)
  else needsNoScope(staff)
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
  type: PageType,
  key: PageKey,
  { db, ...context }: Pick<ReadContext, 'db' | 'staff' | 'now'>,
): Promise<Designed> => {
  const subject = await seenSubject(db, context, key)
  const told = (text: Text | undefined) => (text ? say(text, context.staff.lang) : '')
  const of = {
    ...key,
    name: subject.name,
    fault: told(subject.fault),
    warning: told(subject.warning),
  }
  const row = await schemeOf(db, type, key)
  const live = await versionById(db, row?.live_version_id ?? null)
  const blocks = (row?.draft ?? live?.body ?? (await startFor(db, type))) as Designed['blocks']
  if (!row)
    return {
      ...of,
      id: 0,
      version: 0,
      blocks,
      draft: null,
      live_no: null,
      scheduled: null,
      versions: [],
    }
  return {
    ...of,
    id: row.id,
    version: row.version,
    blocks,
    draft: await draftOf(db, row),
    live_no: live?.no ?? null,
    scheduled: await scheduledOf(db, row),
    versions: await versionsOf(db, row.id),
  }
}
/** Only the page of this type: the id of another’s is none here. */
export const heldPage = async (
  context: WriteContext,
  type: PageType,
  of: { id: number; version: number },
): Promise<Scheme> => {
  const was = await schemes.lock(context, of.id)
  if (was.type !== type || was.is_template) throw missing()
  needPage(context.staff, keyOfScheme(was))
  if (was.version !== of.version) throw await schemes.late(context, was)
  return was
}
const reading = async ({ db, staff }: ReadContext, type: PageType, id: number) => {
  const row = await schemes.read(db, staff, id)
  if (row.type !== type || row.is_template) throw missing()
  return row
}
/** The first draft of a page; of two who begin at once the later is told of the other’s. */
export const beginPage = async (
  context: WriteContext,
  type: PageType,
  of: { key: PageKey; name: string; blocks: Block[] },
): Promise<Scheme> => {
  const { staff, now } = context
  return unlessTaken(
    schemes.add(context, {
      type,
      ...of.key,
      city_id: of.key.city_id || null,
      name: `${of.name}${pageTypes[type].title[0]}`.slice(-64),
      draft: of.blocks,
      draft_by: staff.id,
      draft_at: now,
      // 0 is said of a page that nobody has begun: who says it again is late.
      version: 1,
    }),
    () =>
      conflict([
        '刚有人开始装修此页面，请按最新内容再改',
        'Somebody has just begun this page: start from theirs',
      ]),
  )
}
/** Puts a draft in the place of the one that stands, where that is nobody else’s. */
export const putDraft = async (
  context: WriteContext,
  was: Scheme,
  blocks: Block[],
): Promise<Scheme> => {
  await needOwnDraft(context, was)
  const draft = { draft: blocks, draft_by: context.staff.id, draft_at: context.now }
  const after = await schemes.set(context, was, draft)
  schemes.log(context, after, {
    before: { blocks: was.draft?.length ?? null },
    after: { blocks: blocks.length },
  })
  return after
}

const reads = (type: PageType) =>
  ({
    detail: async (asked, context) => designedOf(type, keyOf(asked), context),
    data: async ({ blocks, ...asked }, { db, staff, now, install }) => {
      const key = keyOf(asked)
      const { categories } = await seenSubject(db, { staff, now }, key)
      const { items, link_names, faults } = await lookAt(db, {
        type,
        page: { key, categories, now },
        blocks: blocks.map(cleaned),
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
    live: async (asked, { db, now }) => {
      const { no, published_at, blocks } = await livePage(db, type, keyOf(asked), now)
      return {
        no,
        published_at,
        blocks: blocks as (Designed['blocks'][number] & (typeof blocks)[number])[],
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
    save: async ({ version, blocks, ...asked }, context) => {
      const { tx, staff } = context
      const key = keyOf(asked)
      needPage(staff, key)
      const { name } = await seenSubject(tx, context, key)
      const body = blocks.map(cleaned)
      const found = await schemeOf(tx, type, key)
      if (!found) return beginPage(context, type, { key, name, blocks: body })
      return putDraft(context, await heldPage(context, type, { id: found.id, version }), body)
    },
    publish: async ({ note, scheduled, ...one }, context) => {
      const { after, no } = await publish(context, await heldPage(context, type, one), {
        note,
        scheduled,
      })
      return { ...after, no }
    },
    schedule: async ({ at, note, ...one }, context) => {
      const { after, no } = await schedule(context, await heldPage(context, type, one), {
        at,
        note,
      })
      return { ...after, no }
    },
    cancelSchedule: async (one, context) =>
      cancelSchedule(context, await heldPage(context, type, one)),
    rollback: async ({ no: to, reason, ...one }, context) => {
      const { after, no } = await rollback(context, await heldPage(context, type, one), {
        no: to,
        reason,
      })
      return { ...after, no }
    },
    unpublish: async ({ reason, ...one }, context) =>
      unpublish(context, await heldPage(context, type, one), reason),
    discard: async (one, context) => {
      const was = await heldPage(context, type, one)
      if (was.draft === null) throw ruled('no_draft', ['没有草稿', 'There is no draft'])
      await needOwnDraft(context, was)
      const after = await schemes.set(context, was, { draft: null, draft_by: null, draft_at: null })
      schemes.log(context, after, { before: { blocks: was.draft.length }, after: { blocks: null } })
      return after
    },
    takeOver: async (one, context) => {
      const { tx, staff, now } = context
      const was = await heldPage(context, type, one)
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
  ...picksFor(type),
  ...reads(type),
  ...writes(type),
})
