import { and } from 'drizzle-orm'
import { members } from '#src/areas/member/members.server.ts'
import { ruleWhere } from '#src/areas/segment/compile.server.ts'
import { peopleByIds, peopleList } from '#src/areas/segment/people.server.ts'
import { namesOfRefs, refKeysOf } from '#src/areas/segment/refs.server.ts'
import { ruleFault } from '#src/areas/segment/rule.ts'
import {
  countByState,
  segmentLists,
  segments,
  usesOfSegment,
} from '#src/areas/segment/segmentRows.server.ts'
import {
  archiveSegment,
  combineSegments,
  copySegment,
  createSegment,
  editSegment,
  refreshSegment,
} from '#src/areas/segment/segments.server.ts'
import { ruleSaid } from '#src/areas/segment/sentence.ts'
import { listImport, lockLists, putOnList } from '#src/areas/segment/sheet.server.ts'
import { SHOWN_PEOPLE, sizeOf } from '#src/areas/segment/sizing.server.ts'
import {
  giveOne,
  grantToSegment,
  sendToSegment,
  type Giving,
} from '#src/areas/segment/using.server.ts'
import { linesAgain, templateOf, tryImport, writeLines } from '#src/areas/sheet/importing.server.ts'
import { pickMassMaterials } from '#src/areas/wecomMaterial/materials.server.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting } from '#src/server/call/record.ts'
import { defineRowJob, startRowJob, type NumberedRow } from '#src/server/jobs/rowJobs.ts'
import { groups as contract } from '../contract/groups.ts'
import { groupPicks } from './groupPicks.ts'

type JobRow = NumberedRow & { id: number }
const granting = defineRowJob(
  contract.grantCoupon,
  (context: WriteContext, { id }: JobRow, of: Giving) => giveOne(context, id, of),
)
const imports = {
  importTemplate: async (_, context) => templateOf(listImport, context),
  readImport: async (asked, context) => tryImport(listImport, asked, context),
  import: async ({ lines }, context) => {
    await lockLists(context)
    const { ready, told } = await linesAgain(listImport, context, lines)
    const written = await writeLines(context, ready, async (inside, given) => {
      const made = await putOnList(inside, given)
      return {
        made,
        text: made ? ['已加入名单', 'On the list'] : ['已在名单中', 'On the list already'],
      }
    })
    return { lines: [...told, ...written].sort((a, b) => a.row - b.row) }
  },
} satisfies Pick<Handlers, 'importTemplate' | 'readImport' | 'import'>

type Handlers = { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
const handlers = {
  ...groupPicks,
  ...imports,
  lst: async ({ page, pageSize, sort, ...filters }, context) => ({
    ...(await segmentLists[sort ?? 'id'].page({ page, pageSize, ...filters }, context)),
    stat: await countByState(context.db, filters),
  }),
  side: async ({ id }, { db, staff, now }) => {
    await segments.read(db, staff, id)
    const first = { segment_id: id, page: 1, pageSize: SHOWN_PEOPLE }
    const people = await peopleList.page(first, { db, staff, now })
    return { people: people.list, mine_n: people.total, uses: await usesOfSegment(db, id) }
  },
  preview: async ({ rule, exclude_ids }, { db, staff, now }) => {
    const { names } = await namesOfRefs(db, refKeysOf(rule, exclude_ids))
    const said = ruleSaid(rule, { names, without: exclude_ids }, staff.lang)
    const fault = ruleFault(rule)
    const seen = members.seen(staff)
    if (fault)
      return {
        fault: say(fault, staff.lang),
        size: null,
        said: '',
        names: { ...names },
        people: [],
      }
    const { size, ids } = await sizeOf(db, {
      rule,
      now,
      where: of => and(seen, ruleWhere(rule, exclude_ids, of)),
    })
    return { fault: null, size, said, names: { ...names }, people: await peopleByIds(db, ids) }
  },
  create: (of, context) => createSegment(context, of),
  edit: ({ id, version, ...of }, context) => editSegment(context, { id, version }, of),
  refresh: (one, context) => refreshSegment(context, one),
  copy: ({ name, ...one }, context) => copySegment(context, one, name),
  intersect: (of, context) => combineSegments(context, of),
  archive: ({ reason, ...one }, context) => archiveSegment(context, one, reason),
  materials: pickMassMaterials,
  sendTo: (of, context) => sendToSegment(context, of),
  grantCoupon: ({ id, version, ...of }, context) =>
    grantToSegment(context, { id, version, ...of }, ids =>
      startRowJob(context, granting, {
        rows: ids.map((one, at) => ({ line: at + 1, id: one })),
        same: of,
      }),
    ),
  export: exporting(peopleList, {
    page: 'customer.groups',
    title: ['分群名单', 'People of a segment'],
    permit: contract.export.permit,
    columns: [
      { key: 'uid', title: ['会员号', 'Member'] },
      { key: 'nickname', title: ['昵称', 'Nickname'] },
      { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
      { key: 'city_name', title: ['城市', 'City'] },
      { key: 'level', title: ['等级', 'Level'] },
      { key: 'friend', title: ['企微好友', 'WeCom friend'] },
      { key: 'total_paid_cents', title: ['累计实付', 'Total paid'], kind: 'money' },
      { key: 'order_count', title: ['订单数', 'Orders'], kind: 'number' },
      { key: 'last_order_at', title: ['最近下单', 'Last order'], kind: 'time' },
      { key: 'last_visit_at', title: ['最近访问', 'Last visit'], kind: 'time' },
    ],
    words: (of: { segment_id: number }, lang) => [
      say(['分群 #{id}', 'Segment #{id}'], lang, { id: of.segment_id }),
    ],
    cells: (row, { lang }) => ({
      ...row,
      level: `V${row.level}`,
      friend: say(row.is_friend ? ['是', 'Yes'] : ['否', 'No'], lang),
    }),
  }),
} satisfies Handlers

export const groupsServer = implement(contract, handlers)
