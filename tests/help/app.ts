import { eq } from 'drizzle-orm'
import { admin, role } from '#src/areas/people/people.table.ts'
import type { Call } from '#src/contract/call.ts'
import { urlOf } from '#src/contract/call.ts'
import type { Envelope } from '#src/contract/envelope.ts'
import { toQuery } from '#src/contract/query.ts'
import { unixNow } from '#src/domain/time.ts'
import { implementations } from '#src/implementations.ts'
import type { Database } from '#src/server/db/database.ts'
import { buildApp, type App } from '#src/server/http/app.ts'
import type { AppOptions } from '#src/server/http/options.ts'
import { hashPassword } from '#src/server/sessions/passwords.ts'
import { openSession, usualLimits } from '#src/server/sessions/sessions.ts'
import { CODE_KEYS } from '../farm/codeKeys.ts'
import { atEnd } from '../farm/ends.ts'
import { temporaryFolder } from '../farm/temporary.ts'

/** What opens the figures and the description of the calls. */
export const OPERATORS = 'operators-of-tests'

/** The server without a port, in this process; it closes when the file's tests are done. */
export const openApp = async (database: Database, more: Partial<AppOptions> = {}): Promise<App> => {
  const folder = more.folder ?? temporaryFolder('app')
  const app = await buildApp({
    database,
    modules: implementations,
    folder,
    publicRate: 1_000_000,
    operatorToken: OPERATORS,
    codeKeys: CODE_KEYS,
    ...more,
  })
  let closed: Promise<void> | undefined
  const close = () => (closed ??= app.close())
  atEnd(close)
  return { ...app, close }
}

export type Sent = {
  token?: string | undefined
  key?: string
  lang?: 'zh' | 'en'
  ip?: string
  headers?: Record<string, string>
}
export type Said = {
  http: number
  status: number
  message: string
  data: any
  headers: Record<string, unknown>
  text: string
}
/** Sends a call as the console does. */
export const send = async (
  app: App,
  call: Call,
  input: unknown = {},
  { token, key, lang, ip, headers }: Sent = {},
): Promise<Said> => {
  const query = call.method === 'GET' ? toQuery(input) : ''
  const answered = await app.fastify.inject({
    method: call.method,
    url: urlOf(call) + (query && `?${query}`),
    ...(ip && { remoteAddress: ip }),
    headers: {
      ...(token && { 'authori-zation': `Bearer ${token}` }),
      ...(key && { 'idempotency-key': key }),
      ...(lang === 'en' && { 'accept-language': 'en' }),
      region: 'pro',
      ...headers,
    },
    ...(call.method === 'POST' && { payload: input as object }),
  })
  return saidOf(answered.statusCode, answered.body, answered.headers)
}
export const saidOf = (http: number, text: string, headers: Record<string, unknown>): Said => {
  const envelope = JSON.parse(text) as Envelope
  return {
    http,
    status: envelope.status,
    message: envelope.message,
    data: envelope.data,
    headers,
    text,
  }
}

let made = 0
const PASSWORD = 'Mallet#2026'
let hash: Promise<string> | undefined
/** A person with roles of their own, made for a test. The password is Mallet#2026. */
export const addStaff = async (
  database: Database,
  of: {
    perms?: readonly string[]
    role?: Partial<typeof role.$inferInsert>
    staff?: Partial<typeof admin.$inferInsert>
  } = {},
) => {
  const name = `tQ_${++made}`
  const [own] = await database.db
    .insert(role)
    .values({ name, code: name, perms: [...(of.perms ?? [])], scope_type: 'all', ...of.role })
    .returning()
  const [person] = await database.db
    .insert(admin)
    .values({
      account: name,
      name,
      password_hash: await (hash ??= hashPassword(PASSWORD)),
      role_ids: [own!.id],
      ...of.staff,
    })
    .returning()
  return {
    id: person!.id,
    account: person!.account,
    password: PASSWORD,
    role_id: own!.id,
    token: await tokenFor(database, person!.id),
  }
}
/** Field rules of a role that sees the numbers of orders, and so finds by their parts. */
export const seesNumbers = {
  'member.phone': 'show',
  'order.receiver_phone': 'show',
  'order.visitor_phone': 'show',
  'order.code': 'show',
} as const
/** A session for a person, without the sign-in. */
export const tokenFor = async (database: Database, admin_id: number): Promise<string> =>
  (
    await openSession(
      database.db,
      { admin_id, region: 'pro', ip: '10.0.0.1', ua: 'test', now: unixNow() },
      usualLimits,
    )
  ).token
export const tokenOfAccount = async (database: Database, account: string): Promise<string> => {
  const [person] = await database.db.select().from(admin).where(eq(admin.account, account))
  if (!person) throw new Error(`There is no account ${account}`)
  return tokenFor(database, person.id)
}
