import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { and, eq, lte, sql } from 'drizzle-orm'
import type { Database } from '#src/server/db/database.ts'
import { silence, type WecomFault } from './wecomFault.ts'
import { wecom_token } from './wecomPort.table.ts'

export type WecomKeys = { corp_id: string; secret: string }
type Fetched = { token: string; expires_in: number } | { fault: WecomFault }
type Got = { token: string } | { fault: WecomFault }
type Row = typeof wecom_token.$inferSelect
type Of = {
  database: Pick<Database, 'db'>
  keys: WecomKeys
  /** Asks WeCom for a token. */
  fetchToken: () => Promise<Fetched>
  now: () => number
  sleep: (ms: number) => Promise<unknown>
}

/** Longer than WeCom takes to answer: a process that died over it keeps nobody waiting for ever. */
const LEASE_S = 15
/** A token is not used in its last minute: the call that carries it takes its time. */
const SPARE_S = 60
/** A secret that is refused is not tried by everybody in turn. */
const REFUSED_S = 5
const LOOK_MS = 100
const LOOKS = (LEASE_S * 1000) / LOOK_MS + 20

/** How a secret is known in the database. */
export const ownerOf = ({ corp_id, secret }: WecomKeys): string =>
  createHash('sha256').update(`wecom\n${corp_id}\n${secret}`).digest('hex')
const sealerFrom = ({ corp_id, secret }: WecomKeys) => {
  const key = createHash('sha256').update(`wecom token\n${corp_id}\n${secret}`).digest()
  return {
    seal: (token: string): string => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
    },
    open: (text: string | null): string | undefined => {
      if (!text) return undefined
      try {
        const bytes = Buffer.from(text, 'base64')
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), {
          authTagLength: 16,
        }).setAuthTag(bytes.subarray(12, 28))
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString()
      } catch {
        // A row that was changed by hand is as good as none.
        return undefined
      }
    },
  }
}

/** The row of one secret. */
const rowOf = ({ db }: Pick<Database, 'db'>, owner: string, now: () => number) => {
  const mine = eq(wecom_token.owner, owner)
  const set = async (values: Partial<Omit<Row, 'owner'>>): Promise<void> =>
    void (await db.update(wecom_token).set(values).where(mine))
  return {
    set,
    kept: async (): Promise<Row | undefined> =>
      (await db.select().from(wecom_token).where(mine))[0],
    /** Whether this process is the one to fetch, as the row still is what it was seen to be. */
    lease: async (seen: Row | undefined): Promise<boolean> => {
      const lease_until = now() + LEASE_S
      if (!seen) {
        const made = await db
          .insert(wecom_token)
          .values({ owner, lease_until })
          .onConflictDoNothing({ target: wecom_token.owner })
          .returning({ owner: wecom_token.owner })
        return made.length > 0
      }
      const taken = await db
        .update(wecom_token)
        .set({ lease_until, fault_code: null, fault_text: null })
        .where(
          and(
            mine,
            lte(wecom_token.lease_until, now()),
            sql`${wecom_token.sealed} is not distinct from ${seen.sealed}`,
          ),
        )
        .returning({ owner: wecom_token.owner })
      return taken.length > 0
    },
  }
}
/**
 * The access token of one secret, kept in the database for all processes. One of them fetches a new
 * one while the others wait for its row; `worn` is the token that WeCom did not take, so that
 * whoever comes late with it gets the newer one instead of fetching again.
 */
export const wecomTokens = ({ database, keys, fetchToken, now, sleep }: Of) => {
  const { seal, open } = sealerFrom(keys)
  const { set, kept, lease } = rowOf(database, ownerOf(keys), now)
  const renew = async (): Promise<Got> => {
    const fetched = await fetchToken()
    if ('fault' in fetched) {
      const { code, kind, text } = fetched.fault
      await set({
        lease_until: kind === 'setup' ? now() + REFUSED_S : 0,
        fault_code: code,
        fault_text: JSON.stringify(text),
      })
      return fetched
    }
    await set({
      sealed: seal(fetched.token),
      expires_at: now() + fetched.expires_in,
      renewed_at: now(),
      lease_until: 0,
      fault_code: null,
      fault_text: null,
    })
    return { token: fetched.token }
  }
  const seek = async (worn?: string): Promise<Got> => {
    for (let look = 0; look < LOOKS; look += 1) {
      const row = await kept()
      const token = row && row.expires_at > now() + SPARE_S ? open(row.sealed) : undefined
      if (token && token !== worn) return { token }
      if (row && row.fault_code !== null && row.lease_until > now())
        return {
          fault: {
            kind: 'setup',
            code: row.fault_code,
            text: JSON.parse(row.fault_text!),
            unknown: false,
          },
        }
      if (await lease(row)) return renew()
      await sleep(LOOK_MS)
    }
    return { fault: silence(['企业微信没有给出访问凭证', 'WeCom gave no access token'], false) }
  }
  const seeking = new Map<string, Promise<Got>>()
  /** Callers of one process that want the same thing ask for it once. */
  return (worn?: string): Promise<Got> => {
    const key = worn ?? ''
    const under = seeking.get(key)
    if (under) return under
    const begun = seek(worn).finally(() => seeking.delete(key))
    seeking.set(key, begun)
    return begun
  }
}
