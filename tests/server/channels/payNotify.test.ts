import { beforeAll, describe, expect, it } from 'vitest'
import type { PayNotice } from '#src/areas/payment/pay.channel.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { openApp } from '../../help/app.ts'
import { callbackBody, payKeys, signedByWechat } from '../../help/wechatPay.ts'

let app: App
let heard: PayNotice[]
let fault: Error | undefined
beforeAll(async () => {
  app = await openApp(await openCopy(), {
    pay: payKeys,
    onPayNotice: async (_, notice) => {
      if (fault) throw fault
      heard.push(notice)
    },
  })
})
const refund = {
  mchid: payKeys.mchid,
  out_trade_no: 'PAY1',
  transaction_id: '1',
  out_refund_no: 'RF1',
  refund_id: '50',
  refund_status: 'SUCCESS',
  success_time: '2026-11-21T10:30:20+08:00',
  amount: { total: 888, refund: 888, payer_total: 888, payer_refund: 888 },
}
const post = (
  kind: string,
  body: string,
  headers: Record<string, string> = signedByWechat(body),
) => {
  heard = []
  return app.fastify.inject({
    method: 'POST',
    url: `/api/notify/wechat/${kind}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: body,
  })
}

describe('what WeChat Pay tells', () => {
  it('is heard when it is signed, over the body just as it came', async () => {
    const body = callbackBody('refund', refund).replace('{', '{  ')
    const said = await post('refund', body)
    expect([said.statusCode, said.body]).toEqual([204, ''])
    expect(heard).toEqual([
      {
        kind: 'refund',
        out_no: 'RF1',
        answer: expect.objectContaining({ state: 'success', amount_cents: 888 }),
      },
    ])
  })
  it.each<[string, (body: string) => [string, Record<string, string>]]>([
    ['changed on the way', body => [`${body} `, signedByWechat(body)]],
    ['signed long ago', body => [body, signedByWechat(body, { at: 1 })]],
    ['not signed', body => [body, {}]],
  ])('is not heard when %s', async (_, make) => {
    const [body, headers] = make(callbackBody('refund', refund))
    const said = await post('refund', body, headers)
    expect([said.statusCode, said.json().code, heard]).toEqual([401, 'FAIL', []])
  })
  it('of a refund is not heard where payments are told, nor the other way', async () => {
    expect((await post('payment', callbackBody('refund', refund))).statusCode).toBe(401)
    expect(heard).toEqual([])
  })
  it('and can’t be taken just now is to be told again', async () => {
    fault = new Error('busy')
    const body = callbackBody('refund', refund)
    const said = await post('refund', body)
    expect([said.statusCode, said.json()]).toEqual([500, { code: 'FAIL', message: '处理失败' }])
    fault = undefined
    expect((await post('refund', body)).statusCode).toBe(204)
  })
  it('is at most 64 kB, and anything else is no fault of the server’s', async () => {
    expect((await post('refund', 'x'.repeat(70_000), {})).statusCode).toBe(413)
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', ''])
      expect(
        (await post('refund', '\0{', { 'content-type': type })).statusCode,
        type,
      ).toBeGreaterThanOrEqual(400)
    for (const type of ['text/plain', 'application/xml'])
      expect((await post('refund', '\0{', { 'content-type': type })).statusCode, type).toBeLessThan(
        500,
      )
    expect(
      (await app.fastify.inject({ method: 'POST', url: '/api/notify/wechat/refund' })).statusCode,
    ).toBe(401)
  })
})
it('the other ways in still read JSON', async () => {
  expect(
    (
      await app.fastify.inject({
        method: 'POST',
        url: '/api/manageback/login',
        headers: { 'content-type': 'application/json' },
        payload: '{"account":',
      })
    ).statusCode,
  ).toBe(400)
})
