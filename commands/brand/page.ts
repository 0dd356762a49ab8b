import { brandPage } from '#src/modules/brand/contract/config.ts'
import { choosePage, copyFrom, designerActions, type DesignAt } from '../designer.ts'
import { brandDesign } from '../pages/brand.ts'

const others = ({ brand_id }: DesignAt) => ({ but: brand_id })
const label = ['品牌', 'Brand'] as const
export const brandDesignActions = {
  ...designerActions(brandDesign, 'brand', brandPage),
  choose: choosePage(brandDesign, brandPage, label, others),
  copyFrom: copyFrom(brandDesign, brandPage, label, others),
}
