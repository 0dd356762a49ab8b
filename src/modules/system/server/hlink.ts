import { and, eq } from 'drizzle-orm'
import { page_link } from '#src/areas/content/content.table.ts'
import { healthOfOne, readLinkSettings, type PageLink } from '#src/areas/link/links.server.ts'
import {
  countUses,
  keepsLive,
  replaceUses,
  usesOf,
  type LinkUse,
} from '#src/areas/link/linkUses.server.ts'
import {
  linkFaults,
  linkHealths,
  linkTypes,
  paramsKey,
  paramsLine,
  type LinkHealth,
} from '#src/areas/link/pageLink.ts'
import { switches } from '#src/areas/people/people.ts'
import { saidInBoth, say, type Lang, type Text } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import {
  equal,
  exporting,
  faultless,
  holding,
  listing,
  record,
  reverting,
  turning,
  unlessTaken,
} from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { hlink as contract } from '../contract/hlink.ts'

type Fields = Pick<PageLink, 'name' | 'type' | 'path' | 'params' | 'appid'>
type Filters = { keyword?: string } & Partial<Pick<PageLink, 'type' | 'health' | 'status'>>
const edited = ['name', 'type', 'path', 'params', 'appid'] as const

const links = record(page_link, {
  object: 'page_link',
  label: row => row.name,
  keys: [...edited, 'status'],
  places: 'all',
})
const list = listing(links, {
  by: page_link.id,
  down: true,
  where: ({ keyword, ...filters }: Filters) =>
    and(
      holding(keyword, [page_link.name, page_link.path], page_link.id),
      equal(page_link, filters),
    ),
  shown: async (db, rows, { now }) => {
    const ids = rows.map(row => row.id)
    const uses = await countUses(db, ids, now)
    return rows.map(row => ({
      ...row,
      used_count: uses.get(row.id)?.used ?? 0,
      live_count: uses.get(row.id)?.live ?? 0,
    }))
  },
})
const told = (uses: readonly LinkUse[], lang: Lang) =>
  uses.map(use => ({ ...use, kind: say(use.kind, lang) }))

/** What a row holds of an address: sound, looked at, and of no other link. */
const columnsOf = async ({ tx, staff, now }: WriteContext, of: Fields) => {
  const { domains } = await readLinkSettings(tx)
  faultless(staff, linkFaults(of, domains))
  const { health } = await healthOfOne(tx, { ...of, status: 'on' }, {}, now)
  return {
    ...of,
    params_key: paramsKey(of.params),
    health: of.type === 'mini_program' ? ('unknown' as const) : health,
    checked_at: now,
  }
}
const once = <T>({ staff }: WriteContext, { path }: Fields, run: Promise<T>): Promise<T> =>
  unlessTaken(run, () =>
    ruled(
      'link_exists',
      ['该路径与参数的链接已存在', 'There is a link of that path and those parameters'],
      {},
      { fields: { path: say(['已存在：{path}', 'Taken: {path}'], staff.lang, { path }) } },
    ),
  )

const unknown: Text = ['其他小程序无法检测', 'Another mini-program can’t be checked']
/** Looks whether the link leads somewhere and keeps what was found; a dead one stays in the library. */
const look = async (context: WriteContext, id: number) => {
  const { tx, now, staff } = context
  const row = await links.read(tx, staff, id)
  const { health, note } = await healthOfOne(tx, { ...row, status: 'on' }, {}, now)
  const found: LinkHealth = health === 'ok' && row.type === 'mini_program' ? 'unknown' : health
  // Looking changes nothing that an editor could overwrite: the version stays.
  await tx.update(page_link).set({ health: found, checked_at: now }).where(eq(page_link.id, id))
  if (found !== row.health)
    links.log(context, row, { before: { health: row.health }, after: { health: found } })
  return {
    id,
    health: found,
    note: say(found === 'unknown' ? unknown : note, staff.lang),
    version: row.version,
  }
}
/** Gives all that uses a link another one, which must lead somewhere. */
const replace = async (context: WriteContext, from: PageLink, to_id: number, reason: string) => {
  const { tx, now, staff, log } = context
  faultless(staff, {
    new_link_id: to_id === from.id ? ['请选择另一个链接', 'Choose another link'] : undefined,
  })
  const [to] = await tx.select().from(page_link).where(eq(page_link.id, to_id)).for('share')
  if (!to) throw missing()
  const { health, note } = await healthOfOne(tx, to, {}, now)
  if (health !== 'ok')
    throw ruled('link_target_gone', [
      `新链接不可用：${note[0]}`,
      `The new link leads nowhere: ${note[1]}`,
    ])
  const uses = await replaceUses(context, from, to, reason)
  for (const use of uses)
    log({
      object_type: 'page_link_use',
      object_id: use.id,
      object_label: saidInBoth(lang => `${say(use.kind, lang)} ${use.label}`),
      before: { page_link_id: from.id },
      after: { page_link_id: to.id },
      reason,
    })
  return uses
}

const handlers = {
  lst: list.page,
  create: async (fields, context) =>
    once(context, fields, links.add(context, await columnsOf(context, fields))),
  edit: async ({ id, version, ...fields }, context) => {
    const was = await links.held(context, { id, version })
    const columns = await columnsOf(context, fields)
    await keepsLive(context.tx, was, { ...fields, status: was.status }, context.now)
    return once(context, fields, links.save(context, was, columns))
  },
  check: async ({ id }, context) => look(context, id),
  batchCheck: async ({ ids }, context) => {
    const found: LinkHealth[] = []
    const result = await eachRow(context, ids, async (one, id) => {
      found.push((await look(one, id)).health)
    })
    const count = (health: LinkHealth) => found.filter(one => one === health).length
    return { ...result, dead: count('dead'), off_shelf: count('off_shelf') }
  },
  whereUsed: async ({ id }, { db, staff, now }) => {
    await links.read(db, staff, id)
    const uses = told(await usesOf(db, id, now), staff.lang)
    return { list: uses, total: uses.length }
  },
  replace: async ({ id, new_link_id, reason }, context) => {
    const uses = await replace(context, await links.lock(context, id), new_link_id, reason)
    return { replaced: uses.length, uses: told(uses, context.staff.lang) }
  },
  disable: async ({ reason, new_link_id, ...one }, context) => {
    const { tx, now, staff } = context
    // Locked, so that nobody picks it between the look at its uses and its end.
    const was = await turning(links.heldFast(context, one), 'off')
    const live = (await usesOf(tx, was.id, now)).filter(use => use.live)
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
    const after = await links.save(context, was, { status: 'off' }, reason)
    return { ...after, replaced: uses.length }
  },
  enable: async (one, context) =>
    links.save(context, await turning(links.held(context, one), 'on'), { status: 'on' }),
  export: exporting(list, {
    page: 'system.hlink',
    title: ['页面链接库', 'Page links'],
    permit: contract.export.permit,
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
    words: ({ type, health, keyword }, lang) => [
      type && say(linkTypes[type], lang),
      health && say(linkHealths[health], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      type: say(linkTypes[row.type], lang),
      health: say(linkHealths[row.health], lang),
      status: say(switches[row.status], lang),
      params: paramsLine(row.params),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(links, [way(contract.edit, handlers.edit, edited)])

export const hlinkServer = implement(contract, handlers)
