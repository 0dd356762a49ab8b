import { and, asc, desc, eq, gt, gte, inArray, isNull, lte, ne, sql, type SQL } from 'drizzle-orm'
import { login_log } from '#src/areas/log/log.table.ts'
import {
  deviceOf,
  LOG_DAYS,
  loginEvents,
  loginResults,
  plainIp,
  spanOf,
  type LoginEvent,
  type LoginResult,
} from '#src/areas/log/logs.ts'
import { tooLong } from '#src/areas/log/tooLong.server.ts'
import { ip_ban } from '#src/areas/log/trace.table.ts'
import { filterText } from '#src/areas/log/words.server.ts'
import { lockSupers, measureOf, notAbove, rolesOf } from '#src/areas/people/people.server.ts'
import { admin, admin_session } from '#src/areas/people/people.table.ts'
import { SUPER_ADMIN, superRemains } from '#src/areas/people/people.ts'
import { say, type Text } from '#src/domain/text.ts'
import { DAY, HOUR, dayStart, timeFull } from '#src/domain/time.ts'
import { implement, type Db, type Staff } from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf, exactCount, listed, pageOf } from '#src/server/db/paging.ts'
import {
  EXPORT_MAX_ROWS,
  defineExport,
  startExport,
  chosenRows,
  type Chosen,
} from '#src/server/exports/exports.ts'
import { endSessions, endSessionsOf } from '#src/server/sessions/sessions.ts'
import { loginLogs, type LoginRow } from '../contract/loginLogs.ts'

const TOP = 10
type Filters = {
  account?: string | undefined
  result?: LoginResult | undefined
  failed?: boolean | undefined
  event?: LoginEvent | undefined
  ip?: string | undefined
  new_place?: boolean | undefined
  from?: number | undefined
  to?: number | undefined
}

/** Listed, not negated: a list of values is an index scan. */
const failures = (Object.keys(loginResults) as LoginResult[]).filter(one => one !== 'ok')
const failedIs = (failed: boolean): SQL =>
  failed ? inArray(login_log.result, failures) : eq(login_log.result, 'ok')
const newPlaceIs = (fresh: boolean): SQL =>
  fresh ? sql`${login_log.new_place}` : sql`not ${login_log.new_place}`
const loginsWhere = (
  { account, result, failed, event, ip, new_place, from, to, ids }: Filters & Chosen,
  scope: Staff['scope'],
  now: number,
): SQL => {
  const span = spanOf({ from, to }, LOG_DAYS, now)
  if (!span) throw tooLong(LOG_DAYS)
  return and(
    chosenRows(login_log.id, { ids }),
    gte(login_log.created_at, span.from),
    lte(login_log.created_at, span.to),
    account === undefined ? undefined : eq(login_log.account, account),
    result && eq(login_log.result, result),
    failed === undefined ? undefined : failedIs(failed),
    event && eq(login_log.event, event),
    ip === undefined ? undefined : eq(login_log.ip, plainIp(ip)),
    new_place === undefined ? undefined : newPlaceIs(new_place),
    within(scope, { owner: login_log.admin_id }),
  )!
}
const loginsPage = (
  db: Db,
  staff: Pick<Staff, 'id' | 'scope'>,
  { page, pageSize, ...filters }: Filters & { page: number; pageSize: number },
  now: number,
) =>
  pageOf(db, login_log, {
    where: loginsWhere(filters, staff.scope, now),
    by: login_log.created_at,
    down: true,
    atOnce: true,
    page,
    pageSize,
    reader: `${staff.id}|logins|${JSON.stringify(filters)}`,
  })

const liveBans = (db: Db, now: number) =>
  db
    .select()
    .from(ip_ban)
    .where(and(isNull(ip_ban.lifted_at), gt(ip_ban.until_at, now)))
    .orderBy(desc(ip_ban.id))
const shown = async (
  db: Db,
  rows: readonly (typeof login_log.$inferSelect)[],
  now: number,
  session_id?: number,
): Promise<LoginRow[]> => {
  const people = [...new Set(rows.flatMap(row => row.admin_id ?? []))]
  const names = new Map(
    people.length === 0
      ? []
      : (
          await db
            .select({ id: admin.id, name: admin.name })
            .from(admin)
            .where(inArray(admin.id, people))
        ).map(one => [one.id, one.name] as const),
  )
  const sessions = rows.flatMap(row => row.session_id ?? [])
  const live = new Set(
    sessions.length === 0
      ? []
      : (
          await db
            .select({ id: admin_session.id })
            .from(admin_session)
            .where(
              and(
                inArray(admin_session.id, sessions),
                isNull(admin_session.ended_at),
                gt(admin_session.expires_at, now),
              ),
            )
        ).map(one => one.id),
  )
  const banned = new Set((await liveBans(db, now)).map(one => one.ip))
  return rows.map(row => ({
    ...row,
    admin_name: row.admin_id === null ? null : (names.get(row.admin_id) ?? null),
    device: deviceOf(row.ua ?? ''),
    live: row.event === 'login' && row.session_id !== null && live.has(row.session_id),
    mine: row.session_id !== null && row.session_id === session_id,
    banned: row.ip !== null && banned.has(plainIp(row.ip)),
  }))
}

const filterNames = {
  result: { title: ['结果', 'Result'], kind: 'enum', options: loginResults },
  event: { title: ['事件', 'Event'], kind: 'enum', options: loginEvents },
  failed: { title: ['仅失败', 'Failures only'] },
  new_place: { title: ['新地点或设备', 'New place or device'] },
} as const
defineExport('system.loginLogs', {
  title: ['后台登录日志', 'Sign-in log'],
  permit: 'system.loginLogs.export',
  filters: () => filterNames,
  columns: [
    { key: 'created_at', title: ['时间', 'Time'], kind: 'time' },
    { key: 'account', title: ['账号', 'Account'] },
    { key: 'admin_name', title: ['姓名', 'Name'] },
    { key: 'event', title: ['事件', 'Event'] },
    { key: 'result', title: ['结果', 'Result'] },
    { key: 'ip', title: ['IP', 'IP'] },
    { key: 'place', title: ['地点', 'Place'] },
    { key: 'device', title: ['设备', 'Device'] },
    { key: 'new_place', title: ['新地点或设备', 'New place or device'] },
  ],
  count: ({ db, staff, filters }) =>
    exactCount(
      db,
      login_log,
      loginsWhere(filters, staff.scope, Number(filters['to'])),
      EXPORT_MAX_ROWS,
    ),
  rows: async ({ db, staff, filters, after, limit }) => {
    const [at, id] = (after as [number, number] | undefined) ?? [0, 0]
    const rows = await db
      .select()
      .from(login_log)
      .where(
        and(
          loginsWhere(filters, staff.scope, Number(filters['to'])),
          sql`(${login_log.created_at}, ${login_log.id}) > (${at}, ${id})`,
        ),
      )
      .orderBy(asc(login_log.created_at), asc(login_log.id))
      .limit(limit)
    const last = rows.at(-1)
    const list = await shown(db, rows, Number(filters['to']))
    return {
      rows: list.map(row => ({
        ...row,
        event: say(loginEvents[row.event], staff.lang),
        result: say(loginResults[row.result], staff.lang),
        new_place: row.new_place ? say(['是', 'Yes'], staff.lang) : '',
      })),
      next: rows.length < limit ? undefined : [last!.created_at, last!.id],
    }
  },
})

const ownIp: Text = ['不能封禁自己正在使用的地址', 'It is the address you use yourself']
const CHART_HOURS = 72

const named = async (db: Db, bans: Awaited<ReturnType<typeof liveBans>>) => {
  const by = new Map(
    bans.length === 0
      ? []
      : (
          await db
            .select({ id: admin.id, name: admin.name })
            .from(admin)
            .where(
              inArray(
                admin.id,
                bans.map(one => one.admin_id),
              ),
            )
        ).map(one => [one.id, one.name] as const),
  )
  return bans.map(one => ({ ...one, admin_name: by.get(one.admin_id) ?? '' }))
}
export default implement(loginLogs, {
  lst: async (input, { db, staff, now, caller }) => {
    const rows = await loginsPage(db, staff, input, now)
    const { page: _, pageSize: __, ...filters } = input
    return listed(input, rows, shown(db, rows, now, caller.session_id), () =>
      countOf(db, login_log, loginsWhere(filters, staff.scope, now), login_log.created_at),
    )
  },
  stats: async (asked, { db, staff, now }) => {
    const span =
      asked.from === undefined && asked.to === undefined
        ? { from: now - DAY, to: now }
        : spanOf(asked, LOG_DAYS, now)
    if (!span) throw tooLong(LOG_DAYS)
    const step = span.to - span.from <= CHART_HOURS * HOUR ? HOUR : DAY
    const first = step === HOUR ? Math.floor(span.from / HOUR) * HOUR : dayStart(span.from)
    const where = and(
      gte(login_log.created_at, span.from),
      lte(login_log.created_at, span.to),
      eq(login_log.event, 'login'),
      within(staff.scope, { owner: login_log.admin_id }),
    )
    const counted = await db
      .select({
        slot: sql<number>`((${login_log.created_at} - ${first}::bigint) / ${step}::bigint)::int`,
        ok: sql<number>`count(*) filter (where ${login_log.result} = 'ok')::int`,
        failed: sql<number>`count(*) filter (where ${login_log.result} <> 'ok')::int`,
      })
      .from(login_log)
      .where(where)
      .groupBy(sql`1`)
    const slots = new Map(counted.map(one => [one.slot, one]))
    const buckets = Array.from({ length: Math.floor((span.to - first) / step) + 1 }, (_, slot) => ({
      at: Math.max(0, first + slot * step),
      ok: slots.get(slot)?.ok ?? 0,
      failed: slots.get(slot)?.failed ?? 0,
    }))
    const places = await db
      .select({
        account: login_log.account,
        admin_id: login_log.admin_id,
        name: admin.name,
        times: sql<number>`count(*)::int`,
        last_at: sql<number>`max(${login_log.created_at})`.mapWith(Number),
        ip: sql<string | null>`(array_agg(${login_log.ip} order by ${login_log.id} desc))[1]`,
        place: sql<string | null>`(array_agg(${login_log.place} order by ${login_log.id} desc))[1]`,
      })
      .from(login_log)
      .leftJoin(admin, eq(admin.id, login_log.admin_id))
      .where(and(where, sql`${login_log.new_place}`))
      .groupBy(login_log.account, login_log.admin_id, admin.name)
      .orderBy(desc(sql`max(${login_log.created_at})`))
      .limit(TOP)
    const bans = await liveBans(db, now)
    const banned = new Set(bans.map(one => one.ip))
    const ips = await db
      .select({
        ip: sql<string>`${login_log.ip}`,
        failed: sql<number>`count(*)::int`,
        accounts: sql<number>`count(distinct ${login_log.account})::int`,
        last_at: sql<number>`max(${login_log.created_at})`.mapWith(Number),
      })
      .from(login_log)
      .where(and(where, ne(login_log.result, 'ok'), sql`${login_log.ip} is not null`))
      .groupBy(login_log.ip)
      .orderBy(desc(sql`count(*)`))
      .limit(TOP)
    return {
      ...span,
      step,
      buckets,
      ok: buckets.reduce((sum, one) => sum + one.ok, 0),
      failed: buckets.reduce((sum, one) => sum + one.failed, 0),
      places,
      ips: ips.map(one => ({ ...one, banned: banned.has(plainIp(one.ip)) })),
      bans: await named(db, bans),
    }
  },
  kick: async ({ session_id, reason }, { tx, staff, now, caller, log, ended }) => {
    if (session_id === caller.session_id)
      throw ruled('own_session', ['不能强制下线自己正在使用的会话', 'It is the session you are in'])
    const [session] = await tx
      .select({ session: admin_session, person: admin })
      .from(admin_session)
      .innerJoin(admin, eq(admin.id, admin_session.admin_id))
      .where(
        and(
          eq(admin_session.id, session_id),
          within(staff.scope, { owner: admin_session.admin_id }),
        ),
      )
    if (!session) throw missing()
    notAbove(await measureOf(tx, staff), session.person, await rolesOf(tx, session.person.role_ids))
    const gone = await endSessions(tx, eq(admin_session.id, session_id), 'kicked', now)
    if (gone.length === 0)
      throw ruled('session_over', ['该会话已结束', 'That session is over already'])
    ended(gone)
    log({
      object_type: 'admin_session',
      object_id: session_id,
      object_label: session.person.account,
      before: { ended: false },
      after: { ended: true, ip: session.session.ip },
      reason,
    })
    return { session_id }
  },
  lockAccount: async ({ account, hours, reason }, { tx, staff, now, log, ended }) => {
    // Anybody who could take the last super administrator away waits here, on whichever page.
    await lockSupers(tx)
    const [person] = await tx
      .select()
      .from(admin)
      .where(and(eq(admin.account, account), within(staff.scope, { owner: admin.id })))
      .for('update')
    if (!person) throw missing()
    if (person.id === staff.id)
      throw ruled('own_account', ['不能锁定自己的账号', 'It is your own account'])
    if (person.status !== 'active')
      throw ruled('not_active', [
        '账号已停用或离职，无需锁定',
        'The account is disabled or gone already',
      ])
    notAbove(await measureOf(tx, staff), person, await rolesOf(tx, person.role_ids))
    const locked_until = now + hours * HOUR
    await tx
      .update(admin)
      .set({ locked_until, version: sql`${admin.version} + 1` })
      .where(eq(admin.id, person.id))
    const left = await tx.execute(
      sql`select 1 from admin a join role r on r.code = ${SUPER_ADMIN} and r.status = 'on' and a.role_ids @> to_jsonb(r.id) where a.status = 'active' and coalesce(a.locked_until, 0) <= ${now} limit 1`,
    )
    if (left.rows.length === 0) throw ruled('last_super', superRemains)
    const gone = await endSessionsOf(tx, person.id, 'kicked', now)
    ended(gone)
    log({
      object_type: 'admin',
      object_id: person.id,
      object_label: person.account,
      before: { locked_until: person.locked_until },
      after: { locked_until },
      reason,
    })
    return { admin_id: person.id, locked_until, sessions: gone.length }
  },
  banIp: async ({ ip, hours, reason }, { tx, staff, now, caller, log }) => {
    if (plainIp(caller.ip) === ip) throw ruled('own_ip', ownIp)
    const until_at = now + hours * HOUR
    const [before] = await tx
      .select()
      .from(ip_ban)
      .where(and(eq(ip_ban.ip, ip), isNull(ip_ban.lifted_at)))
      .for('update')
    if (before && before.until_at > now)
      throw ruled(
        'banned_already',
        ['该地址已封禁至 {until}', 'It is banned until {until} already'],
        { until: timeFull(before.until_at) },
      )
    if (before)
      await tx
        .update(ip_ban)
        .set({ lifted_at: before.until_at, version: sql`${ip_ban.version} + 1` })
        .where(eq(ip_ban.id, before.id))
    const [made] = await tx
      .insert(ip_ban)
      .values({ ip, reason, until_at, admin_id: staff.id, created_at: now })
      .returning({ id: ip_ban.id })
    log({
      object_type: 'ip_ban',
      object_id: made!.id,
      object_label: ip,
      after: { ip, until_at },
      reason,
    })
    return { id: made!.id, until_at }
  },
  unbanIp: async ({ ip }, { tx, staff, now, log }) => {
    const [ban] = await tx
      .update(ip_ban)
      .set({ lifted_at: now, lifted_by: staff.id, version: sql`${ip_ban.version} + 1` })
      .where(and(eq(ip_ban.ip, ip), isNull(ip_ban.lifted_at), gt(ip_ban.until_at, now)))
      .returning()
    if (!ban) {
      const [ever] = await tx
        .select({ id: ip_ban.id })
        .from(ip_ban)
        .where(eq(ip_ban.ip, ip))
        .limit(1)
      if (!ever)
        throw invalid({ ip: say(['该地址没有被封禁', 'That address is not banned'], staff.lang) })
      log({ object_type: 'ip_ban', object_id: ever.id, object_label: ip })
    } else
      log({
        object_type: 'ip_ban',
        object_id: ban.id,
        object_label: ip,
        before: { lifted: false, until_at: ban.until_at },
        after: { lifted: true },
      })
    return { ip, already: !ban }
  },
  export: async ({ format, columns, ...asked }, context) => {
    const span = spanOf(asked, LOG_DAYS, context.now)
    if (!span) throw tooLong(LOG_DAYS)
    const filters = { ...asked, ...span }
    const rows_expected = await exactCount(
      context.tx,
      login_log,
      loginsWhere(filters, context.staff.scope, context.now),
      EXPORT_MAX_ROWS,
    )
    return startExport(context, {
      page: 'system.loginLogs',
      filters,
      filters_text: await filterText(context.tx, context.staff, filters, filterNames),
      rows_expected,
      format,
      columns,
      same: asked,
    })
  },
})
