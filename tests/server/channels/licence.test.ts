import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { httpLicence, noLicence } from '#src/areas/merchant/licence.channel.ts'

const png = new Uint8Array([137, 80, 78, 71])

describe('a service that reads licences', () => {
  let say: (response: ServerResponse) => void = () => {}
  const asked: { type: IncomingMessage['headers']['content-type']; bytes: Buffer }[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        asked.push({ type: request.headers['content-type'], bytes: Buffer.concat(parts) })
        say(response)
      })
  }).listen(0, '127.0.0.1')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const read = (timeout_ms = 10_000) =>
    httpLicence(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
      timeout_ms,
    }).read(png)
  it('is sent the picture, and its lines are read', async () => {
    say = response => response.end(JSON.stringify({ lines: ['名称 小满', '类型'], more: 1 }))
    expect(await read()).toEqual({ ok: true, lines: ['名称 小满', '类型'] })
    expect(asked).toEqual([{ type: 'image/png', bytes: Buffer.from(png) }])
  })
  it.each<[string, (response: ServerResponse) => void, RegExp, number?]>([
    ['a fault', response => response.writeHead(500).end('x'), /HTTP 500/],
    ['no JSON', response => response.end('<html>'), /无法识别/],
    ['another shape', response => response.end('{"lines":[1]}'), /无法识别/],
    [
      'too many lines',
      response => response.end(JSON.stringify({ lines: Array(501).fill('a') })),
      /无法识别/,
    ],
    ['silence', () => {}, /没有应答/, 150],
    ['a broken line', response => response.destroy(), /无法连接/],
    ['more than one can read', response => response.end(' '.repeat(300_000)), /过大/],
    ['a redirect', response => response.writeHead(302, { location: '/' }).end(), /无法连接/],
  ])(
    'that answers with %s has failed, and what to do is said',
    async (_, answer, words, timeout) => {
      say = answer
      const said = await read(timeout)
      expect(said).toEqual({
        ok: false,
        text: [expect.stringMatching(words), expect.stringMatching(/^Not read: /)],
      })
      expect(said.ok || said.text[0]).toContain('对照照片填写')
    },
  )
  it('that is switched off says so, and by what', async () => {
    expect(await noLicence.read(png)).toMatchObject({
      ok: false,
      text: [expect.stringContaining('MALLET_LICENCE'), expect.any(String)],
    })
  })
})
