/** Memberships that renew by themselves: what is charged, and what the channel says of it. */
import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { holdOrder, system } from '#src/areas/order/orderFacts.server.ts'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import { askAgainIn } from '#src/areas/payment/askAgain.ts'
import { knownFault } from '#src/areas/payment/channelWords.ts'
import type { ContractPay } from '#src/areas/payment/contractPay.channel.ts'
import type { PayAnswer } from '#src/areas/payment/pay.channel.ts'
import { receivePayment } from '#src/areas/payment/payments.server.ts'
import { joined, keptAsSaid, keptWords, type Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { writePlanOrder } from './orderPlacing.server.ts'
import { vip_charge as c } from './renewal.table.ts'
import { CHARGE_AGAIN, CHARGE_OPEN, chargeFaults, endsContract } from './renewal.ts'
import { CHARGED_BEFORE, GRACE, isVip } from './subscription.ts'
import { holdMembership, notRenewing, type Subscription } from './subscriptions.server.ts'
import { vip_card, vip_contract as k, vip_subscription as s } from './vipCard.table.ts'

export type Charge = typeof c.$inferSelect
type Contract = typeof k.$inferSelect
const SOME = 50
const HOLD_S = 120

const turnOff = (tx: Db, id: number, now: number) =>
  tx
    .update(s)
    .set({ ...notRenewing, version: sql`${s.version} + 1`, updated_at: now })
    .where(eq(s.id, id))
/** Ends the contract at the channel: asked until it has answered. Nothing is charged on it from now on. */
const endContract = (tx: Db, of: { id: number; reason: string; now: number }) =>
  tx
    .update(k)
    .set({ state: 'ending', end_reason: of.reason.slice(0, 255), ask_at: of.now, tries: 0 })
    .where(and(eq(k.id, of.id), eq(k.state, 'signed')))

/** Switches the automatic renewal of a membership off, whose row is held; nobody switches it on. */
export const stopRenewal = async (
  tx: Db,
  sub: Subscription,
  of: { reason: string; now: number },
): Promise<void> => {
  const [contract] = await tx.select().from(k).where(eq(k.contract_no, sub.contract_no))
  await turnOff(tx, sub.id, of.now)
  if (contract) await endContract(tx, { id: contract.id, ...of })
}

/** How a renewal came about, in both languages (`joined`). */
export const byItself = joined(['自动续费', 'Renewed by itself'])
const byHand = joined(['人工重新扣款', 'Charged again by hand'])
/**
 * Begins a charge on the contract of a membership: its order and its payment are written, and the
 * channel is asked after the commit. Undefined where nothing is to be charged: it does not renew, its
 * contract is over, its grace is, or a charge waits already. `by`: the person who asks for it.
 */
export const beginCharge = async (
  tx: Db,
  subscription_id: number,
  of: { by: number | null; now: number; channel: ContractPay['name'] },
): Promise<Charge | undefined> => {
  const { now } = of
  const [known] = await tx.select().from(s).where(eq(s.id, subscription_id))
  const { sub } = await holdMembership(tx, known!.member_id)
  if (sub?.id !== subscription_id || !sub.auto_renew || sub.end_at + GRACE <= now) return undefined
  if (of.by === null && sub.next_charge_at! > now) return undefined
  const [contract] = await tx
    .select()
    .from(k)
    .where(and(eq(k.contract_no, sub.contract_no), eq(k.state, 'signed')))
    .for('share')
  if (!contract) {
    await turnOff(tx, sub.id, now)
    return undefined
  }
  const waiting = await tx.$count(c, and(eq(c.subscription_id, sub.id), eq(c.state, 'pending')))
  if (waiting > 0) return undefined
  const [plan] = await tx.select().from(vip_card).where(eq(vip_card.id, contract.card_id))
  const [buyer] = await tx
    .select({ id: member.id, city_id: member.city_id })
    .from(member)
    .where(eq(member.id, sub.member_id))
  const { made, bought } = await writePlanOrder(tx, {
    plan: plan!,
    buyer: buyer!,
    kind: 'renew',
    days: contract.days,
    pay_cents: contract.price_cents,
    source: 'api',
    channel: 'embedded',
    actor: of.by === null ? system : { type: 'staff', id: of.by },
    expire_pay_at: now + CHARGE_OPEN,
    more: { contract_id: contract.id, source: of.by === null ? byItself : byHand },
    now,
  })
  const [charge] = await tx
    .insert(c)
    .values({
      subscription_id: sub.id,
      contract_id: contract.id,
      order_id: made.id,
      vip_order_id: bought.id,
      out_no: made.order_no,
      amount_cents: made.pay_cents,
      by_id: of.by,
      ask_at: now,
      created_at: now,
      updated_at: now,
    })
    .returning()
  await tx
    .update(s)
    .set({ next_charge_at: now + CHARGE_AGAIN, version: sql`${s.version} + 1`, updated_at: now })
    .where(eq(s.id, sub.id))
  return charge!
}
/** Begins what is due by the clock, each in a transaction of its own. Answers how many. */
export const beginCharges = async (
  database: Database,
  of: { now: number; channel: ContractPay['name'] },
): Promise<number> => {
  const due = await database.db
    .select({ id: s.id })
    .from(s)
    .where(and(eq(s.auto_renew, true), lte(s.next_charge_at, of.now)))
    .orderBy(asc(s.next_charge_at))
    .limit(SOME)
  let n = 0
  for (const { id } of due)
    if (await database.transaction(tx => beginCharge(tx, id, { by: null, ...of }))) n++
  return n
}

/** Why a charge failed, in both languages, as rows keep it (`unjoined`). */
const wordsOf = (answer: Extract<PayAnswer, { state: 'failed' }>): string => {
  const known = knownFault(chargeFaults, answer.code)
  return known ? keptWords(known) : keptAsSaid(answer.text)
}
const uncounted = {
  late: ['订单已关闭，到账款自动退回', 'Its order was closed: the money goes back by itself'],
  other: ['到账金额不符，请与渠道核对', 'Another amount came in: check it with the channel'],
} as const satisfies Record<string, Text>
const failCharge = async (
  tx: Db,
  charge: Charge,
  of: { code: string; error: string; now: number },
): Promise<void> => {
  const { code, error, now } = of
  await tx
    .update(c)
    .set({
      state: 'failed',
      ask_at: null,
      error_code: code.slice(0, 40),
      error,
      ended_at: now,
      version: sql`${c.version} + 1`,
      updated_at: now,
    })
    .where(eq(c.id, charge.id))
  const over = endsContract(code)
  const [sub] = await tx.select().from(s).where(eq(s.id, charge.subscription_id)).for('update')
  await tx
    .update(s)
    .set({
      charge_fail_count: sql`${s.charge_fail_count} + 1`,
      charge_error: error,
      ...(over && notRenewing),
      ...(!over && sub!.auto_renew && { next_charge_at: now + CHARGE_AGAIN }),
      version: sql`${s.version} + 1`,
      updated_at: now,
    })
    .where(eq(s.id, charge.subscription_id))
  if (over)
    await tx
      .update(k)
      .set({ state: 'ended', ended_at: now, end_reason: error, ask_at: null })
      .where(eq(k.id, charge.contract_id))
}
/**
 * What the channel says of a charge, once: money that came in opens the next period, a refusal is
 * kept in its words and closes the order. Silence changes nothing. Unix seconds.
 */
const settleCharge = async (
  tx: Db,
  of: { id: number; answer: PayAnswer; now: number },
): Promise<Charge['state']> => {
  const { answer, now } = of
  const [known] = await tx.select().from(c).where(eq(c.id, of.id))
  await holdOrder(tx, known!.order_id)
  const [charge] = await tx.select().from(c).where(eq(c.id, of.id)).for('update')
  if (charge!.state !== 'pending') return charge!.state
  if (answer.state === 'pending' || answer.state === 'unknown') return 'pending'
  if (answer.state === 'failed') {
    const error = wordsOf(answer)
    await closeUnpaid(tx, charge!.order_id, now, { type: 'system', actor: system, reason: error })
    await failCharge(tx, charge!, { code: answer.code, error, now })
    return 'failed'
  }
  const heard = await receivePayment(tx, { out_no: charge!.out_no, answer, now })
  if (heard !== 'paid' && heard !== 'before') {
    const error = joined(heard === 'late' ? uncounted.late : uncounted.other)
    await failCharge(tx, charge!, { code: heard.toUpperCase(), error, now })
    return 'failed'
  }
  await tx
    .update(c)
    .set({
      state: 'success',
      ask_at: null,
      ended_at: now,
      version: sql`${c.version} + 1`,
      updated_at: now,
    })
    .where(eq(c.id, charge!.id))
  return 'success'
}

/** Whether a charge may still be sent: its contract stands and nobody closed its order. */
const maySend = async (db: Db, charge: Charge) => {
  const [of] = await db
    .select({ contract: k, pay_state: order.pay_state, title: vip_card.name })
    .from(k)
    .innerJoin(order, eq(order.id, charge.order_id))
    .innerJoin(vip_card, eq(vip_card.id, k.card_id))
    .where(eq(k.id, charge.contract_id))
  const { contract, pay_state, title } = of!
  // Neither is the channel's word: a contract that is being ended is told to it elsewhere.
  const why = {
    CONTRACT_ENDED: contract.state !== 'signed',
    ORDER_CLOSED: pay_state !== 'unpaid',
  }
  const code = Object.entries(why).find(([, is]) => is)?.[0]
  return { code, contract_no: contract.contract_no, title }
}
const sendOne = async (
  database: Database,
  channel: ContractPay,
  charge: Charge,
): Promise<PayAnswer> => {
  const send = async (): Promise<PayAnswer> => {
    const { code, ...of } = await maySend(database.db, charge)
    if (code !== undefined) return { state: 'failed', code, text: code }
    return channel.charge({ out_no: charge.out_no, amount_cents: charge.amount_cents, ...of })
  }
  if (charge.tries === 1) return send()
  const said = await channel.queryCharge(charge.out_no)
  return said.state === 'failed' && said.code === 'RESOURCE_NOT_EXISTS' ? send() : said
}
/**
 * Sends the charges that are due and writes down what the channel says. Each is taken for two
 * minutes by one process; what was sent before is asked for by its number, and only sent again where
 * the channel never heard of it. Answers how many.
 */
export const sendCharges = async (
  database: Database,
  channel: ContractPay,
  now: number,
): Promise<number> => {
  const ripe = database.db
    .select({ id: c.id })
    .from(c)
    .where(and(eq(c.state, 'pending'), lte(c.ask_at, now)))
    .orderBy(asc(c.ask_at))
    .limit(SOME)
  const due = await database.db
    .update(c)
    .set({ ask_at: now + HOLD_S, tries: sql`${c.tries} + 1` })
    .where(and(inArray(c.id, ripe), lte(c.ask_at, now)))
    .returning()
  for (const charge of due) {
    const answer = await sendOne(database, channel, charge)
    const state = await database.transaction(tx => settleCharge(tx, { id: charge.id, answer, now }))
    if (state === 'pending')
      await database.db
        .update(c)
        .set({ ask_at: now + askAgainIn(charge.tries) })
        .where(and(eq(c.id, charge.id), eq(c.state, 'pending')))
  }
  return due.length
}

/** A contract is signed: the one before is ended, and the membership renews by itself from now on. */
const sign = async (tx: Db, contract: Contract, now: number): Promise<void> => {
  const { sub } = await holdMembership(tx, contract.member_id)
  const [held] = await tx.select().from(k).where(eq(k.id, contract.id)).for('update')
  if (held!.state !== 'asked') return
  const before = await tx
    .select({ id: k.id })
    .from(k)
    .where(and(eq(k.member_id, contract.member_id), eq(k.state, 'signed')))
  for (const { id } of before)
    await endContract(tx, { id, reason: joined(['已签新约', 'A newer one is signed']), now })
  const renews = sub !== undefined && isVip(sub, now)
  await tx
    .update(k)
    .set({
      state: renews ? 'signed' : 'ending',
      signed_at: now,
      ask_at: renews ? null : now,
      tries: 0,
      version: sql`${k.version} + 1`,
      updated_at: now,
    })
    .where(eq(k.id, contract.id))
  if (renews)
    await tx
      .update(s)
      .set({
        auto_renew: true,
        contract_no: contract.contract_no,
        next_charge_at: sub.end_at - CHARGED_BEFORE,
        version: sql`${s.version} + 1`,
        updated_at: now,
      })
      .where(eq(s.id, sub.id))
}
const finishContract = (tx: Db, id: number, now: number) =>
  tx
    .update(k)
    .set({
      state: 'ended',
      ended_at: now,
      ask_at: null,
      version: sql`${k.version} + 1`,
      updated_at: now,
    })
    .where(and(eq(k.id, id), inArray(k.state, ['asked', 'ending'])))
/** A contract that is no membership's any more is ended at the channel too. */
const endLoose = (db: Db, now: number) =>
  db
    .update(k)
    .set({
      state: 'ending',
      ask_at: now,
      tries: 0,
      end_reason: joined(['会员已失效', 'The membership is over']),
    })
    .where(
      and(
        eq(k.state, 'signed'),
        sql`not exists (select 1 from vip_subscription s where s.contract_no = ${k.contract_no}
          and s.auto_renew)`,
      ),
    )
/**
 * Asks the channel what became of contracts: whether they were signed, and to end those that are
 * over; each until it has answered. Answers how many.
 */
export const sendContracts = async (
  database: Database,
  channel: ContractPay,
  now: number,
): Promise<number> => {
  await endLoose(database.db, now)
  const ripe = database.db.select({ id: k.id }).from(k).where(lte(k.ask_at, now)).limit(SOME)
  const due = await database.db
    .update(k)
    .set({ ask_at: now + HOLD_S, tries: sql`${k.tries} + 1` })
    .where(and(inArray(k.id, ripe), lte(k.ask_at, now)))
    .returning()
  for (const contract of due) {
    const { contract_no, state, tries, id } = contract
    const said = await (state === 'asked'
      ? channel.queryContract(contract_no)
      : channel.endContract(contract_no))
    if (said.state === 'ended') await finishContract(database.db, id, now)
    else if (said.state === 'signed' && state === 'asked')
      await database.transaction(tx => sign(tx, contract, now))
    else
      await database.db
        .update(k)
        .set({ ask_at: now + askAgainIn(tries) })
        .where(and(eq(k.id, id), inArray(k.state, ['asked', 'ending'])))
  }
  return due.length
}
