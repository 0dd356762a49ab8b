import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import {
  countCustomerTabs,
  customerLists,
  customers,
  followFor,
  heldCustomer,
  tagsNamed,
  type Customer,
  type CustomerFilters,
} from '#src/areas/wecom/customers.server.ts'
import { planMass, refuseTime } from '#src/areas/wecom/masses.server.ts'
import { refuseSecond } from '#src/areas/wecom/matching.server.ts'
import { pickTags } from '#src/areas/wecom/tags.server.ts'
import { addTasks } from '#src/areas/wecom/tasks.server.ts'
import { addWays, customerStates, customerTabs } from '#src/areas/wecom/wecom.ts'
import { say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { needsNoScope, within } from '#src/server/call/scope.ts'
import { begins } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { customersPage as contract } from '../contract/weChatCustomerList.ts'

/** Names of tags that WeCom knows; 422 where one of them is no more. */
const validTags = async (tx: Db, ids: readonly number[]): Promise<string> => {
  const tags = await tagsNamed(tx, ids)
  const wrong = ids.filter(id => tags.get(id)?.status !== 'active')
  if (wrong.length > 0)
    throw ruled('tag_invalid', [
      '所选标签在企微已失效，请刷新后重选',
      'WeCom knows one of the tags no more: choose again',
    ])
  return ids.map(id => tags.get(id)!.name).join('、')
}
type Marking = { add?: readonly number[]; remove?: readonly number[] }
/** Sends tags to WeCom for the relation that is named, or for the first of an adviser in service. */
export const mark = async (
  context: WriteContext,
  was: Customer,
  { follow_id, ...of }: Marking & { follow_id?: number },
): Promise<void> => {
  const { tx, now, staff } = context
  const follow = await followFor(tx, was, follow_id)
  const names = await validTags(tx, of.add ?? [])
  await addTasks(tx, now, [
    {
      kind: 'tag',
      customer_id: was.id,
      follow_id: follow.id,
      staff_id: follow.staff_id,
      body: { ...of },
      asked_by: staff.id,
    },
  ])
  const removed = await tagsNamed(tx, of.remove ?? [])
  customers.log(context, was, {
    after: {
      adviser: follow.staff_name,
      ...(names && { tags: names }),
      ...(of.remove && { untagged: [...removed.values()].map(one => one.name).join('、') }),
    },
  })
}
/** Sends a remark to WeCom, for the relation that is named or the first of an adviser in service. */
export const writeRemark = async (
  context: WriteContext,
  was: Customer,
  { follow_id, remark }: { follow_id?: number; remark: string },
): Promise<void> => {
  const { tx, now, staff } = context
  const follow = await followFor(tx, was, follow_id)
  await addTasks(tx, now, [
    {
      kind: 'remark',
      customer_id: was.id,
      follow_id: follow.id,
      staff_id: follow.staff_id,
      body: { remark },
      asked_by: staff.id,
    },
  ])
  customers.log(context, was, {
    before: { remark: follow.remark },
    after: { remark, ...(follow_id && { adviser: follow.staff_name }) },
  })
}
const handlers = {
  lst: async ({ page, pageSize, sort, ...filters }, context) => ({
    ...(await customerLists[sort ?? 'id'].page({ page, pageSize, ...filters }, context)),
    stat: await countCustomerTabs(context.db, context.staff, context.now),
  }),
  members: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(
      eq(member.account_state, 'normal'),
      within(staff.scope, { city: member.city_id }),
      sql`not exists (select 1 from wecom_customer c where c.member_id = ${member.id})`,
      keyword
        ? or(sql`${member.nickname} like ${begins(keyword)}`, eq(member.uid, keyword.toUpperCase()))
        : undefined,
    )
    const list = await db
      .select({ id: member.id, name: member.nickname, uid: member.uid })
      .from(member)
      .where(where)
      .orderBy(asc(member.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, member, where)) }
  },
  tags: async (asked, { db, staff }) => {
    needsNoScope(staff)
    return pickTags(asked, { db })
  },
  matchMember: async ({ member_id, ...one }, context) => {
    const was = await heldCustomer(context, 'matchMember', one)
    const { tx } = context
    // Two that want one member wait for each other.
    const [who] = await tx
      .select({ state: member.account_state })
      .from(member)
      .where(eq(member.id, member_id))
      .for('no key update')
    if (!who) throw missing()
    if (who.state !== 'normal')
      throw ruled('member_off', ['会员账号状态异常，不能关联', 'The account is not in order'])
    await refuseSecond(tx, { customer_id: was.id, name: was.name, member_id })
    return customers.save(context, was, {
      member_id,
      matched_by: 'hand',
      match_off: false,
      clash_member_id: null,
    })
  },
  unmatch: async ({ reason, ...one }, context) => {
    const was = await heldCustomer(context, 'unmatch', one)
    const gone = { member_id: null, matched_by: null, match_off: true }
    return customers.save(context, was, gone, reason)
  },
  tag: async ({ tag_ids, ...one }, context) => {
    const was = await heldCustomer(context, 'tag', one)
    await mark(context, was, { add: tag_ids })
    return customers.set(context, was, {})
  },
  untag: async ({ tag_ids, ...one }, context) => {
    const was = await heldCustomer(context, 'untag', one)
    await mark(context, was, { remove: tag_ids })
    return customers.set(context, was, {})
  },
  remark: async ({ remark, ...one }, context) => {
    const was = await heldCustomer(context, 'remark', one)
    await writeRemark(context, was, { remark })
    return customers.set(context, was, {})
  },
  createMass: async ({ ids, content, schedule_at }, context) => {
    refuseTime(schedule_at, context.now)
    const send_at = schedule_at ?? context.now
    // Customers of others are told as those that never were.
    const mine = await context.tx
      .select({ id: customers.table.id })
      .from(customers.table)
      .where(and(inArray(customers.table.id, ids), customers.seen(context.staff)))
    const seen = mine.map(one => one.id)
    const planned = await planMass(context, { ids: seen, content, send_at })
    const rows = await context.tx
      .select()
      .from(customers.table)
      .where(inArray(customers.table.id, [0, ...planned.ok]))
    for (const row of rows)
      customers.log(context, row, { after: { mass: content.slice(0, 60), send_at } })
    return planned
  },
  syncOne: async (one, context) => {
    const was = await heldCustomer(context, 'syncOne', one)
    await addTasks(context.tx, context.now, [
      { kind: 'refresh', customer_id: was.id, body: {}, asked_by: context.staff.id },
    ])
    customers.log(context, was, { after: { refreshed: true } })
    return customers.set(context, was, {})
  },
  batchTag: ({ ids, tag_ids }, context) =>
    eachRow(context, ids, async (inside, id) => {
      const was = await heldCustomer(inside, 'tag', { id })
      await mark(inside, was, { add: tag_ids })
      await customers.set(inside, was, {})
    }),
  export: exporting(customerLists.id, {
    page: 'vip.weChatCustomerList',
    title: ['企微会员客户', 'WeCom member customers'],
    permit: contract.export.permit,
    columns: [
      { key: 'name', title: ['客户', 'Customer'] },
      { key: 'external_short', title: ['外部联系人编号', 'Id in WeCom'] },
      { key: 'state', title: ['状态', 'State'] },
      { key: 'member_name', title: ['会员', 'Member'] },
      { key: 'uid', title: ['会员号', 'Number'] },
      { key: 'level', title: ['等级', 'Level'] },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
      { key: 'adviser_names', title: ['跟进成员', 'Advisers'] },
      { key: 'tag_names', title: ['企业标签', 'Tags'] },
      { key: 'remark', title: ['备注', 'Remark'] },
      { key: 'add_way', title: ['添加方式', 'Added by'] },
      { key: 'source_state', title: ['渠道参数', 'Channel'] },
      { key: 'first_add_at', title: ['首次添加', 'First added'], kind: 'time' },
      { key: 'last_active_at', title: ['最近沟通', 'Last chat'], kind: 'time' },
      { key: 'lost_at', title: ['流失时间', 'Lost'], kind: 'time' },
    ],
    words: (of: CustomerFilters, lang) => [
      of.state && say(customerStates[of.state], lang),
      of.add_way && say(addWays[of.add_way], lang),
      of.quick && say(customerTabs[of.quick], lang),
      of.keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      state: say(customerStates[row.state], lang),
      member_name: row.member?.nickname ?? '',
      uid: row.member?.uid ?? '',
      level: row.member ? `V${row.member.level}` : '',
      adviser_names: row.advisers.map(one => one.name).join('、'),
      tag_names: row.tags.map(one => one.name).join('、'),
      add_way: say(addWays[row.add_way], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const customersServer = implement(contract, handlers)
