import { brandPage } from '#src/modules/brand/contract/config.ts'
import { choosePage, copyFrom, designerActions } from '../designer.ts'
import { brandDesign } from '../pages/brand.ts'

const label = ['品牌', 'Brand'] as const
export const brandDesignActions = {
  ...designerActions(brandDesign, 'brand', brandPage),
  choose: choosePage(brandDesign, brandPage, label, () => ({})),
  copyFrom: copyFrom(brandDesign, brandPage, label, () => ({})),
}
