import { eq, inArray } from 'drizzle-orm'
import { admin, department, field_key } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { implement, type Db } from '#src/server/call/implement.ts'
import { findStaff } from '#src/server/sessions/sessions.ts'
import { person } from '../contract.ts'

const cityNames = async (db: Db, ids: 'all' | readonly number[]): Promise<string[] | null> => {
  if (ids === 'all') return null
  if (ids.length === 0) return []
  const rows = await db
    .select({ name: city.city_name })
    .from(city)
    .where(inArray(city.id, [...ids]))
    .orderBy(city.id)
  return rows.map(({ name }) => name)
}
const mallNames = async (db: Db, ids: 'all' | readonly number[]): Promise<string[] | null> => {
  if (ids === 'all') return null
  if (ids.length === 0) return []
  const rows = await db
    .select({ name: mall.name })
    .from(mall)
    .where(inArray(mall.id, [...ids]))
    .orderBy(mall.id)
  return rows.map(({ name }) => name)
}

export default implement(person, {
  profile: async (_, { db, staff }) => {
    const [me] = await db
      .select({ row: admin, department: department.name })
      .from(admin)
      .leftJoin(department, eq(department.id, admin.department_id))
      .where(eq(admin.id, staff.id))
    const known = await findStaff(db, staff.id, staff.lang)
    const fields = await db
      .select({ key: field_key.key, title: field_key.title })
      .from(field_key)
      .where(eq(field_key.status, 'on'))
      .orderBy(field_key.key)
    const titled = (mode: 'mask' | 'hide') =>
      fields.filter(({ key }) => staff.field(key) === mode).map(({ title }) => title)
    return {
      name: staff.name,
      account: staff.account,
      phone: me!.row.phone,
      department: me!.department,
      roles: (known?.roles ?? []).map(({ name }) => name),
      cities: await cityNames(db, staff.scope.cities),
      malls: await mallNames(db, staff.scope.malls),
      own: staff.scope.owners.length > 0,
      masked: titled('mask'),
      hidden: titled('hide'),
      last_login_at: me!.row.last_login_at,
      last_login_ip: me!.row.last_login_ip,
    }
  },
})
