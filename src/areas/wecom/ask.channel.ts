import { setTimeout as later } from 'node:timers/promises'
import pLimit from 'p-limit'
import { z } from 'zod'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { wecomTokens, type WecomKeys } from './token.channel.ts'
import { faultOfCode, silence, wornToken, type WecomFault } from './wecomFault.ts'
import { answers } from './wire.channel.ts'

/** What WeCom answered, or why it did not. */
export type WecomSaid<T> = { said: T } | { fault: WecomFault }
/** The figures of the port keep the path of each call and how it went. */
export type WecomAsked = { path: string; ms: number; code: number; kind: WecomFault['kind'] | 'ok' }
export type WecomAround = {
  /** WeCom's address, or how it is found when something is asked. */
  api?: string | (() => Promise<string>)
  fetch?: typeof fetch
  now?: () => number
  sleep?: (ms: number) => Promise<unknown>
  timeout_ms?: number
  /** Hears of every call that was sent. */
  heard?: (asked: WecomAsked) => void
}
type Form = { name: string; filename: string; type: string; bytes: Uint8Array<ArrayBuffer> }
/** `repeat`: asked twice it does no more than asked once. */
export type WecomAsk<T> = {
  path: string
  query?: Readonly<Record<string, string | number>>
  body?: object
  form?: Form
  shape: z.ZodType<T>
  repeat: boolean
}

const WECOM_API = 'https://qyapi.weixin.qq.com'
const TIMEOUT_MS = 10_000
/** The most bytes of an answer: a page of a hundred customers is a tenth of it. */
const MOST = 8 * 1024 * 1024
/** Pauses before a call that came too often is sent again; after the last one the caller waits. */
const PAUSES = [400, 2000]
/** WeCom counts calls under way; so many of ours stay well below. */
const AT_ONCE = 8
const status = z.looseObject({
  errcode: z.number().int().default(0),
  errmsg: z.string().default(''),
})

type Answered = { status: z.infer<typeof status>; json: unknown } | { silent: Text }
const bytesWithin = async (answered: Response): Promise<Buffer | undefined> => {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of answered.body ?? []) {
    bytes += part.length
    if (bytes > MOST) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}
const silentOf = (error: unknown, timeout_ms: number): Text => {
  if (error instanceof SyntaxError)
    return ['企业微信的应答无法识别', 'WeCom’s answer can’t be read']
  const seconds = timeout_ms / 1000
  return error instanceof DOMException && error.name === 'TimeoutError'
    ? [`企业微信 ${seconds} 秒内没有应答`, `WeCom did not answer within ${seconds} s`]
    : ['无法连接企业微信', 'WeCom can’t be reached']
}
const formOf = ({ name, filename, type, bytes }: Form): FormData => {
  const form = new FormData()
  form.append(name, new Blob([bytes], { type }), filename)
  return form
}
/** What is sent once, with a token; addresses with tokens and secrets never leave this function. */
const sender =
  ({ api = WECOM_API, fetch: ask = fetch, timeout_ms = TIMEOUT_MS }: WecomAround) =>
  async (
    { path, query, body, form }: Pick<WecomAsk<unknown>, 'path' | 'query' | 'body' | 'form'>,
    hidden: Readonly<Record<string, string>>,
  ): Promise<Answered> => {
    const search = new URLSearchParams({ ...hidden })
    for (const [name, value] of Object.entries(query ?? {})) search.set(name, String(value))
    const sends = body ? JSON.stringify(body) : form && formOf(form)
    try {
      const host = typeof api === 'string' ? api : await api()
      const answered = await ask(`${host}${path}?${search}`, {
        method: sends ? 'POST' : 'GET',
        redirect: 'error',
        signal: AbortSignal.timeout(timeout_ms),
        headers: {
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(sends && { body: sends }),
      })
      if (!answered.ok) {
        await answered.body?.cancel()
        return {
          silent: [
            `企业微信暂时不可用（HTTP ${answered.status}）`,
            `WeCom is not available (HTTP ${answered.status})`,
          ],
        }
      }
      const bytes = await bytesWithin(answered)
      if (!bytes) return { silent: ['企业微信的应答过大', 'WeCom’s answer is too long'] }
      const json: unknown = JSON.parse(bytes.toString('utf8'))
      const { data } = status.safeParse(json)
      return data
        ? { status: data, json }
        : { silent: ['企业微信的应答无法识别', 'WeCom’s answer can’t be read'] }
    } catch (error) {
      return { silent: silentOf(error, timeout_ms) }
    }
  }

/**
 * Asks WeCom one call and answers what it said, checked, or why not; it never throws for what WeCom
 * says or keeps silent about. A token that is not taken is renewed once; a call that came too often
 * is sent again after two growing pauses and no more; one without an answer is sent a second time
 * only where that does no harm, else its fault says that nobody knows whether it was done.
 */
export const wecomAsker = (
  keys: WecomKeys,
  database: Pick<Database, 'db'>,
  around: WecomAround = {},
) => {
  const { now = unixNow, sleep = later, heard = () => {} } = around
  const send = sender(around)
  const inTurn = pLimit(AT_ONCE)
  const timed = async (
    of: Parameters<typeof send>[0],
    hidden: Readonly<Record<string, string>>,
  ): Promise<Answered> => {
    const begun = performance.now()
    const answered = await inTurn(() => send(of, hidden))
    const silent = 'silent' in answered
    const code = silent ? 0 : answered.status.errcode
    const failed = silent ? ('silent' as const) : faultOfCode(code).kind
    heard({
      path: of.path,
      ms: performance.now() - begun,
      code,
      kind: silent || code !== 0 ? failed : 'ok',
    })
    return answered
  }
  const tokens = wecomTokens({
    database,
    keys,
    now,
    sleep,
    fetchToken: async () => {
      const answered = await timed(
        { path: '/cgi-bin/gettoken' },
        { corpid: keys.corp_id, corpsecret: keys.secret },
      )
      if ('silent' in answered) return { fault: silence(answered.silent, false) }
      const { errcode, errmsg } = answered.status
      if (errcode !== 0) return { fault: faultOfCode(errcode, errmsg) }
      const { data } = answers.token.safeParse(answered.json)
      return data
        ? { token: data.access_token, expires_in: data.expires_in }
        : { fault: silence(['企业微信没有给出访问凭证', 'WeCom gave no access token'], false) }
    },
  })
  const once = async <T>(of: WecomAsk<T>): Promise<WecomSaid<T>> => {
    let worn: string | undefined
    for (;;) {
      const got = await tokens(worn)
      if ('fault' in got) return got
      const answered = await timed(of, { access_token: got.token })
      if ('silent' in answered) return { fault: silence(answered.silent, !of.repeat) }
      const { errcode, errmsg } = answered.status
      if (wornToken.has(errcode) && worn === undefined) {
        worn = got.token
        continue
      }
      if (errcode !== 0)
        return { fault: faultOfCode(errcode, errmsg, errcode === -1 && !of.repeat) }
      const { data, success } = of.shape.safeParse(answered.json)
      if (success) return { said: data }
      return {
        fault: silence(['企业微信的应答无法识别', 'WeCom’s answer can’t be read'], !of.repeat),
      }
    }
  }
  const mayAgain = ({ kind, unknown }: WecomFault, tries: number): boolean =>
    !unknown && (kind === 'busy' || (kind === 'silent' && tries === 0))
  return async <T>(of: WecomAsk<T>): Promise<WecomSaid<T>> => {
    for (let tries = 0; ; tries += 1) {
      const answer = await once(of)
      const pause = PAUSES[tries]
      if ('said' in answer || pause === undefined || !mayAgain(answer.fault, tries)) return answer
      await sleep(pause * (0.75 + Math.random() / 2))
    }
  }
}
