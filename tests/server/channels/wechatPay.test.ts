import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { wechatPay } from '#src/areas/payment/wechatPay.channel.ts'
import { joined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { callbackBody, payKeys, signedByWechat, wechatServer } from '../../help/wechatPay.ts'

// As WeChat Pay's documents show them.
const refunded = {
  amount: {
    currency: 'CNY',
    discount_refund: 0,
    from: [],
    payer_refund: 888,
    payer_total: 888,
    refund: 888,
    settlement_refund: 888,
    settlement_total: 888,
    total: 888,
  },
  channel: 'ORIGINAL',
  create_time: '2026-11-21T10:30:15+08:00',
  funds_account: 'AVAILABLE',
  out_refund_no: 'RF1',
  out_trade_no: 'PAY1',
  promotion_detail: [],
  refund_id: '50000000382019052709732678859',
  status: 'SUCCESS',
  success_time: '2026-11-21T10:30:20+08:00',
  transaction_id: '1217752501201407033233368018',
  user_received_account: '招商银行信用卡0403',
}
const paid = {
  amount: { currency: 'CNY', payer_currency: 'CNY', payer_total: 888, total: 888 },
  appid: 'wxd678efh567hg6787',
  attach: '',
  bank_type: 'CMB_DEBIT',
  mchid: payKeys.mchid,
  out_trade_no: 'PAY1',
  payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' },
  promotion_detail: [],
  success_time: '2026-11-21T10:34:56+08:00',
  trade_state: 'SUCCESS',
  trade_state_desc: '支付成功',
  trade_type: 'JSAPI',
  transaction_id: '1217752501201407033233368018',
}
const at = (text: string) => Date.parse(text) / 1000
const ask = {
  out_no: 'RF1',
  payment_no: 'PAY1',
  amount_cents: 888,
  paid_cents: 888,
  reason: '顾客不想要了',
}
type Say = Parameters<typeof wechatServer>[0]
const channelAt = async (say: Say, timeout_ms = 10_000) => {
  const server = await wechatServer(say)
  return { ...server, channel: wechatPay(payKeys, { api: server.api, timeout_ms }) }
}

describe('a refund by WeChat Pay', () => {
  it('is asked for in a signed request, and its signed answer believed', async () => {
    const { channel, asked } = await channelAt(() => ({ json: refunded }))
    expect(await channel.refund(ask)).toEqual({
      state: 'success',
      channel_no: refunded.refund_id,
      at: at('2026-11-21T02:30:20Z'),
      amount_cents: 888,
    })
    expect(asked).toEqual([
      expect.objectContaining({
        method: 'POST',
        url: '/v3/refund/domestic/refunds',
        genuine: true,
      }),
    ])
    expect(asked[0]!.headers['wechatpay-serial']).toBe(payKeys.public_key_id)
    expect(JSON.parse(asked[0]!.body)).toEqual({
      out_trade_no: 'PAY1',
      out_refund_no: 'RF1',
      reason: '顾客不想要了',
      amount: { refund: 888, total: 888, currency: 'CNY' },
    })
  })
  it('gives a reason of at most 80 bytes, no character cut in two', async () => {
    const { channel, asked } = await channelAt(() => ({ json: refunded }))
    await channel.refund({ ...ask, reason: '甲'.repeat(100) })
    expect(JSON.parse(asked[0]!.body).reason).toBe('甲'.repeat(26))
  })
  it.each([
    ['PROCESSING', { state: 'pending' }],
    [
      'CLOSED',
      {
        state: 'failed',
        code: 'CLOSED',
        text: joined(['渠道已关闭这笔单', 'The channel has closed it']),
      },
    ],
    ['ABNORMAL', { state: 'failed', code: 'ABNORMAL' }],
    ['NEW_WORD', { state: 'unknown' }],
  ])('that is %s is told as it is', async (status, answer) => {
    const { channel } = await channelAt(() => ({ json: { ...refunded, status } }))
    expect(await channel.queryRefund('RF1')).toMatchObject(answer)
  })
  it('that is refused is failed, with the code and words in both languages', async () => {
    const { channel, asked } = await channelAt(({ method }) =>
      method === 'POST'
        ? { status: 403, json: { code: 'NOT_ENOUGH', message: '余额不足' } }
        : { status: 404, json: { code: 'RESOURCE_NOT_EXISTS', message: '退款单不存在' } },
    )
    expect(await channel.refund(ask)).toEqual({
      state: 'failed',
      code: 'NOT_ENOUGH',
      text: joined([
        '商户账户余额不足，充值后重试',
        'The merchant account has too little money; top it up and try again',
      ]),
    })
    expect(asked.map(one => one.url)).toEqual([
      '/v3/refund/domestic/refunds',
      '/v3/refund/domestic/refunds/RF1',
    ])
  })
  it('that is refused because it was taken before, its answer lost, is what stands in WeChat’s books', async () => {
    const { channel } = await channelAt(({ method }) =>
      method === 'POST'
        ? { status: 400, json: { code: 'INVALID_REQUEST', message: '订单已全额退款' } }
        : { json: refunded },
    )
    expect(await channel.refund(ask)).toMatchObject({
      state: 'success',
      channel_no: refunded.refund_id,
    })
  })
  it('that is refused while the books can’t be asked is unknown: nobody may take it for failed', async () => {
    const { channel } = await channelAt(({ method }) =>
      method === 'POST'
        ? { status: 400, json: { code: 'INVALID_REQUEST', message: '' } }
        : { status: 502 },
    )
    expect(await channel.refund(ask)).toMatchObject({ state: 'unknown' })
  })
  it('quotes the channel’s words for a code that we have none for', async () => {
    const { channel } = await channelAt(({ method }) =>
      method === 'POST'
        ? { status: 400, json: { code: 'SOMETHING_NEW', message: '新的原因' } }
        : { status: 404, json: { code: 'RESOURCE_NOT_EXISTS', message: '' } },
    )
    expect(await channel.refund(ask)).toEqual({
      state: 'failed',
      code: 'SOMETHING_NEW',
      text: joined([
        '渠道答复“新的原因”（SOMETHING_NEW）',
        'The channel says “新的原因” (SOMETHING_NEW)',
      ]),
    })
  })
})

describe('WeChat’s silence', () => {
  const forged = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const body = JSON.stringify(refunded)
  it.each<[string, Say, number?]>([
    ['no answer in time', () => ({ silent: true }), 150],
    [
      'a fault of its own',
      () => ({ status: 500, json: { code: 'SYSTEM_ERROR', message: '系统异常' } }),
    ],
    [
      'a fault by any name',
      () => ({ status: 503, json: { code: 'BANK_ERROR', message: '银行系统异常' } }),
    ],
    [
      'too many requests by any name',
      () => ({ status: 429, json: { code: 'SLOW_DOWN', message: '' } }),
    ],
    [
      'too many requests',
      () => ({ status: 429, json: { code: 'FREQUENCY_LIMITED', message: '频率限制' } }),
    ],
    ['no JSON', () => ({ body: '<html>502</html>' })],
    ['a cut answer', () => ({ body: body.slice(0, 100) })],
    ['an answer about another number', () => ({ json: { ...refunded, out_refund_no: 'RF2' } })],
    ['a success without its time', () => ({ json: { ...refunded, success_time: undefined } })],
    ['a time that is none', () => ({ json: { ...refunded, success_time: 'yesterday' } })],
    ['an amount that is none', () => ({ json: { ...refunded, amount: { refund: '888' } } })],
    ['no signature', () => ({ body, headers: {} })],
    ['somebody else’s signature', () => ({ body, headers: signedByWechat(body, { key: forged }) })],
    [
      'the signature of another body',
      () => ({ body, headers: signedByWechat(body.replace('888', '88800')) }),
    ],
    [
      'a key that is not known',
      () => ({ body, headers: signedByWechat(body, { serial: 'PUB_KEY_ID_0' }) }),
    ],
    [
      'an answer of an hour ago',
      () => ({ body, headers: signedByWechat(body, { at: unixNow() - 3600 }) }),
    ],
    [
      'a refusal that nobody signed',
      () => ({ status: 403, body: '{"code":"NOT_ENOUGH","message":""}', headers: {} }),
    ],
    [
      'a refusal of our own signature',
      () => ({ status: 401, json: { code: 'SIGN_ERROR', message: '' }, headers: {} }),
    ],
    ['a redirect', () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } })],
  ])('is %s: unknown, in words, and nothing is thrown', async (_, say, timeout) => {
    const { channel } = await channelAt(say, timeout)
    for (const answer of [
      await channel.refund(ask),
      await channel.queryRefund('RF1'),
      await channel.queryPayment('PAY1'),
    ])
      expect(answer).toEqual({
        state: 'unknown',
        text: expect.stringMatching(/微信支付.*WeChat Pay/),
      })
  })
  it('is nobody there', async () => {
    expect(await wechatPay(payKeys, { api: 'http://127.0.0.1:1' }).refund(ask)).toEqual({
      state: 'unknown',
      text: joined(['无法连接微信支付', 'WeChat Pay can’t be reached']),
    })
  })
})

describe('a payment by its number', () => {
  it.each([
    [
      'SUCCESS',
      {
        state: 'success',
        channel_no: paid.transaction_id,
        at: at('2026-11-21T02:34:56Z'),
        amount_cents: 888,
      },
    ],
    ['REFUND', { state: 'success', amount_cents: 888 }],
    ['NOTPAY', { state: 'pending' }],
    ['USERPAYING', { state: 'pending' }],
    ['CLOSED', { state: 'failed', code: 'CLOSED' }],
    ['REVOKED', { state: 'failed', code: 'REVOKED' }],
    [
      'PAYERROR',
      { state: 'failed', code: 'PAYERROR', text: joined(['付款失败', 'The payment failed']) },
    ],
  ])('that is %s', async (trade_state, answer) => {
    const { channel, asked } = await channelAt(() => ({
      json:
        trade_state === 'NOTPAY'
          ? { mchid: paid.mchid, out_trade_no: 'PAY1', trade_state }
          : { ...paid, trade_state },
    }))
    expect(await channel.queryPayment('PAY1')).toMatchObject(answer)
    expect(asked[0]).toMatchObject({
      method: 'GET',
      url: `/v3/pay/transactions/out-trade-no/PAY1?mchid=${payKeys.mchid}`,
      genuine: true,
    })
  })
  it('of another merchant is not believed; one that WeChat does not know says so by the same code as refunds do', async () => {
    expect(
      await (
        await channelAt(() => ({ json: { ...paid, mchid: '1900000002' } }))
      ).channel.queryPayment('PAY1'),
    ).toMatchObject({ state: 'unknown' })
    expect(
      await (
        await channelAt(() => ({
          status: 404,
          json: { code: 'ORDER_NOT_EXIST', message: '订单不存在' },
        }))
      ).channel.queryPayment('PAY1'),
    ).toMatchObject({ state: 'failed', code: 'RESOURCE_NOT_EXISTS' })
  })
  it('with signs in its number asks for that number only', async () => {
    const { channel, asked } = await channelAt(() => ({ json: paid }))
    await channel.queryPayment('../x?y=1&z')
    expect(asked[0]).toMatchObject({
      url: `/v3/pay/transactions/out-trade-no/..%2Fx%3Fy%3D1%26z?mchid=${payKeys.mchid}`,
      genuine: true,
    })
  })
})

describe('a callback', () => {
  const channel = wechatPay(payKeys)
  const now = unixNow()
  const { status: _, ...refund } = { ...refunded, mchid: payKeys.mchid, refund_status: 'SUCCESS' }
  const heard = (
    body: string,
    headers: Record<string, string> = signedByWechat(body, { at: now }),
  ) => channel.notice({ headers, body, now })
  it('of a payment and of a refund is opened and told', () => {
    expect(heard(callbackBody('transaction', paid))).toEqual({
      kind: 'payment',
      out_no: 'PAY1',
      answer: {
        state: 'success',
        channel_no: paid.transaction_id,
        at: at('2026-11-21T02:34:56Z'),
        amount_cents: 888,
      },
    })
    expect(heard(callbackBody('refund', refund))).toEqual({
      kind: 'refund',
      out_no: 'RF1',
      answer: {
        state: 'success',
        channel_no: refund.refund_id,
        at: at('2026-11-21T02:30:20Z'),
        amount_cents: 888,
      },
    })
    expect(
      heard(
        callbackBody('refund', { ...refund, refund_status: 'ABNORMAL', success_time: undefined }),
      ),
    ).toMatchObject({ answer: { state: 'failed', code: 'ABNORMAL' } })
  })
  it('counts within five minutes of its signature, and not a second longer', () => {
    const body = callbackBody('refund', refund)
    for (const [off, known] of [
      [0, true],
      [-300, true],
      [300, true],
      [-301, false],
      [301, false],
    ] as const)
      expect(heard(body, signedByWechat(body, { at: now + off })) !== null, String(off)).toBe(known)
  })
  it('with any one thing changed is not WeChat’s', () => {
    const body = callbackBody('refund', refund)
    const headers = signedByWechat(body, { at: now })
    for (const [name, value] of Object.entries(headers)) {
      expect(
        heard(body, {
          ...headers,
          [name]: value.replace(/^./, first => (first === '0' ? '1' : '0')),
        }),
        name,
      ).toBeNull()
      expect(heard(body, { ...headers, [name]: '' }), `no ${name}`).toBeNull()
    }
    for (let place = 0; place < body.length; place += 7)
      expect(heard(body.slice(0, place) + '!' + body.slice(place + 1), headers)).toBeNull()
    expect(heard(body, headers)).not.toBeNull()
  })
  it('sealed with another key, for another merchant, or of another shape is not ours, though signed', () => {
    expect(heard(callbackBody('refund', refund, 'x'.repeat(32)))).toBeNull()
    expect(heard(callbackBody('refund', { ...refund, mchid: '1900000002' }))).toBeNull()
    expect(heard(callbackBody('refund', paid))).toBeNull()
    for (const body of [
      '',
      '{}',
      '[]',
      'null',
      '{"resource":{}}',
      callbackBody('refund', refund).replace('AEAD_AES_256_GCM', 'NONE'),
      callbackBody('refund', refund).replace(
        /"ciphertext":"[^"]*"/,
        '"ciphertext":"AAAAAAAAAAAAAAAAAAAAAAAA"',
      ),
    ])
      expect(heard(body), body).toBeNull()
  })
  it('that only probes our verification is refused', () => {
    const body = callbackBody('refund', refund)
    expect(
      heard(body, {
        ...signedByWechat(body, { at: now }),
        'wechatpay-signature': 'WECHATPAY/SIGNTEST/yYoMFK6bsp1k3SZj1ZFDeT',
      }),
    ).toBeNull()
  })
})
