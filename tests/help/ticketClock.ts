import { and, eq, isNotNull, ne } from 'drizzle-orm'
import { film_request } from '#src/areas/film/film.table.ts'
import type { TicketProviderKey } from '#src/areas/film/film.ts'
import {
  embeddedProviders,
  type ReturnAnswer,
  type TicketAnswer,
  type TicketProvider,
  type TicketProviders,
} from '#src/areas/film/provider.channel.ts'
import { joined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'

/** What these providers say where they issue nothing. */
export const soldText = ['座位已售', 'The seats are sold'] as const
export type Fate = TicketAnswer['state']
/** Providers that say of a number what the test says, and issue what they say. */
export const providersOf = (
  fate: (key: TicketProviderKey, out_no: string, asked: 'issue' | 'query') => Fate,
  back: (provider_no: string) => ReturnAnswer = () => ({
    state: 'returned',
    cost_return_cents: 8000,
  }),
): TicketProviders => {
  const one = (key: TicketProviderKey): TicketProvider => {
    const say = async (out_no: string, asked: 'issue' | 'query'): Promise<TicketAnswer> => {
      const state = fate(key, out_no, asked)
      if (state === 'success')
        return { state, provider_no: `N${key}${out_no}`, ticket_code: `C${out_no}` }
      return state === 'pending' ? { state } : { state, text: joined(soldText) }
    }
    return {
      ...embeddedProviders[key],
      issue: ({ out_no }) => say(out_no, 'issue'),
      query: ({ out_no }) => say(out_no, 'query'),
      giveBack: async ({ provider_no }) => back(provider_no),
    }
  }
  return { provider_a: one('provider_a'), provider_b: one('provider_b'), direct: one('direct') }
}
/** Nothing else waits for a provider: what other tests and the demo left is not ours. */
export const othersWait = ({ db }: Pick<Database, 'db'>, order_id: number) =>
  db
    .update(film_request)
    .set({ ask_at: unixNow() + 900_000_000 })
    .where(and(isNotNull(film_request.ask_at), ne(film_request.order_id, order_id)))
export const askedFor = ({ db }: Pick<Database, 'db'>, order_id: number) =>
  db.select().from(film_request).where(eq(film_request.order_id, order_id)).orderBy(film_request.id)
