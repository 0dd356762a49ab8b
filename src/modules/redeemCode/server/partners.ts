import { eq, lte } from 'drizzle-orm'
import { newKey, noOldKey } from '#src/areas/partner/keys.server.ts'
import { placesFault, placesOf } from '#src/areas/partner/places.ts'
import { code_partner } from '#src/areas/redeemCode/redeemCode.table.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { faultless, record, turning, unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { codePartners as contract } from '../contract/partner.ts'
import { batches } from './batchRecord.ts'

const t = code_partner
const partners = record(t, {
  object: 'code_partner',
  label: row => row.name,
  keys: ['name', 'ip_list', 'status', 'reason'],
  places: 'all',
  // A key's secret stands in no log and no answer.
  told: ({ secret_enc: _, old_secret_enc: __, ...row }) => row,
})

const handlers = {
  partnerKey: async ({ id, access_version, reason }, context) => {
    const { tx, staff, now, install } = context
    const { partner: name } = await batches.read(tx, staff, id)
    const [there] = await tx.select().from(t).where(eq(t.name, name))
    const was = there
      ? await partners.heldFast(context, { id: there.id, version: access_version })
      : await unlessTaken(partners.add(context, { name }), () =>
          ruled('partner_taken', [
            '另一人刚为该合作方生成了密钥，请刷新后再试',
            'Somebody has just made a key for this partner: refresh, then try again',
          ]),
        )
    const { secret_key, set } = newKey(await sealerOf(install.codeKeys, tx), was, {
      prefix: 'rc',
      now,
    })
    await partners.set(context, was, set)
    const { app_key, old_key_until } = set
    partners.log(context, was, {
      before: { app_key: was.app_key },
      after: { app_key, old_key_until },
      reason,
    })
    return { id, app_key, secret_key }
  },
  partnerPlaces: async ({ ip_list, ...one }, context) => {
    const was = await partners.heldFast(context, one)
    const places = placesOf(ip_list)
    faultless(context.staff, { ip_list: placesFault(places) })
    return partners.save(context, was, { ip_list: places })
  },
  partnerStop: async ({ reason, ...one }, context) => {
    const was = await turning(partners.heldFast(context, one), 'off')
    return partners.save(context, was, { status: 'off', reason }, reason)
  },
  partnerOpen: async ({ reason, ...one }, context) => {
    const was = await turning(partners.heldFast(context, one), 'on')
    return partners.save(context, was, { status: 'on', reason: '' }, reason)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
export const partnersServer = implement(contract, handlers)

/** Keys that have ended are forgotten. */
defineTimer('redeemCode.partners', '* * * * *', async ({ database, now }) => {
  await database.db.update(t).set(noOldKey).where(lte(t.old_key_until, now))
  return []
})
