import { and, eq, gt, inArray } from 'drizzle-orm'
import {
  block,
  blockOf,
  inTurn,
  lockedText,
  type BlockKey,
} from '#src/areas/redeemCode/blocks.server.ts'
import { normalCode } from '#src/areas/secret/secretCode.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { joined, type Text } from '#src/domain/text.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { ecard_try } from './code.table.ts'
import { WRONG_ADDRESS, WRONG_CARD, type TryResult } from './code.ts'
import { activateCode } from './codeLife.server.ts'
import type { Code } from './codeMaking.server.ts'
import { ecard_code } from './ecard.table.ts'

/** One try of a card: its number and secret as typed, whose it is and where it comes from. */
export type CardTry = {
  card_no: string
  secret: string
  member_id: number
  device_id: string
  ip: string
  now: number
}
export type CardTried =
  | { result: 'ok'; code: Code }
  | {
      result: Exclude<TryResult, 'ok'>
      text: Text
      values?: Readonly<Record<string, string | number>>
    }

const wrongText: Text = [
  '卡号或卡密不正确，请核对后重试；连续输错将锁定该卡',
  'The number or the secret is wrong: check them. The card is locked after some more tries',
]
const guessed = (
  tx: Db,
  of: typeof ecard_try.card_no | typeof ecard_try.ip,
  value: string,
  since: number,
) =>
  tx.$count(
    ecard_try,
    and(
      eq(of, value),
      gt(ecard_try.created_at, since),
      inArray(ecard_try.result, ['wrong', 'unknown']),
    ),
  )
const wrongTimes = (n: number): string =>
  joined([`卡密输错 ${n} 次`, `Wrong numbers or secrets: ${n}`])
/** Five wrong secrets lock their card for a day, twenty of an address that address for an hour. */
const lockGuessers = async (tx: Db, { card_no, ip, now }: CardTry) => {
  const lock = (kind: BlockKey[0], value: string, until: number, n: number) =>
    block(tx, { kind, value, until, reason: wrongTimes(n), admin_id: null })
  const { card_no: cards, ip: addresses } = ecard_try
  const ofCard = await guessed(tx, cards, card_no, now - DAY)
  if (ofCard >= WRONG_CARD) await lock('card', card_no, now + DAY, ofCard)
  const ofAddress = ip === '' ? 0 : await guessed(tx, addresses, ip, now - HOUR)
  if (ofAddress >= WRONG_ADDRESS) await lock('address', ip, now + HOUR, ofAddress)
}
/**
 * A member binds a card by its number and secret. Every try is kept; wrong ones are counted in the
 * database, and lock the card or the address. Whether the number exists is told to nobody.
 */
export const tryCard = async (tx: Db, sealer: Sealer, given: CardTry): Promise<CardTried> => {
  const of = { ...given, card_no: normalCode(given.card_no) }
  const { member_id, device_id, ip, now } = of
  const keys: BlockKey[] = [
    ['card', of.card_no],
    ...(ip === '' ? [] : [['address', ip] as const]),
    ['member', String(member_id)],
  ]
  // Tries of one card or address are counted one after the other.
  await inTurn(
    tx,
    keys.map(key => key.join(' ')),
  )
  const [code] = await tx.select().from(ecard_code).where(eq(ecard_code.card_no, of.card_no))
  const note = (result: TryResult) =>
    tx.insert(ecard_try).values({
      created_at: now,
      code_id: code?.id ?? null,
      card_no: of.card_no.slice(0, 24),
      member_id,
      device_id: device_id.slice(0, 40),
      ip,
      result,
    })
  const locked = await blockOf(tx, keys, now)
  if (locked) {
    await note('locked')
    return { result: 'locked', ...lockedText(locked.until) }
  }
  if (!code || sealer.hash(normalCode(of.secret)) !== code.secret_hash) {
    await note(code ? 'wrong' : 'unknown')
    await lockGuessers(tx, of)
    return { result: code ? 'wrong' : 'unknown', text: wrongText }
  }
  try {
    const done = await tx.transaction(inner =>
      activateCode(inner, { code_id: code.id, member_id, now }),
    )
    await note('ok')
    return { result: 'ok', code: done }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await note('refused')
    return { result: 'refused', text: error.text, values: error.values }
  }
}
