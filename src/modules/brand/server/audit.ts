import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { brandAudit as page } from '#commands/pages/brand.ts'
import { application, type Application } from '#src/areas/application/application.table.ts'
import { applicationKinds, waits } from '#src/areas/application/application.ts'
import {
  applicationItems,
  applications,
  applicationsWhere,
  roundsOf,
  type ApplicationFilters,
  type ApplicationTab,
} from '#src/areas/application/applications.server.ts'
import { queueHandlers, versionsOf } from '#src/areas/application/queueHandlers.server.ts'
import { auditStates, auditTabs } from '#src/areas/audit/audit.ts'
import { alikeTo, bodyOf, judgeBrand, submitBrand } from '#src/areas/brand/applying.server.ts'
import { brand_authorisation } from '#src/areas/brand/authorisation.table.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import {
  brandChanges,
  brandRefuseCodes,
  shortBrandRule,
  type BrandBody,
  type BrandRefuseCode,
} from '#src/areas/brand/brandBody.ts'
import { categoryNames, figuresOf } from '#src/areas/brand/brands.server.ts'
import { alikePercent, plainBrand, type Alike } from '#src/areas/brand/likeness.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { comma, say, type Text } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import {
  implement,
  type Db,
  type Handler,
  type ReadContext,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { exporting, faultless, holding, record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import { countOf } from '#src/server/db/paging.ts'
import { brandAudit as contract } from '../contract/audit.ts'
import { approve, approveAsExisting, askMore, liveOf, reject, undo } from './deciding.ts'

const QUEUE = 'brand'
const rows = record(application, {
  object: 'application',
  label: row => row.title,
  keys: ['state'],
  places: { city: application.city_id, owner: application.owner_id },
})
type Listed = Awaited<ReturnType<typeof applicationItems>>[number]
/** Rows with what they are about: the brand, its category, who applies. */
const itemsOf = async (db: Db, listed: readonly Listed[]) => {
  const ids = listed.map(row => row.id)
  const found = await db
    .select({ id: application.id, snapshot: application.snapshot, merchant: merchant.name })
    .from(application)
    .innerJoin(merchant, eq(merchant.id, application.merchant_id))
    .where(inArray(application.id, ids))
  const of = new Map(found.map(row => [row.id, row]))
  const names = await categoryNames(
    db,
    found.map(row => bodyOf(row).category_id),
  )
  return listed.map(row => {
    const { merchant: merchant_name, ...own } = of.get(row.id)!
    const body = bodyOf(own)
    return {
      ...row,
      merchant_name,
      body,
      category_name: names.get(body.category_id) ?? `#${body.category_id}`,
      alike: [] as Alike[],
    }
  })
}
const detail = async (task: Application, { db, staff, now }: ReadContext) => {
  const body = bodyOf(task)
  const [[row], [standing], listed] = await Promise.all([
    db.select().from(merchant).where(eq(merchant.id, task.merchant_id)),
    db
      .select()
      .from(brand)
      .where(eq(brand.id, body.brand_id ?? 0)),
    applicationItems(db, [task], now),
  ])
  const live = liveOf(task, standing)
  const before = task.last_snapshot?.brand
  const last = before && brandChanges(before, body)
  const [items, { found, alike, needed }, rounds, viewers, categories] = await Promise.all([
    itemsOf(db, listed),
    judgeBrand(db, body, row!, now),
    roundsOf(db, task),
    applications.viewersOf(db, task.id, staff.id, now),
    categoryNames(
      db,
      [body, live, before].flatMap(one => one?.category_id ?? []),
    ),
  ])
  const isWaiting = task.is_open || task.state === 'need_more'
  // A decided one was judged when it was decided: what has changed since is no matter of it.
  const findings = isWaiting ? found : []
  const flags = isWaiting
    ? findings.filter(({ level }) => level !== 'warn').map(({ rule }) => rule)
    : task.flags
  return {
    task: { ...items[0]!, alike, flags },
    live,
    last:
      before && last && last.length > 0
        ? Object.fromEntries(last.map(field => [field, before[field]]))
        : null,
    categories: Object.fromEntries(categories),
    needed,
    findings,
    rounds,
    viewers,
  }
}
/** What a merchant's brand must hold to before anybody looks at it. */
const sound = async (
  { tx, staff, now }: WriteContext,
  body: BrandBody,
  { status }: Pick<typeof merchant.$inferSelect, 'status'>,
): Promise<void> => {
  const categories = await categoryNames(tx, [body.category_id])
  const late: Text = ['须晚于今天', 'After today']
  const until = body.auth_end_at
  const authFault = (): Text | undefined => {
    if (until === null) return undefined
    if (until <= now) return late
    return until > body.trademark_end_at
      ? ['不能晚于商标有效期', 'Not after the trademark ends']
      : undefined
  }
  faultless(staff, {
    merchant_id: status === 'active' ? undefined : ['商户不在营', 'The merchant does not trade'],
    category_id: categories.size > 0 ? undefined : ['分类不存在', 'There is no such category'],
    trademark_end_at: body.trademark_end_at > now ? undefined : late,
    auth_end_at: authFault(),
  })
}

type Sent = Omit<BrandBody, 'auth_end_at'> & { auth_end_at?: number | undefined }
/** Puts a merchant's brand into the queue; `was` is what it comes again after. */
const submit = async (
  context: WriteContext,
  merchant_id: number,
  { auth_end_at, ...fields }: Sent,
  was?: Application,
) => {
  const [row] = await context.tx
    .select()
    .from(merchant)
    .where(eq(merchant.id, merchant_id))
    .for('update')
  if (!row) throw missing()
  const body: BrandBody = { ...fields, auth_end_at: auth_end_at ?? null }
  await sound(context, body, row)
  const { id, state, version } = await submitBrand(context, row, body, was)
  return { id, state, version }
}

type Filters = { state: ApplicationTab } & ApplicationFilters
const codes = Object.keys(brandRefuseCodes) as BrandRefuseCode[]
const queue = queueHandlers({
  queue: QUEUE,
  decides: contract.approve.permit,
  codes,
  log: rows.log,
  address: title => to(page, { state: 'open', keyword: title.slice(0, 60) }),
})
const handlers = {
  ...queue,
  lst: async (input, context) => {
    const { list, ...rest } = await queue.lst(input, context)
    return { list: await itemsOf(context.db, list), ...rest }
  },
  claimNext: async (filters, context) => {
    const { tasks } = await queue.claimNext(filters, context)
    return { tasks: await itemsOf(context.tx, tasks) }
  },
  detail: async ({ id }, context) =>
    detail(await applications.readTask(context.db, QUEUE, id, context.staff), context),
  compare: async ({ id, brand_id }, { db, staff, now }) => {
    await applications.readTask(db, QUEUE, id, staff)
    const [row] = await db.select().from(brand).where(eq(brand.id, brand_id))
    if (!row) throw missing()
    const [figures, categories, merchants] = await Promise.all([
      figuresOf(db, [row.id], { staff, now }),
      categoryNames(db, [row.category_id]),
      db
        .select({ name: merchant.name })
        .from(brand_authorisation)
        .innerJoin(merchant, eq(merchant.id, brand_authorisation.merchant_id))
        .where(eq(brand_authorisation.brand_id, row.id))
        .orderBy(merchant.id)
        .limit(20),
    ])
    return {
      ...row,
      ...figures.get(row.id)!,
      category_name: categories.get(row.category_id) ?? '',
      merchants: merchants.map(one => one.name),
    }
  },
  brands: async ({ id, page: at, pageSize, keyword }, { db, staff }) => {
    const body = bodyOf(await applications.readTask(db, QUEUE, id, staff))
    const where = and(
      eq(brand.state, 'on'),
      holding(keyword, [brand.name, brand.en_name], brand.id),
    )
    const found = await db
      .select({ id: brand.id, name: brand.name, company: brand.company })
      .from(brand)
      .where(where)
    const name = plainBrand(body.name)
    const alike = new Map((await alikeTo(db, body)).map(one => [one.id, one.percent]))
    const percentOf = (of: { id: number; name: string }) =>
      alike.get(of.id) ?? alikePercent(plainBrand(of.name), name)
    const list = found
      .map(of => ({ ...of, percent: percentOf(of) }))
      .sort((a, b) => b.percent - a.percent || a.id - b.id)
    return { list: list.slice((at - 1) * pageSize, at * pageSize), total: list.length }
  },
  merchants: async ({ page: at, pageSize, keyword }, { db, staff }) => {
    const where = and(
      eq(merchant.status, 'active'),
      holding(keyword, [merchant.name], merchant.id),
      within(staff.scope, { city: merchant.city_id, owner: merchant.bd_admin_id }),
    )
    const list = await db
      .select({ id: merchant.id, name: merchant.name, city_name: city.city_name })
      .from(merchant)
      .innerJoin(city, eq(city.id, merchant.city_id))
      .where(where)
      .orderBy(asc(merchant.id))
      .limit(pageSize)
      .offset((at - 1) * pageSize)
    return { list, ...(await countOf(db, merchant, where)) }
  },
  submit: async ({ merchant_id, ...fields }, context) => submit(context, merchant_id, fields),
  resubmit: async ({ id, version, ...fields }, context) => {
    const was = await applications.readTask(context.tx, QUEUE, id, context.staff)
    if (was.version !== version) throw await rows.late(context, was)
    if (was.state !== 'need_more' && was.state !== 'rejected')
      throw ruled('wrong_state', [
        '待补充或已驳回的申请才能重新提交',
        'Only what was sent back is submitted again',
      ])
    const { brand_id } = bodyOf(was)
    return submit(context, was.merchant_id, { ...fields, ...(brand_id && { brand_id }) }, was)
  },
  approve: async (one, context) => approve(context, one),
  approveApart: async ({ name, reason, ...one }, context) =>
    approve(context, one, { name, explain: reason }),
  approveAsExisting: async (input, context) => approveAsExisting(context, input),
  reject: async ({ reason_code, reason, ...one }, context) =>
    reject(context, one, { reason_code, reason }),
  askMore: async (input, context) => askMore(context, input),
  batchReject: async ({ tasks, ...why }, context) => {
    const read = versionsOf(tasks)
    return eachRow(context, [...read.keys()], (row, id) =>
      reject(row, { id, version: read.get(id)! }, why),
    )
  },
  undo: async ({ ids }, context) => eachRow(context, ids, (row, id) => undo(row, id)),
  export: exporting(
    {
      of: rows,
      where: (asked: Filters, asker) => applicationsWhere(QUEUE, asked, asker),
      shown: async (db, found, { now }) => itemsOf(db, await applicationItems(db, found, now)),
    },
    {
      page: 'brand.audit',
      title: ['品牌入驻审核', 'Brand applications'],
      permit: contract.export.permit,
      columns: [
        { key: 'id', title: ['编号', 'ID'], kind: 'number' },
        { key: 'kind', title: ['类型', 'Kind'] },
        { key: 'title', title: ['品牌', 'Brand'] },
        { key: 'merchant_name', title: ['商户', 'Merchant'] },
        { key: 'category_name', title: ['分类', 'Category'] },
        { key: 'trademark_no', title: ['商标注册号', 'Trademark'] },
        { key: 'trademark_end_at', title: ['商标有效期', 'Trademark until'], kind: 'time' },
        { key: 'auth_end_at', title: ['授权到期', 'Authorised until'], kind: 'time' },
        { key: 'city_name', title: ['城市', 'City'] },
        { key: 'bd_name', title: ['BD', 'BD'] },
        { key: 'round', title: ['轮次', 'Round'], kind: 'number' },
        { key: 'flags', title: ['风险提示', 'Flags'] },
        { key: 'state', title: ['状态', 'State'] },
        { key: 'submitted_at', title: ['提交时间', 'Submitted'], kind: 'time' },
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
      cells: ({ body, ...row }, { lang }) => ({
        id: row.id,
        kind: say(applicationKinds[row.kind], lang),
        title: row.title,
        merchant_name: row.merchant_name,
        category_name: row.category_name,
        trademark_no: body.trademark_no,
        trademark_end_at: body.trademark_end_at,
        auth_end_at: body.auth_end_at,
        city_name: row.city_name,
        bd_name: row.bd_name,
        round: row.round,
        flags: row.flags.map(flag => say(shortBrandRule(flag), lang)).join(say(comma, lang)),
        state: say(auditStates[row.state], lang),
        submitted_at: row.submitted_at,
        decider_name: row.decider_name,
        decided_at: row.decided_at,
        reason_code: row.reason_code
          ? say(brandRefuseCodes[row.reason_code as BrandRefuseCode], lang)
          : null,
        reason: row.reason,
      }),
    },
  ),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineTodo({
  key: 'brand_audit',
  title: ['品牌入驻审核', 'Brand applications'],
  permit: page.permit,
  target: ({ city_id }) => to(page, { state: 'open', city_id }),
  count: ({ db, staff, city_id, now }) =>
    countTodo(
      db,
      application,
      applicationsWhere(QUEUE, { state: 'open', city_id }, { staff, now }),
      { since: application.submitted_at, late: lte(application.sla_at, now) },
    ),
  beside: to(page),
})

export const brandAuditServer = implement(contract, handlers)
