import { and, eq, inArray, sql } from 'drizzle-orm'
import { ledger_account } from '#src/areas/ledger/ledger.table.ts'
import { lineOf } from '#src/areas/ledger/ledger.ts'
import { holdAccounts, post } from '#src/areas/ledger/post.server.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { moneyOf, openStates } from '#src/areas/payout/withdrawing.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import type { MergeTrail } from './merge.table.ts'
import { mergeNo } from './merge.ts'

type Between = { from: number; to: number; merge_id: number; operator_id: number; now: number }
type Money = Pick<MergeTrail, 'balance_cents' | 'withdrawing_cents' | 'withdrawals'>
const moneyOfMember = (owner_id: number) => moneyOf({ owner_kind: 'member', owner_id })

/** Posts what goes from one member's accounts to another's; nothing where it is nothing. */
const postMove = async (
  tx: Db,
  { from, to, merge_id, operator_id, now }: Between,
  cents: Pick<Money, 'balance_cents' | 'withdrawing_cents'>,
  step: 'merge' | 'unmerge',
): Promise<void> => {
  const [gives, takes] = [moneyOfMember(from), moneyOfMember(to)]
  const lines = [
    ...lineOf(gives.balance, cents.balance_cents),
    ...lineOf(takes.balance, -cents.balance_cents),
    ...lineOf(gives.withdrawing, cents.withdrawing_cents),
    ...lineOf(takes.withdrawing, -cents.withdrawing_cents),
  ]
  if (lines.length === 0) return
  await post(tx, {
    biz: 'merge',
    biz_id: merge_id,
    biz_no: mergeNo(merge_id),
    idem_key: `member_${step}:${merge_id}`,
    at: now,
    memo: joined(
      step === 'merge'
        ? [`会员 #${from} 并入 #${to}`, `Member #${from} merged into #${to}`]
        : [`撤销合并，转回会员 #${to}`, `Merge undone: back to member #${to}`],
    ),
    maker_id: operator_id,
    lines,
  })
}
/** What lies on a member's accounts (cents), each held; none is opened for it. */
const heldMoney = async (tx: Db, id: number) => {
  const { balance, withdrawing } = moneyOfMember(id)
  const rows = await tx
    .select({ kind: ledger_account.kind })
    .from(ledger_account)
    .where(and(eq(ledger_account.owner_kind, 'member'), eq(ledger_account.owner_id, id)))
  if (rows.length === 0) return { balance_cents: 0, withdrawing_cents: 0 }
  const held = await holdAccounts(tx, [balance, withdrawing])
  const of = (kind: string) =>
    -([...held.values()].find(row => row.kind === kind)?.balance_cents ?? 0)
  return { balance_cents: of(balance.kind), withdrawing_cents: of(withdrawing.kind) }
}

/**
 * The money of a member goes to the other by one posting, open withdrawals along with what lies in
 * them. Answers what moved.
 */
export const moveMoney = async (tx: Db, of: Between): Promise<Money> => {
  const moved = await tx
    .update(withdrawal)
    .set({ owner_id: of.to, version: sql`${withdrawal.version} + 1` })
    .where(
      and(
        eq(withdrawal.owner_kind, 'member'),
        eq(withdrawal.owner_id, of.from),
        inArray(withdrawal.status, [...openStates]),
      ),
    )
    .returning({ id: withdrawal.id })
  const cents = await heldMoney(tx, of.from)
  await postMove(tx, of, cents, 'merge')
  return { ...cents, withdrawals: moved.map(row => row.id) }
}

const spent = () =>
  ruled('balance_spent', [
    '保留会员已使用过合并来的余额，不能撤销合并',
    'The member that was kept has spent money of the merge: it can’t be taken back',
  ])
/** The least that a member's balance was since a merge (cents). */
const leastSince = async (tx: Db, { to, merge_id }: Between): Promise<number> => {
  const { rows } = await tx.execute<{ least: string | null }>(sql`
    select min(-e.balance_after_cents) least from ledger_entry e
      join ledger_account a on a.id = e.account_id
    where a.owner_kind = 'member' and a.owner_id = ${to} and a.kind = 'member_balance'
      and e.txn_id >= (select t.id from ledger_txn t where t.idem_key = ${`member_merge:${merge_id}`})`)
  return Number(rows[0]?.least ?? 0)
}
/**
 * The money of a merge goes back by one posting. Throws 422 `balance_spent` where the kept member's
 * balance was ever below it since, or a withdrawal that came along has ended.
 */
export const moveMoneyBack = async (tx: Db, of: Between, money: Money): Promise<void> => {
  const { balance_cents, withdrawing_cents, withdrawals } = money
  if (balance_cents === 0 && withdrawing_cents === 0) return
  if (withdrawals.length > 0) {
    const back = await tx
      .update(withdrawal)
      .set({ owner_id: of.from, version: sql`${withdrawal.version} + 1` })
      .where(
        and(
          inArray(withdrawal.id, withdrawals),
          eq(withdrawal.owner_id, of.to),
          inArray(withdrawal.status, [...openStates]),
        ),
      )
      .returning({ id: withdrawal.id })
    if (back.length < withdrawals.length) throw spent()
  }
  await heldMoney(tx, of.to)
  if (balance_cents > 0 && (await leastSince(tx, of)) < balance_cents) throw spent()
  await postMove(tx, { ...of, from: of.to, to: of.from }, money, 'unmerge')
}
