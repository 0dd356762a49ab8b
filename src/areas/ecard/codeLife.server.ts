/**
 * The life of a card's code, every step in the caller's transaction: codes are locked by id,
 * changed by one guarded UPDATE, and their face's counts and the ledger go with them. A caller who
 * comes too late is told how the card stands.
 */
import { and, asc, eq, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { normalCode } from '#src/areas/secret/secretCode.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { grouped } from '#src/domain/grouped.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { book, change, lock, takeFree, type Ledger } from './codeChange.server.ts'
import { codeCan, countedAs, revived, spentState, type CodeVerb } from './codeLife.ts'
import type { Code } from './codeMaking.server.ts'
import { ecard_code, ecard_ledger } from './ecard.table.ts'
import { oweGiven, releaseBack, releaseGiven } from './givenBooks.server.ts'

const t = ecard_code
/** Staff who did it, and why; unix seconds. */
export type By = { admin_id: number; reason: string; now: number }
/** The payment, refund or request that the money moved for. */
type Ref = { type: string; id: number }

const refused = (verb: CodeVerb, text: Text) => ruled(`code_${verb}`, text)
/** Locks codes and parts them into those that may have it and those that may not. */
const parted = async (tx: Db, verb: CodeVerb, where: SQL | undefined, now: number) => {
  const able: Code[] = []
  const unable: { code: Code; text: Text }[] = []
  for (const code of await lock(tx, where)) {
    const may = codeCan(verb, code, now)
    if (may === true) able.push(code)
    else unable.push({ code, text: may })
  }
  return { able, unable }
}
/** All of the codes that were asked for, locked; refuses where one may not have it. */
const all = async (tx: Db, verb: CodeVerb, ids: readonly number[], now: number) => {
  const { able, unable } = await parted(tx, verb, inArray(t.id, [...ids]), now)
  if (unable[0]) throw refused(verb, unable[0].text)
  if (able.length < new Set(ids).size) throw missing()
  return able
}
const one = async (tx: Db, verb: CodeVerb, id: number, now: number): Promise<Code> =>
  (await all(tx, verb, [id], now))[0]!
/**
 * Holds so many free codes of a face for an order, all or none; where its card's codes are made
 * here, those that lack are made. Answers their ids. Throws 422 `few_codes`.
 */
export const holdCodes = async (
  tx: Db,
  sealer: Sealer,
  of: { attr_id: number; n: number; order_id: number; channel_id?: number; now: number },
): Promise<number[]> => {
  const free = await takeFree(tx, sealer, of)
  const set = { state: 'held', order_id: of.order_id, channel_id: of.channel_id ?? null }
  return (await change(tx, free, set, of.now)).map(row => row.id)
}
const ofOrder = (order_id: number, state: Code['state']) =>
  and(eq(t.order_id, order_id), eq(t.state, state))
/** An order gives up the codes it holds. Answers how many; none the second time. */
export const releaseCodes = async (tx: Db, order_id: number, now: number): Promise<number> => {
  const held = await lock(tx, ofOrder(order_id, 'held'))
  const set = { state: 'free', order_id: null, channel_id: null }
  return (await change(tx, held, set, now)).length
}
/** The codes that an order holds are sold; a card with a fixed end is good until then. */
export const sellCodes = async (tx: Db, order_id: number, now: number): Promise<Code[]> => {
  const held = await lock(tx, ofOrder(order_id, 'held'))
  const valid_until = sql`(select c.valid_until from ecard c where c.id = ${t.card_id} and c.valid_type = 'fixed')`
  return change(tx, held, { state: 'sold', sold_at: now, valid_until }, now)
}
/**
 * Takes sold codes back for good: never shown, bound to nobody, nothing spent. They stay in their
 * order and are never sold again; where codes are made here the next buyer gets a fresh one.
 */
export const refundCodes = async (tx: Db, ids: readonly number[], now: number): Promise<Code[]> =>
  change(tx, await all(tx, 'refund', ids, now), { state: 'refunded' }, now)

/** The code of a secret as it was typed; undefined where there is none. */
export const codeOfSecret = async (
  db: Db,
  sealer: Sealer,
  secret: string,
): Promise<Code | undefined> =>
  (
    await db
      .select()
      .from(t)
      .where(eq(t.secret_hash, sealer.hash(normalCode(secret))))
  )[0]
/** A member binds a sold card: its money is there from now on. The second of two is told. */
export const activateCode = async (
  tx: Db,
  { code_id, member_id, now }: { code_id: number; member_id: number; now: number },
): Promise<Code> => {
  const was = await one(tx, 'activate', code_id, now)
  const days = sql`coalesce(${t.valid_until}, (select ${now}::bigint + c.valid_days * ${DAY}::bigint from ecard c where c.id = ${t.card_id} and c.valid_type = 'days'))`
  const set = {
    state: 'active',
    holder_id: member_id,
    activated_at: now,
    balance_cents: was.face_cents,
    valid_until: days,
  }
  const [is] = await change(tx, [was], set, now)
  await book(tx, is!, {
    type: 'activate',
    amount_cents: was.face_cents,
    // A code is activated once in its life, whoever binds it.
    ref_type: 'code',
    ref_id: code_id,
    created_at: now,
  })
  return is!
}
const bookedFor = async (tx: Db, code_id: number, type: Ledger['type'], ref: Ref) =>
  (
    await tx
      .select()
      .from(ecard_ledger)
      .where(
        and(
          eq(ecard_ledger.code_id, code_id),
          eq(ecard_ledger.type, type),
          eq(ecard_ledger.ref_type, ref.type),
          eq(ecard_ledger.ref_id, ref.id),
        ),
      )
  )[0]
const otherAmount = (amount: number) =>
  ruled(
    'other_amount',
    ['该笔已记账 {amount} 元，金额不一致', 'It is booked already, with ¥{amount}'],
    { amount: yuan(amount) },
  )
/** Tells the till that came second what was spent before it. */
const tooLittle = async (tx: Db, { id, balance_cents }: Code) => {
  const [last] = await tx
    .select()
    .from(ecard_ledger)
    .where(and(eq(ecard_ledger.code_id, id), eq(ecard_ledger.type, 'spend')))
    .orderBy(sql`${ecard_ledger.id} desc`)
    .limit(1)
  const left = yuan(balance_cents)
  return last
    ? ruled(
        'balance_short',
        [
          '余额不足：剩余 {left} 元，{at} 已消费 {spent} 元',
          'Too little is left: ¥{left}, ¥{spent} were spent at {at}',
        ],
        { left, at: timeFull(last.created_at), spent: yuan(-last.amount_cents) },
      )
    : ruled('balance_short', ['余额不足：剩余 {left} 元', 'Too little is left: ¥{left}'], {
        left,
      })
}
type Moving = { code_id: number; amount_cents: number; ref: Ref; now: number }
const moved = async (
  tx: Db,
  was: Code,
  { type, by, ref, now }: { type: 'spend' | 'spend_back'; by: number; ref: Ref; now: number },
): Promise<Ledger> => {
  const balance_cents = was.balance_cents + by
  const isOpen = was.state === 'active' || was.state === 'used_up'
  const set = { balance_cents, ...(isOpen && { state: spentState(balance_cents) }) }
  const [is] = await change(tx, [was], set, now)
  if (was.state === 'expired') await releaseBack(tx, is!, by, now)
  return book(tx, is!, {
    type,
    amount_cents: by,
    ref_type: ref.type,
    ref_id: ref.id,
    created_at: now,
  })
}
const locked = async (tx: Db, id: number): Promise<Code> => {
  const [was] = await lock(tx, eq(t.id, id))
  if (!was) throw missing()
  return was
}
/**
 * Spends cents of an active card, once for each `ref`: asked again it answers the row of before.
 * The second of two tills is told what is left. Throws 422 `balance_short`, `code_spend`.
 */
export const spendCode = async (tx: Db, of: Moving): Promise<Ledger> => {
  const was = await locked(tx, of.code_id)
  const booked = await bookedFor(tx, was.id, 'spend', of.ref)
  if (booked && booked.amount_cents !== -of.amount_cents) throw otherAmount(-booked.amount_cents)
  if (booked) return booked
  const may = codeCan('spend', was, of.now)
  if (was.balance_cents < of.amount_cents && (may === true || was.state === 'used_up'))
    throw await tooLittle(tx, was)
  if (may !== true) throw refused('spend', may)
  return moved(tx, was, { ...of, type: 'spend', by: -of.amount_cents })
}
/**
 * Puts cents that were spent back onto their card, once for each `ref` and never more than was
 * spent; a card that is frozen or past its end has them all the same.
 */
export const spendBack = async (tx: Db, of: Moving): Promise<Ledger> => {
  const was = await locked(tx, of.code_id)
  const booked = await bookedFor(tx, was.id, 'spend_back', of.ref)
  if (booked && booked.amount_cents !== of.amount_cents) throw otherAmount(booked.amount_cents)
  if (booked) return booked
  const may = codeCan('spendBack', was, of.now)
  if (may !== true) throw refused('spendBack', may)
  const spent = was.face_cents - was.balance_cents
  if (of.amount_cents > spent)
    throw ruled('more_than_spent', ['最多退回 {spent} 元', 'At most ¥{spent} were spent'], {
      spent: yuan(spent),
    })
  return moved(tx, was, { ...of, type: 'spend_back', by: of.amount_cents })
}

type Done = { done: Code[]; left: { code: Code; text: Text }[] }
/**
 * Freezes those of the codes that can be frozen, and answers why the others can't. Balances stay.
 */
export const freezeCodes = async (tx: Db, where: SQL, by: By): Promise<Done> => {
  const { able, unable } = await parted(tx, 'freeze', where, by.now)
  const set = {
    state: 'frozen',
    before_freeze: t.state,
    frozen_by: by.admin_id,
    frozen_at: by.now,
    reason: by.reason,
  }
  return { done: await change(tx, able, set, by.now), left: unable }
}
/** Makes frozen codes again what they were, and answers why the others are left. */
export const unfreezeCodes = async (tx: Db, where: SQL, by: { now: number }): Promise<Done> => {
  const { able, unable } = await parted(tx, 'unfreeze', where, by.now)
  const set = {
    state: t.before_freeze,
    before_freeze: null,
    frozen_by: null,
    frozen_at: null,
    reason: null,
  }
  return { done: await change(tx, able, set, by.now), left: unable }
}
/** Voids free codes for good; sold ones are skipped and answered with why. */
export const voidCodes = async (
  tx: Db,
  where: SQL,
  by: { reason: string; now: number },
): Promise<Done> => {
  const { able, unable } = await parted(tx, 'void', where, by.now)
  const set = {
    state: 'void',
    before_freeze: null,
    frozen_by: null,
    frozen_at: null,
    reason: by.reason,
  }
  return { done: await change(tx, able, set, by.now), left: unable }
}
/** Puts the end of cards that have one off; an expired card comes back with its money. */
export const extendCodes = async (
  tx: Db,
  ids: readonly number[],
  { until, now }: { until: number; now: number },
): Promise<Code[]> => {
  const were = await all(tx, 'extend', ids, now)
  const last = Math.max(now, ...were.map(was => was.valid_until!))
  if (until <= last)
    throw ruled('earlier_end', ['新有效期须晚于 {last}', 'A new end is later than {last}'], {
      last: timeFull(last).slice(0, 16),
    })
  const done: Code[] = []
  // Sold and active ones stay what they are; an expired one is what it was.
  const next = (was: Code) => (was.state === 'expired' ? revived(was) : was.state)
  for (const [state, some] of grouped(were, next))
    done.push(...(await change(tx, some, { state, valid_until: until }, now)))
  const over = new Set(were.filter(was => was.state === 'expired').map(was => was.id))
  await oweGiven(
    tx,
    done.filter(code => over.has(code.id)),
    now,
  )
  return done.toSorted((a, b) => a.id - b.id)
}
/** Gives an active card to another member, with what is left on it. */
export const moveHolder = async (
  tx: Db,
  { code_id, from, to, now }: { code_id: number; from: number; to: number; now: number },
): Promise<Code> => {
  const was = await one(tx, 'move', code_id, now)
  if (was.holder_id !== from)
    throw ruled('other_holder', ['持有人已变更，请刷新后重试', 'Its holder changed meanwhile'])
  return (await change(tx, [was], { holder_id: to }, now))[0]!
}
const EXPIRED_AT_ONCE = 500
/**
 * Ends some cards whose end has come; the ledger notes each. The money left on them stays their
 * holders': it can be spent again once the end is put off (单用途商业预付卡管理办法 art. 19). What is left on
 * a card that nobody paid for is owed no more until then. Answers how many.
 */
export const expireDue = async (tx: Db, now: number, most = EXPIRED_AT_ONCE): Promise<number> => {
  const due = await tx
    .select()
    .from(t)
    .where(and(inArray(t.state, ['sold', 'active']), lte(t.valid_until, now)))
    .orderBy(asc(t.id))
    .limit(most)
    .for('update', { skipLocked: true })
  const over = due.filter(code => codeCan('expire', code, now) === true)
  const ended = await change(tx, over, { state: 'expired' }, now)
  for (const code of ended)
    await book(tx, code, { type: 'expire', amount_cents: 0, created_at: now })
  await releaseGiven(tx, ended, now)
  return over.length
}

/**
 * Shows a code's secret. A person who saw that of a sold card could use it: from then on the card
 * is not taken back. Throws 404 where the code is not there.
 */
export const showSecret = async (
  tx: Db,
  sealer: Sealer,
  { code_id, now }: { code_id: number; now: number },
): Promise<{ code: Code; secret: string }> => {
  const was = await locked(tx, code_id)
  // Its money goes back because nobody has seen it.
  if (was.state === 'refunding' || was.state === 'refunded')
    throw ruled('code_show', ['该卡已退款或退款中，不能查看卡密', 'It went back, or is about to'])
  const isMarked = was.shown_at === null && countedAs(was) === 'sold_n'
  const [code] = isMarked ? await change(tx, [was], { shown_at: now }, now) : [was]
  return { code: code!, secret: sealer.open(was.secret_enc, was.secret_hash) }
}
/** The moves of a card's money, the oldest first. */
export const ledgerOf = (db: Db, code_ids: readonly number[]): Promise<Ledger[]> =>
  db
    .select()
    .from(ecard_ledger)
    .where(inArray(ecard_ledger.code_id, [...code_ids]))
    .orderBy(asc(ecard_ledger.id))
