import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { partnerDoor, type Sent } from '#src/areas/partner/door.server.ts'
import { hasKey } from '#src/areas/partner/keys.server.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { invalid } from '#src/server/call/refuse.ts'
import { ecard_channel } from './ecard.table.ts'
import { balance, giveBack, issue, offered, query, statement } from './partnerCalls.server.ts'

const afterOf = ({ query: sent }: Sent): number => {
  const { after = '0' } = sent
  if (typeof after !== 'string' || !/^\d{1,9}$/.test(after))
    throw invalid({ after: ['after 须为上一页的 next', 'It is the next of the page before'] })
  return Number(after)
}

const channels = {
  name: 'channel',
  byKey: async (db: Core['database']['db'], key: string, now: number) => {
    const [row] = await db
      .select()
      .from(ecard_channel)
      .where(and(eq(ecard_channel.type, 'api'), hasKey(ecard_channel, key, now)))
    return row
  },
  touches: ['ecard_channel', 'ecard_ledger', 'ecard_code', 'ecard', 'order', 'refund'],
}

/** What partners whose channel is of the kind API call: cards, issues, returns and statements. */
export const channelRoutes = (app: FastifyInstance, core: Core): Promise<void> => {
  const { db } = core.database
  return partnerDoor(app, core, channels, ({ get, post }) => {
    get('/cards', asked => offered(db, asked))
    get('/balance', asked => balance(db, asked))
    post('/orders', (tx, asked, sent) => issue(tx, asked, sent.json()))
    get('/orders/:out_no', (asked, sent) => query(db, asked, sent.param('out_no')))
    post('/orders/:out_no/returns', (tx, asked, sent) =>
      giveBack(tx, asked, { out_no: sent.param('out_no'), body: sent.json() }),
    )
    get('/statements/:month', (asked, sent) =>
      statement(db, asked, sent.param('month'), afterOf(sent)),
    )
  })
}
