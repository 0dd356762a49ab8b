import { and, asc, eq, gt } from 'drizzle-orm'
import { attrsOf, writeAttrs } from '#src/areas/customerAttr/attrs.server.ts'
import { segmentOfCustomers } from '#src/areas/segment/fromCustomers.server.ts'
import { segment } from '#src/areas/segment/segment.table.ts'
import { sendToSegment } from '#src/areas/segment/using.server.ts'
import {
  freeMembers,
  markWhich,
  matchByHand,
  undoMatch,
  writeRemark,
} from '#src/areas/wecom/customerActs.server.ts'
import {
  countFiles,
  countFileStates,
  customerFiles,
  pickAdvisers,
  pickCodes,
  pickFollows,
} from '#src/areas/wecom/customerFiles.server.ts'
import {
  boundStates,
  fileStates,
  tagAsks,
  type FileFilters,
} from '#src/areas/wecom/customerFiles.ts'
import {
  chatsOfCustomer,
  customerShown,
  heldOwn,
  ownFollow,
  relationsOf,
  timelineOf,
} from '#src/areas/wecom/customerLife.server.ts'
import { customers } from '#src/areas/wecom/customers.server.ts'
import { transferCustomers } from '#src/areas/wecom/customerTransfers.server.ts'
import { cancelMass, liveMasses } from '#src/areas/wecom/massCancel.server.ts'
import { receiversFor } from '#src/areas/wecom/receivers.server.ts'
import { beginSync, lastRuns } from '#src/areas/wecom/runs.server.ts'
import { pickTags } from '#src/areas/wecom/tags.server.ts'
import { transferRowsOf } from '#src/areas/wecom/transferRows.server.ts'
import { addWays } from '#src/areas/wecom/wecom.ts'
import { pickMassMaterials } from '#src/areas/wecomMaterial/materials.server.ts'
import type { BatchResult } from '#src/contract/shapes.ts'
import { comma, joined, joinedNames, say, semicolon } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, holding } from '#src/server/call/record.ts'
import { invalid, missing } from '#src/server/call/refuse.ts'
import { needsNoScope } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { customerList as contract } from '../contract/list.ts'

type Tagging = {
  ids: number[]
  tag_ids: number[]
  which?: 'first' | 'all' | undefined
  follow_id?: number | undefined
}
/** Tags customers, or takes tags off; of each that can't be it is said why. */
const tagging =
  (verb: 'tag' | 'untag') =>
  (of: Tagging, context: WriteContext): Promise<BatchResult> => {
    const { ids, tag_ids, which, follow_id } = of
    if (follow_id !== undefined && ids.length > 1)
      throw invalid({
        follow_id: [
          '多位客户不能指定同一条跟进关系',
          'One relation can’t be meant of several customers',
        ],
      })
    return eachRow(context, ids, async (inside, id) => {
      const was = await heldOwn(inside, verb, { id })
      const marks = verb === 'tag' ? { add: tag_ids } : { remove: tag_ids }
      await markWhich(inside, was, { ...marks, which, follow_id })
      await customers.set(inside, was, {})
    })
  }
/** What is noted of a customer, as the log tells it. */
const attrsTold = (of: Readonly<Record<string, string>>): string =>
  joinedNames(
    Object.entries(of).map(([label, value]) =>
      joined([`${label}：${value || '—'}`, `${label}: ${value || '—'}`]),
    ),
    semicolon,
  )

const handlers = {
  lst: async ({ page, pageSize, sort, ...filters }, context) => ({
    ...(await customerFiles[sort ?? 'id'].page({ page, pageSize, ...filters }, context)),
    stat: await countFileStates(context.db, context.staff),
    counters: await countFiles(context.db, context),
  }),
  side: async ({ id }, { db, staff, now }) => {
    const was = await customers.read(db, staff, id)
    const { others } = await customerShown(db, { staff, now }, was)
    return {
      id,
      others,
      relations: await relationsOf(db, staff, id),
      chats: others ? [] : await chatsOfCustomer(db, staff, was),
      attrs: others ? [] : await attrsOf(db, id),
      transfers: await transferRowsOf(db, { customer_id: id }),
    }
  },
  timeline: async ({ id, page, pageSize }, { db, staff }) => {
    const customer = await customers.read(db, staff, id)
    return timelineOf(db, { staff, customer }, { page, pageSize })
  },
  state: (_, { db, staff }) => {
    needsNoScope(staff)
    return lastRuns(db, 'customers')
  },
  tags: async (asked, { db, staff }) => {
    needsNoScope(staff)
    return pickTags(asked, { db })
  },
  staff: pickAdvisers,
  codes: pickCodes,
  members: freeMembers,
  follows: pickFollows,
  receivers: (of, { db, staff }) => receiversFor(db, staff, of),
  segments: async ({ page, pageSize, keyword }, { db, staff }) => {
    needsNoScope(staff)
    const where = and(
      eq(segment.status, 'ready'),
      gt(segment.customer_count, 0),
      holding(keyword, [segment.name], segment.id),
    )
    const list = await db
      .select({ id: segment.id, name: segment.name, customer_count: segment.customer_count })
      .from(segment)
      .where(where)
      .orderBy(asc(segment.name), asc(segment.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, segment, where)) }
  },
  sends: liveMasses,
  sync: ({ scope }, context) => {
    needsNoScope(context.staff)
    return beginSync(context, scope)
  },
  remark: async ({ follow_id, remark, description, ...one }, context) => {
    const was = await heldOwn(context, 'remark', one)
    await ownFollow(context, { customer_id: was.id, follow_id })
    await writeRemark(context, was, { follow_id, remark, description })
    return customers.set(context, was, {})
  },
  addTag: tagging('tag'),
  removeTag: tagging('untag'),
  saveAttrs: async ({ attrs, ...one }, context) => {
    const was = await heldOwn(context, 'saveAttrs', one)
    const { before, after } = await writeAttrs(context, was.id, attrs)
    const next = await customers.set(context, was, {})
    customers.log(context, next, {
      before: { attrs: attrsTold(before) },
      after: { attrs: attrsTold(after) },
    })
    return next
  },
  bindMember: async ({ member_id, ...one }, context) =>
    matchByHand(context, await heldOwn(context, 'matchMember', one), member_id),
  unbindMember: async ({ reason, ...one }, context) =>
    undoMatch(context, await heldOwn(context, 'unmatch', one), reason),
  transfer: (of, context) => transferCustomers(context, { kind: 'on_job', ...of }),
  transferResigned: (of, context) =>
    transferCustomers(context, { kind: 'resigned', notice: '', ...of }),
  saveSegment: ({ name, as, ...filters }, context) =>
    segmentOfCustomers(context, { name, as, filters }),
  materials: pickMassMaterials,
  groupSend: async ({ segment_id, send_at, ...said }, context) => {
    const [of] = await context.tx.select().from(segment).where(eq(segment.id, segment_id))
    if (!of) throw missing()
    return sendToSegment(context, {
      id: of.id,
      version: of.version,
      ...said,
      ...(send_at && { schedule_at: send_at }),
    })
  },
  cancelSend: (of, context) => cancelMass(context, of),
  export: exporting(customerFiles.id, {
    page: 'customer.list',
    title: ['企微客户档案', 'WeCom customers'],
    permit: contract.export.permit,
    columns: [
      { key: 'name', title: ['客户', 'Customer'] },
      { key: 'external_short', title: ['外部联系人编号', 'WeCom ID'] },
      { key: 'relation', title: ['关系', 'Relation'] },
      { key: 'primary', title: ['首要跟进成员', 'First adviser'] },
      { key: 'adviser_names', title: ['全部跟进成员', 'All advisers'] },
      { key: 'tag_names', title: ['企业标签', 'Tags'] },
      { key: 'add_way', title: ['添加方式', 'Added via'] },
      { key: 'code_name', title: ['来源活码', 'Live code'] },
      { key: 'member_name', title: ['会员', 'Member'] },
      { key: 'uid', title: ['会员号', 'Number'] },
      { key: 'level', title: ['等级', 'Level'] },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
      { key: 'group_count', title: ['所在群数', 'Chats'], kind: 'number' },
      { key: 'paid_cents', title: ['近 90 天实付', 'Paid in 90 days'], kind: 'money' },
      { key: 'first_add_at', title: ['首次添加', 'First added'], kind: 'time' },
      { key: 'lost_at', title: ['流失时间', 'Lost'], kind: 'time' },
    ],
    words: (of: FileFilters, lang) => [
      of.rel && say(fileStates[of.rel], lang),
      of.bound && say(boundStates[of.bound], lang),
      of.tag_ids &&
        `${say(tagAsks[of.tags_how ?? 'any'], lang)} ${of.tag_ids.map(id => `#${id}`).join(' ')}`,
      of.from !== undefined && `${dateOf(of.from)} –`,
      of.to !== undefined && `– ${dateOf(of.to)}`,
      of.keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      relation: row.rel ? say(fileStates[row.rel], lang) : '',
      adviser_names: row.advisers.map(one => one.name).join(say(comma, lang)),
      tag_names: row.tags.map(one => one.name).join(say(comma, lang)),
      add_way: say(addWays[row.add_way], lang),
      code_name: row.code?.name ?? '',
      member_name: row.member?.nickname ?? '',
      uid: row.member?.uid ?? '',
      level: row.member ? `V${row.member.level}` : '',
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const customerListServer = implement(contract, handlers)
