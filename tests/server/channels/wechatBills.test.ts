import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wechatBills } from '#src/areas/reconcile/wechatBills.channel.ts'
import { joined } from '#src/domain/text.ts'
import { payKeys, wechatServer } from '../../help/wechatPay.ts'

const plain = Buffer.from('交易时间,公众账号ID\r\n`2026-11-26 12:00:00,`wx1\r\n')
const sha1 = (of: Buffer) => createHash('sha1').update(of).digest('hex')
const of = { day: '2026-11-26', form: 'trade' } as const
type Say = Parameters<typeof wechatServer>[0]
type Answer = ReturnType<Say>
/** A server that names a file and gives it; `named` and `given` say otherwise. */
const serverOf = async (
  { named = {}, given = {} }: { named?: object; given?: Answer } = {},
  timeout_ms = 2000,
) => {
  let api = ''
  const server = await wechatServer(({ url }) =>
    url.startsWith('/v3/bill/')
      ? {
          json: {
            hash_type: 'SHA1',
            hash_value: sha1(plain),
            download_url: `${api}/v3/billdownload/file?token=a%2Fb`,
            ...named,
          },
        }
      : { bytes: gzipSync(plain), headers: {}, ...given },
  )
  ;({ api } = server)
  return { ...server, source: wechatBills(payKeys, { api, timeout_ms }) }
}
/** A server that says this when it is asked which file it is. */
const saying = async (says: Answer, timeout_ms = 2000) => {
  const server = await wechatServer(() => says)
  return wechatBills(payKeys, { api: server.api, timeout_ms }).bill(of)
}
const refusing = (code: string, status = 400) =>
  saying({ status, json: { code, message: '微信的说明' } })

describe('a bill of WeChat Pay', () => {
  it('is asked for, fetched by signed requests, unpacked and held against its hash', async () => {
    const { source, asked } = await serverOf()
    expect(await source.bill(of)).toEqual({ state: 'ready', file: plain })
    expect(asked.map(one => [one.method, one.url, one.genuine])).toEqual([
      ['GET', '/v3/bill/tradebill?bill_date=2026-11-26&tar_type=GZIP&bill_type=ALL', true],
      ['GET', '/v3/billdownload/file?token=a%2Fb', true],
    ])
  })
  it('of funds is that of the basic account', async () => {
    const { source, asked } = await serverOf()
    await source.bill({ ...of, form: 'fund' })
    expect(asked[0]!.url).toBe(
      '/v3/bill/fundflowbill?bill_date=2026-11-26&tar_type=GZIP&account_type=BASIC',
    )
  })
  it('that there is none of, or not yet, is told apart from one that is refused', async () => {
    expect(await refusing('NO_STATEMENT_EXIST')).toEqual({ state: 'none' })
    expect(await refusing('STATEMENT_CREATING')).toMatchObject({ state: 'later' })
    expect(await refusing('NO_AUTH', 403)).toMatchObject({ state: 'failed' })
    expect(await refusing('ELSE')).toEqual({
      state: 'failed',
      text: joined(['渠道答复“微信的说明”（ELSE）', 'The channel says “微信的说明” (ELSE)']),
    })
    expect(await refusing('SYSTEM_ERROR', 500)).toMatchObject({ state: 'unknown' })
    expect(await refusing('RATELIMIT_EXCEEDED', 429)).toMatchObject({ state: 'unknown' })
  })
  it('of a channel that is silent, or says what nobody signed, is not known', async () => {
    expect(await saying({ silent: true }, 50)).toMatchObject({ state: 'unknown' })
    expect(await saying({ json: {}, headers: {} })).toMatchObject({ state: 'unknown' })
    expect(await saying({ json: { hash_type: 'MD5' } })).toMatchObject({ state: 'unknown' })
  })
  it('whose hash is another than what was signed is not taken', async () => {
    const { source } = await serverOf({ given: { bytes: gzipSync(Buffer.from('another')) } })
    const told = await source.bill(of)
    expect(told).toMatchObject({ state: 'unknown' })
    expect((told as { text: string }).text).toContain('摘要不一致')
  })
  it('that is cut off at any byte is not taken', async () => {
    const packed = gzipSync(plain)
    await fc.assert(
      fc.asyncProperty(fc.nat(packed.length - 1), async at => {
        const { source } = await serverOf({ given: { bytes: packed.subarray(0, at) } })
        expect(await source.bill(of)).toMatchObject({ state: 'unknown' })
      }),
      { numRuns: 12 },
    )
  })
  it('that lies elsewhere is not asked for, as our signature would go there', async () => {
    const other = await wechatServer(() => ({ bytes: gzipSync(plain) }))
    for (const download_url of [`${other.api}/v3/billdownload/file`, 'file:///etc/passwd', 'no'])
      expect(await (await serverOf({ named: { download_url } })).source.bill(of)).toMatchObject({
        state: 'unknown',
      })
    expect(other.asked).toEqual([])
  })
  it('whose download is refused, delayed or broken is not taken', async () => {
    const given = async (answer: Answer, ms?: number) =>
      (await serverOf({ given: answer }, ms)).source.bill(of)
    expect(await given({ silent: true }, 200)).toMatchObject({ state: 'unknown' })
    expect(await given({ status: 503, bytes: Buffer.from('') })).toMatchObject({ state: 'unknown' })
    expect(await given({ status: 401, bytes: Buffer.from('') })).toMatchObject({ state: 'unknown' })
    expect(await given({ status: 403, bytes: Buffer.from('?') })).toMatchObject({
      state: 'unknown',
    })
    const refused = JSON.stringify({ code: 'NO_AUTH', message: '' })
    expect(await given({ status: 403, bytes: Buffer.from(refused) })).toMatchObject({
      state: 'failed',
    })
    expect(await given({ bytes: Buffer.alloc(9 * 1024 * 1024) })).toMatchObject({ state: 'failed' })
    expect(await given({ bytes: gzipSync(Buffer.alloc(30 * 1024 * 1024)) })).toMatchObject({
      state: 'unknown',
    })
  })
})
