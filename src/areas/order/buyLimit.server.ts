import { eq, sql } from 'drizzle-orm'
import { ecard, ecard_attr } from '#src/areas/ecard/ecard.table.ts'
import { stopped, type Stopping } from '#src/areas/limit/blocks.server.ts'
import { buy_limit_take } from '#src/areas/limit/limit.table.ts'
import { areReleased, returnRelease, spendRelease } from '#src/areas/limit/releases.server.ts'
import { leftOf, tightest, type LimitWay } from '#src/areas/limit/rule.ts'
import {
  cardLine,
  countUnder,
  giveBack,
  keepTaken,
  standings,
  type BareLine,
  type LimitBuyer,
  type Stop,
  type Taken,
} from '#src/areas/limit/usage.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Buying, Offer, SoldLine } from './buying.server.ts'
import { order, order_item } from './order.table.ts'

/** What an order that is being placed takes of limits: kept once it has its number. */
export type HeldLimits = { taken: readonly Taken[]; released: readonly BareLine[] }
type Ordering = { of: Buying; offer: Offer; sold: readonly SoldLine[]; store_id: number }

const waysOf = (of: Record<LimitWay, unknown>): LimitWay[] =>
  (['group', 'live', 'raise', 'combo'] as const).filter(way => of[way])
/** What limits ask of the goods that an order is of; those of one product are one line. */
type Goods = Pick<
  typeof product.$inferSelect,
  'id' | 'title' | 'kind' | 'category_id' | 'mall_id' | 'city_id'
>
const joinedLines = (
  of: readonly { goods: Goods; store_id: number; qty: number }[],
  ways: LimitWay[],
): BareLine[] => {
  const by = new Map<number, BareLine>()
  for (const { goods, store_id, qty } of of) {
    const { id: product_id, title, kind, category_id, mall_id, city_id } = goods
    const all = qty + (by.get(product_id)?.qty ?? 0)
    by.set(product_id, {
      product_id,
      title,
      kind,
      category_id,
      store_id,
      mall_id,
      city_id,
      ways,
      qty: all,
    })
  }
  return [...by.values()]
}
const linesOf = ({ of, offer, sold, store_id }: Ordering): BareLine[] =>
  joinedLines(
    sold.map(({ item, line }) => ({
      goods: item,
      // Each part of a bundle is its own store's.
      store_id: offer.bundle ? item.store_ids[0]! : store_id,
      qty: line.qty,
    })),
    waysOf({
      group: offer.group ?? of.opens_group,
      live: offer.live_room_id,
      raise: offer.batch,
      combo: offer.bundle,
    }),
  )
/** The buyer by each dimension that an order knows when it is placed; its payer comes later. */
const buyerOf = async (tx: Db, { of }: Ordering): Promise<LimitBuyer> => {
  const [known] =
    of.member_id === null
      ? []
      : await tx.select({ phone: member.phone }).from(member).where(eq(member.id, of.member_id))
  const phone = of.visitor?.phone ?? known?.phone
  return {
    member_id: of.member_id,
    values: {
      ...(of.member_id !== null && { member: String(of.member_id) }),
      ...(phone && { phone }),
      ...(of.device && { device: of.device }),
      ...(of.receiver?.phone && { receiver: of.receiver.phone }),
    },
  }
}

/**
 * Products of which one member may buy so many in all: what they ordered before counts, less what was
 * given back. The products are held, so that of two orders at once the second counts the first.
 */
const ownStops = async (
  tx: Db,
  { of, sold }: Ordering,
  lines: readonly BareLine[],
): Promise<Stop[]> => {
  const limits = new Map(
    sold.flatMap(({ item }) =>
      item.limit_per_member === null ? [] : [[item.id, item.limit_per_member] as const],
    ),
  )
  if (of.member_id === null || limits.size === 0) return []
  const { rows } = await tx.execute<{ product_id: number; n: number }>(
    sql`select i.product_id, sum(i.qty - i.refunded_qty)::int n from order_item i join "order" o on o.id = i.order_id where o.member_id = ${of.member_id} and i.product_id in ${[...limits.keys()]} and o.pay_state <> 'closed' group by 1`,
  )
  const bought = new Map(rows.map(row => [row.product_id, row.n]))
  return lines.flatMap(({ category_id, ...line }): Stop[] => {
    const limit = limits.get(line.product_id)
    const had = bought.get(line.product_id) ?? 0
    if (limit === undefined || had + line.qty <= limit) return []
    return [
      {
        rule: null,
        lines: [{ ...line, categories: [category_id] }],
        dimension: 'member',
        value: String(of.member_id),
        limit,
        had,
        left: leftOf(limit, had),
        wanted: line.qty,
        // The product's own limit stands before all rules.
        place: -1,
      },
    ]
  })
}

/**
 * Counts an order under its products' own limits and under every rule that is about it, or refuses it
 * by the tightest. A release of the member lets it through, beside what was counted.
 */
export const holdLimits = async (tx: Db, ordering: Ordering): Promise<HeldLimits> => {
  const { of, offer } = ordering
  const { now, member_id } = of
  const lines = linesOf(ordering)
  const own = await ownStops(tx, ordering, lines)
  const buyer = await buyerOf(tx, ordering)
  const { taken, stops } = await countUnder(tx, await standings(tx, { buyer, lines, now }), now)
  const decides = tightest([...own, ...stops])
  if (!decides) return { taken, released: [] }
  const beyond = new Set([...own, ...stops].flatMap(one => one.lines.map(line => line.product_id)))
  const released = lines.filter(line => beyond.has(line.product_id))
  if (await areReleased(tx, { member_id, lines: released }, now)) return { taken, released }
  const who: Stopping = {
    member_id,
    visitor_phone: of.visitor?.phone ?? null,
    device_id: of.device ?? null,
    channel: offer.live_room_id === null ? 'mini_program' : 'live',
    now,
  }
  throw stopped(decides, who)
}
/** Keeps what an order took, and uses the releases that it went by. */
export const keepLimits = async (
  tx: Db,
  held: HeldLimits,
  of: { order_id: number; member_id: number | null; now: number },
): Promise<void> => {
  const { order_id, member_id, now } = of
  await keepTaken(tx, order_id, held.taken)
  for (const { product_id, qty } of held.released)
    await spendRelease(tx, { member_id: member_id!, product_id, order_id, qty }, now)
}
/** What was closed or refunded may be bought again, where its rules say so. The order is held. */
export const returnLimits = async (
  tx: Db,
  of: { id: number; closed: boolean; now: number },
): Promise<void> => {
  const { id: order_id, closed, now } = of
  await giveBack(tx, { order_id, closed, now })
  if (closed) await returnRelease(tx, order_id, now)
}

/**
 * Counts an order under the rules by payer: asked when its payment is, as nobody knows earlier who
 * pays. Asked again for the same order it counts nothing more. Throws 422 beyond a limit; the order
 * waits for another payer until it is closed. Money that came without asking is never refused.
 */
export const holdPayer = async (
  tx: Db,
  of: { order_id: number; payer: string; now: number },
): Promise<void> => {
  const { order_id, payer, now } = of
  const rows = await tx
    .select({ order, item: order_item, goods: product, card: ecard })
    .from(order_item)
    .innerJoin(order, eq(order.id, order_item.order_id))
    .leftJoin(product, eq(product.id, order_item.product_id))
    .leftJoin(ecard_attr, eq(ecard_attr.id, order_item.ecard_attr_id))
    .leftJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .where(eq(order_item.order_id, order_id))
  const [first] = rows
  if (!first) return
  const bought = joinedLines(
    rows.flatMap(({ item, goods }) =>
      goods ? [{ goods, store_id: item.store_id, qty: item.qty }] : [],
    ),
    waysOf({
      group: first.order.kind === 'roll_buy',
      live: first.order.live_room_id,
      raise: first.order.raise_batch_id,
      combo: first.order.combo_id,
    }),
  )
  const cards = rows.flatMap(({ item, card }) => (card ? [cardLine(card, item.qty)] : []))
  const lines = [...bought, ...cards]
  if (lines.length === 0) return
  const { member_id } = first.order
  const buyer = { member_id, values: { payer } }
  const asked = await standings(tx, { buyer, lines, now, only: 'payer' })
  if (asked.length === 0) return
  const before = await tx
    .select({ id: buy_limit_take.rule_id })
    .from(buy_limit_take)
    .where(eq(buy_limit_take.order_id, order_id))
  const counted = new Set(before.map(one => one.id))
  const { taken, stops } = await countUnder(
    tx,
    asked.filter(one => !counted.has(one.rule.id)),
    now,
  )
  const decides = tightest(stops)
  if (decides)
    throw stopped(decides, {
      member_id,
      visitor_phone: first.order.visitor_phone,
      device_id: first.order.device_id,
      channel: 'pay',
      now,
    })
  await keepTaken(tx, order_id, taken)
}
