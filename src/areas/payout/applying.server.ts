import { and, eq, gte, inArray, sql } from 'drizzle-orm'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { ledger_account, ledger_entry } from '#src/areas/ledger/ledger.table.ts'
import { post } from '#src/areas/ledger/post.server.ts'
import { refuseSanctioned } from '#src/areas/member/sanctions.server.ts'
import { numberOf } from '#src/areas/order/numbers.server.ts'
import { noteUser } from '#src/areas/userLog/noting.server.ts'
import { yuan } from '#src/domain/money.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import {
  applicantOf,
  readWithdrawSettings,
  refuseReserve,
  riskFactsOf,
} from './applicants.server.ts'
import { withdrawal } from './withdrawal.table.ts'
import type { Withdrawal } from './withdrawals.server.ts'
import {
  FILM_MIN_CENTS,
  moneyOf,
  NEW_ACCOUNT_S,
  openStates,
  outsideWindow,
  partsOf,
  riskOf,
  withdrawalPosting,
  type PayoutChannel,
  type WithdrawalOwner,
  type WithdrawSettings,
} from './withdrawing.ts'

type Asked = {
  owner_kind: WithdrawalOwner
  owner_id: number
  amount_cents: number
  channel: PayoutChannel
  payee_name: string
  payee_no: string
  bank_name?: string
  now: number
}
const monthStart = (at: number): number => dayStart(at) - (Number(dateOf(at).slice(8)) - 1) * DAY
/** So often a day; a seller so often a month, on the days that the settings leave open. */
const refuseTooOften = async (tx: Db, of: Asked, settings: WithdrawSettings): Promise<void> => {
  const since = (at: number) =>
    tx.$count(
      withdrawal,
      and(
        eq(withdrawal.owner_kind, of.owner_kind),
        eq(withdrawal.owner_id, of.owner_id),
        gte(withdrawal.applied_at, at),
      ),
    )
  if ((await since(dayStart(of.now))) >= settings.daily)
    throw ruled(
      'too_often',
      ['每天最多提现 {n} 次，请明天再申请', 'At most {n} a day: ask again tomorrow'],
      { n: settings.daily },
    )
  if (of.owner_kind !== 'distributor') return
  const closed = outsideWindow(settings.sellers, of.now)
  if (closed) throw ruled('outside_window', closed)
  const { monthly } = settings.sellers
  if ((await since(monthStart(of.now))) >= monthly)
    throw ruled(
      'too_often',
      ['每月最多提现 {n} 次，请下月再申请', 'At most {n} a month: ask again next month'],
      { n: monthly },
    )
}
/**
 * Refuses an applicant who is a member that may not be paid out just now, or a seller who is one.
 */
const refuseMember = async (tx: Db, of: Asked): Promise<void> => {
  if (of.owner_kind === 'member') return refuseSanctioned(tx, of.owner_id, 'payout', of.now)
  if (of.owner_kind !== 'distributor') return undefined
  const [seller] = await tx
    .select({ member_id: distributor.member_id })
    .from(distributor)
    .where(eq(distributor.id, of.owner_id))
  return seller?.member_id ? refuseSanctioned(tx, seller.member_id, 'payout', of.now) : undefined
}
const refuseApplication = async (tx: Db, of: Asked) => {
  const settings = await readWithdrawSettings(tx)
  const applicant = await applicantOf(tx, of, of.now)
  if (!applicant) throw missing()
  if (applicant.barred) throw ruled('owner_barred', applicant.barred)
  await refuseMember(tx, of)
  if (applicant.registered_name !== null && applicant.registered_name !== of.payee_name)
    throw ruled(
      'payee_name',
      [
        '收款人“{payee}”与登记名“{name}”不一致，请改为登记名下的账户',
        'The payee {payee} is not the registered name {name}: use an account of that name',
      ],
      { payee: of.payee_name, name: applicant.registered_name },
    )
  const ofSellers = of.owner_kind === 'distributor' ? settings.sellers : undefined
  const isFilm = of.owner_kind === 'film'
  const least = isFilm ? FILM_MIN_CENTS : (ofSellers?.min_cents ?? settings.min_cents)
  const min_cents = Math.max(least, applicant.min_cents ?? 0)
  if (!Number.isSafeInteger(of.amount_cents) || of.amount_cents < min_cents)
    throw ruled('below_minimum', ['每次至少提现 {min} 元', 'At least ¥{min} at a time'], {
      min: yuan(min_cents),
    })
  await refuseReserve(tx, of, applicant.reserve_cents ?? 0)
  await refuseTooOften(tx, of, settings)
  const parts = partsOf(of.owner_kind, of.amount_cents, settings)
  if (parts.net_cents <= 0)
    throw ruled('no_net', ['扣除手续费后没有到账金额', 'Nothing is left after the fee'])
  if (isFilm) await refuseSecondOpen(tx, of)
  const need_second =
    of.amount_cents > (ofSellers ?? settings).second_cents ||
    (isFilm && (await isNewAccount(tx, of)))
  return { applicant, parts, need_second }
}
const sameBalance = (of: Asked) =>
  and(inArray(withdrawal.owner_kind, ['film', 'merchant']), eq(withdrawal.owner_id, of.owner_id))
/**
 * A film account has one request at a time, so that each statement goes on where the last one
 * ended.
 */
const refuseSecondOpen = async (tx: Db, of: Asked): Promise<void> => {
  const [open] = await tx
    .select({ no: withdrawal.no })
    .from(withdrawal)
    .where(and(sameBalance(of), inArray(withdrawal.status, [...openStates])))
    .limit(1)
  if (open)
    throw ruled(
      'open_request',
      [
        '提现单 {no} 还未结束，结束后才能再申请',
        'Withdrawal {no} is not over: ask again once it is',
      ],
      { no: open.no },
    )
}
/** Paid to another account before, and to this one for less than three days. */
const isNewAccount = async (tx: Db, of: Asked): Promise<boolean> => {
  const before = await tx
    .select({ payee_no: withdrawal.payee_no, at: withdrawal.applied_at })
    .from(withdrawal)
    .where(sameBalance(of))
  const since = before.filter(one => one.payee_no === of.payee_no).map(one => one.at)
  return before.length > 0 && of.now - Math.min(of.now, ...since) < NEW_ACCOUNT_S
}
/** The balance before a transaction, as its entry keeps it. */
const balanceBefore = async (tx: Db, txn_id: number, of: Asked): Promise<number> => {
  const { balance } = moneyOf(of)
  const [row] = await tx
    .select({
      cents: sql<number>`(${ledger_entry.amount_cents} - ${ledger_entry.balance_after_cents})::float8`,
    })
    .from(ledger_entry)
    .innerJoin(ledger_account, eq(ledger_account.id, ledger_entry.account_id))
    .where(and(eq(ledger_entry.txn_id, txn_id), eq(ledger_account.kind, balance.kind)))
  return row!.cents
}
/**
 * An owner asks for money: its amount is set aside at once, so it can't be spent twice. Refuses an
 * unknown or barred owner (404, `owner_barred`), another payee than the registered name
 * (`payee_name`), too little (`below_minimum`), too often (`too_often`), more than there is
 * (`short_balance`). What makes a cashier look twice is kept with it.
 */
export const applyWithdrawal = async (tx: Db, of: Asked): Promise<Withdrawal> => {
  // Applications of one owner come one after the other, so that they are counted right.
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtext('withdrawal'), hashtext(${`${of.owner_kind}/${of.owner_id}`}))`,
  )
  const { applicant, parts, need_second } = await refuseApplication(tx, of)
  const { now, ...asked } = of
  const facts = await riskFactsOf(tx, of, { ...of, at: now })
  const [row] = await tx
    .insert(withdrawal)
    .values({
      ...asked,
      ...parts,
      no: numberOf('TX', now),
      city_id: applicant.city_id,
      mall_id: applicant.mall_id ?? 0,
      owner_admin_id: applicant.owner_admin_id,
      need_second,
      risk_flags: riskOf(facts),
      status: 'pending',
      applied_at: now,
      created_at: now,
    })
    .returning()
  const { id } = await post(tx, withdrawalPosting('apply', row!, { at: now }))
  const [after] = await tx
    .update(withdrawal)
    .set({ balance_before_cents: await balanceBefore(tx, id, of) })
    .where(eq(withdrawal.id, row!.id))
    .returning()
  if (of.owner_kind === 'member')
    await noteUser(tx, {
      kind: 'withdraw',
      member_id: of.owner_id,
      request_id: `withdraw:${row!.no}`,
      detail: { no: row!.no, cents: row!.amount_cents },
      at: now,
    })
  return after!
}
