import { and, asc, eq } from 'drizzle-orm'
import { beginSync, lastRuns } from '#src/areas/wecom/runs.server.ts'
import {
  createGroup,
  createTags,
  heldForRule,
  moveTag,
  renameGroup,
  renameTag,
  setTagRule,
  sortTags,
} from '#src/areas/wecom/tagEdits.server.ts'
import { deleteTag, mergeTags } from '#src/areas/wecom/tagLeaving.server.ts'
import { giveForEvent, latestEvents, runTagRules } from '#src/areas/wecom/tagRules.server.ts'
import { pickTags } from '#src/areas/wecom/tags.server.ts'
import { tagRecord, tagTree } from '#src/areas/wecom/tagTree.server.ts'
import { wecom_tag_group } from '#src/areas/wecom/wecom.table.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { countOf } from '#src/server/db/paging.ts'
import { defineRowJob, startRowJob, type NumberedRow } from '#src/server/jobs/rowJobs.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { customerTags as contract } from '../contract/tags.ts'
import { groupPicks } from './groupPicks.ts'

/** The most customers that a rule is run back over at a time. */
const BACK_MOST = 20_000
type JobRow = NumberedRow & { id: number; event: string; at: number }
/** Gives the tag of a rule for what happened once. */
const giving = defineRowJob(
  contract.runRule,
  ({ tx, now, staff }: WriteContext, row: JobRow, { tag_id }: { tag_id: number }) =>
    giveForEvent(
      tx,
      { tag_id, customer_id: row.id, event: row.event, at: row.at },
      { now, by: staff.id },
    ),
)
defineTimer('wecom.tagRules', '*/5 * * * *', async of =>
  (await runTagRules(of)) > 0 ? ['wecom_task', 'wecom_tag'] : [],
)

const handlers = {
  lst: async (_, { db, now }) => ({ list: await tagTree(db, now) }),
  state: (_, { db }) => lastRuns(db, 'tags'),
  groups: async ({ page, pageSize, keyword }, { db }) => {
    const g = wecom_tag_group
    const where = and(eq(g.status, 'active'), holding(keyword, [g.name], g.id))
    const list = await db
      .select({ id: g.id, name: g.name })
      .from(g)
      .where(where)
      .orderBy(asc(g.name), asc(g.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, g, where)) }
  },
  tags: (asked, { db }) => pickTags(asked, { db }),
  malls: groupPicks.malls,
  chats: groupPicks.chats,
  createGroup: (of, context) => createGroup(context, of),
  renameGroup: ({ name, ...one }, context) => renameGroup(context, one, name),
  create: async (of, context) => ({
    ids: (await createTags(context, of)).map(tag => tag.id),
  }),
  rename: ({ name, ...one }, context) => renameTag(context, one, name),
  move: ({ group_id, ...one }, context) => moveTag(context, one, group_id),
  sort: (of, context) => sortTags(context, of),
  merge: (of, context) => mergeTags(context, of),
  setRule: ({ rule, ...one }, context) => setTagRule(context, one, rule),
  runRule: async ({ days, ...one }, context) => {
    const was = await heldForRule(context, one)
    const span = { from: dayStart(context.now) - (days - 1) * DAY, to: context.now }
    const events = await latestEvents(context.tx, was.auto_rule!, span, BACK_MOST)
    if (events.length === 0)
      throw ruled(
        'rule_nobody',
        ['最近 {n} 天没有符合规则的客户', 'In {n} days the rule means no customer'],
        { n: days },
      )
    const job = await startRowJob(context, giving, {
      rows: events.map((of, at) => ({
        line: at + 1,
        id: of.customer_id,
        event: of.event,
        at: of.at,
      })),
      same: { tag_id: was.id },
    })
    const after = await tagRecord.set(context, was, {})
    tagRecord.log(context, after, { after: { days, customers: job.rows } })
    return { id: after.id, version: after.version, ...job }
  },
  del: (of, context) => deleteTag(context, of),
  sync: (_, context) => beginSync(context, 'tags'),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const customerTagsServer = implement(contract, handlers)
