import { lineOf, ours } from '#src/areas/ledger/ledger.ts'
import { post, type Posted } from '#src/areas/ledger/post.server.ts'
import { yuan } from '#src/domain/money.ts'
import { joined } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'

type Sweep = { at: number; amount_cents: number; bank_no: string; me: number; now: number }
/**
 * Posts what WeChat Pay paid out to the bank, once by the bank's own number. Throws 422
 * `sweep_known` where that number is down already, and `sweep_later` for a day that has not come.
 */
export const sweepToBank = async (
  tx: Db,
  { at, amount_cents, bank_no, me, now }: Sweep,
): Promise<Posted> => {
  if (dateOf(at) > dateOf(now))
    throw ruled('sweep_later', ['到账日期不能晚于今天', 'Can’t be later than today'])
  const posted = await post(tx, {
    biz: 'bank_sweep',
    biz_id: 0,
    biz_no: bank_no,
    idem_key: `sweep:${bank_no}`,
    at: Math.min(at, now),
    memo: joined([
      `微信结算到账 ${yuan(amount_cents)} 元，银行流水号 ${bank_no}`,
      `WeChat paid out ¥${yuan(amount_cents)}, bank no. ${bank_no}`,
    ]),
    maker_id: me,
    lines: [
      ...lineOf(ours('bank_cash'), amount_cents),
      ...lineOf(ours('wechat_cash'), -amount_cents),
    ],
  })
  if (!posted.fresh)
    throw ruled('sweep_known', [
      `银行流水号 ${bank_no} 已登记为凭证 ${posted.no}`,
      `${bank_no} is down already, as ${posted.no}`,
    ])
  return posted
}
