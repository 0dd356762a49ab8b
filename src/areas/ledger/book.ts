import { dateOf } from '#src/domain/time.ts'
import {
  accountKey,
  mayHave,
  postingFault,
  type AccountOf,
  type Posting,
  type PostingLine,
} from './ledger.ts'

type Account = AccountOf & { id: number; balance_cents: number }
type Entry = Omit<PostingLine, keyof AccountOf> & {
  txn_id: number
  account_id: number
  at: number
  balance_after_cents: number
}
type Txn = Omit<Posting, 'lines' | 'at' | 'memo' | 'place'> & {
  id: number
  city_id: number
  mall_id: number
  created_at: number
  day: string
  memo: string
  amount_cents: number
}

/**
 * The journal in memory, by the rules of `post`: what fills a demo, whose thousands of transactions
 * go in at once, and what histories of the real one are compared with. Postings come in the order
 * of their times; a known key moves nothing. Throws where `post` would refuse.
 */
export const newBook = () => {
  const accounts = new Map<string, Account>()
  const txns: Txn[] = []
  const entries: Entry[] = []
  const ids = new Map<string, number>()
  const accountOf = ({ kind, owner_kind, owner_id }: AccountOf): Account => {
    const key = accountKey({ kind, owner_kind, owner_id })
    const known = accounts.get(key)
    if (known) return known
    const made = { id: accounts.size + 1, kind, owner_kind, owner_id, balance_cents: 0 }
    accounts.set(key, made)
    return made
  }
  const balance = (of: AccountOf): number => accounts.get(accountKey(of))?.balance_cents ?? 0
  const refuseOverdrawn = (lines: readonly PostingLine[]): void => {
    const after = new Map<string, number>()
    for (const line of lines) {
      const key = accountKey(line)
      after.set(key, (after.get(key) ?? balance(line)) + line.amount_cents)
    }
    for (const line of lines)
      if (!mayHave(line.kind, after.get(accountKey(line))!))
        throw new Error(`${accountKey(line)} would hold ${after.get(accountKey(line))}`)
  }
  const post = ({ lines, at, memo = '', place, ...of }: Posting): number => {
    const before = ids.get(of.idem_key)
    if (before !== undefined) return before
    const fault = postingFault({ lines })
    if (fault) throw new Error(`${of.idem_key}: ${fault[1]}`)
    refuseOverdrawn(lines)
    const id = txns.length + 1
    ids.set(of.idem_key, id)
    const amount_cents = lines.reduce((sum, one) => sum + Math.max(0, one.amount_cents), 0)
    txns.push({
      ...of,
      city_id: place?.city_id ?? 0,
      mall_id: place?.mall_id ?? 0,
      id,
      created_at: at,
      day: dateOf(at),
      memo,
      amount_cents,
    })
    for (const { amount_cents: cents, order_id, line_id, ...line } of lines) {
      const account = accountOf(line)
      account.balance_cents += cents
      entries.push({
        txn_id: id,
        account_id: account.id,
        at,
        amount_cents: cents,
        balance_after_cents: account.balance_cents,
        order_id,
        line_id,
      })
    }
    return id
  }
  return { post, balance, rows: () => ({ accounts: [...accounts.values()], txns, entries }) }
}
export type Book = ReturnType<typeof newBook>
