import { join } from 'node:path'
import { redeem_code } from '#src/areas/redeemCode/redeemCode.table.ts'
import { openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { rotateKeys } from '#src/areas/secret/secrets.server.ts'
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
const { id, code_hash: hash, code_sealed: sealed } = redeem_code
try {
  const done = await rotateKeys(
    database,
    openKeyFile(config.code_keys),
    [{ table: redeem_code, id, hash, sealed }],
    { anew: !process.argv.includes('--continue') },
  )
  process.stdout.write(`${JSON.stringify(done, null, 2)}\n`)
} finally {
  await database.close()
}
