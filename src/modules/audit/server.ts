import { and, asc, count, desc, eq, ilike, sql, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { audit_task, type AuditTask } from '#src/areas/audit/audit.table.ts'
import {
  auditQueues,
  auditStates,
  auditTabs,
  flagsOf,
  queueNames,
  rejectCodes,
  shortRule,
  submitTypes,
  type AuditQueue,
} from '#src/areas/audit/audit.ts'
import { auditorsPage, auditorsWho } from '#src/areas/audit/auditors.server.ts'
import {
  detailOf,
  itemOf,
  matching,
  queueCounts,
  queuePage,
  queueTabs,
  queueWhere,
  todayOf,
  topReasons,
  type QueueFilters,
} from '#src/areas/audit/auditQueue.server.ts'
import {
  approve,
  askMore,
  checkReason,
  offShelf,
  reject,
  transfer,
  undo,
} from '#src/areas/audit/decision.server.ts'
import { lookAt, lookFigures, setRates, takeLook } from '#src/areas/audit/look.server.ts'
import {
  imageFaults,
  judge,
  judgedAgain,
  readAuditSettings,
} from '#src/areas/audit/submission.server.ts'
import {
  beat,
  change,
  claim,
  claimNext,
  readTask,
  unclaim,
  whyNot,
} from '#src/areas/audit/taskClaims.server.ts'
import { e_category, shop_category } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { askedTimes, timeLogs } from '#src/areas/product/batchTime.server.ts'
import { productBody } from '#src/contract/product.ts'
import { percent } from '#src/domain/money.ts'
import { clause, colon, say, semicolon, type Lang, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler } from '#src/server/call/implement.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { like } from '#src/server/db/like.ts'
import { defineExport, startExport, type Chosen, chosenRows } from '#src/server/exports/exports.ts'
import * as contract from './contract.ts'

const versionsOf = (tasks: readonly { id: number; version: number }[]) =>
  new Map(tasks.map(task => [task.id, task.version]))

const logged = (task: AuditTask) => ({
  object_type: 'audit_task',
  object_id: task.id,
  object_label: task.title.slice(0, 64),
})
type Queue = typeof contract.bulks
/** The verbs that every queue has; the four pages differ in their permissions only. */
const verbs = (queue: AuditQueue) =>
  ({
    lst: async (input, { db, staff, now }) => queuePage(db, queue, input, staff, now),
    counts: async (input, { db, staff, now }) => queueCounts(db, queue, input, staff, now),
    detail: async ({ id }, { db, staff, now }) =>
      detailOf(db, await readTask(db, queue, id, staff), staff, now),
    today: async (_, { db, staff, now }) => todayOf(db, queue, staff.id, now),
    reasons: async (_, { db, now }) => ({ codes: await topReasons(db, queue, now) }),
    claim: async ({ id }, { tx, staff, now, log }) => {
      const task = await judgedAgain(tx, await claim({ tx, staff, now }, queue, id), now)
      log({ ...logged(task), after: { claimed_by: staff.id } })
      return { id, claim_until: task.claim_until!, version: task.version }
    },
    claimNext: async ({ n, ...filters }, { tx, staff, now, log }) => {
      const tasks = await claimNext({ tx, staff, now }, queue, n, matching(filters, now))
      for (const task of tasks) log({ ...logged(task), after: { claimed_by: staff.id } })
      const judged: AuditTask[] = []
      for (const task of tasks) judged.push(await judgedAgain(tx, task, now))
      return { tasks: judged.map(task => itemOf(task, now)) }
    },
    unclaim: async ({ ids }, context) =>
      eachRow(context, ids, async ({ tx, staff, now, log }, id) => {
        const task = await unclaim({ tx, staff, now }, queue, id)
        log({ ...logged(task), before: { claimed_by: staff.id }, after: { claimed_by: null } })
      }),
    beat: async ({ id }, { tx, staff, now }) =>
      beat(tx, await readTask(tx, queue, id, staff), staff, now),
    approve: async (input, context) => approve(context, queue, input),
    reject: async ({ reason_code, more_codes, reason, field_marks, ...one }, context) =>
      reject(context, queue, one, { reason_code, more_codes, reason, field_marks }),
    batchApprove: async ({ tasks }, context) => {
      const read = versionsOf(tasks)
      return eachRow(context, [...read.keys()], (row, id) =>
        approve(row, queue, { id, version: read.get(id)! }, { careful: true }),
      )
    },
    batchReject: async ({ tasks, ...why }, context) => {
      checkReason(why.reason)
      const read = versionsOf(tasks)
      return eachRow(context, [...read.keys()], (row, id) =>
        reject(row, queue, { id, version: read.get(id)! }, why),
      )
    },
    transfer: async ({ admin_id, reason, ...one }, context) => {
      const to = (await auditorsWho(context.tx, `audit.${queue}.approve`)).find(
        person => person.id === admin_id,
      )
      if (!to)
        throw ruled('not_auditor', ['对方不能审核此队列', 'They may not decide in this queue'])
      const task = await transfer(context, queue, one, { next: to, reason })
      return { id: task.id, version: task.version, claim_until: task.claim_until! }
    },
    undo: async ({ ids }, context) => eachRow(context, ids, (row, id) => undo(row, queue, id)),
    export: async ({ format, columns, ...filters }, context) => {
      const { tx, staff, now } = context
      const { state, ...rest } = filters
      const where = and(
        queueWhere({ queue, tab: state }, rest, staff, now),
        chosenRows(audit_task.id, filters),
      )
      // The whole count: an export's progress is told against it.
      const [rows] = await tx.select({ n: count() }).from(audit_task).where(where)
      return startExport(context, {
        page: `audit.${queue}`,
        filters,
        filters_text: await filtersText(context.tx, filters, staff.lang),
        rows_expected: rows!.n,
        format,
        columns,
      })
    },
  }) satisfies { [K in Exclude<keyof Queue, 'askMore' | 'approveWithEdit'>]: Handler<Queue[K]> }

const more =
  (queue: AuditQueue): Handler<Queue['askMore']> =>
  async ({ reason, ...one }, context) => {
    const { id, state, version } = await askMore(context, queue, one, reason)
    return { id, state, version }
  }
const withEdit =
  (queue: AuditQueue): Handler<Queue['approveWithEdit']> =>
  async ({ fields, reason, ...one }, context) =>
    approve(context, queue, one, { edit: fields, reason })

const filterNames = {
  keyword: ['关键词', 'Keyword'],
  city_id: ['城市', 'City'],
  mid: ['商场', 'Mall'],
  kind: ['类型', 'Kind'],
  decided_by: ['审核人', 'Decided by'],
  flagged: ['有标记', 'Flagged'],
  over_sla: ['已超时', 'Late'],
  submitted_from: ['提交自', 'Submitted from'],
  submitted_to: ['提交至', 'Submitted to'],
} as const satisfies Record<string, Text>
/** The filters that name a row by its number. */
const namedRows: Readonly<Record<string, (db: Db, id: number) => Promise<{ name: string }[]>>> = {
  city_id: async (db, id) => db.select({ name: city.city_name }).from(city).where(eq(city.id, id)),
  mid: async (db, id) => db.select({ name: mall.name }).from(mall).where(eq(mall.id, id)),
  decided_by: async (db, id) => db.select({ name: admin.name }).from(admin).where(eq(admin.id, id)),
}
const valueWords = (key: string, value: unknown, lang: Lang): string => {
  if (key.startsWith('submitted')) return timeFull(Number(value))
  return key === 'mid' ? say(['商场外', 'Outside malls'], lang) : String(value)
}
/** The filters of an export in words, for the person who will look at the file later. */
const filtersText = async (
  db: Db,
  {
    state,
    submit_type,
    ids: _,
    ...rest
  }: { state: keyof typeof auditTabs } & QueueFilters & Chosen,
  lang: Lang,
): Promise<string> => {
  const words = await Promise.all(
    Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(async ([key, value]) => {
        const name = say(filterNames[key as keyof typeof filterNames], lang)
        if (value === true) return name
        if (value === false) return say(['非', 'not '], lang) + name
        const [row] = (await namedRows[key]?.(db, Number(value))) ?? []
        return `${name}${say(colon, lang)}${row?.name ?? valueWords(key, value, lang)}`
      }),
  )
  return [
    say(auditTabs[state], lang),
    ...(submit_type ? [say(submitTypes[submit_type], lang)] : []),
    ...words,
  ].join(say(clause, lang))
}

/** A row in the words of the screen. */
const words = (row: ReturnType<typeof itemOf>, lang: Lang) => ({
  ...row,
  state: say(auditStates[row.state], lang),
  submit_type: say(submitTypes[row.submit_type], lang),
  flags: row.flags.map(flag => say(shortRule(flag), lang)).join(say(semicolon, lang)),
  reason_code: row.reason_code
    ? [row.reason_code, ...row.more_codes]
        .map(code => say(rejectCodes[code as keyof typeof rejectCodes], lang))
        .join(say(semicolon, lang))
    : null,
  commission: percent(row.commission_bp),
})

for (const queue of auditQueues) {
  defineExport(`audit.${queue}`, {
    title: queueNames[queue],
    permit: `audit.${queue}.export`,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'title', title: ['标题', 'Title'] },
      { key: 'merchant_name', title: ['商户', 'Merchant'] },
      { key: 'store_name', title: ['门店', 'Store'] },
      { key: 'city_name', title: ['城市', 'City'] },
      { key: 'mall_name', title: ['商场', 'Mall'] },
      { key: 'category_name', title: ['类目', 'Category'] },
      { key: 'price_cents', title: ['售价', 'Price'], kind: 'money' },
      { key: 'list_price_cents', title: ['门市价', 'List price'], kind: 'money' },
      {
        key: 'settle_price_cents',
        title: ['结算价', 'Settle price'],
        kind: 'money',
        field: 'product.settle_price_cents',
      },
      { key: 'commission', title: ['佣金', 'Commission'], field: 'product.commission_bp' },
      { key: 'stock', title: ['库存', 'Stock'], kind: 'number' },
      { key: 'submit_type', title: ['提交类型', 'Type'] },
      { key: 'round', title: ['轮次', 'Round'], kind: 'number' },
      { key: 'flags', title: ['机审标记', 'Flags'] },
      { key: 'state', title: ['状态', 'State'] },
      { key: 'submitted_at', title: ['提交时间', 'Submitted'], kind: 'time' },
      { key: 'sla_at', title: ['时限', 'Due'], kind: 'time' },
      { key: 'decider_name', title: ['审核人', 'Decided by'] },
      { key: 'decided_at', title: ['审核时间', 'Decided'], kind: 'time' },
      { key: 'reason_code', title: ['驳回原因', 'Reject reason'] },
      { key: 'reason', title: ['说明', 'Reason'] },
    ],
    rows: async ({ db, staff, filters, now, after, limit }) => {
      const { state, ...rest } = filters as { state: (typeof queueTabs)[number] } & QueueFilters
      const rows = await db
        .select()
        .from(audit_task)
        .where(
          and(
            queueWhere({ queue, tab: state }, rest, staff, now),
            chosenRows(audit_task.id, filters),
            after === undefined ? undefined : sql`${audit_task.id} > ${after}`,
          ),
        )
        .orderBy(asc(audit_task.id))
        .limit(limit)
      return {
        rows: rows.map(task => words(itemOf(task, now), staff.lang)),
        next: rows.length < limit ? undefined : rows.at(-1)?.id,
      }
    },
  })
}

/** Fields of a submission that a remark may stand at. */
const fields = new Set(Object.keys(productBody.shape))

const rest = {
  markField: async ({ id, version, field, comment }, { tx, staff, now, log }) => {
    if (!fields.has(field))
      throw invalid({ field: say(['没有这个字段', 'No such field'], staff.lang) })
    const task = await readTask(tx, 'product', id, staff)
    const refusal = whyNot('reject', task, version, { staff, now })
    if (refusal) throw refusal
    const { [field]: was, ...others } = task.field_marks
    const after = await change({ tx, staff, now }, 'reject', task, {
      field_marks: comment ? { ...others, [field]: comment } : others,
    })
    log({
      object_type: 'audit_task',
      object_id: id,
      object_label: task.title.slice(0, 64),
      before: { [field]: was ?? null },
      after: { [field]: comment || null },
    })
    return { id, version: after.version, field_marks: after.field_marks }
  },
  recheckImage: async ({ id, version }, { tx, staff, now, log }) => {
    const task = await readTask(tx, 'product', id, staff)
    const refusal = whyNot('reject', task, version, { staff, now })
    if (refusal) throw refusal
    const image_faults = await imageFaults(tx, task.snapshot.images, await readAuditSettings(tx))
    const flags = flagsOf((await judge(tx, { ...task, image_faults }, task.snapshot, now)).found)
    const after = await change({ tx, staff, now }, 'reject', task, { image_faults, flags })
    log({
      object_type: 'audit_task',
      object_id: id,
      object_label: task.title.slice(0, 64),
      before: { flags: task.flags },
      after: { flags },
    })
    return { id, version: after.version, flags }
  },
  offShelf: async ({ id, reason }, context) => offShelf(context, 'product', id, reason),
} satisfies {
  recheckImage: Handler<typeof contract.product.recheckImage>
  markField: Handler<typeof contract.product.markField>
  offShelf: Handler<typeof contract.product.offShelf>
}

const times = {
  batchUpdateStartAndCheckTime: async (input, context) => askedTimes(context, input),
  timeLogs: async (asked, { db, staff }) => timeLogs(db, staff, asked),
} satisfies { [K in keyof typeof contract.tuan]: Handler<(typeof contract.tuan)[K]> }
const lists = {
  auditors: async (asked, { db }) =>
    auditorsPage(db, asked, ...auditQueues.map(queue => `audit.${queue}.approve`)),
  // Both sides in one list, the finest first; a category of the wrong side is refused by its rule.
  categories: async ({ page, pageSize, keyword }, { db }) => {
    const named = (table: typeof shop_category | typeof e_category, name: SQL<string>) =>
      db
        .select({ id: table.id, name: name.as('name'), level: table.level })
        .from(table)
        .where(and(eq(table.status, 'on'), keyword ? ilike(table.name, like(keyword)) : undefined))
    const both = unionAll(
      named(shop_category, sql<string>`${shop_category.name}`),
      named(e_category, sql<string>`'电商 · ' || ${e_category.name}`),
    ).as('both')
    const list = await db
      .select({ id: both.id, name: both.name })
      .from(both)
      .orderBy(desc(both.level), asc(both.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const [counted] = await db.select({ n: count() }).from(both)
    return { list, total: counted!.n }
  },
} satisfies {
  auditors: Handler<typeof contract.auditors>
  categories: Handler<typeof contract.categories>
}

export default [
  implement(contract.bulks, {
    ...verbs('bulks'),
    askMore: more('bulks'),
    approveWithEdit: withEdit('bulks'),
  }),
  implement(contract.card, { ...verbs('card'), askMore: more('card') }),
  implement(contract.voucher, { ...verbs('voucher'), askMore: more('voucher') }),
  implement(contract.product, {
    ...verbs('product'),
    askMore: more('product'),
    approveWithEdit: withEdit('product'),
    ...rest,
  }),
  implement(contract.look, {
    take: async (_, { tx, staff, now }) => takeLook(tx, staff, now),
    approve: async ({ id, note }, context) => {
      await lookAt(context, id, { verdict: 'approved', codes: [], note })
      return { id }
    },
    reject: async ({ id, codes, note }, context) => {
      checkReason(note)
      await lookAt(context, id, { verdict: 'rejected', codes, note })
      return { id }
    },
    figures: async (input, { db, staff, now }) => lookFigures(db, input, staff, now),
    setRates: async ({ rates, version }, context) => setRates(context, rates, version),
  }),
  implement(contract.tuan, times),
  implement({ auditors: contract.auditors, categories: contract.categories }, lists),
]
