import { and, ne, sql } from 'drizzle-orm'
import { tagsNamed } from '#src/areas/wecom/customers.server.ts'
import { moveOwner, planGroupMass } from '#src/areas/wecom/groupActs.server.ts'
import {
  countGroupTabs,
  groupLists,
  groups,
  heldGroup,
  type GroupFilters,
} from '#src/areas/wecom/groupDesk.server.ts'
import { freeChats, pickChats, pickOwners } from '#src/areas/wecom/groupPicks.server.ts'
import { groupTabs, ROOM_LOW } from '#src/areas/wecom/groups.ts'
import { readJoinWays, sendJoinWays, turnJoinWays } from '#src/areas/wecom/joinClock.server.ts'
import { joinsOf, setJoinWay } from '#src/areas/wecom/joinWays.server.ts'
import { refuseTime } from '#src/areas/wecom/masses.server.ts'
import { beginSync, lastRuns } from '#src/areas/wecom/runs.server.ts'
import { pickTags } from '#src/areas/wecom/tags.server.ts'
import { groupStates } from '#src/areas/wecom/wecom.ts'
import { wecom_group } from '#src/areas/wecom/wecomGroup.table.ts'
import { comma, joinedNames, say } from '#src/domain/text.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { exporting, faultless } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { needsNoScope } from '#src/server/call/scope.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { groupsPage as contract } from '../contract/weChatGroupManage.ts'

type Handlers = { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
const reads = {
  lst: async ({ page, pageSize, sort, ...filters }, context) => ({
    ...(await groupLists[sort ?? 'id'].page({ page, pageSize, ...filters }, context)),
    stat: await countGroupTabs(context.db, context.staff, context.now),
  }),
  state: async (_, { db, staff }) => {
    needsNoScope(staff)
    return lastRuns(db, 'groups')
  },
  owners: (asked, { db, staff }) => pickOwners(asked, { db, staff }),
  tags: async (asked, { db, staff }) => {
    needsNoScope(staff)
    return pickTags(asked, { db })
  },
  nexts: async ({ of, ...paged }, { db, staff }) => {
    const g = wecom_group
    const row = of === undefined ? undefined : await groups.find(db, staff, of)
    const own = row && (await joinsOf(db, [row.id])).get(row.id)
    const where = and(
      row && ne(g.id, row.id),
      row && sql`${g.mall_id} is not distinct from ${row.mall_id}`,
      sql`${g.max_members} - ${g.member_count} > ${ROOM_LOW}`,
      freeChats(own?.way_id ?? 0),
    )
    return pickChats({ ...paged, where }, { db, staff })
  },
} satisfies Partial<Handlers>

const handlers = {
  ...reads,
  sync: async (_, context) => {
    needsNoScope(context.staff)
    return beginSync(context, 'groups')
  },
  // Whoever hands chats over holds the receiver first, and the chats after that.
  inherit: async ({ to_staff_id, ...one }, context) =>
    moveOwner(context, await heldGroup(context, 'inherit', one, { fast: false }), {
      to_staff_id,
      reason: '',
    }),
  changeOwner: async ({ to_staff_id, reason, ...one }, context) =>
    moveOwner(context, await heldGroup(context, 'changeOwner', one, { fast: false }), {
      to_staff_id,
      reason,
    }),
  setJoinCode: async ({ auto_create, room_base_name, next_ids, ...one }, context) => {
    const was = await heldGroup(context, 'setJoinCode', one)
    faultless(context.staff, {
      room_base_name:
        auto_create && room_base_name === ''
          ? ['自动建群须填写新群名称', 'Say what further chats are called']
          : undefined,
    })
    const way = await setJoinWay(context, was, {
      auto_create,
      base_name: auto_create ? room_base_name : '',
      next_ids,
    })
    groups.log(context, was, {
      after: {
        join_code: way.config_id ?? say(['新建', 'New'], context.staff.lang),
        auto_create,
        ...(auto_create && { room_base_name }),
      },
    })
    return groups.set(context, was, {})
  },
  bindMall: async ({ mid, ...one }, context) => {
    const was = await heldGroup(context, 'bindMall', one)
    if (was.mall_id === mid) throw ruled('same_mall', ['已关联该商场', 'It is bound to that mall'])
    return groups.save(context, was, { mall_id: mid })
  },
  sendMass: async ({ content, schedule_at, ...one }, context) => {
    refuseTime(schedule_at, context.now)
    const was = await heldGroup(context, 'sendMass', one)
    const send_at = schedule_at ?? context.now
    const planned = await planGroupMass(context, was, { content, send_at })
    groups.log(context, was, { after: { mass: content.slice(0, 60), send_at } })
    return { ...(await groups.set(context, was, {})), ...planned }
  },
  tagGroup: async ({ tag_ids, ...one }, context) => {
    const was = await heldGroup(context, 'tagGroup', one)
    const ids = [...new Set(tag_ids)]
    const tags = await tagsNamed(context.tx, [...ids, ...was.tag_ids])
    // What the chat has already stays, also where WeCom knows the tag no more.
    if (ids.some(id => !was.tag_ids.includes(id) && tags.get(id)?.status !== 'active'))
      throw ruled('tag_invalid', [
        '所选标签在企微已失效，请刷新后重选',
        'WeCom knows one of the tags no more: choose again',
      ])
    const named = (of: readonly number[]) => joinedNames(of.flatMap(id => tags.get(id)?.name ?? []))
    const after = await groups.set(context, was, { tag_ids: ids })
    groups.log(context, after, {
      before: { group_tags: named(was.tag_ids) },
      after: { group_tags: named(ids) },
    })
    return after
  },
  export: exporting(groupLists.id, {
    page: 'vip.weChatGroupManage',
    title: ['会员社群', 'Member groups'],
    permit: contract.export.permit,
    columns: [
      { key: 'name', title: ['群名', 'Chat'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'health', title: ['异常', 'Issue'] },
      { key: 'owner_name', title: ['群主', 'Owner'] },
      { key: 'mall_name', title: ['商场', 'Mall'] },
      { key: 'member_count', title: ['人数', 'People'], kind: 'number' },
      { key: 'max_members', title: ['上限', 'At most'], kind: 'number' },
      { key: 'customer_count', title: ['客户', 'Customers'], kind: 'number' },
      { key: 'matched_count', title: ['会员', 'Members'], kind: 'number' },
      { key: 'ordered_30d', title: ['近 30 天下单会员', 'Ordered, 30 d'], kind: 'number' },
      { key: 'joins_7d', title: ['近 7 天入群', 'Joined, 7 d'], kind: 'number' },
      { key: 'leaves_7d', title: ['近 7 天退群', 'Left, 7 d'], kind: 'number' },
      { key: 'mass_count', title: ['本月群发', 'Messages this month'], kind: 'number' },
      { key: 'tag_names', title: ['群标签', 'Tags'] },
      { key: 'last_active_at', title: ['最近消息', 'Last message'], kind: 'time' },
      { key: 'opened_at', title: ['建群时间', 'Created'], kind: 'time' },
    ],
    words: (of: GroupFilters, lang) => [
      of.status && say(groupStates[of.status], lang),
      of.quick && say(groupTabs[of.quick], lang),
      of.keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      status: say(groupStates[row.status], lang),
      health: row.faults.map(fault => say(groupTabs[fault], lang)).join(say(comma, lang)),
      owner_name: row.owner?.name ?? '',
      tag_names: row.tags.map(tag => tag.name).join(say(comma, lang)),
    }),
  }),
} satisfies Handlers

export const groupsServer = implement(contract, handlers)

/** Codes turn to the next chat once theirs has no room, and WeCom is told of what was set. */
defineTimer(
  'wecom.joinWays',
  '* * * * *',
  async ({ database, install, now }) => {
    const running = { database, client: install.wecom, now }
    const read = await readJoinWays(running)
    const turned = await turnJoinWays(running)
    const sent = await sendJoinWays(running)
    return read + turned + sent > 0 ? ['wecom_group', 'wecom_join'] : []
  },
  ['wecom_join'],
)
