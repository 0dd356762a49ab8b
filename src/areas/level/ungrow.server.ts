import { and, eq, isNull } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { bookGrowth } from './growth.server.ts'
import { growth_ledger } from './level.table.ts'
import type { GrowAction } from './level.ts'

const keeperOf = async (tx: Db, id: number): Promise<number> => {
  const [row] = await tx.select({ into: member.merged_into }).from(member).where(eq(member.id, id))
  return row?.into ? keeperOf(tx, row.into) : id
}
/**
 * Takes back the growth that an action earned under its number, once; growth never goes below 0.
 * Does nothing where none was earned or it was reversed before.
 */
export const ungrow = async (
  tx: Db,
  of: { action: GrowAction; biz_no: string; why: string; operator_id?: number; now: number },
): Promise<void> => {
  const [row] = await tx
    .select()
    .from(growth_ledger)
    .where(and(eq(growth_ledger.kind, of.action), eq(growth_ledger.biz_no, of.biz_no)))
  if (!row || row.reversed_by !== null || row.delta === 0) return
  const id = await bookGrowth(tx, {
    member_id: await keeperOf(tx, row.member_id),
    delta: -row.delta,
    kind: 'reverse',
    biz_no: `R${row.id}`,
    note: of.why,
    operator_id: of.operator_id,
    now: of.now,
  })
  if (id !== null)
    await tx
      .update(growth_ledger)
      .set({ reversed_by: id })
      .where(and(eq(growth_ledger.id, row.id), isNull(growth_ledger.reversed_by)))
}
