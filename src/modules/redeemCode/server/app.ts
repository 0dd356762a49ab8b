import { memberOfTicket } from '#src/areas/member/ticket.server.ts'
import { redeemCode } from '#src/areas/redeemCode/redeem.server.ts'
import { redeemResults } from '#src/areas/redeemCode/redeemCode.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { say } from '#src/domain/text.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { redeemApp as contract } from '../contract/app.ts'

const handlers = {
  redeem: async ({ ticket, secret_code, device = '' }, { tx, install, caller, staff, now }) => {
    const who = await memberOfTicket(tx, install.sign, { ticket, now })
    if (!who) return { state: 'none', why: '' }
    const { refusal } = await redeemCode(tx, await sealerOf(install.codeKeys, tx), {
      code: secret_code,
      member: who,
      channel: 'mini',
      staff_id: null,
      mall_id: 0,
      device_id: device,
      ip: caller.ip,
      now,
    })
    if (!refusal) return { state: 'ok', why: '' }
    const { result, text, values } = refusal
    // The sentence of the desk names whoever has the code; only a lock's tells an end.
    const why = result === 'locked' ? text : redeemResults[result]
    return { state: result, why: say(why, staff.lang, values) }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const redeemAppServer = implement(contract, handlers)
