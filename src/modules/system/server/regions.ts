import { regionsFor } from '#src/areas/place/regions.server.ts'
import { regions } from '#src/contract/regions.ts'
import { implement } from '#src/server/call/implement.ts'

export default implement({ regions }, { regions: async asked => ({ list: regionsFor(asked) }) })
