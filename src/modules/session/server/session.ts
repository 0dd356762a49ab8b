import { and, count, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { client_error } from '#src/areas/log/log.table.ts'
import { grantorsOf } from '#src/areas/people/grantors.server.ts'
import {
  admin,
  admin_session,
  admin_setting,
  role,
  role_habit,
} from '#src/areas/people/people.table.ts'
import { menuFor, permitsFor } from '#src/areas/people/permits.server.ts'
import { HALF_LIFE_S } from '#src/areas/workbench/frecency.ts'
import { say, type Text } from '#src/domain/text.ts'
import { implement, type WriteContext } from '#src/server/call/implement.ts'
import { conflict, invalid, Refusal, ruled } from '#src/server/call/refuse.ts'
import { newChallenge } from '#src/server/sessions/challenge.ts'
import { WRONG_PASSWORD } from '#src/server/sessions/lockout.ts'
import { inHashTurn, verifyPassword } from '#src/server/sessions/passwords.ts'
import { replacePassword, usedBefore } from '#src/server/sessions/replaced.ts'
import { endOtherSessions, endSessions, findSession } from '#src/server/sessions/sessions.ts'
import { dropUnstored } from '#src/server/sessions/unstored.ts'
import { session } from '../contract.ts'
import { signIn } from './signIn.ts'

const REPORTS_AN_HOUR = 10

/** The most settings that one person keeps. */
const SETTINGS = 100
const setting = {
  name: admin_setting.name,
  value: admin_setting.value,
  version: admin_setting.version,
  updated_at: admin_setting.updated_at,
}

const otherAccount: Text = [
  '这是另一个账号的设置，没有保存',
  'That is another account’s setting; nothing was saved',
]
/** The most commands that are counted for one role. */
const HABITS = 500
/** What the count of a command is worth now (`worthAt` of areas/workbench/frecency.ts). */
const weighed = (now: number) =>
  sql`${role_habit.score} * power(0.5, greatest(0, ${now} - ${role_habit.used_at})::float8 / ${HALF_LIFE_S})`
const rolesOf = (admin_id: number) =>
  sql`(select r.id from ${role} r join ${admin} me on me.role_ids @> to_jsonb(r.id) where me.id = ${admin_id} and r.status = 'on')`

/** Sets a new password: another than the last three, and every other session of the person ends. */
const setPassword = async (
  input: { old_password: string; new_password: string },
  { tx, staff, now, caller, log, ended }: WriteContext,
) => {
  const [me] = await tx.select().from(admin).where(eq(admin.id, staff.id)).for('update')
  if (!(await inHashTurn(() => verifyPassword(me!.password_hash, input.old_password)))) {
    const text: Text = ['原密码不正确', 'The old password is wrong']
    const fields = { old_password: say(text, staff.lang) }
    throw new Refusal(400, text, {}, { rule: WRONG_PASSWORD, fields })
  }
  if (input.new_password.toLowerCase() === me!.account.toLowerCase())
    throw invalid({
      new_password: say(['不能与账号相同', 'Must differ from the account'], staff.lang),
    })
  if (await usedBefore(tx, me!, input.new_password))
    throw invalid({
      new_password: say(
        ['不能使用最近 3 次用过的密码', 'One of your last 3 passwords'],
        staff.lang,
      ),
    })
  await replacePassword(tx, me!, input.new_password, false)
  ended(
    await endOtherSessions(
      tx,
      { admin_id: staff.id, session_id: caller.session_id },
      'password',
      now,
    ),
  )
  log({
    object_type: 'admin',
    object_id: staff.id,
    object_label: staff.account,
    before: { must_change: me!.must_change },
    after: { must_change: false },
  })
  return {}
}

const leave = async (_: object, { tx, caller, now, ended }: WriteContext) => {
  if (dropUnstored(caller.session_id ?? 0)) return {}
  ended(await endSessions(tx, eq(admin_session.id, caller.session_id ?? 0), 'logout', now))
  return {}
}

export default implement(session, {
  welcome: async (_, { install, caller }) => ({
    demo: install.demo && {
      password: install.demo.password,
      accounts: install.demo.accounts.map(one => ({
        account: one.account,
        title: say(one.title, caller.lang),
      })),
    },
  }),
  captcha: async (_, { install, now }) => newChallenge(install, now),
  login: signIn,
  logout: leave,
  signOut: leave,
  me: async (_, { db, staff, caller, install, now }) => {
    const signed = await findSession(db, caller.token!, caller.lang, now)
    if (typeof signed === 'string')
      throw new Refusal(410000, ['登录已失效，请重新登录', 'You are signed out, sign in again'])
    const ids = (of: 'all' | readonly number[]) => (of === 'all' ? of : [...of])
    return {
      id: staff.id,
      name: staff.name,
      account: staff.account,
      avatar: signed.avatar,
      must_change: signed.must_change,
      roles: signed.roles.map(({ id, code, name }) => ({ id, code, name })),
      permits: permitsFor(staff.can),
      scope: {
        cities: ids(staff.scope.cities),
        malls: ids(staff.scope.malls),
        own: staff.scope.owners.length > 0,
      },
      fields: signed.fields,
      settings: signed.settings,
      expires_at: signed.expires_at,
      demo: install.demo !== null,
    }
  },
  menu: async (_, { db, staff, caller }) => menuFor(db, staff.can, staff.lang, caller.region),
  changePassword: setPassword,
  changeInitialPassword: setPassword,
  reportError: async (input, { tx, staff, caller, now }) => {
    const signed = caller.token ? await findSession(tx, caller.token, caller.lang, now) : 'none'
    const admin_id = typeof signed === 'string' ? staff.id || null : signed.staff.id
    const mine = admin_id ? eq(client_error.admin_id, admin_id) : eq(client_error.ip, caller.ip)
    const [lately] = await tx
      .select({ n: count() })
      .from(client_error)
      .where(and(mine, gt(client_error.created_at, now - 3600)))
    if (lately!.n >= REPORTS_AN_HOUR) return { kept: false }
    await tx.insert(client_error).values({ ...input, admin_id, ua: caller.ua, ip: caller.ip })
    return { kept: true }
  },
  settings: async (_, { db, staff }) =>
    db
      .select(setting)
      .from(admin_setting)
      .where(eq(admin_setting.admin_id, staff.id))
      .orderBy(admin_setting.name),
  saveSetting: async ({ admin_id, name, value, version }, { tx, staff, now }) => {
    if (admin_id !== staff.id) throw ruled('other_account', otherAccount)
    const mine = and(eq(admin_setting.admin_id, staff.id), eq(admin_setting.name, name))
    if (version === 0) {
      // New names of one person come one after the other, so that the bound holds.
      await tx
        .select({ id: admin.id })
        .from(admin)
        .where(eq(admin.id, staff.id))
        .for('no key update')
      const [{ n }] = (await tx
        .select({ n: count() })
        .from(admin_setting)
        .where(eq(admin_setting.admin_id, staff.id))) as [{ n: number }]
      if (n >= SETTINGS && (await tx.select(setting).from(admin_setting).where(mine)).length === 0)
        throw ruled(
          'too_many',
          [
            '最多保存 {n} 项个人设置，请先重置一些',
            'At most {n} settings a person; reset some first',
          ],
          { n: SETTINGS },
        )
    }
    const [saved] =
      version === 0
        ? await tx
            .insert(admin_setting)
            .values({ admin_id: staff.id, name, value, version: 1 })
            .onConflictDoNothing()
            .returning(setting)
        : await tx
            .update(admin_setting)
            .set({ value, version: sql`${admin_setting.version} + 1`, updated_at: now })
            .where(and(mine, eq(admin_setting.version, version)))
            .returning(setting)
    if (saved) return saved
    const [current] = await tx.select(setting).from(admin_setting).where(mine)
    throw conflict(['这项设置已在别处修改', 'The setting was changed elsewhere'], {}, current)
  },
  grantors: async ({ permit }, { db, staff }) => ({
    list: await grantorsOf(db, permit, staff.id),
  }),
  habits: async (_, { db, staff, now }) => {
    const score = sql<number>`sum(${weighed(now)})`
    const list = await db
      .select({ page: role_habit.page, command: role_habit.command, score })
      .from(role_habit)
      .where(sql`${role_habit.role_id} in ${rolesOf(staff.id)}`)
      .groupBy(role_habit.page, role_habit.command)
      .orderBy(desc(score), role_habit.page, role_habit.command)
      .limit(HABITS)
    return { list: list.map(one => ({ ...one, at: now })) }
  },
  noteHabits: async ({ admin_id, used }, { tx, staff, now }) => {
    if (admin_id !== staff.id) throw ruled('other_account', otherAccount)
    // The people of a role one after the other, so that none waits for another in a ring.
    const roles = (
      await tx
        .select({ id: role.id })
        .from(role)
        .where(sql`${role.id} in ${rolesOf(staff.id)}`)
        .orderBy(role.id)
        .for('no key update')
    ).map(({ id }) => id)
    if (roles.length === 0) return {}
    const times = new Map<string, { page: string; command: string; n: number }>()
    for (const { page, command, n } of used)
      times.set(`${page} ${command}`, {
        page,
        command,
        n: n + (times.get(`${page} ${command}`)?.n ?? 0),
      })
    await tx
      .insert(role_habit)
      .values(
        roles.flatMap(role_id =>
          [...times.values()].map(({ page, command, n }) => ({
            role_id,
            page,
            command,
            score: n,
            used_at: now,
          })),
        ),
      )
      .onConflictDoUpdate({
        target: [role_habit.role_id, role_habit.page, role_habit.command],
        set: {
          score: sql`${weighed(now)} + excluded.score`,
          used_at: sql`greatest(${role_habit.used_at}, excluded.used_at)`,
        },
      })
    // What hardly counts any more, and what is beyond what is ever asked for, goes.
    await tx.execute(sql`delete from ${role_habit} where (role_id, page, command) in (select role_id, page, command from (
      select role_id, page, command, ${weighed(now)} as worth, row_number() over (partition by role_id order by ${weighed(now)} desc, page, command) as place from ${role_habit} where ${inArray(role_habit.role_id, roles)}) ranked where worth < 0.02 or place > ${HABITS})`)
    return {}
  },
  uploadToken: async ({ of }, { install, staff, caller, now }) =>
    install.uploadToken({ staff_id: staff.id, session_id: caller.session_id!, of }, now),
})
