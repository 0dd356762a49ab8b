import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as later } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { usualConnections } from '#src/server/http/connections.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, OPERATORS } from '../help/app.ts'

const EACH = 30
const STREAMS = 20
let database: Database
let app: App
let port: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, {
    connections: {
      headers_ms: 300,
      request_ms: 600,
      idle_ms: 900,
      kept_ms: 700,
      check_ms: 100,
      each: EACH,
    },
  })
  await app.fastify.listen({ port: 0, host: '127.0.0.1' })
  port = (app.fastify.server.address() as AddressInfo).port
})
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
/** A connection that has sent `text` and nothing more; whether it is over, and what it heard. */
const line = (text = '', at = port) => {
  const socket = connect(at, '127.0.0.1')
  sockets.push(socket)
  const state = { over: false, heard: '', socket }
  socket.on('data', chunk => {
    state.heard += String(chunk)
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    state.over = true
  })
  if (text) socket.write(text)
  return state
}
const over = (state: { over: boolean }) =>
  expect.poll(() => state.over, { timeout: 5000 }).toBe(true)

describe('a connection is closed', () => {
  it('that sends nothing', () => over(line()))
  it('whose head never ends', () => over(line('GET /healthz HTTP/1.1\r\nhost: x\r\n')))
  it('whose body stops in the middle', () =>
    over(
      line(
        'POST /api/manageback/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a',
      ),
    ))
  it('whose body drips for ever', async () => {
    const drips = line(
      'POST /api/manageback/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n',
    )
    const drip = setInterval(() => drips.socket.writable && drips.socket.write(' '), 50)
    await over(drips)
    clearInterval(drip)
  })
  it('that never reads its answers', async () => {
    const deaf = line()
    deaf.socket.pause()
    const asked =
      `GET /api/docs HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${OPERATORS}\r\n\r\n`.repeat(12)
    deaf.socket.write(asked)
    await later(200)
    const held = () =>
      new Promise<number>((done, fail) =>
        app.fastify.server.getConnections((error, n) => (error ? fail(error) : done(n))),
      )
    expect(await held()).toBe(1)
    await expect.poll(held, { timeout: 5000 }).toBe(0)
  })
  it('within a minute, by the usual limits', () => {
    const { headers_ms, request_ms, idle_ms, check_ms } = usualConnections
    for (const most of [headers_ms, request_ms, idle_ms])
      expect(most + check_ms).toBeLessThanOrEqual(60_000)
  })
  it('and one that is used is not', async () => {
    const used = line()
    for (let i = 0; i < 6; i++) {
      used.socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
      await later(300)
    }
    expect(used.over).toBe(false)
    expect(used.heard.match(/HTTP\/1\.1 200/g)).toHaveLength(6)
  })
})

describe('of one', () => {
  let usual: App
  let other: number
  beforeAll(async () => {
    usual = await openApp(database, { connections: { each: EACH } })
    await usual.fastify.listen({ port: 0, host: '127.0.0.1' })
    other = (usual.fastify.server.address() as AddressInfo).port
  })
  it('address only so many connections are held', async () => {
    const lines = Array.from({ length: EACH + 5 }, () => line('', other))
    await expect.poll(() => lines.filter(one => one.over).length).toBe(5)
  })
  it('session only so many streams: one more ends the oldest', async () => {
    const { token } = await addStaff(database)
    const streams: ReturnType<typeof line>[] = []
    const before = usual.events.listeners()
    for (let i = 0; i < STREAMS + 2; i++) {
      const stream = line(
        `GET /api/manageback/events HTTP/1.1\r\nhost: x\r\nauthori-zation: Bearer ${token}\r\n\r\n`,
        other,
      )
      streams.push(stream)
      await expect.poll(() => stream.heard).toContain('welcome')
    }
    const ended = () => streams.map(one => one.heard.endsWith('0\r\n\r\n'))
    await expect.poll(ended).toEqual(streams.map((_, i) => i < 2))
    expect(usual.events.listeners()).toBeLessThanOrEqual(before + STREAMS)
  })
})
