import { describe, expect, it } from 'vitest'
import { wechatTransfer } from '#src/areas/payout/wechatTransfer.channel.ts'
import { joined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  callbackBody,
  openedByWechat,
  payKeys,
  signedByWechat,
  wechatServer,
} from '../../help/wechatPay.ts'

/** As WeChat answers them (documentation of transfer bills). */
const begun = {
  out_bill_no: 'TX1',
  transfer_bill_no: '1330000071100999991182020050700019480001',
  create_time: '2026-11-21T10:30:10+08:00',
  state: 'WAIT_USER_CONFIRM',
  package_info: 'affffddafdfafddffda==',
}
const bill = {
  mch_id: payKeys.mchid,
  out_bill_no: 'TX1',
  transfer_bill_no: begun.transfer_bill_no,
  appid: 'wx1',
  state: 'SUCCESS',
  transfer_amount: 8887,
  transfer_remark: '商户提现',
  openid: 'o-1',
  create_time: '2026-11-21T10:30:10+08:00',
  update_time: '2026-11-21T10:31:00+08:00',
}
const asked = {
  out_bill_no: 'TX1',
  amount_cents: 8887,
  payee_no: 'o-1',
  payee_name: '王大明',
  remark: '商户提现 TX1790000000123456 很长的备注',
}
type Say = Parameters<typeof wechatServer>[0]
const channelAt = async (say: Say, timeout_ms = 2000) => {
  const server = await wechatServer(say)
  return { ...server, channel: wechatTransfer(payKeys, 'wx1', { api: server.api, timeout_ms }) }
}
const missing = { status: 404, json: { code: 'NOT_FOUND', message: '记录不存在' } }
const at = (time: string) => Date.parse(time) / 1000

describe('a transfer by WeChat Pay', () => {
  it('is asked for in a signed request, its payee’s name for WeChat alone', async () => {
    const { channel, asked: sent } = await channelAt(() => ({ json: begun }))
    expect(await channel.transfer(asked)).toEqual({ state: 'wait' })
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: '/v3/fund-app/mch-transfer/transfer-bills',
      genuine: true,
    })
    const body = JSON.parse(sent[0]!.body) as Record<string, string>
    expect(body).toMatchObject({
      appid: 'wx1',
      out_bill_no: 'TX1',
      openid: 'o-1',
      transfer_amount: 8887,
    })
    expect(openedByWechat(body['user_name']!)).toBe('王大明')
    expect(sent[0]!.body).not.toContain('王大明')
    expect(Buffer.byteLength(body['transfer_remark']!)).toBeLessThanOrEqual(32)
    expect(sent[0]!.headers['wechatpay-serial']).toBe(payKeys.public_key_id)
  })
  it('names nobody below thirty cents, as WeChat refuses that', async () => {
    const { channel, asked: sent } = await channelAt(() => ({ json: begun }))
    await channel.transfer({ ...asked, amount_cents: 29 })
    expect(sent[0]!.body).not.toContain('user_name')
  })
  it('that was refused is asked for: what stands in WeChat’s books counts', async () => {
    const refusal = { status: 400, json: { code: 'NOT_ENOUGH', message: '余额不足' } }
    const gone = await channelAt(({ method }) => (method === 'POST' ? refusal : missing))
    expect(await gone.channel.transfer(asked)).toEqual({
      state: 'failed',
      code: 'NOT_ENOUGH',
      text: joined(['账户余额不足', 'The merchant account has too little money']),
      ended: false,
    })
    const taken = await channelAt(({ method }) => (method === 'POST' ? refusal : { json: bill }))
    expect(await taken.channel.transfer(asked)).toMatchObject({ state: 'success' })
  })
  it('whose answer is lost is unknown, and nothing is thrown', async () => {
    const { channel } = await channelAt(() => ({ silent: true }), 150)
    for (const answer of [
      await channel.transfer(asked),
      await channel.query('TX1'),
      await channel.cancel('TX1'),
    ])
      expect(answer.state).toBe('unknown')
  })
  it.each<[string, object]>([
    ['another number', { ...begun, out_bill_no: 'TX2' }],
    ['no number of its own', { ...begun, transfer_bill_no: undefined }],
    ['nothing', {}],
  ])('of which an answer has %s is not believed', async (_, json) => {
    const { channel } = await channelAt(() => ({ json }))
    expect((await channel.transfer(asked)).state).toBe('unknown')
  })
})

describe('a transfer by its number', () => {
  it.each([
    [
      'SUCCESS',
      {},
      {
        state: 'success',
        channel_no: bill.transfer_bill_no,
        at: at('2026-11-21T02:31:00Z'),
        amount_cents: 8887,
      },
    ],
    ['WAIT_USER_CONFIRM', {}, { state: 'wait' }],
    ['ACCEPTED', {}, { state: 'pending' }],
    ['PROCESSING', {}, { state: 'pending' }],
    ['TRANSFERING', {}, { state: 'pending' }],
    ['CANCELING', {}, { state: 'pending' }],
    ['CANCELLED', {}, { state: 'canceled' }],
    ['FAIL', { fail_reason: 'OVERDUE_CLOSE' }, { state: 'canceled' }],
    [
      'FAIL',
      { fail_reason: 'NAME_NOT_CORRECT' },
      {
        state: 'failed',
        code: 'NAME_NOT_CORRECT',
        text: joined(['收款人实名不符', 'The payee’s real name differs']),
        ended: true,
      },
    ],
    ['FAIL', { fail_reason: 'NEW_ONE' }, { state: 'failed', code: 'NEW_ONE', ended: true }],
    ['FAIL', {}, { state: 'failed', ended: true }],
    ['SOMETHING', {}, { state: 'unknown' }],
  ])('that is %s %j', async (state, more, expected) => {
    const { channel, asked: sent } = await channelAt(() => ({ json: { ...bill, state, ...more } }))
    expect(await channel.query('TX1')).toMatchObject(expected)
    expect(sent[0]).toMatchObject({
      method: 'GET',
      url: '/v3/fund-app/mch-transfer/transfer-bills/out-bill-no/TX1',
      genuine: true,
    })
  })
  it('that WeChat never heard of says so; one of another merchant is not believed', async () => {
    const none = await channelAt(() => missing)
    expect(await none.channel.query('TX1')).toMatchObject({
      state: 'failed',
      code: 'RESOURCE_NOT_EXISTS',
      ended: false,
    })
    const theirs = await channelAt(() => ({ json: { ...bill, mch_id: '1900000002' } }))
    expect((await theirs.channel.query('TX1')).state).toBe('unknown')
  })
  it('is canceled by its number, and then asked for', async () => {
    const { channel, asked: sent } = await channelAt(({ method }) => ({
      json: method === 'POST' ? { ...begun, state: 'CANCELING' } : { ...bill, state: 'CANCELLED' },
    }))
    expect((await channel.cancel('TX1')).state).toBe('canceled')
    expect(sent[0]!.url).toBe('/v3/fund-app/mch-transfer/transfer-bills/out-bill-no/TX1/cancel')
  })
})

describe('a callback of a transfer', () => {
  const channel = wechatTransfer(payKeys, 'wx1')
  const now = unixNow()
  const heard = (body: string, headers = signedByWechat(body, { at: now })) =>
    channel.notice({ headers, body, now })
  it('is opened and told', () => {
    expect(heard(callbackBody('mch_payment', bill))).toEqual({
      out_bill_no: 'TX1',
      answer: {
        state: 'success',
        channel_no: bill.transfer_bill_no,
        at: at('2026-11-21T02:31:00Z'),
        amount_cents: 8887,
      },
    })
  })
  it('that nobody signed, of another key, of another merchant or of a refund is none', () => {
    const body = callbackBody('mch_payment', bill)
    expect(heard(body, {} as never)).toBeNull()
    expect(heard(callbackBody('mch_payment', bill, 'x'.repeat(32)))).toBeNull()
    expect(heard(callbackBody('mch_payment', { ...bill, mch_id: '1' }))).toBeNull()
    expect(heard(callbackBody('refund', bill))).toBeNull()
    expect(heard(body, signedByWechat(body, { at: now - 301 }))).toBeNull()
  })
})
