import { desc, eq, inArray, lt, and, sql } from 'drizzle-orm'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { planOf, rewardCoupons } from '#src/areas/redeemCode/batches.server.ts'
import { givenCardOf } from '#src/areas/redeemCode/card.ts'
import { cardOf } from '#src/areas/redeemCode/cards.server.ts'
import { rewardsOf } from '#src/areas/redeemCode/film.ts'
import { cardGiven } from '#src/areas/redeemCode/given.server.ts'
import { membershipOf } from '#src/areas/redeemCode/membership.ts'
import {
  codesFound,
  factsOf,
  redeemCode,
  type FoundCode,
} from '#src/areas/redeemCode/redeem.server.ts'
import {
  code_batch,
  code_lookup,
  redeem_code,
  redeem_log,
} from '#src/areas/redeemCode/redeemCode.table.ts'
import {
  LOOKUPS_A_MINUTE,
  outliveFaults,
  redeemRefusal,
  UNDO_S,
  unknownCode,
  type RedeemRefusal,
} from '#src/areas/redeemCode/redeemCode.ts'
import { lastSuccess, revokeSuccess } from '#src/areas/redeemCode/revoking.server.ts'
import { alphabets, isSound, maskedCode, normalCode, tailOf } from '#src/areas/secret/secretCode.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { say, type Lang } from '#src/domain/text.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { codeDesk as contract, type DeskCode } from '../contract/vertify.ts'
import { couponsOf } from './batchRecord.ts'
import { byId, codes } from './codeRecord.ts'
import { goodsHandlers, goodsShown, undoHandOver } from './goods.ts'

const good: Readonly<Record<'ok', RedeemRefusal['text']>> = {
  ok: ['可以兑换', 'It can be redeemed'],
}
const wordsOf = (refusal: RedeemRefusal | undefined, lang: Lang) =>
  refusal
    ? { result: refusal.result, text: say(refusal.text, lang, refusal.values) }
    : { result: 'ok' as const, text: say(good.ok, lang) }

const HISTORY = 20
const historyOf = async (db: Db, code_id: number): Promise<DeskCode['history']> => {
  const rows = await db
    .select({
      id: redeem_log.id,
      at: redeem_log.created_at,
      result: redeem_log.result,
      member: sql<string>`coalesce(${member.nickname}, '')`,
      by: sql<string>`coalesce(${admin.name}, '')`,
      revoked: sql<boolean>`${redeem_log.revoked_at} is not null`,
    })
    .from(redeem_log)
    .leftJoin(member, eq(member.id, redeem_log.member_id))
    .leftJoin(admin, eq(admin.id, redeem_log.staff_id))
    .where(eq(redeem_log.code_id, code_id))
    .orderBy(desc(redeem_log.id))
    .limit(HISTORY)
  return rows
}
type Here = { staff: Pick<Staff, 'id' | 'scope'>; mall_id: number; now: number; lang: Lang }
/** At a desk that names no mall, the code's own malls are only shown. */
const refusalAt = (found: FoundCode, { mall_id, now }: Here) =>
  redeemRefusal(factsOf(found), {
    now,
    mall_id: mall_id || (found.batch.mall_ids[0] ?? 0),
  })
const shownCode = async (db: Db, found: FoundCode, here: Here): Promise<DeskCode> => {
  const { code, batch, holder } = found
  const coupons = [...(await rewardCoupons(db, batch.coupon_ids)).values()]
  const card = givenCardOf(batch, await cardOf(db, batch, here.now))
  const membership = membershipOf(batch, await planOf(db, batch))
  const malls =
    batch.mall_ids.length === 0
      ? []
      : await db.select({ name: mall.name }).from(mall).where(inArray(mall.id, batch.mall_ids))
  return {
    ...code,
    masked: maskedCode(code.tail),
    ...wordsOf(refusalAt(found, here), here.lang),
    batch_name: batch.name,
    partner: batch.partner,
    rewards: rewardsOf({ ...batch, membership, card, coupons }, (text, values) =>
      say(text, here.lang, values),
    ),
    card: await cardGiven(db, code.id),
    malls: malls.map(one => one.name),
    start_at: batch.start_at,
    end_at: code.end_at ?? batch.end_at,
    holder: holder?.nickname ?? '',
    phone: holder?.phone ?? '',
    use_limit: batch.code_kind === 'shared' ? (batch.use_limit ?? 1) : 1,
    ...(await goodsShown(db, found, here)),
    history: await historyOf(db, code.id),
  }
}
/** A person looks up so many codes a minute, counted in the database. */
const countLookups = async ({ tx, staff, now }: WriteContext, n: number): Promise<void> => {
  const minute = Math.floor(now / 60)
  await tx
    .delete(code_lookup)
    .where(and(eq(code_lookup.admin_id, staff.id), lt(code_lookup.minute, minute)))
  const [counted] = await tx
    .insert(code_lookup)
    .values({ admin_id: staff.id, minute, n })
    .onConflictDoUpdate({
      target: [code_lookup.admin_id, code_lookup.minute],
      set: { n: sql`${code_lookup.n} + excluded.n` },
    })
    .returning()
  if (counted!.n > LOOKUPS_A_MINUTE)
    throw ruled(
      'lookups',
      ['一分钟最多查询 {n} 个码，请稍后再试', 'At most {n} codes a minute: try again shortly'],
      { n: LOOKUPS_A_MINUTE },
    )
}
/** The refusal of a code that there is not: a slip of the finger is told from a foreign code. */
const unknownOf = async (db: Db, code: string): Promise<RedeemRefusal> => {
  const [batch] = await db
    .select({ alphabet: code_batch.alphabet, length: code_batch.length })
    .from(code_batch)
    .where(
      inArray(
        code_batch.prefix,
        Array.from({ length: 8 }, (_, at) => code.slice(0, at + 1)),
      ),
    )
    .limit(1)
  if (!batch || !(batch.alphabet in alphabets)) return unknownCode
  if (batch.length === code.length && isSound(code, batch.alphabet)) return unknownCode
  return {
    result: 'unknown',
    text: [
      '码输错了：位数或校验位不符，请对照重输',
      'It was mistyped: its length or check sign is wrong',
    ],
  }
}
const hereOf = ({ staff, now }: WriteContext, mall_id = 0): Here => ({
  staff,
  mall_id,
  now,
  lang: staff.lang,
})
const sealerHere = ({ install, tx }: WriteContext) => sealerOf(install.codeKeys, tx)

const handlers = {
  ...goodsHandlers,
  lookup: async ({ secret_code }, context) => {
    const { tx, staff, log } = context
    await countLookups(context, 1)
    const code = normalCode(secret_code)
    const [found] = await codesFound(tx, [(await sealerHere(context)).hash(code)])
    const here = hereOf(context)
    const told = found
      ? wordsOf(refusalAt(found, here), staff.lang)
      : wordsOf(await unknownOf(tx, code), staff.lang)
    log({
      object_type: 'redeem_code',
      object_id: found?.code.id ?? 0,
      object_label: maskedCode(tailOf(code)),
      after: { result: told.result },
    })
    return { ...told, code: found ? await shownCode(tx, found, here) : null }
  },
  batchLookup: async ({ secret_codes }, context) => {
    const { tx, staff, log } = context
    await countLookups(context, secret_codes.length)
    const sealer = await sealerHere(context)
    const asked = secret_codes.map(typed => normalCode(typed))
    const hashes = asked.map(sealer.hash)
    const found = new Map((await codesFound(tx, hashes)).map(one => [one.code.code_hash, one]))
    const here = hereOf(context)
    const rows = asked.map((code, at) => {
      const one = found.get(hashes[at]!)
      const refusal = one ? refusalAt(one, here) : unknownCode
      return {
        line: at + 1,
        masked: maskedCode(tailOf(code)),
        ...wordsOf(refusal, staff.lang),
        batch_name: one?.batch.name ?? '',
      }
    })
    log({
      object_type: 'redeem_code',
      object_id: 0,
      object_label: `${rows.length}`,
      after: { result: `${rows.filter(one => one.result === 'ok').length}/${rows.length}` },
    })
    return { rows }
  },
  redeemFor: async ({ id, phone, phone_tail, mall_id }, context) => {
    const { tx, staff, now, caller, log } = context
    const number = mobileOf(phone)!
    faultless(staff, {
      phone_tail: number.endsWith(phone_tail)
        ? undefined
        : ['与手机号后四位不符，请向会员核对', 'It is not the end of that phone: ask the member'],
    })
    const [holder] = await tx
      .select()
      .from(member)
      .where(eq(member.phone, number))
      .orderBy(member.id)
      .limit(1)
    if (!holder) throw invalid({ phone: ['没有这个手机号的会员', 'No member has this phone'] })
    const sealer = await sealerHere(context)
    const found = await byId(tx, id)
    const done = await redeemCode(tx, sealer, {
      code: sealer.open(found.code.code_sealed, found.code.code_hash),
      member: holder,
      channel: 'desk',
      staff_id: staff.id,
      mall_id: mall_id || (found.batch.mall_ids[0] ?? 0),
      device_id: '',
      ip: caller.ip,
      now,
    })
    log({
      object_type: 'redeem_code',
      object_id: id,
      object_label: maskedCode(found.code.tail),
      after: { result: done.refusal?.result ?? 'ok', member_id: holder.id },
    })
    const words = done.refusal
      ? wordsOf(done.refusal, staff.lang)
      : {
          result: 'ok' as const,
          text: say(
            found.batch.goods
              ? ['兑换成功，实物奖品待核销', 'Redeemed: the prize is to be handed over']
              : ['兑换成功，奖励已发放', 'Redeemed: the reward is given'],
            staff.lang,
          ),
        }
    return { ...words, code: await shownCode(tx, await byId(tx, id), hereOf(context, mall_id)) }
  },
  voidCode: async ({ reason, ...one }, context) => {
    const { tx, staff, now } = context
    const was = await codes.heldFast(context, one)
    if (was.state !== 'unused' || was.used_times > 0)
      throw ruled('not_unused', ['只有未使用的码可以作废', 'Only an unused code is voided'])
    const after = await codes.save(
      context,
      was,
      { state: 'voided', voided_at: now, voided_by: staff.id, void_reason: reason },
      reason,
    )
    await tx
      .update(code_batch)
      .set({ voided: sql`${code_batch.voided} + 1` })
      .where(eq(code_batch.id, was.batch_id))
    return after
  },
  extend: async ({ end_at, reason, ...one }, context) => {
    const { tx, staff } = context
    const was = await codes.heldFast(context, one)
    const { batch } = await byId(tx, was.id)
    if (was.state !== 'unused')
      throw ruled('not_unused', ['只有未使用的码可以延期', 'Only an unused code is extended'])
    if (batch.status === 'ended')
      throw ruled('batch_ended', ['批次已结束，不能延期', 'Its batch has ended'])
    const { coupon_ids } = outliveFaults(await couponsOf(tx, batch.coupon_ids), end_at)
    faultless(staff, {
      end_at:
        end_at > (was.end_at ?? batch.end_at)
          ? coupon_ids
          : ['只能延后，不能提前', 'It only becomes later'],
    })
    return codes.save(context, was, { end_at }, reason)
  },
  undo: async ({ reason, ...one }, context) => {
    const { tx, staff, now } = context
    const was = await codes.heldFast(context, one)
    if (was.used_times === 0)
      throw ruled('not_redeemed', ['这个码没有被兑换', 'It is not redeemed'])
    const log = await lastSuccess(tx, was.id)
    if (log.handed_at !== null) return undoHandOver(context, { was, log, reason })
    if (log.staff_id !== staff.id)
      throw ruled('other_staff', ['只能由办理兑换的人撤销', 'Whoever redeemed it takes it back'])
    if (log.created_at + UNDO_S < now)
      throw ruled('too_late', [
        '已超过 10 分钟，请在兑换记录中撤销',
        'Ten minutes are over: take it back from the records',
      ])
    await revokeSuccess(tx, log, { staff_id: staff.id, now, reason, reopen: true })
    const after = await codes.read(tx, staff, was.id)
    codes.log(context, after, {
      before: { state: was.state },
      after: { state: after.state },
      reason,
    })
    return after
  },
  reveal: async ({ id, reason }, context) => {
    const { tx } = context
    const { code } = await byId(tx, id)
    const { seconds, left } = await noteReveal(
      context,
      'redeem_code.code',
      { object_type: 'redeem_code', object_id: id, object_label: maskedCode(code.tail) },
      reason,
    )
    await tx
      .update(redeem_code)
      .set({ revealed: sql`${redeem_code.revealed} + 1` })
      .where(eq(redeem_code.id, id))
    const secret_code = (await sealerHere(context)).open(code.code_sealed, code.code_hash)
    return { id, secret_code, seconds, left }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const deskServer = implement(contract, handlers)
