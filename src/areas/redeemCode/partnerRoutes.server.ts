import type { FastifyInstance } from 'fastify'
import { partnerDoor } from '#src/areas/partner/door.server.ts'
import { hasKey } from '#src/areas/partner/keys.server.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { billOf, lookUp, redeem } from './partnerCalls.server.ts'
import { code_partner } from './redeemCode.table.ts'

const partners = {
  name: 'code',
  byKey: async (db: Core['database']['db'], key: string, now: number) => {
    const [row] = await db
      .select()
      .from(code_partner)
      .where(hasKey(code_partner, key, now))
    return row
  },
  touches: ['redeem_log', 'redeem_code', 'code_batch', 'coupon_grant'],
}

/**
 * The routes that partners of redeem codes call: a code looked up or redeemed, and the bill of a
 * month.
 */
export const codePartnerRoutes = (app: FastifyInstance, core: Core): Promise<void> =>
  partnerDoor(app, core, partners, ({ get, post }) => {
    post('/codes/lookup', (tx, asked, sent) => lookUp(tx, asked, sent.json()))
    post('/codes/redeem', (tx, asked, sent) => redeem(tx, asked, sent.json()))
    get('/codes/bills/:month', (asked, sent) =>
      billOf(core.database.db, asked, sent.param('month')),
    )
  })
