import { and, eq, inArray } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import { tagsNamed } from '#src/areas/wecom/customers.server.ts'
import {
  markDoubles,
  massesMost,
  moveOwner,
  planGroupMass,
  tagPeople,
} from '#src/areas/wecom/groupActs.server.ts'
import { groups, lockedGroup, shownGroups } from '#src/areas/wecom/groupDesk.server.ts'
import {
  countPeople,
  ordersSince,
  peopleFile,
  peopleList,
  sceneMovesOf,
} from '#src/areas/wecom/groupPeople.server.ts'
import { pickOwners } from '#src/areas/wecom/groupPicks.server.ts'
import { groupCan } from '#src/areas/wecom/groups.ts'
import { removeChat } from '#src/areas/wecom/joinActs.server.ts'
import { joins, shownJoins, switchesOf } from '#src/areas/wecom/joinDesk.server.ts'
import { chatsOf, type Chat } from '#src/areas/wecom/joinWays.server.ts'
import { refuseTime } from '#src/areas/wecom/masses.server.ts'
import { pickTags } from '#src/areas/wecom/tags.server.ts'
import { wecom_send_result } from '#src/areas/wecom/wecomSend.table.ts'
import { joinedNames } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { exporting } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { needsNoScope, within } from '#src/server/call/scope.ts'
import { joinDetail as contract } from '../contract/customerGroupDetail.ts'

/** The chats of a code that the person sees; 404 where one that is named is not among them. */
const chatsFor = async (
  db: Db,
  staff: Staff,
  { id, named = [] }: { id: number; named?: readonly number[] },
): Promise<Chat[]> => {
  const way = await joins.read(db, staff, id)
  const chats = (await chatsOf(db, [way.id])).get(way.id) ?? []
  if (named.some(one => chats.every(chat => chat.id !== one))) throw missing()
  return chats
}
/** Texts to chats that count in the month of a moment. */
const massesOf = async (db: Db, ids: readonly number[], now: number) => {
  const r = wecom_send_result
  const rows = await db
    .select({ id: r.group_id })
    .from(r)
    .where(
      and(
        inArray(r.group_id, [0, ...ids]),
        eq(r.month, dateOf(now).slice(0, 7)),
        inArray(r.status, ['unsent', 'sent']),
      ),
    )
  return ids.map(id => ({ id, n: rows.filter(row => row.id === id).length }))
}
const ofOrders = ({ scope }: Staff) => within(scope, { city: order.city_id, mall: order.mall_id })
/** People with how many orders each has paid since they joined. */
const withOrders = async <P extends { id: number }>(db: Db, staff: Staff, rows: readonly P[]) => {
  const ids = rows.map(row => row.id)
  const bought = await ordersSince(db, ids, ofOrders(staff))
  return rows.map(row => ({ ...row, orders_n: bought.get(row.id) ?? 0 }))
}
type Shown = typeof peopleList.shown
const people = {
  ...peopleList,
  shown: async (...[db, rows, asker]: Parameters<Shown>) =>
    withOrders(db, asker.staff, await peopleList.shown(db, rows, asker)),
}
const checkTags = async ({ tx }: WriteContext, ids: readonly number[]): Promise<string> => {
  const tags = await tagsNamed(tx, [...ids])
  if (ids.some(id => tags.get(id)?.status !== 'active'))
    throw ruled('tag_invalid', [
      '所选标签在企微已失效，请刷新后重选',
      'WeCom knows one of the tags no more: choose again',
    ])
  return joinedNames(ids.flatMap(id => tags.get(id)?.name ?? []))
}
const handlers = {
  facts: async ({ id }, { db, staff, now }) => {
    const was = await joins.read(db, staff, id)
    const [row] = await shownJoins(db, [was], now)
    return {
      row: row!,
      masses: await massesOf(
        db,
        row!.chats.map(one => one.id),
        now,
      ),
      mass_most: massesMost(now),
      switches: await switchesOf(db, id, 50),
    }
  },
  moves: async ({ id, days }, { db, staff, now }) => {
    const chats = await chatsFor(db, staff, { id })
    return sceneMovesOf(
      db,
      chats.map(chat => chat.id),
      { days: Number(days), now },
    )
  },
  people: async (input, context) => {
    await groups.read(context.db, context.staff, input.group_id)
    const { list, ...of } = await peopleList.page(input, context)
    return {
      ...of,
      list: await withOrders(context.db, context.staff, list),
      stat: await countPeople(context.db, input.group_id),
    }
  },
  owners: async ({ way_id, ...paged }, { db, staff }) => {
    const way = way_id === undefined ? undefined : await joins.find(db, staff, way_id)
    return pickOwners({ ...paged, mall_id: way?.mall_id ?? undefined }, { db, staff })
  },
  tags: async (asked, { db, staff }) => {
    needsNoScope(staff)
    return pickTags(asked, { db })
  },
  removeChat: ({ chat_id, reason, ...one }, context) =>
    removeChat(context, one, { chat_id, reason }),
  setLimit: async ({ id, chat_id, max_members }, context) => {
    await chatsFor(context.tx, context.staff, { id, named: [chat_id] })
    const was = await groups.lock(context, chat_id)
    const most = Number(max_members)
    if (was.member_count > most)
      throw ruled(
        'group_limit',
        ['群内已有 {n} 人，上限不能小于人数', '{n} people are in it: it can’t hold fewer'],
        { n: was.member_count },
      )
    const after = await groups.set(context, was, { max_members: most })
    groups.log(context, after, {
      before: { max_members: was.max_members },
      after: { max_members: most },
    })
    return { id }
  },
  transferOwner: async ({ id, chat_id, to_staff_id, reason }, context) => {
    const { tx, staff } = context
    await chatsFor(tx, staff, { id, named: [chat_id] })
    const was = await groups.read(tx, staff, chat_id)
    const [shown] = await shownGroups(tx, [was], context.now)
    const verb = shown!.owner?.status === 'left' ? 'inherit' : 'changeOwner'
    const may = groupCan(verb, shown!)
    if (may !== true) throw ruled(`group_${verb}`, may)
    await moveOwner(context, was, { to_staff_id, reason })
    return { id }
  },
  tagMembers: async ({ id, chat_id, tag_ids }, context) => {
    await chatsFor(context.tx, context.staff, { id, named: [chat_id] })
    const was = await lockedGroup(context, 'matchMembers', chat_id)
    const ids = [...new Set(tag_ids)]
    const tags = await checkTags(context, ids)
    const found = await tagPeople(context, was, ids)
    if (found.tagged === 0 && found.had === 0)
      throw ruled('tag_strangers', [
        '群内没有成员好友，无法打标签',
        'Nobody in the chat is a contact, so nobody can be tagged',
      ])
    groups.log(context, was, { after: { tags, tagged: found.tagged } })
    return found
  },
  sendGroup: async ({ id, chat_ids, content, send_at }, context) => {
    refuseTime(send_at, context.now)
    await chatsFor(context.tx, context.staff, { id, named: chat_ids })
    return eachRow(context, chat_ids, async (inside, chat_id) => {
      const was = await lockedGroup(inside, 'sendMass', chat_id)
      const at = send_at ?? inside.now
      await planGroupMass(inside, was, { content, send_at: at })
      groups.log(inside, was, { after: { mass: content.slice(0, 60), send_at: at } })
      await groups.set(inside, was, {})
    })
  },
  markMulti: async ({ id }, context) => {
    const chats = await chatsFor(context.tx, context.staff, { id })
    const sum = { marked: 0, fresh: 0 }
    for (const { id: chat_id } of chats.toSorted((a, b) => a.id - b.id)) {
      const was = await groups.lock(context, chat_id)
      const found = await markDoubles(context.tx, was.id)
      sum.marked += found.marked
      sum.fresh += found.fresh
      groups.log(context, was, { after: { doubled: found.marked } })
    }
    return sum
  },
  export: exporting(people, {
    ...peopleFile,
    page: 'channel.customerGroup.detail',
    permit: contract.export.permit,
    columns: [
      ...peopleFile.columns,
      { key: 'orders_n', title: ['入群后订单', 'Orders since'], kind: 'number' },
    ],
    cells: (row, staff) => ({ ...peopleFile.cells(row, staff), orders_n: row.orders_n }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const joinDetailServer = implement(contract, handlers)
