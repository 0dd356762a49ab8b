import { inArray, sql } from 'drizzle-orm'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { StaffNow } from './allocation.ts'
import { unableOf, type StaffRights } from './codeRules.ts'

/** A colleague as codes look at them. */
export type CodeStaff = StaffRights & {
  id: number
  userid: string
  /** How many adds a day may bring; null: as many as come. */
  day_cap: number | null
}
/** Colleagues by their userids. */
export const staffBy = async (
  db: Db,
  userids: readonly string[],
): Promise<ReadonlyMap<string, CodeStaff>> => {
  if (userids.length === 0) return new Map()
  const rows = await db
    .select({
      id: wecom_staff.id,
      userid: wecom_staff.userid,
      name: wecom_staff.name,
      status: wecom_staff.status,
      is_verified: wecom_staff.is_verified,
      has_contact_right: wecom_staff.has_contact_right,
      day_cap: wecom_staff.daily_add_cap,
    })
    .from(wecom_staff)
    .where(inArray(wecom_staff.userid, [...new Set(userids)]))
  return new Map(rows.map(row => [row.userid, row]))
}
/** Adds of the day of a time: of a colleague in all, and by the state of a code. */
type Taken = (staff_id: number, state_key: string) => { all: number; byCode: number }
const takenOn = async (db: Db, ids: readonly number[], at: number): Promise<Taken> => {
  const from = dayStart(at)
  const { rows } = await db.execute<{ staff_id: number; state: string; n: number }>(sql`
    select staff_id, source_state state, count(*)::int n from wecom_follow
    where added_at >= ${from} and added_at < ${from + DAY}
      and staff_id = any(${sql.param(`{${ids.join()}}`)}::int[])
    group by 1, 2`)
  return (staff_id, state_key) => {
    const theirs = rows.filter(row => row.staff_id === staff_id)
    return {
      all: theirs.reduce((sum, row) => sum + row.n, 0),
      byCode: theirs.find(row => row.state === state_key)?.n ?? 0,
    }
  }
}
/** What is known of the people of codes at a time (unix seconds), for each code by its state. */
export type StaffOfCodes = {
  people: ReadonlyMap<string, CodeStaff>
  of: (state_key: string) => (userid: string) => StaffNow | undefined
}
export const staffOfCodes = async (
  db: Db,
  userids: readonly string[],
  at: number,
): Promise<StaffOfCodes> => {
  const people = await staffBy(db, userids)
  const taken = await takenOn(
    db,
    [...people.values()].map(one => one.id),
    at,
  )
  return {
    people,
    of: state_key => userid => {
      const staff = people.get(userid)
      if (!staff) return undefined
      const { all, byCode } = taken(staff.id, state_key)
      return {
        able: unableOf(staff) === undefined,
        taken: byCode,
        taken_in_all: all,
        day_cap: staff.day_cap,
      }
    },
  }
}
