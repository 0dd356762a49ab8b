import { and, asc, eq, gt, inArray, lt, ne, type SQL } from 'drizzle-orm'
import { reachedBy } from '#src/areas/coupon/couponReach.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { headed, joined, saidInBoth, say, type Text } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { discountScopes, memberPrice, type DiscountScope } from './discount.ts'
import { vip_card, vip_card_discount } from './vipCard.table.ts'

export type DiscountRow = typeof vip_card_discount.$inferSelect
const d = vip_card_discount
export const discountRecord = record(d, {
  object: 'vip_card_discount',
  label: row => saidInBoth(lang => `#${row.id} ${say(discountScopes[row.scope], lang)}`),
  keys: [
    'card_id',
    'scope',
    'scope_id',
    'discount_bp',
    'cap_cents',
    'monthly_times',
    'platform_share_bp',
    'merchant_share_bp',
    'consent_no',
    'start_at',
    'end_at',
    'status',
    'off_reason',
  ],
  places: 'all',
})
/**
 * Holds a plan while one of its lines is enabled, so that of two that overlap one is refused. Throws
 * 404 where there is no such plan.
 */
export const holdPlan = async (tx: Db, card_id: number): Promise<{ id: number; name: string }> => {
  const [plan] = await tx
    .select({ id: vip_card.id, name: vip_card.name })
    .from(vip_card)
    .where(eq(vip_card.id, card_id))
    .for('no key update')
  if (!plan) throw missing()
  return plan
}
/** Lines that are on, for the same as this one and at the same time. */
export const overlapping = (
  db: Db,
  of: Pick<DiscountRow, 'id' | 'card_id' | 'scope' | 'scope_id' | 'start_at' | 'end_at'>,
  more?: SQL,
): Promise<DiscountRow[]> =>
  db
    .select()
    .from(d)
    .where(
      and(
        eq(d.card_id, of.card_id),
        eq(d.scope, of.scope),
        eq(d.scope_id, of.scope_id),
        ne(d.id, of.id),
        lt(d.start_at, of.end_at),
        gt(d.end_at, of.start_at),
        more,
      ),
    )
    .orderBy(asc(d.id))
/** Throws 404 for what there is not, 422 for what is closed: a line is for something that trades. */
export const needTarget = async (
  db: Db,
  of: { scope: DiscountScope; scope_id: number },
): Promise<void> => {
  if (of.scope === 'all') return
  const [target] = await reachedBy(db, 'local', of.scope, [of.scope_id])
  if (!target || target.name === `#${of.scope_id}`) throw missing()
  if (target.why) throw ruled('scope_closed', target.why)
}
/** Throws 422 where a product would cost a member less than is settled, and the merchant bears some. */
const needPrice = async (db: Db, of: DiscountRow): Promise<void> => {
  if (of.scope !== 'product' || of.merchant_share_bp === 0) return
  const [sold] = await db
    .select({ price_cents: product.price_cents, settle_cents: product.settle_price_cents })
    .from(product)
    .where(eq(product.id, of.scope_id))
  if (!sold) return
  const asked = memberPrice({ ...of, platform_share_bp: 10_000 }, sold)
  if (asked < sold.settle_cents)
    throw ruled('below_settlement', [
      '折后价低于结算价，请提高折扣，或改为平台全额承担',
      'The price falls below what is settled: take off less, or let the platform bear all of it',
    ])
}
/** Everything that must hold of a line that is on; its plan is held. */
export const needEnabled = async ({ tx }: WriteContext, of: DiscountRow): Promise<void> => {
  await holdPlan(tx, of.card_id)
  await needTarget(tx, of)
  await needPrice(tx, of)
  const [other] = await overlapping(tx, of, eq(d.status, 'on'))
  if (other)
    throw ruled(
      'discount_overlap',
      [
        '与已启用的折扣 #{id} 时间重叠，请先停用它或错开时间',
        'It overlaps line #{id}, which is on: disable that one, or choose another period',
      ],
      { id: other.id },
      { discount_id: other.id },
    )
}

/** What lines are for, by line: its name, and why it is closed. */
export const targetsOf = async (
  db: Db,
  rows: readonly Pick<DiscountRow, 'id' | 'scope' | 'scope_id'>[],
): Promise<Map<number, { name: string; why: readonly [string, string] | null }>> => {
  const found = new Map<number, { name: string; why: readonly [string, string] | null }>()
  for (const scope of Object.keys(discountScopes) as DiscountScope[]) {
    const some = rows.filter(row => row.scope === scope)
    const ids = [...new Set(some.map(row => row.scope_id))]
    const named = new Map((await reachedBy(db, 'local', scope, ids)).map(one => [one.id, one]))
    for (const row of some)
      found.set(row.id, {
        name: named.get(row.scope_id)?.name ?? '',
        why: named.get(row.scope_id)?.why ?? null,
      })
  }
  return found
}
/** Lines whose period is over, or whose mall, store or product closed, go off. Answers how many. */
export const turnDiscounts = async (tx: Db, now: number): Promise<number> => {
  const on = await tx
    .select()
    .from(d)
    .where(eq(d.status, 'on'))
    .orderBy(asc(d.id))
    .for('update', { skipLocked: true })
  const targets = await targetsOf(tx, on)
  const off = (ids: number[], why: Text) =>
    ids.length === 0
      ? undefined
      : tx
          .update(d)
          .set({ status: 'off', off_reason: joined(why), updated_at: now })
          .where(and(inArray(d.id, ids), eq(d.status, 'on')))
  const over = on.filter(row => row.end_at <= now)
  const closed = on.filter(row => row.end_at > now && targets.get(row.id)?.why)
  await off(
    over.map(row => row.id),
    ['已到期', 'Over'],
  )
  for (const row of closed)
    await off(
      [row.id],
      headed(['系统停用', 'Disabled by itself'], joined(targets.get(row.id)!.why!)),
    )
  return over.length + closed.length
}
