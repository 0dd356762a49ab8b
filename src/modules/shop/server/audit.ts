import { eq, lte } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { shopAudit as page } from '#commands/pages/shop.ts'
import { application, type Application } from '#src/areas/application/application.table.ts'
import {
  applicationKinds,
  isOfStore,
  isWhole,
  refuseCodes,
  waits,
  type RefuseCode,
} from '#src/areas/application/application.ts'
import {
  applicationItems,
  applications,
  applicationsWhere,
  appliedTo,
  categoriesOf,
  judgeApplication,
  roundsOf,
  type ApplicationFilters,
  type ApplicationTab,
} from '#src/areas/application/applications.server.ts'
import { fieldText } from '#src/areas/application/fieldText.ts'
import { shortApplicationRule } from '#src/areas/application/findings.ts'
import { queueHandlers, versionsOf } from '#src/areas/application/queueHandlers.server.ts'
import { auditStates, auditTabs } from '#src/areas/audit/audit.ts'
import { isSameOnLicence } from '#src/areas/merchant/licence.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { comma, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler, type ReadContext } from '#src/server/call/implement.ts'
import { exporting, record } from '#src/server/call/record.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import { shopAudit as contract } from '../contract/audit.ts'
import { approve, askMore, blacklistMerchant, reject, replacedBy, undo } from './deciding.ts'
import { readPicture } from './licence.ts'
import { shownBank, type Merchant } from './merchants.ts'
import { storeBeside } from './storeForms.ts'

const QUEUE = 'shop'
const rows = record(application, {
  object: 'application',
  label: row => row.title,
  keys: ['state'],
  places: { city: application.city_id, owner: application.owner_id },
})

/** What is shown of a body: its account is masked for everybody. */
const shown = ({
  bank_no,
  legal_id_no,
  store: _,
  eshop: __,
  ...body
}: Application['snapshot']) => ({
  ...body,
  ...(bank_no !== undefined && { bank_no: shownBank({ bank_no }) }),
  ...(legal_id_no !== undefined && { legal_id_no: legal_id_no ?? '' }),
})
const detail = async (task: Application, context: ReadContext) => {
  const { db, staff, now } = context
  const [found] = await db.select().from(merchant).where(eq(merchant.id, task.merchant_id))
  const row: Merchant = found!
  const live = replacedBy(task, row)
  const last = task.last_snapshot
  const differs = Object.entries(isOfStore(task.kind) ? {} : (last ?? {})).filter(
    ([field, value]) =>
      JSON.stringify(value) !== JSON.stringify(task.snapshot[field as keyof typeof last]),
  )
  const [items, { found: findings, twins }, rounds, viewers, categories] = await Promise.all([
    applicationItems(db, [task], now),
    judgeApplication(db, task, row, now),
    roundsOf(db, task),
    applications.viewersOf(db, task.id, staff.id, now),
    categoriesOf(db, [
      ...(task.snapshot.category_ids ?? row.category_ids),
      ...(live?.category_ids ?? []),
    ]),
  ])
  const asks = new Set(task.snapshot.category_ids ?? row.category_ids)
  return {
    task: items[0]!,
    body: shown(appliedTo(row, task)),
    live: live && shown(live),
    last: differs.length > 0 ? shown(Object.fromEntries(differs)) : null,
    // A decided one was judged when it was decided: what has changed since is no matter of it.
    findings: task.is_open || task.state === 'need_more' ? findings : [],
    twins,
    categories: Object.fromEntries(categories.map(one => [one.id, one.name])),
    needed: [
      ...new Set(categories.filter(one => asks.has(one.id)).flatMap(one => one.need_licenses)),
    ],
    store: isOfStore(task.kind) ? await storeBeside(context, task, row) : null,
    merchant: {
      merchant_no: row.merchant_no,
      status: row.status,
      store_count: row.store_count,
    },
    rounds,
    viewers,
  }
}
/** Fields of a licence that an application has too. */
const applied = ['license_no', 'name', 'legal_name', 'license_expire_at'] as const
const readApplied = async (task: Application, context: ReadContext) => {
  const [row] = await context.db.select().from(merchant).where(eq(merchant.id, task.merchant_id))
  const body = appliedTo(row!, task)
  const reading = await readPicture(context, body.license_image)
  const { values } = reading
  return {
    ...reading,
    differs: applied.filter(
      field => field in values && !isSameOnLicence(values[field], body[field]),
    ),
  }
}
type Filters = { state: ApplicationTab } & ApplicationFilters
const handlers = {
  ...queueHandlers({
    queue: QUEUE,
    decides: contract.approve.permit,
    codes: Object.keys(refuseCodes) as RefuseCode[],
    log: rows.log,
    address: title => to(page, { state: 'open', keyword: title.slice(0, 60) }),
  }),
  detail: async ({ id }, context) =>
    detail(await applications.readTask(context.db, QUEUE, id, context.staff), context),
  readLicence: async ({ id }, context) =>
    readApplied(await applications.readTask(context.db, QUEUE, id, context.staff), context),
  approve: async (one, context) => approve(context, one),
  reject: async ({ reason_code, reason, ...one }, context) =>
    reject(context, one, { reason_code, reason }),
  askMore: async (input, context) => askMore(context, input),
  blacklist: async ({ reason, ...one }, context) => blacklistMerchant(context, one, reason),
  batchApprove: async ({ tasks }, context) => {
    const read = versionsOf(tasks)
    return eachRow(context, [...read.keys()], (row, id) =>
      approve(row, { id, version: read.get(id)! }, { careful: true }),
    )
  },
  batchReject: async ({ tasks, ...why }, context) => {
    const read = versionsOf(tasks)
    return eachRow(context, [...read.keys()], (row, id) =>
      reject(row, { id, version: read.get(id)! }, why, { careful: true }),
    )
  },
  undo: async ({ ids }, context) => eachRow(context, ids, (row, id) => undo(row, id)),
  export: exporting(
    {
      of: rows,
      where: (asked: Filters, asker) => applicationsWhere(QUEUE, asked, asker),
      shown: (db, found, { now }) => applicationItems(db, found, now),
    },
    {
      page: 'shop.audit',
      title: ['入驻审核', 'Applications'],
      permit: contract.export.permit,
      columns: [
        { key: 'id', title: ['编号', 'ID'], kind: 'number' },
        { key: 'kind', title: ['类型', 'Kind'] },
        { key: 'title', title: ['商户', 'Merchant'] },
        { key: 'city_name', title: ['城市', 'City'] },
        { key: 'bd_name', title: ['BD', 'BD'] },
        { key: 'changed', title: ['变更内容', 'Changes'] },
        { key: 'round', title: ['轮次', 'Round'], kind: 'number' },
        { key: 'flags', title: ['风险提示', 'Flags'] },
        { key: 'state', title: ['状态', 'State'] },
        { key: 'submitter_name', title: ['提交人', 'Submitted by'] },
        { key: 'submitted_at', title: ['提交时间', 'Submitted'], kind: 'time' },
        { key: 'sla_at', title: ['时限', 'Due'], kind: 'time' },
        { key: 'decider_name', title: ['审核人', 'Decided by'] },
        { key: 'decided_at', title: ['审核时间', 'Decided'], kind: 'time' },
        { key: 'reason_code', title: ['驳回原因', 'Reject reason'] },
        { key: 'reason', title: ['说明', 'Reason'] },
      ],
      words: ({ state, kind, wait, flagged, keyword }, lang) => [
        say(auditTabs[state], lang),
        kind && say(applicationKinds[kind], lang),
        wait && say(waits[wait], lang),
        flagged && say(['有风险提示', 'Flagged'], lang),
        keyword,
      ],
      cells: (row, { lang }) => ({
        ...row,
        kind: say(applicationKinds[row.kind], lang),
        changed: isWhole(row.kind)
          ? ''
          : row.changed
              .map(field => say(fieldText(row.kind, field) ?? [field, field], lang))
              .join(say(comma, lang)),
        flags: row.flags.map(flag => say(shortApplicationRule(flag), lang)).join(say(comma, lang)),
        state: say(auditStates[row.state], lang),
        reason_code: row.reason_code ? say(refuseCodes[row.reason_code as RefuseCode], lang) : null,
        asked: '',
      }),
    },
  ),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineTodo({
  key: 'shop_audit',
  title: ['商户入驻审核', 'Merchant sign-ups'],
  permit: page.permit,
  target: ({ city_id }) => to(page, { state: 'open', city_id }),
  count: ({ db, staff, city_id, now }) =>
    countTodo(
      db,
      application,
      applicationsWhere(QUEUE, { state: 'open', city_id }, { staff, now }),
      {
        since: application.submitted_at,
        late: lte(application.sla_at, now),
      },
    ),
  beside: to(page),
})

export const shopAuditServer = implement(contract, handlers)
