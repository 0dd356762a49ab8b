import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  ilike,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import { login_log } from '#src/areas/log/log.table.ts'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import { giveRoles } from '#src/areas/people/grants.server.ts'
import {
  grantable,
  isAbove,
  lockSupers,
  measureOf,
  placesExist,
  rolesOf,
  scopeNames,
  stale,
  superStays,
  tooWide,
  updating,
  type Admin,
  type Measure,
} from '#src/areas/people/people.server.ts'
import { admin, admin_session, department, role } from '#src/areas/people/people.table.ts'
import {
  IDLE_DAYS,
  importRows,
  staffCan,
  staffStates,
  type StaffVerb,
} from '#src/areas/people/people.ts'
import { knownPermits } from '#src/areas/people/permits.server.ts'
import { scopeFault, staffScopes } from '#src/areas/people/rights.ts'
import { handOver, holdingsOf, makePassword, staffInScope } from '#src/areas/people/staff.server.ts'
import { mobileOf, phoneFault } from '#src/domain/phone.ts'
import { clause, comma, isLonger, say, semicolon, type Lang, type Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { emailFault } from '#src/domain/validate.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Staff, type WriteContext } from '#src/server/call/implement.ts'
import { checker } from '#src/server/call/permissions.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { like } from '#src/server/db/like.ts'
import { pinyinOf } from '#src/server/db/pinyin.ts'
import { defineExport, startExport, chosenRows, type Chosen } from '#src/server/exports/exports.ts'
import { unlock } from '#src/server/sessions/lockout.ts'
import { hashPassword, inHashTurn } from '#src/server/sessions/passwords.ts'
import { replacePassword } from '#src/server/sessions/replaced.ts'
import { endSessionsOf } from '#src/server/sessions/sessions.ts'
import { staff as contract, type StaffRow } from '../contract/staff.ts'

const object_type = 'admin'
const ofRow = (row: Pick<Admin, 'id' | 'name'>) => ({
  object_type,
  object_id: row.id,
  object_label: row.name,
})
const shown = (row: Admin) => ({
  id: row.id,
  name: row.name,
  account: row.account,
  department_id: row.department_id,
  role_ids: row.role_ids,
  scope_type: row.scope_type,
  scope_ids: row.scope_ids,
  status: row.status,
  version: row.version,
})
const update = updating(admin, object_type, shown)

type Filters = {
  keyword?: string | undefined
  department_id?: number | undefined
  role_id?: number | undefined
  status: 'all' | Admin['status']
  signin?: 'never' | 'idle' | undefined
  locked?: boolean | undefined
}
/** Until when the account is locked, by wrong tries or by a person; null when it is not. */
const lockedUntil = (now: number) =>
  sql<
    number | null
  >`(select max(v.l) from (values (${admin.locked_until}), ((select t.locked_until from login_attempt t where t.key = 'a:' || encode(sha256(convert_to(${admin.account}, 'UTF8')), 'hex')))) v(l) where v.l > ${now})`
const signedIn = (signin: NonNullable<Filters['signin']>, now: number): SQL | undefined =>
  signin === 'never'
    ? isNull(admin.last_login_at)
    : and(isNotNull(admin.last_login_at), lte(admin.last_login_at, now - IDLE_DAYS * DAY))
const lockedIs = (locked: boolean, now: number): SQL =>
  locked ? sql`${lockedUntil(now)} is not null` : sql`${lockedUntil(now)} is null`
const matching = (of: Filters & Chosen, now: number, staff: Staff): SQL | undefined => {
  const wild = of.keyword && like(of.keyword)
  // A hidden or masked phone is not to be found by its digits.
  const byPhone =
    wild && staff.field('admin.phone') === 'show'
      ? ilike(admin.phone, like(mobileOf(of.keyword!) ?? of.keyword!))
      : undefined
  return and(
    chosenRows(admin.id, of),
    of.status === 'all' ? undefined : eq(admin.status, of.status),
    wild
      ? or(ilike(admin.name, wild), ilike(admin.account, wild), ilike(admin.pinyin, wild), byPhone)
      : undefined,
    of.department_id === undefined
      ? undefined
      : sql`${admin.department_id} in (select d.id from department d where d.path like (select t.path from department t where t.id = ${of.department_id}) || '%')`,
    of.role_id === undefined ? undefined : sql`${admin.role_ids} @> to_jsonb(${of.role_id}::int)`,
    of.signin && signedIn(of.signin, now),
    of.locked === undefined ? undefined : lockedIs(of.locked, now),
    staffInScope(staff),
  )
}
const columns = (now: number) => ({
  row: admin,
  department_name: department.name,
  until: lockedUntil(now),
  live: sql<number>`(select count(*)::int from admin_session s where s.admin_id = ${admin.id} and s.ended_at is null and s.expires_at > ${now})`,
})
type Found = { row: Admin; department_name: string | null; until: number | null; live: number }
const rowsOf = async (db: Db, measure: Measure, found: readonly Found[]): Promise<StaffRow[]> => {
  const roles = new Map(
    (
      await rolesOf(
        db,
        found.flatMap(one => one.row.role_ids),
      )
    ).map(one => [one.id, one]),
  )
  const named = await scopeNames(
    db,
    found.map(one => one.row),
  )
  return found.map(({ row, department_name, until, live }) => {
    const mine = row.role_ids.flatMap(id => roles.get(id) ?? [])
    return {
      id: row.id,
      account: row.account,
      name: row.name,
      ...(row.phone === null ? {} : { phone: row.phone }),
      ...(row.email === null ? {} : { email: row.email }),
      department_id: row.department_id,
      department_name,
      roles: mine.map(one => ({ id: one.id, name: one.name, on: one.status === 'on' })),
      scope_type: row.scope_type,
      scope_ids: row.scope_ids,
      scope_names: named(row),
      status: row.status,
      locked: until !== null,
      locked_until: until === null ? null : Number(until),
      must_change: row.must_change,
      last_login_at: row.last_login_at,
      last_login_ip: row.last_login_ip,
      live_sessions: live,
      above: row.id !== measure.staff.id && isAbove(measure, row, mine),
      created_at: row.created_at,
      version: row.version,
    }
  })
}
const find = async (db: Db, id: number, staff: Staff, now: number): Promise<Found> => {
  const [found] = await db
    .select(columns(now))
    .from(admin)
    .leftJoin(department, eq(department.id, admin.department_id))
    .where(and(eq(admin.id, id), staffInScope(staff)))
  if (!found) throw missing()
  return found
}
/** The person as they were read, if the verb may be done to them; held until the commit. */
const held = async (
  context: WriteContext,
  verb: StaffVerb,
  one: { id: number; version?: number },
) => {
  const { tx, staff, now } = context
  await tx.select({ id: admin.id }).from(admin).where(eq(admin.id, one.id)).for('update')
  const found = await find(tx, one.id, staff, now)
  const { row } = found
  const measure = await measureOf(tx, staff)
  const roles = await rolesOf(tx, row.role_ids)
  const may = staffCan(
    verb,
    {
      id: row.id,
      status: row.status,
      locked: found.until !== null,
      live_sessions: found.live,
      above: row.id !== staff.id && isAbove(measure, row, roles),
    },
    staff.id,
  )
  if (may !== true)
    throw ruled(
      row.id === staff.id ? 'not_yourself' : 'not_allowed',
      may,
      {},
      { current: shown(row) },
    )
  if (one.version !== undefined && row.version !== one.version)
    throw await stale(tx, object_type, shown(row), row.id)
  return { row, measure, roles }
}
/** Account and phone are unique, also against people who left. */
const free = async (tx: Db, of: { account?: string; phone?: string }, but = 0) => {
  for (const [key, value] of Object.entries(of)) {
    const column = key === 'account' ? sql`lower(${admin.account})` : sql`${admin.phone}`
    const [same] =
      value === undefined
        ? []
        : await tx
            .select({ id: admin.id })
            .from(admin)
            .where(
              and(
                sql`${column} = ${key === 'account' ? value.toLowerCase() : value}`,
                ne(admin.id, but),
              ),
            )
    if (same)
      throw key === 'account'
        ? ruled(
            'account_taken',
            [
              '账号“{value}”已存在（含停用和离职员工）',
              'The account {value} is taken, perhaps by somebody disabled or gone',
            ],
            { value },
          )
        : ruled('phone_taken', [
            '手机号已被其他员工使用（含停用和离职员工）',
            'The phone is another’s, perhaps of somebody disabled or gone',
          ])
  }
}
const inUse = async (tx: Db, department_id: number) => {
  const [found] = await tx
    .select({ id: department.id, status: department.status })
    .from(department)
    .where(eq(department.id, department_id))
    .for('share')
  if (!found) throw invalid({ department_id: ['部门不存在', 'No such department'] })
  if (found.status === 'off')
    throw ruled('department_off', ['部门已停用', 'The department is disabled'])
}
/** A new account with a password made up for it, which is told once. */
const open = async (
  tx: Db,
  of: {
    account: string
    name: string
    phone: string
    email: string
    department_id: number
    role_ids: number[]
  },
) => {
  const initial_password = makePassword()
  const password_hash = await inHashTurn(() => hashPassword(initial_password))
  const [made] = await tx
    .insert(admin)
    .values({ ...of, pinyin: pinyinOf(of.name), password_hash, must_change: true })
    .returning()
  return { made: made!, initial_password }
}
const text = (of: Text, lang: Lang) => say(of, lang)

const filterWords = async (db: Db, of: Filters, lang: Lang): Promise<string> => {
  const [[unit], [kind]] = await Promise.all([
    of.department_id === undefined
      ? []
      : db
          .select({ name: department.name })
          .from(department)
          .where(eq(department.id, of.department_id)),
    of.role_id === undefined
      ? []
      : db.select({ name: role.name }).from(role).where(eq(role.id, of.role_id)),
  ])
  return [
    of.status === 'all'
      ? text(['全部状态', 'All states'], lang)
      : text(staffStates[of.status], lang),
    of.keyword,
    unit?.name,
    kind?.name,
    of.signin &&
      text(
        of.signin === 'never'
          ? ['从未登录', 'Never signed in']
          : ['90 天未登录', 'Idle for 90 days'],
        lang,
      ),
    of.locked && text(['已锁定', 'Locked'], lang),
  ]
    .filter(Boolean)
    .join(say(clause, lang))
}
defineExport('system.staff', {
  title: ['员工账号', 'Staff accounts'],
  permit: 'system.staff.export',
  columns: [
    { key: 'account', title: ['账号', 'Account'] },
    { key: 'name', title: ['姓名', 'Name'] },
    { key: 'phone', title: ['手机号', 'Phone'], field: 'admin.phone' },
    { key: 'email', title: ['邮箱', 'E-mail'], field: 'admin.email' },
    { key: 'department_name', title: ['部门', 'Department'] },
    { key: 'role_names', title: ['角色', 'Roles'] },
    { key: 'scope', title: ['数据范围', 'Data scope'] },
    { key: 'state', title: ['状态', 'State'] },
    { key: 'last_login_at', title: ['最近登录', 'Last sign-in'], kind: 'time' },
    { key: 'last_login_ip', title: ['登录 IP', 'From'] },
    { key: 'created_at', title: ['创建时间', 'Created'], kind: 'time' },
  ],
  rows: async ({ db, staff, filters, now, after, limit }) => {
    const found = await db
      .select(columns(now))
      .from(admin)
      .leftJoin(department, eq(department.id, admin.department_id))
      .where(
        and(
          matching(filters as Filters, now, staff),
          after === undefined ? undefined : sql`${admin.id} > ${after}`,
        ),
      )
      .orderBy(asc(admin.id))
      .limit(limit)
    const rows = (await rowsOf(db, await measureOf(db, staff), found)).map(row => ({
      ...row,
      role_names: row.roles.map(one => one.name).join(say(comma, staff.lang)),
      scope: [
        text(staffScopes[row.scope_type], staff.lang),
        ...Object.values(row.scope_names),
      ].join(' '),
      state: text(staffStates[row.status], staff.lang),
    }))
    return { rows, next: found.length < limit ? undefined : found.at(-1)?.row.id }
  },
})

const orders = {
  newest: [desc(admin.id)],
  login: [sql`${admin.last_login_at} desc nulls last`, desc(admin.id)],
  name: [asc(admin.pinyin), asc(admin.id)],
}
type ImportLine = ReturnType<typeof importRows>[number]
type Known = {
  tx: Db
  measure: Measure
  units: readonly (typeof department.$inferSelect)[]
  roles: readonly (typeof role.$inferSelect)[]
  accounts: ReadonlySet<string>
  phones: ReadonlySet<string | null>
}
const personFaults = (line: ImportLine, { accounts, phones }: Known): Text[] => {
  const faults: Text[] = []
  if (!/^[A-Za-z][A-Za-z0-9_.-]{2,31}$/.test(line.account))
    faults.push(['账号须 3–32 位、字母开头', 'Account: 3 to 32, a letter first'])
  else if (accounts.has(line.account.toLowerCase()))
    faults.push(['账号已存在或重复', 'The account is taken or stands twice'])
  if (line.name === '' || isLonger(line.name, 32))
    faults.push(['姓名须 1–32 字', 'Name: 1 to 32 characters'])
  const phone = phoneFault(line.phone)
  if (phone) faults.push(phone)
  else if (phones.has(line.phone))
    faults.push(['手机号已存在或重复', 'The phone is taken or stands twice'])
  const email = emailFault(line.email)
  if (email) faults.push(email)
  return faults
}
const unitFault = (
  name: string,
  found: readonly (typeof department.$inferSelect)[],
): Text | undefined => {
  if (found.length === 0) return [`没有部门“${name}”`, `No department ${name}`]
  if (found.length > 1) return [`有多个部门叫“${name}”`, `Several departments are called ${name}`]
  return found[0]!.status === 'off'
    ? [`部门“${name}”已停用`, `The department ${name} is disabled`]
    : undefined
}
/** What is wrong with a line, and what its department and roles are. */
const judgedLine = async (line: ImportLine, known: Known) => {
  const { tx, measure, units, roles } = known
  const faults = personFaults(line, known)
  const unit = units.filter(one => one.name === line.department)
  const wrongUnit = unitFault(line.department, unit)
  if (wrongUnit) faults.push(wrongUnit)
  const named = line.roles
    .split(/[、;；|]/)
    .map(one => one.trim())
    .filter(Boolean)
  const found = named.flatMap(
    name => roles.find(one => one.name === name || one.code === name) ?? [],
  )
  if (found.length < named.length)
    faults.push([
      `没有角色“${named.filter(name => !roles.some(one => one.name === name || one.code === name)).join('、')}”`,
      'No such role',
    ])
  else
    faults.push(
      ...(await grantable(
        tx,
        measure,
        found.map(one => one.id),
      ).then(
        () => [],
        (refusal: { text?: Text; values?: Record<string, string> }) => {
          if (!refusal.text) throw refusal
          return [
            [
              say(refusal.text, 'zh', refusal.values),
              say(refusal.text, 'en', refusal.values),
            ] as Text,
          ]
        },
      )),
    )
  return { faults, department_id: unit[0]?.id ?? 0, role_ids: found.map(one => one.id) }
}
const server = implement(contract, {
  lst: async ({ page, pageSize, sort, ...filters }, { db, staff, now }) => {
    const where = matching(filters, now, staff)
    const [total] = await db.select({ n: count() }).from(admin).where(where)
    const order = orders[sort]
    const found = await db
      .select(columns(now))
      .from(admin)
      .leftJoin(department, eq(department.id, admin.department_id))
      .where(where)
      .orderBy(...order)
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { total: total!.n, list: await rowsOf(db, await measureOf(db, staff), found) }
  },
  detail: async ({ id }, { db, staff, now }) => {
    const found = await find(db, id, staff, now)
    const roles = (await rolesOf(db, found.row.role_ids)).filter(one => one.status === 'on')
    const [person] = await rowsOf(db, await measureOf(db, staff), [found])
    const scopes =
      found.row.scope_type === 'inherit'
        ? roles
        : [{ scope_type: found.row.scope_type, scope_ids: found.row.scope_ids }]
    const named = await scopeNames(db, scopes)
    return {
      person: person!,
      perm_count: knownPermits.filter(checker(roles.flatMap(one => one.perms))).length,
      refund_limit_cents: Math.max(0, ...roles.map(one => one.refund_limit_cents)),
      scope_text:
        scopes.length === 0
          ? text(['无', 'None'], staff.lang)
          : [
              ...new Set(
                scopes.map(one =>
                  [
                    text(staffScopes[one.scope_type], staff.lang),
                    ...Object.values(named(one)),
                  ].join(' '),
                ),
              ),
            ].join(say(semicolon, staff.lang)),
      sessions: (
        await db
          .select()
          .from(admin_session)
          .where(
            and(
              eq(admin_session.admin_id, id),
              isNull(admin_session.ended_at),
              gt(admin_session.expires_at, now),
            ),
          )
          .orderBy(desc(admin_session.id))
          .limit(20)
      ).map(one => ({
        id: one.id,
        ip: one.ip,
        ua: one.ua,
        since: one.created_at,
        expires_at: one.expires_at,
      })),
      holds: await holdingsOf(db, id, now),
      logins: (
        await db
          .select()
          .from(login_log)
          .where(eq(login_log.account, found.row.account))
          .orderBy(desc(login_log.id))
          .limit(8)
      ).map(one => ({ at: one.created_at, result: one.result, event: one.event, ip: one.ip })),
    }
  },
  pick: async ({ keyword, but, page, pageSize }, { db, staff, now }) => {
    const where = and(
      matching({ keyword, status: 'active' }, now, staff),
      but === undefined ? undefined : ne(admin.id, but),
    )
    const [total] = await db.select({ n: count() }).from(admin).where(where)
    return {
      total: total!.n,
      list: await db
        .select({
          id: admin.id,
          name: admin.name,
          account: admin.account,
          department_name: department.name,
        })
        .from(admin)
        .leftJoin(department, eq(department.id, admin.department_id))
        .where(where)
        .orderBy(asc(admin.pinyin), asc(admin.id))
        .limit(pageSize)
        .offset((page - 1) * pageSize),
    }
  },
  create: async (input, { tx, staff, log }) => {
    await inUse(tx, input.department_id)
    await free(tx, { account: input.account, phone: input.phone })
    const roles = await grantable(tx, await measureOf(tx, staff), input.role_ids)
    const { made, initial_password } = await open(tx, {
      ...input,
      role_ids: roles.map(one => one.id),
    })
    log({
      ...ofRow(made),
      after: {
        account: made.account,
        name: made.name,
        phone: made.phone,
        email: made.email,
        department_id: made.department_id,
        role_ids: made.role_ids,
      },
    })
    return { id: made.id, version: made.version, initial_password }
  },
  edit: async ({ name, phone, email, department_id, ...one }, context) => {
    const { tx, log } = context
    const { row } = await held(context, 'edit', one)
    if (phone !== undefined && phone !== row.phone) await free(tx, { phone }, row.id)
    if (department_id !== row.department_id) await inUse(tx, department_id)
    const set = {
      name,
      pinyin: pinyinOf(name),
      department_id,
      ...(phone === undefined ? {} : { phone }),
      ...(email === undefined ? {} : { email }),
    }
    const after = await update(tx, one, set)
    // A person who moves to another department leads the old one no more.
    if (department_id !== row.department_id) {
      await tx.execute(
        sql`update department d set leader_id = null, version = d.version + 1 where d.leader_id = ${row.id} and ${department_id} <> d.id and ${department_id} is distinct from d.parent_id`,
      )
    }
    const changed = (['name', 'phone', 'email', 'department_id'] as const).filter(
      key => row[key] !== after[key],
    )
    const part = (of: Admin) => Object.fromEntries(changed.map(key => [key, of[key]]))
    log({ ...ofRow(after), before: part(row), after: part(after) })
    return { id: after.id, version: after.version }
  },
  setRoles: async ({ role_ids, ...one }, context) => {
    const { tx, log } = context
    await lockSupers(tx)
    const { row, measure } = await held(context, 'setRoles', one)
    const after = await giveRoles({ tx, measure, show: shown }, row, role_ids)
    log({ ...ofRow(row), before: { role_ids: row.role_ids }, after: { role_ids: after.role_ids } })
    return { id: after.id, version: after.version }
  },
  setScope: async ({ scope, cities, malls, ...one }, context) => {
    const { tx, log } = context
    const { row, measure, roles } = await held(context, 'setScope', one)
    const placesOf: Partial<Record<typeof scope, readonly number[]>> = {
      city: cities,
      mall: malls,
    }
    const scope_ids = [...new Set(placesOf[scope])]
    const fault = scopeFault({ scope_type: scope, scope_ids })
    if (fault) throw ruled('empty_scope', fault)
    await placesExist(tx, scope, scope_ids)
    if (isAbove(measure, { scope_type: scope, scope_ids }, roles))
      throw tooWide(['数据范围大于你的范围', 'a data scope wider than yours'])
    const after = await update(tx, one, { scope_type: scope, scope_ids })
    log({
      ...ofRow(row),
      before: { scope_type: row.scope_type, scope_ids: row.scope_ids },
      after: { scope_type: scope, scope_ids },
    })
    return { id: after.id, version: after.version }
  },
  resetPassword: async (one, context) => {
    const { tx, now, log, ended } = context
    const { row } = await held(context, 'resetPassword', one)
    const initial_password = makePassword()
    const version = await replacePassword(tx, row, initial_password, true)
    const sessions = await endSessionsOf(tx, row.id, 'password', now)
    ended(sessions)
    log({
      ...ofRow(row),
      before: { must_change: row.must_change },
      after: { must_change: true, sessions_ended: sessions.length },
    })
    return {
      id: row.id,
      version,
      initial_password,
      sessions_ended: sessions.length,
    }
  },
  unlock: async (one, context) => {
    const { tx, log } = context
    const { row } = await held(context, 'unlock', one)
    await unlock(tx, row.account)
    const after = await update(tx, one, { locked_until: null })
    log({ ...ofRow(row), before: { locked: true }, after: { locked: false } })
    return { id: after.id, version: after.version }
  },
  kick: async ({ id, reason }, context) => {
    const { tx, now, log, ended } = context
    const { row } = await held(context, 'kick', { id })
    const sessions = await endSessionsOf(tx, id, 'kicked', now)
    ended(sessions)
    log({ ...ofRow(row), after: { sessions_ended: sessions.length }, reason })
    return { id, sessions_ended: sessions.length }
  },
  disable: async ({ reason, ...one }, context) => {
    const { tx, now, log, ended } = context
    await lockSupers(tx)
    const { row } = await held(context, 'disable', one)
    const after = await update(tx, one, { status: 'disabled' })
    await superStays(tx)
    ended(await endSessionsOf(tx, row.id, 'disabled', now))
    log({ ...ofRow(row), before: { status: row.status }, after: { status: 'disabled' }, reason })
    return { id: after.id, version: after.version }
  },
  enable: async (one, context) => {
    const { tx, log } = context
    const { row } = await held(context, 'enable', one)
    if (row.department_id !== null) await inUse(tx, row.department_id)
    const after = await update(tx, one, { status: 'active' })
    log({ ...ofRow(row), before: { status: row.status }, after: { status: 'active' } })
    return { id: after.id, version: after.version }
  },
  leave: async ({ successor_id, reason, ...one }, context) => {
    const { tx, now, staff, log, ended } = context
    await lockSupers(tx)
    const { row } = await held(context, 'leave', one)
    // Held until the commit, so that the successor does not leave at the same moment.
    const [to] = await tx
      .select()
      .from(admin)
      .where(
        and(
          eq(admin.id, successor_id),
          eq(admin.status, 'active'),
          ne(admin.id, row.id),
          staffInScope(staff),
        ),
      )
      .for('share')
    if (!to)
      throw ruled('no_successor', [
        '接替人须是另一名在职员工',
        'The successor must be another active colleague',
      ])
    const moved = await handOver({ tx, from: row.id, to: { id: to.id, name: to.name }, now })
    const after = await update(tx, one, { status: 'left' })
    await superStays(tx)
    ended(await endSessionsOf(tx, row.id, 'left', now))
    log({
      ...ofRow(row),
      before: { status: row.status },
      after: { status: 'left', successor_id, ...moved },
      reason,
    })
    return { id: after.id, version: after.version, moved }
  },
  batchImport: async ({ text: pasted, mode }, { tx, staff, log }) => {
    const lines = importRows(pasted)
    if (lines.length === 0)
      throw invalid({ text: text(['没有可导入的行', 'No lines to import'], staff.lang) })
    if (lines.length > 200)
      throw invalid({ text: text(['一次最多 200 行', 'At most 200 lines at a time'], staff.lang) })
    const units = await tx.select().from(department)
    const roles = await tx.select().from(role)
    const measure = await measureOf(tx, staff)
    const taken = await tx.select({ account: admin.account, phone: admin.phone }).from(admin)
    const accounts = new Set(taken.map(one => one.account.toLowerCase()))
    const phones = new Set(taken.map(one => one.phone))
    const judged = []
    for (const line of lines) {
      judged.push({
        line,
        ...(await judgedLine(line, { tx, measure, units, roles, accounts, phones })),
      })
      accounts.add(line.account.toLowerCase())
      phones.add(line.phone)
    }
    const good = judged.filter(one => one.faults.length === 0)
    const writes = mode === 'good' || (mode === 'all' && good.length === judged.length) ? good : []
    const passwords: { account: string; initial_password: string }[] = []
    for (const {
      line: { account, name, phone, email },
      department_id,
      role_ids,
    } of writes) {
      const { made, initial_password } = await open(tx, {
        account,
        name,
        phone,
        email,
        department_id,
        role_ids,
      })
      passwords.push({ account, initial_password })
      log({ ...ofRow(made), after: { account, name, phone, email, department_id, role_ids } })
    }
    return {
      written: writes.length,
      rows: judged.map(({ line, faults }) => ({
        line: line.line,
        account: line.account,
        name: line.name,
        faults: faults.map(fault => text(fault, staff.lang)),
      })),
      passwords,
    }
  },
  batchSetRole: async ({ ids, role_ids }, context) => {
    await lockSupers(context.tx)
    return eachRow(context, ids, async (each, id) => {
      const { row, measure } = await held(each, 'setRoles', { id })
      const after = await giveRoles({ tx: each.tx, measure, show: shown }, row, role_ids)
      each.log({
        ...ofRow(row),
        before: { role_ids: row.role_ids },
        after: { role_ids: after.role_ids },
      })
    })
  },
  revealPhone: async ({ id, reason }, context) => {
    const { tx, staff, now } = context
    const { row } = await find(tx, id, staff, now)
    if (row.phone === null) throw ruled('no_phone', ['没有登记手机号', 'No phone is on record'])
    return {
      id,
      phone: row.phone,
      ...(await noteReveal(context, 'admin.phone', ofRow(row), reason)),
    }
  },
  export: async ({ format, columns, ...filters }, context) => {
    const { tx, staff, now } = context
    const [rows] = await tx
      .select({ n: count() })
      .from(admin)
      .where(matching(filters, now, staff))
    return startExport(context, {
      page: 'system.staff',
      filters,
      filters_text: await filterWords(tx, filters, staff.lang),
      rows_expected: rows!.n,
      format,
      columns,
    })
  },
})

// By the checks of each verb: nobody gives back what they may not give.
defineRevertBy(
  object_type,
  async (db, staff, id) =>
    (
      await db
        .select()
        .from(admin)
        .where(and(eq(admin.id, id), staffInScope(staff)))
    )[0],
  [
    way(
      contract.edit,
      server.handlers.edit,
      ['name', 'phone', 'email', 'department_id'],
      ({ id, version, name, phone, email, department_id }) => ({
        id,
        version,
        name,
        phone: phone ?? undefined,
        email: email ?? undefined,
        department_id,
      }),
    ),
    way(contract.setRoles, server.handlers.setRoles, ['role_ids'], ({ id, version, role_ids }) => ({
      id,
      version,
      role_ids,
    })),
    way(
      contract.setScope,
      server.handlers.setScope,
      ['scope_type', 'scope_ids'],
      ({ id, version, scope_type, scope_ids }) => ({
        id,
        version,
        scope: scope_type,
        cities: scope_type === 'city' ? scope_ids : [],
        malls: scope_type === 'mall' ? scope_ids : [],
      }),
    ),
  ],
)
export default server
