import { z } from 'zod'
import { IPS_MOST } from '#src/areas/partner/places.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { id, text } from '#src/contract/shapes.ts'

const call = callsOf('redeemCode/index', { touches: ['code_batch', 'code_partner'], rows: 'all' })

/** How the partner of a batch calls our API; one access for all batches under its name. */
export const codePartners = {
  /** A first key, or another: the key before opens the door for one more day. */
  partnerKey: call.write('partnerKey', ['重置合作方接口密钥', 'Reset a partner’s API key'], {
    input: z.object({
      id,
      /** The access as it was read; 0 where there is none. */ access_version: z.int().min(0),
      reason,
    }),
    output: z.object({ id, app_key: z.string(), secret_key: z.string().nullable() }),
  }),
  partnerPlaces: call.changes(
    'partnerPlaces',
    ['设置合作方 IP 白名单', 'Set a partner’s IP allowlist'],
    {
      fields: { ip_list: z.array(text(64)).min(1).max(IPS_MOST) },
    },
  ),
  partnerStop: call.changes('partnerStop', ['停用合作方接口', 'Disable a partner’s API'], {
    fields: { reason },
  }),
  partnerOpen: call.changes('partnerOpen', ['启用合作方接口', 'Enable a partner’s API'], {
    fields: { reason },
  }),
}
