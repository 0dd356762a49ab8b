import { and, eq, isNull, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { unlessHanded } from './handing.server.ts'
import { code_batch, redeem_code, redeem_log } from './redeemCode.table.ts'
import { reissueRewards, revokeRewards } from './rewards.server.ts'

export type RedeemLog = typeof redeem_log.$inferSelect
type By = { staff_id: number; now: number; reason: string }
const memberOf = async (tx: Db, id: number) => {
  const [row] = await tx.select().from(member).where(eq(member.id, id))
  return row!
}
const success = (log: RedeemLog) => {
  if (log.result !== 'ok' || log.granted === null)
    throw ruled('no_success', ['这次没有兑换成功', 'It was no success'])
  if (log.revoked_at !== null)
    throw ruled('revoked', ['这次兑换已撤销', 'It was taken back already'])
  return log.granted
}
/**
 * Takes a success back, by one guarded UPDATE: its rewards while none was used, and its code is
 * open again, or void. The second of two at once is told, and 409 says that its prize was handed
 * over.
 */
export const revokeSuccess = async (
  tx: Db,
  log: RedeemLog,
  of: By & { reopen: boolean },
): Promise<void> => {
  const granted = success(log)
  const { now } = of
  // The code comes first, as for whoever redeems it.
  const [code] = await tx
    .select()
    .from(redeem_code)
    .where(eq(redeem_code.id, log.code_id!))
    .for('update')
  const [taken] = await tx
    .update(redeem_log)
    .set({
      revoked_at: now,
      revoked_by: of.staff_id,
      reason: of.reason,
      version: sql`${redeem_log.version} + 1`,
    })
    .where(
      and(eq(redeem_log.id, log.id), isNull(redeem_log.revoked_at), isNull(redeem_log.handed_at)),
    )
    .returning()
  if (!taken) {
    await unlessHanded(tx, log.id)
    throw ruled('revoked', ['这次兑换已撤销', 'It was taken back already'])
  }
  const to = await memberOf(tx, log.member_id!)
  await revokeRewards(tx, granted, { no: `RC${log.id}`, member: to, now })
  const left = code!.used_times - 1
  const isVoid = !of.reopen && left === 0
  await tx
    .update(redeem_code)
    .set({
      used_times: left,
      state: isVoid ? 'voided' : 'unused',
      ...(left === 0 && { member_id: null, phone: null, redeemed_at: null, redeemed_by: null }),
      ...(isVoid && { voided_at: now, voided_by: of.staff_id, void_reason: of.reason }),
      updated_at: now,
      version: sql`${redeem_code.version} + 1`,
    })
    .where(eq(redeem_code.id, code!.id))
  await tx
    .update(code_batch)
    .set({
      redeemed: sql`${code_batch.redeemed} - 1`,
      ...(isVoid && { voided: sql`${code_batch.voided} + 1` }),
    })
    .where(eq(code_batch.id, log.batch_id!))
}
/** Gives the lost rewards of a success once more, and only once. */
export const reissueSuccess = async (tx: Db, log: RedeemLog, of: By): Promise<void> => {
  const granted = success(log)
  const { now } = of
  const [taken] = await tx
    .update(redeem_log)
    .set({ reissued_at: now, reason: of.reason, version: sql`${redeem_log.version} + 1` })
    .where(
      and(eq(redeem_log.id, log.id), isNull(redeem_log.reissued_at), isNull(redeem_log.revoked_at)),
    )
    .returning()
  if (!taken) throw ruled('reissued', ['已补发过一次，不能再补', 'It was given anew once already'])
  const to = await memberOf(tx, log.member_id!)
  const anew = await reissueRewards(tx, granted, { no: `RC${log.id}R`, member: to, now })
  await tx.update(redeem_log).set({ granted: anew }).where(eq(redeem_log.id, log.id))
}
/** The latest success of a code that was not taken back. */
export const lastSuccess = async (tx: Db, code_id: number): Promise<RedeemLog> => {
  const [log] = await tx
    .select()
    .from(redeem_log)
    .where(
      and(
        eq(redeem_log.code_id, code_id),
        eq(redeem_log.result, 'ok'),
        isNull(redeem_log.revoked_at),
      ),
    )
    .orderBy(sql`${redeem_log.id} desc`)
    .limit(1)
  if (!log) throw missing()
  return log
}
