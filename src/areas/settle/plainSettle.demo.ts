import { lineOf, merchants } from '#src/areas/ledger/ledger.ts'
import type { DemoLine, MoneyPart } from '#src/areas/ledger/money.demo.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import { merchantLeft } from './orderLines.ts'

const WEEK = 7 * DAY
/** Each week what merchants earned and is on hold no more becomes their balance. */
const weekly: MoneyPart = {
  place: 10,
  branch: 'settle',
  make: world => {
    const settle = (merchant_id: number, at: number): void => {
      const due = world
        .linesOf(merchant_id)
        .filter(line => line.status === 'freezing' && !line.held && line.freeze_until_at! <= at)
      const cents = due.reduce((all, line) => all + merchantLeft(line), 0)
      for (const line of due)
        Object.assign(line, { status: 'settled', settled_at: at } satisfies Partial<DemoLine>)
      if (cents > 0)
        world.book.post({
          biz: 'settle',
          biz_id: merchant_id,
          biz_no: `M${merchant_id}`,
          idem_key: `settle:m${merchant_id}:${at}`,
          at,
          lines: [
            ...lineOf(merchants('merchant_frozen', merchant_id), cents),
            ...lineOf(merchants('merchant_balance', merchant_id), -cents),
          ],
        })
    }
    return {
      run: ({ from, to }) => {
        const at = from + 10 * HOUR
        if (Math.floor(from / DAY) % (WEEK / DAY) !== 0 || at >= to) return
        world.at(at, () => world.merchant_ids().forEach(id => settle(id, at)))
      },
      insert: () => Promise.resolve(),
    }
  },
}
export const money: readonly MoneyPart[] = [weekly]
