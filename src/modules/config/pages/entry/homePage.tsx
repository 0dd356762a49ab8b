import { homeDesignActions } from '#commands/config/designer.ts'
import { blockLinks } from '#commands/designer.ts'
import { Designer } from '#src/kit/designer/designer.tsx'
import { homePage } from '../../contract/homePage.ts'

/** The home page of each city. */
export default function HomePage() {
  return <Designer type="home" calls={homePage} actions={homeDesignActions} links={blockLinks} />
}
