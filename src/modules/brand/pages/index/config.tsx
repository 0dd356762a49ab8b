import { brandDesignActions } from '#commands/brand/page.ts'
import { blockLinks } from '#commands/designer.ts'
import { Designer } from '#src/kit/designer/designer.tsx'
import { brandPage } from '../../contract/config.ts'

/** The page of each brand. */
export default function BrandPage() {
  return <Designer type="brand" calls={brandPage} actions={brandDesignActions} links={blockLinks} />
}
