import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '#src/server/http/app.ts'
import type { Said as Answered } from './app.ts'

type Said = {
  status: number
  code: string
  data: Answered['data']
  message: { zh: string; en: string }
  fields?: { zh: Record<string, string>; en: Record<string, string> }
}
type Client = {
  cards: () => Promise<Said>
  balance: () => Promise<Said>
  issue: (of: object) => Promise<Said>
  order: (out_no: string) => Promise<Said>
  giveBack: (out_no: string, of: object) => Promise<Said>
  statement: (month: string, after?: number) => Promise<Said>
  secretOf: (card: { card_no: string; secret: string }) => string
  lookUp: (code: string) => Promise<Said>
  redeem: (of: object) => Promise<Said>
  bill: (month: string) => Promise<Said>
}
/** A client that knows the document alone: it is the code that stands in it. */
export const clientOfDocument = async () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/partner-api.md'), 'utf8')
  const [, code] = /```js\n([\s\S]*?)```/.exec(text)!
  const { partner } = await import(
    /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(code!).toString('base64')}`
  )
  return partner as (of: object) => Client
}
export type Init = { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string }
/** Carries a client's requests to a server from an address, and keeps what they were. */
export const carrierTo = (app: App, ip: string) => {
  const seen: { url: string; init: Init }[] = []
  const carry = async (address: string, init: Init) => {
    const url = address.replace(/^https:\/\/[^/]+/, '')
    seen.push({ url, init })
    const { body, ...rest } = init
    const answered = await app.fastify.inject({
      ...rest,
      url,
      remoteAddress: ip,
      ...(body !== undefined && { payload: body }),
    })
    return {
      status: answered.statusCode,
      text: async () => answered.body,
      headers: { get: (name: string) => answered.headers[name] ?? null },
    }
  }
  return { seen, carry }
}
