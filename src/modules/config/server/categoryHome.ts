import { designerHandlers } from '#src/areas/scheme/designer.server.ts'
import { setFallback } from '#src/areas/scheme/fallback.server.ts'
import { implement } from '#src/server/call/implement.ts'
import { categoryHome as contract } from '../contract/categoryHome.ts'

export const categoryHomeServer = implement(contract, {
  ...designerHandlers('categoryHome'),
  setFallback: ({ template_id }, context) => setFallback(context, 'categoryHome', template_id),
})
