import { and, asc, gt, gte, inArray, sql, type SQL } from 'drizzle-orm'
import { ecard } from '#src/areas/ecard/ecard.table.ts'
import { buy_limit_log, buy_limit_rule } from '#src/areas/limit/limit.table.ts'
import { membersToPick, productsToPick, storesToPick } from '#src/areas/limit/picks.server.ts'
import {
  limitDimensions,
  limitFaults,
  limitedKinds,
  limitScopes,
  limitSentence,
  namesCards,
  type LimitDimension,
  type LimitedKind,
  type LimitScope,
} from '#src/areas/limit/rule.ts'
import {
  countedFields,
  editedFields,
  exemptMember,
  heldRule,
  limitRules,
  mayChange,
  placesOf,
} from '#src/areas/limit/rules.server.ts'
import { tryLimits } from '#src/areas/limit/trial.server.ts'
import type { BuyLimit } from '#src/areas/limit/usage.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { switches } from '#src/areas/people/people.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { Sent } from '#src/contract/call.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { comma, joined, say, type Text } from '#src/domain/text.ts'
import { dayStart } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import {
  arrange,
  equal,
  exporting,
  faultless,
  holding,
  listing,
  reverting,
  turning,
  unlessTaken,
} from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { sameContent } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { groupActivity as contract } from '../contract/index.ts'

type Filters = {
  keyword?: string
  scope_kind?: LimitScope
  product_kind?: LimitedKind
  dimension?: LimitDimension
  mid?: number
  status?: 'on' | 'off'
  hit?: boolean
}
/** The kinds of rows that the ids of a rule's scope name. */
const namedKind = (row: BuyLimit) => (namesCards(row) ? 'ecard' : row.scope_kind)
/** Names by the ids that rules name, for each kind of scope. */
const namesIn = async (db: Db, rows: readonly BuyLimit[]) => {
  const names = new Map<string, string>()
  for (const kind of ['product', 'ecard', 'store', 'mall', 'category'] as const) {
    const ids = rows.flatMap(row => (namedKind(row) === kind ? row.scope_ids : []))
    if (ids.length === 0) continue
    for (const { id, name } of await namedRows(db, kind, [...new Set(ids)]))
      names.set(`${kind}${id}`, name)
  }
  return names
}
const namedRows = async (
  db: Db,
  kind: 'product' | 'ecard' | 'store' | 'mall' | 'category',
  ids: number[],
): Promise<{ id: number; name: string }[]> => {
  if (kind === 'product')
    return db
      .select({ id: product.id, name: product.title })
      .from(product)
      .where(inArray(product.id, ids))
  if (kind === 'ecard')
    return db.select({ id: ecard.id, name: ecard.name }).from(ecard).where(inArray(ecard.id, ids))
  if (kind === 'category')
    return (
      await db.execute<{ id: number; name: string }>(
        sql`select id, name from shop_category where id in ${ids}`,
      )
    ).rows
  const of = kind === 'store' ? store : mall
  return db.select({ id: of.id, name: of.name }).from(of).where(inArray(of.id, ids))
}
/** Categories of shipped goods have a tree of their own. */
const eCategoryNames = async (db: Db, rows: readonly BuyLimit[]) => {
  const ids = rows.flatMap(row =>
    row.scope_kind === 'category' && row.product_kind === 'elist' ? row.scope_ids : [],
  )
  if (ids.length === 0) return new Map<number, string>()
  const found = await db.execute<{ id: number; name: string }>(
    sql`select id, name from e_category where id in ${ids}`,
  )
  return new Map(found.rows.map(row => [row.id, row.name]))
}
const hitsToday = async (db: Db, ids: number[], now: number) => {
  const rows = await db
    .select({ id: buy_limit_log.rule_id, n: sql<number>`sum(${buy_limit_log.folded})::int` })
    .from(buy_limit_log)
    .where(and(inArray(buy_limit_log.rule_id, ids), gte(buy_limit_log.created_at, dayStart(now))))
    .groupBy(buy_limit_log.rule_id)
  return new Map(rows.map(row => [row.id, row.n]))
}
const membersNamed = async (db: Db, ids: number[]) => {
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({ id: member.id, name: member.nickname })
          .from(member)
          .where(inArray(member.id, ids))
  return new Map(rows.map(row => [row.id, row.name]))
}
const list = listing(limitRules, {
  by: buy_limit_rule.priority,
  where: ({ keyword, mid, hit, ...same }: Filters) =>
    and(
      holding(keyword, [buy_limit_rule.name], buy_limit_rule.id),
      equal(buy_limit_rule, same),
      mid === undefined ? undefined : sql`${buy_limit_rule.mall_ids} @> ${`[${mid}]`}::jsonb`,
      hit ? gt(buy_limit_rule.hits, 0) : undefined,
    ),
  shown: async (db, rows, { now }) => {
    const names = await namesIn(db, rows)
    const shipped = await eCategoryNames(db, rows)
    const today = await hitsToday(
      db,
      rows.map(row => row.id),
      now,
    )
    const exempt = rows.flatMap(row => row.exempt.filter(one => one.until > now))
    const people = await membersNamed(db, [...new Set(exempt.map(one => one.member_id))])
    const scopeName = (row: BuyLimit, id: number) =>
      (row.scope_kind === 'category' && row.product_kind === 'elist'
        ? shipped.get(id)
        : names.get(`${namedKind(row)}${id}`)) ?? `#${id}`
    return rows.map(row => ({
      ...row,
      scope: row.scope_ids.map(id => ({ id, name: scopeName(row, id) })),
      hits_today: today.get(row.id) ?? 0,
      exempt: row.exempt
        .filter(one => one.until > now)
        .map(one => ({ ...one, name: people.get(one.member_id) ?? `#${one.member_id}` })),
    }))
  },
})
const inOrder = (db: Db): Promise<{ id: number; name: string }[]> =>
  db
    .select({ id: buy_limit_rule.id, name: buy_limit_rule.name })
    .from(buy_limit_rule)
    .orderBy(asc(buy_limit_rule.priority), asc(buy_limit_rule.id))
const lockRules = (tx: Db) => lockSequence(tx, 'buy_limit_rule')

type Fields = Omit<Sent<typeof contract.create>, 'zero_ok'>
/** The fields that a rule keeps of what was sent: none that its scope does not name. */
const columnsOf = async (
  context: WriteContext,
  { zero_ok, ...sent }: Fields & { zero_ok?: boolean | undefined },
) => {
  const isActivity = sent.scope_kind === 'activity'
  const named = sent.scope_kind !== 'all' && !isActivity
  const fields = {
    ...sent,
    scope_ids: named ? [...new Set(sent.scope_ids)].sort((a, b) => a - b) : [],
    ways: isActivity ? [...new Set(sent.ways)] : [],
    level_qty: Object.fromEntries(
      Object.entries(sent.level_qty ?? {}).filter(([, qty]) => qty !== undefined),
    ) as Record<string, number>,
    return_on_refund: sent.return_on_refund ?? true,
  }
  faultless(context.staff, limitFaults(fields, zero_ok ?? false))
  return { ...fields, ...(await placesOf(context.tx, context.staff, fields)) }
}
const once = <T>(run: Promise<T>): Promise<T> =>
  unlessTaken(run, () => {
    const text: Text = ['已有同名的限购规则', 'There is a limit of that name']
    return ruled('name_exists', text, {}, { fields: { name: text } })
  })
const addLast = async (
  context: WriteContext,
  values: Omit<typeof buy_limit_rule.$inferInsert, 'priority'>,
) => {
  await lockRules(context.tx)
  const priority = (await inOrder(context.tx)).length
  return once(limitRules.add(context, { ...values, priority }))
}
const disableOne = async (context: WriteContext, was: BuyLimit, reason: string) => {
  mayChange(context, was)
  const off = await turning(Promise.resolve(was), 'off')
  return limitRules.save(context, off, { status: 'off', status_reason: reason }, reason)
}

const handlers = {
  lst: async (input, context) => {
    // The order is that of all rules: a person who sees a part of them does not arrange them.
    const arranged = seesAll(context.staff.scope) ? await inOrder(context.db) : []
    return {
      ...(await list.page(input as never, context)),
      arranged,
      list_version: sequenceVersion(arranged.map(one => one.id)),
    }
  },
  products: productsToPick,
  stores: storesToPick,
  categories: async ({ page, pageSize, keyword, kind }, { db }) => {
    const tree = sql.identifier(kind === 'elist' ? 'e_category' : 'shop_category')
    const where: SQL = keyword ? sql`name ilike ${like(keyword)}` : sql`true`
    const { rows } = await db.execute<{ id: number; name: string; total: number }>(
      sql`select id, name, count(*) over ()::int total from ${tree} where ${where} order by level, sort, id limit ${pageSize} offset ${(page - 1) * pageSize}`,
    )
    return { list: rows.map(({ id, name }) => ({ id, name })), total: rows[0]?.total ?? 0 }
  },
  members: membersToPick,
  create: async (fields, context) =>
    addLast(context, { ...(await columnsOf(context, fields)), status: 'off' }),
  edit: async ({ id, version, ...sent }, context) => {
    const was = await heldRule(context, { id, version })
    const columns = await columnsOf(context, sent)
    const counts = countedFields.every(field => sameContent(was[field], columns[field]))
    return once(
      limitRules.save(context, was, { ...columns, ...(!counts && { basis: was.basis + 1 }) }),
    )
  },
  copy: async ({ name, ...one }, context) => {
    const was = await heldRule(context, one)
    const { city_ids, mall_ids } = was
    const said = Object.fromEntries(editedFields.map(field => [field, was[field]])) as Pick<
      BuyLimit,
      (typeof editedFields)[number]
    >
    return addLast(context, { ...said, city_ids, mall_ids, name, status: 'off' })
  },
  enable: async (one, context) => {
    const was = await turning(heldRule(context, one), 'on')
    if (was.end_at <= context.now)
      throw ruled('over', ['有效期已过，请先延长结束时间', 'It is over: give it a later end first'])
    return limitRules.save(context, was, { status: 'on', status_reason: '' })
  },
  disable: async ({ reason, ...one }, context) =>
    disableOne(context, await limitRules.heldFast(context, one), reason),
  batchDisable: ({ ids, reason }, context) =>
    eachRow(context, ids, async (inside, id) =>
      disableOne(inside, await limitRules.lock(inside, id), reason),
    ),
  test: ({ member_id, product_id }, { db, staff, now }) =>
    tryLimits(db, { member_id, product_id, lang: staff.lang, now }),
  exempt: async ({ id, version, ...of }, context) => {
    const was = await limitRules.heldFast(context, { id, version })
    const { after, until } = await exemptMember(context, was, of)
    return { ...after, until }
  },
  sort: async (asked, { tx, staff, log }) => {
    if (!seesAll(staff.scope))
      throw ruled('not_yours', ['优先级由总部统一调整', 'Headquarters arrange the limits'])
    await lockRules(tx)
    const before = (await inOrder(tx)).map(one => one.id)
    const { order, list_version } = await arrange(tx, asked, before, {
      sets: buy_limit_rule.priority,
      by: buy_limit_rule.id,
    })
    log({
      object_type: 'buy_limit_rule',
      object_id: 0,
      object_label: joined(['限购规则优先级', 'Order of limits']),
      before: { order: before },
      after: { order },
    })
    return { list_version }
  },
  del: async (one, context) => {
    const was = await heldRule(context, one)
    if (was.status === 'on' && was.hits > 0)
      throw ruled(
        'has_hits',
        ['已拦截 {n} 次，启用中不能删除，请先停用', 'It stopped {n} purchases: disable it first'],
        { n: was.hits },
      )
    return limitRules.remove(context, was)
  },
  export: exporting(list, {
    page: 'groupActivity.index',
    title: ['限购规则', 'Purchase limits'],
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'name', title: ['名称', 'Name'] },
      { key: 'scope_kind', title: ['范围', 'Scope'] },
      { key: 'scope', title: ['范围内容', 'Scope details'] },
      { key: 'product_kind', title: ['商品类型', 'Kind'] },
      { key: 'said', title: ['限购', 'Limit'] },
      { key: 'return_on_refund', title: ['退款返还额度', 'Refunds give back'] },
      { key: 'start_at', title: ['开始', 'From'], kind: 'time' },
      { key: 'end_at', title: ['结束', 'Until'], kind: 'time' },
      { key: 'status', title: ['状态', 'State'] },
      { key: 'hits', title: ['累计拦截', 'Blocked'], kind: 'number' },
      { key: 'hits_today', title: ['今日拦截', 'Stopped today'], kind: 'number' },
    ],
    words: ({ scope_kind, dimension, keyword }, lang) => [
      scope_kind && say(limitScopes[scope_kind], lang),
      dimension && say(limitDimensions[dimension], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      scope_kind: say(limitScopes[row.scope_kind], lang),
      scope: row.scope.map(one => one.name).join(say(comma, lang)),
      product_kind: say(limitedKinds[row.product_kind], lang),
      said: say(limitSentence(row, row.qty), lang),
      return_on_refund: say(row.return_on_refund ? ['是', 'Yes'] : ['否', 'No'], lang),
      status: say(switches[row.status], lang),
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(limitRules, [
  way(
    contract.edit,
    (input, context) => handlers.edit({ ...input, zero_ok: true }, context),
    editedFields,
  ),
])

export const groupActivityServer = implement(contract, handlers)
