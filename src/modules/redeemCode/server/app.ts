import { eq } from 'drizzle-orm'
import { memberOfTicket } from '#src/areas/member/ticket.server.ts'
import { prizeToFetch } from '#src/areas/redeemCode/fetching.server.ts'
import { rewardsGiven } from '#src/areas/redeemCode/given.server.ts'
import { mallsToGo } from '#src/areas/redeemCode/placing.server.ts'
import { redeemCode } from '#src/areas/redeemCode/redeem.server.ts'
import { redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { redeemResults, type RedeemRefusal } from '#src/areas/redeemCode/redeemCode.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { say, type Lang } from '#src/domain/text.ts'
import { implement, type Db, type Handler } from '#src/server/call/implement.ts'
import { redeemApp as contract } from '../contract/app.ts'

/**
 * The words for a member: the desk's sentence may name the holder of the code, or what staff wrote.
 */
const whyOf = async (
  tx: Db,
  refusal: RedeemRefusal,
  code_id: number | null,
): Promise<Pick<RedeemRefusal, 'text' | 'values'>> => {
  const { result } = refusal
  if (result === 'locked' || result === 'no_reward') return refusal
  return result === 'wrong_mall' && code_id !== null
    ? mallsToGo(tx, code_id)
    : { text: redeemResults[result] }
}
const gaveBy = async (tx: Db, log_id: number, lang: Lang): Promise<string[]> => {
  const [log] = await tx
    .select({ granted: redeem_log.granted })
    .from(redeem_log)
    .where(eq(redeem_log.id, log_id))
  return (await rewardsGiven(tx, [log!.granted], lang))[0]!
}
const handlers = {
  redeem: async ({ ticket, secret_code, device = '', at }, { tx, install, caller, staff, now }) => {
    const who = await memberOfTicket(tx, install.sign, { ticket, now })
    if (!who) return { state: 'none', why: '', goods: null, rewards: [] }
    const { refusal, code_id, log_id } = await redeemCode(
      tx,
      await sealerOf(install.codeKeys, tx),
      {
        code: secret_code,
        member: who,
        channel: 'mini',
        staff_id: null,
        mall_id: 0,
        at,
        device_id: device,
        ip: caller.ip,
        now,
      },
    )
    // A member who lost the answer asks again: their own code is used then, and its prize waits all
    // the same.
    const gave = code_id !== null && (refusal === null || refusal.result === 'used')
    const from = { city_id: who.city_id, at }
    const goods = gave ? await prizeToFetch(tx, { code_id, member_id: who.id, from, now }) : null
    if (!refusal)
      return { state: 'ok', why: '', goods, rewards: await gaveBy(tx, log_id, staff.lang) }
    const { text, values } = await whyOf(tx, refusal, code_id)
    return { state: refusal.result, why: say(text, staff.lang, values), goods, rewards: [] }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const redeemAppServer = implement(contract, handlers)
