import { z } from 'zod'
import { waits, type Wait } from '#src/areas/application/application.ts'
import {
  BATCH_MAX,
  REASON_MAX,
  UNDO_SECONDS,
  auditStates,
  type AuditState,
} from '#src/areas/audit/audit.ts'
import type { Text } from '#src/domain/text.ts'
import { placed } from './call.ts'
import { one, type callsOf } from './record.ts'
import {
  batchResult,
  id,
  keysOf,
  lines,
  listOf,
  page,
  searched,
  unix,
  version,
  type BatchResult,
} from './shapes.ts'

const state = keysOf<AuditState>(auditStates)
/** What a row tells that waits for somebody's decision, whatever is applied for. */
export const waitingRow = {
  id,
  merchant_id: id,
  title: z.string(),
  city_name: z.string(),
  owner_id: z.int().nullable(),
  bd_name: z.string(),
  flags: z.array(z.string()),
  round: z.int(),
  state,
  submitted_at: unix,
  submitted_by: z.int().nullable(),
  submitter_name: z.string(),
  sla_at: unix,
  claimed_by: z.int().nullable(),
  claimer_name: z.string().nullable(),
  claim_until: unix.nullable(),
  first_by: z.int().nullable(),
  decided_by: z.int().nullable(),
  decider_name: z.string().nullable(),
  decided_at: unix.nullable(),
  reason_code: z.string().nullable(),
  reason: z.string().nullable(),
  version,
}
const findings = z.array(
  z.object({
    rule: z.string(),
    level: z.enum(['block', 'second', 'flag', 'warn']),
    field: z.string().optional(),
    values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  }),
)
const viewers = z.array(z.object({ id, name: z.string() }))
/** What stands beside a submission: what the rules say, its earlier rounds, and who looks at it now. */
export const waitingDetail = <K extends string>(kind: z.ZodType<K>) => ({
  findings,
  rounds: z.array(
    z.object({
      kind,
      round: z.int(),
      state,
      reason_code: z.string().nullable(),
      reason: z.string().nullable(),
      by: z.string().nullable(),
      at: unix,
    }),
  ),
  viewers,
})

/** A tab: all that waits for a decision, what I hold of it, or a state. */
const tab = z
  .enum(['open', 'mine', 'need_more', 'approved', 'rejected', 'withdrawn'])
  .default('open')
/** Why something is sent back, in words. */
export const why = lines(REASON_MAX, 2)
/** Several rows as they were read. */
export const several = z.array(z.object(one)).min(1).max(BATCH_MAX)
/** What a decision answers. */
export const decided = z.object({ id, state, version, undo_until: unix })
/** What hands a row back or on answers. */
export const left = z.object({ id, state, version })
export const byTasks = placed('application', { 'tasks.id': 'application' })

type Of<K extends string, C extends string, R, F extends z.ZodRawShape> = {
  /** The right to see the page, and its first word of every other. */
  view: string
  /** What is applied for: `入驻申请`, `an application`. */
  what: Text
  kind: z.ZodType<K>
  code: z.ZodType<C>
  row: z.ZodType<R>
  /** The kind of row that waits. */
  rows?: string
  /** Filters beside those that every queue has. */
  more?: F
}
/** The filters that every queue has. */
const filtersOf = <K extends string>(kind: z.ZodType<K>) => ({
  keyword: searched(60).optional(),
  kind: kind.optional(),
  wait: keysOf<Wait>(waits).optional(),
  city_id: id.optional(),
  flagged: z.boolean().optional(),
})
/** The calls by which a queue of applications is read, claimed and handed on. */
export const queueCalls = <K extends string, C extends string, R, F extends z.ZodRawShape = {}>(
  call: ReturnType<typeof callsOf>,
  {
    view: permit,
    what: [zh, en],
    kind,
    code,
    row,
    rows = 'application',
    more = {} as F,
  }: Of<K, C, R, F>,
) => {
  const filters = { ...filtersOf(kind), ...more }
  return {
    lst: call.lists('lst', [`${zh}列表`, `List of ${en}`], {
      filters: { state: tab, ...filters },
      row,
    }),
    /** How many rows each tab has, and of what waits each kind and each age. */
    counts: call.read('counts', [`${zh}计数`, `Counts of ${en}`], {
      input: z.object(filters),
      output: z.record(z.string(), z.int()),
      permit,
    }),
    today: call.read('today', [`${zh}今日审核`, `Decided today of ${en}`], {
      input: z.object({}),
      output: z.object({
        approved: z.int(),
        rejected: z.int(),
        asked: z.int(),
        seconds_each: z.int().nullable(),
      }),
      scope: 'own',
      permit,
    }),
    reasons: call.read('reasons', [`${zh}常用驳回原因`, `Reasons used most for ${en}`], {
      input: z.object({}),
      output: z.object({ codes: z.array(code) }),
      touches: [],
      scope: 'all',
      permit,
    }),
    /** Colleagues to whom one can be handed. */
    auditors: call.read('auditors', [`${zh}可转交的审核员`, `Auditors of ${en}`], {
      input: z.object({ ...page, keyword: searched(32).optional() }),
      output: listOf(z.object({ id, name: z.string(), account: z.string() })),
      touches: ['admin', 'role'],
      scope: 'all',
      permit: permit.replace(/view$/, 'transfer'),
    }),
    claim: call.write('claim', [`领取${zh}`, `Claim ${en}`], {
      input: z.object({ id }),
      output: z.object({ id, claim_until: unix, version }),
    }),
    claimNext: call.write('claimNext', [`领取下一条${zh}`, `Claim the next of ${en}`], {
      input: z.object(filters),
      output: z.object({ tasks: z.array(row) }),
      scope: placed(rows),
    }),
    unclaim: call.write('unclaim', [`退回${zh}`, `Return ${en}`], {
      input: z.object({ ids: z.array(id).min(1).max(BATCH_MAX) }),
      output: batchResult,
      scope: placed(rows, 'ids'),
    }),
    /** Keeps my claim and shows me as a viewer. Not logged. */
    beat: call.write('beat', [`${zh}审核心跳`, `Heartbeat of ${en}`], {
      input: z.object({ id }),
      output: z.object({ claim_until: unix.nullable(), viewers, version }),
      touches: [],
      permit,
      quiet: true,
    }),
    transfer: call.write('transfer', [`转交${zh}`, `Transfer ${en}`], {
      input: z.object({ ...one, admin_id: id, reason: why }),
      output: z.object({ id, version, claim_until: unix }),
    }),
    export: call.startsExport('export', [`导出${zh}审核记录`, `Export ${en}`], {
      filters: { state: tab, ...filters },
    }),
  }
}
/** The call that takes decisions back, and how one decision and several name it. */
export const takenBackBy = (
  call: ReturnType<typeof callsOf>,
  title: Text,
  {
    touches,
    view,
    rows = 'application',
  }: { touches: readonly string[]; view: string; rows?: string },
) => {
  const undo = call.write('undo', title, {
    input: z.object({ ids: z.array(id).min(1).max(BATCH_MAX) }),
    output: batchResult,
    touches,
    scope: placed(rows, 'ids'),
    permit: view,
  })
  const of = { call: () => undo, seconds: UNDO_SECONDS }
  return {
    undo,
    single: { ...of, input: (done: { id: number }) => ({ ids: [done.id] }) },
    batch: {
      ...of,
      input: (done: BatchResult) => (done.ok.length > 0 ? { ids: done.ok } : undefined),
    },
  }
}
