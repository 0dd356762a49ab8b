import { eq } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'

/** Eleven digits that no other run of a journey has. */
export const runNumber = (): string =>
  `${String(Date.now()).slice(-9)}${String(process.pid % 100).padStart(2, '0')}`

/** Somebody with the rights of `admin`: what they ask for waits for `admin`. Answers the account. */
export const accountLikeAdmin = async (db: Db, no: string): Promise<string> => {
  const [like] = await db.select().from(admin).where(eq(admin.account, 'admin'))
  const { id: _, version: __, phone: ___, ...columns } = like!
  const account = `lc${no}`
  await db.insert(admin).values({ ...columns, account, name: '旅程申请人' })
  return account
}
/** A member of a journey's own; `as` is a letter that its other members do not have. */
export const journeyMember = async (db: Db, no: string, as: string) =>
  (
    await db
      .insert(member)
      .values({
        uid: `LC${as}${no}`,
        nickname: `旅程${as}${no}`,
        phone: `1${5 + ((as.charCodeAt(0) - 65) % 5)}${no.slice(-9)}`,
        city_id: 1,
        register_at: unixNow() - DAY,
      })
      .returning()
  )[0]!
