import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { filmSettings } from '#commands/pages/film.ts'
import { film_setting } from '#src/areas/film/film.table.ts'
import { ticketProviders } from '#src/areas/film/film.ts'
import { filmTermsOf } from '#src/areas/film/filmTerms.server.ts'
import type { Pinged, TicketProvider, TicketProviders } from '#src/areas/film/provider.channel.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import { admin, role } from '#src/areas/people/people.table.ts'
import { joined } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { checker } from '#src/server/call/permissions.ts'
import type { Database } from '#src/server/db/database.ts'

const PEOPLE_MOST = 50
const EMPTY = joined([
  '出票渠道预存款不足，系统已暂停售票，充值后请恢复',
  'No deposit is left at the providers: paused by itself, resume once it is topped up',
])
/** The people who may pause the sale of tickets. */
const keepersOf = async (db: Db): Promise<number[]> => {
  const roles = await db.select().from(role).where(eq(role.status, 'on'))
  const able = roles.filter(({ perms }) => checker(perms)('film.settings.pauseSale'))
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
type Watched = { of: TicketProvider; deposit_cents: number }
const isTold = (one: { of: TicketProvider; said: Pinged }): boolean =>
  one.said.deposit_cents !== null
/**
 * Asks the providers that are on what is left of the money that lies with them, outside any
 * transaction. Below the alarm the people who may pause the sale are told, once a day of each
 * provider; with nothing left at any of them the sale is paused. Answers whether anything changed.
 */
export const watchDeposits = async (
  database: Pick<Database, 'db' | 'transaction'>,
  { tickets, now }: { tickets: TicketProviders; now: number },
): Promise<boolean> => {
  const { terms, paused } = await filmTermsOf(database.db, 0)
  const on = terms.providers.filter(one => one.on).map(one => tickets[one.key])
  const asked = await Promise.all(on.map(async of => ({ of, said: await of.ping() })))
  const known: Watched[] = asked
    .filter(isTold)
    .map(({ of, said }) => ({ of, deposit_cents: said.deposit_cents! }))
  const low = known.filter(one => one.deposit_cents < terms.deposit_alarm_cents)
  if (low.length === 0) return false
  const isEmpty = known.length === on.length && known.every(one => one.deposit_cents < 0)
  return database.transaction(async tx => {
    const people = await keepersOf(tx)
    for (const { of } of low)
      await tellPeople(tx, {
        to: people,
        kind: 'film_deposit_low',
        about: `film_deposit:${of.key}:${dateOf(now)}`,
        facts: { of: ticketProviders[of.key] },
        address: to(filmSettings),
      })
    if (!isEmpty || paused) return false
    const stopped = await tx
      .update(film_setting)
      .set({
        paused_at: now,
        paused_by: null,
        paused_reason: EMPTY,
        version: sql`${film_setting.version} + 1`,
        updated_at: now,
      })
      .where(and(isNull(film_setting.city_id), isNull(film_setting.paused_at)))
      .returning()
    return stopped.length > 0
  })
}
