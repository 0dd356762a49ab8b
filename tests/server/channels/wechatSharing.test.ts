import { describe, expect, it } from 'vitest'
import { wechatSharing } from '#src/areas/split/wechatSharing.channel.ts'
import { joined } from '#src/domain/text.ts'
import { openedByWechat, payKeys, wechatServer } from '../../help/wechatPay.ts'

/** As WeChat answers them (documentation of profit sharing, API v3). */
const shared = {
  sub_mchid: '1900000109',
  transaction_id: '4208450740201411110007820472',
  out_order_no: 'FZ1R1',
  order_id: '3008450740201411110007820472',
  state: 'FINISHED',
  receivers: [
    {
      amount: 8000,
      description: '订单分账',
      type: 'MERCHANT_ID',
      account: '1900000109',
      result: 'SUCCESS',
      detail_id: '36011111111111111111111',
      create_time: '2026-11-21T10:30:10+08:00',
      finish_time: '2026-11-21T10:31:00+08:00',
    },
    {
      amount: 500,
      description: '订单分账',
      type: 'PERSONAL_OPENID',
      account: 'o-1',
      result: 'CLOSED',
      fail_reason: 'ACCOUNT_ABNORMAL',
      detail_id: '36011111111111111111112',
      create_time: '2026-11-21T10:30:10+08:00',
      finish_time: '2026-11-21T10:31:00+08:00',
    },
  ],
}
const returned = {
  sub_mchid: '1900000109',
  order_id: shared.order_id,
  out_order_no: 'FZ1R1',
  out_return_no: 'FZ1B2',
  return_id: '3008450740201411110007820472',
  return_mchid: '1900000109',
  amount: 300,
  description: '分账回退',
  result: 'SUCCESS',
  create_time: '2026-11-22T10:30:10+08:00',
  finish_time: '2026-11-22T10:30:20+08:00',
}
const payment = { sub_mchid: '1900000109', transaction_no: '4208450740201411110007820472' }
const asked = {
  ...payment,
  out_no: 'FZ1R1',
  shares: [
    { person: false, account: '1900000109', name: '山樱餐饮', amount_cents: 8000 },
    { person: true, account: 'o-1', name: '王大明', amount_cents: 500 },
  ],
}
const back = {
  ...payment,
  out_no: 'FZ1B2',
  share_no: 'FZ1R1',
  account: '1900000109',
  amount_cents: 300,
}
type Say = Parameters<typeof wechatServer>[0]
const channelAt = async (say: Say, timeout_ms = 2000) => {
  const server = await wechatServer(say)
  return { ...server, channel: wechatSharing(payKeys, 'wx1', { api: server.api, timeout_ms }) }
}
const missing = { status: 404, json: { code: 'RESOURCE_NOT_EXISTS', message: '记录不存在' } }

describe('profit sharing by WeChat Pay', () => {
  it('adds people as receivers and shares in signed requests, names for WeChat alone', async () => {
    const { channel, asked: sent } = await channelAt(() => ({ json: shared }))
    expect(await channel.share(asked)).toEqual({
      state: 'taken',
      shares: [
        {
          account: '1900000109',
          amount_cents: 8000,
          state: 'done',
          channel_no: '36011111111111111111111',
          at: Date.parse('2026-11-21T10:31:00+08:00') / 1000,
        },
        {
          account: 'o-1',
          amount_cents: 500,
          state: 'failed',
          code: 'ACCOUNT_ABNORMAL',
          text: joined(['接收方账户异常或已注销', 'The receiver’s account is closed or abnormal']),
        },
      ],
    })
    expect(sent.map(one => [one.method, one.url, one.genuine])).toEqual([
      ['POST', '/v3/profitsharing/receivers/add', true],
      ['POST', '/v3/profitsharing/orders', true],
    ])
    const body = JSON.parse(sent[1]!.body)
    expect(body).toMatchObject({
      sub_mchid: '1900000109',
      transaction_id: payment.transaction_no,
      out_order_no: 'FZ1R1',
      unfreeze_unsplit: false,
      receivers: [
        { type: 'MERCHANT_ID', account: '1900000109', amount: 8000 },
        { type: 'PERSONAL_OPENID', account: 'o-1', amount: 500 },
      ],
    })
    expect(openedByWechat(body.receivers[1].name)).toBe('王大明')
    expect(sent[1]!.body).not.toContain('王大明')
  })
  it('that was refused is asked for: what stands in WeChat’s books counts', async () => {
    const refusal = { status: 400, json: { code: 'NOT_ENOUGH', message: '分账金额不足' } }
    const gone = await channelAt(({ method }) => (method === 'POST' ? refusal : missing))
    expect(await gone.channel.share(asked)).toMatchObject({ state: 'failed', code: 'NOT_ENOUGH' })
    const taken = await channelAt(({ method }) => (method === 'POST' ? refusal : { json: shared }))
    expect(await taken.channel.share(asked)).toMatchObject({ state: 'taken' })
    expect(taken.asked.at(-1)!.url).toBe(
      `/v3/profitsharing/orders/FZ1R1?sub_mchid=1900000109&transaction_id=${payment.transaction_no}`,
    )
  })
  it('whose answer is lost, garbled or of another number is unknown, and nothing is thrown', async () => {
    const lost = await channelAt(() => ({ silent: true }), 150)
    const other = await channelAt(() => ({ json: { ...shared, out_order_no: 'FZ2R1' } }))
    const odd = await channelAt(() => ({ json: { state: 'FINISHED' } }))
    for (const { channel } of [lost, other, odd])
      for (const answer of [
        await channel.share(asked),
        await channel.query({ ...payment, out_no: 'FZ1R1' }),
        await channel.giveBack(back),
      ])
        expect(answer.state).toBe('unknown')
  })
  it('unfreezes the rest, and a number that WeChat never heard of is told apart', async () => {
    const { channel, asked: sent } = await channelAt(() => ({
      json: { ...shared, out_order_no: 'FZ1U2', receivers: [] },
    }))
    const of = { ...payment, out_no: 'FZ1U2' }
    expect(await channel.unfreeze(of)).toEqual({ state: 'taken', shares: [] })
    expect(sent[0]!.url).toBe('/v3/profitsharing/orders/unfreeze')
    const none = await channelAt(() => missing)
    expect(await none.channel.query(of)).toMatchObject({ code: 'RESOURCE_NOT_EXISTS' })
  })
  it('takes a merchant’s share back, by the number that shared it', async () => {
    const { channel, asked: sent } = await channelAt(() => ({ json: returned }))
    expect(await channel.giveBack(back)).toMatchObject({
      state: 'taken',
      shares: [{ account: '1900000109', amount_cents: 300, state: 'done' }],
    })
    expect(JSON.parse(sent[0]!.body)).toMatchObject({
      out_order_no: 'FZ1R1',
      out_return_no: 'FZ1B2',
      return_mchid: '1900000109',
      amount: 300,
    })
    await channel.queryBack(back)
    expect(sent[1]!.url).toBe(
      '/v3/profitsharing/return-orders/FZ1B2?sub_mchid=1900000109&out_order_no=FZ1R1',
    )
    const failed = await channelAt(() => ({
      json: { ...returned, result: 'FAILED', fail_reason: 'TIME_OUT_CLOSED' },
    }))
    expect(await failed.channel.giveBack(back)).toMatchObject({
      shares: [{ state: 'failed', code: 'TIME_OUT_CLOSED' }],
    })
  })
})
