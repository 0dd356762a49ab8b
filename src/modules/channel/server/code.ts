import { and, asc, eq, ilike, inArray, or, sql } from 'drizzle-orm'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import {
  codeHealth,
  codeKinds,
  codeStates,
  peopleOf,
  scanPath,
  type CodeBody,
} from '#src/areas/channelCode/channelCode.ts'
import {
  codeList,
  countHealth,
  groupsOf,
  shownPeople,
  weekOf,
  type CodeFilters,
} from '#src/areas/channelCode/codeRows.server.ts'
import { MEMBERS_MOST } from '#src/areas/channelCode/codeRules.ts'
import {
  addDraft,
  codeFor,
  codes,
  needCan,
  publishBody,
  saveDraft,
  writtenOf,
  type Code,
} from '#src/areas/channelCode/codes.server.ts'
import { ableOfMall, needSound } from '#src/areas/channelCode/codeSaving.server.ts'
import { refreshCodes } from '#src/areas/channelCode/duties.server.ts'
import { codePicture } from '#src/areas/channelCode/pictures.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { mallsNamed } from '#src/areas/wecom/places.server.ts'
import { staffSeen } from '#src/areas/wecom/staff.server.ts'
import { pickTags } from '#src/areas/wecom/tags.server.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { say } from '#src/domain/text.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, holding } from '#src/server/call/record.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { needsNoScope, within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { channelCodes as contract } from '../contract/code.ts'

type Handlers = { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
type Paged = { page: number; pageSize: number }
const offsetOf = ({ page, pageSize }: Paged) => (page - 1) * pageSize

const reads = {
  lst: async (input, context) => ({
    ...(await codeList.page(input, context)),
    stat: await countHealth(context.db, context.staff),
  }),
  side: async ({ id }, { db, staff, now }) => {
    const code = await codes.read(db, staff, id)
    const { from, rows } = await weekOf(db, code, now)
    return {
      body: code.body,
      people: await shownPeople(db, peopleOf(code.body), {
        state_key: code.state_key,
        lang: staff.lang,
        now,
      }),
      days: Array.from({ length: 7 }, (_, n) => {
        const of = rows.find(row => row.n === n)
        return {
          day: dateOf(from + n * DAY),
          scans: of?.scans ?? 0,
          adds: of?.adds ?? 0,
          lost: of?.lost ?? 0,
        }
      }),
    }
  },
  groups: async (_, { db, staff }) => ({ list: await groupsOf(db, staff) }),
  staff: async ({ keyword, able, ...paged }, { db, staff }) => {
    const s = wecom_staff
    const where = and(
      staffSeen(staff),
      able === undefined
        ? undefined
        : sql`(${s.status} = 'active' and ${s.is_verified} and ${s.has_contact_right}) = ${able}`,
      keyword ? or(ilike(s.name, like(keyword)), ilike(s.userid, like(keyword))) : undefined,
    )
    const list = await db
      .select({
        id: s.id,
        name: s.name,
        userid: s.userid,
        place: mallsNamed(s.mall_ids, staff.lang),
      })
      .from(s)
      .where(where)
      .orderBy(asc(s.id))
      .limit(paged.pageSize)
      .offset(offsetOf(paged))
    return { list, ...(await countOf(db, s, where)) }
  },
  tags: async (asked, { db, staff }) => {
    needsNoScope(staff)
    return pickTags(asked, { db })
  },
  stores: async ({ keyword, mall_id, ...paged }, { db, staff }) => {
    const where = and(
      eq(store.kind, 'offline'),
      mall_id === undefined ? undefined : eq(store.mall_id, mall_id),
      holding(keyword, [store.name, store.store_no]),
      within(staff.scope, { city: store.city_id, mall: store.mall_id }),
    )
    const list = await db
      .select({
        id: store.id,
        name: store.name,
        mall: sql<string>`coalesce(${mall.name}, '')`,
      })
      .from(store)
      .leftJoin(mall, eq(mall.id, store.mall_id))
      .where(where)
      .orderBy(asc(store.id))
      .limit(paged.pageSize)
      .offset(offsetOf(paged))
    return { list, ...(await countOf(db, store, where)) }
  },
  pictures: async ({ ids, origin, size, format }, { db, staff }) => {
    if (!/^https?:\/\/[\w.-]+(?::\d+)?$/.test(origin))
      throw invalid({ origin: ['地址须为 https:// 开头的域名', 'An address such as https://…'] })
    const rows = await db
      .select({ id: channel_code.id, name: channel_code.name, state: channel_code.state_key })
      .from(channel_code)
      .where(
        and(
          inArray(channel_code.id, ids),
          sql`${channel_code.config_id} is not null`,
          codes.seen(staff),
        ),
      )
      .orderBy(asc(channel_code.id))
    const list = []
    for (const { id, name, state } of rows) {
      const link = `${origin}${scanPath(state)}`
      list.push({ id, name, link, image: await codePicture(link, { size, format }) })
    }
    return { list }
  },
} satisfies Partial<Handlers>

/** Puts a body of a code on its way, or keeps it as the draft where nothing of it holds yet. */
const rewrite = async (context: WriteContext, code: Code, body: CodeBody): Promise<Code> => {
  if (code.rev === 0) return saveDraft(context, code, body)
  await needSound(context, body, code.body)
  return publishBody(context, code, body)
}
const replaced = (body: CodeBody, from: string, to: string): CodeBody => {
  const turn = (one: string) => (one === from ? to : one)
  return {
    ...body,
    members: body.members.map(one => ({ ...one, userid: turn(one.userid) })),
    shifts: body.shifts.map(one => ({ ...one, userids: one.userids.map(turn) })),
    backup_userids: body.backup_userids.map(turn),
  }
}
const replaceIn = async (
  context: WriteContext,
  id: number,
  { from, to }: { from: { userid: string; name: string }; to: { userid: string; name: string } },
) => {
  const code = await codes.lock(context, id)
  needCan('batchMember', code)
  const body = writtenOf(code)
  const people = peopleOf(body)
  if (!people.includes(from.userid))
    throw ruled('not_in', ['活码中没有成员“{who}”', '{who} is not in this code'], {
      who: from.name,
    })
  if (people.includes(to.userid))
    throw ruled('is_in', ['活码中已有成员“{who}”', '{who} is in this code already'], {
      who: to.name,
    })
  const after = await rewrite(context, code, replaced(body, from.userid, to.userid))
  codes.log(context, after, { after: { from: from.name, to: to.name } })
}
/** A code for a store after a template, which the store's own advisers answer. */
const createFor = async (context: WriteContext, store_id: number, template: Code) => {
  const { tx, staff } = context
  const [at] = await tx
    .select({ id: store.id, name: store.name, mall_id: store.mall_id })
    .from(store)
    .where(
      and(
        eq(store.id, store_id),
        within(staff.scope, { city: store.city_id, mall: store.mall_id }),
      ),
    )
  if (!at) throw missing()
  const found =
    at.mall_id === 0
      ? []
      : await ableOfMall(context, at.mall_id, template.kind === 'single' ? 1 : MEMBERS_MOST)
  if (found.length === 0)
    throw ruled('no_staff', ['门店“{name}”没有可接待的成员', '{name} has nobody to receive'], {
      name: at.name,
    })
  const model = writtenOf(template)
  const ids = found.map(one => one.userid)
  const body: CodeBody = {
    ...model,
    name: at.name.slice(0, 40),
    mall_id: at.mall_id,
    store_id: at.id,
    cost_cents: 0,
    members: ids.map(userid => ({
      userid,
      weight: 1,
      day_cap: model.members[0]?.day_cap ?? null,
    })),
    // Shifts name people of the template, who are others here.
    shifts: [],
    backup_userids: model.backup_userids.filter(one => !ids.includes(one)),
  }
  await needSound(context, body, model)
  const code = await addDraft(context, body)
  await publishBody(context, code, body)
}
const colleague = async ({ tx }: WriteContext, id: number) => {
  const [row] = await tx
    .select({ userid: wecom_staff.userid, name: wecom_staff.name })
    .from(wecom_staff)
    .where(eq(wecom_staff.id, id))
  if (!row) throw missing()
  return row
}
const copied = (body: CodeBody): CodeBody => ({
  ...body,
  name: `${body.name.slice(0, 37)} 副本`,
  cost_cents: 0,
})

const handlers = {
  ...reads,
  copy: async (one, context) => {
    const code = await codes.held(context, one)
    return addDraft(context, copied(writtenOf(code)))
  },
  batchCreate: async ({ store_ids, template_id }, context) => {
    const template = await codes.read(context.tx, context.staff, template_id)
    return eachRow(context, store_ids, (inside, id) => createFor(inside, id, template))
  },
  pause: async (one, context) => {
    const code = await codeFor(context, 'pause', one)
    return codes.save(context, code, { status: 'paused' })
  },
  resume: async ({ end_at, ...one }, context) => {
    const code = await codeFor(context, 'resume', one)
    const until = end_at ?? code.end_at
    if (until !== null && until <= context.now)
      throw invalid({
        end_at: ['结束时间已过，请设置新的结束时间', 'Its end is over: set a new one'],
      })
    const { body } = code
    const after = await codes.save(context, code, {
      status: 'enabled',
      end_at: until,
      body: { ...body, end_at: until },
      way_next_at: context.now,
    })
    await refreshCodes(context.tx, context.now, [code.id])
    context.changed('channel_way')
    return after
  },
  archive: async ({ reason, ...one }, context) => {
    const code = await codeFor(context, 'archive', one)
    return codes.save(
      context,
      code,
      { status: 'archived', reason, health: 'ok', way_next_at: null, way_check: false },
      reason,
    )
  },
  batchMember: async ({ ids, from, to }, context) => {
    const people = { from: await colleague(context, from), to: await colleague(context, to) }
    return eachRow(context, ids, (inside, id) => replaceIn(inside, id, people))
  },
  moveGroup: async ({ ids, group }, context) =>
    eachRow(context, ids, async (inside, id) => {
      const code = await codes.lock(inside, id)
      needCan('moveGroup', code)
      const { body, draft } = code
      return codes.save(inside, code, {
        group_name: group,
        body: { ...body, group_name: group },
        ...(draft && { draft: { ...draft, group_name: group } }),
      })
    }),
  sync: async ({ ids }, context) =>
    eachRow(context, ids, async (inside, id) => {
      const code = await codes.lock(inside, id)
      needCan('sync', code)
      const after = await codes.set(inside, code, {
        way_check: true,
        way_next_at: inside.now,
        way_tries: 0,
      })
      codes.log(inside, after, { after: { synced: true } })
      inside.changed('channel_way')
    }),
  export: exporting(codeList, {
    page: 'channel.code',
    title: ['渠道活码', 'Channel codes'],
    permit: contract.export.permit,
    columns: [
      { key: 'name', title: ['名称', 'Name'] },
      { key: 'group_name', title: ['分组', 'Group'] },
      { key: 'kind', title: ['类型', 'Kind'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'health', title: ['健康', 'Health'] },
      { key: 'mall_name', title: ['商场', 'Mall'] },
      { key: 'store_name', title: ['门店', 'Store'] },
      { key: 'duty', title: ['当前接待', 'On duty'] },
      { key: 'backups', title: ['备用成员', 'Backups'] },
      { key: 'tags', title: ['自动标签', 'Tags'] },
      { key: 'scans_today', title: ['今日扫码', 'Scans today'], kind: 'number' },
      { key: 'adds_today', title: ['今日新增', 'Adds today'], kind: 'number' },
      { key: 'lost_today', title: ['今日流失', 'Lost today'], kind: 'number' },
      { key: 'adds_total', title: ['累计新增', 'Total adds'], kind: 'number' },
      { key: 'cost_per_add', title: ['单个新增成本', 'Cost per add'], kind: 'money' },
      { key: 'start_at', title: ['开始时间', 'From'], kind: 'time' },
      { key: 'end_at', title: ['结束时间', 'Until'], kind: 'time' },
    ],
    words: (of: CodeFilters, lang) => [
      of.status && say(codeStates[of.status], lang),
      of.health && say(codeHealth[of.health], lang),
      of.group,
      of.keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      kind: say(codeKinds[row.kind], lang),
      status: say(codeStates[row.status], lang),
      health: say(codeHealth[row.health], lang),
    }),
  }),
} satisfies Handlers

export const channelCodesServer = implement(contract, handlers)
