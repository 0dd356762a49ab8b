import { eq, lt } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { keptAsSaid } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { message } from './message.table.ts'
import { MESSAGE_DAYS, type MessageFacts, type MessageKind } from './message.ts'

const FACT_LENGTH = 120
type Telling = {
  /** These people are told, but not the one who did it. */
  to: readonly (number | null)[]
  /** This person did it; without one it was the system. */
  by?: number
  kind: MessageKind
  about: string
  facts: MessageFacts
  address?: string
}
const shortened = (facts: MessageFacts): MessageFacts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === 'string' ? keptAsSaid(fact, FACT_LENGTH) : fact,
    ]),
  )

/**
 * Tells people of an event, in its transaction. Once: told again, as by a step that runs anew,
 * nobody hears of it twice.
 */
export const tellPeople = async (
  tx: Db,
  { to, by, kind, about, facts, address = '' }: Telling,
): Promise<void> => {
  const people = [...new Set(to)].filter(id => id !== null && id > 0 && id !== by) as number[]
  if (people.length === 0) return
  const [who] = by ? await tx.select({ name: admin.name }).from(admin).where(eq(admin.id, by)) : []
  const now = unixNow()
  await tx
    .insert(message)
    .values(
      people.map(admin_id => ({
        admin_id,
        kind,
        about,
        facts: { ...shortened(facts), ...(who && { who: who.name }) },
        address,
        created_at: now,
        updated_at: now,
      })),
    )
    .onConflictDoNothing()
}
/** Forgets messages that are older than they are kept. */
export const dropOldMessages = (db: Db, now: number) =>
  db.delete(message).where(lt(message.created_at, now - MESSAGE_DAYS * DAY))
