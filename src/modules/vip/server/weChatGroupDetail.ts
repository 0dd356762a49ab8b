import { and, desc, eq } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import {
  askRemoval,
  boughtSince,
  markDoubles,
  massesMost,
  matchPeople,
  removalsOf,
} from '#src/areas/wecom/groupActs.server.ts'
import { groups, heldGroup, shownGroups } from '#src/areas/wecom/groupDesk.server.ts'
import {
  countPeople,
  movesOf,
  peopleList,
  scenesOf,
  suspectsOf,
  type PeopleFilters,
} from '#src/areas/wecom/groupPeople.server.ts'
import { memberTabs, STAT_DAYS } from '#src/areas/wecom/groups.ts'
import { switchesOf } from '#src/areas/wecom/joinDesk.server.ts'
import { transferRowsOf } from '#src/areas/wecom/transferRows.server.ts'
import { joinScenes, quitScenes } from '#src/areas/wecom/wecom.ts'
import {
  wecom_send_part,
  wecom_send_result,
  wecom_send_task,
} from '#src/areas/wecom/wecomSend.table.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Db, type Handler } from '#src/server/call/implement.ts'
import { exporting } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import { groupDetail as contract } from '../contract/weChatGroupDetail.ts'

/** The latest texts to a chat, each with what became of it. */
const massesOf = (db: Db, group_id: number) =>
  db
    .select({
      id: wecom_send_task.id,
      content: wecom_send_task.content,
      send_at: wecom_send_task.send_at,
      state: wecom_send_part.state,
      result: wecom_send_result.status,
      error: wecom_send_part.error,
      by: admin.name,
    })
    .from(wecom_send_result)
    .innerJoin(wecom_send_task, eq(wecom_send_task.id, wecom_send_result.task_id))
    .innerJoin(
      wecom_send_part,
      and(
        eq(wecom_send_part.task_id, wecom_send_result.task_id),
        eq(wecom_send_part.staff_id, wecom_send_result.staff_id),
      ),
    )
    .innerJoin(admin, eq(admin.id, wecom_send_task.created_by))
    .where(eq(wecom_send_result.group_id, group_id))
    .orderBy(desc(wecom_send_task.id))
    .limit(10)

const handlers = {
  facts: async ({ id }, { db, staff, now }) => {
    const was = await groups.read(db, staff, id)
    const [row] = await shownGroups(db, [was], now)
    const mine = within(staff.scope, { city: order.city_id, mall: order.mall_id })
    return {
      row: row!,
      parts: await countPeople(db, id),
      suspects: await suspectsOf(db, id),
      scenes: await scenesOf(db, id, now),
      bought: await boughtSince(db, id, { now, days: STAT_DAYS, mine }),
      masses: await massesOf(db, id),
      mass_most: massesMost(now),
      removals: await removalsOf(db, id),
      transfers: await transferRowsOf(db, { group_id: id }),
      switches: row!.join ? await switchesOf(db, row!.join.way_id) : [],
    }
  },
  moves: async ({ id, days }, { db, staff, now }) => {
    await groups.read(db, staff, id)
    return movesOf(db, id, { days: Number(days), now })
  },
  people: peopleList.page,
  editNotice: async ({ notice, ...one }, context) => {
    const was = await heldGroup(context, 'editNotice', one)
    return groups.save(context, was, { notice_draft: notice, notice_draft_at: context.now })
  },
  matchMembers: async (one, context) => {
    const was = await heldGroup(context, 'matchMembers', one)
    const found = await matchPeople(context.tx, was.id)
    groups.log(context, was, { after: { matched: found.matched } })
    return { ...(await groups.set(context, was, {})), ...found }
  },
  markDuplicate: async (one, context) => {
    const was = await heldGroup(context, 'markDuplicate', one)
    const found = await markDoubles(context.tx, was.id)
    groups.log(context, was, { after: { doubled: found.marked } })
    return { ...(await groups.set(context, was, {})), ...found }
  },
  removeRemind: async ({ member_ids, reason, ...one }, context) => {
    const was = await heldGroup(context, 'removeRemind', one)
    const { names, ...asked } = await askRemoval(context, was, { ids: member_ids, reason })
    groups.log(context, was, { after: { removal: names }, reason })
    return { ...(await groups.set(context, was, {})), ...asked }
  },
  export: exporting(peopleList, {
    page: 'vip.weChatGroupManage.detail',
    title: ['群成员', 'People of a chat'],
    permit: contract.export.permit,
    columns: [
      { key: 'name', title: ['群成员', 'Name'] },
      { key: 'kind', title: ['类型', 'Kind'] },
      { key: 'member_name', title: ['会员', 'Member'] },
      { key: 'uid', title: ['会员号', 'Number'] },
      { key: 'level', title: ['等级', 'Level'] },
      { key: 'join_scene', title: ['入群方式', 'Joined by'] },
      { key: 'inviter_name', title: ['邀请人', 'Invited by'] },
      { key: 'joined_at', title: ['入群时间', 'Joined'], kind: 'time' },
      { key: 'left_at', title: ['退群时间', 'Left'], kind: 'time' },
      { key: 'quit_scene', title: ['退群方式', 'How'] },
      { key: 'groups_n', title: ['所在其他群', 'Other chats'], kind: 'number' },
      { key: 'double', title: ['重复入群', 'In several'] },
    ],
    words: (of: PeopleFilters, lang) => [
      `#${of.group_id}`,
      of.part && say(memberTabs[of.part], lang),
      of.keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      kind: say(row.kind === 'staff' ? ['员工', 'Colleague'] : ['客户', 'Customer'], lang),
      member_name: row.member?.nickname ?? '',
      uid: row.member?.uid ?? '',
      level: row.member ? `V${row.member.level}` : '',
      join_scene: say(joinScenes[row.join_scene], lang),
      quit_scene: row.quit_scene ? say(quitScenes[row.quit_scene], lang) : '',
      double: say(row.is_double ? ['是', 'Yes'] : ['否', 'No'], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const groupDetailServer = implement(contract, handlers)
