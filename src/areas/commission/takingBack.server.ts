import { eq } from 'drizzle-orm'
import { accountKey, lineOf, merchants, ours, type AccountOf } from '#src/areas/ledger/ledger.ts'
import { holdAccounts, post } from '#src/areas/ledger/post.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { balanceAccount, debtAccount, frozenAccount } from '#src/areas/settle/orderSellers.ts'
import { headed, joined, type Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { changeRow } from '#src/server/call/versions.ts'
import { dist_commission } from './commission.table.ts'
import { payeeMerchant } from './rows.server.ts'

type Row = typeof dist_commission.$inferSelect
type Line = typeof settle_line.$inferSelect
/**
 * Holds a commission after its order and its line, as the books of orders do; a row that is none
 * answers undefined.
 */
export const holdCommission = async (
  tx: Db,
  id: number,
): Promise<{ row: Row; line: Line | undefined; merchant_id: number | null } | undefined> => {
  const c = dist_commission
  const [known] = await tx.select().from(c).where(eq(c.id, id))
  if (!known) return undefined
  if (known.order_id !== null)
    await tx.select({ id: order.id }).from(order).where(eq(order.id, known.order_id)).for('update')
  const [line] =
    known.line_id === null
      ? []
      : await tx.select().from(settle_line).where(eq(settle_line.id, known.line_id)).for('update')
  const [row] = await tx.select().from(c).where(eq(c.id, id)).for('update')
  const [payee] = await tx.select({ merchant_id: payeeMerchant }).from(c).where(eq(c.id, id))
  return { row: row!, line, merchant_id: payee!.merchant_id }
}

/** Where what is taken back goes: the side that bore it has it again. */
const bearerAccount = (line: Line | undefined): AccountOf => {
  if (line?.distributor_bearer !== 'merchant') return ours('distribution_expense')
  return merchants(
    line.status === 'settled' ? 'merchant_balance' : 'merchant_frozen',
    line.merchant_id,
  )
}
const backWords = {
  settled: ['追回佣金', 'Commission clawed back'],
  frozen: ['取消佣金', 'Commission cancelled'],
} as const satisfies Record<string, Text>
/** What its line says once so much is taken back; a merchant that bore it gets more. */
const lineAfter = (line: Line, cents: number) =>
  line.distributor_bearer === 'merchant'
    ? {
        distributor_cents: line.distributor_cents - cents,
        merchant_cents: line.merchant_cents + cents,
      }
    : { gone_distributor_cents: line.gone_distributor_cents + cents }

/**
 * Takes cents of a commission that is held (`holdCommission`) back: an estimate is not posted yet;
 * what is on hold leaves its hold; what was settled leaves the balance, and what is short there is
 * owed. Comes last in a transaction. Answers the row as it is then, undefined where it changed.
 */
export const takeCommission = async (
  tx: Db,
  { row, line, merchant_id }: NonNullable<Awaited<ReturnType<typeof holdCommission>>>,
  of: { cents: number; reason: string; maker_id?: number | undefined; now: number },
): Promise<Row | undefined> => {
  const { cents, reason, maker_id, now } = of
  const payee = { distributor_id: row.distributor_id, merchant_id }
  const reversed_cents = row.reversed_cents + cents
  const settled = row.status === 'settled'
  if (line)
    await changeRow(tx, settle_line, line, { ...lineAfter(line, cents), updated_at: now } as never)
  const after = (await changeRow(tx, dist_commission, row, {
    reversed_cents,
    reason,
    ...(reversed_cents === row.amount_cents && {
      status: settled ? ('clawed_back' as const) : ('cancelled' as const),
      held: false,
      held_by: null,
    }),
    updated_at: now,
  } as never)) as Row | undefined
  if (!after || row.status === 'estimated' || cents === 0) return after
  const own = { order_id: row.order_id ?? undefined, line_id: row.line_id ?? undefined }
  const [balance, debt, frozen, bearer] = [
    balanceAccount(payee),
    debtAccount(payee),
    frozenAccount(payee),
    bearerAccount(line),
  ]
  const held = await holdAccounts(tx, [balance, debt, frozen, bearer])
  const has = -held.get(accountKey(balance))!.balance_cents
  const paid = settled ? Math.min(cents, has) : 0
  await post(tx, {
    biz: 'commission_back',
    biz_id: row.id,
    biz_no: row.commission_no,
    idem_key: `commission_back:${row.id}:${reversed_cents}`,
    at: now,
    memo: joined(headed(settled ? backWords.settled : backWords.frozen, reason)),
    place: { city_id: row.city_id, mall_id: row.mall_id },
    ...(maker_id !== undefined && { maker_id }),
    lines: [
      ...lineOf(balance, paid, own),
      ...(settled ? lineOf(debt, cents - paid, own) : lineOf(frozen, cents, own)),
      ...lineOf(bearer, -cents, own),
    ],
  })
  return after
}
