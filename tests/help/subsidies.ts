import { eq } from 'drizzle-orm'
import type { Plan } from '#src/areas/subsidy/holding.server.ts'
import { subsidy_plan } from '#src/areas/subsidy/subsidy.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'

let made = 0
/** A plan of a test's own that runs: two yuan off each unit of anything, paid by the platform. */
export const planOf = async (
  { db }: Pick<Database, 'db'>,
  of: Partial<typeof subsidy_plan.$inferInsert> = {},
): Promise<Plan> => {
  const now = unixNow()
  const [plan] = await db
    .insert(subsidy_plan)
    .values({
      name: `测试补贴Q第${++made}号`,
      scope_kind: 'all',
      product_kind: 'all',
      formula: 'fixed',
      unit_cents: 200,
      platform_bp: 10_000,
      budget_cents: 100_000_00,
      start_at: now - DAY,
      end_at: now + 90 * DAY,
      maker_id: 1,
      status: 'on',
      ...of,
    })
    .returning()
  return plan!
}
/** Ends what plans the demo has, so that a test knows all there are. */
export const onlyOwnPlans = ({ db }: Pick<Database, 'db'>) =>
  db.update(subsidy_plan).set({ status: 'ended' })
export const planNow = async ({ db }: Pick<Database, 'db'>, id: number): Promise<Plan> =>
  (await db.select().from(subsidy_plan).where(eq(subsidy_plan.id, id)))[0]!
