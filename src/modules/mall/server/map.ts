import { mapService } from '#src/contract/map.ts'
import { implement } from '#src/server/call/implement.ts'

export default implement({ mapService }, { mapService: async (_, { install }) => install.map })
