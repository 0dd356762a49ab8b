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

/** Tells owners of one kind of account apart; most are the house or merchants. */
const ownerKey = ({ owner_kind, owner_id }: AccountOf): string | number =>
  owner_kind === 'platform' || owner_kind === 'merchant' ? owner_id : `${owner_kind}.${owner_id}`
/** Hears of each row as it is posted. */
type Keep = { txn: (row: Txn) => void; entry: (row: Entry) => void }
/**
 * The journal in memory, by the rules of `post`: what fills a demo, whose thousands of transactions
 * go in at once, and what histories of the real one are compared with. Postings come in the order
 * of their times; a known key moves nothing. Throws where `post` would refuse. `rows` has the
 * transactions and their entries, unless another keeps them.
 */
export const newBook = (elsewhere?: Keep) => {
  /** By kind and owner: thousands of postings look their accounts up here. */
  const byKind = new Map<string, Map<string | number, Account>>()
  const accounts: Account[] = []
  const txns: Txn[] = []
  const entries: Entry[] = []
  const keep: Keep = elsewhere ?? {
    txn: row => void txns.push(row),
    entry: row => void entries.push(row),
  }
  const ids = new Map<string, number>()
  const find = (of: AccountOf): Account | undefined => byKind.get(of.kind)?.get(ownerKey(of))
  const accountOf = (of: AccountOf): Account => {
    const known = find(of)
    if (known) return known
    const { kind, owner_kind, owner_id } = of
    const made = { id: accounts.length + 1, kind, owner_kind, owner_id, balance_cents: 0 }
    accounts.push(made)
    const own = byKind.get(kind) ?? new Map<string | number, Account>()
    byKind.set(kind, own.set(ownerKey(of), made))
    return made
  }
  const balance = (of: AccountOf): number => find(of)?.balance_cents ?? 0
  const refuseOverdrawn = (lines: readonly PostingLine[]): void => {
    const after = new Map<Account | string, { of: AccountOf; cents: number }>()
    for (const line of lines) {
      const account = find(line)
      const key = account ?? accountKey(line)
      const held = after.get(key)
      if (held) held.cents += line.amount_cents
      else after.set(key, { of: line, cents: (account?.balance_cents ?? 0) + line.amount_cents })
    }
    for (const { of, cents } of after.values())
      if (!mayHave(of.kind, cents)) throw new Error(`${accountKey(of)} would hold ${cents}`)
  }
  const post = ({ lines, at, memo = '', place, ...of }: Posting): number => {
    const before = ids.get(of.idem_key)
    if (before !== undefined) return before
    const fault = postingFault({ lines })
    if (fault) throw new Error(`${of.idem_key}: ${fault[1]}`)
    refuseOverdrawn(lines)
    const id = ids.size + 1
    ids.set(of.idem_key, id)
    let amount_cents = 0
    for (const line of lines) {
      const account = accountOf(line)
      account.balance_cents += line.amount_cents
      amount_cents += Math.max(0, line.amount_cents)
      keep.entry({
        txn_id: id,
        account_id: account.id,
        at,
        amount_cents: line.amount_cents,
        balance_after_cents: account.balance_cents,
        order_id: line.order_id,
        line_id: line.line_id,
      })
    }
    keep.txn({
      ...of,
      city_id: place?.city_id ?? 0,
      mall_id: place?.mall_id ?? 0,
      id,
      created_at: at,
      day: dateOf(at),
      memo,
      amount_cents,
    })
    return id
  }
  const has = (idem_key: string): boolean => ids.has(idem_key)
  return { post, has, balance, rows: () => ({ accounts, txns, entries }) }
}
export type Book = ReturnType<typeof newBook>
