import { randomBytes } from 'node:crypto'
import { setTimeout as later } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { isSameSecret } from '#src/server/sessions/sameSecret.ts'
import {
  corpIn,
  CorpRefusal,
  no,
  type Corp,
  type CorpRoute,
  type CorpTransfer,
} from './corp.channel.ts'
import { checkWelcome, messageRoutes, welcomeTakes } from './corpMessages.channel.ts'
import { momentRoutes } from './corpMoments.channel.ts'
import { peopleRoutes } from './corpPeople.channel.ts'
import { tagRoutes } from './corpTags.channel.ts'
import { settleTransfers, transferRoutes, transfersDue } from './corpTransfers.channel.ts'
import { wayRoutes } from './corpWays.channel.ts'
import type { WecomKeys } from './token.channel.ts'

/**
 * How the server is to behave badly, for tests: `refuse` answers an errcode, `drop` hangs up before
 * it does anything and `lose` after it, `slow` waits, `garble` answers no JSON, `http` a status,
 * `expire` forgets every token first.
 */
type Misbehaviour = {
  /** The end of a path; any call without it. */ path?: string
  /** So many times; once unless said. */ times?: number
} & (
  | { does: 'refuse'; code: number }
  | { does: 'drop' | 'lose' | 'garble' | 'expire' }
  | { does: 'slow'; ms: number }
  | { does: 'http'; status: number }
)
export type EmbeddedWecom = {
  keys: WecomKeys
  /** Its address; it listens from the first time that somebody wants it. */
  url: () => Promise<string>
  misbehave: (how: Misbehaviour) => void
  /** The paths that were asked, in their order; at most the last thousand. */
  asked: () => readonly string[]
  /** A code that a welcome is sent by, once, within 20 seconds. */
  welcomeCode: () => string
  /** Hears of hand-overs that customers have answered. */
  onSettled: (hear: (settled: readonly CorpTransfer[]) => void) => void
  close: () => Promise<void>
}
type Options = {
  database: Pick<Database, 'db' | 'transaction'>
  keys: WecomKeys
  now?: () => number
  /** Calls of one path in a minute. */
  perMinute?: number
}

const TOKEN_S = 7200
const PER_MINUTE = 6000
const WELCOME_S = 20
const ASKED_MOST = 1000
const MEDIA_BYTES = 21 * 1024 * 1024
/** What WeCom takes of a kind, in bytes. */
const MOST_BYTES: Readonly<Record<string, number>> = {
  image: 10 * 1024 * 1024,
  voice: 2 * 1024 * 1024,
  video: 10 * 1024 * 1024,
  file: 20 * 1024 * 1024,
}
const LEAST_BYTES = 5
const routes: Readonly<Record<string, CorpRoute>> = {
  ...peopleRoutes,
  ...tagRoutes,
  ...transferRoutes,
  ...wayRoutes,
  ...messageRoutes,
  ...momentRoutes,
}

/** Tokens are the server's own matter: a restart forgets them, as WeCom may at any time. */
const openTokens = (keys: WecomKeys, now: () => number) => {
  const until = new Map<string, number>()
  return {
    give: ({ corpid = '', corpsecret = '' }: Readonly<Record<string, string>>) => {
      if (corpid !== keys.corp_id) return no(40013, 'invalid corpid')
      if (!isSameSecret(corpsecret, keys.secret)) return no(40001, 'invalid credential')
      const access_token = randomBytes(32).toString('base64url')
      until.set(access_token, now() + TOKEN_S)
      return { access_token, expires_in: TOKEN_S }
    },
    check: (token: string | undefined) => {
      if (!token) no(41001, 'access_token missing')
      const end = until.get(token!)
      if (end === undefined) no(40014, 'invalid access_token')
      if (end! <= now()) no(42001, 'access_token expired')
    },
    expire: () => {
      for (const token of until.keys()) until.set(token, 0)
    },
  }
}
const openQuota = (perMinute: number, now: () => number) => {
  let minute = 0
  const counts = new Map<string, number>()
  return (path: string) => {
    const current = Math.floor(now() / 60)
    if (current !== minute) counts.clear()
    minute = current
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    if (count > perMinute) no(45009, 'api freq out of limit')
  }
}
const openWelcomes = (now: () => number) => {
  const codes = new Map<string, number>()
  return {
    code: (): string => {
      const made = `CALLBACK_${randomBytes(12).toString('hex')}`
      codes.set(made, now())
      return made
    },
    send: (body: unknown) => {
      const { data } = welcomeTakes.safeParse(body)
      if (!data) return no(41049, 'missing welcome_code')
      checkWelcome(data)
      const made = codes.get(data.welcome_code)
      if (made === undefined || now() > made + WELCOME_S) no(41050, 'invalid welcome_code')
      codes.delete(data.welcome_code)
      return {}
    },
  }
}
const openMisbehaviours = () => {
  const plans: (Misbehaviour & { left: number })[] = []
  return {
    plan: (how: Misbehaviour) => void plans.push({ ...how, left: how.times ?? 1 }),
    of: (path: string): Misbehaviour | undefined => {
      const found = plans.find(one => one.left > 0 && path.endsWith(one.path ?? ''))
      if (found) found.left -= 1
      return found
    },
  }
}

/**
 * A WeCom of our own for trials and tests: it speaks WeCom's HTTP on a port of this machine alone,
 * with its errcodes, cursors, quotas and tokens that end, over the objects of `wecom_corp_object`.
 * What it is told survives a restart; nothing leaves the house.
 */
export const embeddedWecom = ({
  database,
  keys,
  now = unixNow,
  perMinute = PER_MINUTE,
}: Options): EmbeddedWecom => {
  const tokens = openTokens(keys, now)
  const count = openQuota(perMinute, now)
  const welcomes = openWelcomes(now)
  const misbehaviours = openMisbehaviours()
  const asked: string[] = []
  const hearers: ((settled: readonly CorpTransfer[]) => void)[] = []

  const settle = async () => {
    if (!(await transfersDue(corpIn(database.db, now())))) return
    const settled = await database.transaction(tx => settleTransfers(corpIn(tx, now())))
    for (const hear of hearers) hear(settled)
  }
  /** Writes come one after the other, so that each finds what the one before has left. */
  const inTurn = (route: CorpRoute, of: never) =>
    database.transaction(async tx => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('wecom_corp_object'))`)
      return route.does(of, corpIn(tx, now()))
    })
  const answer = async (path: string, request: FastifyRequest): Promise<object> => {
    const { access_token, ...query } = request.query as Record<string, string>
    if (path === '/cgi-bin/gettoken') return tokens.give(query)
    tokens.check(access_token)
    count(path)
    if (path === '/cgi-bin/media/upload') return uploaded(request, corpIn(database.db, now()))
    if (path.endsWith('/send_welcome_msg')) return welcomes.send(bodyOf(request))
    const route = routes[path]
    if (!route) return no(48002, 'api forbidden')
    await settle()
    const { data, success } = route.takes.safeParse(
      request.method === 'GET' ? query : bodyOf(request),
    )
    if (!success) return no(route.bad, 'invalid parameter')
    return route.writes
      ? inTurn(route, data as never)
      : route.does(data as never, corpIn(database.db, now()))
  }
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0]!
    asked.push(path)
    if (asked.length > ASKED_MOST) asked.shift()
    const bad = misbehaviours.of(path)
    if (bad?.does === 'expire') tokens.expire()
    if (bad && (await badBefore(bad, request, reply))) return reply
    const said = await saidOf(() => answer(path, request))
    if (bad?.does === 'lose') return hangUp(request, reply)
    return reply.send(said)
  }
  let opened: { app: FastifyInstance; url: Promise<string> } | undefined
  const open = () => {
    const app = Fastify({ bodyLimit: MEDIA_BYTES, forceCloseConnections: true })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    app.all('/*', handle)
    return { app, url: app.listen({ port: 0, host: '127.0.0.1' }) }
  }
  return {
    keys,
    url: () => (opened ??= open()).url,
    misbehave: misbehaviours.plan,
    asked: () => asked,
    welcomeCode: welcomes.code,
    onSettled: hear => void hearers.push(hear),
    close: async () => {
      await opened?.url.catch(() => {})
      await opened?.app.close()
      opened = undefined
    },
  }
}

const uploaded = async (request: FastifyRequest, corp: Corp) => {
  const { type = '' } = request.query as { type?: string }
  const most = MOST_BYTES[type] ?? no(40005, 'invalid type')
  const form = await new Response(request.body as Uint8Array<ArrayBuffer>, {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  })
    .formData()
    .catch(() => no(41005, 'missing media'))
  const file = form.get('media')
  if (!(file instanceof File) || file.size < LEAST_BYTES || file.size > most)
    return no(40006, 'invalid media size')
  const made = { media_id: corp.id('3'), type, created_at: corp.now }
  await corp.put('media', made.media_id, { ...made, name: file.name })
  return { ...made, created_at: String(made.created_at) }
}
const bodyOf = ({ body }: FastifyRequest): unknown => {
  try {
    return JSON.parse(String(body))
  } catch {
    return no(40058, 'wrong json format')
  }
}
const saidOf = async (answer: () => Promise<object>): Promise<object> => {
  try {
    return { errcode: 0, errmsg: 'ok', ...(await answer()) }
  } catch (error) {
    if (error instanceof CorpRefusal) return { errcode: error.errcode, errmsg: error.message }
    // A database that is away is WeCom's own trouble here: it says that it is busy.
    return { errcode: -1, errmsg: 'system busy' }
  }
}
const hangUp = (request: FastifyRequest, reply: FastifyReply) => {
  reply.hijack()
  request.raw.socket.destroy()
  return reply
}
/** Misbehaves in the place of an answer; false where the call goes on. */
const badBefore = async (
  bad: Misbehaviour,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> => {
  switch (bad.does) {
    case 'drop':
      hangUp(request, reply)
      return true
    case 'refuse':
      await reply.send({ errcode: bad.code, errmsg: 'refused, hint: [1], from ip: 10.1.2.3' })
      return true
    case 'garble':
      await reply.type('text/html').send('<html>')
      return true
    case 'http':
      await reply.code(bad.status).send()
      return true
    case 'slow':
      await later(bad.ms)
      return false
    default:
      return false
  }
}
