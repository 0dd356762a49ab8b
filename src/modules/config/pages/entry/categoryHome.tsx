import { channelDesignActions } from '#commands/config/designer.ts'
import { blockLinks } from '#commands/designer.ts'
import { Designer } from '#src/kit/designer/designer.tsx'
import { categoryHome } from '../../contract/categoryHome.ts'

/** The home of each channel of a city. */
export default function CategoryHome() {
  return (
    <Designer
      type="categoryHome"
      calls={categoryHome}
      actions={channelDesignActions}
      links={blockLinks}
    />
  )
}
