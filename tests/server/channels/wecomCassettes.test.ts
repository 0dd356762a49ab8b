/**
 * WeCom's answers as its public documentation shows them, a file for each call in tests/files/wecom
 * (`from` is the page; long examples are shortened), and what our client reads of them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { noWecom, wecomClient, type WecomClient } from '#src/areas/wecom/client.channel.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { wecomKeys } from '../../help/wecom.ts'

type Cassette = {
  from: string
  method: keyof WecomClient
  path: string
  asks: unknown[]
  answer: object
  reads: unknown
}
const folder = new URL('../../files/wecom/', import.meta.url)
const cassettes = readdirSync(folder)
  .toSorted()
  .map(file => {
    const cassette = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Cassette
    return [file, cassette] as const
  })
const json = (body: object) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
const token = { errcode: 0, errmsg: 'ok', access_token: 'accesstoken000001', expires_in: 7200 }

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
/** A client whose WeCom answers one thing, and the paths that it was asked. */
const answering = (answer: object) => {
  const asked: string[] = []
  const client = wecomClient({ ...wecomKeys, corp_id: 'wwCassettes' }, database, {
    api: 'https://qyapi.test',
    fetch: async to => {
      const { pathname } = new URL(String(to))
      if (pathname === '/cgi-bin/gettoken') return json(token)
      asked.push(pathname)
      return json(answer)
    },
  })
  const ask = (of: Cassette) =>
    (client[of.method] as (...asks: unknown[]) => Promise<unknown>)(...of.asks)
  return { asked, client, ask }
}

describe('an answer of WeCom’s documentation', () => {
  it.each(cassettes)('%s is read as it is meant', async (_, of) => {
    const { asked, ask } = answering(of.answer)
    expect(await ask(of)).toEqual({ said: of.reads })
    expect(asked).toEqual([of.path])
    expect(of.from).toMatch(/^https:\/\/developer\.work\.weixin\.qq\.com\/document\/path\/\d+$/)
  })
  it.each(cassettes)('%s with an errcode of its own is a fault', async (_, of) => {
    const { ask } = answering({ errcode: 48002, errmsg: 'api forbidden, hint: [1]' })
    expect(await ask(of)).toMatchObject({ fault: { code: 48002, kind: 'setup' } })
  })
  it('of a file that was put there has its time as a text', async () => {
    const { client } = answering({
      errcode: 0,
      errmsg: '',
      type: 'image',
      media_id: '1G6nrLmr5EC3MMb_-zK1dDdzmd0p7cNliYu9V5w7o8K0',
      created_at: '1380000000',
    })
    const file = { name: 'a.jpg', type: 'image/jpeg', bytes: new Uint8Array([1]) }
    expect(await client.uploadMedia('image', file)).toMatchObject({
      said: { type: 'image', created_at: 1_380_000_000 },
    })
  })
  it('stands for every call that the client has', () => {
    const methods = Object.entries(noWecom).flatMap(([name, is]) =>
      typeof is === 'function' && name !== 'uploadMedia' ? [name] : [],
    )
    expect(new Set(cassettes.map(([, of]) => of.method as string))).toEqual(new Set(methods))
  })
})
