import { member } from '#src/areas/member/member.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'

let made = 0
/** A member of a test's own, in the first city. */
export const freshMember = async (
  database: Database,
  of: Partial<typeof member.$inferInsert> = {},
) => {
  const n = `90417${String(++made).padStart(4, '0')}`
  const [row] = await database.db
    .insert(member)
    .values({
      uid: `T${n}`,
      nickname: `测试会员${n}`,
      phone: `199${n.slice(-8).padStart(8, '0')}`,
      city_id: 1,
      register_at: unixNow() - 86_400,
      ...of,
    })
    .returning()
  return row!
}
/** Every member of the demo may have coupons and points: for tests that take members by number. */
export const everyoneInUse = (database: Database) =>
  database.db
    .update(member)
    .set({ account_state: 'normal', merged_into: null, benefits_frozen: false })
