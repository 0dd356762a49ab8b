import { and, count, eq, gt, gte, inArray, isNull, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { Pin } from '#src/areas/place/geo.ts'
import { normalCode, tailOf } from '#src/areas/secret/secretCode.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { masked } from '#src/domain/mask.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Batch } from './batches.server.ts'
import { block, blockOf, inTurn, lockedText } from './blocks.server.ts'
import { mallAt } from './placing.server.ts'
import { code_batch, code_run, redeem_code, redeem_log } from './redeemCode.table.ts'
import {
  LOCK_S,
  redeemRefusal,
  unknownCode,
  usedText,
  WRONG_MAX,
  WRONG_OF_PARTNER_MAX,
  WRONG_WINDOW_S,
  type CodeFacts,
  type RedeemRefusal,
  type RedeemWay,
} from './redeemCode.ts'
import { grantRewards } from './rewards.server.ts'

type Code = typeof redeem_code.$inferSelect
export type Member = typeof member.$inferSelect
/** One try: the member, the code, and where it comes from; empty texts and 0 where that is not known. */
export type Try = {
  code: string
  member: Member
  channel: RedeemWay
  staff_id: number | null
  mall_id: number
  /** Where the phone is: it says the mall where none is named. */
  at?: Pin | undefined
  device_id: string
  ip: string
  now: number
  /** The partner that makes the API call, and its number: it knows no other partner's codes. */
  partner?: { id: number; name: string; out_no: string }
}
export type Tried = { log_id: number; code_id: number | null; refusal: RedeemRefusal | null }

const by = sql`(select name from admin where id = ${redeem_code.redeemed_by})`
/** Codes with their batches, by what finds them; those of an import that is not all in are not there. */
export const codesFound = (db: Db, hashes: readonly string[]) =>
  db
    .select({
      code: redeem_code,
      batch: code_batch,
      redeemed_by_name: sql<string | null>`${by}`,
      holder: member,
    })
    .from(redeem_code)
    .innerJoin(code_batch, eq(code_batch.id, redeem_code.batch_id))
    .innerJoin(
      code_run,
      and(eq(code_run.batch_id, redeem_code.batch_id), eq(code_run.run_no, redeem_code.run_no)),
    )
    .leftJoin(member, eq(member.id, redeem_code.member_id))
    .where(
      and(
        inArray(redeem_code.code_hash, [...hashes]),
        sql`(${code_run.kind} <> 'import' or ${code_run.finished_at} is not null)`,
      ),
    )
export type FoundCode = Awaited<ReturnType<typeof codesFound>>[number]
const holderText = (of: Pick<FoundCode, 'holder'>) =>
  of.holder && `${of.holder.nickname} ${masked('phone', of.holder.phone)}`
export const factsOf = (of: FoundCode): CodeFacts => ({
  ...of.code,
  redeemed_by: of.redeemed_by_name,
  holder: holderText(of),
  batch: of.batch,
})

type Key = readonly [kind: 'member' | 'device' | 'address', value: string]
/** A try, or a look at a code, which is of no member. */
type Asking = Omit<Try, 'member'> & { member: Member | null }
const keysOfTry = (of: Asking): Key[] =>
  (
    [
      ['member', String(of.member?.id ?? '')],
      ['device', of.device_id],
      // A desk has one address for everybody.
      ['address', of.channel === 'desk' ? '' : of.ip],
    ] as const
  ).filter(([, value]) => value !== '')
const columnOf = {
  member: redeem_log.member_id,
  device: redeem_log.device_id,
  address: redeem_log.ip,
} as const
/** Locks out a person who tried too many wrong codes, by the count in the database. */
const lockGuessers = async (tx: Db, of: Asking): Promise<void> => {
  for (const [kind, value] of keysOfTry(of)) {
    const [wrong] = await tx
      .select({ n: count() })
      .from(redeem_log)
      .where(
        and(
          sql`${columnOf[kind]} = ${kind === 'member' ? Number(value) : value}`,
          gt(redeem_log.created_at, of.now - WRONG_WINDOW_S),
          eq(redeem_log.result, 'unknown'),
        ),
      )
    const most = kind === 'address' && of.channel === 'api' ? WRONG_OF_PARTNER_MAX : WRONG_MAX
    if (wrong!.n < most) continue
    await block(tx, {
      kind,
      value,
      until: of.now + LOCK_S,
      reason: joined([
        `${WRONG_WINDOW_S / 60} 分钟内输错 ${wrong!.n} 次`,
        `${wrong!.n} wrong codes within ${WRONG_WINDOW_S / 60} minutes`,
      ]),
      admin_id: null,
    })
  }
}

const limitText = (zh: string, en: string, n: number): RedeemRefusal => ({
  result: 'limit',
  text: [
    `${zh}已兑换 {n} 次，达到本批次上限`,
    `${en} has redeemed {n} of this batch, which is its limit`,
  ],
  values: { n },
})
/** Whether this member, phone or device may have one more of the batch; tries at once wait here. */
const limitRefusal = async (tx: Db, batch: Batch, of: Try): Promise<RedeemRefusal | undefined> => {
  const bounds = [
    ['会员', 'The member', batch.limit_member, redeem_log.member_id, of.member.id],
    [
      '该手机号',
      'The phone',
      batch.code_kind === 'per_phone' ? 1 : batch.limit_phone,
      redeem_log.phone,
      of.member.phone,
    ],
    ['该设备', 'The device', batch.limit_device, redeem_log.device_id, of.device_id],
  ] as const
  const asked = bounds.filter(([, , most, , value]) => most !== null && value !== '')
  await inTurn(
    tx,
    asked.map(([, en, , , value]) => `${batch.id} ${en} ${value}`),
  )
  for (const [zh, en, most, column, value] of asked) {
    const [had] = await tx
      .select({ n: count() })
      .from(redeem_log)
      .where(
        and(
          eq(redeem_log.batch_id, batch.id),
          sql`${column} = ${value}`,
          eq(redeem_log.result, 'ok'),
          isNull(redeem_log.revoked_at),
        ),
      )
    if (had!.n >= most!) return limitText(zh, en, had!.n)
  }
  if (!batch.new_only) return undefined
  const bought = await tx.$count(
    order,
    and(eq(order.member_id, of.member.id), gte(order.paid_cents, 1)),
  )
  return bought === 0
    ? undefined
    : {
        result: 'limit',
        text: ['仅限没有消费过的新会员', 'It is for members who have bought nothing yet'],
      }
}

/** The code is taken: one guarded UPDATE, so that of all at once one has it. */
const take = async (tx: Db, found: FoundCode, of: Try): Promise<Code | undefined> => {
  const t = redeem_code
  const last =
    found.batch.code_kind === 'shared'
      ? sql`${t.used_times} + 1 >= ${found.batch.use_limit ?? 1}`
      : sql`true`
  const [taken] = await tx
    .update(t)
    .set({
      used_times: sql`${t.used_times} + 1`,
      state: sql`case when ${last} then 'redeemed' else 'unused' end`,
      member_id: of.member.id,
      phone: of.member.phone,
      redeemed_at: of.now,
      redeemed_by: of.staff_id,
      updated_at: of.now,
      version: sql`${t.version} + 1`,
    })
    .where(
      and(
        eq(t.id, found.code.id),
        eq(t.state, 'unused'),
        sql`coalesce(${t.end_at}, ${found.batch.end_at}) > ${of.now}`,
        // A batch that is stopped meanwhile gives nothing more.
        sql`exists (select 1 from code_batch b where b.id = ${t.batch_id} and b.status = 'running')`,
      ),
    )
    .returning()
  return taken
}
const note = async (tx: Db, of: Asking, more: Partial<typeof redeem_log.$inferInsert>) => {
  const [made] = await tx
    .insert(redeem_log)
    .values({
      member_id: of.member?.id ?? null,
      phone: of.member?.phone ?? '',
      input_tail: tailOf(of.code),
      channel: of.channel,
      staff_id: of.staff_id,
      mall_id: of.mall_id,
      device_id: of.device_id,
      ip: of.ip,
      partner_id: of.partner?.id ?? null,
      out_no: of.partner?.out_no ?? '',
      created_at: of.now,
      updated_at: of.now,
      result: 'ok',
      ...more,
    })
    .returning({ id: redeem_log.id })
  return made!.id
}
/** Takes the code and gives its rewards, or nothing of both. */
const redeemFound = (
  tx: Db,
  found: FoundCode,
  of: Try & { sealer: Sealer },
): Promise<number | RedeemRefusal> =>
  tx.transaction(async inner => {
    const limit = await limitRefusal(inner, found.batch, of)
    if (limit) return limit
    const taken = await take(inner, found, of)
    if (!taken) {
      const [now] = await codesFound(inner, [found.code.code_hash])
      return redeemRefusal(factsOf(now!), of) ?? usedText(factsOf(now!))
    }
    const { id: batch_id, code_kind } = found.batch
    const shared = code_kind === 'shared'
    const log_id = await note(inner, of, { code_id: taken.id, batch_id, shared })
    const granted = await grantRewards(inner, found.batch, { ...of, no: `RC${log_id}` })
    await inner.update(redeem_log).set({ granted }).where(eq(redeem_log.id, log_id))
    await inner
      .update(code_batch)
      .set({ redeemed: sql`${code_batch.redeemed} + 1` })
      .where(eq(code_batch.id, batch_id))
    return log_id
  })

/** A code that there is not is recorded and counted, one try after the other. */
const noteUnknown = async (tx: Db, of: Asking): Promise<number> => {
  await inTurn(
    tx,
    keysOfTry(of).map(key => key.join(' ')),
  )
  const log_id = await note(tx, of, { result: 'unknown' })
  await lockGuessers(tx, of)
  return log_id
}
const isFor = (of: FoundCode | undefined, { partner }: Pick<Try, 'partner'>) =>
  partner === undefined || of?.batch.partner === partner.name

/**
 * The states of accounts that may redeem; members in others have no account any more, or none in
 * order.
 */
const trading: ReadonlySet<Member['account_state']> = new Set(['normal', 'muted'])
const noAccount: RedeemRefusal = {
  result: 'locked',
  text: ['会员账号已被封禁或注销，不能兑换', 'The member’s account is banned or closed'],
}
/**
 * Redeems a code for a member: the code, its rewards and the record of it in the caller's
 * transaction. A refusal is recorded and consumes nothing; wrong codes are counted, and lock.
 */
export const redeemCode = async (tx: Db, sealer: Sealer, given: Try): Promise<Tried> => {
  const of = { ...given, code: normalCode(given.code) }
  const keys = keysOfTry(of)
  const refused = async (refusal: RedeemRefusal, found?: FoundCode): Promise<Tried> => ({
    log_id: await note(tx, of, {
      result: refusal.result,
      code_id: found?.code.id ?? null,
      batch_id: found?.batch.id ?? null,
    }),
    code_id: found?.code.id ?? null,
    refusal,
  })
  const locked = await blockOf(tx, keys, of.now)
  if (locked) return refused({ result: 'locked', ...lockedText(locked.until) })
  if (!trading.has(of.member.account_state)) return refused(noAccount)
  const [any] = await codesFound(tx, [sealer.hash(of.code)])
  const found = isFor(any, of) ? any : undefined
  if (!found) return { log_id: await noteUnknown(tx, of), code_id: null, refusal: unknownCode }
  if (of.at) of.mall_id ||= await mallAt(tx, found.batch.mall_ids, of.at)
  const refusal = redeemRefusal(factsOf(found), of)
  if (refusal) return refused(refusal, found)
  try {
    const done = await redeemFound(tx, found, { ...of, sealer })
    return typeof done === 'number'
      ? { log_id: done, code_id: found.code.id, refusal: null }
      : await refused(done, found)
  } catch (error) {
    if (!(error instanceof Refusal) || error.data['rule'] !== 'no_reward') throw error
    return refused({ result: 'no_reward', text: error.text, values: { ...error.values } }, found)
  }
}
/**
 * A code of a partner's own batches, or why it is told nothing: a code that it has not counts as a
 * wrong try of its address, and locks that.
 */
export const lookUpCode = async (
  tx: Db,
  sealer: Sealer,
  given: Omit<Try, 'member'>,
): Promise<FoundCode | RedeemRefusal> => {
  const of: Asking = { ...given, code: normalCode(given.code), member: null }
  const locked = await blockOf(tx, keysOfTry(of), of.now)
  if (locked) {
    await note(tx, of, { result: 'locked' })
    return { result: 'locked', ...lockedText(locked.until) }
  }
  const [found] = await codesFound(tx, [sealer.hash(of.code)])
  if (found && isFor(found, of)) return found
  await noteUnknown(tx, of)
  return unknownCode
}
