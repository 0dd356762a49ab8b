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
  peopleFile,
  peopleList,
  scenesOf,
  suspectsOf,
} from '#src/areas/wecom/groupPeople.server.ts'
import { STAT_DAYS } from '#src/areas/wecom/groups.ts'
import { switchesOf } from '#src/areas/wecom/joinDesk.server.ts'
import { transferRowsOf } from '#src/areas/wecom/transferRows.server.ts'
import {
  wecom_send_part,
  wecom_send_result,
  wecom_send_task,
} from '#src/areas/wecom/wecomSend.table.ts'
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
    ...peopleFile,
    page: 'vip.weChatGroupManage.detail',
    permit: contract.export.permit,
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const groupDetailServer = implement(contract, handlers)
