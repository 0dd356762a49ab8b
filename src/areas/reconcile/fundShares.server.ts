/** Shares of payments beside the fund bill: only those of our own account stand in it. */
import { and, eq, gte, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm'
import { settle_merchant } from '#src/areas/settle/settleMerchant.table.ts'
import { dist_split_order, dist_split_receiver } from '#src/areas/split/split.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { recon_item } from './reconcile.table.ts'
import type { OurRow } from './reconcile.ts'

type Span = { from: number; to: number; own: string }
const r = dist_split_receiver
const s = dist_split_order
/** The number at WeChat whose payment was shared: a merchant's own where it has one. */
const payee = sql`(select ${settle_merchant.sub_mchid} from ${settle_merchant} where ${settle_merchant.merchant_id} = ${s.merchant_id})`
const sharedIn = ({ from, to }: Span) =>
  and(eq(r.status, 'done'), isNotNull(r.out_no), gte(r.done_at, from), lt(r.done_at, to))
/**
 * The shares that left our own account within a span (unix seconds, its end excluded). What was paid
 * to a merchant's own number leaves that merchant's account.
 */
export const sharesOf = async (db: Db, span: Span): Promise<OurRow[]> => {
  const rows = await db
    .select({
      our_no: r.out_no,
      channel_no: r.channel_no,
      cents: r.amount_cents,
      at: r.done_at,
      order_id: s.order_id,
    })
    .from(r)
    .innerJoin(s, eq(s.id, r.split_id))
    .where(and(sharedIn(span), sql`${payee} = ${span.own}`, ne(r.account, span.own)))
    .orderBy(r.id)
  return rows.map(({ our_no, channel_no, cents, at, order_id }) => ({
    kind: 'share',
    our_no: our_no!,
    channel_no: channel_no ?? '',
    cents,
    status: 'success',
    fee_cents: 0,
    at: at!,
    payment_id: null,
    order_id,
  }))
}
/** How many shares of a span left accounts of merchants: their own fund bills tell them. */
export const sharesElsewhere = async (db: Db, span: Span): Promise<number> => {
  const [row] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(r)
    .innerJoin(s, eq(s.id, r.split_id))
    .where(and(sharedIn(span), sql`${payee} is distinct from ${span.own}`))
  return row!.n
}
/**
 * The shares of a span that no bill tells and that are not told as missing: receivers of one request
 * have its number, so each is known by its number and its amount.
 */
export const missingShares = async (db: Db, span: Span): Promise<OurRow[]> => {
  const ours = await sharesOf(db, span)
  if (ours.length === 0) return []
  const numbers = [...new Set(ours.map(one => one.our_no))]
  const known = await db
    .select({ our_no: recon_item.our_no, cents: recon_item.our_cents })
    .from(recon_item)
    .where(
      and(
        eq(recon_item.channel, 'wechat'),
        eq(recon_item.kind, 'share'),
        inArray(recon_item.our_no, numbers),
        isNotNull(recon_item.our_cents),
      ),
    )
  const told = new Map<string, number>()
  const keyOf = (one: { our_no: string; cents: number | null }) => `${one.our_no} ${one.cents}`
  for (const one of known) told.set(keyOf(one), (told.get(keyOf(one)) ?? 0) + 1)
  return ours.filter(one => {
    const left = told.get(keyOf(one)) ?? 0
    if (left > 0) told.set(keyOf(one), left - 1)
    return left === 0
  })
}
