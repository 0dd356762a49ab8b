import { and, eq, ilike, inArray, sql } from 'drizzle-orm'
import { countDups, dupLists, dups, type DupFilters } from '#src/areas/dedup/cases.server.ts'
import {
  approveMerge,
  ignoreCase,
  mergeCase,
  primaryByFirst,
  rejectMerge,
  reopenCase,
  setPrimary,
  undoMerge,
} from '#src/areas/dedup/deciding.server.ts'
import { dupKinds, dupOutcomes, dupStates } from '#src/areas/dedup/dup.ts'
import { evidenceBeside } from '#src/areas/dedup/evidence.server.ts'
import { dupFigures } from '#src/areas/dedup/figures.server.ts'
import { scanDups } from '#src/areas/dedup/scanning.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { members } from '#src/areas/member/members.server.ts'
import { wecom_follow, wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { comma, say } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { exporting } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { deduplication as contract } from '../contract/deduplication.ts'

type Handlers = { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
const handlers = {
  lst: async ({ page, pageSize, sort, ...filters }, context) => ({
    ...(await dupLists[sort ?? 'sure'].page({ page, pageSize, ...filters }, context)),
    stat: await countDups(context.db, context.staff, filters),
  }),
  figures: (_, { db, staff }) => dupFigures(db, staff),
  side: async ({ id }, { db, staff, now }) =>
    evidenceBeside(db, staff, await dups.read(db, staff, id), now),
  follows: async ({ id, keyword, page, pageSize }, { db, staff }) => {
    const { customer_ids } = await dups.read(db, staff, id)
    const where = and(
      inArray(wecom_follow.customer_id, [0, ...customer_ids]),
      eq(wecom_follow.status, 'following'),
      keyword ? ilike(wecom_staff.name, like(keyword)) : undefined,
    )
    const rows = await db
      .select({
        id: wecom_follow.id,
        name: wecom_staff.name,
        added_at: wecom_follow.added_at,
        total: sql<number>`(count(*) over ())::int`,
      })
      .from(wecom_follow)
      .innerJoin(wecom_staff, eq(wecom_staff.id, wecom_follow.staff_id))
      .where(where)
      .orderBy(wecom_follow.added_at, wecom_follow.id)
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return {
      list: rows.map(row => ({ id: row.id, name: `${row.name} ${dateOf(row.added_at)}` })),
      total: rows[0]?.total ?? 0,
    }
  },
  members: async ({ id, keyword, page, pageSize }, { db, staff }) => {
    const { member_ids } = await dups.read(db, staff, id)
    const where = and(
      members.seen(staff),
      inArray(member.id, [0, ...member_ids]),
      keyword ? ilike(member.nickname, like(keyword)) : undefined,
    )
    const rows = await db
      .select({ id: member.id, nickname: member.nickname, uid: member.uid })
      .from(member)
      .where(where)
      .orderBy(member.register_at, member.id)
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return {
      list: rows.map(row => ({ id: row.id, name: `${row.nickname} ${row.uid}` })),
      ...(await countOf(db, member, where)),
    }
  },
  rescan: async (_, context) => {
    const done = await scanDups(context.tx, context.now)
    if (!done)
      throw ruled('scanning', [
        '检测正在进行，请稍后查看结果',
        'A scan is under way: look again in a moment',
      ])
    context.log({ object_type: 'customer_dup', object_id: 0, object_label: '', after: done })
    return done
  },
  setPrimary: ({ follow_id, ...one }, context) => setPrimary(context, one, follow_id),
  batchPrimary: ({ ids }, context) => eachRow(context, ids, primaryByFirst),
  mergeMember: ({ id, version, ...plan }, context) => mergeCase(context, { id, version }, plan),
  approveMerge: (one, context) => approveMerge(context, one),
  rejectMerge: ({ reason, ...one }, context) => rejectMerge(context, one, reason),
  ignore: ({ reason, ...one }, context) => ignoreCase(context, one, reason),
  reopen: (one, context) => reopenCase(context, one),
  undoMerge: ({ reason, ...one }, context) => undoMerge(context, one, reason),
  export: exporting(dupLists.sure, {
    page: 'customer.deduplication',
    title: ['重复客户', 'Duplicates'],
    permit: contract.export.permit,
    columns: [
      { key: 'no', title: ['编号', 'Number'] },
      { key: 'kind', title: ['类型', 'Kind'] },
      { key: 'people', title: ['客户', 'People'] },
      { key: 'confidence', title: ['置信度', 'Confidence'], kind: 'number' },
      { key: 'member_n', title: ['会员数', 'Members'], kind: 'number' },
      { key: 'customer_n', title: ['企微客户数', 'Contacts'], kind: 'number' },
      { key: 'follow_n', title: ['跟进人数', 'Advisers'], kind: 'number' },
      { key: 'first_adder', title: ['最早添加', 'First added by'] },
      { key: 'first_added_at', title: ['最早添加时间', 'Added first'], kind: 'time' },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'outcome', title: ['处理结果', 'Outcome'] },
      { key: 'primary_name', title: ['主跟进人', 'Main adviser'] },
      { key: 'decider_name', title: ['处理人', 'Decided by'] },
      { key: 'decided_at', title: ['处理时间', 'Decided'], kind: 'time' },
      { key: 'reason', title: ['原因', 'Reason'] },
    ],
    words: (of: DupFilters, lang) => [
      of.status && say(dupStates[of.status], lang),
      of.kind && say(dupKinds[of.kind], lang),
      of.keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      people: row.names.join(say(comma, lang)),
      kind: say(dupKinds[row.kind], lang),
      status: say(dupStates[row.status], lang),
      outcome: row.outcome ? say(dupOutcomes[row.outcome], lang) : '',
    }),
  }),
} satisfies Handlers

export const deduplicationServer = implement(contract, handlers)

defineTimer('customer.dups', '25 * * * *', async ({ database, now }) => {
  const done = await database.transaction(tx => scanDups(tx, now))
  return done && done.found + done.raised + done.gone > 0 ? ['customer_dup'] : []
})
