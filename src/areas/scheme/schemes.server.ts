import { and, asc, desc, eq, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { page_link } from '#src/areas/content/content.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { eCategoryTree } from '#src/areas/merchant/eCategories.server.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { headed, joined, keptWords, say, type Text } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { samePage } from './blockChanges.ts'
import { lookAt, picksOf } from './blockData.server.ts'
import { kindOf, startOf, type Block, type BlockFault, type PageType } from './blocks.ts'
import { keyOf, type PageKey } from './pageKey.ts'
import { page_scheme, page_version } from './scheme.table.ts'
import { subjectOf } from './subject.server.ts'

export type Scheme = typeof page_scheme.$inferSelect
export type Version = typeof page_version.$inferSelect
export const schemes = record(page_scheme, {
  object: 'page_scheme',
  label: row => row.name,
  keys: ['name', 'draft_by', 'scheduled_at'],
  // Those of no city are placed by nothing: who may act on brands may act on their pages.
  places: ({ scope }) =>
    seesAll(scope)
      ? undefined
      : sql`(${page_scheme.city_id} is null or ${within(scope, { city: page_scheme.city_id })})`,
})
/** What a page is of. */
export const keyOfScheme = (row: Scheme): PageKey => keyOf({ ...row, city_id: row.city_id ?? 0 })
/** The row of a key; it is asked as the index holds it. */
const isOf = (type: PageType, key: PageKey): SQL =>
  and(
    eq(page_scheme.type, type),
    sql`coalesce(${page_scheme.city_id}, 0) = ${key.city_id}`,
    eq(page_scheme.category_id, key.category_id),
    eq(page_scheme.brand_id, key.brand_id),
    sql`not ${page_scheme.is_template}`,
  )!

/** The page of a key, if somebody has begun one. */
export const schemeOf = async (
  db: Db,
  type: PageType,
  key: PageKey,
): Promise<Scheme | undefined> => {
  const [row] = await db.select().from(page_scheme).where(isOf(type, key))
  return row
}
/** What a page begins with, and shows until one is published: the template chosen for it, or none’s. */
export const startFor = async (db: Db, type: PageType): Promise<Block[]> => {
  const [row] = await db
    .select({ draft: page_scheme.draft })
    .from(page_scheme)
    .where(and(eq(page_scheme.type, type), page_scheme.is_fallback))
  return row?.draft ?? startOf(type)
}
export const versionById = async (db: Db, id: number | null): Promise<Version | undefined> => {
  const [row] =
    id === null ? [] : await db.select().from(page_version).where(eq(page_version.id, id))
  return row
}
/** A version by its number; 422 where the page has none of it. */
export const versionNo = async (db: Db, scheme_id: number, no: number): Promise<Version> => {
  const [row] = await db
    .select()
    .from(page_version)
    .where(and(eq(page_version.scheme_id, scheme_id), eq(page_version.no, no)))
  if (!row) throw ruled('no_version', ['没有这个版本', 'There is no such version'])
  return row
}

/** A draft is one person's at a time: whoever else wants it takes it over first. */
export const needOwnDraft = async ({ tx, staff }: WriteContext, was: Scheme): Promise<void> => {
  if (was.draft === null || was.draft_by === null || was.draft_by === staff.id) return
  const [by] = await tx.select({ name: admin.name }).from(admin).where(eq(admin.id, was.draft_by))
  throw ruled(
    'draft_taken',
    [
      '{who}正在编辑这份草稿（{at}），可先接手',
      '{who} is editing this draft ({at}): take it over first',
    ],
    { who: by?.name ?? '', at: timeFull(was.draft_at ?? 0) },
  )
}
type Looking = { now: number; storesElsewhere: boolean }
/** What keeps a page from being published: of what it is of, then of each of its blocks. */
const pageFaults = async (
  db: Db,
  was: Scheme,
  blocks: readonly Block[],
  { now, storesElsewhere }: Looking,
): Promise<{ whole: Text | undefined; faults: BlockFault[] }> => {
  const key = keyOfScheme(was)
  const subject = await subjectOf(db, key, now)
  const whole = subject ? subject.fault : noSubject
  if (!subject || whole) return { whole, faults: [] }
  const page = { key, categories: subject.categories, now }
  const { faults } = await lookAt(db, { type: was.type, page, blocks, storesElsewhere })
  return { whole: undefined, faults }
}
const noSubject: Text = ['页面所属的分类或品牌已不存在', 'Its category or brand is gone']
/** Nobody deletes or merges the category of a page while it goes live. */
const holdCategory = async (tx: Db, { category_id }: Scheme): Promise<void> => {
  if (category_id > 0) await eCategoryTree.locked(tx)
}
/** Nobody disables a link while a page with it goes live. */
const holdLinks = (tx: Db, blocks: readonly Block[]): Promise<unknown> =>
  tx
    .select({ id: page_link.id })
    .from(page_link)
    .where(
      inArray(
        page_link.id,
        picksOf(blocks).map(of => of.page_link_id),
      ),
    )
    .orderBy(asc(page_link.id))
    .for('share')
/** 422 with every fault of the page, the first one in words. */
const needSound = async (
  { tx, now, staff, install }: WriteContext,
  was: Scheme,
  blocks: readonly Block[],
): Promise<void> => {
  if (blocks.length === 0) throw ruled('no_blocks', ['页面没有组件', 'The page has no blocks'])
  await holdCategory(tx, was)
  await holdLinks(tx, blocks)
  const looking = { now, storesElsewhere: install.storesElsewhere }
  const { whole, faults } = await pageFaults(tx, was, blocks, looking)
  if (whole) throw ruled('not_standing', whole)
  const [first] = faults
  if (!first) return
  const at = blocks.findIndex(({ id }) => id === first.block)
  const title = kindOf(blocks[at]!.kind).title
  throw ruled(
    'invalid_blocks',
    [
      `有 {n} 处须先修正：第 {at} 个组件“${title[0]}”${first.text[0]}`,
      `{n} to put right first: block {at} “${title[1]}”: ${first.text[1]}`,
    ],
    { n: faults.length, at: at + 1 },
    { faults: faults.map(({ text, ...fault }) => ({ ...fault, text: say(text, staff.lang) })) },
  )
}
type Made = { body: Block[]; note: string; by_admin: number | null; published_at: number | null }
/** Adds a version; the caller holds the page, so that no number is given twice. */
export const addVersion = async (
  tx: Db,
  scheme_id: number,
  made: Made & { from_rollback?: number },
): Promise<Version> => {
  const [row] = await tx
    .insert(page_version)
    .values({
      scheme_id,
      no: sql`(select coalesce(max(v.no), 0) + 1 from page_version v where v.scheme_id = ${scheme_id})`,
      ...made,
    })
    .returning()
  return row!
}
const nothingScheduled = { scheduled_version_id: null, scheduled_at: null } as const
const noDraft = { draft: null, draft_by: null, draft_at: null } as const

/** Makes the draft what consumers see. A schedule that waits is kept or cancelled, as was decided. */
export const publish = async (
  context: WriteContext,
  was: Scheme,
  { note, scheduled }: { note: string; scheduled: 'keep' | 'cancel' | undefined },
): Promise<{ after: Scheme; no: number }> => {
  const { tx, now, staff } = context
  const body = was.draft
  if (body === null) throw ruled('no_draft', ['没有可发布的草稿', 'There is no draft to publish'])
  await needOwnDraft(context, was)
  const live = await versionById(tx, was.live_version_id)
  if (live && samePage(live.body, body))
    throw ruled('unchanged', ['草稿与线上一致，无需发布', 'The draft is what is live already'])
  if (was.scheduled_version_id !== null && scheduled === undefined)
    throw ruled(
      'schedule_waits',
      [
        '已有 {at} 的定时发布，请选择保留还是取消',
        'A publication is scheduled for {at}: say whether it stays',
      ],
      { at: timeFull(was.scheduled_at!) },
    )
  await needSound(context, was, body)
  const made = await addVersion(tx, was.id, {
    body,
    note,
    by_admin: staff.id,
    published_at: now,
  })
  const after = await schemes.set(context, was, {
    live_version_id: made.id,
    ...noDraft,
    ...(scheduled === 'cancel' && nothingScheduled),
  })
  schemes.log(context, after, {
    before: { no: live?.no ?? null },
    after: { no: made.no, blocks: body.length, ...(scheduled && { scheduled }) },
    reason: note,
  })
  return { after, no: made.no }
}

const DAYS_AHEAD = 90
/** Fixes the draft as a version that goes live at a time; it may be worked on meanwhile. */
export const schedule = async (
  context: WriteContext,
  was: Scheme,
  { at, note }: { at: number; note: string },
): Promise<{ after: Scheme; no: number }> => {
  const { tx, now, staff } = context
  const body = was.draft
  if (body === null) throw ruled('no_draft', ['没有可发布的草稿', 'There is no draft to publish'])
  await needOwnDraft(context, was)
  if (was.scheduled_version_id !== null)
    throw ruled(
      'scheduled_already',
      ['已定于 {at} 发布，请先取消', 'It is scheduled for {at} already: cancel that first'],
      { at: timeFull(was.scheduled_at!) },
    )
  if (at <= now || at > now + DAYS_AHEAD * DAY)
    throw ruled('bad_time', [
      `发布时间须晚于现在，且在 ${DAYS_AHEAD} 天内`,
      `The time must come within ${DAYS_AHEAD} days`,
    ])
  await needSound(context, was, body)
  const made = await addVersion(tx, was.id, {
    body,
    note,
    by_admin: staff.id,
    published_at: null,
  })
  const after = await schemes.set(context, was, {
    scheduled_version_id: made.id,
    scheduled_at: at,
  })
  schemes.log(context, after, {
    before: { scheduled_at: null },
    after: { no: made.no, scheduled_at: at },
    reason: note,
  })
  return { after, no: made.no }
}
export const cancelSchedule = async (context: WriteContext, was: Scheme): Promise<Scheme> => {
  if (was.scheduled_version_id === null)
    throw ruled('not_scheduled', ['没有定时发布', 'Nothing is scheduled'])
  return schemes.save(context, was, nothingScheduled)
}
/** Takes the page down: consumers see what a page begins with; its versions stay. */
export const unpublish = async (
  context: WriteContext,
  was: Scheme,
  reason: string,
): Promise<Scheme> => {
  const live = await versionById(context.tx, was.live_version_id)
  if (!live) throw ruled('not_live', ['页面没有发布', 'The page is not published'])
  const after = await schemes.set(context, was, { live_version_id: null })
  schemes.log(context, after, { before: { no: live.no }, after: { no: null }, reason })
  return after
}
/** Publishes an earlier version again, as a copy; what is live stays in the history. */
export const rollback = async (
  context: WriteContext,
  was: Scheme,
  { no, reason }: { no: number; reason: string },
): Promise<{ after: Scheme; no: number }> => {
  const { tx, now, staff } = context
  const from = await versionNo(tx, was.id, no)
  if (from.published_at === null)
    throw ruled('never_live', ['这个版本没有发布过', 'It was never published'])
  const live = await versionById(tx, was.live_version_id)
  if (live && samePage(live.body, from.body))
    throw ruled('unchanged', ['与线上版本一致', 'It is what is live'])
  await holdCategory(tx, was)
  const subject = await subjectOf(tx, keyOfScheme(was), now)
  if (!subject || subject.fault) throw ruled('not_standing', subject?.fault ?? noSubject)
  const made = await addVersion(tx, was.id, {
    body: from.body,
    note: reason,
    by_admin: staff.id,
    published_at: now,
    from_rollback: from.no,
  })
  const after = await schemes.set(context, was, { live_version_id: made.id })
  schemes.log(context, after, {
    before: { no: live?.no ?? null },
    after: { no: made.no, from_rollback: from.no },
    reason,
  })
  return { after, no: made.no }
}

/**
 * Publishes one version whose time has come; where it may not be shown any more, whoever scheduled
 * it is told why.
 */
const fire = async (
  tx: Db,
  id: number,
  { now, storesElsewhere }: { now: number; storesElsewhere: boolean },
): Promise<boolean> => {
  const [was] = await tx
    .select()
    .from(page_scheme)
    .where(and(eq(page_scheme.id, id), lte(page_scheme.scheduled_at, now)))
    .for('update')
  const due = await versionById(tx, was?.scheduled_version_id ?? null)
  if (!was || !due) return false
  const { whole, faults } = await pageFaults(tx, was, due.body, { now, storesElsewhere })
  const isSound = !whole && faults.length === 0
  if (isSound)
    await tx.update(page_version).set({ published_at: now }).where(eq(page_version.id, due.id))
  await tx
    .update(page_scheme)
    .set({
      ...nothingScheduled,
      ...(isSound && { live_version_id: due.id }),
      ...(isSound && was.draft && samePage(was.draft, due.body) && noDraft),
      version: sql`${page_scheme.version} + 1`,
    })
    .where(eq(page_scheme.id, id))
  const [first] = faults
  const titleOf = (block: string) => kindOf(due.body.find(one => one.id === block)!.kind).title
  const why = whole ?? (first && headed(titleOf(first.block), joined(first.text)))
  await tx.insert(op_log).values({
    admin_id: null,
    admin_name: systemName,
    module: 'config',
    action: isSound ? 'config.page.publish' : 'config.page.fail',
    object_type: 'page_scheme',
    object_id: id,
    object_label: was.name,
    before: { scheduled_at: was.scheduled_at },
    after: { no: due.no },
    reason: why ? keptWords(why) : due.note,
    result: 'ok',
  })
  await tellPeople(tx, {
    to: [due.by_admin],
    kind: isSound ? 'page_published' : 'page_not_published',
    about: `page_version/${due.id}`,
    facts: { of: was.name, no: due.no, ...(why && { why }) },
  })
  return true
}
/** Publishes what is due; answers how many pages were looked at. Run again it finds nothing more. */
export const firePages = async (
  database: Database,
  of: { now: number; storesElsewhere: boolean },
): Promise<number> => {
  const due = await database.db
    .select({ id: page_scheme.id })
    .from(page_scheme)
    .where(lte(page_scheme.scheduled_at, of.now))
    .orderBy(page_scheme.scheduled_at, page_scheme.id)
    .limit(200)
  let n = 0
  for (const { id } of due) if (await database.transaction(tx => fire(tx, id, of))) n++
  return n
}

/** The last versions of a page, the newest first. */
export const versionsOf = (db: Db, scheme_id: number, most = 50) =>
  db
    .select({
      id: page_version.id,
      no: page_version.no,
      note: page_version.note,
      by: sql<string>`coalesce(${admin.name}, '')`,
      made_at: page_version.created_at,
      published_at: page_version.published_at,
      from_rollback: page_version.from_rollback,
      blocks: sql<number>`jsonb_array_length(${page_version.body})`,
    })
    .from(page_version)
    .leftJoin(admin, eq(admin.id, page_version.by_admin))
    .where(eq(page_version.scheme_id, scheme_id))
    .orderBy(desc(page_version.no))
    .limit(most)
