/** What a partner may ask of us; each answers data, or throws the refusal. */
import { and, asc, eq, gt, gte, inArray, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Partner } from '#src/areas/partner/auth.server.ts'
import { bodyOf, ownNumber } from '#src/areas/partner/body.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { groupedCode } from '#src/areas/secret/secretCode.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { ecard_issue } from './channel.table.ts'
import { ISSUE_MOST, unitCost } from './channel.ts'
import { cardsOfIssue, issueToChannel, type Issue } from './channelIssue.server.ts'
import { monthSums, spanOf } from './channelStatement.server.ts'
import {
  ecard,
  ecard_attr,
  ecard_channel,
  ecard_channel_card,
  ecard_code,
  ecard_ledger,
} from './ecard.table.ts'
import { RETURNS_MOST, secretsFor, STATEMENT_PAGE } from './partner.server.ts'

type Asked = Partner<typeof ecard_channel.$inferSelect> & { now: number }
const issuing = z.object({
  out_no: ownNumber,
  attr_id: z.int().min(1).max(2147483647),
  n: z.int().min(1).max(ISSUE_MOST),
})
const returning = z.object({
  return_no: ownNumber,
  card_nos: z
    .array(z.string().regex(/^\d{8,24}$/))
    .min(1)
    .max(RETURNS_MOST),
})

/** Faces that the partner may have now, with its price and what is left of its quota. */
export const offered = async (db: Db, { row: channel }: Asked) => {
  const rows = await db
    .select({ line: ecard_channel_card, attr: ecard_attr, card: ecard })
    .from(ecard_channel_card)
    .innerJoin(ecard_attr, eq(ecard_attr.id, ecard_channel_card.attr_id))
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .where(
      and(
        eq(ecard_channel_card.channel_id, channel.id),
        eq(ecard_channel_card.status, 'on'),
        eq(ecard_attr.status, 'on'),
        eq(ecard.state, 'on'),
      ),
    )
    .orderBy(asc(ecard_attr.id))
  return {
    cards: rows.map(({ line, attr, card }) => ({
      attr_id: attr.id,
      name: card.name,
      type: card.type,
      face_cents: attr.face_cents,
      price_cents: attr.price_cents,
      cost_cents: unitCost(attr.price_cents, line.discount_bp),
      left: line.quota_n - line.issued_n,
    })),
  }
}
/** Answers what the channel can spend at this moment. */
export const balance = async (db: Db, { row: channel }: Asked) => {
  const [row] = await db.select().from(ecard_channel).where(eq(ecard_channel.id, channel.id))
  const { balance_cents, credit_cents, status, end_at } = row!
  return {
    balance_cents,
    credit_cents,
    available_cents: balance_cents + credit_cents,
    status,
    contract_end_at: end_at,
  }
}
const shownIssue = async (tx: Db, { sealer, secret }: Asked, issue: Issue) => {
  const sealed = secretsFor(secret)
  const cards = await cardsOfIssue(tx, sealer, issue)
  return {
    out_no: issue.out_no,
    attr_id: issue.attr_id,
    n: issue.n,
    cost_cents: issue.cost_cents,
    created_at: issue.created_at,
    cards: cards.map(({ card_no, secret: code, state }) => ({
      card_no,
      state,
      secret: sealed(card_no, groupedCode(code)),
    })),
  }
}
/** Issues cards, once for each number of the partner: asked again it answers what it was. */
export const issue = async (tx: Db, asked: Asked, body: unknown) => {
  const { out_no, attr_id, n } = bodyOf(issuing, body)
  const { row: channel, sealer, now } = asked
  const of = { channel_id: channel.id, attr_id, n, out_no, made_by: null, now }
  const done = await issueToChannel(tx, sealer, of)
  return { made: done.made, ...(await shownIssue(tx, asked, done.issue)) }
}
const issueOf = async (db: Db, { row: channel }: Asked, out_no: string): Promise<Issue> => {
  const [row] = await db
    .select()
    .from(ecard_issue)
    .where(and(eq(ecard_issue.channel_id, channel.id), eq(ecard_issue.out_no, out_no)))
  if (!row || out_no === '') throw missing()
  return row
}
/** What an order is now: which of its cards were activated or came back. */
export const query = async (db: Db, asked: Asked, out_no: string) =>
  shownIssue(db, asked, await issueOf(db, asked, out_no))

/** Takes cards back that nobody activated, all or none, once for each number of the return. */
export const giveBack = async (tx: Db, asked: Asked, of: { out_no: string; body: unknown }) => {
  const { row: channel, now } = asked
  const { return_no, card_nos } = bodyOf(returning, of.body)
  const row = await issueOf(tx, asked, of.out_no)
  const codes = await tx
    .select()
    .from(ecard_code)
    .where(and(eq(ecard_code.order_id, row.order_id ?? 0), inArray(ecard_code.card_no, card_nos)))
    .orderBy(asc(ecard_code.id))
  const wanted = new Set(card_nos)
  if (codes.length < wanted.size)
    throw ruled(
      'not_of_order',
      [
        '有 {n} 张卡不属于该订单，整笔未退',
        '{n} of the cards are none of this order: nothing came back',
      ],
      { n: wanted.size - codes.length },
    )
  const ids = codes.map(code => code.id)
  const refund = await openRefund(tx, {
    order_id: row.order_id!,
    wanted: { cards: ids },
    source: 'system',
    cause: 'channel_back',
    reason: joined([`渠道退卡 ${return_no}`, `Cards given back by the channel, ${return_no}`]),
    actor: { type: 'channel' },
    idem_key: `partner:${channel.id}:${of.out_no}:${return_no}`,
    now,
  })
  const returned = await tx
    .select({ card_no: ecard_code.card_no, state: ecard_code.state })
    .from(ecard_code)
    .where(inArray(ecard_code.id, ids))
    .orderBy(asc(ecard_code.id))
  // An earlier return of that number was of other cards.
  if (returned.some(code => code.state !== 'refunded'))
    throw ruled(
      'number_used',
      [
        '退卡单号 {no} 已用于其他卡，请换一个单号',
        'The number {no} is of other cards: use another',
      ],
      { no: return_no },
    )
  return { return_no, back_cents: refund.amount_cents, cards: returned }
}

/** A month of the ledger with its rows after `after`, `STATEMENT_PAGE` at a time. */
export const statement = async (db: Db, { row: channel }: Asked, month: string, after: number) => {
  const span = spanOf(month)
  const t = ecard_ledger
  const rows = await db
    .select({
      id: t.id,
      at: t.created_at,
      type: t.type,
      amount_cents: t.amount_cents,
      balance_after_cents: t.balance_after_cents,
      out_no: sql<string>`coalesce((select i.out_no from ${ecard_issue} i where ${t.ref_type} = 'issue' and i.id = ${t.ref_id}), '')`,
    })
    .from(t)
    .where(
      and(
        eq(t.channel_id, channel.id),
        gte(t.created_at, span.from),
        lt(t.created_at, span.to),
        gt(t.id, after),
      ),
    )
    .orderBy(asc(t.id))
    .limit(STATEMENT_PAGE)
  return {
    month,
    ...(await monthSums(db, channel.id, span)),
    rows,
    next: rows.length < STATEMENT_PAGE ? null : rows.at(-1)!.id,
  }
}
