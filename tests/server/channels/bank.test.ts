import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { httpBank, noBank } from '#src/areas/payout/bank.channel.ts'
import { NEVER_HEARD } from '#src/areas/payout/transfer.channel.ts'

const of = {
  out_bill_no: 'BV0000000001',
  amount_cents: 37,
  payee_no: '6225880012345678',
  payee_name: '王大明',
  bank_name: '招商银行',
  remark: '账户验证',
}
describe('a bank over HTTP', () => {
  let say: (response: ServerResponse) => void = () => {}
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        asked.push(JSON.parse(Buffer.concat(parts).toString('utf8')))
        say(response)
      })
  }).listen(0, '127.0.0.1')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const bank = (timeout_ms = 10_000) =>
    httpBank(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { timeout_ms })
  const answers = (body: object) => {
    say = response => response.end(JSON.stringify(body))
  }
  it('is sent a payment, and asked of its number', async () => {
    const paid = { state: 'success', channel_no: '7001', at: 1_790_000_000, amount_cents: 37 }
    answers(paid)
    expect(await bank().transfer(of)).toEqual(paid)
    expect(await bank().query(of.out_bill_no)).toEqual(paid)
    expect(asked).toEqual([
      { ask: 'transfer', ...of },
      { ask: 'query', out_bill_no: of.out_bill_no },
    ])
  })
  it('says that it failed, waits, or never heard of the number', async () => {
    answers({ state: 'failed', reason: '户名不符' })
    expect(await bank().transfer(of)).toMatchObject({
      state: 'failed',
      text: '户名不符',
      ended: true,
    })
    answers({ state: 'pending' })
    expect(await bank().transfer(of)).toEqual({ state: 'pending' })
    answers({ state: 'unheard' })
    expect(await bank().query('x')).toMatchObject({ state: 'failed', code: NEVER_HEARD })
  })
  it.each<[string, (response: ServerResponse) => void, number?]>([
    ['a fault', response => response.writeHead(500).end('x')],
    ['no JSON', response => response.end('<html>')],
    ['a success without its amount', response => response.end('{"state":"success"}')],
    ['silence', () => {}, 150],
    ['a broken line', response => response.destroy()],
  ])('that answers with %s is asked again: it may have paid', async (_, answer, timeout) => {
    say = answer
    expect((await bank(timeout).transfer(of)).state).toBe('unknown')
  })
})
it('where none is connected, pays nothing and says by what it is set up', async () => {
  expect(await noBank.transfer(of)).toMatchObject({
    state: 'failed',
    text: expect.stringContaining('BANK_TRANSFER_URL'),
  })
})
