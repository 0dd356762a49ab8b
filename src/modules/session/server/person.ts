import { and, eq, gt, isNull } from 'drizzle-orm'
import { deviceOf, plainIp } from '#src/areas/log/logs.ts'
import { scopeNames } from '#src/areas/people/people.server.ts'
import { admin, admin_session, department, field_key } from '#src/areas/people/people.table.ts'
import { implement, type Db } from '#src/server/call/implement.ts'
import { missing, Refusal, ruled } from '#src/server/call/refuse.ts'
import { factsOf, standing, tellLocked, WRONG_PASSWORD } from '#src/server/sessions/lockout.ts'
import { inHashTurn, verifyPassword } from '#src/server/sessions/passwords.ts'
import { endOtherSessions, endSessions, findStaff } from '#src/server/sessions/sessions.ts'
import { dropUnstored, unstoredOfPerson } from '#src/server/sessions/unstored.ts'
import { person } from '../contract.ts'
import { logTry } from './signIn.ts'

/** Names of the places of one kind that a person sees; null where they see all of them. */
const placeNames = async (
  db: Db,
  scope_type: 'city' | 'mall',
  ids: 'all' | readonly number[],
): Promise<string[] | null> => {
  if (ids === 'all') return null
  const scope = { scope_type, scope_ids: [...ids].sort((a, b) => a - b) }
  const named = await scopeNames(db, [scope])
  return Object.values(named(scope))
}

/** A line of the operation log for sessions that their own person ended. */
const ofSessions = (id: number, account: string) => ({
  object_type: 'admin_session',
  object_id: id,
  object_label: account,
  before: { ended: false },
  after: { ended: true },
})

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
      cities: await placeNames(db, 'city', staff.scope.cities),
      malls: await placeNames(db, 'mall', staff.scope.malls),
      own: staff.scope.owners.length > 0,
      masked: titled('mask'),
      hidden: titled('hide'),
      last_login_at: me!.row.last_login_at,
      last_login_ip: me!.row.last_login_ip,
    }
  },
  sessions: async (_, { db, staff, caller, now }) => {
    const stored = await db
      .select()
      .from(admin_session)
      .where(
        and(
          eq(admin_session.admin_id, staff.id),
          isNull(admin_session.ended_at),
          gt(admin_session.expires_at, now),
        ),
      )
    const kept = unstoredOfPerson(staff.id, now).map(one => ({
      ...one,
      updated_at: one.created_at,
    }))
    const list = [...stored, ...kept].map(one => ({
      id: one.id,
      device: deviceOf(one.ua ?? ''),
      ip: plainIp(one.ip ?? ''),
      created_at: one.created_at,
      seen_at: one.id === caller.session_id ? now : one.updated_at,
      current: one.id === caller.session_id,
    }))
    return {
      list: list.sort(
        (a, b) => Number(b.current) - Number(a.current) || b.seen_at - a.seen_at || b.id - a.id,
      ),
    }
  },
  endSession: async ({ session_id: id }, { tx, staff, caller, now, log, ended }) => {
    if (id === caller.session_id)
      throw ruled('own_session', [
        '这是当前会话，请用“退出登录”',
        'It is the session you are in: sign out instead',
      ])
    const mine = and(eq(admin_session.id, id), eq(admin_session.admin_id, staff.id))
    const kept = unstoredOfPerson(staff.id, now).some(one => one.id === id)
    const gone = kept && dropUnstored(id) ? [id] : await endSessions(tx, mine, 'kicked', now)
    if (gone.length === 0) throw missing()
    ended(gone)
    log(ofSessions(id, staff.account))
    return {}
  },
  endOtherSessions: async (_, { tx, staff, caller, now, log, ended }) => {
    const gone = await endOtherSessions(
      tx,
      { admin_id: staff.id, session_id: caller.session_id },
      'kicked',
      now,
    )
    ended(gone)
    for (const id of gone) log(ofSessions(id, staff.account))
    return { ended: gone.length }
  },
  unlock: async ({ password }, context) => {
    const { tx: db, staff, caller, now } = context
    const { account, id: admin_id } = staff
    const [me] = await db
      .select({ password_hash: admin.password_hash })
      .from(admin)
      .where(eq(admin.id, admin_id))
    if (await inHashTurn(() => verifyPassword(me!.password_hash, password))) return {}
    await logTry(db, context, {
      account,
      admin_id,
      result: 'bad_password',
      session_id: caller.session_id ?? null,
    })
    const stands = await standing(db, { account, ip: caller.ip, ua: caller.ua }, now)
    if (!stands.locked_until)
      throw new Refusal(
        400,
        ['密码不正确，还可以尝试 {n} 次', 'Wrong password, {n} tries left'],
        { n: stands.tries_left },
        { ...factsOf(stands), rule: WRONG_PASSWORD },
      )
    // The try that locks is a wrong one too: another rule would give it back.
    const { status, text, values, data } = tellLocked(stands)
    throw new Refusal(status, text, values, { ...data, rule: WRONG_PASSWORD })
  },
})
