import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { order } from '#src/areas/order/order.table.ts'
import { queueMessage, sendMessages } from '#src/areas/order/orderMessages.server.ts'
import { order_message } from '#src/areas/order/trail.table.ts'
import { saidIn } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Install } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../farm.ts'

let database: Database
let order_id: number
let gateway: Server
let asked: string[]
/** What the gateway does with a text: answers a status, or hangs up without a word. */
let answers: (text: string) => number | 'silence'
beforeAll(async () => {
  database = await openCopy()
  ;[{ id: order_id }] = (await database.db.select({ id: order.id }).from(order).limit(1)) as [
    { id: number },
  ]
})
beforeEach(async () => {
  asked = []
  gateway = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      const { text } = JSON.parse(body) as { text: string }
      asked.push(text)
      const said = answers(text)
      if (said === 'silence') request.destroy()
      else response.writeHead(said).end('said')
    })
  })
  await new Promise<void>(up => gateway.listen(0, '127.0.0.1', up))
  await database.db.delete(order_message).where(eq(order_message.state, 'queued'))
  await database.transaction(async tx => {
    for (const text of ['甲', '乙', '丙'])
      await queueMessage(tx, {
        order_id,
        kind: 'notice',
        phone: '13800000000',
        text,
        now: unixNow(),
      })
  })
})
afterEach(() => new Promise(done => gateway.close(done)))
const send = (url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/`) =>
  sendMessages(database.db, { gateways: { sms: url } } as Pick<Install, 'gateways'>, unixNow())
const now = async () =>
  (
    await database.db
      .select({ text: order_message.text, state: order_message.state, tries: order_message.tries })
      .from(order_message)
      .where(sql`text in ('甲', '乙', '丙') and id > (select max(id) - 3 from order_message)`)
      .orderBy(order_message.id)
  ).map(({ text, state, tries }) => `${text} ${state} ${tries}`)

describe('messages to buyers', () => {
  it('wait where the gateway says nothing: it is asked once a round, each in its turn, and each goes out once when it answers again', async () => {
    answers = () => 'silence'
    expect([await send(), asked, await now()]).toEqual([
      0,
      ['甲'],
      ['甲 queued 1', '乙 queued 0', '丙 queued 0'],
    ])
    expect([await send(), asked, await now()]).toEqual([
      0,
      ['甲', '乙'],
      ['甲 queued 1', '乙 queued 1', '丙 queued 0'],
    ])
    answers = () => 200
    asked = []
    expect([await send(), asked]).toEqual([3, ['丙', '甲', '乙']])
    expect([await send(), asked.length, await now()]).toEqual([
      0,
      3,
      ['甲 sent 2', '乙 sent 2', '丙 sent 1'],
    ])
  })
  it('do not wait for ever: what no gateway took within a day has failed, and says why', async () => {
    const none = (at: number) => sendMessages(database.db, { gateways: { sms: null } } as never, at)
    await none(unixNow() + 3600)
    expect(await now()).toEqual(['甲 queued 0', '乙 queued 0', '丙 queued 0'])
    await none(unixNow() + 86_401)
    expect(await now()).toEqual(['甲 failed 0', '乙 failed 0', '丙 failed 0'])
    const [last] = await database.db
      .select({ answer: order_message.answer })
      .from(order_message)
      .where(sql`text = '丙'`)
      .orderBy(sql`id desc`)
      .limit(1)
    expect([saidIn(last!.answer!, 'zh'), saidIn(last!.answer!, 'en')]).toEqual([
      '超过一天没有发出',
      'Not sent within a day',
    ])
  })
  it('go out in the demo, where nothing leaves the house', async () => {
    expect(await send('embedded')).toBe(3)
    expect([asked, await now()]).toEqual([[], ['甲 sent 1', '乙 sent 1', '丙 sent 1']])
  })
  it('have not been tried where no line came about, and a refusal of one keeps no other waiting', async () => {
    const gone = createServer()
    await new Promise<void>(up => gone.listen(0, '127.0.0.1', up))
    const closed = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/`
    await new Promise(done => gone.close(done))
    for (let round = 0; round < 5; round++) expect(await send(closed)).toBe(0)
    expect(await now()).toEqual(['甲 queued 0', '乙 queued 0', '丙 queued 0'])
    answers = text => (text === '乙' ? 400 : 200)
    for (let round = 0; round < 4; round++) await send()
    expect([asked, await now()]).toEqual([
      ['甲', '乙', '丙', '乙', '乙'],
      ['甲 sent 1', '乙 failed 3', '丙 sent 1'],
    ])
  })
})
