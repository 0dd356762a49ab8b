import { and, asc, eq, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { cardList } from '#commands/pages/ecard.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import { admin, role } from '#src/areas/people/people.table.ts'
import { dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { checker } from '#src/server/call/permissions.ts'
import { ecard } from './ecard.table.ts'

const CARDS_MOST = 100
const PEOPLE_MOST = 50
/** The people who may put cards on sale by a role of theirs. */
const sellersOf = async (db: Db): Promise<number[]> => {
  const roles = await db.select().from(role).where(eq(role.status, 'on'))
  const able = roles.filter(({ perms }) => checker(perms)('ecard.list.online'))
  if (able.length === 0) return []
  const held = able.map(({ id }) => sql`${admin.role_ids} @> ${JSON.stringify(id)}::jsonb`)
  const people = await db
    .select({ id: admin.id })
    .from(admin)
    .where(and(eq(admin.status, 'active'), or(...held)))
    .orderBy(asc(admin.id))
    .limit(PEOPLE_MOST)
  return people.map(one => one.id)
}
/**
 * Tells those who sell cards of each one on sale that is low on codes (`isLow`), once a day. Answers
 * how many cards it told of; run twice, it tells of none again.
 */
export const tellLowCards = async (tx: Db, isLow: SQL, now: number): Promise<number> => {
  const today = dayStart(now)
  const low = await tx
    .select({ id: ecard.id, name: ecard.name })
    .from(ecard)
    .where(
      and(eq(ecard.state, 'on'), or(isNull(ecard.alerted_at), lt(ecard.alerted_at, today)), isLow),
    )
    .orderBy(asc(ecard.id))
    .limit(CARDS_MOST)
    .for('update')
  if (low.length === 0) return 0
  const people = await sellersOf(tx)
  for (const { id, name } of low) {
    await tellPeople(tx, {
      to: people,
      kind: 'ecard_low',
      about: `ecard:${id}:${today}`,
      facts: { of: name },
      address: to(cardList, { keyword: String(id) }),
    })
    await tx.update(ecard).set({ alerted_at: now }).where(eq(ecard.id, id))
  }
  return low.length
}
