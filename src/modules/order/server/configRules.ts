import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { configId, configScopes, type ConfigScope } from '#src/areas/order/configScope.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { OrderStatus } from '#src/areas/order/order.ts'
import { rulesIn } from '#src/areas/order/orderFacts.server.ts'
import { rulesFaults } from '#src/areas/order/orderRuleFaults.ts'
import { rulesFor, type OrderRules, type RuleName } from '#src/areas/order/orderRules.ts'
import { rulesDiff } from '#src/areas/order/orderRuleWords.ts'
import { order_config } from '#src/areas/order/trail.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { saidInBoth, say } from '#src/domain/text.ts'
import type { Db, ReadContext, Staff, WriteContext } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { difference, staleRow } from '#src/server/call/versions.ts'
import type { ConfigRow, ConfigVersion } from '../contract/config.ts'
import { effectsOf } from './configEffects.ts'

type Row = typeof order_config.$inferSelect
/**
 * The version in force; undefined until the first one is saved: then rules stand as an installation
 * begins with them.
 */
const currentOf = async (db: Db, scope: ConfigScope): Promise<Row | undefined> =>
  (
    await db
      .select()
      .from(order_config)
      .where(and(eq(order_config.scope, scope), eq(order_config.state, 'current')))
  )[0]
export const currentRules = async (db: Db, scope: ConfigScope): Promise<OrderRules> =>
  rulesIn(await currentOf(db, scope))

const over: OrderStatus[] = ['cancelled', 'refunded', 'finished', 'expired']
const runningOf = async (
  db: Db,
  scopes: readonly ConfigScope[],
  staff: ReadContext['staff'],
): Promise<Map<string, number>> =>
  new Map(
    (
      await db
        .select({ kind: order.kind, n: sql<number>`count(*)::int` })
        .from(order)
        .where(
          and(
            inArray(order.kind, [...scopes]),
            sql`${order.status} not in ${over}`,
            within(staff.scope, { city: order.city_id, mall: order.mall_id }),
          ),
        )
        .groupBy(order.kind)
    ).map(row => [row.kind, row.n]),
  )

/** The rules of each kind, as they are now. */
export const listRules = async (
  scopes: readonly ConfigScope[],
  { db, staff }: ReadContext,
): Promise<{ list: ConfigRow[]; refund_limit_cents: number }> => {
  const rows = await db
    .select({ row: order_config, by: admin.name })
    .from(order_config)
    .leftJoin(admin, eq(admin.id, order_config.by_admin))
    .where(and(inArray(order_config.scope, [...scopes]), eq(order_config.state, 'current')))
  const running = await runningOf(db, scopes, staff)
  const selling = new Map(
    (
      await db
        .select({ kind: product.kind, n: sql<number>`count(*)::int` })
        .from(product)
        .where(
          and(
            eq(product.state, 'on_sale'),
            within(staff.scope, { city: product.city_id, mall: product.mall_id }),
          ),
        )
        .groupBy(product.kind)
    ).map(row => [row.kind as string, row.n]),
  )
  return {
    refund_limit_cents: staff.refund_limit_cents,
    list: scopes.map(kind => {
      const now = rows.find(one => one.row.scope === kind)
      return {
        id: configId(kind),
        kind,
        version_no: now?.row.version_no ?? 0,
        fields: rulesIn(now?.row),
        reason: now?.row.reason ?? '',
        effective_at: now?.row.effective_at ?? null,
        by: now?.by ?? '',
        running: running.get(kind) ?? 0,
        on_sale: selling.get(kind) ?? 0,
      }
    }),
  }
}

/** What holds everywhere is changed by whoever sees everything. */
export const needsAll = (staff: Pick<Staff, 'scope'>): void => {
  if (!seesAll(staff.scope))
    throw ruled('needs_all', [
      '规则对全平台生效，需要全部数据范围',
      'It holds for the whole platform: that needs the whole data scope',
    ])
}
const stale = (tx: Db, scope: ConfigScope) => staleRow(tx, 'order_config', { id: configId(scope) })
/**
 * A new version of a kind's rules, from the one it began with: the loser of two savers is told who
 * was quicker. Orders made before keep the version they have. Rules about refunds are changed only
 * with a second yes.
 */
export const saveVersion = async (
  context: WriteContext,
  of: {
    scope: ConfigScope
    version_no: number
    change: (now: OrderRules) => OrderRules
    reason: string
    confirm: boolean
  },
): Promise<{ kind: ConfigScope; version_no: number }> => {
  const { tx, staff, now, log } = context
  const { scope, reason } = of
  needsAll(staff)
  const current = await currentOf(tx, scope)
  if ((current?.version_no ?? 0) !== of.version_no) throw await stale(tx, scope)
  const was = rulesIn(current)
  const fields = of.change(was)
  const faults = Object.entries(
    rulesFaults(scope, fields, { refund_limit_cents: staff.refund_limit_cents, was }),
  )
  if (faults.length > 0)
    throw invalid(
      Object.fromEntries(faults.map(([name, text]) => [`fields.${name}`, say(text, staff.lang)])),
    )
  const changes = rulesDiff(scope, was, fields)
  if (changes.length === 0)
    throw ruled('unchanged', ['与当前规则相同，没有改动', 'Nothing differs from the present rules'])
  if (!of.confirm && changes.some(one => one.refund))
    throw ruled(
      'needs_confirm',
      ['改动涉及退款规则，请再次确认', 'It changes rules about refunds: confirm it once more'],
      {},
      {
        changes: changes.filter(one => one.refund),
        fields: { confirm: say(['请再次确认', 'Confirm it once more'], staff.lang) },
      },
    )
  if (
    current &&
    (
      await tx
        .update(order_config)
        .set({ state: 'old' })
        .where(and(eq(order_config.id, current.id), eq(order_config.state, 'current')))
        .returning({ id: order_config.id })
    ).length === 0
  )
    throw await stale(tx, scope)
  const version_no = of.version_no + 1
  // The first version of a kind has no row to win: of two at once the index lets one in.
  const [saved] = await tx
    .insert(order_config)
    .values({
      scope,
      version_no,
      fields,
      reason,
      effective_at: now,
      state: 'current',
      by_admin: staff.id,
      created_at: now,
      updated_at: now,
    })
    .onConflictDoNothing()
    .returning({ id: order_config.id })
  if (!saved) throw await stale(tx, scope)
  log({
    object_type: 'order_config',
    object_id: configId(scope),
    object_label: saidInBoth(lang => `${say(configScopes[scope], lang)} V${version_no}`),
    ...difference(was, fields, rulesFor(scope)),
    reason,
  })
  return { kind: scope, version_no }
}
/** Some rules of a kind over those in force; one that means nothing for the kind is refused. */
export const someOf = (
  scope: ConfigScope,
  some: Partial<OrderRules>,
  staff: WriteContext['staff'],
) => {
  const foreign = Object.keys(some).filter(name => !rulesFor(scope).includes(name as RuleName))
  if (foreign.length > 0)
    throw invalid(
      Object.fromEntries(
        foreign.map(name => [
          `fields.${name}`,
          say(['这类订单没有这项规则', 'Orders of this kind have no such rule'], staff.lang),
        ]),
      ),
    )
  return (was: OrderRules): OrderRules => ({ ...was, ...some })
}
/** An old version's rules as a new version. */
export const goBack = async (
  context: WriteContext,
  of: { scope: ConfigScope; version_no: number; to: number; reason: string; confirm: boolean },
) => {
  const [old] = await context.tx
    .select({ fields: order_config.fields })
    .from(order_config)
    .where(and(eq(order_config.scope, of.scope), eq(order_config.version_no, of.to)))
  if (!old) throw missing()
  return saveVersion(context, {
    ...of,
    change: was =>
      someOf(
        of.scope,
        Object.fromEntries(rulesFor(of.scope).map(name => [name, rulesIn(old)[name]])),
        context.staff,
      )(was),
  })
}

/**
 * The versions of a kind, the newest first, each with what it changed and what going back to it
 * would.
 */
export const versionsOf = async (
  scope: ConfigScope,
  { page, pageSize }: { page: number; pageSize: number },
  { db, staff }: ReadContext,
): Promise<{ list: ConfigVersion[]; total: number }> => {
  // One more than is shown: the oldest of a page is told against the one before it.
  const rows = await db
    .select({ row: order_config, by: admin.name })
    .from(order_config)
    .leftJoin(admin, eq(admin.id, order_config.by_admin))
    .where(eq(order_config.scope, scope))
    .orderBy(desc(order_config.version_no))
    .limit(pageSize + 1)
    .offset((page - 1) * pageSize)
  const now = await currentRules(db, scope)
  const list = rows.slice(0, pageSize).map(({ row, by }, at) => ({
    id: row.id,
    name: `${say(configScopes[scope], staff.lang)} V${row.version_no}`,
    kind: scope,
    version_no: row.version_no,
    state: row.state,
    reason: row.reason,
    effective_at: row.effective_at,
    by: by ?? '',
    changes: rulesDiff(scope, rulesIn(rows[at + 1]?.row), rulesIn(row)),
    back: rulesDiff(scope, now, rulesIn(row)),
  }))
  return { list, total: await db.$count(order_config, eq(order_config.scope, scope)) }
}

/** What some new rules would have done to the orders of the last 30 days. */
export const simulateRules = async (
  scope: ConfigScope,
  some: Partial<OrderRules>,
  { db, staff, now }: ReadContext,
) => {
  const was = await currentRules(db, scope)
  const fields = someOf(scope, some, staff)(was)
  const faults = Object.entries(rulesFaults(scope, fields))
  if (faults.length > 0)
    throw invalid(
      Object.fromEntries(faults.map(([name, text]) => [`fields.${name}`, say(text, staff.lang)])),
    )
  const running = await runningOf(db, [scope], staff)
  return {
    ...(await effectsOf(db, { scope, before: was, after: fields, now, staff })),
    running: running.get(scope) ?? 0,
  }
}
