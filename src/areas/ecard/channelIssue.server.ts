import { and, asc, eq, lte, sql } from 'drizzle-orm'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { yuan } from '#src/domain/money.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { receiversTogether } from './cardLimits.server.ts'
import { IDENTITY_FROM_CENTS, needsIdentity } from './cardOrder.ts'
import { ecard_issue } from './channel.table.ts'
import { channelCan, unitCost } from './channel.ts'
import { holdChannel, moveBalance } from './channelLedger.server.ts'
import {
  ecard,
  ecard_attr,
  ecard_channel_card,
  ecard_code,
  type ecard_channel,
} from './ecard.table.ts'
import type { CodeState, Receiver } from './ecard.ts'
import { placeCards } from './orderPlacing.server.ts'

type Channel = typeof ecard_channel.$inferSelect
export type Issue = typeof ecard_issue.$inferSelect
export type IssueOf = {
  channel_id: number
  attr_id: number
  n: number
  /** The partner's own number, or empty. */
  out_no?: string
  receivers?: Receiver[]
  /** The person who issues it; null where the partner asks itself. */
  made_by: number | null
  now: number
}
type Face = { attr: typeof ecard_attr.$inferSelect; card: typeof ecard.$inferSelect }
/** The face and its card; 422 where it is not sold now. */
const soldFace = async (tx: Db, attr_id: number): Promise<Face> => {
  const [face] = await tx
    .select({ attr: ecard_attr, card: ecard })
    .from(ecard_attr)
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .where(eq(ecard_attr.id, attr_id))
  if (face?.attr.status !== 'on' || face.card.state !== 'on')
    throw ruled('not_sold', [
      '该面值已下架，请先上架或换一种面值',
      'The face is off sale: put it on sale, or take another one',
    ])
  return face
}
/** Takes `n` from the quota of a line, or says how many are left. */
const takeQuota = async (tx: Db, { channel_id, attr_id, n, now }: IssueOf) => {
  const t = ecard_channel_card
  const line = and(eq(t.channel_id, channel_id), eq(t.attr_id, attr_id), eq(t.status, 'on'))
  const [taken] = await tx
    .update(t)
    .set({ issued_n: sql`${t.issued_n} + ${n}::int`, updated_at: now })
    .where(and(line, lte(sql`${t.issued_n} + ${n}::int`, t.quota_n)))
    .returning()
  if (taken) return taken
  const [there] = await tx.select().from(t).where(line)
  if (!there)
    throw ruled('not_for_channel', [
      '该渠道没有这种可售卡，请先在渠道里添加',
      'The channel may not have this face: add it to the channel first',
    ])
  throw ruled(
    'quota_short',
    [
      '额度不足：剩余 {left} 张，需要 {n} 张；请提高额度或减少数量',
      'The quota does not suffice: {left} are left of it and {n} are asked for',
    ],
    { left: there.quota_n - there.issued_n, n },
  )
}
/** The company of a channel is the buyer that the law asks the identity of. */
const identified = (channel: Channel, { card, attr }: Face, n: number): void => {
  const cents = Math.max(attr.face_cents, attr.price_cents) * n
  if (channel.tax_no !== '' || !needsIdentity({ named: card.named, cents })) return
  throw ruled(
    'identity_needed',
    [
      '记名卡，或一次 {least} 元及以上的卡，须登记购卡单位的统一社会信用代码：请先补全渠道的企业信息',
      'Named cards, and cards for ¥{least} or more at once, need the buyer’s credit code: give the channel’s first',
    ],
    { least: yuan(IDENTITY_FROM_CENTS) },
  )
}
/**
 * The issue that the partner was given for that number before; 422 where it was for something else.
 */
const issuedBefore = async (tx: Db, of: IssueOf): Promise<Issue | undefined> => {
  if (!of.out_no) return undefined
  const [before] = await tx
    .select()
    .from(ecard_issue)
    .where(and(eq(ecard_issue.channel_id, of.channel_id), eq(ecard_issue.out_no, of.out_no)))
  if (before && (before.attr_id !== of.attr_id || before.n !== of.n))
    throw ruled(
      'number_used',
      [
        '单号 {no} 已用于另一笔发卡，请换一个单号',
        'The number {no} is of another issue: use a number of its own',
      ],
      { no: of.out_no },
    )
  return before
}

/**
 * Issues cards to a channel in the caller's transaction: its quota, its balance with the ledger row,
 * and the issue, all or none. The same number of a partner once more answers what it was (`made`
 * false). Refuses a channel that is not open, whose contract does not run, or that has too little.
 */
export const issueToChannel = async (
  tx: Db,
  sealer: Sealer,
  of: IssueOf,
): Promise<{ issue: Issue; made: boolean; face: Face }> => {
  const channel = await holdChannel(tx, of.channel_id)
  const before = await issuedBefore(tx, of)
  if (before) return { issue: before, made: false, face: await anyFace(tx, before.attr_id) }
  const may = channelCan('issue', { ...channel, request: null }, { me: 0, now: of.now })
  if (may !== true) throw ruled('channel_issue', may)
  const face = await soldFace(tx, of.attr_id)
  identified(channel, face, of.n)
  const line = await takeQuota(tx, of)
  if (face.card.source === 'api')
    throw ruled('no_codes', [
      '直充没有卡密，渠道只能领有卡密的卡',
      'A top-up has no code: a channel has cards with codes only',
    ])
  const { price_cents } = face.attr
  const receivers = receiversTogether(of.receivers ?? [])
  const cost_cents = unitCost(price_cents, line.discount_bp) * of.n
  const [issue] = await tx
    .insert(ecard_issue)
    .values({
      channel_id: of.channel_id,
      attr_id: of.attr_id,
      out_no: of.out_no ?? '',
      n: of.n,
      price_cents,
      discount_bp: line.discount_bp,
      cost_cents,
      receivers,
      made_by: of.made_by,
      created_at: of.now,
      updated_at: of.now,
    })
    .returning()
  await moveBalance(tx, {
    channel_id: of.channel_id,
    type: 'issue',
    amount_cents: -cost_cents,
    ref: { type: 'issue', id: issue!.id },
    now: of.now,
    admin_id: of.made_by,
  })
  const order = await placeCards(tx, sealer, {
    attr_id: of.attr_id,
    n: of.n,
    buyer: {
      channel_id: of.channel_id,
      discount_bp: line.discount_bp,
      receivers,
      ...(of.made_by !== null && { admin_id: of.made_by }),
    },
    now: of.now,
  })
  const [placed] = await tx
    .update(ecard_issue)
    .set({ order_id: order.id })
    .where(eq(ecard_issue.id, issue!.id))
    .returning()
  return { issue: placed!, made: true, face }
}
const anyFace = async (tx: Db, attr_id: number): Promise<Face> => {
  const [face] = await tx
    .select({ attr: ecard_attr, card: ecard })
    .from(ecard_attr)
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .where(eq(ecard_attr.id, attr_id))
  return face!
}

export type Handed = { id: number; card_no: string; secret: string; state: CodeState }
/** The cards of an issue with their secrets, in the order of codes: for the channel alone. */
export const cardsOfIssue = async (tx: Db, sealer: Sealer, issue: Issue): Promise<Handed[]> => {
  if (issue.order_id === null) return []
  const rows = await tx
    .select()
    .from(ecard_code)
    .where(eq(ecard_code.order_id, issue.order_id))
    .orderBy(asc(ecard_code.id))
  return rows.map(row => ({
    id: row.id,
    card_no: row.card_no,
    secret: sealer.open(row.secret_enc, row.secret_hash),
    state: row.state,
  }))
}
/** Which receiver each card of an issue is for; none where no file named any. */
export const receiverOf = (issue: Issue): Receiver[] =>
  issue.receivers.flatMap(one => Array.from({ length: one.n }, () => one))
