import { eq, sql } from 'drizzle-orm'
import { setting } from '#src/areas/people/people.table.ts'
import { joined } from '#src/domain/text.ts'
import type { Db, Install } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'

export type WeChat = NonNullable<Install['wechat']>

const TIMEOUT_MS = 10_000
/** WeChat ends a token after two hours; one that is nearly over is not begun with. */
const EARLY_S = 300
const KEY = 'wechat.access_token'
type Kept = { token: string; expires_at: number; appid: string }
let fetching: Promise<string> | undefined

/** WeChat refused or is not there; `what` may be joined. */
export const wechatFailed = (what: string) =>
  ruled('wechat', ['微信接口没有成功：{what}', 'WeChat did not answer: {what}'], { what })
/** Asks WeChat; what goes wrong on the way is told without the address. */
export const askWeChat = async (url: string, init?: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch {
    // The fault's own words hold the address, and with it the secret.
    throw wechatFailed(joined(['网络不通或超时', 'no connection, or too late']))
  }
}
/**
 * A token that still lives, from the database where another process may have put it; one of us asks
 * WeChat, the others wait for it.
 */
export const tokenOf = async (db: Db, of: WeChat, now: number, stale?: string): Promise<string> => {
  const [row] = await db.select({ value: setting.value }).from(setting).where(eq(setting.key, KEY))
  const kept = row?.value as Kept | undefined
  if (kept && kept.appid === of.appid && kept.expires_at - EARLY_S > now && kept.token !== stale)
    return kept.token
  return (fetching ??= (async () => {
    const answered = await askWeChat(
      `${of.api}/cgi-bin/token?${new URLSearchParams({ grant_type: 'client_credential', appid: of.appid, secret: of.secret })}`,
    )
    const body = (await answered.json().catch(() => ({}))) as {
      access_token?: string
      expires_in?: number
      errcode?: number
    }
    if (!body.access_token) throw wechatFailed(`errcode ${body.errcode ?? answered.status}`)
    const value: Kept = {
      token: body.access_token,
      expires_at: now + (body.expires_in ?? 7200),
      appid: of.appid,
    }
    await db
      .insert(setting)
      .values({ key: KEY, value })
      .onConflictDoUpdate({ target: setting.key, set: { value: sql`excluded.value` } })
    return value.token
  })().finally(() => {
    fetching = undefined
  }))
}
