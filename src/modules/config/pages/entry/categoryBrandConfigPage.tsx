import { categoryBrandDesignActions } from '#commands/config/designer.ts'
import { blockLinks } from '#commands/designer.ts'
import { Designer } from '#src/kit/designer/designer.tsx'
import { categoryBrandPage } from '../../contract/categoryBrandPage.ts'

/** The page that each brand of a wall has inside its category. */
export default function CategoryBrandPage() {
  return (
    <Designer
      type="categoryBrand"
      calls={categoryBrandPage}
      actions={categoryBrandDesignActions}
      links={blockLinks}
    />
  )
}
