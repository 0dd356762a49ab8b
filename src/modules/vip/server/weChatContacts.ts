import { and, asc, desc, eq, ilike, ne, notInArray, or, sql, type SQL } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { receiversFor } from '#src/areas/wecom/receivers.server.ts'
import {
  advisers,
  countStaffTabs,
  staffLists,
  type StaffFilters,
} from '#src/areas/wecom/staff.server.ts'
import { addTasks } from '#src/areas/wecom/tasks.server.ts'
import { transferRowsOf } from '#src/areas/wecom/transferRows.server.ts'
import {
  askGroupTransfers,
  askTransfers,
  receiverOf,
  type Adviser,
  type Follow,
} from '#src/areas/wecom/transfers.server.ts'
import { wecom_customer, wecom_follow, wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import {
  staffCan,
  staffStates,
  staffTabs,
  type StaffVerb,
  type TransferScope,
} from '#src/areas/wecom/wecom.ts'
import { wecom_group } from '#src/areas/wecom/wecomGroup.table.ts'
import { percent } from '#src/domain/money.ts'
import { say } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { needsNoScope } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { advisersPage as contract } from '../contract/weChatContacts.ts'

type Handlers = { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
type One = { id: number; version: number }
/** The colleague as the person holds them, where nothing speaks against the verb. */
const held = async (context: WriteContext, verb: StaffVerb, one: One): Promise<Adviser> => {
  // Whoever hands customers over holds those first, and advisers after them.
  const was = await advisers.held(context, one)
  const may = staffCan(verb, was)
  if (may !== true) throw ruled(`staff_${verb}`, may)
  return was
}
const SILENT = 30 * DAY
const inScope = (scope: TransferScope, now: number): SQL | undefined =>
  ({
    all: undefined,
    matched: sql`${wecom_customer.member_id} is not null`,
    unmatched: sql`${wecom_customer.member_id} is null`,
    silent: sql`coalesce(${wecom_customer.last_active_at}, 0) < ${now - SILENT}`,
  })[scope]
const followsOf = async (
  { tx, now }: WriteContext,
  { id }: Adviser,
  scope: TransferScope,
): Promise<Follow[]> =>
  (
    await tx
      .select({ row: wecom_follow })
      .from(wecom_follow)
      .innerJoin(wecom_customer, eq(wecom_customer.id, wecom_follow.customer_id))
      .where(
        and(
          eq(wecom_follow.staff_id, id),
          eq(wecom_follow.status, 'following'),
          inScope(scope, now),
        ),
      )
      .orderBy(asc(wecom_follow.customer_id))
  ).map(one => one.row)
type Moving = {
  kind: 'on_job' | 'resigned'
  to_staff_id: number
  scope: TransferScope
  notice: string
  reason: string
}
/** Hands customers of one colleague to another, as far as each of them may be. */
const moveCustomers = async (context: WriteContext, one: One, of: Moving) => {
  const verb = of.kind === 'on_job' ? 'transferCustomers' : 'inheritCustomers'
  const from = await held(context, verb, one)
  const to = await receiverOf(context, from, of.to_staff_id)
  const follows = await followsOf(context, from, of.scope)
  if (follows.length === 0)
    throw ruled('nobody_to_move', ['没有符合范围的客户', 'No customer is in that range'])
  const moved = await askTransfers(context, { ...of, from, to, follows })
  advisers.log(context, from, {
    after: { transfer: of.kind, to: to.name, customers: moved.ok.length },
    ...(of.reason && { reason: of.reason }),
  })
  context.changed('wecom_transfer')
  return moved
}
/** Counts customers of a colleague that came and went, day by day. */
const daysOf = async (db: Db, id: number, now: number) => {
  const from = dayStart(now) - 13 * DAY
  const day = (column: SQL) => sql`floor((${column} - ${from}) / ${DAY})::int`
  const { rows } = await db.execute<{ n: number; added: number; lost: number }>(sql`
    select n, sum(added)::int added, sum(lost)::int lost from (
      select ${day(sql`added_at`)} n, 1 added, 0 lost from wecom_follow
        where staff_id = ${id} and added_at >= ${from}
      union all
      select ${day(sql`lost_at`)} n, 0, 1 from wecom_follow where staff_id = ${id}
        and lost_at >= ${from} and status in ('deleted_by_customer', 'deleted_by_staff')) one
    group by n`)
  return Array.from({ length: 14 }, (_, n) => {
    const of = rows.find(row => row.n === n)
    return { day: dateOf(from + n * DAY), added: of?.added ?? 0, lost: of?.lost ?? 0 }
  })
}

const reads = {
  lst: async ({ page, pageSize, sort, ...filters }, context) => ({
    ...(await staffLists[sort ?? 'id'].page({ page, pageSize, ...filters }, context)),
    stat: await countStaffTabs(context.db, context.staff, context.now),
  }),
  side: async ({ id }, { db, staff, now }) => {
    const row = await advisers.read(db, staff, id)
    const groups = await db
      .select({
        id: wecom_group.id,
        name: wecom_group.name,
        member_count: wecom_group.member_count,
        max_members: wecom_group.max_members,
      })
      .from(wecom_group)
      .where(and(eq(wecom_group.owner_id, row.id), ne(wecom_group.status, 'dismissed')))
      .orderBy(desc(wecom_group.member_count))
      .limit(20)
    return {
      transfers: await transferRowsOf(db, { staff_id: row.id }),
      groups,
      days: await daysOf(db, row.id, now),
    }
  },
  receivers: (of, { db, staff }) => receiversFor(db, staff, of),
  groups: async ({ page, pageSize, keyword, id }, { db, staff }) => {
    const row = id === undefined ? undefined : await advisers.find(db, staff, id)
    const where = and(
      eq(wecom_group.owner_id, row?.id ?? 0),
      notInArray(wecom_group.status, ['dismissed', 'transferring']),
      keyword ? ilike(wecom_group.name, like(keyword)) : undefined,
    )
    const list = await db
      .select({
        id: wecom_group.id,
        name: wecom_group.name,
        member_count: wecom_group.member_count,
      })
      .from(wecom_group)
      .where(where)
      .orderBy(asc(wecom_group.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, wecom_group, where)) }
  },
  accounts: async ({ page, pageSize, keyword }, { db, staff }) => {
    needsNoScope(staff)
    const where = and(
      eq(admin.status, 'active'),
      sql`not exists (select 1 from wecom_staff s where s.admin_id = ${admin.id})`,
      keyword
        ? or(ilike(admin.name, like(keyword)), ilike(admin.account, like(keyword)))
        : undefined,
    )
    const list = await db
      .select({ id: admin.id, name: admin.name, account: admin.account })
      .from(admin)
      .where(where)
      .orderBy(asc(admin.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, admin, where)) }
  },
} satisfies Partial<Handlers>

const handlers = {
  ...reads,
  transferCustomers: ({ to_staff_id, scope, notice, reason, ...one }, context) =>
    moveCustomers(context, one, { kind: 'on_job', to_staff_id, scope, notice, reason }),
  inheritCustomers: ({ to_staff_id, ...one }, context) =>
    moveCustomers(context, one, {
      kind: 'resigned',
      to_staff_id,
      scope: 'all',
      notice: '',
      reason: '',
    }),
  transferGroups: async ({ to_staff_id, group_ids, reason, ...one }, context) => {
    const from = await held(context, 'transferGroups', one)
    const to = await receiverOf(context, from, to_staff_id)
    const moved = await askGroupTransfers(context, { from, to, ids: group_ids, reason })
    advisers.log(context, from, {
      after: { transfer: 'group_chat', to: to.name, groups: moved.ok.length },
      reason,
    })
    return moved
  },
  bindAdmin: async ({ admin_id, ...one }, context) => {
    const was = await held(context, 'bindAdmin', one)
    const { tx } = context
    const [account] = await tx
      .select({ name: admin.name, status: admin.status })
      .from(admin)
      .where(eq(admin.id, admin_id))
    if (account?.status !== 'active')
      throw ruled('account_off', ['后台账号不存在或已停用', 'There is no such active account'])
    const [other] = await tx
      .select({ name: wecom_staff.name })
      .from(wecom_staff)
      .where(and(eq(wecom_staff.admin_id, admin_id), ne(wecom_staff.id, was.id)))
    if (other)
      throw ruled(
        'account_taken',
        ['账号“{account}”已绑定企微成员“{who}”', 'The account {account} is bound to {who} already'],
        { account: account.name, who: other.name },
      )
    return advisers.save(context, was, { admin_id })
  },
  setDailyCap: async ({ daily_add_cap, ...one }, context) => {
    const was = await held(context, 'setDailyCap', one)
    return advisers.save(context, was, { daily_add_cap: daily_add_cap ?? null })
  },
  genCode: async (one, context) => {
    const { tx, now, staff } = context
    const row = await advisers.heldFast(context, one)
    const { rows } = await tx.execute(sql`select 1 from wecom_task
      where kind = 'code' and state = 'waiting' and staff_id = ${row.id}`)
    const made = row.code_qr ? 'done' : 'none'
    const code_state = rows.length > 0 ? 'waiting' : made
    const may = staffCan('genCode', { ...row, code_state })
    if (may !== true) throw ruled('staff_genCode', may)
    await addTasks(tx, now, [{ kind: 'code', staff_id: row.id, body: {}, asked_by: staff.id }])
    const after = await advisers.set(context, row, {})
    advisers.log(context, after, { after: { code: say(['已提交', 'Asked for'], staff.lang) } })
    return after
  },
  export: exporting(staffLists.id, {
    page: 'vip.weChatContacts',
    title: ['企微成员', 'WeCom colleagues'],
    permit: contract.export.permit,
    columns: [
      { key: 'name', title: ['姓名', 'Name'] },
      { key: 'userid', title: ['企微账号', 'Account in WeCom'] },
      { key: 'departments', title: ['部门', 'Departments'] },
      { key: 'malls', title: ['商场', 'Malls'] },
      { key: 'position', title: ['职务', 'Position'] },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'contact', title: ['客户联系', 'Contacts customers'] },
      { key: 'admin_name', title: ['后台账号', 'Console account'] },
      { key: 'customer_count', title: ['客户', 'Customers'], kind: 'number' },
      { key: 'new_7d', title: ['近 7 天新增', 'New, 7 d'], kind: 'number' },
      { key: 'lost_7d', title: ['近 7 天流失', 'Lost, 7 d'], kind: 'number' },
      { key: 'reply', title: ['回复率', 'Reply rate'] },
      { key: 'group_count', title: ['客户群', 'Chats'], kind: 'number' },
      { key: 'daily_add_cap', title: ['每日上限', 'Daily cap'], kind: 'number' },
      { key: 'left_at', title: ['离职时间', 'Left'], kind: 'time' },
    ],
    words: (of: StaffFilters, lang) => [
      of.status && say(staffStates[of.status], lang),
      of.quick && say(staffTabs[of.quick], lang),
      of.keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      status: say(staffStates[row.status], lang),
      contact: say(row.has_contact_right ? ['是', 'Yes'] : ['否', 'No'], lang),
      reply: row.reply_rate_bp === null ? '' : percent(row.reply_rate_bp),
    }),
  }),
} satisfies Handlers

export const advisersServer = implement(contract, handlers)
