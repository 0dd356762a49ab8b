import { createHash } from 'node:crypto'
import { joined, keptWords, type Text } from '#src/domain/text.ts'
import { seatName, ticketProviders, type Seat, type TicketProviderKey } from './film.ts'

/**
 * What a provider says of one number of ours. `unknown` is its silence: ask for the number again.
 * `text` is in both languages, as a row keeps it (`unjoined`), here and below.
 */
export type TicketAnswer =
  | { state: 'success'; provider_no: string; ticket_code: string }
  | { state: 'pending' }
  | { state: 'failed'; text: string }
  | { state: 'unknown'; text: string }
/** What a provider says to tickets that come back. */
export type ReturnAnswer =
  | { state: 'returned'; cost_return_cents: number }
  | { state: 'pending' }
  | { state: 'refused'; text: string }
  | { state: 'unknown'; text: string }
export type Pinged = {
  ok: boolean
  /** How long the answer took. */
  ms: number
  /** Money of ours that the provider holds for tickets to come; null where it keeps silent. */
  deposit_cents: number | null
  text: string
}
type TicketAsk = {
  /** Our number: it buys once, however often it is sent. */
  out_no: string
  cinema_no: string
  show_id: number
  seats: readonly Seat[]
  cost_cents: number
}
/**
 * Whoever issues film tickets. A number of ours means one purchase; a method never throws for what
 * the provider says or keeps silent about.
 */
export type TicketProvider = {
  key: TicketProviderKey
  /** How long it keeps seats that nobody has paid for (minutes). */
  lock_minutes: number
  issue: (of: TicketAsk) => Promise<TicketAnswer>
  /** What came of a number; `failed` also where it has never heard of it. */
  query: (of: { out_no: string }) => Promise<TicketAnswer>
  /** Gives tickets back, by the provider's own number of them; asked twice it answers the same. */
  giveBack: (of: { provider_no: string; cost_cents: number }) => Promise<ReturnAnswer>
  ping: () => Promise<Pinged>
}
export type TicketProviders = Readonly<Record<TicketProviderKey, TicketProvider>>

export const issuingText: Text = ['渠道出票中', 'The provider is issuing']
/** What is said of a provider that says nothing. */
export const silentText: Text = ['渠道没有应答', 'The provider does not answer']
const closed: Text = ['渠道维护中，暂停出票', 'The provider is closed for maintenance: no tickets']
const hashOf = (text: string) => createHash('sha256').update(text).digest()
const digits = (hash: Buffer, length: number): string =>
  String(BigInt(`0x${hash.toString('hex', 0, 8)}`))
    .padStart(20, '0')
    .slice(-length)
/** Draws the fate of a number at a provider, from 0 to 31; every question gets the same answer. */
const fateOf = (key: TicketProviderKey, no: string): number => hashOf(`${key}:${no}`)[31]! % 32
const issued = (key: TicketProviderKey, out_no: string): TicketAnswer => {
  const hash = hashOf(`${key}:${out_no}`)
  return {
    state: 'success',
    provider_no: `${key === 'provider_b' ? 'XM' : 'GY'}${digits(hash, 14)}`,
    ticket_code: `${digits(hash.subarray(8), 8)} ${digits(hash.subarray(16), 6)}`,
  }
}
const soldOut = ({ seats }: Pick<TicketAsk, 'seats'>): TicketAnswer => ({
  state: 'failed',
  text: keptWords([
    `座位已被影院售出：${seats.map(seat => seatName(seat)[0]).join('、')}`,
    `The cinema has sold the seats: ${seats.map(seat => seatName(seat)[1]).join(', ')}`,
  ]),
})
/**
 * For trials: tickets are made up. Of thirty-two numbers one fails because the cinema sold the seats,
 * one fails because the provider is closed, one is not answered at first, one is taken and answered
 * later. Every sixteenth return is refused, every other one of those that are left late.
 */
const embedded = (key: TicketProviderKey, lock_minutes: number): TicketProvider => ({
  key,
  lock_minutes,
  issue: async of => {
    switch (fateOf(key, of.out_no)) {
      case 0:
        return soldOut(of)
      case 1:
        return { state: 'failed', text: joined(closed) }
      case 2:
        return { state: 'unknown', text: joined(silentText) }
      case 3:
        return { state: 'pending' }
      default:
        return issued(key, of.out_no)
    }
  },
  query: async ({ out_no }) =>
    fateOf(key, out_no) < 2
      ? { state: 'failed', text: joined(['出票失败', 'It was not issued']) }
      : issued(key, out_no),
  giveBack: async ({ provider_no, cost_cents }) =>
    fateOf(key, provider_no) < 2
      ? { state: 'refused', text: joined(['影院不支持退票', 'The cinema takes no tickets back']) }
      : { state: 'returned', cost_return_cents: cost_cents },
  ping: async () => ({
    ok: true,
    ms: 12,
    deposit_cents: key === 'provider_a' ? 86_000_00 : 31_500_00,
    text: joined([`${ticketProviders[key][0]}连接正常`, `${ticketProviders[key][1]} is connected`]),
  }),
})
/** Nobody is connected under this key: nothing is issued, and that is said. */
const notConnected = (key: TicketProviderKey): TicketProvider => {
  const [zh, en] = ticketProviders[key]
  const text = joined([`未接入${zh}`, `${en} is not connected`])
  return {
    key,
    lock_minutes: 15,
    issue: async () => ({ state: 'failed', text }),
    query: async () => ({ state: 'failed', text }),
    giveBack: async () => ({ state: 'refused', text }),
    ping: async () => ({ ok: false, ms: 0, deposit_cents: null, text }),
  }
}
/** The two providers that come with the server; nobody is connected as `direct`. */
export const embeddedProviders: TicketProviders = {
  provider_a: embedded('provider_a', 15),
  provider_b: embedded('provider_b', 10),
  direct: notConnected('direct'),
}
/** Where no provider is connected. */
export const noProviders: TicketProviders = {
  provider_a: notConnected('provider_a'),
  provider_b: notConnected('provider_b'),
  direct: notConnected('direct'),
}
