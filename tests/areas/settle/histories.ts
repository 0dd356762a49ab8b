import type { Distribution } from '#src/areas/commission/selling.ts'
import { settlingOf } from '#src/areas/commission/settling.ts'
import { newBook } from '#src/areas/ledger/book.ts'
import { accountKey, distributors, lineOf, merchants, ours } from '#src/areas/ledger/ledger.ts'
import { partOf, settleOf, unitShares } from '#src/areas/order/orderMoney.ts'
import type { OrderFacts, PaidFact, RefundFact, UseFact } from '#src/areas/settle/orderBook.ts'
import { merchantLeft, type Line } from '#src/areas/settle/orderLines.ts'
import { missingPostings, openBook } from '#src/areas/settle/orderPostings.ts'
import type { FeeBearer } from '#src/areas/settle/settle.ts'
import type { SoldItem } from '#src/areas/settle/split.ts'

const AT = 1_800_000_000
const HOLD_S = 600
export type Sale = {
  coded: boolean
  qty: number
  times: number
  pay: number
  platform: number
  off: number
  bp: number
  /** Its sellers, where it has some. */
  sold?: Distribution | null
}
export type Step = {
  what: 'use' | 'unuse' | 'receive' | 'refund' | 'settle' | 'spend' | 'earn' | 'withdraw'
  n: number
}
type Pool = { left: number; pay: number; platform: number; settle: number }

/**
 * An order that lives as the house lets it, cut down to what its money needs: redemptions and refunds
 * take their shares from what a code or an item has left, as the real ones do.
 */
export const newHistory = (sales: readonly Sale[], freight_cents: number, bearer: FeeBearer) => {
  const book = newBook()
  let now = AT
  let ids = 0
  let paid = false
  let lines: Line[] = []
  const payments: PaidFact[] = []
  const uses: UseFact[] = []
  const refunds: RefundFact[] = []
  const items: SoldItem[] = sales.map((sale, at) => {
    const [pays, platforms] = [unitShares(sale.pay, sale.qty), unitShares(sale.platform, sale.qty)]
    return {
      id: at + 1,
      fulfil: sale.coded ? 'code' : 'express',
      qty: sale.qty,
      price_cents: Math.ceil((sale.pay + sale.platform + sale.off) / sale.qty),
      pay_cents: sale.pay,
      platform_cents: sale.platform,
      store_id: 3,
      merchant_id: 7 + (at % 2),
      commission_bp: sale.bp,
      distribution: sale.sold ?? null,
      times: 1,
      refunded_qty: 0,
      received_qty: 0,
      issued: false,
      codes: sale.coded
        ? pays.map((pay, n) => ({
            id: (at + 1) * 100 + n,
            times_total: sale.times,
            pay_cents: pay,
            platform_cents: platforms[n]!,
            settle_cents: settleOf(pay, platforms[n]!, sale.bp),
          }))
        : [],
    }
  })
  const due = sales.reduce((all, sale) => all + sale.pay, freight_cents)
  /** What is left of each code, and of each item that has none. */
  const pools = new Map<string, Pool>()
  for (const item of items) {
    if (item.codes.length === 0)
      pools.set(`i${item.id}`, { left: item.qty, pay: item.pay_cents, platform: 0, settle: 0 })
    for (const code of item.codes)
      pools.set(`c${code.id}`, {
        left: code.times_total,
        pay: code.pay_cents,
        platform: 0,
        settle: 0,
      })
  }
  const keys = [...pools.keys()]
  const facts = (): OrderFacts => ({
    order: {
      id: 1,
      order_no: 'EL1',
      kind: 'combo',
      freight_cents,
      member_id: 5,
      city_id: 1,
      mall_id: 2,
      pay_state: paid ? 'paid' : 'unpaid',
      paid_at: AT,
      received_at: now,
      channel: false,
      created_at: AT,
    },
    items,
    payments,
    uses,
    refunds,
    forfeits: [],
    hold_s: HOLD_S,
  })
  const posted = new Set<string>()
  const write = () => {
    const taken = new Map<string, number>()
    const opened = openBook(
      facts(),
      lines.map(line => ({ ...line, sellers: line.sellers.map(one => ({ ...one })) })),
      {
        posted: key => posted.has(key),
        newId: () => ++ids,
        bearerOf: () => bearer,
        spend: (account, cents) => {
          const key = accountKey(account)
          const some = Math.min(cents, -book.balance(account) - (taken.get(key) ?? 0))
          taken.set(key, (taken.get(key) ?? 0) + some)
          return some
        },
      },
    )
    const postings = missingPostings(opened)
    for (const one of postings) {
      posted.add(one.idem_key)
      book.post(one)
    }
    lines = opened.lines
    return postings.length
  }
  const take = (pool: Pool, n: number): number => {
    const cents = partOf(pool.pay, pool.left, n)
    pool.pay -= cents
    pool.left -= n
    return cents
  }
  const giveBack = (key: string, n: number, agreed: number) => {
    const pool = pools.get(key)!
    const code_id = key.startsWith('c') ? Number(key.slice(1)) : null
    const item = items.find(one =>
      code_id === null ? key === `i${one.id}` : one.codes.some(code => code.id === code_id),
    )!
    const share_cents = take(pool, n)
    const amount_cents = Math.round((share_cents * agreed) / 100)
    const id = refunds.length + 1
    const freight = [...pools.values()].every(one => one.left === 0) ? leftOfFreight() : 0
    const shipped = code_id === null ? Math.min(n, item.received_qty) : 0
    Object.assign(item, { received_qty: item.received_qty - shipped })
    const total = amount_cents + freight
    if (total > 0)
      payments.push({
        id: 100 + id,
        direction: 'out',
        channel: 'embedded',
        amount_cents: total,
        fee_cents: 0,
        refund_id: id,
        at: now,
      })
    refunds.push({
      id,
      no: `RF${id}`,
      done: true,
      type: 'refund_only',
      cause: 'apply',
      payment_id: null,
      freight_cents: freight,
      at: now,
      units: [
        {
          item_id: item.id,
          code_id,
          qty: n,
          paid_times: code_id === null ? 0 : n,
          shipped_qty: shipped,
          share_cents,
          amount_cents,
        },
      ],
    })
  }
  const leftOfFreight = () =>
    uses.length > 0 || items.some(item => item.received_qty > 0) ? 0 : freight_cents
  const steps: Record<Step['what'], (n: number) => void> = {
    use: n => {
      const codes = keys.filter(key => key.startsWith('c') && pools.get(key)!.left > 0)
      const key = codes[n % Math.max(1, codes.length)]
      if (!key) return
      const pool = pools.get(key)!
      const times = 1 + (n % pool.left)
      uses.push({
        id: uses.length + 1,
        code_id: Number(key.slice(1)),
        state: 'valid',
        paid_times: times,
        pay_cents: take(pool, times),
        verified_at: now,
        reversed_at: null,
        hold_until: now + HOLD_S,
      })
    },
    unuse: n => {
      const settled = new Set(
        lines.flatMap(line => (line.status === 'settled' ? line.verify_id : [])),
      )
      const valid = uses.filter(use => use.state === 'valid' && !settled.has(use.id))
      const use = valid[n % Math.max(1, valid.length)]
      if (!use) return
      Object.assign(use, { state: 'reversed', reversed_at: now })
      const pool = pools.get(`c${use.code_id}`)!
      pool.left += use.paid_times
      pool.pay += use.pay_cents
    },
    receive: n => {
      const item = items.filter(one => one.codes.length === 0)[n % 2]
      const most = item ? pools.get(`i${item.id}`)!.left : 0
      if (item && most > item.received_qty)
        Object.assign(item, {
          received_qty: item.received_qty + 1 + (n % (most - item.received_qty)),
        })
    },
    refund: n => {
      const open = keys.filter(key => pools.get(key)!.left > 0)
      const key = open[n % Math.max(1, open.length)]
      if (key) giveBack(key, 1 + (n % pools.get(key)!.left), n % 5 === 0 ? n % 100 : 100)
    },
    settle: n => {
      for (const line of lines.filter(
        (one, at) => one.status === 'freezing' && (at + n) % 2 === 0,
      )) {
        line.status = 'settled'
        const cents = merchantLeft(line)
        if (cents > 0)
          book.post({
            biz: 'settle',
            biz_id: line.id,
            biz_no: `JS${line.id}`,
            idem_key: `settle:${line.id}`,
            at: now,
            lines: [
              ...lineOf(merchants('merchant_frozen', line.merchant_id), cents),
              ...lineOf(merchants('merchant_balance', line.merchant_id), -cents),
            ],
          })
      }
    },
    earn: n => {
      for (const line of lines)
        for (const one of line.sellers) {
          if (one.status !== 'frozen' || (line.id + n) % 2 !== 0) continue
          const posting = settlingOf(
            [
              {
                ...one,
                id: line.id,
                commission_no: 'YJ',
                order_id: 1,
                line_id: line.id,
                left_cents: one.amount_cents - one.gone_cents,
              },
            ],
            {
              owed_cents: book.balance(distributors('distributor_debt', one.distributor_id)),
              at: now,
            },
          )
          one.status = 'settled'
          if (posting) book.post(posting)
        }
    },
    withdraw: n => {
      const id = 21 + (n % 3)
      const cents = Math.floor(
        (-book.balance(distributors('distributor_balance', id)) * (n % 5)) / 4,
      )
      if (cents > 0)
        book.post({
          biz: 'withdraw_paid',
          biz_id: n,
          biz_no: 'TX',
          idem_key: `withdraw:${now}`,
          at: now,
          lines: [
            ...lineOf(distributors('distributor_balance', id), cents),
            ...lineOf(ours('bank_cash'), -cents),
          ],
        })
    },
    spend: n => {
      const id = 7 + (n % 2)
      const cents = Math.floor((-book.balance(merchants('merchant_balance', id)) * (n % 10)) / 9)
      if (cents > 0)
        book.post({
          biz: 'withdraw_paid',
          biz_id: n,
          biz_no: 'TX',
          idem_key: `spend:${now}`,
          at: now,
          lines: [
            ...lineOf(merchants('merchant_balance', id), cents),
            ...lineOf(ours('bank_cash'), -cents),
          ],
        })
    },
  }
  return {
    book,
    lines: () => lines,
    facts,
    due,
    write,
    pay: () => {
      paid = true
      if (due > 0)
        payments.push({
          id: 1,
          direction: 'in',
          channel: 'wechat',
          amount_cents: due,
          fee_cents: 0,
          refund_id: null,
          at: now,
        })
      write()
    },
    step: ({ what, n }: Step) => {
      now += 60
      steps[what](n)
      return write()
    },
    /** Gives all back that is still there, whole. */
    refundAll: () => {
      for (const key of keys) {
        now += 60
        const { left } = pools.get(key)!
        if (left > 0) giveBack(key, left, 100)
        write()
      }
    },
  }
}
