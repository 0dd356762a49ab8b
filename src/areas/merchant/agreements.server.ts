import { and, eq, inArray, lte, or, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { inForce, type AgreementType } from './agreement.ts'
import { agreement, agreement_consent } from './texts.table.ts'

/**
 * What an order of a kind binds to beside the user agreement, the privacy policy and the refund
 * rules.
 */
const ofKind: Readonly<Record<string, AgreementType>> = {
  bulks: 'bulks',
  roll_buy: 'roll_buy',
  card: 'card',
  voucher: 'card',
}

/**
 * Whoever orders agrees to what is in force: notes it once a member and version, and answers the
 * versions for the order to keep.
 */
export const consentByOrder = async (
  tx: Db,
  of: { member_id: number; kind: string; now: number },
): Promise<Record<string, number>> => {
  const types: AgreementType[] = [
    'user',
    'privacy',
    'refund',
    ...(ofKind[of.kind] ? [ofKind[of.kind]!] : []),
  ]
  const rows = await tx
    .select({
      id: agreement.id,
      type: agreement.type,
      state: agreement.state,
      effective_at: agreement.effective_at,
    })
    .from(agreement)
    .where(
      and(
        inArray(agreement.type, types),
        or(
          eq(agreement.state, 'effective'),
          and(eq(agreement.state, 'scheduled'), lte(agreement.effective_at, of.now)),
        ),
      ),
    )
  const binding = types.flatMap(
    type =>
      inForce(
        rows.filter(row => row.type === type),
        of.now,
      ) ?? [],
  )
  if (binding.length > 0)
    await tx
      .insert(agreement_consent)
      .values(
        binding.map(({ id }) => ({
          agreement_id: id,
          member_id: of.member_id,
          way: 'order' as const,
          at: of.now,
        })),
      )
      .onConflictDoNothing()
  return Object.fromEntries(binding.map(({ type, id }) => [type, id]))
}

/**
 * Holds all versions of a type, so that of two changes at once the second sees what the first did.
 */
export const holdType = (tx: Db, type: AgreementType) =>
  tx
    .select({ id: agreement.id })
    .from(agreement)
    .where(eq(agreement.type, type))
    .orderBy(agreement.id)
    .for('update')

/**
 * Takes effect of every version whose time has come; the one before is superseded. Answers how
 * many. Doing it again does nothing.
 */
export const takeEffect = async (tx: Db, now: number): Promise<number> => {
  const due = await tx
    .select({ id: agreement.id, type: agreement.type })
    .from(agreement)
    .where(and(eq(agreement.state, 'scheduled'), lte(agreement.effective_at, now)))
    .orderBy(agreement.type)
  let n = 0
  for (const { id, type } of due) {
    await holdType(tx, type)
    const [still] = await tx
      .select({ id: agreement.id })
      .from(agreement)
      .where(
        and(
          eq(agreement.id, id),
          eq(agreement.state, 'scheduled'),
          lte(agreement.effective_at, now),
        ),
      )
    if (!still) continue
    await supersede(tx, type, now)
    await tx
      .update(agreement)
      .set({ state: 'effective', version: sql`${agreement.version} + 1`, updated_at: now })
      .where(eq(agreement.id, id))
    n++
  }
  return n
}
/** The version in force makes way; the type's versions are held. */
export const supersede = (tx: Db, type: AgreementType, now: number) =>
  tx
    .update(agreement)
    .set({ state: 'superseded', version: sql`${agreement.version} + 1`, updated_at: now })
    .where(and(eq(agreement.type, type), eq(agreement.state, 'effective')))
    .returning({ id: agreement.id, version_no: agreement.version_no })
