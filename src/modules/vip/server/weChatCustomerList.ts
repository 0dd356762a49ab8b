import { and, inArray } from 'drizzle-orm'
import {
  freeMembers,
  mark,
  matchByHand,
  readAnew,
  undoMatch,
  writeRemark,
} from '#src/areas/wecom/customerActs.server.ts'
import {
  countCustomerTabs,
  customerLists,
  customers,
  heldCustomer,
  type CustomerFilters,
} from '#src/areas/wecom/customers.server.ts'
import { planMass, refuseTime } from '#src/areas/wecom/masses.server.ts'
import { pickTags } from '#src/areas/wecom/tags.server.ts'
import { addWays, customerStates, customerTabs } from '#src/areas/wecom/wecom.ts'
import { pickMassMaterials } from '#src/areas/wecomMaterial/materials.server.ts'
import { comma, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { exporting } from '#src/server/call/record.ts'
import { needsNoScope } from '#src/server/call/scope.ts'
import { customersPage as contract } from '../contract/weChatCustomerList.ts'

const handlers = {
  lst: async ({ page, pageSize, sort, ...filters }, context) => ({
    ...(await customerLists[sort ?? 'id'].page({ page, pageSize, ...filters }, context)),
    stat: await countCustomerTabs(context.db, context.staff, context.now),
  }),
  members: freeMembers,
  tags: async (asked, { db, staff }) => {
    needsNoScope(staff)
    return pickTags(asked, { db })
  },
  matchMember: async ({ member_id, ...one }, context) => {
    const was = await heldCustomer(context, 'matchMember', one)
    return matchByHand(context, was, member_id)
  },
  unmatch: async ({ reason, ...one }, context) => {
    const was = await heldCustomer(context, 'unmatch', one)
    return undoMatch(context, was, reason)
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
  materials: pickMassMaterials,
  createMass: async ({ ids, content, material_ids, schedule_at }, context) => {
    refuseTime(schedule_at, context.now)
    const send_at = schedule_at ?? context.now
    // Customers of others are told as those that never were.
    const mine = await context.tx
      .select({ id: customers.table.id })
      .from(customers.table)
      .where(and(inArray(customers.table.id, ids), customers.seen(context.staff)))
    const seen = mine.map(one => one.id)
    const planned = await planMass(context, { ids: seen, content, material_ids, send_at })
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
    return readAnew(context, was)
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
      { key: 'external_short', title: ['外部联系人编号', 'WeCom ID'] },
      { key: 'state', title: ['状态', 'State'] },
      { key: 'member_name', title: ['会员', 'Member'] },
      { key: 'uid', title: ['会员号', 'Number'] },
      { key: 'level', title: ['等级', 'Level'] },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
      { key: 'adviser_names', title: ['跟进成员', 'Advisers'] },
      { key: 'tag_names', title: ['企业标签', 'Tags'] },
      { key: 'remark', title: ['备注', 'Remark'] },
      { key: 'add_way', title: ['添加方式', 'Added via'] },
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
      adviser_names: row.advisers.map(one => one.name).join(say(comma, lang)),
      tag_names: row.tags.map(one => one.name).join(say(comma, lang)),
      add_way: say(addWays[row.add_way], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const customersServer = implement(contract, handlers)
