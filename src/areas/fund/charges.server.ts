import { and, eq, inArray, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm'
import { balanceOf, holdAccounts, post } from '#src/areas/ledger/post.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { effectsOf } from '#src/areas/merchant/sales.server.ts'
import { numberOf } from '#src/areas/order/numbers.server.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { openStates } from '#src/areas/payout/withdrawing.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { yuan } from '#src/domain/money.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { fund_charge } from './fund.table.ts'
import {
  chargeCan,
  chargeKindFacts,
  chargePosting,
  debtOf,
  debtPart,
  movedBy,
  unchargePosting,
  type ChargeChannel,
  type ChargeKind,
  type ChargeOwner,
  type ChargeState,
  type ChargeVerb,
} from './fund.ts'

export type Charge = typeof fund_charge.$inferSelect
type Values = Partial<typeof fund_charge.$inferInsert>
type Place = { city_id: number; mall_id: number }
/** Where an owner stands; 404 for one who is not there. */
const placeOf = async (db: Db, kind: ChargeOwner, id: number): Promise<Place> => {
  const [row] =
    kind === 'mall'
      ? await db.select({ city_id: mall.city_id }).from(mall).where(eq(mall.id, id))
      : await db.select({ city_id: merchant.city_id }).from(merchant).where(eq(merchant.id, id))
  if (!row) throw missing()
  return { city_id: row.city_id, mall_id: kind === 'mall' ? id : 0 }
}
/** Refuses a number of the bank's that came before, and says as what. */
const refuseKnownFlow = async (tx: Db, bank: string, flow: string): Promise<void> => {
  const [before] = await tx
    .select()
    .from(fund_charge)
    .where(
      and(
        eq(fund_charge.bank_flow_no, flow),
        eq(fund_charge.bank, bank),
        ne(fund_charge.status, 'rejected'),
      ),
    )
  if (before)
    throw ruled(
      'flow_known',
      [
        '银行流水号已登记：{no}（{at}，{cents} 元）',
        'That bank number is on record: {no} ({at}, ¥{cents})',
      ],
      { no: before.no, at: timeFull(before.created_at), cents: yuan(before.amount_cents) },
    )
}
export type NewCharge = {
  kind: ChargeKind
  owner_kind: ChargeOwner
  owner_id: number
  amount_cents: number
  channel: ChargeChannel
  bank?: string | null
  bank_flow_no?: string | null
  proof?: string
  memo: string
  deposit_id?: number
  maker_id: number
  now: number
}
/**
 * Writes a charge down; nothing moves until another person has checked it. Refuses an owner of
 * another kind (`wrong_owner`), one who is not there (404), and a number of the bank's that is on
 * record (`flow_known`).
 */
export const createCharge = async (tx: Db, { now, ...of }: NewCharge): Promise<Charge> => {
  const { direction, owners } = chargeKindFacts[of.kind]
  if (!(owners as readonly ChargeOwner[]).includes(of.owner_kind))
    throw ruled('wrong_owner', ['这一类型不适用于所选对象', 'That kind is not for this owner'])
  const place = await placeOf(tx, of.owner_kind, of.owner_id)
  if (of.bank && of.bank_flow_no) await refuseKnownFlow(tx, of.bank, of.bank_flow_no)
  const [row] = await unlessTaken(
    tx
      .insert(fund_charge)
      .values({
        ...of,
        ...place,
        direction,
        no: numberOf('CZ', now),
        status: 'pending',
        created_at: now,
      })
      .returning()
      .execute(),
    () =>
      ruled('flow_known', [
        '银行流水号或保证金刚刚被登记',
        'That bank number or deposit was written down just now',
      ]),
  )
  return row!
}

/** What an owner has in the account that a charge moves, and what they owe (cents, ≥ 0). */
export const standingOf = async (
  db: Db,
  of: Pick<Charge, 'kind' | 'owner_kind' | 'owner_id'>,
): Promise<{ has_cents: number; owes_cents: number }> => {
  const debt = debtOf(of)
  return {
    has_cents: 0 - (await balanceOf(db, movedBy(of))),
    owes_cents: debt ? await balanceOf(db, debt) : 0,
  }
}
/** Holds the accounts that a charge may move: what its owner has stays so until it has posted. */
const holdMoved = async (tx: Db, of: Charge): Promise<void> => {
  const debt = debtOf(of)
  await holdAccounts(tx, [
    ...chargePosting(of, { at: 0, debt_cents: 0 }).lines,
    ...(debt ? [debt] : []),
  ])
}

export type ChargeStep = { id: number; version: number; by: { id: number }; now: number }
const hold = async (tx: Db, id: number): Promise<Charge> => {
  const [row] = await tx.select().from(fund_charge).where(eq(fund_charge.id, id)).for('update')
  if (!row) throw missing()
  return row
}
/** Refuses what can't be done now; of what was decided it says who decided, and when. */
const refuse = async (tx: Db, verb: ChargeVerb, row: Charge, me: number): Promise<void> => {
  const may = chargeCan(verb, row, me)
  if (may === true) return
  const decided = row.status !== 'pending' && (verb === 'approve' || verb === 'reject')
  const [who] =
    decided && row.checker_id !== null
      ? await tx.select({ name: admin.name }).from(admin).where(eq(admin.id, row.checker_id))
      : []
  if (!who) throw ruled('wrong_state', may)
  throw ruled('wrong_state', ['已由{who}于 {at} 处理', '{who} decided it at {at}'], {
    who: who.name,
    at: timeFull(row.checked_at ?? row.updated_at),
  })
}
type Made = { was: Charge; after: Charge }
/** Takes a charge one step on by a guarded update of the row as it was read. */
const step = async (
  tx: Db,
  was: Charge,
  { id, version, now }: ChargeStep,
  { set, guard }: { set: Values; guard: SQL | undefined },
): Promise<Made> => {
  if (was.version !== version) throw await staleRow(tx, 'fund_charge', was)
  const [after] = await tx
    .update(fund_charge)
    .set({ ...set, version: sql`${fund_charge.version} + 1` as never, updated_at: now })
    .where(and(eq(fund_charge.id, id), eq(fund_charge.version, version), guard))
    .returning()
  if (!after) throw await staleRow(tx, 'fund_charge', was)
  return { was, after }
}
const isAt = (status: ChargeState) => eq(fund_charge.status, status)
/** The one who wrote it down decides nothing about it. */
const another = (me: number) => or(isNull(fund_charge.maker_id), ne(fund_charge.maker_id, me))

/** Refuses to give a deposit back while anything of its merchant is open. */
const refuseOpen = async (tx: Db, merchant_id: number): Promise<void> => {
  const { codes, orders, refunds } = await effectsOf(tx, merchant_id)
  const owed = await balanceOf(tx, {
    kind: 'merchant_debt',
    owner_kind: 'merchant',
    owner_id: merchant_id,
  })
  const payouts = await tx.$count(
    withdrawal,
    and(
      eq(withdrawal.owner_kind, 'merchant'),
      eq(withdrawal.owner_id, merchant_id),
      inArray(withdrawal.status, [...openStates]),
    ),
  )
  if (codes + orders + refunds + payouts === 0 && owed === 0) return
  throw ruled(
    'still_open',
    [
      '还有未完结的业务：未使用券码 {codes}、在途订单 {orders}、退款 {refunds}、提现 {payouts}、欠款 {owed} 元；处理完再退还保证金',
      'Still open: {codes} codes, {orders} orders, {refunds} refunds, {payouts} withdrawals, ¥{owed} owed. Settle them first',
    ],
    { codes, orders, refunds, payouts, owed: yuan(owed) },
  )
}
/** Another person agrees: it posts, and what the owner lacks of a charge out becomes their debt. */
export const approveCharge = async (tx: Db, of: ChargeStep): Promise<Made> => {
  const was = await hold(tx, of.id)
  await refuse(tx, 'approve', was, of.by.id)
  if (was.kind === 'deposit_refund') await refuseOpen(tx, was.owner_id)
  await holdMoved(tx, was)
  const { has_cents } = await standingOf(tx, was)
  const isDebt = was.direction === 'out' && was.kind !== 'deposit_refund'
  const debt_cents = isDebt ? debtPart(was.amount_cents, has_cents) : 0
  if (was.version !== of.version) throw await staleRow(tx, 'fund_charge', was)
  const { id } = await post(
    tx,
    chargePosting(was, {
      at: of.now,
      debt_cents,
      memo: was.memo,
      checker_id: of.by.id,
      ...(was.maker_id !== null && { maker_id: was.maker_id }),
    }),
  )
  const moved = was.direction === 'in' ? was.amount_cents : debt_cents - was.amount_cents
  return step(tx, was, of, {
    set: {
      status: 'posted',
      checker_id: of.by.id,
      checked_at: of.now,
      debt_cents,
      txn_id: id,
      balance_after_cents: has_cents + moved,
    },
    guard: and(isAt('pending'), another(of.by.id)),
  })
}
type Why = { reason: string }
/** It comes to nothing; nothing had moved. */
export const rejectCharge = async (tx: Db, { reason, ...of }: ChargeStep & Why): Promise<Made> => {
  const was = await hold(tx, of.id)
  await refuse(tx, 'reject', was, of.by.id)
  return step(tx, was, of, {
    set: { status: 'rejected', checker_id: of.by.id, checked_at: of.now, reason },
    guard: and(isAt('pending'), another(of.by.id)),
  })
}
/**
 * Takes a posted one back, once: of money in what the owner has left, and the rest as debt; those
 * who never owe must have it all (`spent`).
 */
export const reverseCharge = async (tx: Db, { reason, ...of }: ChargeStep & Why): Promise<Made> => {
  const was = await hold(tx, of.id)
  await refuse(tx, 'reverse', was, of.by.id)
  await holdMoved(tx, was)
  const { has_cents, owes_cents } = await standingOf(tx, was)
  const debt_cents = was.direction === 'in' ? debtPart(was.amount_cents, has_cents) : 0
  if (debt_cents > 0 && !debtOf(was))
    throw ruled(
      'spent',
      ['资金已被使用，只剩 {has} 元，不能冲销', 'It was spent: ¥{has} are left'],
      { has: yuan(has_cents) },
    )
  if (was.version !== of.version) throw await staleRow(tx, 'fund_charge', was)
  const { id } = await post(
    tx,
    unchargePosting(was, {
      at: of.now,
      debt_cents,
      owes_cents,
      reverses_id: was.txn_id!,
      memo: reason,
      maker_id: of.by.id,
    }),
  )
  return step(tx, was, of, {
    set: {
      status: 'reversed',
      reversed_by: of.by.id,
      reversed_at: of.now,
      reverse_reason: reason,
      reverse_txn_id: id,
    },
    guard: and(isAt('posted'), another(of.by.id)),
  })
}
/** Notes that the owner was asked to pay what they owe, at most once a day. */
export const remindCharge = async (tx: Db, of: ChargeStep): Promise<Made> => {
  const was = await hold(tx, of.id)
  await refuse(tx, 'remind', was, of.by.id)
  const { owes_cents } = await standingOf(tx, was)
  if (owes_cents === 0) throw ruled('no_debt', ['欠款已还清', 'Nothing is owed'])
  if (was.reminded_at !== null && was.reminded_at > of.now - DAY)
    throw ruled('reminded', ['{at} 已催缴，一天最多一次', 'Reminded at {at}: once a day at most'], {
      at: timeFull(was.reminded_at),
    })
  return step(tx, was, of, {
    set: { reminded_at: of.now },
    guard: or(isNull(fund_charge.reminded_at), lt(fund_charge.reminded_at, of.now - DAY + 1)),
  })
}
/** Asks for a deposit to go back; another person checks it like all money out. */
export const refundDeposit = async (
  tx: Db,
  { reason, ...of }: ChargeStep & Why,
): Promise<{ was: Charge; made: Charge }> => {
  const was = await hold(tx, of.id)
  await refuse(tx, 'refundDeposit', was, of.by.id)
  if (was.version !== of.version) throw await staleRow(tx, 'fund_charge', was)
  await refuseOpen(tx, was.owner_id)
  const made = await createCharge(tx, {
    kind: 'deposit_refund',
    owner_kind: was.owner_kind,
    owner_id: was.owner_id,
    amount_cents: was.amount_cents,
    channel: 'bank',
    memo: reason,
    deposit_id: was.id,
    maker_id: of.by.id,
    now: of.now,
  })
  return { was, made }
}
