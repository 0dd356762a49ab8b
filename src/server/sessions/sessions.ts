import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, inArray, isNull, lte, ne, sql, type SQL } from 'drizzle-orm'
import { login_log } from '#src/areas/log/log.table.ts'
import { admin_session, type ScopeType } from '#src/areas/people/people.table.ts'
import type { MaskRule } from '#src/domain/mask.ts'
import type { Lang } from '#src/domain/text.ts'
import type { Db, FieldMode, Scope, Staff } from '#src/server/call/implement.ts'
import { checker, fieldMode } from '#src/server/call/permissions.ts'
import { everything, joined, nothing } from '#src/server/call/scope.ts'
import { planned } from '#src/server/db/oneOf.ts'
import { untilWritten } from '#src/server/db/untilWritten.ts'
import { dropUnstoredOf, keepUnstored, storeNow, unstoredOf } from './unstored.ts'

export type EndReason = 'logout' | 'expired' | 'kicked' | 'password' | 'disabled' | 'left'
export type SessionLimits = {
  /** Seconds without a call after which a session has expired. */
  idle_s: number
  /** Seconds after which it has expired in any case. */
  absolute_s: number
}
export const usualLimits: SessionLimits = { idle_s: 30 * 60, absolute_s: 12 * 3600 }

/** Only the hash is stored: who reads the table can't sign in with it. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Opens a session and answers its token (256 random bits), which is told once and never stored. */
export const openSession = async (tx: Db, of: Opening, limits: SessionLimits) => {
  const token = randomBytes(32).toString('base64url')
  const expires_at = of.now + limits.idle_s
  const [made] = await tx
    .insert(admin_session)
    .values({
      admin_id: of.admin_id,
      token_hash: hashToken(token),
      region: of.region,
      ip: of.ip,
      ua: of.ua,
      created_at: of.now,
      expires_at,
    })
    .returning({ id: admin_session.id })
  return { token, expires_at, session_id: made!.id }
}

type Opening = { admin_id: number; region: string; ip: string; ua: string; now: number }
/** As `openSession`, kept by this process until the database takes writes again. */
export const openUnstored = (
  { now, ...of }: Opening,
  password_hash: string,
  limits: SessionLimits,
) => {
  const token = randomBytes(32).toString('base64url')
  const expires_at = now + limits.idle_s
  const { id } = keepUnstored({
    ...of,
    token_hash: hashToken(token),
    password_hash,
    created_at: now,
    expires_at,
  })
  return { token, expires_at, session_id: id }
}

export type SessionEnded = {
  tx: Db
  admin_id: number
  session_id: number
  reason: EndReason
  now: number
  /** The person has no other live session. */ last: boolean
}
const hooks: ((of: SessionEnded) => Promise<void>)[] = []
/** Runs in the transaction that ends a session: claims go back to their queue. */
export const onSessionEnd = (run: (of: SessionEnded) => Promise<void>): void => void hooks.push(run)

/**
 * Ends the live sessions that match, with their hooks and a line in the login log; answers their
 * ids.
 */
export const endSessions = async (
  tx: Db,
  which: SQL | undefined,
  reason: EndReason,
  now: number,
): Promise<number[]> => {
  const ended = await tx
    .update(admin_session)
    .set({ ended_at: now, end_reason: reason })
    .where(and(isNull(admin_session.ended_at), which))
    .returning({
      id: admin_session.id,
      admin_id: admin_session.admin_id,
      ip: admin_session.ip,
      ua: admin_session.ua,
    })
  if (ended.length === 0) return []
  const people = [...new Set(ended.map(one => one.admin_id))]
  const live = await tx
    .select({ admin_id: admin_session.admin_id })
    .from(admin_session)
    .where(
      and(
        inArray(admin_session.admin_id, people),
        isNull(admin_session.ended_at),
        gt(admin_session.expires_at, now),
      ),
    )
  const still = new Set(live.map(one => one.admin_id))
  const accounts = await tx.execute<{ id: number; account: string }>(
    sql`select id, account from admin where id in ${people}`,
  )
  const accountOf = new Map(accounts.rows.map(row => [row.id, row.account]))
  await tx.insert(login_log).values(
    ended.map(one => ({
      account: accountOf.get(one.admin_id) ?? '',
      admin_id: one.admin_id,
      result: 'ok' as const,
      ip: one.ip,
      ua: one.ua,
      session_id: one.id,
      event: reason === 'logout' || reason === 'expired' ? reason : ('kicked' as const),
    })),
  )
  for (const one of ended)
    for (const hook of hooks)
      await hook({
        tx,
        admin_id: one.admin_id,
        session_id: one.id,
        reason,
        now,
        last: !still.has(one.admin_id),
      })
  return ended.map(one => one.id)
}
/** Ends all sessions of a person but the one they are in; those too that could not be stored yet. */
export const endOtherSessions = async (
  tx: Db,
  { admin_id, session_id = 0 }: { admin_id: number; session_id?: number | undefined },
  reason: EndReason,
  now: number,
): Promise<number[]> => {
  const others = and(eq(admin_session.admin_id, admin_id), ne(admin_session.id, session_id))
  return [...(await endSessions(tx, others, reason, now)), ...dropUnstoredOf(admin_id, session_id)]
}
/** Ends all sessions of a person; those too that could not be stored yet. */
export const endSessionsOf = (
  tx: Db,
  admin_id: number,
  reason: EndReason,
  now: number,
): Promise<number[]> => endOtherSessions(tx, { admin_id }, reason, now)
/** Ends the sessions whose time is over. */
export const expireSessions = (tx: Db, now: number): Promise<number[]> =>
  endSessions(tx, lte(admin_session.expires_at, now), 'expired', now)

type RoleFacts = {
  id: number
  code: string
  name: string
  scope_type: ScopeType
  scope_ids: number[]
  perms: string[]
  field_rules: Record<string, FieldMode>
  refund_limit_cents: number
}
type PersonRow = {
  admin_id: number
  account: string
  name: string
  avatar: string | null
  status: 'active' | 'disabled' | 'left'
  must_change: boolean
  department_id: number | null
  scope_type: ScopeType | 'inherit'
  scope_ids: number[]
  pinned_paths: string[]
  card_order: string[]
  /** As JSON: what they come to is worked out once for all who have the same (`rightsOf`). */
  roles: string | null
  field_keys: string | null
  colleagues: number[] | null
}
type SessionRow = PersonRow & {
  session_id: number
  session_from: string
  expires_at: string
  ended_at: string | null
  end_reason: EndReason | null
}
export type Known = {
  staff: Staff
  roles: readonly RoleFacts[]
  fields: Readonly<Record<string, FieldMode>>
}
export type Signed = Known & {
  session_id: number
  /** When it was opened. */
  since: number
  expires_at: number
  must_change: boolean
  avatar: string | null
  settings: { pinned_paths: string[]; card_order: string[] }
}
export type SignedOut = 'none' | 'disabled' | 'expired'

// Person, roles and field rules as they are now, in one query. Nothing that the database says is
// remembered beyond its next write (`untilWritten`), so a change acts on the next call.
const person = sql`
    a.id admin_id, a.account, a.name, a.avatar, a.status, a.must_change, a.department_id, a.scope_type, a.scope_ids, a.pinned_paths, a.card_order,
    (select json_agg(json_build_object('id', r.id, 'code', r.code, 'name', r.name, 'scope_type', r.scope_type, 'scope_ids', r.scope_ids, 'perms', r.perms, 'field_rules', r.field_rules, 'refund_limit_cents', r.refund_limit_cents) order by r.id)::text
      from role r where r.status = 'on' and a.role_ids @> to_jsonb(r.id)) roles,
    (select json_object_agg(f.key, json_build_object('mode', f.default_mode, 'mask', f.mask_rule) order by f.key)::text from field_key f where f.status = 'on') field_keys,
    (select jsonb_agg(c.id) from admin c where c.department_id = a.department_id
      and (a.scope_type = 'dept' or exists (select 1 from role r where r.status = 'on' and r.scope_type = 'dept' and a.role_ids @> to_jsonb(r.id)))) colleagues`

/** As a stored session reads, one that this process keeps. */
const unstoredSession = async (
  db: Db,
  token_hash: string,
  now: number,
): Promise<SessionRow | undefined> => {
  const kept = unstoredOf(token_hash, now)
  if (!kept) return undefined
  const { rows } = await db.execute<PersonRow & { password_hash: string }>(
    sql`select ${person}, a.password_hash from admin a where a.id = ${kept.admin_id}`,
  )
  const [row] = rows
  if (row?.password_hash !== kept.password_hash) return undefined
  return {
    ...row,
    session_id: kept.id,
    session_from: String(kept.created_at),
    expires_at: String(kept.expires_at),
    ended_at: null,
    end_reason: null,
  }
}

/** The person of a token, or why it is nobody's (410000, 410001, 410002). */
export const findSession = async (
  db: Db,
  token: string,
  lang: Lang,
  now: number,
): Promise<Signed | SignedOut> => {
  const token_hash = hashToken(token)
  const stored = await untilWritten(
    db,
    `session|${token_hash}`,
    async () =>
      (
        await db.execute<SessionRow>(sql`select s.id session_id, s.created_at session_from, s.expires_at, s.ended_at, s.end_reason, ${person}
    from admin_session s join admin a on a.id = s.admin_id where s.token_hash = ${token_hash} ${planned}`)
      ).rows[0],
  )
  const row = stored ?? (await unstoredSession(db, token_hash, now))
  if (!row) return 'none'
  if (row.status !== 'active' || row.end_reason === 'disabled' || row.end_reason === 'left')
    return 'disabled'
  if (row.end_reason === 'expired' || (row.ended_at === null && Number(row.expires_at) <= now))
    return 'expired'
  if (row.ended_at !== null) return 'none'
  return {
    ...known(row, lang),
    session_id: row.session_id,
    since: Number(row.session_from),
    expires_at: Number(row.expires_at),
    must_change: row.must_change,
    avatar: row.avatar,
    settings: { pinned_paths: row.pinned_paths, card_order: row.card_order },
  }
}

/**
 * A person as they are now, without a session: for work done in their name. Undefined once disabled
 * or left.
 */
export const findStaff = async (
  db: Db,
  admin_id: number,
  lang: Lang,
): Promise<Known | undefined> => {
  const found = await db.execute<PersonRow>(
    sql`select ${person} from admin a where a.id = ${admin_id} and a.status = 'active'`,
  )
  return found.rows[0] && known(found.rows[0], lang)
}

/**
 * As `findStaff`, and held until the commit: what is taken away from them has been before, or waits
 * for this.
 */
export const heldStaff = async (
  tx: Db,
  admin_id: number,
  lang: Lang,
): Promise<Known | undefined> => {
  const held = await tx.execute<{ role_ids: number[] }>(
    sql`select role_ids from admin where id = ${admin_id} and status = 'active' for share`,
  )
  const role_ids = held.rows[0]?.role_ids ?? []
  if (role_ids.length > 0)
    await tx.execute(sql`select 1 from role where id in ${role_ids} for share`)
  return findStaff(tx, admin_id, lang)
}

type Rights = Pick<Staff, 'can' | 'field' | 'masks' | 'refund_limit_cents'> &
  Pick<Known, 'roles' | 'fields'>
const worked = new Map<string, Rights>()
const WORKED_MAX = 500
/**
 * What roles and field rules come to. It depends on what the database has just said and on nothing
 * else, so the same words have the same meaning: a change of rights acts on the next call.
 */
const rightsOf = ({ roles: said, field_keys }: PersonRow): Rights => {
  const words = `${said ?? '[]'}\n${field_keys ?? '{}'}`
  const before = worked.get(words)
  if (before) return before
  const roles = JSON.parse(said ?? '[]') as RoleFacts[]
  const keys = JSON.parse(field_keys ?? '{}') as Record<string, { mode: FieldMode; mask: MaskRule }>
  const field = (key: string) =>
    fieldMode(
      roles.map(role => role.field_rules[key]),
      keys[key]?.mode,
    )
  const rights: Rights = {
    roles,
    field,
    can: checker(roles.flatMap(role => role.perms)),
    fields: Object.fromEntries(Object.keys(keys).map(key => [key, field(key)])),
    masks: Object.fromEntries(Object.entries(keys).map(([key, of]) => [key, of.mask])),
    refund_limit_cents: Math.max(0, ...roles.map(role => Number(role.refund_limit_cents))),
  }
  if (worked.size >= WORKED_MAX) worked.clear()
  worked.set(words, rights)
  return rights
}
const known = (row: PersonRow, lang: Lang): Known => {
  const { roles, fields, ...rights } = rightsOf(row)
  return {
    staff: {
      id: row.admin_id,
      name: row.name,
      account: row.account,
      lang,
      ...rights,
      scope: scopeOf(row, roles),
    },
    roles,
    fields,
  }
}

/** A scope of the person's own stands for those of their roles; otherwise these add up. */
const scopeOf = (row: PersonRow, roles: readonly RoleFacts[]): Scope => {
  const one = ({
    scope_type,
    scope_ids,
  }: {
    scope_type: ScopeType
    scope_ids: readonly number[]
  }): Scope => {
    if (scope_type === 'all') return everything
    if (scope_type === 'city') return { ...nothing, cities: scope_ids }
    if (scope_type === 'mall') return { ...nothing, malls: scope_ids }
    const colleagues = scope_type === 'dept' ? (row.colleagues ?? []) : []
    return { ...nothing, owners: [row.admin_id, ...colleagues] }
  }
  return row.scope_type === 'inherit'
    ? joined(roles.map(one))
    : one({ scope_type: row.scope_type, scope_ids: row.scope_ids })
}

/** Whether a session goes on: what was given to it for a while ends with it. */
export const isLive = async (db: Db, session_id: number, now: number): Promise<boolean> => {
  const live = and(
    eq(admin_session.id, session_id),
    isNull(admin_session.ended_at),
    gt(admin_session.expires_at, now),
  )
  const rows = await db.select({ id: admin_session.id }).from(admin_session).where(live)
  return rows.length > 0
}

/** Moves the expiry on with use, at most once a minute, never past the absolute limit. */
export const slide = async (
  db: Db,
  signed: Signed,
  now: number,
  limits: SessionLimits,
): Promise<void> => {
  const expires_at = Math.min(now + limits.idle_s, signed.since + limits.absolute_s)
  // A session that could not be stored tries again with every call.
  const stored = await storeNow(db, signed.session_id, expires_at)
  if (stored !== undefined) signed.session_id = stored
  if (expires_at - signed.expires_at < Math.min(60, limits.idle_s / 4)) return
  // A write of the same session may hold the row until it commits; then the next call slides it.
  await db.execute(sql`update admin_session set expires_at = ${expires_at}, updated_at = ${now}
    where id in (select id from admin_session where id = ${signed.session_id} and ended_at is null for update skip locked)`)
}

/**
 * Asked inside a write's transaction: the person, the session and the right as they are at this
 * moment, held until the commit. A right taken away meanwhile wins, or waits for this write; never
 * is a write committed after it.
 */
export const stillMay = async (tx: Db, signed: Signed, permit: string): Promise<boolean> => {
  const held = await tx.execute<{ role_ids: number[] }>(sql`
    select a.role_ids from admin_session s join admin a on a.id = s.admin_id
    where s.id = ${signed.session_id} and s.ended_at is null and a.status = 'active' for share`)
  const row = held.rows[0]
  if (!row) return false
  if (row.role_ids.length === 0) return checker([])(permit)
  const roles = await tx.execute<{ perms: string[]; status: string }>(
    sql`select perms, status from role where id in ${row.role_ids} for share`,
  )
  return checker(roles.rows.filter(role => role.status === 'on').flatMap(role => role.perms))(
    permit,
  )
}
