import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { lineOf, merchants } from '#src/areas/ledger/ledger.ts'
import { post } from '#src/areas/ledger/post.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import type { SubsidyRow } from './granting.server.ts'
import { planAccount } from './planFund.server.ts'
import { subsidy_claim, subsidy_log, subsidy_plan } from './subsidy.table.ts'

export type Claim = typeof subsidy_claim.$inferSelect

type Left = { platform_cents: number; mall_cents: number }
const sumOf = (of: Left): number => of.platform_cents + of.mall_cents
/**
 * What is left of grants, by their id: neither refunded nor claimed back (cents). A merchant's own
 * share never flowed, so that nothing of it is claimed.
 */
export const leftOfGrants = async (
  db: Db,
  grants: readonly (Pick<SubsidyRow, 'id'> & Left)[],
): Promise<Map<number, Left>> => {
  const ids = grants.map(row => row.id)
  const taken =
    ids.length === 0
      ? []
      : await db
          .select({
            id: subsidy_log.of_id,
            platform: sql<string>`sum(${subsidy_log.platform_cents})`,
            mall: sql<string>`sum(${subsidy_log.mall_cents})`,
          })
          .from(subsidy_log)
          .where(
            and(
              inArray(subsidy_log.of_id, ids),
              inArray(subsidy_log.kind, ['reverse', 'clawback']),
            ),
          )
          .groupBy(subsidy_log.of_id)
  const back = new Map(taken.map(row => [row.id, row]))
  return new Map(
    grants.map(row => [
      row.id,
      {
        platform_cents: row.platform_cents + Number(back.get(row.id)?.platform ?? 0),
        mall_cents: row.mall_cents + Number(back.get(row.id)?.mall ?? 0),
      },
    ]),
  )
}
const notGranted: Text = ['只有发放的补贴可以追回', 'Only what was granted can be claimed back']
const nothingLeft: Text = [
  '这笔补贴已全部退回或追回',
  'All of it was taken back by refunds or claimed back',
]
/** Asks to claim back all that is left of a grant; another person decides. */
export const askClaim = async (
  { tx, staff }: WriteContext,
  row: SubsidyRow,
  reason: string,
): Promise<Claim> => {
  if (row.kind !== 'grant') throw ruled('not_granted', notGranted)
  const left = sumOf((await leftOfGrants(tx, [row])).get(row.id)!)
  if (left <= 0) throw ruled('nothing_left', nothingLeft)
  const [made] = await unlessTaken(
    tx
      .insert(subsidy_claim)
      .values({ log_id: row.id, amount_cents: left, reason, maker_id: staff.id })
      .returning(),
    () => ruled('claimed', ['已有待复核的追回申请', 'A claim of it waits for its decision']),
  )
  return made!
}
const nameOf = async (db: Db, id: number | null): Promise<string> => {
  const [row] = await db
    .select({ name: admin.name })
    .from(admin)
    .where(eq(admin.id, id ?? 0))
  return row?.name ?? '—'
}
/** The open claim of a grant is decided, by another person than asked; of two at once one does. */
const decide = async (
  { tx, staff }: WriteContext,
  log_id: number,
  state: 'done' | 'rejected',
): Promise<Claim> => {
  const [after] = await tx
    .update(subsidy_claim)
    .set({ state, checker_id: staff.id, version: sql`${subsidy_claim.version} + 1` })
    .where(
      and(
        eq(subsidy_claim.log_id, log_id),
        eq(subsidy_claim.state, 'asked'),
        ne(subsidy_claim.maker_id, staff.id),
      ),
    )
    .returning()
  if (after) return after
  const [last] = await tx
    .select()
    .from(subsidy_claim)
    .where(eq(subsidy_claim.log_id, log_id))
    .orderBy(sql`${subsidy_claim.id} desc`)
    .limit(1)
  if (!last) throw missing()
  if (last.state === 'asked')
    throw ruled('own_claim', [
      '申请人不能复核自己的追回，请由另一人处理',
      'Whoever asks does not decide: another person does',
    ])
  const by = await nameOf(tx, last.checker_id)
  throw ruled('decided', ['已由 {by} 处理', '{by} has decided it'], { by })
}
/** Moves what is claimed back: its merchant owes it, and the plan and the mall have it again. */
const postClaim = async (
  { tx, now, staff }: WriteContext,
  row: SubsidyRow,
  of: { claim: Claim; left: Left; no: string },
): Promise<number> => {
  const about = { order_id: row.order_id! }
  const { id } = await post(tx, {
    biz: 'clawback',
    biz_id: row.id,
    biz_no: of.no,
    idem_key: `clawback:${of.claim.id}`,
    at: now,
    memo: of.claim.reason,
    place: { city_id: row.city_id, mall_id: row.mall_id },
    maker_id: of.claim.maker_id,
    checker_id: staff.id,
    lines: [
      ...lineOf(merchants('merchant_debt', row.merchant_id!), sumOf(of.left), about),
      ...lineOf(planAccount('subsidy_expense', row.plan_id), -of.left.platform_cents, about),
      ...lineOf(planAccount('plan_fund', row.plan_id), -of.left.mall_cents, about),
    ],
  })
  return id
}
/**
 * Claims back all that is left of a grant by now: what refunds took meanwhile is not claimed too.
 * Throws 422 where nothing is left.
 */
export const approveClaim = async (context: WriteContext, row: SubsidyRow): Promise<Claim> => {
  const { tx, now, staff } = context
  // A refund holds the order too, and comes wholly before or after.
  const [of] = await tx
    .select({ no: order.order_no })
    .from(order)
    .where(eq(order.id, row.order_id!))
    .for('update')
  const claim = await decide(context, row.id, 'done')
  const left = (await leftOfGrants(tx, [row])).get(row.id)!
  const cents = sumOf(left)
  if (cents <= 0) throw ruled('nothing_left', nothingLeft)
  const [after] = await tx
    .update(subsidy_plan)
    .set({ used_cents: sql`${subsidy_plan.used_cents} - ${cents}` })
    .where(eq(subsidy_plan.id, row.plan_id))
    .returning()
  const txn_id = await postClaim(context, row, { claim, left, no: of!.no })
  const { plan_id, order_id, item_id, member_id, merchant_id, device_id, city_id, mall_id } = row
  await tx.insert(subsidy_log).values({
    plan_id,
    order_id,
    item_id,
    member_id,
    merchant_id,
    device_id,
    city_id,
    mall_id,
    created_at: now,
    kind: 'clawback',
    amount_cents: -cents,
    platform_cents: -left.platform_cents,
    mall_cents: -left.mall_cents,
    used_after_cents: after!.used_cents,
    of_id: row.id,
    txn_id,
    memo: claim.reason.slice(0, 200),
    operator_id: claim.maker_id,
    checker_id: staff.id,
  })
  return claim
}
/** Leaves a grant as it is, though somebody asked to claim it back. */
export const rejectClaim = (context: WriteContext, row: SubsidyRow): Promise<Claim> =>
  decide(context, row.id, 'rejected')
