/** Cards that members are given without paying, and that may be taken back. */
import { eq, sql } from 'drizzle-orm'
import { ours, type Posting } from '#src/areas/ledger/ledger.ts'
import { refuseFrozenBenefits } from '#src/areas/member/benefits.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { keptAsSaid } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, Refusal, ruled } from '#src/server/call/refuse.ts'
import { book, change, lock, takeFree } from './codeChange.server.ts'
import type { Code } from './codeMaking.server.ts'
import { ecard, ecard_attr, ecard_code } from './ecard.table.ts'
import { postLast } from './givenBooks.server.ts'
import { giveFault } from './givenCard.ts'

const REASON_MOST = 255
/** A face with its card, and whether both are sold now by an issuer that trades. */
export const facesToGive = (db: Db) =>
  db
    .select({
      face: ecard_attr,
      card: ecard,
      isSold: sql<boolean>`(${ecard.state} = 'on' and ${ecard_attr.status} = 'on' and not ${ecard_attr.chosen} and ${merchant.status} = 'active')`,
    })
    .from(ecard_attr)
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .innerJoin(merchant, eq(merchant.id, ecard.merchant_id))
type Booked = { code: Code; biz: 'card_gift' | 'card_gift_back'; no: string; now: number }
/**
 * A card that nobody paid for is owed to its holder all the same: an expense of the house, which
 * bills whoever bears it. Posted at the end of the transaction, for accounts are held until then.
 */
const post = async (tx: Db, { code, biz, no, now }: Booked): Promise<void> => {
  const [card] = await tx.select().from(ecard).where(eq(ecard.id, code.card_id))
  const cents = biz === 'card_gift' ? code.face_cents : -code.face_cents
  const posting: Posting = {
    biz,
    biz_id: code.id,
    biz_no: no,
    idem_key: `${biz}:${code.id}`,
    at: now,
    place: { city_id: card!.city_id, mall_id: card!.mall_id },
    lines: [
      { ...ours('subsidy_expense'), amount_cents: cents },
      { ...ours('prepaid_card'), amount_cents: -cents },
    ],
  }
  await postLast(tx, [posting], { id: code.id, now })
}

/** A member is told that none is left, and not to take fewer. */
const noneLeft = (error: unknown): never => {
  if (error instanceof Refusal && error.data['rule'] === 'few_codes')
    throw ruled('card_none_left', ['该电子卡已发完', 'No card of it is left'])
  throw error
}
type Giving = {
  attr_id: number
  member_id: number
  /** The number of what it is given for, as people read it. */
  no: string
  /** Why it is given, in both languages (`joined`). */
  source: string
  now: number
}
/**
 * Gives a member a card of a face, theirs and activated at once: a free one, or one that is made
 * where its card's codes are made here. Throws 422 for a card that is not given now, where none is
 * left, and for a member whose benefits are frozen or whose account is off.
 */
export const giveCard = async (
  tx: Db,
  sealer: Sealer,
  of: Giving,
): Promise<{ code: Code; name: string; face_cents: number }> => {
  const { attr_id, member_id, now } = of
  await refuseFrozenBenefits(tx, member_id)
  const [found] = await facesToGive(tx).where(eq(ecard_attr.id, attr_id))
  if (!found) throw missing()
  const { card, face, isSold } = found
  const fault = giveFault({ ...card, isSold }, now)
  if (fault) throw ruled('card_not_given', fault)
  const [was] = await takeFree(tx, sealer, { attr_id, n: 1, now }).catch(noneLeft)
  const days = card.valid_type === 'days' ? now + (card.valid_days ?? 0) * DAY : null
  const [code] = await change(
    tx,
    [was!],
    {
      state: 'active',
      holder_id: member_id,
      sold_at: now,
      activated_at: now,
      balance_cents: was!.face_cents,
      valid_until: card.valid_type === 'fixed' ? card.valid_until : days,
    },
    now,
  )
  await book(tx, code!, {
    type: 'activate',
    amount_cents: code!.face_cents,
    ref_type: 'code',
    ref_id: code!.id,
    reason: keptAsSaid(of.source, REASON_MOST),
    created_at: now,
  })
  await post(tx, { code: code!, biz: 'card_gift', no: of.no, now })
  return { code: code!, name: card.name, face_cents: face.face_cents }
}
/** Whether a member has a card still: they, or the account that theirs was merged into since. */
const isHeldBy = async (tx: Db, code: Code, member_id: number): Promise<boolean> => {
  if (code.holder_id === null || code.holder_id === member_id) return code.holder_id !== null
  const { rows } = await tx.execute(sql`
    with recursive kept as (select ${member_id}::int id union select m.merged_into from ${member} m join kept k on k.id = m.id where m.merged_into is not null)
    select 1 from kept where id = ${code.holder_id}`)
  return rows.length > 0
}
/** A card of which nothing was spent, and whose secret nobody saw. */
const isUntouched = (code: Code): boolean =>
  code.state === 'active' && code.balance_cents === code.face_cents && code.shown_at === null
/**
 * Takes a given card back for good: as every card that comes back it is void and given to nobody
 * again. Answers false, and changes nothing, where it was used.
 */
export const takeCardBack = async (
  tx: Db,
  of: { code_id: number; member_id: number; no: string; reason: string; now: number },
): Promise<boolean> => {
  const { now } = of
  const [was] = await lock(tx, eq(ecard_code.id, of.code_id))
  if (!was || !isUntouched(was) || !(await isHeldBy(tx, was, of.member_id))) return false
  const reason = keptAsSaid(of.reason, REASON_MOST)
  // Its activation is undone: an activated card is worth its face less what was spent.
  const set = { state: 'void', balance_cents: 0, activated_at: null, reason }
  const [code] = await change(tx, [was], set, now)
  await book(tx, code!, {
    type: 'issue_back',
    amount_cents: -was.balance_cents,
    ref_type: 'code',
    ref_id: was.id,
    reason,
    created_at: now,
  })
  await post(tx, { code: code!, biz: 'card_gift_back', no: of.no, now })
  return true
}
