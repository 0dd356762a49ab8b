import { memberOfTicket } from '#src/areas/member/ticket.server.ts'
import { prizeToFetch } from '#src/areas/redeemCode/fetching.server.ts'
import { redeemCode } from '#src/areas/redeemCode/redeem.server.ts'
import { redeemResults } from '#src/areas/redeemCode/redeemCode.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { redeemApp as contract } from '../contract/app.ts'

const handlers = {
  redeem: async ({ ticket, secret_code, device = '', at }, { tx, install, caller, staff, now }) => {
    const who = await memberOfTicket(tx, install.sign, { ticket, now })
    if (!who) return { state: 'none', why: '', goods: null }
    const { refusal, code_id } = await redeemCode(tx, await sealerOf(install.codeKeys, tx), {
      code: secret_code,
      member: who,
      channel: 'mini',
      staff_id: null,
      mall_id: 0,
      device_id: device,
      ip: caller.ip,
      now,
    })
    // Whoever lost the answer asks again: their own code is used then, and its prize waits all the same.
    const gave = code_id !== null && (refusal === null || refusal.result === 'used')
    const from = { city_id: who.city_id, at }
    const goods = gave ? await prizeToFetch(tx, { code_id, member_id: who.id, from, now }) : null
    if (!refusal) return { state: 'ok', why: '', goods }
    const { result, text, values } = refusal
    // The sentence of the desk names whoever has the code; only a lock's tells an end.
    const why = result === 'locked' ? text : redeemResults[result]
    return { state: result, why: say(why, staff.lang, values), goods }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const redeemAppServer = implement(contract, handlers)
