import { expect, it } from 'vitest'
import { batchSentence, type BatchSaid } from '#src/areas/redeemCode/batchSentence.ts'

const at = (day: string) => Date.parse(`${day}T00:00:00+08:00`) / 1000
const whole: BatchSaid = {
  partner: '某银行',
  code_kind: 'once',
  quantity: 12_000,
  use_limit: null,
  coupons: [
    { name: '满 100 减 20', film_cents: null },
    { name: '周末观影', film_cents: 45_00 },
  ],
  points: 30,
  membership: { plan: '畅享月卡', days: 31 },
  card: { name: '礼品卡', face_cents: 50_00 },
  goods: '保温杯',
  start_at: at('2026-08-01'),
  end_at: at('2026-09-01'),
  limit_member: 2,
  limit_phone: null,
  limit_device: 3,
  new_only: true,
  malls: 2,
}
it('a batch is one sentence: whose codes, what each gives, when, how often, to whom and where', () => {
  expect(batchSentence(whole)).toEqual([
    '某银行的 12,000 个一次性码；每次兑换得优惠券「满 100 减 20」、影票「周末观影」（最高 45.00 元）、30 积分、电子卡「礼品卡」50.00 元、会员时长「畅享月卡」31 天、实物「保温杯」；2026-08-01 00:00 至 2026-09-01 00:00 可兑换；限每位会员 2 次、每台设备 3 次；仅限新会员；限在 2 家商场兑换。',
    '12,000 one-time codes for 某银行; each redemption gives “满 100 减 20”, Film ticket “周末观影” up to ¥45.00, 30 points, E-card “礼品卡” of ¥50.00, 31 days of “畅享月卡”, Prize “保温杯”; from 2026-08-01 00:00 to 2026-09-01 00:00; at most 2 per member, 3 per device; new members only; at 2 malls.',
  ])
})
it('what is not written yet is left open', () => {
  const bare = {
    ...whole,
    partner: '',
    code_kind: 'shared' as const,
    quantity: 1,
    coupons: [],
    points: 0,
    membership: null,
    card: null,
    goods: '',
    end_at: undefined,
    limit_member: null,
    limit_device: null,
    new_only: false,
    malls: 0,
  }
  expect(batchSentence(bare)).toEqual([
    '…的 1 个通用码（每码可用 … 次）；尚未设奖励；2026-08-01 00:00 至 … 可兑换。',
    '1 shared code for …, … uses each; no reward yet; from 2026-08-01 00:00 to ….',
  ])
  expect(batchSentence({ ...bare, code_kind: 'per_phone', use_limit: 5 })[0]).toContain(
    '限每个手机号 1 次',
  )
})
it('a number or a time that is half typed is left open too', () => {
  const typed = {
    ...whole,
    quantity: Number.NaN,
    start_at: Number.NaN,
    end_at: Number.NaN,
    limit_member: Number.NaN,
    limit_device: null,
  }
  const [zh] = batchSentence(typed)
  expect(zh).toMatch(/^某银行的 … 个一次性码；.*；… 至 … 可兑换；仅限新会员；/)
})
