import { batchApplyCall, designerCalls, inheritedCall } from '#src/contract/designer.ts'

/** The page that a brand’s tile inside a category opens. */
export const categoryBrandPage = {
  ...designerCalls('categoryBrand'),
  inherited: inheritedCall('categoryBrand'),
  batchApply: batchApplyCall('categoryBrand'),
}
