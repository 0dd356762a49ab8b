import { eq } from 'drizzle-orm'
import { dist_binding } from '#src/areas/binding/binding.table.ts'
import {
  dist_group,
  dist_group_member,
  distributor,
} from '#src/areas/distribution/sellers.table.ts'
import { distributors, ours } from '#src/areas/ledger/ledger.ts'
import { post } from '#src/areas/ledger/post.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'

type Seller = typeof distributor.$inferSelect
let made = 0
const stamp = () => `904${String(++made).padStart(5, '0')}`.padStart(8, '0')
/** A member, and a phone, that nobody else has. */
export const addMember = async ({ db }: Database) => {
  const [one] = await db.select().from(member).limit(1)
  const { id: _, ...values } = one!
  const [row] = await db
    .insert(member)
    .values({
      ...values,
      uid: `T${stamp()}${made}`,
      nickname: `会员${made}`,
      phone: `188${stamp()}`,
    })
    .returning()
  return row!
}
/** A seller of its own, an active expert unless said otherwise. */
export const addSeller = async (
  database: Database,
  of: Partial<typeof distributor.$inferInsert> = {},
): Promise<Seller> => {
  const who = of.kind === 'store' ? undefined : await addMember(database)
  const [row] = await database.db
    .insert(distributor)
    .values({
      kind: 'expert',
      member_id: who?.id ?? null,
      name: `达人${++made}`,
      phone: who?.phone ?? `177${stamp()}`,
      invite_code: `T${stamp()}${made}`.slice(0, 12),
      city_id: 1,
      status: 'active',
      joined_at: unixNow() - 100 * DAY,
      ...of,
    })
    .returning()
  return row!
}
/** A team with a leader and so many further members, since a hundred days. */
export const addTeam = async (
  database: Database,
  size = 1,
  of: Partial<typeof dist_group.$inferInsert> = {},
) => {
  const [team] = await database.db
    .insert(dist_group)
    .values({ name: `测试${++made}队`, city_id: 1, leader_bp: 100, ...of })
    .returning()
  const members: Seller[] = []
  for (let n = 0; n <= size; n++) {
    const one = await addSeller(database, { group_id: team!.id, is_leader: n === 0 })
    members.push(one)
    await database.db.insert(dist_group_member).values({
      group_id: team!.id,
      distributor_id: one.id,
      is_leader: n === 0,
      start_at: unixNow() - 100 * DAY,
    })
  }
  return { team: team!, leader: members[0]!, members: members.slice(1) }
}
/** A customer who is bound to a seller. */
export const addCustomer = async (database: Database, distributor_id: number, at = unixNow()) => {
  const buyer = await addMember(database)
  const [row] = await database.db
    .insert(dist_binding)
    .values({
      member_id: buyer.id,
      distributor_id,
      role: 'expert',
      source: 'link',
      city_id: 1,
      bind_at: at,
      expire_at: at + 180 * DAY,
      protect_until: at + 30 * DAY,
    })
    .returning()
  return row!
}
/** Money in one of a seller's accounts, from the house's suspense; negative takes it out. */
export const giveMoney = (
  { db }: Database,
  id: number,
  kind: 'distributor_frozen' | 'distributor_balance' | 'distributor_debt',
  cents: number,
) =>
  db.transaction(tx =>
    post(tx, {
      biz: 'adjust',
      biz_id: id,
      biz_no: `T${++made}`,
      idem_key: `test:Q:${made}`,
      at: unixNow(),
      lines: [
        { ...distributors(kind, id), amount_cents: kind === 'distributor_debt' ? cents : -cents },
        { ...ours('suspense'), amount_cents: kind === 'distributor_debt' ? -cents : cents },
      ],
    }),
  )
export const sellerOf = async ({ db }: Database, id: number): Promise<Seller> =>
  (await db.select().from(distributor).where(eq(distributor.id, id)))[0]!
export const periodsOf = ({ db }: Database, id: number) =>
  db
    .select()
    .from(dist_group_member)
    .where(eq(dist_group_member.distributor_id, id))
    .orderBy(dist_group_member.id)
/** Runs a service as a person who sees everything, at a moment. */
export const asStaff = <R>(
  { db }: Database,
  staff_id: number,
  run: (context: WriteContext) => Promise<R>,
  now = unixNow(),
): Promise<R> =>
  db.transaction(tx =>
    run({
      tx,
      now,
      staff: { id: staff_id, scope: everything, lang: 'zh', can: () => true },
      log: () => {},
      changed: () => {},
    } as unknown as WriteContext),
  )
