import { sql } from 'drizzle-orm'
import { dist_binding } from '#src/areas/binding/binding.table.ts'
import { dist_commission, dist_product } from '#src/areas/commission/commission.table.ts'
import {
  dist_group,
  dist_group_member,
  distributor,
} from '#src/areas/distribution/sellers.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { aBuyer } from './cardOrders.ts'
import { FIRST } from './counted.ts'

let made = FIRST
const fresh = () => `90417${String(++made).padStart(5, '0')}`
type Seller = typeof distributor.$inferInsert
/** A seller of a test's own: an active expert, where nothing else is asked for. */
export const freshSeller = async (
  database: Pick<Database, 'db'>,
  of: Partial<Seller> = {},
): Promise<typeof distributor.$inferSelect> => {
  const no = fresh()
  const kind = of.kind ?? 'expert'
  const [row] = await database.db
    .insert(distributor)
    .values({
      kind,
      member_id: kind === 'store' ? null : (await aBuyer(database)).id,
      name: `测试${no.slice(-6)}`,
      phone: `17${no.slice(-9).padStart(9, '0')}`,
      invite_code: no.slice(-12),
      city_id: 1,
      status: 'active',
      joined_at: unixNow() - 90 * DAY,
      ...of,
    })
    .returning()
  return row!
}
/** A team with its leader and members. */
export const freshTeam = async (
  { db }: Pick<Database, 'db'>,
  of: { leader_bp: number; leader: { id: number }; members: readonly { id: number }[] },
): Promise<number> => {
  const [group] = await db
    .insert(dist_group)
    .values({ name: `队${fresh().slice(-8)}`, city_id: 1, leader_bp: of.leader_bp })
    .returning({ id: dist_group.id })
  for (const { id } of [of.leader, ...of.members])
    await db.insert(dist_group_member).values({
      group_id: group!.id,
      distributor_id: id,
      is_leader: id === of.leader.id,
      start_at: unixNow() - 60 * DAY,
    })
  return group!.id
}
/** Binds a member to a seller, as an expert's or a guide's. */
export const bind = async (
  { db }: Pick<Database, 'db'>,
  of: { member_id: number; distributor_id: number; role: 'expert' | 'guide' },
): Promise<number> => {
  const now = unixNow()
  const [row] = await db
    .insert(dist_binding)
    .values({
      ...of,
      source: 'link',
      city_id: 1,
      bind_at: now - 30 * DAY,
      expire_at: now + 90 * DAY,
      protect_until: now,
    })
    .returning({ id: dist_binding.id })
  return row!.id
}
/** Lets goods be distributed at rates. */
export const distribute = async (
  { db }: Pick<Database, 'db'>,
  of: Partial<typeof dist_product.$inferInsert> & { ref_id: number },
): Promise<void> => {
  const values = {
    ref_kind: 'product' as const,
    rate_bp: 500,
    guide_bp: 100,
    start_at: unixNow() - 60 * DAY,
    status: 'on' as const,
    ...of,
  }
  await db
    .insert(dist_product)
    .values(values)
    .onConflictDoUpdate({ target: [dist_product.ref_kind, dist_product.ref_id], set: values })
}
/** The commission of an order, by its lines. */
export const commissionOf = ({ db }: Pick<Database, 'db'>, order_id: number) =>
  db
    .select()
    .from(dist_commission)
    .where(sql`order_id = ${order_id}`)
    .orderBy(dist_commission.unit_no, dist_commission.role)
