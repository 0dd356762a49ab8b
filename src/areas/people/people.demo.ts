import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { pinyinOf } from '#src/server/db/pinyin.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import { givenNames, surnames } from '#src/server/demo/words.ts'
import { LOCK_MAX_S } from '#src/server/sessions/lockout.ts'
import { hashPassword } from '#src/server/sessions/passwords.ts'
import { admin, department, field_key, role } from './people.table.ts'
import { DEMO_PASSWORD, demoAccounts, demoFields, demoRoles } from './roles.demo.ts'

export type Person = {
  id: number
  name: string
  role: string
  status: 'active' | 'disabled' | 'left'
}

const departments: readonly [name: string, parent: number | null][] = [
  ['运营总部', null],
  ['上海分公司', null],
  ['杭州分公司', null],
  ['南京分公司', null],
  ['成都分公司', null],
  ['深圳分公司', null],
  ['审核中心', 1],
  ['客户服务部', 1],
  ['财务部', 1],
  ['风险管理部', 1],
  ['内容运营部', 1],
  ['团购审核组', 7],
  ['电商审核组', 7],
  ['复审组', 7],
  ['在线客服一组', 8],
  ['在线客服二组', 8],
  ['售后组', 8],
  ['结算组', 9],
  ['上海城市运营', 2],
  ['上海商户拓展', 19],
  ['杭州城市运营', 3],
  ['成都城市运营', 5],
  ['深圳城市运营', 6],
  ['直播筹备组', 11],
]
/** Nobody sits in these two; the second is closed. */
const CLOSED_DEPARTMENT = departments.length
/** What was of use once and is switched off: a role without members, and a field. */
const oldRole = {
  code: 'season_auditor',
  name: '大促临时审核',
  scope_type: 'all' as const,
  scope_ids: [],
  perms: ['audit.bulks.view'],
  field_rules: {},
  refund_limit_cents: 0,
  remark: '大促期间临时使用，已停用',
  builtin: false,
  status: 'off' as const,
}
const oldField = {
  key: 'store.manager_phone',
  title: '店长手机号',
  entity: 'store',
  mask_rule: 'phone' as const,
  default_mode: 'mask' as const,
  status: 'off' as const,
}
/**
 * Role → how many people, the demo accounts included; the rest of the 64 have left or are disabled.
 */
const staffing: Readonly<Record<string, number>> = {
  super_admin: 1,
  ops_director: 2,
  senior_auditor: 3,
  auditor: 11,
  service: 12,
  service_lead: 2,
  finance: 6,
  risk: 4,
  content: 8,
  city_manager: 8,
  read_only: 1,
}
/** Where the people of a role sit, in turn. */
const desks: Readonly<Record<string, readonly number[]>> = {
  super_admin: [1],
  ops_director: [1],
  senior_auditor: [14, 7],
  auditor: [12, 13],
  service: [15, 16, 17],
  service_lead: [8],
  finance: [18, 9],
  risk: [10],
  content: [11],
  city_manager: [19, 20, 21, 22, 4, 6, 2, 3],
  read_only: [12],
}

/**
 * 24 departments, 12 roles, 35 fields and 64 staff: 58 active, 6 disabled or gone; 2
 * locked, 3 who never signed in.
 */
export const seedPeople = async (
  db: Db,
  random: Random,
  now: number,
  cityIds: readonly number[],
): Promise<Person[]> => {
  const paths = new Map<number, string>()
  await insertRows(
    db,
    department,
    departments.map(([name, parent_id], at) => {
      const id = at + 1
      paths.set(id, `${parent_id ? paths.get(parent_id)! : '/'}${id}/`)
      return {
        id,
        name,
        parent_id,
        sort: at,
        status: id === CLOSED_DEPARTMENT ? ('off' as const) : ('on' as const),
        path: paths.get(id)!,
        created_at: now - 700 * DAY,
      }
    }),
  )
  await insertRows(
    db,
    role,
    demoRoles.map((one, at) => ({
      ...one,
      id: at + 1,
      builtin: one.code === 'super_admin',
      scope_ids: one.scope_type === 'city' ? [cityIds[0]!] : [],
      perms: [...one.perms],
      field_rules: { ...one.field_rules },
      created_at: now - 700 * DAY,
    })),
  )
  await insertRows(db, role, [
    { ...oldRole, id: demoRoles.length + 1, created_at: now - 400 * DAY },
  ])
  await insertRows(
    db,
    field_key,
    [...demoFields, oldField].map((one, at) => ({ status: 'on' as const, ...one, id: at + 1 })),
  )
  const roleIds = new Map(demoRoles.map((one, at) => [one.code, at + 1]))
  const hashes = new Map<string, string>()
  for (const { account } of demoAccounts) hashes.set(account, await hashPassword(DEMO_PASSWORD))
  const left: Record<string, number> = { ...staffing }
  const wanted: { account: string; name: string; role: string; status: Person['status'] }[] =
    demoAccounts.map(one => ({
      account: one.account,
      name: one.name,
      role: one.role,
      status: 'active',
    }))
  for (const one of demoAccounts) left[one.role]! -= 1
  for (const [code, n] of Object.entries(left))
    for (let at = 0; at < n; at++)
      wanted.push({
        account: `${code.replace('_', '')}${String(at + 1).padStart(2, '0')}`,
        name: '',
        role: code,
        status: 'active',
      })
  for (let at = 0; at < 6; at++)
    wanted.push({
      account: `former${at + 1}`,
      name: '',
      role: at % 2 ? 'auditor' : 'service',
      status: at < 3 ? 'disabled' : 'left',
    })
  const used = new Set(wanted.map(one => one.name))
  const taken = new Map<string, number>()
  const seat = (code: string) => {
    const n = taken.get(code) ?? 0
    taken.set(code, n + 1)
    const of = desks[code]!
    return of[n % of.length]!
  }
  const rows = wanted.map((one, at) => {
    let name = one.name
    while (!name || (used.has(name) && !one.name))
      name = random.pick([...surnames]) + random.pick(givenNames)
    used.add(name)
    // Nobody can sign in as the others: their hash is of nothing.
    const password_hash =
      hashes.get(one.account) ?? `$unusable$${randomBytes(24).toString('base64url')}`
    const inCity = one.role === 'city_manager'
    const never = at >= 25 && at < 28
    return {
      id: at + 1,
      account: one.account,
      name,
      pinyin: pinyinOf(name),
      phone: `138${String(10_000_000 + at * 977 + random.int(0, 900)).slice(-8)}`,
      email: `${one.account}@mallet.example`,
      password_hash,
      department_id: seat(one.role),
      role_ids: [roleIds.get(one.role)!],
      scope_type: (inCity ? 'city' : 'inherit') as 'city' | 'inherit',
      scope_ids: inCity ? [cityIds[at % Math.min(6, cityIds.length)]!] : [],
      status: one.status,
      locked_until: at === 20 || at === 33 ? now + LOCK_MAX_S : null,
      last_login_at: never
        ? null
        : now - random.int(60, one.status === 'active' ? 5 * DAY : 200 * DAY),
      last_login_ip: never ? null : `10.2.${random.int(0, 9)}.${random.int(2, 250)}`,
      created_at: now - random.int(100, 690) * DAY,
    }
  })
  await insertRows(db, admin, rows)
  // Each department is led by the first of its own; some wait for a leader.
  await db.execute(
    sql`update department d set leader_id = (select min(a.id) from admin a where a.department_id = d.id and a.status = 'active') where d.id % 5 <> 0`,
  )
  return rows.map((row, at) => ({
    id: row.id,
    name: row.name,
    role: wanted[at]!.role,
    status: row.status,
  }))
}
