// What an import takes beside its file, told by a process that does nothing else: `node --import
// ./src/source.mjs tests/areas/redeemCode/heldOnce.ts`.
import { filePieces } from '#src/areas/redeemCode/importFile.server.ts'
import { isBase64 } from '#src/domain/base64.ts'
import { requestHash } from '#src/server/call/idempotency.ts'

const most = () => process.resourceUsage().maxRSS * 1024
// 80 MB of base64, laid out as one text by the first look at it.
const secret_file = Buffer.from('AB12CD34EF5\n').toString('base64').repeat(5_000_000)
const good = isBase64(secret_file)
const before = most()
const hash = requestHash('POST import', { id: 1, secret_file })
let [codes, at] = [0, 0]
for (const piece of filePieces(secret_file)) [codes, at] = [codes + piece.n, piece.at]
process.stdout.write(
  JSON.stringify({
    good,
    hash: hash.length,
    codes,
    at,
    file: secret_file.length,
    beside: most() - before,
  }),
)
