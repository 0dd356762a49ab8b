// Run @embedded too: what changed is told by the database’s own messages.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { eq } from 'drizzle-orm'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admin } from '#src/areas/people/people.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { home } from '#src/modules/home/contract.ts'
import { session } from '#src/modules/session/contract.ts'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { endSessionsOf } from '#src/server/sessions/sessions.ts'
import { copyOfTemplate, onlyOn } from '../farm.ts'
import { freePort } from '../farm/postgres.ts'
import { temporaryFolder } from '../farm/temporary.ts'
import { addStaff, openApp, send, type Said } from '../help/app.ts'

let url: string | undefined
let database: Database
let app: App
let origin: string
beforeAll(async () => {
  const copy = await copyOfTemplate()
  url = copy.options.url
  database = await openDatabase(copy.options)
  app = await openApp(database, url ? { databaseUrl: url } : {})
  origin = await app.fastify.listen({ port: 0, host: '127.0.0.1' })
  return async () => {
    await app.close()
    await database.close()
    await copy.remove()
  }
})

/** A stream as the console reads it. */
const listen = async (at: string, token: string, last?: string) => {
  const stop = new AbortController()
  const response = await fetch(`${at}/api/manageback/events`, {
    headers: {
      'authori-zation': `Bearer ${token}`,
      region: 'pro',
      ...(last && { 'last-event-id': last }),
    },
    signal: stop.signal,
  })
  const heard: EventSourceMessage[] = []
  let ended = false
  const parser = createParser({ onEvent: event => void heard.push(event) })
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body!)
      parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }))
  })()
    .catch(() => {})
    .finally(() => {
      ended = true
    })
  const hear = async (event: string, holds = '') => {
    for (let i = 0; i < 400; i++) {
      const found = heard.find(one => one.event === event && one.data.includes(holds))
      if (found) return found
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    throw new Error(`not heard: ${event} ${holds}; heard ${JSON.stringify(heard)}`)
  }
  return {
    response,
    heard,
    hear,
    ended: () => ended,
    close: async () => {
      stop.abort()
      await reading
    },
  }
}
const change = (token: string): Promise<Said> =>
  send(app, home.saveSettings, { card_order: ['a'] }, { token })

describe('the live stream', () => {
  it('needs a session, as every call does', async () => {
    const refused = await fetch(`${origin}/api/manageback/events`)
    expect([refused.status, await refused.json()]).toMatchObject([401, { status: 410000 }])
  })
  it('tells what a write changed, by whom, to everybody', async () => {
    const [one, two] = [await addStaff(database), await addStaff(database)]
    const stream = await listen(origin, two.token)
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
    expect((await change(one.token)).status).toBe(200)
    expect(JSON.parse((await stream.hear('change', `"by":${one.id}`)).data)).toEqual({
      tags: ['me'],
      by: one.id,
    })
    await stream.close()
  })
  it('resumes after a break, and says when it can not', async () => {
    const one = await addStaff(database)
    const first = await listen(origin, one.token)
    await change(one.token)
    const { id } = await first.hear('change', `"by":${one.id}`)
    await first.close()
    await change(one.token)
    const resumed = await listen(origin, one.token, id)
    await resumed.hear('change', `"by":${one.id}`)
    expect(resumed.heard).toHaveLength(1)
    await resumed.close()
    const lost = await listen(origin, one.token, 'other.7')
    await lost.hear('reset')
    await lost.close()
  })
  it('closes when the session ends, and only then', async () => {
    const [one, two] = [await addStaff(database), await addStaff(database)]
    const [mine, other] = [await listen(origin, one.token), await listen(origin, two.token)]
    await send(app, session.signOut, {}, { token: one.token })
    expect(JSON.parse((await mine.hear('ended')).data)).toEqual({ status: 410000 })
    for (let i = 0; i < 100 && !mine.ended(); i++)
      await new Promise(resolve => setTimeout(resolve, 10))
    expect([mine.ended(), other.ended()]).toEqual([true, false])
    await other.close()
  })
  it('is counted, and forgotten when its reader leaves', async () => {
    const one = await addStaff(database)
    const before = app.events.listeners()
    const streams = await Promise.all(Array.from({ length: 20 }, () => listen(origin, one.token)))
    expect(app.events.listeners()).toBe(before + 20)
    await Promise.all(streams.map(stream => stream.close()))
    for (let i = 0; i < 100 && app.events.listeners() > before; i++)
      await new Promise(resolve => setTimeout(resolve, 10))
    expect(app.events.listeners()).toBe(before)
  })
})

onlyOn('postgres')('two processes on one PostgreSQL', () => {
  let other: string
  let child: ChildProcess
  beforeAll(async () => {
    const port = await freePort()
    child = spawn(process.execPath, ['--import', './src/source.mjs', 'src/serve.ts'], {
      env: {
        PATH: process.env['PATH'],
        NODE_OPTIONS: process.env['NODE_OPTIONS'],
        TEST_CLOCK_OFFSET: process.env['TEST_CLOCK_OFFSET'],
        DATABASE_URL: url,
        PORT: String(port),
        MALLET_LOG: 'error',
        MALLET_DATA: temporaryFolder('second'),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    await new Promise<void>((ready, fail) => {
      child.stderr!.on('data', (chunk: Buffer) => {
        said += String(chunk)
        if (said.includes('is ready')) ready()
      })
      child.once('exit', () => fail(new Error(said)))
    })
    other = `http://127.0.0.1:${port}`
  }, 60_000)
  // Said beside what begins it: a hook that is named while another runs is not heard of.
  afterAll(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  const changeThere = async (token: string) => {
    const answer = await fetch(`${other}/api/manageback/home/settings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'authori-zation': `Bearer ${token}` },
      body: '{"card_order":["b"]}',
    })
    expect((await answer.json()).status).toBe(200)
  }
  it('hear each other’s changes, once', async () => {
    const one = await addStaff(database)
    const [here, there] = [await listen(origin, one.token), await listen(other, one.token)]
    await change(one.token)
    await there.hear('change', `"by":${one.id}`)
    await changeThere(one.token)
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(here.heard.filter(event => event.data.includes(`"by":${one.id}`))).toHaveLength(2)
    expect(there.heard.filter(event => event.data.includes(`"by":${one.id}`))).toHaveLength(2)
    await Promise.all([here.close(), there.close()])
  })
  it('end each other’s streams', async () => {
    const one = await addStaff(database)
    const there = await listen(other, one.token)
    await send(app, session.signOut, {}, { token: one.token })
    await there.hear('ended')
    await there.close()
  })
  it('do not tell of what was rolled back', async () => {
    const one = await addStaff(database)
    const there = await listen(other, one.token)
    await database
      .transaction(async tx => {
        await app.events.announce(tx, { tags: ['never'], by: 0 })
        throw new Error('rolled back')
      })
      .catch(() => {})
    await change(one.token)
    await there.hear('change', `"by":${one.id}`)
    expect(there.heard.some(event => event.data.includes('never'))).toBe(false)
    await there.close()
  })
  it('reset their streams when the connection that hears the others was lost', async () => {
    const one = await addStaff(database)
    const here = await listen(origin, one.token)
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mallet events' and datname = current_database()`,
    )
    await here.hear('reset')
    await changeThere(one.token)
    await here.hear('change', `"by":${one.id}`)
    await here.close()
  })
  it('kicked in one, is out in the other at once', async () => {
    const one = await addStaff(database)
    await database.transaction(tx => endSessionsOf(tx, one.id, 'kicked', unixNow()))
    expect(
      (
        await (
          await fetch(`${other}/api/manageback/session/me`, {
            headers: { 'authori-zation': `Bearer ${one.token}` },
          })
        ).json()
      ).status,
    ).toBe(410000)
    const two = await addStaff(database)
    await database.db.update(admin).set({ status: 'disabled' }).where(eq(admin.id, two.id))
    expect(
      (
        await (
          await fetch(`${other}/api/manageback/session/me`, {
            headers: { 'authori-zation': `Bearer ${two.token}` },
          })
        ).json()
      ).status,
    ).toBe(410001)
  })
})
