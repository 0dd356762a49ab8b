import { and, eq, inArray, sql } from 'drizzle-orm'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { voucherRule } from '#src/areas/code/voucher.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { keepBought } from '#src/areas/member/bought.server.ts'
import { askPoints } from '#src/areas/points/asking.server.ts'
import { raise_batch } from '#src/areas/raise/raise.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { bookOrder } from '#src/areas/settle/orderBooks.server.ts'
import { returnSubsidies } from '#src/areas/subsidy/granting.server.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import { returnLimits } from './buyLimit.server.ts'
import type { ConfigScope } from './configScope.ts'
import { order, order_item } from './order.table.ts'
import { statusOf, type OrderEvent, type OrderFacts } from './order.ts'
import { rulesAtFirst, type OrderRules } from './orderRules.ts'
import { factsOf, type OrderUnits } from './orderUnits.ts'
import { order_config, order_log } from './trail.table.ts'

export type Order = typeof order.$inferSelect
export type OrderItem = typeof order_item.$inferSelect
export type OrderCode = typeof order_code.$inferSelect
/** The one who did something to an order. */
export type Actor = {
  type: 'member' | 'staff' | 'merchant' | 'system' | 'channel'
  id?: number | null
}
export const system: Actor = { type: 'system' }

/**
 * Holds an order: whoever changes its units, its money or its facts holds it first, so that changes
 * of one order come one after the other. A group or a batch that changes with it is held before the
 * order, and several orders in the order of their ids; so nobody waits in a circle.
 */
export const holdOrder = async (tx: Db, id: number): Promise<Order> => {
  const [row] = await tx.select().from(order).where(eq(order.id, id)).for('update')
  if (!row) throw missing()
  return row
}

/** Writes down what happened to an order. */
export const noteOrder = (
  tx: Db,
  of: {
    order_id: number
    event: OrderEvent
    actor: Actor
    at: number
    from?: Order['status']
    to?: Order['status']
    memo?: string
    data?: Record<string, unknown>
  },
) =>
  tx.insert(order_log).values({
    order_id: of.order_id,
    event: of.event,
    from_status: of.from,
    to_status: of.to,
    actor_type: of.actor.type,
    actor_id: of.actor.id ?? null,
    memo: of.memo ?? '',
    data: of.data,
    at: of.at,
  })

/** The same of several orders. */
export const noteOrders = async (
  tx: Db,
  order_ids: readonly number[],
  of: Omit<Parameters<typeof noteOrder>[1], 'order_id' | 'from' | 'to'>,
): Promise<void> => {
  const rows = order_ids.map(order_id => ({
    order_id,
    event: of.event,
    actor_type: of.actor.type,
    actor_id: of.actor.id ?? null,
    memo: of.memo ?? '',
    data: of.data,
    at: of.at,
  }))
  for (let at = 0; at < rows.length; at += SOME)
    await tx.insert(order_log).values(rows.slice(at, at + SOME))
}
const SOME = 500

/** An order's units, as they are stored. */
const unitsOf = async (
  tx: Db,
  row: Order,
): Promise<Omit<OrderUnits, 'items'> & { items: (OrderItem & { codes: OrderCode[] })[] }> => {
  const items = await tx
    .select()
    .from(order_item)
    .where(eq(order_item.order_id, row.id))
    .orderBy(order_item.id)
  const codes = await tx
    .select()
    .from(order_code)
    .where(eq(order_code.order_id, row.id))
    .orderBy(order_code.id)
  const [group] =
    row.roll_group_id === null
      ? []
      : await tx
          .select({ state: roll_group.state })
          .from(roll_group)
          .where(eq(roll_group.id, row.roll_group_id))
  const [batch] =
    row.raise_batch_id === null
      ? []
      : await tx
          .select({ state: raise_batch.state })
          .from(raise_batch)
          .where(eq(raise_batch.id, row.raise_batch_id))
  const { pay_state, balance_due, frozen } = row
  return {
    pay_state,
    balance_due,
    frozen,
    waiting: isWaiting(group?.state, batch?.state),
    items: items.map(item => ({ ...item, codes: codes.filter(code => code.item_id === item.id) })),
  }
}
/**
 * A group or batch that has not come about holds its orders back; one that failed does too, until
 * they are refunded.
 */
export const isWaiting = (
  group: (typeof roll_group.$inferSelect)['state'] | undefined,
  batch: (typeof raise_batch.$inferSelect)['state'] | undefined,
): boolean =>
  group === 'forming' ||
  group === 'failed' ||
  batch === 'draft' ||
  batch === 'raising' ||
  batch === 'failed'

/** Beside its facts, what lists find an order by; of orders with their units, all at once. */
const findableOf = async (
  tx: Db,
  rows: readonly {
    id: number
    refund_state: Order['refund_state']
    items: readonly (OrderItem & { codes: readonly OrderCode[] })[]
  }[],
): Promise<Map<number, Pick<Order, 'face_cents' | 'begun' | 'deciding' | 'used_at'>>> => {
  const used = (item: { codes: readonly OrderCode[] }) =>
    item.codes.some(code => code.state !== 'void' && code.times_used > 0)
  const [refunding, redeemed] = [
    rows.filter(row => row.refund_state === 'refunding'),
    rows.filter(row => row.items.some(used)),
  ].map(some => some.map(row => row.id))
  const deciding =
    refunding!.length === 0
      ? []
      : await tx
          .selectDistinct({ id: refund.order_id })
          .from(refund)
          .where(
            and(
              inArray(refund.order_id, refunding!),
              inArray(refund.state, ['applied', 'second_audit']),
            ),
          )
  const last =
    redeemed!.length === 0
      ? []
      : await tx
          .select({
            id: verify_record.order_id,
            at: sql<string>`max(${verify_record.verified_at})`,
          })
          .from(verify_record)
          .where(and(inArray(verify_record.order_id, redeemed!), eq(verify_record.state, 'valid')))
          .groupBy(verify_record.order_id)
  const [waits, usedAt] = [
    new Set(deciding.map(one => one.id)),
    new Map(last.map(one => [one.id, Number(one.at)])),
  ]
  return new Map(
    rows.map(({ id, items }) => [
      id,
      {
        face_cents: faceIn(items),
        begun: items.some(item => item.shipped_qty > 0 || used(item)),
        deciding: waits.has(id),
        used_at: usedAt.get(id) ?? null,
      },
    ]),
  )
}
/** The face of what was sold, where it is a voucher's. */
export const faceIn = (items: readonly Pick<OrderItem, 'snapshot'>[]): number | null =>
  (items[0] && voucherRule(items[0].snapshot)?.face_cents) ?? null

/** What happens to an order and moves none of its money, nor whose it is. */
const moneyless: ReadonlySet<OrderEvent> = new Set([
  'review',
  'remark',
  'tag',
  'invoice',
  'bind',
  'bind_ask',
  'unbind',
  'receiver',
  'time',
  'gift',
  'message',
  'freeze',
  'unfreeze',
  'extend',
  'extend_receive',
  'ready',
  'dispatch',
  'ship',
  'tracking',
  'refund_decide',
  'refund_end',
])
/**
 * Counts an order's facts anew from its units, derives its status and writes both down, with what
 * happened. The order must be held (`holdOrder`). `set` is changed along.
 */
export const recount = async (
  tx: Db,
  before: Order,
  of: {
    event: OrderEvent
    actor: Actor
    now: number
    memo?: string
    data?: Record<string, unknown>
    set?: Partial<typeof order.$inferInsert>
  },
): Promise<Order> => {
  const { now, set = {} } = of
  const row = { ...before, ...set } as Order
  const { items, ...stored } = await unitsOf(tx, row)
  for (const item of items.filter(one => one.codes.length > 0)) {
    const counted = {
      used_qty: count(item, 'times_used'),
      refunding_qty: count(item, 'times_refunding'),
      refunded_qty: count(item, 'times_refunded'),
    }
    if (
      counted.used_qty !== item.used_qty ||
      counted.refunding_qty !== item.refunding_qty ||
      counted.refunded_qty !== item.refunded_qty
    )
      await tx.update(order_item).set(counted).where(eq(order_item.id, item.id))
  }
  const facts: OrderFacts = factsOf({ ...stored, items })
  const status = statusOf(facts)
  const findable = (
    await findableOf(tx, [{ id: before.id, refund_state: facts.refund_state, items }])
  ).get(before.id)
  const ended = facts.fulfil_state === 'finished' || facts.fulfil_state === 'expired'
  const [after] = await tx
    .update(order)
    .set({
      ...set,
      ...facts,
      ...findable,
      status,
      finished_at: ended ? (before.finished_at ?? now) : null,
      version: before.version + 1,
      updated_at: now,
    })
    .where(and(eq(order.id, before.id), eq(order.version, before.version)))
    .returning()
  // Whoever holds an order is the only one to change it.
  if (!after) throw new Error(`order ${before.id} changed while it was held`)
  if (!moneyless.has(of.event)) await bookOrder(tx, after.id, now)
  await keepBought(tx, before, after)
  await askPoints(tx, [{ before, after }], now)
  const closed = after.pay_state === 'closed'
  if (closed || after.refund_state !== 'none') {
    await returnLimits(tx, { id: after.id, closed, now })
    await returnSubsidies(tx, after, { closed, now })
  }
  await noteOrder(tx, {
    order_id: before.id,
    event: of.event,
    actor: of.actor,
    at: now,
    from: before.status,
    to: status,
    ...(of.memo && { memo: of.memo }),
    ...(of.data && { data: of.data }),
  })
  return after
}
/** Which of some orders wait for their group or their campaign. */
const waitingAmong = async (tx: Db, rows: readonly Order[]): Promise<(row: Order) => boolean> => {
  const groups = await tx
    .select({ id: roll_group.id, state: roll_group.state })
    .from(roll_group)
    .where(
      inArray(
        roll_group.id,
        rows.flatMap(row => row.roll_group_id ?? []),
      ),
    )
  const batches = await tx
    .select({ id: raise_batch.id, state: raise_batch.state })
    .from(raise_batch)
    .where(inArray(raise_batch.id, [...new Set(rows.flatMap(row => row.raise_batch_id ?? []))]))
  const [groupStates, batchStates] = [
    new Map(groups.map(one => [one.id, one.state])),
    new Map(batches.map(one => [one.id, one.state])),
  ]
  return row =>
    isWaiting(groupStates.get(row.roll_group_id ?? 0), batchStates.get(row.raise_batch_id ?? 0))
}
/**
 * Counts the facts of many orders at once whose units have not changed, because what they wait for
 * has: a few statements for any number of them. All must be held. Answers them as they are now.
 */
export const recountMany = async (
  tx: Db,
  before: readonly Order[],
  of: {
    event: OrderEvent
    actor: Actor
    now: number
    memo?: string
    data?: Record<string, unknown>
    set?: (row: Order) => Partial<typeof order.$inferInsert>
  },
): Promise<Order[]> => {
  const done = new Map<number, Order>()
  for (let at = 0; at < before.length; at += SOME) {
    const rows = before.slice(at, at + SOME)
    const ids = rows.map(row => row.id)
    const itemsOf = grouped(
      await tx.select().from(order_item).where(inArray(order_item.order_id, ids)),
      item => item.order_id,
    )
    const codesOf = grouped(
      await tx.select().from(order_code).where(inArray(order_code.order_id, ids)),
      code => code.item_id,
    )
    const waits = await waitingAmong(tx, rows)
    const told = rows.map(row => {
      const set = of.set?.(row) ?? {}
      const facts = factsOf({
        ...row,
        ...set,
        waiting: waits(row),
        items: (itemsOf.get(row.id) ?? []).map(item => ({
          ...item,
          codes: codesOf.get(item.id) ?? [],
        })),
      })
      return { row, to: { ...set, ...facts, status: statusOf(facts) } }
    })
    // What changes alike is written together.
    for (const alike of grouped(told, one => JSON.stringify(one.to)).values()) {
      const { to } = alike[0]!
      const ended = to.fulfil_state === 'finished' || to.fulfil_state === 'expired'
      for (const after of await tx
        .update(order)
        .set({
          ...to,
          finished_at: ended ? sql`coalesce(${order.finished_at}, ${of.now})` : null,
          version: sql`${order.version} + 1`,
          updated_at: of.now,
        })
        .where(
          inArray(
            order.id,
            alike.map(one => one.row.id),
          ),
        )
        .returning())
        done.set(after.id, after)
    }
    await askPoints(
      tx,
      rows.map(row => ({ before: row, after: done.get(row.id)! })),
      of.now,
    )
    await tx.insert(order_log).values(
      told.map(({ row, to }) => ({
        order_id: row.id,
        event: of.event,
        from_status: row.status,
        to_status: to.status,
        actor_type: of.actor.type,
        actor_id: of.actor.id ?? null,
        memo: of.memo ?? '',
        data: of.data,
        at: of.now,
      })),
    )
  }
  return before.map(row => done.get(row.id)!)
}
type TimesKey = 'times_used' | 'times_refunding' | 'times_refunded'
/** A code with several times counts one, as used only when all of them are. */
const wholeCode = (code: OrderCode, key: TimesKey): number =>
  Number(key === 'times_used' ? code.state === 'used' : code[key] > 0)
/** Units of an item from its codes: a pick-up code counts each of its times. */
const count = (item: OrderItem & { codes: OrderCode[] }, key: TimesKey): number =>
  item.codes
    .filter(code => code.state !== 'void')
    .reduce((sum, code) => sum + (item.fulfil === 'pickup' ? code[key] : wholeCode(code, key)), 0)

/** Joins an order with the version of the rules that it was made under. */
export const boughtUnder = and(
  eq(sql`${order_config.scope}`, order.kind),
  eq(order_config.version_no, order.config_version),
)!
/** The rules that an order was made under. */
export const rulesOf = async (
  tx: Db,
  of: Pick<Order, 'kind' | 'config_version'>,
): Promise<OrderRules> => {
  const [kept] = await tx
    .select({ fields: order_config.fields })
    .from(order_config)
    .where(
      and(
        eq(order_config.scope, of.kind as ConfigScope),
        eq(order_config.version_no, of.config_version),
      ),
    )
  return rulesIn(kept)
}
/**
 * The rules that a version keeps; what it does not know of, for it is older than that, stands as an
 * installation begins.
 */
export const rulesIn = (kept: { fields: Partial<OrderRules> } | undefined): OrderRules => ({
  ...rulesAtFirst,
  ...kept?.fields,
})
/** The rules in force for new orders of a kind, and their version. */
export const rulesNow = async (
  tx: Db,
  kind: Order['kind'],
): Promise<{ version_no: number; rules: OrderRules }> => {
  const [row] = await tx
    .select({ version_no: order_config.version_no, fields: order_config.fields })
    .from(order_config)
    .where(and(eq(order_config.scope, kind as ConfigScope), eq(order_config.state, 'current')))
  return { version_no: row?.version_no ?? 0, rules: rulesIn(row) }
}

/**
 * Orders whose stored facts, status or what lists find them by are not what their units say: none,
 * at any time. For the whole table, in pieces of `size`.
 */
export const mistold = async (
  db: Db,
  size = 5000,
): Promise<{ id: number; stored: string; derived: string }[]> => {
  const wrong: { id: number; stored: string; derived: string }[] = []
  for (let after = 0; ;) {
    const rows = await db
      .select()
      .from(order)
      .where(sql`${order.id} > ${after}`)
      .orderBy(order.id)
      .limit(size)
    if (rows.length === 0) return wrong
    const ids = rows.map(row => row.id)
    const items = await db
      .select()
      .from(order_item)
      .where(inArray(order_item.order_id, ids))
      .orderBy(order_item.id)
    const codes = await db.select().from(order_code).where(inArray(order_code.order_id, ids))
    const groups = new Map(
      (await db.select({ id: roll_group.id, state: roll_group.state }).from(roll_group)).map(
        one => [one.id, one.state],
      ),
    )
    const batches = new Map(
      (await db.select({ id: raise_batch.id, state: raise_batch.state }).from(raise_batch)).map(
        one => [one.id, one.state],
      ),
    )
    const codesOf = grouped(codes, code => code.item_id)
    const itemsOf = grouped(items, item => item.order_id)
    const whole = rows.map(row => ({
      row,
      items: (itemsOf.get(row.id) ?? []).map(item => ({
        ...item,
        codes: codesOf.get(item.id) ?? [],
      })),
    }))
    const findable = await findableOf(
      db,
      whole.map(({ row: { id, refund_state }, items }) => ({ id, refund_state, items })),
    )
    for (const { row, items } of whole) {
      const facts = factsOf({
        ...row,
        waiting: isWaiting(
          row.roll_group_id === null ? undefined : groups.get(row.roll_group_id),
          row.raise_batch_id === null ? undefined : batches.get(row.raise_batch_id),
        ),
        items,
      })
      const { face_cents, begun, deciding, used_at } = findable.get(row.id)!
      const [stored, derived] = [
        [
          row.fulfil_state,
          row.refund_state,
          row.status,
          row.face_cents,
          row.begun,
          row.deciding,
          row.used_at,
        ].join(),
        [
          facts.fulfil_state,
          facts.refund_state,
          statusOf(facts),
          face_cents,
          begun,
          deciding,
          used_at,
        ].join(),
      ]
      if (stored !== derived) wrong.push({ id: row.id, stored, derived })
    }
    after = ids.at(-1)!
  }
}
