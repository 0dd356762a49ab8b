import { batchApply, inheritedBlocks } from '#src/areas/scheme/brandStyle.server.ts'
import { needPageCity } from '#src/areas/scheme/choices.server.ts'
import { designerHandlers } from '#src/areas/scheme/designer.server.ts'
import type { Designed } from '#src/contract/designer.ts'
import { implement } from '#src/server/call/implement.ts'
import { categoryBrandPage as contract } from '../contract/categoryBrandPage.ts'

export const categoryBrandPageServer = implement(contract, {
  ...designerHandlers('categoryBrand'),
  inherited: async ({ city_id, brand_id }, { db, staff }) => {
    await needPageCity(db, staff, city_id)
    return { blocks: (await inheritedBlocks(db, brand_id)) as Designed['blocks'] }
  },
  batchApply: (asked, context) => batchApply(context, asked),
})
