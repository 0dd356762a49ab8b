import { join } from 'node:path'
import { ecard_channel, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { code_partner, redeem_code } from '#src/areas/redeemCode/redeemCode.table.ts'
import { openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { rotateKeys } from '#src/areas/secret/secrets.server.ts'
import { vip_card_code } from '#src/areas/vipCard/vipCard.table.ts'
import { readConfig } from '#src/server/http/config.ts'
import { openDatabase } from './server/db/database.ts'

/**
 * `npm run -s rotate-code-keys [-- --continue]`: a new key for the text of codes, and every code
 * under it. With `--continue` it goes on where one was broken off.
 */
const config = readConfig(process.env)
const database = await openDatabase(
  config.database_url ? { url: config.database_url } : { folder: join(config.data, 'database') },
)
const places = [
  {
    table: redeem_code,
    id: redeem_code.id,
    hash: redeem_code.code_hash,
    sealed: redeem_code.code_sealed,
  },
  {
    table: ecard_code,
    id: ecard_code.id,
    hash: ecard_code.secret_hash,
    sealed: ecard_code.secret_enc,
  },
  {
    table: vip_card_code,
    id: vip_card_code.id,
    hash: vip_card_code.secret_hash,
    sealed: vip_card_code.secret_sealed,
  },
  // Secrets of the partner API, each bound to the key that it is of.
  {
    table: ecard_channel,
    id: ecard_channel.id,
    hash: ecard_channel.app_key,
    sealed: ecard_channel.secret_enc,
  },
  {
    table: ecard_channel,
    id: ecard_channel.id,
    hash: ecard_channel.old_app_key,
    sealed: ecard_channel.old_secret_enc,
  },
  {
    table: code_partner,
    id: code_partner.id,
    hash: code_partner.app_key,
    sealed: code_partner.secret_enc,
  },
  {
    table: code_partner,
    id: code_partner.id,
    hash: code_partner.old_app_key,
    sealed: code_partner.old_secret_enc,
  },
]
try {
  const done = await rotateKeys(database, openKeyFile(config.code_keys), places, {
    anew: !process.argv.includes('--continue'),
  })
  process.stdout.write(`${JSON.stringify(done, null, 2)}\n`)
} finally {
  await database.close()
}
