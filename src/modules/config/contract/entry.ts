import { z } from 'zod'
import {
  BADGE_WIDTH,
  badgeFault,
  ENTRIES_MOST,
  entryPositions,
  entryStates,
  TITLE_WIDTH,
  titleFault,
  type EntryState,
} from '#src/areas/entryIcon/entryIcon.ts'
import { pageTypes } from '#src/areas/scheme/blocks.ts'
import { placed, read } from '#src/contract/call.ts'
import { audience, linkParams } from '#src/contract/link.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
import { id, keysOf, text, unix, version } from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'

const position = keysOf(entryPositions)
/** Entries stand beside each other in one position of one city. */
const place = { city_id: id, position: position.default('grid') }
export const entryRow = z.object({
  id,
  city_id: id,
  position,
  title: z.string(),
  icon: z.string(),
  page_link_id: id,
  link_params: linkParams,
  link_name: z.string(),
  /** Its link leads somewhere in its city. */
  link_ok: z.boolean(),
  badge: z.string(),
  badge_until: unix.nullable(),
  badge_on: z.boolean(),
  audience,
  start_at: unix.nullable(),
  end_at: unix.nullable(),
  status: keysOf<EntryState>(entryStates),
  off_reason: z.string(),
  is_live: z.boolean(),
  clicks_7d: z.int(),
  /** What runs in the city now and leads to the same. */
  campaigns: z.array(z.object({ kind: z.enum(['banner', 'act_area']), title: z.string() })),
  version,
})
export type EntryRow = z.output<typeof entryRow>
export const schemeRow = z.object({
  id,
  type: keysOf(pageTypes),
  /** Null of a page that every city has in common, such as a brand’s. */
  city_id: id.nullable(),
  category_id: z.int(),
  brand_id: z.int(),
  name: z.string(),
  /** The number of the version that is live. */
  live_no: z.int().nullable(),
  has_draft: z.boolean(),
  draft_by: z.string(),
  scheduled_at: unix.nullable(),
  updated_at: unix,
  version,
})
export type SchemeRow = z.output<typeof schemeRow>

const title = text(TITLE_WIDTH).refine(typed => titleFault(typed) === undefined, {
  message: joined(titleFault('字'.repeat(TITLE_WIDTH))!),
})
const badge = text(BADGE_WIDTH, 0).refine(typed => badgeFault(typed) === undefined, {
  message: joined(badgeFault('字'.repeat(BADGE_WIDTH))!),
})
/** Null: at once, for good. */
const period = { start_at: unix.nullable(), end_at: unix.nullable() }
const own = { title, icon: text(255), page_link_id: id }

const call = callsOf('config/entry', { touches: ['entry_icon'], rows: 'entry_icon' })
const ofCity = placed('entry_icon', { city_id: 'city' })
const view = 'config.entry.view'

/** The entries of a city's home, and the designs of the pages behind them. */
export const entry = {
  lst: call.read('lst', ['首页入口', 'Home entries'], {
    input: z.object(place),
    output: z.object({ list: z.array(entryRow), list_version: z.int() }),
    touches: ['entry_icon', 'page_link', 'banner', 'city_setting', 'store', 'mall', 'product'],
    scope: ofCity,
    permit: view,
  }),
  /** Pages that somebody has begun to design, by type: a city’s own, and those of no city. */
  schemes: call.lists('schemes', ['页面方案', 'Page designs'], {
    filters: { city_id: id },
    row: schemeRow,
    touches: ['page_scheme'],
    scope: placed('page_scheme', { city_id: 'city' }),
    permit: view,
  }),
  create: call.creates('create', ['新增入口', 'New entry'], {
    fields: {
      ...place,
      ...own,
      link_params: linkParams.default({}),
      audience: audience.default({}),
      start_at: period.start_at.default(null),
      end_at: period.end_at.default(null),
    },
    scope: ofCity,
  }),
  edit: call.changes('edit', ['编辑入口', 'Edit an entry'], {
    fields: z.object({ ...own, link_params: linkParams, audience, ...period }).partial().shape,
  }),
  sort: call.sorts('sort', ['调整入口顺序', 'Arrange entries'], {
    fields: place,
    most: ENTRIES_MOST,
    scope: ofCity,
  }),
  /** An empty text takes the badge away. */
  setBadge: call.changes('setBadge', ['设置角标', 'Set a badge'], {
    fields: { text: badge, until: unix.optional() },
  }),
  online: call.changes('online', ['上线入口', 'Take an entry online']),
  /** `anyway`: although something that runs now leads to the same. */
  offline: call.changes('offline', ['下线入口', 'Take an entry offline'], {
    fields: { reason, anyway: z.boolean().default(false) },
  }),
  /** Copies are offline at the end of the same position; what can't go somewhere is listed. */
  copyToCities: call.write('copyToCities', ['复制入口到城市', 'Copy entries to cities'], {
    input: z.object({
      ids: z.array(id).min(1).max(ENTRIES_MOST),
      city_ids: z.array(id).min(1).max(100),
    }),
    output: z.object({
      copied: z.int(),
      skipped: z.array(
        z.object({ id, title: z.string(), city_id: id, city_name: z.string(), why: z.string() }),
      ),
    }),
    scope: placed('entry_icon', { ids: 'entry_icon', city_ids: 'city' }),
  }),
  /** Begins the draft of a page that a city has one of. */
  newScheme: call.write('newScheme', ['起草页面方案', 'Begin a page design'], {
    input: z.object({ type: keysOf(pageTypes), city_id: id }),
    output: z.object({ ...one, type: keysOf(pageTypes), city_id: id }),
    touches: ['page_scheme'],
    scope: placed('page_scheme', { city_id: 'city' }),
  }),
  del: call.deletes('del', ['删除入口', 'Delete an entry']),
  /** For the app: the entries that a city shows now and that lead somewhere. */
  shown: read('config/entries', ['首页入口', 'Home entries'], {
    input: z.object(place),
    output: z.object({
      list: z.array(
        z.object({
          id,
          title: z.string(),
          icon: z.string(),
          badge: z.string(),
          page_link_id: id,
          link_params: linkParams,
          audience,
        }),
      ),
    }),
    touches: ['entry_icon', 'page_link'],
    scope: { none: 'What a home shows is told to everybody' },
    permit: 'public',
  }),
}
