import { asc, inArray, sql } from 'drizzle-orm'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { isLink, type Block } from './blocks.ts'
import { page_scheme } from './scheme.table.ts'
import { addVersion, schemes, versionById, type Scheme } from './schemes.server.ts'

/**
 * Every link of a block of every page, as what uses a link says it (areas/link/linkUses.server.ts).
 * Consumers see what is live or scheduled, and the draft of the template that stands in for pages.
 */
export const pageLinks = sql`
  select s.id, s.name::text as label,
    coalesce((select c.city_name from city c where c.id = s.city_id)::text, '') as place,
    jsonb_build_object('type', s.type, 'city_id', s.city_id, 'category_id', s.category_id, 'brand_id', s.brand_id) as page,
    (held.link ->> 'page_link_id')::int as link, held.link -> 'link_params' as params, state.live
  from page_scheme s
  cross join lateral (
    select s.draft as body, s.is_fallback as live where s.draft is not null
    union all select v.body, true from page_version v where v.id in (s.live_version_id, s.scheduled_version_id)
  ) state
  cross join lateral jsonb_path_query(state.body, '$[*].props.* ? (exists (@.page_link_id))') as held(link)`

/** Holds every page with the link, so that nobody saves or publishes one meanwhile. */
export const lockPages = (tx: Db, page_link_id: number): Promise<unknown> =>
  tx
    .select({ id: page_scheme.id })
    .from(page_scheme)
    .where(
      sql`${page_scheme.id} in (select used.id from (${pageLinks}) used where used.link = ${page_link_id})`,
    )
    .orderBy(asc(page_scheme.id))
    .for('update')

type Change = { from: number; to: number; reason: string }
/** The blocks with one link in the place of another; undefined where none of them has it. */
const relinked = (blocks: readonly Block[] | null | undefined, { from, to }: Change) => {
  let found = false
  const body = (blocks ?? []).map(block => ({
    ...block,
    props: Object.fromEntries(
      Object.entries(block.props).map(([name, value]) => {
        if (!isLink(value) || value.page_link_id !== from) return [name, value]
        found = true
        return [name, { ...value, page_link_id: to }]
      }),
    ),
  }))
  return found ? body : undefined
}
/** A version never changes: what is live or scheduled is made again, and takes its place. */
const relinkPage = async (context: WriteContext, was: Scheme, change: Change): Promise<void> => {
  const { tx, now, staff } = context
  const [live, due] = [
    await versionById(tx, was.live_version_id),
    await versionById(tx, was.scheduled_version_id),
  ]
  const [draft, shown, later] = [was.draft, live?.body, due?.body].map(of => relinked(of, change))
  const made =
    shown &&
    (await addVersion(tx, was.id, {
      body: shown,
      note: change.reason,
      by_admin: staff.id,
      published_at: now,
    }))
  // Whoever scheduled it is told when it goes live, as before.
  const next =
    due &&
    later &&
    (await addVersion(tx, was.id, {
      body: later,
      note: due.note,
      by_admin: due.by_admin,
      published_at: null,
    }))
  const after = await schemes.set(context, was, {
    ...(draft && { draft }),
    ...(made && { live_version_id: made.id }),
    ...(next && { scheduled_version_id: next.id }),
  })
  if (made)
    schemes.log(context, after, {
      before: { no: live!.no },
      after: { no: made.no },
      reason: change.reason,
    })
}
/**
 * Gives pages another link in the place of one: drafts are rewritten, what is live is published
 * anew, what is scheduled keeps its time. The caller holds the pages and has looked at the link.
 */
export const relinkPages = async (
  context: WriteContext,
  { ids, ...change }: Change & { ids: readonly number[] },
): Promise<void> => {
  const rows = await context.tx
    .select()
    .from(page_scheme)
    .where(inArray(page_scheme.id, [...ids]))
    .orderBy(asc(page_scheme.id))
  for (const was of rows) await relinkPage(context, was, change)
}
