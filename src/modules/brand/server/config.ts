import { designerHandlers } from '#src/areas/scheme/designer.server.ts'
import { implement } from '#src/server/call/implement.ts'
import { brandPage as contract } from '../contract/config.ts'

export const brandPageServer = implement(contract, designerHandlers('brand'))
