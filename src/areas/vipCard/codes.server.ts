/** Numbers that open a membership: made in batches, handed out, and activated once. */
import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { numberOf } from '#src/areas/order/numbers.server.ts'
import { normalCode } from '#src/areas/secret/secretCode.ts'
import { drawCodes, type Sealer } from '#src/areas/secret/secrets.server.ts'
import { SLICE } from '#src/areas/secret/slices.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { activationRefusal, LOCKED_S, WRONG_MOST, type TryState } from './code.ts'
import { giveGifts } from './gifts.server.ts'
import { openOrExtend } from './subscriptions.server.ts'
import { vip_card, vip_card_code, vip_card_order, vip_code_batch } from './vipCard.table.ts'

export type VipBatch = typeof vip_code_batch.$inferSelect
export type VipCode = typeof vip_card_code.$inferSelect
const t = vip_card_code
const b = vip_code_batch
const numbers = { alphabet: 'digits', length: 16, prefix: '' } as const
const secrets = { alphabet: 'mixed', length: 12, prefix: '' } as const

/** Begins a batch, whose number is its own. */
export const beginBatch = async (
  tx: Db,
  of: Omit<typeof b.$inferInsert, 'id' | 'batch_no'>,
): Promise<VipBatch> => {
  const { rows } = await tx.execute<{ id: number }>(
    sql`select nextval(pg_get_serial_sequence('vip_code_batch', 'id'))::int as id`,
  )
  const { id } = rows[0]!
  const [batch] = await tx
    .insert(b)
    .values({ ...of, id, batch_no: `VB${id}` })
    .returning()
  return batch!
}
/** Makes some numbers of a batch: drawn, written and counted in one transaction. */
export const makeNumbers = async (
  tx: Db,
  sealer: Sealer,
  of: { batch_id: number; n: number; now: number },
): Promise<void> => {
  const { batch_id, n, now } = of
  const [batch] = await tx.select().from(b).where(eq(b.id, batch_id)).for('update')
  // A number that is there already is drawn again: of 7 to the 15th there are enough.
  for (let left = n; left > 0;) {
    const drawn = drawCodes(numbers, left)
    const hashes = drawCodes(secrets, left).map(secret => {
      const hash = sealer.hash(secret)
      return { hash, sealed: sealer.seal(secret, hash) }
    })
    const { rowCount } = await tx.execute(sql`
      insert into vip_card_code (batch_id, card_id, card_no, secret_hash, secret_sealed, channel, expire_at,
        status, created_at, updated_at)
      select ${batch_id}::int, ${batch!.card_id}::int, no, hash, sealed, ${batch!.channel}::text,
        ${batch!.expire_at}::bigint, 'unissued', ${now}::bigint, ${now}::bigint
      from unnest(${sql.param(drawn)}::text[], ${sql.param(hashes.map(one => one.hash))}::text[],
        ${sql.param(hashes.map(one => one.sealed))}::text[]) as given(no, hash, sealed)
      on conflict (card_no) do nothing`)
    left -= rowCount ?? 0
  }
  await tx
    .update(b)
    .set({
      made_n: sql`${b.made_n} + ${n}`,
      status: sql`case when ${b.made_n} + ${n} = ${b.qty} then 'ready' else ${b.status} end`,
      updated_at: now,
    })
    .where(eq(b.id, batch_id))
}
/** Some numbers of a batch that may still be activated, with their sealed secrets; after an id. */
export const secretsOf = (tx: Db, batch_id: number, after: number) =>
  tx
    .select({ id: t.id, card_no: t.card_no, hash: t.secret_hash, sealed: t.secret_sealed })
    .from(t)
    .where(
      and(
        eq(t.batch_id, batch_id),
        gt(t.id, after),
        inArray(t.status, ['unissued', 'issued', 'frozen']),
      ),
    )
    .orderBy(asc(t.id))
    .limit(SLICE)
/** Hands all that is left of a batch to a channel. Answers how many numbers. */
export const issueNumbers = async (
  tx: Db,
  of: { batch_id: number; channel: string; now: number },
): Promise<number> =>
  (
    await tx
      .update(t)
      .set({
        status: 'issued',
        channel: of.channel,
        version: sql`${t.version} + 1`,
        updated_at: of.now,
      })
      .where(and(eq(t.batch_id, of.batch_id), eq(t.status, 'unissued'), gt(t.expire_at, of.now)))
  ).rowCount ?? 0
/** Numbers that were not activated are good for longer, as their batch is. */
export const extendNumbers = (tx: Db, of: { batch_id: number; expire_at: number; now: number }) =>
  tx
    .update(t)
    .set({ expire_at: of.expire_at, version: sql`${t.version} + 1`, updated_at: of.now })
    .where(
      and(
        eq(t.batch_id, of.batch_id),
        inArray(t.status, ['unissued', 'issued', 'frozen']),
        sql`${t.expire_at} < ${of.expire_at}`,
      ),
    )
/** Numbers whose time is over. Answers how many. */
export const expireNumbers = async (tx: Db, now: number, most = 5000): Promise<number> => {
  const due = await tx
    .select({ id: t.id })
    .from(t)
    .where(and(lte(t.expire_at, now), inArray(t.status, ['unissued', 'issued', 'frozen'])))
    .orderBy(asc(t.id))
    .limit(most)
    .for('update', { skipLocked: true })
  if (due.length === 0) return 0
  await tx
    .update(t)
    .set({ status: 'expired', version: sql`${t.version} + 1`, updated_at: now })
    .where(
      inArray(
        t.id,
        due.map(one => one.id),
      ),
    )
  return due.length
}

const activate = async (
  tx: Db,
  code: VipCode,
  { member_id, now }: { member_id: number; now: number },
): Promise<void> => {
  const [card] = await tx.select().from(vip_card).where(eq(vip_card.id, code.card_id))
  const { card_id } = code
  const { days, refund_policy, gift_coupon_ids } = card!
  const { subscription, ...period } = await openOrExtend(tx, {
    member_id,
    card_id,
    days,
    how: 'code',
    now,
  })
  const [opened] = await tx
    .insert(vip_card_order)
    .values({
      order_no: numberOf('VC', now),
      member_id,
      card_id,
      subscription_id: subscription.id,
      kind: 'code',
      days,
      pay_cents: 0,
      ...period,
      source: code.channel,
      refund_policy,
      gift_coupon_ids,
      created_at: now,
      updated_at: now,
    })
    .returning({ id: vip_card_order.id })
  await tx
    .update(t)
    .set({
      status: 'activated',
      member_id,
      activated_at: now,
      vip_order_id: opened!.id,
      wrong_times: 0,
      locked_until: null,
      version: sql`${t.version} + 1`,
      updated_at: now,
    })
    .where(eq(t.id, code.id))
  await giveGifts(tx, { id: opened!.id, gift_coupon_ids, member_id }, now)
}
/** The fifth wrong secret in a row locks a number for a day; it is counted in the database. */
const countWrong = (tx: Db, { id, wrong_times }: VipCode, now: number) =>
  tx
    .update(t)
    .set(
      wrong_times + 1 >= WRONG_MOST
        ? { wrong_times: 0, locked_until: now + LOCKED_S, updated_at: now }
        : { wrong_times: wrong_times + 1, updated_at: now },
    )
    .where(eq(t.id, id))
/**
 * A member activates a number with its secret. Tries of one number come one after the other; whether
 * a number exists, and whose it is, is told to nobody who has not its secret.
 */
export const tryNumber = async (
  tx: Db,
  sealer: Sealer,
  of: { card_no: string; secret: string; phone: string; now: number },
): Promise<TryState> => {
  const { now } = of
  const [code] = await tx
    .select()
    .from(t)
    .where(eq(t.card_no, normalCode(of.card_no)))
    .for('update')
  if (!code) return 'wrong'
  if (code.locked_until !== null && code.locked_until > now) return 'locked'
  if (sealer.hash(normalCode(of.secret)) !== code.secret_hash) {
    await countWrong(tx, code, now)
    return 'wrong'
  }
  const [holder] = await tx
    .select({ id: member.id })
    .from(member)
    .where(and(eq(member.phone, of.phone), inArray(member.account_state, ['normal', 'muted'])))
    .orderBy(asc(member.id))
    .limit(1)
  const why = activationRefusal(code, { member_id: holder?.id, now })
  if (why) return why
  try {
    await tx.transaction(inner => activate(inner, code, { member_id: holder!.id, now }))
    return 'active'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return 'refused'
  }
}
