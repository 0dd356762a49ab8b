import { homeDesignActions } from '#commands/config/designer.ts'
import { homePage } from '../../contract/homePage.ts'
import { Designer } from '../../parts/Designer.tsx'

/** The home page of each city. */
export default function HomePage() {
  return <Designer type="home" calls={homePage} actions={homeDesignActions} />
}
