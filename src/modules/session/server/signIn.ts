/** Signing in: each step of it refuses in its own words, and every try is in the login log. */
import { and, count, desc, eq, sql } from 'drizzle-orm'
import { bannedUntil } from '#src/areas/log/bans.server.ts'
import { login_log } from '#src/areas/log/log.table.ts'
import { deviceOf, plainIp } from '#src/areas/log/logs.ts'
import { admin, role } from '#src/areas/people/people.table.ts'
import type { Result } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { provesWork } from '#src/server/sessions/challenge.ts'
import {
  factsOf,
  standing,
  takeTry,
  tellLocked,
  type Place,
  type Standing,
} from '#src/server/sessions/lockout.ts'
import { inHashTurn, verifyNobody, verifyPassword } from '#src/server/sessions/passwords.ts'
import { openSession, openUnstored } from '#src/server/sessions/sessions.ts'
import { takeUnstoredTry, whereUnwritable } from '#src/server/sessions/unstored.ts'
import type { session } from '../contract.ts'

type Person = typeof admin.$inferSelect
type Input = { account: string; password: string; captcha?: string; captcha_id?: string }
type Try = {
  account: string
  admin_id?: number | null
  result: (typeof login_log.$inferInsert)['result']
  session_id?: number | null
}

const wrong: Text = [
  '账号或密码错误，还可以尝试 {n} 次',
  'Wrong account or password, {n} tries left',
]

/**
 * Every try is in the login log, whoever it was; one from an address or a device new to the person
 * is marked.
 */
const addToLog = async (
  db: Db,
  { caller, changed }: WriteContext,
  { account, admin_id = null, result, session_id = null }: Try,
) => {
  const ip = plainIp(caller.ip)
  const known =
    admin_id && result === 'ok'
      ? await db
          .select({ ip: login_log.ip, ua: login_log.ua })
          .from(login_log)
          .where(
            and(
              eq(login_log.admin_id, admin_id),
              eq(login_log.event, 'login'),
              eq(login_log.result, 'ok'),
            ),
          )
          .orderBy(desc(login_log.created_at), desc(login_log.id))
          .limit(50)
      : []
  await db.insert(login_log).values({
    account: account.slice(0, 32),
    admin_id,
    event: 'login',
    result,
    ip,
    ua: caller.ua,
    session_id,
    new_place:
      known.length > 0 &&
      !(
        known.some(one => one.ip === ip) &&
        known.some(one => deviceOf(one.ua ?? '') === deviceOf(caller.ua))
      ),
  })
  changed('login_log')
}

/** As `addToLog`; a sign-in goes on without its line where nothing can be written. */
export const logTry = (...of: Parameters<typeof addToLog>): Promise<void> =>
  addToLog(...of).catch(whereUnwritable(() => {}))

const askForWork = (stands: Standing) =>
  new Refusal(
    400,
    ['登录验证已失效，请再试一次', 'The sign-in check has lapsed, try once more'],
    {},
    { rule: 'captcha', ...factsOf(stands) },
  )

const notBanned = async ({ account }: Input, context: WriteContext): Promise<void> => {
  const { tx: db, now, caller } = context
  const banned = await bannedUntil(db, caller.ip, now)
  if (!banned) return
  await logTry(db, context, { account, result: 'ip_banned' })
  throw new Refusal(
    403,
    [
      '此网络地址已被封禁至 {until}，请联系管理员',
      'This address is banned until {until}; ask an administrator',
    ],
    { until: timeFull(banned) },
    { rule: 'ip_banned' },
  )
}

/** How the account stands before the try, and whether the work asked for was done. */
const beforeTry = async (input: Input, place: Place, context: WriteContext) => {
  const { tx: db, now, install } = context
  const stands = await standing(db, place, now)
  if (stands.locked_until) {
    await logTry(db, context, { account: input.account, result: 'locked' })
    throw tellLocked(stands)
  }
  const solved = stands.captcha && (await provesWork(db, install, input, now))
  if (stands.captcha && !solved) {
    await logTry(db, context, { account: input.account, result: 'captcha' })
    throw askForWork(stands)
  }
  return { stands, solved }
}

/** The person, once the password was right. Counts the try before it looks at it. */
const proved = async (
  input: Input,
  { place, solved }: { place: Place; solved: boolean },
  context: WriteContext,
): Promise<Person> => {
  const { tx: db, now } = context
  const { account } = input
  const [person] = await db.select().from(admin).where(eq(admin.account, account))
  const tried = await inHashTurn(async () => {
    // Many tries at once: only as many are made as are counted here, before the hash.
    const giveBack = await takeTry(db, place, now, solved).catch(
      whereUnwritable(() => takeUnstoredTry(db, account, now)),
    )
    if (!giveBack) return 'barred'
    const right = await (person
      ? verifyPassword(person.password_hash, input.password)
      : verifyNobody(input.password))
    if (right) await giveBack(db).catch(whereUnwritable(() => {}))
    return right
  })
  if (tried === true && person) return person
  const stands = await standing(db, place, now)
  if (tried === 'barred' && !stands.locked_until) {
    await logTry(db, context, { account, result: 'captcha' })
    throw askForWork(stands)
  }
  const result = person ? 'bad_password' : 'unknown'
  await logTry(db, context, { account, admin_id: person?.id ?? null, result })
  throw stands.locked_until
    ? tellLocked(stands)
    : new Refusal(400, wrong, { n: stands.tries_left }, { rule: 'wrong', ...factsOf(stands) })
}

const disabled: Text = ['账号已停用，请联系管理员', 'The account is disabled, ask an administrator']
const noRole: Text = [
  '没有权限：你的角色均已停用，请联系管理员',
  'No permission: your roles are all disabled, ask an administrator',
]
/** Refuses a person who may not enter. Only who knows the password is told how the account stands. */
const mayEnter = async (
  person: Person,
  { captcha, tries_left }: Standing,
  context: WriteContext,
): Promise<void> => {
  const { tx: db, now } = context
  const { account, id: admin_id, locked_until } = person
  if (locked_until !== null && locked_until > now) {
    await logTry(db, context, { account, admin_id, result: 'locked' })
    throw tellLocked({ locked_until, captcha, tries_left })
  }
  const refuse = async (text: Text, rule: string) => {
    await logTry(db, context, { account, admin_id, result: 'disabled' })
    throw new Refusal(403, text, {}, { rule })
  }
  if (person.status !== 'active') await refuse(disabled, 'disabled')
  const [roles] = await db
    .select({ n: count() })
    .from(role)
    .where(
      and(
        eq(role.status, 'on'),
        sql`${JSON.stringify(person.role_ids)}::jsonb @> to_jsonb(${role.id})`,
      ),
    )
  if (roles!.n === 0) await refuse(noRole, 'no_permission')
}

/** Opens the session of a person who has proved who they are. */
const enter = async (
  person: Person,
  context: WriteContext,
): Promise<Result<typeof session.login>> => {
  const { tx: db, now, caller, install } = context
  const { region, ip, ua } = caller
  const of = { admin_id: person.id, region, ip, ua, now }
  const opened = await db
    .transaction(async tx => {
      const stored = await openSession(tx, of, install.limits)
      await addToLog(tx, context, {
        account: person.account,
        admin_id: person.id,
        result: 'ok',
        session_id: stored.session_id,
      })
      await tx
        .update(admin)
        .set({ last_login_at: now, last_login_ip: ip, locked_until: null })
        .where(eq(admin.id, person.id))
      return stored
    })
    .catch(whereUnwritable(() => openUnstored(of, person.password_hash, install.limits)))
  return { token: opened.token, expires_at: opened.expires_at, must_change: person.must_change }
}

/** Opens a session for whoever proves who they are; refuses with `tries_left`, or until when. */
export const signIn = async (input: Input, context: WriteContext) => {
  await notBanned(input, context)
  const { ip, ua } = context.caller
  const place = { account: input.account, ip, ua }
  const { stands, solved } = await beforeTry(input, place, context)
  const person = await proved(input, { place, solved }, context)
  await mayEnter(person, stands, context)
  return enter(person, context)
}
