import { and, asc, eq, ilike, inArray, sql } from 'drizzle-orm'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { scanPath } from '#src/areas/channelCode/channelCode.ts'
import { codes } from '#src/areas/channelCode/codes.server.ts'
import { codePicture } from '#src/areas/channelCode/pictures.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { groups } from '#src/areas/wecom/groupDesk.server.ts'
import { chatsOfWay, freeChats, pickChats } from '#src/areas/wecom/groupPicks.server.ts'
import { joinStates } from '#src/areas/wecom/groups.ts'
import {
  addChats,
  addJoin,
  archiveJoin,
  editJoin,
  pauseJoin,
  resumeJoin,
  sortChats,
  switchTo,
} from '#src/areas/wecom/joinActs.server.ts'
import { joinCan, joinFaults } from '#src/areas/wecom/joinCodes.ts'
import {
  countJoinTabs,
  joinList,
  joins,
  staffCodes,
  type JoinFilters,
} from '#src/areas/wecom/joinDesk.server.ts'
import { wecom_group } from '#src/areas/wecom/wecomGroup.table.ts'
import { wecom_join_way } from '#src/areas/wecom/wecomJoin.table.ts'
import { percent } from '#src/domain/money.ts'
import { comma, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type Staff } from '#src/server/call/implement.ts'
import { exporting } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { joinCodes as contract } from '../contract/customerGroup.ts'

type Handlers = { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
type With = { way_id?: number | undefined; with_id?: number | undefined }
/** The mall of a code or a chat that the person sees; undefined where neither is named. */
const mallOf = async (
  db: Db,
  staff: Staff,
  { way_id, with_id }: With,
): Promise<number | null | undefined> => {
  const way = way_id === undefined ? undefined : await joins.find(db, staff, way_id)
  if (way) return way.mall_id
  const chat = with_id === undefined ? undefined : await groups.find(db, staff, with_id)
  return chat?.mall_id
}
const reads = {
  lst: async (input, context) => ({
    ...(await joinList.page(input, context)),
    stat: await countJoinTabs(context.db, context.staff),
  }),
  chats: async ({ way_id, with_id, inside, ...paged }, { db, staff }) => {
    const own = way_id ?? 0
    const mall_id = await mallOf(db, staff, { way_id, with_id })
    const where = inside
      ? chatsOfWay(own)
      : and(
          freeChats(own),
          sql`not ${chatsOfWay(own)}`,
          mall_id === undefined
            ? undefined
            : sql`${wecom_group.mall_id} is not distinct from ${mall_id}`,
        )
    return pickChats({ ...paged, where }, { db, staff })
  },
  staffCodes: async ({ page, pageSize, keyword, ...of }, { db, staff }) => {
    const c = channel_code
    const where = and(
      codes.seen(staff),
      staffCodes({ mall_id: await mallOf(db, staff, of) }),
      keyword ? ilike(c.name, like(keyword)) : undefined,
    )
    const list = await db
      .select({ id: c.id, name: c.name, mall_name: sql<string>`coalesce(${mall.name}, '')` })
      .from(c)
      .leftJoin(mall, eq(mall.id, c.mall_id))
      .where(where)
      .orderBy(asc(c.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, c, where)) }
  },
  pictures: async ({ ids, origin, size, format }, { db, staff }) => {
    if (!/^https?:\/\/[\w.-]+(?::\d+)?$/.test(origin))
      throw invalid({ origin: ['地址须为 https:// 开头的域名', 'An address such as https://…'] })
    const t = wecom_join_way
    const rows = await db
      .select({ id: t.id, name: t.name, state: t.state_key })
      .from(t)
      .where(and(inArray(t.id, ids), sql`${t.config_id} is not null`, joins.seen(staff)))
      .orderBy(asc(t.id))
    const list = []
    for (const { id, name, state } of rows) {
      const link = `${origin}${scanPath(state)}`
      list.push({ id, name, link, image: await codePicture(link, { size, format }) })
    }
    return { list }
  },
} satisfies Partial<Handlers>

const handlers = {
  ...reads,
  create: (of, context) => addJoin(context, of),
  edit: ({ id, version, ...of }, context) => editJoin(context, { id, version }, of),
  addChat: ({ chat_ids, ...one }, context) => addChats(context, one, chat_ids),
  sortChat: ({ ids, ...one }, context) => sortChats(context, one, ids),
  switchNow: ({ chat_id, ...one }, context) => switchTo(context, one, chat_id),
  pause: (one, context) => pauseJoin(context, one),
  resume: (one, context) => resumeJoin(context, one),
  archive: ({ reason, ...one }, context) => archiveJoin(context, one, reason),
  sync: async ({ ids }, context) =>
    eachRow(context, ids, async (inside, id) => {
      const was = await joins.lock(inside, id)
      const may = joinCan('sync', { status: was.status, has_qr: was.qr_url !== '', chats: [] })
      if (may !== true) throw ruled('join_sync', may)
      const after = await joins.set(inside, was, { read_next_at: inside.now })
      joins.log(inside, after, { after: { synced: true } })
    }),
  export: exporting(joinList, {
    page: 'channel.customerGroup',
    title: ['群活码', 'Group-join codes'],
    permit: contract.export.permit,
    columns: [
      { key: 'name', title: ['名称', 'Name'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'health', title: ['异常', 'Issue'] },
      { key: 'mall_name', title: ['商场', 'Mall'] },
      { key: 'current_name', title: ['当前群', 'Current chat'] },
      { key: 'rotation', title: ['轮换群', 'Chats'] },
      { key: 'auto', title: ['自动建群', 'Creates chats'] },
      { key: 'room_low', title: ['切换线（剩余空位）', 'Switch at (places left)'], kind: 'number' },
      { key: 'joins_7d', title: ['近 7 天入群', 'Joined, 7 d'], kind: 'number' },
      { key: 'leaves_7d', title: ['近 7 天退群', 'Left, 7 d'], kind: 'number' },
      { key: 'stay', title: ['7 天留存率', 'Stayed'] },
      { key: 'offer_name', title: ['满员时引导', 'Fallback when full'] },
      { key: 'created_at', title: ['创建时间', 'Made'], kind: 'time' },
    ],
    words: (of: JoinFilters, lang) => [
      of.status && say(joinStates[of.status], lang),
      of.quick && say(joinFaults[of.quick], lang),
      of.keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      status: say(joinStates[row.status], lang),
      health: row.faults.map(fault => say(joinFaults[fault], lang)).join(say(comma, lang)),
      current_name: row.chats.find(one => one.is_current)?.name ?? '',
      rotation: row.chats
        .map(one => `${one.name} ${one.member_count}/${one.max_members}`)
        .join(say(comma, lang)),
      auto: row.auto_create ? `${row.base_name}${row.base_id}` : say(['否', 'No'], lang),
      stay: row.joined_n === 0 ? '' : percent(Math.round((row.stayed_n / row.joined_n) * 10_000)),
      offer_name: row.offer?.name ?? '',
    }),
  }),
} satisfies Handlers

export const joinCodesServer = implement(contract, handlers)
